/* SPDX-License-Identifier: MIT */
/* Charset converter, then extractor: what the processor does with a record's body, without record and HTTP. */
#include "archive/single_page.h"

#include <stdlib.h>

#include "archive/charset/convert.h"
#include "archive/http/media_type.h"
#include "archive/media_urls.h"
#include "archive/not_a_page.h"
#include "archive/other_texts.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/library.h"
#include "base/utf8.h"
#include "dana/dana.h"

enum { SHOWN = 100 };

struct single_page {
	struct byte_sink utf8; /* after the charset converter: feeds the extractor */
	struct dana_extractor *extractor;
	struct other_texts *others; /* NULL: no other method is asked for */
	struct charset_convert *convert;
	struct media_urls media;
	struct texts texts;
	struct slice url, content_type;
	uint64_t html_bytes;
};

static int feed(struct byte_sink *self, struct slice bytes)
{
	const struct single_page *p = (struct single_page *)self;
	const int status = dana_feed(p->extractor, bytes.data, bytes.len);
	return status == DANA_OK && p->others ? other_texts_feed(p->others, bytes) : status;
}

static int feed_nothing(struct byte_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct byte_sink_ops utf8_ops = { "extractor", feed, feed_nothing };

int single_page_new(struct single_page **out, const struct single_page_config *config)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = config->method,
					      .read_file = config->read_file,
					      .read_arg = config->read_arg,
					      .structure = config->texts.structure,
					      .markdown = config->texts.markdown };
	struct single_page *p = calloc(1, sizeof(*p));
	int status = p ? dana_new(&p->extractor, &options) : DANA_ENOMEM;
	if (status == DANA_OK)
		status = other_texts_new(&p->others, &config->texts, &options, NULL);
	if (status == DANA_OK) {
		p->utf8.ops = &utf8_ops;
		p->texts = config->texts;
		p->convert = charset_convert_new(&p->utf8);
		status = p->convert ? DANA_OK : DANA_ENOMEM;
	}
	if (status < 0) {
		single_page_free(p);
		p = NULL;
	}
	*out = p;
	return status;
}

const char *const *single_page_other_methods(const struct single_page *p, size_t *n)
{
	return other_texts_methods(p->others, n);
}

int single_page_begin(struct single_page *p, const struct single_page_source *source)
{
	p->html_bytes = 0;
	p->url = source->url;
	p->content_type = source->content_type;
	dana_reset(p->extractor);
	int status = charset_convert_reset_named(p->convert, source->charset);
	if (status == DANA_ECONFIG && source->charset_is_foreign)
		status = charset_convert_reset_named(p->convert, slice_of(NULL, 0));
	if (status == DANA_OK && source->charset.len == 0)
		charset_convert_reset(p->convert, charset_of_content_type(source->content_type));
	if (status == DANA_OK && p->url.len)
		status = dana_page_url(p->extractor, (const char *)p->url.data, p->url.len);
	return status == DANA_OK && p->others ? other_texts_begin(p->others, p->url) : status;
}

static int check_first(const struct single_page *p, struct slice first, struct error *err)
{
	const char *other = not_a_page(first);
	if (other)
		return error_set(err, DANA_EFORMAT, "%s", other);
	if (p->content_type.len == 0)
		return DANA_OK;
	struct slice type = media_type(p->content_type, slice_of(NULL, 0), slice_first(first, MEDIA_SNIFF_BYTES));
	char shown[SHOWN];
	if (media_type_is_html(type))
		return DANA_OK;
	return error_set(err, DANA_EFORMAT, "the media type is %s; expected " MEDIA_HTML(" or "),
			 type.len ? printable(type, shown, sizeof(shown)) : "not known");
}

int single_page_write(struct single_page *p, struct slice bytes, struct error *err)
{
	int status = p->html_bytes == 0 ? check_first(p, bytes, err) : DANA_OK;
	if (status < 0)
		return status;
	p->html_bytes += bytes.len;
	status = charset_convert_write(p->convert, bytes);
	return status < 0 ? status : DANA_OK;
}

int single_page_finish(struct single_page *p, struct document *doc)
{
	struct dana_text text;
	int status = charset_convert_finish(p->convert);
	if (status >= 0)
		status = dana_finish(p->extractor, &text);
	if (status >= 0)
		status = media_urls_resolve(&p->media, p->url, text.media, text.n_media);
	if (status < 0)
		return status;
	struct slice body = slice_of(text.data, text.len);
	*doc = (struct document){
		.charset = charset_convert_name(p->convert),
		.title = slice_of(text.title, text.title_len),
		.has_title = (text.flags & DANA_HAS_TITLE) != 0,
		.text = body,
		.method = text.method,
		.html_bytes = p->html_bytes,
		.text_chars = utf8_count(body),
		.problems = charset_convert_problems(p->convert) |
			    (text.flags & DANA_TEXT_TRUNCATED ? PROBLEM_TRUNCATED_TEXT : 0),
		.with_media = (text.flags & DANA_LISTS_MEDIA) != 0,
		.media = media_urls_list(&p->media),
		.n_media = p->media.count,
	};
	texts_fill(&p->texts, p->extractor, text.flags, doc);
	texts_choose(&p->texts, doc);
	return p->others ? other_texts_finish(p->others, doc) : DANA_OK;
}

int single_page_read(struct single_page *p, const struct single_page_source *source, struct slice html,
		     struct document *doc, struct error *err)
{
	int status = single_page_begin(p, source);
	if (status == DANA_OK && html.len)
		status = single_page_write(p, html, err);
	return status == DANA_OK ? single_page_finish(p, doc) : status;
}

int single_page_fault(int status, struct error *err)
{
	return error_set(err, (enum dana_status)status, "%s",
			 status == DANA_ELIMIT ? "the page asks for more work than its size allows"
					       : library_status_text(status));
}

void single_page_free(struct single_page *p)
{
	if (!p)
		return;
	charset_convert_free(p->convert);
	dana_free(p->extractor);
	other_texts_free(p->others);
	media_urls_free(&p->media);
	free(p);
}
