/* SPDX-License-Identifier: MIT */
/* The worker pool against the same stage called directly: same outcomes, same order, for every number of workers. */
#include "config.h"

#include <stdatomic.h>

#include "base/hash.h"
#include "run/handoff.h"
#include "support/unit.h"

enum { RECORDS = 3000 };

/*
 * A stage that makes "seq hash file date" of a record; every seventh is skipped, and bodies of 13 bytes fail when
 * asked to.
 */
struct stage {
	struct record_sink records;
	struct document_sink *next;
	const struct record *record;
	const char *file;
	struct slice date;
	uint32_t hash;
	bool fails;
};

static int stage_begin(struct record_sink *self, const struct record *rec)
{
	struct stage *s = (struct stage *)self;
	s->record = rec;
	s->hash = HASH_FNV32_START;
	return rec->type == RECORD_REQUEST ? RECORD_UNWANTED : RECORD_WANTED;
}

static int stage_body(struct record_sink *self, struct slice bytes)
{
	struct stage *s = (struct stage *)self;
	s->hash = hash_fnv32(bytes, s->hash);
	return s->fails && bytes.len == 13 ? DANA_ENOMEM : RECORD_WANTED;
}

static int stage_end(struct record_sink *self, const struct record_end *end)
{
	struct stage *s = (struct stage *)self;
	char text[200];
	int n = snprintf(text, sizeof(text), "%llu %08x %s %.*s\n", (unsigned long long)s->record->seq, s->hash,
			 s->file, (int)s->date.len, (const char *)s->date.data);
	struct document doc = { .record = s->record, .text = slice_of(text, (size_t)n), .method = "fake" };
	struct outcome outcome = { .kind = OUTCOME_DOCUMENT,
				   .seq = s->record->seq,
				   .offset = s->record->offset,
				   .id = s->record->record_id,
				   .document = &doc };
	if (end->damaged) {
		outcome.kind = OUTCOME_DAMAGED;
		outcome.damage = end;
	} else if (s->record->type == RECORD_REQUEST) {
		outcome.kind = OUTCOME_SKIPPED;
		outcome.skipped = SKIP_TYPE;
	}
	return s->next->ops->outcome(s->next, &outcome);
}

static int stage_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	struct stage *s = (struct stage *)self;
	struct outcome outcome = outcome_of_region(seq, offset, id, uri, end);
	return s->next->ops->outcome(s->next, &outcome);
}

static const struct record_sink_ops stage_records_ops = { "stage", stage_begin, stage_body, stage_end, stage_damage };

/* What comes out, as text. */
struct log {
	struct document_sink sink; /* for the direct way */
	struct buf text;
	bool fails;     /* the stages that are opened fail */
	int takes_left; /* then take fails; -1 = never */
	uint64_t next_seq;
	atomic_int wakes;
};

static int log_take(void *arg, const struct outcome *outcome, const struct slice *formatted)
{
	struct log *l = arg;
	assert_true(outcome->seq == l->next_seq);
	l->next_seq++;
	if (l->takes_left == 0)
		return DANA_EIO;
	if (l->takes_left > 0)
		l->takes_left--;
	switch (outcome->kind) {
	case OUTCOME_DOCUMENT:
		assert_string_equal(outcome->document->method, "fake");
		return buf_append(&l->text, formatted->data, formatted->len);
	case OUTCOME_SKIPPED:
		return buf_printf(&l->text, "skipped %s\n", skip_word(outcome->skipped));
	default:
		return buf_printf(&l->text, "damaged %s %s %.*s\n", damage_word(outcome->damage->reason),
				  outcome->damage->detail, (int)outcome->id.len, (const char *)outcome->id.data);
	}
}

static int log_format(void *arg, struct document *doc, struct buf *out)
{
	(void)arg;
	return buf_append(out, doc->text.data, doc->text.len);
}

static int log_outcome(struct document_sink *self, const struct outcome *outcome)
{
	struct log *l = (struct log *)self;
	AUTO_BUF formatted = { 0 };
	if (outcome->kind == OUTCOME_DOCUMENT)
		assert_int_equal(log_format(l, outcome->document, &formatted), 0);
	const struct slice document = buf_slice(&formatted);
	return log_take(l, outcome, &document);
}

static const struct document_sink_ops log_ops = { "log", log_outcome, NULL };

static void *stage_open(void *arg, struct document_sink *next, struct error *err)
{
	struct log *l = arg;
	struct stage *s = calloc(1, sizeof(*s));
	(void)err;
	assert_non_null(s);
	s->records.ops = &stage_records_ops;
	s->next = next;
	s->file = "-";
	s->fails = l->fails;
	return s;
}

static struct record_sink *stage_records(void *stage)
{
	return &((struct stage *)stage)->records;
}

static void stage_context(void *stage, const char *file, struct slice date)
{
	struct stage *s = stage;
	s->file = file;
	s->date = date;
}

static const char *stage_fault(void *stage)
{
	return ((struct stage *)stage)->fails ? "the stage said why" : "";
}

static const struct handoff_stage_ops stage_ops = { stage_open, stage_records, stage_context, free, stage_fault };

static int refuses(void *arg, const struct record *rec)
{
	(void)arg;
	return rec->type == RECORD_REQUEST;
}

static void wake(void *arg)
{
	atomic_fetch_add(&((struct log *)arg)->wakes, 1);
}

/* One record or region of a run that is the same for every call; pseudo random by its number. */
static int feed(struct record_sink *to, uint64_t seq)
{
	uint32_t r = (uint32_t)(seq * 2654435761U) >> 7;
	char id[32];
	(void)snprintf(id, sizeof(id), "urn:%u", r);
	struct record_end end = { .damaged = r % 11 == 0, .reason = DAMAGE_BAD_MEMBER };
	if (end.damaged)
		(void)snprintf(end.detail, sizeof(end.detail), "detail %u", r % 100);
	if (r % 23 == 0) {
		end.damaged = true;
		return to->ops->damage(to, seq, seq * 10, slice_from_text(id), slice_of(NULL, 0), &end);
	}
	struct field fields[] = { { slice_from_text("WARC-Record-ID"), slice_from_text(id) } };
	struct record rec = { .seq = seq,
			      .offset = seq * 10,
			      .record_id = slice_from_text(id),
			      .fields = fields,
			      .n_fields = 1 };
	rec.type = r % 7 == 0 ? RECORD_REQUEST : r % 31 == 0 ? RECORD_WARCINFO : RECORD_RESPONSE;
	rec.date = rec.record_id;
	int answer = to->ops->begin(to, &rec);
	for (uint32_t i = 0; i < r % 5 && answer == RECORD_WANTED; i++) {
		size_t len = 1 + (r >> i) % 700;
		char *exact = malloc(len); /* so that reading on is found */
		assert_non_null(exact);
		memset(exact, (int)('a' + i), len);
		answer = to->ops->body(to, slice_of(exact, len));
		free(exact);
	}
	return answer < 0 ? answer : to->ops->end(to, &end);
}

static void run_directly(struct log *l, uint64_t n)
{
	struct error err = { 0 };
	struct archive_dates dates = { 0 };
	l->sink.ops = &log_ops;
	struct stage *s = stage_open(l, &l->sink, &err);
	for (uint64_t seq = 0; seq < n; seq++) {
		uint32_t r = (uint32_t)(seq * 2654435761U) >> 7;
		char id[32];
		(void)snprintf(id, sizeof(id), "urn:%u", r);
		struct record rec = { .date = slice_from_text(id),
				      .type = r % 31 == 0 && r % 7 ? RECORD_WARCINFO : RECORD_OTHER };
		if (r % 23)
			assert_ok(archive_dates_note(&dates, &rec));
		stage_context(s, "file", buf_slice(&dates.warcinfo_date));
		assert_int_equal(feed(&s->records, seq), 0);
	}
	archive_dates_free(&dates);
	free(s);
}

/* A pool whose outcomes are logged. */
struct pool {
	struct log log;
	struct archive_dates dates;
	struct handoff *h;
	struct record_sink *to;
};

static void pool_open(struct pool *p, unsigned jobs, size_t in_flight)
{
	const struct handoff_config config = { .jobs = jobs,
					       .in_flight = in_flight,
					       .dates = &p->dates,
					       .stage = &stage_ops,
					       .arg = &p->log,
					       .refuses = refuses,
					       .format = log_format,
					       .take = log_take,
					       .wake = wake };
	struct error err = { 0 };
	p->h = handoff_new(&config, &err);
	assert_non_null(p->h);
	p->to = handoff_records(p->h);
}

static void pool_close(struct pool *p)
{
	handoff_free(p->h);
	archive_dates_free(&p->dates);
	buf_free(&p->log.text);
}

static void same_as_direct(unsigned jobs, size_t in_flight, bool obedient)
{
	struct log direct = { .takes_left = -1 };
	struct pool p = { .log.takes_left = -1 };
	run_directly(&direct, RECORDS);
	pool_open(&p, jobs, in_flight);
	handoff_input(p.h, "file");
	for (uint64_t seq = 0; seq < RECORDS; seq++) {
		while (obedient && !handoff_wants_input(p.h))
			assert_ok(handoff_drain(p.h));
		assert_ok(feed(p.to, seq));
	}
	assert_ok(handoff_finish(p.h));
	assert_true(handoff_wants_input(p.h));
	assert_string_equal(text_of(&p.log.text), text_of(&direct.text));
	buf_free(&direct.text);
	pool_close(&p);
}

TEST(order_is_kept)
{
	static const unsigned jobs[] = { 1, 2, 8 };
	for (size_t i = 0; i < 3; i++) {
		same_as_direct(jobs[i], SIZE_MAX, false);
		same_as_direct(jobs[i], SIZE_MAX, true);
		same_as_direct(jobs[i], 1000, true);
	}
}

TEST(oldest_done_wakes)
{
	struct pool p = { .log.takes_left = -1 };
	pool_open(&p, 2, SIZE_MAX);
	for (uint64_t seq = 0; seq < 10; seq++)
		assert_ok(feed(p.to, seq));
	handoff_flush(p.h);
	/* Without any further call from here, a wake must come for each time that the oldest record gets done. */
	while (p.log.next_seq < 10) {
		if (atomic_exchange(&p.log.wakes, 0))
			assert_ok(handoff_drain(p.h));
	}
	pool_close(&p);
}

/*
 * Threads wake each other for batches: most records are small or refused, and a switch of threads costs more than they
 * do.
 */
TEST(wakes_are_few)
{
	struct pool p = { .log.takes_left = -1 };
	pool_open(&p, 2, SIZE_MAX);
	for (uint64_t seq = 0; seq < RECORDS; seq++) {
		assert_ok(handoff_drain(p.h));
		assert_ok(feed(p.to, seq));
	}
	assert_ok(handoff_finish(p.h));
	assert_true(p.log.next_seq == RECORDS);
	assert_in_range(atomic_load(&p.log.wakes), 0, RECORDS / 50);
	pool_close(&p);
}

static void feed_body(struct pool *p, uint64_t seq, struct slice body)
{
	struct record rec = { .seq = seq, .type = RECORD_RESPONSE };
	assert_int_equal(p->to->ops->begin(p->to, &rec), RECORD_WANTED);
	assert_int_equal(p->to->ops->body(p->to, body), RECORD_WANTED);
}

/* Far more than a batch holds, alone and among small ones; the memory of such a block is not kept. */
TEST(large_records_pass)
{
	enum { LARGE = 3 << 20 };
	static uint8_t body[LARGE];
	struct pool p = { .log.takes_left = -1 };
	struct record_end end = { .damaged = false };
	AUTO_BUF expected = { 0 };
	pool_open(&p, 2, 1000);
	for (uint64_t seq = 0; seq < 30; seq++) {
		const struct slice part = slice_of(body, seq % 3 ? seq : LARGE);
		memset(body, (int)seq, part.len);
		feed_body(&p, seq, part);
		assert_ok(p.to->ops->end(p.to, &end));
		assert_ok(buf_printf(&expected, "%llu %08x - \n", (unsigned long long)seq,
				     hash_fnv32(part, HASH_FNV32_START)));
	}
	assert_ok(handoff_finish(p.h));
	assert_string_equal(text_of(&p.log.text), text_of(&expected));
	pool_close(&p);
}

TEST(unfinished_record_is_dropped)
{
	struct pool p = { .log.takes_left = -1 };
	char body[200] = "cut";
	pool_open(&p, 2, 100);
	assert_ok(feed(p.to, 0));
	feed_body(&p, 1, slice_of(body, sizeof(body)));
	assert_ok(handoff_finish(p.h));
	assert_true(p.log.next_seq == 1);
	/* The pool is as new. */
	assert_true(handoff_wants_input(p.h));
	assert_ok(feed(p.to, 1));
	assert_ok(handoff_finish(p.h));
	assert_true(p.log.next_seq == 2);
	pool_close(&p);
}

TEST(first_failure_stays)
{
	for (unsigned jobs = 1; jobs <= 4; jobs++) {
		struct pool p = { .log.takes_left = 50 };
		int status = 0;
		pool_open(&p, jobs, SIZE_MAX);
		/* More than the ring holds: the failure is told while records come. */
		for (uint64_t seq = 0; seq < (uint64_t)8 * RECORDS && status == 0; seq++)
			status = feed(p.to, seq);
		assert_int_equal(status, DANA_EIO);
		assert_int_equal(handoff_finish(p.h), DANA_EIO);
		pool_close(&p);
	}
}

TEST(workers_failure_is_told)
{
	struct pool p = { .log = { .takes_left = -1, .fails = true } };
	struct record_end end = { .damaged = false };
	pool_open(&p, 2, SIZE_MAX);
	feed_body(&p, 0, slice_from_text("thirteen byte"));
	assert_ok(p.to->ops->end(p.to, &end));
	assert_int_equal(handoff_finish(p.h), DANA_ENOMEM);
	assert_string_equal(handoff_fault(p.h), "the stage said why");
	pool_close(&p);
}
