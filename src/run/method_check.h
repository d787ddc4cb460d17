/* SPDX-License-Identifier: MIT */
/* What is wrong with a method and its keys, in words. */
#ifndef DANA_CLI_METHOD_CHECK_H
#define DANA_CLI_METHOD_CHECK_H

#include "base/status.h"
#include "base/text_list.h"

/**
 * Makes the method and drops it again. Returns 0, DANA_ECONFIG (err says which key, or what file, and why) or
 * DANA_ENOMEM.
 */
int method_check(const char *spec, struct error *err);
/** As method_check, for each of them; DANA_ECONFIG also if one is given twice. */
int methods_check(const struct text_list *methods, struct error *err);

#endif
