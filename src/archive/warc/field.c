/* SPDX-License-Identifier: MIT */
/*
 * Splits a head into named fields without copying: names and values are slices of the text. Only a folded value moves,
 * within the text. Example: "A: one\r\n two\r\n" is the field A with the value "one two": "two" is moved left over the
 * line break and the blank, to stand one blank after "one".
 */
#include "archive/warc/field.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/url_parts.h"

int field_list_add(struct field_list *list, struct slice name, struct slice value)
{
	struct field *items = grow_items(list->items, list->len, &list->cap, sizeof(*items));
	if (!items)
		return DANA_ENOMEM;
	list->items = items;
	list->items[list->len++] = (struct field){ name, value };
	return DANA_OK;
}

int field_list_parse(struct field_list *list, uint8_t *text, size_t len, size_t most)
{
	bool may_fold = false; /* the line before was a field */

	for (size_t at = 0; at < len;) {
		const uint8_t *lf = memchr(text + at, '\n', len - at);
		size_t next = lf ? (size_t)(lf - text) + 1 : len;
		struct slice line = slice_of(text + at, next - at);

		at = next;
		if (line.data[0] == ' ' || line.data[0] == '\t') {
			/* a folded line moves to the end of the value that it continues: the line break and the blank
			 * between them make the room */
			const struct slice more = slice_trim(line);
			if (!may_fold || more.len == 0)
				continue;
			struct slice *value = &list->items[list->len - 1].value;
			uint8_t *end = text + (value->data - text) + value->len;
			if (value->len) {
				*end++ = ' ';
				value->len++;
			}
			memmove(end, more.data, more.len);
			value->len += more.len;
			continue;
		}
		const uint8_t *colon = memchr(line.data, ':', line.len);
		struct slice name = slice_trim(slice_of(line.data, colon ? (size_t)(colon - line.data) : 0));

		may_fold = name.len > 0;
		if (!may_fold)
			continue;
		if (list->len >= most) {
			list->cut = true;
			break;
		}
		size_t skip = (size_t)(colon - line.data) + 1;
		struct slice value = slice_trim(slice_of(line.data + skip, line.len - skip));
		int status = field_list_add(list, name, value);

		if (status < 0)
			return status;
	}
	return DANA_OK;
}

void field_list_clear(struct field_list *list)
{
	list->len = 0;
	list->cut = false;
}

void field_list_free(struct field_list *list)
{
	free(list->items);
	*list = (struct field_list){ 0 };
}

bool field_number(struct slice value, uint64_t *number)
{
	return decimal_number(value, INT64_MAX, number);
}

struct slice field_without_brackets(struct slice value)
{
	if (value.len >= 2 && value.data[0] == '<' && value.data[value.len - 1] == '>')
		return slice_of(value.data + 1, value.len - 2);
	return value;
}

/*
 * Reads a date part by part, each exactly as long as its form says, then subtracts the zone. Example:
 * "2024-03-01T00:30+02:00" is 00:30, two hours east, so 22:30 UTC of the day before: "2024-02-29T22:30:00Z". The 14
 * digits "20240301003000" of an ARC have no zone and are UTC.
 */

struct moment {
	int year, month, day, hour, minute, second;
	char fraction[12]; /* "" or "." and up to 9 digits */
};

/* Takes exactly `digits` digits. */
static bool take_number(struct slice *s, unsigned digits, int *number)
{
	uint64_t n;
	if (s->len < digits || !decimal_number(slice_first(*s, digits), INT_MAX, &n))
		return false;
	*s = slice_skip(*s, digits);
	*number = (int)n;
	return true;
}

static bool take_char(struct slice *s, char c)
{
	if (s->len == 0 || s->data[0] != (uint8_t)c)
		return false;
	*s = slice_skip(*s, 1);
	return true;
}

/* Reads "Z", "+02:00", "+0200", "+02" or nothing, and sets the minutes east of UTC. */
static bool take_zone(struct slice *s, int *east)
{
	int hours, minutes = 0;
	*east = 0;
	if (s->len == 0 || take_char(s, 'Z') || take_char(s, 'z'))
		return true;
	bool minus = s->data[0] == '-';
	if ((!take_char(s, '+') && !take_char(s, '-')) || !take_number(s, 2, &hours))
		return false;
	bool colon = take_char(s, ':');
	if ((colon || s->len) && !take_number(s, 2, &minutes))
		return false;
	if (hours > 14 || minutes > 59)
		return false;
	*east = (hours * 60 + minutes) * (minus ? -1 : 1);
	return true;
}

/* 2024-05-01T10:00:00.5+02:00 and its shorter forms */
static bool read_iso(struct slice s, struct moment *m, int *east)
{
	if (!take_number(&s, 4, &m->year))
		return false;
	if (take_char(&s, '-') && !take_number(&s, 2, &m->month))
		return false;
	if (s.len && m->month && take_char(&s, '-') && !take_number(&s, 2, &m->day))
		return false;
	bool time = s.len && m->day && (take_char(&s, 'T') || take_char(&s, 't') || take_char(&s, ' '));
	if (!time)
		return s.len == 0;
	if (!take_number(&s, 2, &m->hour) || !take_char(&s, ':') || !take_number(&s, 2, &m->minute))
		return false;
	if (take_char(&s, ':')) {
		if (!take_number(&s, 2, &m->second))
			return false;
		if (take_char(&s, '.') || take_char(&s, ',')) {
			size_t n = 0;
			for (; n < s.len && ascii_is_digit(s.data[n]); n++) {
				if (n < 9)
					m->fraction[n + 1] = (char)s.data[n];
			}
			s = slice_skip(s, n);
			m->fraction[0] = '.';
			if (n == 0)
				return false;
		}
	}
	return take_zone(&s, east) && s.len == 0;
}

/* 20240501100000 and its shorter forms, down to the day; some ARC dates continue with a fraction of three digits */
static bool read_digits(struct slice s, struct moment *m)
{
	int millis;
	if (!take_number(&s, 4, &m->year) || !take_number(&s, 2, &m->month) || !take_number(&s, 2, &m->day))
		return false;
	if (s.len && !take_number(&s, 2, &m->hour))
		return false;
	if (s.len && !take_number(&s, 2, &m->minute))
		return false;
	if (s.len && !take_number(&s, 2, &m->second))
		return false;
	if (s.len == 3) {
		m->fraction[0] = '.';
		memcpy(m->fraction + 1, s.data, 3);
		return take_number(&s, 3, &millis);
	}
	take_char(&s, 'Z');
	return s.len == 0;
}

static int days_in_month(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return days[month - 1] + (month == 2 && leap);
}

/* To UTC. A zone is less than a day, so at most one day is crossed. Returns false when the year leaves 1 to 9999. */
static bool subtract_zone(struct moment *m, int east)
{
	int minutes = m->hour * 60 + m->minute - east;
	if (minutes < 0) {
		minutes += 24 * 60;
		m->day--;
	} else if (minutes >= 24 * 60) {
		minutes -= 24 * 60;
		m->day++;
	}
	m->hour = minutes / 60;
	m->minute = minutes % 60;
	if (m->day == 0) {
		m->month--;
		if (m->month == 0) {
			m->month = 12;
			m->year--;
		}
		m->day = days_in_month(m->year, m->month);
	} else if (m->day > days_in_month(m->year, m->month)) {
		m->day = 1;
		m->month++;
		if (m->month == 13) {
			m->month = 1;
			m->year++;
		}
	}
	return m->year >= 1 && m->year <= 9999;
}

bool warc_date_normalise(struct slice date, bool fractions, char out[WARC_DATE_MAX])
{
	struct moment m = { 0 };
	int east = 0;
	out[0] = '\0';
	date = slice_trim(date);
	bool digits = date.len >= 8 && ascii_is_digit(date.data[4]);
	if (digits ? !read_digits(date, &m) : !read_iso(date, &m, &east))
		return false;
	if (!digits && m.month == 0 && date.len == 4)
		m.month = 1;
	if (!digits && m.day == 0 && date.len <= 7)
		m.day = 1;
	if (m.year < 1 || m.month < 1 || m.month > 12 || m.day < 1 || m.day > days_in_month(m.year, m.month) ||
	    m.hour > 23 || m.minute > 59 || m.second > 60 || !subtract_zone(&m, east))
		return false;
	snprintf(out, WARC_DATE_MAX, "%04u-%02u-%02uT%02u:%02u:%02u%sZ", (unsigned)m.year % 10000U,
		 (unsigned)m.month % 100U, (unsigned)m.day % 100U, (unsigned)m.hour % 100U, (unsigned)m.minute % 100U,
		 (unsigned)m.second % 100U, fractions ? m.fraction : "");
	return true;
}

bool warc_date_choose(struct slice date, struct slice other, bool fractions, char out[WARC_DATE_MAX])
{
	if (warc_date_normalise(date, fractions, out))
		return true;
	if (!warc_date_normalise(other, fractions, out))
		memcpy(out, "1970-01-01T00:00:00Z", sizeof("1970-01-01T00:00:00Z"));
	return false;
}

/*
 * Names and versions are compared with those of the standards: "RESPONSE" is a response, "WARC/1.1 \r" is version 1.1.
 */

enum record_type warc_type_of(struct slice name)
{
	for (int type = RECORD_WARCINFO; type < RECORD_OTHER; type++) {
		if (slice_is(name, record_type_name((enum record_type)type)))
			return (enum record_type)type;
	}
	return RECORD_OTHER;
}

static struct slice without_trailing_blanks(struct slice s)
{
	while (s.len && (s.data[s.len - 1] == ' ' || s.data[s.len - 1] == '\t' || s.data[s.len - 1] == '\r' ||
			 s.data[s.len - 1] == '\n'))
		s.len--;
	return s;
}

bool warc_version_known(struct slice line)
{
	static const char *const versions[] = { "WARC/1.0", "WARC/1.1", "WARC/0.18", "WARC/0.17" };
	static const char magic[] = "WARC/";
	if (line.len < sizeof(magic) - 1 || memcmp(line.data, magic, sizeof(magic) - 1) != 0)
		return false; /* the quick way out: every line of a head is asked about, and nearly none begins so */
	line = without_trailing_blanks(line);
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (slice_equal(line, slice_from_text(versions[i])))
			return true;
	}
	return false;
}

size_t warc_version_at_end(struct slice line)
{
	struct slice kept = without_trailing_blanks(line);
	for (size_t len = 8; len <= 9 && len <= kept.len; len++) {
		if (warc_version_known(slice_of(kept.data + kept.len - len, len)))
			return len + (line.len - kept.len);
	}
	return 0;
}

/*
 * Escapes what a URI must not hold (RFC 3986) and leaves escapes alone: "a b%20c%" becomes "a%20b%20c%25". Brackets
 * may stand around the address of a host only, "http://[::1]/", and one '#' before the fragment:
 * "http://e.org/a[1]#b#c" becomes "http://e.org/a%5B1%5D#b%23c".
 */

int warc_uri_append(struct buf *out, struct slice uri)
{
	static const char hex[] = "0123456789ABCDEF";
	const struct url_parts parts = url_parts(uri);
	const uint8_t *authority_end = parts.scheme.len ? parts.rest.data : uri.data;
	bool fragment = false;
	int status = buf_reserve(out, uri.len);
	for (size_t i = 0; i < uri.len && status == DANA_OK; i++) {
		uint8_t c = uri.data[i];
		bool escape =
			c == '%' && i + 2 < uri.len && ascii_is_hex(uri.data[i + 1]) && ascii_is_hex(uri.data[i + 2]);
		bool bracket = (c == '[' || c == ']') && uri.data + i < authority_end;
		bool first_hash = c == '#' && !fragment;
		bool plain = ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-._~:/?@!$&'()*+,;=", c));
		fragment = fragment || first_hash;
		if (escape || bracket || first_hash || plain) {
			status = buf_append_byte(out, c);
		} else {
			const char code[] = { '%', hex[c >> 4], hex[c & 15] };
			status = buf_append(out, code, sizeof(code));
		}
	}
	return status;
}
