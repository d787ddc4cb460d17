/* SPDX-License-Identifier: MIT */
/* `dana explain`: a page, by its file or URL, to a report of what was kept of it and why; or an archive to an overview.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "archive/single_page.h"
#include "base/arena.h"
#include "cli/command.h"
#include "cli/options.h"
#include "dana/dana.h"
#include "dedup/site_table.h"
#include "io/address.h"
#include "io/page_fetch.h"
#include "lab/gold.h"
#include "lab/report.h"
#include "run/methods.h"
#include "run/outputs.h"
#include "run/pages.h"

struct explain_settings {
	const char *methods, *output, *charset, *url, *site, *archive, *boilerplate, *markdown;
	bool force;
	struct page_fetch_config fetch;
};

static const struct option options[] = {
	{ "method", 'm', OPTION_TEXT, "METHOD[,METHOD]", DANA_DEFAULT_METHOD, NULL,
	  "explain this method, or compare two side by side", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, methods) },
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output",
	  "write the report to FILE; FILE.svg is only the picture of learned", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, output) },
	{ "charset", 0, OPTION_TEXT, "NAME", NULL, "detect",
	  "decode the page by this charset (a name of the web or of iconv)", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, charset) },
	{ "url", 0, OPTION_TEXT, "URL", NULL, NULL, "set the URL of the page, for models and tables of sites",
	  "Options", 0, 0, 0, OPTION_MEMBER(struct explain_settings, url) },
	{ "markdown", 0, OPTION_TEXT, "KEY=VALUE,...", NULL, NULL,
	  "set how Markdown is written, as links=0,images=1; the manual lists the keys", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, markdown), .write_more = text_rows_markdown_help },
	{ "boilerplate", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "mark lines found on several pages of the site by this table of dana dedup learn", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, boilerplate),
	  .more = "Each is marked with its number of pages. The site is named by --url, or is the site of the table "
		  "that shares most lines with the page." },
	{ "site", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "use what other pages of the site have, by this table of dana site learn; needs --url", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, site), .more = "As in dana filter." },
	{ "archive", 0, OPTION_TEXT, "FILE", NULL, NULL, "report on a WARC or ARC file instead of a page", "Options", 0,
	  0, 0, OPTION_MEMBER(struct explain_settings, archive),
	  .more = "The report shows the share of text kept by host, media type and charset, and the pages with most "
		  "and least kept." },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite an existing report", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, force) },
	PAGE_NETWORK_ROWS(struct explain_settings, fetch),
	{ 0 },
};

const struct option_table explain_options = {
	.command = "explain",
	.summary = "show what a method kept of a page, and why",
	.synopsis = "[OPTIONS] [FILE|URL]",
	.description =
		"Writes one HTML file that needs no network: plots of the page (for learned the probability of "
		"each block; content above and code below the axis for each segment, the smoothed curve, "
		"regions, the chosen chain and its gaps; cells and ridges for mountain), the page's text with "
		"what was kept and dropped, the reasons and numbers of each block at a click, what is kept as "
		"Markdown beside it, and a table of decisions. For learned a slider shows what another recall "
		"would keep. Without JavaScript the text and the decisions are a table. FILE is an HTML page, which "
		"may be compressed or in MHTML; - is standard input; a URL of http or https is fetched as by dana "
		"extract; FILE@OFFSET is the page of the record that begins there in a WARC or ARC file, as the "
		"documents of dana filter name it.\n\n"
		"--archive reads a file twice, and takes the pages that filter takes by default. Of more than "
		"10,000 pages a sample of that many is shown, always the same.",
	.examples = "dana explain -o report.html page.html\n"
		    "dana explain -o report.html https://example.org/page.html\n"
		    "dana explain -m learned,mountain page.html >report.html\n"
		    "dana explain --boilerplate lines.table page.html >report.html\n"
		    "dana explain --archive pages.warc.gz -o overview.html",
	.options = options,
	.least_positionals = 0,
	.most_positionals = 1,
};

enum { METHODS_MOST = 2 };

static bool wants_picture(const struct explain_settings *s)
{
	size_t len = s->output ? strlen(s->output) : 0;
	return len > 4 && strcmp(s->output + len - 4, ".svg") == 0;
}

static int refuse(int status, const char *file, const char *method, struct model_reader *models, struct error *err)
{
	if (status != DANA_BAD_OPTION)
		return error_set(err, DANA_EIO, "%s: %s: %s", file, method, dana_status_text(status));
	int checked = method_check(method, err);
	return checked < 0 ? checked : model_reader_refused(models, err); /* one that was read for the page's site */
}

/* Runs the methods over the page, and appends the report or the picture. */
static int explain_page(const struct explain_settings *s, const struct name_list *list, const struct report_page *page,
			struct buf *out, struct error *err)
{
	struct report_method methods[METHODS_MOST] = { 0 };
	struct model_reader models[METHODS_MOST];
	struct site_table *table = s->site ? site_table_open(s->site, err) : NULL;
	const struct site_sources *sites = table ? site_table_sources(table) : NULL;
	const struct site_source *site = sites ? sites->open(sites->arg) : NULL;
	int status = sites && !site ? DANA_ENOMEM : (int)err->status;
	size_t n = 0;
	while (n < list->n && status >= 0) {
		struct report_method *m = &methods[n];
		const struct dana_options wish = { .struct_size = sizeof(wish),
						   .method = m->spec = list->items[n],
						   .read_file = model_reader_read,
						   .read_arg = &models[n],
						   .structure = texts_of_method(m->spec) ? DANA_MARKDOWN : 0,
						   .markdown = s->markdown };
		struct dana_view markdown = { NULL, 0 };
		model_reader_init(&models[n++], &m->spec, 1);
		status = recording_make(&m->recording, &wish, site, page->html, slice_from_text(s->url ? s->url : ""));
		if (status >= 0 && wish.structure)
			status = dana_markdown(m->recording.extractor, &markdown);
		m->markdown = slice_of(markdown.data, markdown.len);
	}
	if (n == 0)
		; /* the table */
	else if (status < 0)
		status = refuse(status, page->file, list->items[n - 1], &models[n - 1], err);
	else if (wants_picture(s))
		status = report_picture(out, page, &methods[0]);
	else
		status = report_write(out, page, methods, n);
	if (status == DANA_ECONFIG)
		(void)error_set(err, status,
				"-o %s: %s gives no probabilities; expected -m learned, or a name that ends with .html",
				s->output, methods[0].spec);
	while (n) {
		recording_free(&methods[--n].recording);
		model_reader_free(&models[n]);
	}
	if (sites)
		sites->close(site);
	site_table_free(table);
	return status == DANA_ENOMEM ? error_no_memory(err) : status;
}

/* Decodes the page at a URL. What the server says of it counts where the options say nothing. */
static int read_url(const struct explain_settings *s, const char *url, struct page_decoder *decoder,
		    struct page_fetched *reply, struct error *err)
{
	const char *command = "explain";
	const struct notices notices = { command_notice, &command };
	struct page_fetcher *fetcher = extract_page_fetcher(&s->fetch, NULL, &notices, err);
	struct error fault = { 0 };
	if (!fetcher)
		return err->status;
	int status = page_fetch(fetcher, url, reply, &fault);
	if (status == DANA_OK) {
		const struct slice label =
			s->charset ? slice_from_text(s->charset) : media_type_charset(buf_slice(&reply->content_type));
		status = page_decoder_take(decoder, &reply->body, label, !s->charset, &fault);
	}
	if (status < 0) {
		struct buf name = { 0 };
		(void)address_of_page(url, &name);
		(void)error_set(err, status == DANA_ENOMEM ? DANA_ENOMEM : DANA_EIO, "%.*s: %s", (int)name.len,
				(const char *)name.data, fault.text[0] ? fault.text : status_text(status));
		buf_free(&name);
	}
	page_fetcher_free(fetcher);
	return status < 0 ? (int)err->status : DANA_OK;
}

/* Title and visible text of a page are those of method `plain`. */
static int explain_file(const struct explain_settings *given, const struct name_list *methods, const char *path,
			struct buf *out, struct error *err)
{
	const struct dana_options plain = { .struct_size = sizeof(plain), .method = "plain" };
	const struct limits limits = LIMITS_DEFAULT;
	struct explain_settings settings = *given;
	const struct explain_settings *s = &settings;
	struct page_fetched reply = { .cut = false };
	struct buf name = { 0 }; /* of the page in the report */
	struct page_decoder decoder;
	struct line_pages *lines = NULL;
	struct dana_extractor *x = NULL;
	struct dana_text text = { 0 };
	int status = page_decoder_init(&decoder) < 0 ? error_no_memory(err) : DANA_OK;
	for (size_t i = 0; i < methods->n && status == DANA_OK; i++)
		status = method_check(methods->items[i], err);
	if (status == DANA_OK && (address_of_page(path, &name) < 0 || buf_append_byte(&name, 0) < 0))
		status = error_no_memory(err);
	if (status == DANA_OK && page_fetch_takes(path)) {
		status = read_url(s, path, &decoder, &reply, err);
		if (status == DANA_OK && !s->url)
			settings.url = (const char *)reply.url.data;
	} else if (status == DANA_OK) {
		status = page_decoder_read(&decoder, path, limits.body, slice_from_text(s->charset ? s->charset : ""),
					   err);
		if (status == DANA_OK && !s->url && decoder.url.len)
			settings.url = (const char *)decoder.url.data; /* of the record */
	}
	path = (const char *)name.data;
	const struct slice url = slice_from_text(s->url ? s->url : "");
	if (status == DANA_OK) {
		int made = dana_new(&x, &plain);
		if (made >= 0)
			made = dana_feed(x, (const char *)decoder.page.data, decoder.page.len);
		if (made >= 0)
			made = dana_finish(x, &text);
		status = made < 0 ? refuse(made, path, plain.method, NULL, err) : DANA_OK;
	}
	struct report_page page = { .file = path,
				    .charset = charset_convert_name(decoder.convert),
				    .title = slice_of(text.title, text.title_len),
				    .html = buf_slice(&decoder.page),
				    .visible = slice_of(text.data, text.len) };
	if (status == DANA_OK && s->boilerplate &&
	    !(page.lines = lines = line_pages_open(s->boilerplate, url, page.visible, err)))
		status = (int)err->status;
	if (status == DANA_OK)
		status = explain_page(s, methods, &page, out, err);
	line_pages_close(lines);
	dana_free(x);
	page_decoder_free(&decoder);
	page_fetched_free(&reply);
	buf_free(&name);
	return status;
}

static void put_line(void *arg, const char *text)
{
	(void)arg;
	(void)fprintf(stderr, "%s\n", text);
}

/* A page or an archive, and one of them. */
static int check_input(const struct explain_settings *s, const struct options_rest *rest, struct error *err)
{
	if (s->archive && strcmp(s->archive, "-") == 0)
		return error_set(err, DANA_ECONFIG, "--archive reads its input twice: give a file, not standard input");
	if (s->archive && rest->n_positionals)
		return error_set(err, DANA_ECONFIG, "--archive %s takes no page beside it", s->archive);
	if (s->archive && s->boilerplate)
		return error_set(err, DANA_ECONFIG, "--archive excludes --boilerplate, which marks lines of one page");
	if (s->site && !s->url && !(rest->n_positionals && page_fetch_takes(rest->positionals[0])))
		return error_set(err, DANA_ECONFIG, "--site needs --url URL, the URL of the page");
	if (s->site && s->archive)
		return error_set(err, DANA_ECONFIG, "--archive excludes --site, which is about one page");
	if (s->markdown && (s->archive || wants_picture(s)))
		return error_set(err, DANA_ECONFIG,
				 "--markdown is for the report of a page: neither --archive nor .svg");
	if (!s->archive && !rest->n_positionals)
		return error_set(err, DANA_ECONFIG, "expected FILE, an HTML page, or --archive FILE");
	return texts_check_keys(s->markdown, err);
}

static int explain(const struct explain_settings *s, const char *path)
{
	const struct notices notices = { put_line, NULL };
	struct name_list methods = { 0 };
	struct buf out = { 0 };
	struct error err = { 0 };
	int status, code = EXIT_FAULT;
	if (method_list_make(&methods, s->methods) < 0)
		status = error_no_memory(&err);
	else if (methods.n > (s->archive ? 1 : METHODS_MOST))
		status = error_set(&err, DANA_ECONFIG,
				   s->archive ? "%zu methods; --archive expected one"
					      : "%zu methods; expected one, or two side by side",
				   methods.n);
	else if (s->archive)
		status = overview_write(&out, s->archive, methods.items[0], notices, &err);
	else
		status = explain_file(s, &methods, path, &out, &err);
	if (err.status < 0)
		code = command_failed("explain", &err);
	else if (status == DANA_OK || status == DANA_EFORMAT)
		code = command_write("explain", s->output, buf_slice(&out));
	if (code == EXIT_DONE && status == DANA_EFORMAT)
		code = EXIT_DAMAGE;
	buf_free(&out);
	free(methods.items);
	arena_free(methods.memory);
	return code;
}

int explain_run(int argc, char **argv)
{
	struct explain_settings s;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	int code = command_options(&explain_options, &s, argc, argv, &rest);
	if (code < 0) {
		int status = check_input(&s, &rest, &err);
		const char *input = s.archive || !rest.n_positionals ? s.archive : rest.positionals[0];
		if (status == DANA_OK)
			status = charset_check("--charset", s.charset, &err);
		/* nothing is written over that was not meant: neither the page, nor without --force a file */
		const bool file = s.output && strcmp(s.output, "-") != 0;
		if (status == DANA_OK && file)
			status = outputs_check_spare(input, s.output, &err);
		if (status == DANA_OK && file)
			status = outputs_check_new(s.output, s.force, &err);
		code = status < 0 ? command_usage("explain", &err) : explain(&s, input);
	}
	options_rest_free(&rest);
	return code;
}
