/* SPDX-License-Identifier: MIT */
/* utf-16be and utf-16le (WHATWG Encoding, section 14), and the end of all texts of several bytes a character. */
#include "archive/charset/multi_byte_steps.h"

STEP uint32_t unit(const uint8_t *p, bool little)
{
	return little ? p[0] | (uint32_t)p[1] << 8 : p[1] | (uint32_t)p[0] << 8;
}

/* Half of a pair of surrogates is a fault of its two bytes. */
STEP struct step utf16_step(const uint8_t *p, size_t len, uint8_t *to, bool little)
{
	if (len < 2)
		return step_cut;
	uint32_t c = unit(p, little);

	if (c < 0xD800 || c > 0xDFFF)
		return step_put_any(2, c, to);
	if (c > 0xDBFF)
		return step_fault(2);
	if (len < 4)
		return step_cut;
	uint32_t low = unit(p + 2, little);

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

int utf16be_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, utf16be_step, false);
}

int utf16le_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, utf16le_step, false);
}

int multi_byte_finish(struct multi_byte *m, struct output *out)
{
	size_t held = m->n_held;

	m->n_held = 0;
	return held ? output_replace(out) : 0;
}
