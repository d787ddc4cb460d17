/* SPDX-License-Identifier: MIT */
/*
 * Blocks, and the decision whether a record boundary follows one.
 *
 * A WARC block is followed by CRLF CRLF, an ARC block by LF. Many writers leave line breaks out, so "WARC/" alone is
 * enough. Example: a block of 5 bytes, "hello".
 *  - "hello\r\n\r\nWARC/1.0" and "hello\nWARC/1.0" end well.
 *  - "hello world" does not: the length is wrong, and the search for the next head begins with " world".
 *  - "hello\r" and nothing more yet: the step asks for more bytes (STEP_NEEDS_MORE).
 *
 * Where the length is wrong the record may end elsewhere: where CRLF CRLF and then a plausible head come, or with its
 * member. So of a block whose length is not proven, the bytes from such a CRLF CRLF on are withheld until the head
 * proves to be content, and under a length that was too small the bytes after the block until the border is met. Beyond
 * the size of the replay buffer a length that is too large costs the record, and one that is too small the rest of it.
 */
#include "archive/warc/framer_private.h"
#include "base/ascii.h"

/* BLOCK */

/* Follows the lines of an HTTP head at the block's start: is its blank line doubled? */
static void watch_quirk(struct framer_record *now, struct slice bytes, uint64_t pos)
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
			if (now->quirk == QUIRK_AFTER)
				now->payload = pos + at;
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

enum { BLOCK_CLOSING = 0x0d0a0d0a }; /* CRLF CRLF */
static const char closing[] = "\r\n\r\n";

/* The last four bytes of what ended with `last`, after `bytes`. */
static uint32_t last_four(uint32_t last, struct slice bytes)
{
	for (size_t i = bytes.len < sizeof(last) ? 0 : bytes.len - sizeof(last); i < bytes.len; i++)
		last = last << 8 | bytes.data[i];
	return last;
}

/* How many of the last bytes may be a part of the CRLF CRLF before a head. */
static unsigned closing_begun(uint32_t last)
{
	for (unsigned n = BLOCK_CLOSING_LEN; n; n--) {
		const unsigned others = 32 - 8 * n;

		if (last << others >> others == (uint32_t)BLOCK_CLOSING >> others)
			return n;
	}
	return 0;
}

/* The bytes at f->pos, which the spotter has seen: does a head begin in them, after CRLF CRLF? */
static void note_border(struct warc_framer *f, struct slice bytes)
{
	const uint64_t start = f->spotter.start;

	if (spotter_holds(&f->spotter) && start >= f->pos &&
	    last_four(f->now.last, slice_first(bytes, (size_t)(start - f->pos))) == BLOCK_CLOSING)
		f->now.border = start;
	f->now.last = last_four(f->now.last, bytes);
}

static bool border_is_open(const struct warc_framer *f)
{
	return spotter_holds(&f->spotter) && f->now.border == f->spotter.start;
}

/* Passes on the bytes up to position `until`: those that were withheld, then `fresh` ones. */
static void pass_on(struct warc_framer *f, uint64_t until, struct slice *fresh)
{
	const uint64_t n = until - f->now.out;
	const struct slice held = slice_first(buf_slice(&f->rest), n < f->rest.len ? (size_t)n : f->rest.len);
	const struct slice more = slice_first(*fresh, (size_t)n - held.len);

	if (held.len) {
		framer_body(f, held);
		buf_consume(&f->rest, held.len);
	}
	if (more.len)
		framer_body(f, more);
	*fresh = slice_skip(*fresh, more.len);
	f->now.out = until;
}

static bool withholds(const struct warc_framer *f)
{
	return f->now.open && !f->now.proven && !f->arc_version;
}

static void withhold(struct warc_framer *f, struct slice bytes)
{
	if (buf_append(&f->rest, bytes.data, bytes.len) < 0)
		f->status = DANA_ENOMEM;
}

/* Takes bytes of a block, at f->pos. */
static void take_block(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;
	const uint64_t end = f->pos + bytes.len;

	note_border(f, bytes);
	if (border_is_open(f) && end - now->border > f->replay.max)
		now->border = 0;
	if (border_is_open(f))
		pass_on(f, now->border - BLOCK_CLOSING_LEN, &bytes);
	else
		pass_on(f, bytes.len == now->left ? end : end - closing_begun(now->last), &bytes);
	withhold(f, bytes);
}

void framer_keep_rest(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;

	if (!now->wrong || !withholds(f))
		return;
	note_border(f, bytes);
	if (now->rest_lost)
		return;
	withhold(f, bytes);
	now->rest_lost = f->rest.len > f->replay.max;
	if (now->rest_lost)
		f->rest.len = (size_t)(framer_block_end(now) - now->out);
}

void framer_release(struct warc_framer *f)
{
	struct slice none = slice_of(NULL, 0);

	pass_on(f, f->now.out + f->rest.len, &none);
}

/*
 * Ends the record under way, whose length is wrong, at `border`, or where that is lost at the end of its block.
 * `whole`: that is all of it. Otherwise as framer_end_good.
 */
static void end_at(struct warc_framer *f, uint64_t border, bool whole, bool in_member, uint64_t offset,
		   const char *detail)
{
	const struct framer_record *now = &f->now;
	struct slice none = slice_of(NULL, 0);

	if (now->rest_lost && border > framer_block_end(now)) {
		border = framer_block_end(now);
		whole = false;
	}
	pass_on(f, border > now->out ? border : now->out, &none);
	framer_end_corrected(f, whole, in_member, offset, detail);
}

bool framer_end_at_head(struct warc_framer *f, const char *detail)
{
	if (f->spotter.state != SPOTTER_FOUND || !border_is_open(f) || !withholds(f))
		return false;
	end_at(f, f->now.border - BLOCK_CLOSING_LEN, true, false, 0, detail);
	return true;
}

void framer_end_searched(struct warc_framer *f, bool in_member, uint64_t offset)
{
	const struct framer_record *now = &f->now;
	const bool closed = now->last == BLOCK_CLOSING, alone = now->alone && now->member_pos == f->member.pos;
	const bool cut_at_records = f->members_between >= f->members_inside;

	if (!now->wrong || !withholds(f) || spotter_holds(&f->spotter))
		return;
	if (closed && (alone || cut_at_records))
		end_at(f, f->pos - BLOCK_CLOSING_LEN, true, in_member, offset, now->wrong);
	else if (in_member && alone && cut_at_records)
		end_at(f, framer_block_end(now), false, true, offset, now->wrong);
}

bool framer_end_with_member(struct warc_framer *f, bool over)
{
	const struct framer_record *now = &f->now;
	const bool closed = now->last == BLOCK_CLOSING;

	if (f->state != FRAMER_BLOCK || !withholds(f) || now->member_end != f->pos || f->pos == 0 ||
	    (over && !(closed && f->members_between + 1 >= f->members_inside)))
		return false;
	if (f->spotter.state == SPOTTER_FOUND)
		return framer_end_at_head(f, framer_short_member);
	end_at(f, closed ? f->pos - BLOCK_CLOSING_LEN : f->pos, true, true, 0, framer_short_member);
	return true;
}

/* Bytes of the line breaks between a block and the next head. */
static unsigned closing_len(const struct warc_framer *f)
{
	return f->arc_version ? 1 : BLOCK_CLOSING_LEN;
}

/* A head inside the block ends at `pos`: notes whether its record ends about where the block does. */
static void note_claim(struct warc_framer *f, const struct spotter *s, uint64_t pos)
{
	const uint64_t left = framer_block_end(&f->now) - pos;

	if (s->length <= left && left - s->length <= 2 * closing_len(f))
		f->now.claims |= 1u << (left - s->length);
}

/* Lets the spotter see the bytes at f->pos. Returns how many it took, at most up to the end of the first head. */
static size_t spot(struct warc_framer *f, struct slice bytes)
{
	struct spotter *inner = &f->inner;
	size_t at = 0;

	if (f->spotter.state != SPOTTER_FOUND) {
		at = spotter_feed(&f->spotter, bytes, f->pos);
		if (f->spotter.state != SPOTTER_FOUND)
			return at;
		note_claim(f, &f->spotter, f->pos + at);
		spotter_start(inner, f->spotter.kind, true, f->spotter.limit);
		return at;
	}
	while (at < bytes.len) {
		at += spotter_feed(inner, slice_skip(bytes, at), f->pos + at);
		if (inner->state == SPOTTER_FOUND) {
			note_claim(f, inner, f->pos + at);
			spotter_start(inner, inner->kind, true, inner->limit);
		}
	}
	return at;
}

ptrdiff_t framer_step_block(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;

	if (bytes.len > now->left)
		bytes.len = (size_t)now->left;
	if (!now->proven) {
		size_t fed = spot(f, bytes);

		if (now->doomed && f->spotter.state == SPOTTER_FOUND) {
			if (withholds(f))
				take_block(f, slice_first(bytes, fed));
			framer_leave_wrong_block(f, framer_beyond_end(f));
			return (ptrdiff_t)fed;
		}
		bytes = slice_first(bytes, fed);
	}
	if (now->quirk < QUIRK_YES)
		watch_quirk(now, bytes, f->pos);
	if (now->rec.is_arc && now->rec.type == RECORD_WARCINFO && now->passed < sizeof(f->arc_start))
		watch_arc_version(f, bytes);
	if (withholds(f))
		take_block(f, bytes);
	else
		framer_body(f, bytes);
	now->left -= bytes.len;
	if (now->left == 0)
		f->state = FRAMER_CLOSING;
	return (ptrdiff_t)bytes.len;
}

/* CLOSING */

static ptrdiff_t boundary(struct warc_framer *f, size_t taken)
{
	framer_release(f);
	framer_start_spotter(f, true);
	if (f->now.silent)
		f->in_fault = false;
	f->state = FRAMER_BETWEEN;
	return (ptrdiff_t)taken;
}

/*
 * ARC: one line break ends the block. Without it, or after a head inside, the next line decides. Common Crawl of 2012
 * has records that are two bytes longer than their Archive-length says: two bytes and a line break up to the end of the
 * member prove that.
 */
static ptrdiff_t close_arc(struct warc_framer *f, struct slice bytes, bool last)
{
	enum { SHORT_BY = 2 };

	if (bytes.len <= SHORT_BY + 1 && !last && bytes.data[0] != '\n')
		return STEP_NEEDS_MORE;
	if (bytes.data[0] == '\n' || (bytes.data[0] == '\r' && (bytes.len < 2 || bytes.data[1] == '\n'))) {
		f->now.closed = bytes.data[0] == '\n' || bytes.len < 2 ? 1 : 2;
		if (f->spotter.state == SPOTTER_FOUND) {
			f->now.unsure = true;
			f->state = FRAMER_BETWEEN;
			return f->now.closed;
		}
		if (!framer_swallows(f, 1, true, true))
			return boundary(f, f->now.closed);
		framer_leave_wrong_block(f, framer_no_boundary(f));
		return 0;
	}
	if (bytes.len == SHORT_BY + 1 && last && f->spotter.state != SPOTTER_FOUND && !f->member.plain &&
	    bytes.data[SHORT_BY] == '\n') {
		framer_body(f, slice_of(bytes.data, SHORT_BY));
		return boundary(f, SHORT_BY + 1);
	}
	if (!ascii_is_alpha(bytes.data[0])) {
		framer_leave_wrong_block(f, framer_no_boundary(f));
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

/*
 * A record that the block has swallowed under a wrong length ends with it: of the line breaks between its end and the
 * next head some may belong to the block. One that lies in the block by right has line breaks of its own. Example: the
 * length of a head inside leads to 4 bytes before the block's end, and CRLF CRLF and "WARC/" follow that: an archived
 * WARC file.
 */
bool framer_swallows(struct warc_framer *f, size_t len, bool ends, bool exact)
{
	const unsigned one_closing = (2u << closing_len(f)) - 1; /* no more line breaks than one record has, as bits */
	const unsigned claims = f->now.claims;

	if (f->spotter.state != SPOTTER_FOUND)
		return !ends || (len && spotter_lacks_line_break(&f->spotter));
	if (len && spotter_lacks_line_break(&f->inner))
		return true;
	if (claims << len & one_closing)
		return !exact || f->spotter.start != f->now.payload;
	return !exact && !(len && claims >> closing_len(f));
}

ptrdiff_t framer_step_closing(struct warc_framer *f, struct slice bytes, bool last)
{
	enum { CLOSING_MAX = 8 };
	/* Two line breaks are enough, but for a head inside, and for the blank line of an HTTP head. */
	const bool doubtful = spotter_holds(&f->spotter) || f->now.quirk == QUIRK_HEAD;
	size_t at = 0;
	int breaks = 0;

	if (f->arc_version)
		return close_arc(f, bytes, last);
	while (at < bytes.len && at < CLOSING_MAX && (bytes.data[at] == '\r' || bytes.data[at] == '\n')) {
		if (bytes.data[at++] == '\n' && ++breaks == 2 && !doubtful)
			return boundary(f, at);
	}
	enum match match = last ? MATCH_YES : MATCH_PART;

	if (at < bytes.len)
		match = framer_match_magic(slice_skip(bytes, at), true);
	if (match == MATCH_PART && last)
		match = MATCH_YES;
	if (match == MATCH_YES || (match == MATCH_NO && breaks >= 2)) {
		const bool ends = match == MATCH_YES, all = at == BLOCK_CLOSING_LEN || at == bytes.len;
		const bool exact = ends && all && at <= BLOCK_CLOSING_LEN && memcmp(bytes.data, closing, at) == 0;

		if (!doubtful || !framer_swallows(f, at, ends, exact))
			return boundary(f, at);
	} else if (match == MATCH_NO && f->now.quirk == QUIRK_YES) {
		match = match_quirk(bytes, last);
		if (match == MATCH_YES) {
			framer_release(f);
			framer_body(f, slice_of(bytes.data, 2));
			f->now.quirk = QUIRK_NO;
			return 2;
		}
	}
	if (match == MATCH_PART)
		return STEP_NEEDS_MORE;
	/* The bytes looked at are searched, too: the first bytes of a head may be at their end. */
	framer_leave_wrong_block(f, framer_no_boundary(f));
	return 0;
}
