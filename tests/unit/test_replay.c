/* SPDX-License-Identifier: MIT */
/*
 * Of a page only the part around what the method keeps is recorded; the result is that of the whole page. Each case of
 * tests/data/structure.txt stands between paragraphs, some with what they leave open, and each part of such a page is
 * kept once.
 */
#include "base/buf.h"
#include "base/file.h"
#include "extract/method.h"
#include "extract/structure/page_log.h"
#include "extract/structure/structure.h"
#include "support/unit.h"

struct pair {
	struct structure *part, *whole;
};

static int log_run(void *arg, const struct html_run *event)
{
	return page_log_run(arg, event);
}

static int log_tag(void *arg, const struct html_tag_event *event)
{
	return page_log_tag(arg, event);
}

static int log_unit(void *arg, const struct html_unit *event)
{
	return page_log_unit(arg, event);
}

/* Returns the Markdown of a page of which from..to is kept. */
static struct slice take(struct structure *s, struct slice page, uint64_t from, uint64_t to)
{
	const struct html_handler handler = { .run = log_run,
					      .tag = log_tag,
					      .unit = log_unit,
					      .arg = structure_log(s) };
	const struct method_span spans[] = { { .to = from }, { .from = from, .to = to, .fate = SPAN_CHOSEN } };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	assert_non_null(t);
	structure_reset(s);
	assert_int_equal(structure_bytes(s, page), 0);
	assert_int_equal(html_tokenizer_feed(t, page) + html_tokenizer_finish(t), 0);
	assert_ok(structure_finish(s, slice_of(spans, sizeof(spans)), slice_of(NULL, 0), slice_of(NULL, 0)));
	html_tokenizer_free(t);
	return structure_markdown(s);
}

/* Keeps from..to of a page. Returns how long the Markdown is. */
static size_t check_part(const struct pair *p, struct slice page, uint64_t from, uint64_t to)
{
	const struct slice part = take(p->part, page, from, to), whole = take(p->whole, page, from, to);
	if (!slice_equal(part, whole))
		fail_msg("%d..%d of %.*s\n\"%.*s\"\ninstead of\n\"%.*s\"", (int)from, (int)to, (int)page.len,
			 (const char *)page.data, (int)part.len, (const char *)part.data, (int)whole.len,
			 (const char *)whole.data);
	return part.len;
}

/* All of a page is recorded where blocks that are not kept are to be listed. */
static struct pair pair_new(void)
{
	struct pair p;
	struct structure_options options = { .max_text = 1 << 20,
					     .max_depth = 512,
					     .style = slice_from_text("images=1"),
					     .markdown = true };
	assert_int_equal(structure_new(&p.part, &options), 0);
	options.blocks = options.dropped = true;
	assert_int_equal(structure_new(&p.whole, &options), 0);
	return p;
}

static void pair_free(struct pair *p)
{
	structure_free(p->part);
	structure_free(p->whole);
}

static void append_paragraphs(struct buf *page, const char *tag)
{
	for (int i = 0; i < 14; i++)
		buf_printf(page, "<%s>word %d of it\n", tag, i);
}

/* A case between paragraphs, which are items if `items`; each stretch of 60 bytes is kept once. */
static void check_case(const struct pair *p, struct slice source, bool items)
{
	AUTO_BUF page = { 0 };
	size_t kept = 0;
	buf_append_text(&page, items ? "<ol start=7><li value=20>a<li>b<ul><div>" : "<div class=x>");
	append_paragraphs(&page, items ? "li" : "p");
	buf_append(&page, source.data, source.len);
	append_paragraphs(&page, items ? "li" : "p");
	buf_append_text(&page, items ? "</ul>last</ol><p>end" : "</div><p>end");
	assert_int_equal(buf_status(&page), 0);
	for (uint64_t from = 0; from < page.len; from += 13)
		kept += check_part(p, buf_slice(&page), from, from + 60);
	assert_true(kept > 1000);
}

TEST(a_part_is_recorded_as_in_its_page)
{
	const char *folder = getenv("srcdir");
	char path[4096], *data, *rest, *next;
	size_t len, n = 0;
	struct pair p = pair_new();
	(void)snprintf(path, sizeof(path), "%s/tests/data/structure.txt", folder ? folder : ".");
	assert_int_equal(whole_file_read(NULL, path, &data, &len), 0);
	data = realloc(data, len + 1);
	assert_non_null(data);
	data[len] = '\0';
	for (rest = strstr(data, "=== "); rest; rest = next, n++) {
		char *begin = strchr(rest, '\n') + 1, *end = strstr(begin, "\n--->\n");
		next = strstr(end, "=== ");
		check_case(&p, slice_of(begin, (size_t)(end - begin)), false);
		check_case(&p, slice_of(begin, (size_t)(end - begin)), true);
	}
	assert_true(n > 80);
	free(data);
	pair_free(&p);
}

/* What stands before and after the part, and matters to it all the same. */
TEST(what_is_elsewhere_counts)
{
	static const char *const pages[][2] = {
		{ "<p>a $x_1$ b", "<script src=/MathJax.js></script>" },
		{ "<p>\\begin{equation}x\\end{equation}", "<script src=katex.js></script>" },
		{ "<p>a $x_1$ b", "<div class=katex-display></div>" },
		{ "<p><img src=a.png alt=b>", "<base href=https://other.example/>" },
		{ "<ol><li>a</ol><ol start=9>", "<li>b<li>c</ol>" },
		{ "<ul><li><input type=checkbox disabled checked>", "<p>done</ul>" },
		{ "<ul><li>", "<p><input type=checkbox disabled></ul>" },
		{ "<table><tr><td>a<td>b", "<tr><td>c<td>d</table>" },
		{ "<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>", "<blockquote>e</blockquote></table>" },
		{ "<table><tr><td><h2>a</h2>b<td>", "<table><tr><td>c<td>d<tr><td>e<td>f</table></table>" },
		{ "<table role=none><tr><td>a<td>b<tr><td>c<td>", "<tr><td>d<td>e</table>" },
		{ "<pre>a\n\nb", "c</pre>" },
		{ "<h1>title</h1><img src=a alt=a><hr>", "" },
		{ "<div style=display:none>", "</div>" },
		{ "<b><a href=/x><li>", "</a></b>" },
		{ "<ul><li>a</li><ul><li>", "</ul><ul><li>c</ul></ul>" },
		{ "<h1>title</h1><p>&nbsp;<p>&nbsp;<p>&nbsp;<p>&nbsp;<p>&nbsp;<p>&nbsp;<p>&nbsp;<p>&nbsp;<p>&nbsp;",
		  "" },
	};
	struct pair p = pair_new();
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		for (int turned = 0; turned < 2; turned++) {
			AUTO_BUF page = { 0 };
			buf_append_text(&page, pages[i][turned]);
			append_paragraphs(&page, "p");
			buf_append_text(&page, pages[i][!turned]);
			append_paragraphs(&page, "p");
			assert_int_equal(buf_status(&page), 0);
			for (uint64_t from = 0; from < page.len; from += 5)
				(void)check_part(&p, buf_slice(&page), from, from + 40);
		}
	}
	pair_free(&p);
}
