/* SPDX-License-Identifier: MIT */
/*
 * From kept pieces of a page to Markdown and to a list of blocks. First the inside of a piece as one line of Markdown:
 * text, emphasis, code, links, pictures, formulas.
 */
#ifndef DANA_EXTRACT_STRUCTURE_COMPOSE_H
#define DANA_EXTRACT_STRUCTURE_COMPOSE_H

#include "dana/dana.h"
#include "extract/structure/escape.h"
#include "extract/structure/page.h"
#include "extract/structure/structure.h"

struct inline_segment;

/* X(element, then its beginning and its end in HTML, XML and TEI); % is where an argument goes, the first, the second.
 */
/* clang-format off */
#define MARKUP(X) \
	X(PARAGRAPH, "<p>", "</p>", "<p>", "</p>", "<p>", "</p>") \
	X(HEADING, "<h%>", "</h%>", "<head rend=\"h%\">", "</head>", "<ab type=\"header\" rend=\"h%\">", "</ab>") \
	X(LIST, "<ul>", "</ul>", "<list rend=\"ul\">", "</list>", "<list rend=\"ul\">", "</list>") \
	X(ORDERED, "<ol>", "</ol>", "<list rend=\"ol\">", "</list>", "<list rend=\"ol\">", "</list>") \
	X(ORDERED_FROM, "<ol start=\"%\">", "</ol>", "<list rend=\"ol\">", "</list>", \
	  "<list rend=\"ol\" n=\"%\">", "</list>") \
	X(ITEM, "<li>", "</li>", "<item>", "</item>", "<item>", "</item>") \
	X(TERMS, "<dl>", "</dl>", "<list rend=\"dl\">", "</list>", "<list rend=\"dl\">", "</list>") \
	X(TERM, "<dt>", "</dt>", "<item rend=\"dt-%\">", "</item>", "<item rend=\"dt-%\">", "</item>") \
	X(MEANING, "<dd>", "</dd>", "<item rend=\"dd-%\">", "</item>", "<item rend=\"dd-%\">", "</item>") \
	X(QUOTE, "<blockquote>", "</blockquote>", "<quote>", "</quote>", "<quote>", "</quote>") \
	X(NOTE, "<aside role=\"doc-footnote\"><sup>[%]</sup> ", "</aside>", "<note n=\"%\">", "</note>", \
	  "<note n=\"%\">", "</note>") \
	X(CODE, "<pre><code>", "</code></pre>", "<code>", "</code>", "<ab type=\"code\" xml:space=\"preserve\">", \
	  "</ab>") \
	X(CODE_IN, "<pre><code class=\"language-%\">", "</code></pre>", "<code>", "</code>", \
	  "<ab type=\"code\" subtype=\"%\" xml:space=\"preserve\">", "</ab>") \
	X(TABLE, "<table>", "</table>", "<table>", "</table>", "<list rend=\"table\">", "</list>") \
	X(ROW, "<tr>", "</tr>", "<row>", "</row>", "<item rend=\"row\">", "</item>") \
	X(CELL, "<td>", "</td>", "<cell>", "</cell>", "<seg type=\"cell\">", "</seg>") \
	X(HEAD_CELL, "<th>", "</th>", "<cell role=\"head\">", "</cell>", "<seg type=\"head\">", "</seg>") \
	X(FORMULA, "<p>$$", "$$</p>", "<p>$$", "$$</p>", "<p>$$", "$$</p>") \
	X(RULE, "<hr/>", "", "", "", "", "") \
	X(BREAK, "<br/>", "", "<lb/>", "", "<lb/>", "") \
	X(EMPHASIS, "<em>", "</em>", "<hi rend=\"#i\">", "</hi>", "<hi rend=\"#i\">", "</hi>") \
	X(STRONG, "<strong>", "</strong>", "<hi rend=\"#b\">", "</hi>", "<hi rend=\"#b\">", "</hi>") \
	X(DELETED, "<del>", "</del>", "<del>", "</del>", "<del>", "</del>") \
	X(CODE_WORD, "<code>", "</code>", "<code>", "</code>", "<hi rend=\"#t\">", "</hi>") \
	X(LINK, "<a href=\"%\">", "</a>", "<ref target=\"%\">", "</ref>", "<ref target=\"%\">", "</ref>") \
	X(RAISED, "<sup>", "</sup>", "<hi rend=\"#sup\">", "</hi>", "<hi rend=\"#sup\">", "</hi>") \
	X(LOWERED, "<sub>", "</sub>", "<hi rend=\"#sub\">", "</hi>", "<hi rend=\"#sub\">", "</hi>") \
	X(REFERENCE, "<sup>[%]</sup>", "", "<hi rend=\"#sup\">[%]</hi>", "", "<hi rend=\"#sup\">[%]</hi>", "") \
	X(PICTURE, "<img src=\"%\" alt=\"%\"/>", "", "<graphic src=\"%\" alt=\"%\"/>", "", \
	  "<graphic url=\"%\"><desc>%</desc></graphic>", "") \
	X(PAGE, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"/><title>%</title>", "</body></html>", \
	  "<doc title=\"%\" url=\"%\"", "</main><comments/></doc>", \
	  "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt><title type=\"main\">%</title>", \
	  "</div><div type=\"comments\"/></body></text></TEI>") \
	X(AUTHOR, "<meta name=\"author\" content=\"%\"/>", "", " author=\"%\"", "", "<author>%</author>", "") \
	X(SOURCE, "", "", "", "", "</titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><bibl>", "") \
	X(PUBLISHED, "<meta property=\"article:published_time\" content=\"%\"/>", "", " date=\"%\"", "", \
	  "<date type=\"published\">%</date>", "") \
	X(MODIFIED, "<meta property=\"article:modified_time\" content=\"%\"/>", "", " modified=\"%\"", "", \
	  "<date type=\"modified\">%</date>", "") \
	X(TEXT, "</head><body>\n", "", "><main>\n", "", \
	  "<ptr type=\"URL\" target=\"%\"/></bibl></sourceDesc></fileDesc></teiHeader><text><body>" \
	  "<div type=\"entry\">\n", "")
/* clang-format on */

enum markup_element {
#define ELEMENT(name, ...) MARKUP_##name,
	MARKUP(ELEMENT)
#undef ELEMENT
		MARKUP_ELEMENTS
};

/** Zeroed it is empty; its memory is used again for the next piece and the next page. */
struct inline_writer {
	const struct structure_page *page;
	const struct style *style;
	struct link_base base;        /* the address that links are relative to; empty if it is not known */
	bool base_is_odd, url_is_odd; /* bytes in it may have to be written in another way */
	bool failed;                  /* memory was exhausted on this page */
	bool ends_in_text;            /* the piece that was appended last: not with a mark */
	size_t open_brackets;         /* the caller sets it to 0 where a block begins */
	struct buf text;              /* of the segments */
	struct buf run;               /* text between two marks, before it is escaped */
	struct buf scratch;
	struct buf url, plain; /* of the link or picture that is being written */
	struct inline_segment *segment;
	size_t n_segments, cap;
};

enum inline_kind {
	INLINE_EMPTY,
	INLINE_TEXT,
	INLINE_FORMULA, /* only TeX, to be written on lines of its own */
};

/** Begins a page with this address (may be empty). */
int inline_begin(struct inline_writer *w, const struct structure_page *page, const struct style *style,
		 struct slice url);
/** Appends a piece and sets *kind. Linear in the piece. */
int inline_append(struct inline_writer *w, const struct piece *piece, struct buf *out, enum inline_kind *kind);
/** Sets w->url to a picture's address, empty if it is not written (url_leads_elsewhere), and w->plain to its text. */
int inline_picture(struct inline_writer *w, const struct mark *mark);
/** Appends an attribute's value with its references decoded. */
int inline_decode(struct buf *to, struct slice value);
/** Appends w->url as Markdown takes an address in parentheses. */
int inline_url(const struct inline_writer *w, struct buf *to);
/** Returns whether inline_url may have to write bytes of an address in another way. */
bool inline_url_is_odd(struct slice url);
void inline_free(struct inline_writer *w);

/*
 * The kept pieces of a page as blocks: paragraphs, headings, code, tables, formulas and rules, in order, each with its
 * text in one buffer. Both writers start from here.
 */

enum block_kind {
	BLOCK_TEXT, /* also a heading: its container is one then */
	BLOCK_CODE,
	BLOCK_TABLE,
	BLOCK_FORMULA,
	BLOCK_RULE,
	BLOCK_PICTURE, /* in plain style: `text` is the number of its mark */
};

struct composed_block {
	uint32_t text, len;       /* in `text`; lines are parted by LF: one for each <br> and each line of code */
	uint32_t container;       /* the innermost that begins lines in its own way; not a heading */
	uint32_t piece;           /* the first */
	uint32_t cell, cells_end; /* table */
	uint8_t kind;
	bool kept;
};

/** A cell of a table, in the order of rows and columns; all rows of a table have the same number of cells. */
struct composed_cell {
	uint32_t text, len;
	bool ends_row, head;
};

/** Zeroed it is empty; its memory is used again for the next page. */
struct composed {
	struct structure_page *page;
	const struct page_parts *parts; /* as in structure_options */
	struct inline_writer line;
	struct buf text;
	struct composed_block *block;
	struct composed_cell *cell;
	size_t n_blocks, n_cells, cap_blocks, cap_cells;
	struct last_word word; /* of the last block */
	struct buf cell_texts; /* of one table: struct composed_cell of each cell with text, and its container */
	int status;            /* DANA_ENOMEM: a part of the page is missing */
};

/** Composes the page's kept pieces; `dropped`: the others too. `url`: address of the page, may be empty. */
int compose(struct composed *c, struct structure_page *page, const struct style *style, struct slice url, bool dropped);
void compose_free(struct composed *c);
/** Finds the items with more than one block (CONTAINER_TWICE), and lists that have such (CONTAINER_LOOSE). Linear. */
void compose_items(const struct composed *c);
/** Sets CONTAINER_DATA of the tables that hold data, by all pieces or only by those that are kept. Linear. */
void tables_judge(struct structure_page *page, bool kept_only);

/** Returns the data table that a piece is in; 0 if it is in none. */
static inline uint32_t tables_of_piece(const struct structure_page *page, const struct piece *piece)
{
	uint32_t table = page->container[piece->container].table;
	return table && page->container[table].flags & CONTAINER_DATA ? table : 0;
}

/** Returns the heading that a piece is in; NULL if none. */
static inline const struct container *compose_heading(const struct structure_page *page, uint32_t piece)
{
	const struct container *c = &page->container[page->piece[piece].container];
	if (!(c->flags & CONTAINER_IN_HEADING))
		return NULL;
	while (c->kind != CONTAINER_HEADING && c != page->container) /* a note may take the heading's place */
		c = &page->container[c->parent];
	return c->kind == CONTAINER_HEADING ? c : NULL;
}

/* A meaning of a list without terms is text that the page indents: what is before it is no term. */
static inline bool compose_holds_blocks(const struct structure_page *page, const struct container *c)
{
	const struct container *parent = &page->container[c->parent];
	if (c->kind == CONTAINER_MEANING && parent->kind == CONTAINER_TERMS)
		return parent->flags & CONTAINER_NONEMPTY;
	return c->kind == CONTAINER_ITEM || c->kind == CONTAINER_MEANING || c->kind == CONTAINER_NOTE;
}

/* What a composed block is: its kind, as it is called in the list of blocks, its level or number, and its depth. */

struct block_facts {
	const char *type;
	unsigned number; /* level of a heading, number of an item: 0 without */
	unsigned depth;  /* lists around an item, or quotes around a quote, its own included; 0 for others */
	bool has_number;
	struct slice id, language; /* of a note; of code */
};

struct block_facts block_facts_of(const struct composed *c, const struct composed_block *block);

/*
 * A composed page as Markdown (CommonMark with GFM's tables, strikethrough and tasks, and pandoc's notes and terms),
 * and as a list of blocks: in JSON, and as an array of struct dana_structure_block with all texts in one buffer.
 */

/**
 * Appends Markdown without a final line end: first `title`, unless it is empty, as a heading. At `max` bytes it ends
 * after a whole block, and the page is `cut`.
 */
int write_markdown(const struct composed *c, const struct style *style, struct slice title, struct buf *out,
		   size_t max);
/**
 * Appends an array with an object for each block of a page that was composed in plain style. Beyond `max` bytes it ends
 * after a whole block, and sets `cut` of the page.
 */
int write_blocks(struct composed *c, struct buf *out, size_t max);

/* A composed page as elements (write_markup.c), after its head (head.h). */

/** What a format is: the beginnings and ends of its elements. Arguments go where a % is. */
struct markup {
	const char *tags[MARKUP_ELEMENTS][2];
};

extern const struct markup markup_html, markup_xml, markup_tei;

/**
 * Appends the text of a page and the page's end, well-formed with its head. At `max` bytes it ends after a whole block,
 * with the ends of what is open.
 */
int write_markup(const struct composed *c, const struct markup *markup, struct buf *out, size_t max);
/** Appends text; in an attribute, or of an element. What XML has no place for is left out. */
void markup_text(struct buf *out, struct slice text);
/** Appends the beginning of an element, with its arguments as attributes' values. */
void markup_begin(struct buf *out, const struct markup *m, enum markup_element element, struct slice first,
		  struct slice second);
void markup_end(struct buf *out, const struct markup *m, enum markup_element element, struct slice first);

/** Zeroed it is empty; its memory is used again for the next page. */
struct block_list {
	struct buf blocks; /* struct dana_structure_block each */
	struct buf cells;  /* struct dana_view each */
	struct buf texts, scratch;
};

/** Lists the blocks of a page that was composed in plain style. */
int list_blocks(struct composed *c, struct block_list *list);
void block_list_free(struct block_list *list);

#endif
