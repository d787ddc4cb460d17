/* SPDX-License-Identifier: MIT */
/*
 * Each call of the trace appends to a list; texts are copied into one buffer, and the lists hold offsets in it, because
 * the buffer moves while it grows. Calls that do not fit earlier ones (a region beyond the last segment, a reason
 * before the first block) are ignored.
 */
#include "lab/explain/recording.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/status.h"

/* Makes room for one more item. Returns false if memory is or was exhausted, which the status records. */
static bool make_room(struct recording *r, const struct grow_array *items, size_t len, size_t *cap)
{
	if (r->status == DANA_OK)
		r->status = grow_arrays(items, 1, len + 1, cap);
	return r->status == DANA_OK;
}

/* Returns the place of the list's next item, or NULL. */
#define ROOM(r, list) \
	(make_room((r), &(const struct grow_array)GROW_ARRAY((r)->list), (r)->n_##list, &(r)->list##_cap) \
		 ? &(r)->list[(r)->n_##list] \
		 : NULL)

/* Copies `text`. Returns where the copy begins; it ends at text.len. */
static size_t keep(struct recording *r, struct slice text)
{
	size_t from = r->text.len;
	if (buf_append(&r->text, text.data, text.len) < 0)
		r->status = DANA_ENOMEM;
	return from;
}

static void on_segment(void *arg, uint64_t index, double content, double code, struct slice text)
{
	struct recording *r = arg;
	struct recorded_segment *s = index == r->n_segments ? ROOM(r, segments) : NULL;
	if (!s)
		return;
	*s = (struct recorded_segment){ .content = content, .code = code };
	s->text_from = keep(r, text);
	s->text_to = r->text.len;
	r->n_segments++;
}

static void on_smoothed(void *arg, uint64_t index, double value, bool positive)
{
	struct recording *r = arg;
	if (index >= r->n_segments)
		return;
	struct recorded_segment *s = &r->segments[index];
	s->smoothed = value;
	s->has_smoothed = true;
	s->positive = positive;
}

static void on_region(void *arg, uint64_t first, uint64_t last, double weight, uint64_t chain)
{
	struct recording *r = arg;
	struct recorded_region *region = first <= last && last < r->n_segments ? ROOM(r, regions) : NULL;
	if (!region)
		return;
	*region = (struct recorded_region){ first, last, weight, chain, false };
	r->n_regions++;
}

static void on_chosen(void *arg, uint64_t chain)
{
	struct recording *r = arg;
	for (size_t i = 0; i < r->n_regions; i++)
		r->regions[i].chosen |= r->regions[i].chain == chain;
}

static void on_block(void *arg, struct slice text, bool kept, double score, const char *reason, const char *numbers)
{
	struct recording *r = arg;
	struct recorded_block *b = ROOM(r, blocks);
	if (!b)
		return;
	*b = (struct recorded_block){ .kept = kept, .score = score };
	b->text_from = keep(r, text);
	b->text_to = r->text.len;
	b->numbers_from = keep(r, slice_from_text(numbers ? numbers : ""));
	b->numbers_to = r->text.len;
	b->reason_from = keep(r, slice_of(reason ? reason : "", reason ? strlen(reason) + 1 : 1));
	r->n_blocks++;
}

static void on_chances(void *arg, uint32_t words, double first, double second)
{
	struct recording *r = arg;
	if (r->status < 0 || r->n_blocks == 0)
		return;
	struct recorded_block *b = &r->blocks[r->n_blocks - 1];
	b->has_chances = true;
	b->words = words;
	b->chance[0] = first;
	b->chance[1] = second;
}

static void on_reason(void *arg, int stage, const char *words, double log_odds)
{
	struct recording *r = arg;
	struct recorded_reason *reason = r->n_blocks ? ROOM(r, reasons) : NULL;
	if (!reason)
		return;
	struct recorded_block *b = &r->blocks[r->n_blocks - 1];
	b->reasons_from = b->n_reasons ? b->reasons_from : r->n_reasons;
	b->n_reasons++;
	*reason = (struct recorded_reason){ .stage = stage, .log_odds = log_odds };
	reason->words_from = keep(r, slice_of(words, strlen(words) + 1));
	r->n_reasons++;
}

static void on_number(void *arg, const char *name, double value)
{
	struct recording *r = arg;
	struct recorded_number *n = ROOM(r, numbers);
	if (!n)
		return;
	*n = (struct recorded_number){ name, value };
	r->n_numbers++;
}

struct trace recording_trace(struct recording *r)
{
	return (struct trace){ r,        on_segment, on_smoothed, on_region, on_chosen,
			       on_block, on_chances, on_reason,   on_number };
}

void recording_free(struct recording *r)
{
	buf_free(&r->text);
	free(r->segments);
	free(r->regions);
	free(r->blocks);
	free(r->reasons);
	free(r->numbers);
}

double recording_number(const struct recording *r, const char *name, double other)
{
	for (size_t i = 0; i < r->n_numbers; i++) {
		if (strcmp(r->numbers[i].name, name) == 0)
			return r->numbers[i].value;
	}
	return other;
}
