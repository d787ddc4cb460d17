/* SPDX-License-Identifier: MIT */
/*
 * Information cells of the Mountain Model (L. Bing, Y. Wang, Y. Zhang, H. Wang 2008, sections 3.1 and 3.2): a cell is a
 * visible text between two tags, with a score by its length, punctuation and share of the source around it (equation
 * 1). Between cells that are far apart blank cells are counted.
 *
 * Memory: the text and 12 bytes for each cell; at most MOUNTAIN_CELLS of them, further ones are left out, and the text
 * counts as truncated. Errors: DANA_ENOMEM.
 */
#ifndef DANA_PAPERS_MOUNTAIN_CELLS_H
#define DANA_PAPERS_MOUNTAIN_CELLS_H

#include "extract/papers/page_text.h"

enum {
	MOUNTAIN_CELLS = 64 << 10,
	MOUNTAIN_BLANK = 200,      /* bytes of source between two cells for each blank cell */
	MOUNTAIN_SPAN_MOST = 10,   /* low cells in a row that a ridge may have under any rule */
	MOUNTAIN_BLANKS_MOST = 15, /* 2 * (smoothing window / 2) + MOUNTAIN_SPAN_MOST + 1: more would change nothing */
};

struct mountain_cell {
	float score;
	uint32_t text_end; /* length of the text at its end */
	uint32_t blanks;   /* blank cells before it */
};

struct mountain_cells {
	struct token_stream stream; /* first: token_stream_run and token_stream_tag feed it */
	struct page_text text;
	struct buf cells; /* of struct mountain_cell */
	bool open;        /* a cell is being read */
	bool waiting;     /* the last cell waits for the gap after it */
	/* about that cell */
	uint64_t start, end;   /* in the source */
	uint64_t left;         /* source between the cell before and it */
	uint64_t chars, dense; /* characters; those of scripts without spaces */
	uint64_t marks;
	bool mark_waits; /* a mark that counts if white space or the end follows */
	bool stop, link;
	uint64_t last_end; /* end of the cell before it */
};

/** `env`: as of page_text_init. */
void mountain_cells_init(struct mountain_cells *m, const struct method_env *env);
int mountain_cells_finish(struct mountain_cells *m);
void mountain_cells_reset(struct mountain_cells *m);
void mountain_cells_free(struct mountain_cells *m);

static inline size_t mountain_cells_count(const struct mountain_cells *m)
{
	return m->cells.len / sizeof(struct mountain_cell);
}

static inline const struct mountain_cell *mountain_cell_at(const struct mountain_cells *m, size_t index)
{
	return (const struct mountain_cell *)(const void *)m->cells.data + index;
}

/** Returns where the text of a cell begins. */
static inline size_t mountain_cell_start(const struct mountain_cells *m, size_t index)
{
	return index ? mountain_cell_at(m, index - 1)->text_end : 0;
}

#endif
