/* SPDX-License-Identifier: MIT */
/* White space of blocks that does not collapse: the places where it is kept, and the source of text with it. */
#include "base/ascii.h"
#include "base/grow.h"
#include "extract/html/entity.h"
#include "extract/learned/block_builder.h"
#include "extract/method/text_writer.h"

int block_space_add(struct blocks *b, size_t from)
{
	struct kept_space *last = b->n_kept ? &b->kept[b->n_kept - 1] : NULL;
	uint8_t space = b->builder->white.now;
	uint32_t to = (uint32_t)b->text.len;
	if (from == to)
		return DANA_OK;
	if (last && last->to == from && last->space == space) {
		last->to = to;
		return DANA_OK;
	}
	struct kept_space *more = grow_items(b->kept, b->n_kept, &b->builder->cap_kept, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->kept = more;
	b->kept[b->n_kept++] = (struct kept_space){ (uint32_t)from, to, space };
	return DANA_OK;
}

int block_space_indent(struct blocks *b, struct slice white)
{
	struct block_builder *t = b->builder;
	size_t from = b->text.len, room = t->max_text - from;
	int status = buf_append(&b->text, white.data, white.len < room ? white.len : room);
	if (status == DANA_OK)
		status = block_space_add(b, from);
	t->begin = t->counted = b->text.len;
	return status;
}

void block_space_unindent(struct blocks *b)
{
	struct block_builder *t = b->builder;
	b->text.len = t->begin = t->counted = t->indent;
	block_space_cut(b);
}

void block_space_cut(struct blocks *b)
{
	while (b->n_kept && b->kept[b->n_kept - 1].to > b->text.len) {
		struct kept_space *last = &b->kept[b->n_kept - 1];
		last->to = (uint32_t)b->text.len;
		b->n_kept -= last->from >= last->to;
	}
}

/* Returns the first place that ends after `at`. */
static uint32_t place_after(const struct blocks *b, uint32_t at)
{
	uint32_t low = 0, high = b->n_kept;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (b->kept[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Returns the white space that a reference or U+00A0 means, or 0 for another character. *taken: its length. */
static uint8_t white_at(struct slice text, size_t *taken)
{
	uint8_t decoded[8];
	size_t len = 0;
	if (text.data[0] == 0xC2) {
		bool blank = text.len > 1 && text.data[1] == 0xA0;
		*taken = 1 + blank;
		return blank ? ' ' : 0;
	}
	*taken = html_entity_decode(text, decoded, &len);
	if (*taken == 0)
		*taken = 1;
	if (len == 2 && decoded[0] == 0xC2 && decoded[1] == 0xA0)
		return ' ';
	return len == 1 && ascii_is_space(decoded[0]) ? decoded[0] : 0;
}

/* Appends text with white space as marks; a reference to white space counts as white space. */
static int put_kept(struct buf *to, struct slice text)
{
	int status = buf_reserve(to, text.len); /* nothing becomes longer */
	if (status < 0)
		return status;
	uint8_t *next = to->data + to->len;
	for (size_t i = 0, taken = 1; i < text.len; i += taken) {
		uint8_t c = text.data[i];
		taken = 1;
		if (c == '&' || c == 0xC2)
			c = white_at(slice_skip(text, i), &taken);
		if (c > ' ') {
			*next++ = c;
		} else if (c == 0) {
			memcpy(next, text.data + i, taken);
			next += taken;
		} else if (c == '\t') {
			*next++ = TEXT_TAB;
		} else if (c == ' ' || c == '\f') {
			*next++ = TEXT_BLANK;
		} else if (c != '\r' || i + 1 == text.len || text.data[i + 1] != '\n') {
			*next++ = c == '\r' ? '\n' : c;
		}
	}
	to->len = (size_t)(next - to->data);
	return DANA_OK;
}

/* Appends text with white space as blanks, except line ends if `space` keeps them. */
static int put_collapsing(struct buf *to, struct slice text, enum white_space space)
{
	size_t from = to->len;
	int status = buf_append(to, text.data, text.len);
	for (size_t i = from; i < to->len && status == DANA_OK; i++) {
		bool line = to->data[i] == '\n' && space == WHITE_SPACE_LINES;
		to->data[i] = ascii_is_space(to->data[i]) && !line ? ' ' : to->data[i];
	}
	return status;
}

int block_put_collapsing(struct buf *to, struct slice text)
{
	return put_collapsing(to, text, WHITE_SPACE_COLLAPSES);
}

int block_part_source(const struct blocks *b, uint32_t at, uint32_t end, struct buf *to)
{
	int status = DANA_OK;
	for (uint32_t i = place_after(b, at); at < end && status == DANA_OK; i++) {
		bool any = i < b->n_kept && b->kept[i].from < end;
		uint32_t from = any && b->kept[i].from > at ? b->kept[i].from : any ? at : end;
		status = put_collapsing(to, slice_of(b->text.data + at, from - at), WHITE_SPACE_COLLAPSES);
		at = from;
		if (!any || status < 0)
			continue;
		struct slice kept = slice_of(b->text.data + at, (b->kept[i].to < end ? b->kept[i].to : end) - at);
		at += (uint32_t)kept.len;
		status = b->kept[i].space == WHITE_SPACE_KEPT ? put_kept(to, kept)
							      : put_collapsing(to, kept, WHITE_SPACE_LINES);
	}
	return status;
}

bool block_space_is_kept(const struct blocks *b, uint32_t from, uint32_t to)
{
	const uint32_t place = b->n_kept ? place_after(b, from) : 0;
	return place < b->n_kept && b->kept[place].from < to;
}
