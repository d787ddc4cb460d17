/* SPDX-License-Identifier: MIT */
/*
 * Cuts a page into segments of one length and passes them to the chain selector.
 *
 * A segment is full when `length` units (characters or bytes) are counted; it is closed only when the next unit comes,
 * so that uncounted bytes (a line break, the rest of a character) still belong to it. Example with length 4: the text
 * "abcdef", then 5 characters of tags, make the segments "abcd", "ef" with 2 of the tags, and one with 3 of them that
 * is still open.
 *
 * Where only content counts, a segment may hold any amount of text; chain_selector keeps the first MiB of it.
 *
 * Value of a segment is content minus code: 2 * content - used, because used = content + code. Broken UTF-8 may have
 * any number of bytes in the middle of a character; so that a value has a bound, the fourth after a full segment and
 * those after it count against it.
 */
#include "extract/family/segmenter.h"

#include "base/cpu.h"
#include "base/status.h"
#include "extract/family/stretch.h"
#include "extract/method.h"
#include "extract/text_writer.h"

static uint64_t limit(unsigned long key, uint64_t standard);

void segmenter_set(struct segmenter_keys *keys, const struct method_setting *setting)
{
	if (method_setting_is(setting, "segment"))
		keys->segment = setting->number;
	else if (method_setting_is(setting, "gap"))
		keys->gap = setting->number;
	else if (method_setting_is(setting, "gap-fill"))
		keys->gap_fill = setting->number;
	else if (method_setting_is(setting, "tag-limit"))
		keys->tag_limit = setting->number;
	else if (method_setting_is(setting, "link-limit"))
		keys->link_limit = setting->number;
	else if (method_setting_is(setting, "unit"))
		keys->bytes = setting->number == 0;
	else if (method_setting_is(setting, "literal"))
		keys->literal = setting->number == 1;
}

/* Returns the key's value, or the default if it is not set. */
static unsigned long either(unsigned long key, unsigned long standard)
{
	return key == SEGMENTER_UNSET ? standard : key;
}

static uint64_t limit(unsigned long key, uint64_t standard)
{
	return key == SEGMENTER_UNSET ? standard : key ? key : NO_TAG_LIMIT;
}

struct segmenter_count segmenter_count(const struct segmenter_keys *keys)
{
	const struct segmenter_count *own = &keys->mended;
	if (keys->literal)
		return (struct segmenter_count){ { NO_TAG_LIMIT, NO_TAG_LIMIT },
						 either(keys->gap, 20),
						 either(keys->gap_fill, false),
						 CHAIN_RANK_REGION };
	return (struct segmenter_count){ { limit(keys->tag_limit, own->limits.tag),
					   limit(keys->link_limit, own->limits.link) },
					 either(keys->gap, own->gap),
					 either(keys->gap_fill, own->gap_fill),
					 own->rank };
}

void segmenter_apply(struct segmenter *s)
{
	const struct segmenter_count count = segmenter_count(&s->keys);
	s->length = s->keys.segment;
	s->bytes = s->keys.bytes;
	s->literal = s->keys.literal;
	s->limits = count.limits;
	s->config.gap = count.gap;
	s->config.gap_fill = count.gap_fill;
	if (s->config.hit == CHAIN_HIT_SMOOTHED)
		s->config.rank = count.rank;
	chain_selector_configure(s->chain, &s->config);
}

int segmenter_init(struct segmenter *s, const struct method_env *env, struct segmenter_keys keys, enum chain_hit hit,
		   enum chain_rank rank)
{
	s->keys = keys;
	s->config = (struct chain_config){ .hit = hit, .rank = rank, .max_text = env->max_text, .trace = env->trace };
	s->spans = env->spans;
	s->chain = chain_selector_new(&s->config);
	if (!s->chain)
		return DANA_ENOMEM;
	segmenter_apply(s);
	return DANA_OK;
}

static int segment_close(struct segmenter *s)
{
	const uint64_t most = s->length + SEGMENT_BEYOND, broken = s->used > most ? s->used - most : 0;
	int status = chain_selector_line(s->chain, 2 * (int64_t)s->content - (int64_t)(s->used + broken), s->content);
	s->content = s->used = 0;
	return status;
}

int segmenter_make_room(struct segmenter *s)
{
	return s->used >= s->length ? segment_close(s) : DANA_OK;
}

/* Counts code that does not fit into the open segment; a long script becomes many empty segments at once. */
int segmenter_code_across(struct segmenter *s, uint64_t n)
{
	int status = DANA_OK;
	while (n && status >= 0) {
		status = segmenter_make_room(s);
		uint64_t room = s->length - s->used;
		/* bytes in the middle of characters do not count, but belong to the first segment */
		bool empty = s->used == 0 && chain_selector_text(s->chain)->len == 0;
		if (status >= 0 && empty && n > s->length) {
			/* whole segments of only code; the last one stays open */
			uint64_t whole = (n - 1) / s->length;
			status = chain_selector_blank(s->chain, whole, -(int64_t)s->length);
			n -= whole * s->length;
			continue;
		}
		uint64_t part = n < room ? n : room;
		s->used += part;
		n -= part;
	}
	return status;
}

/* A character never goes to two segments: its first byte decides. `ascii`: bytes and characters are the same. */
int segmenter_content_across(struct segmenter *s, struct slice bytes, size_t chars, bool ascii)
{
	uint64_t all = s->bytes ? bytes.len : chars;
	while (bytes.len) {
		if ((bytes.data[0] & 0xC0) != 0x80) {
			int status = segmenter_make_room(s);
			if (status < 0)
				return status;
		}
		uint64_t room = s->used < s->length ? s->length - s->used : 0, units = all;
		size_t take = bytes.len;
		if (all > room && ascii) {
			take = (size_t)room;
			units = room;
		} else if (all > room) {
			/* what fits, including the rest of a character that began before */
			for (take = 0, units = 0; take < bytes.len; take++) {
				bool lead = (bytes.data[take] & 0xC0) != 0x80;
				if (lead && units >= room)
					break;
				units += s->bytes || lead;
			}
		}
		int status = segmenter_write(s, slice_first(bytes, take));
		if (status < 0)
			return status;
		s->content += units;
		s->used += units;
		all -= units;
		bytes = slice_skip(bytes, take);
	}
	return DANA_OK;
}

int segmenter_finish(struct segmenter *s, struct text_writer *out)
{
	const struct trace *t = s->config.trace;
	if (t && t->number) {
		t->number(t->arg, "literal", s->literal);
		if (!s->literal) { /* 0: all of a tag counts */
			t->number(t->arg, "tag-limit", s->limits.tag == NO_TAG_LIMIT ? 0 : (double)s->limits.tag);
			t->number(t->arg, "link-limit", s->limits.link == NO_TAG_LIMIT ? 0 : (double)s->limits.link);
		}
	}
	int status = s->used || chain_selector_text(s->chain)->len ? segment_close(s) : DANA_OK;
	if (status >= 0)
		status = chain_selector_finish(s->chain);
	if (status < 0)
		return status;
	out->truncated |= chain_selector_cut(s->chain);
	int written = text_writer_kept(out, chain_selector_result(s->chain));
	if (written >= 0 && s->spans)
		written = chain_selector_spans(s->chain, s->spans);
	return written < 0 ? written : status;
}

void segmenter_reset(struct segmenter *s)
{
	s->content = s->used = 0;
	chain_selector_reset(s->chain);
}

/*
 * Puts stretches of markup straight into segments, 64 bytes at a time by their masks: this replaces content_stream and
 * segmenter, or the runs of a byte scan, for most of a page at a fraction of their cost.
 */

enum { LINES = STRETCH_WORDS }; /* segments passed on together: one may end in each block */

/* Returns the bytes of a block that count as content. */
BITS_INLINE uint64_t content_of(const struct html_stretch *h, size_t block, enum stretch_scan scan)
{
	switch (scan) {
	case SCAN_TEXT:
		return ~h->code[block];
	case SCAN_BYTES:
		return h->masks[block].high & ~(h->code[block] | h->voids[block]);
	case SCAN_LITERAL:
		break;
	}
	return h->masks[block].high;
}

/* Returns where in a block a new segment may begin: at units, not in the middle of a character that may be content. */
BITS_INLINE uint64_t beginnings(const struct html_stretch *h, size_t block, enum stretch_scan scan, uint64_t units)
{
	uint64_t code = scan == SCAN_LITERAL ? 0 : h->code[block] | (scan == SCAN_BYTES ? h->voids[block] : 0);
	return units & ~(h->masks[block].cont & ~code);
}

/* Returns a segment that has `beyond` bytes after its length; those of broken UTF-8 count against it. */
BITS_INLINE struct chain_line line_of(int64_t content, int64_t length, int64_t beyond, uint64_t place)
{
	if (__builtin_expect(beyond > SEGMENT_BEYOND, 0))
		beyond += beyond - SEGMENT_BEYOND;
	return (struct chain_line){ 2 * content - length - beyond, (uint64_t)content, place };
}

/* Where a stretch is cut: the current segment, and those that are complete. */
struct cutting {
	int64_t length, room, over, content; /* of the current segment: what fits, what it has beyond its length */
	struct chain_line *line;
};

/* Takes `count` bytes of code from window[at] on, none of which is looked at. */
BITS_INLINE void cut_code(struct cutting *c, size_t at, int64_t count)
{
	if (count > c->room) {
		at += (size_t)c->room;
		count -= c->room;
		*c->line++ = line_of(c->content, c->length, c->over, at);
		for (; count > c->length; count -= c->length)
			*c->line++ = (struct chain_line){ -c->length, 0, at += (size_t)c->length };
		c->content = c->over = 0;
		c->room = c->length;
	}
	c->room -= count;
}

/* Returns the first block after `block`, up to `end`, that is not all of comments, scripts and the like. */
BITS_INLINE size_t void_blocks_end(const struct html_stretch *h, size_t block, size_t end)
{
	const uint64_t *const voids = h->voids;
	while (block < end && voids[block] == ~(uint64_t)0)
		block++;
	return block;
}

static int stretch(struct segmenter *g, enum stretch_scan scan);

/* `listing`: only content counts. `shorter`: segments may be shorter than a block, so that more than one may end in it.
 */
BITS_INLINE int cut(struct segmenter *g, enum stretch_scan scan, bool bytes, struct tag_limits limits, bool literal,
		    bool listing, bool shorter, bool deposits)
{
	const struct html_stretch *h = g->text.stretch;
	const size_t end = (h->to + 63) / 64;
	const int64_t left = (int64_t)(g->length - g->used);
	NOT_ZEROED struct chain_line lines[LINES];
	struct cutting c = { .length = (int64_t)g->length,
			     .room = left > 0 ? left : 0,
			     .over = left > 0 ? 0 : -left,
			     .content = (int64_t)g->content,
			     .line = lines };
	stretch_count(&g->text, scan, bytes, limits, literal);
	for (size_t block = h->from / 64; block < end; block++) {
		if (scan == SCAN_BYTES && !listing && !shorter && h->voids[block] == ~(uint64_t)0) {
			const size_t next = void_blocks_end(h, block, end);
			cut_code(&c, block * 64, (int64_t)(next - block) * 64);
			block = next - 1;
			continue;
		}
		uint64_t units = g->text.units[block], contents = units & content_of(h, block, scan);
		if (listing)
			units = contents;
		int64_t all = bits_count(units), text = bits_count(contents);
		while (all > c.room) {
			/* the first unit that does not fit begins a new segment */
			uint64_t rest = bits_after(units, (unsigned)c.room, deposits);
			if (bytes)
				rest = beginnings(h, block, scan, rest);
			if (!rest) {
				c.over += all - c.room;
				all = c.room;
				break;
			}
			const unsigned at = bits_lowest(rest);
			int64_t here = bytes ? bits_count(units >> at) : all - c.room,
				next = bits_count(contents >> at);
			c.content += text - next;
			*c.line++ =
				line_of(c.content, c.length, bytes ? c.over + all - c.room - here : 0, block * 64 + at);
			c.content = c.over = 0;
			c.room = c.length;
			all = here;
			text = next;
			if (!shorter)
				break;
			units = units >> at << at;
			contents = contents >> at << at;
			if (c.line == lines + LINES) {
				c.line = lines;
				int status = chain_selector_lines(g->chain, lines, LINES);
				if (status < 0)
					return status;
			}
		}
		c.room -= all;
		c.content += text;
	}
	g->used = (uint64_t)(c.length - c.room + c.over);
	g->content = (uint64_t)c.content;
	return chain_selector_lines(g->chain, lines, (size_t)(c.line - lines));
}

static const struct tag_limits no_limits = { NO_TAG_LIMIT, NO_TAG_LIMIT };

/* Fast paths for the usual units, limits and lengths; all others take the common path. */
BITS_FAST static int cut_text_fast(struct segmenter *g)
{
	return cut(g, SCAN_TEXT, false, segmenter_text_limits, false, false, false, bits_deposits());
}

BITS_FAST static int cut_whole_text_fast(struct segmenter *g)
{
	return cut(g, SCAN_TEXT, false, no_limits, true, false, false, bits_deposits());
}

BITS_FAST static int cut_bytes_fast(struct segmenter *g)
{
	return cut(g, SCAN_BYTES, true, segmenter_bytes_limits, false, false, false, bits_deposits());
}

BITS_FAST static int cut_text_listing_fast(struct segmenter *g)
{
	return cut(g, SCAN_TEXT, false, no_limits, false, true, false, bits_deposits());
}

BITS_FAST static int cut_bytes_listing_fast(struct segmenter *g)
{
	return cut(g, SCAN_BYTES, true, no_limits, false, true, false, bits_deposits());
}

BITS_FAST static int cut_literal_fast(struct segmenter *g)
{
	return cut(g, SCAN_LITERAL, true, no_limits, true, false, false, bits_deposits());
}

static int cut_common(struct segmenter *g, enum stretch_scan scan)
{
	return cut(g, scan, g->bytes, g->limits, g->literal, segmenter_in_listing(g, g->text.stretch->space), true,
		   false);
}

static int cut_usual(struct segmenter *g, enum stretch_scan scan)
{
	const bool text = scan == SCAN_TEXT;
	const struct tag_limits usual = text ? segmenter_text_limits : segmenter_bytes_limits;
	if (g->length < 64 || g->bytes == text)
		return cut_common(g, scan);
	if (g->literal) /* nothing is limited */
		return text ? cut_whole_text_fast(g) : cut_literal_fast(g);
	if (segmenter_in_listing(g, g->text.stretch->space))
		return text ? cut_text_listing_fast(g) : cut_bytes_listing_fast(g);
	if (g->limits.tag != usual.tag || g->limits.link != usual.link)
		return cut_common(g, scan);
	return text ? cut_text_fast(g) : cut_bytes_fast(g);
}

static int stretch(struct segmenter *g, enum stretch_scan scan)
{
	const struct html_stretch *h = g->text.stretch;
	const struct chain_source source = { stretch_text_write, &g->text };
	chain_selector_source(g->chain, &source, h->from);
	int status = h->fast ? cut_usual(g, scan) : cut_common(g, scan);
	if (status < 0)
		return status;
	int64_t most = (int64_t)g->length + (g->bytes ? SEGMENT_BEYOND : 0), more = most - (int64_t)g->used;
	return chain_selector_settle(g->chain, h->to, most,
				     2 * (int64_t)g->content - (int64_t)g->used + (more > 0 ? more : 0));
}

static void text_set(struct segmenter *g, const struct html_stretch *h, const struct stretch_before *before,
		     struct held_space *held, enum stretch_scan scan)
{
	g->text.stretch = h;
	g->text.before = *before;
	g->text.held = held;
	g->text.after_any = scan != SCAN_TEXT;
}

int segmenter_stretch_text(struct segmenter *g, struct content_stream *s, const struct html_stretch *h)
{
	struct stretch_before before = { s->block_pending, s->after_space, s->lone_space };
	text_set(g, h, &before, &s->held, SCAN_TEXT);
	int status = stretch_text_begin(&g->text, chain_selector_text(g->chain));
	if (status >= 0)
		status = stretch(g, SCAN_TEXT);
	before = stretch_text_end(&g->text);
	s->block_pending = before.block_pending;
	s->after_space = before.after_space;
	s->lone_space = before.lone_space;
	return status;
}

int segmenter_stretch_bytes(struct segmenter *g, struct stretch_before *before, struct held_space *held,
			    const struct html_stretch *h)
{
	const enum stretch_scan scan = g->literal ? SCAN_LITERAL : SCAN_BYTES;
	text_set(g, h, before, held, scan);
	int status = stretch_text_begin(&g->text, chain_selector_text(g->chain));
	if (status >= 0)
		status = stretch(g, scan);
	*before = stretch_text_end(&g->text);
	before->after_space = false;
	return status;
}

int segmenter_code_bytes(struct segmenter *g, const struct html_run *run, bool after_space)
{
	uint64_t code[STRETCH_WORDS + 1];
	const struct html_stretch all = {
		.window = run->bytes.data - run->at,
		.masks = (struct byte_mask *)(uintptr_t)run->masks, /* the literal count changes none */
		.code = code,
		.voids = code,
		.breaks = code, /* unused: no text is kept, and nothing is limited */
		.starts = code,
		.links = code,
		.from = run->at,
		.to = run->at + run->bytes.len,
		.fast = bits_fast()
	};
	memset(code + all.from / 64, 0xFF, (all.to / 64 - all.from / 64 + 2) * sizeof(*code));
	text_set(g, &all, &(struct stretch_before){ .after_space = after_space }, NULL, SCAN_LITERAL);
	return stretch(g, SCAN_LITERAL);
}
