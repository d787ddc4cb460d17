/* SPDX-License-Identifier: MIT */
/*
 * Reads dates as pages write them, and writes them as ISO 8601. Example: "3 March 2021" is 2021-03-03.
 *
 * A date is three fields, each a number or the name of a month, with few characters between them. The text is split
 * into such fields, and every three adjacent ones are tried as year-month-day, day-month-year, month-day-year.
 */
#include "config.h"

#include "plugins/metadata/values.h"

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "base/json.h"
#include "extract/html/entity.h"
#include "plugins/metadata/scan.h"

enum { FIRST_YEAR = 1990, LAST_YEAR = 2099, BETWEEN_MOST = 6 };

/** Prefixes of month names, in lower case. */
static const struct month_name {
	const char *name;
	int month;
} month_names[] = {
	{ "jan", 1 },     { "ene", 1 },     { "gen", 1 },     { "sty", 1 },     { "янв", 1 },     { "يناير", 1 },
	{ "ژانویه", 1 },  { "feb", 2 },     { "fév", 2 },     { "fev", 2 },     { "лют", 2 },     { "luty", 2 },
	{ "фев", 2 },     { "şub", 2 },     { "فبراير", 2 },  { "فوریه", 2 },   { "mar", 3 },     { "mär", 3 },
	{ "mrt", 3 },     { "maa", 3 },     { "март", 3 },    { "مارس", 3 },    { "apr", 4 },     { "abr", 4 },
	{ "avr", 4 },     { "kwi", 4 },     { "апр", 4 },     { "nis", 4 },     { "أبريل", 4 },   { "ابریل", 4 },
	{ "آوریل", 4 },   { "may", 5 },     { "mai", 5 },     { "mei", 5 },     { "mag", 5 },     { "maj", 5 },
	{ "мая", 5 },     { "май", 5 },     { "مايو", 5 },    { "مه", 5 },      { "jun", 6 },     { "juin", 6 },
	{ "giu", 6 },     { "cze", 6 },     { "июн", 6 },     { "haz", 6 },     { "يونيو", 6 },   { "ژوئن", 6 },
	{ "jul", 7 },     { "juil", 7 },    { "lug", 7 },     { "lip", 7 },     { "июл", 7 },     { "tem", 7 },
	{ "يوليو", 7 },   { "ژوئیه", 7 },   { "aug", 8 },     { "aoû", 8 },     { "ago", 8 },     { "sie", 8 },
	{ "авг", 8 },     { "ağu", 8 },     { "أغسطس", 8 },   { "اوت", 8 },     { "sep", 9 },     { "set", 9 },
	{ "wrz", 9 },     { "сен", 9 },     { "eyl", 9 },     { "سبتمبر", 9 },  { "سپتامبر", 9 }, { "oct", 10 },
	{ "okt", 10 },    { "ott", 10 },    { "out", 10 },    { "paź", 10 },    { "окт", 10 },    { "eki", 10 },
	{ "أكتوبر", 10 }, { "اکتبر", 10 },  { "nov", 11 },    { "lis", 11 },    { "ноя", 11 },    { "kas", 11 },
	{ "نوفمبر", 11 }, { "نوامبر", 11 }, { "dec", 12 },    { "dez", 12 },    { "déc", 12 },    { "dic", 12 },
	{ "gru", 12 },    { "дек", 12 },    { "ara", 12 },    { "ديسمبر", 12 }, { "دسامبر", 12 }, { "جنوری", 1 },
	{ "فروری", 2 },   { "مارچ", 3 },    { "اپریل", 4 },   { "مئی", 5 },     { "جون", 6 },     { "جولائی", 7 },
	{ "اگست", 8 },    { "ستمبر", 9 },   { "اکتوبر", 10 }, { "نومبر", 11 },  { "دسمبر", 12 },  { "leden", 1 },
	{ "ledna", 1 },   { "únor", 2 },    { "březn", 3 },   { "dubn", 4 },    { "květ", 5 },    { "červen", 6 },
	{ "června", 6 },  { "srpn", 8 },    { "září", 9 },    { "říjn", 10 },   { "prosin", 12 }, { "tammi", 1 },
	{ "helmi", 2 },   { "huhti", 4 },   { "touko", 5 },   { "kesä", 6 },    { "heinä", 7 },   { "elokuu", 8 },
	{ "syys", 9 },    { "loka", 10 },   { "marras", 11 }, { "joulu", 12 },
};

struct date_field {
	int value;      /* number, or number of the month */
	size_t at, end; /* bytes of the text */
	uint8_t digits; /* 0: the name of a month */
};

/** Returns the number of the month whose name the word begins with; 0 if it is not a month. */
static int month_of(const uint8_t *word, size_t len)
{
	char small[12];
	const size_t n = len < sizeof(small) ? len : sizeof(small);
	for (size_t i = 0; i < n; i++)
		small[i] = (char)ascii_lower(word[i]);
	for (size_t i = 0; i < sizeof(month_names) / sizeof(month_names[0]); i++) {
		const char *name = month_names[i].name;
		if (name[0] == small[0] && strlen(name) <= n && !memcmp(name, small, strlen(name)))
			return month_names[i].month;
	}
	return 0;
}

static bool is_word(uint8_t c)
{
	return c >= 0x80 || ascii_is_alpha(c);
}

/** Reads the next field at or after *at. Returns false if there are no more. */
static bool next_field(struct slice t, size_t *at, struct date_field *f)
{
	while (*at < t.len) {
		size_t start = *at, end = start;
		int value = 0;
		if (ascii_is_digit(t.data[start])) {
			for (; end < t.len && ascii_is_digit(t.data[end]); end++)
				value = value < 100000 ? 10 * value + (t.data[end] - '0') : value;
			*at = end;
			*f = (struct date_field){ value, start, end, (uint8_t)(end - start < 9 ? end - start : 9) };
			return true;
		}
		if (!is_word(t.data[start])) {
			++*at;
			continue;
		}
		while (end < t.len && is_word(t.data[end]))
			end++;
		*at = end;
		value = month_of(t.data + start, end - start);
		if (value) {
			*f = (struct date_field){ value, start, end, 0 };
			return true;
		}
	}
	return false;
}

static bool is_year(const struct date_field *f)
{
	return f->digits == 4 && f->value >= FIRST_YEAR && f->value <= LAST_YEAR;
}

static bool is_month(const struct date_field *f)
{
	return f->value >= 1 && f->value <= 12 && f->digits <= 2;
}

size_t date_form(struct slice text, const char *form)
{
	const size_t n = strlen(form);
	for (size_t i = 0; i < n; i++) {
		if (i >= text.len ||
		    (form[i] == '0' ? !ascii_is_digit(text.data[i]) : text.data[i] != (uint8_t)form[i]))
			return 0;
	}
	return n;
}

static size_t fits(const uint8_t *at, size_t len, const char *form)
{
	return date_form(slice_of(at, len), form);
}

/** Returns the length of a time in ISO 8601 after a date, as "T10:00:00+02:00"; 0 if there is no such time. */
static size_t time_length(const uint8_t *at, size_t len)
{
	size_t n = fits(at, len, "T00:00"), part;
	if (!n)
		n = fits(at, len, " 00:00");
	if (!n || at[1] > '2' || (at[1] == '2' && at[2] > '4') || at[4] > '5')
		return 0;
	n += fits(at + n, len - n, ":00");
	part = n;
	if (part < len && at[part] == '.')
		for (part++; part < len && ascii_is_digit(at[part]);)
			part++;
	static const char *const forms[] = { "Z", "+00:00", "-00:00", "+0000", "-0000" };
	size_t zone = 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !zone; i++)
		zone = fits(at + part, len - part, forms[i]);

	return zone ? part + zone : n;
}

size_t date_write(int year, int month, int day, char out[DATE_BYTES])
{
	const int digits[] = { year / 1000, year / 100, year / 10, year, -1, month / 10, month, -1, day / 10, day };
	const size_t n = sizeof(digits) / sizeof(digits[0]);
	for (size_t i = 0; i < n; i++)
		out[i] = digits[i] < 0 ? '-' : (char)('0' + digits[i] % 10);
	out[n] = '\0';
	return n;
}

size_t date_read(struct slice text, bool month_first, char out[DATE_BYTES])
{
	struct date_field f[3];
	size_t n = 0;

	/* without four digits in a row, as most texts, it is no date */
	int digits = 0;
	for (size_t i = 0; i < text.len && digits < 4; i++)
		digits = ascii_is_digit(text.data[i]) ? digits + 1 : 0;
	if (digits < 4)
		return 0;
	for (size_t at = 0; next_field(text, &at, &f[n]);) {
		if (n && f[n].at - f[n - 1].end > BETWEEN_MOST) {
			f[0] = f[n];
			n = 0;
		}
		if (n < 2) {
			n++;
			continue;
		}
		bool slash = text.data[f[0].end] == '/' || text.data[f[0].end] == '-';
		/* which of the three are year, month and day? */
		const struct date_field *y = &f[2], *m = &f[1], *d = &f[0];
		if (is_year(&f[0])) {
			y = &f[0];
			d = &f[2];
		} else if (!f[0].digits || (slash && f[1].digits && month_first && is_month(&f[0])) ||
			   (slash && f[1].digits && f[1].value > 12)) {
			m = &f[0];
			d = &f[1];
		}
		if (is_year(y) && is_month(m) && d->digits >= 1 && d->digits <= 2 && d->value >= 1 && d->value <= 31) {
			n = date_write(y->value, m->value, d->value, out);
			const size_t time = y == &f[0] ? time_length(text.data + f[2].end, text.len - f[2].end) : 0;
			if (!time || n + time >= DATE_BYTES)
				return n;
			memcpy(out + n, text.data + f[2].end, time);
			out[n] = 'T';
			out[n + time] = '\0';
			return n + time;
		}
		f[0] = f[1];
		f[1] = f[2];
	}
	return 0;
}

/* An address is resolved by its parts: scheme, authority, path, and the rest. */

enum { TEXT_SEARCH = 2048, TEXT_MOST = 300 };

static size_t find(struct slice s, size_t from, const char *any)
{
	while (from < s.len && !strchr(any, s.data[from]))
		from++;
	return from;
}

/** Returns the length of a scheme such as "http:" at the start; 0 if there is no scheme. */
static size_t scheme_length(struct slice s)
{
	size_t colon = find(s, 0, ":/?#");
	return colon < s.len && colon && s.data[colon] == ':' && ascii_is_alpha(s.data[0]) ? colon + 1 : 0;
}

/** Appends the path without its segments "." and "..". */
static void append_path(struct buf *out, size_t root, struct slice path)
{
	for (size_t at = 0; at < path.len;) {
		size_t end = find(path, at + 1, "/");
		struct slice segment = slice_of(path.data + at, end - at); /* with the '/' before it */
		bool last = end == path.len;
		if (slice_is(segment, "/..")) {
			while (out->len > root && out->data[out->len - 1] != '/')
				out->len--;
			out->len -= out->len > root;
		}
		if (slice_is(segment, "/.") || slice_is(segment, "/..")) {
			if (last)
				buf_append_byte(out, '/');
		} else {
			buf_append(out, segment.data, segment.len);
		}
		at = end;
	}
}

void address_resolve(struct buf *out, struct slice base, struct slice reference)
{
	size_t scheme = scheme_length(base);
	size_t path = find(base, scheme + 2 < base.len ? scheme + 2 : base.len, "/?#");
	size_t path_end = find(base, path, "?#"), root = out->len + path;
	if (scheme_length(reference)) {
		buf_append(out, reference.data, reference.len);
		return;
	}
	if (reference.len >= 2 && reference.data[0] == '/' && reference.data[1] == '/') {
		buf_append(out, base.data, scheme);
		buf_append(out, reference.data, reference.len);
		return;
	}
	size_t after = find(reference, 0, "?#");
	struct slice way = slice_of(reference.data, after);
	buf_append(out, base.data, path);
	if (!way.len) {
		size_t query = reference.len && reference.data[0] == '?' ? path_end : find(base, path, "#");
		buf_append(out, base.data + path, query - path);
	} else if (way.data[0] == '/') {
		append_path(out, root, way);
	} else {
		size_t folder = path_end;
		while (folder > path && base.data[folder - 1] != '/')
			folder--;
		struct buf joined = { 0 };
		buf_append(&joined, base.data + path, folder - path);
		if (folder == path)
			buf_append_byte(&joined, '/');
		buf_append(&joined, way.data, way.len);
		append_path(out, root, buf_slice(&joined));
		buf_free(&joined);
	}
	buf_append(out, reference.data + after, reference.len - after);
}

void links_begin(struct links *l, struct slice base)
{
	l->base = base;
	l->n = 0;
	buf_clear(&l->json);
	buf_append_byte(&l->json, '[');
}

static void put(struct links *l, const char *before, const char *name, struct slice value)
{
	buf_printf(&l->json, "%s\"%s\":\"", before, name);
	json_escape(&l->json, value);
	buf_append_byte(&l->json, '"');
}

/** Adds a link. `text` is the page after the start tag. */
static void links_add(struct links *l, struct slice href, struct slice rel, struct slice text)
{
	struct buf reference = { 0 };

	href = slice_trim(href);
	if (!href.len || href.len > LINK_BYTES || href.data[0] == '#' || l->n == LINKS_MOST)
		return;
	buf_latch(&l->json, html_entity_append(&reference, href));
	buf_clear(&l->address);
	address_resolve(&l->address, l->base, buf_slice(&reference));
	buf_latch(&l->json, buf_status(&l->address));
	buf_free(&reference);
	if (l->address.len < 8 || memcmp(l->address.data, "http", 4) != 0)
		return;
	struct buf raw = { 0 };

	/* the text up to </a>, without tags, its white space collapsed */
	struct slice rest = slice_first(text, TEXT_SEARCH);
	bool space = false;

	for (size_t i = 0; i < rest.len && raw.len < TEXT_MOST; i++) {
		if (rest.data[i] == '<') {
			if (i + 2 < rest.len && rest.data[i + 1] == '/' && (rest.data[i + 2] | 0x20) == 'a')
				break;
			i = find(rest, i, ">");
			continue;
		}
		if (ascii_is_space(rest.data[i])) {
			space = raw.len > 0;
			continue;
		}
		if (space)
			buf_append_byte(&raw, ' ');
		space = false;
		buf_append_byte(&raw, rest.data[i]);
	}
	buf_clear(&l->text);
	buf_latch(&l->json, buf_status(&raw));
	buf_latch(&l->json, html_entity_append(&l->text, buf_slice(&raw)));
	buf_free(&raw);
	put(l, l->n++ ? ",{" : "{", "url", buf_slice(&l->address));
	put(l, ",", "text", buf_slice(&l->text));
	if (rel.len)
		put(l, ",", "rel", rel);
	buf_append_byte(&l->json, '}');
}

struct slice links_end(struct links *l)
{
	buf_append_byte(&l->json, ']');
	return buf_slice(&l->json);
}

void links_read(struct links *l, struct slice html)
{
	const uint8_t *end = html.data + html.len;
	for (const uint8_t *at = html.data; at && (at = memchr(at, '<', (size_t)(end - at))) && at + 2 < end;) {
		struct tag tag;
		const uint8_t *after;
		if (end - at > 4 && memcmp(at, "<!--", 4) == 0) {
			const uint8_t *close = memmem(at + 4, (size_t)(end - at) - 4, "-->", 3);
			at = close ? close + 3 : NULL;
		} else if (tag_is(at, end, "script")) {
			at = tag_raw_end(at + 1, end, "script");
		} else if (tag_is(at, end, "style")) {
			at = tag_raw_end(at + 1, end, "style");
		} else if (tag_is(at, end, "a") && (after = tag_read(at, end, strlen("a"), &tag))) {
			links_add(l, tag_attr(&tag, "href"), tag_attr(&tag, "rel"),
				  slice_of(after, (size_t)(end - after)));
			at = after;
		} else {
			at++;
		}
	}
}
