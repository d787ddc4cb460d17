/* SPDX-License-Identifier: MIT */
/* What is wrong with the values of options that several commands share, in words. */
#ifndef DANA_CLI_OPTION_CHECK_H
#define DANA_CLI_OPTION_CHECK_H

#include <stdbool.h>

#include "base/status.h"
#include "lab/measure/gold.h"

/** --charset: 0, or DANA_ECONFIG when `label` names no charset of the web or of iconv. NULL (not given) is accepted. */
int option_check_charset(const char *label, struct error *err);
/** The charsets that the index of a gold folder names: likewise. */
int option_check_gold(const struct gold_folder *gold, struct error *err);
/** 0, or DANA_ECONFIG when to write the file `output` would write over the file `input` (- is standard input). */
int option_check_spare(const char *input, const char *output, struct error *err);
/** 0, or DANA_ECONFIG when the regular file `output` exists and `force` is not set. */
int option_check_new(const char *output, bool force, struct error *err);

#endif
