/* SPDX-License-Identifier: MIT */
/*
 * Most words say nothing. tokens.c hashes the parts of all words anyway; those with a part that is telling are read
 * again here, part by part, and as the sequence of all their parts: that is how whole words such as "sr-only" are
 * known.
 */
#include "extract/learned/says.h"

#include <string.h>

#include "base/ascii.h"
#include "base/cpu.h"
#include "extract/html/class_words.h"
#include "extract/learned/tokens.h"

enum { PARTS_MOST = 8, LABEL_MOST = 48 };

_Static_assert((int)CLASS_PARTS + (int)CLASS_WORDS < (int)SAYS_SLOTS, "there are empty slots");

/* The parts of a word. */
struct says_parts {
	uint32_t hash[PARTS_MOST];
	bool prefix[PARTS_MOST]; /* it is one letter */
	unsigned n, longest;
	uint32_t sequence; /* of all */
	bool other;        /* there are more, or one is directly after a digit and so is made: "ad" in "08ad" */
};

static bool is_letter(uint8_t c)
{
	return c >= 0x80 || ascii_is_alpha(c);
}

/* Returns the bytes of the part at `from`: a capital after a small letter begins the next one. */
static size_t part_end(struct slice text, size_t from)
{
	size_t i = from;
	for (; i < text.len && is_letter(text.data[i]); i++) {
		const bool capital = (uint8_t)(text.data[i] - 'A') < 26;
		if (i > from && capital && (uint8_t)(text.data[i - 1] - 'a') < 26)
			break;
	}
	return i;
}

static void read_parts(struct slice text, struct says_parts *parts)
{
	parts->n = parts->sequence = 0;
	parts->other = false;
	parts->longest = 0;
	for (size_t i = 0, from, most = 0; i < text.len;) {
		from = i;
		i = part_end(text, from);
		if (i == from) {
			i++;
			continue;
		}
		const uint32_t hash = token_part_hash(slice_of(text.data + from, i - from));
		parts->sequence = (parts->sequence + 1) * 0x9E3779B1U ^ hash;
		parts->other |= parts->n == PARTS_MOST || (from && ascii_is_digit(text.data[from - 1]));
		if (parts->n == PARTS_MOST)
			continue;
		parts->longest = i - from > most ? parts->n : parts->longest;
		most = i - from > most ? i - from : most;
		parts->prefix[parts->n] = i - from == 1;
		parts->hash[parts->n++] = hash;
	}
}

/* Returns the number of the slot of a hash, or of the empty one where it belongs. */
static size_t find(const struct says_table *table, uint32_t hash)
{
	size_t at = hash % SAYS_SLOTS;
	while (table->slot[at].hash && table->slot[at].hash != hash)
		at = (at + 1) % SAYS_SLOTS;
	return at;
}

static unsigned topic(unsigned kinds)
{
	return kinds & PART_TOOLS ? SAYS_TOOLS : kinds & PART_LINKS ? SAYS_LINKS : SAYS_APART;
}

static void place(struct says_table *table, uint32_t hash, unsigned kinds, unsigned whole)
{
	struct says_slot *slot = &table->slot[find(table, hash)];
	slot->hash = hash;
	slot->kinds |= (uint8_t)kinds;
	slot->whole |= (uint8_t)whole;
}

static void place_whole(struct says_table *table, struct slice word, unsigned says)
{
	NOT_ZEROED struct says_parts parts;
	read_parts(word, &parts);
	place(table, parts.sequence, 0, says);
	const uint32_t longest = parts.hash[parts.longest];
	table->telling[longest >> 23] |= (uint64_t)1 << (longest >> 17 & 63);
}

void says_table_init(struct says_table *table)
{
	memset(table, 0, sizeof(*table));
	for (size_t i = 0; i < CLASS_PARTS; i++) {
		const struct class_part_entry *e = &class_part_table[i];
		const struct slice word = slice_from_text(e->part);
		if (memchr(word.data, '-', word.len)) {
			place_whole(table, word, topic(e->kinds));
			continue;
		}
		const uint32_t hash = token_part_hash(word);
		place(table, hash, e->kinds, 0);
		const bool telling = e->kinds & (PART_TOPIC | PART_WITH | PART_OPENS);
		table->telling[hash >> 23] |= (uint64_t)telling << (hash >> 17 & 63);
	}
	for (size_t i = 0; i < CLASS_WORDS; i++) {
		if (class_word_table[i].meanings & CLASS_READER)
			place_whole(table, slice_from_text(class_word_table[i].word), SAYS_READER);
	}
}

unsigned says_word(const struct says_table *table, struct slice word)
{
	NOT_ZEROED struct says_parts parts;
	unsigned says = 0, opens = 0;
	bool waits = false;
	read_parts(word, &parts);
	bool other = parts.other;
	for (unsigned i = 0; i < parts.n; i++) {
		const unsigned kinds = table->slot[find(table, parts.hash[i])].kinds;
		const bool before = (kinds & PART_PLACE || parts.prefix[i]) && !says && !waits;
		other |= !(kinds & (PART_TOPIC | PART_HOLDER | PART_WITH)) && !before;
		opens |= kinds & PART_OPENS ? SAYS_OPENS : 0U;
		says |= (waits && kinds & PART_HOLDER ? SAYS_APART : 0U) | (kinds & PART_TOPIC ? topic(kinds) : 0U);
		waits |= (kinds & PART_WITH) != 0;
	}
	return (other ? 0U : says) | opens | table->slot[find(table, parts.sequence)].whole;
}

unsigned says_label(const struct says_table *table, struct slice label)
{
	return label.len > LABEL_MOST ? 0U : says_word(table, label) & (SAYS_APART | SAYS_TOOLS | SAYS_LINKS);
}
