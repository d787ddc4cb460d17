#include "config/help.h"

#include <stdio.h>

enum { HELP_WIDTH = 79, HELP_INDENT = 26 };

static const struct option help_option = {
	.name = "help", .letter = 'h', .type = OPTION_FLAG, .help = "print this help and end", .section = "Help"
};

/* Calls `each` for every option of the table in order, and for --help at the end. */
static int for_each(const struct option_table *table,
		    int (*each)(const struct option *o, bool new_section, struct buf *out), struct buf *out)
{
	const char *section = NULL;
	int status = DANA_OK;
	for (const struct option *o = table->options; o && o->name && status == DANA_OK; o++) {
		bool new_section = !section || !o->section || strcmp(section, o->section) != 0;
		section = o->section;
		status = each(o, new_section, out);
	}
	return status < 0 ? status : each(&help_option, true, out);
}

/* Appends `text` in lines of HELP_WIDTH columns; the first begins at `column`, the others with `margin`. */
static int wrap(struct buf *out, const char *text, size_t column, const char *margin)
{
	int status = DANA_OK;
	bool first = true;
	while (*text && status == DANA_OK) {
		size_t word = strcspn(text, " ");
		if (!first && column + 1 + word > HELP_WIDTH) {
			status = buf_printf(out, "\n%s", margin);
			column = strlen(margin);
		} else if (!first) {
			status = buf_append_byte(out, ' ');
			column++;
		}
		if (status == DANA_OK)
			status = buf_append(out, text, word);
		column += word;
		first = false;
		text += word;
		text += strspn(text, " ");
	}
	return status < 0 ? status : buf_append_byte(out, '\n');
}

static int describe(const struct option *o, struct buf *out)
{
	const char *standard = o->standard ? o->standard : o->shown;
	int status = option_help(o, out);
	if (status == DANA_OK && standard)
		status = buf_printf(out, " (default: %s)", standard);
	return status < 0 ? status : buf_append_byte(out, 0);
}

static int help_line(const struct option *o, bool new_section, struct buf *out)
{
	struct buf text = { 0 };
	char letter[5] = "    ";
	char margin[HELP_INDENT + 1];
	(void)snprintf(margin, sizeof(margin), "%*s", HELP_INDENT, "");
	int status = new_section && o->section ? buf_printf(out, "\n%s:\n", o->section) : DANA_OK;
	if (o->letter)
		(void)snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	size_t start = out->len;
	if (status == DANA_OK)
		status = buf_printf(out, "  %s--%s", letter, o->name);
	if (status == DANA_OK && o->type != OPTION_FLAG)
		status = buf_append_byte(out, ' ');
	if (status == DANA_OK)
		status = option_argument(o, out);
	size_t column = out->len - start;
	if (status == DANA_OK && column + 2 > HELP_INDENT)
		status = buf_printf(out, "\n%s", margin);
	else if (status == DANA_OK)
		status = buf_printf(out, "%*s", (int)(HELP_INDENT - column), "");
	if (status == DANA_OK)
		status = describe(o, &text);
	if (status == DANA_OK)
		status = wrap(out, (const char *)text.data, HELP_INDENT, margin);
	buf_free(&text);
	return status;
}

/* Lines of shell. */
static int help_examples(const char *lines, struct buf *out)
{
	int status = buf_append_text(out, "\nExamples:\n");

	while (*lines && status == DANA_OK) {
		size_t len = strcspn(lines, "\n");
		status = buf_printf(out, "  %.*s\n", (int)len, lines);
		lines += len + (lines[len] != 0);
	}
	return status;
}

int help_text(const struct option_table *table, struct buf *out)
{
	int status = buf_printf(out, "Usage: dana %s%s%s\n%c%s.\n", table->command, table->synopsis[0] ? " " : "",
				table->synopsis, table->summary[0] & ~0x20, table->summary + 1);
	if (status == DANA_OK)
		status = for_each(table, help_line, out);
	return status < 0 || !table->examples ? status : help_examples(table->examples, out);
}

int help_roff(struct buf *out, const char *text)
{
	int status = DANA_OK;
	bool line_start = true;
	for (; *text && status == DANA_OK; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			status = buf_append_text(out, "\\&");
		if (status < 0)
			break;
		if (*text == '-')
			status = buf_append_text(out, "\\-");
		else if (*text == '\\')
			status = buf_append_text(out, "\\e");
		else
			status = buf_append_byte(out, (uint8_t)*text);
		line_start = *text == '\n';
	}
	return status;
}

static int manual_argument(const struct option *o, struct buf *out)
{
	struct buf argument = { 0 };
	int status = option_argument(o, &argument);
	if (status == DANA_OK)
		status = buf_append_byte(&argument, 0);
	if (status == DANA_OK)
		status = buf_append_text(out, " \\fI");
	if (status == DANA_OK)
		status = help_roff(out, (const char *)argument.data);
	if (status == DANA_OK)
		status = buf_append_text(out, "\\fR");
	buf_free(&argument);
	return status;
}

static int manual_item(const struct option *o, bool new_section, struct buf *out)
{
	struct buf text = { 0 };
	int status = DANA_OK;
	if (new_section && o->section) {
		status = buf_append_text(out, ".SS ");
		if (status == DANA_OK)
			status = help_roff(out, o->section);
		if (status == DANA_OK)
			status = buf_append_byte(out, '\n');
	}
	if (status == DANA_OK)
		status = buf_append_text(out, ".TP\n");
	if (status == DANA_OK && o->letter)
		status = buf_printf(out, "\\fB\\-%c\\fR, ", o->letter);
	if (status == DANA_OK)
		status = buf_append_text(out, "\\fB\\-\\-");
	if (status == DANA_OK)
		status = help_roff(out, o->name);
	if (status == DANA_OK)
		status = buf_append_text(out, "\\fR");
	if (status == DANA_OK && o->type != OPTION_FLAG)
		status = manual_argument(o, out);
	if (status == DANA_OK)
		status = buf_append_byte(out, '\n');
	if (status == DANA_OK)
		status = describe(o, &text);
	if (status == DANA_OK)
		status = help_roff(out, (const char *)text.data);
	buf_free(&text);
	return status < 0 ? status : buf_append_text(out, ".\n");
}

/* Paragraphs with an empty line between. */
static int manual_paragraphs(struct buf *out, const char *text)
{
	int status = DANA_OK;
	while (text && *text && status == DANA_OK) {
		const char *end = strstr(text, "\n\n");
		struct buf one = { 0 };
		status = buf_append(&one, text, end ? (size_t)(end - text) : strlen(text));
		if (status == DANA_OK)
			status = buf_append_byte(&one, 0);
		if (status == DANA_OK)
			status = help_roff(out, (const char *)one.data);
		if (status == DANA_OK)
			status = buf_append_text(out, end ? "\n.PP\n" : "\n");
		buf_free(&one);
		text = end ? end + 2 : NULL;
	}
	return status;
}

static int manual_head(const struct option_table *table, const char *version, struct buf *out)
{
	char title[64];
	(void)snprintf(title, sizeof(title), "DANA-%s", table->command);
	for (char *c = title; *c; c++)
		*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 0x20) : *c;
	int status = buf_append_text(out, ".\\\" Made from the option table of the program; do not edit.\n.TH ");
	if (status == DANA_OK)
		status = help_roff(out, title);
	if (status == DANA_OK)
		status = buf_printf(out, " 1 \"\" \"dana %s\" \"User commands\"\n.SH NAME\ndana\\-", version);
	if (status == DANA_OK)
		status = help_roff(out, table->command);
	if (status == DANA_OK)
		status = buf_append_text(out, " \\- ");
	if (status == DANA_OK)
		status = help_roff(out, table->summary);
	if (status == DANA_OK)
		status = buf_printf(out, "\n.SH SYNOPSIS\n.B dana %s\n", table->command);
	if (status == DANA_OK)
		status = help_roff(out, table->synopsis);
	return status < 0 ? status : buf_append_text(out, "\n");
}

static int manual_details(const struct option_table *table, struct buf *out)
{
	struct buf lines = { 0 };
	int status = table->write_details(&lines);

	if (status == DANA_OK)
		status = buf_append_byte(&lines, 0);
	if (status == DANA_OK)
		status = buf_append_text(out, ".PP\n.nf\n");
	if (status == DANA_OK)
		status = help_roff(out, (const char *)lines.data);
	buf_free(&lines);
	return status < 0 ? status : buf_append_text(out, ".fi\n");
}

int help_manual(const struct option_table *table, const char *version, struct buf *out)
{
	int status = manual_head(table, version, out);
	if (status == DANA_OK && table->description) {
		status = buf_append_text(out, ".SH DESCRIPTION\n");
		if (status == DANA_OK)
			status = manual_paragraphs(out, table->description);
	}
	if (status == DANA_OK && table->write_details)
		status = manual_details(table, out);
	if (status == DANA_OK)
		status = buf_append_text(out, ".SH OPTIONS\n");
	if (status == DANA_OK)
		status = for_each(table, manual_item, out);
	if (status == DANA_OK && table->examples) {
		status = buf_append_text(out, ".SH EXAMPLES\n.nf\n");
		if (status == DANA_OK)
			status = help_roff(out, table->examples);
		if (status == DANA_OK)
			status = buf_append_text(out, "\n.fi\n");
	}
	return status < 0 ? status : buf_append_text(out, ".SH SEE ALSO\n.BR dana (1)\n");
}

static int sample_item(const struct option *o, bool new_section, struct buf *out)
{
	struct buf text = { 0 };
	if (o->place == OPTION_COMMAND_LINE || o == &help_option)
		return DANA_OK;
	int status = new_section && o->section ? buf_printf(out, "\n## %s\n", o->section) : DANA_OK;
	if (status == DANA_OK)
		status = describe(o, &text);
	if (status == DANA_OK)
		status = buf_append_text(out, "\n# ");
	if (status == DANA_OK)
		status = wrap(out, (const char *)text.data, 2, "# ");
	const char *standard = o->standard ? o->standard : o->type == OPTION_FLAG ? "no" : NULL;
	if (status == DANA_OK)
		status = buf_printf(out, "#%s = %s", o->name, standard ? standard : "");
	if (status == DANA_OK && !standard)
		status = option_argument(o, out);
	buf_free(&text);
	return status < 0 ? status : buf_append_byte(out, '\n');
}

int help_sample(const struct option_table *table, struct buf *out)
{
	int status =
		buf_printf(out,
			   "# Sample configuration of dana %s, made from its option table: key = value, the keys are\n"
			   "# the long options. Use it with --config FILE; the command line wins.\n",
			   table->command);
	return status < 0 ? status : for_each(table, sample_item, out);
}
