/* SPDX-License-Identifier: MIT */
/*
 * Information cells of the Mountain Model (L. Bing, Y. Wang, Y. Zhang, H. Wang 2008, sections 3.1 and 3.2): a cell is a
 * visible text between two tags, with a score by its length, punctuation and share of the source around it (equation
 * 1). Between cells that are far apart blank cells are counted.
 *
 * Memory: the text and 12 bytes for each cell; at most MOUNTAIN_CELLS of them, further ones are left out, and the text
 * counts as truncated.
 */
#ifndef DANA_EXTRACT_PAPERS_MOUNTAIN_H
#define DANA_EXTRACT_PAPERS_MOUNTAIN_H

#include "base/buf.h"
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
	struct paper page; /* first: token_stream_run and token_stream_tag feed it */
	struct buf cells;  /* of struct mountain_cell */
	bool open;         /* a cell is being read */
	bool waiting;      /* the last cell waits for the gap after it */
	/* about that cell */
	uint64_t start, end;   /* in the source */
	uint64_t left;         /* source between the cell before and it */
	uint64_t chars, dense; /* characters; how many of them are of scripts without spaces */
	uint64_t marks;
	bool mark_waits; /* a mark that counts if white space or the end follows */
	bool stop, link;
	uint64_t last_end; /* end of the cell before it */
};

/** `env`: as of paper_init. */
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

/*
 * Ridges of the Mountain Model (L. Bing et al. 2008, sections 3.2, 3.3 and 4): cell scores smoothed over their
 * neighbours (equations 2 and 3), runs of high cells, and four features of each (equations 4 to 7).
 *
 * Means are over cells, not over blank ones; blank cells take part in the smoothing and in the length of low runs. A
 * score equal to a threshold counts as below. Time and memory: linear in cells and blank cells (12 bytes each).
 */

enum { MOUNTAIN_SMOOTHING = 5, MOUNTAIN_SPAN = 5, MOUNTAIN_PEAK = 3, RIDGE_FEATURES = 4 };

/** What makes a ridge on the pages of a site, instead of the paper's numbers. All zero: the paper's. */
struct ridge_rule {
	uint32_t threshold; /* millionths of the mean score, at most MOUNTAIN_PEAK times that; 0: the mean itself */
	uint32_t span; /* low slopes in a row that a ridge may have, at most MOUNTAIN_SPAN_MOST; 0: MOUNTAIN_SPAN */
};

struct mountain_ridge {
	size_t first, last;              /* first and last cell */
	size_t first_place, last_place;  /* the same among cells and blank cells, as the trace counts them */
	double mean;                     /* of its cells' smoothed scores */
	double features[RIDGE_FEATURES]; /* height, width, ridge position, cell position */
	double decision;                 /* of the classifier, once it has run */
};

struct trace;

struct mountain_ridges {
	struct buf ridges; /* of struct mountain_ridge */
	struct buf slopes; /* cells and blank cells in one row */
	double primary;    /* threshold */
	double peak;       /* threshold that the highest cell of a ridge exceeds */
	uint32_t span;     /* of the rule */
};

int mountain_ridges_find(struct mountain_ridges *r, const struct mountain_cells *cells, const struct ridge_rule *rule,
			 const struct trace *trace);
void mountain_ridges_free(struct mountain_ridges *r);

static inline size_t mountain_ridges_count(const struct mountain_ridges *r)
{
	return r->ridges.len / sizeof(struct mountain_ridge);
}

static inline struct mountain_ridge *mountain_ridge_at(const struct mountain_ridges *r, size_t index)
{
	return (struct mountain_ridge *)(void *)r->ridges.data + index;
}

/*
 * The ridge classifier: a support vector machine with RBF kernel, f(x) = sum of a_k exp(-gamma |x - s_k|^2) + b; a
 * ridge is primary when f > 0. All numbers are millionths, so that a model file reads the same in every locale.
 *
 * The file is text: a first line "dana-mountain-model 1", then lines of a word and whole numbers: "gamma G", "bias B",
 * "vector A HEIGHT WIDTH RIDGE CELL" for each support vector. Models of sites may also have "threshold T" and "span S",
 * which define a ridge there (struct ridge_rule; S is a plain number). Lines that begin with # and empty lines are
 * ignored.
 */

enum { MODEL_UNIT = 1000000, MODEL_VECTORS_MOST = 100000 };

struct model_vector {
	int64_t weight;
	int32_t at[RIDGE_FEATURES];
};

struct mountain_model {
	int64_t gamma, bias;
	struct ridge_rule rule; /* for the ridges that it classifies */
	const struct model_vector *vectors;
	size_t count;
	struct buf own; /* the vectors, if they were read from a file */
};

/** The universal model, trained on many sites. */
extern const struct mountain_model mountain_universal;

double mountain_model_decide(const struct mountain_model *model, const double features[RIDGE_FEATURES]);
/** Returns whether the first line is a model's. */
bool mountain_model_begins(struct slice file);
/** `model` must be zeroed or freed before. */
int mountain_model_read(struct mountain_model *model, struct slice file);
/** Appends the file of a model; `comment` is one line, or NULL. */
int mountain_model_write(const struct mountain_model *model, const char *comment, struct buf *out);
void mountain_model_free(struct mountain_model *model);

#endif
