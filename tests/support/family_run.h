/* SPDX-License-Identifier: MIT */
/* Runs a method of the DANA family and its oracle on one page and tells where they differ. */
#ifndef DANA_TESTS_FAMILY_RUN_H
#define DANA_TESTS_FAMILY_RUN_H

#include <stdio.h>

#include "dana/dana.h"
#include "oracle/family.h"
#include "support/split_feed.h"

static const char *const family_methods[] = { "r2l", "dana", "dana-slides", "danag", "addanag", "auto", "plain" };
enum { FAMILY_METHODS = sizeof(family_methods) / sizeof(*family_methods) };

/** A method with keys, both for the library and for the oracle. */
struct family_case {
	const char *method;
	struct family_keys keys;
};

/** Sets what is counted of code, among it what methods do by default. */
static inline void family_vary(struct family_keys *keys, uint32_t random)
{
	static const size_t limits[][2] = { { 3, 64 }, { 16, 0 }, { 0, 0 },  { 12, 0 }, { 3, 64 },
					    { 16, 0 }, { 1, 1 },  { 64, 3 }, { 0, 7 },  { 33, 63 } };
	const size_t *chosen = limits[random / 2 % 10];
	keys->literal = random % 2;
	keys->tag_limit = chosen[0];
	keys->link_limit = chosen[1];
}

static inline struct dana_extractor *family_extractor(const struct family_case *c)
{
	char name[200], limits[80] = "";
	bool scan = strcmp(c->method, "r2l") == 0 || strcmp(c->method, "dana-slides") == 0;
	const struct dana_options options = { .struct_size = sizeof(options), .method = name };
	struct dana_extractor *x;
	snprintf(name, sizeof(name), "%s", c->method);
	if (!scan)
		snprintf(limits, sizeof(limits), ",tag-limit=%zu,link-limit=%zu,literal=%d", c->keys.tag_limit,
			 c->keys.link_limit, c->keys.literal);
	if (strcmp(c->method, "plain") != 0)
		snprintf(name, sizeof(name), "%s:segment=%zu,gap=%zu,gap-fill=%d%s%s", c->method, c->keys.segment,
			 c->keys.gap, c->keys.gap_fill,
			 c->keys.unit ? c->keys.unit == 'b' ? ",unit=bytes" : ",unit=chars" : "", limits);
	if (dana_new(&x, &options) < 0)
		abort();
	return x;
}

static inline bool family_told(const char *what, struct slice oracle, struct slice found)
{
	if (slice_equal(oracle, found))
		return true;
	fprintf(stderr, "%s\noracle: %.*s\nmethod: %.*s\n", what, (int)oracle.len, (const char *)oracle.data,
		(int)found.len, (const char *)found.data);
	return false;
}

/** True when what the method told of the page is what the oracle tells. */
static inline bool family_same(const struct family_case *c, const struct dana_text *text, struct slice html)
{
	struct family_result wanted;
	family_run(c->method, &c->keys, html, &wanted);
	bool same = family_told("text", buf_slice(&wanted.text), slice_of(text->data, text->len)) &&
		    family_told("title", buf_slice(&wanted.title), slice_of(text->title, text->title_len)) &&
		    family_told("method", slice_from_text(wanted.method), slice_from_text(text->method));
	if (wanted.no_region != !!(text->flags & DANA_NO_REGION) ||
	    wanted.has_title != !!(text->flags & DANA_HAS_TITLE)) {
		fprintf(stderr, "flags: %u\n", text->flags);
		same = false;
	}
	if (!same)
		fprintf(stderr,
			"method %s segment=%zu gap=%zu gap-fill=%d unit=%c literal=%d tag-limit=%zu link-limit=%zu\n",
			c->method, c->keys.segment, c->keys.gap, c->keys.gap_fill, c->keys.unit ? c->keys.unit : '-',
			c->keys.literal, c->keys.tag_limit, c->keys.link_limit);
	buf_free(&wanted.text);
	buf_free(&wanted.title);
	return same;
}

/** Feeds `html` whole (piece 0) or in pieces of that size; true when the result is the oracle's. */
static inline bool family_agrees(const struct family_case *c, struct dana_extractor *x, struct slice html, size_t piece)
{
	struct dana_text text;
	dana_reset(x);
	for (size_t at = 0, step = piece ? piece : html.len; at < html.len; at += step) {
		if (dana_feed(x, html.data + at, html.len - at < step ? html.len - at : step) < 0)
			abort();
	}
	if (dana_finish(x, &text) < 0)
		abort();
	if (family_same(c, &text, html))
		return true;
	fprintf(stderr, "in pieces of %zu\n", piece);
	return false;
}

#endif
