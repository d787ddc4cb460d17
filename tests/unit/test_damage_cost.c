/* SPDX-License-Identifier: MIT */
/* Input that is made so that the search for members after damage costs as much as possible: the cost stays bounded. */
#include "support/deflated.h"
#include "support/pump_run.h"
#include "support/unit.h"

enum { STORED_MOST = 65535, HEAD = 15 };

static const char content[] = "WARC/";

/* A gzip header, and that of a stored block (RFC 1951, section 3.2.4) of `len` bytes. */
static void append_stored(struct buf *to, size_t len)
{
	static const char gzip_head[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03";
	const uint8_t block[] = { 0, (uint8_t)len, (uint8_t)(len >> 8), (uint8_t)~len, (uint8_t)(~len >> 8) };
	assert_ok(buf_append(to, gzip_head, sizeof(gzip_head) - 1));
	assert_ok(buf_append(to, block, sizeof(block)));
}

/* Members in members: each begins with a stored block that holds all those after it, up to the end of the group. */
static void append_nested(struct buf *to)
{
	const size_t step = HEAD + sizeof(content) - 1, end = to->len + HEAD + STORED_MOST;
	while (to->len + step < end) {
		append_stored(to, end - to->len - HEAD);
		assert_ok(buf_append_text(to, content));
	}
	while (to->len < end)
		assert_ok(buf_append_byte(to, 'x'));
}

static void read_input(struct buf *input, struct pump_run *run)
{
	AUTO_BUF outcome = { 0 };
	*run = (struct pump_run){ .limits = LIMITS_DEFAULT, .input = buf_slice(input) };
	const struct split_subject subject = pump_run_subject(run);
	split_whole(&subject, buf_slice(input), &outcome);
	buf_free(&run->log.text);
}

/*
 * A block of no type makes all members of a group damaged. Searching each one again would read more than a hundred
 * megabytes for each group of 64 KiB; what is read again costs at most 64 MiB and four times the input, where four
 * decoded bytes cost as much as one that is read.
 */
TEST(members_in_members_cost_little)
{
	enum { GROUPS = 4, FREE = 64 << 20 };
	AUTO_BUF input = { 0 };
	struct pump_run run;
	for (size_t group = 0; group < GROUPS; group++) {
		append_nested(&input);
		assert_ok(buf_append_byte(&input, 7));
	}
	read_input(&input, &run);
	const uint64_t most = 5 * input.len + FREE;
	assert_true(run.decoded <= most);
	assert_true(run.decoded >= most * 3 / 4); /* and the bound is used */
}

/* The same with a MiB of one letter after the group, in a thousand bytes that each member decodes. */
TEST(what_they_expand_to_costs_little)
{
	enum { TAIL = 1 << 20, MOST = 300 << 20 };
	AUTO_BUF input = { 0 }, tail = { 0 };
	struct pump_run run;
	assert_ok(buf_reserve(&tail, TAIL));
	memset(tail.data, 'x', TAIL);
	append_nested(&input);
	append_deflated(&input, slice_of(tail.data, TAIL), 9, DEFLATED_RAW);
	assert_ok(buf_append(&input, "\0\0\0\0\0\0\0\0", 8)); /* a wrong checksum */
	read_input(&input, &run);
	assert_in_range(run.decoded, MOST / 2, MOST);
}

/* A good member that is longer than what one trial is counted for. */
static void append_record(struct buf *to, size_t len)
{
	AUTO_BUF text = { 0 };
	assert_ok(buf_printf(&text,
			     "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:a>\r\n"
			     "WARC-Date: 2024-05-01T10:00:00Z\r\nContent-Length: %zu\r\n\r\n",
			     len));
	while (len--)
		assert_ok(buf_append_byte(&text, 'a'));
	assert_ok(buf_append_text(&text, "\r\n\r\n"));
	append_deflated(to, buf_slice(&text), 0, DEFLATED_GZIP);
}

/*
 * Magics one after another, each with the start of a record and a fault after it. A few thousand are tried, then one
 * for each 512 bytes. Of the records after them the first may be passed over, the second is found.
 */
TEST(many_magics_cost_little)
{
	enum { MAGICS = 20000, FREE = 4096, PER_TRIAL = 512 };
	AUTO_BUF input = { 0 };
	struct pump_run run;
	for (size_t i = 0; i < MAGICS; i++) {
		append_stored(&input, sizeof(content) - 1);
		assert_ok(buf_append_text(&input, content));
		assert_ok(buf_append_byte(&input, 7));
	}
	const size_t garbage = input.len;
	append_record(&input, PER_TRIAL);
	append_record(&input, PER_TRIAL);
	read_input(&input, &run);
	assert_in_range(run.log.damaged, FREE, FREE + garbage / PER_TRIAL + 2);
	assert_true(run.log.records >= 1);
}
