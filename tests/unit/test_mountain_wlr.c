/* SPDX-License-Identifier: MIT */
/* Mountain Model, WLR and media: values worked out by hand, model files, models of single sites. */
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

static void read_cells(struct mountain_cells *m, const char *html)
{
	const struct html_handler handler = { .run = token_stream_run, .tag = token_stream_tag, .arg = m };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	mountain_cells_init(m, 0);
	html_tokenizer_reset(t);
	assert_true(html_tokenizer_feed(t, slice_from_text(html)) >= 0);
	assert_true(html_tokenizer_finish(t) >= 0);
	assert_ok(mountain_cells_finish(m));
	html_tokenizer_free(t);
}

TEST(test_score)
{
	static const struct {
		const char *html;
		double wanted;
	} rows[] = ROWS(
		/* no tags: V = 1. English: L / 75; Chinese: L / 12; both: the sum */
		{ "abcde", 5.0 / 75 }, { "\xe4\xb8\xad\xe6\x96\x87", 2.0 / 12 * 2 / 6 },
		{ "ab \xe4\xb8\xad", (3.0 / 75 + 1.0 / 12) * 4 / 6 },
		/* one mark and a full stop; a dot inside a number is none */
		{ "abcd.", (5.0 / 75 + 1) * 1.5 }, { "1.5 b", 5.0 / 75 }, { "a. b)", 5.0 / 75 + 1 },
		{ "(abc.)", (6.0 / 75 + 0) * 1.5 },
		/* 5 characters of 5 + (3 + 4) / 2 bytes; an anchor counts half */
		{ "<p>abcde</p>", 5.0 / 75 * 5 / 8.5 }, { "<a>abcde</a>", 5.0 / 75 / 2 * 5 / 8.5 });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct mountain_cells m;
		read_cells(&m, rows[i].html);
		assert_int_equal(mountain_cells_count(&m), 1);
		assert_true(is_near((double)mountain_cell_at(&m, 0)->score, rows[i].wanted));
		mountain_cells_free(&m);
	}
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
		assert_ok(buf_printf(&page, "<p>%s%s</p>", "A long sentence, with some commas, and an end. ",
				     "Another one, of the same kind, follows it here."));
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
	for (unsigned i = 0; i < 2; i++) {
		static const char *const broken[] = { "http://damaged.example/", "http://locked.example/" };
		for (unsigned k = 0; k < 2; k++) {
			dana_reset(x);
			assert_int_equal(dana_page_url(x, broken[k], strlen(broken[k])), DANA_BAD_OPTION);
		}
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

static void check_text(const char *method, const char *html, const char *wanted)
{
	struct dana_text text;
	AUTO_EXTRACTOR x = extractor_by(method);
	assert_true(dana_feed(x, html, strlen(html)) >= 0);
	assert_ok(dana_finish(x, &text));
	assert_int_equal(text.len, strlen(wanted));
	assert_memory_equal(text.data, wanted, text.len);
}

TEST(test_wlr)
{
	AUTO_BUF page = { 0 };
	check_text("wlr", "", "");
	check_text("wlr", "<p></p>", "");
	check_text("wlr", "one", "one");
	/* Equal ratios of 1 all the way down: the first node of the page wins, which holds both. */
	check_text("wlr", "<body><p>a</p><p>b</p>", "a\nb");
	/* By equation 6 as printed a page whose own ratio is above 1 wins over all that is in it. */
	check_text("wlr", "<body><p>a</p><p>b</p><p>c d</p><p>e</p><p>f</p>", "a\nb\nc d\ne\nf");
	/* 512 elements deep, with a ratio of 4 on each level: 4^512 is no double. */
	for (unsigned i = 0; i < 2000; i++)
		assert_ok(buf_append_text(&page, "<div>"));
	assert_ok(buf_append_text(&page, "four words in here"));
	assert_ok(buf_append_byte(&page, 0));
	check_text("wlr", (const char *)page.data, "four words in here");
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

static void check_media(const char *method, const char *html, const char *wanted)
{
	struct dana_text text;
	AUTO_BUF out = { 0 };
	AUTO_EXTRACTOR x = extractor_by(method);
	assert_true(dana_feed(x, html, strlen(html)) >= 0);
	assert_ok(dana_finish(x, &text));
	for (size_t i = 0; i < text.n_media; i++) {
		const struct dana_media *m = &text.media[i];
		assert_ok(buf_printf(&out, "%s %ux%u %.*s|%.*s\n", m->type, m->width, m->height, (int)m->url_len,
				     m->url, (int)m->alt_len, m->alt));
	}
	assert_ok(buf_append_byte(&out, 0));
	assert_string_equal((const char *)out.data, wanted);
}

TEST(test_media)
{
	static const char newer[] = "<iframe src=v width=560 height=315></iframe><img srcset='a 300w, b 500w' alt=s>"
				    "<picture><source srcset='c 900w'><img src=d></picture>";
	check_media(
		"wlr-media",
		"<img src='a&amp;b?c=1&copy=2' width=640 height=480 alt=' The  alt '><img src=s width=10 height=10>",
		"img 640x480 a&b?c=1&copy=2|The alt\n");
	check_media("wlr-media",
		    "<video width=640 height=360><source src=a.webm><source src=a.mp4></video><audio><source "
		    "src=b></audio>",
		    "video 640x360 a.webm|\naudio 0x0 b|\n");
	check_media("wlr-media",
		    "<object data=o width=700><embed src=e width=900 height=900></object><svg viewBox='0 0 900 900'><a>"
		    "</svg><embed src=f width=900 height=900><canvas width=900 height=900 aria-label=L></canvas>",
		    "object 700x0 o|\nsvg 900x900 |\nembed 900x900 f|\ncanvas 900x900 |L\n");
	check_media("wlr-media",
		    "<noscript><img src=a width=900></noscript><template><img src=b width=900></template><img src=c "
		    "width=900>",
		    "img 900x0 c|\n");
	check_media("wlr-media", newer, "");
	check_media("wlr-media:extended=1", newer, "iframe 560x315 v|\nimg 500x0 b|s\npicture 900x0 c|\n");
	check_media("wlr", "<img src=a width=640 height=480>", "");
}
