/* SPDX-License-Identifier: MIT */
/*
 * The page as words and tags, for the methods that count those: text decoded, runs of white space collapsed, without
 * what is not visible (comments, scripts, styles, and all that the tokeniser skips). The same for every split.
 *
 * A word is what the measures call a token: a character of a script without spaces, or a run of other characters
 * without white space in one text between two tags (doc/METHODS.md). A word of more than TOKEN_WORD_MAX bytes comes as
 * several.
 *
 * Ownership: a token_stream is the first member of a method's state and owns nothing. Slices are valid during the call.
 */
#ifndef DANA_EXTRACT_PAPERS_PAGE_TEXT_H
#define DANA_EXTRACT_PAPERS_PAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "extract/html/entity.h"
#include "extract/html/tokenizer.h"
#include "extract/method.h"
#include "extract/text_writer.h"

enum { TOKEN_WORD_MAX = 512 };

struct token_word {
	struct slice text;  /* decoded, valid UTF-8 */
	size_t chars;       /* code points */
	struct slice white; /* white space before it that does not collapse (held_space) */
	bool breaks;        /* a block boundary precedes it */
	bool space;         /* white space, but no block boundary, precedes it */
	bool newline;       /* a line of the source ended before it, in text */
	bool link;          /* inside an anchor */
	uint64_t unit;      /* position of the text between two tags that contains it */
	uint64_t from, to;  /* its own position */
	uint64_t before;    /* end of the word before it; 0: it is the first */
};

struct token_tag {
	const struct html_tag_event *event;
	size_t chars; /* code points of its source */
	bool newline; /* a line of the source ended before it, in text */
};

struct token_stream;

/** A method's functions for the events; a negative status ends the page. */
struct token_stream_ops {
	int (*word)(struct token_stream *t, const struct token_word *word);
	int (*tag)(struct token_stream *t, const struct token_tag *tag); /* optional */
	/** Optional: takes each piece of the page that is not visible text; the pieces depend on the split. */
	int (*gap)(struct token_stream *t, const struct html_run *run);
	/** Optional: takes the tags of skipped elements and those inside of them. */
	int (*skipped_tag)(struct token_stream *t, const struct html_tag_event *event);
};

struct token_stream {
	const struct token_stream_ops *ops;
	uint8_t reference[HTML_ENTITY_LONGEST]; /* a character reference that may continue */
	size_t reference_len;
	uint8_t part[4]; /* the beginning of a character */
	size_t part_len;
	uint8_t word[TOKEN_WORD_MAX + 4];
	size_t word_len, word_chars;
	size_t tag_chars;
	struct held_space held; /* since the last word or block boundary */
	uint8_t white;          /* enum white_space of the current text */
	uint64_t unit;
	uint64_t word_from, word_to;   /* positions: of the open word, */
	uint64_t taken_from, taken_to; /* of what is being taken, */
	uint64_t last_to;              /* and the end of the last word */
	uint64_t source_end;           /* end of the page so far */
	bool in_unit, breaks, space, newline, link;
};

void token_stream_reset(struct token_stream *t, const struct token_stream_ops *ops);
/** Functions for struct method: `state` begins with the stream. */
int token_stream_run(void *state, const struct html_run *run);
int token_stream_tag(void *state, const struct html_tag_event *event);
/** Ends the page: delivers the last word. */
int token_stream_finish(struct token_stream *t);
/** True for a character that is a word by itself. */
bool token_char_is_word(uint32_t c);

/*
 * Words kept as text: separated by a space, by LF between blocks, or by the white space that the page keeps. Methods
 * remember positions in it and cut it back. Zeroed, it is empty. A word that does not fit into `max` bytes is dropped
 * with all later ones, and `truncated` is set.
 */

struct method_env;
struct text_writer;

/* Bytes of a method's arrays that are kept for the next page. */
enum { PAGE_KEEPS = 256 << 10 };

/** The positions of words in the page, for the list of what is kept. */
struct page_place {
	uint64_t before, from; /* end of the word before it in the page; its own beginning */
	uint32_t text;         /* where it begins in the text, with what precedes it */
	bool dropped;          /* words that are not in the text, any number of them */
};

struct page_text {
	struct buf buf;
	struct buf places;  /* struct page_place each, if there is a list of spans */
	struct buf *spans;  /* struct method_span each; may be NULL */
	uint64_t end, last; /* of the last word in the page: that is in the text, of any */
	size_t max;
	bool truncated;
	bool breaks; /* a block boundary is between the end and the next word */
	bool space;  /* skipped words are between the end and the next word */
};

void page_text_reset(struct page_text *p);
int page_text_add(struct page_text *p, const struct token_word *word);
/** Skips a word: a space will separate the next one from the last. */
int page_text_pass(struct page_text *p, const struct token_word *word);
/** Removes everything after `len`. */
void page_text_cut(struct page_text *p, size_t len);
/** Writes bytes from..to as separate blocks, and lists their spans. Calls come in order. */
int page_text_write(const struct page_text *p, size_t from, size_t to, struct text_writer *out);

/* What a method's state begins with. */
struct paper {
	struct token_stream stream;
	struct trace *trace;
	struct work *work;
	struct page_text text;
	struct page_text best; /* of methods that look for one stretch: the best one so far; `text` is the open one */
};

/** `env` NULL or max_text 0 means 8 MiB of text; it is capped at what 32-bit positions hold. `p` is zeroed. */
int paper_init(struct paper *p, const struct method_env *env, const struct token_stream_ops *ops);
void paper_reset(struct paper *p);
/** Makes the first `len` bytes of the open stretch the best one, and opens a new one. */
void paper_keep(struct paper *p, size_t len);
int paper_write_best(const struct paper *p, struct text_writer *out);
/** Report a number of the page, and what was decided of from..to of the text, to `explain` if it listens. */
void paper_number(const struct paper *p, const char *name, double value);
void paper_tell(const struct paper *p, size_t from, size_t to, bool kept, double value, const char *reason);
/** For struct method: `state` begins with the paper. */
void paper_free(void *state);

/* The members that are alike in all tables of these methods; `start`: the name of the method that init is for. */
#define PAPER_FUNCTIONS(state, start) \
	.state_size = sizeof(struct state), .init = start##_init, .run = token_stream_run, .tag = token_stream_tag, \
	.finish = state##_finish, .lists_spans = true, .reset = state##_reset

/*
 * FE and KFE treat a page as a row of blocks, each with the shares of text, link text and other things in it (S.
 * Debnath et al. 2005). A block begins and ends at each start and end tag of TABLE, TR, P, HR, UL, OL, DIV, BLOCKQUOTE
 * and the headings.
 */

struct block_shape {
	uint64_t text;  /* characters outside of anchors */
	uint64_t link;  /* characters in anchors */
	uint64_t other; /* 100 an image or form control, 40 a list item or table cell, and the characters of tags */
};

void block_shape_add_word(struct block_shape *b, const struct token_word *word);
/** A start tag belongs to the block that it begins, an end tag to the one that it ends, where `end` is called. */
int block_shape_add_tag(struct block_shape *b, const struct token_tag *tag, int (*end)(void *arg), void *arg);

static inline uint64_t block_shape_sum(const struct block_shape *b)
{
	return b->text + b->link + b->other;
}

/*
 * k-means with given first centres, in two or three dimensions: Lloyd's rounds, ties to the lower cluster, an empty
 * cluster keeps its centre. Sums run in the order of the points, so results repeat. Time: points * clusters * rounds.
 */

enum { KMEANS_CLUSTERS = 3, KMEANS_DIMENSIONS = 3 };

struct kmeans {
	double centre[KMEANS_CLUSTERS][KMEANS_DIMENSIONS];
	unsigned dimensions, rounds;
	bool first_is_fixed; /* the centre of cluster 0 does not move */
};

/** Writes the coordinates of point `index`. */
typedef void (*kmeans_point)(const void *arg, size_t index, double at[KMEANS_DIMENSIONS]);
/** Moves the centres until they rest or the rounds are used up. Each point in each round is a step. */
int kmeans_run(struct kmeans *k, size_t points, kmeans_point point, const void *arg, struct work *work);
unsigned kmeans_nearest(const struct kmeans *k, const double at[KMEANS_DIMENSIONS]);

#endif
