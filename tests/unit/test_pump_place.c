/* SPDX-License-Identifier: MIT */
/* Going on from each record of an input: good ones of every kind, and after random changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <zdict.h>
#include <zstd.h>
#include <cmocka.h>

#include "archive/codec/codec.h"
#include "support/pump_restart.h"
#include "support/split_feed.h"
#include "support/unit.h"

enum { RECORDS = 20, ROUNDS = 40 };

static const struct limits limits = LIMITS_DEFAULT;

/* A record of an archive; every fifth one is a warcinfo, and their lengths differ much. */
static void append_record(struct buf *out, unsigned number, bool arc)
{
	struct buf block = { 0 };
	for (unsigned i = 0; i < number % 7 * 50; i++)
		buf_printf(&block, "%u stones in river %u, ", i * number, i % 13);
	if (arc)
		buf_printf(out, "http://a.example/%u 192.0.2.1 20240501100000 text/html %zu\n", number, block.len);
	else
		buf_printf(
			out,
			"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%u>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
			"Content-Length: %zu\r\n\r\n",
			number % 5 ? "response" : "warcinfo", number, block.len);
	buf_append(out, block.data, block.len);
	buf_append_text(out, arc ? "\n" : "\r\n\r\n");
	assert_int_equal(buf_status(out), 0);
	buf_free(&block);
}

static void append_unit(struct buf *out, const char *format, struct slice content)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text(format));
	struct encoder_codec *encoder = ops->open(ops->level_default);
	assert_non_null(encoder);
	assert_int_equal(ops->unit(encoder, content, out), 0);
	ops->close(encoder);
}

/* `cut`: bytes of each member; 0: a record each. */
static void make_archive(struct buf *out, const char *format, size_t cut, bool arc)
{
	struct buf all = { 0 };
	size_t begin = 0;
	buf_clear(out);
	for (unsigned i = 0; i < RECORDS; i++) {
		append_record(&all, i, arc);
		while (all.len > begin && (cut == 0 || all.len - begin >= cut || i + 1 == RECORDS)) {
			struct slice content = slice_skip(buf_slice(&all), begin);
			content = cut ? slice_first(content, cut) : content;
			append_unit(out, format, content);
			begin += content.len;
		}
	}
	buf_free(&all);
}

/* Changes a few bytes: other bits, bytes cut out, put in, or zeroed. */
static void change(struct buf *b, uint32_t *random)
{
	for (uint32_t n = 1 + split_random(random) % 3; n; n--) {
		size_t at = split_random(random) % b->len, len = 1 + split_random(random) % 40;
		len = at + len > b->len ? b->len - at : len;
		switch (split_random(random) % 3) {
		case 0:
			b->data[at] ^= (uint8_t)(1U << split_random(random) % 8);
			break;
		case 1:
			memmove(b->data + at, b->data + at + len, b->len - at - len);
			b->len -= b->len > len ? len : 0;
			break;
		default:
			memset(b->data + at, 0, len);
		}
	}
}

static void check(const struct buf *archive, unsigned least)
{
	uint32_t random = 2463534242U;
	struct buf changed = { 0 };
	assert_true(pump_restart_check(buf_slice(archive), &limits) >= least);
	for (unsigned round = 0; round < ROUNDS; round++) {
		buf_clear(&changed);
		assert_int_equal(buf_append(&changed, archive->data, archive->len), 0);
		change(&changed, &random);
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
				make_archive(&archive, formats[f], cuts[c], arc);
				check(&archive, RECORDS - 1); /* the first one is where the input begins */
			}
		}
	}
	buf_free(&archive);
}

/* ---- zstd with dictionaries ---- */

/* Appends the dictionary frame of IIPC's "Zstandard compression of WARC files", of which *dictionary is the content. */
static void append_dictionary(struct buf *out, unsigned id, struct buf *dictionary)
{
	static const uint8_t magic[] = { 0x5d, 0x2a, 0x4d, 0x18 };
	struct buf samples = { 0 };
	size_t sizes[RECORDS * 10];
	for (unsigned i = 0; i < RECORDS * 10; i++) {
		size_t begin = samples.len;
		append_record(&samples, i + id, false);
		sizes[i] = samples.len - begin;
	}
	buf_clear(dictionary);
	assert_int_equal(buf_reserve(dictionary, 2048), 0);
	const ZDICT_params_t params = { .dictID = id };
	size_t n = ZDICT_finalizeDictionary(dictionary->data, 2048, samples.data, 1000, samples.data, sizes,
					    RECORDS * 10, params);
	assert_false(ZDICT_isError(n));
	dictionary->len = n;
	buf_append(out, magic, sizeof(magic));
	for (unsigned i = 0; i < 4; i++)
		buf_append_byte(out, (uint8_t)(n >> 8 * i));
	assert_int_equal(buf_append(out, dictionary->data, n), 0);
	buf_free(&samples);
}

static void append_frame(struct buf *out, struct slice content, const struct buf *dictionary)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	assert_non_null(c);
	ZSTD_CCtx_loadDictionary(c, dictionary->data, dictionary->len);
	assert_int_equal(buf_reserve(out, ZSTD_compressBound(content.len)), 0);
	size_t n = ZSTD_compress2(c, out->data + out->len, out->cap - out->len, content.data, content.len);
	assert_false(ZSTD_isError(n));
	out->len += n;
	ZSTD_freeCCtx(c);
}

/* Two archives one after the other, each with a dictionary of its own. */
static void dictionaries_are_loaded_again(void **state)
{
	(void)state;
	struct buf archive = { 0 }, dictionary = { 0 }, record = { 0 };
	for (unsigned i = 0; i < RECORDS; i++) {
		if (i % (RECORDS / 2) == 0)
			append_dictionary(&archive, 40000 + i, &dictionary);
		buf_clear(&record);
		append_record(&record, i, false);
		append_frame(&archive, buf_slice(&record), &dictionary);
	}
	check(&archive, RECORDS - 1);
	buf_free(&archive);
	buf_free(&dictionary);
	buf_free(&record);
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
