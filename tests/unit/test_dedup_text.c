/* SPDX-License-Identifier: MIT */
/* The normal form of texts, their hashes, and the arithmetic of MinHash; tests/check_dedup.sh compares with an oracle.
 */
#include "dana/signature.h"
#include "dedup/minhash.h"
#include "dedup/normal_text.h"
#include "dedup/page_lines.h"
#include "support/unit.h"

TEST(texts_have_one_normal_form)
{
	static const struct {
		const char *text;
		unsigned flags;
		const char *form;
	} rows[] = {
		/* white space, invisible characters */
		{ "", 0, "" },
		{ " \t\n\xc2\xa0\xe3\x80\x80", 0, "" },
		{ "  one \r\n two\xe2\x80\x83three ", 0, "one two three" },
		{ "so\xc2\xad"
		  "ft zero\xe2\x80\x8bwidth\xef\xbb\xbf",
		  0, "soft zerowidth" },
		/* composed and decomposed: U+0323 and U+0307 in either order; Hangul, and the same by its parts */
		{ "Cafe\xcc\x81 na\xc3\xafve", 0, "Caf\xc3\xa9 na\xc3\xafve" },
		{ "e\xcc\x81", 0, "\xc3\xa9" },
		{ "\xcc\x81", 0, "\xcc\x81" },
		{ "a \xcc\x81", 0, "a \xcc\x81" },
		{ "d\xcc\x87\xcc\xa3", 0, "\xe1\xb8\x8d\xcc\x87" },
		{ "d\xcc\xa3\xcc\x87", 0, "\xe1\xb8\x8d\xcc\x87" },
		{ "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", 0, "\xea\xb0\x81" },
		/* an invisible character between letter and mark; U+2000 is U+2002, and white space; U+037E is ; */
		{ "e\xe2\x80\x8b\xcc\x81", 0, "\xc3\xa9" },
		{ "a\xe2\x80\x80z\xcd\xbe", 0, "a z;" },
		/* small letters */
		{ "DaNA \xce\x94\xce\xa3 \xd0\x96", 0, "DaNA \xce\x94\xce\xa3 \xd0\x96" },
		{ "DaNA \xce\x94\xce\xa3 \xd0\x96", NORMAL_SMALL, "dana \xce\xb4\xcf\x83 \xd0\xb6" },
		/* words; KA and the mark that makes GA of it are one character, one word */
		{ "(one), two-three... \xe2\x80\x9c"
		  "four\xe2\x80\x9d",
		  NORMAL_WORDS, "one two three four" },
		{ "x\xe6\xbc\xa2\xe5\xad\x97y", NORMAL_WORDS, "x \xe6\xbc\xa2 \xe5\xad\x97 y" },
		{ "x\xe6\xbc\xa2\xe5\xad\x97y", 0, "x\xe6\xbc\xa2\xe5\xad\x97y" },
		{ "\xe3\x81\x8b\xe3\x82\x99\xe3\x81\x8b", NORMAL_WORDS, "\xe3\x81\x8c \xe3\x81\x8b" },
		{ "...", NORMAL_WORDS, "" },
		/* faults become U+FFFD */
		{ "a\xff z\xe2\x82", 0, "a\xef\xbf\xbd z\xef\xbf\xbd" },
	};
	struct normaliser *n = normaliser_new();
	assert_non_null(n);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF out = { 0 };
		assert_ok(normal_text(n, slice_from_text(rows[i].text), rows[i].flags, &out));
		assert_string_equal(text_of(&out), rows[i].form);
	}
	normaliser_free(n);
}

/* Of ASCII, whose normal form is easy: white space becomes one space, and letters small. Marks after it join. */
TEST(runs_of_ascii_are_as_single_characters)
{
	static const char pieces[][8] = { "a",  "Zz", "0",  "@[`{",   "~",      " ", "  ",
					  "\t", "\n", ",;", "words ", "LONGER", "" };
	uint64_t seed = 7;
	struct text_hasher *h = text_hasher_new(NORMAL_SMALL);
	for (int round = 0; round < 5000; round++) {
		char text[200] = "", plain[200];
		size_t len = 0, out = 0;
		for (int k = 0; k < round % 40; k++) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			strcat(text, pieces[(seed >> 33) % (sizeof(pieces) / sizeof(*pieces))]);
		}
		bool space = false;
		for (len = 0; text[len]; len++) {
			const char c = text[len];
			if (c == ' ' || c == '\t' || c == '\n') {
				space = out != 0;
				continue;
			}
			if (space)
				plain[out++] = ' ';
			space = false;
			plain[out++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
		}
		uint64_t key;
		size_t chars;
		assert_ok(line_hash(h, slice_of(text, len), 0, &key, &chars));
		assert_int_equal(chars, out);
		assert_true(key == XXH3_64bits_withSeed(plain, out, 0));
		/* an accent joins the letter before it, wherever the runs end */
		if (len && text[len - 1] == 'a') {
			uint64_t joined[2];
			char accent[2][210];
			(void)snprintf(accent[0], sizeof(accent[0]), "%s\xCC\x81", text);
			(void)snprintf(accent[1], sizeof(accent[1]), "%.*s\xC3\xA1", (int)len - 1, text);
			for (int k = 0; k < 2; k++)
				assert_ok(line_hash(h, slice_from_text(accent[k]), 0, &joined[k], &chars));
			assert_true(joined[0] == joined[1]);
		}
	}
	text_hasher_free(h);
}

/* Time is linear, however many marks stand on one letter: this would take hours if they were sorted together. */
TEST(a_million_marks_end_soon)
{
	struct normaliser *n = normaliser_new();
	AUTO_BUF text = { 0 }, out = { 0 };
	for (size_t i = 0; i < 1000000; i++)
		assert_ok(buf_append_text(&text, i % 2 ? "\xcc\xa3" : "\xcc\x81"));
	assert_int_equal(normal_text(n, buf_slice(&text), 0, &out), 0);
	assert_int_equal(out.len, text.len);
	normaliser_free(n);
}

TEST(parts_give_the_same_as_the_whole)
{
	struct normaliser *n = normaliser_new();
	AUTO_BUF text = { 0 }, whole = { 0 }, parts = { 0 };
	for (unsigned i = 0; i < 60000; i++) {
		const char *after = i % 7 ? " " : i % 3 ? "\n\xcc\x81" : "\xe6\xbc\xa2";
		buf_printf(&text, "W\xc3\xb6rt%u%s", i * 2654435761U % 1000, after);
	}
	assert_ok(buf_append_text(&text, " end"));
	assert_ok(normal_text(n, buf_slice(&text), NORMAL_SMALL | NORMAL_WORDS, &whole));
	unsigned count = 0;
	for (struct slice rest = buf_slice(&text); rest.len; count++)
		assert_int_equal(normal_text(n, normal_next_part(&rest), NORMAL_SMALL | NORMAL_WORDS, &parts), 0);
	assert_true(count > 5);
	assert_true(slice_equal(buf_slice(&whole), buf_slice(&parts)));
	normaliser_free(n);
}

TEST(a_part_without_white_space_ends_at_the_next)
{
	AUTO_BUF text = { 0 };
	for (unsigned i = 0; i < NORMAL_PART + 100; i++)
		buf_append_byte(&text, i == NORMAL_PART + 50 ? ' ' : 'x');
	struct slice rest = buf_slice(&text);
	assert_int_equal(normal_next_part(&rest).len, NORMAL_PART + 50);
	assert_int_equal(normal_next_part(&rest).len, 50);
	assert_int_equal(normal_next_part(&rest).len, 0);
}

static struct hash128 hash_of(struct text_hasher *h, const char *text, bool *empty)
{
	struct hash128 hash;
	assert_int_equal(text_hash(h, slice_from_text(text), &hash, empty), 0);
	return hash;
}

TEST(equal_texts_have_equal_hashes)
{
	struct text_hasher *h = text_hasher_new(0);
	bool empty;
	struct hash128 a = hash_of(h, "one  two\n", &empty);
	assert_false(empty);
	assert_true(hash128_equal(a, hash_of(h, "one two", &empty)));
	assert_false(hash128_equal(a, hash_of(h, "one Two", &empty)));
	/* as `xxhsum -H2` prints it for "abc" */
	a = hash_of(h, " abc", &empty);
	assert_true(a.high == UINT64_C(0x06b05ab6733a6185) && a.low == UINT64_C(0x78af5f94892f3950));
	(void)hash_of(h, " \n", &empty);
	assert_true(empty);
	text_hasher_free(h);
}

TEST(a_line_tells_its_characters)
{
	struct text_hasher *h = text_hasher_new(NORMAL_SMALL);
	uint64_t a, b;
	size_t chars;
	assert_int_equal(line_hash(h, slice_from_text(" \xc3\x84hnlich  x "), 0, &a, &chars), 0);
	assert_int_equal(chars, 9);
	assert_int_equal(line_hash(h, slice_from_text("\xc3\xa4hnlich x"), 0, &b, &chars), 0);
	assert_true(a == b);
	assert_int_equal(line_hash(h, slice_from_text("\xc3\xa4hnlich x"), 1, &b, &chars), 0);
	assert_true(a != b);
	assert_int_equal(line_hash(h, slice_from_text(" "), 0, &b, &chars), 0);
	assert_int_equal(chars, 0);
	text_hasher_free(h);
}

/* ---- MinHash ---- */

static void put_words(struct buf *text, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count; i++)
		buf_printf(text, "w%u ", i * 2654435761U);
	assert_int_equal(buf_status(text), 0);
}

/* Texts of 1000 shingles each that share 800 of 1200: the similarity is 2 / 3. */
TEST(equal_numbers_estimate_the_similarity)
{
	enum { NUMBERS = 1024 };
	struct minhash *m = minhash_new(NUMBERS);
	AUTO_BUF text = { 0 };
	uint32_t first[NUMBERS];
	const uint32_t *second;
	size_t shingles;
	put_words(&text, 0, 1004);
	assert_int_equal(minhash_text(m, buf_slice(&text), &second, &shingles), 0);
	assert_int_equal(shingles, 1000);
	memcpy(first, second, sizeof(first));
	buf_clear(&text);
	put_words(&text, 200, 1004);
	assert_int_equal(minhash_text(m, buf_slice(&text), &second, &shingles), 0);
	unsigned equal = 0;
	for (unsigned i = 0; i < NUMBERS; i++)
		equal += first[i] == second[i];
	/* four standard deviations of a binomial distribution about 683 */
	assert_in_range(equal, 683 - 60, 683 + 60);
	minhash_free(m);
}

TEST(short_texts_have_one_shingle)
{
	struct minhash *m = minhash_new(8);
	const uint32_t *signature;
	size_t shingles;
	assert_int_equal(minhash_text(m, slice_from_text(" ... "), &signature, &shingles), 0);
	assert_int_equal(shingles, 0);
	assert_int_equal(signature[7], UINT32_MAX);
	assert_int_equal(minhash_text(m, slice_from_text("one two"), &signature, &shingles), 0);
	assert_int_equal(shingles, 1);
	uint32_t two = signature[0];
	assert_int_equal(minhash_text(m, slice_from_text("one two three four five"), &signature, &shingles), 0);
	assert_int_equal(shingles, 1);
	assert_true(two != signature[0]);
	minhash_free(m);
}

TEST(the_curve_is_that_of_the_formula)
{
	struct bands usual = { BANDS_USUAL, BANDS_ROWS_USUAL };
	AUTO_BUF text = { 0 };
	assert_true(bands_chance(usual, 1) == 1);
	assert_true(bands_chance(usual, 0) == 0);
	/* 1 - (1 - .8^8)^14 */
	assert_in_range((long)(bands_chance(usual, 0.8) * 10000), 9235, 9240);
	assert_int_equal(bands_curve(usual, &text), 0);
	assert_non_null(strstr(text_of(&text), "  0.80  0.92"));
}

TEST(a_higher_threshold_has_a_steeper_curve_further_right)
{
	for (double t = 0.5; t < 0.95; t += 0.05) {
		struct bands b = bands_for(t);
		assert_in_range(b.bands * b.rows, 32, BANDS_NUMBERS_MOST);
		assert_true(bands_chance(b, t - 0.2) < 0.2);
		assert_true(bands_chance(b, t + (1 - t) * 0.8) > 0.8);
	}
}

TEST(equal_rows_make_equal_buckets)
{
	struct bands b = { 2, 2 };
	uint64_t one[2], two[2];
	bands_buckets(b, (const uint32_t[]){ 1, 2, 3, 4 }, one);
	bands_buckets(b, (const uint32_t[]){ 1, 2, 3, 5 }, two);
	assert_true(one[0] == two[0] && one[1] != two[1]);
	bands_buckets(b, (const uint32_t[]){ 3, 4, 1, 2 }, two);
	assert_true(one[0] != two[1] && one[1] != two[0]);
}

/* Of the library's signer, and of what the plugin dedup-near is made of. */
TEST(the_signer_of_the_library_signs_as_the_plugin)
{
	static const char *const texts[] = { "one", "One word after the other, and some more of them.",
					     "\xe6\x97\xa5\xe6\x9c\xac",
					     "a b c d e f g h i j k l m n o p q r s t u v w x y z" };
	struct dana_signer *signer;
	struct dana_signature signature;
	uint64_t buckets[DANA_SIGNATURE_BANDS];
	const uint32_t *numbers;
	size_t shingles;
	const struct bands shape = { DANA_SIGNATURE_BANDS, DANA_SIGNATURE_ROWS };
	struct minhash *m = minhash_new(shape.bands * shape.rows);
	assert_non_null(m);
	assert_ok(dana_signer_new(&signer, shape.bands, shape.rows));
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(minhash_text(m, slice_from_text(texts[i]), &numbers, &shingles), 0);
		bands_buckets(shape, numbers, buckets);
		assert_int_equal(dana_signer_text(signer, texts[i], strlen(texts[i]), &signature), 1);
		assert_memory_equal(signature.buckets, buckets, sizeof(buckets));
		for (unsigned k = 0; k < shape.bands * shape.rows; k++)
			assert_int_equal(signature.lowest[k], (uint8_t)numbers[k]);
	}
	assert_int_equal(dana_signer_text(signer, " ,.", 3, &signature), 0);
	dana_signer_free(signer);
	dana_signer_free(NULL);
	minhash_free(m);
	static const unsigned wrong[][2] = { { 0, 8 }, { 14, 0 }, { 129, 1 }, { 1, 129 }, { 16, 9 }, { 1u << 31, 2 } };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(dana_signer_new(&signer, wrong[i][0], wrong[i][1]), DANA_BAD_OPTION);
		assert_null(signer);
	}
}
