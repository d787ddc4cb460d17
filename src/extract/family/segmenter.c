/* SPDX-License-Identifier: MIT */
/*
 * A segment is full when `length` units (characters or bytes) are counted; it is closed only when the next unit comes,
 * so that uncounted bytes (a line break, the rest of a character) still belong to it. Example with length 4: the text
 * "abcdef", then 5 characters of tags, make the segments "abcd", "ef" with 2 of the tags, and one with 3 of them that
 * is still open.
 *
 * Value of a segment is content minus code: 2 * content - used, because used = content + code. Broken UTF-8 may have
 * any number of bytes in the middle of a character; so that a value has a bound, the fourth after a full segment and
 * those after it count against it.
 */
#include "extract/family/segmenter.h"

#include "base/status.h"
#include "extract/method.h"

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

/*
 * Returns the length of the characters of `s` that fit into `room`, including the rest of a character that began
 * before.
 */
static size_t fitting(struct slice s, uint64_t room, bool bytes, uint64_t *units)
{
	size_t i = 0;
	*units = 0;
	for (; i < s.len; i++) {
		bool lead = (s.data[i] & 0xC0) != 0x80;
		if (lead && *units >= room)
			break;
		*units += bytes || lead;
	}
	return i;
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
			take = fitting(bytes, room, s->bytes, &units);
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

/* Says which of the two counts this is, and how much of a tag counts (0: all of it). */
static void tell_count(const struct segmenter *s, const struct trace *t)
{
	if (!t || !t->number)
		return;
	t->number(t->arg, "literal", s->literal);
	if (s->literal)
		return;
	t->number(t->arg, "tag-limit", s->limits.tag == NO_TAG_LIMIT ? 0 : (double)s->limits.tag);
	t->number(t->arg, "link-limit", s->limits.link == NO_TAG_LIMIT ? 0 : (double)s->limits.link);
}

int segmenter_finish(struct segmenter *s, const struct trace *trace)
{
	tell_count(s, trace);
	if (s->used || chain_selector_text(s->chain)->len) {
		int status = segment_close(s);
		if (status < 0)
			return status;
	}
	return chain_selector_finish(s->chain);
}

void segmenter_reset(struct segmenter *s)
{
	s->content = s->used = 0;
	chain_selector_reset(s->chain);
}
