/* SPDX-License-Identifier: MIT */
/*
 * Help, manual pages and the sample configuration, made from option tables. The buffer latches the first failure, so
 * that nothing here asks about single appends.
 */
#include <stdio.h>

#include "cli/command.h"
#include "cli/options.h"

enum { HELP_WIDTH = 79, HELP_INDENT = 26 };

const struct option help_rows[] = {
	{ .name = "help", .letter = 'h', .type = OPTION_FLAG, .help = "print this help and exit", .section = "Help" },
	{ .name = "help-all", .type = OPTION_FLAG, .help = "list all options and exit", .section = "Help" },
};

/* Calls `each` for every option of the table in order (or those that are `first`), and for the help at the end. */
static void for_each(const struct option_table *table, bool all,
		     void (*each)(const struct option *o, bool new_section, struct buf *out), struct buf *out)
{
	const char *section = NULL;
	for (const struct option *o = table->options; o && o->name; o++) {
		if (!all && !o->first)
			continue;
		bool new_section = !section || !o->section || strcmp(section, o->section) != 0;
		section = o->section;
		each(o, new_section, out);
	}
	for (size_t i = 0; i < 1u + table->shortened; i++)
		each(&help_rows[i], i == 0, out);
}

/* Appends `text` in lines of HELP_WIDTH columns; the first begins at `column`, the others with `margin`. */
static void wrap(struct buf *out, struct slice text, size_t column, const char *margin)
{
	bool first = true;
	while (text.len) {
		const uint8_t *space = memchr(text.data, ' ', text.len);
		size_t word = space ? (size_t)(space - text.data) : text.len;
		if (!first && column + 1 + word > HELP_WIDTH) {
			buf_printf(out, "\n%s", margin);
			column = strlen(margin);
		} else if (!first) {
			buf_append_byte(out, ' ');
			column++;
		}
		buf_append(out, text.data, word);
		column += word;
		first = false;
		text = slice_skip(text, word);
		while (text.len && *text.data == ' ')
			text = slice_skip(text, 1);
	}
	buf_append_byte(out, '\n');
}

/* The help of an option with its default after it; `more`: also the sentences that follow. */
static void describe(const struct option *o, bool more, struct buf *out)
{
	const char *standard = o->standard ? o->standard : o->shown;
	buf_append_text(out, o->help);
	if (standard)
		buf_printf(out, " (default: %s)", standard);
	if (more && (o->more || o->write_more))
		buf_append_text(out, ". ");
	if (more && o->more)
		buf_append_text(out, o->more);
	if (more && o->write_more)
		o->write_more(out);
}

static void wrap_description(const struct option *o, bool more, struct buf *out, size_t column, const char *margin)
{
	struct buf text = { 0 };
	describe(o, more, &text);
	wrap(out, buf_slice(&text), column, margin);
	buf_latch(out, buf_status(&text));
	buf_free(&text);
}

static void help_line(const struct option *o, bool new_section, struct buf *out)
{
	char letter[5] = "    ";
	char margin[HELP_INDENT + 1];
	if (new_section && o->section)
		buf_printf(out, "\n%s:\n", o->section);

	size_t start = out->len;
	if (o->letter)
		(void)snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	buf_printf(out, "  %s--%s", letter, o->name);
	if (o->type != OPTION_FLAG)
		buf_append_byte(out, ' ');
	option_argument(o, out);

	size_t column = out->len - start;
	(void)snprintf(margin, sizeof(margin), "%*s", HELP_INDENT, "");
	if (column + 2 > HELP_INDENT)
		buf_printf(out, "\n%s", margin);
	else
		buf_printf(out, "%*s", (int)(HELP_INDENT - column), "");
	wrap_description(o, false, out, HELP_INDENT, margin);
}

int help_text(const struct option_table *table, bool all, struct buf *out)
{
	buf_printf(out, "Usage: dana %s%s%s\n%c%s.\n", table->command, table->synopsis[0] ? " " : "", table->synopsis,
		   table->summary[0] & ~0x20, table->summary + 1);
	for_each(table, all || !table->shortened, help_line, out);
	if (!all && table->shortened)
		buf_printf(out, "\n`dana %s --help-all` lists all options, `man dana-%s` explains them.\n",
			   table->command, table->command);
	if (table->examples) {
		/* lines of shell */
		const char *lines = table->examples;
		buf_append_text(out, "\nExamples:\n");
		while (*lines) {
			size_t len = strcspn(lines, "\n");
			buf_printf(out, "  %.*s\n", (int)len, lines);
			lines += len + (lines[len] != 0);
		}
	}
	return buf_status(out);
}

static void roff(struct buf *out, struct slice text)
{
	bool line_start = true;
	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.data[i];
		if (line_start && (c == '.' || c == '\''))
			buf_append_text(out, "\\&");
		if (c == '-')
			buf_append_text(out, "\\-");
		else if (c == '\\')
			buf_append_text(out, "\\e");
		else
			buf_append_byte(out, c);
		line_start = c == '\n';
	}
}

int help_roff(struct buf *out, const char *text)
{
	roff(out, slice_from_text(text));
	return buf_status(out);
}

/* `text` becomes man(7), and is freed. */
static void roff_of(struct buf *out, struct buf *text)
{
	roff(out, buf_slice(text));
	buf_latch(out, buf_status(text));
	buf_free(text);
}

static void manual_item(const struct option *o, bool new_section, struct buf *out)
{
	struct buf text = { 0 };
	if (new_section && o->section) {
		buf_append_text(out, ".SS ");
		help_roff(out, o->section);
		buf_append_byte(out, '\n');
	}

	buf_append_text(out, ".TP\n");
	if (o->letter)
		buf_printf(out, "\\fB\\-%c\\fR, ", o->letter);
	buf_append_text(out, "\\fB\\-\\-");
	help_roff(out, o->name);
	buf_append_text(out, "\\fR");
	if (o->type != OPTION_FLAG) {
		struct buf argument = { 0 };
		option_argument(o, &argument);
		buf_append_text(out, " \\fI");
		roff_of(out, &argument);
		buf_append_text(out, "\\fR");
	}

	buf_append_byte(out, '\n');
	describe(o, true, &text);
	roff_of(out, &text);
	buf_append_text(out, o->more || o->write_more ? "\n" : ".\n");
}

int help_manual(const struct option_table *table, const char *version, struct buf *out)
{
	char title[64];
	(void)snprintf(title, sizeof(title), "DANA-%s", table->command);
	for (char *c = title; *c; c++)
		*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 0x20) : *c;
	buf_append_text(out, ".\\\" Made from the option table of the program; do not edit.\n.TH ");
	help_roff(out, title);
	buf_printf(out, " 1 \"\" \"dana %s\" \"User commands\"\n.SH NAME\ndana\\-", version);
	help_roff(out, table->command);
	buf_append_text(out, " \\- ");
	help_roff(out, table->summary);
	buf_printf(out, "\n.SH SYNOPSIS\n.B dana %s\n", table->command);
	help_roff(out, table->synopsis);
	buf_append_text(out, "\n");
	if (table->description) {
		buf_append_text(out, ".SH DESCRIPTION\n");
		/* paragraphs with an empty line between */
		const char *text = table->description;
		while (text && *text) {
			const char *end = strstr(text, "\n\n");
			roff(out, slice_of(text, end ? (size_t)(end - text) : strlen(text)));
			buf_append_text(out, end ? "\n.PP\n" : "\n");
			text = end ? end + 2 : NULL;
		}
	}
	if (table->write_details) {
		struct buf lines = { 0 };
		table->write_details(&lines);
		buf_append_text(out, ".PP\n.nf\n");
		roff_of(out, &lines);
		buf_append_text(out, ".fi\n");
	}

	if (table->verbs)
		buf_append_text(out, ".SH COMMANDS\n");
	for (const struct dedup_verb *v = table->verbs; v && v->name; v++) {
		buf_printf(out, ".TP\n\\fBdana %s %s\\fR ", table->command, v->name);
		help_roff(out, v->synopsis);
		buf_append_byte(out, '\n');
		help_roff(out, v->summary);
		buf_append_text(out, ".\n");
	}

	buf_append_text(out, ".SH OPTIONS\n");
	for_each(table, true, manual_item, out);
	if (table->examples) {
		buf_append_text(out, ".SH EXAMPLES\n.nf\n");
		help_roff(out, table->examples);
		buf_append_text(out, "\n.fi\n");
	}
	return buf_append_text(out, ".SH SEE ALSO\n.BR dana (1)\n");
}

static void sample_item(const struct option *o, bool new_section, struct buf *out)
{
	if (o->place == OPTION_COMMAND_LINE || o == &help_rows[0] || o == &help_rows[1])
		return;
	if (new_section && o->section)
		buf_printf(out, "\n## %s\n", o->section);
	buf_append_text(out, "\n# ");
	wrap_description(o, true, out, 2, "# ");

	const char *standard = o->standard ? o->standard : o->type == OPTION_FLAG ? "no" : NULL;
	buf_printf(out, "#%s = %s", o->name, standard ? standard : "");
	if (!standard)
		option_argument(o, out);
	buf_append_byte(out, '\n');
}

void help_sample_line(const char *key, const char *standard, const char *argument, const char *help, struct buf *out)
{
	struct buf text = { 0 };
	buf_append_text(&text, help);
	if (standard)
		buf_printf(&text, " (default: %s)", standard);
	buf_append_text(out, "\n# ");
	wrap(out, buf_slice(&text), 2, "# ");
	buf_printf(out, "#%s = %s\n", key, standard ? standard : argument);
	buf_latch(out, buf_status(&text));
	buf_free(&text);
}

int help_sample(const struct option_table *table, struct buf *out)
{
	buf_printf(out,
		   "# Sample configuration of dana %s, made from its option table: key = value, the keys are\n"
		   "# the long options. Use it with --config FILE; the command line wins.\n",
		   table->command);
	for_each(table, true, sample_item, out);
	return buf_status(out);
}
