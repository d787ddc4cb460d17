/* SPDX-License-Identifier: MIT */
/* Runs the methods of the DANA family with keys of every kind. */
#ifndef DANA_TESTS_SUPPORT_FAMILY_RUN_H
#define DANA_TESTS_SUPPORT_FAMILY_RUN_H

#include "support/extractor_subject.h"
#include "support/golden.h"

static const char *const family_methods[] = { "r2l", "dana", "dana-slides", "danag", "addanag", "auto", "plain" };
enum { FAMILY_METHODS = sizeof(family_methods) / sizeof(*family_methods) };

struct family_case {
	const char *method;
	size_t segment, gap;
	bool gap_fill;
	char unit;                    /* 'b', 'c', or 0: each method's own */
	bool literal;                 /* as the papers count; r2l and dana-slides always do */
	size_t tag_limit, link_limit; /* 0: no limit */
};

/** Sets what is counted of code, among it what methods do by default. */
static inline void family_vary(struct family_case *c, uint32_t random)
{
	static const size_t limits[][2] = { { 3, 64 }, { 16, 0 }, { 0, 0 },  { 12, 0 }, { 3, 64 },
					    { 16, 0 }, { 1, 1 },  { 64, 3 }, { 0, 7 },  { 33, 63 } };
	const size_t *chosen = limits[random / 2 % 10];
	c->literal = random % 2;
	c->tag_limit = chosen[0];
	c->link_limit = chosen[1];
}

static inline struct dana_extractor *family_extractor(const struct family_case *c)
{
	char name[200], limits[80] = "";
	bool scan = strcmp(c->method, "r2l") == 0 || strcmp(c->method, "dana-slides") == 0;
	const struct dana_options options = { .struct_size = sizeof(options), .method = name };
	struct dana_extractor *x;
	snprintf(name, sizeof(name), "%s", c->method);
	if (!scan)
		snprintf(limits, sizeof(limits), ",tag-limit=%zu,link-limit=%zu,literal=%d", c->tag_limit,
			 c->link_limit, c->literal);
	if (strcmp(c->method, "plain") != 0)
		snprintf(name, sizeof(name), "%s:segment=%zu,gap=%zu,gap-fill=%d%s%s", c->method, c->segment, c->gap,
			 c->gap_fill, c->unit ? c->unit == 'b' ? ",unit=bytes" : ",unit=chars" : "", limits);
	must(dana_new(&x, &options) >= 0);
	return x;
}

/** Adds what comes of the page to the golden; it is the same whole and in pieces of each of the sizes. */
static inline void family_check(const struct family_case *c, struct slice page, struct slice sizes,
				struct golden *golden)
{
	struct dana_extractor *x = family_extractor(c);
	const struct split_subject subject = extractor_subject(x);
	struct buf whole = { 0 }, split = { 0 };
	split_whole(&subject, page, &whole);
	golden_add(golden, buf_slice(&whole));
	for (size_t i = 0; i < sizes.len; i++) {
		split_sizes(&subject, page, slice_of(sizes.data + i, 1), false, &split);
		split_compare(&whole, &split, "pieces of", sizes.data[i]);
	}
	buf_free(&whole);
	buf_free(&split);
	dana_free(x);
}

#endif
