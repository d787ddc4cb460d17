/* SPDX-License-Identifier: MIT */
/*
 * The framer's flow: feeds bytes to the states, keeps those that may be read again, and goes back to them.
 *
 * A Content-Length cannot be trusted until the bytes after the block are seen. So the framer passes the block on at
 * once, but holds back the record's `end`, and lets a spotter (spotter.h) look for record heads inside the block. From
 * the first plausible head on, the bytes are kept in the replay buffer (replay.h), with the member boundaries between
 * them.
 *
 * Example: record A claims 500 bytes of block and has 100; record B, 180 bytes with its line breaks, follows it, then
 * C.
 *  - After A's first 100 bytes the spotter meets B's head inside "A's block", and the framer keeps the bytes from B on.
 *  - After 500 bytes no boundary comes, but the middle of record C. A ends as damaged (bad_length).
 *  - The framer goes back: it reads the kept bytes again, as records B and C, then goes on with new input.
 * Had A's length been right, and B only quoted in its text, a boundary would have followed and the kept bytes been
 * dropped.
 *
 * When more bytes have to be kept than the buffer may hold, they are read again from the source (FRAMER_SEEK). Where
 * the source cannot go back, those that did not fit are reported as one region ("hole").
 */
#include <stdlib.h>

#include "archive/warc/arc_head.h"
#include "archive/warc/framer_private.h"

/*
 * How many bytes going back may read again: FREE, and FACTOR times what was read. Without a bound, an input of N heads
 * whose lengths are all wrong would be read N times.
 */
enum { REREAD_FACTOR = 4, REREAD_FREE = 64 << 20 };

struct warc_framer *warc_framer_new(struct record_sink *next, const struct limits *limits, bool seekable)
{
	struct warc_framer *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->next = next;
	f->limits = limits;
	f->seekable = seekable;
	f->end = UINT64_MAX;
	f->replay.max = REPLAY_MAX;
	f->member = (struct framer_member){ .plain = true, .clean = true };
	spotter_start(&f->spotter, SPOTTER_WARC, true, REPLAY_MAX / 2);
	return f;
}

/*
 * After a step over the bytes from `pos` on: notes in which member the spotter's head begins. When a head is cut off
 * by another one, the spotter learns this at the end of the other's first line and moves `start` back to that line's
 * begin.
 */
static void note_spotted(struct warc_framer *f, uint64_t pos)
{
	const struct spotter *s = &f->spotter;

	if (s->start >= pos)
		f->spotted = f->member;
	else if (s->kind != SPOTTER_ARC && s->start != f->spotted_pos)
		f->spotted = f->line_member;
	f->spotted_pos = s->start;
	if (s->line_start >= pos)
		f->line_member = f->member;
}

/* After a step that took `taken`: advances, and keeps the bytes from the spotter's head on. */
static void keep(struct warc_framer *f, struct slice taken, bool from_replay)
{
	struct replay *r = &f->replay;
	uint64_t pos = f->pos;

	f->pos += taken.len;
	if (f->pos > f->furthest)
		f->furthest = f->pos;
	if (from_replay)
		r->next += taken.len;
	if (!spotter_holds(&f->spotter)) {
		if (r->overflow)
			replay_close_hole(r, f->pos);
		if (!replay_unread(r))
			replay_clear(r);
		return;
	}
	note_spotted(f, pos);
	if (from_replay) {
		replay_pass(r, taken.len, f->spotter.start);
	} else {
		if (f->spotter.start >= pos) {
			replay_clear(r);
			r->base = f->spotter.start;
			taken = slice_skip(taken, (size_t)(f->spotter.start - pos));
		}
		if (replay_keep(r, taken, f->spotter.start) < 0)
			f->status = DANA_ENOMEM;
	}
	if (r->overflow)
		replay_trim(r, f->seekable);
}

static uint64_t spotted_offset(const struct warc_framer *f)
{
	const struct framer_member *m = &f->spotted;

	return m->offset + (m->plain ? f->spotter.start - m->pos : 0);
}

/* Goes back to the head that the spotter found: in the replay buffer, or (returns FRAMER_SEEK) in the source. */
static int go_back(struct warc_framer *f)
{
	static const char too_much[] = "too many wrong lengths to read again what they hide";
	struct replay *r = &f->replay;
	uint64_t start = f->spotter.start;
	bool seek = r->overflow && f->seekable;
	uint64_t cost = f->pos - (seek && !f->spotted.plain ? f->spotted.pos : start);

	f->go_back = false;
	if (f->spotter.kind == SPOTTER_ARC && !f->arc_version)
		f->arc_version = "ARC/1.0"; /* its first line is lost */
	if (f->state != FRAMER_SEARCH) {
		if (f->reread + cost > f->furthest * REREAD_FACTOR + REREAD_FREE) {
			framer_damage(f, DAMAGE_GARBAGE, spotted_offset(f), NULL, too_much);
			spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
			if (r->overflow)
				replay_close_hole(r, f->pos);
			framer_search(f, true);
			return 0;
		}
		f->reread += cost;
	}
	spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	f->state = FRAMER_BETWEEN;
	f->member_starts = false;
	if (seek) {
		f->seek_offset = spotted_offset(f);
		f->pos = f->spotted.plain ? start : f->spotted.pos;
		f->skip_to = start;
		replay_clear(r);
	} else {
		f->hole_member = f->member;
		if (replay_rewind(r, start, f->pos) < 0)
			f->status = DANA_ENOMEM;
		f->pos = start;
	}
	f->member = f->spotted;
	f->member.clean = start == f->spotted.pos;
	return seek ? FRAMER_SEEK : 0;
}

/*
 * The bytes from here to `pos` were too many to keep: the record under way ends here, and they are one damaged region.
 */
static void enter_hole(struct warc_framer *f, uint64_t pos)
{
	static const char detail[] = "read too far under a wrong Content-Length, and the input cannot be read again";

	framer_end_wrong(f);
	if (f->now.open || f->now.silent)
		framer_end_bad(f, DAMAGE_TRUNCATED, detail);
	else if (f->state == FRAMER_HEAD)
		framer_damage_head(f, DAMAGE_TRUNCATED, detail);
	framer_damage(f, DAMAGE_GARBAGE, framer_offset(f, f->pos), NULL, detail);
	f->pos = pos;
	f->member = f->hole_member;
	f->member.clean = false;
	replay_close_hole(&f->replay, pos);
	spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	framer_search(f, true);
}

static void begin_member(struct warc_framer *f, uint64_t offset, bool verified, bool checksum)
{
	if (f->member.plain)
		f->end = UINT64_MAX; /* the end was that of the uncompressed bytes; decoded ones follow */
	if (f->spotter.state == SPOTTER_IDLE)
		f->spotter.at_line_start = true; /* a head may begin, whatever came before */
	f->member_starts = f->state == FRAMER_HEAD || f->state == FRAMER_BLOCK || f->state == FRAMER_SEARCH;
	f->member = (struct framer_member){ .verified = verified,
					    .checksum = checksum,
					    .offset = offset,
					    .pos = f->pos,
					    .clean = !f->member_starts };
}

/* At a member's end: counts whether it is between two records. In garbage it does not count. */
static void count_member(struct warc_framer *f)
{
	if (f->pos <= f->members_counted)
		return;
	f->members_counted = f->pos;
	if (f->state == FRAMER_BETWEEN || f->state == FRAMER_CLOSING)
		f->members_between++;
	else if (f->state != FRAMER_SEARCH)
		f->members_inside++;
}

static void end_member(struct warc_framer *f, uint64_t offset)
{
	const bool own = f->now.alone && f->now.member_pos == f->member.pos && framer_one_record_a_member(f);

	count_member(f);
	framer_end_searched(f, true, offset);
	framer_end_wrong(f);
	if (f->state == FRAMER_BLOCK && f->now.member_pos == f->member.pos) {
		f->now.member_end = f->pos;
		f->now.member_len = offset - f->member.offset;
	}
	f->member_starts = false;
	if (f->state == FRAMER_CLOSING) {
		if (!own && framer_swallows(f, 0, true, true))
			return; /* unless the next member begins with the line breaks */
		f->state = FRAMER_BETWEEN;
	}
	if (f->now.unsure && !own && f->state == FRAMER_BETWEEN)
		return;
	if (f->state == FRAMER_BETWEEN || (f->state == FRAMER_SEARCH && f->now.open)) {
		framer_end_good(f, true, offset);
		if (!spotter_holds(&f->spotter))
			return;
		if (f->state == FRAMER_BETWEEN)
			spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	}
}

static void replay_event(struct warc_framer *f)
{
	const struct replay_event event = f->replay.events[f->replay.next_event++];

	switch (event.kind) {
	case REPLAY_MEMBER_BEGIN:
		begin_member(f, event.value, event.verified, event.checksum);
		break;
	case REPLAY_MEMBER_END:
		end_member(f, event.value);
		break;
	case REPLAY_HOLE:
		enter_hole(f, event.value);
		break;
	}
	if (!replay_unread(&f->replay) && !spotter_holds(&f->spotter))
		replay_clear(&f->replay);
}

/*
 * A decision needs more bytes than lie together in one piece: moves some of `in` to the end of the replay buffer.
 * Returns false if the decision has to wait for the next chunk.
 */
static bool join(struct warc_framer *f, struct slice *in, bool from_replay)
{
	size_t part = in->len < LOOKAHEAD ? in->len : LOOKAHEAD;

	if (part == 0)
		return false;
	if (!from_replay)
		part = in->len;
	if (replay_carry(&f->replay, slice_of(in->data, part), f->pos) < 0)
		f->status = DANA_ENOMEM;
	*in = slice_skip(*in, part);
	return from_replay;
}

/* Works on the unread bytes of the replay buffer, then on `in`. `last`: a member or the input ends after it. */
static int run(struct warc_framer *f, struct slice in, bool last)
{
	struct replay *r = &f->replay;

	while (f->status == 0) {
		bool events = r->next_event < r->n_events;
		size_t event_at = events ? r->events[r->next_event].at : r->bytes.len;
		bool from_replay = r->next < r->bytes.len;

		if (events && event_at == r->next) {
			replay_event(f);
			continue;
		}
		struct slice bytes = from_replay ? slice_of(r->bytes.data + r->next, event_at - r->next) : in;

		if (bytes.len == 0)
			break;
		ptrdiff_t taken = framer_step(f, bytes, from_replay ? events || (last && in.len == 0) : last);

		if (taken == STEP_NEEDS_MORE) {
			if (!join(f, &in, from_replay))
				break;
			continue;
		}
		keep(f, slice_of(bytes.data, (size_t)taken), from_replay);
		if (!from_replay)
			in = slice_skip(in, (size_t)taken);
		if (f->go_back && f->status == 0) {
			int result = go_back(f);

			if (result)
				return result;
		}
	}
	return f->status;
}

static int note_event(struct warc_framer *f, enum replay_event_kind kind, uint64_t value)
{
	if (!spotter_holds(&f->spotter) || f->replay.overflow)
		return 0;
	if (replay_note(&f->replay, kind, value) < 0)
		f->status = DANA_ENOMEM;
	return f->status;
}

int warc_framer_write(struct warc_framer *f, struct slice bytes)
{
	if (f->pos < f->skip_to) {
		uint64_t skip = f->skip_to - f->pos;
		size_t part = bytes.len < skip ? bytes.len : (size_t)skip;

		f->pos += part;
		bytes = slice_skip(bytes, part);
		f->member.clean = false;
	}
	if (bytes.len == 0)
		return f->status;
	return run(f, bytes, false);
}

int warc_framer_member_begin(struct warc_framer *f, uint64_t offset)
{
	int result = run(f, slice_of(NULL, 0), true);

	if (result)
		return result;
	begin_member(f, offset, false, false);
	return note_event(f, REPLAY_MEMBER_BEGIN, offset);
}

void warc_framer_member_content(struct warc_framer *f, struct slice content, bool checksum)
{
	static const char closing[] = "\r\n\r\n";
	const size_t len = sizeof(closing) - 1;
	struct replay *r = &f->replay;

	if (content.len == 0)
		return;
	f->member.verified = true;
	f->member.checksum = checksum;
	struct replay_event *last = r->n_events ? &r->events[r->n_events - 1] : NULL;
	if (last && last->kind == REPLAY_MEMBER_BEGIN && last->value == f->member.offset) {
		last->verified = true;
		last->checksum = checksum;
	}
	if (content.len > len && memcmp(content.data + content.len - len, closing, len) == 0) {
		f->member.closed = f->member.pos + content.len - len;
		f->member.content = content;
	}
}

int warc_framer_member_end(struct warc_framer *f, uint64_t offset)
{
	int result = run(f, slice_of(NULL, 0), true);

	if (result)
		return result;
	if (note_event(f, REPLAY_MEMBER_END, offset) < 0)
		return f->status;
	end_member(f, offset);
	return f->status;
}

/*
 * The compressed input is damaged here, so the bytes that follow do not continue those before: ends what is under way
 * as damaged and starts afresh. A record ends for `record_reason`, bytes without a record for `reason`.
 */
static void break_off(struct warc_framer *f, enum damage_reason reason, enum damage_reason record_reason,
		      uint64_t offset, const char *detail)
{
	uint64_t length;

	if (f->state == FRAMER_HEAD && f->arc_version && !arc_head_plausible(buf_slice(&f->head.text), &length))
		framer_no_arc_line(f);
	f->now.wrong = NULL;
	if (f->now.open)
		framer_end_bad(f, record_reason, detail);
	else if (f->state == FRAMER_HEAD)
		framer_damage_head(f, record_reason, detail);
	else if (f->region)
		framer_close_region(f, reason, detail);
	else if (!f->in_fault)
		framer_damage(f, reason, offset, NULL, detail);
	f->pos += f->replay.bytes.len - f->replay.next; /* bytes that were taken and are not looked at any more */
	if (f->pos > f->furthest)
		f->furthest = f->pos;
	f->in_fault = true;
	f->region = false;
	f->now.silent = false;
	f->member_starts = false;
	f->state = FRAMER_BETWEEN;
	spotter_start(&f->spotter, f->spotter.kind, true, f->spotter.limit);
	replay_clear(&f->replay);
}

int warc_framer_member_bad(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	break_off(f, reason, reason, f->member.offset, detail);
	f->broken_off = true;
	return f->status;
}

int warc_framer_garbage(struct warc_framer *f, uint64_t offset, const char *detail)
{
	break_off(f, DAMAGE_GARBAGE, DAMAGE_BAD_MEMBER, offset, detail);
	return f->status;
}

int warc_framer_plain(struct warc_framer *f, uint64_t offset, uint64_t size)
{
	int result = run(f, slice_of(NULL, 0), true);

	if (result)
		return result;
	if (framer_end_with_member(f, false))
		f->state = FRAMER_BETWEEN;
	else if (f->now.open || f->state == FRAMER_HEAD)
		break_off(f, DAMAGE_BAD_LENGTH, DAMAGE_BAD_LENGTH, offset, "uncompressed data begins inside a record");
	/* What began like a head in a member has no more to come. */
	spotter_start(&f->spotter, f->spotter.kind, f->spotter.line_start_only, f->spotter.limit);
	replay_clear(&f->replay);
	f->member = (struct framer_member){ .plain = true, .offset = offset, .pos = f->pos, .clean = true };
	if (size != UINT64_MAX && size >= offset)
		f->end = f->pos + (size - offset);
	return f->status;
}

static void finish_search(struct warc_framer *f)
{
	bool nothing = f->heads == 0 && f->seq == 0;

	if (nothing && f->pos > 0) {
		framer_damage(f, DAMAGE_NOT_AN_ARCHIVE, 0, NULL, "no WARC or ARC record in the whole input");
	} else if (!f->padding) {
		framer_close_garbage(f, f->pos);
	}
	f->region = false;
}

int warc_framer_finish(struct warc_framer *f)
{
	do {
		int result = run(f, slice_of(NULL, 0), true);

		if (result)
			return result;
		if (f->end > f->pos)
			f->end = f->pos;
		if (f->state == FRAMER_BLOCK && f->spotter.state == SPOTTER_FOUND) {
			f->now.wrong = framer_beyond_end(f);
			framer_end_wrong(f);
			f->go_back = true;
		} else if (f->state == FRAMER_HEAD && f->arc_version) {
			framer_end_arc_line(f);
		} else if (f->state == FRAMER_BETWEEN) {
			(void)framer_leave_wrong_arc(f, true, f->pos);
		} else if (f->state == FRAMER_CLOSING && framer_swallows(f, 0, true, true)) {
			framer_leave_wrong_block(f, framer_no_boundary(f));
		}
		if (f->go_back && f->status == 0) {
			result = go_back(f);
			if (result)
				return result;
		}
	} while (replay_unread(&f->replay) && f->status == 0);

	framer_end_searched(f, false, 0);
	framer_end_wrong(f);
	if (f->state == FRAMER_BLOCK && !framer_end_with_member(f, true))
		framer_end_bad(f, DAMAGE_TRUNCATED, "the input ends inside the block");
	else if (f->state == FRAMER_HEAD)
		framer_damage_head(f, DAMAGE_TRUNCATED, "the input ends inside the head");
	else
		framer_end_good(f, false, 0);
	finish_search(f);
	return f->status;
}

uint64_t warc_framer_seek_offset(const struct warc_framer *f)
{
	return f->seek_offset;
}

uint64_t warc_framer_records(const struct warc_framer *f)
{
	return f->seq;
}

uint64_t warc_framer_heads(const struct warc_framer *f)
{
	return f->heads;
}

uint64_t warc_framer_bytes(const struct warc_framer *f)
{
	return f->furthest;
}

void warc_framer_free(struct warc_framer *f)
{
	if (!f)
		return;
	head_free(&f->head);
	head_free(&f->open_head);
	spotter_free(&f->spotter);
	spotter_free(&f->inner);
	replay_free(&f->replay);
	buf_free(&f->rest);
	free(f);
}
