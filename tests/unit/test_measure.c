/* SPDX-License-Identifier: MIT */
/* Tokens and sequences of them, against plain tables; sentences and blocks as measures; the reader of a gold folder. */
#include "config.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "lab/gold.h"
#include "lab/measure.h"
#include "support/split_feed.h"
#include "support/unit.h"

static uint32_t random_state = 12345;

static uint32_t next_random(uint32_t below)
{
	return split_random(&random_state) % below;
}

/* The table as in every textbook: n x m numbers. */
static size_t lcs_by_table(const struct tokens *a, const struct tokens *b)
{
	size_t width = b->len + 1;
	size_t *table = calloc((a->len + 1) * width, sizeof(*table));
	assert_non_null(table);
	for (size_t i = 1; i <= a->len; i++) {
		for (size_t j = 1; j <= b->len; j++) {
			size_t up = table[(i - 1) * width + j], left = table[i * width + j - 1];
			size_t best = up > left ? up : left;
			if (a->ids[i - 1] == b->ids[j - 1])
				best = table[(i - 1) * width + j - 1] + 1;
			table[i * width + j] = best;
		}
	}
	size_t length = table[a->len * width + b->len];
	free(table);
	return length;
}

static void fill_random(struct tokens *t, size_t len, uint32_t ids)
{
	free(t->ids);
	t->ids = malloc((len ? len : 1) * sizeof(*t->ids));
	assert_non_null(t->ids);
	t->len = t->cap = len;
	for (size_t i = 0; i < len; i++)
		t->ids[i] = next_random(ids);
}

static void check_marks(const struct tokens *a, const struct tokens *b, uint32_t ids, size_t expected)
{
	uint8_t *on_a = malloc(a->len + 1), *on_b = malloc(b->len + 1);
	assert_non_null(on_a);
	assert_non_null(on_b);
	size_t length;
	assert_ok(lcs_marks(a, b, ids, on_a, on_b, &length));
	assert_int_equal(length, expected);
	size_t j = 0, seen = 0;
	for (size_t i = 0; i < a->len; i++) {
		if (!on_a[i])
			continue;
		while (j < b->len && !on_b[j])
			j++;
		assert_true(j < b->len);
		assert_int_equal(a->ids[i], b->ids[j]);
		j++;
		seen++;
	}
	while (j < b->len)
		assert_int_equal(on_b[j++], 0);
	assert_int_equal(seen, expected);
	free(on_a);
	free(on_b);
}

TEST(random_sequences)
{
	struct tokens a = { 0 }, b = { 0 };
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t ids = 1 + next_random(round % 3 ? 6 : 60);
		fill_random(&a, next_random(round % 10 ? 20 : 300), ids);
		fill_random(&b, next_random(round % 10 ? 20 : 300), ids);
		size_t length, expected = lcs_by_table(&a, &b);
		assert_ok(lcs_length(&a, &b, ids, &length));
		assert_int_equal(length, expected);
		check_marks(&a, &b, ids, expected);
	}
	tokens_free(&a);
	tokens_free(&b);
}

/* Longer than the rows that are kept at once: the pieces must fit together. */
TEST(long_sequences)
{
	struct tokens a = { 0 }, b = { 0 };
	fill_random(&a, 20000, 5000);
	fill_random(&b, 9000, 5000);
	size_t length;
	assert_ok(lcs_length(&a, &b, 5000, &length));
	check_marks(&a, &b, 5000, length);
	check_marks(&b, &a, 5000, length);
	tokens_free(&a);
	tokens_free(&b);
}

static size_t count_tokens(const char *text)
{
	struct token_table *table = token_table_new();
	struct tokens t = { 0 };
	assert_non_null(table);
	assert_ok(tokens_append(&t, table, slice_from_text(text)));
	size_t n = t.len;
	tokens_free(&t);
	token_table_free(table);
	return n;
}

TEST(tokens_of_scripts)
{
	static const struct {
		const char *text;
		size_t tokens;
	} rows[] = ROWS({ "", 0 }, { "  two words.\n", 2 }, { "no\xC2\xA0space \xE2\x80\x89thin", 3 },
			{ "\xE4\xBD\xA0\xE5\xA5\xBD, abc\xE4\xB8\xAD"
			  "def",
			  6 } /* 你 好 , abc 中 def */,
			{ "\xE3\x82\xAB\xE3\x83\x8A\xE3\x80\x82", 3 } /* カ ナ 。 */,
			{ "\xE0\xB8\x81\xE0\xB8\x82 \xE1\x9E\x80\xE1\x80\x80", 4 } /* Thai, Khmer, Myanmar */,
			{ "\xED\x95\x9C\xEA\xB8\x80 \xD8\xB3\xD9\x84\xD8\xA7\xD9\x85", 2 },
			{ "\xF0\xA0\x80\x80\xF0\xA0\x80\x81", 2 } /* Han of plane 2 */,
			{ "\xE2\x80\x8B \xEF\xBB\xBF", 0 } /* nothing but invisible characters */);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(count_tokens(rows[i].text), rows[i].tokens);
}

TEST(invisible_characters_vanish)
{
	struct token_table *table = token_table_new();
	struct tokens t = { 0 };
	assert_non_null(table);
	assert_ok(tokens_append(&t, table, slice_from_text("hy\xC2\xADphen \xE2\x80\x8Fhyphen\xE2\x80\xAC")));
	assert_ok(tokens_append(&t, table, slice_from_text("\xFFx \xEF\xBF\xBDx")));
	assert_int_equal(t.len, 4);
	assert_int_equal(t.ids[0], t.ids[1]);
	assert_int_equal(t.ids[2], t.ids[3]);
	assert_int_equal(token_table_count(table), 2);
	tokens_free(&t);
	token_table_free(table);
}

TEST(table_grows)
{
	struct token_table *table = token_table_new();
	struct tokens t = { 0 };
	assert_non_null(table);
	for (unsigned round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++)
			assert_ok(tokens_append_whole(&t, table, slice_of(&i, sizeof(i))));
	}
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(t.ids[i], i);
		assert_int_equal(t.ids[5000 + i], i);
	}
	token_table_reset(table);
	tokens_clear(&t);
	assert_ok(tokens_append(&t, table, slice_from_text("again")));
	assert_int_equal(t.ids[0], 0);
	tokens_free(&t);
	token_table_free(table);
}

TEST(score_conventions)
{
	static const struct {
		double common, output, gold, precision, recall, f1;
	} rows[] = ROWS({ 0, 0, 0, 1, 1, 1 }, { 0, 0, 5, 0, 0, 0 }, { 0, 5, 0, 0, 0, 0 }, { 2, 4, 2, 0.5, 1, 2.0 / 3 });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct score s = score_of(rows[i].common, rows[i].output, rows[i].gold);
		assert_true(s.precision == rows[i].precision && s.recall == rows[i].recall);
		assert_float_equal(s.f1, rows[i].f1, 1e-9);
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance_by_table(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	size_t *row = calloc(m + 1, sizeof(*row));
	assert_non_null(row);
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
		}
	}
	size_t distance = row[m];
	free(row);
	return distance;
}

TEST(edit_distance)
{
	uint32_t a[300], b[300];
	for (unsigned round = 0; round < 3000; round++) {
		uint32_t ids = 1 + next_random(5), most = round % 8 ? 12 : 300;
		struct tokens p = { a, next_random(most), 300 }, q = { b, next_random(most), 300 };
		for (size_t i = 0; i < p.len; i++)
			a[i] = next_random(ids);
		for (size_t i = 0; i < q.len; i++)
			b[i] = next_random(ids);
		size_t distance;
		assert_ok(levenshtein_distance(&p, &q, ids, &distance));
		assert_int_equal(distance, distance_by_table(a, p.len, b, q.len));
	}
}

static void check_sentences(const char *output, const char *gold, double p, double r, bool by_distance)
{
	struct token_table *table = token_table_new();
	struct score score;
	bool distance;
	assert_non_null(table);
	assert_ok(sentence_measure(table, slice_from_text(output), slice_from_text(gold), &score, &distance));
	assert_int_equal(distance, by_distance);
	assert_float_equal(score.precision, p, 1e-9);
	assert_float_equal(score.recall, r, 1e-9);
	token_table_free(table);
}

TEST(sentences)
{
	check_sentences("One. Two!", "One.  Two!\nThree?", 1, 2.0 / 3, false);
	check_sentences("One.\nOne.\nMenu", "One. Two.", 1.0 / 3, 0.5, false);
	check_sentences("", "One. Two.", 0, 0, false);
	check_sentences("", "", 1, 1, false);
	check_sentences("Menu", "", 0, 0, false);
	/* A point inside a number ends nothing. */
	check_sentences("It cost 3.5 dollars. Good.", "It cost 3.5 dollars. Good.", 1, 1, false);
	check_sentences("It cost 3.", "It cost 3.5 dollars. Good.", 0, 0, false);
	/* Marks of other scripts need no space after them. */
	check_sentences("\xE4\xB8\x80\xE3\x80\x82", "\xE4\xB8\x80\xE3\x80\x82\xE4\xBA\x8C\xE3\x80\x82", 1, 0.5, false);
	check_sentences("\xD9\x86\xD8\x9F", "\xD9\x86\xD8\x9F \xD9\x87\xDB\x94", 1, 0.5, false);
	/* Names only: characters that differ, out of the longer one's. */
	check_sentences("Ada\nBob", "Ada\nBob\nEve", 7.0 / 11, 7.0 / 11, true);
	check_sentences("Ada  Bob Eve", "Ada\nBob\nEve", 1, 1, true);
}

static void check_blocks(const struct block_page *page, size_t retrieved, size_t relevant, size_t both)
{
	struct token_table *table = token_table_new();
	struct block_counts counts;
	assert_non_null(table);
	assert_ok(block_measure(table, page, &counts));
	assert_int_equal(counts.retrieved, retrieved);
	assert_int_equal(counts.relevant, relevant);
	assert_int_equal(counts.both, both);
	token_table_free(table);
}

TEST(blocks)
{
	struct block_page page = {
		.visible = slice_from_text("Home News\n\nThe first line\nThe second line\nImprint"),
		.output = slice_from_text("The first line\nImprint"),
		.gold = slice_from_text("The first line\nThe second line"),
	};
	check_blocks(&page, 2, 2, 1);
	/* Half of a block's tokens is enough, less is not. */
	page.output = slice_from_text("News The");
	page.gold = slice_from_text("first second line");
	check_blocks(&page, 1, 1, 0);
	page.output_media = slice_from_text("a.png\nb.png\na.png\n");
	page.gold_media = slice_from_text("b.png\n\n c.mp4 \r\n");
	check_blocks(&page, 3, 3, 1);
	page = (struct block_page){ .visible = slice_from_text("") };
	check_blocks(&page, 0, 0, 0);
}

static char folder[] = "/tmp/dana-gold-XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[200];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static const char *const files[] = { "b/2.html", "b/2.txt", "b/1.html", "b/1.txt", "a/x.html",
				     /* not all pages have a text, or media */
				     "a/x.txt", "a/x.media", "a/y.html", "index.tsv", "a", "b", "" };
enum { PAGES = 8, FOLDERS = 9 };

static int make_folder(void **state)
{
	char path[200];
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	for (size_t i = FOLDERS; *files[i]; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		if (mkdir(path, 0700) != 0)
			return -1;
	}
	return 0;
}

static int remove_folder(void **state)
{
	int status = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[200];
		(void)snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		status = remove(path);
	}
	return status;
}

/* The page as "corpus|id|charset|script|site". */
static void check_page(const struct gold_page *page, const char *wanted)
{
	char found[200];
	(void)snprintf(found, sizeof(found), "%s|%s|%s|%s|%s", page->corpus, page->id, page->charset, page->script,
		       page->site);
	assert_string_equal(found, wanted);
}

TEST_WITH(make_folder, remove_folder, gold_folder)
{
	struct gold_folder *gold;
	struct error err = { 0 };
	AUTO_BUF text = { 0 };
	for (size_t i = 0; i < PAGES; i++)
		write_file(files[i], files[i]);
	assert_ok(gold_open(&gold, folder, &err));
	assert_int_equal(gold_count(gold), 3); /* a/y has no text */
	check_page(gold_page(gold, 0), "a|x|||");
	check_page(gold_page(gold, 2), "b|2|||");
	assert_int_equal(gold_left_out(gold), 0);
	gold_close(gold);
	write_file("index.tsv", "script\tid\tcorpus\tnote\turl\tcharset\r\nArabic\t2\tb\tmore\thttps://example.org/"
				"p?q\twindows-1256\r\nLatin\tnone\ta\n\tx\ta");
	assert_ok(gold_open(&gold, folder, &err));
	assert_int_equal(gold_count(gold), 2);
	assert_int_equal(gold_left_out(gold), 1);
	check_page(gold_page(gold, 0), "a|x|||");
	check_page(gold_page(gold, 1), "b|2|windows-1256|Arabic|example.org");
	assert_ok(gold_read(gold, gold_page(gold, 0), GOLD_HTML, &text, &err));
	assert_true(slice_equal(buf_slice(&text), slice_from_text("a/x.html")));
	assert_ok(gold_read(gold, gold_page(gold, 0), GOLD_MEDIA, &text, &err));
	assert_true(slice_equal(buf_slice(&text), slice_from_text("a/x.media")));
	assert_ok(gold_read(gold, gold_page(gold, 1), GOLD_MEDIA, &text, &err));
	assert_int_equal(text.len, 0);
	gold_close(gold);
}

TEST(gold_folder_missing)
{
	struct gold_folder *gold = NULL;
	struct error err = { 0 };
	assert_int_equal(gold_open(&gold, "/nowhere/at/all", &err), DANA_EIO);
	assert_null(gold);
	assert_non_null(strstr(err.text, "/nowhere/at/all: "));
}

/* Words whose hashes fall into one part in 64 of a table: each takes a bounded number of steps. */
TEST(colliding_words)
{
	enum { WORDS = 40000, LENGTH = 6 };
	struct token_table *table = token_table_new();
	struct tokens tokens = { 0 };
	assert_non_null(table);
	for (unsigned shift = 0; shift <= 12; shift += 6) {
		token_table_reset(table);
		tokens_clear(&tokens);
		for (uint32_t number = 0, found = 0; found < WORDS; number++) {
			char word[LENGTH];
			for (uint32_t i = 0, rest = number; i < LENGTH; i++, rest /= 26)
				word[i] = (char)('a' + rest % 26);
			if (hash_fnv32(slice_of(word, LENGTH), HASH_FNV32_START) >> shift & 63)
				continue;
			found++;
			assert_ok(tokens_append(&tokens, table, slice_of(word, LENGTH)));
			assert_int_equal(tokens.ids[tokens.len - 1], found - 1);
		}
		assert_true(token_table_steps(table) <= (86 + 8 * LENGTH) * (uint64_t)WORDS);
	}
	tokens_free(&tokens);
	token_table_free(table);
}

/* Of 32 words with one hash, each of which is in the way of those after it, length and bytes choose the way on. */
TEST(words_of_one_hash)
{
	static const char *const parts[][2] = { { "glbvs", "yacxa" },
						{ "mlbvs", "sacxa" },
						{ "mlbvs", "sacxa" },
						{ "mlbvs", "sacxa" },
						{ "mlbvs", "sacxa" } };
	enum { PARTS = sizeof(parts) / sizeof(*parts), LENGTH = 5, WORDS = 1 << PARTS };
	struct token_table *table = token_table_new();
	struct tokens tokens = { 0 };
	assert_non_null(table);
	for (size_t i = 0; i < 2 * WORDS; i++) {
		char word[PARTS * LENGTH];
		for (size_t k = 0; k < PARTS; k++)
			memcpy(word + k * LENGTH, parts[k][i >> k & 1], LENGTH);
		assert_int_equal(hash_fnv32(slice_of(word, sizeof(word)), HASH_FNV32_START), 0x626F364F);
		assert_ok(tokens_append(&tokens, table, slice_of(word, sizeof(word))));
		assert_int_equal(tokens.ids[i], i % WORDS);
	}
	assert_int_equal(token_table_count(table), WORDS);
	tokens_free(&tokens);
	token_table_free(table);
}
