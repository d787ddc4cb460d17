/* SPDX-License-Identifier: MIT */
/* The framer on input that is not compressed: every way a record can be odd or wrong, in every split. */
#include <limits.h>

#include "archive/warc/framer.h"
#include "support/record_log.h"
#include "support/split_feed.h"
#include "support/unit.h"

#define HEAD(type, id, length) \
	"WARC/1.0\r\nWARC-Type: " type "\r\nWARC-Record-ID: <urn:" id ">\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n" \
	"WARC-Target-URI: http://x.org/" id "\r\nContent-Length: " length "\r\n\r\n"
#define CLAIMS(id, length) HEAD("response", id, length)
#define GOOD(id) HEAD("response", id, "5") "abcde\r\n\r\n"
#define ARC(id, length) "http://x.org/" id " 1.2.3.4 20040712071243 text/html " length "\n"
#define DATE_ID "WARC-Record-ID: <urn:a>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
/* A record of five bytes as the log shows it; the FNV-1a of "abcde" */
#define SHOWN(seq, id) seq " record response http://x.org/" id " 5 749bcf08\n"
#define BAD(seq, id) seq " bad_length response http://x.org/" id "\n"

struct run {
	struct record_log log;
	struct warc_framer *framer;
	struct limits limits;
	uint64_t size; /* told to the framer as the size of a file that can seek; UINT64_MAX: a pipe */
	size_t kept;   /* bytes that may be read again; 0: the framer's limit */
	struct slice input;
};

static void run_begin(void *arg)
{
	struct run *run = arg;
	record_log_start(&run->log);
	run->framer = warc_framer_new(&run->log.sink, &run->limits, run->size != UINT64_MAX);
	assert_non_null(run->framer);
	if (run->kept)
		warc_framer_keep_most(run->framer, run->kept);
	assert_int_equal(warc_framer_plain(run->framer, 0, run->size), 0);
}

/* Obeys a wish to seek as the pump does: the bytes from there on, whole. */
static int obey(struct run *run, int answer)
{
	while (answer == FRAMER_SEEK)
		answer = warc_framer_write(run->framer,
					   slice_skip(run->input, (size_t)warc_framer_seek_offset(run->framer)));
	return answer;
}

static void run_piece(void *arg, struct slice bytes)
{
	struct run *run = arg;
	assert_ok(warc_framer_write(run->framer, bytes));
}

static void run_end(void *arg, struct buf *outcome)
{
	struct run *run = arg;
	int answer = warc_framer_finish(run->framer);
	while (answer == FRAMER_SEEK) {
		assert_int_equal(obey(run, answer), 0);
		answer = warc_framer_finish(run->framer);
	}
	assert_int_equal(answer, 0);
	assert_null(run->log.open);
	assert_int_equal(warc_framer_records(run->framer), run->log.records + run->log.damaged);
	warc_framer_free(run->framer);
	assert_ok(buf_append(outcome, run->log.text.data, run->log.text.len));
}

/* Reads the input of a run in every split. Returns the log, which the caller frees. */
static struct buf log_of(struct run *run)
{
	struct buf outcome = { 0 };
	split_check(&(struct split_subject){ run_begin, run_piece, run_end, run }, run->input, &outcome);
	buf_free(&run->log.text);
	return outcome;
}

static const struct limits default_limits = LIMITS_DEFAULT;

/* As a pipe and as a file, in every split. */
static void expect_with(struct slice input, struct limits limits, bool offsets, const char *want)
{
	for (int pass = 0; pass < 2; pass++) {
		struct run run = { .limits = limits, .size = pass ? input.len : UINT64_MAX, .input = input };
		run.log.offsets = offsets;
		AUTO_BUF outcome = log_of(&run);
		assert_holds(&outcome, want);
	}
}

static void expect_bytes(const char *input, size_t len, const char *want)
{
	expect_with(slice_of(input, len), default_limits, false, want);
}

#define EXPECT(input, want) expect_bytes(input, sizeof(input) - 1, want)

TEST(reads_records)
{
	EXPECT("", "");
	EXPECT(GOOD("a"), SHOWN("0", "a"));
	EXPECT(GOOD("a") GOOD("b") GOOD("c"), SHOWN("0", "a") SHOWN("1", "b") SHOWN("2", "c"));
	EXPECT(HEAD("metadata", "a", "0") "\r\n\r\n" GOOD("b"),
	       "0 record metadata http://x.org/a 0 811c9dc5\n" SHOWN("1", "b"));
}

TEST(tells_offsets_and_lengths)
{
	static const char input[] = GOOD("a") GOOD("b");
	expect_with(slice_of(input, sizeof(input) - 1), default_limits, true,
		    "0 record response @0+148 http://x.org/a 5 749bcf08\n"
		    "1 record response @152+148 http://x.org/b 5 749bcf08\n");
}

TEST(tolerates_odd_endings)
{
	static const char *const ends[] = { "", "\r\n", "\n\n", "\n", "\r\n\r\n\r\n\r\n\n" };
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		AUTO_BUF input = { 0 };
		assert_ok(buf_printf(&input, "%sabcde%s%s", CLAIMS("a", "5"), ends[i], GOOD("b")));
		expect_with(buf_slice(&input), default_limits, false, SHOWN("0", "a") SHOWN("1", "b"));
	}
	EXPECT(CLAIMS("a", "5") "abcde", SHOWN("0", "a"));
	EXPECT("\xef\xbb\xbf\r\n" GOOD("a"), SHOWN("0", "a"));
	EXPECT("\n\n \r\n" GOOD("a"), SHOWN("0", "a"));
}

TEST(tolerates_the_extra_line_break_of_2018)
{
	EXPECT(CLAIMS("a", "30") "HTTP/1.1 200 OK\r\nA: b\r\n\r\n\r\nabcde\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 32 e68cebfc\n" SHOWN("1", "b"));
	/* without that line break it is a wrong length */
	EXPECT(CLAIMS("a", "28") "HTTP/1.1 200 OK\r\nA: b\r\n\r\nabcde\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 30 ac0d4a95 bad_length\n" SHOWN("1", "b"));
}

TEST(reads_lenient_heads)
{
	EXPECT("WARC/0.18\nWARC-Type:response\nwarc-target-uri: <http://x.org/a>\nContent-Length:5\n\nabcde\n\n" GOOD(
		       "b"),
	       SHOWN("0", "a") SHOWN("1", "b"));
	EXPECT("WARC/1.1 \r\nno colon here\r\n: no name\r\nWARC-Type : response\r\nWARC-Target-URI: http://x.org/\r\n  "
	       "a\r\n"
	       "Content-Length: 0005\r\nContent-Length: 5\r\nWARC-Target-URI: http://other/\r\n\r\nabcde\r\n\r\n",
	       "0 record response http://x.org/ a 5 749bcf08\n");
	EXPECT("WARC/0.17\r\nWARC-Type: \r\n response\r\n\tor so\r\nContent-Length: 5\r\n\r\nabcde",
	       "0 record response or so  5 749bcf08\n");
}

TEST(reports_bad_heads)
{
	const char *const *lengths =
		TEXTS("", "Content-Length: \r\n", "Content-Length: -1\r\n", "Content-Length: +5\r\n",
		      "Content-Length: 0x5\r\n", "Content-Length: 5a\r\n", "Content-Length: 1e3\r\n",
		      "Content-Length: 99999999999999999999\r\n", "Content-Length: 18446744073709551615\r\n",
		      "Content-Length: 5\r\nContent-Length: 6\r\n");
	for (; *lengths; lengths++) {
		AUTO_BUF input = { 0 };
		assert_ok(buf_printf(&input, "%s%s%s%s", GOOD("a") "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID,
				     *lengths, "\r\nabcde\r\n\r\n", GOOD("c")));
		expect_with(buf_slice(&input), default_limits, false,
			    SHOWN("0", "a") "1 damage bad_head  urn:a\n" SHOWN("2", "c"));
	}
	/* without a type the length still leads on, past what looks like a record */
	EXPECT("WARC/1.0\r\n" DATE_ID "Content-Length: 152\r\n\r\n" GOOD("x") "\r\n\r\n" GOOD("b"),
	       "0 damage bad_head  urn:a\n" SHOWN("1", "b"));
}

TEST(reports_bad_versions)
{
	const char *const *versions = TEXTS("WARC/2.0", "warc/1.0", "WARC/", "WARC/1.0.0.0", "WARC/1", "WARC/1.0x");
	for (; *versions; versions++) {
		AUTO_BUF input = { 0 };
		assert_ok(buf_printf(&input, "%s%s%s", GOOD("a"), *versions,
				     "\r\nWARC-Type: response\r\n" DATE_ID
				     "Content-Length: 5\r\n\r\nabcde\r\n\r\n" GOOD("c")));
		expect_with(buf_slice(&input), default_limits, false,
			    SHOWN("0", "a") "1 damage bad_version  urn:a\n" SHOWN("2", "c"));
	}
}

TEST(goes_back_after_a_wrong_length)
{
	/* too short, too long, into the next head, over several records, beyond the end; no border is certain */
	EXPECT(CLAIMS("a", "3") "abcde\n\n" GOOD("b"), BAD("0", "a") SHOWN("1", "b"));
	EXPECT(CLAIMS("a", "40") "abcde\n\n" GOOD("b") GOOD("c"), BAD("0", "a") SHOWN("1", "b") SHOWN("2", "c"));
	EXPECT(CLAIMS("a", "11") "abcde\r\n\n" GOOD("b"), BAD("0", "a") SHOWN("1", "b"));
	EXPECT(CLAIMS("a", "200") "abcde\n\n" GOOD("b") GOOD("c") GOOD("d"),
	       BAD("0", "a") SHOWN("1", "b") SHOWN("2", "c") SHOWN("3", "d"));
	EXPECT(CLAIMS("a", "9999") "abcde\n\n" GOOD("b") GOOD("c"), BAD("0", "a") SHOWN("1", "b") SHOWN("2", "c"));
	/* each of them lies */
	EXPECT(CLAIMS("a", "9999") "abcde\n\n" CLAIMS("b", "170") "abcde\n\n" GOOD("c") GOOD("d"),
	       "0 bad_length response http://x.org/a\n1 bad_length response http://x.org/b\n" SHOWN("2", "c")
		       SHOWN("3", "d"));
	EXPECT(CLAIMS("a", "9223372036854775807") "abcde", "0 truncated response http://x.org/a\n");
}

/* A record of the same five bytes whose length is wrong, and its border certain. */
#define MENDED(seq, id) seq " record response http://x.org/" id " 5 749bcf08 bad_length\n"

TEST(ends_records_at_certain_borders)
{
	static const char *const wrong[] = { "0",   "1",   "2",   "3",   "4",   "10",  "11",   "40",           "153",
					     "163", "156", "170", "200", "316", "470", "9999", "1234567890123" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		AUTO_BUF input = { 0 };
		assert_ok(buf_printf(&input, "%s%s%s%s%s%s",
				     GOOD("a") "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID
					       "WARC-Target-URI: http://x.org/b\r\nContent-Length: ",
				     wrong[i], "\r\n\r\nabcde\r\n\r\n", GOOD("c"), GOOD("d"), GOOD("e")));
		expect_with(buf_slice(&input), default_limits, false,
			    SHOWN("0", "a") MENDED("1", "b") SHOWN("2", "c") SHOWN("3", "d") SHOWN("4", "e"));
	}
	/* several in a row, the last one at the end of the input, and one without bytes */
	EXPECT(CLAIMS("a", "3") "abcde\r\n\r\n" CLAIMS("b", "170") "abcde\r\n\r\n" GOOD("c")
		       CLAIMS("d", "2") "abcde\r\n\r\n",
	       MENDED("0", "a") MENDED("1", "b") SHOWN("2", "c") MENDED("3", "d"));
	EXPECT(CLAIMS("a", "20") "\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 0 811c9dc5 bad_length\n" SHOWN("1", "b"));
	/* line breaks of the block itself stay in it */
	EXPECT(CLAIMS("a", "1") "ab\r\n\r\n\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 6 faf8348e bad_length\n" SHOWN("1", "b"));
	/* the end of an input that is cut is none */
	EXPECT(CLAIMS("a", "9") "abcde\r\n\r", "0 truncated response http://x.org/a\n");
	EXPECT(CLAIMS("a", "2") "abcde\r\n\r", BAD("0", "a"));
}

/* What is withheld has an end, at the same byte for every split. */
TEST(withholds_up_to_a_limit)
{
	enum { KEPT = 400, BODY = 900 };
	for (size_t more = 5; more <= 900; more += more < 20 || (more > KEPT - 10 && more < KEPT + 10) ? 1 : 50) {
		AUTO_BUF input = { 0 }, want = { 0 };
		/* The claim ends `more` bytes behind the block, and what is kept begins with the next head. */
		const bool kept = more - 4 <= KEPT;
		assert_ok(buf_printf(&input,
				     "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "Content-Length: %zu\r\n\r\n",
				     BODY + more));
		const size_t begin = input.len;
		assert_ok(buf_printf(&input, "%0*d\r\n\r\n%s%s", BODY, 0, GOOD("b"), CLAIMS("c", "1000")));
		assert_ok(buf_printf(&input, "%01000d\r\n\r\n", 0));
		if (kept)
			assert_ok(buf_printf(&want, "0 record response  %d %08x bad_length\n", BODY,
					     hash_fnv32(slice_of(input.data + begin, BODY), HASH_FNV32_START)));
		else
			assert_ok(buf_append_text(&want, "0 bad_length response \n"));
		struct run run = { .limits = LIMITS_DEFAULT,
				   .size = UINT64_MAX,
				   .kept = KEPT,
				   .input = buf_slice(&input) };
		AUTO_BUF outcome = log_of(&run);
		assert_true(outcome.len >= want.len && memcmp(outcome.data, want.data, want.len) == 0);
	}
}

/* What only looks like a head, or does not come after CRLF CRLF, is no border. */
TEST(decoys_are_no_borders)
{
	const char *const *decoys =
		TEXTS("WARC/1.0 is a format\r\n\r\n", "WARC/1.0\r\n\r\n", "WARC/1.0\r\nWARC-Type: response\r\n\r\n",
		      "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "\r\n",
		      "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "Content-Length: x\r\n\r\n",
		      "WARC/1.0\r\n" DATE_ID "Content-Length: 5\r\n\r\n",
		      "WARC/9.9\r\nWARC-Type: response\r\n" DATE_ID "Content-Length: 5\r\n\r\n",
		      "WARCWARC/1.0\r\n\r\nWARC", "W\r\n\r\nWA\r\n\r\nWARC/\r\n\r\n", "\r\n\r\n\r\n\r\n\r");
	for (; *decoys; decoys++) {
		const size_t right = 3 + 4 + strlen(*decoys) + 1;
		AUTO_BUF block = { 0 };
		assert_ok(buf_printf(&block, "abc\r\n\r\n%sz", *decoys));
		const size_t lengths[] = { 0,         1,         2,          right - 1,   right,
					   right + 5, right + 6, right + 20, right + 130, 9999 };
		for (size_t k = 0; k < sizeof(lengths) / sizeof(*lengths); k++) {
			AUTO_BUF input = { 0 }, want = { 0 };
			const size_t wrong = lengths[k];
			assert_ok(buf_printf(
				&input, "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "Content-Length: %zu\r\n\r\n",
				wrong));
			const size_t begin = input.len;
			assert_ok(buf_append(&input, block.data, block.len));
			assert_ok(buf_append_text(&input, "\r\n\r\n" GOOD("b")));
			const struct slice body = slice_of(input.data + begin, right);
			assert_ok(buf_printf(&want, "0 record response  %zu %08x%s\n%s", body.len,
					     hash_fnv32(body, HASH_FNV32_START), wrong == right ? "" : " bad_length",
					     SHOWN("1", "b")));
			expect_with(buf_slice(&input), default_limits, false, (const char *)want.data);
		}
	}
}

TEST(leaves_records_in_blocks_alone)
{
	EXPECT(CLAIMS("a", "152") GOOD("x") "\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 152 542f9dd6\n" SHOWN("1", "b"));
	/* an HTTP response with two; one whose last record has no line breaks; one that only begins like one */
	EXPECT(CLAIMS("a", "323") "HTTP/1.1 200 OK\r\n\r\n" GOOD("x") GOOD("y") "\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 323 65523cae\n" SHOWN("1", "b"));
	EXPECT(CLAIMS("a", "300") GOOD("x") CLAIMS("y", "5") "abcde\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 300 8e65a1eb\n" SHOWN("1", "b"));
	/* a page that quotes heads, also where it ends without line breaks, or the input does */
	EXPECT(CLAIMS("a", "160") "see\r\n\r\n" GOOD("x") "z\r\n\r\n" GOOD("b"),
	       "0 record response http://x.org/a 160 c4091633\n" SHOWN("1", "b"));
	EXPECT(CLAIMS("a", "160") "see\r\n\r\n" GOOD("x") "z", "0 record response http://x.org/a 160 c4091633\n");
	/* garbage after it does not touch it */
	EXPECT(CLAIMS("a", "152") GOOD("x") "\r\n\r\nXX" GOOD("b"),
	       "0 record response http://x.org/a 152 542f9dd6\n1 damage garbage  \n" SHOWN("2", "b"));
	/* but not when the block around them is wrong */
	EXPECT(CLAIMS("a", "158") "xx\r\n" GOOD("x") "\r\nabc" GOOD("b"),
	       BAD("0", "a") SHOWN("1", "x") "2 damage garbage  \n" SHOWN("3", "b"));
}

/* A length that is too large ends at a border, or near one, or at two line breaks inside a record. */
TEST(finds_what_a_block_swallows)
{
	for (unsigned more = 5; more < 3 * (sizeof(GOOD("b")) - 1) + 30; more++) {
		AUTO_BUF text = { 0 };
		assert_int_equal(
			buf_printf(&text,
				   "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID
				   "WARC-Target-URI: http://x.org/a\r\nContent-Length: %u\r\n\r\nabcde\r\n\r\n" GOOD(
					   "b") GOOD("c") CLAIMS("d", "9") "a\r\n\r\n\r\n\r\n\r\n\r\n",
				   5 + more),
			0);
		expect_with(buf_slice(&text), default_limits, false,
			    MENDED("0", "a") SHOWN("1", "b")
				    SHOWN("2", "c") "3 record response http://x.org/d 9 21eba4d4\n");
	}
}

TEST(finds_heads_cut_off)
{
	EXPECT("WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "Content-Len" GOOD("b"),
	       "0 damage bad_head  urn:a\n" SHOWN("1", "b"));
	EXPECT("WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID GOOD("b"), "0 damage bad_head  urn:a\n" SHOWN("1", "b"));
	EXPECT("WARC/1.0\r\nWARC-Type: res" GOOD("b"), "0 damage bad_head  \n" SHOWN("1", "b"));
	/* a URI may end like a version */
	EXPECT("WARC/1.0\r\nWARC-Target-URI: http://x.org/WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID
	       "Content-Length: 5\r\n\r\nabcde",
	       "0 record response http://x.org/WARC/1.0 5 749bcf08\n");
	EXPECT(GOOD("a") "WARC/1.0\r\nWARC-Type: resp", SHOWN("0", "a") "1 damage truncated  \n");
	EXPECT(GOOD("a") "WAR", SHOWN("0", "a") "1 damage truncated  \n");
}

TEST(passes_over_garbage)
{
	static const char nuls[] = GOOD("a") "\0\0\0\0\0\0\0\0" GOOD("b");
	static const char padding[] = GOOD("a") "\0\0\0\0";
	EXPECT(GOOD("a") "some WARC/1.0 text\r\n\r\nWARC/1.0\r\nA: b\r\n\r\n" GOOD("b"),
	       SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "b"));
	EXPECT("garbage first\r\n" GOOD("b"), "0 damage garbage  \n" SHOWN("1", "b"));
	EXPECT("glued" GOOD("b") "tail", "0 damage garbage  \n" SHOWN("1", "b") "2 damage garbage  \n");
	expect_bytes(nuls, sizeof(nuls) - 1, SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "b"));
	expect_bytes(padding, sizeof(padding) - 1, SHOWN("0", "a"));
	EXPECT("<html><p>no archive</p>", "0 damage not_an_archive  \n");
	EXPECT("\r\n\r\n\r\n", "0 damage not_an_archive  \n");
	EXPECT("WARC", "0 damage truncated  \n");
}

TEST(tells_truncation)
{
	EXPECT(GOOD("a") CLAIMS("b", "50") "abcde", SHOWN("0", "a") "1 truncated response http://x.org/b\n");
}

TEST(keeps_limits)
{
	struct limits limits = LIMITS_DEFAULT;
	AUTO_BUF input = { 0 };
	limits.head = 400;
	limits.head_line = 30;
	limits.block = 3;
	assert_ok(buf_printf(
		&input,
		"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.org/%050d\r\n"
		"Content-Length: 5\r\n\r\nabcde\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nX: %0600d\r\n\r\n%s",
		1, 2, GOOD("c")));
	expect_with(buf_slice(&input), limits, false,
		    "0 record response http://x.org/ 3 1a47e90b block_cut head_cut\n1 damage head_too_large  \n"
		    "2 record response http://x.org/ 3 1a47e90b block_cut head_cut\n");
}

/* One of address and date is enough to know the other by; where a head is expected, neither is needed. */
TEST(reads_odd_heads_of_arc)
{
	static const char *const dates[] = { "2004071207",
					     "200407120712",
					     "20040712",
					     "2004071207124300",
					     "200407120712430000",
					     "a0d1fd",
					     "20040712071243tmp",
					     "-",
					     "0",
					     "2004-07-12T07:12:43Z",
					     "20049912071243" };
	static const char *const addresses[] = {
		"None", "-", "::1", "2001:db8::1", "localhost", "0", "1.2.3.4:80", ""
	};
	static const char *const none[] = { "http://x.org/b 1.2.3.4 - 5", "http://x.org/b None x html 5",
					    "http://x.org/b is a page/site 5 x", "x.org/b 1.2.3.4 20040712071243 a/b 5",
					    "http://x.org/b c None x text/html 5" };
	AUTO_BUF input = { 0 };
	for (size_t i = 0; i < 11 * 8 + 5; i++) {
		const char *date = dates[i % 11], *address = addresses[i / 11 % 8];
		buf_clear(&input);
		assert_ok(buf_append_text(&input, ARC("a", "5") "abcde\n"));
		if (i < (size_t)11 * 8)
			assert_ok(buf_printf(&input, "http://x.org/b %s %s text/html 5\n", address, date));
		else
			assert_ok(buf_printf(&input, "%s\n", none[i - (size_t)11 * 8]));
		assert_ok(buf_append_text(&input, "abcde\n" ARC("c", "5") "abcde\n"));
		/* where the address is missing, only a date tells where the URL ends */
		const bool lost = i >= (size_t)11 * 8 || (!*address && i % 11 > 4 && i % 11 != 9);
		expect_bytes((const char *)input.data, input.len,
			     lost ? SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "c")
				  : SHOWN("0", "a") SHOWN("1", "b") SHOWN("2", "c"));
	}
	/* version 2, a URL with a blank, a type of two words; after garbage one of the two is needed */
	EXPECT(ARC("a", "5") "abcde\nhttp://x.org/b None 20040712071243 text/html 200 - - 12345678 a.arc 5\nabcde\n"
			     "http://x.org/c d None 20040712071243 text/html; charset=x 5\nabcde\n",
	       SHOWN("0", "a") SHOWN("1", "b") SHOWN("2", "c d"));
	EXPECT(ARC("a", "5") "abcde\nXX\nhttp://x.org/b None x text/html 5\nabcde\n"
			     "http://x.org/c None 2004071207 text/html 5\nabcde\nhttp://x.org/d 1.2.3.4 x no-type "
			     "5\nabcde\n",
	       SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "c") SHOWN("3", "d"));
	EXPECT(ARC("a", "5") "abcde\nhttp://x.org/b 1.2.3.4 - text/html 9\nabcde\n" ARC("c", "5") "abcde\n",
	       SHOWN("0", "a") BAD("1", "b") SHOWN("2", "c"));
}

/* WARC and ARC in one input: what begins an archive of the other kind ends the record before it. */
TEST(reads_both_kinds)
{
	static const char filedesc[] = "filedesc://a.arc 0.0.0.0 20040712071242 text/plain 4\n1 1 \n";
	AUTO_BUF input = { 0 };
	assert_ok(buf_printf(&input, "%s%s%s%s%s%s", GOOD("a"), filedesc, ARC("b", "5") "abcde\n", GOOD("c"), filedesc,
			     ARC("d", "5") "abcde\nXX\n" GOOD("e") "XX\n" ARC("f", "5") "abcde\n"));
	expect_bytes(
		(const char *)input.data, input.len,
		SHOWN("0", "a") "1 record warcinfo filedesc://a.arc 4 0617abad\n" SHOWN("2", "b")
			SHOWN("3", "c") "4 record warcinfo filedesc://a.arc 4 0617abad\n" SHOWN(
				"5", "d") "6 damage garbage  \n" SHOWN("7", "e") "8 damage garbage  \n" SHOWN("9",
													      "f"));
	/* a line that only begins so */
	EXPECT(GOOD("a") "filedesc: this is none\n" GOOD("b"), SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "b"));
	EXPECT(GOOD("a") ARC("b", "5") "abcde\n" GOOD("c"), SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "c"));
}

TEST(skips_unwanted_records)
{
	static const char input[] = GOOD("a") GOOD("b");
	struct run run = { .limits = LIMITS_DEFAULT, .size = UINT64_MAX, .input = slice_from_text(input) };
	run.log.unwanted = true;
	AUTO_BUF outcome = log_of(&run);
	assert_holds(&outcome, "0 record response http://x.org/a\n1 record response http://x.org/b\n");
}

TEST(reads_arc)
{
	static const char input[] =
		"filedesc://a.arc 0.0.0.0 20040712071242 text/plain 76\n1 1 InternetArchive\n"
		"URL IP-address Archive-date Content-type Archive-length\n"
		"\nhttp://x.org/a b 1.2.3.4 20040712071243 text/html 5\nabcde\n"
		"http://x.org/c 1.2.3.4 20040712071243 text/html; charset=x 200 - - 0 a.arc 5\nabcde\n";
	EXPECT(input, "0 record warcinfo filedesc://a.arc 76 85af91c1\n" SHOWN("1", "a b") SHOWN("2", "c"));
	/* wrong lengths, garbage */
	EXPECT(ARC("a", "3") "abcde\n" ARC("b", "5") "abcde\n", BAD("0", "a") SHOWN("1", "b"));
	EXPECT(ARC("a", "9") "abcde\n" ARC("b", "5") "abcde\n", BAD("0", "a") SHOWN("1", "b"));
	EXPECT(ARC("a", "5") "abcde\nXXXX\n" ARC("b", "5") "abcde",
	       SHOWN("0", "a") "1 damage garbage  \n" SHOWN("2", "b"));
	EXPECT("http://x.org/ no archive\nat all\n", "0 damage not_an_archive  \n");
}

/* Members: what the pump tells. */
struct members {
	struct record_log log;
	struct warc_framer *framer;
	uint64_t offset;
	bool tells; /* what the member holds */
};

static const struct limits member_limits = LIMITS_DEFAULT;

static void members_start(struct members *m, bool tells)
{
	*m = (struct members){ .tells = tells };
	record_log_start(&m->log);
	m->log.offsets = true;
	m->framer = warc_framer_new(&m->log.sink, &member_limits, false);
	assert_non_null(m->framer);
}

/* A member of 100 bytes in the input. `fault`: DAMAGE_REASONS = none. */
static void member(struct members *m, const char *text, enum damage_reason fault)
{
	assert_int_equal(warc_framer_member_begin(m->framer, m->offset), 0);
	if (m->tells && fault == DAMAGE_REASONS)
		warc_framer_member_content(m->framer, slice_from_text(text), true);
	for (const char *at = text; *at; at++)
		assert_ok(warc_framer_write(m->framer, slice_of(at, 1)));
	m->offset += 100;
	if (fault == DAMAGE_REASONS)
		assert_ok(warc_framer_member_end(m->framer, m->offset));
	else
		assert_int_equal(warc_framer_member_bad(m->framer, fault, "test"), 0);
}

static void good_members(struct members *m, const char *const *texts)
{
	while (*texts)
		member(m, *texts++, DAMAGE_REASONS);
}

#define MEMBERS(...) good_members(&m, TEXTS(__VA_ARGS__))

/*
 * In `want`, '!' stands for an unverified record, '?' for one that is unverified unless the members are told; and
 * "$0^a=" for a record at 0 with the URI that ends in a, of five bytes.
 */
static void members_end(struct members *m, const char *want)
{
	AUTO_BUF expanded = { 0 };
	for (; *want; want++) {
		static const char signs[] = "!?$^=";
		const char *const texts[] = { " unverified", m->tells ? "" : " unverified", "record response @",
					      " http://x.org/", " 5 749bcf08" };
		const char *sign = strchr(signs, *want);
		assert_ok(buf_printf(&expanded, "%.*s", sign ? INT_MAX : 1, sign ? texts[sign - signs] : want));
	}
	assert_ok(buf_append_byte(&expanded, 0));
	assert_ok(warc_framer_finish(m->framer));
	assert_holds(&m->log.text, (const char *)expanded.data);
	warc_framer_free(m->framer);
	buf_free(&m->log.text);
}

static void check_members(bool tells)
{
	struct members m;
	const enum damage_reason none = DAMAGE_REASONS;
	members_start(&m, tells); /* one record each; two in one; one in two; a head in two */
	MEMBERS(GOOD("a"), GOOD("b") GOOD("c"), CLAIMS("d", "5") "abc", "de\r\n\r\n", "WARC/1.0\r\nWARC-Type: resp",
		"onse\r\nContent-Length: 5\r\n\r\nabcde", "\r\n\r\n");
	members_end(&m, "0 $0+100^a=\n1 $100^b=?\n2 $100^c=\n3 $200^d=\n4 $400 =\n");
	members_start(&m, tells); /* a damaged member takes its last record with it, and is counted once */
	member(&m, GOOD("a") GOOD("b"), DAMAGE_BAD_MEMBER);
	member(&m, "", DAMAGE_BAD_MEMBER);
	member(&m, "WARC/1.0\r\nWARC-Target-URI: http://x.org/c\r\n", DAMAGE_TRUNCATED);
	member(&m, GOOD("d"), none);
	assert_int_equal(warc_framer_garbage(m.framer, m.offset, "test"), 0);
	members_end(&m, "0 $0^a=!\n1 bad_member response @0^b\n2 damage truncated @200^c \n3 $300+100^d=\n4 damage "
			"garbage @400  \n");
	/* members begin at records: one ends inside a block, or inside a head, and the next one begins with a head */
	members_start(&m, tells);
	MEMBERS(GOOD("0"), GOOD("0"), GOOD("0"), GOOD("0"), CLAIMS("a", "50") "abcde", GOOD("b"),
		"WARC/1.0\r\nWARC-Target-URI: http://x.org/c\r\n", GOOD("d"),
		CLAIMS("e", "300") "abcde\r\n\r\n" GOOD("f"), GOOD("g"));
	members_end(
		&m,
		"0 $0+100^0=\n1 $100+100^0=\n2 $200+100^0=\n3 $300+100^0=\n4 $400+100^a= bad_length\n5 $500+100^b=\n6 "
		"damage bad_head @600^c \n7 $700+100^d=\n8 $800^e= bad_length\n9 $800^f=\n10 $900+100^g=\n");
	/* members begin anywhere: what one begins with is text, unless the length before it was wrong */
	members_start(&m, tells);
	MEMBERS(CLAIMS("a", "33") "abc", "WARC/1.0\r\nWARC-Type", "WARC/1.0 is\r\n\r\n" CLAIMS("b", "70") "abcde",
		GOOD("c") GOOD("d"));
	members_end(&m, "0 $0^a 33 5e94cce0?\n1 bad_length response @200^b\n2 $300^c=?\n3 $300^d=\n");
	/* what looks like a record is a block, which the end of its member proves, or is none */
	members_start(&m, tells);
	MEMBERS(CLAIMS("a", "152") GOOD("b") "\r\n\r\n", CLAIMS("c", "100") GOOD("d") "\r\n\r\n",
		CLAIMS("e", "152") GOOD("f") "\r\n\r.", CLAIMS("g", "152") GOOD("h") "\r\n" GOOD("i"));
	members_end(&m, "0 $0+100^a 152 b44a7a56\n1 bad_length response @100^c\n2 $100^d=\n3 bad_length response "
			"@200^e\n4 $200^f=\n5 damage garbage @200  \n6 $300^g 152 78e05336?\n7 $300^i=\n");
	/* a length that leads to no boundary is no fault of its own where its member is damaged */
	members_start(&m, tells);
	member(&m, CLAIMS("a", "3") "abcde and more", DAMAGE_BAD_MEMBER);
	member(&m, CLAIMS("b", "3") "abcde", DAMAGE_TRUNCATED);
	member(&m, CLAIMS("c", "3") "abcde", none);
	member(&m, CLAIMS("d", "3") "abcde\r\n\r\n" GOOD("e"), DAMAGE_BAD_MEMBER);
	member(&m, GOOD("f"), none);
	members_end(&m, "0 bad_member response @0^a\n1 truncated response @100^b\n2 $200^c 3 1a47e90b bad_length\n3 "
			"$300^d=! bad_length\n4 bad_member response @300^e\n5 $400+100^f=\n");
}

TEST(hears_of_members)
{
	check_members(false);
	check_members(true);
}

/* The end of a member is the border of its last record where members end with records. */
TEST(ends_records_with_their_members)
{
	static const char *const wrong[] = { "0", "1", "3", "4", "10", "14", "20", "60", "4000", "999999999" };
	const enum damage_reason none = DAMAGE_REASONS;
	for (size_t i = 0; i < 4 * sizeof(wrong) / sizeof(*wrong); i++) {
		const char *ends[] = { "abcde\r\n\r\n", "abcde" };
		const bool closed = i % 4 < 2, more = i % 2, tells = i % 3;
		const char *length = wrong[i / 4];
		const unsigned long n = strtoul(length, NULL, 10), kept = closed || n > 5 ? 5 : n;
		AUTO_BUF bytes = { 0 }, want = { 0 };
		struct members m;
		assert_ok(buf_printf(&bytes,
				     "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "Content-Length: %s\r\n\r\n%s",
				     length, ends[!closed]));
		assert_ok(buf_append_byte(&bytes, 0));
		const bool cut = !more && !closed && n > 5; /* nothing proves that the input does not go on */
		assert_ok(buf_printf(
			&want, cut ? "truncated response @200 \n" : "record response @200%s  %lu %08x bad_length\n",
			closed || n > 5 ? "+100" : "", kept, hash_fnv32(slice_of("abcde", kept), HASH_FNV32_START)));
		AUTO_BUF all = { 0 };
		assert_ok(buf_printf(&all,
				     "0 record response @0+100 http://x.org/a 5 749bcf08\n"
				     "1 record response @100+100 http://x.org/b 5 749bcf08\n2 %.*s%s",
				     (int)want.len, (const char *)want.data,
				     more ? "3 record response @300+100 http://x.org/c 5 749bcf08\n" : ""));
		members_start(&m, tells);
		member(&m, GOOD("a"), none);
		member(&m, GOOD("b"), none);
		member(&m, (const char *)bytes.data, none);
		if (more)
			member(&m, GOOD("c"), none);
		members_end(&m, (const char *)all.data);
	}
}

/* Common Crawl of 2012: a record has two bytes more than its length says, and its member ends with it. */
TEST(tolerates_the_short_length_of_2012)
{
	struct members m;
	members_start(&m, false);
	/* also: one byte more, three, no line break, and more in the member: wrong lengths */
	MEMBERS(ARC("a", "3") "abcde\n", ARC("b", "5") "abcde\n", ARC("c", "4") "abcde\n", ARC("d", "2") "abcde\n",
		ARC("e", "3") "abcde", ARC("f", "3") "abcde.", ARC("g", "3") "abcde\n" ARC("h", "5") "abcde\n");
	members_end(
		&m,
		"0 $0+100^a=\n1 $100+100^b=\n2 bad_length response @200^c\n3 bad_length response @300^d\n4 bad_length "
		"response @400^e\n5 bad_length response @500^f\n6 bad_length response @600^g\n7 $600^h=\n");
	/* nothing proves it where the input is not compressed */
	EXPECT(ARC("a", "3") "abcde\n", BAD("0", "a"));
}

/* As long as no head is known, an archive may be of either format. */
TEST(reads_an_archive_without_its_start)
{
	EXPECT("filedXsc://a.arc 0.0.0.0 20040712071242 text/plain 4\nabc\n\n" ARC("a", "5") "abcde\n" ARC(
		       "b", "5") "abcde\n",
	       "0 damage garbage  \n" SHOWN("1", "a") SHOWN("2", "b"));
	EXPECT("http://x.org/ is no head\nhttps\nhtt" ARC("a", "5") "abcde\n", "0 damage not_an_archive  \n");
	EXPECT("text\n" ARC("a", "x") ARC("a", "5") "abcde\nWARC/1.0\n",
	       "0 damage garbage  \n" SHOWN("1", "a") "2 damage truncated  \n");
	EXPECT("http" GOOD("a") GOOD("b"), "0 damage garbage  \n" SHOWN("1", "a") SHOWN("2", "b"));
	EXPECT("text\nfiledesWARC/1.0\nhttp://x.org/\n" GOOD("a") ARC("b", "5"),
	       "0 damage garbage  \n" SHOWN("1", "a") "2 damage garbage  \n");
}

/* A pipe keeps 16 MiB of a block that may prove wrong; a file is read again. */
TEST(goes_far_back)
{
	enum { FAR = 17 << 20 };
	static const char start[] = CLAIMS("a", "20000000") "abcde\r\n\r\n" GOOD("b");
	static const char far_head[] = CLAIMS("c", "17825792");
	static const char end[] = "\r\n\r\n" GOOD("d");
	AUTO_BUF input = { 0 };
	assert_ok(buf_append_text(&input, start));
	assert_ok(buf_append_text(&input, far_head));
	assert_ok(buf_reserve(&input, FAR + (3 << 20)));
	memset(input.data + input.len, 'x', FAR);
	input.len += FAR;
	assert_ok(buf_append_text(&input, end));
	memset(input.data + input.len, 'y', 3 << 20);
	input.len += 3 << 20;
	for (int seekable = 0; seekable < 2; seekable++) {
		struct run run = { .limits = LIMITS_DEFAULT,
				   .size = seekable ? input.len : UINT64_MAX,
				   .input = buf_slice(&input) };
		AUTO_BUF outcome = { 0 };
		run_begin(&run);
		assert_int_equal(obey(&run, warc_framer_write(run.framer, buf_slice(&input))), 0);
		run_end(&run, &outcome);
		assert_holds(
			&outcome,
			seekable ? BAD("0", "a") SHOWN("1", "b") "2 record response http://x.org/c 17825792 "
								 "745c9dc5\n" SHOWN("3", "d") "4 damage garbage  \n"
				 : BAD("0", "a")
					   SHOWN("1", "b") "2 truncated response http://x.org/c\n3 damage garbage  \n");
		buf_free(&run.log.text);
	}
}

/*
 * A block that ends where no more may be kept, as far as `more` bytes beyond, and then `tail`, on a pipe: whether the
 * bytes after the block lie at the end of a piece, and have to wait for the next one, makes no difference.
 */
static void ends_at_the_limit(const char *start, const char *inner, size_t more, const char *tail)
{
	enum { KEPT = 400 };
	AUTO_BUF input = { 0 };
	const size_t len = strlen("abc\n") + KEPT + more;
	assert_ok(buf_printf(&input, "%s%zu%s", start, len, *start == 'W' ? "\r\n\r\n" : "\n"));
	const size_t block = input.len, found = block + strlen("abc\n");
	assert_ok(buf_append_text(&input, "abc\n"));
	assert_ok(buf_append_text(&input, inner));
	while (input.len < block + len)
		assert_ok(buf_append_byte(&input, 'z'));
	assert_ok(buf_append_text(&input, tail));
	struct run run = { .limits = LIMITS_DEFAULT, .size = UINT64_MAX, .kept = KEPT, .input = buf_slice(&input) };
	run.log.offsets = true;
	AUTO_BUF outcome = log_of(&run), line = { 0 };
	assert_ok(buf_append_byte(&outcome, 0));
	assert_ok(buf_printf(&line, "damage garbage @%zu", found + KEPT));
	assert_ok(buf_append_byte(&line, 0));
	assert_non_null(strstr((const char *)outcome.data, (const char *)line.data));
}

TEST(what_is_kept_has_one_end)
{
	static const char *const arc_tails[] = { "XX junk", "XX junk, which is no head\n" ARC("b", "5") "abcde\n",
						 "XX\n" ARC("c", "5") "abcde\n" };
	static const char *const warc_tails[] = { "\r\nXX\n", "\rWARx", "WARCX" GOOD("b"), "\r\n\rX" GOOD("c") };
	static const char arc[] = "filedesc://a.arc 0.0.0.0 20040712071242 text/plain ";
	static const char warc[] = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: ";
	for (size_t more = 0; more < 20; more++) {
		for (size_t i = 0; i < sizeof(arc_tails) / sizeof(*arc_tails); i++)
			ends_at_the_limit(arc, ARC("a", "9999"), more, arc_tails[i]);
		for (size_t i = 0; i < sizeof(warc_tails) / sizeof(*warc_tails);
		     i++) /* what follows is not read before */
			ends_at_the_limit(warc, CLAIMS("a", "9999"), more + 1, warc_tails[i]);
	}
}

enum { LIE_BYTES = 1000 };

/*
 * Heads that all claim `length` bytes and have LIE_BYTES, then `filler` other bytes. The line breaks between them are
 * none that make a border certain, so that what is read is passed on.
 */
static void make_lies(struct buf *input, unsigned heads, uint64_t length, size_t filler)
{
	for (unsigned i = 0; i < heads; i++) {
		assert_ok(buf_printf(input,
				     "WARC/1.0\r\nWARC-Type: response\r\n" DATE_ID "Content-Length: %" PRIu64
				     "\r\n\r\n%0*d\n\n\n\n",
				     length, LIE_BYTES, 0));
	}
	assert_ok(buf_reserve(input, filler));
	if (filler)
		memset(input->data + input->len, 'x', filler);
	input->len += filler;
}

/* Reads the input and frees it; the counts of the log stay. */
static void read_lies(struct run *run, struct buf *input, bool seekable)
{
	AUTO_BUF outcome = { 0 };
	*run = (struct run){ .limits = LIMITS_DEFAULT, .input = buf_slice(input) };
	run->size = seekable ? input->len : UINT64_MAX;
	run_begin(run);
	assert_int_equal(obey(run, warc_framer_write(run->framer, buf_slice(input))), 0);
	run_end(run, &outcome);
	buf_free(&run->log.text);
	buf_free(input);
}

/* How many bytes of blocks the framer reads in such an input, with all that it reads again. */
static uint64_t bytes_of_lies(struct run *run, unsigned heads, uint64_t length, size_t filler, bool seekable)
{
	struct buf input = { 0 };
	make_lies(&input, heads, length, filler);
	read_lies(run, &input, seekable);
	return run->log.all_bytes;
}

static void assert_near(uint64_t value, uint64_t expected, uint64_t most)
{
	assert_true(value <= expected);
	assert_true(value + most >= expected);
}

/* What is read again after wrong lengths is at most 64 MiB and four times the input, whatever the heads claim. */
TEST(lies_cost_little)
{
	enum { HEADS = 3000, LIE = 100001, FAR_HEADS = 20, FAR_LIE = 17 << 20, FAR = 20 << 20, FREE = 64 << 20 };
	struct run run;
	const uint64_t size = (uint64_t)HEADS * (LIE_BYTES + 114);
	assert_near(bytes_of_lies(&run, HEADS, LIE, 0, false), 5 * size + FREE, 2 * LIE);
	/* more than is kept, from a file: 17 MiB seven times again */
	assert_int_equal(bytes_of_lies(&run, FAR_HEADS, FAR_LIE, FAR, true), 8 * FAR_LIE);
	/* heads that lead beyond the end, which is known after the first of them */
	assert_true(bytes_of_lies(&run, 10000, 9000000000, 0, false) < 2 * run.input.len);
	assert_int_equal(run.log.damaged, 10000);
}

/*
 * After garbage of g bytes each head claims that its record, head and block, has D bytes, and the next head is L bytes
 * after it. Going back from record n costs n (D - L) in all, and may cost 4 (g + (n - 1) L + D) bytes and 64 MiB. With
 * these numbers the two are the same for n = 516, so that one byte more in each record refuses it. The next record
 * costs too much in both cases. Heads that are found in garbage cost nothing.
 */
TEST(bound_of_lies_is_exact)
{
	static const char garbage[] = "abc\n";
	enum { LAST = 516, HEAD_LEN = 115, NEXT = HEAD_LEN + LIE_BYTES + 4, CLAIM = 136702 };
	const uint64_t most = 4 * (sizeof(garbage) - 1 + (LAST - 1) * NEXT + CLAIM) + (64 << 20);
	assert_int_equal((uint64_t)LAST * (CLAIM - NEXT), most);
	for (unsigned more = 0; more < 2; more++) {
		struct run run;
		struct buf input = { 0 };
		assert_ok(buf_append_text(&input, garbage));
		make_lies(&input, LAST + CLAIM / NEXT, CLAIM - HEAD_LEN + more, 0);
		read_lies(&run, &input, false);
		assert_int_equal(run.log.records, 0);
		/* the garbage is one, and what is not read again */
		assert_int_equal(run.log.damaged, 1 + LAST + 1 - more + 1);
	}
}

/* What may be read again grows with all that was read: 15 MiB here, although the heads are in the first of them. */
TEST(bound_of_lies_counts_what_was_read)
{
	enum { FAR = 15 << 20, NEAR = 1 << 20, NEAR_HEADS = 100 };
	struct run run;
	struct buf input = { 0 };
	make_lies(&input, 1, FAR, 0);
	make_lies(&input, NEAR_HEADS, NEAR, FAR);
	read_lies(&run, &input, false);
	assert_int_equal(run.log.records, 0);
	assert_int_equal(run.log.damaged, 1 + NEAR_HEADS);
}
