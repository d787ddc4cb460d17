/* SPDX-License-Identifier: MIT */
/*
 * The framer's calls of its sink: a record is begin, body..., end; bytes that belong to no record are one damage.
 *
 * Each damage is reported once. Example: a head without a length is reported (in_fault is set), and the bytes after
 * it, up to the next head, are not reported again as garbage. Garbage after a good record is: framer_open_region notes
 * where it begins, and framer_close_region reports it when the next head or the end of the input comes.
 */
#include <inttypes.h>
#include <stdio.h>

#include "archive/warc/framer_private.h"

uint64_t framer_offset(const struct warc_framer *f, uint64_t pos)
{
	return f->member.plain ? f->member.offset + (pos - f->member.pos) : f->member.offset;
}

const char framer_short_member[] = "its member ends before Content-Length is reached";

const char *framer_no_boundary(const struct warc_framer *f)
{
	return f->arc_version ? "Archive-length leads to no record boundary"
			      : "Content-Length leads to no record boundary";
}

const char *framer_beyond_end(const struct warc_framer *f)
{
	return f->arc_version ? "Archive-length leads beyond the input's end"
			      : "Content-Length leads beyond the input's end";
}

static void set_detail(struct record_end *end, const char *detail)
{
	snprintf(end->detail, sizeof(end->detail), "%s", detail);
}

void framer_begin(struct warc_framer *f)
{
	struct framer_record *now = &f->now;

	now->open = true;
	now->rec.seq = f->seq++;
	now->rec.offset = f->head_offset;
	now->rec.verified = f->member.checksum;
	now->rec.stays = now->proven ? f->member.content : slice_of(NULL, 0); /* then it ends before its member does */
	int wish = f->next->ops->begin(f->next, &now->rec);

	if (wish < 0)
		f->status = wish;
	now->wanted = wish == RECORD_WANTED;
}

void framer_body(struct warc_framer *f, struct slice bytes)
{
	struct framer_record *now = &f->now;
	uint64_t room = now->passed < f->limits->block ? f->limits->block - now->passed : 0;

	now->passed += bytes.len;
	if (bytes.len > room) {
		now->block_cut = true;
		bytes.len = (size_t)room;
	}
	if (!now->open || !now->wanted || bytes.len == 0)
		return;
	int wish = f->next->ops->body(f->next, bytes);

	if (wish < 0)
		f->status = wish;
	now->wanted = wish == RECORD_WANTED;
}

static void end_record(struct warc_framer *f, const struct record_end *end)
{
	f->now.open = f->now.silent = f->now.unsure = false;
	int status = f->next->ops->end(f->next, end);

	if (status < 0)
		f->status = status;
}

/* What is known at the end of a good record. As framer_end_good. */
static struct record_end good_end(const struct warc_framer *f, bool in_member, uint64_t offset)
{
	const struct framer_record *now = &f->now;
	struct record_end end = { .block_cut = now->block_cut };

	end.unverified = !f->member.plain && !f->member.verified && !in_member &&
			 now->pos + now->head_len + now->passed > f->member.pos;
	if (f->member.plain) {
		end.length_known = true;
		end.length = now->head_len + now->passed;
	} else if (in_member && now->alone && now->member_pos == f->member.pos && !f->region) {
		end.length_known = true;
		end.length = offset - f->member.offset;
	}
	return end;
}

void framer_end_good(struct warc_framer *f, bool in_member, uint64_t offset)
{
	f->now.silent = false;
	if (!f->now.open)
		return;
	framer_release(f);
	const struct record_end end = good_end(f, in_member, offset);

	end_record(f, &end);
}

void framer_end_corrected(struct warc_framer *f, bool whole, bool in_member, uint64_t offset, const char *detail)
{
	struct framer_record *now = &f->now;
	struct record_end end = good_end(f, in_member, offset);

	end.wrong_length = true;
	end.length_known &= whole;
	if (now->alone && now->out <= now->member_end && now->member_end - now->out <= BLOCK_CLOSING_LEN) {
		end.length_known = true;
		end.length = now->member_len;
	}
	set_detail(&end, detail);
	f->in_fault = true;
	now->wrong = NULL;
	end_record(f, &end);
}

void framer_end_bad(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	struct record_end end = { .damaged = true, .reason = reason, .block_cut = f->now.block_cut };

	f->now.silent = false;
	f->in_fault = true;
	if (!f->now.open)
		return;
	set_detail(&end, detail);
	end_record(f, &end);
}

void framer_end_wrong(struct warc_framer *f)
{
	if (f->now.wrong && !framer_end_at_head(f, f->now.wrong))
		framer_end_bad(f, DAMAGE_BAD_LENGTH, f->now.wrong);
	f->now.wrong = NULL;
}

void framer_damage(struct warc_framer *f, enum damage_reason reason, uint64_t offset, const struct record *rec,
		   const char *detail)
{
	struct record_end end = { .damaged = true, .reason = reason };
	struct slice none = slice_of(NULL, 0);

	set_detail(&end, detail);
	f->in_fault = true;
	int status = f->next->ops->damage(f->next, f->seq++, offset, rec ? rec->record_id : none,
					  rec ? rec->target_uri : none, &end);

	if (status < 0)
		f->status = status;
}

void framer_damage_head(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	struct record rec;
	struct head_verdict verdict;

	if (head_read(&f->head, &rec, &verdict) < 0) {
		f->status = DANA_ENOMEM;
		return;
	}
	f->heads++;
	framer_damage(f, reason, f->head_offset, &rec, detail);
}

void framer_open_region(struct warc_framer *f, uint64_t pos, uint64_t offset)
{
	if (f->broken_off && f->heads) { /* the rest of a record that a damaged member broke off: its length is known */
		f->broken_off = false;
		f->in_fault = false;
	}
	if (f->in_fault || f->region)
		return;
	f->region = true;
	f->region_pos = pos;
	f->region_offset = offset;
}

void framer_close_region(struct warc_framer *f, enum damage_reason reason, const char *detail)
{
	if (!f->region)
		return;
	f->region = false;
	framer_damage(f, reason, f->region_offset, NULL, detail);
}

void framer_close_garbage(struct warc_framer *f, uint64_t pos)
{
	char detail[64];

	snprintf(detail, sizeof(detail), "%" PRIu64 " bytes that are no record", pos - f->region_pos);
	framer_close_region(f, DAMAGE_GARBAGE, detail);
}
