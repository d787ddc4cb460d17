/* SPDX-License-Identifier: MIT */
/*
 * The way of a page's bytes: the HTTP reader writes the body to `body`, which waits for 512 bytes to decide on the
 * media type and then feeds the charset converter; this one writes to `utf8`, which feeds the extractor. Example: a PNG
 * is refused after the first 512 bytes of its body, whatever its head says.
 *
 * Problems of the charset or of HTTP are collected even when the extractor wants no more, because which bytes of a
 * block have been seen by then depends on the split.
 */
#include <stdio.h>

#include "archive/charset/convert.h"
#include "archive/plugin/chain.h"
#include "archive/processor_state.h"
#include "extract/extractor.h"

enum { KEPT_HTML = 1 << 20 };

bool processor_lead_fill(struct processor *p, struct slice *bytes, size_t want)
{
	struct slice more = slice_first(*bytes, want - p->lead_len);
	memcpy(p->lead + p->lead_len, more.data, more.len);
	p->lead_len += more.len;
	*bytes = slice_skip(*bytes, more.len);
	return p->lead_len == want;
}

static int keep_html(struct processor *p, struct slice bytes)
{
	bytes = slice_first(bytes, (size_t)(p->max_html - p->html.len));
	return buf_append(&p->html, bytes.data, bytes.len);
}

static int utf8_write(struct byte_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)((char *)self - offsetof(struct processor, utf8));
	if (p->page && buf_append(p->page, bytes.data, bytes.len) < 0)
		return DANA_ENOMEM;
	if (p->keep_html && keep_html(p, bytes) < 0)
		return DANA_ENOMEM;
	int result = p->pass_html && bytes.len ? plugin_chain_html(p->plugins, bytes) : DANA_OK;
	if (result < 0 || p->rests)
		return result;
	result = dana_feed(p->extractor, bytes.data, bytes.len);
	if (result == DANA_LIMIT)
		p->skip = SKIP_WORK_LIMIT;
	else if (result < 0)
		return result;
	/* HTTP and charset run on all the same, so that problems and sizes do not depend on where the input was cut. */
	p->rests = result != DANA_SUCCESS;
	return p->others && !p->rests ? other_texts_feed(p->others, bytes) : 0;
}

static int ignore_finish(struct byte_sink *self)
{
	(void)self;
	return 0;
}

const struct byte_sink_ops processor_utf8_ops = { .name = "extractor", .write = utf8_write, .finish = ignore_finish };

struct slice processor_sent_type(const struct processor *p)
{
	return p->bare ? p->record->content_type : http_response_head(p->http)->content_type;
}

static int extraction_begin(struct processor *p)
{
	struct slice url = p->record->target_uri;
	if (p->page)
		buf_clear(p->page);
	buf_shrink(&p->html, KEPT_HTML);
	charset_convert_reset(p->charset, charset_of_content_type(processor_sent_type(p)));
	dana_reset(p->extractor);
	dana_page_stays(p->extractor, p->record->stays);
	int status = p->pass_html ? plugin_chain_html(p->plugins, slice_of(NULL, 0)) : DANA_OK;
	if (status == DANA_OK && p->others)
		status = other_texts_begin(p->others, url);
	if (status < 0)
		return status;
	return url.len ? dana_page_url(p->extractor, (const char *)url.data, url.len) : DANA_SUCCESS;
}

int processor_refused_by(struct processor *p, int answer)
{
	if (answer == PLUGIN_DROPS) {
		p->skip = plugin_chain_skip(p->plugins);
		(void)snprintf(p->detail, sizeof(p->detail), "%s", plugin_chain_rule(p->plugins));
	}
	return answer;
}

/* The first bytes of the body are there, or all of a shorter one. 0, RECORD_UNWANTED or a negative status. */
static int media_decide(struct processor *p, struct slice first)
{
	p->media_known = true;
	int answer = processor_refused_by(p, plugin_chain_media(p->plugins, processor_sent_type(p), first));
	p->unread = answer == PLUGIN_DROPS;
	return answer == PLUGIN_KEEPS ? extraction_begin(p) : answer;
}

static int body_write(struct byte_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)((char *)self - offsetof(struct processor, body));
	if (p->unread)
		return RECORD_UNWANTED;
	if (p->media_known)
		return charset_convert_write(p->charset, bytes);

	bool at_once = p->lead_len == 0 && bytes.len >= MEDIA_LEAD;
	if (!at_once && !processor_lead_fill(p, &bytes, MEDIA_LEAD))
		return 0;
	int result = media_decide(p, slice_of(at_once ? bytes.data : p->lead, MEDIA_LEAD));
	if (result != 0)
		return result;
	if (!at_once)
		result = charset_convert_write(p->charset, slice_of(p->lead, MEDIA_LEAD));
	return result == 0 && bytes.len ? charset_convert_write(p->charset, bytes) : result;
}

const struct byte_sink_ops processor_body_ops = { .name = "body", .write = body_write, .finish = ignore_finish };

int processor_http_head(void *arg, const struct http_head *head)
{
	struct processor *p = arg;
	const struct plugin_http http = { head->status, head->content_type, head->lines };
	int answer = processor_refused_by(p, plugin_chain_http(p->plugins, &http));
	p->unread = answer != PLUGIN_KEEPS;
	p->failed = answer < 0 ? answer : DANA_OK;
	return p->unread;
}

int processor_body_end(struct processor *p)
{
	if (!p->media_known) {
		struct slice all = slice_of(p->lead, p->lead_len);
		int status = media_decide(p, all);
		if (status == RECORD_UNWANTED)
			return 0;
		if (status == 0 && all.len)
			status = charset_convert_write(p->charset, all);
		if (status < 0 || p->unread)
			return status < 0 ? status : 0;
	}
	int status = charset_convert_finish(p->charset);
	return status < 0 ? status : 0;
}
