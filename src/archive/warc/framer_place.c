/* SPDX-License-Identifier: MIT */
/*
 * Going on from a record in the middle of an input, or from a border between two members. When a good head has been
 * read to its end, everything before it is over: the record before has ended, no region is open, no spotter has seen a
 * head. What still counts are a few numbers and the bytes from the head on. So a framer that gets those numbers, and
 * the member in which the head begins from its start, is in the same state after it has skipped what came before the
 * head in that member. The same holds at a border where nothing is open.
 *
 * Excepted are the first head of an input, whose place is the input's start, and what is being read again after a wrong
 * length: the framer has read farther by then, and knows more.
 */
#include "archive/warc/framer_private.h"

static const char *const arc_versions[] = { NULL, "ARC/1.0", "ARC/1.1", "ARC/2.0" };
enum { ARC_VERSIONS = sizeof(arc_versions) / sizeof(*arc_versions) };

static unsigned arc_number(const char *version)
{
	unsigned n = 0;

	while (version && n + 1 < ARC_VERSIONS && (!arc_versions[n] || strcmp(arc_versions[n], version) != 0))
		n++;
	return n;
}

bool warc_framer_place(const struct warc_framer *f, struct warc_place *place)
{
	const bool plain = f->member.plain;

	if (f->heads < 2 || f->pos != f->furthest || (f->head_moved && !plain))
		return false;
	*place = (struct warc_place){
		.plain = plain,
		.offset = f->head_offset,
		.member_pos = plain ? f->head_pos : f->head_member_pos,
		.skip_to = plain || !f->head_first ? f->head_pos : f->head_member_pos,
		.seq = f->now.rec.seq,
		.heads = f->heads - 1,
		.furthest = f->furthest > f->head_pos ? f->furthest : f->head_pos,
		.reread = f->reread,
		.members_between = f->members_between,
		.members_inside = f->members_inside,
		.members_counted = f->members_counted,
		.arc = arc_number(f->arc_version),
	};
	return true;
}

/* Nothing of what came before can count any more. */
static bool is_over(const struct warc_framer *f)
{
	const bool record = f->now.open || f->now.silent || f->now.wrong;
	const bool again = spotter_holds(&f->spotter) || replay_unread(&f->replay) || f->replay.overflow || f->go_back;
	const bool fault = f->in_fault || f->region || f->broken_off;

	return f->state == FRAMER_BETWEEN && !record && !again && !fault && f->status == 0;
}

bool warc_framer_border(const struct warc_framer *f, uint64_t offset, struct warc_place *place)
{
	if (f->heads == 0 || f->pos != f->furthest || f->pos < f->skip_to || f->member.plain ||
	    !warc_framer_members_hold_records(f) || !is_over(f))
		return false;
	*place = (struct warc_place){
		.offset = offset,
		.member_pos = f->pos,
		.skip_to = f->pos,
		.seq = f->seq,
		.heads = f->heads,
		.furthest = f->pos,
		.reread = f->reread,
		.members_between = f->members_between,
		.members_inside = f->members_inside,
		.members_counted = f->members_counted,
		.arc = arc_number(f->arc_version),
	};
	return true;
}

void warc_framer_pass(struct warc_framer *f, const struct warc_place *from, const struct warc_place *to)
{
	f->pos += to->member_pos - from->member_pos;
	f->furthest = f->members_counted = f->pos;
	f->seq += to->seq - from->seq;
	f->heads += to->heads - from->heads;
	f->members_between += to->members_between - from->members_between;
}

bool warc_framer_start_at(struct warc_framer *f, const struct warc_place *place)
{
	if (place->arc >= ARC_VERSIONS || place->member_pos > place->skip_to || place->skip_to > place->furthest ||
	    place->heads == 0)
		return false;
	f->pos = place->member_pos;
	f->skip_to = place->skip_to;
	f->furthest = place->furthest;
	f->seq = place->seq;
	f->heads = place->heads;
	f->reread = place->reread;
	f->members_between = place->members_between;
	f->members_inside = place->members_inside;
	f->members_counted = place->members_counted;
	f->arc_version = arc_versions[place->arc];
	spotter_start(&f->spotter, f->arc_version ? SPOTTER_ARC : SPOTTER_WARC, true, f->replay.max / 2);
	return true;
}

void warc_framer_start_inside(struct warc_framer *f, const struct warc_framer *like)
{
	f->pos = f->furthest = f->members_counted = LOOKAHEAD; /* no byte order mark is looked for */
	f->heads = like->heads ? like->heads : 1;
	f->members_between = warc_framer_members_hold_records(like);
	f->arc_version = like->arc_version;
	framer_search(f, false);
}

uint64_t warc_framer_record_pos(const struct warc_framer *f)
{
	return f->member.plain ? f->head_pos : f->head_member_pos;
}
