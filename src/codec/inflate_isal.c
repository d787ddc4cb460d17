/*
 * Raw deflate by ISA-L. Headers and trailers stay ours: ISA-L fails on members with a header checksum when the header is
 * cut into small pieces.
 */
#include "config.h"

#ifdef HAVE_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <stdlib.h>

#include "codec/inflate.h"

struct inflater {
	struct inflate_state s;
	bool broken; /* damage was met; what was decoded in front of it may still be inside */
};

static struct inflater *isal_open(void)
{
	struct inflater *x = malloc(sizeof(*x));
	if (x) {
		isal_inflate_init(&x->s);
		x->broken = false;
	}
	return x;
}

static uint32_t clamp(size_t n)
{
	return n < INT_MAX ? (uint32_t)n : INT_MAX;
}

static int isal_step(struct inflate_state *s, struct codec_in *in, struct codec_out *out)
{
	uint8_t none;
	const uint32_t avail_in = clamp(in->len - in->pos), avail_out = clamp(out->len - out->pos);
	s->next_in = avail_in ? (uint8_t *)(uintptr_t)(in->data + in->pos) : &none;
	s->avail_in = avail_in;
	s->next_out = avail_out ? out->data + out->pos : &none;
	s->avail_out = avail_out;
	int status = isal_inflate(s);
	in->pos += avail_in - s->avail_in;
	out->pos += avail_out - s->avail_out;
	return status;
}

/* ISA-L decodes ahead into its own buffer; at damage it leaves there what did not fit into the output. */
static bool drained(struct inflate_state *s, struct codec_out *out)
{
	size_t n = (size_t)(s->tmp_out_valid - s->tmp_out_processed);
	if (n > out->len - out->pos)
		n = out->len - out->pos;
	if (n)
		memcpy(out->data + out->pos, s->tmp_out_buffer + s->tmp_out_processed, n);
	out->pos += n;
	s->tmp_out_processed += (int32_t)n;
	return s->tmp_out_valid == s->tmp_out_processed;
}

static int isal_run(struct inflater *x, struct codec_in *in, struct codec_out *out, bool last)
{
	struct inflate_state *s = &x->s;
	while (!x->broken) {
		size_t taken = in->pos, made = out->pos;
		if (isal_step(s, in, out) < 0)
			x->broken = true;
		else if (s->block_state == ISAL_BLOCK_FINISH)
			return INFLATE_END;
		else if (out->pos == out->len)
			return INFLATE_MORE_OUTPUT;
		else if (in->pos == in->len)
			return last ? INFLATE_CUT : INFLATE_MORE_INPUT;
		else if (taken == in->pos && made == out->pos)
			x->broken = true;
	}
	return drained(s, out) ? DANA_EFORMAT : INFLATE_MORE_OUTPUT;
}

/* Whole bytes in the bit buffer behind the final block's last bit. */
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

static uint32_t isal_crc(uint32_t crc, const uint8_t *data, size_t len)
{
	return len ? crc32_gzip_refl(crc, data, len) : crc;
}

static void isal_reset(struct inflater *x)
{
	isal_inflate_reset(&x->s);
	x->broken = false;
}

static void isal_close(struct inflater *x)
{
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
