/* SPDX-License-Identifier: MIT */
/* libdana's extractor as a subject of split_feed.h: all that it tells of a page, in any split. */
#ifndef DANA_TESTS_SUPPORT_EXTRACTOR_SUBJECT_H
#define DANA_TESTS_SUPPORT_EXTRACTOR_SUBJECT_H

#include "base/utf8.h"
#include "dana/dana.h"
#include "support/split_feed.h"

/** An extractor by a method, which is freed where its block ends: AUTO_EXTRACTOR x = extractor_by("danag"). */
static inline struct dana_extractor *extractor_by(const char *method)
{
	const struct dana_options options = { .struct_size = sizeof(options), .method = method };
	struct dana_extractor *x;
	must_be(dana_new(&x, &options) == DANA_SUCCESS, method);
	return x;
}

static inline void extractor_free(struct dana_extractor **x)
{
	dana_free(*x);
}

#define AUTO_EXTRACTOR __attribute__((cleanup(extractor_free))) struct dana_extractor *

static inline void extractor_begin(void *x)
{
	dana_reset(x);
}

static inline void extractor_piece(void *x, struct slice bytes)
{
	must_be(dana_feed(x, bytes.data, bytes.len) >= 0, "a piece");
}

/** The page is over: what the extractor made of it. */
static inline struct dana_text extractor_finish(struct dana_extractor *x)
{
	struct dana_text text;
	must_be(dana_finish(x, &text) >= 0, "the end");
	must_be(utf8_valid_prefix(slice_of(text.data, text.len)) == text.len, "text that is not UTF-8");
	return text;
}

static inline void extractor_tell(const struct dana_text *text, struct buf *outcome)
{
	buf_append(outcome, text->data, text->len);
	buf_printf(outcome, "\n%s %u %.*s\n", text->method, text->flags, (int)text->title_len, text->title);
	for (size_t i = 0; i < text->n_media; i++) {
		const struct dana_media *m = &text->media[i];
		buf_printf(outcome, "%s %ux%u %.*s|%.*s|%.*s\n", m->type, m->width, m->height, (int)m->url_len, m->url,
			   (int)m->alt_len, m->alt, (int)m->base_len, m->base);
	}
	must(!buf_status(outcome));
}

static inline void extractor_end(void *x, struct buf *outcome)
{
	struct dana_text text = extractor_finish(x);
	extractor_tell(&text, outcome);
}

static inline struct split_subject extractor_subject(struct dana_extractor *x)
{
	return (struct split_subject){ extractor_begin, extractor_piece, extractor_end, x };
}

#endif
