/* SPDX-License-Identifier: MIT */
/*
 * Stretches of ordinary markup: the rules by which tags are found in blocks, proved against the walk; odd markup at
 * every place in a block, as stretches and as runs, and what the DANA family makes of it.
 */
#include "base/cpu.h"
#include "extract/html/byte_masks.h"
#include "extract/html/tag_bits.h"
#include "support/family_run.h"
#include "support/token_subject.h"
#include "support/unit.h"

enum { PREFIX = 4 };

/* What the walk sees before the block: the beginning of a tag that is open as `s` tells. */
static size_t block_make(uint8_t *window, const char *bytes, size_t len, const struct tag_state *s, struct byte_mask *m)
{
	memset(window, 0, PREFIX + 64);
	memcpy(window, s->equals ? "<a =" : "<a b", PREFIX);
	memcpy(window + PREFIX, bytes, len);
	byte_masks_plain(window + PREFIX, 64, m);
	return PREFIX;
}

/* Where the subtraction takes a block it finds what the walk finds, and leaves the same state. */
static bool regular_agrees(const char *bytes, size_t len, struct tag_state s, bool single)
{
	uint8_t window[PREFIX + 64];
	struct byte_mask m;
	struct tag_state by_bits = s, by_walk = s;
	struct tag_bits found, wanted;
	size_t at = block_make(window, bytes, len, &s, &m);
	if (!tag_bits_regular(&m, single, &by_bits, &found))
		return false;
	if (by_bits.quoted)
		by_bits.single = single;
	wanted = tag_bits_walk(window, at, &m, &by_walk);
	if (by_bits.quoted != by_walk.quoted || by_bits.open != by_walk.open || by_bits.equals != by_walk.equals ||
	    (by_walk.quoted && by_bits.single != by_walk.single) || found.code != wanted.code ||
	    found.starts != wanted.starts) {
		fail_msg("open %d quoted %d equals %d single %d: %.*s", (int)s.open, (int)s.quoted, (int)s.equals,
			 single, (int)len, bytes);
	}
	return true;
}

/* All blocks of seven bytes of what matters, after all states, at the block's start and at its end. */
TEST(test_regular)
{
	static const char alphabet[] = "<>\"'= a";
	enum { LEN = 7, LETTERS = sizeof(alphabet) - 1 };
	char bytes[64];
	size_t taken = 0;
	for (unsigned number = 0; number < 823543; number++) {
		memset(bytes, 'b', sizeof(bytes));
		for (unsigned i = 0, rest = number; i < LEN; i++, rest /= LETTERS)
			bytes[i] = alphabet[rest % LETTERS];
		for (unsigned k = 0; k < 6; k++) {
			bool single = k % 2;
			/* outside; in a tag; in quotes. Quotes that are open are of the kind that is asked for. */
			const struct tag_state s = { .open = k > 1,
						     .quoted = k > 3 ? -1 : 0,
						     .equals = number % 3 == 0 && k > 1,
						     .single = single && k > 3 };
			taken += regular_agrees(bytes, LEN, s, single);
		}
		memmove(bytes + 64 - LEN, bytes, LEN);
		memset(bytes, 'b', LEN);
		taken += regular_agrees(bytes, 64, (struct tag_state){ .open = number % 2 }, false);
	}
	assert_true(taken > 100000);
}

/* What is easily taken for something else. */
static const char *const odd_pieces[] = {
	"<a title='x>y'>", "<a title=\"x>y\">t", "<a title=\"x<y\">", "<b a=\"1\"b='2'>", "<i x = \"a>b\">it's",
	"don't \"say\" = '", "a < b", "a > b", "<p<b>", "<p a\">b\">", "<a b=c\"d>", "<a b==\"c>\">",
	"<a\n\t href=\n'x'\n>", "<x\"y>z", "<x='>q'>r", "<a='b' c>", "<h1>h</h1>", "<br/>", "<P>", "</DIV >", "</ p>",
	"</>", "<!-- > -->", "<!--'-->t", "<!-- a=\"> -->\"", "<!-- a='b' <i> --!>", "<!--><!--->",
	"<noscript a='>'>n</noscript><svg/><math>", "<!doctype x>", "<?x?>", "<script>'<b>\"</script>",
	"<script>a</script> \n<style>'</style><!--c-->\t<SCRIPT >d</sCript ><!x> <strong>",
	"<noscript> <!--a--> <style>b</style>\n<script>c</script>\n</noscript>\n<script>d",
	"<select><option a='>'>o</select>x", "<svg><path d=\"M\"/><p>y", "<title>a</title>",
	"<textarea>\"<b></textarea>", "<noscript><b>n</b></noscript>", "\xd8\xb3\xd9\x84", "\xe4\xb8\xad",
	"\xf0\x9f\x98\x80", "<b>\x90", "<p> \x90x", "x\x90\x90", "<i \xd9\x85=\xff>", "<p>", "<b> </b>", "</b> ",
	" <b>w", "w <i> </i>w",
	/* white space */
	"\n\t <p>\n", "  two   words  ", "<fieldset>", "<x-card-with-a-long-name>", "<div\x01>", "<p\x89>", "</body>",
	"<svg>", "</svg>", "<rt>r</ruby>x", "<rp>(<div>", "<audio>v</li>",
	/* white space that is kept */
	"<pre>", "</pre>", "<pre> a\n\t b</pre>", "<pre><b class='x-y'>a</b>\n <i>b\n</i> c</pre>",
	"<i style='white-space:pre'>", "<p style=\"x-y: z; White-Space : pre-line\">", "<b style=white-space:normal>",
	"<p style=white-space:pre>", "<br style='white-space:pre'/>", "white-space:pre", "<a title='white-space:pre'>",
	"<!-- white-space:pre -->", "<script style='white-space:pre'>white-space:pre</script>", "</i>", "<listing>"
};
enum { ODD = sizeof(odd_pieces) / sizeof(*odd_pieces) };

static void check_ways(struct slice page)
{
	static const enum token_way ways[] = { TOKEN_RUNS, TOKEN_STRETCHES, TOKEN_VOIDS_UNREAD, TOKEN_STRETCHES };
	AUTO_BUF oracle = { 0 }, found = { 0 };
	for (unsigned round = 0; round < 4; round++) {
		struct token_subject s;
		const enum cpu_level level = cpu_level();
		if (round == 3)
			cpu_level_set(CPU_PLAIN);
		const struct split_subject subject = token_subject_make(&s, ways[round]);
		cpu_level_set(level);
		buf_clear(&oracle);
		token_oracle(page, ways[round], &oracle);
		s.log.page = page;
		split_check(&subject, page, &found);
		split_compare(&oracle, &found, "oracle, round", round);
		token_subject_free(&s);
	}
}

/* Each piece at each place in a block, between others. */
TEST(test_places)
{
	AUTO_BUF page = { 0 };
	for (size_t piece = 0; piece < ODD; piece++) {
		for (int before = 0; before < 66; before += piece % 2 ? 3 : 7) {
			buf_clear(&page);
			assert_ok(buf_printf(&page, "<p>%0*d%s<b>c</b> d<p>%s<i>e</i>", before + 1, 1,
					     odd_pieces[piece], odd_pieces[(piece * 7 + (size_t)before) % ODD]));
			check_ways(buf_slice(&page));
		}
	}
}

static void family_page(struct buf *page, uint32_t *random, unsigned pieces)
{
	static const char *const words[] = { "word ", "a", " ", "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 ",
					     "\xe4\xb8\xad\xe6\x96\x87",
					     /* blanks */
					     "\n ", "longer words of some text " };
	buf_clear(page);
	for (unsigned i = 0; i < pieces; i++) {
		unsigned what = split_random(random) % 8;
		if (what < 3)
			buf_append_text(page, odd_pieces[split_random(random) % ODD]);
		else if (what == 3)
			buf_printf(page, "<a x=\"%0*d\">", (int)(split_random(random) % 90), 1);
		else
			buf_append_text(page, words[split_random(random) % 7]);
		if (split_random(random) % 16 == 0)
			buf_append_text(page, "</svg></select></script></title></textarea></noscript>-->\">");
	}
	assert_ok(buf_status(page));
}

static void kept_page(struct buf *page, uint32_t *random, unsigned pieces)
{
	static const char *const parts[] = { "a", "bc", "\xd8\xb3", "\xe4\xb8\xad\xe6\x96\x87",
					     /* white space */
					     " ", " ", "\n", "\n\t", "  ", "\r\n ", "<b>", "</b>", "<br>", "<p>",
					     "<!--x-->", "<i class=\"a-b\">", "</i>", "<i style='white-space:pre'>",
					     "<i style='white-space:pre-line'>", "<i style='white-space:normal'>",
					     "<i/>", "<svg> <b> </svg>" };
	enum { PARTS = sizeof(parts) / sizeof(*parts), TEXTS = 10 };
	buf_clear(page);
	buf_append_text(page, split_random(random) % 2 ? "<pre>" : "<div style='white-space:pre-line'>");
	for (unsigned i = 0; i < pieces; i++) {
		const uint32_t number = split_random(random);
		buf_append_text(page, parts[number % (split_random(random) % 2 ? TEXTS : PARTS)]);
		if (split_random(random) % 32 == 0) {
			const int blanks = (int)(split_random(random) % 700);
			buf_printf(page, "%s\n%*sword", split_random(random) % 2 ? "<p>" : "", blanks, "");
		}
	}
}

/* The family, on all markup, and on white space that is kept and what stands between it, in segments of all sizes. */
TEST(test_family)
{
	static const struct {
		const char *name;
		uint32_t random, sum;
		unsigned rounds, gaps, units;
		size_t segments[6];
	} runs[] = { { "family", 4711, 0xbbb2dd04, 490, 20, 4, { 65, 65, 64, 20, 1, 130 } },
		     { "kept", 99, 0x4ade82f8, 1400, 3, 3, { 1, 2, 3, 5, 20, 65 } } };
	static const uint8_t pieces[] = { 1, 3, 7, 63, 64, 65, 200 };
	AUTO_BUF page = { 0 };
	for (size_t kept = 0; kept < 2; kept++) {
		uint32_t random = runs[kept].random;
		struct golden golden = { HASH_FNV32_START };
		for (unsigned round = 0; round < runs[kept].rounds; round++) {
			if (kept)
				kept_page(&page, &random, 5 + split_random(&random) % (round % 8 ? 60 : 900));
			else
				family_page(&page, &random, round % 10 ? 40 + round % 100 : 3000);
			struct family_case c = { .method = family_methods[round % FAMILY_METHODS],
						 .segment = runs[kept].segments[split_random(&random) % 6],
						 .gap = 1 + split_random(&random) % runs[kept].gaps,
						 .gap_fill = round % 5 == 0,
						 .unit = "\0\0bc"[kept + split_random(&random) % runs[kept].units] };
			family_vary(&c, split_random(&random));
			family_check(&c, buf_slice(&page), slice_of(pieces, sizeof(pieces)), &golden);
		}
		golden_check(&golden, runs[kept].name, runs[kept].sum);
	}
}

/* A limit of the text is met at the same place however the page comes. */
TEST(test_kept_limit)
{
	AUTO_BUF page = { 0 }, whole = { 0 };
	uint32_t random = 7;
	for (unsigned round = 0; round < 600; round++) {
		char method[32];
		snprintf(method, sizeof(method), "%s:segment=%u", round % 2 ? "danag" : "dana",
			 1 + split_random(&random) % 30);
		const struct dana_options options = { .struct_size = sizeof(options),
						      .method = method,
						      .max_text_bytes = 1 + split_random(&random) % 1500 };
		struct dana_extractor *x;
		struct dana_text text;
		kept_page(&page, &random, 400);
		assert_ok(dana_new(&x, &options));
		for (size_t step = page.len; step; step = step == 1 ? 0 : step / 2) {
			dana_reset(x);
			for (struct slice rest = buf_slice(&page); rest.len; rest = slice_skip(rest, step))
				assert_ok(dana_feed(x, rest.data, slice_first(rest, step).len));
			assert_true(dana_finish(x, &text) >= 0);
			if (step == page.len) {
				buf_clear(&whole);
				assert_ok(buf_append(&whole, text.data, text.len));
			}
			split_compare(&whole, &(struct buf){ .data = (uint8_t *)(uintptr_t)text.data, .len = text.len },
				      "limit, step", step);
		}
		dana_free(x);
	}
}
