/* SPDX-License-Identifier: MIT */
#include "dedup/page_lines.h"

#include "base/grow.h"
#include "base/status.h"

uint64_t line_scope(struct slice site)
{
	uint64_t hash = hash64(site);

	return hash ? hash : LINE_SCOPE_ALL;
}

static int add_line(struct page_lines *lines, struct text_hasher *hasher, struct slice line, size_t start,
		    uint64_t scope)
{
	struct page_line *items = grow_items(lines->items, lines->n, &lines->cap, sizeof(*items));
	uint64_t hash;
	size_t chars;

	if (!items)
		return DANA_ENOMEM;
	lines->items = items;
	int status = line_hash(hasher, line, scope, &hash, &chars);
	if (status < 0)
		return status;
	items[lines->n++] = (struct page_line){ .key = chars ? hash | (hash == 0) : 0,
						.start = (uint32_t)start,
						.len = (uint32_t)line.len,
						.chars = (uint32_t)chars };
	lines->chars += chars;
	return DANA_OK;
}

int page_lines_add(struct page_lines *lines, struct text_hasher *hasher, struct slice text, uint64_t scope)
{
	int status = DANA_OK;

	for (size_t start = 0; start < text.len && status == DANA_OK;) {
		const uint8_t *end = memchr(text.data + start, '\n', text.len - start);
		size_t len = end ? (size_t)(end - text.data) - start : text.len - start;
		status = add_line(lines, hasher, slice_of(text.data + start, len), start, scope);
		start += len + 1;
	}
	return status;
}

void page_lines_clear(struct page_lines *lines)
{
	lines->n = 0;
	lines->chars = 0;
}

void page_lines_free(struct page_lines *lines)
{
	free(lines->items);
	*lines = (struct page_lines){ 0 };
}

int page_lines_left(const struct page_lines *lines, struct slice text, struct buf *out)
{
	bool first = true;

	for (size_t i = 0; i < lines->n; i++) {
		const struct page_line *line = &lines->items[i];
		if (line->mark)
			continue;
		if (!first)
			buf_append_byte(out, '\n');
		buf_append(out, text.data + line->start, line->len);
		first = false;
	}
	return buf_status(out);
}
