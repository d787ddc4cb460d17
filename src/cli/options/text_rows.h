/* SPDX-License-Identifier: MIT */
/* The rows of the options that say which texts of a page are written, for the tables of several commands. */
#ifndef DANA_CLI_OPTIONS_TEXT_ROWS_H
#define DANA_CLI_OPTIONS_TEXT_ROWS_H

#include "cli/options/option.h"
#include "run/methods.h"

/** Appends the keys of --markdown with their values and defaults. Returns 0 or DANA_ENOMEM. */
int text_rows_markdown_help(struct buf *out);

/* `settings`: the struct of the command; `member`: its struct text_options; `heading`: that of the rows */
/* clang-format off */
#define TEXT_ROWS(settings, member, heading) \
	{ "text", 0, OPTION_LIST, "LIST", "plain", NULL, \
	  "texts to write: plain; markdown, which has headings, lists, tables, code and links; blocks, in JSON a " \
	  "list of these with kind, place and probability", \
	  heading, 0, 0, 0, OPTION_MEMBER(settings, member.list) }, \
	{ "markdown", 0, OPTION_TEXT, "KEY=VALUE,...", NULL, NULL, NULL, heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member.markdown), .write_help = text_rows_markdown_help }

#define METHOD_ROW(settings, member, heading) \
	{ "method", 'm', OPTION_TEXTS, "NAME[:KEY=VALUE,...]", DANA_DEFAULT_METHOD, NULL, \
	  "extraction method with its keys; dana methods lists the methods. Repeatable: each page is read once, " \
	  "`text` and all that depends on a text is the first's; JSON has the texts of the others in `texts`, WARC a " \
	  "record of each", \
	  heading, 0, 0, 0, OPTION_MEMBER(settings, member) }

#define TEXT_FIELD_ROW(settings, member, heading) \
	{ "text-field", 0, OPTION_CHOICE, "plain|markdown", "plain", NULL, \
	  "what the field `text` of JSON holds; markdown: for programs that read this field only", heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member.field) }

#define DROPPED_ROW(settings, member, heading) \
	{ "dropped", 0, OPTION_FLAG, NULL, NULL, NULL, \
	  "with --text blocks: blocks that the method does not keep too, with \"kept\":false", heading, 0, 0, 0, \
	  OPTION_MEMBER(settings, member.dropped) }
/* clang-format on */

#endif
