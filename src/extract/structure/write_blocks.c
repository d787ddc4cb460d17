/* SPDX-License-Identifier: MIT */
/*
 * Example: <ol><li>a</ol> is [{"t":"li","n":1,"d":1,"text":"a","start":8}].
 */
#include "extract/structure/write_blocks.h"

#include "base/json_writer.h"
#include "base/status.h"
#include "base/utf8_mend.h"
#include "extract/structure/block_facts.h"

struct blocks_writer {
	struct composed *c;
	struct json_writer json;
};

static struct slice text_at(const struct blocks_writer *w, uint32_t text, uint32_t len)
{
	return slice_of(w->c->text.data + text, len);
}

static void write_rows(struct blocks_writer *w, const struct composed_block *block)
{
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
}

static int write_picture(struct blocks_writer *w, const struct composed_block *block)
{
	int status = inline_picture(&w->c->line, &w->c->page->mark[block->text]);
	json_text(&w->json, "url", buf_slice(&w->c->line.url));
	json_text(&w->json, "alt", buf_slice(&w->c->line.plain));
	return status;
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
	if (block->kind == BLOCK_PICTURE)
		status = write_picture(w, block);
	else if (block->kind == BLOCK_TABLE)
		write_rows(w, block);
	else if (block->kind != BLOCK_RULE)
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
