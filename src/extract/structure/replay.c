/* SPDX-License-Identifier: MIT */
/*
 * The part begins and ends at tags that divide text, outside of tables and blocks of code, since these are judged as
 * wholes. It ends after the first text that the method does not keep.
 */
#include "extract/structure/replay.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/method/method.h"
#include "extract/structure/recorder.h"

/* Blocks before what is kept: more than headings may be from it (keep.c), since some turn out to hold no text. */
enum { BLOCKS_BEFORE = 6 };

/* Returns where text before an entry begins. */
static uint32_t text_before(const struct page_log *log, size_t entry)
{
	return entry ? log->entry[entry - 1].end : 0;
}

static bool divides(const struct log_entry *e)
{
	return !(e->flags & (LOG_GAP | LOG_SKIPPED)) && html_tag_is(e->tag, TAG_SPLITS);
}

static bool is_blank(struct slice text)
{
	while (text.len && ascii_is_space(text.data[0]))
		text = slice_skip(text, 1);
	return text.len == 0;
}

/* Returns the entry that is some blocks of text before `entry`. */
static uint32_t blocks_before(const struct page_log *log, size_t entry)
{
	unsigned blocks = 0;
	bool text = false;
	for (; entry > 0; entry--) {
		const struct log_entry *e = &log->entry[entry - 1];
		if (divides(e)) {
			blocks += text;
			text = false;
			if (blocks == BLOCKS_BEFORE)
				break;
		}
		text |= !(e->flags & LOG_TEXT_SKIPPED) &&
			!is_blank(page_log_part(log, text_before(log, entry - 1), e->start));
	}
	return (uint32_t)entry;
}

struct replay_part replay_part_of(const struct page_log *log, struct slice spans)
{
	const size_t count = spans.len / sizeof(struct method_span);
	uint64_t from = UINT64_MAX, to = 0;
	for (size_t i = 0; i < count; i++) {
		struct method_span span;
		memcpy(&span, spans.data + i * sizeof(span), sizeof(span));
		if (span.fate == SPAN_DROPPED)
			continue;
		from = span.from < from ? span.from : from;
		to = span.to;
	}
	return (struct replay_part){ blocks_before(log, page_log_at(log, from)), to };
}

static int take(struct recorder *r, const struct page_log *log, const struct log_entry *e)
{
	if (e->flags & LOG_GAP)
		return recorder_gap(r, page_log_part(log, e->start, e->end));
	const struct html_tag_event event = page_log_event(log, e);
	return recorder_tag(r, &event);
}

static int take_text(struct recorder *r, const struct page_log *log, uint32_t from, uint32_t to, unsigned flags)
{
	return from == to ? DANA_OK : recorder_text(r, page_log_part(log, from, to), from, flags & LOG_TEXT_SKIPPED);
}

/* Takes what comes after the last tag. */
static int take_rest(struct recorder *r, const struct page_log *log)
{
	const uint32_t end = log->limit < log->source.len ? (uint32_t)log->limit : (uint32_t)log->source.len;
	int status = take_text(r, log, text_before(log, log->n), log->to, log->flags);
	return status < 0 || end <= log->to ? status : recorder_gap(r, page_log_part(log, log->to, end));
}

int replay(struct recorder *r, const struct page_log *log, const struct replay_part *part, bool *begun,
	   struct structure_page **page)
{
	recorder_reset(r, log->source.data + log->source.len);
	recorder_pass(r, log, part->from);
	const uint32_t from = recorder_pass_back(r, log, part->from);
	uint32_t text = from < part->from ? log->entry[from].start : text_before(log, from);
	int status = recorder_resume(r, log);
	size_t i = from;
	*begun = from == 0;
	for (; i < log->n && status == DANA_OK; i++) {
		const struct log_entry *e = &log->entry[i];
		status = take_text(r, log, text, e->start, e->flags);
		if (status == DANA_OK)
			status = take(r, log, e);
		text = e->end;
		if (e->start >= part->to && divides(e) && recorder_may_end(r, part->to))
			break;
	}
	if (i == log->n && status == DANA_OK)
		status = take_rest(r, log);
	if (status == DANA_OK)
		status = recorder_finish(r, page);
	return status < 0 ? status : recorder_page_facts(r, log);
}
