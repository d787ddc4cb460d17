/* SPDX-License-Identifier: MIT */
/*
 * Collapses white space across runs with a few flags, so that a page may be cut anywhere. Example: "<p> a <b>b</b> c"
 * gives block, "a ", "b", " ", "c": the blank at the block's start is left out, and that before "c" counts once.
 */
#include "extract/family/content_stream.h"

#include "base/status.h"
#include "extract/html/tokenizer.h"

struct html_run tag_counted(struct tag_progress *tag, const struct html_run *run)
{
	const bool link = run->tag == HTML_TAG_A && !run->skipped;
	const uint64_t limit = link ? tag->limits->link : tag->limits->tag;
	struct html_run counted = *run;
	if (run->first)
		tag->at = 0;
	const uint64_t left = tag->at < limit ? limit - tag->at : 0;
	tag->at += run->bytes.len;
	if (counted.bytes.len > left)
		counted.bytes.len = (size_t)left;
	return counted;
}

void content_stream_reset(struct content_stream *s)
{
	s->block_pending = s->after_space = true;
	s->unit_seen = s->unit_space = s->lone_space = s->code_space = false;
	s->last = 0;
	held_space_clear(&s->held);
}

static int begin_block(struct content_stream *s)
{
	bool begins = s->block_pending;
	s->block_pending = false;
	return begins ? s->sink.block(s->sink.arg) : DANA_OK;
}

static int emit(struct content_stream *s, struct slice bytes, size_t chars, bool ascii)
{
	int status = begin_block(s);
	return status < 0 ? status : s->sink.content(s->sink.arg, bytes, chars, ascii);
}

/* `white`: ' ' or TEXT_LINE. */
static int emit_blank(struct content_stream *s, uint8_t white)
{
	static const uint8_t blank = ' ', line = TEXT_LINE;
	s->after_space = true;
	return emit(s, slice_of(white == TEXT_LINE ? &line : &blank, 1), 1, true);
}

/* Emits white space that does not collapse, before a word: its first character may count, as a blank would. */
static int emit_held(struct content_stream *s, bool counts)
{
	struct slice white = held_space_take(&s->held);
	int status = counts ? emit(s, slice_first(white, 1), 1, true) : begin_block(s);
	white = slice_skip(white, counts);
	return status < 0 || !white.len ? status : s->sink.space(s->sink.arg, white);
}

/* At the first byte of a text that is not white space: decides about the white space before it. */
static int unit_starts(struct content_stream *s)
{
	s->unit_seen = true;
	bool lone = s->lone_space, blank = s->unit_space && !s->after_space;
	s->lone_space = false;
	if (s->held.len)
		return emit_held(s, blank);
	if (blank)
		return emit_blank(s, ' ');
	return lone && !s->after_space ? s->sink.space(s->sink.arg, slice_of((const uint8_t *)" ", 1)) : DANA_OK;
}

/* A byte of a text comes that is not white space. */
static int word_begins(struct content_stream *s, bool collapses)
{
	int status = DANA_OK;
	if (!s->unit_seen)
		status = unit_starts(s);
	else if (s->held.len)
		status = emit_held(s, false);
	if (!collapses)
		held_space_clear(&s->held);
	return status;
}

/* Emits bytes without line breaks or adjacent white space that do not begin with white space. */
static inline __attribute__((always_inline)) int emit_words(struct content_stream *s, const struct html_run *run,
							    size_t from, size_t to)
{
	struct html_run part = *run;
	part.at += from;
	part.bytes = slice_of(run->bytes.data + from, to - from);
	bool ascii = run_find(run, from, to, RUN_HIGH) == to;
	size_t chars = ascii ? part.bytes.len : html_run_sum(&part, false).chars;
	s->after_space = run_space_at(run, to - 1);
	return emit(s, part.bytes, chars, ascii);
}

/* Takes a text in which white space does not collapse: each word, with the white space before it. */
static int kept_run(struct content_stream *s, const struct html_run *run)
{
	int status = DANA_OK;
	for (size_t i = 0, len = run->bytes.len, to; i < len && status >= 0; i = to) {
		bool space = run_space_at(run, i);
		to = run_find(run, i, len, space ? RUN_OTHER : RUN_SPACE);
		if (space) {
			/* take white space from..to that does not collapse. The part that counts, the first character
			 * after a word, is emitted at once. */
			size_t from = i;
			status = DANA_OK;
			if (s->unit_seen && !s->after_space) {
				held_space_add(&s->held, run->bytes.data[from++], run->space);
				status = emit_held(s, true);
				s->after_space = true;
			}
			while (from < to)
				held_space_add(&s->held, run->bytes.data[from++], run->space);
			s->unit_space |= !s->unit_seen;
			continue;
		}
		status = word_begins(s, false);
		if (status >= 0)
			status = emit_words(s, run, i, to);
	}
	return status;
}

static int text_run(struct content_stream *s, const struct html_run *run)
{
	if (run->space != WHITE_SPACE_COLLAPSES)
		return kept_run(s, run);
	size_t i = 0, len = run->bytes.len;
	int status = DANA_OK;
	while (i < len && status >= 0) {
		if (run_space_at(run, i)) {
			const uint8_t white = text_collapsed(run->bytes.data[i], i ? run->bytes.data[i - 1] : s->last);
			i = run_find(run, i, len, RUN_OTHER);
			if (!s->unit_seen)
				s->unit_space = true;
			else if (!s->after_space)
				status = emit_blank(s, white);
			continue;
		}
		if (!s->unit_seen)
			status = unit_starts(s);
		size_t to = run_find_double_space(run, i);
		while (i < to && status >= 0) { /* line breaks between words become blanks */
			size_t stop = run_find_control(run, i, to);
			if (stop > i)
				status = emit_words(s, run, i, stop);
			if (stop < to && status >= 0)
				status = emit_blank(
					s, text_collapsed(run->bytes.data[stop], stop ? run->bytes.data[stop - 1] : 0));
			i = stop + 1;
		}
		i = to;
	}
	s->last = len ? run->bytes.data[len - 1] : s->last;
	return status;
}

int content_stream_reference(struct content_stream *s, const struct html_run *run, const struct reference *reference)
{
	int status = word_begins(s, run->space == WHITE_SPACE_COLLAPSES);
	s->after_space = false;
	s->last = 0;
	if (status >= 0)
		status = begin_block(s);
	return status < 0 ? status : s->sink.reference(s->sink.arg, run->bytes, reference);
}

void content_stream_unit_end(struct content_stream *s)
{
	if (s->unit_space && !s->unit_seen)
		s->lone_space = true;
	s->unit_seen = s->unit_space = false;
	s->last = 0;
}

int content_stream_run(struct content_stream *s, const struct html_run *run)
{
	if (run->kind == HTML_TEXT)
		return run->skipped ? DANA_OK : text_run(s, run);
	content_stream_unit_end(s);
	if (run->kind == HTML_HIDDEN || run->skipped)
		return DANA_OK;
	if (run->first)
		s->code_space = false;
	const struct html_run counted = tag_counted(&s->tag, run);
	struct html_run_count sum = html_run_sum(&counted, s->code_space);
	s->code_space = run_space_at(run, run->bytes.len - 1);
	return s->sink.code(s->sink.arg, (s->bytes ? counted.bytes.len : sum.chars) - sum.spaces);
}

int content_stream_tag(struct content_stream *s, const struct html_tag_event *event)
{
	bool script = event->tag == HTML_TAG_SCRIPT || event->tag == HTML_TAG_STYLE;
	bool block = !event->skipped && !script && !html_tag_is(event->tag, TAG_INLINE);
	int status = DANA_OK;
	if (block) {
		s->block_pending = s->after_space = true;
		s->lone_space = false;
	} else if (event->space != WHITE_SPACE_COLLAPSES) {
		return DANA_OK;
	} else if (s->held.len) {
		/* emit held white space without waiting for a word: white space collapses from here on, and a stretch
		 * may follow */
		status = s->block_pending ? s->sink.space(s->sink.arg, slice_of((const uint8_t *)"\n", 1)) : DANA_OK;
		s->block_pending = s->lone_space = false;
		status = status < 0 ? status : s->sink.space(s->sink.arg, held_space_take(&s->held));
	}
	held_space_clear(&s->held);
	return status;
}
