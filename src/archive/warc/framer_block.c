/* SPDX-License-Identifier: MIT */
/*
 * Blocks, and the decision whether a record boundary follows one.
 *
 * A WARC block is followed by CRLF CRLF, an ARC block by LF. Many writers leave line breaks out, so "WARC/" alone is
 * enough. Example: a block of 5 bytes, "hello".
 *  - "hello\r\n\r\nWARC/1.0" and "hello\nWARC/1.0" end well.
 *  - "hello world" does not: the length is wrong, and the search for the next head begins with " world".
 *  - "hello\r" and nothing more yet: the step asks for more bytes (STEP_NEEDS_MORE).
 */
#include "archive/warc/framer_private.h"
#include "base/ascii.h"

/* BLOCK */

/* Follows the lines of an HTTP head at the block's start: is its blank line doubled? */
static void watch_quirk(struct framer_record *now, struct slice bytes)
{
	static const char http[] = "HTTP/";

	for (size_t at = 0; at < bytes.len && now->quirk < QUIRK_YES;) {
		if (now->quirk == QUIRK_START) {
			if (bytes.data[at++] != (uint8_t)http[now->quirk_bytes])
				now->quirk = QUIRK_NO;
			else if (++now->quirk_bytes == sizeof(http) - 1)
				now->quirk = QUIRK_HEAD;
		} else if (now->quirk == QUIRK_HEAD) {
			const uint8_t *lf = memchr(bytes.data + at, '\n', bytes.len - at);
			size_t end = lf ? (size_t)(lf - bytes.data) : bytes.len;
			bool only_cr = now->quirk_bytes == 0 && end == at + 1 && bytes.data[at] == '\r';

			if (lf) {
				bool blank = only_cr || (now->quirk_bytes == 1 && end == at);

				now->quirk = blank ? QUIRK_AFTER : QUIRK_HEAD;
				now->quirk_bytes = 0;
			} else {
				now->quirk_bytes = only_cr ? 1 : 2;
			}
			at = end + 1;
		} else { /* QUIRK_AFTER */
			if (bytes.data[at] != (uint8_t) "\r\n"[now->quirk_bytes])
				now->quirk = QUIRK_NO;
			else if (++now->quirk_bytes == 2)
				now->quirk = QUIRK_YES;
			at++;
		}
	}
}

/* The version numbers of an ARC stand at the start of its filedesc block: "1 1 InternetArchive". */
static void watch_arc_version(struct warc_framer *f, struct slice bytes)
{
	size_t at = (size_t)f->now.passed;

	for (size_t i = 0; i < bytes.len && at < sizeof(f->arc_start); i++)
		f->arc_start[at++] = bytes.data[i];
	if (at < 3)
		return;
	if (memcmp(f->arc_start, "1 1", 3) == 0)
		f->arc_version = "ARC/1.1";
	else if (memcmp(f->arc_start, "2 ", 2) == 0)
		f->arc_version = "ARC/2.0";
}

ptrdiff_t framer_step_block(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;

	if (bytes.len > now->left)
		bytes.len = (size_t)now->left;
	if (!now->proven && f->spotter.state != SPOTTER_FOUND) {
		size_t fed = spotter_feed(&f->spotter, bytes, f->pos);

		if (now->doomed && f->spotter.state == SPOTTER_FOUND) {
			framer_leave_wrong_block(f, framer_beyond_end(f));
			return (ptrdiff_t)fed;
		}
	}
	if (now->quirk < QUIRK_YES)
		watch_quirk(now, bytes);
	if (now->rec.is_arc && now->rec.type == RECORD_WARCINFO && now->passed < sizeof(f->arc_start))
		watch_arc_version(f, bytes);
	framer_body(f, bytes);
	now->left -= bytes.len;
	if (now->left == 0)
		f->state = FRAMER_CLOSING;
	return (ptrdiff_t)bytes.len;
}

/* CLOSING */

static ptrdiff_t boundary(struct warc_framer *f, size_t taken)
{
	framer_start_spotter(f, true);
	if (f->now.silent)
		f->in_fault = false;
	f->state = FRAMER_BETWEEN;
	return (ptrdiff_t)taken;
}

/*
 * ARC: one line break ends the block. Without it, the next line decides. Common Crawl of 2012 has records that are two
 * bytes longer than their Archive-length says: two bytes and a line break up to the end of the member prove that.
 */
static ptrdiff_t close_arc(struct warc_framer *f, struct slice bytes, bool last)
{
	enum { SHORT_BY = 2 };

	if (bytes.data[0] == '\n')
		return boundary(f, 1);
	if (bytes.len <= SHORT_BY + 1 && !last)
		return STEP_NEEDS_MORE;
	if (bytes.data[0] == '\r' && (bytes.len < 2 || bytes.data[1] == '\n'))
		return boundary(f, bytes.len < 2 ? 1 : 2);
	if (bytes.len == SHORT_BY + 1 && last && !f->member.plain && bytes.data[SHORT_BY] == '\n') {
		framer_body(f, slice_of(bytes.data, SHORT_BY));
		return boundary(f, SHORT_BY + 1);
	}
	if (!ascii_is_alpha(bytes.data[0])) {
		framer_leave_wrong_block(f, "Archive-length leads to no record boundary");
		return 0;
	}
	f->now.unsure = true;
	f->state = FRAMER_BETWEEN;
	return 0;
}

/*
 * The block is two bytes longer than its Content-Length, as in Common Crawl 2018-34 (enum quirk_state): a boundary
 * after them proves it.
 */
static enum match match_quirk(struct slice bytes, bool last)
{
	static const char end[] = "\r\n\r\nWARC/";
	size_t len = sizeof(end) - 1;

	if (bytes.len < 6)
		return last ? MATCH_NO : MATCH_PART;
	size_t have = bytes.len - 2 < len ? bytes.len - 2 : len;

	if (memcmp(bytes.data + 2, end, have) != 0)
		return MATCH_NO;
	return have == len || last ? MATCH_YES : MATCH_PART;
}

ptrdiff_t framer_step_closing(struct warc_framer *f, struct slice bytes, bool last)
{
	enum { CLOSING_MAX = 8 };
	size_t at = 0;
	int breaks = 0;

	if (f->arc_version)
		return close_arc(f, bytes, last);
	while (at < bytes.len && at < CLOSING_MAX && (bytes.data[at] == '\r' || bytes.data[at] == '\n')) {
		if (bytes.data[at++] == '\n' && ++breaks == 2)
			return boundary(f, at);
	}
	enum match match = last ? MATCH_YES : MATCH_PART;

	if (at < bytes.len)
		match = framer_match_magic(slice_skip(bytes, at), true);

	if (match == MATCH_YES || (match == MATCH_PART && last))
		return boundary(f, at);
	if (match == MATCH_NO && f->now.quirk == QUIRK_YES) {
		match = match_quirk(bytes, last);
		if (match == MATCH_YES) {
			framer_body(f, slice_of(bytes.data, 2));
			f->now.quirk = QUIRK_NO;
			return 2;
		}
	}
	if (match == MATCH_PART)
		return STEP_NEEDS_MORE;
	/* The bytes looked at are searched, too: the first bytes of a head may be at their end. */
	framer_leave_wrong_block(f, "Content-Length leads to no record boundary");
	return 0;
}
