/* SPDX-License-Identifier: MIT */
/* Edit distance, sentence measure, block measure, and the reader of a gold folder. */
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

static void check_page(const struct gold_page *page, const char *corpus, const char *id, const char *charset,
		       const char *script, const char *site)
{
	assert_string_equal(page->corpus, corpus);
	assert_string_equal(page->id, id);
	assert_string_equal(page->charset, charset);
	assert_string_equal(page->script, script);
	assert_string_equal(page->site, site);
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
	check_page(gold_page(gold, 0), "a", "x", "", "", "");
	check_page(gold_page(gold, 2), "b", "2", "", "", "");
	assert_int_equal(gold_left_out(gold), 0);
	gold_close(gold);
	write_file("index.tsv", "script\tid\tcorpus\tnote\turl\tcharset\r\nArabic\t2\tb\tmore\thttps://example.org/"
				"p?q\twindows-1256\r\nLatin\tnone\ta\n\tx\ta");
	assert_ok(gold_open(&gold, folder, &err));
	assert_int_equal(gold_count(gold), 2);
	assert_int_equal(gold_left_out(gold), 1);
	check_page(gold_page(gold, 0), "a", "x", "", "", "");
	check_page(gold_page(gold, 1), "b", "2", "windows-1256", "Arabic", "example.org");
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

/*
 * Words whose hashes fall into one part in 64 of a table, and words with one hash: each takes a bounded number of
 * steps.
 */
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

	/* FNV-1a, 32 bits: both are 5E4DABA9 */
	assert_int_equal(hash_fnv32(slice_from_text("costarring"), HASH_FNV32_START),
			 hash_fnv32(slice_from_text("liquid"), HASH_FNV32_START));
	token_table_reset(table);
	tokens_clear(&tokens);
	assert_ok(tokens_append(&tokens, table, slice_from_text("costarring liquid costarring liquid")));
	assert_int_equal(tokens.ids[0], 0);
	assert_int_equal(tokens.ids[1], 1);
	assert_int_equal(tokens.ids[2], 0);
	assert_int_equal(tokens.ids[3], 1);
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
