/* SPDX-License-Identifier: MIT */
/*
 * The kind of a block of text is that of the innermost container that begins its lines.
 *
 * Example: <ol><li>a</ol> is [{"t":"li","n":1,"d":1,"text":"a","start":8}].
 */
#include "extract/structure/write_blocks.h"

#include "base/json_writer.h"
#include "base/status.h"

struct blocks_writer {
	struct composed *c;
	struct json_writer json;
};

static struct slice text_at(const struct blocks_writer *w, uint32_t text, uint32_t len)
{
	return slice_of(w->c->text.data + text, len);
}

static void kind(struct blocks_writer *w, const char *name)
{
	json_text(&w->json, "t", slice_from_text(name));
}

/* What the container says of a block of text. */
static void write_text_kind(struct blocks_writer *w, const struct composed_block *block)
{
	const struct structure_page *page = w->c->page;
	const struct container *heading = compose_heading(page, block->piece), *c = &page->container[block->container];
	if (heading) {
		kind(w, "h");
		json_count(&w->json, "n", (uint64_t)heading->number);
		return;
	}
	switch ((enum container_kind)(block->container ? c->kind : CONTAINER_PAGE)) {
	case CONTAINER_ITEM:
		kind(w, "li");
		json_count(&w->json, "n", c->flags & CONTAINER_ORDERED && c->number > 0 ? (uint64_t)c->number : 0);
		json_count(&w->json, "d", c->lists);
		break;
	case CONTAINER_QUOTE:
		kind(w, "quote");
		json_count(&w->json, "d", c->quotes);
		break;
	case CONTAINER_TERM:
		kind(w, "dt");
		break;
	case CONTAINER_MEANING:
		kind(w, "dd");
		break;
	case CONTAINER_NOTE:
		kind(w, "note");
		json_text(&w->json, "id", page_argument(page, (uint32_t)c->number, c->rows));
		break;
	default:
		kind(w, "p");
		break;
	}
}

static void write_rows(struct blocks_writer *w, const struct composed_block *block)
{
	kind(w, "table");
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
	kind(w, "img");
	json_text(&w->json, "url", buf_slice(&w->c->line.url));
	json_text(&w->json, "alt", buf_slice(&w->c->line.plain));
	return status;
}

static int write_block(struct blocks_writer *w, const struct composed_block *block)
{
	const struct piece *piece = &w->c->page->piece[block->piece];
	const struct slice text = text_at(w, block->text, block->len);
	int status = DANA_OK;
	json_object_begin(&w->json);
	if (block->kind == BLOCK_PICTURE) {
		status = write_picture(w, block);
	} else if (block->kind == BLOCK_TABLE) {
		write_rows(w, block);
	} else if (block->kind == BLOCK_RULE) {
		kind(w, "hr");
	} else {
		if (block->kind == BLOCK_TEXT)
			write_text_kind(w, block);
		else
			kind(w, block->kind == BLOCK_CODE ? "code" : "math");
		if (block->kind == BLOCK_CODE && piece->language_len)
			json_text(&w->json, "lang", page_argument(w->c->page, piece->language, piece->language_len));
		json_text(&w->json, "text", text);
	}
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
	int status = DANA_OK;
	json_array_begin(&w.json);
	for (size_t i = 0; i < c->n_blocks && status == DANA_OK; i++) {
		const size_t before = out->len;
		const bool comma = w.json.comma;
		status = write_block(&w, &c->block[i]);
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
