/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: conversion to UTF-8. First byte: the label, of a page or of text as it stands, or a name that a user
 * gives; second: how many of the following bytes are sizes of the pieces, and (its high bits) how much ASCII goes
 * before, so that the end of the detection window is met; the rest is the page. Oracles: every slice of the output is
 * well-formed, and pieces give what the whole gives.
 */
#include "archive/charset/convert.h"
#include "base/utf8.h"
#include "support/split_feed.h"

struct subject {
	struct byte_sink sink;
	struct buf text;
	struct charset_convert *convert;
	const char *label;
	bool named; /* by the user */
	bool plain; /* text as it stands */
};

static int collect(struct byte_sink *self, struct slice bytes)
{
	struct subject *s = (struct subject *)self;
	must(bytes.len > 0 && utf8_valid_prefix(bytes) == bytes.len);
	return buf_append(&s->text, bytes.data, bytes.len);
}

static void begin(void *arg)
{
	struct subject *s = arg;
	buf_clear(&s->text);
	if (s->named)
		must(charset_convert_reset_named(s->convert, slice_from_text(s->label)) == 0);
	else
		charset_convert_reset(s->convert, slice_from_text(s->label));
	if (s->plain)
		charset_convert_text(s->convert);
}

static void piece(void *arg, struct slice bytes)
{
	struct subject *s = arg;
	must(charset_convert_write(s->convert, bytes) == 0);
}

static void end(void *arg, struct buf *outcome)
{
	struct subject *s = arg;
	must(charset_convert_finish(s->convert) == 0 && charset_convert_name(s->convert));
	buf_printf(outcome, "%s %u\n", charset_convert_name(s->convert), charset_convert_problems(s->convert));
	buf_append(outcome, s->text.data, s->text.len);
}

static const char *const labels[] = { "",          "utf-8",    "gb18030",       "big5",
				      "shift_jis", "euc-jp",   "euc-kr",        "iso-2022-jp",
				      "utf-16le",  "utf-16be", "windows-1255",  "replacement",
				      "",          "",         "x-user-defined" };
static const char *const names[] = {
	"", "IBM850", "KOI8-R", "windows-1256", "ISO-2022-KR", "EUC-TW", "UTF-32", "utf-8"
};
enum {
	LABELS = sizeof(labels) / sizeof(*labels),
	NAMES = sizeof(names) / sizeof(*names),
	NAMED = 128,
	RUNS_OF_ONE = 1000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct byte_sink_ops ops = { "collector", collect, NULL };
	static struct subject subject = { .sink = { &ops } };
	static struct buf input;
	static unsigned runs;
	if (size < 2)
		return 0;
	const struct slice page = slice_of(data + 2, size - 2), sizes = slice_first(page, data[1] % 16);
	size_t lead = data[1] >> 4 ? (16U << 10) - 16 + (data[1] >> 4) * 2U : 0;
	subject.named = data[0] >= NAMED;
	subject.plain = !subject.named && data[0] / LABELS % 2;
	subject.label = subject.named ? names[data[0] % NAMES] : labels[data[0] % LABELS];
	if (runs++ % RUNS_OF_ONE == 0) { /* seldom, since opening charsets takes long */
		charset_convert_free(subject.convert);
		subject.convert = charset_convert_new(&subject.sink);
	}
	buf_clear(&input);
	must(subject.convert && buf_reserve(&input, lead + page.len + 1) == 0);
	memset(input.data, ' ', lead);
	input.len = lead;
	must(buf_append(&input, page.data, page.len) == 0);
	const struct split_subject split = { begin, piece, end, &subject };
	split_check_sizes(&split, buf_slice(&input), sizes);
	return 0;
}
