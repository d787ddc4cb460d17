/* SPDX-License-Identifier: MIT */
/*
 * Gopher's rules on repetition: paragraphs, lines and sequences of words ("n-grams") that stood before in the page.
 *
 * A sequence of n words can stand in the text twice only where the n - 1 words from its first on and the n - 1 words from its
 * second on both do. So each length looks only at the places that the length before left: in "the river and the boat and the
 * river" pairs leave four places ("the river" and "and the", twice each), and only "and the river" is looked at for three.
 * Of most pages little is left after pairs. The hash of n words is made from that of n - 1 by one multiplication.
 */
#include <stdlib.h>

#include "plugins/quality/measure.h"

enum { TOP_LEAST = 2, TOP_MOST = 4, DUP_LEAST = 5, DUP_MOST = 10 };

/** Characters of the text from the first to the last of n words. */
static uint64_t span(const struct words *w, size_t at, size_t n)
{
	const struct word *last = &w->list[at + n - 1];

	return last->from + last->chars - w->list[at].from;
}

/** Counts the sequences at the places, and leaves the places of those that stand there twice. */
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

/** Goes on to the next length: the places whose neighbour is a place too; `n`: words of the new length. */
static void lengthen(struct scratch *s, size_t n)
{
	struct places *p = &s->places;
	size_t kept = 0;

	for (size_t i = 0; i + 1 < p->n; i++) {
		if (p->at[i + 1] != p->at[i] + 1)
			continue;
		p->at[kept] = p->at[i];
		p->hashes[kept++] = p->hashes[i] * UINT64_C(0x9fb21c651e98df25) + s->words.hashes[p->at[i] + n - 1];
	}
	p->n = kept;
}

/** Characters of words in sequences of n that stood before, none of them counted twice. */
static uint64_t duplicate_chars(struct scratch *s, size_t n)
{
	const struct places *p = &s->places;
	uint64_t chars = 0;
	size_t from = 0; /* word before which all is counted */

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

static bool measure_sequences(struct scratch *s, double total, double measures[RULES])
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
		else /* none stands there twice: the first is as frequent as any */
			chars = s->words.n < n ? 0 : span(&s->words, 0, n);
		measures[n <= TOP_MOST ? RULE_TOP_2 + n - TOP_LEAST : RULE_DUP_5 + n - DUP_LEAST] =
			(double)chars / total;
	}
	return true;
}

int repetition_measure(struct scratch *s, struct text text, double measures[RULES])
{
	double total = (double)count_chars(text.data, text.len);
	struct duplicates paragraphs, lines;

	if (!text.len)
		return 0;
	if (!count_duplicates(&s->seen, text, 2, &paragraphs) || !count_duplicates(&s->seen, text, 1, &lines))
		return -1;
	if (lines.parts) {
		measures[RULE_DUP_PARA] = (double)paragraphs.again / (double)paragraphs.parts;
		measures[RULE_DUP_PARA_CHARS] = (double)paragraphs.chars / total;
		measures[RULE_DUP_LINE] = (double)lines.again / (double)lines.parts;
		measures[RULE_DUP_LINE_CHARS] = (double)lines.chars / total;
	}
	/* Of a text with more words than are kept, the share is that of the part that they cover. */
	if (s->words.n == WORDS_KEPT)
		total = (double)span(&s->words, 0, s->words.n);
	return measure_sequences(s, total, measures) ? 0 : -1;
}
