/* SPDX-License-Identifier: MIT */
/*
 * Ways to begin in the middle of an input, each for archives of every kind and after random changes of them: a pump
 * that starts at any record delivers what is left; two pumps that read by turns, from border to border, deliver what
 * one of them would; and so do parts of the input (--range), one after the other.
 */
#include "archive/pump.h"
#include "support/made_archive.h"
#include "support/pump_restart.h"
#include "support/record_log.h"
#include "support/unit.h"

enum { RECORDS = 30, ROUNDS = 40, CHUNK = 900, LONG = 900 };

static const struct limits limits = LIMITS_DEFAULT;

/* ---- ranges ---- */

/*
 * The law of ranges: the records of all parts of an input, one part after the other, are those of the whole, however
 * the input is cut into parts and each part's bytes into pieces.
 */

struct pump_ranges {
	struct slice input;
	struct limits limits;
	uint64_t look_back;
	size_t piece; /* bytes that are pushed at once; 0: all */
	bool piped;   /* nothing can be read twice */
	struct buf text;
	struct pump_counts counts; /* sums */
};

static int pump_ranges_answer(struct pump_ranges *r, struct pump *pump)
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
static void pump_ranges_run(struct pump_ranges *r, uint64_t begin, uint64_t end)
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
	assert_non_null(pump);
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

/* ---- turns ---- */

struct turns {
	struct record_log log;
	struct slice input;
	struct pump *first, *other;
	unsigned members; /* of each turn of the other; 0: it has none */
	unsigned left;    /* of the turn */
	unsigned borders, passed;
	uint64_t damaged; /* before this turn */
	struct pump_place from, to;
};

/* Stops at the border after the turn's last member. */
static bool goes_on(void *arg)
{
	struct turns *t = arg;
	struct pump_place here;
	if (t->log.damaged > t->damaged)
		return false;
	if (!pump_border(t->other, &here) || here.warc.offset == t->from.warc.offset)
		return true;
	if (here.reread != t->from.reread || here.warc.reread != t->from.warc.reread ||
	    here.container != t->from.container || here.warc.arc != t->from.warc.arc ||
	    here.dictionary != t->from.dictionary || here.has_dictionary != t->from.has_dictionary)
		return false;
	t->to = here;
	return --t->left > 0;
}

static void read_turn(struct turns *t)
{
	uint64_t at = pump_seek_offset(t->other);
	int answer = PUMP_HUNGRY;
	while ((answer == PUMP_HUNGRY || answer == PUMP_SEEK) && t->log.damaged == t->damaged && at < t->input.len) {
		struct slice chunk = slice_first(slice_skip(t->input, (size_t)at), CHUNK);
		answer = pump_push(t->other, chunk);
		at = answer == PUMP_SEEK ? pump_seek_offset(t->other) : at + chunk.len;
		must_be(answer >= 0, "the pump failed");
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
	t->damaged = t->log.damaged;
	assert_int_equal(pump_start_at(t->other, &t->from), 0);
	read_turn(t);
	if (t->log.damaged == t->damaged && t->left == 0) {
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
	const struct pump_config other = { .next = &t->log.sink,
					   .limits = &limits,
					   .seekable = true,
					   .wants_input = goes_on,
					   .arg = t };
	record_log_start(&t->log);
	t->log.offsets = true;
	t->first = pump_new(&config);
	t->other = pump_new(&other);
	assert_true(t->first && t->other);
	assert_int_equal(pump_ranges_answer(&(struct pump_ranges){ .input = t->input, .piece = CHUNK }, t->first),
			 PUMP_DONE);
	struct pump_counts counts = pump_counts(t->first);
	(void)buf_printf(&t->log.text, "%" PRIu64 " in, %" PRIu64 " decoded, %" PRIu64 " records\n", counts.bytes_in,
			 counts.bytes_decoded, counts.records);
	pump_free(t->first);
	pump_free(t->other);
}

/* How many turns counted. */
static unsigned by_turns(const struct buf *archive)
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

/* From each record. Returns from how many of them. */
static unsigned by_places(const struct buf *archive)
{
	return pump_restart_check(buf_slice(archive), &limits);
}

/* ---- archives and ways ---- */

static unsigned changed_too(const struct buf *archive, unsigned (*way)(const struct buf *archive))
{
	uint32_t random = 88172645U;
	unsigned counted = 0;
	AUTO_BUF changed = { 0 };
	for (unsigned round = 0; round < ROUNDS; round += split_every()) {
		buf_clear(&changed);
		assert_ok(buf_append(&changed, archive->data, archive->len));
		made_change(&changed, &random);
		counted += way(&changed);
	}
	return counted;
}

/* `borders`: each record is a member, so that more than `turns` turns are possible. */
static void check(const struct buf *archive, bool borders, unsigned turns)
{
	assert_true(by_places(archive) >= RECORDS - 1); /* the first one is where the input begins */
	(void)changed_too(archive, by_places);
	assert_int_equal(by_turns(archive) > turns, borders);
	assert_int_equal(changed_too(archive, by_turns) > ROUNDS / split_every(), borders);
}

TEST(any_kind_in_every_way)
{
	static const char *const formats[] = { "none", "gzip", "zstd" };
	static const size_t cuts[] = { 0, 1000, 1 << 20 };
	AUTO_BUF archive = { 0 };
	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		for (size_t c = 0; c < sizeof(cuts) / sizeof(*cuts); c++) {
			for (unsigned arc = 0; arc < 2; arc++) {
				made_archive(&archive, RECORDS, formats[f], cuts[c], arc);
				check(&archive, f > 0 && c == 0, RECORDS / 4);
			}
		}
	}
}

TEST(dictionaries_are_loaded_again)
{
	AUTO_BUF archive = { 0 };
	made_dictionaries(&archive, RECORDS);
	check(&archive, true, 3);
}

static const char *const joined[][3] = {
	{ "warc gzip", "warc zstd", "warc none" }, { "warc zstd", "warc gzip", "warc zstd" },
	{ "warc none", "warc gzip", "warc none" }, { "warc none", "warc zstd", "arc gzip" },
	{ "warc none", "arc none", "warc none" },  { "arc gzip", "warc gzip", "arc zstd" },
	{ "arc none", "warc zstd", "arc none" },   { "arc zstd", "arc none", "warc gzip" },
};

enum { JOINED = sizeof(joined) / sizeof(*joined) };

TEST(files_that_are_joined)
{
	AUTO_BUF archive = { 0 };
	for (size_t i = 0; i < JOINED; i++) {
		made_joined(&archive, RECORDS / 3, joined[i], 3);
		assert_true(by_places(&archive) >= RECORDS - 3);
		(void)changed_too(&archive, by_places);
		(void)by_turns(&archive);
		(void)changed_too(&archive, by_turns);
	}
}

TEST(what_is_no_place_is_refused)
{
	struct record_log none = { 0 };
	record_log_start(&none);
	const struct pump_place places[] = {
		{ .warc = { .heads = 0 } },
		{ .warc = { .heads = 1, .plain = true, .offset = 10 }, .furthest = 9 },
		{ .warc = { .heads = 1, .plain = true, .member_pos = 2, .skip_to = 1, .furthest = 3 } },
		{ .warc = { .heads = 1, .plain = true, .skip_to = 4, .furthest = 3 } },
		{ .warc = { .heads = 1, .plain = true, .arc = 8 } },
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

/* ---- parts at every place ---- */

static struct buf input, content; /* the archive, and what its next member will hold */

static void record(unsigned number, unsigned length)
{
	assert_ok(buf_printf(&content,
			     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%u>\r\n"
			     "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: u:%u\r\nContent-Length: %u\r\n\r\n",
			     number, number, length));
	for (unsigned i = 0; i < length; i++)
		assert_ok(buf_append_byte(&content, (uint8_t)('a' + (i * 7 + number) % 26)));
	assert_ok(buf_append_text(&content, "\r\n\r\n"));
}

/* What has been written becomes a member of the input. */
static void member(const char *format)
{
	made_member(&input, format, buf_slice(&content));
	buf_clear(&content);
}

/* A record after a member counts alike whether reading begins at it or before it: one member, then records as they are.
 */
TEST(places_in_a_plain_tail)
{
	for (unsigned kept = 1; kept < 60; kept += 7) {
		for (unsigned wrong = 0; wrong < 12; wrong += 2) {
			buf_clear(&input);
			buf_clear(&content);
			record(0, 60);
			content.len -= kept; /* ends in the block */
			member("gzip");
			record(1, 3);
			record(2, 3);
			content.len -= 4; /* its length is too small by what follows */
			assert_ok(buf_printf(&content, "%.*s\r\n\r\n", (int)wrong, "more\r\ntext, yes"));
			assert_ok(buf_append(&input, content.data, content.len));
			buf_clear(&content);
			(void)by_places(&input);
		}
	}
}

static void same(struct pump_ranges *r, const struct pump_ranges *whole, const char *what, size_t cut)
{
	if (!slice_equal(buf_slice(&r->text), buf_slice(&whole->text)))
		fail_msg("%s, cut at %zu, look back %u:\n%.*s\ninstead of:\n%.*s", what, cut, (unsigned)r->look_back,
			 (int)r->text.len, (const char *)r->text.data, (int)whole->text.len,
			 (const char *)whole->text.data);
	assert_int_equal(r->counts.records, whole->counts.records);
	assert_int_equal(r->counts.bytes_in, input.len);
}

/*
 * Two parts at every place of an archive below 6 KB, and at many of a longer one; and parts of some sizes. Each with
 * several distances to look back, whole and in pieces.
 */
static void by_cuts(const char *what, bool damaged)
{
	static const uint64_t distances[] = { 1, 64, 700, 0 };
	static const size_t sizes[] = { 1, 37, 211, 1024 };
	struct pump_ranges whole = { .input = buf_slice(&input), .limits = LIMITS_DEFAULT };
	pump_ranges_run(&whole, 0, 0);
	assert_true(whole.counts.records > 0);
	for (size_t d = 0; d < 8; d++) {
		struct pump_ranges r = { .input = buf_slice(&input),
					 .limits = LIMITS_DEFAULT,
					 .look_back = distances[d % 4],
					 .piece = d / 4 * 13,
					 .piped = d == 7 };
		for (size_t cut = 1 + d; cut < input.len; cut += (d / 4 * 16 + 1 + input.len / 1500) * split_every()) {
			buf_clear(&r.text);
			r.counts = (struct pump_counts){ 0 };
			pump_ranges_run(&r, 0, cut);
			pump_ranges_run(&r, cut, 0);
			same(&r, &whole, what, cut);
			if (!damaged)
				assert_int_equal(r.counts.bytes_decoded, whole.counts.bytes_decoded);
		}
		for (size_t s = d / 4; s < 4; s++) {
			buf_clear(&r.text);
			r.counts = (struct pump_counts){ 0 };
			for (size_t at = 0; at < input.len; at += sizes[s])
				pump_ranges_run(&r, at, at + sizes[s]);
			same(&r, &whole, what, sizes[s]);
		}
		buf_free(&r.text);
	}
	buf_free(&whole.text);
	buf_clear(&input);
}

/* Members of a record each, of several, of parts of records; without members; WARC and ARC. */
TEST(parts_of_any_kind)
{
	static const char *const formats[] = { "none", "gzip", "zstd" };
	static const size_t cuts[] = { 0, 150, 1000, 1 << 20 };
	for (size_t i = 0; i < 24; i++) {
		char what[64];
		(void)snprintf(what, sizeof(what), "%s, members of %zu, ARC %zu", formats[i % 3], cuts[i / 3 % 4],
			       i / 12);
		made_archive(&input, 4, formats[i % 3], cuts[i / 3 % 4], i / 12);
		by_cuts(what, false);
	}
	made_dictionaries(&input, 6);
	by_cuts("dictionaries", false);
	for (size_t i = 0; i < JOINED; i++) {
		made_joined(&input, 2, joined[i], 3);
		by_cuts(joined[i][1], false);
	}
}

TEST(damage_is_reported_once)
{
	for (unsigned i = 0; i < 12; i++) {
		record(i, i % 5 == 3 ? LONG : 20 + i * 13 % 90);
		size_t begin = input.len;
		member("gzip");
		if (i == 4 || i == 8)
			input.data[begin + (input.len - begin) / 2] ^= 0x55;
		if (i == 6)
			assert_ok(buf_append_text(&input, "these bytes belong to no member"));
	}
	by_cuts("damaged members", true);
	for (unsigned i = 0; i < 12; i++) {
		record(i, i % 5 == 3 ? LONG : 20 + i * 13 % 90);
		if (i == 5)
			assert_ok(buf_append_text(&content, "these bytes belong to no record\r\n\r\n"));
	}
	member("none");
	by_cuts("garbage between records", true);
}

/* The head of the input is read in every part: who wants to know of its records is told. */
static int count_before(void *arg, const struct record *rec)
{
	(void)rec;
	++*(unsigned *)arg;
	return 0;
}

TEST(records_before_the_range_are_told)
{
	for (unsigned i = 0; i < 12; i++)
		record(i, LONG);
	member("none");
	struct record_log log = { .offsets = true };
	struct pump_ranges r = { .input = buf_slice(&input), .piece = 200 };
	unsigned told = 0;
	record_log_start(&log);
	log.seq = input.len - LONG;
	struct pump_config config = { .next = &log.sink,
				      .limits = &limits,
				      .seekable = true,
				      .source_size = input.len,
				      .begin = input.len - LONG,
				      .look_back = 100,
				      .before = count_before,
				      .before_arg = &told };
	struct pump *pump = pump_new(&config);
	assert_non_null(pump);
	assert_int_equal(pump_ranges_answer(&r, pump), PUMP_DONE);
	assert_in_range(told, 2, 4); /* the first record, and the one in which the range begins */
	assert_int_equal(log.records, 0);
	pump_free(pump);
	buf_free(&log.text);
	buf_clear(&input);
}
