/* SPDX-License-Identifier: MIT */
/* --print-config and --print-limits: the options in effect, on standard output. */
#ifndef DANA_CLI_FILTER_PRINT_H
#define DANA_CLI_FILTER_PRINT_H

#include "cli/options/filter_options.h"

/**
 * Prints what the settings ask for. Returns the exit status. Addresses in the settings become those that may be shown,
 * and are not kept.
 */
int filter_print(struct filter_settings *s);

#endif
