/* SPDX-License-Identifier: MIT */
/*
 * Holds records until a window of pages of their sites is full (--site window).
 *
 * A page is read twice: once for its lines and for what the method learned thinks of its places, and once when its
 * window is full. What waits is the
 * record as it came, so that plugins, Markdown and all other methods get of it what they would get without a window.
 *
 * A record that gives no page waits without the part of its block that nobody reads: counting stops where its
 * processor wants no more, and that is looked at after 4, 8, 16 KiB of a block and so on, so that it does not depend on
 * how the block was cut. The processor that follows refuses the record by the same bytes, as it has the same filters
 * and perhaps more.
 *
 * Example with windows of 100 KiB: records of 60, 30, 20 and 80 KiB come. The third one fills the window: a table is
 * made of the three, and they are passed on while the fourth begins the next window. When that is full before all three
 * are passed on, no input is read until they are.
 */
#include "config.h"

#include "run/window.h"

#include <stdlib.h>

#include "archive/plugin/plugins.h"
#include "base/arena.h"
#include "base/buf.h"
#include "dedup/line_table.h"
#include "dedup/site_table.h"
#include "run/checkpoint.h"
#include "run/handoff.h"

enum {
	STEP_LEAST = 4 << 10,
	STEP_MOST = 64 << 10,
	RECORD_BYTES = 512, /* that a record takes besides its head and block */
	FIELD_BYTES = 64,   /* the same for a field of its head */
	KEPT_BLOCK = 1 << 20,
};

/* The result of counting a record. Its pairs follow it in the buffer that goes to the window. */
struct counted {
	struct record_end end;
	struct slice block; /* what is kept of it */
	uint64_t scope;     /* 0: it is no page that counts */
	size_t pairs;       /* bytes */
};

/* Counts what pages have: one for each worker. */
struct counter {
	struct record_sink records;
	struct document_sink pages; /* of the processor */
	struct document_sink *next; /* gets a document for each record, whose `html` is a struct counted */
	struct processor *processor;

	/* Of the record under way. */
	const struct record *record;
	struct buf copy;
	struct slice block; /* what has come of it: the copy, or memory that stays */
	size_t seen;        /* bytes that the processor has */
	bool wanted;
	uint64_t scope;
	struct buf pairs, out;
};

/* A record that waits. */
struct waiting_page {
	struct waiting_page *next;
	bool is_region;
	struct record record; /* of a region: its number, offset, id and URI */
	struct record_end end;
	size_t block_start, block_len; /* in the window's blocks, which move while it fills */
};

struct window {
	struct arena *arena; /* of records */
	struct buf blocks;
	struct waiting_page *first, *last;
	uint64_t bytes;
	struct buf lines, scopes;  /* as line_table_of_pairs takes them */
	struct resume_point point; /* at or before its first record, ... */
	uint64_t number;           /* ... which has this number */
};

struct site_window {
	struct document_sink counted; /* without workers */
	struct site_window_config config;
	struct processor_config processor; /* that counts */
	struct counter *counter;           /* without workers, else: */
	struct handoff *counters;
	struct archive_dates unused; /* of counters */
	struct site_table *table;

	/* Of the input under way. */
	struct record_sink *next;
	struct handoff *workers;
	uint64_t first, until;
	struct window fills, passes;
	bool ends, dropped;
};

/* ---- counting ---- */

static int count_page(struct document_sink *self, const struct outcome *outcome)
{
	struct counter *c = (struct counter *)((char *)self - offsetof(struct counter, pages));
	/* all that the method has seen counts, as in a first pass */
	const struct slice pairs = site_learned_pairs(outcome->learned, &c->scope);
	return buf_append(&c->pairs, pairs.data, pairs.len);
}

static int no_finish(struct document_sink *self)
{
	(void)self;
	return DANA_OK;
}

static const struct document_sink_ops page_ops = { "counter", count_page, no_finish };

static int counter_begin(struct record_sink *self, const struct record *rec)
{
	struct counter *c = (struct counter *)self;
	struct record_sink *records = processor_records(c->processor);
	buf_shrink(&c->copy, KEPT_BLOCK);
	buf_clear(&c->pairs);
	c->record = rec;
	c->block = slice_of(NULL, 0);
	c->seen = 0;
	c->scope = 0;
	const int wish = records->ops->begin(records, rec);
	c->wanted = wish == RECORD_WANTED;
	return wish;
}

/* Passes bytes of the block on; what comes after them is not kept if they are enough. */
static int count_bytes(struct counter *c, size_t n)
{
	struct record_sink *records = processor_records(c->processor);
	const int wish = records->ops->body(records, slice_first(slice_skip(c->block, c->seen), n));
	c->seen += n;
	c->wanted = wish == RECORD_WANTED;
	if (!c->wanted)
		c->block = slice_first(c->block, c->seen);
	return wish;
}

static int counter_body(struct record_sink *self, struct slice bytes)
{
	struct counter *c = (struct counter *)self;
	int wish = RECORD_WANTED;
	if (!c->wanted)
		return RECORD_UNWANTED;
	if (bytes.data == c->record->stays.data && bytes.len == c->record->stays.len) {
		c->block = bytes; /* all of it */
	} else {
		if (buf_append(&c->copy, bytes.data, bytes.len) < 0)
			return DANA_ENOMEM;
		c->block = buf_slice(&c->copy);
	}
	while (wish == RECORD_WANTED) {
		size_t step = c->seen < STEP_LEAST ? STEP_LEAST : c->seen;
		step = step < STEP_MOST ? step : STEP_MOST;
		if (c->block.len - c->seen < step)
			break;
		wish = count_bytes(c, step);
	}
	return wish;
}

static int counter_end(struct record_sink *self, const struct record_end *end)
{
	struct counter *c = (struct counter *)self;
	struct record_sink *records = processor_records(c->processor);
	int status = DANA_OK;
	if (end->damaged)
		c->block.len = 0; /* its outcome is known */
	else if (c->wanted && c->block.len > c->seen)
		status = count_bytes(c, c->block.len - c->seen);
	if (status >= 0)
		status = records->ops->end(records, end);
	if (status < 0)
		return status;
	const struct counted counted = { .end = *end, .block = c->block, .scope = c->scope, .pairs = c->pairs.len };
	buf_clear(&c->out);
	buf_append(&c->out, &counted, sizeof(counted));
	buf_append(&c->out, c->pairs.data, c->pairs.len);
	struct document doc = { .record = c->record, .html = buf_slice(&c->out) };
	const struct outcome outcome = { .kind = OUTCOME_DOCUMENT,
					 .seq = c->record->seq,
					 .offset = c->record->offset,
					 .document = &doc };
	status = buf_status(&c->out);
	return status < 0 ? status : c->next->ops->outcome(c->next, &outcome);
}

static int counter_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			  const struct record_end *end)
{
	struct counter *c = (struct counter *)self;
	const struct outcome outcome = outcome_of_region(seq, offset, id, uri, end);
	return c->next->ops->outcome(c->next, &outcome);
}

static const struct record_sink_ops counter_ops = { "counter", counter_begin, counter_body, counter_end,
						    counter_damage };

static void counter_close(void *stage)
{
	struct counter *c = stage;
	if (!c)
		return;
	processor_free(c->processor);
	buf_free(&c->copy);
	buf_free(&c->pairs);
	buf_free(&c->out);
	free(c);
}

static void *counter_open(void *arg, struct document_sink *next, struct error *err)
{
	const struct site_window *w = arg;
	struct counter *c = calloc(1, sizeof(*c));
	if (c) {
		c->records.ops = &counter_ops;
		c->pages.ops = &page_ops;
		c->next = next;
	}
	if (!c) {
		(void)error_no_memory(err);
	} else {
		struct processor_config own = w->processor;
		own.texts.sites = &site_collectors;
		c->processor = processor_new(&own, &c->pages, err);
	}
	if (c && c->processor)
		return c;
	counter_close(c);
	return NULL;
}

static struct record_sink *counter_records(void *stage)
{
	return &((struct counter *)stage)->records;
}

static void counter_context(void *stage, const char *file, struct slice warcinfo_date)
{
	(void)stage, (void)file, (void)warcinfo_date;
}

static const char *counter_fault(void *stage)
{
	return processor_fault(((struct counter *)stage)->processor);
}

static const struct handoff_stage_ops stage_ops = { counter_open, counter_records, counter_context, counter_close,
						    counter_fault };

static int put_counted(void *arg, struct document *doc, struct buf *out)
{
	(void)arg;
	return buf_append(out, doc->html.data, doc->html.len);
}

/* ---- windows ---- */

/* Most of the memory stays for the next window. */
static void clear(struct window *v)
{
	arena_reset(v->arena);
	v->first = v->last = NULL;
	v->bytes = 0;
	buf_clear(&v->blocks);
	buf_clear(&v->lines);
	buf_clear(&v->scopes);
}

/* Passes the oldest record on. */
static int pass(struct site_window *w)
{
	struct record_sink *next = w->next;
	struct waiting_page *k = w->passes.first;
	struct record *rec = &k->record;
	w->passes.first = k->next;
	if (rec->seq < w->until)
		return k->is_region ? DANA_OK : archive_dates_note(w->config.dates, rec);
	if (k->is_region)
		return next->ops->damage(next, rec->seq, rec->offset, rec->record_id, rec->target_uri, &k->end);
	rec->stays = slice_first(slice_skip(buf_slice(&w->passes.blocks), k->block_start), k->block_len);
	int result = next->ops->begin(next, rec);
	if (result == RECORD_WANTED && k->block_len)
		result = next->ops->body(next, rec->stays);
	return result < 0 ? result : next->ops->end(next, &k->end);
}

/* The window that fills is whole: it is the next one to be passed on, after all of the one before. */
static int turn(struct site_window *w)
{
	struct window whole = w->fills;
	struct line_table lines;
	int status = DANA_OK;
	while (w->passes.first && status == DANA_OK)
		status = pass(w);
	if (status == DANA_OK && w->workers)
		status = handoff_finish(w->workers);
	if (status == DANA_OK)
		status = line_table_of_pairs(&lines, &whole.lines, &whole.scopes);
	if (status < 0)
		return status;
	site_table_take(w->table, &lines);
	/* before the first of its records */
	buf_clear(&whole.point.warcinfo_date);
	status = buf_append(&whole.point.warcinfo_date, w->config.dates->warcinfo_date.data,
			    w->config.dates->warcinfo_date.len);
	w->fills = w->passes;
	w->passes = whole;
	clear(&w->fills);
	return status;
}

static int pass_some(struct site_window *w)
{
	int status = DANA_OK;
	const bool any = w->passes.first;
	while (w->passes.first && status == DANA_OK && w->config.wants(w->config.arg))
		status = pass(w);
	if (any && w->workers && status == DANA_OK && !w->passes.first)
		handoff_flush(w->workers); /* more may come late */
	return status;
}

static int keep_slice(struct arena *a, struct slice *s)
{
	if (s->len)
		*s = arena_copy(a, *s);
	return s->len && !s->data ? DANA_ENOMEM : DANA_OK;
}

/* A record is counted, or a region has come; in the order of the input. */
static int keep(struct site_window *w, const struct outcome *outcome, struct slice bytes)
{
	struct window *v = &w->fills;
	struct counted counted = { .scope = 0 };
	if (w->dropped || outcome->seq < w->first)
		return DANA_OK;
	struct waiting_page *k = arena_alloc(v->arena, sizeof(*k));
	if (!k)
		return DANA_ENOMEM;
	*k = (struct waiting_page){ .is_region = outcome->kind == OUTCOME_DAMAGED, .block_start = v->blocks.len };
	int status = DANA_OK;
	uint64_t size = RECORD_BYTES;
	if (!v->first) {
		v->number = outcome->seq;
		status = resume_point_copy(&v->point, w->counters ? handoff_point(w->counters) : w->config.point);
	}
	if (k->is_region) {
		k->record = (struct record){ .seq = outcome->seq,
					     .offset = outcome->offset,
					     .record_id = outcome->id,
					     .target_uri = outcome->uri };
		k->end = *outcome->damage;
		size += outcome->id.len + outcome->uri.len;
		if (keep_slice(v->arena, &k->record.record_id) < 0 || keep_slice(v->arena, &k->record.target_uri) < 0)
			return DANA_ENOMEM;
	} else {
		const struct record *rec = outcome->document->record;
		memcpy(&counted, bytes.data, sizeof(counted));
		k->end = counted.end;
		k->block_len = counted.block.len;
		for (size_t i = 0; i < rec->n_fields; i++)
			size += FIELD_BYTES + 2 * (rec->fields[i].name.len + rec->fields[i].value.len);
		size += k->block_len + counted.pairs;
		if (record_copy(&k->record, rec, v->arena) < 0)
			return DANA_ENOMEM;
		buf_append(&v->blocks, counted.block.data, counted.block.len);
		k->record.number_asked = NULL;
		buf_append(&v->lines, bytes.data + sizeof(counted), counted.pairs);
		if (counted.scope)
			buf_append(&v->scopes, &(struct pair){ counted.scope, 1 }, sizeof(struct pair));
	}
	if (status < 0 || buf_status(&v->blocks) < 0 || buf_status(&v->lines) < 0 || buf_status(&v->scopes) < 0)
		return DANA_ENOMEM;
	if (v->last)
		v->last->next = k;
	else
		v->first = k;
	v->last = k;
	v->bytes += size;
	if (v->bytes >= w->config.bytes)
		status = turn(w);
	return status < 0 ? status : pass_some(w);
}

static int take(void *arg, const struct outcome *outcome, const struct slice *formatted)
{
	return keep(arg, outcome, formatted ? *formatted : slice_of(NULL, 0));
}

static int take_counted(struct document_sink *self, const struct outcome *outcome)
{
	struct site_window *w = (struct site_window *)self;
	return keep(w, outcome, outcome->document ? outcome->document->html : slice_of(NULL, 0));
}

static const struct document_sink_ops counted_ops = { "window", take_counted, no_finish };

/* ---- the stage ---- */

static int refuses(void *arg, const struct record *rec)
{
	const struct site_window *w = arg;
	return w->config.refuses(w->config.arg, rec);
}

static void wake(void *arg)
{
	const struct site_window *w = arg;
	w->config.wake(w->config.arg);
}

static bool open_parts(struct site_window *w, struct error *err)
{
	const struct site_window_config *c = &w->config;
	const struct handoff_config workers = { .jobs = c->jobs,
						.in_flight = c->processor->limits->in_flight,
						.dates = &w->unused,
						.stage = &stage_ops,
						.arg = w,
						.refuses = refuses,
						.point = c->point,
						.limits = c->processor->limits,
						.format = put_counted,
						.take = take,
						.wake = wake };
	w->fills.arena = arena_new();
	w->passes.arena = arena_new();
	if (!w->fills.arena || !w->passes.arena) {
		(void)error_no_memory(err);
		return false;
	}
	w->table = site_table_empty(err);
	if (w->table && c->jobs)
		w->counters = handoff_new(&workers, err);
	else if (w->table)
		w->counter = counter_open(w, &w->counted, err);
	return w->counters || w->counter;
}

struct site_window *site_window_new(const struct site_window_config *config, struct error *err)
{
	struct site_window *w = calloc(1, sizeof(*w));
	if (!w) {
		(void)error_no_memory(err);
		return NULL;
	}
	w->counted.ops = &counted_ops;
	w->config = *config;
	/* as the first pass of --site auto reads pages */
	w->processor = (struct processor_config){ .limits = config->processor->limits,
						  .choice = config->processor->choice,
						  .plugins = config->plugins,
						  .needs_uri = config->processor->needs_uri,
						  .read_file = config->processor->read_file,
						  .read_arg = config->processor->read_arg,
						  .method = "learned" };
	/* what it thinks of a place is compared with what the processor thinks */
	if (strncmp(config->processor->method, w->processor.method, strlen(w->processor.method)) == 0)
		w->processor.method = config->processor->method;
	if (!w->processor.choice.require_digest)
		w->processor.choice.check_digests = DIGESTS_NEVER;
	if (open_parts(w, err))
		return w;
	site_window_free(w);
	return NULL;
}

const struct site_sources *site_window_sources(const struct site_window *w)
{
	return site_table_sources(w->table);
}

struct record_sink *site_window_records(struct site_window *w)
{
	return w->counters ? handoff_records(w->counters) : &w->counter->records;
}

int site_window_input(struct site_window *w, struct record_sink *next, struct handoff *workers,
		      const struct resume_point *from, uint64_t first, uint64_t until)
{
	w->next = next;
	w->workers = workers;
	w->passes.number = w->first = first;
	w->until = until;
	w->ends = w->dropped = false;
	if (w->counters)
		handoff_input(w->counters, "-");
	return resume_point_copy(&w->passes.point, from);
}

bool site_window_wants_input(const struct site_window *w)
{
	return (!w->counters || handoff_wants_input(w->counters)) &&
	       !(w->passes.first && w->fills.bytes >= w->config.bytes / 2);
}

void site_window_flush(struct site_window *w)
{
	if (w->counters)
		handoff_flush(w->counters);
}

int site_window_move(struct site_window *w)
{
	int status = w->counters ? handoff_drain(w->counters) : DANA_OK;
	if (status == DANA_OK)
		status = pass_some(w);
	if (status == DANA_OK && w->ends && !w->passes.first && w->fills.first) {
		status = turn(w);
		if (status == DANA_OK)
			status = pass_some(w);
	}
	return status;
}

int site_window_end(struct site_window *w)
{
	int status = w->counters ? handoff_finish(w->counters) : DANA_OK;
	w->ends = true;
	return status < 0 ? status : site_window_move(w);
}

bool site_window_is_empty(const struct site_window *w)
{
	return !w->passes.first && !w->fills.first;
}

void site_window_drop(struct site_window *w)
{
	w->dropped = true;
	if (w->counters)
		(void)handoff_finish(w->counters);
	clear(&w->fills);
	clear(&w->passes);
}

const struct resume_point *site_window_point(const struct site_window *w)
{
	return &w->passes.point;
}

uint64_t site_window_first(const struct site_window *w)
{
	return w->passes.number;
}

static void window_free(struct window *v)
{
	arena_free(v->arena);
	buf_free(&v->blocks);
	buf_free(&v->lines);
	buf_free(&v->scopes);
	buf_free(&v->point.warcinfo_date);
}

void site_window_free(struct site_window *w)
{
	if (!w)
		return;
	handoff_free(w->counters);
	counter_close(w->counter);
	archive_dates_free(&w->unused);
	site_table_free(w->table);
	window_free(&w->fills);
	window_free(&w->passes);
	free(w);
}
