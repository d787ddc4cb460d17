/* SPDX-License-Identifier: MIT */
/*
 * What completions of the command line are made of, for every shell. The output buffer keeps the first failure
 * (buf_status).
 */
#ifndef DANA_CLI_COMPLETION_H
#define DANA_CLI_COMPLETION_H

#include "cli/command.h"

/*
 * Words are separated, and ended, by a space. Some of them stand for others: @files, @folders, @methods for the methods
 * with their keys, @plugins for the plugins that are built in with theirs.
 */

/** The names of the commands. */
void completion_commands(struct buf *out);
/** What can stand for the value of an option; nothing for free text. */
void completion_option_words(const struct option *o, struct buf *out);
/** What can stand for the arguments of a command: of "-o FOLDER [OPTIONS] DIR" those of DIR. */
void completion_arguments(const struct option_table *table, struct buf *out);
/**
 * Calls `write` for each method with what can follow its name: "gap= " for a number or a free text, "unit=bytes
 * unit=chars " for words, "model=@files " for a file.
 */
void completion_methods(void (*write)(const char *method, const char *keys, struct buf *out), struct buf *out);

extern const struct option completion_help; /* --help, which every command has */

void completion_bash(struct buf *out);
void completion_zsh(struct buf *out);

#endif
