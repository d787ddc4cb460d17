/* SPDX-License-Identifier: MIT */
/*
 * Properties of a code point for normalisation, as one number in an array: its kind, its lower-case form, and whether
 * it can change next to other characters. The array is filled from utf8proc's tables, when a code point is first looked
 * up. Threads: each has its own object.
 *
 * A character whose canonical form is one other character (U+037E, the Greek question mark, is U+003B) has the kind of
 * that other one. So it makes no difference whether a text is split into words before or after it is put into NFC.
 *
 * Characters go one by one to put_character, which knows what separates words. Nearly all are already in NFC. Only a
 * character that may join the one before it starts a group, with the one before and all such characters after it, which
 * utf8proc brings into NFC. So the last character is held back until the next one is known.
 */
#include "dedup/normal_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"

enum character_kind {
	CHARACTER_WORD = 1, /* part of a word: letters, digits, marks, symbols */
	CHARACTER_SPACE,
	CHARACTER_PUNCTUATION, /* Unicode's general category P */
	CHARACTER_ALONE,       /* a word by itself: character_stands_alone() */
	CHARACTER_INVISIBLE,
};

enum {
	CODE_POINT_SMALL =
		0x1FFFFF, /* bits of the lower-case form, by Unicode's simple mapping; else the character itself */
	CODE_POINT_KIND_SHIFT = 24, /* above: enum character_kind */
	/*
	 * The character may change or join the one before it when a text is put into NFC. All others stay as they are
	 * before one that stays.
	 */
	CODE_POINT_JOINS = 1 << 23,
};

struct code_points;

struct code_points {
	uint32_t of[0x110000]; /* 0: not filled yet; untouched memory costs nothing */
};

static inline enum character_kind code_point_kind(uint32_t properties)
{
	return (enum character_kind)(properties >> CODE_POINT_KIND_SHIFT);
}

enum { MOST_CANONICAL = 8 };

static uint32_t properties_of(uint32_t c)
{
	/* the character's NFC, if that is a single character */
	utf8proc_int32_t parts[MOST_CANONICAL];
	const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
	utf8proc_ssize_t n = utf8proc_decompose_char((utf8proc_int32_t)c, parts, MOST_CANONICAL, options, NULL);
	if (n > 0 && n <= MOST_CANONICAL)
		n = utf8proc_normalize_utf32(parts, n, options);
	const bool stays = n == 1 && parts[0] == (utf8proc_int32_t)c;
	const uint32_t form = n == 1 ? (uint32_t)parts[0] : c;
	const utf8proc_property_t *own = utf8proc_get_property((utf8proc_int32_t)c);
	const utf8proc_property_t *of = utf8proc_get_property((utf8proc_int32_t)form);
	uint32_t properties = (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
	const bool is_punctuation = of->category >= UTF8PROC_CATEGORY_PC && of->category <= UTF8PROC_CATEGORY_PO;
	const enum character_kind kind = character_is_space(form)       ? CHARACTER_SPACE
					 : character_is_invisible(form) ? CHARACTER_INVISIBLE
					 : is_punctuation               ? CHARACTER_PUNCTUATION
					 : character_stands_alone(form) ? CHARACTER_ALONE
									: CHARACTER_WORD;
	properties |= (uint32_t)kind << CODE_POINT_KIND_SHIFT;
	if (!stays ||
	    (own->combining_class != 0 || own->category == UTF8PROC_CATEGORY_MN ||
	     own->category == UTF8PROC_CATEGORY_MC || own->category == UTF8PROC_CATEGORY_ME) ||
	    (c >= 0x1160 && c <= 0x11FF))
		properties |= CODE_POINT_JOINS;
	return properties;
}

/** Returns the properties of `c`, which is at most 0x10FFFF. */
static inline uint32_t code_points_get(struct code_points *p, uint32_t c)
{
	if (!p->of[c])
		p->of[c] = properties_of(c);
	return p->of[c];
}

enum {
	MOST_JOINING = 32, /* in a group; without a bound, sorting marks would take quadratic time */
	MOST_PARTS = 4,    /* code points that one decomposes into */
};

struct normaliser {
	struct code_points *code_points;
	unsigned flags;
	struct buf *out;
	bool space;                       /* a space is due before the next word */
	uint32_t group[1 + MOST_JOINING]; /* characters not written yet; all but the first join the one before */
	unsigned n_group, joining;
};

struct normaliser *normaliser_new(void)
{
	struct normaliser *n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->code_points = calloc(1, sizeof(struct code_points));
	if (!n->code_points) {
		normaliser_free(n);
		return NULL;
	}
	return n;
}

void normaliser_free(struct normaliser *n)
{
	if (!n)
		return;
	free(n->code_points);
	free(n);
}

/* Writes a character that is in NFC. */
static void put_character(struct normaliser *n, uint32_t c, uint32_t properties)
{
	enum character_kind kind = code_point_kind(properties);
	bool words = n->flags & NORMAL_WORDS;
	if (kind == CHARACTER_SPACE || (words && kind == CHARACTER_PUNCTUATION)) {
		n->space = n->out->len != 0;
		return;
	}
	if (words && kind == CHARACTER_ALONE)
		n->space = n->out->len != 0;
	/* write a character of a word, with the space before it if one is due */
	enum { MOST_BYTES = 5 };
	struct buf *out = n->out;
	if (!(out->cap - out->len < MOST_BYTES && buf_reserve(out, MOST_BYTES) < 0)) {
		out->data[out->len] = ' ';
		out->len += n->space;
		out->len += utf8_put(n->flags & NORMAL_SMALL ? properties & CODE_POINT_SMALL : c, out->data + out->len);
		n->space = false;
	}
	if (words && kind == CHARACTER_ALONE)
		n->space = true;
}

static void end_group(struct normaliser *n)
{
	if (n->joining) {
		/* write a group of joining characters in NFC */
		const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
		uint8_t bytes[(1 + MOST_JOINING) * 4];
		utf8proc_int32_t parts[(1 + MOST_JOINING) * MOST_PARTS];
		size_t len = 0;
		for (unsigned i = 0; i < n->n_group; i++)
			len += utf8_put(n->group[i], bytes + len);
		utf8proc_ssize_t count = utf8proc_decompose(bytes, (utf8proc_ssize_t)len, parts,
							    sizeof(parts) / sizeof(*parts), options);
		count = utf8proc_normalize_utf32(parts, count, options);
		for (utf8proc_ssize_t i = 0; i < count; i++)
			put_character(n, (uint32_t)parts[i], code_points_get(n->code_points, (uint32_t)parts[i]));
	} else if (n->n_group)
		put_character(n, n->group[0], code_points_get(n->code_points, n->group[0]));
	n->n_group = n->joining = 0;
}

/*
 * Without NORMAL_WORDS: writes eight printable ASCII characters at once, where an ASCII byte follows and no two of them
 * are spaces side by side. Returns false if they are not.
 */
static bool take_eight(struct normaliser *n, struct slice text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	enum { EIGHT = 8 };
	uint64_t x;
	if (text.len <= EIGHT || text.data[EIGHT] >= 0x80)
		return false;
	memcpy(&x, text.data, EIGHT);
	/* below a space, above a tilde */
	if ((x | (x - ones * ' ') | (x + ones)) & tops)
		return false;
	const uint64_t other = x ^ ones * ' ', spaces = ~(other | (other + ones * 0x7F)) & tops;
	const bool begins = text.data[0] == ' ', ends = text.data[EIGHT - 1] == ' ';
	end_group(n);
	if (spaces & spaces << 8 || (begins && n->out->len == 0) || buf_reserve(n->out, EIGHT + 1) < 0)
		return false;
	if (n->flags & NORMAL_SMALL)
		x |= ((x + ones * (0x80 - 'A')) & ~(x + ones * (0x7F - 'Z')) & tops) >> 2;
	struct buf *out = n->out;
	out->data[out->len] = ' ';
	out->len += n->space && !begins;
	memcpy(out->data + out->len, &x, EIGHT);
	out->len += EIGHT - ends;
	n->space = ends;
	return true;
}

/*
 * ASCII letters and digits that are followed by another ASCII byte do not change: writes a run of them at once. Returns
 * its length.
 */
static size_t take_plain(struct normaliser *n, struct slice text)
{
	size_t len = 0;
	while (len + 1 < text.len && (ascii_is_alpha(text.data[len]) || ascii_is_digit(text.data[len])) &&
	       text.data[len + 1] < 0x80)
		len++;
	if (len == 0)
		return 0;
	end_group(n);
	if (n->space)
		buf_append_byte(n->out, ' ');
	n->space = false;
	if (buf_reserve(n->out, len) < 0)
		return len;
	for (size_t i = 0; i < len; i++)
		n->out->data[n->out->len++] = n->flags & NORMAL_SMALL ? ascii_lower(text.data[i]) : text.data[i];
	return len;
}

int normal_text(struct normaliser *n, struct slice text, unsigned flags, struct buf *out)
{
	n->flags = flags;
	n->out = out;
	n->space = out->len != 0;
	while (text.len) {
		uint32_t c;
		if (!(flags & NORMAL_WORDS) && take_eight(n, text)) {
			text = slice_skip(text, 8);
			continue;
		}
		size_t len = take_plain(n, text);
		if (!len) {
			len = utf8_decode(text, &c);
			uint32_t properties = code_points_get(n->code_points, c);
			enum character_kind kind = code_point_kind(properties);
			bool joins = properties & CODE_POINT_JOINS && kind != CHARACTER_SPACE;
			if (kind != CHARACTER_INVISIBLE) {
				if (!joins || n->joining == MOST_JOINING)
					end_group(n);
				n->joining += joins;
				if (kind == CHARACTER_SPACE)
					put_character(n, c, properties);
				else
					n->group[n->n_group++] = c;
			}
		}
		text = slice_skip(text, len);
	}
	end_group(n);
	return buf_status(out);
}

struct slice normal_next_part(struct slice *text)
{
	size_t len = text->len < NORMAL_PART ? text->len : NORMAL_PART;
	while (len < text->len && len > 0 && !ascii_is_space(text->data[len - 1]))
		len--;
	if (len == 0) {
		len = text->len < NORMAL_PART ? text->len : NORMAL_PART;
		while (len < text->len && !ascii_is_space(text->data[len]))
			len++;
	}
	struct slice part = slice_first(*text, len);
	*text = slice_skip(*text, len);
	return part;
}
