/* SPDX-License-Identifier: MIT */
/* What `learned` knows of a page as a whole: what it declares, its sequences of units, its kind, and what that does. */
#include "extract/learned/classifier.h"
#include "extract/learned/stage2.h"
#include "support/learned_page.h"

#define DATA(json) "<script type=\"application/ld+json\">" json "</script>"

/* Feeds tags and comments as the tokeniser delivers them: each '<' that begins one is the first byte of a piece. */
static uint8_t types_of(const char *page, size_t piece)
{
	struct declared d;
	declared_reset(&d);
	struct slice rest = slice_from_text(page);
	while (rest.len) {
		size_t n = rest.len < piece ? rest.len : piece;
		const uint8_t *next = memchr(rest.data + 1, '<', rest.len - 1);
		if (next && (size_t)(next - rest.data) < n)
			n = (size_t)(next - rest.data);
		declared_add(&d, slice_of(rest.data, n), rest.data[0] == '<');
		rest = slice_skip(rest, n);
	}
	return d.types;
}

TEST(types_are_found)
{
	const struct {
		const char *page;
		uint8_t types;
	} cases[] =
		ROWS({ DATA("{\"@type\":\"Recipe\"}"), DECLARED_ANY | DECLARED_RECIPE },
		     { DATA("{ \"@type\" : [ \"Thing\", \"http://schema.org/Product\" ] }"),
		       DECLARED_ANY | DECLARED_PRODUCT },
		     { DATA("{\"@type\":\"Person\",\"a\":{\"@type\":\"QAPage\"}}"), DECLARED_ANY | DECLARED_FORUM },
		     { DATA("{\"name\":\"@type\",\"x\":\"Recipe\"}"), DECLARED_ANY },
		     { DATA("{\"@type\":[],\"x\":\"Recipe\"}"), DECLARED_ANY },
		     { DATA("{\"@type\":\"RecipeOfAVeryLongNameThatNobodyHas\"}"), DECLARED_ANY },
		     { DATA("{}") DATA("{\"@@type\":1,\"@type\":\"ItemList\"}"), DECLARED_ANY | DECLARED_LIST },
		     { "<SCRIPT id=x TYPE='application/LD+JSON'>{\"@type\":\"FAQPage\"}</SCRIPT>",
		       DECLARED_ANY | DECLARED_SERVICE },
		     { "<script>{\"@type\":\"Recipe\"}</script>", 0 }, { "<!-- ld+json>{\"@type\":\"Recipe\"} -->", 0 },
		     { "<style>ld+json</style>{\"@type\":\"Recipe\"}", 0 });
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t piece = 1; piece < 90; piece++)
			assert_int_equal(types_of(cases[i].page, piece), cases[i].types);
	}
}

struct found {
	struct blocks blocks;
	struct aggregates aggregates;
	struct units units;
};

static void find_units(struct found *f, const char *page)
{
	*f = (struct found){ .blocks = learned_page(slice_from_text(page), SIZE_MAX, 1 << 16) };
	assert_int_equal(aggregates_compute(&f->aggregates, &f->blocks), 0);
	assert_int_equal(units_find(&f->units, &f->blocks, &f->aggregates), 0);
}

static void free_units(struct found *f)
{
	units_free(&f->units);
	aggregates_free(&f->aggregates);
	blocks_free(&f->blocks);
}

static const struct unit_place *place_of(const struct found *f, uint32_t block)
{
	return &f->units.place[f->blocks.block[block].element];
}

static const struct sequence *sequence_of(const struct found *f, uint32_t element)
{
	return &f->units.sequence[f->units.place[element].sequence];
}

/* Three posts, each with three items; between posts stands something else. */
TEST(units_are_nested)
{
	struct found f;
	find_units(&f, "<div id=all><div class=post><ul><li>a<li>b<li><a href=/c>c</a></ul></div><hr><div "
		       "class=post><ul><li>a<li>b<li>c</ul></div><p>between</p><div class=post><ul><li>a<li>b<li>c "
		       "12:30</ul></div></div><p>after</p>");
	assert_int_equal(f.blocks.n_blocks, 11);
	for (uint32_t i = 0; i < 9; i++) {
		const struct unit_place *p = place_of(&f, i + (i > 5));
		assert_int_equal(sequence_of(&f, p->inner)->members, 3);
		assert_int_equal(sequence_of(&f, p->outer)->members, 3);
		assert_int_equal(sequence_of(&f, p->outer)->blocks, 9);
		assert_int_equal(sequence_of(&f, p->outer)->dates, 1);
	}
	assert_int_equal(sequence_of(&f, place_of(&f, 0)->inner)->linked, 1);
	assert_int_equal(sequence_of(&f, place_of(&f, 3)->inner)->linked, 0);
	assert_int_equal(place_of(&f, 6)->inner, 0);
	assert_int_equal(place_of(&f, 10)->inner, 0);
	free_units(&f);
}

/* Terms and what they mean, and rows of two classes: shapes alternate. Two of a kind are not a sequence. */
TEST(units_alternate)
{
	struct found f;
	find_units(
		&f,
		"<dl><dt>a<dd>b<dt>c<dd>d<dt>e<dd>f</dl><div><p class=x>g<p class=y>h<p class=x>i<p class=y>j</div>");
	assert_int_equal(f.blocks.n_blocks, 10);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(sequence_of(&f, place_of(&f, i)->inner)->members, 3);
		assert_int_equal(f.units.place[place_of(&f, i)->inner].sequence,
				 f.units.place[place_of(&f, i % 2)->inner].sequence);
	}
	for (uint32_t i = 6; i < 10; i++)
		assert_int_equal(place_of(&f, i)->inner, 0);
	free_units(&f);
}

/* Items of one list move towards their mean; those of another list on the same path, and a block on its own, do not. */
TEST(blocks_alike_are_judged_together)
{
	static const int32_t margin[] = { 4096, 4096, -8192, 4096, -4096, -4096, -4096, 5000 };
	enum { BLOCKS = sizeof(margin) / sizeof(margin[0]) };
	int32_t together[BLOCKS] = { 0 };
	struct found f;
	struct alike alike = { 0 };
	for (int page = 0; page < 2; page++) { /* a second page sees nothing of the first */
		find_units(&f, "<ul><li>a<li>b<li>c<li>d</ul><ul><li>e<li>f<li>g</ul><p>h</p>");
		assert_int_equal(f.blocks.n_blocks, BLOCKS);
		assert_int_equal(alike_judge(&alike, &f.blocks, &f.aggregates, &f.units, margin, together), 0);
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(together[i], (4 * margin[i] + 4096) / 8);
		for (uint32_t i = 4; i < BLOCKS; i++)
			assert_int_equal(together[i], margin[i]);
		free_units(&f);
	}
	alike_free(&alike);
}

/* A tree that knows a list (1) from an article by one number. */
TEST(kind_sets_shares_and_cut)
{
	const struct tree_level level = { OF_PAGE_LINKS, 100 };
	int16_t leaves[2][KIND_COUNT];
	for (unsigned k = 0; k < KIND_COUNT; k++)
		leaves[0][k] = leaves[1][k] = -32768;
	leaves[0][KIND_ARTICLE] = leaves[1][KIND_LIST] = 32767;
	const struct kind_trees trees = { &level, leaves[0], 1, 1, { 256, 128, 256, 256, 256, 256, 512 } };
	uint8_t row[KIND_FEATURE_COUNT] = { 0 };
	struct kind_result r = page_kind_find(&trees, row, KIND_UNKNOWN);
	assert_int_equal(r.kind, KIND_ARTICLE);
	assert_true(r.share[KIND_ARTICLE] > 250 && r.share[KIND_LIST] == 0);
	assert_in_range(r.cut, 254, 258);
	row[OF_PAGE_LINKS] = 101;
	r = page_kind_find(&trees, row, KIND_UNKNOWN);
	assert_int_equal(r.kind, KIND_LIST);
	assert_in_range(r.cut, 127, 131);
	r = page_kind_find(&trees, row, KIND_OTHER);
	assert_int_equal(r.kind, KIND_OTHER);
	assert_int_equal(r.share[KIND_OTHER], 255);
	assert_int_equal(r.cut, 512);
	const struct kind_trees none = { 0 };
	r = page_kind_find(&none, row, KIND_UNKNOWN);
	assert_int_equal(r.kind, KIND_UNKNOWN);
	assert_int_equal(r.cut, 256);
	assert_null(page_kind_name(KIND_UNKNOWN));
	assert_string_equal(page_kind_name(KIND_OTHER), "other");
}

TEST(cut_moves_the_threshold)
{
	static const struct {
		uint16_t threshold, cut, least, most;
	} rows[] = { { 20000, 256, 20000, 20000 },
		     { 20000, 128, 10000, 10000 },
		     { 10000, 0, 1, 1 },
		     { 32768, 320, 40960, 40960 },
		     { 62259, 320, 63700, 63900 }, /* 0.95 */
		     { 60000, CUT_MOST, UINT16_MAX, UINT16_MAX } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct decision d = { .threshold = rows[i].threshold };
		decode_cut(&d, rows[i].cut);
		assert_in_range(d.threshold, rows[i].least, rows[i].most);
	}
}
