/* SPDX-License-Identifier: MIT */
/*
 * Finds the title of a page: reads its headings and what <meta> declares, compares them with <title>, and chooses the
 * h1 that is the title.
 *
 * Example: of <title>Old trees - Walks - Shore</title> and the h1s "Shore" and "Old trees in the park" the second one.
 */
#include "config.h"

#include "extract/structure/page_title.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "extract/html/attribute.h"
#include "extract/structure/title_parts.h"

enum {
	MAIN_MOST = 16,      /* h1s that are looked at */
	HEADINGS_MOST = 48,  /* ... and with them h2s and h3s */
	ENTRIES_MOST = 512,  /* of the log, in one of them */
	HEADING_MOST = 1024, /* bytes of its text */
};

/* ---- the headings of the page ---- */

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
		status = title_make_line(t, buf_slice(&t->source));
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
	int status = title_make_line(t, html_attr_named(event, "content"));
	const struct slice line = buf_slice(&t->line.out);
	if (status == DANA_OK && to == &t->declared) {
		t->declared_at = t->texts.len;
		t->declared_len = line.len;
		status = buf_append(&t->texts, line.data, line.len);
	}
	return status < 0 ? status : title_letters(to, line);
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
	const struct slice folder = title_path(t, headings[i].link, &foreign);
	const bool whole = url_host(headings[i].link).len; /* an address with its host */
	if (foreign || (folder.len == 0 && !whole))
		return false;
	if (!t->url.len && whole && folder.len <= strlen("/"))
		return true;
	if (t->url.len)
		return is_dots(folder) || is_above(folder, title_path(t, t->url, &other));
	for (int k = 0; k < n; k++) {
		if (!headings[k].main && slice_equal(url_host(headings[k].link), url_host(headings[i].link)) &&
		    is_above(folder, title_path(t, headings[k].link, &other)))
			return true;
	}
	return false;
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
	for (int i = 0; i < n; i++)
		headings[i].above = links_above(t, headings, n, i);
	return status < 0 ? status : n;
}

/*
 * Takes the site's name from the page's headings, if it is not declared: an h1 that is nothing but a link to what is
 * above the page.
 *
 * Example: <h1><a href="/blog/">Shore</a></h1> of the page "/blog/?p=12".
 */
static int read_logo(struct page_title *t, const struct title_heading *headings, int n)
{
	int status = DANA_OK;
	for (int i = 0; i < n && status == DANA_OK && t->site.len == 0; i++) {
		if (headings[i].main && headings[i].linked && headings[i].above)
			status = title_letters(&t->site, title_heading_text(t, &headings[i]));
	}
	return status;
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
		status = title_make_line(t, parts[i].text);
		if (status == DANA_OK)
			status = title_letters(&t->letters, buf_slice(&t->line.out));
		if (parts[i].inner || t->letters.len == 0)
			continue;
		first = last ? first : i;
		last = i + 1;
	}
	for (size_t from = 0; from < n && from <= first && status == DANA_OK; from++) {
		buf_clear(&t->letters);
		for (size_t to = from; to < n && t->letters.len < title.len && status == DANA_OK; to++) {
			status = title_make_line(t, parts[to].text);
			if (status == DANA_OK)
				status = title_letters(&t->letters, buf_slice(&t->line.out));
			if (status < 0 || to + 1 < last || !title_same(buf_slice(&t->letters), title))
				continue;
			t->own = true;
			status = add_line(t, parts + from, to + 1 - from, h);
			if (status < 0)
				return status;
			const size_t len = title_after_marks(title_heading_text(t, h)).len;
			h->text += h->len - len;
			h->len = len;
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
		const struct slice text = title_heading_text(t, &headings[i]);
		buf_clear(&t->letters);
		found = headings[i].main == main && title_letters(&t->letters, text) == DANA_OK &&
			title_same(buf_slice(&t->letters), letters);
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
	if (title_letters(&t->wanted, text) < 0 || t->wanted.len < LETTERS ||
	    title_names_site(t, buf_slice(&t->wanted)))
		return found;
	found.main = has_heading(t, headings, n, true, buf_slice(&t->wanted));
	found.other = has_heading(t, headings, n, false, buf_slice(&t->wanted));
	return found;
}

/* Returns whether an h1 that is not the site's name has letters of this text, but not the last ones. */
static bool has_inner_h1(struct page_title *t, const struct title_heading *headings, int n, struct slice text)
{
	bool inner = false;
	buf_clear(&t->wanted);
	if (title_letters(&t->wanted, text) < 0)
		return true;
	for (int i = 0; i < n && !inner; i++) {
		const struct slice h1 = title_heading_text(t, &headings[i]);
		buf_clear(&t->letters);
		inner = headings[i].main && title_letters(&t->letters, h1) == DANA_OK &&
			!title_names_site(t, buf_slice(&t->letters)) && t->wanted.len &&
			title_holds(slice_first(buf_slice(&t->wanted), t->wanted.len - 1), buf_slice(&t->letters));
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
	if (find_heading(t, headings, n, title).main && !title_ends_with_site(t, title))
		*bare = title;
	for (size_t i = 1; i < title.len && breaks < BREAKS_MOST && !is.main && !is.other; i++) {
		if (ascii_is_alpha(title.data[i]))
			continue;
		const char *const mark = title_parts_at(title, i, colon)     ? colon
					 : title_parts_at(title, i, bracket) ? bracket
									     : title_separator_at(title, i);
		if (!mark)
			continue;
		breaks++;
		const struct slice before = slice_trim(slice_first(title, i));
		const struct slice after = slice_trim(slice_skip(title, i + strlen(mark)));
		const struct found_heading first = find_heading(t, headings, n, before);
		const struct found_heading last = find_heading(t, headings, n, after);
		const bool longer =
			after.len + skipped > before.len && (strcmp(mark, "|") != 0 || title_is_site(t, before));
		if (mark != colon && before.len < bare->len && (first.main || first.other) &&
		    (2 * before.len >= bare->len || (last.main && !first.main)) &&
		    !has_inner_h1(t, headings, n, after)) {
			*bare = before;
			return;
		}
		if (mark != bracket && (last.main || last.other) && (longer || title_is_site(t, before)) &&
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
	if (title.len == 0 || is_cut || title_names_site(t, title))
		return false;
	const bool short_text = title_words(text) < WORDS && !(title.len >= 4 * WORDS && title.data[0] >= 0xE3);
	return (!short_text && title_holds(declared, title)) || has_heading(t, headings, n, false, title);
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
		const struct slice text = title_heading_text(t, &headings[i]);
		if (!headings[i].main || headings[i].from >= begin || headings[i].link.len || title_is_site(t, text) ||
		    (FEW * t->letters.len < title.len && title_holds(title, buf_slice(&t->letters))))
			continue;
		if (title_shares_word(t, text, title))
			return i;
	}
	return -1;
}

/* ---- which h1 is the title ---- */

/* Returns whether a heading is og:title. */
static bool is_declared(struct page_title *t, const struct title_heading *h)
{
	enum { LETTERS = 8 };
	buf_clear(&t->letters);
	return title_letters(&t->letters, title_heading_text(t, h)) == DANA_OK && t->letters.len >= LETTERS &&
	       title_same(buf_slice(&t->letters), buf_slice(&t->declared)) &&
	       !title_names_site(t, buf_slice(&t->letters)) && !h->above;
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
	status = title_letters(&t->wanted, title);
	bare_at = t->wanted.len;
	if (status == DANA_OK)
		status = title_letters(&t->wanted, bare);
	const struct slice all = buf_slice(&t->wanted);
	const struct slice whole = slice_first(all, bare_at), part = slice_skip(all, bare_at);
	for (int i = 0; i < n && status == DANA_OK && !exact; i++) {
		exact = declared = headings[i].main && is_declared(t, &headings[i]);
		chosen = exact ? i : chosen;
	}
	for (int i = 0; i < n && status == DANA_OK && !exact; i++) {
		if (!headings[i].main)
			continue;
		buf_clear(&t->letters);
		status = title_letters(&t->letters, title_heading_text(t, &headings[i]));
		const struct slice h = buf_slice(&t->letters);
		exact = title_same(h, part);
		const bool site = title_names_site(t, h) || (title_holds(whole, h) && !title_holds(part, h));
		const bool alike = whole.len == 0
					   ? !headings[i].above
					   : title_holds(h, part) || (title_holds(part, h) && 2 * h.len >= part.len);
		if (exact || (h.len && !site && chosen < 0 && alike)) {
			chosen = i;
			more = !exact && title_holds(h, part) && 2 * part.len >= h.len;
		}
		if (h.len && !site && !headings[i].above && others++ == 0)
			alone = i;
	}
	if (chosen < 0 && others == 1 &&
	    (title_shares_word(t, title_heading_text(t, &headings[alone]), part) ||
	     !(is_confirmed(t, headings, n, bare, part) ||
	       title_has_line(t, log, headings, n, title, bare, headings[alone].to, begin))))
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
		t->text = title_heading_text(t, h);
	t->from = h->from;
	t->to = h->to;
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
	status = title_letters(&t->wanted, t->url);
	if (status == DANA_OK)
		status = buf_append(&t->wanted, t->address.data, t->address.len);
	if (status == DANA_OK && declared.len >= LETTERS && title_holds(buf_slice(&t->wanted), declared) &&
	    !title_names_site(t, declared) && !title_shares_word(t, title, declared)) {
		t->text = slice_of(t->texts.data + t->declared_at, t->declared_len);
		return status;
	}
	buf_clear(&t->letters);
	if (status == DANA_OK)
		status = title_letters(&t->letters, title);
	if (site.len && t->letters.len > site.len && title_names_site(t, buf_slice(&t->letters)))
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
	int status = title_letters(&t->host, url_host(url));
	const int n = status < 0 ? status : read_page(t, log, tags, headings);
	status = n < 0 ? n : read_logo(t, headings, n);
	if (status == DANA_OK)
		status = title_cut_site(t, &bare);
	buf_clear(&t->wanted);
	if (status == DANA_OK)
		status = title_letters(&t->wanted, bare);
	if (status == DANA_OK && !has_heading(t, headings, n, true, buf_slice(&t->wanted)))
		title_cut_declared(t, &bare);
	if (status == DANA_OK)
		take_heading(t, headings, n, title, &bare);
	if (status == DANA_OK)
		status = choose(t, log, tags, headings, n, title, bare, begin);
	bool found = false; /* a line that is a part of the title */
	if (status == DANA_OK && !t->to) {
		status = title_declares_whole(t, bare)
				 ? DANA_OK
				 : title_take_line(t, log, headings, n, title, bare, begin, &found);
		if (status == DANA_OK)
			status = choose_other(t, bare);
		if (status == DANA_OK && !found)
			status = title_take_headline(t, log, headings, n, begin);
	}
	return status;
}

bool page_title_is(struct page_title *t, struct slice source)
{
	buf_clear(&t->letters);
	buf_clear(&t->wanted);
	return title_make_line(t, source) == DANA_OK &&
	       title_letters(&t->letters, buf_slice(&t->line.out)) == DANA_OK &&
	       title_letters(&t->wanted, t->text) == DANA_OK &&
	       title_same(buf_slice(&t->letters), buf_slice(&t->wanted));
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
