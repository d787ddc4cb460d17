/* SPDX-License-Identifier: MIT */
/*
 * The structure of a page beside its text: a log of the tokeniser's events, which the method gets too, then a record of
 * what the method keeps, and writers. Nothing of it runs unless somebody asks. Not for concurrent use. Errors:
 * DANA_ENOMEM.
 */
#ifndef DANA_EXTRACT_STRUCTURE_STRUCTURE_H
#define DANA_EXTRACT_STRUCTURE_STRUCTURE_H

#include "base/slice.h"
#include "extract/method.h"

/* How it is written: the keys of --markdown. */

enum style_headings {
	HEADINGS_ALWAYS, /* also those directly before kept text */
	HEADINGS_CHOSEN, /* as the method chooses */
	HEADINGS_NONE,
};

/** Whether the page's title is the first heading. */
enum style_title {
	TITLE_OF_FILES, /* where the Markdown is a file (structure_alone) */
	TITLE_NEVER,
	TITLE_ALWAYS,
};

struct markup;

struct style {
	const struct markup *markup; /* elements of this format in place of Markdown; NULL: Markdown */
	bool links, images, emphasis, escape;
	bool rows;     /* tables as lines of text */
	bool formulas; /* as TeX; otherwise they are left out */
	bool plain;    /* no Markdown at all: the text of blocks */
	bool forms;    /* raised and lowered text by characters of Unicode, not by tags */
	bool readings; /* those of ruby are kept, in parentheses */
	enum style_headings headings;
	enum style_title title;
	bool front; /* front matter in YAML before all */
};

extern const struct style style_default;
/** The keys in the form of a method's, for help and checks; `set` fills a struct style. */
extern const struct method style_method;
struct head_facts;
struct dana_structure_block;
struct page_log;
struct structure;
struct page_parts;

struct structure_options {
	size_t max_text;    /* bytes, of the page's text and of each result */
	unsigned max_depth; /* open elements */
	struct slice style; /* KEY=VALUE,... (style_method) */
	bool markdown, blocks;
	bool dropped;                   /* blocks that the method does not keep, too */
	const struct page_parts *parts; /* places are of the page that these have passed on; NULL: of the page */
};

/** Returns 0, DANA_ENOMEM, or DANA_ECONFIG for an unknown key or value. *out is NULL on errors. */
int structure_new(struct structure **out, const struct structure_options *options);
/** The address of the page, for its links. */
int structure_url(struct structure *s, struct slice url);
/** Says that the Markdown of the page is a file; before its end. */
void structure_alone(struct structure *s);
/** Takes bytes of the page, before the tokeniser does. */
int structure_bytes(struct structure *s, struct slice bytes);
/** Returns the log that takes the tokeniser's events of the page. */
struct page_log *structure_log(struct structure *s);
/**
 * Ends the page, and writes what the options ask for. `spans`: the method's decisions, struct method_span each; `text`:
 * what it keeps, whose lines are paragraphs where no span is of what the page shows, as in scripts with templates.
 * `title`: of the page, for its head.
 */
int structure_finish(struct structure *s, struct slice spans, struct slice text, struct slice title);
/**
 * The same of a page that is text as it stands: its lines are paragraphs, parted by empty ones, and code where all of
 * these are indented by four blanks or a tab. `markdown`: it is its own Markdown.
 */
int structure_text(struct structure *s, struct slice text, bool markdown);
/**
 * Return the page as Markdown, without a final line end, and as a JSON array of blocks; empty if it was not asked for.
 * After structure_finish; valid until the next page.
 */
struct slice structure_markdown(const struct structure *s);
struct slice structure_blocks(const struct structure *s);
/** Returns whether the page as Markdown has a head with facts (head.h). After structure_finish. */
bool structure_has_facts(const struct structure *s);
/**
 * Writes that head again, with these facts, which are borrowed for the call; title and address stay as they are where
 * the page has them. structure_markdown has to be called again.
 */
int structure_facts(struct structure *s, const struct head_facts *facts);
/** Lists the blocks, if any; else *blocks is NULL. After structure_finish; valid until the next page. */
int structure_list(struct structure *s, const struct dana_structure_block **blocks, size_t *count);
/** Returns whether a limit left structure out, of what was recorded and written so far. */
bool structure_cut(const struct structure *s);
void structure_reset(struct structure *s);
void structure_free(struct structure *s);

#endif
