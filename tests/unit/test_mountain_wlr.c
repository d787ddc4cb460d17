/* SPDX-License-Identifier: MIT */
/* Mountain Model, WLR and media: model files, models of single sites, sizes; test_methods.c has goldens of what they
 * find. */
#include <math.h>

#include "base/status.h"
#include "dana/dana.h"
#include "extract/method.h"
#include "extract/papers/mountain.h"
#include "extract/papers/wlr.h"
#include "support/extractor_subject.h"
#include "support/unit.h"

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-5 * fmax(1, fabs(b));
}

static const char model_text[] = "dana-mountain-model 1\n# a comment\n\ngamma 1000000\r\nbias -500000\n"
				 "vector 1000000 1000000 1000000 0 0\nvector -2000000 0 0 1000000 1000000\n";

#define MODEL "dana-mountain-model 1\n"

TEST(test_model)
{
	static const char *const bad[] = {
		"",
		/* not of this version, without a vector or a rule, beyond a limit */
		"dana-mountain-model 2\ngamma 1\nvector 1 1 1 1 1\n", MODEL, MODEL "gamma 1000000\n",
		MODEL "gamma 0\nvector 1 1 1 1 1\n", MODEL "gamma 1\nvector 1 1 1 1\n",
		MODEL "gamma 1\nvector 1 1 1 1 1 1\n", MODEL "gamma 1\nvector 1 1 1 1 1000001\n",
		MODEL "gamma 1x\nvector 1 1 1 1 1\n", MODEL "gamma 1\nspeed 1\nvector 1 1 1 1 1\n",
		MODEL "gamma 1\nthreshold 0\nvector 1 1 1 1 1\n",
		MODEL "gamma 1\nthreshold 3000001\nvector 1 1 1 1 1\n", MODEL "gamma 1\nspan 11\nvector 1 1 1 1 1\n",
		MODEL "gamma 1\nspan 1 1\nvector 1 1 1 1 1\n", MODEL "gamma 9999999999999999\nvector 1 1 1 1 1\n"
	};
	struct mountain_model model = { 0 }, again = { 0 };
	AUTO_BUF out = { 0 };
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(mountain_model_read(&model, slice_from_text(bad[i])), DANA_EFORMAT);
	assert_ok(mountain_model_read(&model, slice_from_text(model_text)));
	assert_int_equal(model.count, 2);
	const double at[] = { 1, 1, 0, 0 };
	assert_true(is_near(mountain_model_decide(&model, at), 1 - 2 * exp(-4) - 0.5));
	assert_true(model.rule.threshold == 0 && model.rule.span == 0);
	model.rule = (struct ridge_rule){ 500000, 10 };
	assert_ok(mountain_model_write(&model, "again", &out));
	assert_ok(mountain_model_read(&again, buf_slice(&out)));
	assert_true(is_near(mountain_model_decide(&again, at), mountain_model_decide(&model, at)));
	assert_true(again.rule.threshold == 500000 && again.rule.span == 10);
	mountain_model_free(&model);
	mountain_model_free(&again);
}

/* A reader with two models: all ridges, or the first of them. */
static int read_file(void *arg, const char *name, char **data, size_t *len)
{
	static const char all[] = "dana-mountain-model 1\ngamma 1000000\nbias 1000000\nvector 0 0 0 0 0\n";
	static const char first[] = "dana-mountain-model 1\ngamma 1000000\nbias -100000\nvector 1000000 0 0 0 0\n"
				    "vector -1000000 1000000 1000000 1000000 1000000\n";
	const char *text = strcmp(name, "sites/damaged.example.model") == 0 ? "dana-mountain-model 1\ngamma"
			   : strcmp(name, "all") == 0 || strcmp(name, "sites/all.example.model") == 0 ? all
			   : strcmp(name, "sites/first.example.model") == 0                           ? first
												      : NULL;
	++*(unsigned *)arg;
	if (!text)
		return strcmp(name, "sites/locked.example.model") == 0 ? -1 : 1;
	*len = strlen(text);
	*data = malloc(*len);
	memcpy(*data, text, *len);
	return 0;
}

static size_t extract(struct dana_extractor *x, const char *url, const char *html)
{
	struct dana_text text;
	dana_reset(x);
	assert_ok(dana_page_url(x, url, strlen(url)));
	assert_true(dana_feed(x, html, strlen(html)) >= 0);
	assert_ok(dana_finish(x, &text));
	return text.len;
}

TEST(test_sites)
{
	unsigned reads = 0;
	struct dana_options options = { .struct_size = sizeof(options),
					.method = "mountain:site-models=sites,model=all",
					.read_file = read_file,
					.read_arg = &reads };
	struct dana_extractor *x;
	AUTO_BUF page = { 0 };
	/* Two paragraphs that are ridges, far apart, among short cells. */
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < 12; k++)
			assert_ok(buf_printf(&page, "<li class=\"%0*d\">x</li>", 300, 0));
		assert_ok(buf_append_text(
			&page, "<p>A long sentence, with some commas, and an end. Another one follows it here.</p>"));
	}
	assert_ok(buf_append_byte(&page, 0));
	const char *html = (const char *)page.data;
	assert_ok(dana_new(&x, &options));
	assert_int_equal(reads, 1);
	size_t all = extract(x, "http://www.ALL.example:80/x", html),
	       one = extract(x, "https://user@first.example", html);
	assert_true(one > 0 && all > one);
	assert_int_equal(reads, 3);
	assert_int_equal(extract(x, "http://first.example/2", html), one);
	assert_int_equal(reads, 3); /* known already */
	assert_int_equal(extract(x, "http://other.example/", html), all);
	/* A model that is there but cannot be used is an error each time, and no other page pays for it. */
	for (unsigned i = 0; i < 4; i++) {
		const char *broken = i % 2 ? "http://locked.example/" : "http://damaged.example/";
		dana_reset(x);
		assert_int_equal(dana_page_url(x, broken, strlen(broken)), DANA_BAD_OPTION);
	}
	assert_int_equal(extract(x, "http://other.example/", html), all);
	/* No host, or none that can be a file's name: nothing is read. */
	reads = 0;
	(void)extract(x, "urn:x:y", html);
	(void)extract(x, "http://../etc/", html);
	(void)extract(x, "http://a_b/", html);
	assert_int_equal(reads, 0);
	dana_free(x);
	/* Without a reader, or with a file that is not there, the key is refused. */
	options.method = "mountain:model=none";
	assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
	options.read_file = NULL;
	options.method = "mountain:model=all";
	assert_int_equal(dana_new(&x, &options), DANA_BAD_OPTION);
}

/* 512 elements deep, with a ratio of 4 on each level: 4^512 is no double. */
TEST(test_wlr_of_deep_pages)
{
	AUTO_BUF page = { 0 };
	AUTO_EXTRACTOR x = extractor_by("wlr");
	for (unsigned i = 0; i < 2000; i++)
		assert_ok(buf_append_text(&page, "<div>"));
	assert_ok(buf_append_text(&page, "four words in here"));
	extractor_piece(x, buf_slice(&page));
	const struct dana_text text = extractor_finish(x);
	assert_true(slice_equal(slice_of(text.data, text.len), slice_from_text("four words in here")));
}

TEST(test_sizes)
{
	static const struct {
		const char *width, *height, *style, *box;
		unsigned w, h;
	} rows[] = ROWS({ "640", "480px", "", "", 640, 480 }, { "50%", "10em", "", "", 0, 0 },
			{ "", "", "color:red; width : 500px ;height:300.5px", "", 500, 300 },
			{ "", "", "max-width:500px", "", 0, 0 }, { "", "", ";width:500px;;height:300px", "", 500, 300 },
			{ "", "", "", "0 0 800 600", 800, 600 }, { "", "", "", "-10,-5,24.5,24", 24, 24 },
			{ "99999999999", "1", "", "", 1000000, 1 });
	struct slice url;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct media_size size =
			media_size_read(slice_from_text(rows[i].width), slice_from_text(rows[i].height),
					slice_from_text(rows[i].style), slice_from_text(rows[i].box));
		assert_true(size.width == rows[i].w && size.height == rows[i].h);
	}
	assert_false(media_size_is_large((struct media_size){ 400, 300 })); /* 120,000 is not more than 120,000 */
	assert_true(media_size_is_large((struct media_size){ 401, 300 }));
	assert_true(media_size_is_large((struct media_size){ 400, 0 }));
	assert_false(media_size_is_large((struct media_size){ 0, 399 }));
	assert_false(media_size_is_large((struct media_size){ 0, 0 }));
	assert_int_equal(media_srcset_widest(slice_from_text("a,b.png 300w, c.png 700w,d.png 2x"), &url), 300);
	assert_true(slice_equal(url, slice_from_text("a,b.png")));
	assert_int_equal(media_srcset_widest(slice_from_text(" a 300w , c 700w "), &url), 700);
	assert_true(slice_equal(url, slice_from_text("c")));
	assert_int_equal(media_srcset_widest(slice_from_text("a 2x, b"), &url), 0);
}

/* What the pages of test_methods.c do not have. */
TEST(test_media)
{
	static const char page[] =
		"<img src='a&amp;b?c=1&copy=2' width=640 height=480 alt=' The  alt '><img src=s width=10 height=10>"
		"<svg viewBox='0 0 900 900'><a></svg><canvas width=900 height=900 aria-label=L></canvas>"
		"<template><img src=b width=900></template><audio><source src=b></audio>";
	AUTO_BUF found = { 0 };
	AUTO_EXTRACTOR x = extractor_by("wlr-media");
	const struct split_subject subject = extractor_subject(x);
	split_whole(&subject, slice_from_text(page), &found);
	assert_ok(buf_append_byte(&found, 0));
	assert_non_null(strstr((const char *)found.data, "\nimg 640x480 a&b?c=1&copy=2|The alt|\nsvg 900x900 ||\n"
							 "canvas 900x900 |L|\naudio 0x0 b||\n"));
}
