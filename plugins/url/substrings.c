/* SPDX-License-Identifier: MIT */
/*
 * At each place of the URL the next three bytes select a bucket, whose texts are compared: with a few thousand texts at
 * most one or two. Texts of one and two bytes have a list of their own.
 */
#include "plugins/url/substrings.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "plugins/url/list_file.h"

enum { LEAD = 3 };

struct substring {
	uint32_t start, len, next;
};

static uint32_t bucket_of(const uint8_t *p)
{
	const uint32_t lead = (uint32_t)ascii_lower(p[0]) << 16 | (uint32_t)ascii_lower(p[1]) << 8 | ascii_lower(p[2]);
	return lead * 2654435761U >> 20; /* the upper 12 bits */
}

int substrings_add(struct substrings *s, struct slice text)
{
	if (text.len == 0 || s->texts.len + text.len > UINT32_MAX)
		return DANA_ECONFIG;
	struct substring *at = grow_items(s->at, s->n, &s->cap, sizeof(*at));
	if (!at)
		return DANA_ENOMEM;
	s->at = at;
	struct substring *added = &s->at[s->n];
	*added = (struct substring){ (uint32_t)s->texts.len, (uint32_t)text.len, 0 };
	for (size_t i = 0; i < text.len; i++)
		buf_append_byte(&s->texts, ascii_lower(text.data[i]));
	if (buf_status(&s->texts) < 0)
		return DANA_ENOMEM;
	uint32_t *first = text.len < LEAD ? &s->shorter : &s->bucket[bucket_of(s->texts.data + added->start)];
	added->next = *first;
	*first = (uint32_t)++s->n;
	return DANA_OK;
}

static int add_line(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	(void)place;
	int status = substrings_add(arg, text);
	return status < 0 ? error_set(err, status, "%s", status_text(status)) : DANA_OK;
}

int substrings_read(struct substrings *s, const char *file, struct error *err)
{
	return list_file_read(file, add_line, s, err);
}

/* Returns the first text of a chain that the rest of the URL begins with; empty if no text does. */
static struct slice among(const struct substrings *s, uint32_t number, struct slice rest)
{
	for (; number; number = s->at[number - 1].next) {
		const struct slice text = slice_of(s->texts.data + s->at[number - 1].start, s->at[number - 1].len);
		if (rest.len >= text.len && slice_equal_nocase(slice_first(rest, text.len), text))
			return text;
	}
	return slice_of(NULL, 0);
}

struct slice substrings_find(const struct substrings *s, struct slice url)
{
	struct slice found = { NULL, 0 };
	for (size_t i = 0; s->n && i < url.len && found.len == 0; i++) {
		const struct slice rest = slice_skip(url, i);
		if (rest.len >= LEAD)
			found = among(s, s->bucket[bucket_of(rest.data)], rest);
		if (found.len == 0)
			found = among(s, s->shorter, rest);
	}
	return found;
}

void substrings_free(struct substrings *s)
{
	buf_free(&s->texts);
	free(s->at);
}
