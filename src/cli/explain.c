/* SPDX-License-Identifier: MIT */
/*
 * `dana explain`: pages, by their files or URLs, to a report of what was kept of them and why; or an archive to an
 * overview.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/http/media_type.h"
#include "archive/limits.h"
#include "archive/single_page.h"
#include "base/arena.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/options.h"
#include "dana/dana.h"
#include "dedup/site_table.h"
#include "io/address.h"
#include "io/page_fetch.h"
#include "lab/gold.h"
#include "lab/places.h"
#include "lab/report.h"
#include "run/methods.h"
#include "run/outputs.h"
#include "run/pages.h"

struct explain_settings {
	const char *methods, *output, *charset, *url, *site, *archive, *boilerplate, *markdown, *rules;
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
	{ "url", 0, OPTION_TEXT, "URL", NULL, NULL, "set the URL of the page, for models, rules and tables of sites",
	  "Options", 0, 0, 0, OPTION_MEMBER(struct explain_settings, url),
	  .more = "Of several files, which are of one site, it is the URL of each. Where FILE@OFFSET is the place of "
		  "several records, it names the one." },
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
	{ "rules", 0, OPTION_TEXT, "FILE", NULL, NULL,
	  "show what lists of selectors by site take from pages and bring; files need --url", "Options", 0, 0, 0,
	  OPTION_MEMBER(struct explain_settings, rules),
	  .more = "The lines are as in dana filter. The report shows what is kept without them, and marks each block "
		  "that is dropped or kept because of them." },
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
	.summary = "show what a method kept of pages, and why; find rules for a site",
	.synopsis = "[OPTIONS] [FILE|DIR|URL]...",
	.description =
		"Writes one HTML file that needs no network: plots of the page (for learned the probability of "
		"each block; content above and code below the axis for each segment, the smoothed curve, "
		"regions, the chosen chain and its gaps; cells and ridges for mountain), the page's text with "
		"what was kept and dropped, the reasons and numbers of each block at a click, what is kept as "
		"Markdown beside it, and a table of decisions. For learned a slider shows what another recall "
		"would keep. Without JavaScript the text and the decisions are a table. FILE is an HTML page, "
		"which may be compressed or in MHTML; - is standard input; DIR is searched for pages, and a URL of "
		"http or https is fetched, as by dana extract; FILE@OFFSET is the page of the record that begins "
		"there in a WARC or ARC file, as the documents of dana filter name it. Of several pages the report "
		"shows one at a time.\n\n"
		"Blocks of the report can be marked as wrong, which gives rules and references: see doc/SEE.md.\n\n"
		"--archive reads a file twice, and takes the pages that filter takes by default. Of more than "
		"10,000 pages a sample of that many is shown, always the same.",
	.examples = "dana explain -o report.html page.html\n"
		    "dana explain -o report.html https://example.org/page.html\n"
		    "dana explain -o report.html --url https://example.org/ a.html b.html c.html\n"
		    "dana explain -o report.html --url https://a.example/ --rules rules.tsv x.html\n"
		    "dana explain -m learned,mountain page.html >report.html\n"
		    "dana explain --boilerplate lines.table page.html >report.html\n"
		    "dana explain --archive pages.warc.gz -o overview.html",
	.options = options,
	.least_positionals = 0,
	.most_positionals = SIZE_MAX,
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

/* What is common to all pages. */
struct explaining {
	const struct explain_settings *settings;
	const struct name_list *methods;
	const char *rules; /* the lines; NULL: none */
	struct site_table *table;
	struct report report;
	struct buf picture; /* in place of a report */
};

/* Finds what a method keeps of a page where the rules leave out parts of it. */
static int apply_rules(struct dana_extractor **x, const struct dana_options *wish, const char *rules,
		       const struct site_source *site, const struct report_page *page, struct slice *text)
{
	struct dana_options ruled = *wish;
	struct dana_text kept = { 0 };
	ruled.rules = rules;
	int status = dana_new(x, &ruled);
	if (status >= 0) {
		dana_site_source(*x, site);
		status = dana_page_url(*x, (const char *)page->url.data, page->url.len);
	}
	if (status >= 0)
		status = dana_feed(*x, page->html.data, page->html.len);
	if (status >= 0)
		status = dana_finish(*x, &kept);
	*text = slice_of(kept.data, kept.len);
	return status;
}

/* Runs the methods over the page, and adds it to the report, or draws the picture. */
static int explain_page(struct explaining *e, const struct report_page *page, struct error *err)
{
	const struct explain_settings *s = e->settings;
	const struct name_list *list = e->methods;
	struct report_method methods[METHODS_MOST] = { 0 };
	struct model_reader models[METHODS_MOST];
	struct dana_extractor *ruled[METHODS_MOST] = { NULL };
	const struct site_sources *sites = e->table ? site_table_sources(e->table) : NULL;
	const struct site_source *site = sites ? sites->open(sites->arg) : NULL;
	int status = sites && !site ? DANA_ENOMEM : DANA_OK;
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
		model_reader_init(&models[n], &m->spec, 1);
		status = recording_make(&m->recording, &wish, site, page->html, page->url);
		m->has_rules = e->rules != NULL;
		if (status >= 0 && m->has_rules)
			status = apply_rules(&ruled[n], &wish, e->rules, site, page, &m->ruled);
		if (status >= 0 && wish.structure)
			status = dana_markdown(ruled[n] ? ruled[n] : m->recording.extractor, &markdown);
		m->markdown = slice_of(markdown.data, markdown.len);
		n++;
	}
	if (status < 0)
		status = n ? refuse(status, page->file, list->items[n - 1], &models[n - 1], err) : status;
	else if (wants_picture(s))
		status = report_picture(&e->picture, page, &methods[0]);
	else
		status = report_add(&e->report, page, methods, n);
	if (status == DANA_ECONFIG && !err->text[0])
		(void)error_set(err, status,
				"-o %s: %s gives no probabilities; expected -m learned, or a name that ends with .html",
				s->output, methods[0].spec);
	while (n) {
		dana_free(ruled[--n]);
		recording_free(&methods[n].recording);
		model_reader_free(&models[n]);
	}
	if (sites)
		sites->close(site);
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
static int explain_file(struct explaining *e, const char *path, struct error *err)
{
	const struct dana_options plain = { .struct_size = sizeof(plain), .method = "plain" };
	const struct limits limits = LIMITS_DEFAULT;
	const struct explain_settings *s = e->settings;
	struct page_fetched reply = { .cut = false };
	struct buf name = { 0 }; /* of the page in the report */
	struct slice url = slice_from_text(s->url ? s->url : "");
	struct page_places places = { 0 };
	struct page_decoder decoder;
	struct line_pages *lines = NULL;
	struct dana_extractor *x = NULL;
	struct dana_text text = { 0 };
	int status = page_decoder_init(&decoder) < 0 ? error_no_memory(err) : DANA_OK;
	decoder.wanted = url;
	if (status == DANA_OK && (address_of_page(path, &name) < 0 || buf_append_byte(&name, 0) < 0))
		status = error_no_memory(err);
	if (status == DANA_OK && page_fetch_takes(path)) {
		status = read_url(s, path, &decoder, &reply, err);
		if (status == DANA_OK && !s->url)
			url = slice_from_text((const char *)reply.url.data);
	} else if (status == DANA_OK) {
		status = page_decoder_read(&decoder, path, limits.body, slice_from_text(s->charset ? s->charset : ""),
					   err);
		if (status == DANA_OK && !s->url && decoder.url.len)
			url = slice_from_text((const char *)decoder.url.data); /* of the record */
	}
	path = (const char *)name.data;
	if (status == DANA_OK) {
		int made = dana_new(&x, &plain);
		if (made >= 0)
			made = dana_feed(x, (const char *)decoder.page.data, decoder.page.len);
		if (made >= 0)
			made = dana_finish(x, &text);
		status = made < 0 ? refuse(made, path, plain.method, NULL, err) : DANA_OK;
	}
	if (status == DANA_OK && page_places_read(&places, buf_slice(&decoder.page)) < 0)
		status = error_no_memory(err);
	struct report_page page = { .file = path,
				    .url = url,
				    .charset = decoder.charset.len ? (const char *)decoder.charset.data
								   : charset_convert_name(decoder.convert),
				    .is_first = decoder.is_first,
				    .title = slice_of(text.title, text.title_len),
				    .html = buf_slice(&decoder.page),
				    .visible = slice_of(text.data, text.len),
				    .places = &places };
	if (status == DANA_OK && s->boilerplate &&
	    !(page.lines = lines = line_pages_open(s->boilerplate, url, page.visible, err)))
		status = (int)err->status;
	if (status == DANA_OK)
		status = explain_page(e, &page, err);
	line_pages_close(lines);
	page_places_free(&places);
	dana_free(x);
	page_decoder_free(&decoder);
	page_fetched_free(&reply);
	buf_free(&name);
	return status;
}

/* Opens what is common to all pages. *rules: their lines, to be freed. */
static int open_common(struct explaining *e, char **rules, struct error *err)
{
	const struct explain_settings *s = e->settings;
	size_t len;
	int status = DANA_OK;
	for (size_t i = 0; i < e->methods->n && status == DANA_OK; i++)
		status = method_check(e->methods->items[i], err);
	if (status == DANA_OK && s->rules) {
		const int read = whole_file_read(NULL, s->rules, rules, &len);
		struct page_options page = { .rules = e->rules = *rules };
		status = read == DANA_ENOMEM ? error_no_memory(err)
			 : read              ? error_set(err, DANA_EIO, "--rules %s: %s", s->rules,
							 system_text(read > 0 ? ENOENT : errno))
					     : page_options_check(&page, "plain", "--", err);
	}
	if (status == DANA_OK && s->site && !(e->table = site_table_open(s->site, err)))
		status = (int)err->status;
	return status;
}

/* Explains pages; one of several that fails is reported, and left out. Returns the exit status. */
static int explain_pages(const struct explain_settings *s, const struct name_list *methods,
			 const struct name_list *pages, struct buf *out)
{
	struct explaining e = { .settings = s, .methods = methods };
	struct error err = { 0 };
	char *rules = NULL;
	int code = pages->n ? EXIT_DONE : EXIT_FAULT, status = open_common(&e, &rules, &err);
	for (size_t i = 0; i < pages->n && status == DANA_OK; i++) {
		status = explain_file(&e, pages->items[i], &err);
		if (status == DANA_OK || pages->n == 1 || err.status == DANA_ECONFIG || err.status == DANA_ENOMEM)
			continue;
		code = command_failed("explain", &err);
		err = (struct error){ 0 };
		status = DANA_OK;
	}
	if (status == DANA_OK && e.report.pages && report_write(out, &e.report) < 0)
		status = error_no_memory(&err);
	if (status == DANA_OK && e.picture.len && buf_append(out, e.picture.data, e.picture.len) < 0)
		status = error_no_memory(&err);
	if (status != DANA_OK)
		code = command_failed("explain", &err);
	else if (out->len)
		code = command_write("explain", s->output, buf_slice(out)) == EXIT_DONE ? code : EXIT_FAULT;
	report_free(&e.report);
	buf_free(&e.picture);
	site_table_free(e.table);
	free(rules);
	return code;
}

static void put_line(void *arg, const char *text)
{
	(void)arg;
	(void)fprintf(stderr, "%s\n", text);
}

/* Whether the URL of a page comes with it, from a server or the record of an archive. */
static bool has_url(const char *page)
{
	struct buf file = { 0 };
	uint64_t offset;
	const bool archived = page_decoder_place(page, &file, &offset);
	buf_free(&file);
	return archived || page_fetch_takes(page);
}

/* Pages or an archive, and one of them. */
static int check_input(const struct explain_settings *s, const struct options_rest *rest, struct error *err)
{
	if (s->archive && strcmp(s->archive, "-") == 0)
		return error_set(err, DANA_ECONFIG, "--archive reads its input twice: give a file, not standard input");
	if (s->archive && rest->n_positionals)
		return error_set(err, DANA_ECONFIG, "--archive %s takes no page beside it", s->archive);
	if (s->archive && s->boilerplate)
		return error_set(err, DANA_ECONFIG, "--archive excludes --boilerplate, which marks lines of one page");
	if ((s->site || s->rules) && s->archive)
		return error_set(err, DANA_ECONFIG, "--archive excludes %s, which is about pages of a site",
				 s->site ? "--site" : "--rules");
	if (wants_picture(s) && (s->rules || extract_inputs_several(rest->positionals, rest->n_positionals)))
		return error_set(err, DANA_ECONFIG,
				 "-o %s: a picture shows one page, without rules; expected a name that ends with .html",
				 s->output);
	for (size_t i = 0; i < rest->n_positionals && (s->site || s->rules) && !s->url; i++) {
		if (!has_url(rest->positionals[i]))
			return error_set(err, DANA_ECONFIG, "%s needs --url URL, the URL of the page",
					 s->site ? "--site" : "--rules");
	}
	if (s->markdown && (s->archive || wants_picture(s)))
		return error_set(err, DANA_ECONFIG,
				 "--markdown is for the report of a page: neither --archive nor .svg");
	if (!s->archive && !rest->n_positionals)
		return error_set(err, DANA_ECONFIG, "expected FILE, an HTML page, or --archive FILE");
	return texts_check_keys(s->markdown, err);
}

static int explain_archive(const struct explain_settings *s, const char *method, struct buf *out)
{
	const struct notices notices = { put_line, NULL };
	struct error err = { 0 };
	const int status = overview_write(out, s->archive, method, notices, &err);
	if (err.status < 0)
		return command_failed("explain", &err);
	if (status != DANA_OK && status != DANA_EFORMAT) /* what is wrong was reported */
		return EXIT_FAULT;
	const int code = command_write("explain", s->output, buf_slice(out));
	return code == EXIT_DONE && status == DANA_EFORMAT ? EXIT_DAMAGE : code;
}

static int explain(const struct explain_settings *s, const struct name_list *pages)
{
	struct name_list methods = { 0 };
	struct buf out = { 0 };
	struct error err = { 0 };
	int code;
	if (method_list_make(&methods, s->methods) < 0)
		(void)error_no_memory(&err);
	else if (methods.n > (s->archive ? 1 : METHODS_MOST))
		(void)error_set(&err, DANA_ECONFIG,
				s->archive ? "%zu methods; --archive expected one"
					   : "%zu methods; expected one, or two side by side",
				methods.n);
	if (err.status < 0)
		code = command_failed("explain", &err);
	else if (s->archive)
		code = explain_archive(s, methods.items[0], &out);
	else
		code = explain_pages(s, &methods, pages, &out);
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
	const char *command = "explain";
	struct extract_inputs in = { .notices = { command_notice, &command } };
	int code = command_options(&explain_options, &s, argc, argv, &rest);
	if (code < 0) {
		int status = check_input(&s, &rest, &err);
		if (status == DANA_OK)
			status = command_check_terminal(s.output, &err);
		if (status == DANA_OK)
			status = charset_check("--charset", s.charset, &err);
		if (status == DANA_OK && !s.archive)
			status = extract_inputs_gather(&in, rest.positionals, rest.n_positionals, &err);
		/* nothing is written over that was not meant: neither a page, nor without --force a file */
		const bool file = s.output && strcmp(s.output, "-") != 0;
		for (size_t i = 0; file && i < in.names.n && status == DANA_OK; i++)
			status = outputs_check_spare(in.names.items[i], s.output, &err);
		if (status == DANA_OK && file && s.archive)
			status = outputs_check_spare(s.archive, s.output, &err);
		if (status == DANA_OK && file)
			status = outputs_check_new(s.output, s.force, &err);
		code = status < 0 ? command_usage("explain", &err) : explain(&s, &in.names);
	}
	extract_inputs_free(&in);
	options_rest_free(&rest);
	return code;
}
