/* SPDX-License-Identifier: MIT */
#include "lab/train/features_tokens.h"

#include "base/status.h"

static void note(struct features_tokens *t, int status)
{
	if (t->status == DANA_OK)
		t->status = status;
}

static void clear_lists(struct token_lists *lists)
{
	buf_clear(&lists->tokens);
	buf_clear(&lists->ends);
}

/* The next list, with these tokens. */
static int add_list(struct token_lists *lists, struct slice tokens)
{
	int status = buf_append(&lists->tokens, tokens.data, tokens.len);
	uint32_t end = (uint32_t)(lists->tokens.len / sizeof(uint16_t));
	return status < 0 ? status : buf_append(&lists->ends, &end, sizeof(end));
}

static size_t count_lists(const struct token_lists *lists)
{
	return lists->ends.len / sizeof(uint32_t);
}

/*
 * The tokens that wait belong to the block that has just ended; of one that vanished they are lost, as in the method.
 */
static void settle_waiting(struct features_tokens *t)
{
	const struct blocks *b = t->blocks;
	if (t->begun == b->begun)
		return;
	t->begun = b->begun;
	while (count_lists(&t->of_blocks) < b->n_blocks && t->status == DANA_OK) {
		note(t, add_list(&t->of_blocks, buf_slice(&t->waiting)));
		buf_clear(&t->waiting);
	}
	buf_clear(&t->waiting);
}

void features_tokens_begin(struct features_tokens *t, const struct blocks *blocks)
{
	t->blocks = blocks;
	clear_lists(&t->of_elements);
	clear_lists(&t->of_blocks);
	buf_clear(&t->fresh);
	buf_clear(&t->waiting);
	t->begun = blocks->begun;
	t->status = add_list(&t->of_elements, slice_of(NULL, 0)); /* number 0, the page */
}

void features_tokens_seen(void *arg, uint32_t id)
{
	struct features_tokens *t = arg;
	uint16_t token = (uint16_t)id;
	settle_waiting(t);
	note(t, buf_append(&t->fresh, &token, sizeof(token)));
}

int features_tokens_tag(struct features_tokens *t, bool opened)
{
	settle_waiting(t);
	note(t, opened ? add_list(&t->of_elements, buf_slice(&t->fresh))
		       : buf_append(&t->waiting, t->fresh.data, t->fresh.len));
	buf_clear(&t->fresh);
	return t->status;
}

int features_tokens_finish(struct features_tokens *t)
{
	settle_waiting(t);
	/*
	 * elements that were opened at the end only (a page without </title>, which is read again) have no tokens here
	 */
	while (count_lists(&t->of_elements) < t->blocks->n_elements && t->status == DANA_OK)
		note(t, add_list(&t->of_elements, slice_of(NULL, 0)));
	return t->status;
}

static size_t end_of(const struct token_lists *lists, uint32_t i)
{
	uint32_t end;
	memcpy(&end, lists->ends.data + i * sizeof(end), sizeof(end));
	return end * sizeof(uint16_t);
}

struct slice features_tokens_at(const struct token_lists *lists, uint32_t i)
{
	size_t begin = i ? end_of(lists, i - 1) : 0, end = end_of(lists, i);
	return slice_skip(slice_first(buf_slice(&lists->tokens), end), begin);
}

void features_tokens_free(struct features_tokens *t)
{
	struct buf *const bufs[] = { &t->of_elements.tokens,
				     &t->of_elements.ends,
				     &t->of_blocks.tokens,
				     &t->of_blocks.ends,
				     &t->fresh,
				     &t->waiting };
	for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++)
		buf_free(bufs[i]);
}
