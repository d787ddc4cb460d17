/* SPDX-License-Identifier: MIT */
/* The chain selector (DANA, algorithm 1): lines by hand and a golden of random ones, and the segmenter's keys. */
#include "base/status.h"
#include "extract/family/chain_selector.h"
#include "extract/family/segmenter.h"
#include "extract/method.h"
#include "support/golden.h"
#include "support/unit.h"

enum { LINES_MOST = 64 };

struct line {
	int64_t value, weight;
	struct slice text;
};

struct page {
	struct line lines[LINES_MOST];
	char texts[LINES_MOST][32]; /* a number in any build's eyes, and what stands around it */
	size_t count;
};

static void line_set(struct page *p, size_t i, int64_t value, int64_t weight)
{
	snprintf(p->texts[i], sizeof(p->texts[i]), "%zu, ", i);
	p->lines[i] = (struct line){ value, weight, slice_from_text(p->texts[i]) };
}

/* The same line with a text that words may run into or out of. */
static void line_set_words(struct page *p, size_t i, int64_t value, int64_t weight, uint32_t random)
{
	static const char *const around[] = { "", " ", "\n", "a", " b", "c " };
	line_set(p, i, value, weight);
	if (random % 8)
		(void)snprintf(p->texts[i], sizeof(p->texts[i]), "%s%zu%s", around[random % 6], i,
			       around[random / 8 % 6]);
	p->lines[i].text = random % 8 ? slice_from_text(p->texts[i]) : slice_of(NULL, 0);
}

static void feed_lines(struct chain_selector *cs, const struct page *p)
{
	for (size_t i = 0; i < p->count; i++) {
		assert_ok(buf_append(chain_selector_text(cs), p->lines[i].text.data, p->lines[i].text.len));
		assert_ok(chain_selector_line(cs, p->lines[i].value, (uint64_t)p->lines[i].weight));
	}
}

static int source_write(void *arg, struct buf *text, size_t from, size_t to)
{
	const struct buf *all = arg;
	assert_true(from < to && to <= all->len);
	return buf_append(text, all->data + from, to - from);
}

/* The same from sources of some lines each, which end in the middle of a line; some lines come without one. */
static void feed_sources(struct chain_selector *cs, const struct page *p, uint32_t *random)
{
	AUTO_BUF all = { 0 };
	const struct chain_source source = { source_write, &all };
	for (size_t i = 0; i < p->count;) {
		struct chain_line lines[LINES_MOST];
		struct slice text = p->lines[i].text;
		size_t count = split_random(random) % (p->count - i + 1), split = split_random(random) % (text.len + 1);
		if (count == 0) {
			assert_ok(buf_append(chain_selector_text(cs), text.data, text.len));
			assert_ok(chain_selector_line(cs, p->lines[i].value, (uint64_t)p->lines[i].weight));
			i++;
			continue;
		}
		assert_ok(buf_append(chain_selector_text(cs), text.data, split));
		buf_clear(&all);
		assert_ok(buf_append_text(&all, "before"));
		size_t from = all.len;
		for (size_t k = 0; k < count; k++) {
			text = slice_skip(p->lines[i + k].text, k ? 0 : split);
			assert_ok(buf_append(&all, text.data, text.len));
			lines[k] =
				(struct chain_line){ p->lines[i + k].value, (uint64_t)p->lines[i + k].weight, all.len };
		}
		/* the last line ends by itself, after the source */
		chain_selector_source(cs, &source, from);
		assert_ok(chain_selector_lines(cs, lines, count - 1));
		assert_ok(chain_selector_settle(cs, all.len, 70, lines[count - 1].value));
		assert_ok(chain_selector_line(cs, lines[count - 1].value, lines[count - 1].weight));
		i += count;
	}
}

/* Runs the selector on the lines, each fed alone or by sources (`random` is not NULL), and returns its status. */
static int run(struct chain_selector *cs, const struct chain_config *config, const struct page *p, uint32_t *random)
{
	chain_selector_reset(cs);
	chain_selector_configure(cs, config);
	if (random)
		feed_sources(cs, p, random);
	else
		feed_lines(cs, p);
	int status = chain_selector_finish(cs);
	assert_false(chain_selector_cut(cs));
	return status;
}

TEST(test_random_lines)
{
	uint32_t random = 4242;
	struct golden golden = { HASH_FNV32_START };
	AUTO_BUF whole = { 0 };
	struct chain_config config = { .gap = 1, .max_text = 1 << 20 };
	struct chain_selector *cs = chain_selector_new(&config);
	assert_non_null(cs);
	for (size_t round = 0; round < 60000; round++) {
		struct page p = { .count = split_random(&random) % (round % 4 ? 24 : LINES_MOST) };
		unsigned kind = split_random(&random) % 3; /* few values make ties */
		for (size_t i = 0; i < p.count; i++) {
			int64_t weight = split_random(&random) % 3 ? split_random(&random) % (kind ? 4 : 66) : 0;
			int64_t value =
				kind == 2 ? (int64_t)(split_random(&random) % 9) - 4 : 2 * weight - (kind ? 3 : 65);
			line_set_words(&p, i, value, weight, split_random(&random));
		}
		config =
			(struct chain_config){ .hit = split_random(&random) % 2 ? CHAIN_HIT_WEIGHT : CHAIN_HIT_SMOOTHED,
					       .rank = (enum chain_rank)(split_random(&random) % 4),
					       .gap = 1 + split_random(&random) % 8,
					       .gap_fill = split_random(&random) % 2,
					       .max_text = 1 << 20 };
		int status = run(cs, &config, &p, NULL);
		const struct slice found = chain_selector_result(cs);
		assert_true(status == DANA_OK || (status == METHOD_NO_REGION && found.len == 0));
		golden_add(&golden, slice_of(&(uint8_t){ status == DANA_OK }, 1));
		golden_add(&golden, found);
		buf_clear(&whole);
		assert_ok(buf_append(&whole, found.data, found.len));
		assert_int_equal(run(cs, &config, &p, &random), status);
		assert_true(slice_equal(chain_selector_result(cs), buf_slice(&whole)));
	}
	golden_check(&golden, "lines", 0x763ae398);
	chain_selector_free(cs);
}

static void check_result(const struct chain_config *config, const struct page *p, const char *wanted)
{
	struct chain_selector *cs = chain_selector_new(config);
	uint32_t random = 1;
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(run(cs, config, p, i ? &random : NULL), *wanted ? DANA_OK : METHOD_NO_REGION);
		const struct slice found = chain_selector_result(cs);
		if (!slice_equal(found, slice_from_text(wanted)))
			fail_msg("gap %d: wanted %s\nfound  %.*s", (int)config->gap, wanted, (int)found.len,
				 (const char *)found.data);
	}
	chain_selector_free(cs);
}

/* Lines by their values alone, weight = value where it is positive. */
static void check_values(const int *values, size_t count, size_t gap, bool fill, const char *wanted)
{
	const struct chain_config config = { .gap = gap, .gap_fill = fill, .max_text = 1 << 20 };
	struct page p = { .count = count };
	for (size_t i = 0; i < count; i++)
		line_set(&p, i, values[i], values[i] > 0 ? values[i] : 0);
	check_result(&config, &p, wanted);
}

/* A word that the end of a region cuts is printed whole, as far as the line beside it holds it. */
TEST(test_words)
{
	static const struct {
		size_t gap;
		bool fill;
		const char *lines, *wanted; /* lines with a capital letter are regions */
	} rows[] = ROWS({ 5, false, "x one|A|two y", "oneAtwo" }, { 5, false, "one |A| two", "A" },
			{ 5, false, "one| A |two", " A " }, { 5, false, "one|\nA|\ntwo", "\nA" },
			/* no further than one line */ { 5, false, "A|two|three", "Atwo" },
			/* nothing is left out: one text */ { 5, false, "A|two|B|three", "AtwoBthree" },
			{ 5, false, "A|two |B", "Atwo B" }, { 5, false, "A|two \n |B", "Atwo\nB" },
			{ 5, false, "A| two|B", "A twoB" }, { 5, false, "A|two|| || B", "Atwo  B" },
			/* "two" is left out */ { 9, false, "A |two|x|B", "A \nxB" },
			{ 5, false, "A|two three|B", "Atwo threeB" }, { 5, false, "A|B", "AB" },
			{ 5, true, "A|two three|B", "Atwo threeB" }, { 5, true, "A|two three", "Atwo" },
			{ 1, true, "A|two|B", "Atwo" }, { 5, false, "one||B||two", "B" });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct chain_config config = { .hit = CHAIN_HIT_WEIGHT,
						     .gap = rows[i].gap,
						     .gap_fill = rows[i].fill,
						     .max_text = 1 << 20 };
		struct page p = { .count = 0 };
		for (const char *at = rows[i].lines; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
			const struct slice line = slice_of(at, strcspn(at, "|"));
			p.lines[p.count++] = (struct line){ 0, strcspn(at, "ABCDEFGHI") < line.len, line };
		}
		check_result(&config, &p, rows[i].wanted);
	}
}

TEST(test_gap_edge)
{
	for (size_t between = 3; between < 40; between++) {
		int values[LINES_MOST];
		values[0] = 9;
		for (size_t i = 1; i < between; i++)
			values[i] = -5;
		values[between] = 9;
		char linked[32];
		snprintf(linked, sizeof(linked), "0, \n%zu, ", between);
		check_values(values, between + 1, between, false, linked);
		check_values(values, between + 1, between - 1, false, "0, ");
	}
}

/* blank() is so many calls of line(). */
TEST(test_blank)
{
	uint32_t random = 31;
	for (size_t round = 0; round < 20000; round++) {
		const struct chain_config config = { .hit = split_random(&random) % 2 ? CHAIN_HIT_WEIGHT
										      : CHAIN_HIT_SMOOTHED,
						     .rank = (enum chain_rank)(split_random(&random) % 3),
						     .gap = 1 + split_random(&random) % 6,
						     .gap_fill = split_random(&random) % 2,
						     .max_text = 1 << 20 };
		struct chain_selector *one = chain_selector_new(&config), *other = chain_selector_new(&config);
		for (unsigned i = split_random(&random) % 12; i > 0; i--) {
			char text[16];
			uint64_t count = split_random(&random) % 12, weight = split_random(&random) % 5;
			int64_t value = (int64_t)(split_random(&random) % 9) - 6,
				line = (int64_t)(split_random(&random) % 9) - 4;
			int len = snprintf(text, sizeof(text), "%u,", i);
			assert_ok(buf_append(chain_selector_text(one), text, (size_t)len));
			assert_ok(buf_append(chain_selector_text(other), text, (size_t)len));
			assert_ok(chain_selector_line(one, line, weight));
			assert_ok(chain_selector_line(other, line, weight));
			assert_ok(chain_selector_blank(one, count, value));
			for (; count > 0; count--)
				assert_ok(chain_selector_line(other, value, 0));
		}
		assert_int_equal(chain_selector_finish(one), chain_selector_finish(other));
		assert_true(slice_equal(chain_selector_result(one), chain_selector_result(other)));
		chain_selector_free(one);
		chain_selector_free(other);
	}
}

/* A chain that grows to max_text is closed there, and a new one begins. */
TEST(test_max_text)
{
	struct chain_config config = { .gap = 20, .max_text = 9 };
	struct chain_selector *cs = chain_selector_new(&config);
	struct page p = { .count = 5 };
	for (size_t i = 0; i < p.count; i++)
		line_set(&p, i, 5, i == 4 ? 20 : 5);
	for (unsigned i = 0; i < 2; i++) {
		config.max_text = i ? 15 : 9;
		chain_selector_reset(cs);
		assert_false(chain_selector_cut(cs));
		chain_selector_configure(cs, &config);
		feed_lines(cs, &p);
		assert_ok(chain_selector_finish(cs));
		assert_int_equal(chain_selector_cut(cs), i == 0);
		assert_true(slice_equal(chain_selector_result(cs), slice_from_text(i ? "0, 1, 2, 3, 4, " : "3, 4, ")));
	}
	chain_selector_free(cs);
}

/* Where a chain is cut does not hang on where its lines come from. */
TEST(test_max_text_sources)
{
	uint32_t random = 77;
	size_t cuts = 0;
	for (size_t round = 0; round < 20000; round++) {
		const struct chain_config config = { .hit = round % 4 ? CHAIN_HIT_SMOOTHED : CHAIN_HIT_WEIGHT,
						     .gap = 1 + split_random(&random) % 4,
						     .gap_fill = round % 3 == 0,
						     .max_text = split_random(&random) % 60 };
		struct chain_selector *one = chain_selector_new(&config), *other = chain_selector_new(&config);
		struct page p = { .count = split_random(&random) % LINES_MOST };
		for (size_t i = 0; i < p.count; i++) {
			int64_t weight = split_random(&random) % 4 ? 30 + split_random(&random) % 20 : 0;
			line_set_words(&p, i, 2 * weight - 65, weight, split_random(&random));
		}
		feed_lines(one, &p);
		feed_sources(other, &p, &random);
		assert_int_equal(chain_selector_finish(one), chain_selector_finish(other));
		assert_int_equal(chain_selector_cut(one), chain_selector_cut(other));
		cuts += chain_selector_cut(one);
		assert_true(slice_equal(chain_selector_result(one), chain_selector_result(other)));
		chain_selector_free(one);
		chain_selector_free(other);
	}
	assert_true(cuts > 1000);
}

static const struct method_key family_keys[] = { SEGMENTER_KEYS("chars", "12", "0"),
						 SEGMENTER_KEYS_MENDED("4", "64"),
						 { .name = NULL } };
static const struct method keyed = { .name = "keyed", .keys = family_keys };

static int key(struct segmenter_keys *keys, const char *pair, struct error *err)
{
	struct method_setting setting;
	int status = method_setting_read(&keyed, slice_from_text(pair), &setting, err);
	if (status == DANA_OK)
		segmenter_set(keys, &setting);
	return status;
}

TEST(test_keys)
{
	struct segmenter_keys keys = { 0 };
	struct error err = { 0 };
	assert_int_equal(key(&keys, "segment=80", &err), 0);
	assert_int_equal(key(&keys, "gap=1048576", &err), 0);
	assert_int_equal(key(&keys, "gap-fill=1", &err), 0);
	assert_int_equal(key(&keys, "unit=bytes", &err), 0);
	assert_true(keys.segment == 80 && keys.gap == 1048576 && keys.gap_fill == 1 && keys.bytes);
	assert_int_equal(key(&keys, "unit=chars", &err), 0);
	assert_false(keys.bytes);

	/* what is set stays, whatever else is set; the rest is the method's own or the papers' */
	keys = segmenter_keys(false, (struct segmenter_count){ { 4, 64 }, 12, true, CHAIN_RANK_SURPLUS });
	struct segmenter_count count = segmenter_count(&keys);
	assert_true(count.limits.tag == 4 && count.limits.link == 64 && count.gap == 12 && count.gap_fill &&
		    count.rank == CHAIN_RANK_SURPLUS);
	assert_int_equal(key(&keys, "tag-limit=9", &err), 0);
	assert_int_equal(key(&keys, "link-limit=0", &err), 0);
	count = segmenter_count(&keys);
	assert_true(count.limits.tag == 9 && count.limits.link == NO_TAG_LIMIT && count.gap == 12 && count.gap_fill);
	assert_int_equal(key(&keys, "literal=1", &err), 0);
	count = segmenter_count(&keys);
	assert_true(count.limits.tag == NO_TAG_LIMIT && count.gap == 20 && !count.gap_fill);
	assert_int_equal(key(&keys, "gap=7", &err), 0);
	count = segmenter_count(&keys);
	assert_true(count.gap == 7 && !count.gap_fill);

	static const char *const wrong[] = { "segment=0", "segment=", "segment", "segment=x", "segment=-1",
					     "segment=1048577",
					     /* beyond 64 bits, no such word, no such key */
					     "gap=99999999999999999999", "gap-fill=2", "unit=words", "segmnt=1", "" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		err = (struct error){ 0 };
		assert_int_equal(key(&keys, wrong[i], &err), DANA_ECONFIG);
	}
	assert_string_equal(err.text, "--method: key of keyed: '' is unknown; expected "
				      "segment|gap|gap-fill|unit|tag-limit|link-limit|literal");
}
