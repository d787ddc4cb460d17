/* SPDX-License-Identifier: MIT */
/*
 * Common tokens by a longest common subsequence (lab/measure/lcs.h), whose time grows with the product of both lengths.
 * If the texts are too long for it, tokens are counted instead: a token is common as often as both texts have it,
 * wherever it is. Example: of "a b a" and "a c", one "a" is common either way; of "a b" and "b a" the subsequence has
 * one token, counting has two.
 */
#include "lab/explain/token_match.h"

#include <stdlib.h>

#include "base/status.h"
#include "lab/measure/lcs.h"

/* Above this many pairs of tokens (260,000 times 260,000) their order no longer counts. */
static const uint64_t PAIRS_MOST = (uint64_t)1 << 36;

size_t token_match_add(struct token_match *m, int which, struct slice text)
{
	if (m->status < 0)
		return 0;
	if (!m->table && !(m->table = token_table_new())) {
		m->status = DANA_ENOMEM;
		return 0;
	}

	size_t before = m->tokens[which].len;
	m->status = tokens_append(&m->tokens[which], m->table, text);
	return m->tokens[which].len - before;
}

/* Marks each token of `from` for which `in` has an equal one left. */
static int mark_anywhere(const struct tokens *from, const struct tokens *in, uint32_t ids, uint8_t *common)
{
	size_t *left = calloc((size_t)ids + 1, sizeof(*left));
	if (!left)
		return DANA_ENOMEM;
	for (size_t i = 0; i < in->len; i++)
		left[in->ids[i]]++;
	for (size_t i = 0; i < from->len; i++) {
		common[i] = left[from->ids[i]] > 0;
		left[from->ids[i]] -= common[i];
	}
	free(left);
	return DANA_OK;
}

int token_match_run(struct token_match *m)
{
	const struct tokens *a = &m->tokens[0], *b = &m->tokens[1];
	uint32_t ids = m->table ? token_table_count(m->table) : 0;
	size_t ignored;
	if (m->status < 0)
		return m->status;
	for (int i = 0; i < 2; i++) {
		m->common[i] = calloc(m->tokens[i].len + 1, 1);
		if (!m->common[i])
			return DANA_ENOMEM;
	}

	m->ordered = !b->len || a->len <= PAIRS_MOST / b->len;
	if (m->ordered)
		return lcs_marks(a, b, ids, m->common[0], m->common[1], &ignored);
	int status = mark_anywhere(a, b, ids, m->common[0]);
	return status < 0 ? status : mark_anywhere(b, a, ids, m->common[1]);
}

void token_match_free(struct token_match *m)
{
	for (int i = 0; i < 2; i++) {
		tokens_free(&m->tokens[i]);
		free(m->common[i]);
	}
	token_table_free(m->table);
	*m = (struct token_match){ 0 };
}
