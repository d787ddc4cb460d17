/* SPDX-License-Identifier: MIT */
/*
 * What plugins read of a page: its text and blocks, its HTML, items and fields of its record. The views point into data
 * of the stages; nothing is copied. If a method has no blocks, lines are found when the first block is read.
 */
#include "archive/plugin/page_private.h"
#include "base/ascii.h"
#include "dana/dana.h"

static const struct dana_view nothing = { NULL, 0 };

static struct dana_view view(struct slice s)
{
	return (struct dana_view){ (const char *)s.data, s.len };
}

/* Returns the slice as a view, or NULL data if it is empty. */
static struct dana_view view_or_nothing(struct slice s)
{
	return s.len ? view(s) : nothing;
}

static struct dana_view text_view(const char *text)
{
	return text ? (struct dana_view){ text, strlen(text) } : nothing;
}

struct dana_view page_text(const struct dana_page *p)
{
	return p->doc ? view(p->doc->text) : nothing;
}

static struct dana_view record_text(const struct record *rec, enum dana_text_item item)
{
	switch (item) {
	case DANA_URL:
		return view(rec->target_uri);
	case DANA_DATE:
		return view_or_nothing(rec->date);
	case DANA_RECORD_ID:
		return view_or_nothing(rec->record_id);
	case DANA_RECORD_TYPE:
		return rec->type < RECORD_OTHER ? text_view(record_type_name(rec->type))
						: view_or_nothing(rec->type_name);
	case DANA_PAYLOAD_TYPE:
		return view_or_nothing(rec->payload_type);
	default:
		return nothing;
	}
}

struct dana_view page_text_item(const struct dana_page *p, enum dana_text_item item)
{
	const struct document *doc = p->doc;
	switch (item) {
	case DANA_FILE_NAME:
		return text_view(p->file);
	case DANA_CONTENT_TYPE:
		return view_or_nothing(p->http.type);
	case DANA_BODY_START:
		return p->stage == PAGE_MEDIA ? view(p->first) : nothing;
	case DANA_CHARSET:
		return doc ? text_view(doc->charset) : nothing;
	case DANA_METHOD:
		return doc ? text_view(doc->method) : nothing;
	case DANA_TITLE:
		return doc && doc->has_title
			       ? view(slice_of(doc->title.len ? doc->title.data : (const uint8_t *)"", doc->title.len))
			       : nothing;
	case DANA_PAGE_KIND:
		return doc ? text_view(doc->page_kind) : nothing;
	case DANA_LANGUAGE:
		return doc ? view_or_nothing(doc->language) : nothing;
	default:
		return record_text(p->record, item);
	}
}

static int64_t number(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static int64_t document_number(const struct document *doc, enum dana_number_item item)
{
	switch (item) {
	case DANA_LENGTH:
		return doc->length_known ? number(doc->length) : -1;
	case DANA_HTML_BYTES:
		return number(doc->html_bytes);
	case DANA_TEXT_CHARS:
		return number(doc->text_chars);
	case DANA_TRUNCATED:
		return (doc->problems & PROBLEM_TRUNCATED) != 0;
	default:
		return -1;
	}
}

int64_t page_number_item(const struct dana_page *p, enum dana_number_item item)
{
	switch (item) {
	case DANA_RECORD_NUMBER:
		return number(record_number(p->record));
	case DANA_OFFSET:
		return number(p->record->offset);
	case DANA_HTTP_STATUS:
		return p->stage >= PAGE_HTTP ? p->http.status : -1;
	default:
		return p->doc ? document_number(p->doc, item) : -1;
	}
}

struct dana_view page_warc_field(const struct dana_page *p, const char *name)
{
	for (size_t i = 0; i < p->record->n_fields; i++) {
		if (slice_is(p->record->fields[i].name, name))
			return view(p->record->fields[i].value);
	}
	return nothing;
}

struct dana_view page_http_field(const struct dana_page *p, const char *name)
{
	struct slice lines = p->http.lines;
	while (lines.len) {
		const uint8_t *end = memchr(lines.data, '\n', lines.len);
		const struct slice line = slice_first(lines, end ? (size_t)(end - lines.data) : lines.len);
		const uint8_t *colon = line.len ? memchr(line.data, ':', line.len) : NULL;
		const size_t len = colon ? (size_t)(colon - line.data) : 0;
		if (colon && slice_is(slice_trim(slice_of(line.data, len)), name))
			return view(slice_trim(slice_skip(line, len + 1)));
		lines = slice_skip(lines, line.len + 1);
	}
	return nothing;
}

/* ---- blocks ---- */

static void find_lines(struct page_lines *lines, struct slice s)
{
	size_t at = 0;
	buf_clear(&lines->starts);
	lines->known = true;
	while (at < s.len) {
		const uint8_t *end = memchr(s.data + at, '\n', s.len - at);
		buf_append(&lines->starts, &at, sizeof(at));
		at = end ? (size_t)(end - s.data) + 1 : s.len + 1;
	}
	buf_append(&lines->starts, &at, sizeof(at)); /* one byte beyond the end, as if another line followed */
}

static size_t line_count(const struct dana_page *p)
{
	if (!p->lines->known)
		find_lines(p->lines, p->doc->text);
	return buf_status(&p->lines->starts) < 0 || p->doc->text.len == 0 ? 0
									  : p->lines->starts.len / sizeof(size_t) - 1;
}

size_t page_block_count(const struct dana_page *p)
{
	if (!p->doc)
		return 0;
	return p->doc->blocks ? p->doc->n_blocks : line_count(p);
}

struct dana_block page_block(const struct dana_page *p, size_t index)
{
	struct dana_block b = { nothing, NULL, -1 };
	if (index >= page_block_count(p))
		return b;
	if (p->doc->blocks) {
		const struct dana_text_block *from = &p->doc->blocks[index];
		b.text = view(slice_of(p->doc->text.data + from->start, from->len));
		b.tag = from->tag;
		b.probability = (double)from->probability;
		return b;
	}
	size_t range[2];
	memcpy(range, p->lines->starts.data + index * sizeof(*range), sizeof(range));
	b.text = view(slice_of(p->doc->text.data + range[0], range[1] - 1 - range[0]));
	return b;
}

struct dana_view page_html(const struct dana_page *p)
{
	return p->doc && (p->now->def->flags & DANA_PLUGIN_HTML) ? view(p->doc->html) : nothing;
}

struct dana_view page_attached(const struct dana_page *p)
{
	return p->doc ? view(p->doc->attached) : nothing;
}
