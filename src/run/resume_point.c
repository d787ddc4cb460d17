/* SPDX-License-Identifier: MIT */
#include "run/resume_point.h"

#include "base/status.h"
#include "run/state_file.h"

int resume_point_copy(struct resume_point *to, const struct resume_point *from)
{
	to->in_middle = from->in_middle;
	to->of_piece = from->of_piece;
	to->piece = from->piece;
	to->place = from->place;
	buf_clear(&to->warcinfo_date);
	return buf_append(&to->warcinfo_date, from->warcinfo_date.data, from->warcinfo_date.len);
}

uint64_t resume_point_offset(const struct resume_point *p)
{
	if (!p->in_middle)
		return 0;
	return p->place.has_dictionary ? p->place.dictionary : p->place.warc.offset;
}

void resume_point_free(struct resume_point *p)
{
	buf_free(&p->warcinfo_date);
}

/* The numbers of a place in the order in which they are written down. */
enum { WARC_NUMBERS = 10, PUMP_NUMBERS = 5, PIECE_NUMBERS = 4 };

static void save_piece(const struct piece_point *piece, struct buf *list)
{
	const uint64_t numbers[PIECE_NUMBERS] = { piece->number, piece->first, piece->before[0], piece->before[1] };
	fields_put_numbers(list, "piece", numbers, PIECE_NUMBERS);
}

static void save_place(const struct resume_point *p, struct buf *list)
{
	const struct pump_place *place = &p->place;
	const struct warc_place *warc = &place->warc;
	const uint64_t records[WARC_NUMBERS] = { warc->offset,         warc->member_pos,
						 warc->skip_to,        warc->seq,
						 warc->heads,          warc->furthest,
						 warc->reread,         warc->members_between,
						 warc->members_inside, warc->members_counted };
	const uint64_t members[PUMP_NUMBERS] = { place->furthest, place->reread, place->memory.passed,
						 place->memory.tried, place->range_decoded };
	fields_put_number(list, "plain", warc->plain);
	fields_put_number(list, "arc", warc->arc);
	fields_put_numbers(list, "records", records, WARC_NUMBERS);
	fields_put_number(list, "container", place->container);
	fields_put_numbers(list, "members", members, PUMP_NUMBERS);
	if (place->has_dictionary)
		fields_put_number(list, "dictionary", place->dictionary);
}

void resume_point_save(const struct resume_point *p, struct buf *list)
{
	if (p->of_piece)
		save_piece(&p->piece, list);
	else
		save_place(p, list);
	fields_put(list, "warcinfo-date", buf_slice(&p->warcinfo_date));
}

static void load_piece(struct resume_point *p, struct fields *list)
{
	uint64_t numbers[PIECE_NUMBERS] = { 0 };
	fields_numbers(list, "piece", numbers, PIECE_NUMBERS);
	p->of_piece = true;
	p->piece = (struct piece_point){ numbers[0], numbers[1], { numbers[2], numbers[3] } };
}

static void load_place(struct resume_point *p, struct fields *list)
{
	uint64_t records[WARC_NUMBERS] = { 0 }, members[PUMP_NUMBERS] = { 0 };
	fields_numbers(list, "records", records, WARC_NUMBERS);
	fields_numbers(list, "members", members, PUMP_NUMBERS);
	p->in_middle = true;
	p->place = (struct pump_place){
		.warc = { .plain = fields_flag(list, "plain"),
			  .offset = records[0],
			  .member_pos = records[1],
			  .skip_to = records[2],
			  .seq = records[3],
			  .heads = records[4],
			  .furthest = records[5],
			  .reread = records[6],
			  .members_between = records[7],
			  .members_inside = records[8],
			  .members_counted = records[9],
			  .arc = (unsigned)fields_number_to(list, "arc", UINT32_MAX) },
		.container = (unsigned)fields_number_to(list, "container", UINT32_MAX),
		.has_dictionary = fields_has(list, "dictionary"),
		.furthest = members[0],
		.reread = members[1],
		.memory = { .passed = members[2], .tried = members[3] },
		.range_decoded = members[4],
	};
	if (p->place.has_dictionary)
		p->place.dictionary = fields_number(list, "dictionary");
}

int resume_point_load(struct resume_point *p, struct fields *list)
{
	struct slice date = fields_get(list, "warcinfo-date");
	if (fields_has(list, "piece"))
		load_piece(p, list);
	else
		load_place(p, list);
	buf_clear(&p->warcinfo_date);
	return buf_append(&p->warcinfo_date, date.data, date.len);
}
