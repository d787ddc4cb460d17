/* SPDX-License-Identifier: MIT */
/*
 * Heads are copied into an arena, blocks of all records into one buffer, formatted documents into another. A record of
 * the batch holds places in these buffers, not pointers, because the buffers move while they grow. `bytes` adds up
 * what the records hold, for the bound on all that is in flight; it need not be exact.
 */
#include "base/arena.h"
#include "base/status.h"
#include "run/handoff.h"

enum { KEPT_TEXT = 1 << 20 }; /* bytes of formatted documents whose memory a cleared batch keeps */

int batch_init(struct batch *b, size_t room)
{
	*b = (struct batch){ .arena = arena_new() };
	return b->arena ? buf_reserve(&b->blocks, room) : DANA_ENOMEM;
}

static struct batch_record *record_new(struct batch *b)
{
	struct batch_record *r = arena_alloc(b->arena, sizeof(*r));
	if (r)
		*r = (struct batch_record){ .block_start = b->blocks.len };
	b->bytes += sizeof(*r);
	return r;
}

static void link_last(struct batch *b, struct batch_record *r)
{
	if (b->last)
		b->last->next = r;
	else
		b->first = r;
	b->last = r;
}

int batch_keep(struct batch *b, struct slice *s)
{
	if (s->len == 0) {
		*s = slice_of(NULL, 0);
		return DANA_OK;
	}
	*s = arena_copy(b->arena, *s);
	return s->data ? DANA_OK : DANA_ENOMEM;
}

static int keep(struct batch *b, struct slice *s)
{
	b->bytes += s->len;
	return batch_keep(b, s);
}

int batch_begin(struct batch *b, const struct record *rec, struct slice warcinfo_date)
{
	struct batch_record *r = record_new(b);
	if (!r || record_copy(&r->record, rec, b->arena) < 0)
		return DANA_ENOMEM;
	/* Nearly all of a head is its fields. */
	size_t sum = rec->n_fields * sizeof(*rec->fields);

	for (size_t i = 0; i < rec->n_fields; i++)
		sum += rec->fields[i].name.len + rec->fields[i].value.len;
	b->bytes += sum;
	r->warcinfo_date = warcinfo_date;
	if (keep(b, &r->warcinfo_date) < 0)
		return DANA_ENOMEM;
	b->open = r;
	return DANA_OK;
}

int batch_begin_borrowed(struct batch *b, const struct record *rec)
{
	struct batch_record *r = record_new(b);
	if (!r)
		return DANA_ENOMEM;
	r->record = *rec;
	b->open = r;
	return DANA_OK;
}

int batch_body(struct batch *b, struct slice bytes)
{
	if (buf_append(&b->blocks, bytes.data, bytes.len) < 0)
		return DANA_ENOMEM;
	b->open->block_len += bytes.len;
	b->bytes += bytes.len;
	return DANA_OK;
}

void batch_end(struct batch *b, const struct record_end *end)
{
	b->open->end = *end;
	link_last(b, b->open);
	b->open = NULL;
}

int batch_region(struct batch *b, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		 const struct record_end *end)
{
	struct batch_record *r = record_new(b);
	if (!r || keep(b, &id) < 0 || keep(b, &uri) < 0)
		return DANA_ENOMEM;
	r->is_region = true;
	r->end = *end;
	r->outcome = outcome_of_region(seq, offset, id, uri, &r->end);
	link_last(b, r);
	return DANA_OK;
}

int batch_keep_marks(struct batch *b, struct plugin_marks *marks, size_t n_counters)
{
	const struct slice counts = slice_of(marks->counts, marks->counts ? n_counters * sizeof(*marks->counts) : 0);
	uint64_t *copy = counts.len ? arena_alloc(b->arena, counts.len) : NULL;
	if (copy)
		memcpy(copy, counts.data, counts.len);
	marks->counts = copy;
	return batch_keep(b, &marks->members) == DANA_OK && (copy || !counts.len) ? DANA_OK : DANA_ENOMEM;
}

void batch_cut(struct batch *b, struct batch_record *last, size_t formatted)
{
	b->last = last;
	b->open = NULL;
	if (last)
		last->next = NULL;
	else
		b->first = NULL;
	b->formatted.len = formatted;
}

struct slice batch_block(const struct batch *b, const struct batch_record *r)
{
	return slice_first(slice_skip(buf_slice(&b->blocks), r->block_start), r->block_len);
}

void batch_clear(struct batch *b, size_t keep)
{
	buf_shrink(&b->blocks, keep);
	buf_shrink(&b->formatted, KEPT_TEXT);
	arena_reset(b->arena);
	b->first = b->last = b->open = NULL;
	b->bytes = 0;
}

void batch_free(struct batch *b)
{
	arena_free(b->arena);
	buf_free(&b->blocks);
	buf_free(&b->formatted);
	buf_free(&b->point.warcinfo_date);
}
