/* SPDX-License-Identifier: MIT */
/* Options of a page by name: what they set, what is refused, and the list of them for programs. */
#include "base/json.h"
#include "dana/dana.h"
#include "extract/method.h"
#include "extract/page_options.h"
#include "support/unit.h"

/* Sets and checks options; `named` is ended by NULL. */
static int set(struct page_options *o, const char *const *named, const char *method, struct error *err)
{
	size_t n = 0;
	while (named[n])
		n++;
	*o = (struct page_options){ 0 };
	*err = (struct error){ 0 };
	const int status = page_options_set(o, named, n, err);
	return status < 0 ? status : page_options_check(o, method, "", err);
}

TEST(options_are_set_by_their_names)
{
	static const char *const named[] = { "text=markdown,blocks", "markdown=format=html",
					     "dropped=true",         "text-field=markdown",
					     "exclude=nav",          "only=main",
					     "rules=a.org\tonly\tb", "comments=apart",
					     "tables=drop",          "recall=60",
					     "kind=forum",           NULL };
	struct page_options o;
	struct error err;
	assert_ok(set(&o, named, "learned", &err));
	assert_int_equal(o.structure, DANA_MARKDOWN | DANA_BLOCKS | DANA_DROPPED);
	assert_true(o.without_plain && o.elements && o.text_field == TEXT_FIELD_MARKDOWN);
	assert_string_equal(o.exclude, "nav");
	assert_string_equal(o.only, "main");
	assert_true(o.comments == DANA_PARTS_APART && o.tables == DANA_PARTS_DROP);
	assert_string_equal(o.recall, "recall=60");
	const struct page_options plain = page_options_of_plain(&o);
	assert_true(plain.structure == 0 && plain.comments == DANA_PARTS_DROP && !plain.recall && !plain.kind);
	assert_string_equal(plain.exclude, "nav");
}

TEST(wrong_options_are_refused_with_their_names)
{
	static const struct {
		const char *named[3], *method, *message;
	} rows[] = {
		{ { "exclud=nav" }, "learned", "did you mean exclude?" },
		{ { "exclude" }, "learned", "is unknown; expected text, markdown," },
		{ { "text=fat" }, "learned", "text: 'fat' is unknown; expected plain|markdown|blocks" },
		{ { "comments=no" }, "learned", "comments: 'no' is unknown; expected keep|drop|apart" },
		{ { "dropped=2" }, "learned", "dropped: '2' is unknown" },
		{ { "dropped=1" }, "learned", "dropped needs text blocks" },
		{ { "markdown=links=0" }, "learned", "markdown needs text markdown or text blocks" },
		{ { "markdown=link=0", "text=markdown" }, "learned", "markdown: key of markdown: 'link' is unknown" },
		{ { "exclude=p:hover" }, "learned", "exclude: selector 'p:hover'" },
		{ { "only=a + b" }, "learned", "only: selector" },
		{ { "rules=a.org" }, "learned", "rules: line 1 of the rules" },
		{ { "text=markdown" }, "r2l", "text: the method r2l has no markdown; expected one of" },
		{ { "recall=200" }, "learned", "method: recall of learned: '200' is not allowed; expected 0 to 100" },
		{ { "recall=60,heading=0" }, "learned", "'60,heading=0' is not allowed" },
		{ { "recall=60" }, "danag", "recall is a key of the method learned, not of danag" },
	};
	struct page_options o;
	struct error err;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (set(&o, rows[i].named, rows[i].method, &err) == DANA_OK || !strstr(err.text, rows[i].message))
			fail_msg("%s: %s", rows[i].named[0], err.text);
	assert_refused(err, DANA_ECONFIG, "is NULL", page_options_set(&o, (const char *const[]){ NULL }, 1, &err));
	assert_refused(err, DANA_ECONFIG, "is NULL", page_options_set(&o, NULL, 1, &err));
}

TEST(keys_of_the_method_are_options)
{
	static const char *const more[] = { "recall=95" }, *const wrong[] = { "recall=101" };
	static const char page[] =
		"<title>a</title><h1>Rivers of the north</h1><p>The river runs to the sea, past three "
		"towns and a mill, and nobody knows who built the mill.<p>Share this<p>Read more";
	const struct dana_options by_key = { .struct_size = sizeof(by_key), .method = "learned:recall=95" },
				  by_name = { .struct_size = sizeof(by_name), .options = more, .n_options = 1 },
				  bad = { .struct_size = sizeof(bad), .options = wrong, .n_options = 1 },
				  other = { .struct_size = sizeof(other),
					    .method = "bte",
					    .options = more,
					    .n_options = 1 };
	struct dana_extractor *x[2];
	struct dana_text text[2];
	assert_ok(dana_new(&x[0], &by_key));
	assert_ok(dana_new(&x[1], &by_name));
	for (size_t i = 0; i < 2; i++) {
		assert_ok(dana_feed(x[i], page, sizeof(page) - 1));
		assert_ok(dana_finish(x[i], &text[i]));
	}
	assert_true(slice_equal(slice_of(text[0].data, text[0].len), slice_of(text[1].data, text[1].len)));
	dana_free(x[0]);
	dana_free(x[1]);
	assert_int_equal(dana_new(&x[0], &bad), DANA_BAD_OPTION);
	assert_int_equal(dana_new(&x[0], &other), DANA_BAD_OPTION);
}

TEST(the_list_is_json_with_a_row_for_each_option)
{
	static const struct json_rules rules = { .depth_most = 4 };
	struct json_reader *reader = json_reader_new(&rules);
	struct json_value all;
	struct error err = { 0 };
	size_t n = 0, known = 0;
	assert_ok(json_read(reader, slice_from_text(page_options_json()), &all, &err));
	for (struct json_walk walk = json_walk(all); json_walk_next(&walk); n++) {
		AUTO_BUF memory = { 0 };
		struct slice name;
		bool repaired;
		assert_ok(json_characters(json_member(walk.value, "name"), &memory, &name, &repaired));
		for (const struct page_option *row = page_option_list; row->name; row++)
			known += slice_is(name, row->name);
		assert_ok(json_characters(json_member(walk.value, "help"), &memory, &name, &repaired));
		assert_true(name.len > 10);
	}
	assert_int_equal(known, n - 2); /* method and plugins */
	json_reader_free(reader);
}
