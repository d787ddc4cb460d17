/* SPDX-License-Identifier: MIT */
/*
 * The words of a text are those of what stands between its white space, each part split alone. This holds with the
 * paths that look at 64 bytes together, for which parts are too short, and without them. Phrases are found in any case,
 * at each place and with each path.
 */
#define _GNU_SOURCE /* strcasestr */
#include "base/cpu.h"
#include "plugins/quality/words.h"
#include "support/split_feed.h"
#include "support/unit.h"

static struct classes classes;

/* Exact memory, so that sanitizers see what is read after it. */
static void split(struct words *w, const char *text, size_t len)
{
	char *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	memcpy(copy, text, len);
	assert_true(words_split(w, copy, len));
	free(copy);
}

static bool is_space(char c)
{
	return classes.of_byte[(uint8_t)c] == CLASS_SPACE;
}

static void expect_word(const struct words *whole, size_t i, const struct words *part, size_t k, size_t at,
			size_t chars)
{
	const struct word *word = &whole->list[i], *alone = &part->list[k];
	assert_true(i < whole->n && whole->hashes[i] == part->hashes[k]);
	assert_true(word->at == at + alone->at && word->from == chars + alone->from);
	assert_true(word->len == alone->len && word->chars == alone->chars);
	assert_true(word->kind == alone->kind && word->upper == alone->upper);
}

static void expect_parts(const char *text, size_t len)
{
	struct words whole = { .classes = &classes }, part = { .classes = &classes }, sum = { .n = 0 };
	split(&whole, text, len);
	for (size_t at = 0; at < len;) {
		size_t end = at;
		while (end < len && !is_space(text[end]))
			end++;
		split(&part, text + at, end - at);
		for (size_t k = 0; k < part.n; k++)
			expect_word(&whole, sum.n++, &part, k, at, sum.chars);
		sum.chars += part.chars + (end < len);
		sum.spaced += part.spaced;
		sum.spaced_chars += part.spaced_chars;
		sum.unspaced += part.unspaced;
		sum.marks += part.marks;
		sum.with_letter += part.with_letter;
		at = end + 1;
	}
	assert_true(whole.n == sum.n && whole.chars == sum.chars && whole.spaced_chars == sum.spaced_chars);
	assert_true(whole.spaced == sum.spaced && whole.unspaced == sum.unspaced);
	assert_true(whole.marks == sum.marks && whole.with_letter == sum.with_letter);
	words_free(&whole);
	words_free(&part);
}

/* Calls `check` at each level that this processor has. */
static void at_each_level(void (*check)(const char *text, size_t len), const char *text, size_t len)
{
	static const enum cpu_level levels[] = { CPU_PLAIN, CPU_SSE2, CPU_AVX2 };
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		if (!cpu_has(levels[i]))
			continue;
		cpu_level_set(levels[i]);
		check(text, len);
	}
	cpu_level_set(cpu_level_find());
}

/* A row of characters of one kind, mostly short. */
static size_t put_row(char *out, uint32_t *random)
{
	static const char *const beyond_ascii[] = { "\u00e9", "\u00c9", "\u0435", "\u3002",
						    "\u4e2d", "\u0301", "\u201d", "\U0001f600" };
	const uint32_t kind = split_random(random) % 16,
		       len = 1 + split_random(random) % (split_random(random) % 8 ? 9 : 40);
	size_t n = 0;
	for (uint32_t i = 0; i < len; i++) {
		if (kind < 9)
			out[n++] = (char)((kind < 8 ? 'a' : 'A') + (char)(split_random(random) % 26));
		else if (kind < 12)
			out[n++] = "  \n"[kind - 9];
		else if (kind == 12)
			out[n++] = (char)('0' + (char)(split_random(random) % 10));
		else if (kind == 13)
			out[n++] = "..,,'\"()-#"[split_random(random) % 10];
		else if (kind == 14)
			out[n++] = (char)(split_random(random) % 0x80);
		else
			for (const char *c = beyond_ascii[split_random(random) % 8]; *c; c++)
				out[n++] = *c;
		if ((kind >= 9 && kind < 12) || (kind == 15 && i == 1))
			break;
	}
	return n;
}

TEST(test_random)
{
	static char text[4096];
	uint32_t random = 77;
	for (int round = 0; round < 3000; round++) {
		const size_t room = split_random(&random) % (round % 10 ? 400 : 3000);
		size_t len = 0;
		while (len < room)
			len += put_row(text + len, &random);
		at_each_level(expect_parts, text, len);
	}
}

/* Each byte of ASCII, in words that begin at each place of a block. */
TEST(test_each_byte)
{
	char text[256];
	for (int c = 0; c < 0x80; c++)
		for (size_t place = 0; place < 70; place++) {
			memset(text, 'x', sizeof(text));
			text[place / 2] = ' ';
			text[place] = (char)c;
			memcpy(text + place + 1, "Ab c", 4);
			text[150] = ' ';
			at_each_level(expect_parts, text, 200);
		}
}

static struct phrases phrases;

static void expect_phrases(const char *text, size_t len)
{
	bool found[PHRASES], some = false;
	char *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	memcpy(copy, text, len);
	const bool any = phrases_find(&phrases, copy, len, found);
	for (enum phrase k = 0; k < PHRASES; k++) {
		assert_int_equal(found[k], strcasestr(text, phrase_text(k)) != NULL);
		some |= found[k];
	}
	assert_int_equal(any, some);
	free(copy);
}

/* Phrases, their parts, and letters that differ from them by one bit, at all places. */
TEST(test_phrases)
{
	static const char *const pieces[] = { "lorem ipsum", "JavaScript", "terms of use", "Privacy Policy",
					      /* parts, and others */
					      "cookie", "COOKI", "psu", "vas", "f u", "Vac", "kie", "lorem\1psum",
					      "terms of\n", "\u00e9", "[ookie" };
	uint32_t random = 5;
	phrases_init(&phrases);
	for (int round = 0; round < 20000; round++) {
		char text[256] = "";
		for (uint32_t i = split_random(&random) % 12; i; i--) {
			const uint32_t piece = split_random(&random) % 40, fill = split_random(&random) % 9;
			strcat(text, piece < 15 ? pieces[piece] : &"wordword "[fill]);
		}
		at_each_level(expect_phrases, text, strlen(text));
	}
}

static int make_classes(void **state)
{
	(void)state;
	classes_init(&classes);
	return 0;
}

GROUP(make_classes, NULL)
