/* SPDX-License-Identifier: MIT */
/*
 * What waits is a queue in the order of the input; its first record is always an open one, that is, one that waits for
 * its continuations. When it is complete, or cannot be waited for any longer, it is passed on with all records up to
 * the next open one. Continuations wait in the queue as all others do, and their origin has a table of them by number,
 * so that they may come in any order.
 *
 * Example: A1 (segment 1 of A), B1, A2 and B2 come, of two segments each. With A2 A is complete: A1 is passed on with
 * the block of A2. B1 is now the first of the queue, and A2 waits behind it, without its block. With B2 all is passed
 * on.
 */
#include "archive/warc/segments.h"

#include <stdlib.h>

#include "archive/warc/field.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"

enum {
	SEGMENTED_MOST = 16, /* records that are open at once */
	SEGMENTS_MOST = 10000,
	RECORD_BYTES = 2048, /* that a record which waits takes besides its head and block */
	FIELD_BYTES = 64,    /* the same for a field of its head */
};

/* The segments of an open record after the first one. */
struct record_parts {
	struct waiting_record **at; /* the first one has number 2 */
	size_t n, cap;
	size_t joined;   /* all before this one are there, and with the first segment have: */
	uint64_t bytes;  /* of blocks that came */
	uint64_t length; /* of blocks, by their heads */
};

/* A record or a region that waits. */
struct waiting_record {
	struct waiting_record *next;
	struct arena *arena;
	struct record record; /* of a region: its number, offset, id and URI */
	struct record_end end;
	struct buf block;
	uint64_t size;
	uint64_t total; /* WARC-Segment-Total-Length; 0: not known */
	uint64_t room;  /* for more bytes of the block */
	struct record_parts parts;
	bool is_region, is_beyond;
	bool open;   /* it waits for its continuations */
	bool ended;  /* all of it has come */
	bool passed; /* it has left the queue before its end */
};

struct segments {
	struct record_sink sink;
	struct record_sink *next;
	const struct limits *limits;
	struct waiting_record *first, *last;
	struct waiting_record
		*under_way; /* whose end has not come; NULL: the record under way came when nothing waited */
	struct waiting_record *origins[SEGMENTED_MOST];
	size_t n_origins;
	uint64_t bytes; /* that wait */
	bool passing;   /* what has waited is being passed on */
	bool beyond;    /* what comes is */
	int wish;       /* for the rest of a record that has left the queue before its end */
};

/* ---- heads ---- */

/* Returns the number that a field has; 0: it is not there, or none. */
static uint64_t number_of(const struct record *rec, const char *name)
{
	uint64_t number;
	return field_number(record_field(rec, name), &number) ? number : 0;
}

/* Is it the first segment of a record with more? */
static bool begins(const struct record *rec)
{
	if (rec->is_arc || rec->type == RECORD_CONTINUATION || rec->record_id.len == 0 ||
	    number_of(rec, "WARC-Segment-Number") != 1)
		return false;
	const uint64_t total = number_of(rec, "WARC-Segment-Total-Length");
	return total == 0 || total > rec->content_length;
}

/* ---- what is passed on ---- */

static void waiting_free(struct waiting_record *w)
{
	arena_free(w->arena);
	buf_free(&w->block);
	free(w->parts.at);
	free(w);
}

/* Fills in what the record consists of, and makes its end that of all its segments. */
static int describe(struct waiting_record *w)
{
	const size_t n = w->parts.joined + 1;
	if (n == 1)
		return DANA_OK;
	struct record *rec = &w->record;
	struct record_segment *all = arena_alloc(w->arena, n * sizeof(*all));
	if (!all)
		return DANA_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct waiting_record *part = i ? w->parts.at[i - 1] : w;
		all[i] = (struct record_segment){ part->record.content_length, part->record.block_digest };
		part->record.joined = i > 0;
		rec->verified &= part->record.verified;
		w->end.block_cut |= part->end.block_cut;
		w->end.unverified |= part->end.unverified;
		if (part->end.wrong_length && !w->end.wrong_length) {
			w->end.wrong_length = true;
			memcpy(w->end.detail, part->end.detail, sizeof(w->end.detail));
		}
	}
	rec->segments = all;
	rec->n_segments = n;
	w->end.length_known = false;
	return DANA_OK;
}

/* Passes the block of a record on, with those of its continuations, up to the limit. */
static int pass_block(struct segments *s, struct waiting_record *w)
{
	uint64_t left = s->limits->block;
	int wish = RECORD_WANTED;
	for (size_t i = 0; i <= w->parts.joined && wish == RECORD_WANTED; i++) {
		const struct slice block = buf_slice(i ? &w->parts.at[i - 1]->block : &w->block);
		const struct slice bytes = slice_first(block, left < SIZE_MAX ? (size_t)left : SIZE_MAX);
		w->end.block_cut |= bytes.len < block.len;
		left -= bytes.len;
		if (bytes.len)
			wish = s->next->ops->body(s->next, bytes);
	}
	return wish;
}

static int pass_record(struct segments *s, struct waiting_record *w)
{
	struct record_sink *next = s->next;
	int result = describe(w);
	if (result < 0)
		return result;
	if (w->ended && w->record.n_segments == 0)
		w->record.stays = buf_slice(&w->block);
	result = next->ops->begin(next, &w->record);
	if (result == RECORD_WANTED)
		result = pass_block(s, w);
	/* what is joined is not wanted again */
	for (size_t i = 0; i < w->parts.joined; i++) {
		struct waiting_record *part = w->parts.at[i];
		s->bytes -= part->block.len;
		part->size -= part->block.len;
		buf_free(&part->block);
	}
	s->wish = result;
	return result < 0 || !w->ended ? result : next->ops->end(next, &w->end);
}

/* An open record waits no longer. */
static void close_record(struct segments *s, struct waiting_record *w, bool complete)
{
	size_t i = 0;
	while (s->origins[i] != w)
		i++;
	memmove(&s->origins[i], &s->origins[i + 1], (--s->n_origins - i) * sizeof(*s->origins));
	w->open = false;
	if (!complete)
		w->record.missing_segment = (unsigned)w->parts.joined + 2;
}

/* Passes on all that waits before the next open record; a record under way leaves the queue before its end. */
static int move(struct segments *s)
{
	int result = DANA_OK;
	s->passing = true;
	while (s->first && !(s->first->open && !s->first->is_beyond) && result >= 0) {
		struct waiting_record *w = s->first;
		if (w->open)
			close_record(s, w, true);
		s->first = w->next;
		if (!s->first)
			s->last = NULL;
		s->bytes -= w->size;
		if (w->is_beyond)
			s->wish = RECORD_UNWANTED;
		else if (w->is_region)
			result = s->next->ops->damage(s->next, w->record.seq, w->record.offset, w->record.record_id,
						      w->record.target_uri, &w->end);
		else
			result = pass_record(s, w);
		w->passed = true;
		if (w != s->under_way)
			waiting_free(w);
	}
	s->passing = false;
	return result < 0 ? result : DANA_OK;
}

/* ---- what waits ---- */

/* While too much waits the oldest open record is given up. */
static int bound(struct segments *s)
{
	int status = DANA_OK;
	while (s->n_origins && s->bytes > s->limits->block + s->limits->head && status == DANA_OK) {
		close_record(s, s->origins[0], false);
		status = move(s);
	}
	return status;
}

/* Returns what is to be kept of a record; NULL if memory is exhausted. */
static struct waiting_record *keep(struct segments *s, uint64_t bytes)
{
	struct waiting_record *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->is_beyond = s->beyond;
	w->size = RECORD_BYTES + bytes;
	w->arena = arena_new_of(RECORD_BYTES / 2);
	if (!w->arena) {
		free(w);
		return NULL;
	}
	s->bytes += w->size;
	if (s->last)
		s->last->next = w;
	else
		s->first = w;
	s->last = w;
	return w;
}

/* Returns the open record that a continuation belongs to, with the number of the segment; NULL: it does not wait. */
static struct waiting_record *origin_of(const struct segments *s, const struct record *rec, uint64_t *number)
{
	const struct slice id = field_without_brackets(record_field(rec, "WARC-Segment-Origin-ID"));
	*number = rec->type == RECORD_CONTINUATION ? number_of(rec, "WARC-Segment-Number") : 0;
	for (size_t i = 0; i < s->n_origins && *number >= 2 && *number <= SEGMENTS_MOST; i++) {
		if (slice_equal(s->origins[i]->record.record_id, id))
			return s->origins[i];
	}
	return NULL;
}

/* A continuation has come: joins it to its record. */
static int join(struct segments *s, struct waiting_record *part)
{
	uint64_t number;
	struct waiting_record *w = origin_of(s, &part->record, &number);
	struct record_parts *parts = w ? &w->parts : NULL;
	if (!w)
		return DANA_OK;
	const size_t at = (size_t)number - 2;
	while (parts->n <= at) {
		struct waiting_record **more =
			grow_items(parts->at, parts->n, &parts->cap, sizeof(struct waiting_record *));
		if (!more)
			return DANA_ENOMEM;
		parts->at = more;
		parts->at[parts->n++] = NULL;
	}
	if (!parts->at[at])
		parts->at[at] = part; /* of two with one number the first counts */
	while (w->open && parts->joined < parts->n && parts->at[parts->joined]) {
		const struct waiting_record *next = parts->at[parts->joined++];
		parts->bytes += next->block.len;
		parts->length += next->record.content_length;
		if (next->total)
			w->total = next->total;
		const bool all = w->total && parts->length >= w->total;
		w->end.block_cut |= next->end.block_cut || (!all && parts->bytes >= s->limits->block);
		if (all || w->end.block_cut)
			close_record(s, w, true);
	}
	return DANA_OK;
}

/* ---- the sink ---- */

static int segments_begin(struct record_sink *self, const struct record *rec)
{
	struct segments *s = (struct segments *)self;
	const bool opens = begins(rec); /* one beyond a range, too, as the bounds count it */
	uint64_t number, size = 0;
	int status = DANA_OK;
	s->under_way = NULL;
	if (opens && s->n_origins == SEGMENTED_MOST) {
		close_record(s, s->origins[0], false);
		status = move(s);
	}
	if (status < 0 || (!s->first && s->beyond))
		return status < 0 ? status : RECORD_UNWANTED;
	if (!s->first && !opens)
		return s->next->ops->begin(s->next, rec);
	for (size_t i = 0; i < rec->n_fields; i++)
		size += FIELD_BYTES + 2 * (rec->fields[i].name.len + rec->fields[i].value.len);
	struct waiting_record *w = keep(s, size);
	if (!w || record_copy(&w->record, rec, w->arena) < 0)
		return DANA_ENOMEM;
	s->under_way = w;
	s->wish = RECORD_WANTED;
	w->total = number_of(rec, "WARC-Segment-Total-Length");
	w->open = opens;
	w->room = s->limits->block;
	const struct waiting_record *origin = origin_of(s, rec, &number);
	if (origin && origin->parts.joined + 2 == number)
		w->room -= origin->parts.bytes;
	if (opens)
		s->origins[s->n_origins++] = w;
	status = bound(s);
	return status < 0 ? status : s->wish;
}

static int segments_body(struct record_sink *self, struct slice bytes)
{
	struct segments *s = (struct segments *)self;
	struct waiting_record *w = s->under_way;
	if (!w)
		return s->next->ops->body(s->next, bytes);
	if (w->passed)
		return s->wish == RECORD_WANTED ? s->wish = s->next->ops->body(s->next, bytes) : s->wish;
	const struct slice kept = slice_first(bytes, w->room < SIZE_MAX ? (size_t)w->room : SIZE_MAX);
	w->end.block_cut |= kept.len < bytes.len;
	w->room -= kept.len;
	w->size += kept.len;
	s->bytes += kept.len;
	int status = buf_append(&w->block, kept.data, kept.len);
	if (status == DANA_OK)
		status = bound(s);
	return status < 0 ? status : s->wish;
}

static int segments_end(struct record_sink *self, const struct record_end *end)
{
	struct segments *s = (struct segments *)self;
	struct waiting_record *w = s->under_way;
	if (!w)
		return s->beyond ? DANA_OK : s->next->ops->end(s->next, end);
	s->under_way = NULL;
	if (w->passed) {
		const int status = w->is_beyond ? DANA_OK : s->next->ops->end(s->next, end);
		waiting_free(w);
		return status;
	}
	const bool cut = w->end.block_cut;
	w->end = *end;
	w->end.block_cut |= cut;
	w->ended = true;
	w->parts.bytes = w->block.len;
	w->parts.length = w->record.content_length;
	int status = DANA_OK;
	if (w->open && (end->damaged || w->end.block_cut))
		close_record(s, w, true);
	else if (!end->damaged)
		status = join(s, w);
	return status < 0 ? status : move(s);
}

static int segments_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			   const struct record_end *end)
{
	struct segments *s = (struct segments *)self;
	if (!s->first)
		return s->next->ops->damage(s->next, seq, offset, id, uri, end);
	struct waiting_record *w = keep(s, id.len + uri.len);
	if (!w)
		return DANA_ENOMEM;
	const struct record region = { .seq = seq, .offset = offset, .record_id = id, .target_uri = uri };
	w->is_region = w->ended = true;
	w->end = *end;
	return record_copy(&w->record, &region, w->arena) < 0 ? DANA_ENOMEM : bound(s);
}

static const struct record_sink_ops segments_ops = { "segments", segments_begin, segments_body, segments_end,
						     segments_damage };

struct segments *segments_new(struct record_sink *next, const struct limits *limits)
{
	struct segments *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->sink.ops = &segments_ops;
	s->next = next;
	s->limits = limits;
	return s;
}

struct record_sink *segments_records(struct segments *s)
{
	return &s->sink;
}

bool segments_wait(const struct segments *s)
{
	return s->first || s->passing;
}

void segments_beyond(struct segments *s, bool beyond)
{
	s->beyond = beyond;
}

int segments_finish(struct segments *s)
{
	while (s->n_origins)
		close_record(s, s->origins[0], false);
	return move(s);
}

void segments_free(struct segments *s)
{
	if (!s)
		return;
	if (s->under_way && s->under_way->passed)
		waiting_free(s->under_way);
	while (s->first) {
		struct waiting_record *w = s->first;
		s->first = w->next;
		waiting_free(w);
	}
	free(s);
}
