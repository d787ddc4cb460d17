/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a page as an array of structs, and as JSON.
 *
 * Example: <ol><li>a</ol> is [{"t":"li","n":1,"d":1,"text":"a","start":8}].
 */
#include "base/json.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/structure/compose.h"
#include "extract/structure/write.h"

/*
 * Texts are appended to one buffer, which moves while it grows: until all of them are there, a view has its place in
 * place of an address, and one more, so that a view without text stays NULL.
 */

static int add_text(struct block_list *list, struct slice text, struct dana_view *view)
{
	bool mended;
	if (text.len == 0)
		return DANA_OK;
	buf_clear(&list->scratch);
	int status = buf_append(&list->scratch, text.data, text.len);
	if (status == DANA_OK)
		status = utf8_mend(&list->scratch, 0, &mended);
	view->data = (const char *)((uintptr_t)list->texts.len + 1);
	view->len = list->scratch.len;
	return status < 0 ? status : buf_append(&list->texts, list->scratch.data, list->scratch.len);
}

static void settle(const struct block_list *list, struct dana_view *view)
{
	if (view->data)
		view->data = (const char *)list->texts.data + ((uintptr_t)view->data - 1);
}

static int add_block(struct composed *c, struct block_list *list, const struct composed_block *from)
{
	const struct piece *piece = &c->page->piece[from->piece];
	const struct block_facts facts = block_facts_of(c, from);
	struct dana_structure_block to = { .struct_size = sizeof(to),
					   .type = facts.type,
					   .number = facts.number,
					   .depth = facts.depth,
					   .start = piece->start,
					   .probability = (float)piece->chance / 65536,
					   .kept = from->kept };
	int status = add_text(list, facts.id, &to.id);
	if (status == DANA_OK)
		status = add_text(list, facts.language, &to.language);
	if (status == DANA_OK && from->kind == BLOCK_PICTURE) {
		status = inline_picture(&c->line, &c->page->mark[from->text]);
		if (status == DANA_OK)
			status = add_text(list, buf_slice(&c->line.url), &to.url);
		if (status == DANA_OK)
			status = add_text(list, buf_slice(&c->line.plain), &to.alt);
	} else if (status == DANA_OK && from->kind == BLOCK_TABLE) {
		status = DANA_OK;
		to.cells = (const struct dana_view *)((uintptr_t)list->cells.len + 1);
		for (size_t i = from->cell; i < from->cells_end && status == DANA_OK; i++) {
			const struct composed_cell *cell = &c->cell[i];
			struct dana_view view = { NULL, 0 };
			status = add_text(list, slice_of(c->text.data + cell->text, cell->len), &view);
			if (status == DANA_OK)
				status = buf_append(&list->cells, &view, sizeof(view));
			to.rows += cell->ends_row;
			to.columns += to.rows == 0 || (to.rows == 1 && cell->ends_row);
		}
	} else if (status == DANA_OK && from->kind != BLOCK_RULE) {
		status = add_text(list, slice_of(c->text.data + from->text, from->len), &to.text);
	}
	return status < 0 ? status : buf_append(&list->blocks, &to, sizeof(to));
}

int list_blocks(struct composed *c, struct block_list *list)
{
	int status = DANA_OK;
	buf_clear(&list->blocks);
	buf_clear(&list->cells);
	buf_clear(&list->texts);
	for (size_t i = 0; i < c->n_blocks && status == DANA_OK; i++)
		status = add_block(c, list, &c->block[i]);
	if (status < 0)
		return status;
	struct dana_view *cells = (struct dana_view *)(void *)list->cells.data;
	for (size_t i = 0; i < list->cells.len / sizeof(*cells); i++)
		settle(list, &cells[i]);
	struct dana_structure_block *blocks = (struct dana_structure_block *)(void *)list->blocks.data;
	for (size_t i = 0; i < list->blocks.len / sizeof(*blocks); i++) {
		struct dana_structure_block *b = &blocks[i];
		settle(list, &b->text);
		settle(list, &b->language);
		settle(list, &b->id);
		settle(list, &b->url);
		settle(list, &b->alt);
		if (b->cells)
			b->cells = cells + ((uintptr_t)b->cells - 1) / sizeof(*cells);
	}
	return DANA_OK;
}

void block_list_free(struct block_list *list)
{
	buf_free(&list->blocks);
	buf_free(&list->cells);
	buf_free(&list->texts);
	buf_free(&list->scratch);
}

struct blocks_writer {
	struct composed *c;
	struct json_writer json;
};

static struct slice text_at(const struct blocks_writer *w, uint32_t text, uint32_t len)
{
	return slice_of(w->c->text.data + text, len);
}

static int write_block(struct blocks_writer *w, const struct composed_block *block)
{
	const struct piece *piece = &w->c->page->piece[block->piece];
	const struct block_facts facts = block_facts_of(w->c, block);
	int status = DANA_OK;
	json_object_begin(&w->json);
	json_text(&w->json, "t", slice_from_text(facts.type));
	if (facts.has_number)
		json_count(&w->json, "n", facts.number);
	if (facts.depth)
		json_count(&w->json, "d", facts.depth);
	if (facts.id.len)
		json_text(&w->json, "id", facts.id);
	if (facts.language.len)
		json_text(&w->json, "lang", facts.language);
	if (block->kind == BLOCK_PICTURE) {
		status = inline_picture(&w->c->line, &w->c->page->mark[block->text]);
		json_text(&w->json, "url", buf_slice(&w->c->line.url));
		json_text(&w->json, "alt", buf_slice(&w->c->line.plain));
	} else if (block->kind == BLOCK_TABLE) {
		json_key(&w->json, "rows");
		json_array_begin(&w->json);
		for (size_t i = block->cell; i < block->cells_end; i++) {
			const struct composed_cell *cell = &w->c->cell[i];
			if (i == block->cell || cell[-1].ends_row)
				json_array_begin(&w->json);
			json_element(&w->json, text_at(w, cell->text, cell->len));
			if (cell->ends_row)
				json_array_end(&w->json);
		}
		json_array_end(&w->json);
	} else if (block->kind != BLOCK_RULE)
		json_text(&w->json, "text", text_at(w, block->text, block->len));
	if (piece->chance)
		json_decimal(&w->json, "p", (double)piece->chance / 65536, 4);
	json_count(&w->json, "start", piece->start);
	if (!block->kept)
		json_bool(&w->json, "kept", false);
	json_object_end(&w->json);
	return status;
}

int write_blocks(struct composed *c, struct buf *out, size_t max)
{
	struct blocks_writer w = { .c = c, .json = { .out = out } };
	const size_t start = out->len;
	bool mended;
	int status = DANA_OK;
	json_array_begin(&w.json);
	for (size_t i = 0; i < c->n_blocks && status == DANA_OK; i++) {
		const size_t before = out->len;
		const bool comma = w.json.comma;
		status = write_block(&w, &c->block[i]);
		if (status == DANA_OK)
			status = utf8_mend(out, before, &mended);
		if (status == DANA_OK && out->len - start > max) {
			out->len = before;
			w.json.comma = comma;
			c->page->cut = true;
			break;
		}
	}
	json_array_end(&w.json);
	return status < 0 ? status : buf_status(out);
}
