/* SPDX-License-Identifier: MIT */
/* `dana extract`: pages that are files, or standard input, to their main text. */
#include "config.h"

#include <string.h>

#include "archive/plugin/plugins.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/system.h"
#include "cli/command.h"
#include "cli/options.h"
#include "dana/dana.h"
#include "run/methods.h"
#include "run/outputs.h"
#include "run/pages.h"
#include "run/signals.h"

struct extract_settings {
	struct text_list methods;
	struct plugin_rows plugins;
	const char *charset, *content_type, *url, *output, *output_dir;
	int format; /* enum extract_format; -1: not given */
	struct text_options text;
	struct texts texts; /* of `text` */
	unsigned jobs;
	size_t line_most;
	bool force, lines;
	struct page_fetch_config fetch;
	const char *fields;
	const char *suffix; /* of files in --output-dir */
	struct buf markup;  /* --markdown with the format of elements */
};

#define AT(m) OPTION_MEMBER(struct extract_settings, m)

static const struct option options[] = {
	METHOD_ROW(struct extract_settings, methods, "Options"),
	{ "charset", 0, OPTION_TEXT, "NAME", NULL, "detect",
	  "decode pages by this charset (a name of the web or of iconv)", "Options", 0, 0, 0, AT(charset) },
	{ "content-type", 0, OPTION_TEXT, "TYPE", NULL, NULL,
	  "set the Content-Type that the server sent; refuse what is neither HTML nor plain text by it", "Options", 0,
	  0, 0, AT(content_type),
	  .more = "Its charset is used if --charset is not given. text/plain and text/markdown are kept as text." },
	{ "url", 0, OPTION_TEXT, "URL", NULL, NULL,
	  "set the address of the pages, for links, media, --rules and models of single sites", "Options", 0, 0, 0,
	  AT(url) },
	{ "format", 'f', OPTION_CHOICE, "text|json|jsonl|csv|tsv|markdown|html|xml|tei", NULL,
	  "by the name of -o, else text", "set the format of the output", "Options", 0, 0, 0, AT(format) },
	FIELDS_ROW(struct extract_settings, fields, "Options"),
	PAGE_TEXTS(PAGE_OPTION_ROW, struct extract_settings, text.page, "Options", "plain", NULL)
		PAGE_PARTS(PAGE_OPTION_ROW, struct extract_settings, text.page, "Options", NULL, NULL)
			PLUGIN_ROW(struct extract_settings, plugins, "Options",
				   "JSON has what they find, and what the plugin metadata finds in any case. A page "
				   "that a plugin drops "
				   "has "
				   "no text, and in JSON a reason. Plugins that compare pages, such as dedup-near, are "
				   "of dana filter."),
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output", "write to FILE", "Options", 0, 0, 0, AT(output),
	  .more = "It is written as FILE.part and renamed when it is complete. Without -f its name chooses the format: "
		  ".txt, .json, .jsonl, .csv, .tsv, .md, .html or .xml." },
	{ "output-dir", 'O', OPTION_TEXT, "DIR", NULL, NULL,
	  "write a file NAME.txt (.md, .html, .xml by -f) in DIR for each page NAME.html", "Options", 0, 0, 0,
	  AT(output_dir),
	  .more = "Any name will do; a dot at its beginning becomes _, and of a very long name the end becomes a "
		  "digest. "
		  "Folders below a folder that is named are kept: site/a/x.html becomes DIR/a/x.txt. Pages whose files "
		  "would have one name keep their endings: x.html.txt, x.htm.txt." },
	{ "jobs", 'j', OPTION_NUMBER, "N", NULL, "number of cores",
	  "process N pages at once; 0 does everything on one thread", "Options", 0, 0, 1024, AT(jobs),
	  .more = "The output is the same for every N." },
	{ "jsonl", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "read pages from lines of JSON; write one line for each, in the same order", "Options", 0, 0, 0, AT(lines) },
	{ "max-line", 0, OPTION_NUMBER, "N", "32M", NULL,
	  "limit a line of --jsonl to N bytes; the output line of a longer one has a reason", "Options", 0, 1,
	  (size_t)1 << 30, AT(line_most) },
	{ "force", 0, OPTION_FLAG, NULL, NULL, NULL, "overwrite existing outputs and .part files", "Options", 0, 0, 0,
	  AT(force) },
	PAGE_NETWORK_ROWS(struct extract_settings, fetch),
	{ .name = NULL },
};

const struct option_table extract_options = {
	.command = "extract",
	.summary = "find the main text of HTML pages",
	.synopsis = "[OPTIONS] [FILE|DIR|URL]...",
	.description =
		"Reads one HTML page from FILE, from a server by its URL (http or https), or from standard input "
		"without "
		"FILE or with -, and prints its main text in UTF-8, a block a line; in pre and under an inline "
		"white-space: pre, line ends and "
		"indentation are kept.\n\n"
		"With -f json prints one object with text, title, method, problems and all else that is known of the "
		"page, and media with the method wlr-media. With -f markdown or --text markdown prints Markdown "
		"instead, and in JSON adds the field markdown. -f html, xml and tei write the same structure as "
		"elements, with the keys of --markdown: HTML without scripts, styles and other attributes than "
		"addresses, the XML of trafilatura, and TEI of its corpus schema. Links are kept where their address "
		"is http, https or mailto; --url makes relative ones complete. The texts of several methods need "
		"-f json or jsonl. A page without main text is not an error.\n\n"
		"Several files or a folder need -f jsonl, -f csv or -O. Pages come in the order given; of a "
		"folder all pages in it and below it are read, sorted: files that end in .html, .htm, .xhtml, .mhtml "
		"or .mht, also before .gz or .zst, and files of other names that begin as HTML pages do. How many "
		"others there are is reported. With -f jsonl each object begins with file; "
		"if a page cannot be read, text is null, and the last key, reason, gives the cause.\n\n"
		"With --jsonl each line of the input is an object with html (the page as a string) or html_base64 (its "
		"bytes), and url and charset where they are known. Each line is written as soon as it and those before "
		"it are done, so that a program can keep one dana as its child; it ends with its input. An object that "
		"is written has the fields of -f json, url, and in "
		"metadata all other members of its line unchanged. If there is no page or it cannot be read, text is "
		"null, and the last key, reason, gives the cause; the run fails if that holds for every line.\n\n"
		"A page is fetched once, with its redirects, up to 16 MiB. Its URL and Content-Type are those that the "
		"server gives, if --url and --content-type do not say otherwise; -f json has the URL in url. Several "
		"pages of one host come one after the other. Scripts are not run, robots.txt is not asked, because a "
		"page that somebody names is not a crawl, and no cookie is kept. -u URL is the same as URL.\n\n"
		"A page may be compressed by gzip or zstd, and may be in MHTML, as browsers save it (Webpage, Single "
		"File): that names its charset and its URL, if the options do not.\n\n"
		"An archive, a PDF, a picture, JSON or another file that is no page is refused, and the message names "
		"the right command. Pages that fail are reported, the others are processed, and the exit status "
		"is 1.",
	.examples = "dana extract page.html\n"
		    "dana extract -f json https://example.org/page.html\n"
		    "dana extract --url https://example.org/page.html -o page.md page.html\n"
		    "dana extract -o pages.jsonl site/ more/page.html\n"
		    "dana extract -o pages.csv --fields file,title,author,published,text site/\n"
		    "dana extract -O texts *.html\n"
		    "parallel --pipe --keep-order dana extract --jsonl -j 0 <in.jsonl >out.jsonl",
	.options = options,
	.most_positionals = SIZE_MAX,
};

/* The format that is asked for, or that the output is named after; Markdown is a text, too. */
static int resolve_format(struct extract_settings *s, struct error *err)
{
	static const struct {
		const char *suffix;
		enum extract_format format;
	} endings[] = { { ".txt", EXTRACT_TEXT },  { ".json", EXTRACT_JSON }, { ".jsonl", EXTRACT_JSONL },
			{ ".csv", EXTRACT_CSV },   { ".tsv", EXTRACT_TSV },   { ".md", EXTRACT_MARKDOWN },
			{ ".html", EXTRACT_HTML }, { ".xml", EXTRACT_XML } };
	const struct slice ending = output_extension(slice_from_text(s->output ? s->output : ""));
	struct near_name near = near_name_of(ending);
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings) && s->format < 0 && !s->lines; i++) {
		near_name_offer(&near, endings[i].suffix);
		if (slice_is(ending, endings[i].suffix))
			s->format = (int)endings[i].format;
	}
	if (s->format < 0 && !s->lines && ending.len)
		return near_name_refuse(&near, "--output",
					".txt, .json, .jsonl, .csv, .tsv, .md, .html or .xml, or --format", err);
	static const char *const elements[] = { [EXTRACT_HTML] = "html", [EXTRACT_XML] = "xml", [EXTRACT_TEI] = "tei" };
	s->suffix = s->format == EXTRACT_HTML ? ".html" : s->format >= EXTRACT_XML ? ".xml" : NULL;
	if (s->format >= EXTRACT_HTML && !s->lines) {
		buf_printf(&s->markup, "%s%sformat=%s", s->text.page.markdown ? s->text.page.markdown : "",
			   s->text.page.markdown && *s->text.page.markdown ? "," : "", elements[s->format]);
		if (buf_append_byte(&s->markup, 0) < 0)
			return error_no_memory(err);
		s->text.page.markdown = (const char *)s->markup.data;
	}
	if (s->format >= EXTRACT_MARKDOWN && !s->lines) {
		s->text.page.text = strcmp(s->text.page.text, "plain") == 0 ? "markdown" : s->text.page.text;
		s->format = EXTRACT_TEXT;
	}
	s->format = s->format < 0 ? EXTRACT_TEXT : s->format;
	return DANA_OK;
}

static int check_together(const struct extract_settings *s, const struct options_rest *rest, struct error *err)
{
	const char *json = texts_json_option(&s->texts);
	if (s->format == EXTRACT_TEXT && json)
		return error_set(err, DANA_ECONFIG, "%s is for JSON; give --format json or jsonl", json);
	if (s->format == EXTRACT_TEXT && !s->texts.page.without_plain && s->texts.page.structure &&
	    s->texts.page.text_field != TEXT_FIELD_MARKDOWN)
		return error_set(err, DANA_ECONFIG,
				 "--format text writes one text of a page; give one with --text, or --format json");
	if (s->format == EXTRACT_TEXT && s->methods.n > 1)
		return error_set(err, DANA_ECONFIG,
				 "--format text writes one text of a page; give one --method, or --format json");
	if (s->output && s->output_dir)
		return error_set(err, DANA_ECONFIG, "--output and --output-dir exclude each other; give one of them");
	if (s->output_dir && s->format != EXTRACT_TEXT)
		return error_set(err, DANA_ECONFIG, "--output-dir writes text; for %s and --output FILE",
				 s->format == EXTRACT_CSV   ? "a table give --format csv"
				 : s->format == EXTRACT_TSV ? "a table give --format tsv"
							    : "JSON give --format jsonl");
	bool fetches = false;
	for (size_t i = 0; i < rest->n_positionals; i++)
		fetches |= page_fetch_takes(rest->positionals[i]);
	if (extract_inputs_several(rest->positionals, rest->n_positionals) && !s->output_dir &&
	    !extract_format_has_rows((enum extract_format)s->format))
		return error_set(err, DANA_ECONFIG, "several pages need --format jsonl or csv, or --output-dir DIR%s",
				 fetches ? "; the URL of a page that is a file is given by --url URL" : "");
	if (s->fields && s->format == EXTRACT_TEXT)
		return error_set(err, DANA_ECONFIG, "--fields is for --format json, jsonl, csv and tsv");
	return charset_check("--charset", s->charset, err);
}

static int check_lines(const struct extract_settings *s, const struct options_rest *rest, struct error *err)
{
	const char *other = s->output_dir                   ? "--output-dir"
			    : s->fields                     ? "--fields"
			    : s->format == EXTRACT_CSV      ? "--format csv"
			    : s->format == EXTRACT_TSV      ? "--format tsv"
			    : s->format == EXTRACT_JSON     ? "--format json"
			    : s->format == EXTRACT_MARKDOWN ? "--format markdown"
			    : s->format > EXTRACT_MARKDOWN  ? "--format html, xml or tei"
			    : s->content_type               ? "--content-type"
							    : NULL;
	if (other)
		return error_set(err, DANA_ECONFIG, "--jsonl writes a line for each line; %s does not go with it",
				 other);
	if (extract_inputs_several(rest->positionals, rest->n_positionals))
		return error_set(err, DANA_ECONFIG, "--jsonl reads one input; expected one FILE, or none");
	return charset_check("--charset", s->charset, err);
}

static enum output_way way(const struct extract_settings *s)
{
	return s->force ? OUTPUT_FORCE : OUTPUT_NEW;
}

static int prepare(struct extract_settings *s, const struct options_rest *rest, struct extract_inputs *in,
		   struct error *err)
{
	int status = methods_check(&s->methods, err);
	if (status == DANA_OK)
		status = resolve_format(s, err);
	if (status == DANA_OK)
		status = texts_check(&s->text, &s->methods, &s->texts, err);
	if (status == DANA_OK)
		status = s->lines ? check_lines(s, rest, err) : check_together(s, rest, err);
	if (status == DANA_OK)
		status = extract_inputs_gather(in, rest->positionals, rest->n_positionals, err);
	if (status == DANA_OK && s->output_dir)
		status = extract_inputs_outputs(in, s->output_dir,
						s->suffix                 ? s->suffix
						: s->texts.page.structure ? ".md"
									  : ".txt",
						err);
	if (status != DANA_OK)
		return status;
	if (s->output_dir && output_names_folders(s->output_dir, in->outputs, in->names.n, err) < 0)
		return (int)err->status;
	/* no input is written over, and nothing is begun when any output is in the way or cannot be written */
	const char *one = s->output && strcmp(s->output, "-") != 0 ? s->output : NULL;
	status = one ? part_file_check(one, way(s), err) : DANA_OK;
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++) {
		const char *output = in->outputs ? in->outputs[i] : one;
		if (output && s->force)
			status = outputs_check_spare(in->names.items[i], output, err);
		if (in->outputs && status == DANA_OK)
			status = part_file_check(output, way(s), err);
	}
	return status;
}

int extract_run(int argc, char **argv)
{
	static struct extract_settings settings;
	struct extract_settings *s = &settings;
	struct options_rest rest = { 0 };
	const char *command = "extract";
	struct extract_inputs in = { .notices = { command_notice, &command } };
	struct error err = { 0 };
	int code = command_options(&extract_options, s, argc, argv, &rest);
	if (code < 0 && prepare(s, &rest, &in, &err) < 0) {
		code = command_failed(command, &err);
	} else if (code < 0) {
		const struct extract_page_config page = { .methods = &s->methods,
							  .charset = s->charset,
							  .content_type = s->content_type,
							  .url = s->url,
							  .format = (enum extract_format)s->format,
							  .fields = s->fields,
							  .texts = s->texts,
							  .plugins = &s->plugins,
							  .fetch = &s->fetch,
							  .notices = in.notices };
		const size_t pages = in.names.n;
		unsigned jobs = s->jobs == (unsigned)-1 ? system_cores() : s->jobs;
		if (!s->lines) /* a single page is read by this thread */
			jobs = pages < 2 ? 0 : jobs > pages ? (unsigned)pages : jobs;
		const struct extract_run_config config = {
			.page = page,
			.inputs = &in,
			.output = s->output && strcmp(s->output, "-") != 0 ? s->output : NULL,
			.jobs = jobs,
			.way = way(s),
			.lines = s->lines,
			.line_most = s->line_most,
		};
		for (size_t i = 0; i < in.names.n; i++) {
			if (strcmp(in.names.items[i], "-") == 0)
				command_tell_waiting(command);
		}
		const int status = extract_run_pages(&config); /* what is wrong was reported */
		code = status == DANA_ESTATE    ? 128 + signals_caught()
		       : status == DANA_OK      ? EXIT_DONE
		       : status == DANA_ECONFIG ? EXIT_USAGE
						: EXIT_FAULT;
	}
	extract_inputs_free(&in);
	texts_free(&s->texts);
	buf_free(&s->markup);
	options_rest_free(&rest);
	return code;
}
