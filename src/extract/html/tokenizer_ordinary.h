/* SPDX-License-Identifier: MIT */
/*
 * Private to stretches: which tags are ordinary, by their names. A tag is not ordinary if its name is that of an
 * element whose content is read in another way (raw, skipped, or with its white space kept), or is not a valid tag
 * name.
 *
 * Example: of the '<' of "<p>", "</b>", "<!--", "<title>" the first two are ordinary; <p> breaks the line.
 */
#ifndef DANA_HTML_TOKENIZER_ORDINARY_H
#define DANA_HTML_TOKENIZER_ORDINARY_H

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/tag_near.h"
#include "extract/html/tokenizer_state.h"
#include "extract/html/tokenizer_stretch.h"

enum {
	NAME_NEAR = 2 + 8,                      /* "</" and what html_tag_read_near reads */
	STOPS = TAG_NAMELESS | TAG_KEEPS_SPACE, /* properties of a tag that is not ordinary, or not decided here */
};

/*
 * Returns the properties of a name that html_tag_pack_near or the hash table does not know; with bits of STOPS if it is
 * not ordinary.
 */
static __attribute__((noinline)) unsigned name_far(const uint8_t *name, const uint8_t *end, enum html_tag *tag)
{
	if (!ascii_is_alpha(name[0]) || end - name <= HTML_TAG_NAME_MOST)
		return STOPS;
	struct html_tag_name read = html_tag_read(name);
	*tag = read.tag;
	if (read.tag != HTML_TAG_OTHER)
		return html_tag_properties[read.tag];

	if (white_space_of_tag(HTML_TAG_OTHER, slice_of(name, read.len)) == WHITE_SPACE_KEPT)
		return STOPS;
	/* quotes and '=' in a name have no meaning, but tag_bits.h takes them for those of attributes */
	for (size_t i = 0; i < read.len; i++) {
		if (name[i] == '"' || name[i] == '\'' || name[i] == '=')
			return STOPS;
	}
	return read.len == HTML_TAG_NAME_MOST ? STOPS : 0;
}

/*
 * Returns the properties of the tag whose '<' is p[0]; with bits of STOPS if it is not ordinary. At least NAME_NEAR
 * bytes before `end` can be read.
 */
BITS_INLINE unsigned name_properties(const uint8_t *p, const uint8_t *end, enum html_tag *tag, bool *closing)
{
	*closing = p[1] == '/';
	const uint8_t *name = p + 1 + *closing;
	uint64_t first;
	size_t len;
	if (!html_tag_pack_near(name, &first, &len))
		return name_far(name, end, tag);
	const struct tag_slot *slot = &html_tag_slots[tag_hash(first)];
	if (slot->first != first)
		return name_far(name, end, tag);
	*tag = (enum html_tag)slot->tag;
	return slot->properties;
}

/*
 * Marks in t->breaks which of the tags at starts[0..count) are not inline, and in t->links those of links; returns the
 * first that is not ordinary, or `count`.
 */
BITS_INLINE size_t tags_ordinary(struct html_tokenizer *t, const uint16_t *starts, size_t count)
{
	const uint8_t *const p = t->p, *const end = p + t->n; /* copies: not read again after each write */
	uint64_t *const breaks = t->breaks, *const links = t->links;
	for (size_t i = 0; i < count; i++) {
		enum html_tag tag;
		bool closing;
		size_t at = starts[i];
		unsigned properties = name_properties(p + at, end, &tag, &closing);
		if (properties & (TAG_RAW | TAG_SKIP | STOPS))
			return i;
		breaks[at / 64] |= (uint64_t)(~properties & TAG_INLINE) << at % 64;
		links[at / 64] |= (uint64_t)(properties / TAG_LINKS & 1) << at % 64;
	}
	return count;
}

/* The same inside of a skipped element, where only its end matters. */
static size_t tags_ordinary_skipped(const struct html_tokenizer *t, const uint16_t *starts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum html_tag tag;
		bool closing;
		unsigned properties = name_properties(t->p + starts[i], t->p + t->n, &tag, &closing);
		if (properties & (TAG_RAW | STOPS) || (closing && tag == t->skip) ||
		    html_breaks_out(t->skip, tag, closing))
			return i;
	}
	return count;
}

#endif
