/* SPDX-License-Identifier: MIT */
/*
 * Writes the text of a page, as text_writer.h promises: decodes references, joins blocks, collapses white space.
 *
 * White space is not written at once but remembered (`pending`), and written as one blank before the next
 * character of the same block; so blocks never begin or end with a blank. Example: the source " a &amp;\t b\n\n c"
 * becomes "a & b" LF "c".
 *
 * Plain bytes are copied in stretches, whose end is found 32 bytes at a time. At a limit the text is cut between
 * characters, and stays cut: shorter text that follows must not fill the rest.
 */
#include "extract/text_writer.h"

#include "base/cpu.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/entity.h"

enum { KEEP_BUFFER = 1 << 20 };

/* How a byte of text is handled. */
enum byte_kind {
	PLAIN,
	SPACE, /* white space: collapses */
	LINE,  /* TEXT_LINE: the same, a line end of the source */
	BREAK, /* LF: ends a block */
	AMP,   /* '&' */
	DROP,  /* control characters */
	NBSP,  /* 0xC2: may begin U+00A0 */
	KEEP,  /* TEXT_BLANK, TEXT_TAB: white space that may be kept, and later ones too */
	EMPTY, /* TEXT_EMPTY */
};

static enum byte_kind byte_kind(uint8_t c)
{
	static const uint8_t kinds[256] = {
		[0] = DROP,    [1] = DROP,         [2] = DROP,          [3] = DROP,           [4] = DROP,
		[5] = DROP,    [6] = DROP,         [7] = DROP,          [8] = DROP,           [TEXT_TAB] = KEEP,
		[10] = BREAK,  [TEXT_LINE] = LINE, [TEXT_BLANK] = KEEP, [TEXT_EMPTY] = EMPTY, [14] = DROP,
		[15] = DROP,   [16] = DROP,        [17] = DROP,         [18] = DROP,          [19] = DROP,
		[20] = DROP,   [21] = DROP,        [22] = DROP,         [23] = DROP,          [24] = DROP,
		[25] = DROP,   [26] = DROP,        [27] = DROP,         [28] = DROP,          [29] = DROP,
		[30] = DROP,   [31] = DROP,        [32] = SPACE,        [127] = DROP,         ['&'] = AMP,
		[0xC2] = NBSP,
	};
	return (enum byte_kind)kinds[c];
}

void text_writer_reset(struct text_writer *w, size_t max)
{
	buf_shrink(&w->out, KEEP_BUFFER);
	w->block_start = w->begun = 0;
	w->max = max;
	w->truncated = w->full = w->repaired = false;
	w->pending = PENDING_NONE;
	w->tabs = 0;
}

void text_writer_free(struct text_writer *w)
{
	buf_free(&w->out);
}

size_t text_writer_cell(struct text_writer *w, uint32_t tabs, bool joins)
{
	w->joins = joins && w->out.len;
	w->tabs = w->full ? 0 : tabs;
	return w->out.len + w->tabs - (w->tabs && w->joins);
}

/* Writes the tabs before the first characters of a cell; at a limit the text ends before them. */
static int put_tabs(struct text_writer *w)
{
	const uint32_t tabs = w->tabs;
	const size_t from = w->out.len - w->joins;
	w->tabs = 0;
	if (w->max && from + tabs >= w->max) {
		w->truncated = w->full = true;
		return DANA_OK;
	}
	const int status = buf_reserve(&w->out, tabs);
	if (status < 0)
		return status;
	memset(w->out.data + from, '\t', tabs);
	w->block_start = w->out.len = from + tabs;
	return DANA_OK;
}

/* Appends characters that are not white space. */
static int put(struct text_writer *w, const uint8_t *data, size_t len)
{
	if (w->tabs && put_tabs(w) < 0)
		return DANA_ENOMEM;
	if (w->full) /* later text must not fill the remaining room */
		return DANA_OK;
	size_t space = w->pending && w->out.len > w->block_start;
	if (space && w->pending == PENDING_LINE) /* none between characters of scripts without blanks */
		space = !utf8_lines_join(slice_skip(buf_slice(&w->out), w->block_start), slice_of(data, len));
	if (w->max && w->out.len + space + len > w->max) {
		w->truncated = w->full = true;
		size_t room = w->max > w->out.len ? w->max - w->out.len : 0;
		len = room > space ? room - space : 0;
		while (len && (data[len] & 0xC0) == 0x80)
			len--;
		if (len == 0)
			return DANA_OK;
	}
	int status = buf_reserve(&w->out, len + 1);
	if (status < 0)
		return status;
	if (space)
		w->out.data[w->out.len++] = ' ';
	w->pending = PENDING_NONE;
	memcpy(w->out.data + w->out.len, data, len);
	w->out.len += len;
	return DANA_OK;
}

/* Removes white space that was kept at the end of a block. */
static void drop_kept_space(struct text_writer *w)
{
	while (w->out.len > w->block_start &&
	       (w->out.data[w->out.len - 1] == ' ' || w->out.data[w->out.len - 1] == '\t'))
		w->out.len--;
}

int text_writer_break(struct text_writer *w)
{
	w->pending = PENDING_NONE;
	w->tabs = 0;
	drop_kept_space(w);
	if (w->out.len == w->block_start) {
		w->begun = w->out.len;
		return DANA_OK;
	}
	int status = buf_append_byte(&w->out, '\n');
	w->block_start = w->out.len;
	return status;
}

#ifdef CPU_PATHS_SSE2
#include "base/sse2.h"

/* Of 16 or 32 bytes, one bit each. */
struct plain_bits {
	uint32_t stops, blanks; /* bytes that are not plain, among them blanks */
};

static inline struct plain_bits plain_bits_sse2(const uint8_t *p)
{
	__m128i v;
	memcpy(&v, p, sizeof(v));
#define IS(byte) _mm_cmpeq_epi8(v, _mm_set1_epi8((char)(byte)))
	/* bytes up to 0x20: the maximum of the byte and 0x20 is 0x20 */
	const __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8(0x20)), _mm_set1_epi8(0x20));
	const __m128i odd = _mm_or_si128(_mm_or_si128(IS('&'), IS(0x7F)), IS(0xC2));
	return (struct plain_bits){ (uint32_t)_mm_movemask_epi8(_mm_or_si128(low, odd)),
				    (uint32_t)_mm_movemask_epi8(IS(' ')) };
#undef IS
}

/*
 * Returns the number of plain bytes from p on, of `most`, 16 or 32. A blank counts as plain if a plain byte follows
 * among them. 0xC2 counts as not plain here: the caller checks each one.
 */
static inline size_t plain_of(const uint8_t *p, unsigned most)
{
	struct plain_bits b = plain_bits_sse2(p);
	if (most == 32) {
		const struct plain_bits more = plain_bits_sse2(p + 16);
		b.stops |= more.stops << 16;
		b.blanks |= more.blanks << 16;
	}
	const uint64_t after = (uint64_t)1 << most, follows = (b.stops | after) >> 1;
	return (size_t)__builtin_ctzll((b.stops & ~b.blanks) | (b.blanks & follows) | after);
}
#endif

/* Returns the end of the stretch of plain bytes at data[i]; a single blank between two of them belongs to it. */
static size_t plain_end(const uint8_t *data, size_t i, size_t len)
{
#ifdef CPU_PATHS_SSE2
	const bool wide = cpu_level() >= CPU_SSE2;
#endif
	while (i < len) {
#ifdef CPU_PATHS_SSE2
		if (len - i >= 16 && wide) {
			const bool both = len - i >= 32;
			const size_t n = both ? plain_of(data + i, 32) : plain_of(data + i, 16);
			i += n;
			if (n >= (both ? 31 : 15))
				continue;
		}
#endif
		enum byte_kind kind = byte_kind(data[i]);
		bool plain = kind == PLAIN || (kind == NBSP && !(i + 1 < len && data[i + 1] == 0xA0)) ||
			     (data[i] == ' ' && i + 1 < len && byte_kind(data[i + 1]) == PLAIN);
		if (!plain)
			break;
		i++;
	}
	return i;
}

/* `lines`: U+000A ends a block; `kept`: TEXT_BLANK, TEXT_TAB and TEXT_EMPTY do not collapse. */
static int write_text(struct text_writer *w, struct slice text, bool references, bool lines, bool kept)
{
	size_t i = 0;
	int status = DANA_OK;
	while (i < text.len && status >= 0) {
		size_t taken = 1;
		enum byte_kind kind = byte_kind(text.data[i]);
		bool blank = kind == NBSP && i + 1 < text.len && text.data[i + 1] == 0xA0;
		if (kind == PLAIN || (kind == NBSP && !blank)) {
			taken = plain_end(text.data, i, text.len) - i;
			status = put(w, text.data + i, taken);
		} else if (blank || kind == SPACE || kind == LINE || (kind == BREAK && !lines) ||
			   (kind >= KEEP && !kept)) {
			const bool line = kind == BREAK || kind == LINE;
			const uint8_t white = blank ? PENDING_FIRM : line ? PENDING_LINE : PENDING_BLANK;
			w->pending = white > w->pending ? white : w->pending;
			taken += blank;
		} else if (kind == BREAK) {
			status = text_writer_break(w);
		} else if (kind == AMP && references) {
			uint8_t means[8];
			size_t len;
			taken = html_entity_decode(slice_skip(text, i), means, &len);
			/* a reference may mean white space, but never a break */
			if (taken && len == 1 && means[0] == '\n')
				means[0] = ' ';
			status = taken ? write_text(w, slice_of(means, len), false, true, false)
				       : put(w, text.data + i, 1);
			taken += taken == 0;
		} else if (kind == AMP) {
			status = put(w, text.data + i, 1);
		} else if (kind == KEEP) {
			uint8_t white[16];
			for (taken = 0;
			     i + taken < text.len && taken < sizeof(white) && byte_kind(text.data[i + taken]) == KEEP;
			     taken++)
				white[taken] = text.data[i + taken] == TEXT_TAB ? '\t' : ' ';
			status = put(w, white, taken);
		} else if (kind == EMPTY && w->begun < w->out.len) {
			status = text_writer_empty_line(w);
		}
		i += taken;
	}
	return status;
}

int text_writer_source(struct text_writer *w, struct slice text)
{
	return write_text(w, text, true, true, false);
}

int text_writer_kept(struct text_writer *w, struct slice text)
{
	return write_text(w, text, true, true, true);
}

int text_writer_wrapped(struct text_writer *w, struct slice text)
{
	return write_text(w, text, true, false, false);
}

int text_writer_plain(struct text_writer *w, struct slice text)
{
	return write_text(w, text, false, true, true);
}

int text_writer_empty_line(struct text_writer *w)
{
	if (w->full || w->out.len == 0 || w->out.len != w->block_start)
		return DANA_OK;
	w->block_start++;
	return buf_append_byte(&w->out, '\n');
}

int text_writer_finish(struct text_writer *w)
{
	drop_kept_space(w);
	while (w->out.len && w->out.len == w->block_start && w->out.data[w->out.len - 1] == '\n')
		w->block_start = --w->out.len; /* the last block's LF */
	w->pending = PENDING_NONE;
	if (w->truncated) /* cut at a limit that the caller counts in bytes */
		w->out.len = utf8_without_cut(buf_slice(&w->out));
	int status = utf8_mend(&w->out, 0, &w->repaired);
	if (w->max && w->out.len > w->max) { /* U+FFFD is longer than what it replaces */
		w->truncated = true;
		w->out.len = utf8_without_cut(slice_first(buf_slice(&w->out), w->max));
	}
	return status;
}
