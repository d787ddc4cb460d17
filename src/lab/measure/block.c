/* SPDX-License-Identifier: MIT */
/*
 * A line counts by its tokens: two alignments of the whole page, one with the output and one with the gold text, mark
 * tokens, and a line with at least half of its tokens marked is retrieved, or relevant. Example: of the line "read
 * more here" the output has "read more": two of three tokens, so it is retrieved.
 */
#include "lab/measure/block.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/status.h"

/* Returns the next line that is not blank; empty at the end. */
static struct slice next_line(struct slice *text)
{
	while (text->len) {
		const uint8_t *end = memchr(text->data, '\n', text->len);
		size_t len = end ? (size_t)(end - text->data) : text->len;
		struct slice line = slice_trim(slice_of(text->data, len));
		*text = slice_skip(*text, len + (end != NULL));
		if (line.len)
			return line;
	}
	return slice_of(NULL, 0);
}

struct lines {
	struct tokens tokens; /* of the whole page */
	size_t *ends;         /* where each block ends in `tokens` */
	size_t len, cap;
};

static int lines_cut(struct lines *lines, struct token_table *table, struct slice text)
{
	for (struct slice line = next_line(&text); line.len; line = next_line(&text)) {
		size_t before = lines->tokens.len;
		int status = tokens_append(&lines->tokens, table, line);
		if (status < 0)
			return status;
		if (lines->tokens.len == before)
			continue;
		size_t *ends = grow_items(lines->ends, lines->len, &lines->cap, sizeof(*ends));
		if (!ends)
			return DANA_ENOMEM;
		lines->ends = ends;
		lines->ends[lines->len++] = lines->tokens.len;
	}
	return DANA_OK;
}

/* Sets marks[i] to 1 if token i of the page is on the longest common subsequence with `text`. */
static int mark_lines(const struct lines *lines, struct token_table *table, struct slice text, uint8_t *marks)
{
	struct tokens tokens = { 0 };
	size_t ignored;
	int status = tokens_append(&tokens, table, text);
	if (status == DANA_OK)
		status = lcs_marks(&lines->tokens, &tokens, token_table_count(table), marks, NULL, &ignored);
	tokens_free(&tokens);
	return status;
}

static bool half_marked(const uint8_t *marks, size_t from, size_t to)
{
	size_t n = 0;
	for (size_t i = from; i < to; i++)
		n += marks[i];
	return 2 * n >= to - from;
}

static int count_lines(const struct lines *lines, struct token_table *table, const struct block_page *page,
		       struct block_counts *counts)
{
	size_t n = lines->tokens.len;
	uint8_t *in_output = calloc(2 * n + 1, 1), *in_gold = in_output + n;
	if (!in_output)
		return DANA_ENOMEM;
	int status = mark_lines(lines, table, page->output, in_output);
	if (status == DANA_OK)
		status = mark_lines(lines, table, page->gold, in_gold);
	for (size_t i = 0, from = 0; i < lines->len && status == DANA_OK; from = lines->ends[i++]) {
		bool retrieved = half_marked(in_output, from, lines->ends[i]);
		bool relevant = half_marked(in_gold, from, lines->ends[i]);
		counts->retrieved += retrieved;
		counts->relevant += relevant;
		counts->both += retrieved && relevant;
	}
	free(in_output);
	return status;
}

enum { IN_OUTPUT = 1, IN_GOLD = 2 };

static int append_lines(struct tokens *tokens, struct token_table *table, struct slice list)
{
	int status = DANA_OK;
	for (struct slice line = next_line(&list); line.len && status == DANA_OK; line = next_line(&list))
		status = tokens_append_whole(tokens, table, line);
	return status;
}

/* `media`: first those of the output, then those of the gold list. */
static int count_addresses(const struct tokens *media, size_t n_output, uint32_t ids, struct block_counts *counts)
{
	uint8_t *seen = calloc((size_t)ids + 1, 1);
	if (!seen)
		return DANA_ENOMEM;
	for (size_t i = 0; i < media->len; i++)
		seen[media->ids[i]] |= i < n_output ? IN_OUTPUT : IN_GOLD;
	for (uint32_t id = 0; id < ids; id++) {
		counts->retrieved += (seen[id] & IN_OUTPUT) != 0;
		counts->relevant += (seen[id] & IN_GOLD) != 0;
		counts->both += seen[id] == (IN_OUTPUT | IN_GOLD);
	}
	free(seen);
	return DANA_OK;
}

/* Addresses become tokens of a separate table, so that they are numbered from 0 on and each counts once. */
static int count_media(struct token_table *table, const struct block_page *page, struct block_counts *counts)
{
	struct tokens media = { 0 };
	token_table_reset(table);
	int status = append_lines(&media, table, page->output_media);
	size_t n_output = media.len;
	if (status == DANA_OK)
		status = append_lines(&media, table, page->gold_media);
	if (status == DANA_OK)
		status = count_addresses(&media, n_output, token_table_count(table), counts);
	tokens_free(&media);
	return status;
}

static int measure_lines(struct lines *lines, struct token_table *table, const struct block_page *page,
			 struct block_counts *counts)
{
	int status = lines_cut(lines, table, page->visible);
	return status < 0 ? status : count_lines(lines, table, page, counts);
}

int block_measure(struct token_table *table, const struct block_page *page, struct block_counts *counts)
{
	struct lines lines = { 0 };
	*counts = (struct block_counts){ 0 };
	token_table_reset(table);
	int status = measure_lines(&lines, table, page, counts);
	tokens_free(&lines.tokens);
	free(lines.ends);
	return status < 0 ? status : count_media(table, page, counts);
}
