/* SPDX-License-Identifier: MIT */
/* Lines of a text, and the marks that end sentences. */
#include <stdlib.h>
#include <string.h>

#include "plugins/quality/classes.h"
#include "plugins/quality/measure.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/**
 * Finds the next part of the text from *at on; parts are separated by at least `parting` LF. Returns false after the
 * last.
 */
static bool next_part(struct text text, int parting, size_t *at, struct line *part)
{
	size_t start = *at;

	while (start < text.len && text.data[start] == '\n')
		start++;
	size_t end = start, after = start;
	while (end < text.len) {
		const char *lf = memchr(text.data + end, '\n', text.len - end);
		end = lf ? (size_t)(lf - text.data) : text.len;
		for (after = end; after < text.len && text.data[after] == '\n';)
			after++;
		if (after - end >= (size_t)parting || after == text.len)
			break;
		end = after;
	}
	*at = after;
	*part = (struct line){ text.data + start, end - start };
	return end > start;
}

static bool room_for_a_line(struct lines *lines)
{
	enum { CAP_LEAST = 256 };
	const size_t cap = lines->cap ? 2 * lines->cap : CAP_LEAST;

	if (lines->n < lines->cap)
		return true;
	struct line *list = realloc(lines->list, cap * sizeof(*list));
	if (!list)
		return false;
	lines->list = list;
	lines->cap = cap;
	return true;
}

bool lines_begin(struct lines *lines, struct text text)
{
	struct line line;

	if (text.data && lines->text.data == text.data)
		return true;
	lines->text = (struct text){ NULL, 0 };
	lines->n = 0;
	lines->counted = lines->apart = false;
	for (size_t at = 0; lines->n < LINES_LISTED && next_part(text, 1, &at, &line);) {
		if (!room_for_a_line(lines))
			return false;
		lines->list[lines->n++] = line;
		lines->apart |= text.data + at > line.data + line.len + 1;
	}
	lines->apart |= lines->n == LINES_LISTED;
	lines->text = text;
	return true;
}

bool next_line(const struct lines *lines, struct line_walk *walk, struct line *line)
{
	if (walk->i < lines->n) {
		*line = lines->list[walk->i++];
		return true;
	}
	if (lines->n < LINES_LISTED)
		return false;
	if (walk->i++ == LINES_LISTED) {
		const struct line *last = &lines->list[LINES_LISTED - 1];
		walk->at = (size_t)(last->data - lines->text.data) + last->len;
	}
	return next_part(lines->text, 1, &walk->at, line);
}

uint64_t count_chars(const char *data, size_t len)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t continued = 0, word;
	size_t i = 0;

	/* Eight bytes at a time: continuation bytes have bit 7 set and bit 6 clear. */
	for (; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, data + i, sizeof(word));
		continued += ((word >> 7 & ~(word >> 6)) & ones) * ones >> 56;
	}
	for (; i < len; i++)
		continued += (data[i] & 0xc0) == 0x80;
	return len - continued;
}

/**
 * Returns whether the mark ends a sentence in Latin, Greek, Armenian, Arabic, Urdu, Devanagari, Ethiopic, Khmer,
 * Burmese or Chinese.
 */
static bool is_sentence_mark(int32_t c)
{
	switch (c) {
	case '.':
	case '?':
	case '!':
	case 0x037e:
	case 0x0589:
	case 0x061f:
	case 0x06d4:
	case 0x0964:
	case 0x0965:
	case 0x104b:
	case 0x1362:
	case 0x1367:
	case 0x17d4:
	case 0x17d5:
	case 0x203c:
	case 0x2047:
	case 0x2048:
	case 0x2049:
	case 0x3002:
	case 0xff01:
	case 0xff0e:
	case 0xff1f:
	case 0xff61:
		return true;
	default:
		return false;
	}
}

static bool is_quotation_mark(int32_t c)
{
	return c == '"' || c == '\'' || c == 0xbb || c == 0x2019 || c == 0x201d || c == 0x300d || c == 0x300f;
}

bool ends_sentence(struct line line)
{
	size_t at = line.len;
	int32_t c = 0;

	if (!at)
		return false;
	do
		at--;
	while (at && (line.data[at] & 0xc0) == 0x80);
	next_char(line.data + at, &c);
	return is_sentence_mark(c) || is_quotation_mark(c);
}

/** Returns whether the next sentence may follow the mark directly, as where words are not separated by spaces. */
static bool needs_no_space(int32_t mark)
{
	return mark >= 0x3000;
}

/** Returns whether a character that may end a sentence can begin with the byte. This excludes most characters. */
static inline bool may_end_sentence(uint8_t first)
{
	return first >= 0x80 || first == '.' || first == '?' || first == '!';
}

uint64_t count_sentences(struct line line)
{
	uint64_t n = 0;
	int32_t c = 0,
		mark = 0;  /* mark: the last character but quotation marks and brackets, when it ends a sentence */
	bool open = false; /* there is text after the last end of a sentence */

	for (size_t at = 0; at < line.len;) {
		if (open && !mark && !may_end_sentence((uint8_t)line.data[at])) {
			at++;
			continue;
		}
		at += next_char(line.data + at, &c);
		bool ended =
			mark && (c == ' ' || (needs_no_space(mark) && !is_sentence_mark(c) && !is_quotation_mark(c)));
		if (ended && open) {
			n++;
			open = false;
		}
		if (c == ' ') {
			mark = 0;
			continue;
		}
		open = true;
		if (is_sentence_mark(c))
			mark = c;
		else if (!is_quotation_mark(c) && c != ')')
			mark = 0;
	}
	return n + open;
}

static void count_part(struct seen *seen, struct line part, struct duplicates *d)
{
	const struct seen_slot *slot = seen_add(seen, XXH3_64bits(part.data, part.len), 0);

	if (slot && slot->count > 1) {
		d->again++;
		d->chars += count_chars(part.data, part.len);
	}
}

bool count_duplicate_lines(struct lines *lines, struct seen *seen)
{
	struct line_walk walk = { 0, 0 };
	struct duplicates d = { .parts = lines->n };
	struct line line;

	if (lines->counted)
		return true;
	if (lines->n == LINES_LISTED)
		for (d.parts = 0; next_line(lines, &walk, &line);)
			d.parts++;
	if (d.parts > 1) {
		if (!seen_begin(seen, d.parts))
			return false;
		for (walk = (struct line_walk){ 0, 0 }; next_line(lines, &walk, &line);)
			count_part(seen, line, &d);
	}
	lines->found = d;
	lines->counted = true;
	return true;
}

bool count_duplicate_paragraphs(struct text text, struct seen *seen, struct duplicates *d)
{
	struct line part;

	*d = (struct duplicates){ .parts = 0 };
	for (size_t at = 0; next_part(text, 2, &at, &part);)
		d->parts++;
	if (d->parts < 2)
		return true;
	if (!seen_begin(seen, d->parts))
		return false;
	for (size_t at = 0; next_part(text, 2, &at, &part);)
		count_part(seen, part, d);
	return true;
}
