/* SPDX-License-Identifier: MIT */
/*
 * A page as it was recorded: its text in pieces, the marks inside of them, and the containers around them. Nothing of
 * it points downwards: a piece names its container, a container its parent, so that a page costs some bytes for each
 * tag and no tree is walked.
 *
 * Example: <ul><li>One <b>two</b><p>three</ul> has the containers 1 list and 2 item, and the pieces "One two" with two
 * marks, and "three", both in container 2.
 *
 * Text is source text: character references are decoded when it is written. Limits (enum structure_limit): what is
 * beyond them is written as text without structure, and `cut` is set.
 */
#ifndef DANA_EXTRACT_STRUCTURE_PAGE_H
#define DANA_EXTRACT_STRUCTURE_PAGE_H

#include "base/buf.h"
#include "extract/html/tokenizer.h"

enum structure_limit {
	STRUCTURE_PIECES = 1 << 15,
	STRUCTURE_CONTAINERS = 1 << 16,
	STRUCTURE_MARKS = 1 << 18,
	STRUCTURE_ARGUMENTS = 1 << 20, /* bytes of all addresses, formulas and the like */
	STRUCTURE_URL = 2048,
	STRUCTURE_LANGUAGE = 24,
	STRUCTURE_LISTS = 12, /* nested in one another */
	STRUCTURE_QUOTES = 8,
	STRUCTURE_COLUMNS = 64,
	STRUCTURE_ROWS = 10000,
	STRUCTURE_ROW_SPAN = 1000,
	STRUCTURE_CELLS = 1 << 18,  /* of one page, empty ones too */
	STRUCTURE_CELL_TEXT = 1000, /* bytes of a paragraph in a cell of data; of all text in a cell that has a table */
};

enum container_kind {
	CONTAINER_PAGE,
	CONTAINER_LIST,
	CONTAINER_ITEM,
	CONTAINER_QUOTE,
	CONTAINER_TABLE,
	CONTAINER_ROW,
	CONTAINER_CELL,
	CONTAINER_CAPTION,
	CONTAINER_TERMS, /* <dl> */
	CONTAINER_TERM,
	CONTAINER_MEANING, /* <dd> */
	CONTAINER_HEADING,
	CONTAINER_CODE,
	CONTAINER_NOTE, /* a footnote that is written as one; until then it has no piece */
};

enum container_flag {
	CONTAINER_ORDERED = 1 << 0,    /* list, item */
	CONTAINER_TASK = 1 << 1,       /* item */
	CONTAINER_DONE = 1 << 2,       /* item: a task that is done */
	CONTAINER_FOOT = 1 << 2,       /* row: it comes last, wherever it is */
	CONTAINER_HEAD_CELL = 1 << 3,  /* cell */
	CONTAINER_LAYOUT = 1 << 4,     /* table: the page declares that it has no data */
	CONTAINER_FLOWS = 1 << 5,      /* in a heading, quote, code or list of terms inside of its table */
	CONTAINER_ASIDE = 1 << 6,      /* in an ordered list in an <aside>, or in an element for notes */
	CONTAINER_IN_HEADING = 1 << 7, /* itself or around it */
	CONTAINER_IN_CAPTION = 1 << 8,
	/* set when the page is written */
	CONTAINER_SEEN = 1 << 9,      /* item and the like: its marker is written */
	CONTAINER_LOOSE = 1 << 10,    /* list: blank lines between its items; meaning: it has no mark */
	CONTAINER_TWICE = 1 << 11,    /* item: it has more than one block */
	CONTAINER_NONEMPTY = 1 << 12, /* item: it has a block; list of terms: it has a term */
	CONTAINER_NO_DATA = 1 << 13,  /* table; set while it is recorded, too */
	CONTAINER_DATA = 1 << 14,     /* table: it is written as one */
	CONTAINER_NESTS = 1 << 15,    /* table: a cell of it holds a table */
	CONTAINER_WRITTEN = CONTAINER_SEEN | CONTAINER_LOOSE | CONTAINER_TWICE | CONTAINER_NONEMPTY |
			    CONTAINER_NO_DATA | CONTAINER_DATA | CONTAINER_NESTS,
};

/** Numbers of containers; 0 is the page, and means "none". */
struct container {
	uint32_t parent;
	uint32_t line;             /* the nearest list, item, quote, term, meaning or note: itself, or around it */
	uint32_t table, row, cell; /* the nearest: itself, or around it */
	uint32_t last;             /* list: its last item; table: the container after its last one, or while it
				     is open a row that no tag began */
	int32_t number; /* list: of its last item; item: its own; heading: its level; note: as mark.argument */
	uint16_t rows;  /* cell: its rowspan; note: as mark.len */
	uint16_t flags;
	uint8_t kind, columns; /* cell: its colspan */
	uint8_t lists, quotes; /* around it, itself included */
};

enum mark_kind {
	MARK_NONE,
	MARK_EMPHASIS,
	MARK_STRONG,
	MARK_DELETED,
	MARK_CODE,
	MARK_LINK,    /* its argument is the address */
	MARK_PLACE,   /* a link to a place of the page, whose id is its argument (notes.c) */
	MARK_RAISED,  /* <sup> */
	MARK_LOWERED, /* <sub> */
	MARK_NESTING_KINDS,
	MARK_IMAGE = MARK_NESTING_KINDS, /* its argument is the address, NUL and the text for it */
	MARK_FORMULA,                    /* TeX */
};

enum place_role {
	PLACE_OTHER,
	PLACE_REFERENCE, /* the page names it the reference of a note */
	PLACE_BACK,      /* it begins a block, and leads to the reference of the note by its name */
	/* set before the page is written */
	PLACE_NOTE,  /* the reference of a note that is written, by the name that is its argument now */
	PLACE_LABEL, /* what a written note has before or after its words: its number, a link back */
};

/** In a piece's text; marks come in the order of the page. */
struct mark {
	uint32_t at;            /* place in the text */
	uint32_t argument, len; /* place in `arguments` */
	uint8_t kind;
	bool closes;  /* a nesting kind ends here */
	bool display; /* formula: on a line of its own; image: `argument` is decoded already */
	uint8_t role; /* link to a place: enum place_role; raised text: PLACE_NOTE or nothing */
};

enum piece_kind { PIECE_TEXT, PIECE_CODE, PIECE_RULE };

/** The text between two tags that divide text: a block of the method `learned`. */
struct piece {
	uint64_t start, end; /* place in the page */
	uint32_t text, len;
	uint32_t mark, marks_end;
	uint32_t container;
	uint32_t language;   /* code: place in `arguments` */
	uint32_t site_pages; /* as in its span */
	uint16_t chance;     /* of being content, in 1/65536, where the method gives one */
	uint16_t alone;      /* as in its span */
	uint8_t language_len;
	uint8_t kind;
	bool joins;    /* one <br> and nothing else is between it and the piece before */
	bool raw;      /* references are not decoded: <xmp> */
	bool unshown;  /* the page hides it, or shows it without scripts only */
	bool wordless; /* it has no text of its own: a picture, a formula, a rule */
	bool kept;     /* set before it is written */
	bool one_way;  /* set while notes are looked for: none of its links leads back to a reference */
};

/** A place of the page that a link before it leads to, and that may be a footnote. */
struct note_target {
	uint32_t id, len;        /* in `arguments` */
	uint32_t piece, end;     /* pieces from the element's beginning to its end */
	uint32_t from, to;       /* containers that begin in it */
	uint32_t note;           /* the container that its pieces get if they are a note */
	uint32_t same;           /* the target that has the same element, or its own number */
	uint32_t shown;          /* the first link to it, a mark; set before the page is written */
	uint32_t name, name_len; /* in `arguments` */
	bool referred, written;
};

/** An id in a line of text, to which a note may lead back. */
struct page_anchor {
	uint64_t id; /* its hash */
	uint32_t piece;
};

/** Ids that are used, by some bits of their hash: the set may have more than it was given. */
struct id_set {
	uint64_t bits[64];
};

static inline uint64_t id_hash(struct slice id)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < id.len; i++)
		hash = (hash ^ id.data[i]) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

static inline bool id_set_has(const struct id_set *set, struct slice id)
{
	const uint64_t hash = id_hash(id);
	return set->bits[hash >> 6 & 63] >> (hash & 63) & 1;
}

static inline void id_set_add(struct id_set *set, struct slice id)
{
	const uint64_t hash = id_hash(id);
	set->bits[hash >> 6 & 63] |= (uint64_t)1 << (hash & 63);
}

struct structure_page {
	struct buf text, arguments;
	struct piece *piece;
	struct mark *mark;
	struct container *container;
	struct note_target *target;
	uint32_t n_pieces, n_marks, n_containers, n_targets;
	size_t cap_containers;
	struct page_anchor *anchor;
	uint32_t n_anchors;
	struct id_set places; /* what links lead to, up to here */
	bool raised;          /* it has raised text */
	struct buf base_url;  /* href of the first <base>, undecoded */
	bool has_base;
	bool formulas; /* delimiters in the text mean formulas: the page loads a program for them, or has an element */
	bool cut;      /* a limit was reached */
	uint32_t site_others; /* as in its spans */
};

/*
 * Footnotes. A reference is a link to a place after it whose text is short and raised, or that the page names one, or
 * that the place links back to. The note is what is at that place: an item, a paragraph, a row. Both are written as
 * such only where both are kept; else they are text like any other.
 */

/** Makes notes of the kept pieces that references lead to. Linear. Returns 0 or DANA_ENOMEM. */
int notes_pair(struct structure_page *page);

/** Returns whether a piece shows that a table it is directly in holds no data, nor any table around that. */
static inline bool piece_is_no_data(const struct structure_page *page, const struct piece *piece)
{
	return piece->kind != PIECE_TEXT || piece->len > STRUCTURE_CELL_TEXT ||
	       page->container[piece->container].flags & CONTAINER_FLOWS;
}

static inline struct slice page_argument(const struct structure_page *page, uint32_t at, uint32_t len)
{
	return len ? slice_of(page->arguments.data + at, len) : slice_of(NULL, 0);
}

/*
 * Records the part of a page that matters for the writers: its text, marks and containers (page.h). It knows nothing of
 * methods. What is before the part is passed, first: only what is open at its beginning counts. Then it gets the
 * events of the part one after the other. Work: constant for each tag, linear in text. Errors: DANA_ENOMEM.
 */

struct page_log;
struct recorder;
struct structure_page;
struct tag_reader;
/**
 * `max_text`: bytes of text that are kept; `max_depth`: open elements; `readings`: those of ruby are text, in
 * parentheses. Returns NULL when memory is exhausted.
 */
struct recorder *recorder_new(size_t max_text, unsigned max_depth, bool readings);
/** Sets whether <noscript> and <template> hold the text of the pages that follow, which are recorded as a whole. */
void recorder_show_reserve(struct recorder *r, bool shown);
/** Passes the first `to` entries of the log, the same one in all calls up to the end of the page. */
void recorder_pass(struct recorder *r, const struct page_log *log, uint32_t to);
/**
 * Goes back before the outermost open element that has to be recorded as a whole: a table, a block of code, an item
 * with a box. Returns the entry of its tag, or `to` where no such element is open.
 */
uint32_t recorder_pass_back(struct recorder *r, const struct page_log *log, uint32_t to);
/** Ends what is passed. */
int recorder_resume(struct recorder *r, const struct page_log *log);
/** Takes text at `offset` of the page; `skipped`: in a skipped element. */
int recorder_text(struct recorder *r, struct slice text, uint64_t offset, bool skipped);
int recorder_tag(struct recorder *r, const struct html_tag_event *event);
/** Takes what is neither text nor a tag. */
int recorder_gap(struct recorder *r, struct slice bytes);
/**
 * Returns whether the record may end after a tag that divides text: the last piece has words and begins at or after
 * `place`, and no table, block of code or item is open.
 */
bool recorder_may_end(const struct recorder *r, uint64_t place);
/** Reads what the whole page declares of its addresses and formulas; after recorder_finish. */
int recorder_page_facts(struct recorder *r, const struct page_log *log);
/** Ends the page. The record is valid until the recorder is reset; its writers set parts of it. */
int recorder_finish(struct recorder *r, struct structure_page **page);
/**
 * Makes a page of paragraphs, all of them kept, of the lines of a text. `parted`: empty lines part them, and those of
 * which all lines are indented are code. As recorder_finish.
 */
int recorder_take_lines(struct recorder *r, struct slice text, bool parted, struct structure_page **page);
/** Returns the reader of the page's tags. */
struct tag_reader *recorder_tags(struct recorder *r);
/** Prepares for the next page, whose source ends at `limit`; keeps memory. */
void recorder_reset(struct recorder *r, const uint8_t *limit);
void recorder_free(struct recorder *r);

#endif
