/* SPDX-License-Identifier: MIT */
/*
 * Lines of the page that are its title: a heading or another line that is a part of <title>, and the headline over the
 * text of a page whose <title> says nothing but the site. The nearest one to where the text begins counts.
 *
 * The plugin metadata looks for a part of <title>, too, as a place near which dates and names are (title_line_end of
 * plugins/metadata/scan.h). It has neither the log nor where the text begins, and takes the first line, by other
 * letters; one rule for both would change what either finds.
 *
 * Example: of <title>Shore Daily | Walks | Old trees in the park</title> what the page has in a <font> before the text.
 */
#include "config.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/structure/title_parts.h"

enum {
	HEADLINE_AWAY = 400, /* bytes of text between a headline and the text */
	TITLE_LETTERS = 512, /* of a title that is looked for in lines of the page */
};

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
		if (title_letters(&t->wanted, slice_of(title.data + i, len)) < 0)
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
	return title_letters(&t->source, title_path(t, address, &foreign)) == DANA_OK &&
	       title_holds(buf_slice(&t->source), letters);
}

/* Reads the letters of a line. Returns whether it is a part of the title that may be the title of the page. */
static bool is_part(struct page_title *t, const struct title_letters *title, struct slice text, struct title_line *line)
{
	enum { LETTERS = 8, HEADING_LETTERS = 3, WORDS = 3, SURE = 16 };
	const struct slice all = title->all;
	buf_clear(&t->letters);
	if (title_letters(&t->letters, text) < 0)
		return false;
	const struct slice own = buf_slice(&t->letters);
	const size_t rest = all.len - own.len;
	line->text = text;
	line->letters = own.len;
	if (own.len > all.len || own.len < (line->heading ? HEADING_LETTERS : LETTERS) || title_names_site(t, own))
		return false;
	const bool most = own.len >= SURE && 2 * own.len >= title->bare, words = title_words(text) >= WORDS;
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
	if (rest && title_same(own, buf_slice(&t->declared)) && (line->first || line->last))
		line->away = 0;
	if (line->cut && !(words && own.len >= SURE))
		return title_names_site(t, slice_skip(slice_first(all, title->bare), title->from)) ||
		       title_same(own, buf_slice(&t->declared)) || addresses(t, line->link, own) ||
		       addresses(t, t->url, own);
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

/* Returns the text between the tags before and after it if it is a line: nothing continues it before or after them. */
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
		const struct slice text = title_heading_text(t, &headings[i]);
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
		status = title_make_line(t, source);
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

/* Takes a line of source text as the title. */
static int take_source(struct page_title *t, struct slice source)
{
	int status = title_make_line(t, source);
	const size_t at = t->texts.len;
	if (status == DANA_OK)
		status = buf_append(&t->texts, t->line.out.data, t->line.out.len);
	t->text = slice_skip(buf_slice(&t->texts), at);
	return status;
}

int title_take_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
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
	if (!best.heading)
		return take_source(t, best.text);
	t->text = best.text;
	return status;
}

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

bool title_has_line(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		    struct slice title, struct slice bare, uint64_t h1, uint64_t begin)
{
	enum { WORDS = 3, AWAY = 64 };
	struct title_letters letters;
	struct title_line best = { .away = UINT64_MAX };
	bool is_bare = false;
	return title_words(bare) >= WORDS && (h1 > begin || text_between(log, h1, begin) >= AWAY) &&
	       read_letters(t, title, bare, &letters) &&
	       find_line(t, log, headings, n, &letters, begin, &best, &is_bare) == DANA_OK &&
	       (is_bare || best.away < UINT64_MAX);
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
	const size_t words = title_words(text);
	return title_letters(&t->letters, text) == DANA_OK && t->letters.len >= LETTERS && words <= WORDS_MOST &&
	       !(year && words <= DATE_WORDS) && !title_names_site(t, buf_slice(&t->letters));
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
		if (mark > best && (mark > BOLD || (bold && i == last)) && title_make_line(t, line) == DANA_OK &&
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
	if (title_letters(&t->letters, title_path(t, t->url, &foreign)) < 0 || t->letters.len == 0 ||
	    (t->declared.len && !title_names_site(t, buf_slice(&t->declared))))
		return false;
	if (title_is_site(t, title))
		return true;
	const size_t article = slice_until(title, " ") < NAME_LEAST ? slice_until(title, " ") + 1 : 0;
	struct slice name = slice_skip(title, article);
	name = slice_first(name, slice_until(name, " "));
	buf_clear(&t->letters);
	return title_words(title) <= WORDS_MOST && title_letters(&t->letters, name) == DANA_OK &&
	       t->letters.len >= NAME_LEAST &&
	       title_holds(buf_slice(&t->host), slice_first(buf_slice(&t->letters), NAME_MOST));
}

/* Takes the heading right over a place, or a line there that is marked as a headline. *found: there is one. */
static int take_over(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
		     uint64_t place, bool *found)
{
	for (int i = n; i-- > 0;) {
		const struct slice text = title_heading_text(t, &headings[i]);
		if (headings[i].from > place || headings[i].above)
			continue;
		if (!may_be_headline(t, text) || text_between(log, headings[i].to, place) >= HEADLINE_AWAY)
			break;
		t->text = title_after_marks(text);
		*found = true;
		return DANA_OK;
	}
	const size_t entry = find_headline(t, log, place, t->text.len == 0);
	*found = entry > 0;
	if (!entry)
		return DANA_OK;
	return take_source(t, line_before(log, entry));
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

int title_take_headline(struct page_title *t, const struct page_log *log, const struct title_heading *headings, int n,
			uint64_t begin)
{
	bool found = false;
	if (!says_site_only(t, t->text))
		return DANA_OK;
	int status = take_over(t, log, headings, n, begin, &found);
	if (status == DANA_OK && !found)
		status = take_over(t, log, headings, n, end_of_first_lines(log, begin), &found);
	return status;
}
