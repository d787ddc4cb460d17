/* SPDX-License-Identifier: MIT */
/*
 * The element tree: hand-made pages, depth, and agreement with libgumbo (where it is there) on which blocks text
 * stands in. With $DANA_GOLD, a folder of gold pages, all of its pages are compared too; libgumbo then reads bytes
 * that are UTF-8 or not.
 */
#include "config.h"

#include "base/hash.h"
#include "extract/html/elements.h"
#include "extract/papers/page_text.h"
#include "support/random_page.h"
#include "support/unit.h"

/* Characters by the chain of blocks that they stand in. */
enum { CHAINS = 1 << 14 };

struct chains {
	uint32_t hash[CHAINS];
	uint64_t chars[CHAINS];
	uint64_t all;
};

static void chains_add(struct chains *c, uint32_t hash, uint64_t chars)
{
	size_t at = hash % CHAINS;
	for (size_t tries = 0; c->chars[at] && c->hash[at] != hash && tries < CHAINS; tries++)
		at = (at + 1) % CHAINS;
	c->hash[at] = hash;
	c->chars[at] += chars;
	c->all += chars;
}

/* Elements that the standard makes by itself, inline ones and unknown ones do not count. */
static uint32_t chain_step(uint32_t hash, enum html_tag tag)
{
	if (tag == HTML_TAG_OTHER || html_tag_is(tag, TAG_INLINE) || tag == HTML_TAG_HTML || tag == HTML_TAG_BODY ||
	    tag == HTML_TAG_TBODY || tag == HTML_TAG_TR || tag == HTML_TAG_HEAD)
		return hash;
	return (hash ^ tag) * 16777619U;
}

struct reader {
	struct token_stream stream; /* first */
	struct element_tree tree;
	struct chains *chains; /* may be NULL */
	size_t text;
};

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct reader *r = (struct reader *)t;
	uint32_t hash = HASH_FNV32_START;
	element_tree_word(&r->tree, word->breaks);
	r->text += word->text.len;
	for (size_t i = 0; i < r->tree.depth && r->chains; i++)
		hash = chain_step(hash, (enum html_tag)r->tree.elements[r->tree.path[i]].tag);
	if (r->chains)
		chains_add(r->chains, hash, word->chars);
	return 0;
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct reader *r = (struct reader *)t;
	return element_tree_tag(&r->tree, tag->event, r->text);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void read_page(struct reader *r, struct slice html, struct chains *chains, size_t max_elements, size_t max_depth)
{
	const struct html_handler handler = { .run = token_stream_run, .tag = token_stream_tag, .arg = r };
	struct html_tokenizer *tokenizer = html_tokenizer_new(&handler);
	*r = (struct reader){ .chains = chains };
	token_stream_reset(&r->stream, &ops);
	assert_ok(element_tree_init(&r->tree, max_elements, max_depth));
	html_tokenizer_reset(tokenizer);
	assert_true(html_tokenizer_feed(tokenizer, html) >= 0);
	assert_true(html_tokenizer_finish(tokenizer) >= 0);
	assert_ok(token_stream_finish(&r->stream));
	element_tree_finish(&r->tree, r->text);
	html_tokenizer_free(tokenizer);
}

/* The tree in short: "div(p[2/1] p)" - words and leaves where there are any. */
static void show(const struct element_tree *tree, size_t from, size_t after, struct buf *out)
{
	size_t closing[64], depth = 0;
	for (size_t i = from; i < after; i++) {
		const struct element *e = &tree->elements[i];
		while (depth && closing[depth - 1] == i) {
			assert_ok(buf_append_byte(out, ')'));
			depth--;
		}
		assert_ok(buf_printf(out, "%s%s", out->len && out->data[out->len - 1] != '(' ? " " : "",
				     html_tag_name((enum html_tag)e->tag)));
		if (e->words)
			assert_ok(buf_printf(out, "[%u/%u]", e->words, e->leaves));
		if (e->end > i + 1) {
			assert_ok(buf_append_byte(out, '('));
			closing[depth++] = e->end;
		}
	}
	while (depth--)
		assert_ok(buf_append_byte(out, ')'));
	assert_ok(buf_append_byte(out, 0));
}

static void check(const char *html, const char *wanted)
{
	struct reader r;
	AUTO_BUF out = { 0 };
	read_page(&r, slice_from_text(html), NULL, 0, 0);
	show(&r.tree, 1, r.tree.count, &out);
	assert_string_equal((const char *)out.data, wanted);
	element_tree_free(&r.tree);
}

TEST(test_hand)
{
	check("", "");
	check("<p>a b<p>c", "p[2/1] p[1/1]");
	check("<p>a <b>b</b> c</p>d", "p[3/1](b[1/1])");
	check("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "ul[4/4](li[1/1] li[2/2](ul[1/1](li[1/1])) li[1/1])");
	check("<table><tr><td>a<td>b<tr><td>c</table>d", "table[3/3](tr[2/2](td[1/1] td[1/1]) tr[1/1](td[1/1]))");
	check("<dl><dt>a<dd>b<dt>c</dl>", "dl[3/3](dt[1/1] dd[1/1] dt[1/1])");
	/* An end tag does not leave its table cell, an inline one closes no block, a stray one is nothing. */
	check("<div><table><td>a</div>b</table></div>", "div[2/2](table[2/2](td[2/2]))");
	check("<b><p>a</b>b</p>", "b[2/1](p[2/1])");
	check("</div></p><p>a</span></p>", "p[1/1]");
	check("<body><p>a</body>b<body class=x>c", "body[3/3](p[3/3])");
	check("<div><p>a<div>b</div></div>", "div[2/2](p[1/1] div[1/1])");
	check("<h1>a<h2>b</h3>c", "h1[1/1] h2[1/1]");
}

TEST(test_limits)
{
	AUTO_BUF page = { 0 };
	struct reader r;
	for (unsigned i = 0; i < 2000; i++)
		assert_ok(buf_append_text(&page, "<div>"));
	assert_ok(buf_append_text(&page, "word"));
	for (unsigned i = 0; i < 2000; i++)
		assert_ok(buf_append_text(&page, "</div>"));
	assert_ok(buf_append_text(&page, "<p>after"));
	read_page(&r, buf_slice(&page), NULL, 0, 0);
	/* 512 of the divs are elements; all are closed again before <p>. */
	assert_int_equal(r.tree.count, 1 + 512 + 1);
	assert_int_equal(r.tree.elements[513].tag, HTML_TAG_P);
	assert_int_equal(r.tree.elements[513].parent, 0);
	assert_int_equal(r.tree.elements[512].words, 1);
	element_tree_free(&r.tree);
	read_page(&r, buf_slice(&page), NULL, 100, 0);
	assert_int_equal(r.tree.count, 100);
	assert_int_equal(r.tree.elements[99].words, 1);
	assert_int_equal(r.tree.elements[0].words, 2);
	element_tree_free(&r.tree);
}

#ifdef HAVE_GUMBO
#include <dirent.h>
#include <gumbo.h>

#include "base/utf8.h"

static uint64_t chains_find(const struct chains *c, uint32_t hash)
{
	size_t at = hash % CHAINS;
	while (c->chars[at] && c->hash[at] != hash)
		at = (at + 1) % CHAINS;
	return c->chars[at];
}

static void add_text(struct chains *c, const char *text, uint32_t hash)
{
	struct slice s = slice_from_text(text);
	uint64_t chars = 0;
	for (size_t i = 0; i < s.len;) {
		uint32_t ch;
		i += utf8_decode(slice_skip(s, i), &ch);
		chars += !token_char_is_space(ch);
	}
	if (chars)
		chains_add(c, hash, chars);
}

/* Nodes to visit: libgumbo's trees can be deep. */
struct visit {
	const GumboNode *node;
	uint32_t hash;
};

static enum html_tag tag_of(const GumboElement *e)
{
	const char *name = gumbo_normalized_tagname(e->tag);
	return html_tag_find(slice_from_text(name));
}

static bool is_visible(const GumboElement *e, enum html_tag tag)
{
	return e->tag_namespace == GUMBO_NAMESPACE_HTML && !html_tag_is(tag, TAG_SKIP) && tag != HTML_TAG_SCRIPT &&
	       tag != HTML_TAG_STYLE;
}

static void visit_children(struct buf *stack, const GumboVector *children, uint32_t hash)
{
	for (unsigned i = 0; i < children->length; i++) {
		struct visit next = { children->data[i], hash };
		assert_ok(buf_append(stack, &next, sizeof(next)));
	}
}

static void read_gumbo(struct slice html, struct chains *chains)
{
	GumboOutput *output = gumbo_parse_with_options(&kGumboDefaultOptions, (const char *)html.data, html.len);
	AUTO_BUF stack = { 0 };
	visit_children(&stack, &output->document->v.document.children, HASH_FNV32_START);
	while (stack.len) {
		struct visit v;
		stack.len -= sizeof(v);
		memcpy(&v, stack.data + stack.len, sizeof(v));
		if (v.node->type == GUMBO_NODE_TEXT || v.node->type == GUMBO_NODE_CDATA) {
			add_text(chains, v.node->v.text.text, v.hash);
		} else if (v.node->type == GUMBO_NODE_ELEMENT) {
			enum html_tag tag = tag_of(&v.node->v.element);
			if (is_visible(&v.node->v.element, tag))
				visit_children(&stack, &v.node->v.element.children, chain_step(v.hash, tag));
		}
	}
	gumbo_destroy_output(&kGumboDefaultOptions, output);
}

/* Share of the characters that both put into the same blocks. */
static double agreement(struct slice html)
{
	struct chains *mine = calloc(1, sizeof(*mine)), *theirs = calloc(1, sizeof(*theirs));
	struct reader r;
	uint64_t same = 0;
	assert_non_null(mine);
	assert_non_null(theirs);
	read_page(&r, html, mine, 0, 0);
	element_tree_free(&r.tree);
	read_gumbo(html, theirs);
	for (size_t i = 0; i < CHAINS; i++) {
		uint64_t other = mine->chars[i] ? chains_find(theirs, mine->hash[i]) : 0;
		same += other < mine->chars[i] ? other : mine->chars[i];
	}
	uint64_t all = mine->all > theirs->all ? mine->all : theirs->all;
	free(mine);
	free(theirs);
	return all ? (double)same / (double)all : 1;
}

TEST(test_gumbo)
{
	/* Sound markup: all of the text is in the same blocks. */
	static const char *const sound[] = {
		"<html><head><title>t</title></head><body><div><p>a b</p><p>c <b>d</b></p></div></body></html>",
		"<ul><li>a<li>b<ul><li>c</ul><li>d</ul><dl><dt>e<dd>f<dt>g</dl>",
		"<table><tr><th>a<td>b<tr><td><table><tr><td>c</table>d</table><p>e",
		"<div><p>a<div>b</div>c</p>d</div><h1>e</h1><blockquote><p>f</blockquote>g",
		("<section><header><h2>a</h2></header><article><p>b<p>c<footer>d</footer></article></section>"
		 "<pre>e</pre>"),
		"<!doctype html><p>a<table><tr><td>b</table>c",
		"<a href=x><div>a</div></a><p><a>b</a><a>c</a></p>",
		"<p>a &amp; b &lt; c<br>d<hr>e<img src=x>f",
	};
	for (size_t i = 0; i < sizeof(sound) / sizeof(*sound); i++) {
		double same = agreement(slice_from_text(sound[i]));
		if (same < 1)
			print_error("%s: %f\n", sound[i], same);
		assert_true(same >= 1);
	}
}

TEST(test_gumbo_gold)
{
	const char *folder = getenv("DANA_GOLD");
	double sum = 0;
	size_t pages = 0, all_the_same = 0;
	struct dirent *corpus, *entry;
	DIR *dir = folder ? opendir(folder) : NULL;
	if (!dir)
		skip();
	while ((corpus = readdir(dir)) != NULL) {
		char path[4096];
		(void)snprintf(path, sizeof(path), "%s/%s", folder, corpus->d_name);
		DIR *inner = corpus->d_name[0] == '.' ? NULL : opendir(path);
		while (inner && (entry = readdir(inner)) != NULL) {
			size_t len = strlen(entry->d_name);
			if (len < 5 || strcmp(entry->d_name + len - 5, ".html") != 0)
				continue;
			(void)snprintf(path, sizeof(path), "%s/%s/%s", folder, corpus->d_name, entry->d_name);
			FILE *file = fopen(path, "rb");
			AUTO_BUF html = { 0 };
			assert_non_null(file);
			assert_ok(buf_reserve(&html, (size_t)16 << 20));
			html.len = fread(html.data, 1, (size_t)16 << 20, file);
			(void)fclose(file);
			double same = agreement(buf_slice(&html));
			sum += same;
			all_the_same += same > 0.999;
			pages++;
		}
		if (inner)
			(void)closedir(inner);
	}
	(void)closedir(dir);
	print_message("%zu pages, mean agreement with libgumbo %.4f; %zu pages above 0.999\n", pages,
		      pages ? sum / (double)pages : 0, all_the_same);
	assert_true(pages == 0 || sum / (double)pages > 0.9);
}
#endif
