/* SPDX-License-Identifier: MIT */
#include "lab/train/features_labels.h"

#include <stdlib.h>

#include "base/status.h"
#include "extract/html/entity.h"

int features_labels_init(struct features_labels *l)
{
	*l = (struct features_labels){ .table = token_table_new() };
	return l->table ? DANA_OK : DANA_ENOMEM;
}

static int reserve(struct features_labels *l, size_t n)
{
	if (n <= l->cap)
		return DANA_OK;
	free(l->label);
	l->label = calloc(n, sizeof(*l->label));
	l->cap = l->label ? n : 0;
	return l->label ? DANA_OK : DANA_ENOMEM;
}

/* Tokens of a block as the gold text is measured: references decoded. */
static int append_block(struct features_labels *l, struct slice source)
{
	buf_clear(&l->text);
	int status = html_entity_append(&l->text, source);
	return status < 0 ? status : tokens_append(&l->page, l->table, buf_slice(&l->text));
}

static int match(struct features_labels *l, size_t blocks)
{
	uint8_t *matched = calloc(l->page.len + 1, 1);
	if (!matched)
		return DANA_ENOMEM;
	int status = align_runs(&l->page, &l->gold, matched);
	const uint8_t *at = matched;
	for (size_t i = 0; i < blocks; i++) {
		for (uint32_t k = 0; k < l->label[i].tokens; k++)
			l->label[i].matched += *at++;
	}
	free(matched);
	return status;
}

int features_labels_make(struct features_labels *l, const struct blocks *blocks, struct slice gold_text)
{
	token_table_reset(l->table);
	tokens_clear(&l->page);
	tokens_clear(&l->gold);
	int status = reserve(l, blocks->n_blocks);
	if (status == DANA_OK)
		status = tokens_append(&l->gold, l->table, gold_text);
	for (uint32_t i = 0; i < blocks->n_blocks && status == DANA_OK; i++) {
		size_t before = l->page.len;
		status = append_block(l, block_text(blocks, &blocks->block[i]));
		l->label[i] = (struct features_label){ .tokens = (uint32_t)(l->page.len - before) };
	}
	return status == DANA_OK ? match(l, blocks->n_blocks) : status;
}

void features_labels_free(struct features_labels *l)
{
	free(l->label);
	token_table_free(l->table);
	tokens_free(&l->page);
	tokens_free(&l->gold);
	buf_free(&l->text);
}
