/* Reading an element's name in line: the eight bytes that hold nearly all names at once. */
#ifndef DANA_HTML_TAG_NEAR_H
#define DANA_HTML_TAG_NEAR_H

#include "html/tag.h"
#include "html/tag_hash.h"

#define EACH_BYTE(byte) (0x0101010101010101U * (byte))

/** Eight bytes, the first one lowest. */
static inline uint64_t tag_packed(const uint8_t *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof(word));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/**
 * The name at `p`, of which eight bytes can be read: its first bytes as in its slot, where it would be found. False when they do not
 * show its end, or it has a digit or the like.
 */
static inline bool html_tag_pack_near(const uint8_t *p, uint64_t *first, size_t *len)
{
	uint64_t word = tag_packed(p),
		 ends = ~word & EACH_BYTE(0x40U); /* letters have this bit; white space, '/', '>' do not */
	if (!ends)
		return false;
	*len = (size_t)__builtin_ctzll(ends) / 8;
	/* bit 5 makes lower case of upper case */
	*first = (word | EACH_BYTE(0x20U)) & (ends ^ (ends - 1)) >> 7;
	return html_ends_name(p[*len]);
}

/** The same, found. */
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
