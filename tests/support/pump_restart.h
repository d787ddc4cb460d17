/* SPDX-License-Identifier: MIT */
/*
 * The law of places: a pump that starts at the place of a record (pump_place) delivers what the pump that told the
 * place did from that record on, reports, lengths and sums too. Runs an input once, and then from each place.
 */
#ifndef DANA_TESTS_SUPPORT_PUMP_RESTART_H
#define DANA_TESTS_SUPPORT_PUMP_RESTART_H

#include "archive/pump.h"
#include "support/record_log.h"

enum { RESTART_PLACES = 64 }; /* of more, every second one is dropped again and again */

struct pump_restart {
	struct record_log log;
	struct limits limits;
	struct slice input;
	struct pump *pump;
	struct restart_place {
		struct pump_place place;
		size_t logged; /* bytes of the log before the record */
	} places[RESTART_PLACES];
	unsigned n, step, records;
};

/* Notes the place of a record. */
static inline void pump_restart_note(struct record_log *log)
{
	struct pump_restart *r = (struct pump_restart *)log;
	struct restart_place at = { .logged = r->log.text.len };
	if (r->records++ % r->step || !pump_place(r->pump, &at.place))
		return;
	r->places[r->n++] = at;
	if (r->n < RESTART_PLACES)
		return;
	for (unsigned i = 0; i < RESTART_PLACES / 2; i++)
		r->places[i] = r->places[2 * i];
	r->n = RESTART_PLACES / 2;
	r->step *= 2;
}

/* Pushes the input from where the pump wants it, obeys seeks, and writes the sums after the log. */
static inline void pump_restart_run(struct pump_restart *r)
{
	int answer = PUMP_SEEK;
	while (answer != PUMP_DONE) {
		struct slice rest = slice_skip(r->input, (size_t)pump_seek_offset(r->pump));
		answer = answer == PUMP_SEEK && rest.len ? pump_push(r->pump, rest) : pump_finish(r->pump);
		must_be(answer >= 0, "the pump failed");
	}
	struct pump_counts counts = pump_counts(r->pump);
	(void)buf_printf(&r->log.text, "%" PRIu64 " in, %" PRIu64 " decoded, %" PRIu64 " records\n", counts.bytes_in,
			 counts.bytes_decoded, counts.records);
	pump_free(r->pump);
}

static inline void pump_restart_open(struct pump_restart *r)
{
	struct pump_config config = { .next = &r->log.sink,
				      .limits = &r->limits,
				      .seekable = true,
				      .source_size = r->input.len };
	record_log_start(&r->log);
	r->log.offsets = true;
	r->log.before = pump_restart_note;
	r->pump = pump_new(&config);
	must(r->pump);
}

/* Runs from each place of `input`; how many there were. Aborts where the law is broken. */
static inline unsigned pump_restart_check(struct slice input, const struct limits *limits)
{
	struct pump_restart first = { .limits = *limits, .input = input, .step = 1 };
	pump_restart_open(&first);
	pump_restart_run(&first);
	for (unsigned i = 0; i < first.n; i++) {
		const struct restart_place at = first.places[i];
		const struct slice wanted = slice_skip(buf_slice(&first.log.text), at.logged);
		struct pump_restart r = { .limits = *limits, .input = input, .step = 1 };
		pump_restart_open(&r);
		r.log.seq = at.place.warc.seq;
		must_be(pump_start_at(r.pump, &at.place) == 0, "a place is refused");
		pump_restart_run(&r);
		bool same = slice_equal(buf_slice(&r.log.text), wanted);
		if (!same)
			(void)fprintf(stderr, "from record %" PRIu64 " at %" PRIu64 ":\n%.*s\ninstead of:\n%.*s\n",
				      at.place.warc.seq, at.place.warc.offset, (int)r.log.text.len,
				      (const char *)r.log.text.data, (int)wanted.len, (const char *)wanted.data);
		must_be(same, "another outcome from a place on");
		buf_free(&r.log.text);
	}
	buf_free(&first.log.text);
	return first.n;
}

#endif
