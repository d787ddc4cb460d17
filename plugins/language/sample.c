/* SPDX-License-Identifier: MIT */
/*
 * One pass keeps the SAMPLE_LINES longest lines, longest first; of equal ones the earlier. They are copied in this
 * order until the sample is full.
 */
#include "plugins/language/sample.h"

#include <stdbool.h>
#include <string.h>

enum { SAMPLE_LINES = 16 };

struct line {
	const char *data;
	size_t len;
};

static size_t keep_longest(struct line lines[SAMPLE_LINES], size_t n, struct line line)
{
	size_t at = n < SAMPLE_LINES ? n : SAMPLE_LINES;

	while (at > 0 && lines[at - 1].len < line.len)
		at--;
	if (at == SAMPLE_LINES)
		return n;
	size_t move = (n < SAMPLE_LINES ? n : SAMPLE_LINES - 1) - at;
	memmove(&lines[at + 1], &lines[at], move * sizeof(*lines));
	lines[at] = line;
	return n < SAMPLE_LINES ? n + 1 : n;
}

static size_t longest_lines(struct line lines[SAMPLE_LINES], const char *text, size_t len)
{
	size_t n = 0;

	for (const char *at = text, *end = text + len; at < end;) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		struct line line = { at, (size_t)((lf ? lf : end) - at) };
		if (line.len)
			n = keep_longest(lines, n, line);
		at = lf ? lf + 1 : end;
	}
	return n;
}

/** Appends the line, cut before the first character that does not fit. */
static void append(struct sample *s, struct line line)
{
	size_t room = SAMPLE_BYTES - s->len;

	if (s->len && room)
		s->text[s->len++] = '\n';
	room = SAMPLE_BYTES - s->len;
	if (line.len > room)
		for (line.len = room; line.len && (line.data[line.len] & 0xc0) == 0x80;)
			line.len--;
	memcpy(s->text + s->len, line.data, line.len);
	s->len += line.len;
}

void sample_take(struct sample *s, const char *text, size_t len)
{
	struct line lines[SAMPLE_LINES];
	size_t n = longest_lines(lines, text, len);

	s->len = 0;
	for (size_t i = 0; i < n && s->len < SAMPLE_BYTES; i++)
		append(s, lines[i]);
}
