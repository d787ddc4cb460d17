/* SPDX-License-Identifier: MIT */
/*
 * What the decoders of multi_byte.h share: the loop over a piece, into which the compiler puts the step of one charset.
 * A step looks at the front of some bytes and decodes one character. Its answer depends on these bytes alone, and it
 * asks for more only if they are the beginning of a longer character; therefore the pieces of a text do not matter.
 */
#ifndef DANA_CHARSET_MULTI_BYTE_STEPS_H
#define DANA_CHARSET_MULTI_BYTE_STEPS_H

#include "archive/charset/multi_byte.h"
#include "base/ascii.h"
#include "base/utf8.h"

#define STEP static inline __attribute__((always_inline))

enum {
	STEP_ROOM = 4,  /* bytes that a step may write */
	ASCII_FEW = 16, /* a stretch of ASCII that is longer is passed on as a whole */
};

/** used 0: more bytes are needed; put 0: the used bytes are not a character. */
struct step {
	uint32_t used, put;
};

/** Decodes the character at `p`, of which `len` (not 0) bytes are there; writes UTF-8 to `to`. */
typedef struct step step_function(const uint8_t *p, size_t len, uint8_t *to);

static const struct step step_cut = { 0, 0 };

/** Returns the step that wrote a code point of the basic plane from U+0080 on, no surrogate. */
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

/** The same of any code point but surrogates. */
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

/** Of a lead byte, after which `second` makes no character: if that is ASCII, it is a character by itself. */
STEP struct step step_fault_pair(uint8_t second)
{
	return step_fault(second < 0x80 ? 1 : 2);
}

/** Returns whether low <= c <= high. */
STEP bool step_within(uint8_t c, uint8_t low, uint8_t high)
{
	return (uint8_t)(c - low) <= (uint8_t)(high - low);
}

/*
 * Takes steps over `bytes` until they end or begin with much ASCII, a step is not a character (which is returned in
 * *last and not taken), or the room in `out` ends.
 */
STEP void steps_run(struct slice *bytes, struct output *out, step_function *step, bool ascii, struct step *last)
{
	const uint8_t *p = bytes->data, *end = p + bytes->len;
	uint8_t *to = out->data + out->len, *limit = out->data + OUTPUT_ROOM - STEP_ROOM;
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
	out->len = (size_t)(to - out->data);
	*bytes = slice_of(p, (size_t)(end - p));
}

/* Decodes `bytes` but for a character that is cut at their end, which remains in them. */
STEP int steps_take(struct slice *bytes, struct output *out, step_function *step, bool ascii)
{
	int status = 0;

	while (bytes->len && status == 0) {
		struct step last;
		size_t n = 0;

		if (OUTPUT_ROOM - out->len < STEP_ROOM)
			status = output_flush(out);
		if (status)
			break;
		steps_run(bytes, out, step, ascii, &last);
		if (last.put == 0) {
			if (last.used == 0)
				break;
			n = last.used;
			status = output_replace(out);
		} else if (ascii) {
			n = ascii_run(bytes->data, bytes->len);
			status = output_put(out, bytes->data, n);
		}
		*bytes = slice_skip(*bytes, n);
	}
	return status;
}

/* Completes the held character with bytes from the front of `bytes`, one by one. */
STEP int steps_take_held(struct multi_byte *m, struct slice *bytes, struct output *out, step_function *step, bool ascii)
{
	int status = 0;

	while (m->n_held && bytes->len && status == 0) {
		m->held[m->n_held++] = bytes->data[0];
		*bytes = slice_skip(*bytes, 1);
		struct slice rest = slice_of(m->held, m->n_held);

		status = steps_take(&rest, out, step, ascii);
		memmove(m->held, rest.data, rest.len);
		m->n_held = rest.len;
	}
	return status;
}

/** A multi_byte_write by `step`. `ascii`: bytes below 0x80 are ASCII unless a step uses them. */
STEP int steps_write(struct multi_byte *m, struct slice bytes, struct output *out, step_function *step, bool ascii)
{
	int status = steps_take_held(m, &bytes, out, step, ascii);

	if (status == 0)
		status = steps_take(&bytes, out, step, ascii);
	if (status == 0 && bytes.len) {
		memcpy(m->held, bytes.data, bytes.len);
		m->n_held = bytes.len;
	}
	return status;
}

#endif
