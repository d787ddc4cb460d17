/* SPDX-License-Identifier: MIT */
/*
 * What a damaged file still gives: members of a good one are flipped, overwritten, cut out or pushed apart at random,
 * and every record whose member was not touched must come out, once and unchanged; what is lost must be reported.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "codec/codec.h"
#include "pipeline/pump.h"
#include "support/split_feed.h"

enum { RECORDS = 16, ROUNDS = 400 };

/* Counts the deliveries of each record; its number is its date, its hash is in `hash`. */
struct counter {
	struct record_sink sink;
	unsigned number; /* RECORDS: none of ours */
	uint32_t hash;
	uint32_t hashes[RECORDS];
	unsigned good[RECORDS], changed, damaged;
	bool learn; /* the first run tells the hashes */
};

static int count_begin(struct record_sink *self, const struct record *rec)
{
	struct counter *c = (struct counter *)self;

	c->number = 0;
	for (size_t i = 0; i < rec->date.len; i++)
		c->number = c->number * 10 + (rec->date.data[i] - (unsigned)'0');
	if (c->number > RECORDS)
		c->number = RECORDS;
	c->hash = HASH_FNV32_START;
	return RECORD_WANTED;
}

static int count_body(struct record_sink *self, struct slice bytes)
{
	struct counter *c = (struct counter *)self;

	c->hash = hash_fnv32(bytes, c->hash);
	return RECORD_WANTED;
}

static int count_end(struct record_sink *self, const struct record_end *end)
{
	struct counter *c = (struct counter *)self;

	c->damaged += end->damaged;
	if (end->damaged)
		return 0;
	if (c->learn && c->number < RECORDS)
		c->hashes[c->number] = c->hash;
	if (c->number < RECORDS && c->hash == c->hashes[c->number])
		c->good[c->number]++;
	else
		c->changed++;
	return 0;
}

static int count_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	(void)seq, (void)offset, (void)id, (void)uri, (void)end;
	((struct counter *)self)->damaged++;
	return 0;
}

static const struct record_sink_ops counter_ops = { "counter", count_begin, count_body, count_end, count_damage };
static const struct limits limits = LIMITS_DEFAULT;

static void read_input(struct counter *c, struct slice input, bool learn)
{
	struct pump_config config = { .next = &c->sink, .limits = &limits, .source_size = UINT64_MAX };
	struct pump *pump = pump_new(&config);

	assert_non_null(pump);
	c->sink.ops = &counter_ops;
	c->learn = learn;
	c->changed = c->damaged = 0;
	memset(c->good, 0, sizeof(c->good));
	while (input.len) {
		struct slice chunk = slice_of(input.data, input.len < 1000 ? input.len : 1000);

		assert_int_equal(pump_push(pump, chunk), PUMP_HUNGRY);
		input = slice_skip(input, chunk.len);
	}
	assert_int_equal(pump_finish(pump), PUMP_DONE);
	pump_free(pump);
}

/* A good file of records of many sizes, a member each; starts[i] is where member i begins. */
static void make_file(const char *format, struct buf *file, size_t starts[RECORDS + 1])
{
	const struct encoder_ops *ops = encoder_find(slice_from_text(format));
	struct encoder_codec *encoder = ops->open(ops->level_default);
	struct buf record = { 0 };
	uint32_t random = 12345;

	assert_non_null(encoder);
	for (unsigned i = 0; i < RECORDS; i++) {
		unsigned length = i % 4 == 3 ? 30000 : 100 + split_random(&random) % 2000;

		buf_clear(&record);
		assert_int_equal(buf_printf(&record,
					    "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\n"
					    "WARC-Date: %u\r\nContent-Length: %u\r\n\r\n",
					    i, length),
				 0);
		while (length--)
			assert_int_equal(buf_append_byte(&record, (uint8_t)("etaoin shr"[split_random(&random) % 10])),
					 0);
		assert_int_equal(buf_append_text(&record, "\r\n\r\n"), 0);
		starts[i] = file->len;
		assert_int_equal(ops->unit(encoder, buf_slice(&record), file), 0);
	}
	starts[RECORDS] = file->len;
	ops->close(encoder);
	buf_free(&record);
}

/* Damages `file`; bytes from *from up to *to of the good one are touched. */
static void damage(struct buf *file, uint32_t *random, size_t *from, size_t *to)
{
	static const size_t sizes[] = { 1, 2, 9, 100, 3000 };
	size_t n = sizes[split_random(random) % 5];
	size_t at = split_random(random) % (file->len - n);

	*from = at;
	*to = at + n;
	switch (split_random(random) % 5) {
	case 0: /* one bit */
		file->data[at] ^= (uint8_t)(1U << split_random(random) % 8);
		*to = at + 1;
		break;
	case 1: /* overwritten */
		for (size_t i = at; i < at + n; i++)
			file->data[i] = (uint8_t)split_random(random);
		break;
	case 2:
		memset(file->data + at, 0, n);
		break;
	case 3: /* cut out */
		memmove(file->data + at, file->data + at + n, file->len - at - n);
		file->len -= n;
		break;
	default: /* pushed apart */
		assert_int_equal(buf_reserve(file, n), 0);
		memmove(file->data + at + n, file->data + at, file->len - at);
		for (size_t i = at; i < at + n; i++)
			file->data[i] = (uint8_t)split_random(random);
		file->len += n;
		*to = at + 1;
		break;
	}
}

static void survives(const char *format)
{
	struct buf good = { 0 }, bad = { 0 };
	size_t starts[RECORDS + 1], from, to;
	struct counter counter = { .number = 0 };
	uint32_t random = 2463534242U;

	make_file(format, &good, starts);
	read_input(&counter, buf_slice(&good), true);
	assert_int_equal(counter.damaged, 0);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned lost = 0, touched = 0;

		buf_clear(&bad);
		assert_int_equal(buf_append(&bad, good.data, good.len), 0);
		damage(&bad, &random, &from, &to);
		read_input(&counter, buf_slice(&bad), false);
		for (unsigned i = 0; i < RECORDS; i++) {
			bool hit = starts[i] < to && starts[i + 1] > from;

			touched += hit;
			lost += counter.good[i] == 0;
			assert_true(counter.good[i] <= 1);
			assert_true(hit || counter.good[i] == 1);
		}
		assert_int_equal(counter.changed, 0);
		assert_true(lost == 0 || counter.damaged > 0);
		assert_true(counter.damaged <= touched + 1);
	}
	buf_free(&good);
	buf_free(&bad);
}

static void gzip_survives(void **state)
{
	(void)state;
	survives("gzip");
}

static void zstd_survives(void **state)
{
	(void)state;
	survives("zstd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gzip_survives),
		cmocka_unit_test(zstd_survives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
