/* SPDX-License-Identifier: MIT */
/*
 * The state of a page that becomes blocks, for the files that share it: blocks.c, block_code.c for code, block_parts.c
 * for what is replaced or left out, block_notes.c for footnotes, block_tables.c for tables of data.
 */
#ifndef DANA_EXTRACT_LEARNED_BLOCK_BUILDER_H
#define DANA_EXTRACT_LEARNED_BLOCK_BUILDER_H

#include "base/buf.h"
#include "extract/html/class_words.h"
#include "extract/html/formula.h"
#include "extract/html/line_numbers.h"
#include "extract/html/white_space.h"
#include "extract/learned/blocks.h"
#include "extract/learned/tokens.h"

enum { LINES_MOST = 16 };

/** Inline elements that are shown as lines of their own, from the outermost on. Zeroed: none is open. */
struct block_lines {
	uint32_t n;
	struct {
		uint32_t depth; /* open elements with its tag in it */
		uint32_t open;  /* open elements around it */
		uint8_t tag;
	} line[LINES_MOST];
};

enum { CODE_SLOTS = 256 /* no two classes of code share one */ };

/** Code: blocks in which white space is kept. Zeroed: no such block is open. */
struct block_code {
	struct line_numbers numbers;
	struct buf gaps;       /* struct code_gap each */
	uint32_t first, after; /* its first block; the block after the code before */
	uint32_t seen;         /* blocks at the last tag in it that divides text */
	uint32_t empty;        /* lines since its last block */
	bool open;
	bool leaf;                       /* since a block began neither text nor another one has come */
	bool cell;                       /* the last empty line may be a cell that others follow */
	uint64_t class_bits;             /* of the hashes of classes of code, by their lowest six bits */
	uint32_t class_hash[CODE_SLOTS]; /* each in its slot */
};

/** Empty lines before a block of code. */
struct code_gap {
	uint32_t serial, lines;
};

/** Parts of blocks that are replaced or left out. Zeroed, the page has none. */
struct block_parts {
	struct formula_reader reader;
	struct buf text;     /* of all formulas */
	struct buf places;   /* struct formula_place each */
	struct buf previews; /* struct formula_preview each */
	/* the open preview */
	uint32_t preview_from;
	uint32_t preview_depth; /* 1, and 1 for each open element with its tag; 0: it is not open */
	uint8_t preview_tag;
	uint8_t raised_tag;    /* the outermost open <sup> or <sub>, or 0 */
	uint32_t raised_depth; /* open elements with this tag */
	bool raised_note;      /* a link to a place of the page is in it */
	uint32_t raised_from, raised_begun;
	bool preview_pairs; /* its formula came before it */
	uint8_t heading;    /* the open <h1> to <h6>, or 0 */
	uint32_t heading_from;
	/* the open ornament of a heading */
	uint8_t ornament_tag, ornament_rule;
	uint32_t ornament_depth;                /* open elements with its tag */
	uint32_t ornament_from, ornament_begun; /* blocks.begun there, of links */
	bool busy;  /* a heading, raised text, an ornament or a reference is open, or notes are looked for */
	bool any;   /* the page has formulas, or what may be a preview: the text of blocks is not all that is written */
	int status; /* DANA_ENOMEM: a preview is lost */
	uint64_t preview_bits; /* as class_bits, of what may begin a part, */
	uint64_t preview_next; /* and by the next six bits */
	uint32_t preview_class[FORMULA_CLASSES];
	uint64_t ornament_bits; /* as preview_bits */
	struct ornament_class {
		uint32_t hash;
		uint8_t rule; /* enum in block_parts.c */
	} ornament[CLASS_WORDS];
	size_t n_ornaments;
};

/** The open inline element whose words are left out, within a block. Zeroed, there is none. */
struct block_inline {
	uint8_t tag, left; /* enum left_out */
	uint32_t depth;    /* open elements with its tag */
	uint32_t from;
	uint32_t element; /* its number, if it is recorded as one */
	bool open;
	/* words of the block that are in such elements without words between them, and what these say */
	uint32_t apart_to; /* 0: the block has none, or begins with other words */
	uint8_t apart;
};

struct formula_place {
	uint32_t at;        /* it comes before this byte of blocks.text */
	uint32_t text, len; /* in block_parts.text */
	uint32_t serial;    /* of the block that it is part of, or of the next one */
	uint32_t begun;     /* blocks.begun when it came */
	bool joined;        /* it is part of a block */
	bool display;       /* it has a line of its own */
};

/** A part of blocks.text that is left out; while it `waits`, its formula has not come. */
struct formula_preview {
	uint32_t from, to;
	bool waits;
};

enum { NOTES_MOST = 1 << 10, NOTE_SLOTS = 1 << 11 };

/** A place that a reference leads to. */
struct block_note {
	uint64_t name;
	uint32_t from;    /* the block of its first reference */
	uint32_t serial;  /* the block that begins there */
	uint32_t element; /* that has the name; 0: it is in a line of text */
	uint16_t number;  /* that the reference shows; 0: it shows something else */
	uint8_t tag;
	bool raised, found;
};

/** Footnotes. Zeroed, the page has no reference. */
struct block_notes {
	struct block_note note[NOTES_MOST];
	uint16_t slot[NOTE_SLOTS]; /* numbers of notes from 1 on, by their names */
	uint32_t count, awaited;   /* those that have not come */
	/* the open link that may be a reference */
	uint64_t name;
	uint32_t from, begun; /* where its text begins, and blocks.begun there */
	bool open, raised;
};

/** A table or a cell. */
struct block_cell {
	uint32_t around;  /* number, from 1 on, of the table or cell around it; 0: none */
	uint32_t table;   /* of its table, or its own */
	uint32_t row;     /* of a cell, not 0: different in each row of the page */
	uint32_t place;   /* in its row */
	uint32_t columns; /* its colspan; of a table the most of a row with text */
	uint32_t bytes;   /* of its text */
	bool head, seen;  /* it, or a cell of the table, is a <th> with text; it has text */
	/* of a table */
	bool refused, nests; /* it holds no data; there is text in a table in it */
	bool much, data;     /* a cell below the first row has much text; the table holds data */
	/* rows with text; those with an empty wide cell first; columns of the first cell */
	uint32_t rows, indents, title;
	uint32_t row_now, row_columns; /* while it is judged: the last row, and its columns */
	/* of all in it; of a table the cell with most prose */
	uint32_t units, linked, links, prose, main;
};

struct block_builder {
	struct open_elements open;
	struct block_code code;
	struct block_lines lines;
	struct block_notes notes;
	struct token_sink sink;
	size_t max_text;
	size_t cap_blocks, cap_elements, cap_kept, cap_cells;
	struct white_space_state white;
	/* the open block */
	struct block current;
	size_t counted; /* text before this offset is in current.counts */
	size_t ended;   /* where the text of the last block ended, with the white space after it */
	size_t begin;   /* offset where the open block's text begins */
	size_t indent;  /* the same, including kept white space before it */
	bool in_link, title_done;
	bool in_place;    /* the link is to a place of the page */
	bool other_keeps; /* the current unknown tag keeps its white space */
	/* a large first letter: if a letter follows at letter_end, it is of the same word */
	uint8_t letter; /* that a picture shows, or LONE for one that is the last block; 0: there is none */
	uint64_t letter_end;
	uint32_t form_begin;      /* number of blocks before the open <form> */
	bool form_open;           /* a form is */
	bool form_signs;          /* it asks for an address of mail or a password */
	bool button_joins;        /* the open <button> is in a line of text */
	uint32_t button_from;     /* where that began in the text */
	uint32_t button_begin;    /* number of blocks where the last button of its own began */
	uint32_t button_end;      /* ... and after it; 0: it has no text */
	bool reserve_waits;       /* the reserve is in a line of text: it is read at the end */
	uint8_t reserve_tag;      /* the skipped element whose text is kept as a reserve, or HELD; 0 = outside */
	unsigned reserve_depth;   /* open elements outside of it */
	uint64_t shown, reserved; /* units; of what is shown those outside of links */
	struct buf after_title;   /* text after <title>: the whole page if </title> is missing */
	struct held_text held;
	bool script_begun; /* some content of the current script was held */
	struct block_parts parts;
	struct block_inline inside;
	struct block_cell *cell; /* tables and cells */
	uint32_t n_cells;
	uint32_t row;        /* number of tags before or after rows of tables */
	uint64_t class_bits; /* of both */
	struct token_cache cache;
};

/** Returns the innermost open element; 0 is the page. */
static inline uint32_t open_elements_top(const struct open_elements *o)
{
	return o->len ? o->entry[o->len - 1].element : 0;
}

static inline struct formula_place *block_places(const struct block_parts *f, size_t *count)
{
	*count = f->places.len / sizeof(struct formula_place);
	return (struct formula_place *)(void *)f->places.data;
}

static inline struct formula_preview *block_previews(const struct block_parts *f, size_t *count)
{
	*count = f->previews.len / sizeof(struct formula_preview);
	return (struct formula_preview *)(void *)f->previews.data;
}

void block_code_init(struct block_code *c);
void block_code_reset(struct block_code *c);
void block_code_free(struct block_code *c);
/** Takes a start tag in white space that is kept, or directly after it. */
void block_code_start_tag(struct blocks *b, enum html_tag tag);
/** Takes an end tag there, and ends the element's white space. */
void block_code_end_tag(struct blocks *b, enum html_tag tag);
/** Takes a tag in code that divides text, after the block before it has ended. */
void block_code_divide(struct blocks *b, enum html_tag tag, bool closing);

void block_parts_init(struct block_parts *f);
void block_parts_reset(struct block_parts *f);
void block_parts_free(struct block_parts *f);
/** Begins a part, if the class is of one. Call it for each start tag whose class is one of preview_bits. */
void block_parts_class(struct blocks *b, enum html_tag tag, uint32_t class_hash);
/** Take a tag of raised text, or one in a preview, a heading or raised text. */
void block_parts_start_tag(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts);
void block_parts_end_tag(struct blocks *b, enum html_tag tag);
/** Begins a link to a place of the page after references, which leads `back` to one, or may. */
void block_parts_note_link(struct blocks *b, enum html_tag tag, bool back);
/** Adapts to the end of the open block, which is dropped or `kept`, and to a cut at the end of the text. */
void block_parts_end(struct blocks *b, bool kept);
/** Adds the formula that is complete at the end of the text. */
int block_add_formula(struct blocks *b);
/** Adds the formula that a picture shows, if it shows one. */
int block_add_formula_image(struct blocks *b, const struct html_attr_reader *attrs);
void block_notes_reset(struct block_notes *n);
/** Begins a link to a place of the page, or to a program. */
void block_notes_link(struct blocks *b, const struct attribute_facts *facts);
void block_notes_link_end(struct blocks *b);
/** Returns whether a link to a place of the page leads from a note back to its reference, by the names of generators.
 */
bool block_notes_leads_back(const struct attribute_facts *facts);
/** Returns whether text is nothing but a number, which may be in brackets. */
bool block_notes_is_number(struct slice text);
/** Takes an element that begins, before it is counted. Call it where references came before. */
void block_notes_place(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts);
/** Takes a <table> or a cell, whose element is the last one. */
int block_tables_open(struct blocks *b, enum html_tag tag, const struct attribute_facts *facts, uint32_t element);
/** The innermost open table holds no data: something else than short text begins in it. */
void block_tables_refuse(struct blocks *b);
/** Finds the tables of data, once all blocks are there. */
void block_tables_judge(struct blocks *b);
/** Begins an inline element that says that it is left out. */
void block_inline_begin(struct blocks *b, enum html_tag tag, uint8_t left);
/** Returns whether no text came since it began. */
bool block_inline_is_empty(const struct blocks *b);
/** Takes a tag of the open one's name. */
void block_inline_tag(struct blocks *b, bool closing);
/** Ends it where its block ends. Returns why the block is left out as a whole. */
uint8_t block_inline_end(struct blocks *b);
/** Leaves a part of the text out, unless something after it is left out already. */
void block_leave_out(struct blocks *b, uint32_t from, uint32_t to);

#endif
