/* SPDX-License-Identifier: MIT */
/* Finds the title of a page: compares its headings with <title> and og:title, and cuts the name of the site off. */
#include "config.h"

#include "extract/structure/page_title.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"

enum {
	MAIN_MOST = 16,      /* h1s that are looked at */
	HEADINGS_MOST = 48,  /* ... and with them h2s and h3s */
	ENTRIES_MOST = 512,  /* of the log, in one of them */
	HEADING_MOST = 1024, /* bytes of its text */
	SITE_WORDS = 5,      /* of a site's name that nothing but its place tells from the title */
	CUTS_MOST = 4,       /* of parts that are cut off a title */
	HOST_LETTERS = 3,    /* of a name that is looked for in the host */
	WORD_LETTERS = 4,    /* bytes of a word that two titles share */
	HEADLINE_AWAY = 400, /* bytes of text between a headline and the text */
	TITLE_LETTERS = 512, /* of a title that is looked for in lines of the page */
};

/*
 * Texts are compared by their letters and digits alone, without case: an h1 and a title often differ in quotation
 * marks, dashes and blanks.
 */
static int letters_append(struct buf *to, struct slice text)
{
	int status = DANA_OK;
	for (size_t i = 0; i < text.len && status == DANA_OK;) {
		uint32_t c;
		const size_t len = utf8_decode(slice_skip(text, i), &c);
		const bool sign = (c >= 0x80 && c < 0xC0) || (c >= 0x2000 && c < 0x2070) || (c >= 0x3000 && c < 0x3040);
		if (c >= 0x80 && !sign)
			status = buf_append(to, text.data + i, len);
		else if (ascii_is_alpha((uint8_t)c) || (c < 0x80 && ascii_is_digit((uint8_t)c)))
			status = buf_append_byte(to, ascii_lower((uint8_t)c));
		i += len;
	}
	return status;
}

static bool holds(struct slice text, struct slice part)
{
	return part.len && part.len <= text.len && memmem(text.data, text.len, part.data, part.len);
}

static bool same(struct slice a, struct slice b)
{
	return a.len && slice_equal(a, b);
}

/* Returns whether these letters are the site's name, its host, or both. */
static bool names_site(const struct page_title *t, struct slice letters)
{
	const struct slice site = buf_slice(&t->site), host = buf_slice(&t->host);
	const size_t name = slice_equal(slice_first(letters, site.len), site) ? site.len : 0;
	return same(letters, site) || (letters.len >= HOST_LETTERS && holds(host, letters)) ||
	       (letters.len >= name + HOST_LETTERS && holds(host, slice_skip(letters, name)));
}

/* Returns whether a character is of a script that writes words without blanks between them. */
static bool is_dense(uint32_t c)
{
	return c >= 0x3040 && c < 0xFF00;
}

/* Returns whether a word of a text is in the letters of another; where blanks part no words, two characters of it. */
static bool shares_word(struct page_title *t, struct slice text, struct slice letters)
{
	bool shares = false;
	for (size_t i = 0, from = 0, before = 0; i <= text.len && !shares;) {
		uint32_t c = ' ';
		const size_t len = i < text.len ? utf8_decode(slice_skip(text, i), &c) : 1;
		buf_clear(&t->letters);
		if (is_dense(c)) {
			if (before)
				shares = holds(letters, slice_of(text.data + i - before, before + len));
			before = len;
			from = i + len;
		} else {
			before = 0;
			if (c < 0x80 && !ascii_is_alpha((uint8_t)c) && !ascii_is_digit((uint8_t)c)) {
				if (letters_append(&t->letters, slice_of(text.data + from, i - from)) < 0)
					return true;
				shares = t->letters.len >= WORD_LETTERS && holds(letters, buf_slice(&t->letters));
				from = i + len;
			}
		}
		i += len;
	}
	return shares;
}

/* ---- <title> without the name of the site ---- */

/** What parts a title from the name of the site. */
struct separator {
	const char *text;
	enum {
		FREE,     /* it is rarely a part of titles */
		ONCE,     /* it is a part of titles, too: it parts the last name only */
		SECTIONS, /* ... and the names of the site's sections */
	} kind;
};

static const struct separator separators[] = {
	{ " - ", ONCE }, { " – ", ONCE },   { " — ", ONCE }, { " · ", FREE },  { " • ", FREE },
	{ " » ", FREE }, { " « ", FREE },   { " ‹ ", FREE }, { " › ", FREE },  { " :: ", FREE },
	{ " : ", ONCE }, { " / ", ONCE },   { " ~ ", ONCE }, { " // ", ONCE }, { "|", FREE },
	{ "｜", FREE },  { "_", SECTIONS }, { " －", ONCE }, { "—", ONCE },    { "-", SECTIONS },
};

static size_t words_of(struct slice text)
{
	size_t n = 0;
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] != ' ' && (i == 0 || text.data[i - 1] == ' ');
	return n;
}

/* Returns whether the characters on both sides of a place are of Chinese and the like; bytes of 3 or more tell. */
static bool is_between_dense(struct slice title, size_t at, size_t end)
{
	uint32_t after = 0;
	(void)utf8_decode(slice_skip(title, end), &after);
	return at >= 3 && title.data[at - 1] >= 0x80 && title.data[at - 3] >= 0xE3 && is_dense(after);
}

/* A mark without blanks parts words of Chinese and the like, not "well-known" or "snake_case". */
static bool parts_at(struct slice title, size_t at, const char *text)
{
	const size_t len = strlen(text), end = at + len;
	if (end >= title.len || at == 0 || title.data[at] != (uint8_t)text[0] ||
	    memcmp(title.data + at, text, len) != 0)
		return false;
	if (text[0] == '-')
		return is_between_dense(title, at, end);
	if (strcmp(text, " » ") == 0 && memmem(title.data, at, "«", strlen("«")))
		return false; /* quotation marks */
	if (strcmp(text, " « ") == 0 && memmem(title.data + end, title.len - end, "»", strlen("»")))
		return false;
	return (text[0] != '_' && strcmp(text, "—") != 0) || (title.data[at - 1] >= 0x80 && title.data[end] >= 0x80);
}

/* Returns the last separator of the title, or the first one; NULL: it has none. */
static const struct separator *find_separator(struct slice title, bool last, size_t *at)
{
	const struct separator *found = NULL;
	for (size_t i = 1; i < title.len && (last || !found); i++) {
		if (ascii_is_alpha(title.data[i]))
			continue;
		for (size_t k = 0; k < sizeof(separators) / sizeof(*separators); k++) {
			if (!parts_at(title, i, separators[k].text))
				continue;
			found = &separators[k];
			*at = i;
			break;
		}
	}
	return found;
}

/*
 * Cuts what og:title does not have off, if it has a part of the title from its beginning, which is most of og:title.
 */
static void cut_declared(struct page_title *t, struct slice *title)
{
	const struct slice declared = buf_slice(&t->declared);
	struct slice rest = *title;
	size_t at, all = 0, most = 0;
	const struct separator *next;
	while ((next = find_separator(rest, false, &at))) {
		all += at;
		buf_clear(&t->letters);
		if (letters_append(&t->letters, slice_first(*title, all)) < 0 ||
		    !holds(declared, buf_slice(&t->letters)))
			break;
		most = 2 * t->letters.len >= declared.len && !names_site(t, buf_slice(&t->letters)) ? all : most;
		all += strlen(next->text);
		rest = slice_skip(*title, all);
	}
	if (!next && most) { /* og:title has all parts but the last one: does it have that, too? */
		buf_clear(&t->letters);
		if (letters_append(&t->letters, *title) < 0 || holds(declared, buf_slice(&t->letters)))
			return;
	}
	if (most)
		*title = slice_trim(slice_first(*title, most));
}

/* Returns whether the first part of a title comes twice: it is the site's name. */
static bool begins_twice(struct page_title *t, struct slice title, size_t at, size_t len)
{
	const struct slice rest = slice_skip(title, at + len);
	size_t next;
	if (!find_separator(rest, false, &next))
		return false;
	buf_clear(&t->letters);
	buf_clear(&t->wanted);
	return letters_append(&t->letters, slice_first(title, at)) == DANA_OK &&
	       letters_append(&t->wanted, slice_first(rest, next)) == DANA_OK &&
	       same(buf_slice(&t->letters), buf_slice(&t->wanted));
}

/* Returns whether two names begin with the same two characters of Chinese and the like: a site and its section. */
static bool begin_alike(struct slice a, struct slice b)
{
	enum { BYTES = 3, SECTION_MOST = 8 };
	uint32_t c = 0;
	return a.len >= 2 * BYTES && b.len >= 2 * BYTES && b.len <= SECTION_MOST * BYTES &&
	       memcmp(a.data, b.data, 2 * BYTES) == 0 && utf8_decode(a, &c) == BYTES && is_dense(c);
}

/* Cuts first parts off that are the site's name: the page gives it, or the part comes twice. */
static int cut_first(struct page_title *t, struct slice *title)
{
	size_t at;
	int status = DANA_OK;
	for (const struct separator *next; (next = find_separator(*title, false, &at)) && status == DANA_OK;) {
		const size_t len = strlen(next->text);
		if (t->site.len == 0 && begins_twice(t, *title, at, len))
			status = letters_append(&t->site, slice_first(*title, at));
		buf_clear(&t->letters);
		if (status == DANA_OK)
			status = letters_append(&t->letters, slice_first(*title, at));
		if (!same(buf_slice(&t->letters), buf_slice(&t->site)))
			break;
		*title = slice_trim(slice_skip(*title, at + len));
	}
	return status;
}

/* Cuts last parts off that are the site's name together: "Walks - Shore" of "Old trees - Walks - Shore". */
static int cut_last(struct page_title *t, struct slice *title)
{
	struct slice rest = *title;
	int status = DANA_OK;
	size_t at, after;
	for (const struct separator *next; status == DANA_OK && (next = find_separator(rest, false, &at));) {
		const struct slice before = slice_of(title->data, (size_t)(rest.data - title->data) + at);
		rest = slice_skip(rest, at + strlen(next->text));
		buf_clear(&t->letters);
		status = letters_append(&t->letters, rest);
		if (same(buf_slice(&t->letters), buf_slice(&t->site)) && find_separator(rest, false, &after)) {
			*title = slice_trim(before);
			break;
		}
	}
	return status;
}

/* Returns whether og:title is the whole of <title>. */
static bool declares_whole(struct page_title *t, struct slice title)
{
	buf_clear(&t->letters);
	return letters_append(&t->letters, title) == DANA_OK && same(buf_slice(&t->letters), buf_slice(&t->declared));
}

/*
 * Cuts off what phpBB writes before a title, and returns whether it did. Its words are translated, the names of its
 * pages are not.
 *
 * Example: of "The Shore :: View topic - Old trees" the title is "Old trees".
 */
static bool cut_board(const struct page_title *t, struct slice *title)
{
	static const char *const marks[] = { " :: ", " • " }, *const words[] = { "View topic", "View forum" };
	static const char dash[] = " - ";
	struct slice rest = *title;
	bool board = false;
	if (rest.len == 0)
		return false;
	for (size_t i = 0; i < 2; i++) {
		const size_t len = strlen(marks[i]);
		const uint8_t *const mark = memmem(title->data, title->len, marks[i], len);
		const size_t end = mark ? (size_t)(mark - title->data) + len : 0;
		if (mark) {
			rest = slice_skip(*title, end);
			board = holds(t->url, slice_from_text("viewtopic")) ||
				holds(t->url, slice_from_text("viewforum"));
		}
	}
	const uint8_t *const at = memmem(rest.data, rest.len, dash, strlen(dash));
	const size_t before = at ? (size_t)(at - rest.data) : rest.len;
	for (size_t i = 0; i < 2; i++)
		board = board || slice_is(slice_first(rest, before), words[i]);
	if (!board || !at)
		return false;
	*title = slice_trim(slice_skip(rest, before + strlen(dash)));
	return title->len > 0;
}

/* Cuts the site's name off: first parts, if they are the name that the page gives, else last parts that are short. */
static int cut_site(struct page_title *t, struct slice *title)
{
	const struct separator *cut = NULL, *next;
	const size_t whole = title->len;
	struct slice name = slice_of(NULL, 0); /* that was cut last */
	size_t at = 0;
	int status = cut_board(t, title) ? DANA_OK : cut_first(t, title);
	if (status == DANA_OK && title->len == whole)
		status = cut_last(t, title);
	if (title->len < whole)
		return status;
	for (int cuts = 0; cuts < CUTS_MOST && status == DANA_OK && (next = find_separator(*title, true, &at));
	     cuts++) {
		const struct slice before = slice_trim(slice_first(*title, at));
		const struct slice after = slice_trim(slice_skip(*title, at + strlen(next->text)));
		buf_clear(&t->letters);
		status = letters_append(&t->letters, after);
		const struct slice last = buf_slice(&t->letters);
		const bool named = names_site(t, last);
		buf_clear(&t->wanted);
		if (status == DANA_OK)
			status = letters_append(&t->wanted, before);
		/* a mark that is rarely a part of titles says more than the lengths */
		const bool shorter =
			last.len < (next->kind != FREE ? 1U : 2U) * t->wanted.len && words_of(after) <= SITE_WORDS;
		const bool other = cut && (next != cut || next->kind == ONCE) && !begin_alike(name, after);
		if (t->wanted.len == 0 || !(named || (shorter && !other)))
			break;
		if (!named && !cut && next->kind == ONCE && t->site.len && declares_whole(t, *title) &&
		    !shares_word(t, after, buf_slice(&t->site)))
			break; /* the site has another name */
		*title = before;
		cut = next;
		name = after;
	}
	return status;
}

/* ---- the headings of the page ---- */

struct title_heading {
	size_t text, len; /* in `texts` */
	uint64_t from, to;
	size_t entry;
	struct slice link; /* address of its first link */
	bool main;         /* it is an h1 */
	bool linked;       /* that link is all of it */
	bool spaced;       /* it has a blank between elements that the page glues */
	bool boxed;        /* it has words on both sides of the edge of a box, such as a <div> */
};

/** Text between two tags of a heading. */
struct heading_part {
	struct slice text;
	bool inner;  /* it is in an element of the heading */
	bool spaced; /* a blank is before it */
	bool glued;  /* ... that the page does not have */
	bool boxed;  /* the edge of a box is between the heading's begin and it */
};

/* Returns whether an element in a heading is none of its words: hidden, a tool, a link to the heading itself. */
static bool is_apart(struct tag_reader *tags, const struct html_tag_event *event)
{
	const struct tag_facts *facts = tag_facts_of(tags, event);
	const unsigned words = facts->words.meanings;
	return event->tag == HTML_TAG_BUTTON || tag_facts_display(facts, (enum html_tag)event->tag).unseen ||
	       words & (CLASS_READER | CLASS_TOOL | CLASS_EDIT | CLASS_COPY) ||
	       (event->tag == HTML_TAG_A && words & CLASS_ANCHOR);
}

/* Makes a line of source text. */
static int make_line(struct page_title *t, struct slice source)
{
	text_writer_reset(&t->line, 0);
	const int status = text_writer_wrapped(&t->line, source);
	return status < 0 ? status : text_writer_finish(&t->line);
}

/* Returns whether a tag ends words on sight, not in the middle of a word as <b> may. */
static bool is_box(uint8_t tag)
{
	return tag == HTML_TAG_A || tag == HTML_TAG_SPAN || tag == HTML_TAG_SMALL;
}

static bool is_letter(struct slice text)
{
	return text.data[0] >= 0x80 || ascii_is_alpha(text.data[0]) || ascii_is_digit(text.data[0]);
}

/* Returns whether a letter after another one begins a word, as in "ParkOld". */
static bool begins_word(uint8_t before, uint8_t letter)
{
	return before >= 'a' && before <= 'z' && letter >= 'A' && letter <= 'Z';
}

/* Finds the parts of the heading that begins at an entry of the log. Returns their number; *to: its end, 0: none. */
static size_t find_parts(const struct page_log *log, struct tag_reader *tags, size_t entry,
			 struct heading_part parts[ENTRIES_MOST], uint64_t *to)
{
	enum { LETTERS = 2 };           /* of a part that is no initial */
	uint8_t apart = HTML_TAG_OTHER; /* the element that is left out, and how many such are open */
	unsigned open = 0, depth = 0;
	size_t n = 0, bytes = 0;
	bool spaced = false, beside = false, boxed = false;
	*to = 0;
	for (size_t i = entry + 1; i < log->n && i - entry < ENTRIES_MOST && !*to; i++) {
		const struct log_entry *e = &log->entry[i];
		const struct slice text = page_log_part(log, e[-1].end, e->start);
		const bool closing = e->flags & LOG_CLOSING;
		if (!open && !(e->flags & LOG_TEXT_SKIPPED) && text.len) {
			const struct slice before = n ? parts[n - 1].text : slice_of(NULL, 0);
			const struct slice last = slice_skip(before, before.len - (before.len > 0));
			const bool ends = e[-1].flags & LOG_CLOSING && is_box(e[-1].tag);
			const bool glued = before.len >= LETTERS && is_letter(last) && is_letter(text) &&
					   (beside || (ends && begins_word(last.data[0], text.data[0])));
			parts[n++] = (struct heading_part){ text, depth > 0, spaced || glued, glued, boxed };
			bytes += text.len;
			spaced = beside = false;
		}
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		if (html_tag_is(e->tag, TAG_HEADING) || bytes > 4 * (size_t)HEADING_MOST)
			*to = e->end;
		else if (open)
			open = open + (e->tag == apart && !closing) - (e->tag == apart && closing);
		else if (!closing && !html_tag_is(e->tag, TAG_VOID) && is_apart(tags, &event))
			open = 1, apart = e->tag;
		else if (!html_tag_is(e->tag, TAG_VOID))
			depth = closing ? depth - (depth > 0) : depth + 1;
		spaced = spaced || html_tag_is(e->tag, TAG_SPLITS);
		boxed = boxed || (html_tag_is(e->tag, TAG_SPLITS) && !html_tag_is(e->tag, TAG_VOID));
		beside = beside || (!closing && is_box(e->tag) && text.len == 0 && e[-1].flags & LOG_CLOSING &&
				    is_box(e[-1].tag));
	}
	return n;
}

/* Makes a line of parts; its text is added to `texts`. A blank between two parts stays where a line end does not. */
static int add_line(struct page_title *t, const struct heading_part *parts, size_t n, struct title_heading *h)
{
	buf_clear(&t->source);
	for (size_t i = 0; i < n; i++) {
		struct slice text = parts[i].text;
		if (parts[i].spaced) {
			while (t->source.len && ascii_is_space(t->source.data[t->source.len - 1]))
				t->source.len--;
			(void)buf_append_byte(&t->source, ' ');
			while (text.len && ascii_is_space(text.data[0]))
				text = slice_skip(text, 1);
		}
		(void)buf_append(&t->source, text.data, text.len);
	}
	int status = buf_status(&t->source);
	if (status == DANA_OK)
		status = make_line(t, buf_slice(&t->source));
	if (status < 0 || t->line.out.len > HEADING_MOST)
		return status;
	h->text = t->texts.len;
	h->len = t->line.out.len;
	return buf_append(&t->texts, t->line.out.data, t->line.out.len);
}

/* Reads the heading that begins at an entry of the log. */
static int read_heading(struct page_title *t, const struct page_log *log, struct tag_reader *tags, size_t entry,
			struct title_heading *h)
{
	NOT_ZEROED struct heading_part parts[ENTRIES_MOST];
	*h = (struct title_heading){ .from = log->entry[entry].start,
				     .entry = entry,
				     .main = log->entry[entry].tag == HTML_TAG_H1 };
	const size_t n = find_parts(log, tags, entry, parts, &h->to);
	bool words = false; /* before the first box */
	for (size_t i = 0; i < n; i++) {
		const bool text = slice_trim(parts[i].text).len;
		h->spaced = h->spaced || parts[i].glued;
		h->boxed = h->boxed || (words && text && parts[i].boxed);
		words = words || (text && !parts[i].boxed);
	}
	bool inside = false; /* of that link */
	h->linked = true;
	for (size_t i = entry + 1; i < log->n && log->entry[i].start < h->to; i++) {
		const struct log_entry *e = &log->entry[i];
		const bool text = slice_trim(page_log_part(log, e[-1].end, e->start)).len;
		h->linked = h->linked && (inside || !text || e->flags & LOG_TEXT_SKIPPED);
		if (e->tag != HTML_TAG_A || e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		inside = !(e->flags & LOG_CLOSING) && !h->link.len;
		if (!inside)
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		h->link = slice_trim(html_attr_named(&event, "href"));
	}
	return h->to ? add_line(t, parts, n, h) : DANA_OK;
}

/* Reads what a <meta> declares of the title and the site's name. */
static int read_meta(struct page_title *t, const struct html_tag_event *event)
{
	const struct slice name = html_attr_named(event, "property");
	struct buf *to = slice_is(name, "og:site_name") ? &t->site
			 : slice_is(name, "og:title")   ? &t->declared
			 : slice_is(name, "og:url")     ? &t->address
							: NULL;
	if (!to || to->len)
		return DANA_OK;
	int status = make_line(t, html_attr_named(event, "content"));
	const struct slice line = buf_slice(&t->line.out);
	if (status == DANA_OK && to == &t->declared) {
		t->declared_at = t->texts.len;
		t->declared_len = line.len;
		status = buf_append(&t->texts, line.data, line.len);
	}
	return status < 0 ? status : letters_append(to, line);
}

/* Reads the headings and what <meta> declares. Returns the number of headings, or < 0. */
static int read_page(struct page_title *t, const struct page_log *log, struct tag_reader *tags,
		     struct title_heading headings[HEADINGS_MOST])
{
	int n = 0, main = 0, status = DANA_OK;
	for (size_t i = 0; i < log->n && status == DANA_OK; i++) {
		const struct log_entry *e = &log->entry[i];
		const bool wanted = e->tag == HTML_TAG_H1   ? main < MAIN_MOST
				    : e->tag == HTML_TAG_H2 ? n - main < HEADINGS_MOST - MAIN_MOST
				    : e->tag == HTML_TAG_H3 ? n - main < HEADINGS_MOST - MAIN_MOST
							    : e->tag == HTML_TAG_META;
		if (!wanted || e->flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		if (e->tag == HTML_TAG_META) {
			status = read_meta(t, &event);
		} else if (!is_apart(tags, &event)) {
			status = read_heading(t, log, tags, i, &headings[n]);
			main += headings[n].len && headings[n].main;
			n += headings[n].len > 0;
		}
	}
	return status < 0 ? status : n;
}

/* Returns the path of an address and its query, without its host, and whether the host is another. */
static struct slice path_of(const struct page_title *t, struct slice address, bool *foreign)
{
	const struct slice host = url_host(address), scheme = url_scheme(address);
	*foreign = host.len ? t->url.len && !slice_equal(host, url_host(t->url)) : scheme.len > 0;
	const size_t skip = host.len ? (size_t)(host.data + host.len - address.data) : 0;
	struct slice path = slice_skip(address, skip);
	for (size_t i = 0; i < path.len; i++) {
		if (path.data[i] == '#')
			path.len = i;
	}
	return path;
}

static bool is_above(struct slice folder, struct slice path)
{
	return folder.len < path.len && memcmp(folder.data, path.data, folder.len) == 0 &&
	       (folder.len == 0 || folder.data[folder.len - 1] == '/' || path.data[folder.len] == '/');
}

/* Returns whether a path is of folders above alone: "../..". */
static bool is_dots(struct slice path)
{
	bool dots = path.len && path.data[0] == '.';
	for (size_t i = 0; i < path.len; i++)
		dots = dots && (path.data[i] == '.' || path.data[i] == '/');
	return dots;
}

/* Returns whether a heading is a link to a folder above the page, or above what a heading below it links to. */
static bool links_above(const struct page_title *t, const struct title_heading *headings, int n, int i)
{
	bool foreign, other;
	if (headings[i].link.len == 0)
		return false;
	const struct slice folder = path_of(t, headings[i].link, &foreign);
	const bool whole = url_host(headings[i].link).len; /* an address with its host */
	if (foreign || (folder.len == 0 && !whole))
		return false;
	if (!t->url.len && whole && folder.len <= strlen("/"))
		return true;
	if (t->url.len)
		return is_dots(folder) || is_above(folder, path_of(t, t->url, &other));
	for (int k = 0; k < n; k++) {
		if (!headings[k].main && slice_equal(url_host(headings[k].link), url_host(headings[i].link)) &&
		    is_above(folder, path_of(t, headings[k].link, &other)))
			return true;
	}
	return false;
}

/*
 * Returns whether a heading is the site's name: an h1 that is nothing but a link to what is above the page.
 *
 * Example: <h1><a href="/blog/">Shore</a></h1> of the page "/blog/?p=12".
 */
static bool is_logo(const struct page_title *t, const struct title_heading *headings, int n, int i)
{
	return headings[i].main && headings[i].linked && links_above(t, headings, n, i);
}

/* Takes the site's name from the page's headings, if it is not declared. */
static int read_logo(struct page_title *t, const struct title_heading *headings, int n)
{
	int status = DANA_OK;
	for (int i = 0; i < n && status == DANA_OK && t->site.len == 0; i++) {
		if (is_logo(t, headings, n, i))
			status = letters_append(&t->site, slice_of(t->texts.data + headings[i].text, headings[i].len));
	}
	return status;
}

/* Skips the marks that part a title from what was before it. */
static void skip_marks(const struct page_title *t, struct title_heading *h)
{
	static const char *const marks[] = { " ", "\u3009", "«", "»", "›", "|", ">", "/", "-", "–", "·", ":" };
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const size_t len = strlen(marks[i]);
		if (h->len <= len || memcmp(t->texts.data + h->text, marks[i], len) != 0)
			continue;
		h->text += len;
		h->len -= len;
		i = SIZE_MAX; /* from the first again */
	}
}

/*
 * Of an h1 that has elements of other matter, beside the title: takes the parts that have the title's letters.
 *
 * Example: of <h1>Mill reopens<a href=#c>12 comments</a></h1> and the title "Mill reopens" the link is left out.
 */
static int narrow(struct page_title *t, const struct page_log *log, struct tag_reader *tags, struct slice title,
		  struct title_heading *h)
{
	NOT_ZEROED struct heading_part parts[ENTRIES_MOST];
	uint64_t end;
	const size_t n = find_parts(log, tags, h->entry, parts, &end);
	size_t first = n, last = 0; /* the parts of the heading itself are the title's */
	int status = DANA_OK;
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		buf_clear(&t->letters);
		status = make_line(t, parts[i].text);
		if (status == DANA_OK)
			status = letters_append(&t->letters, buf_slice(&t->line.out));
		if (parts[i].inner || t->letters.len == 0)
			continue;
		first = last ? first : i;
		last = i + 1;
	}
	for (size_t from = 0; from < n && from <= first && status == DANA_OK; from++) {
		buf_clear(&t->letters);
		for (size_t to = from; to < n && t->letters.len < title.len && status == DANA_OK; to++) {
			status = make_line(t, parts[to].text);
			if (status == DANA_OK)
				status = letters_append(&t->letters, buf_slice(&t->line.out));
			if (status < 0 || to + 1 < last || !same(buf_slice(&t->letters), title))
				continue;
			t->own = true;
			status = add_line(t, parts + from, to + 1 - from, h);
			skip_marks(t, h);
			return status;
		}
	}
	return status;
}

/* Returns whether one of the h1s has these letters, or one of the other headings. */
static bool has_heading(struct page_title *t, const struct title_heading *headings, int n, bool main,
			struct slice letters)
{
	bool found = false;
	for (int i = 0; i < n && !found; i++) {
		const struct slice text = slice_of(t->texts.data + headings[i].text, headings[i].len);
		buf_clear(&t->letters);
		found = headings[i].main == main && letters_append(&t->letters, text) == DANA_OK &&
			same(buf_slice(&t->letters), letters);
	}
	return found;
}

/* Whether one of the headings has the letters of a text: an h1, or another. */
struct found_heading {
	bool main, other;
};

static struct found_heading find_heading(struct page_title *t, const struct title_heading *headings, int n,
					 struct slice text)
{
	enum { LETTERS = 8 };
	struct found_heading found = { false, false };
	buf_clear(&t->wanted);
	if (letters_append(&t->wanted, text) < 0 || t->wanted.len < LETTERS || names_site(t, buf_slice(&t->wanted)))
		return found;
	found.main = has_heading(t, headings, n, true, buf_slice(&t->wanted));
	found.other = has_heading(t, headings, n, false, buf_slice(&t->wanted));
	return found;
}

/* Returns whether a part of a title names the site. */
static bool is_site(struct page_title *t, struct slice text)
{
	buf_clear(&t->letters);
	return letters_append(&t->letters, text) == DANA_OK && names_site(t, buf_slice(&t->letters));
}

/* Returns whether the last part of a title is the name of the site, or it is written as one: after a bar. */
static bool ends_with_site(struct page_title *t, struct slice title)
{
	size_t at;
	const struct separator *const last = find_separator(title, true, &at);
	return last && (last->kind == FREE || is_site(t, slice_skip(title, at + strlen(last->text))));
}

/* Returns whether an h1 that is not the site's name has letters of this text, but not the last ones. */
static bool has_inner_h1(struct page_title *t, const struct title_heading *headings, int n, struct slice text)
{
	bool inner = false;
	buf_clear(&t->wanted);
	if (letters_append(&t->wanted, text) < 0)
		return true;
	for (int i = 0; i < n && !inner; i++) {
		const struct slice h1 = slice_of(t->texts.data + headings[i].text, headings[i].len);
		buf_clear(&t->letters);
		inner = headings[i].main && letters_append(&t->letters, h1) == DANA_OK &&
			!names_site(t, buf_slice(&t->letters)) && t->wanted.len &&
			holds(slice_first(buf_slice(&t->wanted), t->wanted.len - 1), buf_slice(&t->letters));
	}
	return inner;
}

/*
 * Of a title of several parts that is no heading: takes the first or the last ones, if these are a heading. If both
 * are, an h1 is the name of the site. After "|" is the name of the site, unless that comes first.
 *
 * Examples: "Old trees" of "Old trees | Oaks - Shore" and of "Old trees (Page 1)", "Who grows: old trees" of "Shore »
 * Who grows: old trees".
 */
static void take_heading(struct page_title *t, const struct title_heading *headings, int n, struct slice title,
			 struct slice *bare)
{
	enum { BREAKS_MOST = 8 };
	static const char colon[] = ": ", bracket[] = " (";
	const size_t skipped = (size_t)(bare->data - title.data); /* the site's name */
	unsigned breaks = 0;
	struct found_heading is = find_heading(t, headings, n, *bare);
	if (find_heading(t, headings, n, title).main && !ends_with_site(t, title))
		*bare = title;
	for (size_t i = 1; i < title.len && breaks < BREAKS_MOST && !is.main && !is.other; i++) {
		if (ascii_is_alpha(title.data[i]))
			continue;
		const char *mark = parts_at(title, i, colon) ? colon : parts_at(title, i, bracket) ? bracket : NULL;
		for (size_t k = 0; k < sizeof(separators) / sizeof(*separators) && !mark; k++)
			mark = parts_at(title, i, separators[k].text) ? separators[k].text : NULL;
		if (!mark)
			continue;
		breaks++;
		const struct slice before = slice_trim(slice_first(title, i));
		const struct slice after = slice_trim(slice_skip(title, i + strlen(mark)));
		const struct found_heading first = find_heading(t, headings, n, before);
		const struct found_heading last = find_heading(t, headings, n, after);
		const bool longer = after.len + skipped > before.len && (strcmp(mark, "|") != 0 || is_site(t, before));
		if (mark != colon && before.len < bare->len && (first.main || first.other) &&
		    (2 * before.len >= bare->len || (last.main && !first.main)) &&
		    !has_inner_h1(t, headings, n, after)) {
			*bare = before;
			return;
		}
		if (mark != bracket && (last.main || last.other) && (longer || is_site(t, before)) &&
		    (last.other || !first.other)) {
			*bare = after;
			return;
		}
	}
}

/*
 * Returns whether og:title or another heading has the title, too, and it is not only the site's name. A text that is
 * cut short is none. Of og:title a few words say too little: "Home", "Our products".
 */
static bool is_confirmed(struct page_title *t, const struct title_heading *headings, int n, struct slice text,
			 struct slice title)
{
	enum { WORDS = 3 };
	const struct slice declared = buf_slice(&t->declared);
	const bool is_cut = text.len > 3 && memcmp(text.data + text.len - 3, "…", 3) == 0;
	if (title.len == 0 || is_cut || names_site(t, title))
		return false;
	const bool short_text = words_of(text) < WORDS && !(title.len >= 4 * WORDS && title.data[0] >= 0xE3);
	return (!short_text && holds(declared, title)) || has_heading(t, headings, n, false, title);
}

/*
 * Returns the last h1 before the text that is no link and shares a word with the title, or -1. One that has but few of
 * the title's words, and no others, is the name of a section.
 */
static int last_before(struct page_title *t, const struct title_heading *headings, int n, struct slice title,
		       uint64_t begin)
{
	enum { FEW = 4 }; /* of a title, a part of its letters below one of these */
	for (int i = n; i-- > 0;) {
		const struct slice text = slice_of(t->texts.data + headings[i].text, headings[i].len);
		if (!headings[i].main || headings[i].from >= begin || headings[i].link.len || is_site(t, text) ||
		    (FEW * t->letters.len < title.len && holds(title, buf_slice(&t->letters))))
			continue;
		if (shares_word(t, text, title))
			return i;
	}
	return -1;
}

/* ---- lines that are a part of <title> ---- */

/** The letters of <title>, and where they may be parted. */
struct title_letters {
	struct slice all;  /* in `wanted` */
	size_t from, bare; /* letters before the title without the name of the site, and up to its end */
	/* bit k: a word begins with letter k, or follows the last one; a mark is before it; that ends a word: a colon
	 */
	uint64_t begins[TITLE_LETTERS / 64 + 1], parted[TITLE_LETTERS / 64 + 1], colon[TITLE_LETTERS / 64 + 1];
	uint64_t first[4]; /* bit k: a word of it begins with two letters of the number k */
};

static void set_bit(uint64_t *bits, size_t k)
{
	bits[k / 64] |= (uint64_t)1 << k % 64;
}

static bool has_bit(const uint64_t *bits, size_t k)
{
	return bits[k / 64] >> k % 64 & 1;
}

/* Returns whether a character may part a title from the name of the site: a dash, a bar, an angle. */
static bool is_parting(uint32_t c)
{
	return (c < 0x80 && c && strchr("|-:/~_@([>", (int)c)) || c == 0xAB || c == 0xB7 || c == 0xBB ||
	       (c >= 0x2010 && c <= 0x2015) || c == 0x2022 || c == 0x2039 || c == 0x203A || c == 0xFF0D || c == 0xFF5C;
}

/* Returns a number for two letters. */
static uint8_t number_of_two(const uint8_t *letters)
{
	return (uint8_t)(ascii_lower(letters[0]) + 11 * ascii_lower(letters[1]));
}

/* Returns whether the letters of a text may begin as a word of the title does: of most texts the first two tell. */
static bool may_begin(const struct title_letters *title, struct slice text)
{
	size_t at = 0;
	while (at < text.len && ascii_is_space(text.data[at]))
		at++;
	if (at + 1 >= text.len)
		return false;
	for (size_t i = at; i < at + 2; i++) {
		if (text.data[i] < 0x80 && !ascii_is_alpha(text.data[i]) && !ascii_is_digit(text.data[i]))
			return true; /* marks are no letters, references may be */
	}
	return has_bit(title->first, number_of_two(text.data + at)) ||
	       (text.data[at] >= 0x80 && text.data[at] < 0xC3) || text.data[at] == 0xE2 || text.data[at] == 0xE3;
}

/* Reads the letters of a title. Returns whether it is short enough. */
static bool read_letters(struct page_title *t, struct slice title, struct slice bare, struct title_letters *letters)
{
	const size_t bare_end = (size_t)(bare.data + bare.len - title.data);
	size_t at = 0;                      /* of the last letter */
	bool before = false, blank = false; /* before this character: a letter, a blank */
	*letters = (struct title_letters){ 0 };
	buf_clear(&t->wanted);
	for (size_t i = 0, len; i < title.len && t->wanted.len < TITLE_LETTERS; i += len) {
		uint32_t c;
		const size_t k = t->wanted.len;
		len = utf8_decode(slice_skip(title, i), &c);
		if (letters_append(&t->wanted, slice_of(title.data + i, len)) < 0)
			return false;
		const bool letter = t->wanted.len > k;
		if (letter && !before)
			set_bit(letters->begins, k);
		if (!letter && is_parting(c)) {
			set_bit(letters->parted, k);
			if (c == ':' && !blank)
				set_bit(letters->colon, k);
		}
		at = t->wanted.len;
		if (title.data + i < bare.data)
			letters->from = at;
		if (i < bare_end)
			letters->bare = at;
		before = letter;
		blank = c == ' ';
	}
	set_bit(letters->begins, at);
	letters->all = buf_slice(&t->wanted);
	for (size_t k = 0; k + 1 < at; k++) {
		if (has_bit(letters->begins, k))
			set_bit(letters->first, number_of_two(letters->all.data + k));
	}
	return at < TITLE_LETTERS;
}

/** A line of the page that is the first or the last part of <title>, or all of it. */
struct title_line {
	struct slice text; /* in `texts` or the source */
	struct slice link; /* of a heading */
	uint64_t away;     /* how far it is from where the text begins */
	size_t letters;
	bool heading, main, first, last;
	bool cut; /* it was cut off as the name of the site */
};

/* Returns whether the path of an address has letters. */
static bool addresses(struct page_title *t, struct slice address, struct slice letters)
{
	bool foreign;
	buf_clear(&t->source);
	return letters_append(&t->source, path_of(t, address, &foreign)) == DANA_OK &&
	       holds(buf_slice(&t->source), letters);
}

/* Reads the letters of a line. Returns whether it is a part of the title that may be the title of the page. */
static bool is_part(struct page_title *t, const struct title_letters *title, struct slice text, struct title_line *line)
{
	enum { LETTERS = 8, HEADING_LETTERS = 3, WORDS = 3, SURE = 16 };
	const struct slice all = title->all;
	buf_clear(&t->letters);
	if (letters_append(&t->letters, text) < 0)
		return false;
	const struct slice own = buf_slice(&t->letters);
	const size_t rest = all.len - own.len;
	line->text = text;
	line->letters = own.len;
	if (own.len > all.len || own.len < (line->heading ? HEADING_LETTERS : LETTERS) || names_site(t, own))
		return false;
	const bool most = own.len >= SURE && 2 * own.len >= title->bare, words = words_of(text) >= WORDS;
	line->first = slice_equal(slice_first(all, own.len), own) && has_bit(title->begins, own.len) &&
		      (2 * own.len >= title->bare || line->heading) &&
		      (own.len <= title->bare || line->main || rest == 0) && own.len > title->from &&
		      (rest == 0 || most || (has_bit(title->parted, own.len) && !has_bit(title->colon, own.len)));
	line->last = slice_equal(slice_skip(all, rest), own) && has_bit(title->begins, rest) &&
		     (line->heading || words) && (rest == 0 || (most && line->heading) || has_bit(title->parted, rest));
	if (!line->first && !line->last && words && own.len >= SURE) {
		const uint8_t *const at = memmem(all.data, all.len, own.data, own.len);
		const size_t from = at ? (size_t)(at - all.data) : 0;
		line->last = at && has_bit(title->parted, from) && has_bit(title->parted, from + own.len);
	}
	line->cut = line->last && rest >= title->bare;
	if (rest && same(own, buf_slice(&t->declared)) && (line->first || line->last))
		line->away = 0;
	if (line->cut && !(words && own.len >= SURE))
		return names_site(t, slice_skip(slice_first(all, title->bare), title->from)) ||
		       same(own, buf_slice(&t->declared)) || addresses(t, line->link, own) || addresses(t, t->url, own);
	return line->first || line->last;
}

/* Returns how far a place is from where the text begins; what is much below that is far off. */
static uint64_t away_from(uint64_t place, uint64_t begin)
{
	enum { BELOW_MOST = 2048 };
	if (place <= begin)
		return begin - place;
	return place - begin <= BELOW_MOST ? place - begin : UINT64_MAX;
}

/* Returns whether no other heading is between a heading and where the text begins. */
static bool is_next_to(const struct title_heading *headings, int n, int i, uint64_t begin)
{
	return headings[i].from <= begin && (i + 1 >= n || headings[i + 1].from > begin);
}

/* Returns the text between the tags before and after it if it is a line: it goes on neither before nor after those. */
static struct slice line_before(const struct page_log *log, size_t i)
{
	const struct log_entry *const e = &log->entry[i];
	const struct slice text = slice_trim(page_log_part(log, e[-1].end, e->start));
	const bool from = html_tag_is(e[-1].tag, TAG_SPLITS) || i < 2 ||
			  slice_trim(page_log_part(log, e[-2].end, e[-1].start)).len == 0;
	const bool to = html_tag_is(e->tag, TAG_SPLITS) || i + 1 >= log->n ||
			slice_trim(page_log_part(log, e->end, e[1].start)).len == 0;
	const bool shown = !(e->flags & LOG_TEXT_SKIPPED) && e[-1].tag != HTML_TAG_TITLE;
	return from && to && shown ? text : slice_of(NULL, 0);
}

/* Returns whether a line has most of the letters of two, or is the nearer one to where the text begins. */
static bool is_better(const struct title_line *line, const struct title_line *than)
{
	const bool cut = line->cut || (than->letters && than->cut);
	if (!cut && (line->letters >= 2 * than->letters || than->letters >= 2 * line->letters))
		return line->letters > than->letters;
	return line->away < than->away;
}

/*
 * Finds the line that is a part of <title>, the nearest one to where the text begins. Lines are the headings and what
 * is between two tags of the body. *bare: one is the title without the name of the site.
 */
static int find_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		     const struct title_letters *title, uint64_t begin, struct title_line *best, bool *bare)
{
	enum { LETTERS = 8, MARKS = 32 };
	int status = DANA_OK;
	for (int i = 0; i < n; i++) {
		struct title_line line = { .away = away_from(headings[i].from, begin),
					   .link = headings[i].link,
					   .heading = true,
					   .main = headings[i].main };
		const struct slice text = slice_of(t->texts.data + headings[i].text, headings[i].len);
		if (line.away == UINT64_MAX || !is_part(t, title, text, &line) ||
		    (line.letters < LETTERS && !is_next_to(headings, n, i, begin)))
			continue;
		*bare = *bare || (line.first && line.letters == title->bare);
		if (is_better(&line, best))
			*best = line;
	}
	for (size_t i = 1; i < log->n && status == DANA_OK; i++) {
		const struct log_entry *e = &log->entry[i];
		struct title_line line = { .away = away_from(e[-1].end, begin) };
		if (line.away == UINT64_MAX)
			break;
		if (e->start - e[-1].end < LETTERS || !may_begin(title, page_log_part(log, e[-1].end, e->start)))
			continue;
		const struct slice source = line_before(log, i);
		if (source.len < LETTERS || source.len > 2 * title->all.len + MARKS)
			continue;
		status = make_line(t, source);
		if (status < 0 || !is_part(t, title, buf_slice(&t->line.out), &line))
			continue;
		line.text = source;
		const bool is_bare = line.first && line.letters == title->bare;
		*bare = *bare || is_bare;
		if (!is_bare && line.letters < title->all.len && is_better(&line, best))
			*best = line;
	}
	return status;
}

/*
 * Of a title that is no h1: takes the line of the page that is the first or the last part of <title>. What was cut off
 * <title> as the name of the site is taken back only where the rest is no line.
 *
 * Examples: of "Old trees in the park - Walks" "Old trees in the park", if the page has that in a <div> of its own; of
 * "Shore Daily | Walks | Old trees in the park" what the page has in a <font> before the text.
 */
static int take_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		     struct slice title, struct slice bare, uint64_t begin, bool *found)
{
	struct title_letters letters;
	struct title_line best = { .away = UINT64_MAX };
	bool is_line = false;
	if (!read_letters(t, title, bare, &letters))
		return DANA_OK;
	int status = find_line(t, log, headings, n, &letters, begin, &best, &is_line);
	*found = best.away < UINT64_MAX;
	if (status < 0 || best.away == UINT64_MAX)
		return status;
	if (!best.first && letters.bare < letters.all.len && is_line)
		return status;
	if (best.heading) {
		t->text = best.text;
		return status;
	}
	status = make_line(t, best.text);
	const size_t at = t->texts.len;
	if (status == DANA_OK)
		status = buf_append(&t->texts, t->line.out.data, t->line.out.len);
	t->text = slice_skip(buf_slice(&t->texts), at);
	return status;
}

/* ---- which h1 is the title ---- */

/* Returns the bytes of text between two places. */
static size_t text_between(const struct page_log *log, uint64_t from, uint64_t to)
{
	size_t bytes = 0;
	for (size_t i = page_log_at(log, from); i < log->n && log->entry[i].end <= to && bytes < HEADLINE_AWAY; i++) {
		const struct log_entry *e = &log->entry[i];
		if (i > 0 && !(e->flags & LOG_TEXT_SKIPPED) && e[-1].end >= from)
			bytes += slice_trim(page_log_part(log, e[-1].end, e->start)).len;
	}
	return bytes;
}

/*
 * Returns whether the page has a line that is a part of <title> of some words, or all but the name of the site, and an
 * h1 that ends at a place is not right over the text.
 */
static bool has_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		     struct slice title, struct slice bare, uint64_t h1, uint64_t begin)
{
	enum { WORDS = 3, AWAY = 64 };
	struct title_letters letters;
	struct title_line best = { .away = UINT64_MAX };
	bool is_bare = false;
	return words_of(bare) >= WORDS && (h1 > begin || text_between(log, h1, begin) >= AWAY) &&
	       read_letters(t, title, bare, &letters) &&
	       find_line(t, log, headings, n, &letters, begin, &best, &is_bare) == DANA_OK &&
	       (is_bare || best.away < UINT64_MAX);
}

/* Returns whether a heading is og:title. */
static bool is_declared(struct page_title *t, const struct title_heading *headings, int n, int i)
{
	enum { LETTERS = 8 };
	buf_clear(&t->letters);
	return letters_append(&t->letters, slice_of(t->texts.data + headings[i].text, headings[i].len)) == DANA_OK &&
	       t->letters.len >= LETTERS && same(buf_slice(&t->letters), buf_slice(&t->declared)) &&
	       !names_site(t, buf_slice(&t->letters)) && !links_above(t, headings, n, i);
}

/*
 * Which h1 is the title: og:title, one with its words, one that holds them, or most of them. An h1 that is alone on the
 * page is the title, too, unless it is the site's name, which a title has at its end, or a link to where the site
 * begins, or has no word of a title that is confirmed. Of several it is the last one before the text, without a link,
 * that shares a word with the title.
 */
static int choose(struct page_title *t, const struct page_log *log, struct tag_reader *tags,
		  struct title_heading *headings, int n, struct slice title, struct slice bare, uint64_t begin)
{
	int status, chosen = -1, alone = -1, others = 0; /* h1s that are not the site's name: the first, their number */
	size_t bare_at;
	bool exact = false, more = false, declared = false;
	buf_clear(&t->wanted);
	status = letters_append(&t->wanted, title);
	bare_at = t->wanted.len;
	if (status == DANA_OK)
		status = letters_append(&t->wanted, bare);
	const struct slice all = buf_slice(&t->wanted);
	const struct slice whole = slice_first(all, bare_at), part = slice_skip(all, bare_at);
	for (int i = 0; i < n && status == DANA_OK && !exact; i++) {
		exact = declared = headings[i].main && is_declared(t, headings, n, i);
		chosen = exact ? i : chosen;
	}
	for (int i = 0; i < n && status == DANA_OK && !exact; i++) {
		if (!headings[i].main)
			continue;
		buf_clear(&t->letters);
		status = letters_append(&t->letters, slice_of(t->texts.data + headings[i].text, headings[i].len));
		const struct slice h = buf_slice(&t->letters);
		exact = same(h, part);
		const bool site = names_site(t, h) || (holds(whole, h) && !holds(part, h));
		const bool above = links_above(t, headings, n, i);
		const bool alike =
			whole.len == 0 ? !above : holds(h, part) || (holds(part, h) && 2 * h.len >= part.len);
		if (exact || (h.len && !site && chosen < 0 && alike)) {
			chosen = i;
			more = !exact && holds(h, part) && 2 * part.len >= h.len;
		}
		if (h.len && !site && !above && others++ == 0)
			alone = i;
	}
	if (chosen < 0 && others == 1 &&
	    (shares_word(t, slice_of(t->texts.data + headings[alone].text, headings[alone].len), part) ||
	     !(is_confirmed(t, headings, n, bare, part) ||
	       has_line(t, log, headings, n, title, bare, headings[alone].to, begin))))
		chosen = alone;
	if (chosen < 0 && others > 1 && status == DANA_OK && !is_confirmed(t, headings, n, bare, part))
		chosen = last_before(t, headings, n, part, begin);
	t->text = bare;
	if (chosen < 0 || status < 0)
		return status;
	struct title_heading *h = &headings[chosen];
	if (more)
		status = narrow(t, log, tags, part, h);
	t->own = t->own || h->spaced || (exact && h->boxed);
	if (exact && declared && h->spaced)
		t->text = slice_of(t->texts.data + t->declared_at, t->declared_len);
	else if (!(exact && h->spaced))
		t->text = slice_of(t->texts.data + h->text, h->len);
	t->from = h->from;
	t->to = h->to;
	return status;
}

/* ---- a headline over the text, where <title> says nothing but the site ---- */

/* Returns whether a value of class or id says that its element is a headline. */
static bool says_headline(struct slice value)
{
	static const char *const words[] = { "headline", "title" };
	for (size_t i = 0; i < value.len; i++) {
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++) {
			if (slice_equal_nocase(slice_first(slice_skip(value, i), strlen(words[k])),
					       slice_from_text(words[k])))
				return true;
		}
	}
	return false;
}

/* Returns whether a value of <font size> makes text larger than that around it. */
static bool is_large(struct slice size)
{
	return size.len && (size.data[0] == '+' || (size.len == 1 && size.data[0] >= '4' && size.data[0] <= '7'));
}

/** What an element says of its text, the stronger the later. */
enum headline_mark { NO_MARK, BOLD, LARGE, NAMED };

/* Returns what the elements that begin right before entry `i` of the log say of the text before it. */
static enum headline_mark mark_before(const struct page_log *log, size_t i)
{
	enum { TAGS_MOST = 4 };
	enum headline_mark mark = NO_MARK;
	for (size_t k = i; k-- > 0 && i - k <= TAGS_MOST;) {
		const struct log_entry *e = &log->entry[k];
		if (e->flags & (LOG_CLOSING | LOG_SKIPPED) ||
		    (k + 1 < i && slice_trim(page_log_part(log, e->end, e[1].start)).len))
			break;
		if (e->flags & LOG_GAP || html_tag_is(e->tag, TAG_VOID))
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		const bool named =
			says_headline(html_attr_named(&event, "class")) || says_headline(html_attr_named(&event, "id"));
		const bool large = e->tag == HTML_TAG_BIG ||
				   (e->tag == HTML_TAG_FONT && is_large(html_attr_named(&event, "size")));
		const enum headline_mark own = named                                               ? NAMED
					       : large                                             ? LARGE
					       : e->tag == HTML_TAG_B || e->tag == HTML_TAG_STRONG ? BOLD
												   : NO_MARK;
		mark = own > mark ? own : mark;
	}
	return mark;
}

/* Returns whether a text may be a headline: it has some words, is no date, and does not lead to what follows it. */
static bool may_be_headline(struct page_title *t, struct slice text)
{
	enum { LETTERS = 6, WORDS_MOST = 20, DATE_WORDS = 5, YEAR = 4 };
	size_t digits = 0;
	if (text.len == 0 || strchr(",:;>", text.data[text.len - 1]))
		return false;
	bool year = false;
	for (size_t i = 0; i < text.len; i++) {
		digits = ascii_is_digit(text.data[i]) ? digits + 1 : 0;
		year = year || digits == YEAR;
	}
	buf_clear(&t->letters);
	const size_t words = words_of(text);
	return letters_append(&t->letters, text) == DANA_OK && t->letters.len >= LETTERS && words <= WORDS_MOST &&
	       !(year && words <= DATE_WORDS) && !names_site(t, buf_slice(&t->letters));
}

/*
 * Finds the line that is marked as a headline, the last one before the text, or its first line. `bold`: it may be
 * marked as bold alone. Returns the number of the entry after it, 0: there is none.
 */
static size_t find_headline(struct page_title *t, const struct page_log *log, uint64_t begin, bool bold)
{
	enum { ENTRIES = 400 };
	enum headline_mark best = NO_MARK;
	size_t found = 0, between = 0;
	const size_t last = page_log_at(log, begin);
	for (size_t i = last; i > 0 && i < log->n && last - i < ENTRIES && between < HEADLINE_AWAY; i--) {
		const struct slice line = line_before(log, i);
		const bool link = log->entry[i - 1].tag == HTML_TAG_A;
		const enum headline_mark mark = line.len && !link ? mark_before(log, i) : NO_MARK;
		if (mark > best && (mark > BOLD || (bold && i == last)) && make_line(t, line) == DANA_OK &&
		    may_be_headline(t, buf_slice(&t->line.out))) {
			best = mark;
			found = i;
		}
		between += i == last ? 0 : line.len;
	}
	return found;
}

/*
 * Returns whether a title says nothing but the site: it is empty, or the site's name, or a few words that begin as the
 * host does, on a page below the first one. og:title may say more.
 */
static bool says_site_only(struct page_title *t, struct slice title)
{
	enum { NAME_LEAST = 4, NAME_MOST = 6, WORDS_MOST = 7 };
	bool foreign;
	if (title.len == 0)
		return true;
	buf_clear(&t->letters);
	if (letters_append(&t->letters, path_of(t, t->url, &foreign)) < 0 || t->letters.len == 0 ||
	    (t->declared.len && !names_site(t, buf_slice(&t->declared))))
		return false;
	if (is_site(t, title))
		return true;
	const size_t article = slice_until(title, " ") < NAME_LEAST ? slice_until(title, " ") + 1 : 0;
	struct slice name = slice_skip(title, article);
	name = slice_first(name, slice_until(name, " "));
	buf_clear(&t->letters);
	return words_of(title) <= WORDS_MOST && letters_append(&t->letters, name) == DANA_OK &&
	       t->letters.len >= NAME_LEAST &&
	       holds(buf_slice(&t->host), slice_first(buf_slice(&t->letters), NAME_MOST));
}

/* Takes the heading right over a place, or a line there that is marked as a headline. *found: there is one. */
static int take_over(struct page_title *t, const struct page_log *log, struct title_heading *headings, int n,
		     uint64_t place, bool *found)
{
	int status = DANA_OK;
	for (int i = n; i-- > 0;) {
		const struct slice text = slice_of(t->texts.data + headings[i].text, headings[i].len);
		if (headings[i].from > place || links_above(t, headings, n, i))
			continue;
		if (!may_be_headline(t, text) || text_between(log, headings[i].to, place) >= HEADLINE_AWAY)
			break;
		skip_marks(t, &headings[i]);
		t->text = slice_of(t->texts.data + headings[i].text, headings[i].len);
		*found = true;
		return status;
	}
	const size_t entry = find_headline(t, log, place, t->text.len == 0);
	*found = entry > 0;
	if (!entry)
		return status;
	status = make_line(t, line_before(log, entry));
	const size_t at = t->texts.len;
	if (status == DANA_OK)
		status = buf_append(&t->texts, t->line.out.data, t->line.out.len);
	t->text = slice_skip(buf_slice(&t->texts), at);
	return status;
}

/* Returns the end of the first lines of the text, which may be a date or the name of a section over the headline. */
static uint64_t end_of_first_lines(const struct page_log *log, uint64_t begin)
{
	enum { LINES_MOST = 100 /* bytes */ };
	uint64_t end = begin;
	for (size_t i = page_log_at(log, begin); i + 1 < log->n; i++) {
		const uint64_t next = log->entry[i].end;
		if (text_between(log, begin, next) >= LINES_MOST)
			break;
		end = next;
	}
	return end;
}

/*
 * Of a page whose <title> says nothing but the site: takes the heading right over the text, or a line there that is
 * marked as a headline; else one after its first short lines.
 *
 * Examples: "Old trees" of <title>Shore</title><td class="headline">Old trees</td> and of <font size="+2">Old trees
 * </font>, if the text follows.
 */
static int take_headline(struct page_title *t, const struct page_log *log, struct title_heading *headings, int n,
			 uint64_t begin)
{
	bool found = false;
	int status = take_over(t, log, headings, n, begin, &found);
	if (status == DANA_OK && !found)
		status = take_over(t, log, headings, n, end_of_first_lines(log, begin), &found);
	return status;
}

/*
 * Of a page whose h1s and <title> are not its title: takes og:title where the page's address has its letters, and
 * nothing where <title> is the site's name with the host.
 */
static int choose_other(struct page_title *t, struct slice title)
{
	enum { LETTERS = 8 };
	const struct slice declared = buf_slice(&t->declared), site = buf_slice(&t->site);
	int status;
	buf_clear(&t->wanted);
	status = letters_append(&t->wanted, t->url);
	if (status == DANA_OK)
		status = buf_append(&t->wanted, t->address.data, t->address.len);
	if (status == DANA_OK && declared.len >= LETTERS && holds(buf_slice(&t->wanted), declared) &&
	    !names_site(t, declared) && !shares_word(t, title, declared)) {
		t->text = slice_of(t->texts.data + t->declared_at, t->declared_len);
		return status;
	}
	buf_clear(&t->letters);
	if (status == DANA_OK)
		status = letters_append(&t->letters, title);
	if (site.len && t->letters.len > site.len && names_site(t, buf_slice(&t->letters)))
		t->text = slice_of(NULL, 0);
	return status;
}

int page_title_find(struct page_title *t, const struct page_log *log, struct tag_reader *tags, struct slice title,
		    struct slice url, uint64_t begin)
{
	NOT_ZEROED struct title_heading headings[HEADINGS_MOST];
	struct slice bare = title;
	t->text = slice_of(NULL, 0);
	t->from = t->to = 0;
	t->own = false;
	t->url = url;
	buf_clear(&t->texts);
	buf_clear(&t->site);
	buf_clear(&t->host);
	buf_clear(&t->declared);
	buf_clear(&t->address);
	int status = letters_append(&t->host, url_host(url));
	const int n = status < 0 ? status : read_page(t, log, tags, headings);
	status = n < 0 ? n : read_logo(t, headings, n);
	if (status == DANA_OK)
		status = cut_site(t, &bare);
	buf_clear(&t->wanted);
	if (status == DANA_OK)
		status = letters_append(&t->wanted, bare);
	if (status == DANA_OK && !has_heading(t, headings, n, true, buf_slice(&t->wanted)))
		cut_declared(t, &bare);
	if (status == DANA_OK)
		take_heading(t, headings, n, title, &bare);
	if (status == DANA_OK)
		status = choose(t, log, tags, headings, n, title, bare, begin);
	bool found = false; /* a line that is a part of the title */
	if (status == DANA_OK && !t->to) {
		status = declares_whole(t, bare) ? DANA_OK : take_line(t, log, headings, n, title, bare, begin, &found);
		if (status == DANA_OK)
			status = choose_other(t, bare);
		if (status == DANA_OK && !found && says_site_only(t, t->text))
			status = take_headline(t, log, headings, n, begin);
	}
	return status;
}

bool page_title_is(struct page_title *t, struct slice source)
{
	buf_clear(&t->letters);
	buf_clear(&t->wanted);
	return make_line(t, source) == DANA_OK && letters_append(&t->letters, buf_slice(&t->line.out)) == DANA_OK &&
	       letters_append(&t->wanted, t->text) == DANA_OK && same(buf_slice(&t->letters), buf_slice(&t->wanted));
}

bool page_title_nearly(struct page_title *t, struct slice source)
{
	enum { LETTERS = 12, TAIL_MOST = 24 };
	(void)page_title_is(t, source);
	const struct slice heading = buf_slice(&t->letters), title = buf_slice(&t->wanted);
	if (heading.len < LETTERS || title.len < LETTERS)
		return false;
	if (heading.len >= title.len)
		return heading.len - title.len <= TAIL_MOST && slice_equal(slice_first(heading, title.len), title);
	return 2 * heading.len > title.len && slice_equal(slice_skip(title, title.len - heading.len), heading);
}

void page_title_free(struct page_title *t)
{
	text_writer_free(&t->line);
	buf_free(&t->texts);
	buf_free(&t->site);
	buf_free(&t->host);
	buf_free(&t->declared);
	buf_free(&t->address);
	buf_free(&t->letters);
	buf_free(&t->wanted);
	buf_free(&t->source);
}
