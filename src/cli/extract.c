/* SPDX-License-Identifier: MIT */
/* `dana extract`: one page, from a file or standard input, to its main text. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/utf8.h"
#include "charset/convert.h"
#include "cli/command.h"
#include "cli/method_check.h"
#include "cli/model_reader.h"
#include "cli/option_check.h"
#include "extract/dana.h"
#include "pipeline/media_urls.h"
#include "sink/text.h"

enum extract_format { FORMAT_TEXT, FORMAT_JSON };

struct extract_settings {
	const char *method, *charset, *url;
	int format;
};

#define AT(m) OPTION_MEMBER(struct extract_settings, m)

static const struct option options[] = {
	{ "method", 'm', OPTION_TEXT, "NAME[:KEY=VALUE,...]", DANA_DEFAULT_METHOD, NULL,
	  "extraction method with its keys; dana methods lists the methods", "Options", 0, 0, 0, AT(method) },
	{ "charset", 0, OPTION_TEXT, "NAME", NULL, "detect", "charset of the page, by a name of the web or of iconv",
	  "Options", 0, 0, 0, AT(charset) },
	{ "url", 0, OPTION_TEXT, "URL", NULL, NULL,
	  "where the page comes from, for the URLs of media and for methods with models of single sites", "Options", 0,
	  0, 0, AT(url) },
	{ "format", 'f', OPTION_CHOICE, "text|json", "text", NULL, "a block of text a line, or one JSON object",
	  "Options", 0, 0, 0, AT(format) },
	{ .name = NULL },
};

const struct option_table extract_options = {
	.command = "extract",
	.summary = "find the main text of one HTML page",
	.synopsis = "[OPTIONS] [FILE]",
	.description =
		"Reads one HTML page from FILE, or from standard input when FILE is not given or is -, and prints its main "
		"text in UTF-8, a block a line.\n\n"
		"With -f json prints one object with text, title, charset, method, html_bytes, text_chars, truncated and "
		"problems, and media with the method wlr-media. A page without main text is no error.",
	.examples = "dana extract page.html\n"
		    "curl -s https://example.org/ | dana extract -m danag -f json",
	.options = options,
	.most_positionals = 1,
};

/* Takes UTF-8 from the charset converter and gives it to the extractor. */
struct feeder {
	struct byte_sink base;
	struct dana_extractor *extractor;
};

static int feed(struct byte_sink *self, struct slice bytes)
{
	return dana_feed(((struct feeder *)self)->extractor, bytes.data, bytes.len);
}

static int feed_nothing(struct byte_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct byte_sink_ops feeder_ops = { "extractor", feed, feed_nothing };

/* Reads all of `fd`. 0, DANA_EIO with errno, or what the converter returns. */
static int read_page(int fd, struct charset_convert *convert, uint64_t *html_bytes)
{
	static uint8_t chunk[64 << 10];
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return DANA_EIO;
		if (n == 0)
			return DANA_OK;
		*html_bytes += (uint64_t)n;
		int status = charset_convert_write(convert, slice_of(chunk, (size_t)n));
		if (status < 0)
			return status;
	}
}

static int print_page(const struct extract_settings *s, const struct dana_text *text, struct charset_convert *convert,
		      uint64_t html_bytes)
{
	struct slice body = slice_of(text->data, text->len);
	struct document doc = {
		.charset = charset_convert_name(convert),
		.title = slice_of(text->title, text->title_len),
		.has_title = text->flags & DANA_HAS_TITLE,
		.text = body,
		.method = text->method,
		.html_bytes = html_bytes,
		.text_chars = utf8_count(body),
		.problems = charset_convert_problems(convert) |
			    (text->flags & DANA_TEXT_TRUNCATED ? PROBLEM_TRUNCATED_TEXT : 0),
		.with_media = (text->flags & DANA_LISTS_MEDIA) != 0,
		.n_media = text->n_media,
	};
	struct buf out = { 0 };
	struct media_urls media = { 0 };
	int status = media_urls_resolve(&media, slice_from_text(s->url ? s->url : ""), text->media, text->n_media);
	doc.media = media_urls_list(&media);
	if (status == DANA_OK)
		status = s->format == FORMAT_JSON ? text_page_json(&doc, &out) : text_page(&doc, &out);
	int answer = EXIT_FAULT;
	if (status == DANA_OK)
		answer = command_print("extract", buf_slice(&out));
	else
		command_message("extract", "%s", status_text(status));
	media_urls_free(&media);
	buf_free(&out);
	return answer;
}

static const char *fault_text(int status)
{
	if (status == DANA_EIO)
		return system_text(errno);
	if (status == DANA_LIMIT)
		return "the page asks for more work than its size allows";
	return status_text(status);
}

static int extract_from(const struct extract_settings *s, int fd, const char *name, struct dana_extractor *extractor)
{
	struct feeder feeder = { .base = { &feeder_ops }, .extractor = extractor };
	struct charset_convert *convert = charset_convert_new(&feeder.base);
	struct dana_text text;
	uint64_t html_bytes = 0;
	int answer = EXIT_FAULT;
	int status = convert ? DANA_OK : DANA_ENOMEM;
	if (status == DANA_OK)
		status = charset_convert_reset_named(convert, slice_from_text(s->charset ? s->charset : ""));
	if (status == DANA_OK)
		status = read_page(fd, convert, &html_bytes);
	if (status == DANA_OK)
		status = charset_convert_finish(convert);
	if (status >= 0)
		status = dana_finish(extractor, &text);
	if (status >= 0) {
		answer = print_page(s, &text, convert, html_bytes);
	} else {
		char shown[128];
		printable(slice_from_text(name), shown, sizeof(shown));
		command_message("extract", "%s: %s", shown, fault_text(status));
	}
	charset_convert_free(convert);
	return answer;
}

static int extract_file(const struct extract_settings *s, const char *path, struct dana_extractor *extractor)
{
	bool standard = !path || strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		char shown[128];
		command_message("extract", "%s: %s", printable(slice_from_text(path), shown, sizeof(shown)),
				system_text(errno));
		return EXIT_FAULT;
	}
	if (standard)
		command_tell_waiting("extract");
	int answer = extract_from(s, fd, standard ? "standard input" : path, extractor);
	if (!standard)
		(void)close(fd);
	return answer;
}

static int run(const struct extract_settings *s, const struct options_rest *rest)
{
	struct dana_extractor *extractor = NULL;
	struct error err = { 0 };
	if (option_check_charset(s->charset, &err) < 0)
		return command_usage("extract", &err);
	struct model_reader models;
	(void)model_reader_init(&models, s->method);
	struct dana_options options_of = { .struct_size = sizeof(options_of),
					   .method = s->method,
					   .read_file = model_reader_read,
					   .read_arg = &models };
	int status = dana_new(&extractor, &options_of);
	if (status == DANA_SUCCESS && s->url)
		status = dana_page_url(extractor, s->url, strlen(s->url));
	if (status == DANA_BAD_OPTION) {
		if (method_check(s->method, &err) == DANA_OK)
			(void)model_reader_refused(&models, &err); /* of the site of --url */
		dana_free(extractor);
		return command_usage("extract", &err);
	}
	if (status < 0) {
		command_message("extract", "%s", dana_status_text(status));
		dana_free(extractor);
		return EXIT_FAULT;
	}
	int answer = extract_file(s, rest->n_positionals ? rest->positionals[0] : NULL, extractor);
	dana_free(extractor);
	return answer;
}

int extract_run(int argc, char **argv)
{
	struct extract_settings settings;
	struct options_rest rest = { 0 };
	int answer = command_options(&extract_options, &settings, argc, argv, &rest);
	if (answer < 0)
		answer = run(&settings, &rest);
	options_rest_free(&rest);
	return answer;
}
