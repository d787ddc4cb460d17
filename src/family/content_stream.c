/* SPDX-License-Identifier: MIT */
/*
 * Collapses white space across runs with a few flags, so that a page may be cut anywhere. Example: "<p> a <b>b</b>  c"
 * is told as block, "a ", "b", " ", "c": the blank at the block's start is left out, and that before "c" counts once.
 */
#include "family/content_stream.h"

#include "base/status.h"
#include "html/run_scan.h"

void content_stream_reset(struct content_stream *s)
{
	s->block_pending = s->after_space = true;
	s->unit_seen = s->unit_space = s->lone_space = s->code_space = false;
}

static int emit(struct content_stream *s, struct slice bytes, size_t chars, bool ascii)
{
	if (s->block_pending) {
		s->block_pending = false;
		int status = s->sink.block(s->sink.arg);
		if (status < 0)
			return status;
	}
	return s->sink.content(s->sink.arg, bytes, chars, ascii);
}

static int emit_blank(struct content_stream *s)
{
	s->after_space = true;
	return emit(s, slice_of((const uint8_t *)" ", 1), 1, true);
}

/* The first byte of a text that is no white space: what stood before it is decided now. */
static int unit_starts(struct content_stream *s)
{
	s->unit_seen = true;
	bool lone = s->lone_space;
	s->lone_space = false;
	if (s->after_space)
		return DANA_OK;
	if (s->unit_space)
		return emit_blank(s);
	return lone ? s->sink.blank(s->sink.arg) : DANA_OK;
}

/* Bytes without two white space bytes in a row and without line breaks, which do not begin with white space. */
static int emit_words(struct content_stream *s, const struct html_run *run, size_t from, size_t to)
{
	struct html_run part = *run;
	part.at += from;
	part.bytes = slice_of(run->bytes.data + from, to - from);
	bool ascii = run_find(run, from, to, RUN_HIGH) == to;
	size_t chars = ascii ? part.bytes.len : html_run_sum(&part, false).chars;
	s->after_space = run_space_at(run, to - 1);
	return emit(s, part.bytes, chars, ascii);
}

/* The same with line breaks between words, which become blanks. */
static int emit_stretch(struct content_stream *s, const struct html_run *run, size_t from, size_t to)
{
	int status = DANA_OK;
	while (from < to && status >= 0) {
		size_t stop = run_find_control(run, from, to);
		if (stop > from)
			status = emit_words(s, run, from, stop);
		if (stop < to && status >= 0)
			status = emit_blank(s);
		from = stop + 1;
	}
	return status;
}

static int text_run(struct content_stream *s, const struct html_run *run)
{
	size_t i = 0, len = run->bytes.len;
	int status = DANA_OK;
	while (i < len && status >= 0) {
		if (run_space_at(run, i)) {
			i = run_find(run, i, len, RUN_OTHER);
			if (!s->unit_seen)
				s->unit_space = true;
			else if (!s->after_space)
				status = emit_blank(s);
			continue;
		}
		if (!s->unit_seen)
			status = unit_starts(s);
		size_t to = run_find_double_space(run, i);
		if (status >= 0)
			status = emit_stretch(s, run, i, to);
		i = to;
	}
	return status;
}

void content_stream_unit_end(struct content_stream *s)
{
	if (s->unit_space && !s->unit_seen)
		s->lone_space = true;
	s->unit_seen = s->unit_space = false;
}

int content_stream_run(struct content_stream *s, const struct html_run *run)
{
	if (run->kind == HTML_TEXT)
		return run->skipped ? DANA_OK : text_run(s, run);
	content_stream_unit_end(s);
	if (run->kind == HTML_VOID || run->skipped)
		return DANA_OK;
	if (run->first)
		s->code_space = false;
	struct html_run_count sum = html_run_sum(run, s->code_space);
	s->code_space = run_space_at(run, run->bytes.len - 1);
	return s->sink.code(s->sink.arg, (s->bytes ? run->bytes.len : sum.chars) - sum.spaces);
}

void content_stream_tag(struct content_stream *s, const struct html_tag_event *event)
{
	if (event->skipped || html_tag_is(event->tag, TAG_INLINE))
		return;
	if (event->tag == HTML_TAG_SCRIPT || event->tag == HTML_TAG_STYLE)
		return;
	s->block_pending = s->after_space = true;
	s->lone_space = false;
}
