/* SPDX-License-Identifier: MIT */
/* `dana compare`: two settings side by side, by the texts that both make of a sample of pages. */
#include "config.h"

#include "lab/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "cli/command.h"
#include "cli/console.h"
#include "dana/dana.h"
#include "io/page_fetch.h"
#include "run/methods.h"
#include "run/outputs.h"
#include "run/pages.h"

/* What a setting consists of: --against changes it for the second side. */
struct compare_setting {
	struct text_list methods;
	struct text_options text;
	struct plugin_rows plugins;
};

struct compare_settings {
	struct compare_setting setting; /* must be the first: the table of --against has its rows alone */
	const char *against, *output, *url, *charset;
	int format; /* enum compare_format */
	size_t sample;
	bool references, force;
};

enum { SHOWN = 200 };

enum compare_format { COMPARE_TABLE, COMPARE_JSON, COMPARE_TSV };

/* clang-format off */
#define SETTING_ROWS(settings, member) \
	{ "method", 'm', OPTION_TEXTS, "NAME[:KEY=VALUE,...]", DANA_DEFAULT_METHOD, NULL, \
	  "choose the method; given twice, the two that are compared; dana methods lists them", "Options", 0, 0, 0, \
	  OPTION_MEMBER(settings, member methods) }, \
	PAGE_PARTS(PAGE_OPTION_ROW, settings, member text.page, "Options", NULL, NULL) \
	{ "site", 0, OPTION_TEXT, "FILE", NULL, NULL, \
	  "use what other pages of a site have, by this table of dana site learn", "Options", 0, 0, 0, \
	  OPTION_MEMBER(settings, member text.site), .more = "As in dana filter." }, \
	PLUGIN_ROW(settings, member plugins, "Options", \
		   "A page that it drops has no text. Plugins that compare pages, such as dedup-near, are of dana " \
		   "filter.")
/* clang-format on */

static const struct option setting_options[] = { SETTING_ROWS(struct compare_setting, ), { .name = NULL } };
static const struct option_table setting_table = { .command = "compare", .options = setting_options };

#define AT(m) OPTION_MEMBER(struct compare_settings, m)

static const struct option options[] = {
	SETTING_ROWS(struct compare_settings, setting.),
	{ "against", 0, OPTION_TEXT, "OPTIONS", NULL, NULL,
	  "change these options for the second setting, as in --against '--rules rules.tsv'", "Options", 0, 0, 0,
	  AT(against),
	  .more = "All options above can be given, with their values in quotes where these have blanks. --plugin adds "
		  "to the plugins of the first." },
	{ "sample", 0, OPTION_NUMBER, "N", "1000", NULL, "compare N pages, chosen by a hash of their URLs", "Options",
	  0, 1, 100000, AT(sample), .more = "The choice is the same in every run." },
	{ "references", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "score both against the text beside each page: PAGE.txt for PAGE.html", "Options", 0, 0, 0, AT(references) },
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, NULL, "write a page (HTML) that shows the differences", "Options",
	  0, 0, 0, AT(output) },
	{ "format", 'f', OPTION_CHOICE, "table|json|tsv", "table", NULL, "set the format of what is printed", "Options",
	  0, 0, 0, AT(format) },
	{ "url", 0, OPTION_TEXT, "URL", NULL, NULL,
	  "set the URL of pages that are files, for rules and tables of sites", "Options", 0, 0, 0, AT(url) },
	{ "charset", 0, OPTION_TEXT, "NAME", NULL, "detect",
	  "decode pages that are files by this charset (a name of the web or of iconv)", "Options", 0, 0, 0,
	  AT(charset) },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite an existing page", "Options", 0, 0, 0, AT(force) },
	{ .name = NULL },
};

const struct option_table compare_options = {
	.command = "compare",
	.summary = "show how the texts of two settings differ",
	.synopsis = "-m METHOD -m METHOD [OPTIONS] INPUT...",
	.description =
		"Makes the texts of a sample of pages by two settings, and prints on how many pages they differ, by "
		"how "
		"many words, and in which kinds of page: for those who have no reference texts. INPUT is an archive "
		"(WARC, ARC, WACZ), FILE@OFFSET of it, an HTML page, or a folder that is searched for pages.\n\n"
		"The two settings are two methods or one method with other keys, or the second has other options "
		"(--against). Words are counted as by dana eval; a word is only in one text if a longest common "
		"subsequence of both does not have it. The kind of a page is what learned finds.\n\n"
		"With -o writes one HTML file that needs no network: it shows the pages that differ, those with the "
		"largest differences first, line by line, with keys to go through them.",
	.examples = "dana compare -m learned -m learned:recall=60 crawl.warc.gz\n"
		    "dana compare -m learned -m danag -o compare.html --sample 200 crawl.warc.gz\n"
		    "dana compare --against '--rules rules.tsv' --url https://example.org/ site/\n"
		    "dana compare -m learned -m danag --references pages/",
	.options = options,
	.least_positionals = 1,
	.most_positionals = SIZE_MAX,
};

/* Takes the first word of `rest`; a word in quotes may have blanks. *word lives in `memory`. */
static int take_word(struct slice *rest, struct arena *memory, const char **word, struct error *err)
{
	struct buf text = { 0 };
	uint8_t quote = 0;
	*word = NULL;
	while (rest->len && ascii_is_space(rest->data[0]))
		*rest = slice_skip(*rest, 1);
	const bool any = rest->len > 0;
	for (; rest->len && (quote || !ascii_is_space(rest->data[0])); *rest = slice_skip(*rest, 1)) {
		const uint8_t c = rest->data[0];
		if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		else
			buf_append_byte(&text, c);
	}
	if (quote) {
		buf_free(&text);
		return error_set(err, DANA_ECONFIG, "--against: a quotation mark is missing");
	}
	int status = any ? buf_append_byte(&text, 0) : DANA_OK;
	const struct slice copy = any && status == DANA_OK ? arena_copy(memory, buf_slice(&text)) : slice_of(NULL, 0);
	*word = (const char *)copy.data;
	buf_free(&text);
	return any && !*word ? error_no_memory(err) : DANA_OK;
}

/* Sets the options of --against, each over what the first setting has. */
static int set_against(const char *text, struct compare_setting *s, struct arena *memory, struct error *err)
{
	struct slice rest = slice_from_text(text);
	const char *word;
	int status;
	s->methods.standard = true; /* they are replaced */
	while ((status = take_word(&rest, memory, &word, err)) == DANA_OK && word) {
		const bool letter = word[0] == '-' && word[1] != '-' && word[1];
		const char *equals = letter ? NULL : strchr(word, '=');
		const char *value = letter && word[2] ? word + 2 : equals ? equals + 1 : NULL;
		const struct option *o = NULL;
		char where[80];
		if (letter)
			o = option_of_letter(&setting_table, word[1]);
		else if (strncmp(word, "--", 2) == 0)
			o = option_find(&setting_table,
					slice_of((const uint8_t *)word + 2,
						 equals ? (size_t)(equals - word - 2) : strlen(word + 2)));
		if (!o)
			return error_set(
				err, DANA_ECONFIG,
				"--against: '%s' cannot differ; expected --method, --exclude, --only, --rules, "
				"--comments, --tables, --site or --plugin",
				word);
		if (!value && (status = take_word(&rest, memory, &value, err)) < 0)
			return status;
		(void)snprintf(where, sizeof(where), "--against: --%s", o->name);
		if (!value)
			return error_set(err, DANA_ECONFIG, "%s: a value is missing", where);
		status = option_set(o, s, value, where, err);
		if (status < 0)
			return status;
	}
	return status;
}

/* Makes both settings, and what they are called. */
static int make_settings(const struct compare_settings *s, struct compare_setting two[2], struct buf shown[2],
			 struct arena *memory, struct error *err)
{
	const unsigned n = s->setting.methods.n;
	int status = DANA_OK;
	if (n > 2)
		return error_set(err, DANA_ECONFIG, "%u methods; expected two, or one and --against OPTIONS", n);
	if (n < 2 && !s->against)
		return error_set(err, DANA_ECONFIG,
				 "one setting; expected two (-m A -m B), or --against OPTIONS that the second has");
	for (unsigned i = 0; i < 2; i++) {
		two[i] = s->setting;
		two[i].methods = (struct text_list){ { s->setting.methods.at[i < n ? i : 0] }, 1, false };
	}
	if (s->against)
		status = set_against(s->against, &two[1], memory, err);
	if (status == DANA_OK && two[1].methods.n != 1)
		return error_set(err, DANA_ECONFIG, "--against: %u methods; expected one", two[1].methods.n);
	for (int i = 0; i < 2 && status == DANA_OK; i++) {
		const char *method = two[i].methods.at[0];
		const bool changed = i == 1 && s->against, named = changed && method != s->setting.methods.at[n - 1];
		buf_printf(&shown[i], "%s%s%s", named ? "" : method, changed && !named ? " " : "",
			   changed ? s->against : "");
		if (buf_append_byte(&shown[i], 0) < 0)
			status = error_no_memory(err);
	}
	return status;
}

static int print(const struct comparison *c, const struct compare_settings *s, int status)
{
	static int (*const writers[])(const struct comparison *, struct buf *) = { [COMPARE_TABLE] = compare_table,
										   [COMPARE_JSON] = compare_json,
										   [COMPARE_TSV] = compare_tsv };
	struct buf out = { 0 }, page = { 0 };
	int code = command_print_made("compare", writers[s->format](c, &out), &out);
	if (s->output && compare_page(c, &page) < 0)
		code = command_print_made("compare", DANA_ENOMEM, &page);
	else if (s->output && command_write("compare", s->output, buf_slice(&page)) != EXIT_DONE)
		code = EXIT_FAULT;
	buf_free(&page);
	return code != EXIT_DONE ? code : status == DANA_EFORMAT ? EXIT_DAMAGE : status < 0 ? EXIT_FAULT : EXIT_DONE;
}

static int check_inputs(const struct options_rest *rest, struct error *err)
{
	char shown[SHOWN];
	for (size_t i = 0; i < rest->n_positionals; i++) {
		if (page_fetch_takes(rest->positionals[i]))
			return error_set(err, DANA_ECONFIG,
					 "%s: nothing is fetched, so that both settings have the same page; "
					 "curl -sL URL >page.html, and name that file, with --url URL",
					 printable(slice_from_text(rest->positionals[i]), shown, sizeof(shown)));
	}
	return DANA_OK;
}

static int check_output(const struct compare_settings *s, const struct extract_inputs *in, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; s->output && i < in->names.n && status == DANA_OK; i++)
		status = outputs_check_spare(in->names.items[i], s->output, err);
	return s->output && status == DANA_OK ? outputs_check_new(s->output, s->force, err) : status;
}

int compare_command_run(int argc, char **argv)
{
	static struct compare_settings settings;
	static struct compare_setting two[2];
	static struct console console;
	const struct compare_settings *s = &settings;
	const char *command = "compare";
	struct extract_inputs in = { .notices = { console_message, &console } };
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	struct buf shown[2] = { { 0 }, { 0 } };
	struct texts texts[2] = { { .others = NULL }, { .others = NULL } };
	struct comparison c = { .seen = 0 };
	struct arena *memory = NULL;
	int code = command_options(&compare_options, &settings, argc, argv, &rest);
	if (code < 0) {
		console_init(&console, command);
		int status =
			(memory = arena_new()) ? make_settings(s, two, shown, memory, &err) : error_no_memory(&err);
		for (int i = 0; i < 2 && status == DANA_OK; i++)
			status = methods_check(&two[i].methods, &err);
		for (int i = 0; i < 2 && status == DANA_OK; i++)
			status = texts_check(&two[i].text, &two[i].methods, &texts[i], &err);
		if (status == DANA_OK)
			status = charset_check("--charset", s->charset, &err);
		if (status == DANA_OK)
			status = check_inputs(&rest, &err);
		if (status == DANA_OK)
			status = extract_inputs_gather(&in, rest.positionals, rest.n_positionals, &err);
		if (status == DANA_OK)
			status = check_output(s, &in, &err);
		if (status == DANA_OK) {
			struct compare_config config = { .inputs = in.names.items,
							 .n_inputs = in.names.n,
							 .sample = s->sample,
							 .url = s->url,
							 .charset = s->charset,
							 .references = s->references,
							 .details = s->output != NULL,
							 .notices = in.notices,
							 .lines = { console_line, &console } };
			if (isatty(STDERR_FILENO))
				config.progress = (struct notices){ console_progress, &console };
			for (int i = 0; i < 2; i++)
				config.side[i] =
					(struct compare_side){ (const char *)shown[i].data, two[i].methods.at[0],
							       texts[i], &two[i].plugins };
			status = compare_run(&c, &config, &err);
		}
		console_end(&console);
		code = err.status < 0 ? command_failed(command, &err) : print(&c, s, in.failed ? DANA_EIO : status);
	}
	compare_free(&c);
	for (int i = 0; i < 2; i++) {
		texts_free(&texts[i]);
		buf_free(&shown[i]);
	}
	arena_free(memory);
	extract_inputs_free(&in);
	options_rest_free(&rest);
	return code;
}
