/* SPDX-License-Identifier: MIT */
/*
 * The rules of the quality filters (Gopher, C4, FineWeb) over one text: its lines, paragraphs and words, and what
 * repeats among them. Repeats are counted in a table of hashes.
 *
 * Open addressing with linear probing; never more than half full, so that a good hash needs one or two probes. Slots
 * hold the number of their text, so that the table is not cleared between texts.
 */
#include "config.h"

#include "plugins/quality/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plugins/quality/words.h"

enum { SEEN_PROBES = 64 };

/* Empties the table and makes room for `n` hashes. Returns false if memory is exhausted. */
static bool seen_begin(struct seen *s, size_t n)
{
	size_t need = 64;
	while (need < 2 * n)
		need *= 2;
	if (need > s->cap) {
		free(s->slots);
		s->cap = 0;
		s->slots = calloc(need, sizeof(*s->slots));
		if (!s->slots)
			return false;
		s->cap = need;
		s->use = 0;
	}
	s->mask = need - 1;
	if (!++s->use) { /* after 2^32 texts */
		memset(s->slots, 0, s->cap * sizeof(*s->slots));
		s->use = 1;
	}
	return true;
}

/*
 * Counts `hash` once more. Returns its slot, NULL if there is no free one. `number` is stored at its first occurrence.
 */
static struct seen_slot *seen_add(struct seen *s, uint64_t hash, uint32_t number)
{
	/* The high bits of the product depend on all bits of the hash. */
	size_t at = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32);
	for (int probe = 0; probe < SEEN_PROBES; probe++) {
		struct seen_slot *slot = &s->slots[(at + (size_t)probe) & s->mask];
		if (slot->use != s->use)
			*slot = (struct seen_slot){ .hash = hash, .use = s->use, .first = number };
		else if (slot->hash != hash)
			continue;
		slot->count++;
		return slot;
	}
	return NULL;
}

static void seen_free(struct seen *s)
{
	free(s->slots);
	*s = (struct seen){ 0 };
}

/* Lines of a text, and the marks that end sentences. */

#define XXH_INLINE_ALL

#include <xxhash.h>

/**
 * Finds the next part of the text from *at on; parts are separated by at least `parting` LF. Returns false after the
 * last.
 */
static bool next_part(struct text text, int parting, size_t *at, struct quality_line *part)
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
	*part = (struct quality_line){ text.data + start, end - start };
	return end > start;
}

/* Lists the lines of the text, unless they are already listed. Returns false if memory is exhausted. */
static bool lines_begin(struct quality_lines *lines, struct text text)
{
	struct quality_line line;
	if (text.data && lines->text.data == text.data)
		return true;
	lines->text = (struct text){ NULL, 0 };
	lines->n = 0;
	lines->counted = lines->apart = false;
	for (size_t at = 0; lines->n < LINES_LISTED && next_part(text, 1, &at, &line);) {
		if (lines->n == lines->cap) {
			enum { CAP_LEAST = 256 };
			const size_t cap = lines->cap ? 2 * lines->cap : CAP_LEAST;
			struct quality_line *list = realloc(lines->list, cap * sizeof(*list));
			if (!list)
				return false;
			lines->list = list;
			lines->cap = cap;
		}
		lines->list[lines->n++] = line;
		lines->apart |= text.data + at > line.data + line.len + 1;
	}
	lines->apart |= lines->n == LINES_LISTED;
	lines->text = text;
	return true;
}

static bool next_line(const struct quality_lines *lines, struct line_walk *walk, struct quality_line *line)
{
	if (walk->i < lines->n) {
		*line = lines->list[walk->i++];
		return true;
	}
	if (lines->n < LINES_LISTED)
		return false;
	if (walk->i++ == LINES_LISTED) {
		const struct quality_line *last = &lines->list[LINES_LISTED - 1];
		walk->at = (size_t)(last->data - lines->text.data) + last->len;
	}
	return next_part(lines->text, 1, &walk->at, line);
}

static uint64_t count_chars(const char *data, size_t len)
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

/* Returns whether the line ends with a mark that ends a sentence, or with a quotation mark. */
static bool ends_sentence(struct quality_line line)
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

/*
 * Returns the number of sentences in a line. A sentence ends with a run of marks that white space follows (or anything,
 * after Chinese and Japanese marks); text after the last end counts as one more.
 */
static uint64_t count_sentences(struct quality_line line)
{
	uint64_t n = 0;
	int32_t c = 0,
		mark = 0;  /* mark: the last character but quotation marks and brackets, when it ends a sentence */
	bool open = false; /* there is text after the last end of a sentence */
	for (size_t at = 0; at < line.len;) {
		const uint8_t first = (uint8_t)line.data[at];
		/* no other character can end a sentence: this excludes most */
		if (open && !mark && first < 0x80 && first != '.' && first != '?' && first != '!') {
			at++;
			continue;
		}
		at += next_char(line.data + at, &c);
		bool ended = mark && (c == ' ' || (mark >= 0x3000 && !is_sentence_mark(c) && !is_quotation_mark(c)));
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

static void count_part(struct seen *seen, struct quality_line part, struct duplicates *d)
{
	const struct seen_slot *slot = seen_add(seen, XXH3_64bits(part.data, part.len), 0);
	if (slot && slot->count > 1) {
		d->again++;
		d->chars += count_chars(part.data, part.len);
	}
}

/* Counts repeated lines into lines->found, after lines_begin(). Returns false if memory is exhausted. */
static bool count_duplicate_lines(struct quality_lines *lines, struct seen *seen)
{
	struct line_walk walk = { 0, 0 };
	struct duplicates d = { .parts = lines->n };
	struct quality_line line;
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

/* The same for paragraphs, which are separated by at least two LF. */
static bool count_duplicate_paragraphs(struct text text, struct seen *seen, struct duplicates *d)
{
	struct quality_line part;
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

/*
 * Gopher's rules on repetition: paragraphs, lines and sequences of words ("n-grams") that occurred before in the page.
 *
 * A sequence of n words can occur twice only if the n - 1 words from its first on and the n - 1 words from its second
 * on both do.
 *
 * So each length looks only at the places that the length before has left: in "the river and the boat and the river"
 * pairs leave four places ("the river" and "and the", twice each), and only "and the river" is checked for three. On
 * most pages few places are left after pairs. The hash of n words is made from the hash of n - 1 by one multiplication.
 *
 * Most pages are far from breaking any of these rules. So a first pass, which needs no hash table, finds upper bounds
 * of the measures (struct share_bounds); everything is counted only if one of these exceeds a limit.
 */

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

	for (size_t n = TOP_LEAST; n <= DUP_MOST; n++) {
		/* move on to the next length, of `n` words: keep the places whose neighbour is a place too */
		size_t kept = 0;
		for (size_t i = 0; i + 1 < p->n; i++) {
			if (p->at[i + 1] != p->at[i] + 1)
				continue;
			p->at[kept] = p->at[i];
			p->hashes[kept++] = join(p->hashes[i], s->words.hashes[p->at[i] + n - 1]);
		}
		p->n = kept;
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
struct share_bounds {
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
struct repeat_row {
	size_t first, n;
	uint64_t chars[DUP_MOST - DUP_LEAST + 1];
};

/** Ends a row. If a longer sequence is repeated, each shorter sequence in it begins at a place of the row. */
static void end_row(struct repeat_row *r, const struct words *w)
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
 * new one that shares the bit. The hash of a sequence is made from the hash of the one before: the share of its first
 * word is taken off.
 */
static void estimate_sequences(struct scratch *s, struct pair_group groups[GROUPS], uint64_t bits,
			       struct repeat_row *row)
{
	const struct words *w = &s->words;
	const uint64_t *h = w->hashes;
	size_t i = 0;
	if (w->n >= DUP_LEAST) {
		uint64_t sequence = join(join(join(h[0], h[1]), h[2]), h[3]);
		for (; i + DUP_LEAST <= w->n; i++) {
			sequence = join(sequence, h[i + DUP_LEAST - 1]);
			add_pair(groups, w, i, join(h[i], h[i + 1]), TOP_MOST);
			if (mark(&s->bits, bits, sequence)) {
				if (row->n && row->first + row->n != i)
					end_row(row, w);
				if (!row->n)
					row->first = i;
				row->n++;
			}
			sequence -= h[i] * (FACTOR_2 * FACTOR_2);
		}
	}
	for (; i + 1 < w->n; i++)
		add_pair(groups, w, i, join(h[i], h[i + 1]), w->n - i < TOP_MOST ? w->n - i : TOP_MOST);
	end_row(row, w);
}

int repetition_measure(struct scratch *s, struct text text, const double *limits, double measures[RULES])
{
	double total = (double)s->words.chars;
	struct share_bounds bounds;

	if (!text.len)
		return 0;
	/* measure lines, and paragraphs if more than one line end separates some lines */
	struct duplicates paragraphs = { .parts = 1 };

	if (!lines_begin(&s->lines, text) || !count_duplicate_lines(&s->lines, &s->seen))
		return -1;
	if (s->lines.apart && !count_duplicate_paragraphs(text, &s->seen, &paragraphs))
		return -1;
	const struct duplicates *lines = &s->lines.found;
	if (lines->parts) {
		measures[RULE_DUP_PARA] = (double)paragraphs.again / (double)paragraphs.parts;
		measures[RULE_DUP_PARA_CHARS] = (double)paragraphs.chars / total;
		measures[RULE_DUP_LINE] = (double)lines->again / (double)lines->parts;
		measures[RULE_DUP_LINE_CHARS] = (double)lines->chars / total;
	}

	if (limits && (breaks(measures, limits, RULE_DUP_PARA) || breaks(measures, limits, RULE_DUP_PARA_CHARS) ||
		       breaks(measures, limits, RULE_DUP_LINE) || breaks(measures, limits, RULE_DUP_LINE_CHARS)))
		return 0;
	/* If the text has more words than are kept, the share is of the part that they cover. */
	if (s->words.n == WORDS_KEPT)
		total = (double)span(&s->words, 0, s->words.n);
	if (limits && s->words.n) {
		struct pair_group groups[GROUPS] = { { 0, 0 } };
		struct repeat_row row = { .n = 0 };
		const size_t bits = s->words.n * BITS_FOR_A_WORD / 64 + 1;

		if (bits > s->bits.cap) {
			free(s->bits.words);
			s->bits.words = malloc(bits * sizeof(*s->bits.words));
			s->bits.cap = s->bits.words ? bits : 0;
		}
		if (s->bits.words)
			memset(s->bits.words, 0, bits * sizeof(*s->bits.words));
		if (!s->bits.words)
			return -1;
		estimate_sequences(s, groups, 64 * bits, &row);
		uint64_t most = 0;
		for (size_t i = 0; i < GROUPS; i++) {
			const uint64_t chars = (uint64_t)groups[i].count * groups[i].longest;
			most = chars > most ? chars : most;
		}
		bounds.top = (double)most / total;
		for (size_t k = 0; k <= DUP_MOST - DUP_LEAST; k++)
			bounds.dup[k] = (double)row.chars[k] / total;

		bool may_break = false;
		for (int i = RULE_TOP_2; i <= RULE_DUP_10; i++)
			may_break |= limits[i] >= 0 &&
				     (i < RULE_DUP_5 ? bounds.top : bounds.dup[i - RULE_DUP_5]) > limits[i];
		if (!may_break)
			return 0;
	}
	return measure_sequences(s, total, limits, measures) ? 0 : -1;
}

/*
 * C4's rules on lines: the text loses lines that are not sentences, and those about scripts, cookies and terms of use.
 *
 * Most pages lack all phrases that the rules look for, and lose no line. So the whole text is searched for phrases
 * first; only a text that has one is searched line by line, and the text is copied only from the first lost line on.
 */

static const char *const cookie_phrases[] = { "cookie policy", "uses cookies", "use of cookies", "use cookies" };

struct c4 {
	struct scratch *s;
	struct text text;
	const struct line_rules *rules;
	bool any_phrase, curly_somewhere;
	bool somewhere[PHRASES]; /* for each phrase: it occurs in the text */
	bool citations;          /* the text may have citations, and they are removed */
	bool copied;             /* kept lines are in s->kept; otherwise they are the text up to `same` */
	size_t same;
	size_t word; /* the first of s->words that is not before the line */
	uint64_t lorem, curly, sentences;
};

static bool reserve(struct buffer *b, size_t cap)
{
	b->len = 0;
	if (cap <= b->cap)
		return true;
	char *data = realloc(b->data, cap);
	if (!data)
		return false;
	b->data = data;
	b->cap = cap;
	return true;
}

/** Writes the text with ASCII letters in lower case. `out` has room for 7 bytes more. */
static void lower(struct buffer *out, const char *data, size_t len)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word, small;

	/* Eight bytes at a time: bit 7 of 7 bits + 0x3f is set from 'A' on, of 7 bits + 0x25 from after 'Z' on. */
	for (size_t i = 0; i < len; i += sizeof(word)) {
		size_t n = len - i < sizeof(word) ? len - i : sizeof(word);
		word = 0;
		memcpy(&word, data + i, n);
		small = word & 0x7f * ones;
		small = ((small + 0x3f * ones) & ~(small + 0x25 * ones) & ~word & 0x80 * ones) >> 2;
		word |= small;
		memcpy(out->data + i, &word, sizeof(word));
	}
	out->len = len;
}

/**
 * Returns the length of a citation "[12]", "[edit]" or "[citation needed]" that begins here; 0 if there is no citation.
 */
static size_t citation(const char *at, const char *end)
{
	static const char *const words[] = { "[edit]", "[citation needed]" };
	const char *digit = at + 1;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if ((size_t)(end - at) >= strlen(words[i]) && !memcmp(at, words[i], strlen(words[i])))
			return strlen(words[i]);
	while (digit < end && *digit >= '0' && *digit <= '9')
		digit++;
	return digit < end && *digit == ']' ? (size_t)(digit + 1 - at) : 0;
}

/** Starts to copy the text. */
static void begin_copy(struct c4 *c)
{
	if (c->copied)
		return;
	memcpy(c->s->kept.data, c->text.data, c->same);
	c->s->kept.len = c->same;
	c->copied = true;
}

/** Appends the line to the kept ones, without its citations. Returns the appended line. */
static struct quality_line append(struct c4 *c, struct quality_line line)
{
	struct buffer *kept = &c->s->kept;
	const char *end = line.data + line.len;
	if (!c->copied && !c->citations && line.data == c->text.data + c->same + (c->same > 0)) {
		c->same = (size_t)(end - c->text.data);
		return line;
	}
	begin_copy(c);
	if (kept->len)
		kept->data[kept->len++] = '\n';
	char *start = kept->data + kept->len, *out = start;
	for (const char *at = line.data; at < end;) {
		const char *bracket = c->citations ? memchr(at, '[', (size_t)(end - at)) : NULL;
		size_t gone = bracket ? citation(bracket, end) : 0;
		size_t stays = (size_t)((bracket ? bracket + !gone : end) - at);
		memcpy(out, at, stays);
		out += stays;
		at += stays + gone;
	}
	kept->len += (size_t)(out - start);
	return (struct quality_line){ start, (size_t)(out - start) };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/** Returns whether the line has enough words and no word is too long; here words are separated by white space only. */
static bool good_words(const struct line_rules *rules, struct quality_line line)
{
	bool may_be_long = rules->max_word >= 0 && line.len > (size_t)rules->max_word;
	long words = 0;
	for (size_t at = 0; at < line.len && (may_be_long || words < rules->min_words);) {
		size_t start = at;
		while (at < line.len && !is_blank(line.data[at]))
			at++;
		words += at > start;
		if (may_be_long && count_chars(line.data + start, at - start) > (uint64_t)rules->max_word)
			return false;
		while (at < line.len && is_blank(line.data[at]))
			at++;
	}
	return words >= rules->min_words;
}

static bool lower_has(const struct c4 *c, const char *string)
{
	const struct buffer *b = &c->s->lower;
	return memmem(b->data, b->len, string, strlen(string));
}

/** Returns whether the line, in lower case, has the phrase. */
static bool has(const struct c4 *c, enum phrase phrase)
{
	return c->somewhere[phrase] && lower_has(c, phrase_text(phrase));
}

static bool has_phrase(struct c4 *c, struct quality_line line)
{
	bool lorem;
	lower(&c->s->lower, line.data, line.len);
	lorem = has(c, PHRASE_LOREM);
	c->lorem += lorem;
	if (!lorem && c->rules->javascript && has(c, PHRASE_JAVASCRIPT))
		return true;
	c->curly += c->curly_somewhere && lower_has(c, "{");
	bool policy = c->rules->policy && (has(c, PHRASE_TERMS) || has(c, PHRASE_PRIVACY));
	const size_t n = c->rules->policy && c->somewhere[PHRASE_COOKIE]
				 ? sizeof(cookie_phrases) / sizeof(cookie_phrases[0])
				 : 0;
	for (size_t i = 0; i < n && !policy; i++)
		policy = lower_has(c, cookie_phrases[i]);
	return policy;
}

/**
 * Subtracts the words of a line from the counts. Lines must come in order: the next call does not look at earlier
 * words.
 */
static void forget_words(struct c4 *c, struct quality_line line)
{
	struct words *w = &c->s->words;
	size_t at = (size_t)(line.data - c->text.data), end = at + line.len;
	while (c->word < w->n && w->list[c->word].at < at)
		c->word++;
	for (; c->word < w->n && w->list[c->word].at < end; c->word++) {
		const struct word *word = &w->list[c->word];
		w->spaced -= word->kind == WORD_SPACED;
		w->marks -= word->kind == WORD_MARK;
		w->unspaced -= word->kind == WORD_UNSPACED;
		w->unpunctuated -= word->kind == WORD_UNSPACED && word_is_unpunctuated(c->text.data + word->at);
	}
}

/** Keeps the line or removes it from the text. Returns false if memory is exhausted. */
static bool take_line(struct c4 *c, struct quality_line line)
{
	size_t before = c->copied ? c->s->kept.len : c->same;
	if (!good_words(c->rules, line)) {
		begin_copy(c);
		forget_words(c, line);
		return true;
	}
	struct quality_line kept = append(c, line);
	bool sentence = ends_sentence(kept) && !(kept.len >= 3 && !memcmp(kept.data + kept.len - 3, "...", 3));
	if ((c->rules->punctuation && !sentence) || (c->any_phrase && has_phrase(c, kept))) {
		/* undo append() */
		if (c->copied) {
			c->s->kept.len = before;
		} else {
			c->same = before;
			begin_copy(c);
		}
		forget_words(c, line);
		return true;
	}
	if ((double)c->sentences < c->rules->sentences)
		c->sentences += count_sentences(kept);
	if (kept.len == line.len)
		return true;
	/* the line lost citations: its words are counted again */
	struct words *w = &c->s->words, *again = &c->s->line_words;
	forget_words(c, line);
	again->classes = w->classes;
	if (!words_split(again, kept.data, kept.len))
		return false;
	w->spaced += again->spaced;
	w->marks += again->marks;
	w->unspaced += again->unspaced;
	w->unpunctuated += again->unpunctuated;
	return true;
}

int c4_lines(struct scratch *s, struct text *text, const struct line_rules *rules, double measures[RULES])
{
	struct c4 c = { .s = s, .text = *text, .rules = rules };
	struct line_walk walk = { 0, 0 };
	struct quality_line line;
	if (!lines_begin(&s->lines, *text) || !reserve(&s->lower, text->len + 8) || !reserve(&s->kept, text->len + 1))
		return -1;
	c.citations = rules->citations && memchr(text->data, '[', text->len);
	c.curly_somewhere = memchr(text->data, '{', text->len);
	c.any_phrase = phrases_find(rules->phrases, text->data, text->len, c.somewhere) || c.curly_somewhere;
	while (next_line(&s->lines, &walk, &line))
		if (!take_line(&c, line))
			return -1;
	measures[RULE_LOREM_IPSUM] = (double)c.lorem;
	measures[RULE_CURLY_BRACKET] = (double)c.curly;
	measures[RULE_SENTENCES] = (double)c.sentences;
	if (!c.copied && c.same == text->len)
		return 0;
	begin_copy(&c);
	*text = (struct text){ s->kept.data, s->kept.len };
	/* Words beyond WORDS_KEPT are known only by their number, so all are counted again. */
	return s->words.n < WORDS_KEPT || words_split(&s->words, text->data, text->len) ? 0 : -1;
}

void scratch_free(struct scratch *s)
{
	words_free(&s->words);
	words_free(&s->line_words);
	seen_free(&s->seen);
	free(s->places.hashes);
	free(s->places.at);
	free(s->places.slots);
	free(s->bits.words);
	free(s->lines.list);
	free(s->lower.data);
	free(s->kept.data);
}

/* FineWeb's rules: lines that end sentences, short lines, repeated lines, lists. */

enum { SHORT_LINE = 30 };

int fineweb_measure(struct scratch *s, struct text text, double measures[RULES])
{
	uint64_t ended = 0, small = 0, bytes = 0;
	struct line_walk walk = { 0, 0 };
	struct quality_line line;
	if (!lines_begin(&s->lines, text) || !count_duplicate_lines(&s->lines, &s->seen))
		return -1;
	const struct duplicates d = s->lines.found;
	if (!d.parts)
		return 0;
	while (next_line(&s->lines, &walk, &line)) {
		ended += ends_sentence(line);
		small += line.len <= SHORT_LINE ||
			 (line.len <= 4 * SHORT_LINE && count_chars(line.data, line.len) <= SHORT_LINE);
		bytes += line.len;
	}
	/* Thai and Lao have no marks that end a sentence. */
	if (2 * s->words.unpunctuated <= s->words.spaced + s->words.unspaced)
		measures[RULE_PUNCT_LINES] = (double)ended / (double)d.parts;
	measures[RULE_SHORT_LINES] = (double)small / (double)d.parts;
	/*
	 * The characters of a text that lost no lines are already counted. Characters outside of lines are line ends,
	 * one each.
	 */
	const uint64_t chars = text.data == s->kept.data ? utf8_count(slice_of(text.data, text.len)) : s->words.chars;
	measures[RULE_DUP_CHARS] = (double)d.chars / (double)(chars - (text.len - bytes));
	if (words_all(&s->words))
		measures[RULE_NEWLINES] = (double)(d.parts - 1) / (double)words_all(&s->words);
	return 0;
}

/* Gopher's rules on quality: number and length of words, symbols, bullets, letters, stop words. */

/** Returns how often the string occurs in the text. Its first byte should be rare. */
static uint64_t count_string(struct text text, const char *string)
{
	size_t len = strlen(string);
	uint64_t n = 0;
	for (const char *at = text.data, *end = text.data + text.len;
	     (at = memchr(at, string[0], (size_t)(end - at)));) {
		bool here = (size_t)(end - at) >= len && !memcmp(at, string, len);
		n += here;
		at += here ? len : 1;
	}
	return n;
}

static bool begins(struct quality_line line, const char *string)
{
	return line.len >= strlen(string) && !memcmp(line.data, string, strlen(string));
}

static bool ends(struct quality_line line, const char *string)
{
	return line.len >= strlen(string) && !memcmp(line.data + line.len - strlen(string), string, strlen(string));
}

int gopher_measure(struct scratch *s, struct text text, double enough, double measures[RULES])
{
	const struct words *w = &s->words;
	double all = (double)words_all(w);
	double words = (double)(w->spaced + w->unspaced);

	if (!lines_begin(&s->lines, text))
		return -1;
	measures[RULE_SHORT] = measures[RULE_LONG] = words;
	/* In scripts without spaces each character counts as a word: a mean length would be meaningless. */
	if (w->spaced && w->spaced >= w->unspaced)
		measures[RULE_MEAN_LEAST] = measures[RULE_MEAN_MOST] = (double)w->spaced_chars / (double)w->spaced;
	if (all > 0) {
		measures[RULE_HASHES] = (double)count_string(text, "#") / all;
		measures[RULE_ELLIPSES] = (double)(count_string(text, "...") + count_string(text, "\u2026")) / all;
	}
	if (words > 0)
		measures[RULE_ALPHA] = (double)w->with_letter / words;
	uint64_t lines = 0, bullets = 0, ellipses = 0;
	struct line_walk walk = { 0, 0 };
	struct quality_line line;

	for (; next_line(&s->lines, &walk, &line); lines++) {
		while (line.len && (*line.data == ' ' || *line.data == '\t')) {
			line.data++;
			line.len--;
		}
		while (line.len && (line.data[line.len - 1] == ' ' || line.data[line.len - 1] == '\t'))
			line.len--;
		bullets += begins(line, "\u2022") || begins(line, "-");
		ellipses += ends(line, "...") || ends(line, "\u2026");
	}
	if (lines) {
		measures[RULE_BULLETS] = (double)bullets / (double)lines;
		measures[RULE_ELLIPSIS_LINES] = (double)ellipses / (double)lines;
	}
	/* count stop words among the words that are kept, which is enough: stop words are the most frequent words of a
	 * language */
	if (s->stops.language != STOP_NONE) {
		for (size_t i = 0; i < s->words.n && s->stops.most < enough; i++) {
			const struct word *word = &s->words.list[i];
			if (word->kind != WORD_MARK)
				stop_count_word(&s->stops, text.data + word->at, word->len, s->words.hashes[i],
						word->upper);
		}
		measures[RULE_STOP_WORDS] = s->stops.most;
	}
	return 0;
}
