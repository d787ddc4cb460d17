/* SPDX-License-Identifier: MIT */
/*
 * bench/charsets PAGE: writes the page, which is UTF-8, in each charset of several bytes a character, leaving out what
 * the charset lacks, and prints the MB/s of CPU time of the converter and of a bare iconv loop over it: medians of
 * rounds that run both. The page should be in a language of these charsets.
 */
#include "config.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "archive/charset/convert.h"
#include "base/buf.h"

enum { ROUNDS = 15, PIECE = 64 << 10, ROUND_BYTES = 8 << 20 };

static const struct {
	const char *label, *iconv;
} charsets[] = { { "gb18030", "GB18030" },  { "big5", "BIG5-HKSCS" }, { "shift_jis", "CP932" },
		 { "euc-jp", "EUC-JP-MS" }, { "euc-kr", "CP949" },    { "iso-2022-jp", "ISO-2022-JP" },
		 { "utf-16le", "UTF-16LE" } };

static int take(struct byte_sink *self, struct slice bytes)
{
	(void)self;
	(void)bytes;
	return 0;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Appends the page in a charset. */
static void encode(iconv_t cd, struct slice page, struct buf *out)
{
	static char piece[PIECE];

	while (page.len) {
		char *from = (char *)(uintptr_t)page.data, *to = piece;
		size_t left = page.len, room = sizeof(piece);

		iconv(cd, &from, &left, &to, &room);
		buf_append(out, piece, sizeof(piece) - room);
		/* Nothing was taken: a character that the charset lacks, or one that is cut at the end. */
		page = slice_skip(page, left == page.len ? 1 : page.len - left);
	}
}

/* As often as a round needs the page. Returns false where this system has no converter. */
static bool fill(const char *charset, struct slice page, struct buf *out)
{
	iconv_t cd = iconv_open(charset, "UTF-8");
	struct buf once = { 0 };

	buf_clear(out);
	if (cd == (iconv_t)-1)
		return false;
	encode(cd, page, &once);
	iconv_close(cd);
	while (once.len && out->len < ROUND_BYTES)
		buf_append(out, once.data, once.len);
	buf_free(&once);
	return out->len > 0;
}

static double by_converter(struct charset_convert *c, const char *label, struct slice text)
{
	double start = seconds();

	charset_convert_reset(c, slice_from_text(label));
	for (struct slice s = text; s.len; s = slice_skip(s, s.len < PIECE ? s.len : PIECE))
		charset_convert_write(c, slice_first(s, s.len < PIECE ? s.len : PIECE));
	charset_convert_finish(c);
	return (double)text.len / 1e6 / (seconds() - start);
}

static double by_iconv(iconv_t cd, struct slice text)
{
	static char piece[PIECE];
	double start = seconds();
	char *from = (char *)(uintptr_t)text.data;
	size_t left = text.len;

	iconv(cd, NULL, NULL, NULL, NULL);
	while (left) {
		char *to = piece;
		size_t room = sizeof(piece), before = left;

		iconv(cd, &from, &left, &to, &room);
		if (left == before) {
			from++;
			left--;
		}
	}
	return (double)text.len / 1e6 / (seconds() - start);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void measure(struct charset_convert *c, const char *label, const char *name, struct slice text)
{
	double converter[ROUNDS], bare[ROUNDS];
	iconv_t cd = iconv_open("UTF-8", name);

	for (int i = 0; i < ROUNDS && cd != (iconv_t)-1; i++) {
		converter[i] = by_converter(c, label, text);
		bare[i] = by_iconv(cd, text);
	}
	if (cd == (iconv_t)-1)
		return;
	iconv_close(cd);
	qsort(converter, ROUNDS, sizeof(*converter), compare);
	qsort(bare, ROUNDS, sizeof(*bare), compare);
	printf("%-12s %8.0f MB/s, iconv %8.0f MB/s\n", label, converter[ROUNDS / 2], bare[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
	static const struct byte_sink_ops ops = { .name = "nothing", .write = take };
	struct byte_sink sink = { &ops };
	struct charset_convert *c = charset_convert_new(&sink);
	struct buf page = { 0 }, text = { 0 };
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	char bytes[4096];
	size_t n;

	if (!file || !c)
		return 1;
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_append(&page, bytes, n);
	(void)fclose(file);
	for (size_t i = 0; i < sizeof(charsets) / sizeof(charsets[0]); i++) {
		if (fill(charsets[i].iconv, buf_slice(&page), &text))
			measure(c, charsets[i].label, charsets[i].iconv, buf_slice(&text));
	}
	buf_free(&page);
	buf_free(&text);
	charset_convert_free(c);
	return 0;
}
