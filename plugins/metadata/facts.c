/* SPDX-License-Identifier: MIT */
/* A value is appended to the bytes of the page, which are cut back if the value turns out to be unusable. */
#include "plugins/metadata/facts.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/html/entity.h"
#include "plugins/metadata/dates.h"

const char *const fact_keys[FACTS] = { "published", "modified",    "author",   "site", "canonical",
				       "language",  "description", "keywords", "image" };
const char *const origin_names[ORIGINS] = { "",     "json-ld", "open-graph", "meta", "microdata",
					    "link", "html",    "time",       "text", "url" };

void facts_begin(struct facts *f)
{
	memset(f->list, 0, sizeof(f->list));
	buf_clear(&f->bytes);
	f->latest[0] = '\0';
}

/** Collapses white space in the bytes from `at` on; returns the length that is left. */
static size_t collapse(struct buf *b, size_t at)
{
	size_t out = at;
	bool space = false;

	for (size_t i = at; i < b->len; i++) {
		if (ascii_is_space(b->data[i])) {
			space = out > at;
			continue;
		}
		if (space)
			b->data[out++] = ' ';
		space = false;
		b->data[out++] = b->data[i];
	}
	return out - at;
}

static size_t cut(const struct buf *b, size_t at, size_t len)
{
	if (len <= FACT_BYTES)
		return len;
	len = FACT_BYTES;
	while (len && (b->data[at + len] & 0xc0) == 0x80)
		len--;
	return len && b->data[at + len - 1] == ' ' ? len - 1 : len;
}

/** Returns whether 5/6/2024 is in May: in English, except in these countries. */
static bool month_first(const struct facts *f)
{
	static const char *const day_first[] = { "en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za" };
	struct slice language = fact_value(f, FACT_LANGUAGE);

	for (size_t i = 0; i < sizeof(day_first) / sizeof(day_first[0]); i++)
		if (slice_is(language, day_first[i]))
			return false;
	return slice_is(slice_first(language, 2), "en");
}

/** Normalises the date at `at`. Returns its length; 0 if it is not a date, or cannot be that of the page. */
static size_t as_date(struct facts *f, size_t at, size_t len)
{
	char out[DATE_BYTES];
	size_t n = date_read(slice_of(f->bytes.data + at, len), month_first(f), out);

	if (!n || (f->latest[0] && strncmp(out, f->latest, 10) > 0))
		return 0;
	f->bytes.len = at;
	buf_append(&f->bytes, out, n);
	return n;
}

/** Returns whether the value can be a name: some pages put a URL or an e-mail address there. */
static bool is_author(struct slice value)
{
	return value.len && !memchr(value.data, '@', value.len) &&
	       (value.len < 4 || memcmp(value.data, "http", 4) != 0);
}

void fact_offer(struct facts *f, enum fact fact, enum origin from, struct slice value, bool coded)
{
	size_t at = f->bytes.len;

	if (!fact_wanted(f, fact, from))
		return;
	value = slice_first(slice_trim(value), 8 * FACT_BYTES);
	if (coded)
		(void)html_entity_append(&f->bytes, value);
	else
		buf_append(&f->bytes, value.data, value.len);
	if (buf_status(&f->bytes) < 0)
		return;
	size_t len = cut(&f->bytes, at, collapse(&f->bytes, at));
	if (fact == FACT_PUBLISHED || fact == FACT_MODIFIED)
		len = as_date(f, at, len);
	if (fact == FACT_AUTHOR && !is_author(slice_of(f->bytes.data + at, len)))
		len = 0;
	f->bytes.len = at + len;
	if (len) {
		f->list[fact].from = from;
		f->list[fact].at = at;
		f->list[fact].len = len;
	}
}

struct slice fact_value(const struct facts *f, enum fact fact)
{
	if (!f->list[fact].len)
		return slice_of(NULL, 0);
	return slice_of(f->bytes.data + f->list[fact].at, f->list[fact].len);
}

void facts_drop_site_as_author(struct facts *f)
{
	const struct slice site = fact_value(f, FACT_SITE);

	if (site.len && slice_equal_nocase(site, fact_value(f, FACT_AUTHOR)))
		f->list[FACT_AUTHOR].from = FROM_NOWHERE;
}
