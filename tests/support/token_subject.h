/* SPDX-License-Identifier: MIT */
/* The tokeniser as a subject of split_feed.h, and its batch oracle in the form of the same log. */
#ifndef DANA_TESTS_SUPPORT_TOKEN_SUBJECT_H
#define DANA_TESTS_SUPPORT_TOKEN_SUBJECT_H

#include "oracle/family_page.h"
#include "support/split_feed.h"
#include "support/token_log.h"

struct token_subject {
	struct token_log log;
	struct html_tokenizer *tokens;
	unsigned units, stretches; /* all that came */
};

static inline void token_subject_begin(void *arg)
{
	struct token_subject *s = arg;
	html_tokenizer_reset(s->tokens);
	token_log_begin(&s->log);
}

static inline void token_subject_piece(void *arg, struct slice bytes)
{
	struct token_subject *s = arg;
	must(html_tokenizer_feed(s->tokens, bytes) >= 0);
}

static inline void token_subject_end(void *arg, struct buf *outcome)
{
	struct token_subject *s = arg;
	bool seen;
	must(html_tokenizer_finish(s->tokens) >= 0);
	token_log_need(s->log.next == s->log.page.len, "the page is not over", s->log.next);
	struct slice title = html_tokenizer_title(s->tokens, &seen);
	token_log_title(&s->log, seen, title);
	s->units += s->log.units;
	s->stretches += s->log.stretches;
	must(buf_append(outcome, s->log.out.data, s->log.out.len) >= 0);
}

/**
 * How a subject takes what it can: as runs and tags only, or as units or stretches where the tokeniser offers them;
 * TOKEN_VOIDS_UNREAD without a look at voids, and the last two with that wish, which counts only with stretches.
 */
enum token_way {
	TOKEN_RUNS,
	TOKEN_UNITS,
	TOKEN_STRETCHES,
	TOKEN_VOIDS_UNREAD,
	TOKEN_RUNS_UNREAD,
	TOKEN_UNITS_UNREAD,
	TOKEN_WAYS
};

static inline bool token_way_has_units(enum token_way way)
{
	return way == TOKEN_UNITS || way == TOKEN_UNITS_UNREAD;
}

static inline struct split_subject token_subject_make(struct token_subject *s, enum token_way way)
{
	const bool stretches = way == TOKEN_STRETCHES || way == TOKEN_VOIDS_UNREAD, units = token_way_has_units(way);
	const struct html_handler handler = { .run = token_log_run,
					      .tag = token_log_tag,
					      .arg = &s->log,
					      .unit = units ? token_log_unit : NULL,
					      .stretch = stretches ? token_log_stretch : NULL,
					      .voids_unread = way >= TOKEN_VOIDS_UNREAD,
					      .white_space = !units };
	*s = (struct token_subject){ .tokens = html_tokenizer_new(&handler) };
	s->log.voids_unread = way == TOKEN_VOIDS_UNREAD;
	must(s->tokens);
	return (struct split_subject){ token_subject_begin, token_subject_piece, token_subject_end, s };
}

static inline void token_subject_free(struct token_subject *s)
{
	html_tokenizer_free(s->tokens);
	buf_free(&s->log.out);
}

/** The log that the batch oracle makes of the page for a subject of that way. */
static inline void token_oracle(struct slice html, enum token_way way, struct buf *outcome)
{
	struct family_page page;
	struct token_log log = { .last = -1, .voids_unread = way == TOKEN_VOIDS_UNREAD };
	uint8_t space = 0; /* before the item */
	family_page_split(&page, html);
	for (size_t i = 0; i < page.count; i++) {
		const struct family_item *item = &page.items[i];
		token_log_item(&log, "TCV"[item->kind], item -> skipped, item -> tag, item -> closing, space);
		space = token_way_has_units(way) ? 0 : item->space;
		must(buf_append(&log.out, item->bytes.data, item->bytes.len) >= 0);
		if (item->is_tag)
			token_log_event(&log, item->skipped, item->tag, item->closing, item->self_closing);
	}
	token_log_title(&log, page.title_seen, page.title);
	must(buf_append(outcome, log.out.data, log.out.len) >= 0);
	buf_free(&log.out);
	family_page_free(&page);
}

#endif
