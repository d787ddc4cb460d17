/* SPDX-License-Identifier: MIT */
/*
 * Two pumps that read an input by turns, from border to border, deliver what one of them would: for archives of every
 * kind, and after random changes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "archive/pump.h"
#include "support/made_archive.h"
#include "support/record_log.h"
#include "support/unit.h"

enum { RECORDS = 30, ROUNDS = 40, CHUNK = 900 };

static const struct limits limits = LIMITS_DEFAULT;

struct turns {
	struct record_log log;
	struct slice input;
	struct pump *first, *other;
	unsigned members; /* of each turn of the other; 0: it has none */
	unsigned left;    /* of the turn */
	unsigned borders, passed;
	bool damaged; /* in this turn */
	struct pump_place from, to;
	struct record_sink watch; /* between the other pump and the log */
};

static struct turns *turns_of(struct record_sink *self)
{
	return (struct turns *)((char *)self - offsetof(struct turns, watch));
}

static int watch_begin(struct record_sink *self, const struct record *rec)
{
	struct record_sink *log = &turns_of(self)->log.sink;
	return log->ops->begin(log, rec);
}

static int watch_body(struct record_sink *self, struct slice bytes)
{
	struct record_sink *log = &turns_of(self)->log.sink;
	return log->ops->body(log, bytes);
}

static int watch_end(struct record_sink *self, const struct record_end *end)
{
	struct turns *t = turns_of(self);
	t->damaged |= end->damaged;
	return t->log.sink.ops->end(&t->log.sink, end);
}

static int watch_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	struct turns *t = turns_of(self);
	t->damaged = true;
	return t->log.sink.ops->damage(&t->log.sink, seq, offset, id, uri, end);
}

static const struct record_sink_ops watch_ops = { "watch", watch_begin, watch_body, watch_end, watch_damage };

/* Stops at the border after the turn's last member. */
static bool goes_on(void *arg)
{
	struct turns *t = arg;
	struct pump_place here;
	if (t->damaged)
		return false;
	if (!pump_border(t->other, &here) || here.warc.offset == t->from.warc.offset)
		return true;
	if (here.reread != t->from.reread || here.warc.reread != t->from.warc.reread ||
	    here.dictionary != t->from.dictionary || here.has_dictionary != t->from.has_dictionary)
		return false;
	t->to = here;
	return --t->left > 0;
}

static void read_turn(struct turns *t)
{
	uint64_t at = pump_seek_offset(t->other);
	int answer = PUMP_HUNGRY;
	while ((answer == PUMP_HUNGRY || answer == PUMP_SEEK) && !t->damaged && at < t->input.len) {
		struct slice chunk = slice_first(slice_skip(t->input, (size_t)at), CHUNK);
		answer = pump_push(t->other, chunk);
		at = answer == PUMP_SEEK ? pump_seek_offset(t->other) : at + chunk.len;
		record_log_check(answer >= 0, "the pump failed");
	}
}

/* The other pump reads on from here. A turn that meets damage, or the end of the input, does not count. */
static int at_border(void *arg)
{
	struct turns *t = arg;
	const struct record_log before = t->log;
	const size_t logged = t->log.text.len;
	assert_true(pump_border(t->first, &t->from));
	if (t->members == 0 || t->borders++ % 3)
		return 0;
	t->to = t->from;
	t->left = t->members;
	t->damaged = false;
	assert_int_equal(pump_start_at(t->other, &t->from), 0);
	read_turn(t);
	if (!t->damaged && t->left == 0) {
		pump_pass(t->first, &t->from, &t->to);
		t->passed++;
		return 0;
	}
	const struct buf text = t->log.text;
	t->log = before;
	t->log.text = text;
	t->log.text.len = logged;
	return 0;
}

static void run(struct turns *t)
{
	struct pump_config config = { .next = &t->log.sink,
				      .limits = &limits,
				      .seekable = true,
				      .source_size = t->input.len,
				      .at_border = at_border,
				      .border_arg = t };
	const struct pump_config other = { .next = &t->watch,
					   .limits = &limits,
					   .seekable = true,
					   .wants_input = goes_on,
					   .arg = t };
	uint64_t at = 0;
	int answer = PUMP_HUNGRY;
	record_log_start(&t->log);
	t->log.offsets = true;
	t->watch.ops = &watch_ops;
	t->first = pump_new(&config);
	t->other = pump_new(&other);
	assert_true(t->first && t->other);
	while (answer != PUMP_DONE) {
		struct slice chunk = slice_first(slice_skip(t->input, (size_t)at), CHUNK);
		answer = chunk.len ? pump_push(t->first, chunk) : pump_finish(t->first);
		assert_in_range(answer, PUMP_HUNGRY, PUMP_DONE);
		at = answer == PUMP_SEEK ? pump_seek_offset(t->first) : at + chunk.len;
	}
	struct pump_counts counts = pump_counts(t->first);
	(void)buf_printf(&t->log.text, "%" PRIu64 " in, %" PRIu64 " decoded, %" PRIu64 " records\n", counts.bytes_in,
			 counts.bytes_decoded, counts.records);
	pump_free(t->first);
	pump_free(t->other);
}

/* How many turns counted. */
static unsigned compare(const struct buf *archive)
{
	struct turns alone = { .input = buf_slice(archive) };
	unsigned passed = 0;
	run(&alone);
	for (unsigned members = 1; members < 12; members += 3) {
		struct turns both = { .input = buf_slice(archive), .members = members };
		run(&both);
		assert_int_equal(both.log.text.len, alone.log.text.len);
		assert_memory_equal(both.log.text.data, alone.log.text.data, alone.log.text.len);
		passed += both.passed;
		buf_free(&both.log.text);
	}
	buf_free(&alone.log.text);
	return passed;
}

static unsigned compare_changed(const struct buf *archive)
{
	uint32_t random = 88172645U;
	unsigned passed = 0;
	struct buf changed = { 0 };
	for (unsigned round = 0; round < ROUNDS; round += split_every()) {
		buf_clear(&changed);
		assert_int_equal(buf_append(&changed, archive->data, archive->len), 0);
		made_change(&changed, &random);
		passed += compare(&changed);
	}
	buf_free(&changed);
	return passed;
}

static void two_read_as_one(void **state)
{
	(void)state;
	static const char *const formats[] = { "none", "gzip", "zstd" };
	static const size_t cuts[] = { 0, 1000, 1 << 20 };
	struct buf archive = { 0 };
	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		for (size_t c = 0; c < sizeof(cuts) / sizeof(*cuts); c++) {
			for (unsigned arc = 0; arc < 2; arc++) {
				made_archive(&archive, RECORDS, formats[f], cuts[c], arc);
				/* Where each record is a member, there are borders. */
				const bool borders = f > 0 && c == 0;
				assert_int_equal(compare(&archive) > RECORDS / 4, borders);
				assert_int_equal(compare_changed(&archive) > ROUNDS / split_every(), borders);
			}
		}
	}
	buf_free(&archive);
}

static void dictionaries_are_loaded_again(void **state)
{
	(void)state;
	struct buf archive = { 0 };
	made_dictionaries(&archive, RECORDS);
	assert_true(compare(&archive) > 3);
	assert_true(compare_changed(&archive) > ROUNDS / split_every());
	buf_free(&archive);
}

UNIT(test_pump_border)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_read_as_one),
		cmocka_unit_test(dictionaries_are_loaded_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
