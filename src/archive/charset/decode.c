/* SPDX-License-Identifier: MIT */
/*
 * Decoders of the WHATWG Encoding standard, one for each kind of charset: single bytes, two-byte tables, GB 18030, EUC,
 * Shift_JIS, ISO-2022-JP, UTF-16. Each is a function that reads one character; what a piece of the page cuts is kept in
 * the decoder. Example: in Big5 the bytes A4 A4 are U+4E2D; A4 alone at the end of a piece waits for the next one.
 */
#include "archive/charset/decode.h"

#include <errno.h>

#include "archive/charset/indexes.h"
#include "base/ascii.h"
#include "base/utf8.h"

int decoder_flush(struct decoder *d)
{
	size_t len = d->len;
	d->len = 0;
	return len ? byte_sink_write(d->next, slice_of(d->out, len)) : 0;
}

static inline int put(struct decoder *d, const uint8_t *data, size_t len)
{
	int status = len > OUTPUT_ROOM - d->len || len >= OUTPUT_LONG ? decoder_flush(d) : 0;
	if (status)
		return status;
	if (len >= OUTPUT_LONG)
		return byte_sink_write(d->next, slice_of(data, len));
	if (len)
		memcpy(d->out + d->len, data, len);
	d->len += len;
	return 0;
}

int decoder_put(struct decoder *d, struct slice utf8)
{
	return put(d, utf8.data, utf8.len);
}

/* Writes U+FFFD for bytes that cannot be decoded. */
static int replace(struct decoder *d)
{
	d->bad++;
	return put(d, (const uint8_t *)"\xEF\xBF\xBD", 3);
}

/*
 * Charsets with several bytes a character (WHATWG Encoding, sections 10 to 14): a step for each charset, and a loop
 * over a piece, into which the compiler puts the step. A step looks at the front of some bytes and decodes one
 * character. Its answer depends on these bytes alone, and it wants more only if they are the beginning of a longer
 * character; therefore the pieces of a text do not matter.
 */
#define STEP static inline __attribute__((always_inline))

enum {
	STEP_ROOM = 4,  /* bytes that a step may write */
	ASCII_FEW = 16, /* a stretch of ASCII that is longer is passed on as a whole */
};

/* used 0: more bytes are needed; put 0: the used bytes are not a character. */
struct step {
	uint32_t used, put;
};

/* Decodes the character at `p`, of which `len` (not 0) bytes are there; writes UTF-8 to `to`. */
typedef struct step step_function(const uint8_t *p, size_t len, uint8_t *to);

static const struct step step_cut = { 0, 0 };

/* Returns the step that wrote a code point of the basic plane from U+0080 on, no surrogate. */
STEP struct step step_put(uint32_t used, uint32_t c, uint8_t *to)
{
	if (c < 0x800) {
		to[0] = (uint8_t)(0xC0 | c >> 6);
		to[1] = (uint8_t)(0x80 | (c & 63));
		return (struct step){ used, 2 };
	}
	to[0] = (uint8_t)(0xE0 | c >> 12);
	to[1] = (uint8_t)(0x80 | (c >> 6 & 63));
	to[2] = (uint8_t)(0x80 | (c & 63));
	return (struct step){ used, 3 };
}

/* The same of any code point but surrogates. */
STEP struct step step_put_any(uint32_t used, uint32_t c, uint8_t *to)
{
	if (c < 0x80) {
		to[0] = (uint8_t)c;
		return (struct step){ used, 1 };
	}
	return c < 0x10000 ? step_put(used, c, to) : (struct step){ used, (uint32_t)utf8_put(c, to) };
}

STEP struct step step_fault(uint32_t used)
{
	return (struct step){ used, 0 };
}

/* Of a lead byte, after which `second` makes no character: if that is ASCII, it is a character by itself. */
STEP struct step step_fault_pair(uint8_t second)
{
	return step_fault(second < 0x80 ? 1 : 2);
}

STEP bool within(uint8_t c, uint8_t low, uint8_t high)
{
	return (uint8_t)(c - low) <= (uint8_t)(high - low);
}

/*
 * Takes steps over `bytes` until they end or begin with much ASCII, a step is not a character (which is returned in
 * *last and not taken), or the room in d->out ends.
 */
STEP void steps_run(struct slice *bytes, struct decoder *d, step_function *step, bool ascii, struct step *last)
{
	const uint8_t *p = bytes->data, *end = p + bytes->len;
	uint8_t *to = d->out + d->len, *limit = d->out + OUTPUT_ROOM - STEP_ROOM;
	unsigned few = 0;
	*last = (struct step){ 1, 1 };
	while (p < end && to <= limit) {
		if (ascii && *p < 0x80) {
			if (++few > ASCII_FEW)
				break;
			*to++ = *p++;
			continue;
		}
		few = 0;
		*last = step(p, (size_t)(end - p), to);
		if (last->put == 0)
			break;
		p += last->used;
		to += last->put;
	}
	d->len = (size_t)(to - d->out);
	*bytes = slice_of(p, (size_t)(end - p));
}

/* Decodes `bytes` but for a character that is cut at their end, which remains in them. */
STEP int steps_take(struct slice *bytes, struct decoder *d, step_function *step, bool ascii)
{
	int status = 0;
	while (bytes->len && status == 0) {
		struct step last;
		size_t n = 0;
		if (OUTPUT_ROOM - d->len < STEP_ROOM)
			status = decoder_flush(d);
		if (status)
			break;
		steps_run(bytes, d, step, ascii, &last);
		if (last.put == 0) {
			if (last.used == 0)
				break;
			n = last.used;
			status = replace(d);
		} else if (ascii) {
			n = ascii_run(bytes->data, bytes->len);
			status = put(d, bytes->data, n);
		}
		*bytes = slice_skip(*bytes, n);
	}
	return status;
}

/* Decodes a piece. `ascii`: bytes below 0x80 are ASCII unless a step uses them. */
STEP int steps_write(struct decoder *d, struct slice bytes, step_function *step, bool ascii)
{
	int status = 0;
	while (d->n_held && bytes.len && status == 0) {
		d->held[d->n_held++] = bytes.data[0];
		bytes = slice_skip(bytes, 1);
		struct slice rest = slice_of(d->held, d->n_held);
		status = steps_take(&rest, d, step, ascii);
		memmove(d->held, rest.data, rest.len);
		d->n_held = rest.len;
	}
	if (status == 0)
		status = steps_take(&bytes, d, step, ascii);
	if (status == 0 && bytes.len) {
		memcpy(d->held, bytes.data, bytes.len);
		d->n_held = bytes.len;
	}
	return status;
}

/* Half of a pair of surrogates is a fault of its two bytes. */
STEP struct step utf16_step(const uint8_t *p, size_t len, uint8_t *to, bool little)
{
	if (len < 2)
		return step_cut;
	uint32_t c = p[!little] | (uint32_t)p[little] << 8;
	if (c < 0xD800 || c > 0xDFFF)
		return step_put_any(2, c, to);
	if (c > 0xDBFF)
		return step_fault(2);
	if (len < 4)
		return step_cut;
	uint32_t low = p[2 + !little] | (uint32_t)p[2 + little] << 8;
	if (low < 0xDC00 || low > 0xDFFF)
		return step_fault(2);
	return step_put_any(4, 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00), to);
}

STEP struct step utf16be_step(const uint8_t *p, size_t len, uint8_t *to)
{
	return utf16_step(p, len, to, false);
}

STEP struct step utf16le_step(const uint8_t *p, size_t len, uint8_t *to)
{
	return utf16_step(p, len, to, true);
}

enum {
	GB_TRAILS = 190,
	BIG5_TRAILS = 157,
	SJIS_TRAILS = 188,
	EUC_TRAILS = 94,
	EUC_KR_TRAILS = 190,
	WIDEST_RANGE = 174,        /* more than a third of all, hangul among them: tried first */
	HALFWIDTH = 0xFF61 - 0xA1, /* katakana of half width are one byte */
	/* Pointers that belong to whoever uses them are U+E000 to U+E757. */
	PRIVATE_FIRST = 8836,
	PRIVATE_LAST = 10715,
};

/* Returns the code point of a character of four bytes, 0 if the index has no such character. */
static uint32_t gb18030_range(uint32_t pointer)
{
	const struct index_range *widest = &index_gb18030_ranges[WIDEST_RANGE];
	size_t low = 0, high = INDEX_GB18030_RANGES;
	if (pointer >= widest[0].pointer && pointer < widest[1].pointer)
		return widest->first + (pointer - widest->pointer);
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (index_gb18030_ranges[middle].pointer <= pointer)
			low = middle;
		else
			high = middle;
	}
	const struct index_range *range = &index_gb18030_ranges[low];
	return range->first ? range->first + (pointer - range->pointer) : 0;
}

/* Lead byte, digit, lead byte, digit. Where that breaks off the first byte alone is a fault. */
static struct step gb18030_four(const uint8_t *p, size_t len, uint8_t *to)
{
	if (len < 3)
		return step_cut;
	if (!within(p[2], 0x81, 0xFE))
		return step_fault(1);
	if (len < 4)
		return step_cut;
	if (!within(p[3], '0', '9'))
		return step_fault(1);
	uint32_t second = p[1] - (uint32_t)'0', third = p[2] - 0x81U, fourth = p[3] - (uint32_t)'0';
	uint32_t c = gb18030_range((((p[0] - 0x81U) * 10 + second) * 126 + third) * 10 + fourth);
	return c ? step_put_any(4, c, to) : step_fault(4);
}

/* gbk is decoded as gb18030. */
STEP struct step gb18030_step(const uint8_t *p, size_t len, uint8_t *to)
{
	if (p[0] == 0x80)
		return step_put(1, 0x20AC, to);
	if (p[0] == 0xFF)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];
	if (within(trail, '0', '9'))
		return gb18030_four(p, len, to);
	if (trail < 0x40 || trail == 0x7F || trail == 0xFF)
		return step_fault_pair(trail);
	return step_put(2, index_gb18030[(p[0] - 0x81U) * GB_TRAILS + trail - (trail < 0x7F ? 0x40U : 0x41U)], to);
}

/* Four pointers without a code point are a letter and a mark: E with circumflex, and macron or caron. */
static struct step big5_other(uint32_t pointer, uint8_t trail, uint8_t *to)
{
	static const struct {
		uint16_t pointer, letter, mark;
	} pairs[] = { { 1133, 0xCA, 0x304 }, { 1135, 0xCA, 0x30C }, { 1164, 0xEA, 0x304 }, { 1166, 0xEA, 0x30C } };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pointer == pairs[i].pointer) {
			step_put(2, pairs[i].letter, to);
			step_put(2, pairs[i].mark, to + 2);
			return (struct step){ 2, 4 };
		}
	}
	return step_fault_pair(trail);
}

STEP struct step big5_step(const uint8_t *p, size_t len, uint8_t *to)
{
	if (p[0] == 0x80 || p[0] == 0xFF)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];
	if (!within(trail, 0x40, 0x7E) && !within(trail, 0xA1, 0xFE))
		return step_fault_pair(trail);
	uint32_t pointer = (p[0] - 0x81U) * BIG5_TRAILS + trail - (trail < 0x7F ? 0x40U : 0x62U);
	uint32_t c = index_big5[pointer];
	if (index_big5_plane2[pointer / 8] >> pointer % 8 & 1)
		return step_put_any(2, 0x20000 + c, to);
	return c ? step_put(2, c, to) : big5_other(pointer, trail, to);
}

STEP struct step shift_jis_step(const uint8_t *p, size_t len, uint8_t *to)
{
	uint8_t lead = p[0];
	if (lead == 0x80)
		return step_put(1, lead, to);
	if (within(lead, 0xA1, 0xDF))
		return step_put(1, HALFWIDTH + lead, to);
	if (lead == 0xA0 || lead > 0xFC)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];
	if (!within(trail, 0x40, 0x7E) && !within(trail, 0x80, 0xFC))
		return step_fault_pair(trail);
	uint32_t pointer =
		(lead - (lead < 0xA0 ? 0x81U : 0xC1U)) * SJIS_TRAILS + trail - (trail < 0x7F ? 0x40U : 0x41U);
	if (pointer >= PRIVATE_FIRST && pointer <= PRIVATE_LAST)
		return step_put(2, 0xE000 + (pointer - PRIVATE_FIRST), to);
	uint32_t c = pointer < INDEX_JIS0208_SIZE ? index_jis0208[pointer] : 0;
	return c ? step_put(2, c, to) : step_fault_pair(trail);
}

STEP struct step euc_jp_step(const uint8_t *p, size_t len, uint8_t *to)
{
	uint8_t lead = p[0];
	if (lead != 0x8E && lead != 0x8F && !within(lead, 0xA1, 0xFE))
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];
	if (lead == 0x8E)
		return within(trail, 0xA1, 0xDF) ? step_put(2, HALFWIDTH + trail, to) : step_fault_pair(trail);
	if (lead == 0x8F) { /* and two bytes: JIS X 0212 */
		if (!within(trail, 0xA1, 0xFE))
			return step_fault_pair(trail);
		if (len < 3)
			return step_cut;
		uint32_t pointer = (trail - 0xA1U) * EUC_TRAILS + p[2] - 0xA1U;
		uint32_t c = within(p[2], 0xA1, 0xFE) && pointer < INDEX_JIS0212_SIZE ? index_jis0212[pointer] : 0;
		return c ? step_put(3, c, to) : step_fault(p[2] < 0x80 ? 2 : 3);
	}
	uint32_t c = within(trail, 0xA1, 0xFE) ? index_jis0208[(lead - 0xA1U) * EUC_TRAILS + trail - 0xA1U] : 0;
	return c ? step_put(2, c, to) : step_fault_pair(trail);
}

STEP struct step euc_kr_step(const uint8_t *p, size_t len, uint8_t *to)
{
	if (p[0] == 0x80 || p[0] == 0xFF)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint32_t pointer = (p[0] - 0x81U) * EUC_KR_TRAILS + p[1] - 0x41U;
	uint32_t c = within(p[1], 0x41, 0xFE) && pointer < INDEX_EUC_KR_SIZE ? index_euc_kr[pointer] : 0;
	return c ? step_put(2, c, to) : step_fault_pair(p[1]);
}

#define DECODE_BY_STEPS(charset, ascii) \
	int charset##_write(struct decoder *d, struct slice bytes) \
	{ \
		return steps_write(d, bytes, charset##_step, ascii); \
	}
DECODE_BY_STEPS(gb18030, true)
DECODE_BY_STEPS(big5, true)
DECODE_BY_STEPS(shift_jis, true)
DECODE_BY_STEPS(euc_jp, true)
DECODE_BY_STEPS(euc_kr, true)
DECODE_BY_STEPS(utf16be, false)
DECODE_BY_STEPS(utf16le, false)

bool utf8_is_cut(struct slice s)
{
	uint32_t c;
	return s.len && utf8_length(s.data[0]) > s.len && utf8_decode(s, &c) == s.len;
}

/*
 * Valid stretches are passed on as they are, each maximal part of a broken character becomes one U+FFFD (Unicode
 * 15, 3.9).
 */
int utf8_write(struct decoder *d, struct slice bytes)
{
	int status = 0;
	while (d->n_held && bytes.len) { /* completes the character that was cut */
		d->held[d->n_held] = bytes.data[0];
		struct slice held = slice_of(d->held, d->n_held + 1);
		if (utf8_is_cut(held)) {
			d->n_held++;
			bytes = slice_skip(bytes, 1);
			continue;
		}
		d->n_held = 0;
		if (utf8_valid_prefix(held) != held.len) { /* the new byte does not continue the character */
			status = replace(d);
		} else {
			bytes = slice_skip(bytes, 1);
			status = put(d, held.data, held.len);
		}
	}
	while (bytes.len && status == 0) {
		size_t n = utf8_valid_prefix(bytes);
		status = put(d, bytes.data, n);
		bytes = slice_skip(bytes, n);
		if (bytes.len == 0 || status)
			break;
		if (utf8_is_cut(bytes)) {
			memcpy(d->held, bytes.data, bytes.len);
			d->n_held = bytes.len;
			break;
		}
		uint32_t c;
		bytes = slice_skip(bytes, utf8_decode(bytes, &c));
		status = replace(d);
	}
	return status;
}

int single_byte_write(struct decoder *d, struct slice bytes)
{
	const uint8_t *p = bytes.data, *end = p + bytes.len;
	int status = 0;
	while (p < end && status == 0) {
		if (*p < 0x80) {
			size_t n = ascii_run(p, (size_t)(end - p));
			status = put(d, p, n);
			p += n;
			continue;
		}
		unsigned i = *p++ & 0x7FU;
		status = d->upper.len[i] ? put(d, d->upper.utf8[i], d->upper.len[i]) : replace(d);
	}
	return status;
}

/* One U+FFFD is the whole text. */
int replacement_write(struct decoder *d, struct slice bytes)
{
	return d->bad || bytes.len == 0 ? 0 : replace(d);
}

/*
 * iso-2022-jp (WHATWG Encoding, section 12.2), byte by byte: escape sequences switch between ASCII, JIS X 0201 and
 * JIS X 0208.
 */
enum { ESC = 0x1B };

/* Shift out and shift in, which other charsets of this family know, are faults here. */
static bool is_plain(uint8_t c)
{
	return c < 0x80 && c != 0x0E && c != 0x0F;
}

/* A byte inside a set, not ESC. */
static int jis_in_set(struct decoder *d, uint8_t c)
{
	uint8_t utf8[4];
	uint32_t found = 0;
	bool in_row = within(c, 0x21, 0x7E);
	d->jis.idle = false;
	switch (d->jis.state) {
	case JIS_KATAKANA:
		found = within(c, 0x21, 0x5F) ? 0xFF61U - 0x21 + c : 0;
		break;
	case JIS_LEAD:
		d->jis.lead = c;
		if (in_row)
			d->jis.state = JIS_TRAIL;
		return in_row ? 0 : replace(d);
	case JIS_TRAIL:
		found = in_row ? index_jis0208[(d->jis.lead - 0x21U) * EUC_TRAILS + c - 0x21U] : 0;
		d->jis.state = JIS_LEAD;
		break;
	default:
		if (d->jis.state != JIS_ROMAN || (c != '\\' && c != '~'))
			return is_plain(c) ? put(d, &c, 1) : replace(d);
		found = c == '\\' ? 0xA5 : 0x203E;
	}
	return found ? put(d, utf8, utf8_put(found, utf8)) : replace(d);
}

/* ESC was no sequence: it is a fault, and what came after it is read in the set as before. */
static int jis_leave_escape(struct decoder *d)
{
	bool in_sequence = d->jis.state == JIS_SEQUENCE;
	int status = replace(d);
	d->jis.state = d->jis.set;
	d->jis.idle = false;
	return status == 0 && in_sequence ? jis_in_set(d, d->jis.lead) : status;
}

static int jis_take(struct decoder *d, uint8_t c)
{
	static const struct {
		char first, second;
		enum jis_state set;
	} sequences[] = { { '(', 'B', JIS_ASCII },
			  { '(', 'J', JIS_ROMAN },
			  { '(', 'I', JIS_KATAKANA },
			  { '$', '@', JIS_LEAD },
			  { '$', 'B', JIS_LEAD } };
	int status = 0;
	if (d->jis.state == JIS_ESCAPE && (c == '$' || c == '(')) {
		d->jis.lead = c;
		d->jis.state = JIS_SEQUENCE;
		return 0;
	}
	for (size_t i = 0; d->jis.state == JIS_SEQUENCE && i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		if (d->jis.lead != sequences[i].first || c != sequences[i].second)
			continue;
		status = d->jis.idle ? replace(d) : 0;
		d->jis.state = d->jis.set = sequences[i].set;
		d->jis.idle = true;
		return status;
	}
	if (d->jis.state >= JIS_ESCAPE)
		status = jis_leave_escape(d);
	if (status)
		return status;
	if (c != ESC)
		return jis_in_set(d, c);
	if (d->jis.state == JIS_TRAIL)
		status = replace(d);
	d->jis.state = JIS_ESCAPE;
	return status;
}

int iso_2022_jp_write(struct decoder *d, struct slice bytes)
{
	int status = 0;
	while (bytes.len && status == 0) {
		size_t n = 0;
		if (d->jis.state == JIS_ASCII) {
			while (n < bytes.len && is_plain(bytes.data[n]) && bytes.data[n] != ESC)
				n++;
			status = put(d, bytes.data, n);
		} else if (d->jis.state == JIS_LEAD) {
			/* characters of two bytes, as many as there is room for */
			const uint8_t *p = bytes.data, *end = bytes.data + bytes.len;
			uint8_t *to = d->out + d->len, *limit = d->out + OUTPUT_ROOM - STEP_ROOM;
			while (end - p >= 2 && to <= limit && within(p[0], 0x21, 0x7E) && within(p[1], 0x21, 0x7E)) {
				uint32_t c = index_jis0208[(p[0] - 0x21U) * EUC_TRAILS + p[1] - 0x21U];
				if (c == 0)
					break;
				to += step_put(2, c, to).put;
				p += 2;
			}
			d->len = (size_t)(to - d->out);
			n = (size_t)(p - bytes.data);
		}
		if (n)
			d->jis.idle = false;
		else
			status = jis_take(d, bytes.data[0]);
		bytes = slice_skip(bytes, n ? n : 1);
	}
	return status;
}

/*
 * Charsets that the web does not have, by iconv. How many bytes one U+FFFD replaces depends on the bytes alone. Returns
 * 0 if more of them are needed to decide. A trail byte goes with its lead byte unless it is ASCII, which may be markup.
 */
static size_t iconv_fault(const struct decoder *d, struct slice at)
{
	if (d->charset->kind != CHARSET_ICONV_DOUBLE || at.data[0] <= 0x80 || at.data[0] == 0xFF)
		return 1;
	if (at.len < 2)
		return 0;
	return at.data[1] >= 0x80 ? 2 : 1;
}

/* Decodes from the front of `bytes`; the rest is the beginning of a character that is cut. */
static int iconv_take(struct decoder *d, struct slice *bytes)
{
	int status = 0;
	while (bytes->len && status == 0) {
		char *from = (char *)(uintptr_t)bytes->data; /* iconv does not write to its input */
		char *to = (char *)d->out + d->len;
		size_t left = bytes->len, room = OUTPUT_ROOM - d->len;
		size_t converted = iconv(d->cd, &from, &left, &to, &room);
		int fault = converted == (size_t)-1 ? errno : 0;
		d->len = OUTPUT_ROOM - room;
		*bytes = slice_skip(*bytes, bytes->len - left);
		if (fault == E2BIG) {
			status = decoder_flush(d);
		} else if (fault == EINVAL && bytes->len < DECODER_HELD / 2) {
			return 0;
		} else if (fault) {
			size_t n = iconv_fault(d, *bytes);
			if (n == 0)
				return 0;
			*bytes = slice_skip(*bytes, n);
			status = replace(d);
		}
	}
	return status;
}

int iconv_write(struct decoder *d, struct slice bytes)
{
	int status = 0;
	while (d->n_held && bytes.len && status == 0) { /* completes the held character from the front of `bytes` */
		size_t before = d->n_held, extra = DECODER_HELD - before;
		extra = extra < bytes.len ? extra : bytes.len;
		memcpy(d->held + before, bytes.data, extra);
		struct slice all = slice_of(d->held, before + extra);
		status = iconv_take(d, &all);
		size_t used = before + extra - all.len;
		if (used >= before) { /* the rest is whole in `bytes` */
			d->n_held = 0;
			bytes = slice_skip(bytes, used - before);
		} else {
			memmove(d->held, all.data, all.len);
			d->n_held = all.len;
			bytes = slice_skip(bytes, extra);
		}
	}
	if (status == 0)
		status = iconv_take(d, &bytes);
	if (status == 0 && bytes.len) {
		memcpy(d->held, bytes.data, bytes.len);
		d->n_held = bytes.len;
	}
	return status;
}

void decoder_free(struct decoder *d)
{
	if (d->cd_is_open)
		iconv_close(d->cd);
	d->cd_is_open = false;
}

int decoder_begin(struct decoder *d, const struct charset *charset)
{
	int status = 0;
	d->charset = charset;
	d->n_held = 0;
	memset(&d->jis, 0, sizeof(d->jis));
	if (charset->write == iconv_write) {
		decoder_free(d);
		status = charset_open_iconv(&d->cd, charset->name);
		d->cd_is_open = status == 0;
	} else if (charset->kind == CHARSET_SINGLE && d->upper.of != charset->upper) {
		for (unsigned i = 0; i < INDEX_SINGLE_SIZE; i++) {
			uint8_t utf8[4];
			size_t len = charset->upper[i] ? utf8_put(charset->upper[i], utf8) : 0;
			d->upper.len[i] = (uint8_t)len; /* at most 3: all are of the basic plane */
			memcpy(d->upper.utf8[i], utf8, len);
		}
		d->upper.of = charset->upper;
	}
	return status;
}

int decoder_write(struct decoder *d, struct slice bytes)
{
	return bytes.len ? d->charset->write(d, bytes) : 0;
}

int decoder_finish(struct decoder *d)
{
	int status = 0;
	if (d->charset->kind == CHARSET_STATEFUL) {
		if (d->jis.state >= JIS_ESCAPE)
			status = jis_leave_escape(d);
		return status == 0 && d->jis.state == JIS_TRAIL ? replace(d) : status;
	}
	if (d->n_held)
		status = replace(d);
	d->n_held = 0;
	if (d->charset->write != iconv_write)
		return status;
	if (status == 0 && OUTPUT_ROOM - d->len < DECODER_HELD)
		status = decoder_flush(d);
	char *to = (char *)d->out + d->len;
	size_t room = OUTPUT_ROOM - d->len;
	iconv(d->cd, NULL, NULL, &to, &room); /* a character it held back to see what follows */
	d->len = OUTPUT_ROOM - room;
	return status;
}
