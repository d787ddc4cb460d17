/* SPDX-License-Identifier: MIT */
/*
 * The states outside blocks: between records, and in a head.
 *
 * A head ends the record before it, so its first bytes decide much. WARC has a magic, "WARC/", in any case of letters.
 * ARC has none: a line that begins with a letter is read to its end, and is a head if it has a head's fields. Example:
 * after an ARC block, "http://example.org/ 192.0.2.1 20120101000000 text/html 512" ends the record before as good;
 * "more text" says that the length was wrong or that garbage follows.
 */
#include "archive/warc/arc_head.h"
#include "archive/warc/framer_private.h"
#include "base/ascii.h"

void framer_no_arc_line(struct warc_framer *f)
{
	if (f->heads == 0)
		f->arc_version = NULL;
	f->state = FRAMER_SEARCH;
}

bool framer_leave_wrong_arc(struct warc_framer *f, bool ends, uint64_t pos)
{
	struct framer_record *now = &f->now;
	const bool exact = ends && now->closed && pos == framer_block_end(now) + now->closed;

	bool need_more;

	if (!now->unsure)
		return false;
	if (!now->closed && f->spotter.state == SPOTTER_ARC_LINE && !f->head.cut) { /* the line began in the block */
		spotter_feed(&f->spotter, buf_slice(&f->head.text), f->head_pos);
		if (ends && !arc_head_begins(buf_slice(&f->spotter.arc_line), &need_more))
			framer_start_spotter(f, true);
	}
	if ((now->closed || ends) && !framer_swallows(f, now->closed > 0, ends, exact)) {
		now->unsure = false;
		if (!ends)
			framer_start_spotter(f, true);
		return false;
	}
	f->state = FRAMER_CLOSING;
	framer_leave_wrong_block(f, framer_no_boundary(f));
	return true;
}

/* A line of an ARC that is not a head. */
static void no_arc_head(struct warc_framer *f)
{
	framer_no_arc_line(f);
	if (framer_leave_wrong_arc(f, false, f->head_pos))
		return;
	framer_open_region(f, f->head_pos, f->head_offset);
	framer_search(f, f->arc_version == NULL);
}

void framer_end_arc_line(struct warc_framer *f)
{
	uint64_t length;

	if (!arc_head_plausible(buf_slice(&f->head.text), &length)) {
		no_arc_head(f);
		return;
	}
	if (framer_leave_wrong_arc(f, true, f->head_pos))
		return;
	framer_end_good(f, false, 0);
	framer_close_garbage(f, f->head_pos);
	framer_damage_head(f, DAMAGE_TRUNCATED, "the input ends after the head");
	f->state = FRAMER_BETWEEN;
}

/* A member begins, with what looks like a head, while a head or block is unfinished or a search goes on. */
static void interrupted(struct warc_framer *f)
{
	if (f->state == FRAMER_BLOCK) {
		if (!framer_end_with_member(f, false))
			framer_end_bad(f, DAMAGE_BAD_LENGTH, framer_short_member);
		if (f->spotter.state == SPOTTER_FOUND) {
			f->go_back = true;
			return;
		}
	} else if (f->state == FRAMER_HEAD && f->arc_version) {
		framer_end_arc_line(f);
		if (f->go_back)
			return;
		framer_end_wrong(f); /* the member of that record ended without damage, so its length is the cause */
	} else if (f->state == FRAMER_HEAD) {
		framer_damage_head(f, DAMAGE_BAD_HEAD, "its member ends inside the head");
	}
	framer_start_spotter(f, true);
	f->member.clean = true;
	f->state = FRAMER_BETWEEN;
}

/* BETWEEN */

static void start_head(struct warc_framer *f)
{
	if (!f->arc_version) {
		framer_end_good(f, false, 0);
		framer_close_garbage(f, f->pos);
	}
	head_start(&f->head, f->arc_version != NULL);
	f->head_pos = f->pos;
	f->head_offset = framer_offset(f, f->pos);
	f->head_member_pos = f->member.pos;
	f->head_first = f->member.clean;
	f->head_moved = false;
	f->member.clean = false;
	f->state = FRAMER_HEAD;
}

static ptrdiff_t start_garbage(struct warc_framer *f, bool padding)
{
	framer_open_region(f, f->pos, framer_offset(f, f->pos));
	framer_start_spotter(f, f->arc_version != NULL);
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
	if (f->pos < sizeof(bom)) { /* a byte order mark, whose three bytes may lie in several members */
		size_t left = sizeof(bom) - (size_t)f->pos;
		size_t part = bytes.len < left ? bytes.len : left;

		if (memcmp(bytes.data, bom + f->pos, part) == 0)
			return part < left && !last ? STEP_NEEDS_MORE : (ptrdiff_t)part;
	}
	if (f->arc_version) {
		if (!ascii_is_alpha(bytes.data[0]) && framer_leave_wrong_arc(f, false, f->pos))
			return 0;
		if (!ascii_is_alpha(bytes.data[0]))
			return start_garbage(f, bytes.data[0] == 0);
		start_head(f);
		return 0;
	}
	enum match warc = framer_match_magic(bytes, true);
	enum match arc = f->heads == 0 ? framer_match_arc(bytes) : MATCH_NO;

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

bool framer_one_record_a_member(const struct warc_framer *f)
{
	return f->members_between && (f->members_between + 1) * 4 >= f->heads * 3;
}

/* Returns whether the block of the head that was read ends where its member does, and no other record can. */
static bool ends_with_member(const struct warc_framer *f, const struct record *rec)
{
	return !f->arc_version && f->member.closed && f->now.alone && framer_one_record_a_member(f) &&
	       f->head_pos + f->head.raw + rec->content_length == f->member.closed;
}

enum { REST_KEPT = 256 << 10 };

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

	now->out = now->payload = begin;
	buf_shrink(&f->rest, REST_KEPT);

	now->doomed = f->end != UINT64_MAX && (begin > f->end || now->left > f->end - begin);
	framer_start_spotter(f, true);
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
		f->head_moved = true;
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
		if (framer_leave_wrong_arc(f, true, f->head_pos))
			return;
		framer_end_good(f, false, 0);
		framer_close_garbage(f, f->head_pos);
		rec.version = slice_from_text(f->arc_version);
	}
	/* what is not compressed is one member, and where one begins to read it must not matter */
	*now = (struct framer_record){ .rec = rec,
				       .alone = f->head_first && !f->member.plain,
				       .member_pos = f->head_member_pos };
	f->heads++;
	now->proven = verdict.length_usable && ends_with_member(f, &rec);
	f->in_fault = f->broken_off = false;
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
	/* The next head is read while this record may still be open, so its slices stay in the other buffer. */
	struct head read = f->head;

	f->head = f->open_head;
	f->open_head = read;
}

/*
 * A head began with part of the magic at the end of a member. Takes bytes until it is clear whether the rest follows.
 */
static size_t finish_magic(struct warc_framer *f, struct slice bytes)
{
	size_t taken = 0;
	enum head_result result;

	while (taken < bytes.len && f->head.raw < FRAMER_MAGIC_LEN) {
		if (ascii_lower(bytes.data[taken]) != ascii_lower((uint8_t)framer_magic[f->head.raw])) {
			framer_open_region(f, f->head_pos, f->head_offset);
			framer_search(f, true);
			break;
		}
		if (head_take(&f->head, slice_of(bytes.data + taken, 1), f->limits, &result) < 0) {
			f->status = DANA_ENOMEM;
			break;
		}
		taken++;
	}
	return taken;
}

static ptrdiff_t step_head(struct warc_framer *f, struct slice bytes)
{
	enum head_result result;

	if (!f->arc_version && f->head.raw < FRAMER_MAGIC_LEN)
		return (ptrdiff_t)finish_magic(f, bytes);
	ptrdiff_t taken = head_take(&f->head, bytes, f->limits, &result);

	if (taken < 0) {
		f->status = DANA_ENOMEM;
		return 0;
	}
	switch (result) {
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
		f->head_moved = true;
		f->in_fault = false;
		break;
	case HEAD_TOO_LARGE:
		if (f->arc_version) {
			no_arc_head(f);
		} else {
			framer_damage_head(f, DAMAGE_HEAD_TOO_LARGE, "the head is longer than the limit");
			framer_start_spotter(f, false);
			framer_search(f, true);
		}
		break;
	}
	return taken;
}

/*
 * A member starts with what looks like a record head while another record is unfinished, or during a search. Returns
 * whether it is one: only in files whose members start at records. Elsewhere it is content or garbage unless the
 * spotter confirms a head.
 */
static bool may_interrupt(const struct warc_framer *f)
{
	switch (f->state) {
	case FRAMER_BLOCK:
		return warc_framer_members_hold_records(f);
	case FRAMER_SEARCH:
		return f->members_between >= f->members_inside;
	default:
		return true;
	}
}

ptrdiff_t framer_step(struct warc_framer *f, struct slice bytes, bool last)
{
	if (f->member_starts) {
		enum match match = f->arc_version ? framer_match_arc(bytes) : framer_match_magic(bytes, false);

		if (match == MATCH_PART && !last)
			return STEP_NEEDS_MORE;
		f->member_starts = false;
		if (match == MATCH_YES && may_interrupt(f)) {
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
		return framer_step_block(f, bytes);
	case FRAMER_CLOSING:
		return framer_step_closing(f, bytes, last);
	case FRAMER_SEARCH:
		return framer_step_search(f, bytes);
	}
	return 0;
}
