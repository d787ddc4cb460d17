/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <stdio.h>

#include "archive/stream/limits.h"
#include "cli/command.h"
#include "cli/options/text_rows.h"
#include "dana/dana.h"
#include "lab/explain/explain_archive.h"
#include "lab/explain/explain_boilerplate.h"
#include "lab/explain/report.h"
#include "lab/explain/traced_run.h"
#include "lab/method_list.h"
#include "lab/page_decoder.h"
#include "run/methods.h"
#include "run/outputs.h"
#include "run/pages.h"

struct explain_settings {
	const char *methods, *output, *charset, *url, *archive, *boilerplate, *markdown;
	bool force;
};

static const struct option options[] = {
	{ .name = "method",
	  .letter = 'm',
	  .type = OPTION_TEXT,
	  .argument = "METHOD[,METHOD]",
	  .standard = DANA_DEFAULT_METHOD,
	  .help = "the method to explain, or two to lay side by side",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, methods) },
	{ .name = "output",
	  .letter = 'o',
	  .type = OPTION_TEXT,
	  .argument = "FILE",
	  .shown = "standard output",
	  .help = "where the report goes; a name that ends with .svg gets the strip of learned alone",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, output) },
	{ .name = "charset",
	  .type = OPTION_TEXT,
	  .argument = "NAME",
	  .shown = "detect",
	  .help = "charset of the page, by a name of the web or of iconv",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, charset) },
	{ .name = "url",
	  .type = OPTION_TEXT,
	  .argument = "URL",
	  .help = "address of the page, for methods with models of sites",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, url) },
	{ .name = "markdown",
	  .type = OPTION_TEXT,
	  .argument = "KEY=VALUE,...",
	  .section = "Options",
	  .write_help = text_rows_markdown_help,
	  OPTION_MEMBER(struct explain_settings, markdown) },
	{ .name = "boilerplate",
	  .type = OPTION_TEXT,
	  .argument = "FILE",
	  .help = "mark lines that stand on several pages of the site with their number, by this table of dana dedup "
		  "learn; the site is that of --url, or else the one of the table that has most lines of the page",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, boilerplate) },
	{ .name = "archive",
	  .type = OPTION_TEXT,
	  .argument = "FILE",
	  .help = "instead of a page: an overview of a WARC or ARC file, with the share kept by host, by type and "
		  "charset, and the pages with most and least kept",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, archive) },
	{ .name = "force",
	  .type = OPTION_FLAG,
	  .help = "overwrite a report that exists",
	  .section = "Options",
	  OPTION_MEMBER(struct explain_settings, force) },
	{ 0 },
};

const struct option_table explain_options = {
	.command = "explain",
	.summary = "show what a method kept of a page, and why",
	.synopsis = "[OPTIONS] [FILE]",
	.description = "Writes one HTML file that needs neither network nor script: plots of the page (for learned the "
		       "probability of each block; content above and code below the axis for each segment, the "
		       "smoothed curve, regions, the chosen chain and its gaps; cells and ridges for mountain), the "
		       "page's text with kept and dropped blocks side by side and the reasons of each, what is kept as "
		       "Markdown, and a table of decisions. Plots and text lead to each other. FILE is an HTML page; - "
		       "is standard input.\n\n"
		       "--archive reads a file twice, and takes the pages that filter takes by default. Of more than "
		       "10,000 pages a sample of that many is shown, always the same.",
	.examples = "dana explain -o report.html page.html\n"
		    "dana explain -m danag,mountain page.html >report.html\n"
		    "dana explain --boilerplate lines.table page.html >report.html\n"
		    "dana explain --archive pages.warc.gz -o overview.html",
	.options = options,
	.least_positionals = 0,
	.most_positionals = 1,
};

enum { METHODS_MOST = 2 };

static int write_output(const char *path, struct slice html)
{
	if (!path || strcmp(path, "-") == 0)
		return command_print("explain", html);
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(html.data, 1, html.len, file) == html.len;
	if (file && fclose(file) != 0)
		good = false;
	if (good)
		return EXIT_DONE;
	command_message("explain", "%s: %s", path, system_text(errno));
	return EXIT_FAULT;
}

static int print_fault(int status, const char *file, const char *method, struct model_reader *models)
{
	if (status == DANA_BAD_OPTION) {
		struct error err = { 0 };
		if (method_check(method, &err) == DANA_OK)
			(void)model_reader_refused(models, &err); /* one that was read for the page's site */
		return command_usage("explain", &err);
	}
	command_message("explain", "%s: %s: %s", file, method, dana_status_text(status));
	return EXIT_FAULT;
}

static bool wants_picture(const struct explain_settings *s)
{
	size_t len = s->output ? strlen(s->output) : 0;
	return len > 4 && strcmp(s->output + len - 4, ".svg") == 0;
}

static int report(const struct explain_settings *s, const struct report_page *page, const struct report_method *methods,
		  size_t n)
{
	struct html_out out = { 0 };
	int code = EXIT_FAULT;
	int status = wants_picture(s) ? report_picture(&out, page, &methods[0]) : report_write(&out, page, methods, n);
	if (status == DANA_ECONFIG) {
		command_message("explain",
				"-o %s: %s gives no probabilities; expected -m learned, or a name that ends with .html",
				s->output, methods[0].spec);
		code = EXIT_USAGE;
	} else if (status == DANA_OK) {
		code = write_output(s->output, buf_slice(&out.buf));
	} else {
		command_message("explain", "%s", status_text(DANA_ENOMEM));
	}
	buf_free(&out.buf);
	return code;
}

/* Runs a method over the page. Returns a status of dana.h. */
static int run_method(const struct explain_settings *s, const char *spec, const struct report_page *page,
		      struct model_reader *models, struct traced_run *run, struct report_method *shown)
{
	const struct dana_options wish = { .struct_size = sizeof(wish),
					   .method = spec,
					   .read_file = model_reader_read,
					   .read_arg = models,
					   .structure = texts_of_method(spec) ? DANA_MARKDOWN : 0,
					   .markdown = s->markdown };
	struct dana_view markdown = { NULL, 0 };
	int status = traced_run_make(run, &wish, page->html, slice_from_text(s->url ? s->url : ""));
	if (status >= 0 && wish.structure)
		status = dana_markdown(run->extractor, &markdown);
	*shown = (struct report_method){ .spec = spec,
					 .made = run->text.method,
					 .recording = &run->recording,
					 .text = slice_of(run->text.data, run->text.len),
					 .markdown = slice_of(markdown.data, markdown.len),
					 .no_region = run->text.flags & DANA_NO_REGION,
					 .truncated = run->text.flags & DANA_TEXT_TRUNCATED,
					 .n_media = run->text.n_media };
	return status;
}

/* Runs the methods over the page. Returns the exit status. */
static int explain_page(const struct explain_settings *s, const struct method_list *methods,
			const struct report_page *page)
{
	struct traced_run runs[METHODS_MOST] = { 0 };
	struct report_method shown[METHODS_MOST];
	struct model_reader models[METHODS_MOST];
	int status = 0, code;
	size_t n = 0;
	while (n < methods->len && status >= 0) {
		model_reader_init(&models[n], &methods->names[n], 1);
		status = run_method(s, methods->names[n], page, &models[n], &runs[n], &shown[n]);
		n++;
	}
	code = status < 0 ? print_fault(status, page->file, methods->names[n - 1], &models[n - 1])
			  : report(s, page, shown, n);
	while (n) {
		traced_run_free(&runs[--n]);
		model_reader_free(&models[n]);
	}
	return code;
}

/* With the table of lines, if there is one. */
static int explain_counted(const struct explain_settings *s, const struct method_list *methods,
			   struct report_page *page)
{
	struct line_pages lines;
	struct error err = { 0 };
	struct explain_boilerplate *b = NULL;
	if (s->boilerplate) {
		b = explain_boilerplate_open(s->boilerplate, slice_from_text(s->url ? s->url : ""), page->visible,
					     &lines, &err);
		if (!b) {
			command_message("explain", "%s", err.text);
			return err.status == DANA_ECONFIG ? EXIT_USAGE : EXIT_FAULT;
		}
		page->lines = &lines;
	}
	int code = explain_page(s, methods, page);
	explain_boilerplate_close(b);
	return code;
}

/* Title and visible text are those of method `plain`. */
static int explain_html(const struct explain_settings *s, const struct method_list *methods, struct report_page *page)
{
	const struct dana_options plain = { .struct_size = sizeof(plain), .method = "plain" };
	struct dana_extractor *x = NULL;
	struct dana_text text;
	int status = dana_new(&x, &plain);
	if (status >= 0)
		status = dana_feed(x, page->html.data, page->html.len);
	if (status >= 0)
		status = dana_finish(x, &text);
	int code;
	if (status < 0) {
		code = print_fault(status, page->file, plain.method, NULL);
	} else {
		page->title = slice_of(text.title, text.title_len);
		page->visible = slice_of(text.data, text.len);
		code = explain_counted(s, methods, page);
	}
	dana_free(x);
	return code;
}

static int check_methods(const struct method_list *methods, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; i < methods->len && status == DANA_OK; i++)
		status = method_check(methods->names[i], err);
	return status;
}

static int explain_file(const struct explain_settings *s, const char *path)
{
	const struct limits limits = LIMITS_DEFAULT;
	struct page_decoder decoder;
	struct method_list methods = { 0 };
	struct error err = { 0 };
	int code = EXIT_FAULT;
	if (page_decoder_init(&decoder) < 0 || method_list_make(&methods, s->methods) < 0) {
		command_message("explain", "%s", status_text(DANA_ENOMEM));
	} else if (methods.len > METHODS_MOST) {
		command_message("explain", "%zu methods; expected one, or two side by side", methods.len);
		code = EXIT_USAGE;
	} else if (check_methods(&methods, &err) < 0) {
		code = command_usage("explain", &err);
	} else if (page_decoder_read(&decoder, path, limits.body, slice_from_text(s->charset ? s->charset : ""), &err) <
		   0) {
		command_message("explain", "%s", err.text);
	} else {
		struct report_page page = { .file = path,
					    .charset = charset_convert_name(decoder.convert),
					    .html = buf_slice(&decoder.page),
					    .version = "dana " PACKAGE_VERSION };
		code = explain_html(s, &methods, &page);
	}
	method_list_free(&methods);
	page_decoder_free(&decoder);
	return code;
}

static void put_line(void *arg, const char *text)
{
	(void)arg;
	(void)fprintf(stderr, "%s\n", text);
}

static int explain_overview(const struct explain_settings *s)
{
	struct method_list methods = { 0 };
	struct html_out out = { 0 };
	int code = EXIT_FAULT;
	if (method_list_make(&methods, s->methods) < 0) {
		command_message("explain", "%s", status_text(DANA_ENOMEM));
	} else if (methods.len > 1) {
		command_message("explain", "%zu methods; --archive expected one", methods.len);
		code = EXIT_USAGE;
	} else {
		struct error err = { 0 };
		int status =
			explain_archive(&out, s->archive, methods.names[0], (struct notices){ put_line, NULL }, &err);
		if (status == DANA_OK || status == DANA_EFORMAT)
			code = write_output(s->output, buf_slice(&out.buf));
		else
			code = status == DANA_ECONFIG ? EXIT_USAGE : EXIT_FAULT;
		if (code == EXIT_DONE && status == DANA_EFORMAT)
			code = EXIT_DAMAGE;
		if (err.status < 0)
			command_message("explain", "%s", err.text);
	}
	buf_free(&out.buf);
	method_list_free(&methods);
	return code;
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
	if (s->markdown && (s->archive || wants_picture(s)))
		return error_set(err, DANA_ECONFIG,
				 "--markdown is for the report of a page: neither --archive nor .svg");
	if (!s->archive && !rest->n_positionals)
		return error_set(err, DANA_ECONFIG, "expected FILE, an HTML page, or --archive FILE");
	return texts_check_keys(s->markdown, err);
}

/* Nothing is written over that was not meant: neither the page, nor without --force a file. */
static int check_output(const struct explain_settings *s, const char *page, struct error *err)
{
	if (!s->output || strcmp(s->output, "-") == 0)
		return DANA_OK;
	int status = outputs_check_spare(page, s->output, err);
	return status < 0 ? status : outputs_check_new(s->output, s->force, err);
}

int explain_run(int argc, char **argv)
{
	struct explain_settings s;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	int code = command_options(&explain_options, &s, argc, argv, &rest);
	if (code < 0 && (check_input(&s, &rest, &err) < 0 || charset_check("--charset", s.charset, &err) < 0 ||
			 check_output(&s, s.archive ? s.archive : rest.positionals[0], &err) < 0))
		code = command_usage("explain", &err);
	if (code < 0)
		code = s.archive ? explain_overview(&s) : explain_file(&s, rest.positionals[0]);
	options_rest_free(&rest);
	return code;
}
