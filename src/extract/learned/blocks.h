/* SPDX-License-Identifier: MIT */
/*
 * The page as blocks of text, in one pass over the tokeniser's events: a stack of open elements (no tree is built), one
 * record for each element and each block. Memory is bounded by the limits below, by max_text and by max_depth; work is
 * constant for each tag and linear in text.
 *
 * Text in <noscript> and <template> is a reserve: it counts only on a page with hardly any other text (some forums that
 * build pages by scripts send their text that way).
 */
#ifndef DANA_EXTRACT_LEARNED_BLOCKS_H
#define DANA_EXTRACT_LEARNED_BLOCKS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "extract/html/attribute.h"
#include "extract/html/tag.h"
#include "extract/learned/tokens.h"

/*
 * What a page declares to be about: values of "@type" in its JSON-LD, one bit for each group of types. Read as it
 * comes, in pieces of any length; JSON is not parsed, nothing is kept but a word of a few bytes.
 *
 * Example: <script type="application/ld+json">{"@type": ["Thing", "Recipe"]}</script> declares a recipe.
 */

enum declared_type {
	DECLARED_RECIPE = 1,
	DECLARED_PRODUCT = 2,
	DECLARED_ARTICLE = 4,
	DECLARED_FORUM = 8,
	DECLARED_LIST = 16,
	DECLARED_SERVICE = 32,
	DECLARED_ANY = 128, /* there is JSON-LD */
};

/** What a script holds, by the type in the first DECLARED_HEAD bytes of its tag. */
enum script_kind { SCRIPT_OTHER, SCRIPT_DATA /* JSON-LD */, SCRIPT_TEMPLATE /* HTML */ };

enum { DECLARED_HEAD = 128, DECLARED_WORD = 24 };

struct declared {
	uint8_t types;             /* bits of enum declared_type */
	uint8_t state;             /* enum in page_data.c */
	uint8_t script;            /* enum script_kind of the bytes that come */
	uint8_t len;               /* of `bytes` */
	bool list;                 /* inside of [...] */
	char bytes[DECLARED_HEAD]; /* begin of a script's tag, or of a type's name */
};

void declared_reset(struct declared *d);
/** Takes scripts and comments with their tags; `first`: one begins here. Returns what is a script's content. */
struct slice declared_add(struct declared *d, struct slice bytes, bool first);

/*
 * The page's metadata in <meta> and <link>: its description, type and address. The description may come after the text
 * and may have any length, so only a set of its hashed runs of three words is kept.
 */

/** og:type. */
enum og_type { OG_NONE, OG_OTHER, OG_WEBSITE, OG_ARTICLE, OG_PRODUCT };

struct page_meta {
	struct word_runs described;
	struct declared declared;
	uint8_t og_type;
	uint8_t url_last, url_digits; /* of the page's canonical address */
	struct buf scratch;
};

void page_meta_reset(struct page_meta *m);
int page_meta_read_meta(struct page_meta *m, struct html_attr_reader *attrs);
/** Takes a <link>: with rel=canonical it has the page's address. */
void page_meta_read_link(struct page_meta *m, struct html_attr_reader *attrs);

/*
 * Text that scripts hold: templates of HTML, and `articleBody` of JSON-LD. A page that shows it is built by scripts in
 * the browser, so it is kept until the page's end and read only if the page itself shows hardly any text. Bounded by
 * HELD_MOST bytes of each.
 *
 * Example: a page of nothing but <script type="text/template"><p>The old lamp ...</p></script>.
 */

enum { HELD_MOST = 1 << 18, HELD_ROOM = 1 << 14 };

struct held_text {
	struct buf templates; /* HTML, one after the other */
	struct buf data;      /* JSON, one after the other */
	size_t last;          /* where the last template begins */
};

void held_text_reset(struct held_text *h);
void held_text_free(struct held_text *h);
/** Adds bytes of a script's content; `first`: it begins with them. */
int held_text_add(struct held_text *h, enum script_kind kind, struct slice bytes, bool first);
/** Returns the templates without those that wait for values, {{such}} or <%such%>: they are no text. */
struct slice held_text_templates(struct held_text *h);

/** Ancestors whose distance is recorded. */
enum ancestor {
	ANC_ARTICLE,
	ANC_MAIN,
	ANC_FOOTER,
	ANC_COUNT = 4, /* one is unused, so that distances fill a word */
	ANC_FAR = 15,  /* distances end here */
};

/** Why a block is left out whatever its chance. */
enum left_out {
	LEFT_UNSEEN = 1 << 0, /* a browser does not show it */
	LEFT_APART = 1 << 1,  /* its element says that it is not of the article */
	LEFT_TOOLS = 1 << 2,  /* the same, where it is short or linked */
	LEFT_LINKS = 1 << 3,  /* the same, where it is linked */
	LEFT_OPENS = 1 << 4,  /* none: readers open what is hidden in it, or it, by a button */
};

/** An opened element. Number 0 is the page. */
struct block_element {
	uint32_t parent;
	uint32_t path;       /* hash of tags and first classes from the root */
	int16_t score;       /* of its own tokens, saturated */
	int16_t most, least; /* highest and lowest score of it and its ancestors */
	uint16_t depth;
	int32_t total; /* scores of it and its ancestors */
	uint32_t cell; /* number, from 1 on, of the table or cell that it is or is in (block_cell); 0: none */
	bool hidden;
	uint8_t left;                /* bits of enum left_out, its own and those of its ancestors */
	uint8_t distance[ANC_COUNT]; /* 0 = no such ancestor, 1 = itself, 2 = parent */
};

/** A block: text between two tags that break text. */
struct block {
	uint32_t text, text_len; /* source text */
	uint32_t indent;         /* bytes of kept white space before it in blocks.text */
	uint32_t start, end;     /* place in the page, saturated */
	uint32_t element;        /* the innermost */
	uint32_t hash;           /* of the source text */
	struct counts counts;
	uint32_t linked;           /* units in <a href> */
	uint32_t prose;            /* its units if it looks like prose (few links, some marks), otherwise 0 */
	uint32_t serial;           /* its number when it ended: later numbers change when the reserve is dropped */
	int32_t inline_score;      /* score of inline elements that are not on the stack */
	uint16_t links;            /* <a href> */
	uint32_t host;             /* of the last one (attribute_facts.host) */
	uint32_t textareas_before; /* on the page */
	uint8_t tag;               /* the innermost element that is neither a span nor unknown */
	bool input_before;         /* an <input> or <button> came since the block before began */
	bool hidden;
	uint8_t left;  /* bits of enum left_out */
	bool has_date; /* it contains a time or a date in digits */
	bool reserve;  /* in <noscript> or <template> */
};

/** A part of blocks.text whose white space does not collapse. */
struct kept_space {
	uint32_t from, to;
	uint8_t space; /* enum white_space */
};

struct text_writer;

struct blocks {
	struct block *block;
	struct block_element *element;
	uint32_t n_blocks, n_elements;
	struct buf text; /* source text of all blocks */
	struct kept_space *kept;
	uint32_t n_kept;
	uint64_t page_bytes;
	uint32_t articles;          /* number of <article> */
	uint32_t images, textareas; /* <img>, <textarea> */
	uint32_t inputs;            /* <input>, <button> */
	int32_t body_tokens;        /* score of <body> and its ancestors */
	struct page_meta *meta;
	uint32_t begun; /* blocks begun, including dropped ones: identifies the block of a token */
	bool has_main, truncated;
	struct block_builder *builder;
};

/**
 * Appends what the page's blocks do not have of each articleBody, as HTML, a paragraph for each of its lines. *shown:
 * how many bytes of these they have.
 */
int held_text_bodies(const struct held_text *h, const struct blocks *b, struct buf *html, size_t *shown);
/** Drops blocks of the reserve whose text other blocks have. */
int blocks_drop_shown(struct blocks *b);
int blocks_init(struct blocks *b, size_t max_text, unsigned max_depth);
/** Sets where tokens of attributes are weighed. Call it before the first page. */
void blocks_set_token_sink(struct blocks *b, const struct token_sink *sink);
/** Functions for struct method: `state` begins with the blocks. blocks_reset keeps memory. */
int blocks_run(void *state, const struct html_run *run);
int blocks_tag(void *state, const struct html_tag_event *event);
int blocks_unit(void *state, const struct html_unit *unit);
/** Ends the page and the open block. */
int blocks_finish(struct blocks *b);
void blocks_reset(void *state);
void blocks_free(struct blocks *b);
/** Writes a block; white space collapses except where it is kept. */
int block_write(const struct blocks *b, const struct block *block, struct text_writer *out);
/** Appends a block's source as text_writer_kept takes it: the result is as of block_write, but for empty lines. */
int block_source(const struct blocks *b, const struct block *block, struct buf *to);
/**
 * Returns the tabs before a block that is written after `before` (NULL: it is the first one). *joins: they continue the
 * line of that block, which is in the same row of a table of data; otherwise empty cells begin the row.
 */
uint32_t block_tables_tabs(const struct blocks *b, const struct block *block, const struct block *before, bool *joins);
/** Returns whether a block is in a cell of links beside a cell of prose, as in tables of layout. */
bool block_tables_beside(const struct blocks *b, const struct block *block);
/** Returns whether the page has a table or a cell of one. */
bool block_tables_any(const struct blocks *b);
/** Returns the number of the table of data that a block is in; 0: it is in none. */
uint32_t block_tables_data(const struct blocks *b, const struct block *block);
/** Writes the formulas that are alone between a block and the next one. */
int blocks_write_after(const struct blocks *b, const struct block *block, struct text_writer *out);
/**
 * Sets of[i] to the number, from 1 on, of the block whose footnote block i is, or is a part of; 0: it is none. Returns
 * whether the page has any.
 */
bool block_notes_find(const struct blocks *b, uint32_t *of);
/** Returns the source text of a block, as it is counted. */
static inline struct slice block_text(const struct blocks *b, const struct block *block)
{
	return slice_of(b->text.data + block->text, block->text_len);
}

/* A light stack of open elements: implied ends for p, li, dt/dd, table parts; an end tag costs constant time. */

struct open_block_element {
	uint32_t element;
	int32_t same;  /* next lower entry with this tag, or -1 */
	int32_t block; /* next lower entry that is a block, or -1 */
	uint8_t tag;
};

struct open_elements {
	struct open_block_element *entry;
	unsigned len, max;
	int32_t top[HTML_TAGS_COUNT]; /* uppermost entry of each tag, or -1 */
	int32_t top_block;            /* uppermost entry that is neither span nor unknown */
};

int open_elements_init(struct open_elements *o, unsigned max);
void open_elements_free(struct open_elements *o);
/** Returns false if the stack is full: the element is then not opened. */
bool open_elements_push(struct open_elements *o, enum html_tag tag, uint32_t element);
void open_elements_close(struct open_elements *o, enum html_tag tag);

#endif
