/* SPDX-License-Identifier: MIT */
/*
 * Makes blocks from the tokeniser's events. A tag with TAG_SPLITS ends the block; text is added to the open block; a
 * tag with TAG_NESTS opens or closes an element.
 *
 * Example: <div>Menu<p>A <a href=/x>link</a>.</p></div> makes two blocks: "Menu" in <div>, and "A link." in <p>, with 4
 * of its 6 units in a link.
 */
#include "extract/learned/blocks.h"

#include <stdlib.h>

#include "extract/html/run_scan.h"
#include "extract/learned/block_builder.h"

enum { DEPTH_DEFAULT = 512 };

static const int8_t no_weights[TOKEN_COUNT];

int blocks_init(struct blocks *b, size_t max_text, unsigned max_depth)
{
	struct block_builder *t = b->builder = calloc(1, sizeof(*t));
	if (!t)
		return DANA_ENOMEM;
	t->max_text = max_text;
	t->sink.weights = no_weights;
	block_formulas_init(&t->formulas);
	t->cap_elements = t->cap_blocks = 256;
	b->block = malloc(t->cap_blocks * sizeof(*b->block));
	b->element = malloc(t->cap_elements * sizeof(*b->element));
	b->meta = calloc(1, sizeof(*b->meta));
	if (!b->block || !b->element || !b->meta ||
	    open_elements_init(&t->open, max_depth ? max_depth : DEPTH_DEFAULT) < 0)
		return DANA_ENOMEM;
	blocks_reset(b);
	return DANA_OK;
}

void blocks_set_token_sink(struct blocks *b, const struct token_sink *sink)
{
	b->builder->sink = *sink;
	b->builder->sink.cache = &b->builder->cache;
	memset(&b->builder->cache, 0, sizeof(b->builder->cache)); /* its scores come from other weights */
}

void blocks_reset(struct blocks *b)
{
	struct block_builder *t = b->builder;
	tokens_fetch(&t->sink);
	open_elements_reset(&t->open);
	b->n_blocks = 0;
	b->n_elements = 1;
	b->element[0] = (struct element){ 0 };
	b->page_bytes = 0;
	b->articles = b->images = b->textareas = b->inputs = 0;
	b->body_tokens = 0;
	page_meta_reset(b->meta);
	b->has_main = b->truncated = false;
	buf_shrink(&b->text, (size_t)1 << 20);
	b->n_kept = 0;
	t->white = (struct white_space_state){ 0 };
	t->in_link = t->title_done = false;
	t->reserve_tag = 0;
	t->shown = t->reserved = 0;
	buf_shrink(&t->after_title, TITLE_HELD);
	held_text_reset(&t->held);
	block_formulas_reset(&t->formulas);
	block_begin(b);
}

void blocks_free(struct blocks *b)
{
	if (b->builder) {
		open_elements_free(&b->builder->open);
		buf_free(&b->builder->after_title);
		held_text_free(&b->builder->held);
		block_formulas_free(&b->builder->formulas);
	}
	if (b->meta)
		page_meta_free(b->meta);
	free(b->meta);
	free(b->builder);
	free(b->block);
	free(b->element);
	free(b->kept);
	buf_free(&b->text);
	*b = (struct blocks){ 0 };
}

/* Takes bytes of comments, scripts and styles. */
static int add_void(struct blocks *b, const struct html_run *run)
{
	struct block_builder *t = b->builder;
	if (t->formulas.reader.in_script)
		return formula_script_bytes(&t->formulas.reader, run->bytes);
	struct slice content = declared_add(&b->meta->declared, run->bytes, run->first);
	if (run->first)
		t->script_begun = false;
	if (content.len == 0 || t->shown >= RESERVE_BELOW || t->reserve_tag == HELD)
		return DANA_OK;
	int status = held_text_add(&t->held, b->meta->declared.script, content, !t->script_begun);
	t->script_begun = true;
	return status;
}

int blocks_run(struct blocks *b, const struct html_run *run)
{
	b->page_bytes = run->offset + run->bytes.len;
	if (run->kind == HTML_VOID)
		return add_void(b, run);
	if (run->kind != HTML_TEXT)
		return DANA_OK;
	if (run->tag == HTML_TAG_TITLE)
		return block_add_title(b, run->bytes);
	if (run->skipped && (!b->builder->reserve_tag || run->tag))
		return block_formula_math(&b->builder->formulas, run->bytes);
	return block_add_text(b, run->bytes, run->offset);
}

/*
 * Returns whether a tag counts: all do except skipped ones outside of the reserve. Records where the reserve begins and
 * ends.
 */
static bool is_seen(struct block_builder *t, const struct html_tag_event *event)
{
	if (!event->skipped)
		return true;
	if (t->reserve_tag && event->tag == t->reserve_tag && event->closing) {
		open_elements_cut(&t->open, t->reserve_depth);
		white_space_end(&t->white, event->tag);
		t->reserve_tag = 0;
		t->in_link = false;
		return false;
	}
	if (!t->reserve_tag && !event->closing &&
	    (event->tag == HTML_TAG_NOSCRIPT || event->tag == HTML_TAG_TEMPLATE)) {
		t->reserve_tag = event->tag;
		t->reserve_depth = t->open.len;
		white_space_start(&t->white, event->tag, WHITE_SPACE_INHERITED);
		return false;
	}
	return t->reserve_tag && !html_tag_is(event->tag, TAG_SKIP);
}

/* Ends what a tag ends wherever it is. */
static inline int before_tag(struct blocks *b, enum html_tag tag, uint64_t start)
{
	if (html_tag_is(tag, TAG_SPLITS))
		return block_end(b, start);
	if (html_tag_is(tag, TAG_LINKS))
		block_count_pending(b);
	return DANA_OK;
}

/* Returns whether a tag may belong to a formula. */
static bool is_formula(const struct block_builder *t, const struct html_tag_event *event)
{
	if (t->reserve_tag)
		return false;
	if (event->tag == HTML_TAG_SCRIPT)
		return t->formulas.reader.in_script || formula_script_likely(event);
	return event->skipped && (t->formulas.reader.in_math || event->tag == HTML_TAG_MATH);
}

int blocks_tag(struct blocks *b, const struct html_tag_event *event)
{
	struct block_builder *t = b->builder;
	enum html_tag tag = event->tag;
	if (tag == HTML_TAG_TITLE && event->closing)
		t->title_done = true;
	int status = before_tag(b, tag, event->start);
	if (status < 0)
		return status;
	if (tag == HTML_TAG_TEXTAREA && !event->closing)
		b->textareas++;
	if (is_formula(t, event)) {
		status = block_formula_tag(b, event);
		if (status < 0)
			return status;
	}
	if (!is_seen(t, event))
		return DANA_OK;
	if (event->closing) {
		block_end_tag(b, tag);
		return DANA_OK;
	}
	if (tag == HTML_TAG_OTHER)
		t->other_keeps = white_space_of_tag(tag, event->name) == WHITE_SPACE_KEPT;
	struct html_attr_reader attrs = html_attr_begin(event);
	return block_start_tag(b, &attrs, tag);
}

/* Adds the unit's text; white space that begins a block is skipped by masks. */
static int unit_text(struct blocks *b, const struct html_unit *unit)
{
	size_t at = unit->text;
	if (b->text.len == b->builder->begin && b->builder->white.now != WHITE_SPACE_KEPT) {
		struct html_run run = unit_text_run(unit);
		at += run_find(&run, 0, run.bytes.len, RUN_OTHER);
		if (at == unit->code)
			return DANA_OK;
	}
	return block_add_text(b, slice_of(unit->window + at, unit->code - at), unit->base + at);
}

int blocks_unit(struct blocks *b, const struct html_unit *unit)
{
	enum html_tag tag = unit->tag;
	b->page_bytes = unit->base + unit->end;
	int status = unit->text != unit->code ? unit_text(b, unit) : DANA_OK;
	if (status < 0)
		return status;
	status = before_tag(b, tag, unit->base + unit->code);
	if (status < 0)
		return status;
	if (unit->closing) {
		block_end_tag(b, tag);
		return DANA_OK;
	}
	if (tag == HTML_TAG_OTHER) {
		struct slice name = slice_of(unit->window + unit->code + 1, unit->name_len);
		b->builder->other_keeps = white_space_of_tag(tag, name) == WHITE_SPACE_KEPT;
	}
	struct html_attr_reader attrs = html_attr_of_unit(unit);
	return block_start_tag(b, &attrs, tag);
}

static void drop_reserve(struct blocks *b)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < b->n_blocks; i++) {
		if (!b->block[i].reserve)
			b->block[kept++] = b->block[i];
	}
	b->n_blocks = kept;
}

int blocks_finish(struct blocks *b)
{
	struct block_builder *t = b->builder;
	int status = block_end(b, b->page_bytes);
	if (status == DANA_OK)
		status = t->formulas.status;
	if (status == DANA_OK && t->shown == 0 && !t->title_done && t->after_title.len)
		status = block_read_after_title(b);
	if (status == DANA_OK && t->shown < RESERVE_BELOW && (t->held.templates.len || t->held.data.len))
		status = block_read_held(b);
	if (t->reserved && (t->shown >= RESERVE_BELOW || t->reserved < t->shown))
		drop_reserve(b);
	return status;
}
