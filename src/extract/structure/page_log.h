/* SPDX-License-Identifier: MIT */
/*
 * The source of a page and where its tags are, in twelve bytes a tag: all that is kept of it before the method has said
 * which part matters (structure.c). Little is kept of a page, so that reading attributes and copying text of all of it
 * would cost far more. The same page gives the same log, however it is cut. Errors: DANA_ENOMEM.
 *
 * Example: "a<b>c<!--d-->" has the entries <b> and the gap "<!--d-->".
 */
#ifndef DANA_EXTRACT_STRUCTURE_PAGE_LOG_H
#define DANA_EXTRACT_STRUCTURE_PAGE_LOG_H

#include "base/buf.h"
#include "extract/html/tokenizer.h"

enum log_flag {
	LOG_CLOSING = 1 << 0,
	LOG_SKIPPED = 1 << 1,      /* as html_tag_event.skipped */
	LOG_TEXT_SKIPPED = 1 << 2, /* the text before it is in a skipped element */
	LOG_GAP = 1 << 3,          /* not a tag, but comments, declarations, the content of a script */
};

struct log_entry {
	uint32_t start, end; /* places in the source; text is what no entry covers */
	uint8_t tag, flags, name_len;
};

struct page_log {
	struct slice source; /* the bytes so far: in `stays` if they are `borrowed`, else in `copy` */
	struct slice stays;  /* memory that stays as it is until the page ends; empty: nothing stays */
	bool borrowed;
	struct buf copy;
	struct log_entry *entry;
	size_t n, cap;
	uint32_t to;       /* the end of what is logged */
	uint8_t flags;     /* LOG_TEXT_SKIPPED: of the text at its end */
	size_t first_base; /* number of the entry after the first <base>; 0: the page has none */
	uint64_t limit;    /* what ends after it is not logged */
	bool cut;          /* the page is longer */
};

/** Prepares for a page; keeps memory. */
void page_log_reset(struct page_log *log);
/** Adds bytes of the page; before their events. */
int page_log_bytes(struct page_log *log, struct slice bytes);
/** These take the tokeniser's events. */
int page_log_run(struct page_log *log, const struct html_run *run);
int page_log_tag(struct page_log *log, const struct html_tag_event *event);
/** page_log_unit where it is not the common case. */
int page_log_rare_unit(struct page_log *log, const struct html_unit *unit);
/** Writes an entry member by member: read as a whole right after it is made, it would be waited for. */
static inline int page_log_unit(struct page_log *log, const struct html_unit *unit)
{
	const uint64_t text = unit->base + unit->text, end = unit->base + unit->end;
	if (text != log->to || log->n == log->cap || end > log->limit || log->flags || unit->tag == HTML_TAG_BASE)
		return page_log_rare_unit(log, unit);
	struct log_entry *e = &log->entry[log->n++];
	e->start = (uint32_t)(unit->base + unit->code);
	e->end = log->to = (uint32_t)end;
	e->tag = unit->tag;
	e->flags = unit->closing ? LOG_CLOSING : 0;
	e->name_len = (uint8_t)unit->name_len;
	return 0;
}
void page_log_free(struct page_log *log);
/** Returns the bytes from..to of the source. */
static inline struct slice page_log_part(const struct page_log *log, uint32_t from, uint32_t to)
{
	return slice_of(log->source.data + from, to - from);
}

/** Returns the number of the first entry that ends after a place of the page. */
size_t page_log_at(const struct page_log *log, uint64_t place);
/** Returns the event of an entry that is a tag. */
static inline struct html_tag_event page_log_event(const struct page_log *log, const struct log_entry *e)
{
	const bool closing = e->flags & LOG_CLOSING;
	const uint32_t len = e->end - e->start;
	return (struct html_tag_event){ .tag = e->tag,
					.closing = closing,
					.skipped = e->flags & LOG_SKIPPED,
					.name = slice_of(log->source.data + e->start + 1 + closing, e->name_len),
					.source = slice_of(log->source.data + e->start,
							   len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES),
					.start = e->start,
					.end = e->end };
}

#endif
