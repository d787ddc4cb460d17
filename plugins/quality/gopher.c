/* SPDX-License-Identifier: MIT */
/* Gopher's rules on quality: number and length of words, symbols, bullets, letters, stop words. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "plugins/quality/measure.h"

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

static bool begins(struct line line, const char *string)
{
	return line.len >= strlen(string) && !memcmp(line.data, string, strlen(string));
}

static bool ends(struct line line, const char *string)
{
	return line.len >= strlen(string) && !memcmp(line.data + line.len - strlen(string), string, strlen(string));
}

static struct line without_spaces(struct line line)
{
	while (line.len && (*line.data == ' ' || *line.data == '\t')) {
		line.data++;
		line.len--;
	}
	while (line.len && (line.data[line.len - 1] == ' ' || line.data[line.len - 1] == '\t'))
		line.len--;
	return line;
}

static void measure_lines(const struct lines *all, double measures[RULES])
{
	uint64_t lines = 0, bullets = 0, ellipses = 0;
	struct line_walk walk = { 0, 0 };
	struct line line;

	for (; next_line(all, &walk, &line); lines++) {
		struct line bare = without_spaces(line);
		bullets += begins(bare, "\u2022") || begins(bare, "-");
		ellipses += ends(bare, "...") || ends(bare, "\u2026");
	}
	if (lines) {
		measures[RULE_BULLETS] = (double)bullets / (double)lines;
		measures[RULE_ELLIPSIS_LINES] = (double)ellipses / (double)lines;
	}
}

/**
 * Counts stop words among the words that are kept, which is enough: stop words are the most frequent words of a
 * language.
 */
static void measure_stop_words(struct scratch *s, struct text text, double enough, double measures[RULES])
{
	if (s->stops.language == STOP_NONE)
		return;
	for (size_t i = 0; i < s->words.n && s->stops.most < enough; i++) {
		const struct word *word = &s->words.list[i];
		if (word->kind != WORD_MARK)
			stop_count_word(&s->stops, text.data + word->at, word->len, s->words.hashes[i], word->upper);
	}
	measures[RULE_STOP_WORDS] = s->stops.most;
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
	measure_lines(&s->lines, measures);
	measure_stop_words(s, text, enough, measures);
	return 0;
}
