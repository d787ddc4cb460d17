/* SPDX-License-Identifier: MIT */
/*
 * MathML as TeX: each formula of tests/data/formulas.txt in the text and in the Markdown of a page, cut at every byte;
 * and formulas beyond the limits, whose letters are the text.
 */
#include "base/file.h"
#include "dana/dana.h"
#include "extract/html/formula.h"
#include "support/unit.h"

/* The page's text and Markdown, fed in two parts, in one buffer. */
static void texts_of(struct dana_extractor *x, struct slice page, size_t cut, struct buf *texts)
{
	struct dana_text text;
	struct dana_view markdown;
	dana_reset(x);
	assert_ok(dana_feed(x, page.data, cut));
	assert_ok(dana_feed(x, page.data + cut, page.len - cut));
	assert_ok(dana_finish(x, &text));
	assert_ok(dana_markdown(x, &markdown));
	buf_clear(texts);
	assert_ok(buf_printf(texts, "%.*s\n%.*s", (int)text.len, (const char *)text.data, (int)markdown.len,
			     (const char *)markdown.data));
}

static struct dana_extractor *new_extractor(void)
{
	struct dana_extractor *x;
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "plain",
					      .structure = DANA_MARKDOWN };
	assert_ok(dana_new(&x, &options));
	return x;
}

TEST(each_formula_is_tex_in_text_and_markdown_however_the_page_is_cut)
{
	struct dana_extractor *x = new_extractor();
	const char *folder = getenv("srcdir");
	struct buf page = { 0 }, expected = { 0 }, texts = { 0 };
	char path[4096], *data;
	size_t len, n = 0;
	(void)snprintf(path, sizeof(path), "%s/tests/data/formulas.txt", folder ? folder : ".");
	assert_int_equal(whole_file_read(NULL, path, &data, &len), 0);
	for (char *line = strchr(data, '\n') + 1, *next; *line; line = next, n++) {
		char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
		assert_true(tab && end);
		next = end + 1;
		*tab = *end = 0;
		const char *tex = tab + 1;
		buf_clear(&page);
		buf_clear(&expected);
		assert_ok(buf_printf(&page, "<p>It is <math>%s</math>, he said.", line));
		assert_ok(buf_printf(&expected, "It is %s, he said.\nIt is %s%s%s, he said.", tex, *tex ? "$" : "", tex,
				     *tex ? "$" : ""));
		for (size_t cut = 0; cut <= page.len; cut++) {
			texts_of(x, buf_slice(&page), cut, &texts);
			if (!slice_equal(buf_slice(&texts), buf_slice(&expected)))
				fail_msg("%s, cut at %zu:\n%.*s\n", line, cut, (int)texts.len,
					 (const char *)texts.data);
		}
	}
	assert_true(n >= 60);
	free(data);
	buf_free(&page);
	buf_free(&expected);
	buf_free(&texts);
	dana_free(x);
}

TEST(beyond_the_limits_a_formula_is_its_letters)
{
	struct dana_extractor *x = new_extractor();
	struct buf page = { 0 }, texts = { 0 };
	static const struct {
		const char *open, *text, *close;
		int times;
		const char *begins;
	} cases[] = {
		{ "<msqrt>", "<mi>x</mi><mi>y</mi>", "</msqrt>", MATHML_DEPTH - 2, "\\sqrt{\\sqrt{" },
		{ "<msqrt>", "<mi>x</mi><mi>y</mi>", "</msqrt>", MATHML_DEPTH, "xy" },
		{ "<mfenced>", "<mi>x</mi>", "</mfenced><mn>1</mn>", 100000, "x111" },
		{ "<mi>a</mi><mo>&#x2260;</mo>", "<mi>x</mi>", "", FORMULA_MOST / 8, "a≠a" },
		{ "<msubsup>", "<mi>x</mi>", "", 40, "x" },
		{ "</msup>", "<mi>x</mi>", "</mfrac></mrow>", 100, "x" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_clear(&page);
		assert_ok(buf_append_text(&page, "<p><math>"));
		for (int k = 0; k < cases[i].times; k++)
			assert_ok(buf_append_text(&page, cases[i].open));
		assert_ok(buf_append_text(&page, cases[i].text));
		for (int k = 0; k < cases[i].times; k++)
			assert_ok(buf_append_text(&page, cases[i].close));
		assert_ok(buf_append_text(&page, "</math>."));
		texts_of(x, buf_slice(&page), page.len / 2, &texts);
		if (strncmp((const char *)texts.data, cases[i].begins, strlen(cases[i].begins)) != 0)
			fail_msg("%zu: %.60s", i, (const char *)texts.data);
	}
	buf_free(&page);
	buf_free(&texts);
	dana_free(x);
}
