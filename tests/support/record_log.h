/* SPDX-License-Identifier: MIT */
/*
 * A record sink that writes down what it hears, one line each, for tests: "3 record response 1200 +300 <uri> 45 bytes
 * 9c..." or "4 damaged bad_length ...". Of damaged records only what does not depend on the split. Aborts where calls
 * break the contract of archive/record.h.
 */
#ifndef DANA_TESTS_SUPPORT_RECORD_LOG_H
#define DANA_TESTS_SUPPORT_RECORD_LOG_H

#include <inttypes.h>

#include "archive/record.h"
#include "base/hash.h"
#include "support/split_feed.h"

struct record_log {
	struct record_sink sink;
	struct buf text;
	bool offsets; /* write offsets and lengths, too */
	bool hides_unverified;
	bool unwanted; /* wants no bodies */
	const struct record *open;
	void (*before)(struct record_log *log); /* called before a record is written down; NULL: nothing */
	uint64_t seq, bytes;
	uint64_t all_bytes;   /* of all bodies, those of damaged records too */
	uint32_t hash, stays; /* of the body, of the memory that stays */
	unsigned records, damaged;
};

static inline int record_log_begin(struct record_sink *self, const struct record *rec)
{
	struct record_log *log = (struct record_log *)self;
	if (log->before)
		log->before(log);
	must_be(!log->open, "begin inside a record");
	must_be(rec->seq == log->seq, "seq has a gap");
	log->open = rec;
	log->seq++;
	log->bytes = 0;
	log->hash = HASH_FNV32_START;
	log->stays = hash_fnv32(rec->stays, HASH_FNV32_START);
	return log->unwanted ? RECORD_UNWANTED : RECORD_WANTED;
}

static inline int record_log_body(struct record_sink *self, struct slice bytes)
{
	struct record_log *log = (struct record_log *)self;
	must_be(log->open, "body outside a record");
	must_be(bytes.len > 0, "empty body");
	must_be(!log->unwanted, "body of an unwanted record");
	log->bytes += bytes.len;
	log->all_bytes += bytes.len;
	log->hash = hash_fnv32(bytes, log->hash);
	return RECORD_WANTED;
}

static inline void record_log_place(struct record_log *log, uint64_t offset, const struct record_end *end)
{
	if (!log->offsets)
		return;
	(void)buf_printf(&log->text, " @%" PRIu64, offset);
	if (end->length_known)
		(void)buf_printf(&log->text, "+%" PRIu64, end->length);
}

static inline int record_log_end(struct record_sink *self, const struct record_end *end)
{
	struct record_log *log = (struct record_log *)self;
	const struct record *rec = log->open;
	must_be(rec, "end without begin");
	must_be(rec->seq + 1 == log->seq, "the record changed before its end");
	must_be(!(end->damaged && end->wrong_length), "damaged and good");
	must_be((end->damaged || end->wrong_length) == (end->detail[0] != 0), "detail of a good record");
	must_be(hash_fnv32(rec->stays, HASH_FNV32_START) == log->stays, "memory that stays changed");
	log->open = NULL;
	log->records += !end->damaged;
	log->damaged += end->damaged;
	(void)buf_printf(&log->text, "%" PRIu64 " %s ", rec->seq, end->damaged ? damage_word(end->reason) : "record");
	(void)buf_append(&log->text, rec->type_name.data, rec->type_name.len);
	record_log_place(log, rec->offset, end);
	(void)buf_append_byte(&log->text, ' ');
	(void)buf_append(&log->text, rec->target_uri.data, rec->target_uri.len);
	if (!end->damaged && !log->unwanted)
		(void)buf_printf(&log->text, " %" PRIu64 " %08" PRIx32, log->bytes, log->hash);
	if (end->block_cut && !end->damaged)
		(void)buf_append_text(&log->text, " block_cut");
	if (end->unverified && !end->damaged && !log->hides_unverified)
		(void)buf_append_text(&log->text, " unverified");
	if (end->wrong_length)
		(void)buf_append_text(&log->text, " bad_length");
	if (rec->head_cut)
		(void)buf_append_text(&log->text, " head_cut");
	return buf_append_byte(&log->text, '\n');
}

static inline int record_log_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id,
				    struct slice uri, const struct record_end *end)
{
	struct record_log *log = (struct record_log *)self;
	must_be(!log->open, "damage inside a record");
	must_be(seq == log->seq, "seq has a gap");
	must_be(end->damaged && end->detail[0], "damage without a reason");
	log->seq++;
	log->damaged++;
	(void)buf_printf(&log->text, "%" PRIu64 " damage %s", seq, damage_word(end->reason));
	record_log_place(log, offset, end);
	(void)buf_append_byte(&log->text, ' ');
	(void)buf_append(&log->text, uri.data, uri.len);
	(void)buf_append_byte(&log->text, ' ');
	(void)buf_append(&log->text, id.data, id.len);
	return buf_append_byte(&log->text, '\n');
}

static inline void record_log_start(struct record_log *log)
{
	static const struct record_sink_ops ops = { "log", record_log_begin, record_log_body, record_log_end,
						    record_log_damage };
	log->sink.ops = &ops;
	buf_clear(&log->text);
	log->open = NULL;
	log->seq = log->all_bytes = 0;
	log->records = log->damaged = 0;
}

#endif
