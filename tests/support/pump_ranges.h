/* SPDX-License-Identifier: MIT */
/*
 * The law of ranges: the records of all parts of an input, one part after the other, are those of the whole, however
 * the input is cut into parts and each part's bytes into pieces.
 */
#ifndef DANA_TESTS_PUMP_RANGES_H
#define DANA_TESTS_PUMP_RANGES_H

#include "archive/pump.h"
#include "support/record_log.h"

struct pump_ranges {
	struct slice input;
	struct limits limits;
	uint64_t look_back;
	size_t piece; /* bytes that are pushed at once; 0: all */
	bool piped;   /* nothing can be read twice */
	struct buf text;
	struct pump_counts counts; /* sums */
};

static inline int pump_ranges_answer(struct pump_ranges *r, struct pump *pump)
{
	uint64_t at = 0;
	int answer = PUMP_HUNGRY;
	while (answer == PUMP_HUNGRY || answer == PUMP_SEEK) {
		if (answer == PUMP_SEEK)
			at = pump_seek_offset(pump);
		struct slice rest = slice_skip(r->input, (size_t)at);
		struct slice piece = slice_first(rest, r->piece ? r->piece : rest.len);
		at += piece.len;
		answer = piece.len ? pump_push(pump, piece) : pump_finish(pump);
	}
	return answer;
}

/* Appends the records of [begin, end), without their numbers. */
static inline void pump_ranges_run(struct pump_ranges *r, uint64_t begin, uint64_t end)
{
	struct record_log log = { .offsets = true };
	record_log_start(&log);
	log.seq = begin;
	struct pump_config config = { .next = &log.sink,
				      .limits = &r->limits,
				      .seekable = !r->piped,
				      .source_size = r->piped ? UINT64_MAX : r->input.len,
				      .begin = begin,
				      .end = end,
				      .look_back = r->look_back };
	struct pump *pump = pump_new(&config);
	must(pump);
	must_be(pump_ranges_answer(r, pump) == PUMP_DONE, "not done after its end");
	const struct pump_counts counts = pump_counts(pump);
	r->counts.bytes_in += counts.bytes_in;
	r->counts.bytes_decoded += counts.bytes_decoded;
	r->counts.records += counts.records;
	pump_free(pump);
	for (size_t i = 0; i < log.text.len;) {
		const uint8_t *space = memchr(log.text.data + i, ' ', log.text.len - i);
		const uint8_t *line = memchr(log.text.data + i, '\n', log.text.len - i);
		(void)buf_append(&r->text, space, (size_t)(line + 1 - space));
		i = (size_t)(line + 1 - log.text.data);
	}
	buf_free(&log.text);
}

static inline void pump_ranges_clear(struct pump_ranges *r)
{
	buf_clear(&r->text);
	r->counts = (struct pump_counts){ 0 };
}

#endif
