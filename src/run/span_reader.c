/* SPDX-License-Identifier: MIT */
/*
 * Reads a span ahead of its turn, in a worker: a part of a compressed file, by a pump of its own, into the records and
 * documents that handoff.c takes if the span turns out to begin at a border.
 *
 * The pump is asked before each step whether it is at a border. The last border that it came to without damage is where
 * the span ends; what was made of records after it is forgotten. So of a span with damage the part before it counts,
 * and the damage itself is always read by the pump that reads in order.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/codec/codec.h"
#include "archive/warc/field.h"
#include "run/handoff.h"

enum {
	CHUNK = 256 << 10,
	BEYOND = 32 << 10,    /* bytes read at once after the end of a span, for the member that goes over it */
	BATCH_MOST = 4 << 20, /* bytes of heads and documents with which a span ends */
};

struct span_reader {
	struct record_sink sink; /* between the pump and the stage */
	struct span_reader_config config;
	struct record_sink *next;
	uint8_t *chunk;
	struct slice bytes; /* in `chunk`, of the span's file ... */
	uint64_t bytes_at;  /* ... from this offset on */
	bool file_ends;     /* after them */
	struct pump *pump;
	struct codec *finder; /* looks for the first member */
	unsigned container;   /* of it */

	/* Of the span under way. */
	struct input_span *span;
	bool spoilt;               /* what comes is not certain */
	bool warcinfo;             /* one has come, with the date in span->date ... */
	bool date_changed;         /* ... since the last border */
	struct batch_record *last; /* before the last border */
	size_t formatted;          /* bytes of documents there */
};

/* ---- records ---- */

static int begin(struct record_sink *self, const struct record *rec)
{
	struct span_reader *r = (struct span_reader *)self;
	struct input_span *s = r->span;
	if (rec->type == RECORD_WARCINFO) {
		r->warcinfo = r->date_changed = true;
		buf_clear(&s->date);
		buf_append(&s->date, rec->date.data, rec->date.len);
	}
	if (buf_status(&s->date) < 0 || batch_begin_borrowed(s->batch, rec) < 0)
		return DANA_ENOMEM;
	struct batch_record *record = s->batch->open;
	record->record.number_asked = &s->asked_number;
	r->config.record(r->config.arg, record);
	r->config.ops->context(r->config.stage, s->file, buf_slice(&s->date));
	int wish = r->next->ops->begin(r->next, &record->record);
	if (wish < 0)
		s->batch->open = NULL;
	return wish;
}

static int body(struct record_sink *self, struct slice bytes)
{
	struct span_reader *r = (struct span_reader *)self;
	return r->next->ops->body(r->next, bytes);
}

static int end(struct record_sink *self, const struct record_end *how)
{
	struct span_reader *r = (struct span_reader *)self;
	struct batch *b = r->span->batch;
	r->spoilt |= how->damaged || how->wrong_length;
	b->open->end = *how;
	int status = r->next->ops->end(r->next, how);
	batch_end(b, &b->open->end); /* as the stage has left it */
	return status;
}

static int damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
		  const struct record_end *how)
{
	(void)seq, (void)offset, (void)id, (void)uri, (void)how;
	((struct span_reader *)self)->spoilt = true;
	return DANA_OK;
}

static const struct record_sink_ops ops = { "span reader", begin, body, end, damage };

void span_reader_document(struct span_reader *r, const struct document *doc)
{
	char date[WARC_DATE_MAX];
	r->span->asked_date |= !r->warcinfo && !warc_date_normalise(doc->record->date, true, date);
}

/* ---- borders ---- */

static bool goes_on(void *arg)
{
	struct span_reader *r = arg;
	struct input_span *s = r->span;
	struct pump_place here;
	/* a segmented record is for the one that reads in order: what waits for it may be large */
	if (r->spoilt || pump_waits(r->pump) || atomic_load_explicit(&s->dropped, memory_order_relaxed))
		return false;
	if (!pump_border(r->pump, &here))
		return true;
	if (here.warc.seq == s->to.warc.seq) /* an empty member */
		return here.warc.offset < s->end;
	/* Going back costs from an account that the whole input shares, and a dictionary is for what comes after the
	 * span, too. */
	if (!(here.reread == s->from.reread && here.warc.reread == s->from.warc.reread &&
	      here.warc.arc == s->from.warc.arc && here.container == s->from.container &&
	      here.has_dictionary == s->from.has_dictionary && here.dictionary == s->from.dictionary))
		return false;
	s->to = here;
	r->last = s->batch->last;
	r->formatted = s->batch->formatted.len;
	if (r->date_changed) {
		r->date_changed = false;
		s->dated = true;
		buf_clear(&s->last_date);
		r->spoilt |= buf_append(&s->last_date, s->date.data, s->date.len) < 0;
	}
	return here.warc.offset < s->end && s->batch->bytes + s->batch->formatted.len < BATCH_MOST;
}

/* ---- reading ---- */

/* Bytes of the file, some of which may be there already. None: it is over, or cannot be read. */
static struct slice read_at(struct span_reader *r, uint64_t offset)
{
	const struct input_span *s = r->span;
	const uint64_t there = offset < s->fd_size ? s->fd_size - offset : 0;
	const uint64_t left = offset < s->end ? s->end - offset + BEYOND : BEYOND;
	const size_t wish = left < CHUNK ? (size_t)left : CHUNK, room = there < wish ? (size_t)there : wish;
	ssize_t n;
	if (offset >= r->bytes_at && offset - r->bytes_at < r->bytes.len)
		return slice_skip(r->bytes, (size_t)(offset - r->bytes_at));
	do
		n = pread(s->fd, r->chunk, room, (off_t)(s->fd_begin + offset));
	while (n < 0 && errno == EINTR);
	r->bytes = slice_of(r->chunk, n > 0 ? (size_t)n : 0);
	r->bytes_at = offset;
	r->file_ends = r->bytes.len < wish;
	return r->bytes;
}

static void close_finder(struct span_reader *r)
{
	if (r->finder)
		r->finder->ops->close(r->finder);
	r->finder = NULL;
}

/* The offset of the first member in the span that begins with a record. False: no member does. */
static bool find(struct span_reader *r, uint64_t *offset)
{
	const struct input_span *s = r->span;
	*offset = s->begin;
	if (s->sure)
		return true;
	if (!r->finder || r->container != s->like.container) {
		const struct codec_limits limits = { .window = r->config.limits->window };
		close_finder(r);
		r->finder = codec_containers[s->like.container - 1]->open(&limits);
		r->container = s->like.container;
		if (!r->finder)
			return false;
	}
	const struct codec_ops *codec = r->finder->ops;
	r->finder->memory = (struct codec_memory){ 0, 0 };
	while (*offset < s->end && !atomic_load_explicit(&s->dropped, memory_order_relaxed)) {
		const struct slice bytes = read_at(r, *offset);
		struct codec_in in = { bytes.data, bytes.len, 0 };
		const int result = codec->resync(r->finder, &in, RESYNC_AT_RECORD, r->file_ends);
		*offset += in.pos;
		if (result == 0)
			return *offset < s->end;
		if (result < 0)
			close_finder(r);
		if (result < 0 || r->file_ends || in.pos == 0)
			return false;
		r->bytes.len = 0; /* what it has left unread is read again, with more */
	}
	return false;
}

/* After a failure nothing else may be done with it. */
static void close_pump(struct span_reader *r)
{
	pump_free(r->pump);
	r->pump = NULL;
}

static bool start(struct span_reader *r, uint64_t offset)
{
	struct input_span *s = r->span;
	const struct pump_config config = { .next = &r->sink,
					    .limits = r->config.limits,
					    .wants_input = goes_on,
					    .arg = r,
					    .seekable = true,
					    .source_size = UINT64_MAX };
	if (!r->pump)
		r->pump = pump_new(&config);
	s->from = s->like;
	s->from.warc.offset = s->from.furthest = offset;
	s->to = s->from;
	if (r->pump && pump_start_at(r->pump, &s->from) == DANA_OK)
		return true;
	close_pump(r);
	return false;
}

/* The pump never learns that the input ends: that is for the one that reads in order. */
static void read_members(struct span_reader *r)
{
	uint64_t offset = pump_seek_offset(r->pump);
	int answer = PUMP_HUNGRY;
	while (answer == PUMP_HUNGRY) {
		const struct slice bytes = read_at(r, offset);
		if (bytes.len == 0)
			break;
		offset += bytes.len;
		answer = pump_push(r->pump, bytes);
		if (answer == PUMP_SEEK && pump_seek_offset(r->pump) == r->span->from.warc.offset) {
			offset = r->span->from.warc.offset; /* the dictionary is loaded */
			answer = PUMP_HUNGRY;
		}
	}
	/* A stage wants an end for each record that it was given. */
	const struct record_end broken = { .damaged = true, .reason = DAMAGE_TRUNCATED };
	if (r->span->batch->open)
		(void)r->next->ops->end(r->next, &broken); /* its head is the pump's */
	if (answer < 0)
		close_pump(r);
}

void span_reader_read(struct span_reader *r, struct input_span *s)
{
	uint64_t offset;
	r->span = s;
	r->spoilt = r->warcinfo = r->date_changed = false;
	r->last = NULL;
	r->formatted = 0;
	r->bytes.len = 0;
	s->from = s->to = s->like;
	s->asked_date = s->asked_number = s->dated = false;
	buf_clear(&s->date);
	r->spoilt |= buf_append(&s->date, s->like_date.data, s->like_date.len) < 0;
	r->next = r->config.ops->records(r->config.stage);
	if (find(r, &offset) && start(r, offset))
		read_members(r);
	batch_cut(s->batch, r->last, r->formatted);
}

struct span_reader *span_reader_new(const struct span_reader_config *config)
{
	struct span_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->sink.ops = &ops;
	r->config = *config;
	r->chunk = malloc(CHUNK);
	if (r->chunk)
		return r;
	free(r);
	return NULL;
}

void span_reader_free(struct span_reader *r)
{
	if (!r)
		return;
	close_pump(r);
	close_finder(r);
	free(r->chunk);
	free(r);
}
