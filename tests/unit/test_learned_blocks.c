/* SPDX-License-Identifier: MIT */
/* What `learned` takes from the tags around a block: text that attributes hide, and white space that is kept. */
#include "extract/text_writer.h"
#include "support/learned_page.h"

enum { TEXT_MOST = 1 << 20 };

/* The blocks of a page, read in pieces of `piece` bytes. */
static struct blocks read_page(const char *page, size_t piece)
{
	return learned_page(slice_from_text(page), piece, TEXT_MOST);
}

/* Before the element, in it, in an element of it, and after it: only what is in it is hidden. */
static void check_hidden(const char *attributes, bool hidden)
{
	char page[300];
	snprintf(page, sizeof(page), "<p>before</p><div %s>in it<ul><li>inside</ul></div><p>after</p>", attributes);
	struct blocks b = read_page(page, SIZE_MAX);
	assert_int_equal(b.n_blocks, 4);
	for (uint32_t i = 0; i < b.n_blocks; i++) {
		const bool expected = hidden && (i == 1 || i == 2);
		if (b.block[i].hidden != expected)
			fail_msg("block %u of a <div %s> is %shidden", i, attributes, expected ? "not " : "");
	}
	blocks_free(&b);
}

TEST(attributes_hide_text)
{
	static const char *const hiding[] = { "hidden", "HIDDEN", "hidden=''", "class=a hidden id=b",
					      /* a value, and styles */
					      "aria-hidden=true", "aria-hidden=\"true\"", "style='display:none'",
					      "style='display: none'", "style=display:none",
					      "style='color: red; display:  none; margin: 0'",
					      "style='display:block;display:none'", "style='Display:none'" };
	static const char *const showing[] = { "", "class=hidden", "hiddens", "data-hidden=true", "aria-hidden=false",
					       "aria-hidden",
					       /* styles that hide nothing */
					       "style='display:block'", "style='display:'", "style='display'",
					       "style='display:non'", "style='visible:none'", "style=none",
					       "title='display:none'" };
	for (size_t i = 0; i < sizeof(hiding) / sizeof(hiding[0]); i++)
		check_hidden(hiding[i], true);
	for (size_t i = 0; i < sizeof(showing) / sizeof(showing[0]); i++)
		check_hidden(showing[i], false);
}

/* What a page sets is not there for the next one. */
TEST(reset_forgets_the_page)
{
	static const char page[] =
		"<title>one</title><main><p>more text than there is room for<img><textarea></textarea></main>";
	struct blocks b = learned_page(slice_from_text(page), SIZE_MAX, 16);
	assert_true(b.has_main && b.truncated && b.n_blocks && b.images && b.textareas);
	blocks_reset(&b);
	learned_feed(&b, slice_from_text("<p>less text"), SIZE_MAX);
	assert_false(b.has_main || b.truncated || b.images || b.textareas);
	assert_int_equal(b.n_blocks, 1);
	blocks_free(&b);
}

static void drop_empty_lines(struct buf *text)
{
	size_t len = 0;
	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] != '\n' || len == 0 || text->data[len - 1] != '\n')
			text->data[len++] = text->data[i];
	}
	text->len = len;
}

/* The text of all blocks; once as it is written, once, without empty lines, from the source that explain is told. */
static void check_text(const char *page, const char *wanted, size_t piece)
{
	struct blocks b = read_page(page, piece);
	struct text_writer w = { 0 }, told = { 0 };
	AUTO_BUF source = { 0 };
	text_writer_reset(&w, 0);
	text_writer_reset(&told, 0);
	for (uint32_t i = 0; i < b.n_blocks; i++) {
		buf_clear(&source);
		assert_ok(block_write(&b, &b.block[i], &w));
		assert_int_equal(block_source(&b, &b.block[i], &source), 0);
		assert_int_equal(text_writer_kept(&told, buf_slice(&source)), 0);
		assert_int_equal(text_writer_break(&told), 0);
	}
	assert_ok(text_writer_finish(&w));
	assert_ok(text_writer_finish(&told));
	if (!slice_equal(buf_slice(&w.out), slice_from_text(wanted)))
		fail_msg("page: %s\nwanted: %s\nfound: %.*s", page, wanted, (int)w.out.len, (const char *)w.out.data);
	drop_empty_lines(&w.out);
	assert_true(slice_equal(buf_slice(&w.out), buf_slice(&told.out)));
	text_writer_free(&w);
	text_writer_free(&told);
	blocks_free(&b);
}

static void check_white_space(const char *page, const char *wanted)
{
	for (size_t piece = 1; piece <= 7; piece++)
		check_text(page, wanted, piece);
	check_text(page, wanted, SIZE_MAX);
}

TEST(a_block_is_a_line)
{
	check_white_space("<p>a\nb\r\nc\n\n <b>d\n</b>e\tf</p>g", "a b c d e f\ng");
	check_white_space("a\n<br>\nb<br><br>c<li>d\ne<td>f", "a\nb\nc\nd e\nf");
	check_white_space("<p>a\x1e"
			  "b&#31;c",
			  "abc");
}

TEST(elements_keep_white_space)
{
	check_white_space("<p>a\nb<pre>\n  c\n\n\td  e \n</pre>f\ng", "a b\n  c\n\n\td  e\nf g");
	check_white_space("<pre>a\r\nb\rc</pre>", "a\nb\nc");
	check_white_space("<pre> <b> a</b>\n&nbsp;b&#9;c&#10;d &amp; \xc2\xa0 e</pre>", "  a\n b\tc\nd &   e");
	check_white_space("<pre>a<span>\n b<i>\n  c</i></span>\n d</pre>e\nf", "a\n b\n  c\n d\ne f");
	check_white_space("<pre>   <div>a</div>   <p> b</pre>c\nd", "a\n b\nc d");
	check_white_space("<listing>a\n b</listing><xmp>c\n d</xmp>e\nf", "a\n b\nc\n d\ne f");
	check_white_space("<div><pre>a\n b</div>c\nd", "a\n b\nc d");
	check_white_space("<x>a\nb</x><p>c\nd<plaintext>e\n f", "a b\nc de\n f");
	check_white_space("<pre>a\n\x1e\x1f b</pre>", "a\n b");
	check_white_space("<pre style='white-space:normal'>a\n b</pre>", "a b");
}

TEST(styles_keep_white_space)
{
	static const char *const kept[] = { "white-space:pre", "WHITE-SPACE : Pre-Wrap",
					    "color:red;white-space:\tbreak-spaces;",
					    "white-space:normal;white-space:pre !important",
					    "white-space:pre;white-space:x" };
	static const char *const collapsing[] = { "white-space:normal", "white-space:nowrap",
						  /* no value, or no such property */

						  "white-space:prefix", "white-space-x:pre", "-x-white-space:pre",
						  "white-space", "white-space:", "white-space pre", "xwhite-space:pre",
						  "color:pre", "white-space:pre;white-space:normal" };
	char page[200];
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		snprintf(page, sizeof(page), "<p style='%s'>a\n  b<p>c\nd", kept[i]);
		check_white_space(page, "a\n  b\nc d");
	}
	for (size_t i = 0; i < sizeof(collapsing) / sizeof(collapsing[0]); i++) {
		snprintf(page, sizeof(page), "<p style=\"%s\">a\n  b<p>c\nd", collapsing[i]);
		check_white_space(page, "a b\nc d");
	}
	check_white_space("<p style='white-space:pre-line'>a  b\n  c<p>d\n e", "a b\nc\nd e");
	check_white_space("a <code style='white-space:pre'> b\n  c</code>\nd", "a  b\n  c d");
	check_white_space("<div style='white-space:pre'>a\n b<p style='white-space:normal'>c\nd</p>  e</div>f\ng",
			  "a\n b\nc d\n  e\nf g");
}

TEST(elements_end_by_others)
{
	check_white_space("<ul><li style='white-space:pre'>a\n b<ul><li>c\n d</ul><li>e\nf</ul>", "a\n b\nc\n d\ne f");
	check_white_space(
		"<table><tr><td style='white-space:pre'>a\n b<table><tr><td>c\n d</table>e\n f<td>g\nh</table>",
		"a\n b\nc\n d\ne\n f\ng h");
	check_white_space("<dl><dd style='white-space:pre'>a\n b<dt>c\nd</dl>", "a\n b\nc d");
	check_white_space("<pre>a\n b</p></b>\n c<b></pre>d\ne", "a\n b\n c\nd e");
	check_white_space("<b style='white-space:pre'><p>a\n b</b>\n c</p></b>d\ne", "a\n b\n c\nd e");
	check_white_space("<noscript><pre>a\n b</noscript><p>c\nd", "a\n b\nc d");
}

/* More elements inside than are recorded. */
TEST(deep_elements_keep_white_space)
{
	enum { DEEP = 100 };
	char page[16 * DEEP] = "<pre>";
	for (int i = 0; i < DEEP; i++)
		strcat(page, "<div>");
	strcat(page, "a\n b");
	for (int i = 0; i < DEEP; i++)
		strcat(page, "</div>");
	strcat(page, "</pre>c\nd");
	check_text(page, "a\n b\nc d", SIZE_MAX);
}

/* A title that is never closed takes the whole page: it is read again, tags and all. */
TEST(a_title_without_end)
{
	check_white_space("<title>Lamp<p>One <b>two</b><p>Three<div>Four", "One two\nThree\nFour");
}
