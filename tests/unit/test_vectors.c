/* SPDX-License-Identifier: MIT */
/*
 * Every vector path against plain C. Each row of the table puts bytes through a function that has paths and writes
 * down what comes out; that is done at every level that this processor has, and must be the same at all of them. The
 * bytes are random, pages made at random, pages written by hand and, where DANA_SHARED names a folder of gold pages,
 * the beginning of those. $srcdir is the folder of the sources. tests/check_vectors.sh sees to it that no file with
 * paths is missing here.
 */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "config.h"

#include "base/ascii.h"
#include "base/cpu.h"
#include "base/json.h"
#include "base/utf8.h"
#include "dedup/minhash.h"
#include "extract/html/attribute.h"
#include "extract/html/white_space.h"
#include "extract/learned/model.h"
#include "extract/learned/tokens.h"
#include "extract/text_writer.h"
#include "support/extractor_subject.h"
#include "support/random_html.h"
#include "support/random_page.h"
#include "support/token_subject.h"
#include "support/unit.h"

static void put(struct buf *out, const void *data, size_t len)
{
	assert_ok(buf_append(out, data, len));
}

static void put_number(struct buf *out, uint64_t number)
{
	put(out, &number, sizeof(number));
}

static size_t valid_prefix(const uint8_t *data, size_t len)
{
	return utf8_valid_prefix(slice_of(data, len));
}

static void run_prefixes(struct slice in, struct buf *out)
{
	size_t (*const functions[])(const uint8_t *data, size_t len) = { ascii_run, valid_prefix };
	for (size_t i = 0; i < 2; i++) {
		for (size_t at = 0, n; at < in.len; at += n + 1) {
			n = functions[i](in.data + at, in.len - at);
			put_number(out, n);
		}
	}
}

/* Names of the property with values of all kinds between the bytes, at all distances from the end. */
static void run_white_space(struct slice in, struct buf *out)
{
	static const char *const names[] = { "white-space:pre", "White-Space : BREAK-SPACES;", "white-space:nowrap",
					     "w----white-space: pre-line", "white-spaces:pre" };
	AUTO_BUF styles = { 0 };
	for (size_t i = 0; in.len; i++) {
		size_t n = 1 + i * 37 % 211;
		put(&styles, in.data, n < in.len ? n : in.len);
		in = slice_skip(in, n < in.len ? n : in.len);
		put(&styles, names[i % 5], strlen(names[i % 5]));
	}
	for (size_t i = 0; (i = white_space_find(styles.data, i, styles.len, styles.len)) < styles.len; i++)
		put_number(out, i);
	for (size_t i = 1; i < 400 && i < styles.len; i++)
		put_number(out, white_space_find(styles.data, styles.len - i, styles.len - i / 2, styles.len));
}

static struct byte_mask *masks_of(struct slice in)
{
	/* one of zeros after the last, as tokenizer.h asks for */
	struct byte_mask *masks = calloc(in.len / 64 + 2, sizeof(*masks));
	assert_non_null(masks);
	byte_masks_path()(in.data, in.len, masks);
	return masks;
}

/* At the end of memory, from all places of a block, with parts of blocks of all lengths. */
static void run_masks(struct slice in, struct buf *out)
{
	for (size_t len = 0; len <= 130 && len <= in.len; len++) {
		const size_t at = len * 37 % 64;
		uint8_t *copy = malloc(at + len + !(at + len));
		assert_non_null(copy);
		memcpy(copy + at, in.data, len);
		struct byte_mask *masks = masks_of(slice_of(copy + at, len));
		put(out, masks, (len / 64 + 2) * sizeof(*masks));
		free(masks);
		free(copy);
	}
	for (size_t cut = 0; cut < 3 && cut < in.len; cut++) {
		struct slice part = slice_skip(in, cut);
		struct byte_mask *masks = masks_of(part);
		put(out, masks, (part.len / 64 + 2) * sizeof(*masks));
		free(masks);
	}
}

static void run_sums(struct slice in, struct buf *out)
{
	struct byte_mask *masks = masks_of(in);
	for (size_t at = 0, len = 1; at < in.len; at += len, len = len < 3000 ? len * 3 : 1) {
		size_t n = len < in.len - at ? len : in.len - at;
		const struct html_run run = { .bytes = slice_of(in.data + at, n), .masks = masks, .at = at };
		struct html_run_count sum = html_run_sum(&run, at % 2);
		put_number(out, sum.chars);
		put_number(out, sum.high);
		put_number(out, sum.spaces);
	}
	free(masks);
}

static void run_tokens(struct slice in, struct buf *out)
{
	static const enum token_way ways[] = { TOKEN_UNITS, TOKEN_STRETCHES, TOKEN_VOIDS_UNREAD };
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct token_subject s;
		AUTO_BUF log = { 0 };
		const struct split_subject subject = token_subject_make(&s, ways[i]);
		s.log.page = in;
		split_whole(&subject, in, &log);
		put(out, log.data, log.len);
		token_subject_free(&s);
	}
}

static void run_json(struct slice in, struct buf *out)
{
	assert_int_equal(json_escape(out, in), 0);
	for (size_t cut = 1; cut < 32 && cut < in.len; cut++)
		assert_int_equal(json_escape(out, slice_of(in.data + cut, in.len / 32)), 0);
}

/* As a string, escaped, at all distances from the end. */
static void run_json_string(struct slice in, struct buf *out)
{
	static const struct json_rules rules = { .depth_most = 1 };
	struct json_reader *r = json_reader_new(&rules);
	AUTO_BUF text = { 0 }, space = { 0 };
	assert_non_null(r);
	for (size_t cut = 0; cut < 40 && cut < in.len; cut++) {
		struct json_value value;
		struct slice read;
		bool repaired = false;
		buf_clear(&text);
		buf_clear(&space);
		put(&text, "\"\\ud800\\\"", 9);
		assert_int_equal(json_escape(&text, slice_of(in.data + cut, cut ? in.len / 32 : in.len)), 0);
		put(&text, "\"", 1);
		assert_int_equal(json_read(r, buf_slice(&text), &value, NULL), 0);
		assert_int_equal(json_characters(value, &space, &read, &repaired), 0);
		put(out, read.data, read.len);
		put_number(out, repaired);
	}
	json_reader_free(r);
}

/* The next text between tags, if there is one. It ends at '<', in the middle of no character and no reference. */
static bool next_text(struct slice *rest, struct slice *text)
{
	while (rest->len && rest->data[0] == '<') {
		const uint8_t *end = memchr(rest->data, '>', rest->len);
		*rest = slice_skip(*rest, end ? (size_t)(end - rest->data) + 1 : 1);
	}
	const uint8_t *end = rest->len ? memchr(rest->data, '<', rest->len) : NULL;
	*text = slice_of(rest->data, end ? (size_t)(end - rest->data) : rest->len);
	*rest = slice_skip(*rest, text->len);
	return text->len != 0;
}

static void run_text_writer(struct slice in, struct buf *out)
{
	struct text_writer w = { 0 };
	text_writer_reset(&w, 0);
	for (struct slice text; next_text(&in, &text);) {
		assert_int_equal(text_writer_source(&w, text), 0);
		assert_int_equal(text_writer_break(&w), 0);
		assert_int_equal(text_writer_plain(&w, text), 0);
	}
	assert_ok(text_writer_finish(&w));
	put(out, w.out.data, w.out.len);
	text_writer_free(&w);
}

static void run_method(struct slice in, struct buf *out, const char *method)
{
	AUTO_EXTRACTOR x = extractor_by(method);
	const struct split_subject subject = extractor_subject(x);
	AUTO_BUF text = { 0 };
	split_whole(&subject, in, &text);
	put(out, text.data, text.len);
}

/* The scans may stop early (escape.h); what is written after them may not differ. */
static void run_markdown(struct slice in, struct buf *out)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "plain",
					      .structure = DANA_MARKDOWN };
	struct dana_extractor *x;
	struct dana_text text;
	struct dana_view markdown;
	assert_ok(dana_new(&x, &options));
	assert_ok(dana_feed(x, in.data, in.len));
	assert_ok(dana_finish(x, &text));
	assert_int_equal(dana_markdown(x, &markdown), 0);
	put(out, markdown.data, markdown.len);
	dana_free(x);
}

static void run_family(struct slice in, struct buf *out)
{
	run_method(in, out, "danag");
	run_method(in, out, "danag:unit=bytes");
	run_method(in, out, "addanag:segment=64,gap=3");
	run_method(in, out, "r2l");
	run_method(in, out, "plain");
	for (unsigned share = 1; share < 100; share += 7) {
		char method[16];
		snprintf(method, sizeof(method), "auto:share=%u", share);
		run_method(in, out, method);
	}
}

/* A copy with bytes to read on after it, which belong to no text: the first ends a text, the others must not matter. */
static uint8_t *copy_to_read_on(struct slice in)
{
	static const uint8_t after[WORDS_READ_ON + 1] = "<\xbb\xd0.A9,&\xe4\xb8z!Z 0123456789\xc3\xa9 a.b,c";
	uint8_t *copy = malloc(in.len + sizeof(after));
	assert_non_null(copy);
	memcpy(copy, in.data, in.len);
	memcpy(copy + in.len, after, sizeof(after));
	return copy;
}

static void run_counts(struct slice in, struct buf *out)
{
	uint8_t *copy = copy_to_read_on(in);
	struct slice rest = slice_of(copy, in.len), text;
	for (struct counts c = { 0 }; next_text(&rest, &text);) {
		counts_add(&c, text);
		put(out, &c, sizeof(c));
		if (text.len > 40)
			c = (struct counts){ 0 };
	}
	free(copy);
}

/* Numbers and dates of both kinds of digits between the bytes, at all distances from the end. */
static void run_dates(struct slice in, struct buf *out)
{
	static const char *const dates[] = {
		"1.2.34", "12:30",      "\xd9\xa1\xd9\xa2:\xd9\xa3\xd9\xa4", "\xdb\xb1.\xdb\xb1.\xdb\xb9\xdb\xb9",
		"1.2",    "\xd9\x85:12"
	};
	for (size_t i = 0; i < 200 && i < in.len; i++) {
		AUTO_BUF text = { 0 };
		put(&text, in.data + in.len - i, i);
		for (size_t k = 0; k < text.len; k++)
			text.data[k] = text.data[k] == ':' || text.data[k] == '-' ? ' ' : text.data[k];
		put(&text, dates[i % 6], strlen(dates[i % 6]));
		put(&text, in.data, i % 37 < in.len ? i % 37 : 0);
		put_number(out, dates_found(buf_slice(&text)));
	}
}

static void run_words(struct slice in, struct buf *out)
{
	uint8_t *copy = copy_to_read_on(in);
	struct slice rest = slice_of(copy, in.len), text;
	struct word_runs runs = { 0 };
	for (uint32_t n = 0; next_text(&rest, &text); n++) {
		if (n % 4 == 0)
			word_runs_add(&runs, text);
		put_number(out, word_runs_match(&runs, text));
	}
	free(copy);
}

static void put_token(void *out, uint32_t id)
{
	put_number(out, id);
}

static void run_token_words(struct slice in, struct buf *out)
{
	static const int8_t weights[TOKEN_COUNT];
	const struct token_sink sink = { .weights = weights, .seen = put_token, .arg = out };
	for (const uint8_t *p = in.data, *end = p + in.len, *next; p < end; p = next) {
		next = memchr(p + 1, '"', (size_t)(end - p - 1));
		next = next ? next : end;
		(void)token_words_of_address(&sink, slice_of(p, (size_t)(next - p)), end);
	}
}

static void run_attrs(struct slice in, struct buf *out)
{
	for (const uint8_t *p = in.data, *end = p + in.len; p < end; p++) {
		if (p[0] != '<' || end - p < 3)
			continue;
		const uint8_t *stop = memchr(p, '>', (size_t)(end - p));
		const struct html_tag_event event = { .name = slice_of(p + 1, 1),
						      .source = slice_of(p, (size_t)((stop ? stop + 1 : end) - p)) };
		struct html_attr_reader reader = html_attr_begin(&event);
		for (struct html_attr attr; html_attr_next(&reader, &attr);) {
			put(out, attr.name.data, attr.name.len);
			put_number(out, attr.number);
			put(out, attr.value.data, attr.value.len);
		}
	}
}

enum { TREES = 5, ROWS = 16 };

/* The sum of the leaves that a column leads to, walked one by one. */
static int32_t walk_trees(const struct trees *trees, uint8_t (*tile)[TILE], uint32_t column)
{
	int32_t sum = 0;
	for (uint32_t t = 0; t < TREES; t++) {
		uint32_t index = 0;
		for (uint32_t level = 0; level < trees->depth; level++) {
			const struct tree_level *l = &trees->levels[t * trees->depth + level];
			index = 2 * index + (tile[l->feature][column] > l->bin);
		}
		sum += trees->leaves[(t << trees->depth) + index];
	}
	return sum;
}

/* Columns and trees made of the bytes, of each depth, for numbers of columns on both sides of what a vector holds. */
static void run_trees(struct slice in, struct buf *out)
{
	uint32_t random = (uint32_t)in.len * 2654435761U | 1;
	for (uint32_t depth = 1; depth <= TREE_DEPTH_MOST; depth++) {
		struct tree_level levels[TREES * TREE_DEPTH_MOST];
		int16_t leaves[TREES << TREE_DEPTH_MOST];
		for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
			levels[i] = (struct tree_level){ (uint8_t)(split_random(&random) % ROWS),
							 in.data[split_random(&random) % in.len] };
		for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
			leaves[i] =
				(int16_t)((int16_t)split_random(&random) >> (i >> depth) * 4 % 7); /* large, small */
		struct trees trees = { levels, leaves, TREES, depth, NULL, NULL };
		assert_int_equal(trees_prepare(&trees), 0);
		for (uint32_t columns = 1; columns <= TILE; columns += columns < 6 ? 1 : 9) {
			_Alignas(64) uint8_t tile[ROWS][TILE], copy[ROWS][TILE];
			int32_t margin[TILE];
			for (size_t i = 0; i < sizeof(tile); i++)
				(&tile[0][0])[i] = in.data[split_random(&random) % in.len];
			memcpy(copy, tile, sizeof(copy));
			trees_margins(&trees, tile, ROWS, columns, margin);
			for (uint32_t at = 0; at < columns; at++)
				assert_int_equal(margin[at], walk_trees(&trees, copy, at));
			put(out, margin, columns * sizeof(*margin));
		}
		trees_free(&trees);
	}
}

static void run_learned(struct slice in, struct buf *out)
{
	run_method(in, out, "learned");
	run_method(in, out, "learned:recall=100");
}

/* Signatures of all lengths up to some vectors and a rest, over batches of all lengths. */
static void run_minhash(struct slice in, struct buf *out)
{
	enum { MOST = 70 };
	uint32_t a[MOST], b[MOST], least[MOST], x[MOST], random = (uint32_t)in.len * 2654435761U | 1;
	for (unsigned n = 1; n < MOST; n += 3) {
		for (unsigned i = 0; i < MOST; i++) {
			a[i] = split_random(&random) | 1;
			b[i] = split_random(&random);
			x[i] = split_random(&random) ^ in.data[split_random(&random) % in.len];
			least[i] = UINT32_MAX;
		}
		minhash_least(a, b, least, n, x, n % 7);
		minhash_least(a, b, least, n, x + n % 7, MOST - n % 7);
		put(out, least, n * sizeof(*least));
	}
}

static const struct row {
	const char *files; /* those with paths that the row runs */
	void (*run)(struct slice in, struct buf *out);
} rows[] = {
	{ "base/ascii.h base/utf8.c", run_prefixes },
	{ "extract/html/byte_masks.c extract/html/byte_masks.h", run_masks },
	{ "extract/html/tokenizer.c", run_sums },
	{ "extract/html/white_space.c", run_white_space },
	{ "extract/html/tokenizer.c extract/html/tokenizer_stretch.c base/bits.h", run_tokens },
	{ "base/json_writer.c", run_json },
	{ "base/json_reader.c", run_json_string },
	{ "extract/text_writer.c", run_text_writer },
	{ "extract/family/segmenter.c extract/family/stretch.c extract/family/letters.c", run_family },
	{ "extract/structure/escape.h", run_markdown },
	{ "extract/learned/counts.c", run_counts },
	{ "extract/learned/counts.c", run_dates },
	{ "extract/learned/tokens.c", run_words },
	{ "extract/learned/tokens.c", run_token_words },
	{ "extract/html/attribute.h", run_attrs },
	{ "extract/learned/model.c", run_trees },
	{ "extract/learned/features.c", run_learned },
	{ "dedup/minhash.c", run_minhash },
};

static void check(struct slice in)
{
	AUTO_BUF plain = { 0 }, found = { 0 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		buf_clear(&plain);
		cpu_level_set(CPU_PLAIN);
		rows[i].run(in, &plain);
		for (enum cpu_level level = CPU_PLAIN + 1; level <= CPU_AVX512; level++) {
			if (!cpu_has(level))
				continue;
			buf_clear(&found);
			cpu_level_set(level);
			rows[i].run(in, &found);
			if (!slice_equal(buf_slice(&plain), buf_slice(&found))) {
				fail_msg("%s: %s differs from plain C on %zu bytes", rows[i].files,
					 cpu_level_name(level), in.len);
			}
		}
	}
	(void)cpu_level_find();
}

TEST(test_random_bytes)
{
	static const uint8_t edges[] =
		"<>\"'= \t\n\f\r\x0b\x7f\x80\xbf\xc0\xc2\xc3\xd8\xdf\xe0\xe2\xe3\xea\xec\xee\xef\xf0\xff/09:@AZ[`az{&.";
	uint32_t random = 4711;
	for (int round = 0; round < 120; round++) {
		uint8_t bytes[3000];
		size_t len = 1 + split_random(&random) % (round % 4 ? 300 : sizeof(bytes));
		for (size_t i = 0; i < len; i++)
			bytes[i] = round % 2 ? (uint8_t)split_random(&random)
					     : edges[split_random(&random) % (sizeof(edges) - 1)];
		check(slice_of(bytes, len));
	}
}

/* Characters of all lengths, here and there one that is cut off or not the shortest form. */
TEST(test_broken_utf8)
{
	uint32_t random = 77;
	for (int round = 0; round < 200; round++) {
		uint8_t bytes[400];
		size_t len = 0;
		while (len + 4 <= sizeof(bytes)) {
			static const uint8_t leads[] = { 'a', 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4 };
			uint8_t lead = leads[split_random(&random) % sizeof(leads)];
			size_t n = utf8_length(lead);
			bytes[len++] = lead;
			bool whole = split_random(&random) % 40;
			/* second bytes that the leads may have: 0x90 to 0x9F after F0 and ED, 0x80 to 0x8F after F4 */
			for (size_t k = 1; k < n && (whole || k < n - 1); k++) {
				uint32_t low = split_random(&random) % 16;
				bytes[len++] = (uint8_t)(k > 1          ? 0x80 + low * 4
							 : lead == 0xE0 ? 0xA0 + low
							 : lead == 0xF4 ? 0x80 + low
									: 0x90 + low);
			}
		}
		check(slice_of(bytes, len));
	}
}

TEST(test_made_pages)
{
	AUTO_BUF page = { 0 };
	for (uint32_t seed = 0; seed < 40; seed++) {
		random_html(&page, seed, 20 + 10 * seed);
		check(buf_slice(&page));
		random_page(&page, seed, 20 + 20 * seed);
		check(buf_slice(&page));
	}
}

/* Long texts with white space of one kind only: no other kind sends a block the same way. */
TEST(test_blanks)
{
	AUTO_BUF page = { 0 };
	for (const char *blank = " \t\n\f\r\v"; *blank; blank++) {
		buf_clear(&page);
		for (int i = 0; i < 60; i++)
			assert_ok(buf_printf(&page, "%s%s%c%0*d.", i % 9 ? "" : "<p>", "word", *blank, 1 + i % 7, i));
		check(buf_slice(&page));
	}
}

static void check_file(FILE *file, size_t most)
{
	static uint8_t bytes[100000];
	size_t total = 0;
	assert_non_null(file);
	for (size_t n; total < most && (n = fread(bytes, 1, sizeof(bytes), file)) > 0; total += n)
		check(slice_of(bytes, n));
	assert_true(total > 0);
}

TEST(test_written_pages)
{
	static const char *const pages[] = { "stories/postman", "stories/garden", "news/well", "news/lighthouse" };
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/tests/data/gold/%s.html", getenv("srcdir") ? getenv("srcdir") : ".",
			 pages[i]);
		FILE *file = fopen(path, "rb");
		check_file(file, SIZE_MAX);
		fclose(file);
	}
}

TEST(test_gold_pages)
{
	const char *shared = getenv("DANA_SHARED");
	char command[4096];
	if (!shared || !*shared)
		skip();
	snprintf(command, sizeof(command), "tar --zstd --wildcards -xOf '%s/gold/dev.tar.zst' '*.html' 2>/dev/null",
		 shared);
	FILE *file = popen(command, "r");
	check_file(file, 6 << 20);
	pclose(file);
}
