/* SPDX-License-Identifier: MIT */
/*
 * What the tokeniser tells, as text that does not depend on where pieces end: "C(b):<b>|E(b)|T:text|"; "T2:" is text
 * whose white space is of kind 2 (white_space.h). On the way
 * everything is checked that must hold for each piece: pieces follow each other, they are the page's bytes, and their
 * masks fit. With voids_unread comments, scripts and styles that stand next to each other are one item without a name,
 * and tell no events.
 */
#ifndef DANA_TESTS_SUPPORT_TOKEN_LOG_H
#define DANA_TESTS_SUPPORT_TOKEN_LOG_H

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "extract/html/tokenizer.h"
#include "extract/html/tokenizer_state.h"
#include "support/split_feed.h"

struct token_log {
	struct buf out;
	struct slice page;
	uint64_t next;             /* position after the last piece */
	int last;                  /* kind of the last piece; -1 = a tag ended, or nothing yet */
	enum html_tag skip;        /* element whose content is skipped */
	unsigned units, stretches; /* how many came */
	bool voids_unread;
	bool in_void; /* voids_unread: the last item is void */
};

static inline void token_log_need(bool condition, const char *what, uint64_t offset)
{
	if (condition)
		return;
	fprintf(stderr, "tokeniser: %s at %llu\n", what, (unsigned long long)offset);
	abort();
}

static inline void token_log_name(struct token_log *log, enum html_tag tag, bool closing, bool self_closing,
				  bool always)
{
	buf_printf(&log->out, always || tag || closing ? "(%s%s%s)" : "%s", closing ? "/" : "", html_tag_name(tag),
		   self_closing ? "/" : "");
}

/* Begins an item of the page: a text, a tag, a comment. */
static inline void token_log_item(struct token_log *log, char kind, bool skipped, enum html_tag tag, bool closing,
				  uint8_t space)
{
	bool goes_on = log->in_void, nameless = log->voids_unread && kind == 'V';
	log->in_void = nameless;
	if (nameless && goes_on)
		return;
	if (nameless) {
		skipped = closing = false;
		tag = HTML_TAG_OTHER;
	}
	if (log->out.len)
		buf_append_text(&log->out, "|");
	buf_printf(&log->out, "%c%s", kind, skipped ? "s" : "");
	token_log_name(log, tag, closing, false, false);
	buf_printf(&log->out, space ? "%u:" : ":", space);
}

static inline void token_log_event(struct token_log *log, bool skipped, enum html_tag tag, bool closing,
				   bool self_closing)
{
	if (log->voids_unread && (tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE))
		return;
	buf_append_text(&log->out, skipped ? "|Es" : "|E");
	token_log_name(log, tag, closing, self_closing, true);
}

/* `tags`: all of the masks; else what stretches promise. */
static inline void token_log_masks(const struct byte_mask *masks, size_t at, struct slice bytes, bool tags)
{
	for (size_t i = 0; i < bytes.len; i++) {
		const struct byte_mask *m = &masks[(at + i) / 64];
		unsigned bit = (at + i) % 64;
		uint8_t c = bytes.data[i];
		bool fits = (m->space >> bit & 1) == ascii_is_space(c) && (m->high >> bit & 1) == (c >= 0x80) &&
			    (m->cont >> bit & 1) == ((c & 0xC0) == 0x80);
		if (tags)
			fits &= (m->lt >> bit & 1) == (c == '<') && (m->gt >> bit & 1) == (c == '>') &&
				(m->quote >> bit & 1) == (c == '"') && (m->apos >> bit & 1) == (c == '\'') &&
				(m->equals >> bit & 1) == (c == '=');
		token_log_need(fits, "masks do not fit", at + i);
	}
}

static inline int token_log_run(void *arg, const struct html_run *run)
{
	struct token_log *log = arg;
	token_log_need(run->offset == log->next, "a gap before the piece", run->offset);
	token_log_need(run->bytes.len > 0, "an empty piece", run->offset);
	token_log_need(run->offset + run->bytes.len <= log->page.len &&
			       memcmp(log->page.data + run->offset, run->bytes.data, run->bytes.len) == 0,
		       "other bytes than the page's", run->offset);
	if (!log->voids_unread || run->kind != HTML_HIDDEN)
		token_log_masks(run->masks, run->at, run->bytes, true);
	log->next += run->bytes.len;
	if (log->last != (int)run->kind || (run->kind != HTML_TEXT && run->first))
		token_log_item(log, "TCV"[run->kind], run -> skipped, (enum html_tag)run -> tag, run -> closing,
			       run -> space);
	log->last = (int)run->kind;
	buf_append(&log->out, run->bytes.data, run->bytes.len);
	return 0;
}

/* What a tag changes for those after it. */
static inline void token_log_skip(struct token_log *log, enum html_tag tag, bool closing, bool self_closing)
{
	if (html_breaks_out(log->skip, tag, closing) || (closing && tag == log->skip))
		log->skip = HTML_TAG_OTHER;
	if (!closing && !self_closing && log->skip == HTML_TAG_OTHER && html_tag_is(tag, TAG_SKIP))
		log->skip = tag;
}

static inline int token_log_tag(void *arg, const struct html_tag_event *e)
{
	struct token_log *log = arg;
	size_t len = (size_t)(e->end - e->start);
	token_log_need(e->end == log->next && e->start < e->end, "a tag event out of place", e->start);
	token_log_need(e->source.len == (len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES) &&
			       memcmp(e->source.data, log->page.data + e->start, e->source.len) == 0,
		       "another source than the tag's", e->start);
	token_log_need(e->name.len > 0 && e->name.len <= 64 &&
			       memcmp(e->name.data, log->page.data + e->start + 1 + e->closing, e->name.len) == 0,
		       "another name than the tag's", e->start);
	token_log_need(html_tag_find(e->name) == (enum html_tag)e->tag, "a name that is not the tag's", e->start);
	token_log_event(log, e->skipped, (enum html_tag)e->tag, e->closing, e->self_closing);
	token_log_skip(log, (enum html_tag)e->tag, e->closing, e->self_closing);
	log->last = -1;
	return 0;
}

/* A unit told by what it says itself, so that the log shows when it is not the same as runs and tag. */
static inline int token_log_unit(void *arg, const struct html_unit *u)
{
	struct token_log *log = arg;
	log->units++;
	token_log_need(u->base + u->text == log->next && u->text <= u->code && u->code < u->end, "a unit out of place",
		       log->next);
	struct slice text = slice_of(u->window + u->text, u->code - u->text),
		     code = slice_of(u->window + u->code, u->end - u->code);
	token_log_masks(u->masks, u->text, text, true);
	token_log_masks(u->masks, u->code, code, true);
	token_log_need(memcmp(log->page.data + log->next, text.data, text.len + code.len) == 0,
		       "other bytes than the page's", log->next);
	log->next += text.len + code.len;
	if (text.len && log->last != HTML_TEXT)
		token_log_item(log, 'T', false, HTML_TAG_OTHER, false, 0);
	buf_append(&log->out, text.data, text.len);
	token_log_item(log, 'C', false, (enum html_tag)u->tag, u->closing, 0);
	buf_append(&log->out, code.data, code.len);
	token_log_event(log, false, (enum html_tag)u->tag, u->closing, u->self_closing);
	token_log_need(html_tag_find(slice_of(u->window + u->code + 1 + u->closing, u->name_len)) ==
			       (enum html_tag)u->tag,
		       "a name that is not the unit's", u->base + u->code);
	log->last = -1;
	return 0;
}

static inline bool token_log_bit(const uint64_t *words, size_t i)
{
	return words[i / 64] >> i % 64 & 1;
}

/*
 * After the '>' of the tag whose name ends at h->window[end]. Found by its own rules, for tags stand next to each
 * other.
 */
static inline size_t token_log_tag_end(const struct html_stretch *h, size_t end)
{
	uint8_t quote = 0, before = 0;
	for (; quote || h->window[end] != '>'; end++) {
		uint8_t c = h->window[end];
		if (quote) {
			before = 0;
			quote = c == quote ? 0 : quote;
		} else if ((c == '"' || c == '\'') && before == '=') {
			quote = c;
		} else if (!ascii_is_space(c)) {
			before = c;
		}
	}
	return end + 1;
}

/* The same of a comment or declaration. */
static inline size_t token_log_declaration_end(const struct html_stretch *h, size_t at, bool comment)
{
	const uint8_t *p = h->window;
	for (size_t i = at + (comment ? 4 : 2);; i++) {
		bool dashes = i >= at + 4 && p[i - 1] == '-' && p[i - 2] == '-';
		bool bang = i >= at + 7 && p[i - 1] == '!' && p[i - 2] == '-' && p[i - 3] == '-';
		if (p[i] == '>' && (!comment || dashes || bang))
			return i + 1;
	}
}

/* Bits of a piece of a stretch: all of it code, a break at its start at most. */
static inline void token_log_code(const struct html_stretch *h, size_t at, size_t end, bool voids, bool breaks)
{
	token_log_need(end <= h->to, "a tag beyond its stretch", h->base + at);
	for (size_t i = at; i < end; i++)
		token_log_need(token_log_bit(h->code, i) && token_log_bit(h->voids, i) == voids &&
				       token_log_bit(h->breaks, i) == (breaks && i == at),
			       "other bits than a tag's", h->base + i);
}

static inline size_t token_log_declaration(struct token_log *log, const struct html_stretch *h, size_t at, bool skipped)
{
	const uint8_t *p = h->window + at;
	bool comment = memcmp(p, "<!--", 4) == 0;
	size_t end = token_log_declaration_end(h, at, comment);
	token_log_code(h, at, end, comment || skipped, false);
	token_log_item(log, comment ? 'V' : 'C', skipped, HTML_TAG_OTHER, false, h->space);
	buf_append(&log->out, p, end - at);
	return end;
}

/* The content of a script, up to where its end tag begins. */
static inline size_t token_log_raw(struct token_log *log, const struct html_stretch *h, size_t at, enum html_tag tag,
				   bool skipped)
{
	size_t len = strlen(html_tag_name(tag)), end = at;
	for (;; end++) {
		const uint8_t *p = h->window + end;
		if (p[0] == '<' && p[1] == '/' && html_tag_find(slice_of(p + 2, len)) == tag &&
		    html_ends_name(p[2 + len]))
			break;
	}
	token_log_code(h, at, end, true, false);
	if (end > at)
		token_log_item(log, 'V', skipped, tag, false, h->space);
	buf_append(&log->out, h->window + at, end - at);
	return end;
}

/* A tag, comment or declaration of a stretch, and the content of a script; answers where it ends. */
static inline size_t token_log_stretch_code(struct token_log *log, const struct html_stretch *h, size_t at)
{
	const uint8_t *p = h->window + at;
	bool closing = p[1] == '/';
	if (!ascii_is_alpha(p[1 + closing]))
		return token_log_declaration(log, h, at, log->skip != HTML_TAG_OTHER);
	size_t len = 0;
	while (!html_ends_name(p[1 + closing + len]))
		len++;
	size_t end = token_log_tag_end(h, at + 1 + closing + len);
	enum html_tag tag = html_tag_find(slice_of(p + 1 + closing, len));
	bool script = tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE, self_closing = h->window[end - 2] == '/';
	bool skipped = log->skip != HTML_TAG_OTHER || html_tag_is(tag, TAG_SKIP);
	token_log_code(h, at, end, skipped || script, !skipped && !script && !html_tag_is(tag, TAG_INLINE));
	token_log_item(log, script ? 'V' : 'C', skipped, tag, closing, h->space);
	buf_append(&log->out, p, end - at);
	token_log_event(log, skipped, tag, closing, self_closing);
	token_log_skip(log, tag, closing, self_closing);
	return script && !closing ? token_log_raw(log, h, end, tag, skipped) : end;
}

/* A stretch told by its bits. */
static inline int token_log_stretch(void *arg, const struct html_stretch *h)
{
	struct token_log *log = arg;
	log->stretches++;
	token_log_need(h->base + h->from == log->next && h->from < h->to, "a stretch out of place", log->next);
	token_log_need(log->last != HTML_TEXT && h->window[h->to - 1] == '>', "a stretch in the middle", log->next);
	for (size_t i = h->from; i < h->to; i++) {
		if (!log->voids_unread || !token_log_bit(h->voids, i))
			token_log_masks(h->masks, i, slice_of(h->window + i, 1), false);
	}
	for (size_t i = h->from / 64 * 64; i < (h->to + 63) / 64 * 64; i++)
		token_log_need((i >= h->from && i < h->to) ||
				       (token_log_bit(h->code, i) && !token_log_bit(h->voids, i) &&
					!token_log_bit(h->breaks, i)),
			       "bits outside of the stretch", h->base + i);
	for (size_t at = h->from; at < h->to;) {
		size_t end = at;
		while (end < h->to && !token_log_bit(h->code, end))
			end++;
		for (size_t i = at; i < end; i++)
			token_log_need(token_log_bit(h->voids, i) == (log->skip != HTML_TAG_OTHER), "a text half void",
				       h->base + i);
		if (end > at) {
			token_log_item(log, 'T', log->skip != HTML_TAG_OTHER, HTML_TAG_OTHER, false, h->space);
			buf_append(&log->out, h->window + at, end - at);
			token_log_need((h->window[at] & 0xC0) != 0x80, "a torn word", h->base + at);
		}
		at = end < h->to ? token_log_stretch_code(log, h, end) : end;
	}
	token_log_need(memcmp(log->page.data + log->next, h->window + h->from, h->to - h->from) == 0,
		       "other bytes than the page's", log->next);
	log->next += h->to - h->from;
	log->last = -1;
	return 0;
}

static inline void token_log_begin(struct token_log *log)
{
	buf_clear(&log->out);
	log->next = 0;
	log->last = -1;
	log->skip = HTML_TAG_OTHER;
	log->in_void = false;
	log->units = log->stretches = 0;
}

/* The page is over: its title belongs to the log. */
static inline void token_log_title(struct token_log *log, bool seen, struct slice title)
{
	if (seen)
		buf_append_text(&log->out, "|title:");
	if (seen)
		buf_append(&log->out, title.data, title.len);
	must(!buf_status(&log->out));
}

#endif
