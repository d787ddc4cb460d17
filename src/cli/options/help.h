/* SPDX-License-Identifier: MIT */
/* What people read about options, made from the table. All append to a buffer: 0 or DANA_ENOMEM. */
#ifndef DANA_CONFIG_HELP_H
#define DANA_CONFIG_HELP_H

#include "cli/options/option.h"

extern const struct option help_option; /* --help, which every command has */

/** Appends the text of `dana COMMAND --help`, lines of at most 80 columns. Returns 0 or DANA_ENOMEM. */
int help_text(const struct option_table *table, struct buf *out);
/** Appends the manual page in the language of man(7). `version` as "1.0.0". Returns 0 or DANA_ENOMEM. */
int help_manual(const struct option_table *table, const char *version, struct buf *out);
/**
 * Appends the sample configuration file: every option of a file with its default, as comments. Returns 0 or
 * DANA_ENOMEM.
 */
int help_sample(const struct option_table *table, struct buf *out);
/** A line of that file with its comment, as for an option; `standard` NULL: `argument` stands for the value. */
void help_sample_line(const char *key, const char *standard, const char *argument, const char *help, struct buf *out);
/** Appends `text` as man(7) takes it: dashes, backslashes, leading dots. Returns 0 or DANA_ENOMEM. */
int help_roff(struct buf *out, const char *text);

#endif
