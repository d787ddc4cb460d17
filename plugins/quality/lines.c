/* SPDX-License-Identifier: MIT */
/* Lines of a text, and the marks that end sentences. */
#include <string.h>

#include "plugins/quality/classes.h"
#include "plugins/quality/measure.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

bool next_part(struct text text, int parting, size_t *at, struct line *part)
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

uint64_t count_chars(const char *data, size_t len)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t continued = 0, word;
	size_t i = 0;

	/* Eight bytes at a time: those that continue a character have bit 7 and not bit 6. */
	for (; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, data + i, sizeof(word));
		continued += ((word >> 7 & ~(word >> 6)) & ones) * ones >> 56;
	}
	for (; i < len; i++)
		continued += (data[i] & 0xc0) == 0x80;
	return len - continued;
}

/** Marks that end a sentence: of Latin, Greek, Armenian, Arabic, Urdu, Devanagari, Ethiopic, Khmer, Burmese, Chinese. */
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

/** Where words are not parted by spaces, a sentence may go on directly after its mark. */
static bool needs_no_space(int32_t mark)
{
	return mark >= 0x3000;
}

uint64_t count_sentences(struct line line)
{
	uint64_t n = 0;
	int32_t c = 0,
		mark = 0;  /* mark: the last character but quotation marks and brackets, when it ends a sentence */
	bool open = false; /* something stands after the last end */

	for (size_t at = 0; at < line.len;) {
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

bool count_duplicates(struct seen *seen, struct text text, int parting, struct duplicates *d)
{
	struct line part;
	size_t n = 0;

	for (size_t at = 0; next_part(text, parting, &at, &part);)
		n++;
	*d = (struct duplicates){ .parts = n };
	if (n < 2)
		return true;
	if (!seen_begin(seen, n))
		return false;
	for (size_t at = 0; next_part(text, parting, &at, &part);) {
		struct seen_slot *slot = seen_add(seen, XXH3_64bits(part.data, part.len), 0);
		if (slot && slot->count > 1) {
			d->again++;
			d->chars += count_chars(part.data, part.len);
		}
	}
	return true;
}
