/* SPDX-License-Identifier: MIT */
/* euc-kr (WHATWG Encoding, section 13). */
#include "archive/charset/indexes.h"
#include "archive/charset/multi_byte_steps.h"

enum { TRAILS = 190 };

STEP struct step euc_kr_step(const uint8_t *p, size_t len, uint8_t *to)
{
	if (p[0] == 0x80 || p[0] == 0xFF)
		return step_fault(1);
	if (len < 2)
		return step_cut;
	uint32_t pointer = (p[0] - 0x81U) * TRAILS + p[1] - 0x41U;
	uint32_t c = step_within(p[1], 0x41, 0xFE) && pointer < INDEX_EUC_KR_SIZE ? index_euc_kr[pointer] : 0;

	return c ? step_put(2, c, to) : step_fault_pair(p[1]);
}

int euc_kr_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	return steps_write(m, bytes, out, euc_kr_step, true);
}
