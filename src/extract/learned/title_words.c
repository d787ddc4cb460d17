#include "extract/learned/title_words.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"

/* Han, Kana, Hangul: lead bytes E3 to ED. A character is a word. */
static bool is_wide_lead(uint8_t c)
{
	return c >= 0xE3 && c <= 0xED;
}

static bool is_word_byte(uint8_t c)
{
	return c >= 0x80 || ascii_is_alpha(c) || ascii_is_digit(c);
}

/* Takes the next word from `rest` and hashes it without regard to ASCII case. False at the end. */
static bool next_word(struct slice *rest, uint32_t *hash)
{
	size_t i = 0, n = rest->len;
	const uint8_t *s = rest->data;
	while (i < n && !is_word_byte(s[i]))
		i++;
	if (i == n)
		return false;
	uint32_t h = HASH_FNV32_START;
	if (is_wide_lead(s[i])) {
		for (size_t end = i + 3 < n ? i + 3 : n; i < end; i++)
			h = (h ^ s[i]) * 16777619U;
	} else {
		for (; i < n && is_word_byte(s[i]) && !is_wide_lead(s[i]); i++)
			h = (h ^ ascii_lower(s[i])) * 16777619U;
	}
	*hash = h ^ h >> 15;
	*rest = slice_skip(*rest, i);
	return true;
}

void title_words_set(struct title_words *t, struct slice title)
{
	t->n = 0;
	t->filter = 0;
	while (t->n < TITLE_WORDS && next_word(&title, &t->hash[t->n]))
		t->filter |= (uint64_t)1 << (t->hash[t->n++] & 63);
}

uint32_t title_words_match(const struct title_words *t, struct slice text, uint32_t *words)
{
	uint32_t matched = 0, hash;
	*words = 0;
	while (next_word(&text, &hash)) {
		++*words;
		if (!(t->filter >> (hash & 63) & 1))
			continue;
		for (uint32_t i = 0; i < t->n; i++) {
			if (t->hash[i] == hash) {
				matched++;
				break;
			}
		}
	}
	return matched;
}
