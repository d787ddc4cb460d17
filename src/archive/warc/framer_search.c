/* SPDX-License-Identifier: MIT */
/*
 * The search for the next head: in a block, as long as its length is not known to be right, and in bytes that belong to
 * no record. When the spotter has read a plausible head to its end, f->go_back makes framer.c read that head again, now
 * as a head.
 */
#include "archive/warc/framer_private.h"
#include "base/ascii.h"

void framer_start_spotter(struct warc_framer *f, bool line_start_only)
{
	const enum spotter_kind unknown = f->heads ? SPOTTER_WARC : SPOTTER_ANY;

	spotter_start(&f->spotter, f->arc_version ? SPOTTER_ARC : unknown, line_start_only, f->replay.max / 2);
}

void framer_search(struct warc_framer *f, bool anywhere)
{
	f->state = FRAMER_SEARCH;
	f->padding = false;
	if (spotter_holds(&f->spotter)) /* a head that began in the block goes on */
		f->spotter.line_start_only = !anywhere;
	else
		framer_start_spotter(f, !anywhere);
}

void framer_leave_wrong_block(struct warc_framer *f, const char *detail)
{
	f->now.wrong = detail;
	f->in_fault = true;
	if (f->spotter.state == SPOTTER_FOUND)
		f->go_back = true;
	else
		framer_search(f, true);
	if (f->go_back || (f->member.plain && (f->arc_version || !f->now.open)))
		framer_end_wrong(f);
}

ptrdiff_t framer_step_search(struct warc_framer *f, struct slice bytes)
{
	size_t taken = 0;

	if (f->padding) {
		while (taken < bytes.len && (bytes.data[taken] == 0 || ascii_is_space(bytes.data[taken])))
			taken++;
		if (taken < bytes.len) {
			f->padding = false;
			f->state = FRAMER_BETWEEN; /* where a head begins, or garbage goes on */
		}
		return (ptrdiff_t)taken;
	}
	taken = spotter_feed(&f->spotter, bytes, f->pos);
	framer_keep_rest(f, slice_first(bytes, taken));
	f->go_back = f->spotter.state == SPOTTER_FOUND;
	if (f->go_back)
		framer_end_wrong(f);
	return (ptrdiff_t)taken;
}

bool warc_framer_members_hold_records(const struct warc_framer *f)
{
	return f->members_between > f->members_inside;
}
