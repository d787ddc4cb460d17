/* SPDX-License-Identifier: MIT */
/*
 * DANA counts bytes above 127 for a page and all others against it, whether they are text or tags; R2L counts only
 * characters of right-to-left scripts as content and keeps only these, with one blank for everything between. Example:
 * "<p>ab \u05D0\u05D1" is 6 bytes of code and, in UTF-8, 4 of content.
 */
#include "extract/family/byte_counter.h"

#include "base/status.h"
#include "base/utf8.h"

/* Appends bytes, after a pending block break. */
static int append(struct byte_counter *b, const uint8_t *bytes, size_t len)
{
	int status = b->block_pending ? buf_append_byte(chain_selector_text(b->segments.chain), '\n') : DANA_OK;
	b->block_pending = false;
	return status < 0 ? status : segmenter_write(&b->segments, slice_of(bytes, len));
}

/* Keeps bytes, if they are visible text. */
static int keep(struct byte_counter *b, const uint8_t *bytes, size_t len)
{
	return b->kept ? append(b, bytes, len) : DANA_OK;
}

int byte_counter_white(struct byte_counter *b)
{
	struct slice white = held_space_take(&b->white);
	return append(b, white.data, white.len);
}

/* R2L keeps one blank for everything between two right-to-left characters. */
static int keep_blank(struct byte_counter *b)
{
	struct buf *text = chain_selector_text(b->segments.chain);
	bool needed = b->kept && (text->len == 0 || text->data[text->len - 1] != ' ');
	return needed ? buf_append_byte(text, ' ') : DANA_OK;
}

/* Counts ASCII bytes whose white space is already collapsed. */
static int count_ascii(struct byte_counter *b, const uint8_t *bytes, size_t len)
{
	struct segmenter *s = &b->segments;
	byte_counter_break(b);
	if (!b->kept)
		return segmenter_code(s, len);
	while (len) {
		int status = segmenter_make_room(s);
		if (status < 0)
			return status;
		uint64_t room = s->length - s->used;
		size_t part = len < room ? len : (size_t)room;
		status = b->only_r2l ? keep_blank(b) : keep(b, bytes, part);
		if (status < 0)
			return status;
		s->used += part;
		bytes += part;
		len -= part;
	}
	return DANA_OK;
}

/* True for right-to-left scripts: Hebrew to NKo, Arabic Extended-A, presentation forms. */
static bool is_r2l(uint32_t c)
{
	return (c >= 0x590 && c <= 0x77F) || (c >= 0x8A0 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
	       (c >= 0xFE70 && c <= 0xFEFE);
}

/* Counts one byte of a character above 127; characters may be cut anywhere. */
static int count_r2l_byte(struct byte_counter *b, uint8_t byte)
{
	struct segmenter *s = &b->segments;
	bool lead = (byte & 0xC0) != 0x80;
	int status = lead ? segmenter_make_room(s) : DANA_OK;
	if (status < 0)
		return status;
	s->used += lead || b->segments.bytes;
	if (lead)
		b->held = 0;
	if (b->held == sizeof(b->character))
		return DANA_OK;
	b->character[b->held++] = byte;
	if (b->held != utf8_length(b->character[0]))
		return DANA_OK;
	uint32_t c;
	utf8_decode(slice_of(b->character, b->held), &c);
	if (!is_r2l(c))
		return keep_blank(b);
	s->content += b->segments.bytes ? b->held : 1;
	return keep(b, b->character, b->held);
}

/* Counts bytes i..to of a run, some of them above 127, whose white space is already collapsed. */
static int count_mixed(struct byte_counter *b, const struct html_run *run, size_t i, size_t to)
{
	struct segmenter *s = &b->segments;
	const uint8_t *p = run->bytes.data;
	while (i < to) {
		int status;
		if (b->only_r2l || !b->segments.bytes) {
			size_t high = run_find(run, i, to, RUN_HIGH);
			status = high > i ? count_ascii(b, p + i, high - i) : DANA_OK;
			for (i = high; i < to && p[i] >= 0x80 && status >= 0; i++) {
				if (b->only_r2l) {
					status = count_r2l_byte(b, p[i]);
					continue;
				}
				bool lead = (p[i] & 0xC0) != 0x80;
				status = lead ? segmenter_make_room(s) : DANA_OK;
				s->used += lead;
				s->content += lead;
				if (status >= 0)
					status = keep(b, p + i, 1);
			}
		} else {
			status = (p[i] & 0xC0) != 0x80 ? segmenter_make_room(s) : DANA_OK;
			uint64_t room = s->used < s->length ? s->length - s->used : 0;
			size_t end = to - i < room ? to : i + (size_t)room;
			while (end < to && (p[end] & 0xC0) == 0x80)
				end++;
			s->used += end - i;
			s->content += run_count_high(run, i, end);
			if (status >= 0)
				status = keep(b, p + i, end - i);
			i = end;
		}
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

int byte_counter_reference(struct byte_counter *b, struct slice source, const struct reference *reference)
{
	const struct reference counted = reference_scanned(reference);
	int status = segmenter_make_room(&b->segments);
	segmenter_reference(&b->segments, &counted, reference_is_foreign(reference));
	return status < 0 ? status : keep(b, source.data, source.len);
}

int byte_counter_bytes(struct byte_counter *b, const struct html_run *run, size_t i, size_t to)
{
	if (run_find(run, i, to, RUN_HIGH) == to)
		return count_ascii(b, run->bytes.data + i, to - i);
	return count_mixed(b, run, i, to);
}

int byte_counter_blank(struct byte_counter *b)
{
	struct slice white = b->kept ? held_space_take(&b->white) : slice_of(NULL, 0);
	int status = count_ascii(b, white.len ? white.data : (const uint8_t *)" ", 1);
	return status < 0 || white.len < 2 ? status : append(b, white.data + 1, white.len - 1);
}

int byte_counter_text(struct byte_counter *b, const struct html_run *run, size_t i, size_t to)
{
	int status = DANA_OK;
	while (i < to && status >= 0) {
		size_t stop = b->kept ? run_find_control(run, i, to) : to;
		if (stop > i)
			status = byte_counter_bytes(b, run, i, stop);
		if (stop < to && status >= 0)
			status = byte_counter_blank(b);
		i = stop + 1;
	}
	return status;
}
