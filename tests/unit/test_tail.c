/* SPDX-License-Identifier: MIT */
/* The ordered end: opening, documents, rejects, counters and reports. */
#include "config.h"

#include "run/outputs.h"
#include "support/unit.h"

struct memory {
	struct byte_sink sink;
	struct buf bytes;
};

static int memory_write(struct byte_sink *self, struct slice bytes)
{
	return buf_append(&((struct memory *)self)->bytes, bytes.data, bytes.len);
}

static int memory_finish(struct byte_sink *self)
{
	(void)self;
	return 0;
}

static const struct byte_sink_ops memory_ops = { "memory", memory_write, memory_finish };

static int fake_opening(struct sink *s, struct slice first_date, struct buf *out)
{
	(void)s;
	return buf_printf(out, "opening %.*s\n", (int)first_date.len, (const char *)first_date.data);
}

static int fake_document(const struct sink *s, struct document *doc, struct buf *out)
{
	(void)s;
	doc->problems |= PROBLEM_BAD_DATE; /* formatters may add problems: they must be counted */
	return buf_printf(out, "%.*s\n", (int)doc->text.len, (const char *)doc->text.data);
}

static const struct sink_ops fake_format = { .name = "fake", .opening = fake_opening, .document = fake_document };

struct fixture {
	struct memory output, rejects;
	struct buf lines;
	struct stats stats;
	struct archive_dates dates;
	struct reporter reporter;
	struct encoder *encoder;
	struct tail *tail;
};

static void line(void *arg, const char *text)
{
	assert_ok(buf_printf(arg, "%s\n", text));
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	f->output.sink.ops = f->rejects.sink.ops = &memory_ops;
	f->reporter = (struct reporter){ .line = line, .arg = &f->lines };
	f->encoder = encoder_new(encoder_find(slice_from_text("none")), 0, false, &f->output.sink);
	f->tail = tail_new();
	assert_non_null(f->encoder);
	assert_non_null(f->tail);
	const struct tail_config config = { .format = &fake_format,
					    .encoder = f->encoder,
					    .rejects = &f->rejects.sink,
					    .stats = &f->stats,
					    .dates = &f->dates,
					    .reporter = &f->reporter };
	tail_begin(f->tail, &config);
	tail_input(f->tail, "a\x1b[2Jfile");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	tail_free(f->tail);
	encoder_free(f->encoder);
	archive_dates_free(&f->dates);
	buf_free(&f->output.bytes);
	buf_free(&f->rejects.bytes);
	buf_free(&f->lines);
	free(f);
	return 0;
}

static void give(struct fixture *f, enum outcome_kind kind, uint64_t seq)
{
	char text[32];
	(void)snprintf(text, sizeof(text), "text %u", (unsigned)seq);
	struct document doc = { .text = slice_from_text(text), .text_chars = 6, .method = "plain" };
	struct record_end end = { .damaged = true, .reason = DAMAGE_BAD_LENGTH, .detail = "why" };
	struct outcome outcome = { .kind = kind,
				   .seq = seq,
				   .offset = seq * 10,
				   .document = &doc,
				   .skipped = SKIP_STATUS,
				   .damage = &end };
	struct document_sink *front = tail_documents(f->tail);
	assert_int_equal(front->ops->outcome(front, &outcome), 0);
}

TEST_WITH(setup, teardown, everything_once)
{
	struct fixture *f = *state;
	const struct record first = { .date = slice_from_text("first"), .type = RECORD_RESPONSE };
	const struct record second = { .date = slice_from_text("second"), .type = RECORD_WARCINFO };
	assert_ok(archive_dates_note(&f->dates, &first));
	assert_ok(archive_dates_note(&f->dates, &second));
	assert_true(slice_equal(buf_slice(&f->dates.warcinfo_date), slice_from_text("second")));
	give(f, OUTCOME_SKIPPED, 0);
	assert_int_equal(f->output.bytes.len, 0);
	give(f, OUTCOME_DOCUMENT, 1);
	give(f, OUTCOME_DAMAGED, 2);
	give(f, OUTCOME_DOCUMENT, 3);
	assert_ok(tail_finish(f->tail));
	assert_string_equal(text_of(&f->output.bytes), "opening first\ntext 1\ntext 3\n");
	assert_string_equal(text_of(&f->lines), "dana: a\\x1b[2Jfile: offset 20: bad_length: why\n");
	const char *rejects = text_of(&f->rejects.bytes);
	assert_non_null(strstr(rejects, "\"offset\":0,\"reason\":\"status\""));
	assert_non_null(strstr(rejects, "\"offset\":20,\"reason\":\"bad_length\",\"detail\":\"why\""));
	assert_true(f->stats.records == 4 && f->stats.documents == 2 && f->stats.text_chars == 12);
	assert_true(f->stats.skipped[SKIP_STATUS] == 1 && f->stats.damaged[DAMAGE_BAD_LENGTH] == 1);
	assert_true(f->stats.problems[7] == 2); /* bad_date */
}

/* A document whose record has a wrong length is reported as damage, and is no reject. */
TEST_WITH(setup, teardown, damage_of_a_document)
{
	struct fixture *f = *state;
	struct document doc = { .text = slice_from_text("text"), .problems = PROBLEM_BAD_LENGTH };
	const struct outcome outcome = { .kind = OUTCOME_DOCUMENT,
					 .offset = 50,
					 .document = &doc,
					 .detail = slice_from_text("why") };
	struct document_sink *front = tail_documents(f->tail);
	assert_int_equal(front->ops->outcome(front, &outcome), 0);
	assert_ok(tail_finish(f->tail));
	assert_string_equal(text_of(&f->output.bytes), "opening \ntext\n");
	assert_string_equal(text_of(&f->lines),
			    "dana: a\\x1b[2Jfile: offset 50: bad_length: why; the page is written\n");
	assert_string_equal(text_of(&f->rejects.bytes), "");
	assert_true(f->stats.records == 1 && f->stats.documents == 1);
	assert_true(stats_damaged(&f->stats) == 0 && stats_faults(&f->stats) == 1);
}

TEST_WITH(setup, teardown, an_empty_output_has_its_opening)
{
	struct fixture *f = *state;
	assert_ok(tail_finish(f->tail));
	assert_string_equal(text_of(&f->output.bytes), "opening \n");
}

static unsigned count_lines(struct fixture *f)
{
	unsigned n = 0;
	for (const char *c = text_of(&f->lines); *c; c++)
		n += *c == '\n';
	return n;
}

TEST_WITH(setup, teardown, reports_are_bounded)
{
	struct fixture *f = *state;
	for (uint64_t i = 0; i < 3 * REPORTS_MOST; i++)
		give(f, OUTCOME_DAMAGED, i);
	report_input_end(&f->reporter, "file", false);
	assert_int_equal(count_lines(f), REPORTS_MOST + 1);
	assert_non_null(strstr(text_of(&f->lines), "file: 40 more damaged"));
	/* The next input has its own count. */
	buf_clear(&f->lines);
	give(f, OUTCOME_DAMAGED, 100);
	report_input_end(&f->reporter, "file", false);
	assert_int_equal(count_lines(f), 1);
	buf_clear(&f->lines);
	f->reporter.quiet = true;
	give(f, OUTCOME_DAMAGED, 101);
	assert_int_equal(f->lines.len, 0);
	report_fault(&f->reporter, "file", "No such file");
	assert_string_equal(text_of(&f->lines), "dana: file: No such file\n");
}
