/* SPDX-License-Identifier: MIT */
/*
 * Raw deflate by ISA-L. gzip's headers and trailers are read by gzip_decode.c, because ISA-L fails on members with a
 * header checksum when the header arrives in small pieces.
 *
 * What ISA-L writes before damage, or before the end of a stream that is cut off, depends on how the input is cut.
 * Two causes are corrected here:
 *
 * 1. Its fast loop adds the length of a match to the output before it checks the distance. Example: after 5 good bytes
 *    comes a match of 200 bytes with a distance of 1,000, which is damage. The fast loop claims 205 bytes, 200 of which
 *    were never written; fed byte by byte, it claims 5. The fast loop runs only with more than 8 bytes of input. So the
 *    state before each such call is kept, and after damage the call is repeated on that copy with the last 64 bytes one
 *    by one. This run shows how many bytes are real, and the others are taken back from the output (take_back).
 *
 * 2. It decodes up to three symbols at a time, and takes all of them back if the last one lacks bits. Where the input
 *    ends there, up to two complete literals would be lost. Example: the input ends with the codes of 'a' and 'b' and
 *    half of a third code. To find out which literals are complete, a copy of the state is fed with four different
 *    paddings: literals that are the same with each of them do not depend on the padding (find_literals).
 */
#include "config.h"

#ifdef HAVE_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <stdlib.h>

#include "archive/codec/inflate.h"
#include "base/crc32_fold.h"

enum {
	SLOW_INPUT = 8, /* with at most this much input the fast loop does not run */
	EXACT_INPUT =
		64, /* input before damage that is repeated byte by byte: more than one symbol and the bit buffer */
	HELD_LITERALS = 2,
	PAD_BYTES = 8, /* more than the longest pair of length and distance, 48 bits */
};

enum isal_state {
	ISAL_RUNS,
	ISAL_DAMAGED, /* bytes decoded before the damage may still have to be put out */
	ISAL_CUT,     /* the last literals may still have to be put out */
};

struct inflater {
	struct inflate_state s;
	struct inflate_state *before; /* s before the call, without its output buffer */
	enum isal_state state;
	uint8_t literals[HELD_LITERALS];
	size_t n_literals, literals_out;
};

static struct inflater *isal_open(void)
{
	struct inflater *x = malloc(sizeof(*x));
	if (!x)
		return NULL;
	x->before = malloc(sizeof(*x->before));
	if (!x->before) {
		free(x);
		return NULL;
	}
	isal_inflate_init(&x->s);
	x->state = ISAL_RUNS;
	return x;
}

static uint32_t clamp(size_t n)
{
	return n < INT_MAX ? (uint32_t)n : INT_MAX;
}

/* Calls ISA-L once. Its pointers show what moved, because after damage in the fast loop its counters are wrong. */
static int isal_step(struct inflate_state *s, struct codec_in *in, struct codec_out *out)
{
	uint8_t none;
	uint8_t *const from = in->pos < in->len ? (uint8_t *)(uintptr_t)(in->data + in->pos) : &none;
	uint8_t *const to = out->pos < out->len ? out->data + out->pos : &none;
	s->next_in = from;
	s->avail_in = clamp(in->len - in->pos);
	s->next_out = to;
	s->avail_out = clamp(out->len - out->pos);
	int status = isal_inflate(s);
	in->pos += (size_t)(s->next_in - from);
	out->pos += (size_t)(s->next_out - to);
	return status;
}

/* Copies the state without its output buffer, and the tables of codes only if the block uses them. */
static void copy_state(struct inflate_state *to, const struct inflate_state *from)
{
	const size_t codes = offsetof(struct inflate_state, lit_huff_code),
		     rest = offsetof(struct inflate_state, block_state);
	memcpy(to, from, codes);
	if (from->block_state == ISAL_BLOCK_CODED)
		memcpy((uint8_t *)to + codes, (const uint8_t *)from + codes, rest - codes);
	memcpy((uint8_t *)to + rest, (const uint8_t *)from + rest,
	       offsetof(struct inflate_state, tmp_out_buffer) - rest);
}

/* Returns the number of decoded bytes in the state's own buffer. */
static size_t inside(const struct inflate_state *s)
{
	return (size_t)(s->tmp_out_valid - s->tmp_out_processed);
}

/* Decodes `input` up to its end or to damage. Returns the number of decoded bytes, whose values are not used. */
static size_t count_decoded(struct inflate_state *s, struct slice input, bool *damaged)
{
	uint8_t window[4096];
	struct codec_in in = { input.data, input.len, 0 };
	size_t made = 0;
	for (;;) {
		struct codec_out out = { window, sizeof(window), 0 };
		*damaged = isal_step(s, &in, &out) < 0;
		made += out.pos;
		if (*damaged)
			return made + inside(s);
		if (out.pos < out.len)
			return made;
	}
}

/* Repeats the call that met damage, and returns how many bytes it really decoded. */
static size_t count_again(struct inflate_state *before, struct slice input)
{
	const size_t held = inside(before), exact = input.len < EXACT_INPUT ? input.len : EXACT_INPUT;
	bool damaged;
	size_t made = count_decoded(before, slice_of(input.data, input.len - exact), &damaged);
	for (size_t i = input.len - exact; i < input.len && !damaged; i++)
		made += count_decoded(before, slice_of(input.data + i, 1), &damaged);
	return made - held;
}

/* Takes back bytes that were counted as output but never written: first from the state's buffer, then from `out`. */
static void take_back(struct inflater *x, struct slice input, size_t delivered, struct codec_out *out)
{
	const size_t claimed = delivered + inside(&x->s) - inside(x->before);
	const size_t made = count_again(x->before, input);
	size_t excess = claimed > made ? claimed - made : 0;
	const size_t still_inside = excess < inside(&x->s) ? excess : inside(&x->s);
	x->s.tmp_out_valid -= (int32_t)still_inside;
	excess -= still_inside;
	out->pos -= excess < delivered ? excess : delivered;
}

/* Decodes the first bytes that the input would give if bytes of `pad` followed. */
static size_t decode_padded(const struct inflater *x, struct inflate_state *scratch, uint8_t pad, uint8_t *to)
{
	*scratch = x->s;
	struct codec_out out = { to, HELD_LITERALS, 0 };
	for (size_t i = 0; i < PAD_BYTES && out.pos < out.len; i++) {
		struct codec_in in = { &pad, 1, 0 };
		if (isal_step(scratch, &in, &out) < 0)
			break;
	}
	return out.pos;
}

/* At the input's end: finds the literals that are complete, which are the same whatever follows. */
static void find_literals(struct inflater *x)
{
	static const uint8_t pads[] = { 0xff, 0x6b, 0x94 };
	x->literals_out = 0;
	x->n_literals = 0;
	if (x->s.block_state != ISAL_BLOCK_CODED)
		return;
	x->n_literals = decode_padded(x, x->before, 0, x->literals);
	for (size_t i = 0; i < sizeof(pads); i++) {
		uint8_t other[HELD_LITERALS];
		size_t n = decode_padded(x, x->before, pads[i], other), same = 0;
		while (same < n && same < x->n_literals && other[same] == x->literals[same])
			same++;
		x->n_literals = same;
	}
}

/* Writes the rest of `data` as far as there is room. Returns true when all is written. */
static bool drained(const uint8_t *data, size_t len, size_t *done, struct codec_out *out)
{
	size_t n = len - *done;
	if (n > out->len - out->pos)
		n = out->len - out->pos;
	if (n)
		memcpy(out->data + out->pos, data + *done, n);
	out->pos += n;
	*done += n;
	return *done == len;
}

static int drain(struct inflater *x, struct codec_out *out)
{
	if (x->state == ISAL_CUT)
		return drained(x->literals, x->n_literals, &x->literals_out, out) ? INFLATE_CUT : INFLATE_MORE_OUTPUT;
	size_t done = (size_t)x->s.tmp_out_processed;
	const bool all = drained(x->s.tmp_out_buffer, (size_t)x->s.tmp_out_valid, &done, out);
	x->s.tmp_out_processed = (int32_t)done;
	return all ? DANA_EFORMAT : INFLATE_MORE_OUTPUT;
}

static int isal_run(struct inflater *x, struct codec_in *in, struct codec_out *out, bool last)
{
	struct inflate_state *s = &x->s;
	while (x->state == ISAL_RUNS) {
		const size_t taken = in->pos, made = out->pos;
		const bool fast = in->len - in->pos > SLOW_INPUT;
		if (fast)
			copy_state(x->before, s);
		if (isal_step(s, in, out) < 0) {
			x->state = ISAL_DAMAGED;
			if (fast)
				take_back(x, slice_of(in->data + taken, in->pos - taken), out->pos - made, out);
		} else if (s->block_state == ISAL_BLOCK_FINISH) {
			return INFLATE_END;
		} else if (out->pos == out->len) {
			return INFLATE_MORE_OUTPUT;
		} else if (in->pos == in->len) {
			if (!last)
				return INFLATE_MORE_INPUT;
			x->state = ISAL_CUT;
			find_literals(x);
		} else if (taken == in->pos && made == out->pos) {
			x->state = ISAL_DAMAGED;
		}
	}
	return drain(x, out);
}

/* Returns the whole bytes in the bit buffer after the final block's last bit. */
static size_t isal_surplus(const struct inflater *x, uint8_t bytes[INFLATE_SURPLUS_MAX])
{
	if (x->s.read_in_length < 8)
		return 0;
	size_t n = (size_t)x->s.read_in_length / 8;
	uint64_t bits = x->s.read_in >> ((unsigned)x->s.read_in_length % 8);
	if (n > INFLATE_SURPLUS_MAX)
		n = INFLATE_SURPLUS_MAX;
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(bits >> (8 * i));
	return n;
}

/* ISA-L 2.30 multiplies vectors of AVX-512, else lanes one by one; crc32_fold those of AVX2. */
static uint32_t isal_crc(uint32_t crc, const uint8_t *data, size_t len)
{
	uint8_t left[CRC32_LEFT];
	const size_t folded = crc32_fold(slice_of(data, len), crc, left);
	if (folded)
		crc = crc32_gzip_refl(UINT32_MAX, left, sizeof(left));
	return len > folded ? crc32_gzip_refl(crc, data + folded, len - folded) : crc;
}

static void isal_reset(struct inflater *x)
{
	isal_inflate_reset(&x->s);
	x->state = ISAL_RUNS;
}

static void isal_close(struct inflater *x)
{
	if (x)
		free(x->before);
	free(x);
}

const struct inflate_ops inflate_isal = {
	.name = "ISA-L",
	.open = isal_open,
	.run = isal_run,
	.surplus = isal_surplus,
	.crc = isal_crc,
	.reset = isal_reset,
	.close = isal_close,
};

#else

/* A translation unit holds at least one declaration (C17, section 6.9). */
typedef int inflate_isal_not_built_in;

#endif
