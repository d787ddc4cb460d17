/* SPDX-License-Identifier: MIT */
#include "run/piece_records.h"

#include <inttypes.h>
#include <stdio.h>

enum { NAME_SHOWN = 48 }; /* bytes of an index's name in what is reported of damage */

/* ---- damage ---- */

static int put_damage(struct piece_records *r, uint64_t offset, struct slice id, struct slice uri,
		      const struct record_end *end)
{
	r->damaged = true;
	return r->next->ops->damage(r->next, r->first + r->seen++, offset, id, uri, end);
}

/* `end` with the line of the index, and with the reason that a piece has for it. */
static struct record_end with_place(const struct piece_records *r, const struct record_end *end)
{
	const struct piece *p = r->piece;
	struct record_end out = *end;
	const char *detail = end->detail;
	char shorter[80];

	if (end->reason == DAMAGE_NOT_AN_ARCHIVE) {
		out.reason = DAMAGE_GARBAGE;
		detail = "no record begins at this offset";
	} else if (end->reason == DAMAGE_TRUNCATED && p->length && *r->left == 0) {
		out.reason = DAMAGE_BAD_LENGTH;
		detail = shorter;
		(void)snprintf(shorter, sizeof(shorter), "its length, %" PRIu64 ", ends inside the record", p->length);
	}
	(void)snprintf(out.detail, sizeof(out.detail), "%.*s, line %u: %.*s", (int)NAME_SHOWN, r->index, p->line,
		       (int)sizeof(out.detail) - NAME_SHOWN - 20, detail);
	return out;
}

/* Damage of the line itself. */
static int line_damaged(struct piece_records *r, enum damage_reason reason, const char *detail)
{
	const struct slice none = { NULL, 0 };
	struct record_end end = { .damaged = true, .reason = reason };

	(void)snprintf(end.detail, sizeof(end.detail), "%s", detail);
	end = with_place(r, &end);
	return put_damage(r, r->piece->from, none, none, &end);
}

static int length_wrong(struct piece_records *r)
{
	char detail[96], right[48] = "";

	if (r->record_length)
		(void)snprintf(right, sizeof(right), "; that of the record is %" PRIu64, r->record_length);
	(void)snprintf(detail, sizeof(detail), "its length is %" PRIu64 "%s", r->piece->length, right);
	return line_damaged(r, DAMAGE_BAD_LENGTH, detail);
}

/* ---- what comes ---- */

/* Does what begins at `offset` belong to the piece? 0: no, and nothing more is wanted; or a negative status. */
static int is_wanted(struct piece_records *r, uint64_t offset)
{
	if (r->over || (r->seen && !r->piece->length))
		return 0;
	if (r->seen == 0)
		r->offset = offset;
	if (r->offset == offset)
		return 1;
	r->over = true;
	return r->damaged ? 0 : length_wrong(r);
}

static int begin(struct record_sink *self, const struct record *rec)
{
	struct piece_records *r = (struct piece_records *)self;
	int wanted = is_wanted(r, rec->offset);

	r->passes = wanted > 0;
	if (!r->passes)
		return wanted < 0 ? wanted : RECORD_UNWANTED;
	r->record = *rec;
	r->record.seq = r->first + r->seen;
	return r->next->ops->begin(r->next, &r->record);
}

static int body(struct record_sink *self, struct slice bytes)
{
	struct piece_records *r = (struct piece_records *)self;

	return r->passes ? r->next->ops->body(r->next, bytes) : RECORD_UNWANTED;
}

static int end(struct record_sink *self, const struct record_end *record_end)
{
	struct piece_records *r = (struct piece_records *)self;

	if (!r->passes)
		return 0;
	if (r->seen++ == 0 && record_end->length_known)
		r->record_length = record_end->length;
	if (!record_end->damaged)
		return r->next->ops->end(r->next, record_end);
	const struct record_end with_line = with_place(r, record_end);
	r->damaged = true;
	return r->next->ops->end(r->next, &with_line);
}

static int damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		  const struct record_end *record_end)
{
	struct piece_records *r = (struct piece_records *)self;
	const struct record_end with_line = with_place(r, record_end);

	(void)seq;
	if (record_end->reason == DAMAGE_NOT_AN_ARCHIVE)
		offset = r->piece->from;
	int wanted = is_wanted(r, offset);
	return wanted > 0 ? put_damage(r, offset, id, uri, &with_line) : wanted;
}

static const struct record_sink_ops ops = { "piece records", begin, body, end, damage };

/* ---- pieces ---- */

void piece_records_input(struct piece_records *r, struct record_sink *next, const uint64_t *left)
{
	*r = (struct piece_records){ .sink.ops = &ops, .next = next, .left = left };
}

void piece_records_piece(struct piece_records *r, const struct piece *piece, const char *index)
{
	*r = (struct piece_records){ .sink = r->sink,
				     .next = r->next,
				     .left = r->left,
				     .first = r->first + r->seen,
				     .piece = piece,
				     .index = index };
}

bool piece_records_done(const struct piece_records *r)
{
	return r->over || (r->seen && !r->piece->length);
}

int piece_records_end(struct piece_records *r, bool beyond)
{
	if (beyond)
		return line_damaged(r, DAMAGE_TRUNCATED, "the file ends before this offset");
	if (r->seen == 0)
		return line_damaged(r, DAMAGE_GARBAGE, "no record begins at this offset");
	if (r->over || r->damaged || !r->piece->length || *r->left == 0)
		return 0;
	return length_wrong(r);
}
