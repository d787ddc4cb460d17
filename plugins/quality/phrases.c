/* SPDX-License-Identifier: MIT */
/*
 * A table has three overlapping rows of four letters from each phrase, which start at adjacent letters. Only every
 * third place of the text is looked up: one of the three rows always starts at such a place.
 */
#include "plugins/quality/phrases.h"

#include <string.h>

enum { GRAM = 4, STRIDE = 3, SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS };

/** `row`: where the first of its three rows begins, chosen so that the rows are rare in texts. */
static const struct {
	const char *text;
	size_t row;
} phrase_rows[PHRASES] = {
	[PHRASE_LOREM] = { "lorem ipsum", 5 },  [PHRASE_JAVASCRIPT] = { "javascript", 1 },
	[PHRASE_TERMS] = { "terms of use", 0 }, [PHRASE_PRIVACY] = { "privacy policy", 3 },
	[PHRASE_COOKIE] = { "cookie", 0 },
};

static uint32_t gram_at(const char *at)
{
	uint32_t gram;

	memcpy(&gram, at, GRAM);
	return gram | 0x20202020; /* lower case for ASCII letters; other bytes that this changes are compared later */
}

static size_t slot_of(uint32_t gram)
{
	return gram * UINT32_C(0x9e3779b1) >> (32 - SLOT_BITS);
}

void phrases_init(struct phrases *t)
{
	*t = (struct phrases){ 0 };
	for (uint8_t i = 0; i < PHRASES; i++)
		for (size_t k = 0; k < STRIDE; k++) {
			size_t slot = slot_of(gram_at(phrase_rows[i].text + phrase_rows[i].row + k));
			while (t->slots[slot])
				slot = (slot + 1) % SLOTS;
			t->slots[slot] = (uint8_t)(1U + STRIDE * i + k);
		}
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

/** Returns whether the phrase, in any case, begins `before` bytes before `at`. */
static bool stands_at(const char *text, size_t len, size_t at, size_t before, const char *phrase)
{
	size_t n = strlen(phrase);

	if (before > at || at - before + n > len)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = text[at - before + i];
		if (c != phrase[i] && !(is_letter(phrase[i]) && (c | 0x20) == phrase[i] && c >= 'A'))
			return false;
	}
	return true;
}

bool phrases_find(const struct phrases *t, const char *text, size_t len, bool found[PHRASES])
{
	bool any = false;

	memset(found, 0, PHRASES * sizeof(*found));
	for (size_t at = 0; at + GRAM <= len; at += STRIDE) {
		for (size_t slot = slot_of(gram_at(text + at)); t->slots[slot]; slot = (slot + 1) % SLOTS) {
			size_t phrase = (size_t)(t->slots[slot] - 1) / STRIDE,
			       k = (size_t)(t->slots[slot] - 1) % STRIDE;
			if (!found[phrase] &&
			    stands_at(text, len, at, phrase_rows[phrase].row + k, phrase_rows[phrase].text))
				found[phrase] = any = true;
		}
	}
	return any;
}

const char *phrase_text(enum phrase phrase)
{
	return phrase_rows[phrase].text;
}
