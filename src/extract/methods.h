/* The rows of the method table, for the table and for methods that are made of others. */
#ifndef DANA_EXTRACT_METHODS_H
#define DANA_EXTRACT_METHODS_H

#include "extract/method.h"

extern const struct method method_r2l, method_dana, method_dana_slides, method_danag, method_addanag, method_auto, method_plain;

#endif
