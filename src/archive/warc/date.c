/* SPDX-License-Identifier: MIT */
/*
 * Reads a date part by part, each exactly as long as its form says, then subtracts the zone. Example:
 * "2024-03-01T00:30+02:00" is 00:30, two hours east, so 22:30 UTC of the day before: "2024-02-29T22:30:00Z". The 14
 * digits "20240301003000" of an ARC have no zone and are UTC.
 */
#include "archive/warc/date.h"

#include <limits.h>
#include <stdio.h>

#include "base/ascii.h"

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

static bool take_fraction(struct slice *s, struct moment *m)
{
	size_t n = 0;

	if (!take_char(s, '.') && !take_char(s, ','))
		return true;
	for (; n < s->len && ascii_is_digit(s->data[n]); n++) {
		if (n < 9)
			m->fraction[n + 1] = (char)s->data[n];
	}
	*s = slice_skip(*s, n);
	m->fraction[0] = '.';
	return n > 0;
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

static bool read_time(struct slice *s, struct moment *m, int *east)
{
	if (!take_number(s, 2, &m->hour) || !take_char(s, ':') || !take_number(s, 2, &m->minute))
		return false;
	if (take_char(s, ':') && (!take_number(s, 2, &m->second) || !take_fraction(s, m)))
		return false;
	return take_zone(s, east);
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

	if (time && !read_time(&s, m, east))
		return false;
	return s.len == 0;
}

/* 20240501100000 and its shorter forms, down to the day; some ARC dates go on with a fraction of three digits */
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

static bool exists(const struct moment *m)
{
	return m->year >= 1 && m->month >= 1 && m->month <= 12 && m->day >= 1 &&
	       m->day <= days_in_month(m->year, m->month) && m->hour <= 23 && m->minute <= 59 && m->second <= 60;
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
	if (!exists(&m) || !subtract_zone(&m, east))
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
