/* SPDX-License-Identifier: MIT */
/*
 * Counts of a run from its masks, 64 bytes at a time. Characters are counted as bytes that do not continue a character.
 * White space that follows white space is the class ANDed with itself moved by one byte: in "a  b" space = 0b0110,
 * space << 1 = 0b1100, and their AND 0b0100 marks the second space.
 */
#include "base/cpu.h"
#include "extract/html/run_scan.h"

BITS_INLINE struct html_run_count run_sum(const struct html_run *run, bool after_space)
{
	struct html_run_count sum = { 0 };
	size_t at = run->at, end = run->at + run->bytes.len, cont = 0;
	uint64_t before = after_space; /* 1 if the byte before is white space */

	while (at < end) {
		size_t block = at / 64, from = at % 64, to = end - block * 64 < 64 ? end - block * 64 : 64;
		uint64_t range = mask_range(from, to);
		const struct byte_mask *m = &run->masks[block];
		uint64_t space = m->space & range, twice = space & (space << 1 | before << from),
			 high = m->high & range;

		/* most blocks have no such bytes, and counting bits is expensive without an instruction for it */
		if (twice)
			sum.spaces += bits_count(twice);
		if (high) {
			sum.high += bits_count(high);
			cont += bits_count(m->cont & range);
		}
		before = space >> (to - 1) & 1;
		at = block * 64 + to;
	}

	sum.chars = run->bytes.len - cont;
	return sum;
}

static struct html_run_count run_sum_plain(const struct html_run *run, bool after_space)
{
	return run_sum(run, after_space);
}

BITS_FAST static struct html_run_count run_sum_fast(const struct html_run *run, bool after_space)
{
	return run_sum(run, after_space);
}

/* From this length on, the fast version saves more than the call of bits_fast costs. */
enum { LONG = 256 };

struct html_run_count html_run_sum(const struct html_run *run, bool after_space)
{
	return run->bytes.len > LONG && bits_fast() ? run_sum_fast(run, after_space) : run_sum_plain(run, after_space);
}
