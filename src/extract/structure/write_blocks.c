/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a page as an array of structs, and as JSON.
 *
 * Example: <ol><li>a</ol> is [{"t":"li","n":1,"d":1,"text":"a","start":8}].
 */
#include "base/json.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/page_parts.h"
#include "extract/structure/compose.h"

/*
 * Texts are appended to one buffer, which moves while it grows: until all of them are there, a view has its place in
 * place of an address, and one more, so that a view without text stays NULL.
 */

static struct dana_view add_text(struct block_list *list, struct slice text)
{
	bool mended;
	if (text.len == 0)
		return (struct dana_view){ NULL, 0 };
	buf_clear(&list->scratch);
	buf_append(&list->scratch, text.data, text.len);
	buf_latch(&list->texts, utf8_mend(&list->scratch, 0, &mended));
	buf_latch(&list->texts, buf_status(&list->scratch));
	const struct dana_view view = { (const char *)((uintptr_t)list->texts.len + 1), list->scratch.len };
	buf_append(&list->texts, list->scratch.data, list->scratch.len);
	return view;
}

static void settle(const struct block_list *list, struct dana_view *view)
{
	if (view->data)
		view->data = (const char *)list->texts.data + ((uintptr_t)view->data - 1);
}

/* Returns where a piece begins in the page. */
static uint64_t page_place(const struct composed *c, const struct piece *piece)
{
	return c->parts ? page_parts_place(c->parts, piece->start) : piece->start;
}

int list_blocks(struct composed *c, struct block_list *list)
{
	buf_clear(&list->blocks);
	buf_clear(&list->cells);
	buf_clear(&list->texts);
	for (size_t i = 0; i < c->n_blocks; i++) {
		const struct composed_block *from = &c->block[i];
		const struct piece *piece = &c->page->piece[from->piece];
		const struct block_facts facts = block_facts_of(c, from);
		struct dana_structure_block to = { .struct_size = sizeof(to),
						   .type = facts.type,
						   .number = facts.number,
						   .depth = facts.depth,
						   .start = page_place(c, piece),
						   .probability = (float)piece->chance / 65536,
						   .kept = from->kept };
		to.id = add_text(list, facts.id);
		to.language = add_text(list, facts.language);
		if (from->kind == BLOCK_PICTURE) {
			buf_latch(&list->texts, inline_picture(&c->line, &c->page->mark[from->text]));
			to.url = add_text(list, buf_slice(&c->line.url));
			to.alt = add_text(list, buf_slice(&c->line.plain));
		} else if (from->kind == BLOCK_TABLE) {
			to.cells = (const struct dana_view *)((uintptr_t)list->cells.len + 1);
			for (size_t k = from->cell; k < from->cells_end; k++) {
				const struct composed_cell *cell = &c->cell[k];
				const struct dana_view view =
					add_text(list, slice_of(c->text.data + cell->text, cell->len));
				buf_append(&list->cells, &view, sizeof(view));
				to.rows += cell->ends_row;
				to.columns += to.rows == 0 || (to.rows == 1 && cell->ends_row);
			}
		} else if (from->kind != BLOCK_RULE) {
			to.text = add_text(list, slice_of(c->text.data + from->text, from->len));
		}
		buf_append(&list->blocks, &to, sizeof(to));
	}
	if (list->blocks.failed || list->cells.failed || list->texts.failed)
		return DANA_ENOMEM;
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

int write_blocks(struct composed *c, struct buf *out, size_t max)
{
	struct json_writer w = { .out = out };
	const size_t start = out->len;
	bool mended;
	int status = DANA_OK;
	json_array_begin(&w);
	for (size_t i = 0; i < c->n_blocks && status == DANA_OK; i++) {
		const size_t before = out->len;
		const bool comma = w.comma;
		const struct composed_block *block = &c->block[i];
		const struct piece *piece = &c->page->piece[block->piece];
		const struct block_facts facts = block_facts_of(c, block);
		json_object_begin(&w);
		json_text(&w, "t", slice_from_text(facts.type));
		if (facts.has_number)
			json_count(&w, "n", facts.number);
		if (facts.depth)
			json_count(&w, "d", facts.depth);
		if (facts.id.len)
			json_text(&w, "id", facts.id);
		if (facts.language.len)
			json_text(&w, "lang", facts.language);
		if (block->kind == BLOCK_PICTURE) {
			status = inline_picture(&c->line, &c->page->mark[block->text]);
			json_text(&w, "url", buf_slice(&c->line.url));
			json_text(&w, "alt", buf_slice(&c->line.plain));
		} else if (block->kind == BLOCK_TABLE) {
			json_key(&w, "rows");
			json_array_begin(&w);
			for (size_t k = block->cell; k < block->cells_end; k++) {
				const struct composed_cell *cell = &c->cell[k];
				if (k == block->cell || cell[-1].ends_row)
					json_array_begin(&w);
				json_element(&w, slice_of(c->text.data + cell->text, cell->len));
				if (cell->ends_row)
					json_array_end(&w);
			}
			json_array_end(&w);
		} else if (block->kind != BLOCK_RULE)
			json_text(&w, "text", slice_of(c->text.data + block->text, block->len));
		if (piece->chance)
			json_decimal(&w, "p", (double)piece->chance / 65536, 4);
		if (piece->site_pages) {
			json_count(&w, "site_pages", piece->site_pages);
			json_count(&w, "site_others", c->page->site_others);
		}
		if (piece->alone != piece->chance)
			json_decimal(&w, "p_alone", (double)piece->alone / 65536, 4);
		json_count(&w, "start", page_place(c, piece));
		if (!block->kept)
			json_bool(&w, "kept", false);
		json_object_end(&w);
		if (status == DANA_OK)
			status = utf8_mend(out, before, &mended);
		if (status == DANA_OK && out->len - start > max) {
			out->len = before;
			w.comma = comma;
			c->page->cut = true;
			break;
		}
	}
	json_array_end(&w);
	return status < 0 ? status : buf_status(out);
}
