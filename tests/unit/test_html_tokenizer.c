/* SPDX-License-Identifier: MIT */
/* The tokeniser: rules one by one, the law of the split, units against runs, and a batch oracle on random pages. */
#include "extract/html/attribute.h"
#include "extract/html/tokenizer_state.h"
#include "support/random_html.h"
#include "support/token_subject.h"
#include "support/unit.h"

static void check_page(struct slice page, const char *wanted)
{
	AUTO_BUF oracle = { 0 }, found = { 0 };
	struct token_subject s;
	for (int way = 0; way < TOKEN_WAYS; way++) {
		buf_clear(&oracle);
		token_oracle(page, (enum token_way)way, &oracle);
		const struct split_subject subject = token_subject_make(&s, (enum token_way)way);
		s.log.page = page;
		split_check(&subject, page, &found);
		split_compare(&oracle, &found, "oracle, way", (size_t)way);
		/* units tell no white space, and who does not read voids gets them joined */
		bool all = way == TOKEN_RUNS || way == TOKEN_STRETCHES || way == TOKEN_RUNS_UNREAD;
		if (wanted && all && !slice_equal(buf_slice(&found), slice_from_text(wanted)))
			fail_msg("page:   %.*s\nwanted: %s\nfound:  %.*s", (int)page.len, (const char *)page.data,
				 wanted, (int)found.len, (const char *)found.data);
		token_subject_free(&s);
	}
}

struct hand_case {
	const char *page, *log;
};

#define CHECK(...) \
	do { \
		static const struct hand_case cases[] = { __VA_ARGS__ }; \
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) \
			check_page(slice_from_text(cases[i].page), cases[i].log); \
	} while (0)

TEST(test_tags)
{
	CHECK({ "", "" }, { "text", "T:text" }, { "<b>x</b>", "C(b):<b>|E(b)|T:x|C(/b):</b>|E(/b)" },
	      { "<B\n>", "C(b):<B\n>|E(b)" }, { "<br/>", "C(br):<br/>|E(br/)" }, { "<br / >", "C(br):<br / >|E(br)" },
	      { "<x-y a>", "C:<x-y a>|E()" }, { "</x>", "C(/):</x>|E(/)" }, { "<p/class=a>", "C(p):<p/class=a>|E(p)" },
	      { "<a href=x/>", "C(a):<a href=x/>|E(a/)" }, { "<p<b>", "C:<p<b>|E()" },
	      { "</p x='>'>", "C(/p):</p x='>'>|E(/p)" },
	      { "<h1>\xf0\x9f\x98\x80</h1>\r\n", "C(h1):<h1>|E(h1)|T:\xf0\x9f\x98\x80|C(/h1):</h1>|E(/h1)|T:\r\n" });
}

/* Rule 1: what '<' does not open. */
TEST(test_lt)
{
	CHECK({ "a < b", "T:a < b" }, { "a<3", "T:a<3" }, { "<", "T:<" }, { "<<p>", "T:<|C(p):<p>|E(p)" },
	      { "a<=b<<c", "T:a<=b<|C:<c" }, { "1<2>3", "T:1<2>3" }, { "</ p>x", "C:</ p>|T:x" },
	      { "</>x", "C:</>|T:x" }, { "</3>x", "C:</3>|T:x" }, { "<!doctype html>x", "C:<!doctype html>|T:x" },
	      { "<?xml version='>'?>", "C:<?xml version='>|T:'?>" }, { "<!-x>y", "C:<!-x>|T:y" },
	      { "<![CDATA[a>b]]>", "C:<![CDATA[a>|T:b]]>" });
}

/* Rule 2: quotes hide '>' only directly after '='. */
TEST(test_quotes)
{
	CHECK({ "<a title=\"x>y\">z", "C(a):<a title=\"x>y\">|E(a)|T:z" },
	      { "<a title='x>y'>z", "C(a):<a title='x>y'>|E(a)|T:z" },
	      { "<a title = \t'>'>z", "C(a):<a title = \t'>'>|E(a)|T:z" },
	      { "<a \"x>y\">z", "C(a):<a \"x>|E(a)|T:y\">z" }, { "<a x=y\">z", "C(a):<a x=y\">|E(a)|T:z" },
	      { "<a x='\"'>z\"", "C(a):<a x='\"'>|E(a)|T:z\"" }, { "<a x=\"'\">z'", "C(a):<a x=\"'\">|E(a)|T:z'" },
	      { "<a x=\"\"y=\">\">z", "C(a):<a x=\"\"y=\">\">|E(a)|T:z" },
	      { "<a x='a'\">\"", "C(a):<a x='a'\">|E(a)|T:\"" }, { "<a =\">\">", "C(a):<a =\">\">|E(a)" },
	      { "<a=\">\">", "C:<a=\">|E()|T:\">" }, { "<a x='>", "C(a):<a x='>" });
}

TEST(test_comments)
{
	CHECK({ "a<!-- b -->c", "T:a|V:<!-- b -->|T:c" }, { "<!-->a", "V:<!-->|T:a" }, { "<!--->a", "V:<!--->|T:a" },
	      { "<!---->a", "V:<!---->|T:a" }, { "<!--a--!>b", "V:<!--a--!>|T:b" }, { "<!----!>b", "V:<!----!>|T:b" },
	      { "<!--!>b-->c", "V:<!--!>b-->|T:c" }, { "<!---!>b-->c", "V:<!---!>b-->|T:c" },
	      { "<!--a->b-- >c--->d", "V:<!--a->b-- >c--->|T:d" }, { "<!-- <p> '\" -->x", "V:<!-- <p> '\" -->|T:x" },
	      { "<!-- x", "V:<!-- x" }, { "<!---->-->", "V:<!---->|T:-->" });
}

/* Rule 4, and the other raw elements. */
TEST(test_raw)
{
	CHECK({ "<script>a<b>'</script>x",
		"V(script):<script>|E(script)|V(script):a<b>'|V(/script):</script>|E(/script)|T:x" },
	      { "<SCRIPT></scriptx></ScRiPt\n>",
		"V(script):<SCRIPT>|E(script)|V(script):</scriptx>|V(/script):</ScRiPt\n>|E(/script)" },
	      { "<script/>a<p>", "V(script):<script/>|E(script/)|V(script):a<p>" },
	      { "<style><!-- </style> -->",
		"V(style):<style>|E(style)|V(style):<!-- |V(/style):</style>|E(/style)|T: -->" },
	      { "<style></script></style/>",
		"V(style):<style>|E(style)|V(style):</script>|V(/style):</style/>|E(/style/)" },
	      { "<script></scrip", "V(script):<script>|E(script)|V(script):</scrip" },
	      { "<script></script", "V(script):<script>|E(script)|V(script):</script" },
	      { "<script></script ", "V(script):<script>|E(script)|V(/script):</script " },
	      { "<textarea><p></textarea>x",
		"Cs(textarea):<textarea>|Es(textarea)|Ts(textarea):<p>|Cs(/textarea):</textarea>|Es(/textarea)|T:x" },
	      { "<xmp><p></xmp>", "C(xmp):<xmp>|E(xmp)|T(xmp)2:<p>|C(/xmp)2:</xmp>|E(/xmp)" });
}

/* Rule 5: skipped elements, and what shows that one was never closed. */
TEST(test_skipped)
{
	CHECK({ "<noscript>a<b>c</b></noscript>d", "Cs(noscript):<noscript>|Es(noscript)|Ts:a|Cs(b):<b>|Es(b)|Ts:c|Cs(/"
						   "b):</b>|Es(/b)|Cs(/noscript):</noscript>|Es(/noscript)|T:d" },
	      { "<svg/>a", "Cs(svg):<svg/>|Es(svg/)|T:a" },
	      { "<svg>a<div>b", "Cs(svg):<svg>|Es(svg)|Ts:a|C(div):<div>|E(div)|T:b" },
	      { "<math>a<h4>b", "Cs(math):<math>|Es(math)|Ts:a|C(h4):<h4>|E(h4)|T:b" },
	      { "<svg>a</div>b", "Cs(svg):<svg>|Es(svg)|Ts:a|Cs(/div):</div>|Es(/div)|Ts:b" },
	      { "<select>a<input>b", "Cs(select):<select>|Es(select)|Ts:a|C(input):<input>|E(input)|T:b" },
	      { "<select>a<textarea>b",
		"Cs(select):<select>|Es(select)|Ts:a|Cs(textarea):<textarea>|Es(textarea)|Ts(textarea):b" },
	      { "<svg>a<input>b", "Cs(svg):<svg>|Es(svg)|Ts:a|Cs(input):<input>|Es(input)|Ts:b" },
	      { "<noscript>a<div>b", "Cs(noscript):<noscript>|Es(noscript)|Ts:a|Cs(div):<div>|Es(div)|Ts:b" },
	      { "<noscript>a</body>b", "Cs(noscript):<noscript>|Es(noscript)|Ts:a|C(/body):</body>|E(/body)|T:b" },
	      { "<template>a</html>b", "Cs(template):<template>|Es(template)|Ts:a|C(/html):</html>|E(/html)|T:b" },
	      { "<svg>a<svg>b</svg>c",
		"Cs(svg):<svg>|Es(svg)|Ts:a|Cs(svg):<svg>|Es(svg)|Ts:b|Cs(/svg):</svg>|Es(/svg)|T:c" },
	      { "<noscript><!-- a -->b", "Cs(noscript):<noscript>|Es(noscript)|Vs:<!-- a -->|Ts:b" });
}

TEST(test_titles)
{
	CHECK({ "<title> A &amp;\nB </title>x", "Cs(title):<title>|Es(title)|Ts(title): A &amp;\nB "
						"|Cs(/title):</title>|Es(/title)|T:x|title: A &amp;\nB " },
	      { "<title></title>x", "Cs(title):<title>|Es(title)|Cs(/title):</title>|Es(/title)|T:x|title:" },
	      { "<title>a</title><title>b</title>",
		"Cs(title):<title>|Es(title)|Ts(title):a|Cs(/title):</title>|Es(/"
		"title)|Cs(title):<title>|Es(title)|Ts(title):b|Cs(/title):</title>|Es(/title)|title:a" },
	      { "<svg><title>a</title></svg>", "Cs(svg):<svg>|Es(svg)|Cs(title):<title>|Es(title)|Ts(title):a|Cs(/"
					       "title):</title>|Es(/title)|Cs(/svg):</svg>|Es(/svg)" },
	      { "<title>a<b", "Cs(title):<title>|Es(title)|Ts(title):a<b|title:a<b" },
	      { "<title/>a", "Cs(title):<title/>|Es(title/)|T:a" });
}

TEST(test_ends)
{
	CHECK({ "a<", "T:a<" }, { "a</", "T:a|C:</" }, { "a<!", "T:a|C:<!" }, { "a<!-", "T:a|C:<!-" },
	      { "a<!--", "T:a|V:<!--" }, { "a<b", "T:a|C:<b" }, { "a</b", "T:a|C:</b" }, { "a<b ", "T:a|C(b):<b " },
	      { "a</b ", "T:a|C(/b):</b " }, { "a<b x='", "T:a|C(b):<b x='" }, { "a<?", "T:a|C:<?" },
	      { "<noscript><b", "Cs(noscript):<noscript>|Es(noscript)|Cs:<b" });
}

/* Names around the part that is looked at; a quote after a name's '=' opens nothing. */
TEST(test_long_names)
{
	AUTO_BUF page = { 0 };
	for (int len = 60; len < 68; len++) {
		static const char *const after[] = { ">x", " a>x", "=\">\">x\">y", "\">\">x", "/>x", "" };
		for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
			for (int closing = 0; closing < 2; closing++) {
				buf_clear(&page);
				assert_ok(buf_printf(&page, "<%sa%0*d%s<p>%060d", closing ? "/" : "", len - 1, 0,
						     after[i], 0));
				check_page(buf_slice(&page), NULL);
			}
		}
	}
}

/* A quote that is never closed hides '>' for 64 KiB, not for the page. */
TEST(test_watchdog)
{
	AUTO_BUF page = { 0 };
	for (int len = 65530; len < 65541; len++) {
		buf_clear(&page);
		assert_ok(buf_printf(&page, "<a x=\"%0*d>b>c<p>", len - 6, 0));
		check_page(buf_slice(&page), NULL);
	}
	AUTO_BUF log = { 0 };
	buf_clear(&page);
	assert_ok(buf_printf(&page, "<a x=\"%070000d>text", 0));
	token_oracle(buf_slice(&page), TOKEN_RUNS, &log);
	assert_true(slice_equal(slice_skip(buf_slice(&log), log.len - 14), slice_from_text("0>|E(a)|T:text")));
}

/* The source of a tag, and a title, are kept up to 16 KiB (token_log.h and the oracle check how much). */
TEST(test_caps)
{
	AUTO_BUF page = { 0 };
	for (int len = HTML_TAG_BYTES - 3; len < HTML_TAG_BYTES + 4; len++) {
		buf_clear(&page);
		assert_ok(buf_printf(&page, "<p><a x=%0*d>b</a><title>%0*d</title>c", len - 7, 0, len, 0));
		check_page(buf_slice(&page), NULL);
	}
}

TEST(test_random_pages)
{
	AUTO_BUF page = { 0 }, oracle = { 0 }, found = { 0 };
	struct token_subject s[TOKEN_WAYS];
	struct split_subject subjects[TOKEN_WAYS];
	for (int way = 0; way < TOKEN_WAYS; way++)
		subjects[way] = token_subject_make(&s[way], (enum token_way)way);
	for (uint32_t seed = 1; seed <= 3000; seed += split_every()) {
		random_html(&page, seed, seed % 16 ? 5 + seed % 100 : 3000);
		for (size_t i = 0; i < TOKEN_WAYS; i++) {
			buf_clear(&oracle);
			token_oracle(buf_slice(&page), (enum token_way)i, &oracle);
			const uint8_t sizes[] = { (uint8_t)seed, 1, (uint8_t)(seed / 3), 100, (uint8_t)(seed / 7) };
			s[i].log.page = buf_slice(&page);
			split_whole(&subjects[i], buf_slice(&page), &found);
			split_compare(&oracle, &found, "oracle, seed", seed);
			split_sizes(&subjects[i], buf_slice(&page), slice_of(sizes, sizeof(sizes)), false, &found);
			split_compare(&oracle, &found, "oracle and pieces, seed", seed);
		}
	}
	assert_int_equal(s[0].units, 0);
	assert_true(s[1].units > 10000 / split_every());
	assert_int_equal(s[0].stretches + s[1].stretches, 0);
	assert_int_equal(s[TOKEN_RUNS_UNREAD].units + s[TOKEN_RUNS_UNREAD].stretches, 0);
	assert_true(s[TOKEN_UNITS_UNREAD].units == s[TOKEN_UNITS].units && s[TOKEN_UNITS_UNREAD].stretches == 0);
	assert_true(s[2].stretches > 10000 / split_every() && s[3].stretches > 10000 / split_every());
	for (size_t i = 0; i < TOKEN_WAYS; i++)
		token_subject_free(&s[i]);
}

static int refuse_run(void *calls, __attribute__((unused)) const struct html_run *run)
{
	return --*(int *)calls < 0 ? -99 : 0;
}

static int refuse_tag(void *calls, __attribute__((unused)) const struct html_tag_event *event)
{
	return --*(int *)calls < 0 ? -99 : 0;
}

TEST(test_refusal)
{
	static const char page[] = "<p>a<b title='x'>c</b><!-- d --><script>e</script><title>f</title>g</div";
	for (int left = 0; left < 18; left++) {
		for (size_t piece = 1; piece < sizeof(page); piece += 13) {
			int calls = left, status = 0;
			const struct html_handler handler = { .run = refuse_run, .tag = refuse_tag, .arg = &calls };
			struct html_tokenizer *t = html_tokenizer_new(&handler);
			for (struct slice rest = slice_from_text(page); rest.len && status == 0;
			     rest = slice_skip(rest, piece))
				status = html_tokenizer_feed(t, slice_first(rest, piece));
			if (status == 0)
				status = html_tokenizer_finish(t);
			assert_int_equal(status, -99);
			assert_int_equal(calls, -1);
			html_tokenizer_free(t);
		}
	}
}

static int list_attributes(void *arg, const struct html_tag_event *event)
{
	struct html_attr_reader iter = html_attr_begin(event);
	struct html_attr a;
	while (html_attr_next(&iter, &a)) {
		if (buf_printf(arg, "[%.*s|%.*s]", (int)a.name.len, (const char *)a.name.data, (int)a.value.len,
			       (const char *)a.value.data) < 0)
			abort();
	}
	return 0;
}

static int ignore_run(__attribute__((unused)) void *arg, __attribute__((unused)) const struct html_run *run)
{
	return 0;
}

TEST(test_attributes)
{
	static const struct hand_case cases[] =
		ROWS({ "<a>", "" }, { "<a href=x>", "[href|x]" }, { "<a href='x y' ID=\"z\">", "[href|x y][ID|z]" },
		     { "<a b c=d e>", "[b|][c|d][e|]" }, { "<a b = 'c' d= e>", "[b|c][d|e]" }, { "<a b=c/>", "[b|c/]" },
		     { "<a b/c>", "[b|][c|]" }, { "<a/b=1>", "[b|1]" }, { "<a b=''c=d>", "[b|][c|d]" },
		     { "<a =b>", "[=b|]" }, { "<a =b=c>", "[=b|c]" }, { "<a b=>", "[b|]" }, { "<a b='>'>", "[b|>]" },
		     { "<a b=c'd e>", "[b|c'd][e|]" }, { "<a\nb\n=\nc\n>", "[b|c]" },
		     { "<a \xd9\x85=\"&amp;\">", "[\xd9\x85|&amp;]" }, { "<a b=\"c\"d>", "[b|c][d|]" });
	AUTO_BUF found = { 0 };
	const struct html_handler handler = { .run = ignore_run, .tag = list_attributes, .arg = &found };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_clear(&found);
		html_tokenizer_reset(t);
		assert_ok(html_tokenizer_feed(t, slice_from_text(cases[i].page)));
		assert_ok(buf_append_byte(&found, 0));
		assert_string_equal((const char *)found.data, cases[i].log);
	}
	html_tokenizer_free(t);
}

TEST(test_run_sums)
{
	static const char alphabet[] = " \t\na<\"\xd9\x85\xf0\x9f\x98\x80z";
	uint32_t random = 5;
	for (int round = 0; round < 4000; round++) {
		uint8_t bytes[400];
		struct byte_mask masks[400 / 64 + 2] = { { 0 } };
		size_t n = 1 + split_random(&random) % 300, at = split_random(&random) % (400 - n);
		for (size_t i = 0; i < at + n; i++)
			bytes[i] = (uint8_t)alphabet[split_random(&random) % (round % 2 ? 3 : sizeof(alphabet) - 1)];
		byte_masks_path()(bytes, at + n, masks);
		bool before = split_random(&random) % 2, space = before;
		struct html_run run = { .kind = HTML_TEXT, .bytes = slice_of(bytes + at, n), .masks = masks, .at = at };
		struct html_run_count wanted = { 0 }, found = html_run_sum(&run, before);
		size_t twice = n;
		for (size_t i = 0; i < n; i++) {
			uint8_t c = bytes[at + i];
			wanted.chars += (c & 0xC0) != 0x80;
			wanted.high += c >= 0x80;
			wanted.spaces += ascii_is_space(c) && space;
			if (twice == n && i && ascii_is_space(c) && ascii_is_space(bytes[at + i - 1]))
				twice = i;
			space = ascii_is_space(c);
		}
		assert_int_equal(found.chars, wanted.chars);
		assert_int_equal(found.spaces, wanted.spaces);
		assert_int_equal(found.high, wanted.high);
		assert_int_equal(run_count_high(&run, 0, n), wanted.high);
		assert_int_equal(run_find_double_space(&run, 0), twice);
	}
}
