/* SPDX-License-Identifier: MIT */
/* The pump: containers, members, damage in them, pauses and seeks, in every split. */
#include "archive/codec/codec.h"
#include "support/pump_run.h"
#include "support/unit.h"

#define RECORD(id, text) \
	"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:" id ">\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n" \
	"WARC-Target-URI: " id "\r\nContent-Length: 5\r\n\r\n" text "\r\n\r\n"
enum { RECORD_BYTES = sizeof(RECORD("a", "abcde")) - 1 };

static const char zeros[300];
static struct buf input;
static size_t starts[16]; /* where the units begin */
static unsigned n_starts;

/* Appends a member or frame to the input. */
static void unit_of(const char *format, struct slice content)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text(format));
	assert_non_null(ops);
	struct encoder_codec *encoder = ops->open(ops->level_default);
	assert_non_null(encoder);
	starts[n_starts++] = input.len;
	assert_int_equal(ops->unit(encoder, content, &input), 0);
	ops->close(encoder);
	starts[n_starts] = input.len;
}

static void unit(const char *format, const char *text)
{
	unit_of(format, slice_from_text(text));
}

static void bytes(const char *text, size_t len)
{
	starts[n_starts++] = input.len;
	assert_ok(buf_append(&input, text, len));
	starts[n_starts] = input.len;
}

static void skippable(size_t size)
{
	const uint8_t head[] = {
		0x50, 0x2a, 0x4d, 0x18, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), 0
	};
	bytes((const char *)head, sizeof(head));
	assert_ok(buf_reserve(&input, size));
	memset(input.data + input.len, 'W', size);
	input.len += size;
	starts[n_starts] = input.len;
}

static void clear(void)
{
	buf_clear(&input);
	n_starts = 0;
}

/* Appends a record as a unit for each letter, "none": uncompressed. */
static void records(const char *format, const char *ids)
{
	for (; *ids; ids++) {
		AUTO_BUF text = { 0 };
		assert_ok(buf_printf(&text, RECORD("%c", "abcde"), *ids, *ids));
		unit_of(format, buf_slice(&text));
	}
}

/* The same as all of the input. */
static void only_records(const char *format, const char *ids)
{
	clear();
	records(format, ids);
}

/* Pipe and file, with and without pauses. */
static void expect_log(const char *want)
{
	for (unsigned pass = 0; pass < 4; pass++) {
		struct pump_run run = { .limits = LIMITS_DEFAULT,
					.input = buf_slice(&input),
					.seekable = pass & 1,
					.pause_every = pass & 2 };
		struct split_subject subject = pump_run_subject(&run);
		AUTO_BUF outcome = { 0 };
		split_check(&subject, buf_slice(&input), &outcome);
		assert_holds(&outcome, want);
		buf_free(&run.log.text);
	}
}

/*
 * What is expected, a word for each line: an id and a unit for a record that is this unit; after them '.': the unit
 * has others too, '-': it is not compressed, so that its line ends are not the record's, '*': its length is wrong.
 * Before them '#': garbage that begins with the unit, '!': the member is damaged, '/': it is cut.
 */
static void expect(const char *words, size_t decoded)
{
	static const char marks[] = "#!/";
	static const char *const whats[] = { "damage garbage", "bad_member response", "truncated response",
					     "record response" };
	AUTO_BUF want = { 0 };
	for (unsigned seq = 0; *words; seq++) {
		const char *mark = strchr(marks, *words);
		words += mark != NULL;
		const char id = mark && *mark == '#' ? 0 : *words++;
		const size_t number = (size_t)(*words++ - '0'), at = starts[number], len = starts[number + 1] - at;
		assert_ok(buf_printf(&want, "%u %s @%zu", seq, whats[mark ? mark - marks : 3], at));
		if (!mark && *words != '.')
			assert_ok(buf_printf(&want, "+%zu", *words == '-' ? len - 4 : len));
		words += *words == '.' || *words == '-';
		if (id)
			assert_ok(buf_printf(&want, " %c%s", id, mark ? "" : " 5 749bcf08"));
		assert_ok(buf_append_text(&want, id ? "" : "  "));
		assert_ok(buf_append_text(&want, *words == '*' ? " bad_length\n" : "\n"));
		words += *words == '*';
		words += *words == ' ';
	}
	assert_ok(buf_printf(&want, "%zu decoded\n%c", decoded, 0));
	expect_log((const char *)want.data);
}

static const char *const formats[] = { "gzip", "zstd" };

TEST(reads_members_and_frames)
{
	for (size_t i = 0; i < 2; i++) {
		only_records(formats[i], "abc");
		expect("a0 b1 c2", 3 * RECORD_BYTES);
	}
	clear();
	expect("", 0);
}

/* A record whose length is wrong: its member is its border, and where two are in one, CRLF CRLF and the next head. */
TEST(ends_records_of_wrong_length)
{
	static const char *const lengths[] = { "0", "3", "4", "10", "13", "25", "40", "400", "5000", "77777777" };
	for (unsigned i = 0; i < 40; i++) {
		const char *format = formats[i % 2];
		const bool in_one = i / 2 % 2;
		AUTO_BUF wrong = { 0 };
		assert_ok(buf_printf(&wrong,
				     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:b>\r\n"
				     "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: b\r\nContent-Length: "
				     "%s\r\n\r\nabcde\r\n\r\n%s",
				     lengths[i / 4], in_one ? RECORD("c", "abcde") : ""));
		only_records(format, "0a");
		unit_of(format, buf_slice(&wrong));
		records(format, in_one ? "d" : "cd");
		expect(in_one ? "00 a1 b2.* c2. d3" : "00 a1 b2* c3 d4", wrong.len + (in_one ? 3U : 4U) * RECORD_BYTES);
	}
}

/*
 * Archives of records of many kinds, one of which has a length that is too large by each number of bytes: every other
 * record comes as it is, and that one up to a border, as damage, wherever its length leads to.
 */

enum { LIES = 18, LIARS = 4 };

/* One record of `kind`; its length is too large by `more`. */
static void append_one(struct buf *to, bool arc, unsigned number, unsigned more)
{
	static const char page[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page";
	static const char *const blocks[] = {
		page, "GET / HTTP/1.1\r\n\r\n", "a: b\r\n", "text\n", "", "x\r\n\r\n\r\n"
	};
	AUTO_BUF block = { 0 };
	if (number % 9 == 4 && number < 100) /* an archived archive */
		for (unsigned i = 0; i < 3; i++)
			append_one(&block, arc, 100 * number + i, 0);
	else
		assert_int_equal(buf_append_text(&block, blocks[number % 6]), 0);
	if (!arc)
		assert_ok(buf_printf(to,
				     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%u>\r\n"
				     "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: ",
				     number));
	assert_ok(buf_printf(to,
			     arc ? "http://x.org/%u 192.0.2.1 20240501100000 text/html %zu\n"
				 : "http://x.org/%u\r\nContent-Length: %zu\r\n\r\n",
			     number, block.len + more));
	assert_ok(buf_append(to, block.data, block.len));
	assert_ok(buf_append_text(to, arc ? "\n" : "\r\n\r\n"));
}

/* Fills the input; the length of record `liar` is too large by `more`. `together` records in a member; 0: not
 * compressed. Returns the length of its content. */
static size_t make_lie(const char *format, unsigned together, bool arc, unsigned liar, unsigned more)
{
	AUTO_BUF content = { 0 };
	size_t all = 0;
	clear();
	for (unsigned i = 0; i < LIES; i++) {
		append_one(&content, arc, i, i == liar ? more : 0);
		if (!together || ((i + 1) % together && i + 1 < LIES))
			continue;
		all += content.len;
		n_starts = 0;
		unit_of(format, buf_slice(&content));
		buf_clear(&content);
	}
	n_starts = 0;
	bytes((const char *)content.data, content.len);
	return all + content.len;
}

/*
 * Reads the input, as a file or a pipe. The log's lines, but for places and the mark that depends on members; that of
 * `uri` is given apart.
 */
static void read_lie(bool file, const char *uri, struct buf *others, struct buf *own)
{
	static const char mark[] = " unverified";
	struct pump_run run = { .limits = LIMITS_DEFAULT, .input = buf_slice(&input), .seekable = file };
	AUTO_BUF log = { 0 };
	const size_t uri_len = strlen(uri);
	pump_run_begin(&run);
	pump_run_piece(&run, buf_slice(&input));
	pump_run_end(&run, &log);
	buf_clear(others);
	buf_clear(own);
	assert_int_equal(buf_append_byte(&run.log.text, 0), 0);
	for (char *at = strtok((char *)run.log.text.data, "\n"); at; at = strtok(NULL, "\n")) {
		char *shown = strstr(at, "http://"), *marked = strstr(at, mark), *place = strchr(at, '@');
		const char *reason = strchr(at, ' ');
		assert_true(shown && place && reason); /* nothing but records, and none invented */
		const bool is_own = strncmp(shown, uri, uri_len) == 0 && (!shown[uri_len] || shown[uri_len] == ' ');
		const size_t len = marked ? (size_t)(marked - shown) : strlen(shown);
		assert_int_equal(buf_printf(is_own ? own : others, "%.*s%.*s%s\n", (int)(place - reason), reason,
					    (int)len, shown, marked ? marked + sizeof(mark) - 1 : ""),
				 0);
	}
	buf_free(&run.log.text);
}

TEST(no_wrong_length_hides_records)
{
	static const struct {
		const char *format;
		unsigned together;
		bool arc;
	} kinds[] = { { "plain", 0, false },   { "gzip", 1, false }, { "gzip", 3, false },
		      { "gzip", LIES, false }, { "zstd", 1, false }, { "zstd", LIES, false },
		      { "plain", 0, true },    { "gzip", 1, true },  { "gzip", LIES, true } };
	AUTO_BUF others = { 0 }, own = { 0 }, right = { 0 };
	for (size_t i = 0; i < LIARS * sizeof(kinds) / sizeof(*kinds); i++) {
		const unsigned together = kinds[i / LIARS].together, liar = i % LIARS;
		const bool arc = kinds[i / LIARS].arc;
		const unsigned step = (together ? 3 : 1) * split_every(), too_small_to_tell = arc ? 1 : 4;
		char uri[40];
		snprintf(uri, sizeof(uri), "http://x.org/%u", liar);
		const size_t all = make_lie(kinds[i / LIARS].format, together, arc, liar, 0);
		read_lie(i % 2, uri, &right, &own);
		for (unsigned more = 1; more < all + 20; more += step) {
			make_lie(kinds[i / LIARS].format, together, arc, liar, more);
			read_lie(i % 2, uri, &others, &own);
			if (!slice_equal(buf_slice(&others), buf_slice(&right)))
				fail_msg("%s, %u in a member, record %u and %u bytes:\n%.*s%.*s",
					 kinds[i / LIARS].format, together, liar, more, (int)others.len,
					 (const char *)others.data, (int)own.len, (const char *)own.data);
			assert_int_equal(buf_append_byte(&own, 0), 0);
			assert_true(more <= too_small_to_tell || strstr((const char *)own.data, "bad_length"));
		}
	}
}

TEST(reads_one_member_of_many)
{
	clear();
	unit("gzip", RECORD("a", "abcde") RECORD("b", "abcde"));
	expect("a0. b0.", 2 * RECORD_BYTES);
}

/* How often a text is in the log of a run. */
static unsigned count_text(const struct buf *log, const char *text)
{
	unsigned n = 0;
	for (size_t at = 0; at + strlen(text) <= log->len; at++)
		n += memcmp(log->data + at, text, strlen(text)) == 0;
	return n;
}

/* Reads the input by steps. Returns the log, which the caller frees. */
static struct buf in_steps(size_t step)
{
	struct pump_run run = { .limits = LIMITS_DEFAULT, .input = buf_slice(&input) };
	struct split_subject subject = pump_run_subject(&run);
	struct buf outcome = { 0 };
	subject.begin(subject.arg);
	for (struct slice rest = buf_slice(&input); rest.len; rest = slice_skip(rest, slice_first(rest, step).len))
		split_piece(&subject, slice_first(rest, step));
	subject.end(subject.arg, &outcome);
	buf_free(&run.log.text);
	return outcome;
}

/* Reads the input by steps of three sizes, alike. Returns how many records there are. */
static unsigned alike_in_steps(const size_t steps[3])
{
	AUTO_BUF first = in_steps(steps[0]);
	for (unsigned n = 1; n < 3; n++) {
		AUTO_BUF outcome = in_steps(steps[n]);
		assert_true(slice_equal(buf_slice(&first), buf_slice(&outcome)));
	}
	return count_text(&first, " record ");
}

/*
 * One record is followed by another in its member, whose content has `size` bytes: what is known of the first one when
 * it ends? The answer must not depend on who decodes the member, at once or by steps.
 */
static void first_of_two(const char *format, size_t size, bool damaged, const char *expected)
{
	static const char head[] =
		"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: b\r\nContent-Length: %zu\r\n\r\n";
	AUTO_BUF text = { 0 };
	static const size_t steps[] = { 4099, 65536, SIZE_MAX };
	const size_t head_len = strlen(head) - strlen("%zu") + (size < 1000000 ? 6 : 7) /* its digits */;
	clear();
	assert_ok(buf_append_text(&text, RECORD("a", "abcde")));
	assert_ok(buf_printf(&text, head, size - RECORD_BYTES - head_len - 4));
	assert_int_equal(text.len, RECORD_BYTES + head_len);
	assert_ok(buf_reserve(&text, size));
	for (uint32_t random = 1; text.len < size - 4; random = random * 1664525 + 1013904223)
		text.data[text.len++] = (uint8_t)(' ' + (random >> 28));
	assert_ok(buf_append_text(&text, "\r\n\r\n"));
	unit_of(format, buf_slice(&text));
	if (damaged)
		input.data[input.len - 7] ^= 1; /* in the checksum; zstd has no bytes after it */
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		AUTO_BUF outcome = in_steps(steps[i]);
		outcome.len = slice_until(buf_slice(&outcome), "\n");
		assert_holds(&outcome, expected);
	}
}

TEST(tells_what_is_not_verified)
{
	enum { KNOWN = 4 << 20 };
	static const char good[] = "0 record response @0 a 5 749bcf08";
	static const char doubtful[] = "0 record response @0 a 5 749bcf08 unverified";
	for (size_t i = 0; i < 2; i++) {
		first_of_two(formats[i], 500000, false, good);
		first_of_two(formats[i], KNOWN, false, good);
		first_of_two(formats[i], KNOWN + 1, false, doubtful);
		first_of_two(formats[i], KNOWN + (100 << 10), false, doubtful);
	}
	first_of_two("gzip", 500000, true, doubtful);
	first_of_two("gzip", KNOWN, true, doubtful);
}

TEST(reads_records_over_members)
{
	static const char text[] = RECORD("a", "abcde") RECORD("b", "abcde");
	clear();
	for (size_t at = 0; at < sizeof(text) - 1; at += 30) {
		char part[31] = "";
		memcpy(part, text + at, sizeof(text) - 1 - at < 30 ? sizeof(text) - 1 - at : 30);
		unit("gzip", part);
	}
	expect("a0. b4.", 2 * RECORD_BYTES);
}

/* The last record may tell its URI or not, as the damage decides; so look at the middle one only. */
TEST(goes_on_after_damage)
{
	for (size_t i = 0; i < 2; i++) {
		only_records(formats[i], "abc");
		input.data[starts[2] - 1] ^= 0x55; /* the checksum, or the length after it */
		expect("a0 !b1 c2", 3 * RECORD_BYTES);
	}
}

enum { CUT_SIZE = 200, CUT_RECORDS = 9 };
#define ARC_RECORD(id, text) "http://x.org/" id " 192.0.2.1 20240501100000 text/html 25\n" text "\n"
#define ARC_TEXT "abcde\n<p>fgh</p>\nijklm no"
static const char arc_start[] = "filedesc://a.arc 0.0.0.0 20240501100000 text/plain 19\n1 0 InternetArchive\n";

/* Members of CUT_SIZE bytes; all but the first begin inside a record. */
static void cut_anywhere(const char *format, struct slice text)
{
	clear();
	for (size_t at = 0; at < text.len; at += CUT_SIZE)
		unit_of(format, slice_first(slice_skip(text, at), CUT_SIZE));
}

/* The log of the input in every split, which the caller frees. */
static struct buf log_of_damage(void)
{
	struct pump_run run = { .limits = LIMITS_DEFAULT, .input = buf_slice(&input) };
	struct split_subject subject = pump_run_subject(&run);
	struct buf outcome = { 0 };
	split_check(&subject, buf_slice(&input), &outcome);
	buf_free(&run.log.text);
	return outcome;
}

/* The records of `text`: where they begin, and where the last one ends. */
static unsigned find_records(struct slice text, const char *head, size_t begins[])
{
	unsigned n = 0;
	for (size_t at = 0; at < text.len; at++) {
		struct slice rest = slice_skip(text, at);
		if (rest.len > strlen(head) && memcmp(rest.data, head, strlen(head)) == 0)
			begins[n++] = at;
	}
	begins[n] = text.len;
	return n;
}

/* Does anything but line ends stand between two places? */
static bool has_text(struct slice text, size_t from, size_t to)
{
	while (from < to && (text.data[from] == '\r' || text.data[from] == '\n'))
		from++;
	return from < to;
}

/*
 * A wrong checksum in one member after the other: costs the records that it touches, and is reported once, and so is
 * what follows it up to the next record, when that is not just line ends.
 */
static void each_member_damaged(struct slice text, const char *head)
{
	size_t begins[2 * CUT_RECORDS + 1];
	const unsigned n = find_records(text, head, begins);
	for (unsigned bad = 0; bad < n_starts; bad++) {
		const size_t from = (size_t)bad * CUT_SIZE, to = slice_first(text, from + CUT_SIZE).len;
		unsigned touched = 0;
		size_t next = to; /* the next record's begin */
		for (unsigned i = 0; i < n; i++)
			touched += begins[i] < to && begins[i + 1] > from;
		for (unsigned i = n + 1; i-- && begins[i] >= to;)
			next = begins[i];
		input.data[starts[bad + 1] - 1] ^= 0x55;
		AUTO_BUF log = log_of_damage();
		assert_true(count_text(&log, " record response") >= n - touched);
		assert_int_equal(count_text(&log, "bad_member"), 1);
		assert_int_equal(count_text(&log, "damage garbage"), has_text(text, to, next));
		input.data[starts[bad + 1] - 1] ^= 0x55;
	}
}

TEST(joins_inside_a_record)
{
	AUTO_BUF warc = { 0 }, arc = { 0 };
	assert_ok(buf_append_text(&arc, arc_start));
	for (unsigned i = 0; i < CUT_RECORDS; i++) {
		assert_ok(buf_append_text(&warc, RECORD("a", "abcde")));
		assert_ok(buf_append_text(&arc, ARC_RECORD("a", ARC_TEXT)));
		assert_ok(buf_append_text(&arc, ARC_RECORD("bcdefghij", ARC_TEXT)));
	}
	for (unsigned i = 0; i < 2; i++) {
		cut_anywhere(formats[i], buf_slice(&warc));
		each_member_damaged(buf_slice(&warc), "WARC/");
		cut_anywhere(formats[i], buf_slice(&arc));
		each_member_damaged(buf_slice(&arc), "http:");
	}
}

/* Members that expand far, so that none of them is looked at up to its end before it counts. */
TEST(joins_inside_a_long_run)
{
	enum { RUN = 100000, SIZE = 30000 };
	AUTO_BUF text = { 0 };
	assert_ok(buf_printf(&text,
			     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:run>\r\n"
			     "WARC-Date: 2024-05-01T10:00:00Z\r\nContent-Length: %u\r\n\r\n",
			     RUN));
	assert_ok(buf_reserve(&text, RUN));
	memset(text.data + text.len, 'x', RUN);
	text.len += RUN;
	assert_ok(buf_append_text(&text, "\r\n\r\n" RECORD("a", "abcde") RECORD("b", "abcde")));
	for (unsigned i = 0; i < 2; i++) {
		clear();
		for (size_t at = 0; at < text.len; at += SIZE)
			unit_of(formats[i], slice_first(slice_skip(buf_slice(&text), at), SIZE));
		input.data[starts[1] - 1] ^= 0x55;
		AUTO_BUF log = log_of_damage();
		assert_int_equal(count_text(&log, "bad_member"), 1);
		assert_int_equal(count_text(&log, " record "), 2);
	}
}

/* A compressed file that was archived stands in its record's member as it is, since it cannot be compressed again. */
TEST(takes_no_archived_file_for_a_member)
{
	static const uint8_t archived[] = { 0x1f, 0x8b, 8,    0,    0,    0,    0, 0, 0, 3, 0x4b,
					    4,    0,    0x43, 0xbe, 0xb7, 0xe8, 1, 0, 0, 0 };
	only_records("gzip", "abcd");
	input.data[input.len - 6] ^= 0x55;
	assert_ok(buf_append(&input, archived, sizeof(archived)));
	starts[n_starts] = input.len;
	records("gzip", "e");
	expect("a0 b1 c2 !d3 e4", 5 * RECORD_BYTES);
}

TEST(reports_a_cut_member)
{
	only_records("gzip", "abc");
	input.len = starts[3] - 3;
	expect("a0 b1 /c2", 3 * RECORD_BYTES);
}

TEST(reports_what_lies_between)
{
	only_records("gzip", "a");
	bytes("garbage \x1f\x8b\x08 and more", 21);
	records("gzip", "b");
	bytes("\0\0\0\0\0\0", 6);
	records("gzip", "c");
	bytes("<p>error</p>", 12);
	expect("a0 #1 b2 c4 #5", 3 * RECORD_BYTES);
}

TEST(reads_over_a_parted_mark)
{
	clear();
	unit("gzip", "\xef");
	unit("gzip", "\xbb\xbf\r\n");
	records("gzip", "a");
	expect("a2", 5 + RECORD_BYTES);
}

/* A lost page in the middle is damage; after the last record it is padding. */
TEST(reports_members_of_nothing_but_zeros)
{
	only_records("gzip", "a");
	unit_of("gzip", slice_of(zeros, sizeof(zeros)));
	records("gzip", "b");
	unit_of("gzip", slice_of(zeros, sizeof(zeros)));
	expect("a0 #1 b2", 2 * (RECORD_BYTES + sizeof(zeros)));
}

/* Zeros in place of members; a few bytes of padding, and any at the end, are no damage. */
TEST(reports_zeros_between_members)
{
	for (unsigned i = 0; i < 10; i++) {
		const char *format = i % 2 ? "gzip" : "zstd";
		const size_t sizes[] = { 1, 17, 18, 60, 300 }, size = sizes[i / 2];
		only_records(format, "a");
		bytes(zeros, size);
		records(format, "b");
		bytes(zeros, size);
		records("none", "c");
		if (i % 2)
			bytes(zeros, size);
		expect(size < 18 ? "a0 b2 c4-" : "a0 #1 b2 #3 c4-", 3 * RECORD_BYTES + (i % 2 ? size : 0));
	}
}

TEST(reads_a_plain_tail)
{
	only_records("gzip", "a");
	records("none", "bc");
	expect("a0 b1- c2-", 3 * RECORD_BYTES);
}

/* What follows uncompressed records is a member only if it holds a record; its records have its offsets. */
TEST(reads_files_that_are_joined)
{
	for (size_t i = 0; i < 2; i++) {
		const char *one = formats[i], *other = formats[1 - i];
		only_records("none", "ab");
		records(one, "cd");
		records(other, "ef");
		records("none", "gh");
		records(other, "i");
		expect("a0- b1- c2 d3 e4 f5 g6- h7- i8", 9 * RECORD_BYTES);
		only_records("none", "a");
		bytes(zeros, 30);
		records(one, "b");
		bytes(zeros, 30);
		records(other, "c");
		expect("a0- #1 b2 #3 c4", 3 * RECORD_BYTES + 30);
		/* pages and fragments, between records and between members */
		only_records("none", "a");
		unit(one, "<html><p>page</p>");
		records("none", "b");
		records(one, "c");
		unit(other, "<html><p>page</p>");
		records(one, "d");
		expect("a0- #1 b2- c3 #4 d5", 4 * RECORD_BYTES + starts[2] - starts[1]);
		only_records("none", "a");
		records(one, "b");
		input.len = starts[1] + 3;
		starts[2] = input.len;
		expect("a0- #1", RECORD_BYTES + 3);
	}
	clear();
	records("gzip", "a");
	skippable(70000);
	records("zstd", "b");
	expect("a0 b2", 2 * RECORD_BYTES);
}

/* A length that is wrong has led past the joint: what is read again has it too. */
TEST(finds_joints_in_what_is_read_again)
{
	for (size_t i = 0; i < 2; i++) {
		clear();
		AUTO_BUF head = { 0 };
		assert_ok(buf_printf(
			&head, "%s%s",
			"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\n"
			"WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: a\r\nContent-Length: 400\r\n\r\n",
			"abcde\r\n\r\n"));
		bytes((const char *)head.data, head.len);
		records("none", "b");
		records(formats[i], "cd");
		expect("a0-* b1- c2 d3", head.len + 3 * RECORD_BYTES);
	}
}

/* Garbage at the end of the last member looks like the beginning of a head, of which what follows is no part. */
TEST(reads_a_plain_tail_after_half_a_head)
{
	static const char *const halves[] = { "junk\nWAR", "junk\nWARC/1.0\r\n", "junk\nWARC/1.0\r\nWARC-Type: resp" };
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		only_records("gzip", "a");
		unit("gzip", halves[i]);
		records("none", "bc");
		expect("a0 #1 b2- c3-", 3 * RECORD_BYTES + strlen(halves[i]));
	}
}

TEST(finds_members_behind_a_lost_start)
{
	for (size_t i = 0; i < 2; i++) {
		only_records(formats[i], "abc");
		buf_consume(&input, 30);
		for (unsigned n = 1; n <= 3; n++)
			starts[n] -= 30;
		expect("#0 b1 c2", 2 * RECORD_BYTES + starts[1]);
	}
}

/* Where members begin anywhere, none of them needs to begin with a record; what begins so is found as well. */
TEST(finds_parts_after_a_lost_start)
{
	AUTO_BUF text = { 0 };
	for (unsigned i = 0; i < CUT_RECORDS; i++)
		assert_ok(buf_append_text(&text, RECORD("a", "abcde")));
	for (unsigned i = 0; i < 2; i++) {
		cut_anywhere(formats[i], buf_slice(&text));
		for (unsigned lost = 1; lost <= 64; lost *= 4) {
			memset(input.data, 'x', lost);
			AUTO_BUF log = log_of_damage();
			assert_int_equal(count_text(&log, " record response"),
					 CUT_RECORDS - 1 - CUT_SIZE / RECORD_BYTES);
			assert_int_equal(count_text(&log, "0 damage garbage @0  \n"), 1);
		}
	}
}

/* The page of a record that has lost its head is a gzip file of one member or of two, which is all of the record. */
TEST(takes_no_page_after_a_lost_start_for_members)
{
	for (unsigned members = 1; members <= 2; members++) {
		clear();
		bytes("WARC-Type: response\r\n\r\n", 23);
		unit("gzip", "abcde");
		if (members == 2)
			unit("zstd", "abcde");
		bytes("\r\n\r\n", 4);
		records("none", "b");
		expect(members == 1 ? "#0 b3-" : "#0 b4-", input.len);
	}
}

/* Whatever follows skippable frames, it is recognised as at the start of an input, however much of it came first. */
TEST(skips_frames_before_any_container)
{
	static const size_t sizes[] = { 0, 1, 3, 4, 8, 20, 5000, 70000 };
	static const char *const kinds[] = { "gzip", "zstd", "none" };
	for (size_t i = 0; i < 3 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		const bool plain = i % 3 == 2;
		for (unsigned frames = 1; frames <= 3; frames += 2) {
			clear();
			for (unsigned n = 0; n < frames; n++)
				skippable(sizes[i / 3]);
			records(kinds[i % 3], "ab");
			expect(frames == 1 ? (plain ? "a1- b2-" : "a1 b2") : (plain ? "a3- b4-" : "a3 b4"),
			       2 * RECORD_BYTES);
			/* What no input begins with: the last frame is part of the damage. */
			clear();
			for (unsigned n = 0; n < frames; n++)
				skippable(sizes[i / 3]);
			bytes("\2\3\xab\xa8", 4);
			records(kinds[i % 3], "ab");
			expect(frames == 1 ? (plain ? "#0 a2- b3-" : "#0 a2 b3") : (plain ? "#2 a4- b5-" : "#2 a4 b5"),
			       2 * RECORD_BYTES + 8 + sizes[i / 3] + 4);
		}
	}
}

TEST(skips_frames_before_arc_lines)
{
	clear();
	skippable(0);
	bytes(arc_start, strlen(arc_start));
	bytes(ARC_RECORD("a", ARC_TEXT), strlen(ARC_RECORD("a", ARC_TEXT)));
	AUTO_BUF log = log_of_damage();
	assert_int_equal(count_text(&log, " record "), 2);
}

/* What is no frame after a skippable one is reported with it. */
TEST(skips_frames_between_members)
{
	only_records("zstd", "a");
	skippable(0);
	bytes("junk", 4);
	records("zstd", "b");
	skippable(20);
	records("zstd", "c");
	expect("a0 #1 b3 c5", 3 * RECORD_BYTES);
}

/* The length of a skippable frame says more than there is of it: the members that it seems to hold are not lost. */
TEST(reads_what_a_wrong_skip_hides)
{
	for (unsigned i = 0; i < 2; i++) {
		clear();
		skippable(0);
		input.data[4] = 30;
		records(formats[i], "ab");
		expect("#0 a1 b2", 2 * RECORD_BYTES + 8);
	}
	only_records("zstd", "a");
	skippable(0);
	input.data[starts[1] + 4] = 30;
	records("zstd", "bc");
	expect("a0 #1 b2 c3", 3 * RECORD_BYTES);
}

/*
 * A member of some megabytes holds good ones, as where its code is damaged so that it seems to go on over them. Whether
 * it is searched must not depend on how much of it had been given when the fault is met.
 */
TEST(searches_long_members_alike)
{
	static const size_t sizes[] = { 3 << 20, 4700 << 10 }; /* of what is read of it before the fault */
	static const size_t steps[] = { 65536, 1 << 20, SIZE_MAX };
	enum { STORED = 65535 };
	for (unsigned i = 0; i < 2; i++) {
		AUTO_BUF inner = { 0 };
		static const uint8_t head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
		static const uint8_t block[] = { 0, STORED & 0xff, STORED >> 8, 0, 0 };
		only_records("gzip", "b");
		assert_ok(buf_append(&inner, input.data, input.len));
		only_records("gzip", "a");
		bytes((const char *)head, sizeof(head));
		while (input.len < sizes[i]) {
			assert_ok(buf_append(&input, block, sizeof(block)));
			assert_ok(buf_append(&input, inner.data, inner.len));
			assert_ok(buf_reserve(&input, STORED));
			memset(input.data + input.len, 'x', STORED - inner.len);
			input.len += STORED - inner.len;
		}
		bytes("\xff", 1);
		records("gzip", "c");
		assert_int_equal(alike_in_steps(steps) > 2, i == 0);
	}
}

TEST(reports_a_missing_dictionary_once)
{
	/* a frame header that names dictionary 305419896 */
	static const char frame[] = "\x28\xb5\x2f\xfd\x23\x78\x56\x34\x12\x05\x29\x00\x00hello";
	clear();
	bytes(frame, sizeof(frame) - 1);
	bytes(frame, sizeof(frame) - 1);
	expect_log("0 damage no_dictionary @0  \n0 decoded\n");
}

TEST(says_what_is_compressed_twice)
{
	only_records("gzip", "a");
	AUTO_BUF inner = { 0 };
	assert_ok(buf_append(&inner, input.data, input.len));
	clear();
	unit_of("zstd", buf_slice(&inner));
	AUTO_BUF want = { 0 };
	assert_ok(buf_printf(&want, "0 damage not_an_archive @0  \n%zu decoded\n%c", inner.len, 0));
	expect_log((const char *)want.data);
}

TEST(says_what_is_no_archive)
{
	clear();
	bytes("just text", 9);
	expect_log("0 damage not_an_archive @0  \n9 decoded\n");
	clear();
	unit("gzip", "just text");
	expect_log("0 damage not_an_archive @0  \n9 decoded\n");
}

/* A long member of bytes that cannot be compressed gives a little less than a step for each small piece of it. */
TEST(reads_a_long_member_by_small_pieces)
{
	enum { LONG = 6 << 20 };
	static const size_t steps[] = { SIZE_MAX, 65536, 16384 };
	AUTO_BUF text = { 0 };
	uint32_t random = 1;
	assert_ok(buf_printf(&text, "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n", LONG));
	assert_ok(buf_reserve(&text, LONG));
	for (size_t i = 0; i < LONG; i++)
		text.data[text.len++] = (uint8_t)split_random(&random);
	assert_ok(buf_append_text(&text, "\r\n\r\n"));
	for (unsigned i = 0; i < 2; i++) {
		clear();
		unit_of(formats[i], buf_slice(&text));
		records(formats[i], "b");
		assert_int_equal(alike_in_steps(steps), 2);
	}
}

/* In one member of 20 MB a wrong length is found out after 17 MB: a file is read again from the member's start. */
TEST(reads_a_member_again)
{
	enum { FAR = 17 << 20 };
	static const char head[] =
		"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: a\r\nContent-Length: 17825999\r\n\r\n";
	AUTO_BUF text = { 0 };
	assert_ok(buf_append_text(&text, RECORD("0", "abcde")));
	assert_ok(buf_append_text(&text, head));
	assert_ok(buf_append_text(&text, "abcde\r\n\r\n" RECORD("b", "abcde")));
	for (size_t i = 0; i < FAR / 8; i++)
		assert_ok(buf_append_text(&text, "        "));
	assert_ok(buf_append_text(&text, RECORD("c", "abcde")));
	assert_ok(buf_append_byte(&text, 0));
	clear();
	unit("gzip", (const char *)text.data);
	records("gzip", "d");
	struct pump_run run = { .limits = LIMITS_DEFAULT, .input = buf_slice(&input), .seekable = true };
	struct split_subject subject = pump_run_subject(&run);
	AUTO_BUF outcome = { 0 }, want = { 0 };
	split_whole(&subject, buf_slice(&input), &outcome);
	assert_ok(buf_printf(&want,
			     "0 record response @0 0 5 749bcf08 unverified\n1 bad_length response @0 a\n"
			     "2 record response @0 b 5 749bcf08 unverified\n3 record response @0 c 5 749bcf08\n"
			     "4 record response @%zu+%zu d 5 749bcf08\n%zu decoded\n%c",
			     starts[1], starts[2] - starts[1], text.len - 1 + RECORD_BYTES, 0));
	assert_holds(&outcome, (const char *)want.data);
	assert_true(run.steps > FAR / (64 << 10));
	buf_free(&run.log.text);
}
