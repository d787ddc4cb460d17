/* SPDX-License-Identifier: MIT */
/*
 * Every method: the law of the split, nothing that stays from page to page, and goldens of what the methods of papers
 * find.
 */
#include "extract/method.h"
#include "extract/papers/mountain.h"
#include "support/extractor_subject.h"
#include "support/golden.h"
#include "support/random_page.h"
#include "support/unit.h"

static const char *const pages[] = {
	"", "   \n ", "one", "<p>one",
	/* elements */
	"<html><head><title>No text</title></head><body></body></html>",
	"<p>First paragraph with a few words.</p><p>Second one, <b>bo</b>ld and <a href=x>linked</a>.</p>",
	"a < b &amp; c &lt d &#x41;&#66; &notanentity; caf\xc3\xa9 &nbsp; \xff\xc3(\xe2\x82 end&",
	"<div class='ad box'>buy</div><ul><li><a href=1>One<li><a href=2>Two</ul><p>Main text.<p>More of it",
	"<table><tr><td>a<td>b<tr><td><p>c</table>d<script>x<y</script>e<!-- f --><style>g</style>h<svg><path>i</svg>j",
	"\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82 \xe0\xb8\x97\xe0\xb8\x94 word <i>\xf0\x9f\x98\x80</i>\r\n<br>x\n\n<hr>y",
	"<base href=/d/><img src='a&amp;b.png' width=640 height=480 alt=' A  picture '><svg width=900px "
	"height=300><p>in</svg><video style='width:500px;height:400px'><source src=v.mp4></video><audio "
	"src=s.mp3></audio><object data=o width=700><embed src=e width=900 height=900></object><iframe width=800 "
	"height=600 src=f></iframe><noscript><img width=999></noscript><picture><source srcset='l.jpg 900w, s.jpg "
	"100w'><img src=s.jpg></picture><img srcset='x.png 500w'><img width=40%>",
	"<script src=MathJax.js></script>a <span class=MathJax_Preview>b</span> <div class='MathJax_Display "
	"x'><span>c</span></div><script type='math/tex; mode=display'>x\n_1 </ y</script> then <span "
	"class=MathJax>d</span> e",
	"a<math><mi>x</mi> &amp;<annotation encoding=tex>y &lt;</annotation></math><span "
	"class=katex-html><i>x</i></span>z",
	"<pre>a\n\n <math display=block><mi>x</mi></math>\n\n b</pre><p>c <math display=block alttext=d /></math> e",
	"<svg><math>x</math></svg>a<math>b<div>c</math>d<math alttext=e><math>f</math>g</math><math alttext=h",
	"<script type=x-mathjax></script>a<div class=MathJax>b<math>c</math></div><!-- d --><math alttext=e></math>f",
	("<form><p>In a "
	 "form<input><button>Go</button></form><h1>Title</h1><select><option>a</select><textarea>b</textarea>text")
};

static void check_splits(const char *method)
{
	AUTO_BUF whole = { 0 }, page = { 0 };
	AUTO_EXTRACTOR x = extractor_by(method);
	const struct split_subject subject = extractor_subject(x);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		split_check(&subject, slice_from_text(pages[i]), &whole);
	for (uint32_t seed = 1; seed <= 4; seed++) {
		random_page(&page, seed, 400);
		split_check(&subject, buf_slice(&page), &whole);
	}
}

TEST(test_split)
{
	for (size_t i = 0; i < dana_method_count(); i++)
		check_splits(dana_method_name(i));
	check_splits("wlr-media:extended=1");
}

/* A page feels nothing of the one before it, wherever that one broke off. */
TEST(test_reset)
{
	for (size_t i = 0; i < dana_method_count(); i++) {
		const char *method = dana_method_name(i);
		AUTO_EXTRACTOR used = extractor_by(method);
		AUTO_BUF page = { 0 }, wanted = { 0 }, found = { 0 };
		const struct split_subject again = extractor_subject(used);
		for (uint32_t seed = 1; seed <= 60; seed++) {
			random_page(&page, seed, 200);
			page.len -= seed % 20;
			split_whole(&again, buf_slice(&page), &found);
			random_page(&page, seed + 1000, seed);
			split_whole(&again, buf_slice(&page), &found);
			AUTO_EXTRACTOR fresh = extractor_by(method);
			const struct split_subject first = extractor_subject(fresh);
			split_whole(&first, buf_slice(&page), &wanted);
			split_compare(&wanted, &found, method, seed);
		}
	}
}

/* The universal model under the rule that its name tells. */
static int read_ruled(void *arg, const char *name, char **data, size_t *len)
{
	struct mountain_model model = mountain_universal;
	struct buf out = { 0 };
	(void)arg;
	assert_int_equal(sscanf(name, "%u/%u", &model.rule.threshold, &model.rule.span), 2);
	assert_ok(mountain_model_write(&model, NULL, &out));
	*data = (char *)out.data;
	*len = out.len;
	return 0;
}

TEST(test_goldens)
{
	static const struct {
		const char *method;
		uint32_t sum;
	} goldens[] =
		ROWS({ "bte", 0x4acc728a }, { "dsc", 0x1b5451fa }, { "ccb", 0x70080431 }, { "accb-40", 0xea33322a },
		     { "tccb-18", 0x3d188cbe }, { "tccb-25", 0xffb7d5c5 }, { "lqf-25", 0xf73ed8ef },
		     { "lqf-50", 0x207f9308 }, { "lqf-75", 0xba8c1bea }, { "crunch", 0xb97816f4 }, { "fe", 0x0e046104 },
		     { "kfe", 0xe7e3ad69 }, { "density", 0xae91a50e }, { "cetr", 0x9bd94cbf }, { "wlr", 0x08d44514 },
		     { "wlr-media", 0xda34158c }, { "mountain", 0x1625485a },
		     { "mountain:model=250000/10", 0x09d039ee }, { "mountain:model=3000000/1", 0xa97b5093 });
	AUTO_BUF page = { 0 }, outcome = { 0 };
	for (size_t m = 0; m < sizeof(goldens) / sizeof(*goldens); m++) {
		const struct dana_options options = { .struct_size = sizeof(options),
						      .method = goldens[m].method,
						      .read_file = read_ruled };
		struct golden golden = { HASH_FNV32_START };
		struct dana_extractor *x;
		assert_ok(dana_new(&x, &options));
		const struct split_subject subject = extractor_subject(x);
		for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
			split_whole(&subject, slice_from_text(pages[i]), &outcome);
			golden_add(&golden, buf_slice(&outcome));
		}
		for (uint32_t seed = 1; seed <= 300; seed++) {
			random_page(&page, seed, seed % 10 ? seed % 60 : 600);
			split_whole(&subject, buf_slice(&page), &outcome);
			golden_add(&golden, buf_slice(&outcome));
		}
		golden_check(&golden, goldens[m].method, goldens[m].sum);
		dana_free(x);
	}
}

/* What a row of the table may hold together (extract/method.h). */
TEST(test_rows)
{
	for (size_t i = 0; i < dana_method_count(); i++) {
		const struct method *m = method_at(i);
		struct slice keys;
		const bool fed = m->feed && m->end && m->tokens && !m->run && !m->tag && !m->unit && !m->stretch;
		const bool taken = !m->feed && !m->end && !m->tokens && m->run && m->tag && !(m->unit && m->stretch);
		if (!fed && !taken)
			fail_msg("%s: takes the page in two ways, or in none", m->name);
		if (m->voids_unread && !m->stretch)
			fail_msg("%s: voids_unread has no effect without stretch", m->name);
		if (!m->init || !m->finish || !m->reset || !m->destroy || (m->keys && !m->set))
			fail_msg("%s: a function is missing", m->name);
		assert_ptr_equal(method_find(slice_from_text(m->name), &keys), m);
	}
}
