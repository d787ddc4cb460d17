/* SPDX-License-Identifier: MIT */
/*
 * Gopher's rules on repetition: paragraphs, lines and sequences of words ("n-grams") that occurred before in the page.
 *
 * A sequence of n words can occur twice only if the n - 1 words from its first on and the n - 1 words from its second
 * on both do. So each length looks only at the places that the length before has left: in "the river and the boat and
 * the river" pairs leave four places ("the river" and "and the", twice each), and only "and the river" is checked for
 * three. On most pages few places are left after pairs. The hash of n words is made from that of n - 1 by one
 * multiplication.
 *
 * Most pages are far from breaking any of these rules. So a first pass, which needs no hash table, finds upper bounds
 * of the measures (struct bounds); everything is counted only if one of these exceeds a limit.
 */
#include <stdlib.h>
#include <string.h>

#include "plugins/quality/measure.h"

enum { TOP_LEAST = 2, TOP_MOST = 4, DUP_LEAST = 5, DUP_MOST = 10, BITS_FOR_A_WORD = 64 };

#define FACTOR UINT64_C(0x9fb21c651e98df25)
#define FACTOR_2 (FACTOR * FACTOR)

/**
 * Returns the hash of a sequence from those of its first part and of its last word. Its high bits are as good as those
 * of word hashes.
 */
static inline uint64_t join(uint64_t first, uint64_t second)
{
	return first * FACTOR + second;
}

/** Returns the characters of the text from the first to the last of n words. */
static uint64_t span(const struct words *w, size_t at, size_t n)
{
	const struct word *last = &w->list[at + n - 1];

	return last->from + last->chars - w->list[at].from;
}

/** Counts the sequences at the places, and keeps only the places of those that occur twice. */
static bool keep_repeated(struct scratch *s, struct seen_slot *top)
{
	struct places *p = &s->places;
	size_t kept = 0;

	*top = (struct seen_slot){ 0 };
	if (!seen_begin(&s->seen, p->n))
		return false;
	for (size_t i = 0; i < p->n; i++) {
		const struct seen_slot *slot = seen_add(&s->seen, p->hashes[i], p->at[i]);
		p->slots[i] = slot ? (uint32_t)(slot - s->seen.slots) : 0;
		if (slot && (slot->count > top->count || (slot->count == top->count && slot->first < top->first)))
			*top = *slot;
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct seen_slot *slot = &s->seen.slots[p->slots[i]];
		if (slot->use != s->seen.use || slot->count < 2 || slot->hash != p->hashes[i])
			continue;
		p->at[kept] = p->at[i];
		p->hashes[kept] = p->hashes[i];
		p->slots[kept++] = p->slots[i];
	}
	p->n = kept;
	return true;
}

/** Moves on to the next length, of `n` words: keeps the places whose neighbour is a place too. */
static void lengthen(struct scratch *s, size_t n)
{
	struct places *p = &s->places;
	size_t kept = 0;

	for (size_t i = 0; i + 1 < p->n; i++) {
		if (p->at[i + 1] != p->at[i] + 1)
			continue;
		p->at[kept] = p->at[i];
		p->hashes[kept++] = join(p->hashes[i], s->words.hashes[p->at[i] + n - 1]);
	}
	p->n = kept;
}

/** Returns the characters of the words in repeated sequences of n words, each counted once. */
static uint64_t duplicate_chars(struct scratch *s, size_t n)
{
	const struct places *p = &s->places;
	uint64_t chars = 0;
	size_t from = 0; /* words before this one are counted */

	for (size_t i = 0; i < p->n; i++) {
		struct seen_slot *slot = &s->seen.slots[p->slots[i]];
		if (p->at[i] < from)
			continue;
		if (slot->first != SEEN_VISITED) {
			slot->first = SEEN_VISITED;
			continue;
		}
		from = p->at[i] + n;
		for (size_t word = p->at[i]; word < from; word++)
			chars += s->words.list[word].chars;
	}
	return chars;
}

static bool begin_places(struct scratch *s)
{
	struct places *p = &s->places;

	if (s->words.n > p->cap) {
		free(p->hashes);
		free(p->at);
		free(p->slots);
		p->cap = s->words.cap;
		p->hashes = malloc(p->cap * sizeof(*p->hashes));
		p->at = malloc(p->cap * sizeof(*p->at));
		p->slots = malloc(p->cap * sizeof(*p->slots));
		if (!p->hashes || !p->at || !p->slots) {
			p->cap = 0;
			return false;
		}
	}
	p->n = s->words.n;
	for (size_t i = 0; i < p->n; i++) {
		p->at[i] = (uint32_t)i;
		p->hashes[i] = s->words.hashes[i];
	}
	return true;
}

/** Returns whether the page breaks the rule, which has a largest value. */
static bool breaks(const double measures[RULES], const double *limits, enum rule rule)
{
	return limits[rule] >= 0 && measures[rule] > limits[rule];
}

/** With `limits` (or NULL), stops at the first rule that the page breaks. */
static bool measure_sequences(struct scratch *s, double total, const double *limits, double measures[RULES])
{
	struct seen_slot top;
	uint64_t chars;

	if (!begin_places(s))
		return false;
	for (size_t n = TOP_LEAST; n <= DUP_MOST; n++) {
		lengthen(s, n);
		if (!keep_repeated(s, &top))
			return false;
		if (n >= DUP_LEAST)
			chars = duplicate_chars(s, n);
		else if (top.count > 1)
			chars = top.count * span(&s->words, top.first, n);
		else /* no sequence occurs twice: the first is as frequent as any */
			chars = s->words.n < n ? 0 : span(&s->words, 0, n);
		const enum rule rule = n <= TOP_MOST ? RULE_TOP_2 + (enum rule)(n - TOP_LEAST)
						     : RULE_DUP_5 + (enum rule)(n - DUP_LEAST);
		measures[rule] = (double)chars / total;
		if (limits && breaks(measures, limits, rule))
			return true;
	}
	return true;
}

/** Upper bounds of the measures: shares of the characters. */
struct bounds {
	double top, dup[DUP_MOST - DUP_LEAST + 1];
};

/**
 * Equal sequences of 2 to 4 words begin with equal pairs. So the most frequent one occurs no more often than some group
 * of pairs, and is no longer than the longest four words that begin with a pair of that group.
 */
struct pair_group {
	uint32_t count, longest;
};

enum { GROUP_BITS = 10, GROUPS = 1 << GROUP_BITS };

static uint64_t most_of(const struct pair_group groups[GROUPS])
{
	uint64_t most = 0;

	for (size_t i = 0; i < GROUPS; i++) {
		uint64_t chars = (uint64_t)groups[i].count * groups[i].longest;
		most = chars > most ? chars : most;
	}
	return most;
}

static bool begin_bits(struct bits *b, size_t words)
{
	if (words > b->cap) {
		free(b->words);
		b->words = malloc(words * sizeof(*b->words));
		b->cap = b->words ? words : 0;
	}
	if (b->words)
		memset(b->words, 0, words * sizeof(*b->words));
	return b->words;
}

/**
 * Marks the hash in a set of `n` bits, by its highest bits. Returns whether the bit was already set, by this or another
 * hash.
 */
static inline bool mark(struct bits *b, uint64_t n, uint64_t hash)
{
	const uint64_t place = (hash >> 32) * n >> 32, bit = UINT64_C(1) << (place & 63);
	uint64_t *word = &b->words[place >> 6];
	const bool was = *word & bit;

	*word |= bit;
	return was;
}

/** Adjacent places at each of which a sequence of DUP_LEAST words begins that seems to have occurred before. */
struct row {
	size_t first, n;
	uint64_t chars[DUP_MOST - DUP_LEAST + 1];
};

/** Ends a row. If a longer sequence is repeated, each shorter sequence in it begins at a place of the row. */
static void end_row(struct row *r, const struct words *w)
{
	uint64_t chars = 0;
	size_t last = r->first + r->n + DUP_LEAST - 1;

	if (!r->n)
		return;
	for (size_t word = r->first; word < last; word++)
		chars += w->list[word].chars;
	for (size_t k = 0; k < r->n && k <= DUP_MOST - DUP_LEAST; k++)
		r->chars[k] += chars;
	r->n = 0;
}

static void add_to_row(struct row *r, const struct words *w, size_t place)
{
	if (r->n && r->first + r->n != place)
		end_row(r, w);
	if (!r->n)
		r->first = place;
	r->n++;
}

/** Adds the word pair at `place`, with the length in characters up to the end of word `words`. */
static inline void add_pair(struct pair_group groups[GROUPS], const struct words *w, size_t place, uint64_t pair,
			    size_t words)
{
	struct pair_group *group = &groups[pair >> (64 - GROUP_BITS)];
	const struct word *first = &w->list[place], *last = first + words - 1;
	const uint32_t chars = last->from + last->chars - first->from;

	group->count++;
	group->longest = chars > group->longest ? chars : group->longest;
}

/**
 * Finds bounds with a small filter: each sequence of DUP_LEAST words sets one of BITS_FOR_A_WORD bits for each word of
 * the text. A sequence whose bit is not set is new; one whose bit is set may be a repetition, or, about once in 128, a
 * new one that shares the bit. The hash of a sequence is made from that of the one before: the share of its first word
 * is taken off.
 */
static void estimate_sequences(struct scratch *s, struct pair_group groups[GROUPS], uint64_t bits, struct row *row)
{
	const struct words *w = &s->words;
	const uint64_t *h = w->hashes;
	size_t i = 0;

	if (w->n >= DUP_LEAST) {
		uint64_t sequence = join(join(join(h[0], h[1]), h[2]), h[3]);
		for (; i + DUP_LEAST <= w->n; i++) {
			sequence = join(sequence, h[i + DUP_LEAST - 1]);
			add_pair(groups, w, i, join(h[i], h[i + 1]), TOP_MOST);
			if (mark(&s->bits, bits, sequence))
				add_to_row(row, w, i);
			sequence -= h[i] * (FACTOR_2 * FACTOR_2);
		}
	}
	for (; i + 1 < w->n; i++)
		add_pair(groups, w, i, join(h[i], h[i + 1]), w->n - i < TOP_MOST ? w->n - i : TOP_MOST);
	end_row(row, w);
}

static bool estimate(struct scratch *s, double total, struct bounds *bounds)
{
	struct pair_group groups[GROUPS] = { { 0, 0 } };
	struct row row = { .n = 0 };
	const size_t bits = s->words.n * BITS_FOR_A_WORD / 64 + 1;

	if (!begin_bits(&s->bits, bits))
		return false;
	estimate_sequences(s, groups, 64 * bits, &row);
	bounds->top = (double)most_of(groups) / total;
	for (size_t k = 0; k <= DUP_MOST - DUP_LEAST; k++)
		bounds->dup[k] = (double)row.chars[k] / total;
	return true;
}

/** Returns whether a bound exceeds the limit of a rule that is on. */
static bool may_break(const struct bounds *bounds, const double *limits)
{
	for (int i = RULE_TOP_2; i <= RULE_DUP_10; i++)
		if (limits[i] >= 0 && (i < RULE_DUP_5 ? bounds->top : bounds->dup[i - RULE_DUP_5]) > limits[i])
			return true;
	return false;
}

/** Measures lines, and paragraphs if more than one line end separates some lines. */
static bool measure_lines(struct scratch *s, struct text text, double total, double measures[RULES])
{
	struct duplicates paragraphs = { .parts = 1 };

	if (!lines_begin(&s->lines, text) || !count_duplicate_lines(&s->lines, &s->seen))
		return false;
	if (s->lines.apart && !count_duplicate_paragraphs(text, &s->seen, &paragraphs))
		return false;
	const struct duplicates *lines = &s->lines.found;
	if (lines->parts) {
		measures[RULE_DUP_PARA] = (double)paragraphs.again / (double)paragraphs.parts;
		measures[RULE_DUP_PARA_CHARS] = (double)paragraphs.chars / total;
		measures[RULE_DUP_LINE] = (double)lines->again / (double)lines->parts;
		measures[RULE_DUP_LINE_CHARS] = (double)lines->chars / total;
	}
	return true;
}

int repetition_measure(struct scratch *s, struct text text, const double *limits, double measures[RULES])
{
	double total = (double)s->words.chars;
	struct bounds bounds;

	if (!text.len)
		return 0;
	if (!measure_lines(s, text, total, measures))
		return -1;
	if (limits && (breaks(measures, limits, RULE_DUP_PARA) || breaks(measures, limits, RULE_DUP_PARA_CHARS) ||
		       breaks(measures, limits, RULE_DUP_LINE) || breaks(measures, limits, RULE_DUP_LINE_CHARS)))
		return 0;
	/* If the text has more words than are kept, the share is that of the part they cover. */
	if (s->words.n == WORDS_KEPT)
		total = (double)span(&s->words, 0, s->words.n);
	if (limits && s->words.n) {
		if (!estimate(s, total, &bounds))
			return -1;
		if (!may_break(&bounds, limits))
			return 0;
	}
	return measure_sequences(s, total, limits, measures) ? 0 : -1;
}
