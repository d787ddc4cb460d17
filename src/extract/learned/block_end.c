/* SPDX-License-Identifier: MIT */
/*
 * Begins and ends blocks. A block with visible characters is copied to the list of blocks, with what is known only at
 * its end: its innermost element, the hash of its text, whether it contains a date.
 *
 * Example: <p>One <b>two</b></p><p> </p> makes one block, "One two"; the second has no visible character and is
 * dropped.
 */
#include "base/ascii.h"
#include "base/grow.h"
#include "base/little_endian.h"
#include "extract/learned/block_builder.h"
#include "extract/learned/dates.h"

void block_begin(struct blocks *b)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	/* only what adds up: the rest is set when the block ends, and zeroing all of it is slow */
	c->counts = (struct counts){ 0 };
	c->start = c->linked = 0;
	c->inline_score = 0;
	c->links = 0;
	c->input_before = false;

	t->begin = t->indent = t->counted = b->text.len;
	b->begun++;
}

/*
 * Hashes sixteen bytes at a time; bytes after the end can be read (BLOCKS_READ_ON). Hashes are compared within one page
 * only.
 */
static uint32_t hash_text(struct slice s)
{
	const uint64_t factor = 0x9E3779B97F4A7C15U;
	uint64_t h = s.len * factor, k = ~h;
	const uint8_t *p = s.data;
	size_t len = s.len;
	for (; len > 16; len -= 16, p += 16) {
		h = (h ^ little_endian_64(p)) * factor;
		k = (k ^ little_endian_64(p + 8)) * factor;
		h ^= h >> 29;
		k ^= k >> 31;
	}
	uint64_t first = ~(uint64_t)0, second = 0; /* bytes that belong to the text */
	if (len > 8)
		second = ~(uint64_t)0 >> 8 * (16 - len);
	else
		first = ~(uint64_t)0 >> 8 * (8 - len);
	h = (h ^ (little_endian_64(p) & first)) * factor;
	k = (k ^ (little_endian_64(p + 8) & second)) * factor;
	h = (h ^ h >> 32 ^ (k ^ k >> 30) * 0xD6E8FEB86659FD93U) * factor;
	return (uint32_t)(h >> 32);
}

static bool is_prose(const struct block *b)
{
	const struct counts *c = &b->counts;
	return (uint64_t)b->linked * 10 < (uint64_t)c->units * 3 && (uint64_t)(c->stops + c->commas) * 200 > c->units;
}

static uint8_t visible_tag(const struct blocks *b)
{
	const struct open_elements *open = &b->builder->open;
	return open->top_block < 0 ? HTML_TAG_OTHER : open->entry[open->top_block].tag;
}

/*
 * Ends the open block at `end`. A block without visible characters is dropped, and a field before it then counts as
 * before the next one.
 */
int block_end_filled(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	struct block *c = &t->current;
	block_count_pending(b);
	if (c->counts.units == 0 || b->n_blocks == BLOCKS_MOST) {
		b->truncated |= c->counts.units != 0;
		bool input_before = c->input_before;
		b->text.len = t->indent;
		block_space_cut(b);
		if (block_formulas_any(&t->formulas))
			block_formulas_cut(b);
		block_begin(b);
		c->input_before = input_before;
		return DANA_OK;
	}

	struct block *more = grow_items(b->block, b->n_blocks, &t->cap_blocks, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	b->block = more;
	while (ascii_is_space(b->text.data[b->text.len - 1]))
		b->text.len--;
	block_space_cut(b);

	uint32_t len = (uint32_t)(b->text.len - t->begin), hash = hash_text(slice_of(b->text.data + t->begin, len));

	/* reading a struct right after writing its parts is slow: the last parts are written into the copy */
	struct block *to = &b->block[b->n_blocks];
	*to = *c;
	to->text = (uint32_t)t->begin;
	to->text_len = len;
	to->indent = (uint32_t)(t->begin - t->indent);
	to->hash = hash;
	to->prose = is_prose(c) ? c->counts.units : 0;
	to->has_date = (c->counts.digits >= DATE_DIGITS || c->counts.arabic) &&
		       dates_found(slice_of(b->text.data + t->begin, len));
	to->end = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
	to->element = open_elements_top(&t->open);
	to->tag = visible_tag(b);
	to->hidden = b->element[to->element].hidden;
	to->reserve = t->reserve_tag != 0;
	to->serial = b->n_blocks++;
	to->textareas_before = b->textareas;
	if (block_formulas_any(&t->formulas)) {
		block_formulas_cut(b);
		block_formulas_join(b);
	}

	if (to->reserve)
		t->reserved += c->counts.units;
	else
		t->shown += c->counts.units;
	block_begin(b);
	return DANA_OK;
}
