/* SPDX-License-Identifier: MIT */
/*
 * Searching and counting bytes in a run by its masks. Byte i of a run has bit (at + i) % 64 of masks[(at + i) / 64];
 * the functions clear the bits before their start and find the lowest one that is left.
 *
 * Example: a run of 3 bytes at = 62 has the bits 62 and 63 of masks[0] and bit 0 of masks[1]. run_find(run, 1, 3,
 * RUN_SPACE) looks at masks[0].space & ~0 << 63, and if that is 0 at masks[1].space.
 */
#ifndef DANA_HTML_RUN_SCAN_H
#define DANA_HTML_RUN_SCAN_H

#include "extract/html/tokenizer.h"

enum run_class { RUN_SPACE, RUN_OTHER, RUN_HIGH };

static inline uint64_t run_class_bits(const struct byte_mask *m, enum run_class wanted)
{
	switch (wanted) {
	case RUN_SPACE:
		return m->space;
	case RUN_OTHER:
		return ~m->space;
	case RUN_HIGH:
		return m->high;
	}
	return 0;
}

/**
 * 64 bits of a class from bit `at` on, taken from two words; the mask after the one that holds bit `at` must be
 * readable.
 */
#define MASK_BITS_AT(masks, member, at) \
	((masks)[(at) / 64].member >> (at) % 64 | (masks)[(at) / 64 + 1].member << 1 << (63 - (at) % 64))

/** Returns the index of the first byte in i..to of that class (RUN_OTHER: not white space), or `to`. */
static inline size_t run_find(const struct html_run *run, size_t i, size_t to, enum run_class wanted)
{
	size_t at = run->at + i, end = run->at + to;
	while (at < end) {
		uint64_t bits = run_class_bits(&run->masks[at / 64], wanted) & ~(uint64_t)0 << at % 64;
		if (bits) {
			at = at / 64 * 64 + (size_t)__builtin_ctzll(bits);
			return at < end ? at - run->at : to;
		}
		at = at / 64 * 64 + 64;
	}
	return to;
}

/** Returns the index of the first white space other than ' ' in i..to, or `to`. */
static inline size_t run_find_control(const struct html_run *run, size_t i, size_t to)
{
	while ((i = run_find(run, i, to, RUN_SPACE)) < to && run->bytes.data[i] == ' ')
		i++;
	return i;
}

/** Returns the index of the second of two adjacent white-space bytes at or after `i`, or the run's length. */
static inline size_t run_find_double_space(const struct html_run *run, size_t i)
{
	size_t at = run->at + i, end = run->at + run->bytes.len;
	uint64_t before = 0;
	while (at < end) {
		uint64_t space = run->masks[at / 64].space & ~(uint64_t)0 << at % 64;
		uint64_t bits = space & (space << 1 | before);
		if (bits) {
			at = at / 64 * 64 + (size_t)__builtin_ctzll(bits);
			return (at < end ? at : end) - run->at;
		}
		before = space >> 63;
		at = at / 64 * 64 + 64;
	}
	return run->bytes.len;
}

static inline bool run_space_at(const struct html_run *run, size_t i)
{
	size_t at = run->at + i;
	return run->masks[at / 64].space >> (at % 64) & 1;
}

/** Returns the number of bytes in i..to that are 0x80 or above. */
static inline size_t run_count_high(const struct html_run *run, size_t i, size_t to)
{
	size_t n = 0;
	for (size_t at = run->at + i, end = run->at + to; at < end;) {
		size_t last = end - at / 64 * 64 < 64 ? end - at / 64 * 64 : 64;
		n += (size_t)__builtin_popcountll(run->masks[at / 64].high & mask_range(at % 64, last));
		at = at / 64 * 64 + last;
	}
	return n;
}

/** Returns the longest run from window[at] on that is either all text, or all tags, comments and scripts. */
static inline struct html_run stretch_run(const struct html_stretch *h, size_t at)
{
	bool tags = h->code[at / 64] >> at % 64 & 1;
	uint64_t flip = tags ? ~(uint64_t)0 : 0, bits = (h->code[at / 64] ^ flip) & ~(uint64_t)0 << at % 64;
	size_t block = at / 64;
	while (!bits && ++block * 64 < h->to)
		bits = h->code[block] ^ flip;
	size_t end = bits ? block * 64 + (size_t)__builtin_ctzll(bits) : h->to;
	return (struct html_run){ .kind = tags ? HTML_CODE : HTML_TEXT,
				  .skipped = h->voids[at / 64] >> at % 64 & 1,
				  .first = tags,
				  .space = h->space,
				  .bytes = slice_of(h->window + at, (end < h->to ? end : h->to) - at),
				  .masks = h->masks,
				  .at = at,
				  .offset = h->base + at };
}

/** Returns whether a run from stretch_run has a tag that is not inline. */
static inline bool stretch_breaks(const struct html_stretch *h, const struct html_run *run)
{
	uint64_t breaks = 0;
	size_t end = run->at + run->bytes.len;
	for (size_t block = run->at / 64; block * 64 < end; block++)
		breaks |= h->breaks[block] & mask_range(block == run->at / 64 ? run->at % 64 : 0, end - block * 64);
	return breaks != 0;
}

/** Returns the unit's text as a run. */
static inline struct html_run unit_text_run(const struct html_unit *u)
{
	return (struct html_run){ .kind = HTML_TEXT,
				  .bytes = slice_of(u->window + u->text, u->code - u->text),
				  .masks = u->masks,
				  .at = u->text,
				  .offset = u->base + u->text };
}

/** Returns the unit's tag as a run. */
static inline struct html_run unit_code_run(const struct html_unit *u)
{
	return (struct html_run){ .kind = HTML_CODE,
				  .tag = u->tag,
				  .closing = u->closing,
				  .first = true,
				  .bytes = slice_of(u->window + u->code, u->end - u->code),
				  .masks = u->masks,
				  .at = u->code,
				  .offset = u->base + u->code };
}

#endif
