#include "warc/framer_private.h"

#include "base/ascii.h"
#include "warc/arc_head.h"

static const char magic[] = "WARC/";
enum { MAGIC_LEN = sizeof magic - 1 };

enum match { MATCH_NO, MATCH_YES, MATCH_PART };

static enum match match_magic(struct slice bytes, bool any_case)
{
	size_t len = bytes.len < MAGIC_LEN ? bytes.len : MAGIC_LEN;

	if (any_case ? !slice_equal_nocase(slice_of(bytes.data, len), slice_of(magic, len)) :
		       memcmp(bytes.data, magic, len) != 0)
		return MATCH_NO;
	return len == MAGIC_LEN ? MATCH_YES : MATCH_PART;
}

static enum match match_arc(struct slice bytes)
{
	bool need_more;

	if (arc_head_begins(bytes, &need_more))
		return MATCH_YES;
	return need_more ? MATCH_PART : MATCH_NO;
}

/* From here on, which is taken for a line start. A head that fills half of what can be kept is not gone back to. */
static void start_spotter(struct warc_framer *f, bool line_start_only)
{
	spotter_start(&f->spotter, f->arc_version ? SPOTTER_ARC : SPOTTER_WARC, line_start_only, f->replay.max / 2);
}

void framer_search(struct warc_framer *f, bool anywhere)
{
	f->state = FRAMER_SEARCH;
	f->padding = false;
	if (spotter_holds(&f->spotter)) /* a head that began in the block goes on */
		f->spotter.line_start_only = !anywhere;
	else
		start_spotter(f, !anywhere);
}

/* The record's length leads to no boundary: back to the head seen inside, or on from here. */
static void leave_wrong_block(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	framer_end_bad(f, reason, detail);
	if (f->spotter.state == SPOTTER_FOUND)
		f->go_back = true;
	else
		framer_search(f, true);
}

/* A line of an ARC that is no head: when the block before it ended without a line break, that record's length was wrong. */
static void no_arc_head(struct warc_framer *f)
{
	struct slice line = buf_slice(&f->head.text);

	if (f->heads == 0)
		f->arc_version = NULL;
	if (f->now.unsure) {
		if (spotter_holds(&f->spotter) && f->spotter.state != SPOTTER_FOUND && !f->head.cut)
			spotter_feed(&f->spotter, line, f->head_pos);
		leave_wrong_block(f, DAMAGE_BAD_LENGTH, "Archive-length leads to no record boundary");
		return;
	}
	framer_open_region(f, f->head_offset);
	framer_search(f, f->arc_version == NULL);
}

void framer_end_arc_line(struct warc_framer *f)
{
	if (!arc_head_plausible(buf_slice(&f->head.text))) {
		no_arc_head(f);
		return;
	}
	framer_end_good(f, false, 0);
	framer_close_region(f, DAMAGE_GARBAGE, "bytes that are no record");
	framer_damage_head(f, DAMAGE_TRUNCATED, "the input ends behind the head");
	f->state = FRAMER_BETWEEN;
}

/* A member begins inside something with what looks like a head. */
static void interrupted(struct warc_framer *f)
{
	if (f->state == FRAMER_BLOCK) {
		framer_end_bad(f, DAMAGE_BAD_LENGTH, "its member ends before Content-Length is reached");
		if (f->spotter.state == SPOTTER_FOUND) {
			f->go_back = true;
			return;
		}
	} else if (f->state == FRAMER_HEAD && f->arc_version) {
		framer_end_arc_line(f);
		if (f->go_back)
			return;
	} else if (f->state == FRAMER_HEAD) {
		framer_damage_head(f, DAMAGE_BAD_HEAD, "its member ends inside the head");
	}
	start_spotter(f, true);
	f->member.clean = true;
	f->state = FRAMER_BETWEEN;
}

/* BETWEEN */

static void start_head(struct warc_framer *f)
{
	if (!f->arc_version) {
		framer_end_good(f, false, 0);
		framer_close_region(f, DAMAGE_GARBAGE, "bytes that are no record");
	}
	head_start(&f->head, f->arc_version != NULL);
	f->head_pos = f->pos;
	f->head_offset = framer_offset(f, f->pos);
	f->head_member_pos = f->member.pos;
	f->head_first = f->member.clean;
	f->member.clean = false;
	f->state = FRAMER_HEAD;
}

static ptrdiff_t start_garbage(struct warc_framer *f, bool padding)
{
	framer_open_region(f, framer_offset(f, f->pos));
	start_spotter(f, f->arc_version != NULL);
	f->state = FRAMER_SEARCH;
	f->padding = padding;
	return 0;
}

static ptrdiff_t step_between(struct warc_framer *f, struct slice bytes, bool last)
{
	static const uint8_t bom[] = { 0xef, 0xbb, 0xbf };
	size_t blank = 0;

	while (blank < bytes.len && ascii_is_space(bytes.data[blank]))
		blank++;
	if (blank)
		return (ptrdiff_t)blank;
	if (f->pos == 0 && bytes.data[0] == bom[0]) {
		if (bytes.len < sizeof bom && !last)
			return STEP_NEEDS_MORE;
		if (bytes.len >= sizeof bom && memcmp(bytes.data, bom, sizeof bom) == 0)
			return sizeof bom;
	}
	if (f->arc_version) {
		if (!ascii_is_alpha(bytes.data[0]))
			return start_garbage(f, bytes.data[0] == 0);
		start_head(f);
		return 0;
	}
	enum match warc = match_magic(bytes, true);
	enum match arc = f->heads == 0 ? match_arc(bytes) : MATCH_NO;

	if (!last && (warc == MATCH_PART || arc == MATCH_PART))
		return STEP_NEEDS_MORE;
	if (arc == MATCH_YES)
		f->arc_version = "ARC/1.0";
	else if (warc == MATCH_NO)
		return start_garbage(f, bytes.data[0] == 0);
	start_head(f);
	return 0;
}

/* HEAD */

static void start_block(struct warc_framer *f)
{
	struct framer_record *now = &f->now;

	now->left = now->rec.content_length;
	now->passed = 0;
	now->block_cut = false;
	now->unsure = false;
	now->quirk = QUIRK_START;
	now->quirk_bytes = 0;
	now->pos = f->head_pos;
	now->head_len = f->head.raw;
	uint64_t begin = f->head_pos + f->head.raw;

	now->doomed = f->end != UINT64_MAX && (begin > f->end || now->left > f->end - begin);
	start_spotter(f, true);
	f->state = now->left ? FRAMER_BLOCK : FRAMER_CLOSING;
}

static void end_head(struct warc_framer *f)
{
	struct framer_record *now = &f->now;
	struct record rec;
	struct head_verdict verdict;

	if (head_has_inner(&f->head)) {
		framer_damage_head(f, DAMAGE_BAD_HEAD, "the head is cut off by another record");
		f->head_pos += head_restart(&f->head);
		f->head_offset = framer_offset(f, f->head_pos);
		f->head_first = false;
	} else {
		f->head.inner = 0;
	}
	if (head_read(&f->head, &rec, &verdict) < 0) {
		f->status = DANA_ENOMEM;
		return;
	}
	if (f->arc_version) {
		if (verdict.damaged && verdict.reason == DAMAGE_GARBAGE) {
			no_arc_head(f);
			return;
		}
		framer_end_good(f, false, 0);
		framer_close_region(f, DAMAGE_GARBAGE, "bytes that are no record");
		rec.version = slice_from_text(f->arc_version);
	}
	*now = (struct framer_record){ .rec = rec, .alone = f->head_first, .member_pos = f->head_member_pos };
	f->heads++;
	f->in_fault = false;
	if (verdict.damaged) {
		framer_damage(f, verdict.reason, f->head_offset, &rec, verdict.detail);
		now->silent = true;
	} else {
		framer_begin(f);
	}
	if (verdict.length_usable)
		start_block(f);
	else
		framer_search(f, true);
	/* the next head is read while this record may still be open */
	struct head read = f->head;

	f->head = f->open_head;
	f->open_head = read;
}

/* A head that began with part of the magic at the end of a member: is it one? Takes bytes while that is open. */
static size_t finish_magic(struct warc_framer *f, struct slice bytes)
{
	size_t taken = 0;
	enum head_answer answer;

	while (taken < bytes.len && f->head.raw < MAGIC_LEN) {
		if (ascii_lower(bytes.data[taken]) != ascii_lower((uint8_t)magic[f->head.raw])) {
			framer_open_region(f, f->head_offset);
			framer_search(f, true);
			break;
		}
		if (head_take(&f->head, slice_of(bytes.data + taken, 1), f->limits, &answer) < 0) {
			f->status = DANA_ENOMEM;
			break;
		}
		taken++;
	}
	return taken;
}

static ptrdiff_t step_head(struct warc_framer *f, struct slice bytes)
{
	enum head_answer answer;

	if (!f->arc_version && f->head.raw < MAGIC_LEN)
		return (ptrdiff_t)finish_magic(f, bytes);
	ptrdiff_t taken = head_take(&f->head, bytes, f->limits, &answer);

	if (taken < 0) {
		f->status = DANA_ENOMEM;
		return 0;
	}
	switch (answer) {
	case HEAD_MORE:
		break;
	case HEAD_DONE:
		end_head(f);
		break;
	case HEAD_RESTART:
		framer_damage_head(f, DAMAGE_BAD_HEAD, "the head is cut off by another record");
		f->head_pos += head_restart(&f->head);
		f->head_offset = framer_offset(f, f->head_pos);
		f->head_first = false;
		f->in_fault = false;
		break;
	case HEAD_TOO_LARGE:
		if (f->arc_version) {
			no_arc_head(f);
		} else {
			framer_damage_head(f, DAMAGE_HEAD_TOO_LARGE, "the head is longer than the limit");
			start_spotter(f, false);
			framer_search(f, true);
		}
		break;
	}
	return taken;
}

/* BLOCK */

/* Follows the lines of an HTTP head at the block's start: is its blank line doubled? */
static void watch_quirk(struct framer_record *now, struct slice bytes)
{
	static const char http[] = "HTTP/";

	for (size_t at = 0; at < bytes.len && now->quirk < QUIRK_YES;) {
		if (now->quirk == QUIRK_START) {
			if (bytes.data[at++] != (uint8_t)http[now->quirk_bytes])
				now->quirk = QUIRK_NO;
			else if (++now->quirk_bytes == sizeof http - 1)
				now->quirk = QUIRK_HEAD;
		} else if (now->quirk == QUIRK_HEAD) {
			const uint8_t *lf = memchr(bytes.data + at, '\n', bytes.len - at);
			size_t end = lf ? (size_t)(lf - bytes.data) : bytes.len;
			bool only_cr = now->quirk_bytes == 0 && end == at + 1 && bytes.data[at] == '\r';

			if (lf) {
				bool blank = only_cr || (now->quirk_bytes == 1 && end == at);

				now->quirk = blank ? QUIRK_BEHIND : QUIRK_HEAD;
				now->quirk_bytes = 0;
			} else {
				now->quirk_bytes = only_cr ? 1 : 2;
			}
			at = end + 1;
		} else { /* QUIRK_BEHIND */
			if (bytes.data[at] != (uint8_t)"\r\n"[now->quirk_bytes])
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

	for (size_t i = 0; i < bytes.len && at < sizeof f->arc_start; i++)
		f->arc_start[at++] = bytes.data[i];
	if (at < 3)
		return;
	if (memcmp(f->arc_start, "1 1", 3) == 0)
		f->arc_version = "ARC/1.1";
	else if (memcmp(f->arc_start, "2 ", 2) == 0)
		f->arc_version = "ARC/2.0";
}

static ptrdiff_t step_block(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;

	if (bytes.len > now->left)
		bytes.len = (size_t)now->left;
	if (f->spotter.state != SPOTTER_FOUND) {
		size_t fed = spotter_feed(&f->spotter, bytes, f->pos);

		if (now->doomed && f->spotter.state == SPOTTER_FOUND) {
			leave_wrong_block(f, DAMAGE_BAD_LENGTH, "Content-Length leads beyond the end of the input");
			return (ptrdiff_t)fed;
		}
	}
	if (now->quirk < QUIRK_YES)
		watch_quirk(now, bytes);
	if (now->rec.is_arc && now->rec.type == RECORD_WARCINFO && now->passed < sizeof f->arc_start)
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
	start_spotter(f, true);
	if (f->now.silent)
		f->in_fault = false;
	f->state = FRAMER_BETWEEN;
	return (ptrdiff_t)taken;
}

/*
 * ARC: one line break; without it the next line decides. Common Crawl of 2012 has records that are two bytes longer than
 * their length; the end of the member proves it.
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
		leave_wrong_block(f, DAMAGE_BAD_LENGTH, "Archive-length leads to no record boundary");
		return 0;
	}
	f->now.unsure = true;
	f->state = FRAMER_BETWEEN;
	return 0;
}

/* Common Crawl 2018-34: a CRLF too many behind the HTTP head that Content-Length does not count. */
static enum match match_quirk(struct slice bytes, bool last)
{
	static const char end[] = "\r\n\r\nWARC/";
	size_t len = sizeof end - 1;

	if (bytes.len < 6)
		return last ? MATCH_NO : MATCH_PART;
	size_t have = bytes.len - 2 < len ? bytes.len - 2 : len;

	if (memcmp(bytes.data + 2, end, have) != 0)
		return MATCH_NO;
	return have == len || last ? MATCH_YES : MATCH_PART;
}

static ptrdiff_t step_closing(struct warc_framer *f, struct slice bytes, bool last)
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
	enum match match = at == bytes.len ? (last ? MATCH_YES : MATCH_PART) : match_magic(slice_skip(bytes, at), true);

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
	/* what was looked at goes to the search: no head begins in it but at its end */
	leave_wrong_block(f, DAMAGE_BAD_LENGTH, "Content-Length leads to no record boundary");
	return 0;
}

/* SEARCH */

static ptrdiff_t step_search(struct warc_framer *f, struct slice bytes)
{
	size_t taken = 0;

	if (f->padding) {
		while (taken < bytes.len && (bytes.data[taken] == 0 || ascii_is_space(bytes.data[taken])))
			taken++;
		if (taken < bytes.len) {
			f->padding = false;
			f->state = match_magic(slice_skip(bytes, taken), true) == MATCH_NO ? FRAMER_SEARCH : FRAMER_BETWEEN;
		}
		return (ptrdiff_t)taken;
	}
	taken = spotter_feed(&f->spotter, bytes, f->pos);
	f->go_back = f->spotter.state == SPOTTER_FOUND;
	return (ptrdiff_t)taken;
}

ptrdiff_t framer_step(struct warc_framer *f, struct slice bytes, bool last)
{
	if (f->member_starts) {
		enum match match = f->arc_version ? match_arc(bytes) : match_magic(bytes, false);

		if (match == MATCH_PART && !last)
			return STEP_NEEDS_MORE;
		f->member_starts = false;
		if (match == MATCH_YES) {
			interrupted(f);
			return 0;
		}
	}
	switch (f->state) {
	case FRAMER_BETWEEN:
		return step_between(f, bytes, last);
	case FRAMER_HEAD:
		return step_head(f, bytes);
	case FRAMER_BLOCK:
		return step_block(f, bytes);
	case FRAMER_CLOSING:
		return step_closing(f, bytes, last);
	case FRAMER_SEARCH:
		return step_search(f, bytes);
	}
	return 0;
}
