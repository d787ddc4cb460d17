/* SPDX-License-Identifier: MIT */
/* The kind of a block of text is that of the innermost container that begins its lines. */
#include "extract/structure/block_facts.h"

/* What the container says of a block of text. */
static void text_facts(const struct composed *composed, const struct composed_block *block, struct block_facts *facts)
{
	const struct structure_page *page = composed->page;
	const struct container *heading = compose_heading(page, block->piece), *c = &page->container[block->container];
	facts->type = "p";
	if (heading) {
		facts->type = "h";
		facts->number = (unsigned)heading->number;
		facts->has_number = true;
		return;
	}
	switch ((enum container_kind)(block->container ? c->kind : CONTAINER_PAGE)) {
	case CONTAINER_ITEM:
		facts->type = "li";
		facts->number = c->flags & CONTAINER_ORDERED && c->number > 0 ? (unsigned)c->number : 0;
		facts->has_number = true;
		facts->depth = c->lists;
		break;
	case CONTAINER_QUOTE:
		facts->type = "quote";
		facts->depth = c->quotes;
		break;
	case CONTAINER_TERM:
		facts->type = "dt";
		break;
	case CONTAINER_MEANING:
		facts->type = "dd";
		break;
	case CONTAINER_NOTE:
		facts->type = "note";
		facts->id = page_argument(page, (uint32_t)c->number, c->rows);
		break;
	default:
		break;
	}
}

struct block_facts block_facts_of(const struct composed *c, const struct composed_block *block)
{
	static const char *const types[] = { [BLOCK_CODE] = "code",
					     [BLOCK_TABLE] = "table",
					     [BLOCK_FORMULA] = "math",
					     [BLOCK_RULE] = "hr",
					     [BLOCK_PICTURE] = "img" };
	const struct piece *piece = &c->page->piece[block->piece];
	struct block_facts facts = { .type = types[block->kind] };
	if (block->kind == BLOCK_TEXT)
		text_facts(c, block, &facts);
	if (block->kind == BLOCK_CODE)
		facts.language = page_argument(c->page, piece->language, piece->language_len);
	return facts;
}
