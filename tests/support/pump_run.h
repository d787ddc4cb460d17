/* SPDX-License-Identifier: MIT */
/* Runs a pump over an input as a subject of split_feed.h, as a pipe or as a file, with pauses, into a record log. */
#ifndef DANA_TESTS_SUPPORT_PUMP_RUN_H
#define DANA_TESTS_SUPPORT_PUMP_RUN_H

#include "archive/pump.h"
#include "support/record_log.h"
#include "support/split_feed.h"

struct pump_run {
	struct record_log log;
	struct limits limits;
	struct slice input;
	bool seekable;
	unsigned pause_every; /* 0 = never */
	unsigned asked, steps;
	struct pump *pump;
	uint64_t passed; /* bytes pushed: after a seek the pieces that follow come from elsewhere */
	bool sought;
	uint64_t decoded; /* bytes, after the end */
};

static inline bool pump_run_wants_input(void *arg)
{
	struct pump_run *run = arg;
	run->steps++;
	return run->pause_every == 0 || ++run->asked % run->pause_every != 0;
}

static inline void pump_run_begin(void *arg)
{
	struct pump_run *run = arg;
	struct pump_config config = { .next = &run->log.sink,
				      .limits = &run->limits,
				      .wants_input = pump_run_wants_input,
				      .arg = run,
				      .seekable = run->seekable,
				      .source_size = run->seekable ? run->input.len : UINT64_MAX };
	record_log_start(&run->log);
	run->log.offsets = true;
	run->pump = pump_new(&config);
	run->asked = run->steps = 0;
	run->sought = false;
	must(run->pump);
}

/* Resumes after pauses; PUMP_HUNGRY, PUMP_SEEK or PUMP_DONE. */
static inline int pump_run_settle(struct pump_run *run, int answer)
{
	while (answer == PUMP_PAUSED)
		answer = pump_resume(run->pump);
	must_be(answer >= 0, "the pump failed");
	return answer;
}

/* After a seek the rest of the input is pushed whole. */
static inline int pump_run_obey(struct pump_run *run, int answer)
{
	while (answer == PUMP_SEEK) {
		run->sought = true;
		struct slice rest = slice_skip(run->input, (size_t)pump_seek_offset(run->pump));
		answer = rest.len ? pump_run_settle(run, pump_push(run->pump, rest)) : PUMP_HUNGRY;
	}
	return answer;
}

static inline void pump_run_piece(void *arg, struct slice bytes)
{
	struct pump_run *run = arg;
	if (!run->sought)
		(void)pump_run_obey(run, pump_run_settle(run, pump_push(run->pump, bytes)));
}

/* A zip is refused by its first bytes, of which none is taken. */
static inline bool pump_run_is_zip(struct slice input)
{
	const struct slice first = slice_first(input, 4);
	return slice_equal(first, slice_from_text("PK\3\4")) || slice_equal(first, slice_from_text("PK\5\6"));
}

static inline void pump_run_end(void *arg, struct buf *outcome)
{
	struct pump_run *run = arg;
	int answer = pump_run_settle(run, pump_finish(run->pump));
	while (answer == PUMP_SEEK) {
		(void)pump_run_obey(run, answer);
		answer = pump_run_settle(run, pump_finish(run->pump));
	}
	must_be(answer == PUMP_DONE, "not done after finish");
	must_be(!run->log.open, "a record without end");
	struct pump_counts counts = pump_counts(run->pump);
	must_be(counts.records == run->log.records + run->log.damaged, "records do not add up");
	must_be(counts.bytes_in == (pump_run_is_zip(run->input) ? 0 : run->input.len), "bytes_in is not the input");
	(void)buf_append(outcome, run->log.text.data, run->log.text.len);
	must(buf_printf(outcome, "%" PRIu64 " decoded\n", counts.bytes_decoded) >= 0);
	run->decoded = counts.bytes_decoded;
	pump_free(run->pump);
}

static inline struct split_subject pump_run_subject(struct pump_run *run)
{
	return (struct split_subject){ pump_run_begin, pump_run_piece, pump_run_end, run };
}

#endif
