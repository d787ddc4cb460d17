/* SPDX-License-Identifier: MIT */
/*
 * A set of hashed runs of three words, and how many runs of another text are in it. Most words of a block are not in
 * the set: they are hashed only where three words in a row begin with the same two bytes as words of the set.
 *
 * Example: "the old harbour lamp" makes the runs "the old harbour" and "old harbour lamp"; "At the old harbour" has one
 * of them.
 */
#include "extract/learned/word_runs.h"

#include "extract/learned/text_words.h"

static uint32_t hash_run(uint32_t first, uint32_t second, uint32_t third)
{
	uint32_t h = (first * 0x9E3779B1U ^ second) * 0x85EBCA6BU ^ third;
	h ^= h >> 15;
	h *= 0xC2B2AE35U;
	return h >> (32 - RUN_BITS);
}

void word_runs_add(struct word_runs *r, struct slice text)
{
	uint32_t word[3] = { 0 };
	for (uint32_t words = 0; r->n < RUNS_MOST;) {
		while (text.len && !word_byte[text.data[0]] && !is_wide_lead(text.data[0]))
			text = slice_skip(text, 1);
		const uint8_t *first = text.data, *end = first + text.len;
		word[0] = word[1];
		word[1] = word[2];
		if (!words_next(&text, &word[2]))
			return;
		word_begins_add(&r->begins, first, end);
		if (++words < 3)
			continue;
		uint32_t bit = hash_run(word[0], word[1], word[2]);
		r->set[bit >> 6] |= (uint64_t)1 << (bit & 63);
		r->n++;
	}
}

static bool has_run(const struct word_runs *r, uint32_t first, uint32_t second, uint32_t third)
{
	uint32_t bit = hash_run(first, second, third);
	return r->set[bit >> 6] >> (bit & 63) & 1;
}

/* Looks up three words in a row that begin like words of the set. */
static uint32_t match_plain(const struct word_runs *r, struct slice text)
{
	const uint8_t *p = text.data, *end = p + text.len;
	uint32_t hash[3] = { 0 }, row = 0, found = 0;
	for (uint32_t words = 0; words < RUN_WORDS; words++) {
		while (p < end && !word_byte[*p] && !is_wide_lead(*p))
			p++;
		if (p == end)
			break;
		row = word_begins_has(&r->begins, p, end) ? row + 1 : 0;
		struct slice rest = slice_of(p, (size_t)(end - p));
		(void)words_next(&rest, &hash[2]);
		p = rest.data;
		found += row >= 3 && has_run(r, hash[0], hash[1], hash[2]);
		hash[0] = hash[1];
		hash[1] = hash[2];
	}
	return found;
}

#ifdef CPU_PATHS_SSE2
struct run_search {
	const struct word_runs *runs;
	const uint8_t *first, *end;
	const uint8_t *last;   /* the last word that was hashed, or NULL */
	uint32_t hash, before; /* its hash, and that of the word before */
	uint32_t found;
};

/* Returns the word that ends before p; the caller knows that there is one. */
static const uint8_t *word_before(const struct run_search *s, const uint8_t *p)
{
	while (!word_byte[*--p])
		;
	while (p > s->first && word_byte[p[-1]])
		p--;
	return p;
}

/* Returns whether the word at p, with the two before it, is in the set. */
static bool is_in_set(struct run_search *s, const uint8_t *p)
{
	const uint8_t *second = word_before(s, p);
	uint32_t hash[3];
	if (second == s->last) {
		hash[0] = s->before;
		hash[1] = s->hash;
	} else {
		hash[0] = words_hash(word_before(s, second), s->end);
		hash[1] = words_hash(second, s->end);
	}
	hash[2] = words_hash(p, s->end);
	s->last = p;
	s->hash = hash[2];
	s->before = hash[1];
	return has_run(s->runs, hash[0], hash[1], hash[2]);
}

/*
 * Returns the words that follow those of `from`, a subset of `begins`: an addition carries each bit over the gap to the
 * next word. *carry: whether the last word of the previous text was in `from`; set to whether the last one here is.
 */
static inline uint32_t next_words(uint32_t from, uint32_t begins, uint32_t *carry)
{
	uint64_t sum = ((uint64_t)from << 1) + (uint32_t)~begins + *carry;
	*carry = (uint32_t)(sum >> 32);
	return (uint32_t)sum & begins;
}

#define NAME(x) x##_sse2
#define TARGET
#include "extract/learned/word_runs_lanes.h"
#endif

#ifdef CPU_PATHS_AVX
#define NAME(x) x##_avx2
#define TARGET CPU_TARGET_AVX2
#include "extract/learned/word_runs_lanes.h"
#endif

uint32_t word_runs_match(const struct word_runs *r, struct slice text)
{
#ifdef CPU_PATHS_AVX
	if (cpu_level() >= CPU_AVX2)
		return match_avx2(r, text);
#endif
#ifdef CPU_PATHS_SSE2
	if (cpu_level() >= CPU_SSE2)
		return match_sse2(r, text);
#endif
	return match_plain(r, text);
}
