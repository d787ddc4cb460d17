/* SPDX-License-Identifier: MIT */
/*
 * Which links are references of footnotes, and what their notes are. Generators of pages have their own names for both;
 * what they share is a short raised text that leads to a place after it, which mostly leads back.
 *
 * Example: a<sup><a href="#n1" id="r1">1</a></sup> <p><a href="#r1" id="n1">[1]</a> Words</p> is "a[^1]" and
 * "[^1]: Words".
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/html/entity.h"
#include "extract/structure/escape.h"
#include "extract/structure/page.h"

enum { REFERENCE_MOST = 40, NAME_MOST = 24, NAME_TRIES = 100 };

/** Numbers by the hash of a name, as open addressing: as many places as needed for less than half to be taken. */
struct name_table {
	struct {
		uint64_t hash;
		uint32_t number; /* counted from 1; 0: the place is free */
	} * place;
	size_t mask;
};

static int table_init(struct name_table *table, size_t count)
{
	size_t size = 8;
	while (size < 2 * count + 1)
		size *= 2;
	table->mask = size - 1;
	table->place = calloc(size, sizeof(*table->place));
	return table->place ? DANA_OK : DANA_ENOMEM;
}

/* Returns the place of a hash, free or not. */
static size_t table_find(const struct name_table *table, uint64_t hash)
{
	size_t at = hash & table->mask;
	while (table->place[at].number && table->place[at].hash != hash)
		at = (at + 1) & table->mask;
	return at;
}

/* Returns the number that the hash has now: the one it had, if any. */
static uint32_t table_add(struct name_table *table, uint64_t hash, uint32_t number)
{
	const size_t at = table_find(table, hash);
	if (!table->place[at].number) {
		table->place[at].hash = hash;
		table->place[at].number = number;
	}
	return table->place[at].number;
}

static struct slice text_of(const struct structure_page *page, uint32_t from, uint32_t to)
{
	return slice_of(page->text.data + from, to - from);
}

static struct slice piece_text(const struct structure_page *page, const struct piece *piece)
{
	return text_of(page, piece->text, piece->text + piece->len);
}

static struct slice without_prefix(struct slice s, const char *prefix)
{
	return slice_is(slice_first(s, strlen(prefix)), prefix) ? slice_skip(s, strlen(prefix)) : s;
}

/* Returns whether text can be the name of a note in Markdown. */
static bool is_name(struct slice s)
{
	bool names = s.len && s.len <= NAME_MOST;
	for (size_t i = 0; i < s.len && names; i++)
		names = ascii_is_alpha(s.data[i]) || ascii_is_digit(s.data[i]) || s.data[i] == '_' || s.data[i] == '-';
	return names;
}

/* Returns the length of white space, brackets and dots at the beginning of source text. */
static size_t lead(struct slice s)
{
	size_t len = 0, taken, decoded;
	uint8_t text[8];
	for (; len < s.len; len += taken) {
		const uint8_t c = s.data[len];
		taken = 1;
		if (c == '&')
			taken = html_entity_decode(slice_skip(s, len), text, &decoded);
		else if (c == 0xC2 && len + 1 < s.len && s.data[len + 1] == 0xA0)
			taken = 2;
		else if (!ascii_is_space(c) && !strchr("[](){}.:^", c))
			break;
		if (!taken || (c == '&' && letter_kind_first(slice_of(text, decoded)) != LETTER_WHITE &&
			       !(text[0] == 0xC2 && text[1] == 0xA0)))
			break;
	}
	return len;
}

/* Returns what a reference or a label shows without its brackets. */
static struct slice shown_mark(struct slice s)
{
	s = slice_skip(s, lead(s));
	size_t len = s.len;
	while (len && (ascii_is_space(s.data[len - 1]) || strchr("[](){}.:", s.data[len - 1])))
		len--;
	return slice_first(s, len);
}

/* A link to a place of the page in a kept piece. */
struct place_link {
	uint32_t mark, end, piece; /* the mark that closes it, or the end of the piece's marks */
	bool raised;               /* raised text is in it */
};

/* Finds the next link to a place from mark `i` of a piece on. */
static bool next_link(const struct structure_page *page, const struct piece *piece, uint32_t i, struct place_link *link)
{
	for (; i < piece->marks_end; i++) {
		const struct mark *mark = &page->mark[i];
		if (mark->kind == MARK_PLACE && !mark->closes)
			break;
	}
	if (i >= piece->marks_end)
		return false;
	*link = (struct place_link){ .mark = i, .end = piece->marks_end, .piece = (uint32_t)(piece - page->piece) };
	for (i++; i < link->end; i++) {
		link->raised |= page->mark[i].kind == MARK_RAISED;
		if (page->mark[i].kind == MARK_PLACE)
			link->end = i;
	}
	return true;
}

static struct slice link_text(const struct structure_page *page, const struct place_link *link)
{
	const struct piece *piece = &page->piece[link->piece];
	return text_of(page, page->mark[link->mark].at,
		       link->end < piece->marks_end ? page->mark[link->end].at : piece->text + piece->len);
}

/* The work of one page. */
struct pairing {
	struct structure_page *page;
	struct name_table ids;     /* targets by their ids */
	struct name_table names;   /* of notes */
	struct name_table anchors; /* ids in pieces with references */
};

/* Returns the target that a link leads to, which is after it; NULL if none is. */
static struct note_target *target_of(const struct pairing *p, const struct place_link *link)
{
	const struct structure_page *page = p->page;
	const struct mark *mark = &page->mark[link->mark];
	const struct slice id = page_argument(page, mark->argument, mark->len);
	const uint32_t number = p->ids.place[table_find(&p->ids, id_hash(id))].number;
	const struct slice text = slice_trim(link_text(page, link));
	if (!number || !text.len || text.len > REFERENCE_MOST || mark->role >= PLACE_NOTE)
		return NULL;
	struct note_target *t = &page->target[page->target[number - 1].same];
	return t->piece > link->piece ? t : NULL;
}

/* Leads a link of a target back to a reference? Its id is known then, or begins as such ids do. */
static bool leads_back(const struct pairing *p, const struct place_link *link)
{
	const struct mark *mark = &p->page->mark[link->mark];
	const struct slice id = page_argument(p->page, mark->argument, mark->len);
	const struct slice own = without_prefix(id, "user-content-");
	return mark->role == PLACE_BACK || without_prefix(own, "fnref").len < own.len ||
	       p->anchors.place[table_find(&p->anchors, id_hash(id))].number;
}

/* Lets the words of a note begin after its label and what follows that, but for code, pictures and formulas. */
static void begin_after(const struct structure_page *page, struct piece *piece, uint32_t label)
{
	uint32_t at = label + (uint32_t)lead(text_of(page, label, piece->text + piece->len));
	for (uint32_t i = piece->mark; i < piece->marks_end; i++) {
		const struct mark *mark = &page->mark[i];
		const bool whole = mark->kind == MARK_CODE || mark->kind >= MARK_NESTING_KINDS;
		if (mark->at < label && whole)
			return;
		if (mark->at >= label && mark->at < at && !mark->closes)
			at = mark->at;
	}
	piece->len -= at - piece->text;
	piece->text = at;
}

/* Takes what is before a note's words off its first piece: its number, links back, and what is around them. */
static void take_label(struct pairing *p, struct note_target *t)
{
	struct structure_page *page = p->page;
	struct piece *piece = &page->piece[t->piece];
	const struct slice mark = page_argument(page, t->name, t->name_len);
	struct slice text = piece_text(page, piece);
	uint32_t at = piece->text;
	struct place_link link = { .mark = piece->mark };
	bool labelled = false;
	/* links back */
	for (uint32_t i = piece->mark; next_link(page, piece, i, &link); i = link.end) {
		const struct slice shown = link_text(page, &link);
		if (!leads_back(p, &link) || letter_kind_any(text_of(page, at, page->mark[link.mark].at)))
			break;
		at = (uint32_t)(shown.data + shown.len - page->text.data);
		labelled = true;
	}
	/* or the number, in a bracket, before one, before a dot, or as an element */
	text = text_of(page, at, piece->text + piece->len);
	const size_t before = lead(text);
	const struct slice own = slice_skip(text, before);
	if (!labelled && mark.len && slice_equal(slice_first(own, mark.len), mark)) {
		const uint32_t end = (uint32_t)(own.data + mark.len - page->text.data);
		const uint8_t next = own.len > mark.len ? own.data[mark.len] : ']';
		const uint8_t after = own.len > mark.len + 1 ? own.data[mark.len + 1] : ' ';
		labelled = next == ']' || next == ')' || ((next == '.' || next == ':') && ascii_is_space(after));
		for (uint32_t i = piece->mark; i < piece->marks_end && !labelled; i++)
			labelled = page->mark[i].at == end;
		at = labelled ? end : at;
	}
	if (labelled)
		begin_after(page, piece, at);
}

/* Returns whether pieces have words, or whether those do that are kept. */
static bool any_words(const struct structure_page *page, uint32_t from, uint32_t to, bool kept)
{
	bool found = false;
	for (; from < to && !found; from++)
		found = (page->piece[from].kept || !kept) && !page->piece[from].wordless &&
			letter_kind_any(piece_text(page, &page->piece[from]));
	return found;
}

/* A note whose element has its label only is what comes after it: up to the next note, one block for the last. */
static void extend(struct structure_page *page, struct note_target *t, uint32_t next)
{
	uint32_t to = t->end;
	const uint32_t most = next ? page->target[next].piece : to + 1;
	for (; to < most && to < page->n_pieces; to++) {
		const struct piece *piece = &page->piece[to];
		if (piece->kind == PIECE_RULE || page->container[piece->container].flags & CONTAINER_IN_HEADING)
			break;
		if (piece->container >= t->to)
			t->to = piece->container + 1;
	}
	t->end = to;
}

static bool is_in(const struct note_target *t, uint32_t container)
{
	return container >= t->from && container < t->to && container != t->note;
}

/* Makes a container of the note, which is in none, and puts into it what is in the target. */
static void enclose(struct structure_page *page, const struct note_target *t)
{
	struct container *note = &page->container[t->note];
	*note = (struct container){ .kind = CONTAINER_NOTE,
				    .line = t->note,
				    .number = (int32_t)t->name,
				    .rows = (uint16_t)t->name_len };
	for (uint32_t k = t->from; k < t->to; k++) {
		struct container *c = &page->container[k];
		if (k == t->note)
			continue;
		/* a part of what is outside */
		const bool part = (c->kind == CONTAINER_ITEM || c->kind == CONTAINER_TERM ||
				   c->kind == CONTAINER_MEANING || c->kind == CONTAINER_CAPTION) &&
				  !is_in(t, c->parent);
		if (part || ((c->kind == CONTAINER_ROW || c->kind == CONTAINER_CELL) && !is_in(t, c->table))) {
			*c = *note;
			c->kind = CONTAINER_PAGE;
		} else {
			const struct container *line = &page->container[c->line];
			if (!is_in(t, c->line) || line->kind == CONTAINER_PAGE)
				c->line = t->note;
			if (!is_in(t, c->table))
				c->table = c->row = c->cell = 0;
		}
		if (!is_in(t, c->parent))
			c->parent = t->note;
		if (c->kind != CONTAINER_HEADING && !(page->container[c->parent].flags & CONTAINER_IN_HEADING))
			c->flags &= (uint16_t)~CONTAINER_IN_HEADING; /* the heading is outside */
	}
	for (uint32_t i = t->piece; i < t->end; i++) {
		if (!is_in(t, page->piece[i].container))
			page->piece[i].container = t->note;
	}
}

/* Names a note: by its id where generators name notes so, by what its reference shows, or by a number. */
static int name_note(struct pairing *p, struct note_target *t, uint32_t number)
{
	struct structure_page *page = p->page;
	const struct slice id = without_prefix(page_argument(page, t->id, t->len), "user-content-");
	struct slice name = without_prefix(id, "fn");
	if (name.len == id.len)
		name = slice_of(NULL, 0);
	else if (name.len && (name.data[0] == '-' || name.data[0] == ':'))
		name = slice_skip(name, 1);
	if (!is_name(name))
		name = page_argument(page, t->name, t->name_len);
	if (is_name(name) && table_add(&p->names, id_hash(name), number) == number) {
		t->name = (uint32_t)(name.data - page->arguments.data);
		t->name_len = (uint32_t)name.len;
		return DANA_OK;
	}
	for (unsigned i = number; i < number + NAME_TRIES; i++) {
		const size_t at = page->arguments.len;
		const int status = buf_printf(&page->arguments, "note-%u", i);
		if (status < 0)
			return status;
		name = slice_skip(buf_slice(&page->arguments), at);
		t->name = (uint32_t)at;
		t->name_len = (uint32_t)name.len;
		if (table_add(&p->names, id_hash(name), number) == number)
			break;
	}
	return DANA_OK;
}

/* Stores what the reference of a note shows, and that the ids in its line may be led back to. */
static int refer(struct pairing *p, struct note_target *t, const struct place_link *link)
{
	const struct slice shown = shown_mark(link_text(p->page, link));
	t->referred = true;
	t->shown = link->mark;
	t->name = (uint32_t)p->page->arguments.len;
	t->name_len = (uint32_t)shown.len;
	return buf_append(&p->page->arguments, shown.data, shown.len);
}

/*
 * Returns whether a link that comes after words shows a number, in brackets or touching them, and its target begins
 * with the same number and a mark: "so.2" leads to "2. Where it is".
 */
static bool is_numbered(const struct structure_page *page, const struct place_link *link, const struct note_target *t)
{
	enum { DIGITS_MOST = 3 };
	const struct piece *piece = &page->piece[link->piece], *first = &page->piece[t->piece];
	const struct slice text = link_text(page, link), shown = shown_mark(text);
	const struct slice before = text_of(page, piece->text, page->mark[link->mark].at);
	bool digits = shown.len && shown.len <= DIGITS_MOST && t->piece < page->n_pieces;
	for (size_t i = 0; i < shown.len && digits; i++)
		digits = ascii_is_digit(shown.data[i]);
	if (!digits || first->kind != PIECE_TEXT ||
	    (shown.len == slice_trim(text).len && ascii_is_space(before.data[before.len - 1])) ||
	    page->container[first->container].flags & CONTAINER_IN_HEADING)
		return false;
	struct slice note = piece_text(page, first);
	note = slice_skip(note, lead(note));
	return note.len > shown.len && slice_equal(slice_first(note, shown.len), shown) &&
	       strchr(".):]", note.data[shown.len]);
}

/*
 * Finds the references in kept pieces: surely those that are raised, named so or of a numbered note, else those that
 * are led back to.
 */
static int find_references(struct pairing *p)
{
	struct structure_page *page = p->page;
	struct place_link link;
	int status = DANA_OK;
	uint32_t anchor = 0;
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		struct piece *piece = &page->piece[i];
		bool any = false;
		piece->one_way = false;
		for (uint32_t k = piece->mark; piece->kept && next_link(page, piece, k, &link); k = link.end)
			any |= target_of(p, &link) != NULL;
		while (anchor < page->n_anchors && page->anchor[anchor].piece < i)
			anchor++;
		for (; any && anchor < page->n_anchors && page->anchor[anchor].piece == i; anchor++)
			(void)table_add(&p->anchors, page->anchor[anchor].id, 1);
	}
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		const struct piece *piece = &page->piece[i];
		uint32_t seen = piece->text; /* of its text, in search of words */
		bool words = false;
		for (uint32_t k = piece->mark; piece->kept && next_link(page, piece, k, &link); k = link.end) {
			struct note_target *t = target_of(p, &link);
			const uint32_t at = page->mark[link.mark].at;
			if (!words && at > seen) {
				words = letter_kind_any(text_of(page, seen, at));
				seen = at;
			}
			if (!t || t->referred)
				continue;
			bool sure = link.raised || page->mark[link.mark].role == PLACE_REFERENCE ||
				    (words && is_numbered(page, &link, t));
			struct place_link back;
			struct piece *first = &page->piece[t->piece];
			if (!sure && t->piece < page->n_pieces && !first->one_way) {
				for (uint32_t m = first->mark; !sure && next_link(page, first, m, &back); m = back.end)
					sure = leads_back(p, &back);
				first->one_way = !sure;
			}
			if (sure && status == DANA_OK)
				status = refer(p, t, &link);
		}
	}
	return status;
}

/* Writes the notes that are referred to and kept, in the order of the page. */
static int write_notes(struct pairing *p)
{
	struct structure_page *page = p->page;
	uint32_t after = 0; /* the piece after the last note */
	int status = DANA_OK;
	for (uint32_t i = 0; i < page->n_targets && status == DANA_OK; i++) {
		struct note_target *t = &page->target[i];
		uint32_t next = i + 1;
		if (!t->referred || t->piece < after || t->piece >= page->n_pieces)
			continue;
		while (next < page->n_targets && !(page->target[next].referred && page->target[next].piece > t->piece))
			next++;
		if (t->end > page->n_pieces)
			t->end = page->n_pieces;
		const struct piece was = page->piece[t->piece];
		take_label(p, t);
		if (!any_words(page, t->piece, t->end, false))
			extend(page, t, next < page->n_targets ? next : 0);
		if (!any_words(page, t->piece, t->end, true)) {
			page->piece[t->piece] = was;
			continue;
		}
		t->written = true;
		after = t->end;
		status = name_note(p, t, i + 1);
		enclose(page, t);
		struct place_link link;
		for (uint32_t k = t->piece; k < t->end; k++) {
			const struct piece *piece = &page->piece[k];
			for (uint32_t m = piece->mark; next_link(page, piece, m, &link); m = link.end) {
				if (leads_back(p, &link))
					page->mark[link.mark].role = PLACE_LABEL;
			}
		}
	}
	return status;
}

/*
 * Notes without links: raised numbers from 1 on in the text, and after them as many paragraphs that begin with a raised
 * number, or items of an ordered list below a heading. Items of ordered lists beside the text, each after its number,
 * come first.
 *
 * Example: Said.<sup>1</sup> <p><sup>1</sup> Words</p> is "Said.[^1]" and "[^1]: Words".
 */

enum { NUMBERED_MOST = 9999 };

/* Returns the number that raised text from mark `i` of a piece on is, else 0; *end: the mark that closes it. */
static uint32_t raised_number(const struct structure_page *page, const struct piece *piece, uint32_t i, uint32_t *end)
{
	const struct mark *mark = &page->mark[i];
	uint32_t number = 0;
	*end = i + 1;
	if (mark->kind != MARK_RAISED || mark->closes || *end >= piece->marks_end || mark[1].kind != MARK_RAISED)
		return 0;
	const struct slice text = slice_trim(text_of(page, mark->at, mark[1].at));
	for (size_t k = 0; k < text.len; k++) {
		if (!ascii_is_digit(text.data[k]) || number > NUMBERED_MOST || (k == 0 && text.data[k] == '0'))
			return 0;
		number = number * 10 + (uint32_t)(text.data[k] - '0');
	}
	return number;
}

/*
 * Returns the number of the note that begins with a piece, else 0; *label: bytes of it. `aside`: notes are the items of
 * lists beside the text.
 */
static uint32_t begins_note(const struct structure_page *page, uint32_t i, bool aside, uint32_t *label)
{
	const struct piece *piece = &page->piece[i];
	const struct container *item = &page->container[page->container[piece->container].line];
	uint32_t end, number = 0;
	*label = 0;
	if (!piece->kept || piece->kind != PIECE_TEXT || page->container[piece->container].table)
		return 0;
	if (!aside && piece->mark < piece->marks_end && page->mark[piece->mark].at == piece->text)
		number = raised_number(page, piece, piece->mark, &end);
	if (number)
		*label = page->mark[end].at - piece->text;
	else if (item->kind == CONTAINER_ITEM && item->flags & CONTAINER_ORDERED && item->number > 0 && i &&
		 (!aside || item->flags & CONTAINER_ASIDE) &&
		 page->container[page->piece[i - 1].container].line != page->container[piece->container].line)
		number = (uint32_t)item->number;
	/* a list below a heading */
	if (number == 1 && !aside && !*label &&
	    !(page->container[page->piece[i - 1].container].flags & CONTAINER_IN_HEADING))
		number = 0;
	return number;
}

/* Returns whether a number after this text may refer to a note: it is not the exponent of a number or of a unit. */
static bool may_refer(struct slice before)
{
	size_t letters = 0;
	before = slice_trim(before);
	const uint8_t last = before.len ? before.data[before.len - 1] : ' ';
	while (letters < before.len &&
	       (ascii_is_alpha(before.data[before.len - letters - 1]) || before.data[before.len - letters - 1] >= 0x80))
		letters++;
	return letters ? letters > 2 : before.len && !ascii_is_digit(last);
}

/* Lets white space before raised text, which has more after it, be after it too: a mark touches its word. */
static void touch_word(struct structure_page *page, const struct piece *piece, uint32_t k, uint32_t end)
{
	struct mark *mark = page->mark;
	const uint32_t after = mark[end].at, least = k > piece->mark ? mark[k - 1].at : piece->text;
	uint32_t at = mark[k].at;
	uint8_t *const text = page->text.data;
	while (at > least && ascii_is_space(text[at - 1]))
		at--;
	const uint32_t white = mark[k].at - at;
	if (!white || after == piece->text + piece->len || !ascii_is_space(text[after]))
		return;
	memmove(text + at, text + at + white, after - at - white);
	memset(text + after - white, ' ', white);
	mark[k].at = at;
	mark[end].at = after - white;
}

/*
 * Finds the references before piece `last` to notes 1 to `count`, each before its note; `mark`: sets their marks.
 * Returns how many are there.
 */
static uint32_t find_numbers(struct structure_page *page, uint32_t last, uint32_t count, bool aside, bool mark)
{
	uint32_t found = 0, notes = 0, label;
	for (uint32_t i = 0; i < last; i++) {
		const struct piece *piece = &page->piece[i];
		uint32_t end;
		if (aside && begins_note(page, i, aside, &label) == notes + 1) {
			if (++notes > found)
				return 0;
			continue;
		}
		for (uint32_t k = piece->mark; piece->kept && piece->kind == PIECE_TEXT && k < piece->marks_end;
		     k = end) {
			const uint32_t number = raised_number(page, piece, k, &end);
			if (!number || number > found + 1 || number > count ||
			    !may_refer(text_of(page, piece->text, page->mark[k].at)))
				continue;
			found = number > found ? number : found;
			if (!mark)
				continue;
			touch_word(page, piece, k, end);
			page->mark[k].role = PLACE_NOTE;
			page->mark[k].argument = (uint32_t)page->arguments.len;
			(void)buf_printf(&page->arguments, "%u", number);
			page->mark[k].len = (uint32_t)(page->arguments.len - page->mark[k].argument);
		}
	}
	return found;
}

/* Makes a note of the piece that begins it. */
static int number_note(struct structure_page *page, uint32_t i, uint32_t number, uint32_t label)
{
	struct piece *piece = &page->piece[i];
	struct container *more = grow_items(page->container, page->n_containers, &page->cap_containers, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	page->container = more;
	const bool item = !label && page->container[page->container[piece->container].line].kind == CONTAINER_ITEM;
	const uint32_t line = page->container[piece->container].line;
	struct note_target t = { .piece = i,
				 .end = i + 1,
				 .from = item ? line : 0,
				 .to = item ? line + 1 : 0,
				 .note = page->n_containers++,
				 .name = (uint32_t)page->arguments.len };
	if (buf_printf(&page->arguments, "%u", number) < 0)
		return DANA_ENOMEM;
	t.name_len = (uint32_t)(page->arguments.len - t.name);
	enclose(page, &t);
	if (label)
		begin_after(page, piece, piece->text + label);
	return DANA_OK;
}

static int pair_numbers(struct structure_page *page, bool aside)
{
	uint32_t first = 0, last = 0, count = 0, label;
	for (uint32_t i = 0; i < page->n_pieces; i++) {
		const uint32_t number = begins_note(page, i, aside, &label);
		if (number == 1) {
			first = last = i;
			count = 1;
		} else if (number && number == count + 1) {
			last = i;
			count++;
		}
	}
	const uint32_t to = aside ? last : first;
	if (!count || page->n_containers + count > STRUCTURE_CONTAINERS ||
	    find_numbers(page, to, count, aside, false) != count)
		return aside ? pair_numbers(page, false) : DANA_OK;
	(void)find_numbers(page, to, count, aside, true);
	int status = buf_status(&page->arguments);
	for (uint32_t i = first, next = 1; i < page->n_pieces && status == DANA_OK; i++) {
		if (begins_note(page, i, aside, &label) == next)
			status = number_note(page, i, next++, label);
	}
	return status;
}

int notes_pair(struct structure_page *page)
{
	struct pairing p = { .page = page };
	struct place_link link;
	if (!page->n_targets)
		return page->raised ? pair_numbers(page, true) : DANA_OK;
	int status = table_init(&p.ids, page->n_targets);
	if (status == DANA_OK)
		status = table_init(&p.names, (size_t)page->n_targets * 2);
	if (status == DANA_OK)
		status = table_init(&p.anchors, page->n_anchors);
	for (uint32_t i = 0; i < page->n_targets && status == DANA_OK; i++) {
		const struct note_target *t = &page->target[i];
		(void)table_add(&p.ids, id_hash(page_argument(page, t->id, t->len)), i + 1);
	}
	if (status == DANA_OK)
		status = find_references(&p);
	if (status == DANA_OK)
		status = write_notes(&p);
	for (uint32_t i = 0; i < page->n_pieces && status == DANA_OK; i++) {
		const struct piece *piece = &page->piece[i];
		for (uint32_t k = piece->mark; piece->kept && next_link(page, piece, k, &link); k = link.end) {
			const struct note_target *t = target_of(&p, &link);
			struct mark *mark = &page->mark[link.mark];
			if (!t || !t->written)
				continue;
			mark->role = PLACE_NOTE;
			mark->argument = t->name;
			mark->len = t->name_len;
		}
	}
	bool any = false;
	for (uint32_t i = 0; i < page->n_targets; i++)
		any |= page->target[i].written;
	if (status == DANA_OK && !any && page->raised)
		status = pair_numbers(page, true);
	free(p.ids.place);
	free(p.names.place);
	free(p.anchors.place);
	return status;
}
