/* SPDX-License-Identifier: MIT */
#include "extract/structure/page_log.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"

enum log_limit {
	LOG_BYTES = 64 << 20, /* of a page */
	LOG_ENTRIES = 1 << 21,
};

/* Memory of the longest page that is kept for the next one, in bytes and entries. */
enum { KEEP_BYTES = 4 << 20, KEEP_ENTRIES = 1 << 16 };

void page_log_free(struct page_log *log)
{
	buf_free(&log->copy);
	free(log->entry);
	log->entry = NULL;
	log->cap = 0;
}

void page_log_reset(struct page_log *log)
{
	buf_shrink(&log->copy, KEEP_BYTES);
	log->source = log->stays = slice_of(NULL, 0);
	if (log->cap > KEEP_ENTRIES) {
		free(log->entry);
		log->entry = NULL;
		log->cap = 0;
	}
	log->n = log->first_base = 0;
	log->to = 0;
	log->flags = 0;
	log->limit = LOG_BYTES;
	log->cut = log->borrowed = false;
}

/* Some bytes come from elsewhere, such as a character that was cut. */
int page_log_bytes(struct page_log *log, struct slice bytes)
{
	const size_t room = LOG_BYTES - log->source.len, len = log->source.len;
	const bool inside = (uintptr_t)bytes.data - (uintptr_t)log->stays.data < log->stays.len;
	log->cut |= bytes.len > room;
	bytes = slice_first(bytes, room);
	if (bytes.len == 0)
		return DANA_OK;
	if (inside && !log->borrowed) {
		const size_t at = (size_t)(bytes.data - log->stays.data);
		log->borrowed = at >= len && (len == 0 || memcmp(bytes.data - len, log->source.data, len) == 0);
		if (log->borrowed)
			log->source.data = bytes.data - len;
		else
			log->stays.len = 0;
	}
	if (log->borrowed) {
		const uint8_t *next = log->source.data + len;
		const size_t more = log->stays.len - (size_t)(next - log->stays.data);
		if (next == bytes.data || (bytes.len <= more && memcmp(next, bytes.data, bytes.len) == 0)) {
			log->source.len += bytes.len;
			return DANA_OK;
		}
		log->borrowed = false;
		log->stays.len = 0;
		buf_clear(&log->copy);
		buf_append(&log->copy, log->source.data, len);
	}
	int status = buf_append(&log->copy, bytes.data, bytes.len);
	log->source = buf_slice(&log->copy);
	return status;
}

/* Adds what is at start..end, after the text before it, unless there are as many entries as there may be. */
static int add(struct page_log *log, uint64_t start, uint64_t end, struct log_entry e)
{
	if (end > log->limit || log->n == LOG_ENTRIES) { /* it ends here: all that follows is left out */
		if (start < log->limit)
			log->limit = start;
		log->to = (uint32_t)log->limit;
		log->cut = true;
		return DANA_OK;
	}
	struct log_entry *more = grow_items(log->entry, log->n, &log->cap, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	log->entry = more;
	e.start = (uint32_t)start;
	e.end = (uint32_t)end;
	e.flags |= log->flags;
	log->entry[log->n++] = e;
	log->to = e.end;
	log->flags = 0;
	return DANA_OK;
}

/* Adds what is between the end of the log and `end`, and is neither text nor a tag. */
static int add_gap(struct page_log *log, uint64_t end)
{
	return add(log, log->to, end, (struct log_entry){ .flags = LOG_GAP });
}

/* Adds the tag start..end and the text directly before it, which begins at `text`. */
static int add_tag(struct page_log *log, uint64_t text, uint64_t start, uint64_t end, struct log_entry e)
{
	int status = text > log->to ? add_gap(log, text) : DANA_OK;
	if (status == DANA_OK)
		status = add(log, start, end, e);
	if (e.tag == HTML_TAG_BASE && !(e.flags & LOG_SKIPPED) && !log->first_base && log->to == end)
		log->first_base = log->n;
	return status;
}

int page_log_run(struct page_log *log, const struct html_run *run)
{
	const uint64_t end = run->offset + run->bytes.len;
	if (run->kind != HTML_TEXT)
		return DANA_OK;
	int status = run->offset > log->to ? add_gap(log, run->offset) : DANA_OK;
	log->to = (uint32_t)(end < log->limit ? end : log->limit);
	if (run->skipped && !run->raised && run->offset < log->limit)
		log->flags = LOG_TEXT_SKIPPED;
	return status;
}

int page_log_tag(struct page_log *log, const struct html_tag_event *event)
{
	const struct log_entry e = { .tag = event->tag,
				     .flags = (uint8_t)((event->closing ? LOG_CLOSING : 0) |
							(event->skipped ? LOG_SKIPPED : 0)),
				     .name_len = (uint8_t)event->name.len };
	return add_tag(log, event->start, event->start, event->end, e);
}

int page_log_rare_unit(struct page_log *log, const struct html_unit *unit)
{
	const struct log_entry e = { .tag = unit->tag,
				     .flags = unit->closing ? LOG_CLOSING : 0,
				     .name_len = (uint8_t)unit->name_len };
	return add_tag(log, unit->base + unit->text, unit->base + unit->code, unit->base + unit->end, e);
}

size_t page_log_at(const struct page_log *log, uint64_t place)
{
	size_t low = 0, high = log->n;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (log->entry[middle].end > place)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
