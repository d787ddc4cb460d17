/* SPDX-License-Identifier: MIT */
/* The state of a page that is being recorded, and the functions that share it; all return 0 or DANA_ENOMEM. */
#ifndef DANA_STRUCTURE_RECORDER_PRIVATE_H
#define DANA_STRUCTURE_RECORDER_PRIVATE_H

#include "base/status.h"
#include "extract/html/element_stack.h"
#include "extract/html/formula.h"
#include "extract/structure/page.h"
#include "extract/structure/page_log.h"
#include "extract/structure/tag_facts.h"

enum element_flag {
	ELEMENT_SPLITS = 1 << 0, /* its end ends a piece */
	ELEMENT_CODE = 1 << 1,   /* inline code */
	ELEMENT_NOTES = 1 << 2,  /* holds footnotes */
	ELEMENT_SUPERSCRIPT = 1 << 3,
	ELEMENT_TASKS = 1 << 4,
	ELEMENT_WRAPS_CODE = 1 << 5,
};

/** An open element whose tag is before the part that is recorded. */
struct passed_element {
	uint32_t entry;         /* of its tag in the log */
	uint32_t holder;        /* the innermost that holds items or is one, counted from 1; 0: no element does */
	uint32_t item;          /* list: the entry of its last item; 0: it has none */
	int32_t before, number; /* list: numbers of the item before that one, and of that one */
	bool has_box;           /* item and the like: a box is directly in it, which may make it a task */
};

/** An open element, beside the one of the stack. */
struct open_element {
	uint32_t top; /* the innermost container before it */
	uint32_t language;
	uint8_t language_len;
	uint8_t mark; /* that ends with it; MARK_NONE: none does */
	uint16_t flags;
};

struct recorder {
	struct structure_page page;
	struct element_stack stack;
	struct open_element *open; /* as many as the stack's */
	struct passed_element *passed;
	size_t depth; /* elements in use of one of the two */
	size_t max_text;
	size_t cap_pieces, cap_marks, cap_containers;
	uint32_t top;                          /* the innermost container */
	struct mark marks[MARK_NESTING_KINDS]; /* open ones, the outermost first */
	unsigned n_marks, mark_kinds;          /* and the set of their kinds */
	unsigned code_depth, notes;            /* open elements of these flags */
	bool in_superscript;                   /* the innermost element before this one is <sup> */
	/* depth of the outermost element whose content is left out, is hidden, is code; 0: no such element is open */
	size_t skip_depth, unshown_depth, code_block;
	struct piece piece; /* the open one */
	bool piece_open;
	unsigned breaks; /* <br> since the last piece */
	bool divided;    /* another tag that divides text came since then */
	struct formula_reader formula;
	struct tag_reader tags;
	const struct page_log *log; /* that is recorded */
};

/* recorder.c */

/** Opens an element that is on the stack. */
int record_element(struct recorder *r, const struct html_tag_event *event);
/** Ends the innermost element. */
int record_element_end(struct recorder *r, uint64_t end);

/* record_piece.c */

/** Ends the open piece at `end`. `by_break`: a <br> ends it. */
int record_piece_end(struct recorder *r, uint64_t end, bool by_break);
/** The same at another tag that divides text; inline, since most such tags follow one another. */
static inline int record_piece_divide(struct recorder *r, uint64_t end)
{
	if (r->piece_open)
		return record_piece_end(r, end, false);
	r->divided = true;
	return DANA_OK;
}
/** Adds text; `offset`: its place in the page. */
int record_text(struct recorder *r, struct slice text, uint64_t offset);
/** Begins a piece unless one is open. */
int record_piece_begin(struct recorder *r, uint64_t offset);
/** Adds a picture, formula or reference of a note. */
int record_atom(struct recorder *r, struct mark mark, uint64_t offset);
/** Adds a piece that is a rule. */
int record_rule(struct recorder *r, uint64_t start, uint64_t end);
/** Adds the open piece to the page. */
int record_piece_add(struct recorder *r);
/** Appends to the arguments of marks; *at is its place. *len is 0 if there is no room left. */
int record_argument(struct recorder *r, struct slice value, uint32_t *at, uint32_t *len);

/* record_mark.c */

/** Opens a mark that ends with `element`, unless one of its kind is open. */
int record_mark_open(struct recorder *r, struct open_element *element, struct mark mark);
/** Closes the innermost open mark. */
int record_mark_close(struct recorder *r);
/** Opens the marks again that are open, at the beginning of a piece. */
int record_marks_again(struct recorder *r);
/** Adds a mark at the end of the text. */
int record_mark_add(struct recorder *r, struct mark mark);

/* record_container.c */

/** Opens the container of an element. */
int record_container(struct recorder *r, enum html_tag tag, const struct tag_facts *facts);

/* record_code.c */

/** Begins a block of code. */
int record_code_begin(struct recorder *r, enum html_tag tag, const struct tag_facts *facts, uint64_t offset);
int record_code_end(struct recorder *r, uint64_t end);
/** Ends a line of code at a tag that divides text. */
int record_code_line(struct recorder *r, bool always);
/** Takes the language of a <code> inside of <pre>. */
int record_code_inner(struct recorder *r, const struct tag_facts *facts);
/** Notes the language that an element around code names. */
int record_code_wrapper(struct recorder *r, struct open_element *element, enum html_tag tag,
			const struct tag_facts *facts);
/** Returns whether the innermost elements belong to code. */
bool record_in_code_wrapper(const struct recorder *r);

/* record_formula.c */

/** Takes a tag inside of <math>, or the tag <math> itself. */
int record_formula_tag(struct recorder *r, const struct html_tag_event *event);
/** Takes a tag of <script>. */
int record_script_tag(struct recorder *r, const struct html_tag_event *event);
/** Returns whether a formula stands right before the end of the text. */
bool record_formula_is_near(const struct recorder *r);
/** Ends a formula that the page's end cuts. */
int record_formula_end(struct recorder *r);

/* record_void.c */

/** Takes the tag of an element without content. */
int record_void(struct recorder *r, const struct html_tag_event *event);

/* record_link.c */

/** Returns whether a permalink that begins in a heading holds all the words of the heading. */
bool record_permalink_is_heading(struct recorder *r, const struct html_tag_event *event);
/** Takes <a>. */
int record_link(struct recorder *r, struct open_element *element, const struct tag_facts *facts, uint64_t offset);
/** Returns the name of a note that an id or a fragment (with its '#') names; empty if it names none. */
struct slice record_note_name(struct slice id);

#endif
