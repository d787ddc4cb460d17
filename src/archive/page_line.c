/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/page_line.h"

#include <stdlib.h>

#include "archive/document.h"
#include "archive/sink/sink.h"
#include "base/digest.h"

enum { KEEP = 4 << 20 /* of each string */ };

/* The members that describe the page, in the order in which faults are looked for. */
enum { URL, CHARSET, HTML, HTML_BASE64, MEMBERS };

static const char *const names[MEMBERS] = { "url", "charset", "html", "html_base64" };

struct page_line_reader {
	struct json_reader *reader;
	struct json_value members[MEMBERS];
	struct buf strings[MEMBERS], decoded, metadata;
};

struct page_line_reader *page_line_new(const struct json_rules *rules)
{
	struct page_line_reader *l = calloc(1, sizeof(*l));
	if (l && !(l->reader = json_reader_new(rules))) {
		free(l);
		return NULL;
	}
	return l;
}

void page_line_free(struct page_line_reader *l)
{
	if (!l)
		return;
	json_reader_free(l->reader);
	for (int i = 0; i < MEMBERS; i++)
		buf_free(&l->strings[i]);
	buf_free(&l->decoded);
	buf_free(&l->metadata);
	free(l);
}

/* null is a member that is not there. */
static int read_string(struct page_line_reader *l, int member, struct slice *value, bool *repaired, struct error *err)
{
	const enum json_kind kind = json_kind(l->members[member]);
	*value = (struct slice){ NULL, 0 };
	if (kind == JSON_IS_NOTHING || kind == JSON_IS_NULL)
		return DANA_OK;
	if (kind != JSON_IS_STRING)
		return error_set(err, DANA_EFORMAT, "%s is not a string", names[member]);
	buf_shrink(&l->strings[member], KEEP);
	return json_characters(l->members[member], &l->strings[member], value, repaired);
}

/* The bytes of the page. What comes as a string is characters already, whatever the page claims. */
static int read_html(struct page_line_reader *l, struct page_in_json *page, struct error *err)
{
	struct slice base64;
	bool any;
	int status = read_string(l, HTML, &page->html, &page->repaired, err);
	if (status == DANA_OK)
		status = read_string(l, HTML_BASE64, &base64, &any, err);
	if (status < 0)
		return status;
	if (page->html.data && base64.data)
		return error_set(err, DANA_EFORMAT, "html and html_base64 exclude each other");
	if (page->html.data) {
		page->source.charset = slice_from_text("utf-8");
		return DANA_OK;
	}
	if (!base64.data)
		return error_set(err, DANA_EFORMAT, "no page: expected html or html_base64");
	buf_shrink(&l->decoded, KEEP);
	status = base64_decode(base64, &l->decoded);
	page->html = buf_slice(&l->decoded);
	return status == DANA_EFORMAT ? error_set(err, DANA_EFORMAT, "html_base64 is not base64") : status;
}

static int read_object(struct page_line_reader *l, struct slice json, struct json_value *root, struct error *err)
{
	struct error fault = { 0 };
	size_t blank = 0;
	while (blank < json.len && (json.data[blank] == ' ' || json.data[blank] == '\t' || json.data[blank] == '\r'))
		blank++;
	if (blank == json.len)
		return error_set(err, DANA_EFORMAT, "the line is empty");
	const int status = json_read(l->reader, json, root, &fault);
	if (status == DANA_EFORMAT)
		return error_set(err, DANA_EFORMAT, "not JSON: %s", fault.text);
	if (status == DANA_OK && json_kind(*root) != JSON_IS_OBJECT)
		return error_set(err, DANA_EFORMAT, "not a JSON object");
	return status;
}

int page_line_read(struct page_line_reader *l, struct slice json, page_line_other *other, void *arg,
		   struct page_in_json *page, struct error *err)
{
	struct json_value root;
	bool any;
	*page = (struct page_in_json){ .repaired = false };
	for (int i = 0; i < MEMBERS; i++)
		l->members[i] = (struct json_value){ .reader = NULL };
	int status = read_object(l, json, &root, err);
	if (status < 0)
		return status;
	for (struct json_walk walk = json_walk(root); status == DANA_OK && json_walk_next(&walk);) {
		/* which of the members that describe the page it is; MEMBERS: none */
		int member = 0;
		while (member < MEMBERS && !json_name_is(walk.name, names[member]))
			member++;
		if (member < MEMBERS)
			l->members[member] = walk.value;
		else
			status = other(arg, walk.name, walk.value, err);
	}
	if (status == DANA_OK)
		status = read_string(l, URL, &page->url, &any, err);
	if (status == DANA_OK)
		status = read_string(l, CHARSET, &page->source.charset, &any, err);
	page->source.url = page->url;
	page->source.charset_is_foreign = page->source.charset.len > 0;
	return status == DANA_OK ? read_html(l, page, err) : status;
}

static int hand_through(void *arg, struct slice name, struct json_value value, struct error *err)
{
	struct buf *metadata = arg;
	(void)err;
	if (metadata->len > 1)
		buf_append_byte(metadata, ',');
	buf_append(metadata, name.data, name.len);
	buf_append_byte(metadata, ':');
	return json_append(value, metadata);
}

int page_line_failure(const char *reason, struct buf *out)
{
	const struct text_line nothing = { .url = { NULL, 0 } };
	return text_line_json(NULL, reason, &nothing, out);
}

int page_line_text(struct page_line_reader *l, struct single_page *page, const struct single_page_source *usual,
		   struct slice line, struct buf *out)
{
	struct error reason = { 0 };
	struct page_in_json p;
	struct text_line through = { .url = { NULL, 0 } };
	struct document doc;
	buf_clear(&l->metadata);
	buf_append_byte(&l->metadata, '{');
	int status = page_line_read(l, line, hand_through, &l->metadata, &p, &reason);
	if (l->metadata.len > 1 || status == DANA_OK) {
		buf_append_byte(&l->metadata, '}');
		through = (struct text_line){ .url = p.url, .metadata = buf_slice(&l->metadata) };
	}
	if (buf_status(&l->metadata) < 0)
		return DANA_ENOMEM;
	if (status == DANA_OK) {
		if (!p.source.charset.len)
			p.source.charset = usual->charset;
		if (!p.source.url.len)
			p.source.url = usual->url;
		status = single_page_read(page, &p.source, p.html, &doc, &reason);
		if (status == DANA_OK && p.repaired)
			doc.problems |= PROBLEM_BAD_CHARSET;
	}
	if (status == DANA_OK) {
		if (!p.source.url.len) /* a message may have named it */
			through.url = doc.record->target_uri;
		return text_line_json(&doc, NULL, &through, out);
	}
	if (status == DANA_ECONFIG || status == DANA_ENOMEM)
		return status;
	if (status < 0 && status != DANA_EFORMAT)
		(void)single_page_fault(status, &reason);
	return text_line_json(NULL, reason.text, &through, out) < 0 ? DANA_ENOMEM : DANA_EFORMAT;
}
