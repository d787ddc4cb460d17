/* The rows of the method table, for the table and for methods that are made of others. */
#ifndef DANA_EXTRACT_METHODS_H
#define DANA_EXTRACT_METHODS_H

#include "extract/method.h"

extern const struct method method_r2l, method_dana, method_dana_slides, method_danag, method_addanag, method_auto, method_plain;
extern const struct method method_mountain, method_wlr, method_wlr_media;
extern const struct method method_bte, method_dsc, method_ccb, method_accb_40, method_tccb_18, method_tccb_25, method_lqf_25,
	method_lqf_50, method_lqf_75, method_fe, method_kfe, method_density, method_crunch, method_cetr, method_learned;

#endif
