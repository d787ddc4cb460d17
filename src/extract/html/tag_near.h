/* SPDX-License-Identifier: MIT */
/*
 * Reads an element's name inline, eight bytes at once; nearly every name fits in them. Letters have bit 6 set; white
 * space, '/' and '>' do not, so the first byte without bit 6 ends the name.
 *
 * Example: "DIV class" is read as the bytes 44 49 56 20 63 6C 61 73. The first one without bit 6 (0x40) is the space at
 * 3; the three bytes before it with bit 5 set are 64 69 76, "div".
 */
#ifndef DANA_HTML_TAG_NEAR_H
#define DANA_HTML_TAG_NEAR_H

#include "base/ascii.h"
#include "extract/html/tag.h"
#include "extract/html/tag_hash.h"

#define EACH_BYTE(byte) (0x0101010101010101U * (byte))

/**
 * Reads the name at `p`, where eight bytes must be readable, as the number under which the hash table holds it. Returns
 * false if the name does not end within them, or holds a byte that is not a letter, such as the digit of "h1".
 */
static inline bool html_tag_pack_near(const uint8_t *p, uint64_t *first, size_t *len)
{
	uint64_t word = little_endian_64(p), ends = ~word & EACH_BYTE(0x40U); /* bytes that are not letters */
	if (!ends)
		return false;
	*len = (size_t)__builtin_ctzll(ends) / 8;
	/* setting bit 5 turns upper case to lower case; the mask keeps the bytes before the first end */
	*first = (word | EACH_BYTE(0x20U)) & (ends ^ (ends - 1)) >> 7;
	return html_ends_name(p[*len]);
}

/** Reads the name and looks it up. Returns false like html_tag_pack_near. */
static inline bool html_tag_read_near(const uint8_t *p, struct html_tag_name *name)
{
	uint64_t first;
	if (!html_tag_pack_near(p, &first, &name->len))
		return false;
	const struct tag_slot *slot = &html_tag_slots[tag_hash(first)];
	name->tag = slot->first == first ? (enum html_tag)slot->tag : HTML_TAG_OTHER;
	return true;
}

#endif
