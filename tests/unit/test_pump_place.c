/* SPDX-License-Identifier: MIT */
/* Going on from each record of an input: good ones of every kind, and after random changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/made_archive.h"
#include "support/pump_restart.h"
#include "support/unit.h"

enum { RECORDS = 20, ROUNDS = 40 };

static const struct limits limits = LIMITS_DEFAULT;

static void check(const struct buf *archive, unsigned least)
{
	uint32_t random = 2463534242U;
	struct buf changed = { 0 };
	assert_true(pump_restart_check(buf_slice(archive), &limits) >= least);
	for (unsigned round = 0; round < ROUNDS; round += split_every()) {
		buf_clear(&changed);
		assert_int_equal(buf_append(&changed, archive->data, archive->len), 0);
		made_change(&changed, &random);
		(void)pump_restart_check(buf_slice(&changed), &limits);
	}
	buf_free(&changed);
}

static void any_kind_goes_on(void **state)
{
	(void)state;
	static const char *const formats[] = { "none", "gzip", "zstd" };
	static const size_t cuts[] = { 0, 1000, 1 << 20 };
	struct buf archive = { 0 };
	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		for (size_t c = 0; c < sizeof(cuts) / sizeof(*cuts); c++) {
			for (unsigned arc = 0; arc < 2; arc++) {
				made_archive(&archive, RECORDS, formats[f], cuts[c], arc);
				check(&archive, RECORDS - 1); /* the first one is where the input begins */
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
	check(&archive, RECORDS - 1);
	buf_free(&archive);
}

static void what_is_no_place_is_refused(void **state)
{
	(void)state;
	struct record_log none = { 0 };
	record_log_start(&none);
	const struct pump_place places[] = {
		{ .warc = { .heads = 0 } },
		{ .warc = { .heads = 1, .plain = true, .offset = 10 }, .furthest = 9 },
		{ .warc = { .heads = 1, .plain = true, .member_pos = 2, .skip_to = 1, .furthest = 3 } },
		{ .warc = { .heads = 1, .plain = true, .skip_to = 4, .furthest = 3 } },
		{ .warc = { .heads = 1, .plain = true, .arc = 4 } },
		{ .warc = { .heads = 1 }, .container = 0 },
		{ .warc = { .heads = 1 }, .container = 3 },
		{ .warc = { .heads = 1 }, .container = 2, .has_dictionary = true, .dictionary = 0 },
	};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct pump_config config = { .next = &none.sink, .limits = &limits, .seekable = true };
		struct pump *p = pump_new(&config);
		assert_non_null(p);
		assert_int_equal(pump_start_at(p, &places[i]), DANA_EFORMAT);
		pump_free(p);
	}
}

UNIT(test_pump_place)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_kind_goes_on),
		cmocka_unit_test(dictionaries_are_loaded_again),
		cmocka_unit_test(what_is_no_place_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
