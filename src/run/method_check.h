/* SPDX-License-Identifier: MIT */
/* What is wrong with a method and its keys, in words. */
#ifndef DANA_CLI_METHOD_CHECK_H
#define DANA_CLI_METHOD_CHECK_H

#include "base/status.h"

/**
 * Makes the method and drops it again. Returns 0, DANA_ECONFIG (err says which key, or what file, and why) or
 * DANA_ENOMEM.
 */
int method_check(const char *spec, struct error *err);

#endif
