/* SPDX-License-Identifier: MIT */
/* Finds the title of a page: compares its h1s with <title>, and cuts the name of the site off. */
#include "config.h"

#include "extract/structure/page_title.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"

enum {
	HEADINGS_MOST = 16,  /* h1s that are looked at */
	ENTRIES_MOST = 512,  /* of the log, in one of them */
	HEADING_MOST = 1024, /* bytes of its text */
	SITE_WORDS = 5,      /* of a site's name that nothing but its place tells from the title */
	CUTS_MOST = 4,       /* of parts that are cut off a title */
	HOST_LETTERS = 3,    /* of a name that is looked for in the host */
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

/* Returns whether these letters are the site's name. */
static bool names_site(const struct page_title *t, struct slice letters)
{
	return same(letters, buf_slice(&t->site)) ||
	       (letters.len >= HOST_LETTERS && holds(buf_slice(&t->host), letters));
}

/* ---- <title> without the name of the site ---- */

/** What parts a title from the name of the site. */
struct separator {
	const char *text;
	bool strict; /* it is a part of titles, too: it parts the last name only */
};

static const struct separator separators[] = {
	{ " - ", true },  { " – ", true },  { " — ", true },  { " · ", false },  { " • ", false }, { " » ", false },
	{ " « ", false }, { " ‹ ", false }, { " › ", false }, { " :: ", false }, { " : ", true },  { " / ", true },
	{ " ~ ", true },  { "|", false },   { "｜", false },  { "_", true },     { " －", true },  { "—", true },
};

static size_t words_of(struct slice text)
{
	size_t n = 0;
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] != ' ' && (i == 0 || text.data[i - 1] == ' ');
	return n;
}

/* A mark without blanks parts words of Chinese and the like, not "well-known" or "snake_case". */
static bool parts_at(struct slice title, size_t at, const char *text)
{
	const size_t len = strlen(text), end = at + len;
	if (end >= title.len || at == 0 || memcmp(title.data + at, text, len) != 0)
		return false;
	return (text[0] != '_' && strcmp(text, "—") != 0) || (title.data[at - 1] >= 0x80 && title.data[end] >= 0x80);
}

/* Returns the last separator of the title, or the first one; NULL: it has none. */
static const struct separator *find_separator(struct slice title, bool last, size_t *at)
{
	const struct separator *found = NULL;
	for (size_t i = 1; i < title.len && (last || !found); i++) {
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

/* Cuts the site's name off: the first part, if it is the name that the page gives, else last parts that are short. */
static int cut_site(struct page_title *t, struct slice *title)
{
	const struct separator *cut = NULL, *next;
	size_t at = 0;
	int status = DANA_OK;
	if ((next = find_separator(*title, false, &at))) {
		buf_clear(&t->letters);
		status = letters_append(&t->letters, slice_first(*title, at));
		if (same(buf_slice(&t->letters), buf_slice(&t->site))) {
			*title = slice_trim(slice_skip(*title, at + strlen(next->text)));
			return status;
		}
	}
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
			last.len < (next->strict ? 1U : 2U) * t->wanted.len && words_of(after) <= SITE_WORDS;
		if (t->wanted.len == 0 || !(named || (shorter && !(cut && (next->strict || next != cut)))))
			break;
		*title = before;
		cut = next;
	}
	return status;
}

/* ---- the h1s of the page ---- */

struct title_heading {
	size_t text, len; /* in `texts` */
	uint64_t from, to;
};

/* Returns whether an element in a heading is none of its words: hidden, a tool, a link to the heading itself. */
static bool is_apart(struct tag_reader *tags, const struct html_tag_event *event)
{
	const struct tag_facts *facts = tag_facts_of(tags, event);
	const unsigned words = facts->words.meanings;
	return event->tag == HTML_TAG_BUTTON || tag_facts_hidden(facts) ||
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

/* Reads the h1 that begins at an entry of the log. */
static int read_heading(struct page_title *t, const struct page_log *log, struct tag_reader *tags, size_t entry,
			struct title_heading *h)
{
	uint8_t apart = HTML_TAG_OTHER; /* the element that is left out, and how many such are open */
	unsigned open = 0;
	*h = (struct title_heading){ .from = log->entry[entry].start };
	buf_clear(&t->source);
	for (size_t i = entry + 1; i < log->n && i - entry < ENTRIES_MOST && !h->to; i++) {
		const struct log_entry *e = &log->entry[i];
		const struct slice text = page_log_part(log, e[-1].end, e->start);
		const bool closing = e->flags & LOG_CLOSING;
		if (!open && !(e->flags & LOG_TEXT_SKIPPED))
			(void)buf_append(&t->source, text.data, text.len);
		if (e->flags & (LOG_GAP | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		if (e->tag == HTML_TAG_H1 || t->source.len > 4 * (size_t)HEADING_MOST)
			h->to = e->end;
		else if (open)
			open = open + (e->tag == apart && !closing) - (e->tag == apart && closing);
		else if (!closing && !html_tag_is(e->tag, TAG_VOID) && is_apart(tags, &event))
			open = 1, apart = e->tag;
		if (html_tag_is(e->tag, TAG_SPLITS))
			(void)buf_append_byte(&t->source, ' ');
	}
	int status = buf_status(&t->source);
	if (status == DANA_OK)
		status = make_line(t, buf_slice(&t->source));
	if (status < 0 || !h->to || t->line.out.len > HEADING_MOST)
		return status;
	h->text = t->texts.len;
	h->len = t->line.out.len;
	return buf_append(&t->texts, t->line.out.data, t->line.out.len);
}

/* Reads the h1s, and the name of the site that <meta property="og:site_name"> gives. Returns their number, or < 0. */
static int read_page(struct page_title *t, const struct page_log *log, struct tag_reader *tags,
		     struct title_heading headings[HEADINGS_MOST])
{
	int n = 0, status = DANA_OK;
	for (size_t i = 0; i < log->n && status == DANA_OK; i++) {
		const struct log_entry *e = &log->entry[i];
		if ((e->tag != HTML_TAG_H1 && e->tag != HTML_TAG_META) ||
		    e->flags & (LOG_GAP | LOG_CLOSING | LOG_SKIPPED))
			continue;
		const struct html_tag_event event = page_log_event(log, e);
		if (e->tag == HTML_TAG_META) {
			if (t->site.len || !slice_is(html_attr_named(&event, "property"), "og:site_name"))
				continue;
			status = make_line(t, html_attr_named(&event, "content"));
			if (status == DANA_OK)
				status = letters_append(&t->site, buf_slice(&t->line.out));
		} else if (n < HEADINGS_MOST && !is_apart(tags, &event)) {
			status = read_heading(t, log, tags, i, &headings[n]);
			n += headings[n].len > 0;
		}
	}
	return status < 0 ? status : n;
}

/*
 * Which h1 is the title: one with its words, one that holds them, or most of them. An h1 that is alone on the page is
 * the title, too, unless it is the site's name, which a title has at its end.
 */
static int choose(struct page_title *t, const struct title_heading *headings, int n, struct slice title,
		  struct slice bare)
{
	int status, chosen = -1, alone = -1, others = 0; /* h1s that are not the site's name: the first, their number */
	size_t bare_at;
	bool exact = false;
	buf_clear(&t->wanted);
	status = letters_append(&t->wanted, title);
	bare_at = t->wanted.len;
	if (status == DANA_OK)
		status = letters_append(&t->wanted, bare);
	const struct slice all = buf_slice(&t->wanted);
	const struct slice whole = slice_first(all, bare_at), part = slice_skip(all, bare_at);
	for (int i = 0; i < n && status == DANA_OK && !exact; i++) {
		buf_clear(&t->letters);
		status = letters_append(&t->letters, slice_of(t->texts.data + headings[i].text, headings[i].len));
		const struct slice h = buf_slice(&t->letters);
		exact = same(h, part);
		const bool site = names_site(t, h) || (holds(whole, h) && !holds(part, h));
		const bool alike = whole.len == 0 || holds(h, part) || (holds(part, h) && 2 * h.len >= part.len);
		if (exact || (h.len && !site && chosen < 0 && alike))
			chosen = i;
		if (h.len && !site && others++ == 0)
			alone = i;
	}
	if (chosen < 0 && others == 1)
		chosen = alone;
	t->text = bare;
	if (chosen >= 0) {
		t->text = slice_of(t->texts.data + headings[chosen].text, headings[chosen].len);
		t->from = headings[chosen].from;
		t->to = headings[chosen].to;
	}
	return status;
}

int page_title_find(struct page_title *t, const struct page_log *log, struct tag_reader *tags, struct slice title,
		    struct slice url)
{
	NOT_ZEROED struct title_heading headings[HEADINGS_MOST];
	struct slice bare = title;
	t->text = slice_of(NULL, 0);
	t->from = t->to = 0;
	buf_clear(&t->texts);
	buf_clear(&t->site);
	buf_clear(&t->host);
	int status = letters_append(&t->host, url_host(url));
	const int n = status < 0 ? status : read_page(t, log, tags, headings);
	status = n < 0 ? n : cut_site(t, &bare);
	return status < 0 ? status : choose(t, headings, n, title, bare);
}

bool page_title_is(struct page_title *t, struct slice source)
{
	buf_clear(&t->letters);
	buf_clear(&t->wanted);
	return make_line(t, source) == DANA_OK && letters_append(&t->letters, buf_slice(&t->line.out)) == DANA_OK &&
	       letters_append(&t->wanted, t->text) == DANA_OK && same(buf_slice(&t->letters), buf_slice(&t->wanted));
}

void page_title_free(struct page_title *t)
{
	text_writer_free(&t->line);
	buf_free(&t->texts);
	buf_free(&t->site);
	buf_free(&t->host);
	buf_free(&t->letters);
	buf_free(&t->wanted);
	buf_free(&t->source);
}
