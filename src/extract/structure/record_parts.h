/* SPDX-License-Identifier: MIT */
/*
 * What the files of the recorder share: recorder.c for what each event does to the record, its elements, containers and
 * links, record_text.c for text in pieces and what is in it, record_code.c for blocks of code, record_left_out.c for
 * elements that are left out.
 */
#ifndef DANA_EXTRACT_STRUCTURE_RECORD_PARTS_H
#define DANA_EXTRACT_STRUCTURE_RECORD_PARTS_H

#include "extract/html/elements.h"
#include "extract/html/formula.h"
#include "extract/html/line_numbers.h"
#include "extract/structure/page.h"
#include "extract/structure/tag_facts.h"

enum element_flag {
	ELEMENT_SPLITS = 1 << 0, /* its end ends a piece */
	ELEMENT_CODE = 1 << 1,   /* inline code */
	ELEMENT_NOTES = 1 << 2,  /* holds footnotes */
	ELEMENT_ITEM = 1 << 3,
	ELEMENT_TASKS = 1 << 4,
	ELEMENT_WRAPS_CODE = 1 << 5,
	ELEMENT_ASIDE = 1 << 6,
	ELEMENT_LABEL = 1 << 7, /* the reference of a note */
	ELEMENT_FOOT = 1 << 8,  /* <tfoot> */
	ELEMENT_LINE = 1 << 9,  /* inline, but shown as lines of its own */
};

/** What the stack does not know of an open element. */
struct open_element {
	uint32_t top; /* the innermost container before it */
	uint32_t language;
	uint8_t language_len;
	uint8_t mark; /* that ends with it; MARK_NONE: none does */
	uint16_t flags;
	uint32_t pieces, containers; /* before it */
	uint32_t target;             /* that ends with it, counted from 1; 0: none does */
};

struct recorder {
	struct structure_page page;
	struct element_stack stack;
	struct open_element *open; /* as many as the stack's */
	struct passed_element *passed;
	size_t depth; /* elements in use of one of the two */
	size_t max_text;
	size_t cap_pieces, cap_marks, cap_targets, cap_anchors;
	uint32_t top;                          /* the innermost container */
	struct mark marks[MARK_NESTING_KINDS]; /* open ones, the outermost first */
	unsigned n_marks, mark_kinds;          /* and the set of their kinds */
	unsigned code_depth, notes;            /* open elements of these flags */
	/* depth of the outermost element whose content is left out, is hidden, is code; 0: no such element is open */
	size_t skip_depth, unshown_depth, code_block;
	size_t lines_depth;          /* the same of the one whose line ends are shown */
	size_t caption_depth;        /* the same of the outermost <figcaption> */
	bool code_loose;             /* that code is not in a <pre>: white space between its lines does not count */
	size_t leaf;                 /* code: where the text of a block without others in it begins, plus 1; 0: none */
	size_t empty_cell;           /* where the text ends after an empty line that may be such a cell; 0: none */
	struct line_numbers numbers; /* of the code */
	bool numbered;               /* numbers are left out of the code */
	struct piece piece;          /* the open one */
	bool piece_open;
	unsigned breaks;   /* <br> since the last piece */
	bool divided;      /* another tag that divides text came since then */
	bool button_joins; /* the open <button> is in a line of text */
	bool in_label;     /* of a note */
	enum { SIDENOTES_UNKNOWN, SIDENOTES_ALONE, SIDENOTES_TWICE } sidenotes;
	bool readings; /* of ruby are text */
	bool in_reading;
	/* a declarative shadow root is open, or a reserve, whose tags and text are skipped for others; its element, and
	 * how many such are in it; and what is left out in it */
	bool in_shadow, shows_reserve;
	enum html_tag shadow;
	unsigned shadows;
	enum html_tag shadow_skip;
	struct html_tag_event shown; /* a tag in it, as it is taken */
	struct formula_reader formula;
	/* the depth of the open element that has the TeX of what it shows (0 without one), and the text before it */
	struct slice tex;
	size_t tex_depth;
	uint32_t tex_text, tex_marks;
	bool tex_display;
	struct buf image;      /* the TeX of a picture */
	struct slice source;   /* the picture of the <source> before; empty: none */
	uint32_t picture;      /* the last mark that is one, counted from 1; 0: none is */
	bool picture_stand_in; /* it has no address of its own yet */
	bool noscript;         /* <noscript> is open */
	struct tag_reader tags;
	const struct page_log *log; /* that is recorded */
	size_t looks;               /* entries of it that may still be looked at for what elements hold */
	int status;                 /* DANA_ENOMEM: something is missing */
};

/** Takes the status of a step: the record remembers that one failed. */
static inline void record_status(struct recorder *r, int status)
{
	if (status < 0)
		r->status = status;
}

static inline bool record_begins_with(struct slice s, const char *prefix)
{
	return slice_is(slice_first(s, strlen(prefix)), prefix);
}

/* record_text.c */

void record_mark_add(struct recorder *r, struct mark mark);
/** Opens a mark that ends with `element`, unless one of its kind is open. */
void record_mark_open(struct recorder *r, struct open_element *element, struct mark mark);
/** Appends what a mark or container has beside its kind. Returns false if it is empty or has no room. */
bool record_argument(struct recorder *r, struct slice value, uint32_t *at, uint32_t *len);
/** Returns whether source text is white space. */
bool record_is_white(struct slice source);
/** Returns whether source text has a letter or a digit; long text has. */
bool record_has_words(struct slice source);
/** Returns whether the open piece has. */
static inline bool record_piece_has_words(const struct recorder *r)
{
	return r->piece_open && record_has_words(slice_skip(buf_slice(&r->page.text), r->piece.text));
}

/** Begins a piece unless one is open; marks that are open begin again in it. */
void record_piece_begin(struct recorder *r, uint64_t offset);
/** Adds the open piece as it is. */
void record_piece_add(struct recorder *r);
/** Ends the open piece at `end`. `by_break`: a <br> ends it. */
void record_piece_end(struct recorder *r, uint64_t end, bool by_break);
/** The same at another tag that divides text; inline, since most such tags follow one another. */
static inline void record_piece_divide(struct recorder *r, uint64_t end)
{
	if (r->piece_open)
		record_piece_end(r, end, false);
	r->divided = true;
}

/** Adds a piece that is an <hr>. */
void record_rule(struct recorder *r, const struct html_tag_event *event);
/** Adds text; `offset`: its place in the page. */
void record_text(struct recorder *r, struct slice text, uint64_t offset);
/** Returns whether a formula directly precedes. */
bool record_formula_is_near(const struct recorder *r);
/** Begins an element with TeX for what is in it. */
void record_tex_begin(struct recorder *r, const struct html_tag_event *event, struct slice tex);
/** Records the TeX of the element around what shows it, once. Returns whether there is any. */
bool record_tex_take(struct recorder *r, bool display, uint64_t offset);
/** Ends that element. What has shown nothing else that is text shows its TeX. */
void record_tex_end(struct recorder *r, uint64_t end);
/** Adds the formula that its reader has read. */
void record_formula(struct recorder *r);
void record_picture(struct recorder *r, const struct html_tag_event *event);
/** Takes a tag that shows no picture itself, but says where one is. */
void record_picture_source(struct recorder *r, const struct html_tag_event *event);

/* record_code.c */

/**
 * Begins a block of code if the element on top is one. `words`: meanings of its class; `spaced`: its tag may set white
 * space. Returns whether it is.
 */
bool record_code_begin(struct recorder *r, const struct html_tag_event *event, unsigned words, bool spaced);
/** Takes an element in code: it may be the number of a line, and <code> in a <pre> may name the language. */
void record_code_element(struct recorder *r, enum html_tag tag, const struct tag_facts *facts);
/** Takes an element that may be around code, and name its language. */
void record_code_around(struct recorder *r, struct open_element *element, enum html_tag tag,
			const struct tag_facts *facts);
/** Returns whether text is white space between lines of code that is not in a <pre>. */
bool record_code_is_between(const struct recorder *r, struct slice text);
/** Ends the open line of code, unless it has no text. */
void record_code_line_end(struct recorder *r);
/**
 * Ends a line of code at a tag that divides text; a block with nothing in it is an empty line, except a cell that
 * others follow.
 */
void record_code_divide(struct recorder *r, enum html_tag tag, bool closing);
/** Ends an element in code, which may be the number of a line. */
void record_code_number_end(struct recorder *r, enum html_tag tag);
/** Takes numbers of lines out of the code at the end of the text, and drops the pieces that hold them before it. */
void record_code_end(struct recorder *r);

/* record_left_out.c */

/** Returns whether the element on top is left out with all that is in it. `hidden`: the page hides it. */
bool record_is_left_out(struct recorder *r, const struct html_tag_event *event, const struct tag_facts *facts,
			bool hidden);

#endif
