/* SPDX-License-Identifier: MIT */
/*
 * The records that an index names, read as one input: pieces of files or of addresses, in the order of the index.
 *
 * A batch of pieces is either as many as fit into PIECE_BATCH, or, where more of them follow one another in one input,
 * all of these: they need no memory, because they are delivered as they come. Within a batch the pieces are sorted by
 * input and place.
 *
 * From the first to the last one of an input one request reads all where at least a half is wanted; otherwise pieces
 * are joined over gaps up to PIECE_GAP. Servers ask for that: many small requests cost them more than some bytes more.
 *
 * The pieces of a batch have a buffer each. What arrives is cut up over those that it belongs to, and a piece is handed
 * out when its turn comes, as it arrives or later. Where the batch is fetched in the order of the list, fetching waits
 * when HELD_MOST bytes have not been handed out. A piece whose length is not known is fetched in steps, each asked for
 * when the bytes before it did not do.
 *
 * Of the inputs of a batch the version of the file is kept, from the first reply, and why one has failed: in a list,
 * because a batch has pieces of few inputs that fail, and mostly of one.
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"
#include "base/system.h"
#include "io/source.h"
#include "io/transfer.h"

struct piece_inputs {
	struct piece_input *first;
};

struct piece_input {
	struct piece_input *next;
	size_t input;
	bool fault; /* `text` is why it failed; else its version */
	char text[];
};

static const char *find(const struct piece_inputs *all, size_t input, bool fault)
{
	const struct piece_input *i = all->first;
	while (i && (i->input != input || i->fault != fault))
		i = i->next;
	return i ? i->text : NULL;
}

static int add(struct piece_inputs *all, size_t input, bool fault, struct slice text)
{
	if (find(all, input, fault))
		return DANA_OK;
	struct piece_input *i = malloc(sizeof(*i) + text.len + 1);
	if (!i)
		return DANA_ENOMEM;
	*i = (struct piece_input){ .next = all->first, .input = input, .fault = fault };
	if (text.len)
		memcpy(i->text, text.data, text.len);
	i->text[text.len] = '\0';
	all->first = i;
	return DANA_OK;
}

/** Forgets all inputs but the version of `kept` (SIZE_MAX: none). */
static void piece_inputs_forget(struct piece_inputs *all, size_t kept)
{
	struct piece_input **at = &all->first;
	while (*at) {
		struct piece_input *i = *at;
		if (!i->fault && i->input == kept) {
			at = &i->next;
			continue;
		}
		*at = i->next;
		free(i);
	}
}

static uint64_t end_of(const struct input_piece *p)
{
	return p->length ? p->from + p->length : UINT64_MAX;
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct input_piece *pieces = arg;
	const struct input_piece *one = &pieces[*(const size_t *)a], *other = &pieces[*(const size_t *)b];
	if (one->input != other->input)
		return one->input < other->input ? -1 : 1;
	if (one->from != other->from)
		return one->from < other->from ? -1 : 1;
	return one < other ? -1 : 1;
}

/* Pieces first to last, which are of one input: more than their share of what lies between? */
static bool is_dense(const struct piece_plan *p, size_t first, size_t last)
{
	uint64_t wanted = 0, begin = p->pieces[p->order[first]].from, end = begin;
	for (size_t i = first; i < last; i++) {
		const struct input_piece *piece = &p->pieces[p->order[i]];
		uint64_t to = end_of(piece);
		if (to > end) {
			wanted += to - (piece->from > end ? piece->from : end);
			end = to;
		}
	}
	return wanted > (end - begin) / PIECE_SHARE;
}

static void add_span(struct piece_plan *p, size_t first, size_t last)
{
	struct span s = { .input = p->pieces[p->order[first]].input,
			  .from = p->pieces[p->order[first]].from,
			  .first = first,
			  .last = last };
	for (size_t i = first; i < last; i++) {
		uint64_t to = end_of(&p->pieces[p->order[i]]);
		s.to = to > s.to ? to : s.to;
	}
	p->spans[p->n_spans++] = s;
}

int piece_plan_make(struct piece_plan *p, const struct input_piece *pieces, size_t n)
{
	const struct grow_array arrays[] = { GROW_ARRAY(p->order), GROW_ARRAY(p->spans) };
	size_t run = 1, fitting = 0; /* how many follow one another in one input, and how many fit into a batch */
	uint64_t bytes = 0;
	while (run < n && pieces[run].length && pieces[run].input == pieces[0].input &&
	       pieces[run].from >= end_of(&pieces[run - 1]))
		run++;
	while (fitting < n && pieces[fitting].length && bytes + pieces[fitting].length <= PIECE_BATCH)
		bytes += pieces[fitting++].length;
	p->pieces = pieces;
	p->n = run > fitting ? run : fitting;
	p->n_spans = 0;
	if (grow_arrays(arrays, 2, p->n, &p->cap) < 0)
		return DANA_ENOMEM;
	for (size_t i = 0; i < p->n; i++)
		p->order[i] = i;
	system_sort(p->order, p->n, sizeof(*p->order), compare, (void *)(uintptr_t)pieces);
	p->in_order = true;
	for (size_t i = 0; i < p->n; i++)
		p->in_order &= p->order[i] == i;
	for (size_t first = 0, last; first < p->n; first = last) {
		for (last = first + 1; last < p->n; last++) {
			if (pieces[p->order[last]].input != pieces[p->order[first]].input)
				break;
		}
		if (pieces[p->order[first]].length && is_dense(p, first, last))
			add_span(p, first, last);
		else {
			/* Joins the pieces of one input over small gaps. */
			uint64_t end = end_of(&p->pieces[p->order[first]]);
			size_t begin = first;
			for (size_t i = first + 1; i < last; i++) {
				const struct input_piece *piece = &p->pieces[p->order[i]];
				if (piece->from > end && piece->from - end > PIECE_GAP) {
					add_span(p, begin, i);
					begin = i;
				}
				end = end_of(piece) > end ? end_of(piece) : end;
			}
			add_span(p, begin, last);
		}
	}
	return DANA_OK;
}

void piece_plan_free(struct piece_plan *p)
{
	free(p->order);
	free(p->spans);
	*p = (struct piece_plan){ 0 };
}

enum { HELD_MOST = 1 << 20, STEP_FIRST = 64 << 10, STEP_MOST = 1 << 20 };

struct batch_part {
	struct buf data; /* arrived, and not handed out */
	uint64_t got;    /* bytes that have arrived in all */
	bool over;       /* nothing more arrives */
};

struct piece_source {
	struct source source;
	struct piece_list list;
	struct fetch *fetch;
	size_t aimed;   /* input of the fetch; SIZE_MAX: none */
	uint64_t total; /* bytes of that input; UINT64_MAX: not known */
	struct piece_inputs inputs;

	/* The batch. */
	struct piece_plan plan;
	size_t batch;             /* number of its first piece */
	struct batch_part *parts; /* of its pieces */
	size_t cap;
	uint64_t held; /* bytes in the parts */
	bool no_memory;

	/* The span that is fetched. */
	size_t span;         /* n_spans: none is left */
	uint64_t pos;        /* of the next byte that arrives */
	size_t cursor;       /* in plan.order: pieces before it have all their bytes */
	uint64_t step, stop; /* of a piece whose length is not known: bytes of the next step; end of this one */
	bool step_over;

	/* The piece that is delivered. */
	size_t current;
	struct buf given; /* chunk of the owner */
	size_t used;      /* of it */
	size_t chunk_most;
	bool idle; /* the owner waits for an event */
	bool opened, delivering, quiet;
};

static const struct input_piece *piece_of(const struct piece_source *s, size_t in_batch)
{
	return &s->plan.pieces[in_batch];
}

static struct batch_part *current_part(struct piece_source *s)
{
	return &s->parts[s->current - s->batch];
}

static bool is_stepwise(const struct piece_source *s)
{
	return s->span < s->plan.n_spans && s->plan.spans[s->span].to == UINT64_MAX;
}

/* ---- spans ---- */

static void end_span(struct piece_source *s)
{
	const struct span *span = &s->plan.spans[s->span++];
	for (size_t i = span->first; i < span->last; i++)
		s->parts[s->plan.order[i]].over = true;
}

static void input_failed(struct piece_source *s, size_t input, const char *why)
{
	s->list.failed[input] = true;
	s->aimed = SIZE_MAX;
	s->no_memory |= add(&s->inputs, input, true, slice_from_text(why)) < 0;
}

static void next_step(struct piece_source *s)
{
	s->step_over = false;
	s->stop = s->pos + s->step;
	s->step = s->step < STEP_MOST ? 2 * s->step : s->step;
	fetch_begin(s->fetch, s->pos, s->stop);
}

/* Begins the span at s->span, or the first one after it that can be fetched. */
static void begin_span(struct piece_source *s)
{
	struct error err = { 0 };
	for (; s->span < s->plan.n_spans; end_span(s)) {
		const struct span *span = &s->plan.spans[s->span];
		if (s->list.failed[span->input])
			continue;
		int status = DANA_OK;
		if (s->aimed != span->input) {
			s->aimed = span->input;
			s->total = UINT64_MAX;
			status = fetch_aim(s->fetch, s->list.addresses[span->input], s->list.inputs[span->input], &err);
		}
		if (status == DANA_OK) {
			if (span->from >= s->total)
				continue;
			if (!fetch_knows_ranges(s->fetch)) {
				/* Makes one span of this and all later ones of its input, which are side by side. */
				struct span *spans = s->plan.spans + s->span;
				size_t left = s->plan.n_spans - s->span, n = 1;
				while (n < left && spans[n].input == spans[0].input)
					n++;
				spans[0].last = spans[n - 1].last;
				for (size_t i = 1; i < n; i++)
					spans[0].to = spans[i].to > spans[0].to ? spans[i].to : spans[0].to;
				memmove(spans + 1, spans + n, (left - n) * sizeof(*spans));
				s->plan.n_spans -= n - 1;
			}
			s->pos = span->from;
			s->cursor = span->first;
			s->step = STEP_FIRST;
			if (span->to == UINT64_MAX)
				next_step(s);
			else
				fetch_begin(s->fetch, span->from, span->to);
			return;
		}
		input_failed(s, span->input, err.text);
	}
}

/* ---- to the owner ---- */

static void open_piece(struct piece_source *s)
{
	if (s->opened)
		return;
	s->opened = true;
	source_opened(&s->source);
}

/* Gives the next bytes of the piece; false when no bytes are left. */
static bool give(struct piece_source *s)
{
	struct batch_part *part = current_part(s);
	if (s->used == s->given.len) {
		if (part->data.len == 0)
			return false;
		buf_free(&s->given);
		s->given = part->data;
		part->data = (struct buf){ 0 };
		s->used = 0;
		s->held -= s->given.len;
		fetch_go_on(s->fetch);
	}
	struct slice chunk = slice_first(slice_skip(buf_slice(&s->given), s->used), s->chunk_most);
	s->used += chunk.len;
	open_piece(s);
	s->idle = false;
	s->source.events.chunk(s->source.events.arg, chunk);
	return true;
}

/* A piece of an input that has failed may still be whole. */
static bool is_whole(struct piece_source *s)
{
	uint64_t length = piece_of(s, s->current - s->batch)->length;
	return length && current_part(s)->got == length;
}

/* An owner that asks for more from within an event finds `delivering` set: nothing recurses. */
static void deliver(struct piece_source *s)
{
	if (s->delivering)
		return;
	s->delivering = true;
	while (s->idle && !s->quiet) {
		if (give(s))
			continue;
		if (!current_part(s)->over && !is_whole(s) && !s->no_memory)
			break;
		/* why the piece has failed; empty: its input failed before */
		const size_t input = piece_of(s, s->current - s->batch)->input;
		const char *why = find(&s->inputs, input, true); /* valid until piece_inputs_forget */
		if (s->no_memory)
			why = status_text(DANA_ENOMEM);
		else if (is_whole(s))
			why = NULL;
		else if (!why && s->list.failed[input])
			why = "";
		s->idle = false;
		if (why) {
			s->source.events.failed(s->source.events.arg, why);
			continue;
		}
		open_piece(s);
		s->source.events.end(s->source.events.arg);
	}
	s->delivering = false;
	if (s->idle && is_stepwise(s) && s->step_over && !s->quiet)
		next_step(s);
}

/* ---- from the network ---- */

static void on_opened(void *arg, uint64_t total)
{
	struct piece_source *s = arg;
	struct buf version = { 0 };
	s->total = total;
	if (fetch_identity(s->fetch, &version) < 0 || add(&s->inputs, s->aimed, false, buf_slice(&version)) < 0)
		s->no_memory = true;
	buf_free(&version);
}

static enum body_answer on_take(void *arg, struct slice bytes)
{
	struct piece_source *s = arg;
	const struct span *span = &s->plan.spans[s->span];
	for (size_t i = s->cursor; i < span->last; i++) {
		size_t in_batch = s->plan.order[i];
		if (piece_of(s, in_batch)->from >= s->pos + bytes.len)
			break;
		/* the piece's share of the bytes, which begin at s->pos */
		const struct input_piece *p = piece_of(s, in_batch);
		struct batch_part *part = &s->parts[in_batch];
		uint64_t at = p->from + part->got;
		if (at < s->pos || at >= s->pos + bytes.len || s->batch + in_batch < s->current)
			continue;
		struct slice own = slice_skip(bytes, (size_t)(at - s->pos));
		if (p->length && p->length - part->got < own.len)
			own.len = (size_t)(p->length - part->got);
		part->got += own.len;
		s->held += own.len;
		s->no_memory |= buf_append(&part->data, own.data, own.len) < 0;
	}
	s->pos += bytes.len;
	for (; s->cursor < span->last; s->cursor++) {
		const struct input_piece *p = piece_of(s, s->plan.order[s->cursor]);
		if (!p->length || p->from + p->length > s->pos)
			break;
	}
	return s->plan.in_order && s->held >= HELD_MOST ? BODY_TAKEN_LAST : BODY_TAKEN;
}

static void on_arrived(void *arg)
{
	deliver(arg);
}

static void on_end(void *arg)
{
	struct piece_source *s = arg;
	/* A step that came whole: more is asked for when it is wanted. */
	s->step_over = is_stepwise(s) && s->pos == s->stop;
	if (!s->step_over) {
		end_span(s);
		begin_span(s);
	}
	deliver(s);
}

static void on_failed(void *arg, const char *why)
{
	struct piece_source *s = arg;
	input_failed(s, s->plan.spans[s->span].input, why);
	begin_span(s);
	deliver(s);
}

/* ---- from the owner ---- */

static void drop_parts(struct piece_source *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		s->held -= s->parts[i].data.len;
		buf_free(&s->parts[i].data);
	}
}

static int begin_batch(struct piece_source *s, size_t number)
{
	const struct grow_array parts = GROW_ARRAY(s->parts);
	piece_inputs_forget(&s->inputs, s->aimed);
	s->batch = s->current = number;
	if (piece_plan_make(&s->plan, s->list.pieces + number, s->list.n - number) < 0 ||
	    grow_arrays(&parts, 1, s->plan.n, &s->cap) < 0)
		return DANA_ENOMEM;
	memset(s->parts, 0, s->plan.n * sizeof(*s->parts));
	s->span = 0;
	begin_span(s);
	return DANA_OK;
}

void piece_source_begin(struct source *source, size_t number)
{
	struct piece_source *s = (struct piece_source *)source;
	size_t end = s->batch + s->plan.n;
	buf_free(&s->given);
	s->used = 0;
	s->opened = false;
	s->idle = true;
	drop_parts(s, s->current - s->batch, (number < end ? number : end) - s->batch);
	s->current = number;
	if (number >= end && begin_batch(s, number) < 0) {
		s->source.events.failed(s->source.events.arg, status_text(DANA_ENOMEM));
		return;
	}
	deliver(s);
}

static void piece_next(struct source *source)
{
	struct piece_source *s = (struct piece_source *)source;
	s->idle = true;
	deliver(s);
}

/* That of the piece that is delivered: another input's may be fetched already. */
static int piece_identity(struct source *source, struct buf *out)
{
	struct piece_source *s = (struct piece_source *)source;
	const char *known = find(&s->inputs, piece_of(s, s->current - s->batch)->input, false);
	return known ? buf_append_text(out, known) : DANA_ECONFIG;
}

static struct source_counts piece_counts(const struct source *source)
{
	const struct piece_source *s = (const struct piece_source *)source;
	struct fetch_counts c = fetch_counts(s->fetch);
	return (struct source_counts){ c.requests, c.retries, c.bytes };
}

static void piece_free(struct source *source)
{
	struct piece_source *s = (struct piece_source *)source;
	s->quiet = true;
	fetch_free(s->fetch);
	drop_parts(s, 0, s->plan.n);
	piece_inputs_forget(&s->inputs, SIZE_MAX);
	piece_plan_free(&s->plan);
	free(s->parts);
	buf_free(&s->given);
	free(s);
}

static const struct source_ops piece_ops = {
	.name = "pieces",
	.next = piece_next,
	.identity = piece_identity,
	.counts = piece_counts,
	.free = piece_free,
};

int piece_source_open(struct source **out, struct network_session *session, const struct piece_list *list,
		      const struct source_events *events, struct error *err)
{
	struct piece_source *s = calloc(1, sizeof(*s));
	const struct fetch_events fetch_events = { on_opened, on_take, on_arrived, on_end, on_failed, s, true };
	if (s)
		s->fetch = fetch_new(session, &fetch_events);
	if (!s || !s->fetch) {
		free(s);
		return error_no_memory(err);
	}
	s->source = (struct source){ .ops = &piece_ops, .events = *events, .size = UINT64_MAX, .fd = -1 };
	s->list = *list;
	s->aimed = SIZE_MAX;
	s->chunk_most = source_read_size();
	*out = &s->source;
	return DANA_OK;
}
