/* SPDX-License-Identifier: MIT */
/* shift_jis and euc-jp (WHATWG Encoding, section 12). */
#include "archive/charset/indexes.h"
#include "archive/charset/multi_byte_steps.h"

enum {
	HALFWIDTH = 0xFF61 - 0xA1, /* katakana of half width are one byte */
	SJIS_TRAILS = 188,
	EUC_TRAILS = 94,
	/* Pointers that belong to whoever uses them are U+E000 to U+E757. */
	PRIVATE_FIRST = 8836,
	PRIVATE_LAST = 10715,
};

STEP struct step shift_jis_step(const uint8_t *p, size_t len, uint8_t *to)
{
	uint8_t lead = p[0];

	if (lead == 0x80)
		return step_put(1, lead, to);
	if (step_within(lead, 0xA1, 0xDF))
		return step_put(1, HALFWIDTH + lead, to);
	if (lead == 0xA0 || lead > 0xFC)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];

	if (!step_within(trail, 0x40, 0x7E) && !step_within(trail, 0x80, 0xFC))
		return step_fault_pair(trail);
	uint32_t pointer =
		(lead - (lead < 0xA0 ? 0x81U : 0xC1U)) * SJIS_TRAILS + trail - (trail < 0x7F ? 0x40U : 0x41U);

	if (pointer >= PRIVATE_FIRST && pointer <= PRIVATE_LAST)
		return step_put(2, 0xE000 + (pointer - PRIVATE_FIRST), to);
	uint32_t c = pointer < INDEX_JIS0208_SIZE ? index_jis0208[pointer] : 0;

	return c ? step_put(2, c, to) : step_fault_pair(trail);
}

int shift_jis_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, shift_jis_step, true);
}

/* 0x8F and two bytes: JIS X 0212. */
static struct step euc_jp_three(const uint8_t *p, size_t len, uint8_t *to)
{
	if (!step_within(p[1], 0xA1, 0xFE))
		return step_fault_pair(p[1]);
	if (len < 3)
		return step_cut;
	uint32_t pointer = (p[1] - 0xA1U) * EUC_TRAILS + p[2] - 0xA1U;
	uint32_t c = step_within(p[2], 0xA1, 0xFE) && pointer < INDEX_JIS0212_SIZE ? index_jis0212[pointer] : 0;

	return c ? step_put(3, c, to) : step_fault(p[2] < 0x80 ? 2 : 3);
}

STEP struct step euc_jp_step(const uint8_t *p, size_t len, uint8_t *to)
{
	uint8_t lead = p[0];

	if (lead != 0x8E && lead != 0x8F && !step_within(lead, 0xA1, 0xFE))
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];

	if (lead == 0x8E)
		return step_within(trail, 0xA1, 0xDF) ? step_put(2, HALFWIDTH + trail, to) : step_fault_pair(trail);
	if (lead == 0x8F)
		return euc_jp_three(p, len, to);
	uint32_t c = step_within(trail, 0xA1, 0xFE) ? index_jis0208[(lead - 0xA1U) * EUC_TRAILS + trail - 0xA1U] : 0;

	return c ? step_put(2, c, to) : step_fault_pair(trail);
}

int euc_jp_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, euc_jp_step, true);
}
