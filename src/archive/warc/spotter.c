/* SPDX-License-Identifier: MIT */
/*
 * One pass with a small state: it looks for "WARC/" (memchr for the 'W', so bytes without one cost next to nothing),
 * then reads lines up to a blank one and ticks off the mandatory fields. Of each line only the first 64 bytes are
 * held.
 *
 * Example, from the middle of a block:
 *
 *     ...text WARC/1.0 text...       no head: it is not at a line's start (with line_start_only)
 *     WARC/1.0 is a format           no head: the version line continues
 *     WARC/1.0                       a head may begin here: `start`
 *     WARC-Type: response            1 of 4 fields
 *     WARC/1.0                       another version line: the head before was cut off, `start` moves here
 *     WARC-Type: response            1 of 4
 *     WARC-Record-ID: <urn:x>        2
 *     WARC-Date: 2024-01-01          3
 *     Content-Length: 12             4
 *                                    the blank line: SPOTTER_FOUND
 *
 * A candidate that fails is never read again from its begin, so the time is linear. A head that begins at a line
 * inside a failed candidate is not lost, for its version line has moved `start`.
 */
#include "archive/warc/spotter.h"

#include "archive/warc/field.h"
#include "archive/warc/head.h"
#include "base/ascii.h"

static const char magic[] = "WARC/";
enum { MAGIC_LEN = sizeof(magic) - 1, ARC_LINE_MAX = 64 << 10 };

enum { SEEN_TYPE = 1, SEEN_ID = 2, SEEN_DATE = 4, SEEN_LENGTH = 8, SEEN_ALL = 15 };

void spotter_start(struct spotter *s, enum spotter_kind kind, bool line_start_only, size_t limit)
{
	s->kind = kind;
	s->state = SPOTTER_IDLE;
	s->line_start_only = line_start_only;
	s->at_line_start = true;
	s->limit = limit;
}

static size_t feed_idle(struct spotter *s, struct slice bytes, uint64_t pos)
{
	size_t at = 0;
	while (at < bytes.len) {
		const uint8_t *w = memchr(bytes.data + at, 'W', bytes.len - at);
		if (!w)
			break;
		at = (size_t)(w - bytes.data);
		if (s->line_start_only && !(at ? w[-1] == '\n' : s->at_line_start)) {
			at++;
			continue;
		}
		size_t match = bytes.len - at < MAGIC_LEN ? bytes.len - at : MAGIC_LEN;
		if (memcmp(w, magic, match) != 0) {
			at++;
			continue;
		}
		s->start = s->line_start = pos + at;
		s->line_len = match;
		memcpy(s->line, w, match);
		s->state = match == MAGIC_LEN ? SPOTTER_VERSION : SPOTTER_MAGIC;
		s->at_line_start = false;
		return at + match;
	}
	s->at_line_start = bytes.data[bytes.len - 1] == '\n';
	return bytes.len;
}

static size_t feed_magic(struct spotter *s, struct slice bytes)
{
	size_t at = 0;
	while (at < bytes.len && s->line_len < MAGIC_LEN) {
		if (bytes.data[at] != (uint8_t)magic[s->line_len]) {
			s->state = SPOTTER_IDLE; /* this byte may begin another magic */
			return at;
		}
		s->line[s->line_len++] = bytes.data[at++];
	}
	if (s->line_len == MAGIC_LEN)
		s->state = SPOTTER_VERSION;
	return at;
}

static size_t feed_version(struct spotter *s, struct slice bytes, uint64_t pos)
{
	enum { VERSION_LINE_MAX = 24 };

	for (size_t at = 0; at < bytes.len; at++) {
		uint8_t c = bytes.data[at];
		if (c == '\n') {
			bool known = warc_version_known(slice_of(s->line, s->line_len));
			s->state = known ? SPOTTER_FIELDS : SPOTTER_IDLE;
			s->at_line_start = true;
			s->line_start = pos + at + 1;
			s->line_len = 0;
			s->seen = 0;
			return at + 1;
		}
		if ((!ascii_is_digit(c) && c != '.' && c != ' ' && c != '\t' && c != '\r') ||
		    s->line_len == VERSION_LINE_MAX) {
			s->state = SPOTTER_IDLE;
			return at;
		}
		s->line[s->line_len++] = c;
	}
	return bytes.len;
}

/* Which mandatory field the line holds that just ended, by its first bytes; 0: not one of them. */
static unsigned field_seen(struct spotter *s, struct slice line)
{
	const uint8_t *colon = line.len ? memchr(line.data, ':', line.len) : NULL;
	if (!colon)
		return 0;
	size_t len = (size_t)(colon - line.data);
	struct slice name = slice_trim(slice_of(line.data, len));
	if (slice_is(name, "WARC-Type"))
		return SEEN_TYPE;
	if (slice_is(name, "WARC-Record-ID"))
		return SEEN_ID;
	if (slice_is(name, "WARC-Date"))
		return SEEN_DATE;
	if (slice_is(name, "Content-Length") && field_number(slice_trim(slice_skip(line, len + 1)), &s->length))
		return SEEN_LENGTH;
	return 0;
}

static size_t feed_fields(struct spotter *s, struct slice bytes, uint64_t pos)
{
	size_t at = 0;
	while (at < bytes.len && s->state == SPOTTER_FIELDS) {
		uint64_t left = s->limit - (pos + at - s->start);
		const uint8_t *lf = memchr(bytes.data + at, '\n', bytes.len - at);
		size_t end = lf ? (size_t)(lf - bytes.data) : bytes.len;
		size_t room = sizeof(s->line) - s->line_len;
		size_t kept = end - at < room ? end - at : room;
		if (end - at >= left) { /* too long for a head: stops at the same byte for every split */
			s->state = SPOTTER_IDLE;
			s->at_line_start = false;
			return at + (size_t)left;
		}
		memcpy(s->line + s->line_len, bytes.data + at, kept);
		s->line_len += kept;
		at = end;
		if (lf) {
			at++;
			s->at_line_start = true;

			struct slice line = slice_of(s->line, s->line_len);
			if (line.len == 0 || (line.len == 1 && line.data[0] == '\r')) {
				s->state = s->seen == SEEN_ALL ? SPOTTER_FOUND : SPOTTER_IDLE;
				if (s->state == SPOTTER_FOUND)
					s->kind = SPOTTER_WARC;
			} else if (line.len < sizeof(s->line) && warc_version_known(line)) {
				s->start = s->line_start; /* what came before is a head that was cut off */
				s->seen = 0;
			} else {
				s->seen |= field_seen(s, line);
			}
			s->line_start = pos + at;
			s->line_len = 0;
		}
	}
	return at;
}

static size_t begin_arc_line(struct spotter *s, uint64_t pos)
{
	s->start = pos;
	s->state = SPOTTER_ARC_LINE;
	s->at_line_start = false;
	buf_clear(&s->arc_line);
	return 0;
}

/* ARC: each line that begins with a letter is kept until its end or until it is too long for a head. */
static size_t feed_arc_idle(struct spotter *s, struct slice bytes, uint64_t pos)
{
	size_t at = 0;
	while (at < bytes.len) {
		if (s->at_line_start && ascii_is_alpha(bytes.data[at]))
			return at + begin_arc_line(s, pos + at);
		const uint8_t *lf = memchr(bytes.data + at, '\n', bytes.len - at);
		s->at_line_start = lf != NULL;
		at = lf ? (size_t)(lf - bytes.data) + 1 : bytes.len;
	}
	return at;
}

/* Either: at a line's start a letter with which an ARC head may begin, and anywhere, or there, the magic of WARC. */
static size_t feed_any_idle(struct spotter *s, struct slice bytes, uint64_t pos)
{
	size_t at = 0;
	while (at < bytes.len && s->state == SPOTTER_IDLE) {
		const struct slice rest = slice_skip(bytes, at);
		bool need_more;
		if (s->at_line_start && (arc_head_begins(slice_first(rest, 1), &need_more) || need_more))
			return at + begin_arc_line(s, pos + at);
		const uint8_t *lf = memchr(rest.data, '\n', rest.len);
		at += feed_idle(s, slice_first(rest, lf ? (size_t)(lf - rest.data) + 1 : rest.len), pos + at);
	}
	return at;
}

static size_t feed_arc_line(struct spotter *s, struct slice bytes)
{
	bool begun = s->kind == SPOTTER_ARC, need_more;
	if (!begun && !arc_head_begins(buf_slice(&s->arc_line), &need_more)) {
		/* the line has to continue as an ARC head begins; a byte that does not ends its chance */
		size_t at = 0;
		while (at < bytes.len && need_more) {
			if (buf_append_byte(&s->arc_line, bytes.data[at]) < 0 ||
			    (!arc_head_begins(buf_slice(&s->arc_line), &need_more) && !need_more)) {
				s->state = SPOTTER_IDLE; /* this byte may begin a magic */
				return at;
			}
			at++;
		}
		return at;
	}
	const uint8_t *lf = memchr(bytes.data, '\n', bytes.len);
	size_t part = lf ? (size_t)(lf - bytes.data) : bytes.len;
	size_t room = ARC_LINE_MAX - s->arc_line.len;

	/* Too long, or memory is exhausted: not a head, and the rest of the line is skipped. */
	if (part > room || buf_append(&s->arc_line, bytes.data, part) < 0) {
		s->state = SPOTTER_IDLE;
		s->at_line_start = false;
		return part < room ? part : room;
	}
	if (!lf)
		return part;
	s->state = arc_head_plausible(buf_slice(&s->arc_line), &s->length) ? SPOTTER_FOUND : SPOTTER_IDLE;
	if (s->state == SPOTTER_FOUND)
		s->kind = SPOTTER_ARC;
	s->at_line_start = true;
	return part + 1;
}

size_t spotter_feed(struct spotter *s, struct slice bytes, uint64_t pos)
{
	size_t at = 0;
	while (at < bytes.len && s->state != SPOTTER_FOUND) {
		struct slice rest = slice_skip(bytes, at);
		switch (s->state) {
		case SPOTTER_IDLE:
			at += s->kind == SPOTTER_WARC  ? feed_idle(s, rest, pos + at)
			      : s->kind == SPOTTER_ARC ? feed_arc_idle(s, rest, pos + at)
						       : feed_any_idle(s, rest, pos + at);
			break;
		case SPOTTER_MAGIC:
			at += feed_magic(s, rest);
			break;
		case SPOTTER_VERSION:
			at += feed_version(s, rest, pos + at);
			break;
		case SPOTTER_FIELDS:
			at += feed_fields(s, rest, pos + at);
			break;
		case SPOTTER_ARC_LINE:
			at += feed_arc_line(s, rest);
			break;
		case SPOTTER_FOUND:
			break;
		}
	}
	return at;
}

bool spotter_lacks_line_break(struct spotter *s)
{
	if (s->state == SPOTTER_ARC_LINE)
		return arc_head_plausible(buf_slice(&s->arc_line), &s->length);
	return s->state == SPOTTER_FIELDS && (s->seen | field_seen(s, slice_of(s->line, s->line_len))) == SEEN_ALL;
}

void spotter_free(struct spotter *s)
{
	buf_free(&s->arc_line);
}
