/* SPDX-License-Identifier: MIT */
/*
 * Texts of titles: the letters by which two are compared, the marks that part one, and the name of the site, which is
 * cut off.
 *
 * Example: "Mill reopens – The Shore" without the name of the site is "Mill reopens", which has the letters of "“Mill
 * reopens”".
 */
#include "config.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "extract/structure/title_parts.h"

enum {
	SITE_WORDS = 5,   /* of a site's name that nothing but its place tells from the title */
	CUTS_MOST = 4,    /* of parts that are cut off a title */
	HOST_LETTERS = 3, /* of a name that is looked for in the host */
	WORD_LETTERS = 4, /* bytes of a word that two titles share */
};

int title_letters(struct buf *to, struct slice text)
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

int title_make_line(struct page_title *t, struct slice source)
{
	text_writer_reset(&t->line, 0);
	const int status = text_writer_wrapped(&t->line, source);
	return status < 0 ? status : text_writer_finish(&t->line);
}

size_t title_words(struct slice text)
{
	size_t n = 0;
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] != ' ' && (i == 0 || text.data[i - 1] == ' ');
	return n;
}

/* Returns whether a character is of a script that writes words without blanks between them. */
static bool is_dense(uint32_t c)
{
	return c >= 0x3040 && c < 0xFF00;
}

bool title_shares_word(struct page_title *t, struct slice text, struct slice letters)
{
	bool shares = false;
	for (size_t i = 0, from = 0, before = 0; i <= text.len && !shares;) {
		uint32_t c = ' ';
		const size_t len = i < text.len ? utf8_decode(slice_skip(text, i), &c) : 1;
		buf_clear(&t->letters);
		if (is_dense(c)) {
			if (before)
				shares = title_holds(letters, slice_of(text.data + i - before, before + len));
			before = len;
			from = i + len;
		} else {
			before = 0;
			if (c < 0x80 && !ascii_is_alpha((uint8_t)c) && !ascii_is_digit((uint8_t)c)) {
				if (title_letters(&t->letters, slice_of(text.data + from, i - from)) < 0)
					return true;
				shares = t->letters.len >= WORD_LETTERS && title_holds(letters, buf_slice(&t->letters));
				from = i + len;
			}
		}
		i += len;
	}
	return shares;
}

/* ---- what names the site ---- */

bool title_names_site(const struct page_title *t, struct slice letters)
{
	const struct slice site = buf_slice(&t->site), host = buf_slice(&t->host);
	const size_t name = slice_equal(slice_first(letters, site.len), site) ? site.len : 0;
	return title_same(letters, site) || (letters.len >= HOST_LETTERS && title_holds(host, letters)) ||
	       (letters.len >= name + HOST_LETTERS && title_holds(host, slice_skip(letters, name)));
}

bool title_is_site(struct page_title *t, struct slice text)
{
	buf_clear(&t->letters);
	return title_letters(&t->letters, text) == DANA_OK && title_names_site(t, buf_slice(&t->letters));
}

struct slice title_path(const struct page_title *t, struct slice address, bool *foreign)
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

/* Returns whether the characters on both sides of a place are of Chinese and the like; bytes of 3 or more tell. */
static bool is_between_dense(struct slice title, size_t at, size_t end)
{
	uint32_t after = 0;
	(void)utf8_decode(slice_skip(title, end), &after);
	return at >= 3 && title.data[at - 1] >= 0x80 && title.data[at - 3] >= 0xE3 && is_dense(after);
}

/* A mark without blanks parts words of Chinese and the like, not "well-known" or "snake_case". */
bool title_parts_at(struct slice title, size_t at, const char *text)
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

/* Returns the separator at a place of a title; NULL: there is none. */
static const struct separator *separator_at(struct slice title, size_t at)
{
	for (size_t i = 0; i < sizeof(separators) / sizeof(*separators); i++) {
		if (title_parts_at(title, at, separators[i].text))
			return &separators[i];
	}
	return NULL;
}

const char *title_separator_at(struct slice title, size_t at)
{
	const struct separator *const separator = separator_at(title, at);
	return separator ? separator->text : NULL;
}

/* Returns the last separator of the title, or the first one; NULL: it has none. */
static const struct separator *find_separator(struct slice title, bool last, size_t *at)
{
	const struct separator *found = NULL;
	for (size_t i = 1; i < title.len && (last || !found); i++) {
		if (ascii_is_alpha(title.data[i]))
			continue;
		const struct separator *const here = separator_at(title, i);
		found = here ? here : found;
		*at = here ? i : *at;
	}
	return found;
}

void title_cut_declared(struct page_title *t, struct slice *title)
{
	const struct slice declared = buf_slice(&t->declared);
	struct slice rest = *title;
	size_t at, all = 0, most = 0;
	const struct separator *next;
	while ((next = find_separator(rest, false, &at))) {
		all += at;
		buf_clear(&t->letters);
		if (title_letters(&t->letters, slice_first(*title, all)) < 0 ||
		    !title_holds(declared, buf_slice(&t->letters)))
			break;
		most = 2 * t->letters.len >= declared.len && !title_names_site(t, buf_slice(&t->letters)) ? all : most;
		all += strlen(next->text);
		rest = slice_skip(*title, all);
	}
	if (!next && most) { /* og:title has all parts but the last one: does it have that, too? */
		buf_clear(&t->letters);
		if (title_letters(&t->letters, *title) < 0 || title_holds(declared, buf_slice(&t->letters)))
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
	return title_letters(&t->letters, slice_first(title, at)) == DANA_OK &&
	       title_letters(&t->wanted, slice_first(rest, next)) == DANA_OK &&
	       title_same(buf_slice(&t->letters), buf_slice(&t->wanted));
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
			status = title_letters(&t->site, slice_first(*title, at));
		buf_clear(&t->letters);
		if (status == DANA_OK)
			status = title_letters(&t->letters, slice_first(*title, at));
		if (!title_same(buf_slice(&t->letters), buf_slice(&t->site)))
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
		status = title_letters(&t->letters, rest);
		if (title_same(buf_slice(&t->letters), buf_slice(&t->site)) && find_separator(rest, false, &after)) {
			*title = slice_trim(before);
			break;
		}
	}
	return status;
}

bool title_declares_whole(struct page_title *t, struct slice title)
{
	buf_clear(&t->letters);
	return title_letters(&t->letters, title) == DANA_OK &&
	       title_same(buf_slice(&t->letters), buf_slice(&t->declared));
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
			board = title_holds(t->url, slice_from_text("viewtopic")) ||
				title_holds(t->url, slice_from_text("viewforum"));
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

int title_cut_site(struct page_title *t, struct slice *title)
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
		status = title_letters(&t->letters, after);
		const struct slice last = buf_slice(&t->letters);
		const bool named = title_names_site(t, last);
		buf_clear(&t->wanted);
		if (status == DANA_OK)
			status = title_letters(&t->wanted, before);
		/* a mark that is rarely a part of titles says more than the lengths */
		const bool shorter =
			last.len < (next->kind != FREE ? 1U : 2U) * t->wanted.len && title_words(after) <= SITE_WORDS;
		const bool other = cut && (next != cut || next->kind == ONCE) && !begin_alike(name, after);
		if (t->wanted.len == 0 || !(named || (shorter && !other)))
			break;
		if (!named && !cut && next->kind == ONCE && t->site.len && title_declares_whole(t, *title) &&
		    !title_shares_word(t, after, buf_slice(&t->site)))
			break; /* the site has another name */
		*title = before;
		cut = next;
		name = after;
	}
	return status;
}

bool title_ends_with_site(struct page_title *t, struct slice title)
{
	size_t at;
	const struct separator *const last = find_separator(title, true, &at);
	return last && (last->kind == FREE || title_is_site(t, slice_skip(title, at + strlen(last->text))));
}

struct slice title_after_marks(struct slice text)
{
	static const char *const marks[] = { " ", "\u3009", "«", "»", "›", "|", ">", "/", "-", "–", "·", ":" };
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const size_t len = strlen(marks[i]);
		if (text.len <= len || memcmp(text.data, marks[i], len) != 0)
			continue;
		text = slice_skip(text, len);
		i = SIZE_MAX; /* from the first again */
	}
	return text;
}
