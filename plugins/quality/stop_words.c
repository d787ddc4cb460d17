/* SPDX-License-Identifier: MIT */
/*
 * One table for all languages: a word that is a stop word of several has a bit for each of them, so that each word of a
 * page costs one look-up, whatever the language.
 */
#include "plugins/quality/stop_words.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "plugins/quality/classes.h"
#include "plugins/quality/stop_word_list.h"
#include "plugins/quality/word_hash.h"

enum { STOP_WORDS = sizeof(stop_word_list) / sizeof(stop_word_list[0]) };
static_assert(sizeof(stop_languages) / sizeof(stop_languages[0]) <= STOP_LANGUAGES_MOST, "a bit for each language");
static_assert((int)STOP_WORDS < (int)STOP_SLOTS / 2, "at least half of the table stays free");

static size_t slot_of(const struct stop_words *t, uint64_t hash)
{
	size_t at = hash % STOP_SLOTS;

	while (t->slots[at].languages && t->slots[at].hash != hash)
		at = (at + 1) % STOP_SLOTS;
	return at;
}

void stop_words_init(struct stop_words *t)
{
	memset(t, 0, sizeof(*t));
	for (int i = 0; i < STOP_WORDS; i++) {
		uint64_t hash = word_hash(stop_word_list[i].word, strlen(stop_word_list[i].word));
		struct stop_slot *slot = &t->slots[slot_of(t, hash)];
		slot->hash = hash;
		slot->languages |= UINT64_C(1) << stop_word_list[i].language;
	}
}

int stop_language(const char *tag, size_t len)
{
	const char *hyphen = memchr(tag, '-', len);
	size_t primary = hyphen ? (size_t)(hyphen - tag) : len;

	for (size_t i = 0; i < sizeof(stop_languages) / sizeof(stop_languages[0]); i++)
		if (strlen(stop_languages[i]) == primary && !memcmp(stop_languages[i], tag, primary))
			return (int)i;
	return STOP_NONE;
}

void stop_count_begin(struct stop_count *c, const struct stop_words *table, int language)
{
	c->table = table;
	c->language = language;
	c->most = 0;
	if (!++c->page) { /* after 2^32 pages */
		memset(c->met, 0, sizeof(c->met));
		c->page = 1;
	}
	memset(c->by_language, 0, sizeof(c->by_language));
}

/** Returns the hash of the word in lower case. */
static uint64_t lower_hash(const char *word, size_t len)
{
	uint8_t out[STOP_WORD_MOST + 4];
	size_t n = 0;
	int32_t c;

	for (size_t at = 0; at < len && n <= STOP_WORD_MOST;) {
		at += next_char(word + at, &c);
		n += (size_t)utf8proc_encode_char(utf8proc_tolower(c), out + n);
	}
	return word_hash((const char *)out, n);
}

void stop_count_word(struct stop_count *c, const char *word, size_t len, uint64_t hash, bool upper)
{
	if (len > STOP_WORD_MOST)
		return;
	size_t at = slot_of(c->table, upper ? lower_hash(word, len) : hash);
	uint64_t languages = c->table->slots[at].languages;
	if (!languages || c->met[at] == c->page)
		return;
	c->met[at] = c->page;
	for (int i = 0; languages; i++, languages >>= 1) {
		c->by_language[i] += languages & 1;
		if ((c->language == STOP_ANY || c->language == i) && c->by_language[i] > c->most)
			c->most = c->by_language[i];
	}
}
