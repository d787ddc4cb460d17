/* SPDX-License-Identifier: MIT */
/*
 * The state of struct blocks while a page is read, and the functions that share it. Private to blocks.c and to the
 * files whose names begin with block_.
 */
#ifndef DANA_LEARNED_BLOCK_BUILDER_H
#define DANA_LEARNED_BLOCK_BUILDER_H

#include "base/status.h"
#include "extract/html/attribute.h"
#include "extract/html/white_space.h"
#include "extract/learned/block_formula.h"
#include "extract/learned/blocks.h"
#include "extract/learned/held_text.h"
#include "extract/learned/open_elements.h"

/**
 * TITLE_HELD: room for the text after <title> that is held from page to page. RESERVE_BELOW: from this many units of
 * shown text on, the reserve is dropped whatever it contains.
 */
enum { TITLE_HELD = 1 << 10, RESERVE_BELOW = 500 };

/** In place of a reserve's tag: the text of scripts is read. */
enum { HELD = UINT8_MAX };
_Static_assert((int)HTML_TAGS_COUNT <= (int)HELD, "it is no tag");

struct block_builder {
	struct open_elements open;
	struct token_sink sink;
	struct token_cache cache;
	size_t max_text;
	size_t cap_blocks, cap_elements, cap_kept;
	struct white_space_state white;
	/* the open block */
	struct block current;
	size_t counted; /* text before this offset is in current.counts */
	size_t begin;   /* offset where the open block's text begins */
	size_t indent;  /* the same, including kept white space before it */
	bool in_link, title_done;
	bool other_keeps;         /* the current unknown tag keeps its white space */
	uint8_t reserve_tag;      /* the skipped element whose text is kept as a reserve, or HELD; 0 = outside */
	unsigned reserve_depth;   /* open elements outside of it */
	uint64_t shown, reserved; /* units */
	struct buf after_title;   /* text after <title>: the whole page if </title> is missing */
	struct held_text held;
	bool script_begun; /* some content of the current script was held */
	struct block_formulas formulas;
};

/* block_end.c */

/** Begins a block after the current text. */
void block_begin(struct blocks *b);
/** Ends a block that has text. Returns 0 or DANA_ENOMEM. */
int block_end_filled(struct blocks *b, uint64_t end);

/* block_text.c: all return 0 or DANA_ENOMEM. */

/** Adds text to the open block; `offset`: its place in the page. */
int block_add_text(struct blocks *b, struct slice text, uint64_t offset);
int block_add_title(struct blocks *b, struct slice text);
/**
 * Without </title>, browsers take the whole page for the title, but old ones did not: reads the page again from its
 * first tag.
 */
int block_read_after_title(struct blocks *b);
/** Reads text that only scripts hold as a part of the reserve: templates and, where they have little, JSON-LD. */
int block_read_held(struct blocks *b);

/* block_space.c: functions with a result return 0 or DANA_ENOMEM. */

/** Records that the text from `from` on was appended where white space does not collapse. */
int block_space_add(struct blocks *b, size_t from);
/** Keeps white space that begins a block. */
int block_space_indent(struct blocks *b, struct slice white);
/** Drops that white space: no text followed in this block. */
void block_space_unindent(struct blocks *b);
/** Adapts to a cut at the end of the text. */
void block_space_cut(struct blocks *b);
/** Appends the text from..to of a block, as block_source does, without regard to formulas. */
int block_part_source(const struct blocks *b, uint32_t from, uint32_t to, struct buf *out);
/** Returns whether white space is kept somewhere in from..to. */
bool block_space_is_kept(const struct blocks *b, uint32_t from, uint32_t to);
/** Appends text with all of its white space as blanks. */
int block_put_collapsing(struct buf *to, struct slice text);

/* block_tags.c */

/** 0 or DANA_ENOMEM. */
int block_start_tag(struct blocks *b, struct html_attr_reader *attrs, enum html_tag tag);
void block_end_tag(struct blocks *b, enum html_tag tag);

/** Counts pending text, because a link begins or ends here, or the block ends. */
static inline void block_count_pending(struct blocks *b)
{
	struct block_builder *t = b->builder;
	size_t len = b->text.len - t->counted;
	if (len == 0)
		return;
	uint32_t before = t->current.counts.units;
	counts_add(&t->current.counts, slice_of(b->text.data + t->counted, len));
	uint32_t units = t->current.counts.units - before;
	t->current.linked += t->in_link ? units : 0;
	t->counted = b->text.len;
}

/** Ends the open block, which may be empty, at `end`. Returns 0 or DANA_ENOMEM. */
static inline int block_end(struct blocks *b, uint64_t end)
{
	struct block_builder *t = b->builder;
	if (b->text.len != t->begin)
		return block_end_filled(b, end);
	if (t->indent != t->begin)
		block_space_unindent(b);
	t->current.inline_score = 0;
	t->current.links = 0;
	b->begun++;
	return DANA_OK;
}

#endif
