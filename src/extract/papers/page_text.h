/* SPDX-License-Identifier: MIT */
/*
 * Words kept as text: separated by a space, by LF between blocks, or by the white space that the page keeps. Methods
 * remember positions in it and cut it back. Zeroed, it is empty. A word that does not fit into `max` bytes is dropped
 * with all later ones, and `truncated` is set.
 */
#ifndef DANA_PAPERS_PAGE_TEXT_H
#define DANA_PAPERS_PAGE_TEXT_H

#include "base/buf.h"
#include "extract/papers/token_stream.h"

struct method_env;
struct text_writer;

/* Bytes of a method's arrays that are kept for the next page. */
enum { PAGE_KEEPS = 256 << 10 };

/** Where words stand in the page, for the list of what is kept. */
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

/** `env` NULL or max_text 0 means 8 MiB; it is capped at what 32-bit positions hold. */
void page_text_init(struct page_text *p, const struct method_env *env);
void page_text_reset(struct page_text *p);
/** Returns 0 or DANA_ENOMEM. */
int page_text_add(struct page_text *p, const struct token_word *word);
/** Skips a word: a space will separate the next one from the last. Returns 0 or DANA_ENOMEM. */
int page_text_pass(struct page_text *p, const struct token_word *word);
/** Removes everything after `len`. */
void page_text_cut(struct page_text *p, size_t len);
/** Writes bytes from..to as separate blocks, and lists their spans. Calls come in order. Returns 0 or DANA_ENOMEM. */
int page_text_write(const struct page_text *p, size_t from, size_t to, struct text_writer *out);
void page_text_free(struct page_text *p);

/* For methods that search for one stretch: the open one, and the best earlier one. */
struct page_text_pair {
	struct page_text open, best;
};

void page_text_pair_init(struct page_text_pair *p, const struct method_env *env);
void page_text_pair_reset(struct page_text_pair *p);
/** Makes the first `len` bytes of the open stretch the best one, and opens a new one. */
void page_text_pair_keep(struct page_text_pair *p, size_t len);
/** Writes the best stretch. */
int page_text_pair_write(const struct page_text_pair *p, struct text_writer *out);
void page_text_pair_free(struct page_text_pair *p);

#endif
