/* SPDX-License-Identifier: MIT */
/*
 * Segmented records: joined in the order of the input, whatever stands between the segments and however the input is
 * cut into pieces, members or ranges.
 *
 * Archives and what is expected of them are words, one for each record. "A1:ab" is the first segment of A with the
 * block "ab", "A2.:cd" its second and last one, "x:ef" a record of its own. Expected is "A1:abcd A2= x:ef": '=' stands
 * for a continuation whose block was joined, "A1!3:ab" for a record whose third segment is missing, '|' for one whose
 * block was cut by the limit.
 */
#include "archive/pump.h"
#include "support/made_archive.h"
#include "support/split_feed.h"
#include "support/unit.h"

enum { RECORDS_MOST = 64 };

static struct buf input;
static size_t starts[RECORDS_MOST + 1]; /* of records, or of their members */

struct word {
	char name, number; /* 0: no segment */
	bool last;
	struct slice block;
	unsigned total; /* of all segments, where it is the last */
};

static struct word next_word(struct slice *rest)
{
	struct slice text = slice_first(*rest, slice_until(*rest, " "));
	*rest = slice_skip(*rest, text.len + 1);
	struct word w = { .name = (char)text.data[0] };
	text = slice_skip(text, 1);
	if (text.data[0] >= '1' && text.data[0] <= '9') {
		w.number = (char)text.data[0];
		text = slice_skip(text, 1);
	}
	w.last = text.data[0] == '.';
	w.block = slice_skip(text, w.last ? 2 : 1);
	return w;
}

/* Bytes of all segments of a record. */
static size_t total_of(const char *script, char name)
{
	struct slice rest = slice_from_text(script);
	size_t sum = 0;
	char seen[10] = { 0 };
	while (rest.len) {
		const struct word w = next_word(&rest);
		if (w.name != name || !w.number || seen[w.number - '0'])
			continue;
		seen[w.number - '0'] = 1;
		sum += w.block.len;
	}
	return sum;
}

static void archive(const char *script, const char *format)
{
	struct slice rest = slice_from_text(script);
	size_t n = 0;
	buf_clear(&input);
	while (rest.len) {
		const struct word w = next_word(&rest);
		AUTO_BUF record = { 0 };
		const bool more = w.number > '1';
		buf_printf(&record, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%c%s>\r\n",
			   more ? "continuation" : "response", w.name, more ? "-more" : "");
		buf_printf(&record, "WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: %c%c\r\n", w.name,
			   w.number ? w.number : '0');
		if (more)
			buf_printf(&record, "WARC-Segment-Origin-ID: <urn:%c>\r\n", w.name);
		if (w.number)
			buf_printf(&record, "WARC-Segment-Number: %c\r\n", w.number);
		if (w.last)
			buf_printf(&record, "WARC-Segment-Total-Length: %zu\r\n", total_of(script, w.name));
		buf_printf(&record, "Content-Length: %zu\r\n\r\n%.*s\r\n\r\n", w.block.len, (int)w.block.len,
			   (const char *)w.block.data);
		assert_ok(buf_status(&record));
		assert_true(n < RECORDS_MOST);
		starts[n++] = input.len;
		if (format)
			made_member(&input, format, buf_slice(&record));
		else
			assert_ok(buf_append(&input, record.data, record.len));
	}
	starts[n] = input.len;
}

/* What comes, in words. */
struct words {
	struct record_sink sink;
	struct buf text, block;
	const struct record *open;
	uint64_t offset;
	struct limits limits;
	struct pump *pump;
	bool in_range; /* there it is not known whether a continuation is joined by an earlier one */
};

static int words_begin(struct record_sink *self, const struct record *rec)
{
	struct words *w = (struct words *)self;
	assert_null(w->open);
	assert_true(rec->offset >= w->offset); /* in the order of the input */
	w->open = rec;
	w->offset = rec->offset;
	buf_clear(&w->block);
	return rec->joined ? RECORD_UNWANTED : RECORD_WANTED;
}

static int words_body(struct record_sink *self, struct slice bytes)
{
	struct words *w = (struct words *)self;
	assert_non_null(w->open);
	assert_false(w->open->joined);
	return buf_append(&w->block, bytes.data, bytes.len);
}

static int words_end(struct record_sink *self, const struct record_end *end)
{
	struct words *w = (struct words *)self;
	const struct record *rec = w->open;
	uint64_t length = 0;
	w->open = NULL;
	assert_false(end->damaged);
	assert_false(rec->n_segments && end->length_known);
	for (size_t i = 0; i < rec->n_segments; i++)
		length += rec->segments[i].length;
	if (rec->n_segments && !end->block_cut)
		assert_int_equal(length, w->block.len);
	buf_append(&w->text, rec->target_uri.data, rec->target_uri.data[1] == '0' ? 1 : 2);
	if (rec->missing_segment)
		buf_printf(&w->text, "!%u", rec->missing_segment);
	if (rec->joined || (w->in_range && rec->type == RECORD_CONTINUATION))
		return buf_append_text(&w->text, "= ");
	buf_append_text(&w->text, end->block_cut ? "|" : ":");
	buf_append(&w->text, w->block.data, w->block.len);
	return buf_append_byte(&w->text, ' ');
}

static int words_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			const struct record_end *end)
{
	struct words *w = (struct words *)self;
	(void)seq, (void)offset, (void)id, (void)uri;
	return buf_printf(&w->text, "%s ", damage_word(end->reason));
}

static void words_start(struct words *w)
{
	static const struct record_sink_ops ops = { "words", words_begin, words_body, words_end, words_damage };
	w->sink.ops = &ops;
	w->open = NULL;
	w->offset = 0;
	buf_clear(&w->text);
}

static void words_free(struct words *w)
{
	buf_free(&w->text);
	buf_free(&w->block);
}

static void subject_begin(void *arg)
{
	struct words *w = arg;
	const struct pump_config config = { .next = &w->sink, .limits = &w->limits, .source_size = UINT64_MAX };
	words_start(w);
	w->pump = pump_new(&config);
	assert_non_null(w->pump);
}

static void subject_piece(void *arg, struct slice bytes)
{
	struct words *w = arg;
	assert_int_equal(pump_push(w->pump, bytes), PUMP_HUNGRY);
}

static void subject_end(void *arg, struct buf *outcome)
{
	struct words *w = arg;
	assert_int_equal(pump_finish(w->pump), PUMP_DONE);
	assert_false(pump_waits(w->pump));
	pump_free(w->pump);
	assert_ok(buf_append(outcome, w->text.data, w->text.len));
}

/* The records that begin in [begin, end), by a pump that can go anywhere. */
static void read_range(struct words *w, uint64_t begin, uint64_t end)
{
	const struct pump_config config = { .next = &w->sink,
					    .limits = &w->limits,
					    .seekable = true,
					    .source_size = input.len,
					    .begin = begin,
					    .end = end,
					    .look_back = 300 };
	struct pump *pump = pump_new(&config);
	int answer = PUMP_SEEK;
	assert_non_null(pump);
	while (answer == PUMP_SEEK) {
		answer = pump_push(pump, slice_skip(buf_slice(&input), (size_t)pump_seek_offset(pump)));
		if (answer == PUMP_HUNGRY)
			answer = pump_finish(pump);
	}
	assert_int_equal(answer, PUMP_DONE);
	pump_free(pump);
}

static const struct limits defaults = LIMITS_DEFAULT;

/* Appends `want` with all continuations as if they were joined. */
static void hide_continuations(const char *want, struct buf *out)
{
	struct slice rest = slice_from_text(want);
	while (rest.len) {
		const struct slice word = slice_first(rest, slice_until(rest, " "));
		rest = slice_skip(rest, word.len + 1);
		const bool more = word.data[1] >= '2' && word.data[1] <= '9';
		buf_append(out, word.data, more ? 2 : word.len);
		buf_append_text(out, more ? "= " : " ");
	}
	assert_ok(buf_append_byte(out, 0));
}

static void check(const char *script, const char *want, const struct limits *limits)
{
	static const char *const formats[] = { NULL, "gzip", "zstd" };
	for (size_t f = 0; f < 3; f++) {
		struct words w = { .limits = *limits };
		const struct split_subject subject = { subject_begin, subject_piece, subject_end, &w };
		AUTO_BUF outcome = { 0 };
		archive(script, formats[f]);
		split_check(&subject, buf_slice(&input), &outcome);
		assert_holds(&outcome, want);
		AUTO_BUF hidden = { 0 };
		hide_continuations(want, &hidden);
		w.in_range = true;
		/* all parts of the input, one after the other */
		for (size_t cut = 1; starts[cut - 1] < input.len; cut++) {
			words_start(&w);
			if (starts[cut] < input.len) {
				read_range(&w, 0, starts[cut]);
				w.offset = 0;
				read_range(&w, starts[cut], 0);
			} else {
				for (size_t i = 0; starts[i] < input.len; i++) {
					w.offset = 0;
					read_range(&w, starts[i], starts[i + 1]);
				}
			}
			assert_ok(buf_append_byte(&w.text, 0));
			assert_string_equal((const char *)w.text.data, (const char *)hidden.data);
		}
		words_free(&w);
	}
}

TEST(segments_are_joined_in_the_order_of_the_input)
{
	static const char *const rows[][2] = {
		{ "x:ab y:", "x:ab y: " },
		{ "A1:ab A2.:cd", "A1:abcd A2= " },
		{ "x:p A1:ab y:q A2.:cd z:r", "x:p A1:abcd y:q A2= z:r " },
		{ "A1:ab A2:cd A3:ef A4.:g x:h", "A1:abcdefg A2= A3= A4= x:h " },
		{ "A1:ab A3.:ef A2:cd", "A1:abcdef A3= A2= " },
		{ "A1:ab B1:kl A2.:cd C1:uv B2.:mn C2.:wx", "A1:abcd B1:klmn A2= C1:uvwx B2= C2= " },
		{ "A1:ab B1:kl B2.:mn A2.:cd", "A1:abcd B1:klmn B2= A2= " },
		{ "A1: A2.:cd", "A1:cd A2= " },
		{ "A1.:ab x:cd", "A1:ab x:cd " },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(rows[i][0], rows[i][1], &defaults);
}

TEST(missing_segments_are_named)
{
	static const char *const rows[][2] = {
		{ "A1:ab", "A1!2:ab " },
		{ "A1:ab x:cd", "A1!2:ab x:cd " },
		{ "A1:ab A2:cd x:ef", "A1!3:abcd A2= x:ef " },
		{ "A1:ab A3.:ef x:gh", "A1!2:ab A3:ef x:gh " },
		{ "A1:ab A2:cd A4.:gh", "A1!3:abcd A2= A4:gh " },
		{ "A2.:cd A1:ab", "A2:cd A1!2:ab " },
		{ "A1:ab A2:cd A2:no A3.:ef", "A1:abcdef A2= A2:no A3= " },
		{ "A1:ab A2.:cd A2:late", "A1:abcd A2= A2:late " },
		{ "A1:ab B1:kl B2.:mn", "A1!2:ab B1:klmn B2= " },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(rows[i][0], rows[i][1], &defaults);
}

/* The limit of a block cuts as it cuts one that is whole; what waits is bounded, and the oldest goes first. */
TEST(segments_keep_the_limits)
{
	struct limits limits = LIMITS_DEFAULT;
	limits.block = 5;
	check("A1:abc A2.:de x:f", "A1:abcde A2= x:f ", &limits);
	check("A1:abc A2:def A3.:gh x:i", "A1|abcde A2= A3:gh x:i ", &limits);
	check("A1:abc A2.:def x:i", "A1|abcde A2= x:i ", &limits);
	check("A1:abcdef A2.:gh", "A1|abcde A2:gh ", &limits);
	limits = defaults;
	limits.head = 9000; /* with three records that is not reached, with four it is */
	limits.block = 900;
	check("A1:ab x:c A2.:de", "A1:abde x:c A2= ", &limits);
	check("A1:ab x:c y:d z:e A2.:fg", "A1!2:ab x:c y:d z:e A2:fg ", &limits);
	check("A1:ab B1:c x:d B2.:f A2.:g", "A1!2:ab B1:cf x:d B2= A2:g ", &limits);
}

TEST(few_records_are_open_at_once)
{
	AUTO_BUF script = { 0 };
	AUTO_BUF want = { 0 };
	for (char c = 'A'; c < 'A' + 18; c++)
		buf_printf(&script, "%c1:x ", c);
	for (char c = 'A'; c < 'A' + 18; c++)
		buf_printf(&script, "%c2.:y%s", c, c < 'A' + 17 ? " " : "");
	for (char c = 'A'; c < 'A' + 18; c++)
		buf_printf(&want, c < 'C' ? "%c1!2:x " : "%c1:xy ", c);
	for (char c = 'A'; c < 'A' + 18; c++)
		buf_printf(&want, c < 'C' ? "%c2:y " : "%c2= ", c);
	assert_ok(buf_append_byte(&script, 0));
	assert_ok(buf_append_byte(&want, 0));
	check((const char *)script.data, (const char *)want.data, &defaults);
	buf_free(&input);
}
