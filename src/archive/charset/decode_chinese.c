/* SPDX-License-Identifier: MIT */
/* gb18030, which is gbk too, and big5 (WHATWG Encoding, sections 10 and 11). */
#include "archive/charset/indexes.h"
#include "archive/charset/multi_byte_steps.h"

enum {
	GB_TRAILS = 190,
	BIG5_TRAILS = 157,
	WIDEST_RANGE = 174, /* more than a third of all, hangul among them: tried first */
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
	if (!step_within(p[2], 0x81, 0xFE))
		return step_fault(1);
	if (len < 4)
		return step_cut;
	if (!step_within(p[3], '0', '9'))
		return step_fault(1);
	uint32_t second = p[1] - (uint32_t)'0', third = p[2] - 0x81U, fourth = p[3] - (uint32_t)'0';
	uint32_t c = gb18030_range((((p[0] - 0x81U) * 10 + second) * 126 + third) * 10 + fourth);

	return c ? step_put_any(4, c, to) : step_fault(4);
}

STEP struct step gb18030_step(const uint8_t *p, size_t len, uint8_t *to)
{
	if (p[0] == 0x80)
		return step_put(1, 0x20AC, to);
	if (p[0] == 0xFF)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint8_t trail = p[1];

	if (step_within(trail, '0', '9'))
		return gb18030_four(p, len, to);
	if (trail < 0x40 || trail == 0x7F || trail == 0xFF)
		return step_fault_pair(trail);
	return step_put(2, index_gb18030[(p[0] - 0x81U) * GB_TRAILS + trail - (trail < 0x7F ? 0x40U : 0x41U)], to);
}

int gb18030_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, gb18030_step, true);
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

	if (!step_within(trail, 0x40, 0x7E) && !step_within(trail, 0xA1, 0xFE))
		return step_fault_pair(trail);
	uint32_t pointer = (p[0] - 0x81U) * BIG5_TRAILS + trail - (trail < 0x7F ? 0x40U : 0x62U);
	uint32_t c = index_big5[pointer];

	if (index_big5_plane2[pointer / 8] >> pointer % 8 & 1)
		return step_put_any(2, 0x20000 + c, to);
	return c ? step_put(2, c, to) : big5_other(pointer, trail, to);
}

int big5_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, big5_step, true);
}
