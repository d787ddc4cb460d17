/* SPDX-License-Identifier: MIT */
/*
 * Spans that workers read ahead, against one pump that reads all in order: the same outcomes and sums, for archives of
 * every kind and after random changes, for spans of every size.
 */
#define _XOPEN_SOURCE 700
#include "config.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>

#include "archive/warc/field.h"
#include "base/hash.h"
#include "run/handoff.h"
#include "support/made_archive.h"
#include "support/scratch_file.h"
#include "support/unit.h"

enum { RECORDS = 60, ROUNDS = 12, CHUNK = 700 };

static const struct limits limits = LIMITS_DEFAULT;

/* ---- a stage ---- */

/*
 * Makes "offset hash length date" of a record. The date is that of the record, else that of the last warcinfo; asked
 * to, it takes the record's number too.
 */
struct stage {
	struct record_sink records;
	struct document_sink *next;
	const struct record *record;
	struct slice date;
	uint32_t hash;
	bool numbers;
};

static int stage_begin(struct record_sink *self, const struct record *rec)
{
	struct stage *s = (struct stage *)self;
	s->record = rec;
	s->hash = HASH_FNV32_START;
	return rec->type == RECORD_WARCINFO ? RECORD_UNWANTED : RECORD_WANTED;
}

static int stage_body(struct record_sink *self, struct slice bytes)
{
	struct stage *s = (struct stage *)self;
	s->hash = hash_fnv32(bytes, s->hash);
	return RECORD_WANTED;
}

static int stage_end(struct record_sink *self, const struct record_end *end)
{
	struct stage *s = (struct stage *)self;
	const struct record *rec = s->record;
	char text[200], date[WARC_DATE_MAX];
	(void)warc_date_choose(rec->date, s->date, true, date);
	int n = snprintf(text, sizeof(text), "%llu %08x +%llu %d %s %lld\n", (unsigned long long)rec->offset, s->hash,
			 (unsigned long long)(end->length_known ? end->length : 0), end->unverified, date,
			 s->numbers ? (long long)record_number(rec) : -1);
	struct document doc = { .record = rec, .text = slice_of(text, (size_t)n), .warcinfo_date = s->date };
	struct outcome outcome = { .kind = OUTCOME_DOCUMENT,
				   .seq = rec->seq,
				   .offset = rec->offset,
				   .id = rec->record_id,
				   .document = &doc };
	if (end->damaged) {
		outcome.kind = OUTCOME_DAMAGED;
		outcome.damage = end;
	} else if (rec->type == RECORD_WARCINFO) {
		outcome.kind = OUTCOME_SKIPPED;
		outcome.skipped = SKIP_TYPE;
	}
	return s->next->ops->outcome(s->next, &outcome);
}

static const struct record_sink_ops stage_records_ops = { "stage", stage_begin, stage_body, stage_end, NULL };

/* ---- a run ---- */

struct run {
	struct buf text;
	struct archive_dates dates;
	struct handoff *handoff;
	struct pump *pump;
	bool numbers;    /* the stage asks for them */
	bool formats;    /* ... and so does the form of a document, which is made at the end */
	unsigned passed; /* spans */
	atomic_int wakes;
};

static void *stage_open(void *arg, struct document_sink *next, struct error *err)
{
	struct stage *s = calloc(1, sizeof(*s));
	(void)err;
	assert_non_null(s);
	s->records.ops = &stage_records_ops;
	s->next = next;
	s->numbers = ((struct run *)arg)->numbers;
	return s;
}

static struct record_sink *stage_records(void *stage)
{
	return &((struct stage *)stage)->records;
}

static void stage_context(void *stage, const char *file, struct slice date)
{
	assert_string_equal(file, "file");
	((struct stage *)stage)->date = date;
}

static const char *stage_fault(void *stage)
{
	(void)stage;
	return "";
}

static const struct handoff_stage_ops stage_ops = { stage_open, stage_records, stage_context, free, stage_fault };

static int refuses(void *arg, const struct record *rec)
{
	(void)arg;
	return rec->type == RECORD_WARCINFO ? RECORD_UNWANTED : RECORD_WANTED;
}

static int format(void *arg, struct document *doc, struct buf *out)
{
	struct run *r = arg;
	if (r->formats)
		buf_printf(out, "number %llu ", (unsigned long long)record_number(doc->record));
	return buf_append(out, doc->text.data, doc->text.len);
}

static int take(void *arg, const struct outcome *outcome, const struct slice *formatted)
{
	struct run *r = arg;
	buf_printf(&r->text, "%llu %llu ", (unsigned long long)outcome->seq, (unsigned long long)outcome->offset);
	if (outcome->kind == OUTCOME_DOCUMENT)
		return formatted ? buf_append(&r->text, formatted->data, formatted->len)
				 : format(r, outcome->document, &r->text);
	if (outcome->kind == OUTCOME_DAMAGED)
		return buf_printf(&r->text, "damaged %s %s\n", damage_word(outcome->damage->reason),
				  outcome->damage->detail);
	return buf_printf(&r->text, "skipped %.*s\n", (int)outcome->id.len, (const char *)outcome->id.data);
}

static int passed(void *arg, const struct pump_place *place, bool dated)
{
	(void)place, (void)dated;
	((struct run *)arg)->passed++;
	return 0;
}

static void wake(void *arg)
{
	atomic_fetch_add(&((struct run *)arg)->wakes, 1);
}

static int at_border(void *arg)
{
	struct run *r = arg;
	return handoff_border(r->handoff, r->pump, 0);
}

static bool wants_input(void *arg)
{
	return handoff_wants_input(((struct run *)arg)->handoff);
}

/* As a pipeline does when its pump pauses. */
static int wait_for_workers(struct run *r)
{
	while (atomic_exchange(&r->wakes, 0) == 0)
		(void)sched_yield();
	assert_ok(handoff_drain(r->handoff));
	return pump_resume(r->pump);
}

/* Pushes the input in chunks, obeys, and writes the sums after the log. */
static void push_all(struct run *r, struct slice input)
{
	uint64_t at = 0;
	int answer = PUMP_HUNGRY;
	while (answer != PUMP_DONE) {
		struct slice chunk = slice_first(slice_skip(input, (size_t)at), CHUNK);
		answer = chunk.len ? pump_push(r->pump, chunk) : pump_finish(r->pump);
		while (answer == PUMP_PAUSED)
			answer = wait_for_workers(r);
		assert_in_range(answer, PUMP_HUNGRY, PUMP_DONE);
		at = answer == PUMP_SEEK ? pump_seek_offset(r->pump) : at + chunk.len;
		handoff_flush(r->handoff);
	}
	assert_ok(handoff_finish(r->handoff));
	struct pump_counts counts = pump_counts(r->pump);
	buf_printf(&r->text, "%llu in, %llu decoded, %llu records\n", (unsigned long long)counts.bytes_in,
		   (unsigned long long)counts.bytes_decoded, (unsigned long long)counts.records);
}

static void run(struct run *r, struct slice input, int fd, unsigned jobs, size_t span_bytes)
{
	const struct handoff_config config = { .jobs = jobs,
					       .in_flight = SIZE_MAX,
					       .dates = &r->dates,
					       .stage = &stage_ops,
					       .arg = r,
					       .refuses = refuses,
					       .limits = &limits,
					       .span_bytes = span_bytes,
					       .numbers_documents = r->formats,
					       .passed = passed,
					       .format = format,
					       .take = take,
					       .wake = wake };
	struct error err = { 0 };
	r->handoff = handoff_new(&config, &err);
	assert_non_null(r->handoff);
	handoff_input(r->handoff, "file");
	const struct pump_config pump = { .next = handoff_records(r->handoff),
					  .limits = &limits,
					  .wants_input = wants_input,
					  .arg = r,
					  .seekable = true,
					  .source_size = input.len,
					  .at_border = at_border,
					  .border_arg = r };
	r->pump = pump_new(&pump);
	assert_non_null(r->pump);
	handoff_ahead(r->handoff, fd, 0, input.len);
	push_all(r, input);
	pump_free(r->pump);
	handoff_free(r->handoff);
	archive_dates_free(&r->dates);
}

/* How many spans counted, with all sizes. `like`: what the stage asks for. */
static unsigned compare(const struct buf *archive, const struct run *like)
{
	static const size_t sizes[] = { 1, 150, 1000, 4000 };
	struct run alone = *like;
	unsigned spans = 0;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, archive->data, archive->len), archive->len);
	run(&alone, buf_slice(archive), fd, 1, 0); /* one worker reads nothing ahead */
	assert_int_equal(alone.passed, 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct run ahead = *like;
		run(&ahead, buf_slice(archive), fd, i % 2 ? 2 : 5, sizes[i]);
		assert_int_equal(ahead.text.len, alone.text.len);
		assert_memory_equal(ahead.text.data, alone.text.data, alone.text.len);
		spans += ahead.passed;
		buf_free(&ahead.text);
	}
	buf_free(&alone.text);
	(void)close(fd);
	return spans;
}

static unsigned compare_changed(const struct buf *archive, const struct run *like)
{
	uint32_t random = 2463534242U;
	unsigned spans = 0;
	AUTO_BUF changed = { 0 };
	for (unsigned round = 0; round < ROUNDS; round++) {
		buf_clear(&changed);
		assert_ok(buf_append(&changed, archive->data, archive->len));
		made_change(&changed, &random);
		spans += compare(&changed, like);
	}
	return spans;
}

TEST(any_kind_is_as_in_order)
{
	static const char *const formats[] = { "none", "gzip", "zstd" };
	static const size_t cuts[] = { 0, 1000, 20000 };
	const struct run plain = { .numbers = false };
	AUTO_BUF archive = { 0 };
	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		for (size_t c = 0; c < sizeof(cuts) / sizeof(*cuts); c++) {
			for (unsigned arc = 0; arc < 2; arc++) {
				made_archive(&archive, RECORDS, formats[f], cuts[c], arc);
				/* Where each record is a member, spans count. */
				const bool ahead = f > 0 && c == 0;
				assert_int_equal(compare(&archive, &plain) > 3, ahead);
				assert_int_equal(compare_changed(&archive, &plain) > 3 * ROUNDS, ahead);
			}
		}
	}
}

/* Where the stage asks for the number of a record, no span can count; where only the form does, all can. */
TEST(numbers_are_right)
{
	const struct run numbers = { .numbers = true }, formats = { .formats = true };
	AUTO_BUF archive = { 0 };
	made_archive(&archive, RECORDS, "gzip", 0, false);
	assert_int_equal(compare(&archive, &numbers), 0);
	assert_true(compare(&archive, &formats) > 3);
	assert_true(compare_changed(&archive, &formats) > 3 * ROUNDS);
}

TEST(dictionaries_are_loaded)
{
	const struct run plain = { .numbers = false };
	AUTO_BUF archive = { 0 };
	made_dictionaries(&archive, RECORDS);
	assert_true(compare(&archive, &plain) > 3);
	assert_true(compare_changed(&archive, &plain) > 0);
}

/* A whole archive stands in a record. Its members do not shrink again, so they can be seen from outside. */
TEST(members_in_members_are_no_members)
{
	const struct run plain = { .numbers = false };
	AUTO_BUF inner = { 0 }, archive = { 0 }, record = { 0 };
	made_archive(&inner, 20, "gzip", 0, false);
	const struct encoder_ops *ops = encoder_find(slice_from_text("gzip"));
	struct encoder_codec *stored = ops->open(ops->level_min);
	assert_non_null(stored);
	for (unsigned i = 0; i < 20; i++) {
		buf_clear(&record);
		buf_printf(&record,
			   "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%u>\r\nWARC-Date: "
			   "2024-05-01T10:00:00Z\r\nContent-Length: %zu\r\n\r\n",
			   i, inner.len);
		buf_append(&record, inner.data, inner.len);
		buf_append_text(&record, "\r\n\r\n");
		assert_int_equal(ops->unit(stored, buf_slice(&record), &archive), 0);
	}
	(void)compare(&archive, &plain);
	assert_true(compare_changed(&archive, &plain) > 0);
	ops->close(stored);
}

static int make_folder_and_wait(void **state)
{
	alarm(300); /* a worker that is not woken would be waited for without end */
	return make_folder(state);
}

GROUP(make_folder_and_wait, remove_folder)
