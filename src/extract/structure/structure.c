/* SPDX-License-Identifier: MIT */
/*
 * The structure of a page from its log to its writers: how it is written (the keys of --markdown), which part of it is
 * recorded, and which pieces of that part are kept. Mostly one article is kept of a page several times as long.
 *
 * Example: of <nav>..</nav><h2>One</h2><p>two</p><p>three</p>, where the method keeps "two", the part begins some
 * blocks before it, ends after "three", and the heading and "two" are kept.
 */
#include "extract/structure/structure.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "extract/method.h"
#include "extract/page_parts.h"
#include "extract/structure/compose.h"
#include "extract/structure/head.h"
#include "extract/structure/page.h"
#include "extract/structure/page_log.h"
#include "extract/structure/page_title.h"

/** Entries of the log: the part begins with `from`, and does not end before the place `to` of the page. */
struct replay_part {
	uint32_t from;
	uint64_t to;
};

/* The keys have the form of a method's, so that reading, checking and help are shared with the methods. */

const struct style style_default = { .links = true, .emphasis = true, .escape = true, .formulas = true };

static const struct method_key keys[] = {
	{ .name = "links", .words = "0|1", .standard = "1", .help = "0: the text of links without their addresses" },
	{ .name = "images", .words = "0|1", .standard = "0", .help = "1: pictures, with address and text" },
	{ .name = "emphasis", .words = "0|1", .standard = "1", .help = "0: no marks for emphasis" },
	{ .name = "tables",
	  .words = "gfm|rows",
	  .standard = "gfm",
	  .help = "rows: a line of text for each row, without a header" },
	{ .name = "math", .words = "0|tex", .standard = "tex", .help = "0: formulas are left out" },
	{ .name = "supsub",
	  .words = "html|unicode",
	  .standard = "html",
	  .help = "unicode: raised and lowered text by characters, or as ^(...), _(...); html: by tags" },
	{ .name = "ruby",
	  .words = "0|keep",
	  .standard = "0",
	  .help = "keep: readings of ruby in parentheses after their words; 0: they are left out" },
	{ .name = "heading",
	  .words = "always|chosen|0",
	  .standard = "always",
	  .help = "which headings are written: also those directly before kept text, as the method chooses, none" },
	{ .name = "escape",
	  .words = "0|1",
	  .standard = "1",
	  .help = "0: characters that Markdown reads stay as they are" },
	{ .name = "title",
	  .words = "0|1",
	  .standard = "0; of a file 1",
	  .help = "1: the page's title first, as a heading, unless the text begins with it" },
	{ .name = "frontmatter",
	  .words = "0|1",
	  .standard = "0",
	  .help = "1: title, author, dates and more in YAML first, as the plugin metadata finds them" },
	{ .name = "format",
	  .words = "markdown|html|xml|tei",
	  .standard = "markdown",
	  .help = "html, xml, tei: a document of elements in place of Markdown" },
	{ .name = NULL },
};

static int set(void *state, const struct method_setting *setting)
{
	struct style *style = state;
	const struct {
		const char *key;
		bool *on;
	} switches[] = {
		{ "links", &style->links },  { "images", &style->images }, { "emphasis", &style->emphasis },
		{ "tables", &style->rows },  { "math", &style->formulas }, { "escape", &style->escape },
		{ "supsub", &style->forms }, { "ruby", &style->readings }, { "frontmatter", &style->front },
	};
	if (method_setting_is(setting, "title"))
		style->title = setting->number ? TITLE_ALWAYS : TITLE_NEVER;
	if (method_setting_is(setting, "heading"))
		style->headings = (enum style_headings)setting->number;
	static const struct markup *const formats[] = { NULL, &markup_html, &markup_xml, &markup_tei };
	if (method_setting_is(setting, "format"))
		style->markup = formats[setting->number];
	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		if (method_setting_is(setting, switches[i].key))
			*switches[i].on = setting->number == 1;
	}
	return DANA_OK;
}

const struct method style_method = { .name = "markdown", .option = "--markdown", .keys = keys, .set = set };

/*
 * A piece is kept as the parts of the page are that it covers. On top of that:
 *
 *  - a block of code is a whole: kept if at least half of it is;
 *  - an item of a list of tasks is kept where another one is; an item without links in a list of a kept item where the
 *    outer list continues after it with kept text: a method drops items for their few words;
 *  - a row of a table with data is kept as a whole if at least half of it is, and its head if two other rows are;
 *  - a heading directly before kept text is kept, a heading of level 1 also two pieces before it;
 *  - a piece without words is kept as its neighbours are;
 *  - what the page hides, or rules drop, is kept only where the method chose just that.
 */

/* How far before kept text a heading may be, in pieces. */
enum { TITLE_REACH = 3, HEADING_REACH = 1 };
/* The least chance of a heading that is kept for what follows it: others are breadcrumbs, controls, other stories. */
enum { HEADING_LEAST = 7900 /* of 65536 */ };

static struct method_span span_at(struct slice spans, size_t i)
{
	struct method_span span;
	memcpy(&span, spans.data + i * sizeof(span), sizeof(span));
	return span;
}

static void set_kept(struct structure_page *page, uint32_t from, uint32_t to, bool kept)
{
	for (; from < to; from++)
		page->piece[from].kept = kept && (!page->piece[from].unshown || page->piece[from].kept);
}

/* Keeps whole rows of the table at piece `i`: those of which more is kept than dropped. Returns the table's end. */
static uint32_t decide_table(struct structure_page *page, uint32_t i, uint32_t table)
{
	const uint32_t begin = i;
	uint32_t head_end = i;
	unsigned body = 0, rows = 0; /* rows after the head that are kept; all rows */
	while (i < page->n_pieces && tables_of_piece(page, &page->piece[i]) == table) {
		const uint32_t from = i;
		const struct container *c = &page->container[page->piece[i].container];
		const bool head = rows == 0 && page->container[c->cell].flags & CONTAINER_HEAD_CELL;
		uint64_t with = 0, without = 0;
		for (; i < page->n_pieces && page->container[page->piece[i].container].row == c->row; i++)
			*(page->piece[i].kept ? &with : &without) += page->piece[i].len;
		if (!c->row) /* a caption */
			continue;
		const bool kept = with && with >= without;
		if (kept)
			set_kept(page, from, i, true);
		rows++;
		if (head)
			head_end = i;
		else
			body += kept;
	}
	if (head_end != begin && body != 1 && rows > 1)
		set_kept(page, begin, head_end, body != 0);
	return i;
}

/* The lists around a piece. */
struct lists_around {
	uint32_t outermost, item, outer_item; /* the innermost item, and the one around its list; 0: none */
	bool task;                            /* the innermost item is one */
};

static struct lists_around lists_of_piece(const struct structure_page *page, const struct piece *piece)
{
	struct lists_around around = { 0 };
	for (uint32_t k = page->container[piece->container].line; k;
	     k = page->container[page->container[k].parent].line) {
		const struct container *c = &page->container[k];
		if (c->kind == CONTAINER_LIST)
			around.outermost = k;
		if (c->kind == CONTAINER_ITEM && !around.item) {
			around.item = k;
			around.task = c->flags & CONTAINER_TASK;
		} else if (c->kind == CONTAINER_ITEM && !around.outer_item) {
			around.outer_item = k;
		}
	}
	return around;
}

static bool has_link(const struct structure_page *page, const struct piece *piece)
{
	for (uint32_t k = piece->mark; k < piece->marks_end; k++) {
		if (page->mark[k].kind == MARK_LINK)
			return true;
	}
	return false;
}

/* Keeps items of the outermost list that begins at piece `i`, as above. Returns its end. */
static uint32_t decide_items(struct structure_page *page, uint32_t i, uint32_t outermost)
{
	const uint32_t begin = i;
	struct lists_around around;
	uint32_t gap = 0, item = 0; /* where dropped items begin after kept text in this item; 0: no such text */
	bool tasks = false;
	for (; i < page->n_pieces; i++) {
		struct piece *p = &page->piece[i];
		around = lists_of_piece(page, p);
		if (around.outermost != outermost)
			break;
		tasks |= around.task && p->kept;
		if (p->kept) {
			if (item)
				set_kept(page, gap, i, true);
			item = around.item;
			gap = i + 1;
		} else if (around.outer_item != item || p->unshown || has_link(page, p)) {
			item = 0;
		}
	}
	for (uint32_t k = begin; k < i && tasks; k++) {
		if (lists_of_piece(page, &page->piece[k]).task)
			set_kept(page, k, k + 1, true);
	}
	return i;
}

/* Returns whether a piece is no neighbour of others: it has no words, or rules of the site leave it out. */
static bool is_passed_over(const struct piece *piece, const struct page_parts *parts)
{
	return piece->wordless || (piece->unshown && !piece->kept && page_parts_drops(parts, piece->start, piece->end));
}

/** Sets `kept` and `chance` of all pieces by the method's decisions. Returns whether they keep any piece. Linear. */
static bool keep_pieces(struct structure_page *page, struct slice spans, const struct page_parts *parts,
			enum style_headings headings)
{
	const size_t count = spans.len / sizeof(struct method_span);
	size_t next_span = 0; /* the first that ends after the pieces so far */
	bool any = false, chances = false;
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		struct piece *piece = &page->piece[i];
		uint64_t kept = 0, dropped = 0, most = 0;
		bool chosen = false;
		while (next_span < count && span_at(spans, next_span).to <= piece->start)
			++next_span;
		for (size_t k = next_span; k < count; k++) {
			const struct method_span span = span_at(spans, k);
			if (span.from >= piece->end)
				break;
			uint64_t from = span.from > piece->start ? span.from : piece->start;
			uint64_t len = (span.to < piece->end ? span.to : piece->end) - from;
			if (len > most) {
				most = len;
				piece->chance = span.chance;
				piece->site_pages = span.site_pages;
				piece->alone = span.alone;
				page->site_others = span.site_others;
			}
			*(span.fate == SPAN_DROPPED ? &dropped : &kept) += len;
			chances |= span.chance > 0;
			chosen |= span.fate == SPAN_CHOSEN;
		}
		piece->unshown |= page_parts_drops(parts, piece->start, piece->end);
		piece->kept = kept && kept >= dropped && (chosen || !piece->unshown);
		any |= piece->kept;
	}
	/* pieces without words that the method does not mention: a rule needs two kept neighbours, others the first */
	bool before = false, any_before = false, after = true;
	uint32_t first = 0; /* after the last piece with words */
	for (uint32_t i = 0; i <= page->n_pieces; i++) {
		if (i < page->n_pieces && is_passed_over(&page->piece[i], parts))
			continue;
		after = i == page->n_pieces || page->piece[i].kept;
		for (; first < i; first++) {
			struct piece *p = &page->piece[first];
			bool keep =
				any_before ? before && (after || p->kind != PIECE_RULE) : after && i < page->n_pieces;
			p->kept |= keep && !p->unshown;
		}
		if (i < page->n_pieces) {
			before = page->piece[i].kept;
			any_before = true;
			first = i + 1;
		}
	}
	tables_judge(page, false);
	for (uint32_t i = 0; i < page->n_pieces;) {
		uint32_t table = tables_of_piece(page, &page->piece[i]);
		i = table ? decide_table(page, i, table) : i + 1;
	}
	for (uint32_t i = 0; i < page->n_pieces;) {
		const uint32_t list = lists_of_piece(page, &page->piece[i]).outermost;
		i = list ? decide_items(page, i, list) : i + 1;
	}
	if (headings != HEADINGS_CHOSEN) {
		const uint16_t least = chances ? HEADING_LEAST : 0;
		uint32_t next = UINT32_MAX; /* the nearest kept piece with words after this one */
		for (uint32_t i = page->n_pieces; i-- > 0;) {
			struct piece *p = &page->piece[i];
			const struct container *heading = compose_heading(page, i);
			const uint32_t reach = heading && heading->number == 1 ? TITLE_REACH : HEADING_REACH;
			if (heading && headings == HEADINGS_NONE)
				p->kept = false;
			else if (heading && !p->unshown && next != UINT32_MAX && next - i <= reach &&
				 p->chance >= least)
				p->kept = true;
			if (p->kept && !p->wordless)
				next = i;
		}
	}
	return any;
}

/*
 * The part begins and ends at tags that divide text, outside of tables and blocks of code, since these are judged as
 * wholes. It ends after the first text that the method does not keep.
 */

/* Blocks before what is kept: more than headings may be from it (TITLE_REACH), since some turn out to hold no text. */
enum { BLOCKS_BEFORE = 6 };

/* Returns where text before an entry begins. */
static uint32_t text_before(const struct page_log *log, size_t entry)
{
	return entry ? log->entry[entry - 1].end : 0;
}

static bool divides(const struct log_entry *e)
{
	return !(e->flags & (LOG_GAP | LOG_SKIPPED)) && html_tag_is(e->tag, TAG_SPLITS);
}

/**
 * Returns the part around what the method keeps (struct method_span each). It begins some blocks before, since a
 * heading there may be kept too; whether these are enough shows when it is recorded (structure_finish).
 */
static struct replay_part replay_part_of(const struct page_log *log, struct slice spans)
{
	uint64_t from = UINT64_MAX, to = 0;
	for (size_t i = 0; i < spans.len / sizeof(struct method_span); i++) {
		const struct method_span span = span_at(spans, i);
		if (span.fate == SPAN_DROPPED)
			continue;
		from = span.from < from ? span.from : from;
		to = span.to;
	}
	size_t entry = page_log_at(log, from);
	unsigned blocks = 0;
	bool text = false;
	for (; entry > 0; entry--) {
		const struct log_entry *e = &log->entry[entry - 1];
		if (divides(e)) {
			blocks += text;
			text = false;
			if (blocks == BLOCKS_BEFORE)
				break;
		}
		uint32_t at = text_before(log, entry - 1);
		while (at < e->start && ascii_is_space(log->source.data[at]))
			at++;
		text |= !(e->flags & LOG_TEXT_SKIPPED) && at < e->start;
	}
	return (struct replay_part){ (uint32_t)entry, to };
}

/* Returns whether the text that the method keeps is in skipped elements: the page's reserve. */
static bool keeps_reserve(const struct page_log *log, struct slice spans)
{
	for (size_t i = 0; i < spans.len / sizeof(struct method_span); i++) {
		const struct method_span span = span_at(spans, i);
		if (span.fate == SPAN_DROPPED)
			continue;
		const size_t entry = page_log_at(log, span.from);
		return entry < log->n && log->entry[entry].flags & LOG_TEXT_SKIPPED;
	}
	return false;
}

static int take_text(struct recorder *r, const struct page_log *log, uint32_t from, uint32_t to, unsigned flags)
{
	return from == to ? DANA_OK : recorder_text(r, page_log_part(log, from, to), from, flags & LOG_TEXT_SKIPPED);
}

/** Records the part, or more of the page. *begun: it begins with the page. */
static int replay(struct recorder *r, const struct page_log *log, struct replay_part part, bool *begun,
		  struct structure_page **page)
{
	recorder_reset(r, log->source.data + log->source.len);
	recorder_pass(r, log, part.from);
	const uint32_t from = recorder_pass_back(r, log, part.from);
	uint32_t text = from < part.from ? log->entry[from].start : text_before(log, from);
	int status = recorder_resume(r, log);
	size_t i = from;
	*begun = from == 0;
	for (; i < log->n && status == DANA_OK; i++) {
		const struct log_entry *e = &log->entry[i];
		status = take_text(r, log, text, e->start, e->flags);
		if (status == DANA_OK && e->flags & LOG_GAP) {
			status = recorder_gap(r, page_log_part(log, e->start, e->end));
		} else if (status == DANA_OK) {
			const struct html_tag_event event = page_log_event(log, e);
			status = recorder_tag(r, &event);
		}
		text = e->end;
		if (e->start >= part.to && divides(e) && recorder_may_end(r, part.to))
			break;
	}
	if (i == log->n && status == DANA_OK) {
		/* take what comes after the last tag */
		const uint32_t end = log->limit < log->source.len ? (uint32_t)log->limit : (uint32_t)log->source.len;
		status = take_text(r, log, text_before(log, log->n), log->to, log->flags);
		if (status == DANA_OK && end > log->to)
			status = recorder_gap(r, page_log_part(log, log->to, end));
	}
	if (status == DANA_OK)
		status = recorder_finish(r, page);
	return status < 0 ? status : recorder_page_facts(r, log);
}

enum { KEEP_BUFFER = 1 << 20 };

struct structure {
	struct page_log log;
	struct recorder *recorder;
	struct structure_page *page; /* after the end of the page */
	struct composed composed;
	struct style style;
	size_t max_text;
	struct structure_options options;
	struct buf url, markdown, blocks;
	struct page_title title;
	struct head_facts facts; /* their title and url alone */
	bool alone;              /* it is a file */
	bool has_facts;          /* the result has a head with facts */
	size_t head;             /* bytes of `markdown` */
	struct block_list list;
	bool listed; /* it is the list of this page */
};

int structure_new(struct structure **out, const struct structure_options *options)
{
	struct structure *s = *out = calloc(1, sizeof(*s));
	if (!s)
		return DANA_ENOMEM;
	s->style = style_default;
	s->max_text = options->max_text;
	s->options = *options;
	s->composed.parts = options->parts;
	page_log_reset(&s->log);
	int status = method_configure(&style_method, &s->style, options->style);
	s->style.escape &= !s->style.markup;
	s->recorder = status < 0 ? NULL : recorder_new(options->max_text, options->max_depth, s->style.readings);
	if (status == DANA_OK && !s->recorder)
		status = DANA_ENOMEM;
	if (status < 0) {
		structure_free(s);
		*out = NULL;
	}
	return status;
}

int structure_url(struct structure *s, struct slice url)
{
	buf_clear(&s->url);
	return buf_append(&s->url, url.data, url.len);
}

void structure_alone(struct structure *s)
{
	s->alone = true;
}

int structure_bytes(struct structure *s, struct slice bytes)
{
	return page_log_bytes(&s->log, bytes);
}

struct page_log *structure_log(struct structure *s)
{
	return &s->log;
}

static void begin_results(struct structure *s)
{
	buf_shrink(&s->markdown, KEEP_BUFFER);
	buf_shrink(&s->blocks, KEEP_BUFFER);
	s->listed = s->has_facts = false;
	s->head = 0;
}

/* Returns whether a piece has marks besides those of emphasis. */
static bool has_links(const struct structure_page *page, const struct piece *piece)
{
	for (size_t i = piece->mark; i < piece->marks_end; i++) {
		if (page->mark[i].kind > MARK_DELETED)
			return true;
	}
	return false;
}

/* Returns whether another piece is in the heading of a piece. */
static bool goes_on(const struct structure_page *page, uint32_t piece, const struct container *heading)
{
	return heading && piece + 1 < page->n_pieces && compose_heading(page, piece + 1) == heading;
}

/* Leaves the first line of a block out; the others are one, too. */
static void leave_line_out(struct composed *c, size_t i)
{
	struct composed_block *block = &c->block[i];
	const struct slice text = slice_of(c->text.data + block->text, block->len);
	const size_t line = slice_until(text, "\n");
	if (line == text.len) {
		block->kept = false;
		return;
	}
	block->text += (uint32_t)line + 1;
	block->len -= (uint32_t)line + 1;
}

/*
 * Makes the title the first block: its h1 where that is kept, else a heading that has its words. Returns what is
 * written as a heading before all blocks; empty: they begin with the title, or there is none.
 */
static struct slice begin_with_title(struct structure *s)
{
	enum { BLOCKS_MOST = 8 }; /* how far down a heading with the words of the title is taken for it */
	struct composed *c = &s->composed;
	unsigned kept = 0;
	for (size_t i = 0; i < c->n_blocks; i++) {
		struct composed_block block = c->block[i];
		const struct piece *piece = &s->page->piece[block.piece];
		const struct container *heading = compose_heading(s->page, block.piece);
		const bool first = block.kept && kept++ == 0;
		if (!block.kept || block.kind != BLOCK_TEXT)
			continue;
		const bool is_h1 = heading && piece->start >= s->title.from && piece->start < s->title.to;
		const struct slice text = slice_of(s->page->text.data + piece->text, piece->len);
		if (!is_h1 && first && heading && block.container == 0 && page_title_nearly(&s->title, text))
			return slice_of(NULL, 0);
		if (!is_h1 && (kept > BLOCKS_MOST || (!first && goes_on(s->page, block.piece, heading)) ||
			       !page_title_is(&s->title, text)))
			continue;
		if (is_h1 && s->title.own) {
			for (; i < c->n_blocks && s->page->piece[c->block[i].piece].start < s->title.to; i++)
				c->block[i].kept = false;
			break;
		}
		if (first && heading && block.container == 0)
			return slice_of(NULL, 0);
		const bool loses = has_links(s->page, piece); /* or a reference of a note, a picture */
		if (heading && (heading->number == 1 || loses) && block.container == 0) {
			memmove(c->block + 1, c->block, i * sizeof(*c->block));
			c->block[0] = block;
			return slice_of(NULL, 0);
		}
		if (!loses && (first || heading || block.container == 0))
			leave_line_out(c, i);
		else if (first)
			return slice_of(NULL, 0);
		break;
	}
	return kept ? s->title.text : slice_of(NULL, 0);
}

/* Writes the head of the result, in place of the one that it has. Of Markdown without text there is none. */
static int write_head(struct structure *s, const struct head_facts *facts)
{
	struct buf made = { 0 };
	const struct slice text = slice_skip(buf_slice(&s->markdown), s->head);
	int status = DANA_OK;
	if (s->style.markup)
		status = head_markup(&made, s->style.markup, facts);
	else if (s->style.front && text.len)
		status = head_yaml(&made, facts);
	/* the text moves to where the new head ends */
	const size_t len = text.len;
	if (status == DANA_OK && made.len > s->head)
		status = buf_append(&s->markdown, made.data, made.len - s->head);
	if (status == DANA_OK && (made.len || s->head)) {
		memmove(s->markdown.data + made.len, s->markdown.data + s->head, len);
		if (made.len)
			memcpy(s->markdown.data, made.data, made.len);
		s->markdown.len = made.len + len;
		s->head = made.len;
	}
	buf_free(&made);
	return status;
}

/* Returns where the first kept block begins that is no heading. */
static uint64_t text_begin(const struct structure *s)
{
	const struct composed *c = &s->composed;
	for (size_t i = 0; i < c->n_blocks; i++) {
		if (c->block[i].kept && c->block[i].kind == BLOCK_TEXT && !compose_heading(s->page, c->block[i].piece))
			return s->page->piece[c->block[i].piece].start;
	}
	return 0;
}

static int compose_markdown(struct structure *s, struct slice title)
{
	const struct style *style = &s->style;
	const bool titled = style->title == TITLE_ALWAYS || (style->title == TITLE_OF_FILES && s->alone);
	int status = compose(&s->composed, s->page, style, buf_slice(&s->url), false);
	s->facts = (struct head_facts){ .value = { [HEAD_TITLE] = title, [HEAD_URL] = buf_slice(&s->url) } };
	s->has_facts = style->markup || style->front;
	if (status == DANA_OK && style->markup) {
		status = write_head(s, &s->facts);
		return status < 0 ? status
				  : write_markup(&s->composed, style->markup, &s->markdown,
						 s->max_text > s->head ? s->max_text - s->head : 0);
	}
	if (status == DANA_OK && (titled || style->front))
		status = page_title_find(&s->title, &s->log, recorder_tags(s->recorder), title, buf_slice(&s->url),
					 text_begin(s));
	s->facts.value[HEAD_TITLE] = s->title.text;
	if (status == DANA_OK)
		status = write_markdown(&s->composed, style, titled ? begin_with_title(s) : slice_of(NULL, 0),
					&s->markdown, s->max_text);
	return status < 0 ? status : write_head(s, &s->facts);
}

bool structure_has_facts(const struct structure *s)
{
	return s->has_facts;
}

int structure_facts(struct structure *s, const struct head_facts *facts)
{
	struct head_facts all = *facts;
	static const enum head_fact own[] = { HEAD_TITLE, HEAD_URL };
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (s->facts.value[own[i]].len)
			all.value[own[i]] = s->facts.value[own[i]];
	}
	return write_head(s, &all);
}

static int compose_blocks(struct structure *s)
{
	struct style plain = s->style;
	plain.plain = true;
	plain.markup = NULL;
	const int status = compose(&s->composed, s->page, &plain, buf_slice(&s->url), s->options.dropped);
	return status < 0 ? status : write_blocks(&s->composed, &s->blocks, s->max_text);
}

int structure_finish(struct structure *s, struct slice spans, struct slice text, struct slice title)
{
	bool any = false;
	begin_results(s);
	/* what the method keeps, or the whole page if all of it has to be listed */
	static const struct replay_part all = { 0, UINT64_MAX };
	const bool reserve = keeps_reserve(&s->log, spans);
	struct replay_part part = s->options.dropped || reserve ? all : replay_part_of(&s->log, spans);
	recorder_show_reserve(s->recorder, reserve);
	int status = DANA_OK;
	for (bool begun = false, sure = false; !begun && !sure; part.from = 0) {
		status = replay(s->recorder, &s->log, part, &begun, &s->page);
		if (status < 0)
			return status;
		any = keep_pieces(s->page, spans, s->options.parts, s->style.headings);
		/* a piece with words that is not kept must come first, on which pieces without words depend */
		sure = true;
		bool words = false;
		for (uint32_t i = 0; i < s->page->n_pieces; i++) {
			if (s->page->piece[i].kept) {
				sure = words && i >= TITLE_REACH;
				break;
			}
			words |= !s->page->piece[i].wordless;
		}
	}
	if (status == DANA_OK && !any && text.len)
		status = recorder_take_lines(s->recorder, text, false, &s->page);
	if (status == DANA_OK && any)
		status = notes_pair(s->page);
	if (status == DANA_OK && s->options.markdown)
		status = compose_markdown(s, title);
	return status < 0 || !s->options.blocks ? status : compose_blocks(s);
}

int structure_text(struct structure *s, struct slice text, bool markdown)
{
	begin_results(s);
	int status = recorder_take_lines(s->recorder, text, true, &s->page);
	if (status == DANA_OK && s->options.markdown)
		status = markdown && !s->style.markup ? buf_append(&s->markdown, text.data, text.len)
						      : compose_markdown(s, slice_of(NULL, 0));
	return status < 0 || !s->options.blocks ? status : compose_blocks(s);
}

struct slice structure_markdown(const struct structure *s)
{
	return buf_slice(&s->markdown);
}

struct slice structure_blocks(const struct structure *s)
{
	return buf_slice(&s->blocks);
}

int structure_list(struct structure *s, const struct dana_structure_block **blocks, size_t *count)
{
	int status = DANA_OK;
	if (s->page && s->options.blocks && !s->listed) {
		status = list_blocks(&s->composed, &s->list);
		s->listed = status == DANA_OK;
	}
	*count = s->listed ? s->list.blocks.len / sizeof(**blocks) : 0;
	*blocks = *count ? (const struct dana_structure_block *)(const void *)s->list.blocks.data : NULL;
	return status;
}

bool structure_cut(const struct structure *s)
{
	return s->page && (s->page->cut || s->log.cut);
}

void structure_reset(struct structure *s)
{
	page_log_reset(&s->log);
	buf_clear(&s->url);
	s->page = NULL;
	s->listed = s->has_facts = s->alone = false;
	s->head = 0;
	buf_clear(&s->markdown);
	buf_clear(&s->blocks);
}

void structure_free(struct structure *s)
{
	if (!s)
		return;
	page_log_free(&s->log);
	recorder_free(s->recorder);
	compose_free(&s->composed);
	page_title_free(&s->title);
	block_list_free(&s->list);
	buf_free(&s->url);
	buf_free(&s->markdown);
	buf_free(&s->blocks);
	free(s);
}
