/* SPDX-License-Identifier: MIT */
/*
 * C4's rules on lines: the text loses lines that are not sentences, and those about scripts, cookies and terms of use.
 *
 * Most pages lack all phrases that the rules look for, and lose no line. So the whole text is searched for phrases
 * first; only a text that has one is searched line by line, and the text is copied only from the first lost line on.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/quality/measure.h"

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
static struct line append(struct c4 *c, struct line line)
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
	return (struct line){ start, (size_t)(out - start) };
}

/** Undoes append(). */
static void take_back(struct c4 *c, size_t before)
{
	if (c->copied) {
		c->s->kept.len = before;
	} else {
		c->same = before;
		begin_copy(c);
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/** Returns whether the line has enough words and no word is too long; here words are separated by white space only. */
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

static bool has_policy(const struct c4 *c)
{
	if (has(c, PHRASE_TERMS) || has(c, PHRASE_PRIVACY))
		return true;
	for (size_t i = 0; c->somewhere[PHRASE_COOKIE] && i < sizeof(cookie_phrases) / sizeof(cookie_phrases[0]); i++)
		if (lower_has(c, cookie_phrases[i]))
			return true;
	return false;
}

static bool has_phrase(struct c4 *c, struct line line)
{
	bool lorem;

	lower(&c->s->lower, line.data, line.len);
	lorem = has(c, PHRASE_LOREM);
	c->lorem += lorem;
	if (!lorem && c->rules->javascript && has(c, PHRASE_JAVASCRIPT))
		return true;
	c->curly += c->curly_somewhere && lower_has(c, "{");
	return c->rules->policy && has_policy(c);
}

/**
 * Subtracts the words of a line from the counts. Lines must come in order: the next call does not look at earlier
 * words.
 */
static void forget_words(struct c4 *c, struct line line)
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

/** Counts the words of a line that lost citations again. Returns false if memory is exhausted. */
static bool count_again(struct c4 *c, struct line before, struct line now)
{
	struct words *w = &c->s->words, *line = &c->s->line_words;

	forget_words(c, before);
	line->classes = w->classes;
	if (!words_split(line, now.data, now.len))
		return false;
	w->spaced += line->spaced;
	w->marks += line->marks;
	w->unspaced += line->unspaced;
	w->unpunctuated += line->unpunctuated;
	return true;
}

/** Keeps the line or removes it from the text. Returns false if memory is exhausted. */
static bool take_line(struct c4 *c, struct line line)
{
	size_t before = c->copied ? c->s->kept.len : c->same;

	if (!good_words(c->rules, line)) {
		begin_copy(c);
		forget_words(c, line);
		return true;
	}
	struct line kept = append(c, line);
	bool sentence = ends_sentence(kept) && !(kept.len >= 3 && !memcmp(kept.data + kept.len - 3, "...", 3));
	if ((c->rules->punctuation && !sentence) || (c->any_phrase && has_phrase(c, kept))) {
		take_back(c, before);
		forget_words(c, line);
		return true;
	}
	if ((double)c->sentences < c->rules->sentences)
		c->sentences += count_sentences(kept);
	return kept.len == line.len || count_again(c, line, kept);
}

int c4_lines(struct scratch *s, struct text *text, const struct line_rules *rules, double measures[RULES])
{
	struct c4 c = { .s = s, .text = *text, .rules = rules };
	struct line_walk walk = { 0, 0 };
	struct line line;

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
