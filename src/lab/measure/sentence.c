/* SPDX-License-Identifier: MIT */
/*
 * Each sentence becomes one token, spelt as its text with white space collapsed, so that sentences compare as numbers,
 * and the common ones are the intersection of two multisets. Example: "Yes. No. Yes." and "Yes. Maybe." have one
 * sentence in common.
 */
#include "lab/measure/sentence.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/status.h"
#include "base/utf8.h"
#include "lab/measure/levenshtein.h"

/* A text with fewer marks, or longer sentences on average, cannot be cut into sentences. */
enum { MARKS_LEAST = 2, SENTENCE_CHARS_MOST = 1000 };

static bool ends_anywhere(uint32_t c)
{
	return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x061F || c == 0x06D4 || c == 0x0964;
}

static bool ends_before_space(uint32_t c)
{
	return c == '.' || c == '!' || c == '?';
}

/* Returns the next visible character; any white space reads as a space, a line end as LF, the end of the text as 0. */
static uint32_t next_char(struct slice *text)
{
	while (text->len) {
		uint32_t c;
		*text = slice_skip(*text, utf8_decode(*text, &c));
		if (character_is_space(c))
			return c == '\n' ? '\n' : ' ';
		if (c && !character_is_invisible(c))
			return c;
	}
	return 0;
}

static int end_sentence(struct tokens *sentences, struct token_table *table, struct buf *sentence)
{
	if (sentence->len == 0)
		return DANA_OK;
	int status = tokens_append_whole(sentences, table, buf_slice(sentence));
	buf_clear(sentence);
	return status;
}

static int add_char(struct buf *sentence, uint32_t c, bool space_before)
{
	uint8_t bytes[5] = { ' ' };
	size_t len = utf8_put(c, bytes + 1);
	return space_before && sentence->len ? buf_append(sentence, bytes, len + 1)
					     : buf_append(sentence, bytes + 1, len);
}

/* `sentence` is empty; the caller frees it. */
static int cut(struct tokens *sentences, struct token_table *table, struct slice text, size_t *marks, size_t *chars,
	       struct buf *sentence)
{
	int status;
	bool space = false;
	for (uint32_t c = next_char(&text), next; c; c = next) {
		next = next_char(&text);
		bool end = c == '\n', white = c == ' ' || c == '\n';
		if (!white) {
			status = add_char(sentence, c, space);
			if (status < 0)
				return status;
			end = ends_anywhere(c) || (ends_before_space(c) && (!next || next == ' ' || next == '\n'));
			*marks += end;
			*chars += 1;
		}
		space = white;

		status = end ? end_sentence(sentences, table, sentence) : DANA_OK;
		if (status < 0)
			return status;
	}
	return end_sentence(sentences, table, sentence);
}

/*
 * Reads the sentences of a text as tokens. *marks counts marks that end a sentence, *chars the characters of the
 * sentences.
 */
static int cut_sentences(struct tokens *sentences, struct token_table *table, struct slice text, size_t *marks,
			 size_t *chars)
{
	struct buf sentence = { 0 };
	*marks = *chars = 0;
	int status = cut(sentences, table, text, marks, chars, &sentence);
	buf_free(&sentence);
	return status;
}

/* Counts the multiset intersection. */
static int count_common(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t *common)
{
	uint32_t *left = calloc((size_t)ids + 1, sizeof(*left));
	if (!left)
		return DANA_ENOMEM;
	for (size_t i = 0; i < a->len; i++)
		left[a->ids[i]]++;
	*common = 0;
	for (size_t i = 0; i < b->len; i++) {
		if (left[b->ids[i]]) {
			left[b->ids[i]]--;
			++*common;
		}
	}
	free(left);
	return DANA_OK;
}

/* Reads characters as tokens, with white space collapsed and trimmed. */
static int cut_chars(struct tokens *chars, struct token_table *table, struct slice text)
{
	int status;
	bool space = false;
	for (uint32_t c = next_char(&text); c; c = next_char(&text)) {
		uint8_t bytes[4];
		if (c == ' ' || c == '\n') {
			space = true;
			continue;
		}
		status = space && chars->len ? tokens_append_whole(chars, table, slice_of(" ", 1)) : DANA_OK;
		if (status < 0)
			return status;
		status = tokens_append_whole(chars, table, slice_of(bytes, utf8_put(c, bytes)));
		if (status < 0)
			return status;
		space = false;
	}
	return DANA_OK;
}

static int score_by_distance(struct token_table *table, struct tokens pair[2], struct slice output, struct slice gold,
			     struct score *score)
{
	token_table_reset(table);
	tokens_clear(&pair[0]);
	tokens_clear(&pair[1]);
	size_t distance = 0;
	int status = cut_chars(&pair[0], table, output);
	if (status < 0)
		return status;
	status = cut_chars(&pair[1], table, gold);
	if (status < 0)
		return status;
	status = levenshtein_distance(&pair[0], &pair[1], token_table_count(table), &distance);
	if (status < 0)
		return status;

	size_t longest = pair[0].len > pair[1].len ? pair[0].len : pair[1].len;
	double similarity = longest ? 1 - (double)distance / (double)longest : 1;
	*score = (struct score){ similarity, similarity, similarity };
	return DANA_OK;
}

/* `pair`: the sentences, or characters, of output and gold; the caller frees them. */
static int measure(struct token_table *table, struct tokens pair[2], struct slice output, struct slice gold,
		   struct score *score, bool *by_distance)
{
	size_t marks = 0, chars = 0, ignored, common = 0;
	int status = cut_sentences(&pair[1], table, gold, &marks, &chars);
	if (status < 0)
		return status;
	*by_distance = pair[1].len && (marks < MARKS_LEAST || chars / pair[1].len > SENTENCE_CHARS_MOST);
	if (*by_distance)
		return score_by_distance(table, pair, output, gold, score);

	status = cut_sentences(&pair[0], table, output, &ignored, &ignored);
	if (status < 0)
		return status;
	status = count_common(&pair[0], &pair[1], token_table_count(table), &common);
	*score = score_of((double)common, (double)pair[0].len, (double)pair[1].len);
	return status;
}

int sentence_measure(struct token_table *table, struct slice output, struct slice gold, struct score *score,
		     bool *by_distance)
{
	struct tokens pair[2] = { 0 };
	bool ignored;
	token_table_reset(table);
	int status = measure(table, pair, output, gold, score, by_distance ? by_distance : &ignored);
	tokens_free(&pair[0]);
	tokens_free(&pair[1]);
	return status;
}
