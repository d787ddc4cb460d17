/* SPDX-License-Identifier: MIT */
/*
 * Escaping of bytes for messages: the bytes "a\n\x1b" become the text "a\x0a\x1b".
 */
#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ascii.h"

/* `also`: a printable character to escape as well, or 0. */
static const char *escape(struct slice s, char *out, size_t size, uint8_t also)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 0;
	size_t safe = 0; /* longest output length after which "..." still fits */
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.data[i];
		bool plain = c >= 0x20 && c < 0x7f && c != also;
		if (n + (plain ? 1 : 4) >= size) {
			memcpy(out + safe, "...", 4);
			return out;
		}
		if (plain) {
			out[n++] = (char)c;
		} else {
			out[n++] = '\\';
			out[n++] = 'x';
			out[n++] = hex[c >> 4];
			out[n++] = hex[c & 15];
		}
		if (n + 4 <= size)
			safe = n;
	}
	out[n] = 0;
	return out;
}

const char *printable(struct slice s, char *out, size_t size)
{
	return escape(s, out, size, '\\');
}

const char *printable_message(struct slice s, char *out, size_t size)
{
	return escape(s, out, size, 0);
}

/* Edit distances between short names: "respones" is 2 from "response", which is near enough for a suggestion. */

enum { LONGEST = 63 /* bytes of a name that are compared */, SHOWN = 200 };

/* Levenshtein distance by dynamic programming; only one row is kept. `corner`: the entry above and to the left. */
static size_t edit_distance(struct slice a, struct slice b)
{
	size_t row[LONGEST + 1];
	a.len = a.len < LONGEST ? a.len : LONGEST;
	b.len = b.len < LONGEST ? b.len : LONGEST;
	for (size_t j = 0; j <= b.len; j++)
		row[j] = j;

	for (size_t i = 1; i <= a.len; i++) {
		size_t corner = row[0];
		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			size_t best = corner + (ascii_lower(a.data[i - 1]) != ascii_lower(b.data[j - 1]));
			corner = row[j];
			if (corner + 1 < best)
				best = corner + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[b.len];
}

struct near_name near_name_of(struct slice wanted)
{
	return (struct near_name){ .wanted = wanted };
}

static void offer(struct near_name *n, struct slice name)
{
	size_t len = n->wanted.len;
	bool begins = len >= 3 && len < name.len && slice_equal_nocase(slice_of(name.data, len), n->wanted);
	size_t distance = begins ? 0 : edit_distance(n->wanted, name);
	if (distance > 1 + len / 3 || distance >= name.len || (n->best.len && distance >= n->distance))
		return;
	n->best = name;
	n->distance = distance;
}

void near_name_offer(struct near_name *n, const char *known)
{
	offer(n, slice_from_text(known));
}

void near_name_offer_words(struct near_name *n, const char *words)
{
	for (;;) {
		size_t len = strcspn(words, "|");
		offer(n, slice_of(words, len));
		if (words[len] == 0)
			return;
		words += len + 1;
	}
}

int near_name_refuse(const struct near_name *n, const char *where, const char *expected, struct error *err)
{
	char shown[SHOWN], best[SHOWN];
	bool near = n->best.len > 0;
	return error_set(err, DANA_ECONFIG, "%s: '%s' is unknown; expected %s%s%s%s", where,
			 printable(n->wanted, shown, sizeof(shown)), expected, near ? "; did you mean " : "",
			 printable(n->best, best, sizeof(best)), near ? "?" : "");
}

int word_index(const char *words, struct slice wanted)
{
	for (int i = 0;; i++) {
		const size_t n = strcspn(words, "|");
		if (slice_equal(slice_of(words, n), wanted))
			return i;
		if (words[n] == 0)
			return -1;
		words += n + 1;
	}
}

int word_refuse(const char *words, struct slice wanted, const char *where, struct error *err)
{
	struct near_name near = near_name_of(wanted);
	near_name_offer_words(&near, words);
	return near_name_refuse(&near, where, words, err);
}

bool list_is_good(const char *list)
{
	const size_t len = strlen(list);
	return len && list[0] != ',' && list[len - 1] != ',' && !strstr(list, ",,");
}

void notice(const struct notices *to, const char *format, ...)
{
	char text[NOTICE_MOST];
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	to->line(to->arg, text);
}
