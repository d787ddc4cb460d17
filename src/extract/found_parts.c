/* SPDX-License-Identifier: MIT */
/*
 * Finds readers' comments and data tables in a page, and gives the page without them, or them alone.
 *
 * The bytes of the page are held in one buffer, with a list of pieces: each has the part that it belongs to. Parts are
 * nested; the part of an element is left out with all in it.
 *
 * Comments are elements whose class or id has a word for comments, unless an article turns out to be in them. They are
 * kept where they are the content: in forums, which say so, and where next to no text is outside of them. Tables are
 * judged as for Markdown (structure/compose.c), but that no table in a cell becomes a part of the cell.
 */
#include "config.h"

#include "extract/found_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/attribute.h"

enum {
	PARTS_MOST = 1 << 16,  /* later ones belong to the part around them */
	KEPT_BYTES = 1 << 20,  /* of buffers, from page to page */
	CELL_TEXT_MOST = 1000, /* bytes of a cell of data */
	COLUMNS_MOST = 1000,
	BLOCK_LEAST = 60, /* bytes of a block outside of links that is text of an article or a comment */
	TEXT_LEAST = 200, /* bytes of such blocks outside of comments, in a page that has an article */
	WORD_MOST = 24
};

enum part_kind { PART_PAGE, PART_COMMENTS, PART_TOOLS /* of comments: forms, buttons */, PART_TABLE };

struct found_part {
	uint8_t kind;
	bool revoked;             /* comments with an article in them */
	bool left, table_left;    /* left out; for a table */
	uint16_t depth;           /* number of its element */
	uint32_t parent;          /* a part before it */
	uint32_t comments, table; /* the innermost ones of PART_COMMENTS or PART_TOOLS, of PART_TABLE; 0: none */
	uint64_t text;            /* bytes of its blocks of text */
	/* of a table */
	size_t flows_around; /* found_parts.flows where it begins */
	uint32_t columns, row_columns, rows, row_cells, cell_columns;
	uint64_t cell_bytes;
	uint32_t indents; /* rows that begin with an empty cell over several columns */
	uint16_t cell;    /* number of the cell that is open; 0: none */
	bool refused, nests, head, head_cell, cell_seen, row_seen, indented;
};

struct held_piece {
	uint64_t place;
	size_t at, len; /* in `held` */
	uint32_t part;
};

struct found_parts {
	bool comments, tables;
	struct buf held;
	struct held_piece *piece;
	struct found_part *part;
	size_t n_pieces, cap_pieces, n_parts, cap_parts;
	uint32_t open;      /* the innermost part that is open */
	size_t link, flows; /* number of the outermost open link; of the outermost heading, quote, code or list of terms
			     * of the innermost table; 0: none */
	bool after_space;
	uint64_t block_text; /* bytes of the block of text outside of links */
	size_t blank;        /* bytes of "&nbsp;" that may have begun */
	uint32_t block_part;
};

/* ---- comments by their names ---- */

enum meaning { COMMENTS = 1, TOOLS = 2, JOINS = 4 /* "commentlist" */, NOT = 8 /* "comment-count" */, FAMILY = 16 };

/* Sorted. */
/* clang-format off */
static const struct name_part {
	const char *word;
	unsigned meaning;
} name_parts[] = {
	{ "action", TOOLS }, { "actions", TOOLS }, { "allow", NOT }, { "anchor", NOT }, { "and", NOT },
	{ "area", JOINS }, { "block", JOINS }, { "body", JOINS }, { "box", JOINS }, { "btn", NOT }, { "bubble", NOT },
	{ "button", NOT }, { "closed", NOT }, { "comentario", COMMENTS }, { "comentarios", COMMENTS },
	{ "comment", COMMENTS }, { "commentaires", COMMENTS }, { "commenti", COMMENTS }, { "commento", COMMENTS },
	{ "comments", COMMENTS }, { "container", JOINS }, { "content", JOINS }, { "count", NOT }, { "counter", NOT },
	{ "counts", NOT }, { "disabled", NOT }, { "disqus", COMMENTS }, { "enabled", NOT }, { "form", TOOLS | JOINS },
	{ "giscus", COMMENTS }, { "goto", NOT }, { "guidelines", NOT }, { "has", NOT }, { "hide", NOT },
	{ "holder", JOINS }, { "how", NOT }, { "icon", NOT }, { "icons", NOT }, { "in", NOT }, { "item", JOINS },
	{ "jump", NOT }, { "komentarze", COMMENTS }, { "kommentare", COMMENTS }, { "kommentarer", COMMENTS },
	{ "kommentit", COMMENTS }, { "last", NOT }, { "latest", NOT }, { "like", TOOLS }, { "link", NOT },
	{ "links", NOT }, { "list", JOINS }, { "livefyre", COMMENTS }, { "main", JOINS }, { "most", NOT },
	{ "newest", NOT }, { "no", NOT }, { "num", NOT }, { "number", NOT }, { "of", NOT }, { "off", NOT },
	{ "open", NOT }, { "panel", JOINS }, { "policy", NOT }, { "popular", NOT }, { "reacties", COMMENTS },
	{ "recent", NOT }, { "reply", TOOLS }, { "report", TOOLS }, { "respond", TOOLS | FAMILY }, { "rules", NOT },
	{ "section", JOINS }, { "share", TOOLS }, { "show", NOT }, { "sidebar", NOT }, { "stream", JOINS },
	{ "talkback", COMMENTS }, { "talkbacks", COMMENTS }, { "text", JOINS }, { "the", NOT }, { "thread", JOINS },
	{ "to", NOT }, { "toggle", NOT }, { "tools", TOOLS }, { "vote", TOOLS }, { "widget", NOT }, { "with", NOT },
	{ "without", NOT }, { "wpdiscuz", COMMENTS }, { "wrap", JOINS }, { "wrapper", JOINS },
	{ "yorumlar", COMMENTS }, { "your", NOT },
};
/* clang-format on */

static int by_word(const void *word, const void *entry)
{
	return strcmp(word, ((const struct name_part *)entry)->word);
}

static unsigned look_up(const char *word)
{
	const struct name_part *found =
		bsearch(word, name_parts, sizeof(name_parts) / sizeof(*name_parts), sizeof(*name_parts), by_word);
	return found ? found->meaning : 0;
}

/* Returns what a part of a name means, in lower case: "comments", "commentlist", "readercomments". */
static unsigned meaning_of_part(const char *word)
{
	static const char one[] = "comment", *const ends[] = { "comments", "kommentare", "commentaires" };
	const unsigned meaning = look_up(word);
	const size_t len = strlen(word);
	if (meaning)
		return meaning & ~(unsigned)JOINS;
	if (strncmp(word, one, sizeof(one) - 1) == 0) {
		const char *rest = word + sizeof(one) - 1;
		const unsigned of_rest = look_up(rest), of_s = *rest == 's' ? look_up(rest + 1) : 0;
		return (of_rest | of_s) & JOINS ? COMMENTS | ((of_rest | of_s) & TOOLS) : 0;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const size_t end = strlen(ends[i]);
		if (len > end && strcmp(word + len - end, ends[i]) == 0)
			return COMMENTS;
	}
	return 0;
}

/* Returns what a word of class or id means. Its parts are between other characters, and begin with capital letters. */
static unsigned meaning_of_name(struct slice name)
{
	char part[WORD_MOST + 1];
	size_t len = 0;
	unsigned all = 0;
	for (size_t i = 0; i <= name.len; i++) {
		const uint8_t c = i < name.len ? name.data[i] : '-', before = i ? name.data[i - 1] : '-';
		const bool begins = c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z';
		if (begins || !ascii_is_alpha(c)) {
			part[len <= WORD_MOST ? len : 0] = 0; /* a longer part means nothing */
			all |= meaning_of_part(part);
			len = 0;
		}
		if (ascii_is_alpha(c)) {
			if (len < WORD_MOST)
				part[len] = (char)ascii_lower(c);
			len++;
		}
	}
	return all & NOT ? all & TOOLS : all;
}

static bool ends_with(struct slice s, const char *end)
{
	const size_t len = strlen(end);
	return s.len >= len && memcmp(s.data + s.len - len, end, len) == 0;
}

static bool is_any(struct slice s, const char *const *words)
{
	while (*words && !slice_is(s, *words))
		words++;
	return *words != NULL;
}

/* What the attributes of a start tag make of it: *article: it begins the text of an article. */
static enum part_kind kind_of_tag(const struct html_tag_event *event, bool within, bool *article)
{
	static const bool can_hold[HTML_TAGS_COUNT] = {
		[HTML_TAG_OTHER] = true,  [HTML_TAG_DIV] = true,  [HTML_TAG_SECTION] = true, [HTML_TAG_ARTICLE] = true,
		[HTML_TAG_ASIDE] = true,  [HTML_TAG_UL] = true,   [HTML_TAG_OL] = true,      [HTML_TAG_LI] = true,
		[HTML_TAG_DL] = true,     [HTML_TAG_DT] = true,   [HTML_TAG_DD] = true,      [HTML_TAG_TABLE] = true,
		[HTML_TAG_TR] = true,     [HTML_TAG_TD] = true,   [HTML_TAG_H2] = true,      [HTML_TAG_H3] = true,
		[HTML_TAG_H4] = true,     [HTML_TAG_FORM] = true, [HTML_TAG_FOOTER] = true,  [HTML_TAG_FIELDSET] = true,
		[HTML_TAG_DETAILS] = true
	};
	/* the last ones are links in headings: such a page is a text about comments */
	static const char *const articles[] = { "entry-content", "article-body", "articleBody", "headerlink",
						"header-anchor", "hash-link",    "anchor-link", NULL };
	struct html_attr_reader reader = html_attr_begin(event);
	struct html_attr a;
	const bool tool = within && (event->tag == HTML_TAG_A || event->tag == HTML_TAG_SPAN ||
				     event->tag == HTML_TAG_P || event->tag == HTML_TAG_BUTTON);
	unsigned all = within && event->tag == HTML_TAG_FORM ? TOOLS : 0;
	*article = event->tag == HTML_TAG_MAIN;
	if (!can_hold[event->tag] && !tool)
		return PART_PAGE;
	while (html_attr_next(&reader, &a)) {
		const bool property = slice_equal_nocase(a.name, slice_from_text("itemprop"));
		if (slice_equal_nocase(a.name, slice_from_text("class")) ||
		    slice_equal_nocase(a.name, slice_from_text("id")) || property) {
			for (struct slice rest = slice_trim(a.value), word; rest.len;
			     rest = slice_trim(slice_skip(rest, word.len))) {
				word = slice_first(rest, slice_until(rest, " \t\n\f\r"));
				*article |= is_any(word, articles);
				unsigned meaning =
					property ? (slice_is(word, "comment") ? COMMENTS : 0) : meaning_of_name(word);
				/* "reply" is of comments only where they are */
				if (!(meaning & (COMMENTS | FAMILY)) && !within)
					meaning = 0;
				all |= meaning;
			}
		} else if (slice_equal_nocase(a.name, slice_from_text("itemtype")) ||
			   slice_equal_nocase(a.name, slice_from_text("typeof"))) {
			all |= ends_with(a.value, "/Comment") || ends_with(a.value, ":Comment") ||
					       ends_with(a.value, "/UserComments")
				       ? COMMENTS
				       : 0;
			*article |= ends_with(a.value, "Article") || ends_with(a.value, "/BlogPosting");
		} else if (slice_equal_nocase(a.name, slice_from_text("role")) && slice_is(a.value, "comment")) {
			all |= COMMENTS;
		}
	}
	return all & TOOLS ? PART_TOOLS : all & COMMENTS && !tool ? PART_COMMENTS : PART_PAGE;
}

/* ---- the page ---- */

struct found_parts *found_parts_new(bool comments, bool tables)
{
	struct found_parts *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->comments = comments;
	f->tables = tables;
	f->part = grow_items(NULL, 0, &f->cap_parts, sizeof(*f->part));
	if (!f->part) {
		found_parts_free(f);
		return NULL;
	}
	found_parts_begin(f);
	return f;
}

void found_parts_begin(struct found_parts *f)
{
	buf_shrink(&f->held, KEPT_BYTES);
	f->n_pieces = 0;
	f->part[0] = (struct found_part){ .kind = PART_PAGE };
	f->n_parts = 1;
	f->open = f->block_part = 0;
	f->link = f->flows = 0;
	f->after_space = true;
	f->block_text = f->blank = 0;
}

static int open_part(struct found_parts *f, enum part_kind kind, size_t depth)
{
	if (f->n_parts == PARTS_MOST)
		return DANA_OK;
	struct found_part *more = grow_items(f->part, f->n_parts, &f->cap_parts, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	f->part = more;
	const struct found_part *around = &f->part[f->open];
	const uint32_t number = (uint32_t)f->n_parts++;
	f->part[number] = (struct found_part){ .kind = (uint8_t)kind,
					       .depth = (uint16_t)depth,
					       .parent = f->open,
					       .comments = kind == PART_TABLE ? around->comments : number,
					       .table = kind == PART_TABLE ? number : around->table };
	if (kind == PART_TABLE) {
		f->part[number].flows_around = f->flows;
		f->flows = 0;
	}
	f->open = number;
	return DANA_OK;
}

/* The comments that are open have an article in them: they are something else. */
static void revoke(struct found_parts *f)
{
	for (uint32_t i = f->part[f->open].comments; i && !f->part[i].revoked; i = f->part[f->part[i].parent].comments)
		f->part[i].revoked = true;
}

static bool is_refused(const struct html_tag_event *event)
{
	const struct slice role = html_attr_named(event, "role");
	return slice_is(role, "presentation") || slice_is(role, "none");
}

static void start_cell(struct found_part *table, const struct html_tag_event *event, size_t depth)
{
	const struct slice span = html_attr_named(event, "colspan");
	table->cell_columns = 0;
	for (size_t i = 0; i < span.len && ascii_is_digit(span.data[i]) && table->cell_columns < COLUMNS_MOST; i++)
		table->cell_columns = table->cell_columns * 10 + span.data[i] - '0';
	if (table->cell_columns == 0 || table->cell_columns > COLUMNS_MOST)
		table->cell_columns = 1;
	table->cell = (uint16_t)depth;
	table->head_cell = event->tag == HTML_TAG_TH;
	table->cell_seen = false;
	table->cell_bytes = 0;
	if (table->row_cells++ == 0)
		table->indented = table->cell_columns > 1;
}

int found_parts_start(struct found_parts *f, const struct html_tag_event *event, size_t depth)
{
	const enum html_tag tag = (enum html_tag)event->tag;
	int status = DANA_OK;
	if (!depth) {
		f->part[f->part[f->open].table].refused |= tag == HTML_TAG_HR;
		return status;
	}
	if (tag == HTML_TAG_A && !f->link)
		f->link = depth;
	if (f->comments) {
		bool article;
		const enum part_kind kind = kind_of_tag(event, f->part[f->open].comments != 0, &article);
		if (kind != PART_PAGE)
			status = open_part(f, kind, depth);
		else if (article)
			revoke(f);
	}
	if (!f->tables || status < 0)
		return status;
	if (tag == HTML_TAG_TABLE) {
		status = open_part(f, PART_TABLE, depth);
		f->part[f->open].refused |= is_refused(event);
		return status;
	}
	struct found_part *table = &f->part[f->part[f->open].table];
	if (table == f->part)
		return status;
	if (tag == HTML_TAG_TR) {
		table->row_columns = 0;
		table->row_seen = table->indented = false;
		table->row_cells = 0;
	} else if (tag == HTML_TAG_TD || tag == HTML_TAG_TH) {
		start_cell(table, event, depth);
	} else if (!f->flows && (html_tag_is(tag, TAG_HEADING) || tag == HTML_TAG_BLOCKQUOTE || tag == HTML_TAG_DL ||
				 tag == HTML_TAG_PRE)) {
		f->flows = depth;
	}
	return status;
}

void found_parts_end(struct found_parts *f, size_t depth)
{
	f->link = f->link > depth ? 0 : f->link;
	f->flows = f->flows > depth ? 0 : f->flows;
	while (f->part[f->open].depth > depth) {
		const struct found_part *ended = &f->part[f->open];
		if (ended->kind == PART_TABLE)
			f->flows = ended->flows_around > depth ? 0 : ended->flows_around;
		f->open = ended->parent;
	}
	struct found_part *table = &f->part[f->part[f->open].table];
	table->cell = table->cell > depth ? 0 : table->cell;
}

void found_parts_split(struct found_parts *f)
{
	if (f->block_text >= BLOCK_LEAST)
		f->part[f->block_part].text += f->block_text;
	f->block_text = f->blank = 0;
	f->after_space = true;
}

static void count_cell(struct found_parts *f, struct found_part *table)
{
	table->refused |= f->flows || (table->cell && table->cell_bytes > CELL_TEXT_MOST);
	/* a table with others in its cells is one of layout */
	for (struct found_part *o = &f->part[f->part[table->parent].table]; o != f->part && !o->nests;
	     o = &f->part[f->part[o->parent].table])
		o->nests = true;
	if (!table->cell || table->cell_seen)
		return;
	table->cell_seen = true;
	table->indents += table->indented && table->row_cells > 1;
	table->indented = false;
	table->rows += !table->row_seen;
	table->row_seen = true;
	table->row_columns += table->cell_columns;
	table->columns = table->row_columns > table->columns ? table->row_columns : table->columns;
	table->head |= table->head_cell;
}

void found_parts_text(struct found_parts *f, struct slice text)
{
	static const char blank[] = "&nbsp;";
	uint64_t letters = 0, spaces = 0;
	for (size_t i = 0; i < text.len; i++) {
		const uint8_t c = text.data[i];
		if (c == (uint8_t)blank[f->blank]) {
			f->blank = blank[f->blank + 1] ? f->blank + 1 : 0;
			continue;
		}
		letters += f->blank;
		f->blank = c == '&';
		if (c == '&' || c == 0xC2 || c == 0xA0) /* bytes of U+00A0; other letters with one have another byte */
			continue;
		const bool space = ascii_is_space(c);
		letters += !space;
		spaces += space && !f->after_space;
		f->after_space = space;
	}
	struct found_part *table = &f->part[f->part[f->open].table];
	f->block_text += f->link ? 0 : letters + spaces;
	table->cell_bytes += letters + spaces;
	if (letters == 0)
		return;
	f->block_part = f->open;
	if (table != f->part)
		count_cell(f, table);
}

int found_parts_put(struct found_parts *f, struct slice bytes, uint64_t place)
{
	struct held_piece *last = f->n_pieces ? &f->piece[f->n_pieces - 1] : NULL;
	if (last && last->part == f->open && last->place + last->len == place) {
		last->len += bytes.len;
	} else {
		struct held_piece *more = grow_items(f->piece, f->n_pieces, &f->cap_pieces, sizeof(*more));
		if (!more)
			return DANA_ENOMEM;
		f->piece = more;
		f->piece[f->n_pieces++] = (struct held_piece){ place, f->held.len, bytes.len, f->open };
	}
	return buf_append(&f->held, bytes.data, bytes.len);
}

/* Returns whether the page says that its posts are its content, in types of schema.org or by the names of programs. */
static bool says_forum(struct slice page)
{
	static const char *const types[] = { "DiscussionForumPosting", "QAPage", "XF\"", "vbulletin_" };
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const uint8_t *at = page.data, *const end = page.data + page.len;
		while (at && (at = memmem(at, (size_t)(end - at), types[i], strlen(types[i]))) != NULL) {
			if (at > page.data && (at[-1] == '"' || at[-1] == '/' || at[-1] == '\''))
				return true;
			at++;
		}
	}
	return false;
}

void found_parts_finish(struct found_parts *f)
{
	uint64_t outside = 0;
	found_parts_split(f);
	for (size_t i = 0; i < f->n_parts; i++) {
		struct found_part *p = &f->part[i];
		const struct found_part *around = &f->part[p->parent];
		p->left = around->left || ((p->kind == PART_COMMENTS || p->kind == PART_TOOLS) && !p->revoked);
		p->table_left =
			around->table_left || (p->kind == PART_TABLE && !p->refused && !p->nests && p->columns >= 2 &&
					       (p->indents < 2 || p->head) && (p->rows >= 2 || p->head));
		outside += p->left ? 0 : p->text;
	}
	const bool keeps = outside < TEXT_LEAST || (f->comments && says_forum(buf_slice(&f->held)));
	for (size_t i = 0; i < f->n_parts; i++) {
		f->part[i].revoked |= keeps;
		f->part[i].left &= !keeps;
	}
}

bool found_parts_next(const struct found_parts *f, enum parts_read which, size_t *at, struct slice *bytes,
		      uint64_t *place)
{
	while (*at < f->n_pieces) {
		const struct held_piece *piece = &f->piece[(*at)++];
		const struct found_part *part = &f->part[piece->part], *comments = &f->part[part->comments];
		const bool read = which == PARTS_TEXT
					  ? !part->left && !part->table_left
					  : comments->kind == PART_COMMENTS && !comments->revoked && !part->table_left;
		if (!read)
			continue;
		*bytes = slice_of(f->held.data + piece->at, piece->len);
		*place = piece->place;
		return true;
	}
	return false;
}

void found_parts_free(struct found_parts *f)
{
	if (!f)
		return;
	buf_free(&f->held);
	free(f->piece);
	free(f->part);
	free(f);
}
