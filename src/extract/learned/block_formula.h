/* SPDX-License-Identifier: MIT */
/*
 * Formulas in the text of blocks, once each: their TeX, or their letters, in place of what the page shows beside them.
 * They are written with the text but not counted in it, so that they change nothing of what is chosen. Private to the
 * files of blocks.
 */
#ifndef DANA_LEARNED_BLOCK_FORMULA_H
#define DANA_LEARNED_BLOCK_FORMULA_H

#include "extract/html/formula.h"
#include "extract/learned/blocks.h"

/** Bytes of all formulas of a page; later ones are left out. */
enum { FORMULAS_MOST = 1 << 20 };

/** Zeroed, it is that of a page without formulas. */
struct block_formulas {
	struct formula_reader reader;
	struct buf text;   /* of all formulas */
	struct buf places; /* struct formula_place each */
	struct buf twins;  /* struct formula_twin each */
	/* the open twin */
	uint32_t twin_from;
	uint32_t twin_depth; /* 1, and 1 for each open element with its tag; 0: it is not open */
	uint8_t twin_tag;
	bool twin_pairs;    /* its formula came before it */
	bool any;           /* the page has formulas, or what may be a twin */
	int status;         /* DANA_ENOMEM: a twin is lost */
	uint64_t twin_bits; /* of the hashes of classes of twins, by their lowest six bits */
	uint32_t twin_class[FORMULA_CLASSES];
};

/** Sets the hashes of classes. */
void block_formulas_init(struct block_formulas *f);
void block_formulas_reset(struct block_formulas *f);
void block_formulas_free(struct block_formulas *f);

/** Returns whether the page may have formulas, so that the text of blocks is not all that is written. */
static inline bool block_formulas_any(const struct block_formulas *f)
{
	return f->any;
}

/** Takes a tag inside of <math>, that of <math>, or that of <script>. Returns 0 or DANA_ENOMEM. */
int block_formula_tag(struct blocks *b, const struct html_tag_event *event);

/** Takes text inside of skipped elements. Returns 0 or DANA_ENOMEM. */
static inline int block_formula_math(struct block_formulas *f, struct slice text)
{
	return f->reader.in_math ? formula_math_text(&f->reader, text) : 0;
}

/** Begins a twin, if the class is that of one: a formula as it is shown. Call it for each start tag with a class. */
void block_twin_begin(struct blocks *b, enum html_tag tag, uint32_t class_hash);
static inline bool block_twin_likely(const struct block_formulas *f, uint32_t class_hash)
{
	return f->twin_bits >> (class_hash & 63) & 1;
}
/** Takes a tag while a twin is open. */
void block_twin_tag(struct blocks *b, enum html_tag tag, bool closing);

/** The open block ends and is one: the formulas that came in it are part of it. */
void block_formulas_join(struct blocks *b);
/** Adapts to a cut at the end of the text. */
void block_formulas_cut(struct blocks *b);

/** Appends the source of a block with its formulas. */
int block_formulas_source(const struct blocks *b, const struct block *block, struct buf *to);
/** Writes the formulas that stand alone after block `serial`. Returns 0 or DANA_ENOMEM. */
int block_formulas_after(const struct blocks *b, uint32_t serial, struct text_writer *out);

#endif
