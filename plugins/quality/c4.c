/* SPDX-License-Identifier: MIT */
/*
 * C4's rules on lines: the text loses lines that are no sentences, and those about scripts, cookies and terms of use.
 *
 * Most pages have none of the phrases that the rules look for. So the whole text is searched for each of them once, in lower
 * case, and only a text that has one is searched line by line.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/quality/measure.h"

enum phrase { PHRASE_LOREM, PHRASE_JAVASCRIPT, PHRASE_CURLY, PHRASE_TERMS, PHRASE_PRIVACY, PHRASE_COOKIE, PHRASES };

static const char *const phrases[PHRASES] = { "lorem ipsum",  "javascript",     "{",
					      "terms of use", "privacy policy", "cookie" };
static const char *const cookie_phrases[] = { "cookie policy", "uses cookies", "use of cookies", "use cookies" };

struct c4 {
	struct scratch *s;
	struct text text;
	const struct line_rules *rules;
	bool any_phrase;
	bool somewhere[PHRASES]; /* the phrase is in the text */
	size_t word;             /* the first of s->words that may be in the line or after it */
	bool citations;          /* it may have some, and they are taken out */
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

/** ASCII letters in lower case. `out` has room for 7 bytes more. */
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

/** Number of bytes of a citation "[12]", "[edit]" or "[citation needed]" that begins here; 0: none does. */
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

/** Appends the line to what is kept, without its citations; returns what was appended. */
static struct line append(struct c4 *c, struct line line)
{
	struct buffer *kept = &c->s->kept;
	const char *end = line.data + line.len;

	if (kept->len)
		kept->data[kept->len++] = '\n';
	char *start = kept->data + kept->len, *out = start;
	if (!c->citations) {
		memcpy(start, line.data, line.len);
		kept->len += line.len;
		return (struct line){ start, line.len };
	}
	for (const char *at = line.data; at < end;) {
		size_t gone = *at == '[' ? citation(at, end) : 0;
		at += gone;
		if (!gone)
			*out++ = *at++;
	}
	kept->len += (size_t)(out - start);
	return (struct line){ start, (size_t)(out - start) };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/** Whether no word of the line is too long, and it has enough of them; words are parted by white space here. */
static bool good_words(const struct line_rules *rules, struct line line)
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

/** Whether the line, in lower case, has the phrase. */
static bool has(const struct c4 *c, enum phrase phrase)
{
	const struct buffer *b = &c->s->lower;

	return c->somewhere[phrase] && memmem(b->data, b->len, phrases[phrase], strlen(phrases[phrase]));
}

static bool has_policy(const struct c4 *c)
{
	const struct buffer *b = &c->s->lower;

	if (has(c, PHRASE_TERMS) || has(c, PHRASE_PRIVACY))
		return true;
	for (size_t i = 0; c->somewhere[PHRASE_COOKIE] && i < sizeof(cookie_phrases) / sizeof(cookie_phrases[0]); i++)
		if (memmem(b->data, b->len, cookie_phrases[i], strlen(cookie_phrases[i])))
			return true;
	return false;
}

static bool has_phrase(struct c4 *c, struct line line)
{
	bool lorem, curly;

	lower(&c->s->lower, line.data, line.len);
	lorem = has(c, PHRASE_LOREM);
	c->lorem += lorem;
	if (!lorem && c->rules->javascript && has(c, PHRASE_JAVASCRIPT))
		return true;
	curly = has(c, PHRASE_CURLY);
	c->curly += curly;
	return c->rules->policy && has_policy(c);
}

/** Takes the words of a line out of the numbers of words; of the words before it the next call needs none. */
static void forget_words(struct c4 *c, size_t at, size_t end)
{
	struct words *w = &c->s->words;

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

static bool take_line(struct c4 *c, struct line line)
{
	size_t before = c->s->kept.len;

	if (!good_words(c->rules, line))
		return false;
	struct line kept = append(c, line);
	bool sentence = ends_sentence(kept) && !(kept.len >= 3 && !memcmp(kept.data + kept.len - 3, "...", 3));
	if ((c->rules->punctuation && !sentence) || (c->any_phrase && has_phrase(c, kept))) {
		c->s->kept.len = before;
		return false;
	}
	if ((double)c->sentences < c->rules->sentences)
		c->sentences += count_sentences(kept);
	return true;
}

static void look_for_phrases(struct c4 *c)
{
	struct buffer *b = &c->s->lower;

	lower(b, c->text.data, c->text.len);
	for (int i = 0; i < PHRASES; i++) {
		c->somewhere[i] = memmem(b->data, b->len, phrases[i], strlen(phrases[i]));
		c->any_phrase = c->any_phrase || c->somewhere[i];
	}
}

int c4_lines(struct scratch *s, struct text text, const struct line_rules *rules, double measures[RULES])
{
	struct c4 c = { .s = s, .text = text, .rules = rules };
	struct line line;

	if (!reserve(&s->lower, text.len + 8) || !reserve(&s->kept, text.len + 1))
		return -1;
	c.citations = rules->citations && memchr(text.data, '[', text.len);
	look_for_phrases(&c);
	for (size_t at = 0; next_part(text, 1, &at, &line);)
		if (!take_line(&c, line))
			forget_words(&c, (size_t)(line.data - text.data), (size_t)(line.data - text.data) + line.len);
	measures[RULE_LOREM_IPSUM] = (double)c.lorem;
	measures[RULE_CURLY_BRACKET] = (double)c.curly;
	measures[RULE_SENTENCES] = (double)c.sentences;
	/* The words of lines that lost citations, and words of which only the number is known, are counted anew. */
	if ((c.citations && s->kept.len < text.len) || s->words.n == WORDS_KEPT)
		return words_split(&s->words, s->kept.data, s->kept.len) ? 0 : -1;
	return 0;
}

void scratch_free(struct scratch *s)
{
	words_free(&s->words);
	seen_free(&s->seen);
	free(s->places.hashes);
	free(s->places.at);
	free(s->places.slots);
	free(s->lower.data);
	free(s->kept.data);
}
