/* SPDX-License-Identifier: MIT */
/* The promises of dana.h that hold for every method: options of shorter structs, the limit of the text, the hint. */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "dana/dana.h"
#include "extract/papers/page_text.h"
#include "support/unit.h"

static int read_nothing(void *arg, const char *name, char **data, size_t *len)
{
	(void)arg;
	(void)name;
	(void)data;
	(void)len;
	return -1;
}

/* As much of the text as a limit lets through tells which options were read. */
static size_t text_with(const struct dana_options *options, const char **method)
{
	static const char page[] = "abcdefghijklmnopqrstuvwxyz";
	struct dana_extractor *x;
	struct dana_text text;
	assert_ok(dana_new(&x, options));
	assert_true(dana_feed(x, page, sizeof(page) - 1) >= 0);
	assert_ok(dana_finish(x, &text));
	size_t len = text.len;
	*method = text.method;
	dana_free(x);
	return len;
}

/* A caller that was compiled with a shorter struct: what follows it is not there. */
TEST(only_the_members_of_the_callers_struct_are_read)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	for (size_t size = sizeof(size_t); size <= sizeof(struct dana_options); size += _Alignof(size_t)) {
		/* a struct_size inside of a member, and above the true one, only with what is there */
		for (size_t told = size < sizeof(struct dana_options) ? size : 0; told <= size; told++) {
			struct dana_options all = { .struct_size = told,
						    .method = "plain",
						    .max_text_bytes = 10,
						    .max_depth = 3,
						    .read_file = read_nothing };
			struct dana_options *options = (struct dana_options *)(void *)(pages + page - size);
			const char *method;
			memcpy(options, &all, size);
			size_t len = text_with(options, &method);
			assert_string_equal(method, told >= 2 * sizeof(size_t) ? "plain" : DANA_DEFAULT_METHOD);
			assert_int_equal(len, told >= 3 * sizeof(size_t) ? 10 : 26);
		}
	}
	munmap(pages, 2 * page);
}

/* Methods that keep all of a page without tags, and cut it at a byte. */
TEST(a_limit_keeps_the_characters_that_fit)
{
	static const char *const methods[] = { "plain", "r2l",     "dana", "dana-slides",
					       "danag", "addanag", "auto", "learned" };
	static const char page[] = "\xd8\xb3\xd8\xb3\xd8\xb3\xd8\xb3\xd8\xb3\xd8\xb3";
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		for (size_t max = 1; max <= sizeof(page); max++) {
			for (size_t piece = 1; piece < sizeof(page); piece++) {
				const struct dana_options options = { .struct_size = sizeof(options),
								      .method = methods[i],
								      .max_text_bytes = max };
				struct dana_extractor *x;
				struct dana_text text;
				assert_ok(dana_new(&x, &options));
				for (struct slice rest = slice_from_text(page); rest.len;
				     rest = slice_skip(rest, piece))
					assert_true(dana_feed(x, rest.data, slice_first(rest, piece).len) >= 0);
				assert_ok(dana_finish(x, &text));
				assert_int_equal(text.len, max < sizeof(page) ? max / 2 * 2 : sizeof(page) - 1);
				assert_memory_equal(text.data, page, text.len);
				assert_int_equal(text.flags & DANA_TEXT_TRUNCATED, max < sizeof(page) - 1);
				dana_free(x);
			}
		}
	}
}

/*
 * Names of elements that share a bucket of the element stack: each end tag passes all open elements. With names that
 * do not, the page is an ordinary one.
 */
static void searched_page(struct buf *page, const char *closing)
{
	buf_clear(page);
	assert_ok(buf_append(page, "<p>Text.", 8));
	for (int i = 0; i < 512; i++)
		assert_ok(buf_append(page, "<oa>", 4));
	for (int i = 0; i < 20000; i++)
		assert_ok(buf_printf(page, "</%s>", closing));
}

/* What the end of the page says. No piece after the limit says anything else. */
static int status_of(const char *method, struct slice page, size_t piece, unsigned max_work)
{
	const struct dana_options options = { .struct_size = sizeof(options), .method = method, .max_work = max_work };
	struct dana_extractor *x;
	struct dana_text text;
	int status = DANA_SUCCESS;
	assert_ok(dana_new(&x, &options));
	for (size_t at = 0; at < page.len; at += piece) {
		int fed = dana_feed(x, page.data + at, page.len - at < piece ? page.len - at : piece);
		assert_true(fed == status || (fed == DANA_LIMIT && status == DANA_SUCCESS));
		status = fed;
	}
	int end = dana_finish(x, &text);
	assert_true(status == DANA_SUCCESS || end == status);

	/* the next page is not held to account for this one */
	dana_reset(x);
	assert_ok(dana_feed(x, "<p>One more.", 12));
	assert_ok(dana_finish(x, &text));
	dana_free(x);
	return end;
}

TEST(work_is_bounded_for_every_split)
{
	static const char *const methods[] = { "crunch", "lqf-50", "wlr", "wlr-media" };
	static const size_t pieces[] = { 1, 7, 4096, SIZE_MAX / 2 };
	AUTO_BUF page = { 0 };
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		for (size_t k = 0; k < sizeof(pieces) / sizeof(*pieces); k++) {
			searched_page(&page, "xx");
			assert_int_equal(status_of(methods[i], buf_slice(&page), pieces[k], 0), DANA_LIMIT);
			assert_ok(status_of(methods[i], buf_slice(&page), pieces[k], 200));
			searched_page(&page, "yy");
			assert_ok(status_of(methods[i], buf_slice(&page), pieces[k], 1));
		}
	}
}

static void row_of_points(__attribute__((unused)) const void *arg, size_t index, double at[KMEANS_DIMENSIONS])
{
	at[0] = at[1] = (double)index;
}

TEST(rounds_of_kmeans_are_counted)
{
	const struct kmeans begin = { .centre = { { 0, 0 }, { 1, 1 }, { 2, 2 } }, .dimensions = 2, .rounds = 50 };
	struct work works[] = { { .rate = 1 },
				{ .rate = 1, .steps = WORK_FREE - 1500, .bytes = 400 },
				{ .rate = 1, .steps = WORK_FREE - 1500, .bytes = 50000 } };
	for (unsigned i = 0; i < 3; i++) {
		struct kmeans k = begin;
		assert_int_equal(kmeans_run(&k, 1000, row_of_points, NULL, &works[i]), i == 1 ? DANA_LIMIT : 0);
	}
	assert_in_range(works[0].steps, 2000, 50000);
	assert_int_equal(works[0].steps % 1000, 0);
	assert_int_equal(works[1].steps, WORK_FREE + 500);
}

TEST(results_are_there_only_after_a_page)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "crunch",
					      .max_work = 1,
					      .list_blocks = 1 };
	const struct dana_options structured = { .struct_size = sizeof(structured),
						 .structure = DANA_MARKDOWN | DANA_BLOCKS,
						 .list_blocks = 1 };
	struct dana_extractor *x;
	struct dana_text text;
	struct dana_view view;
	AUTO_BUF page = { 0 };
	size_t n = 1;
	/* Calls in each order: what must not come is refused, and what may still come does. */
	assert_ok(dana_new(&x, &structured));
	for (int round = 0; round < 2; round++) {
		assert_int_equal(dana_markdown(x, &view), DANA_WRONG_ORDER);
		assert_int_equal(dana_structure_json(x, &view), DANA_WRONG_ORDER);
		assert_null(dana_structure(x, &n));
		assert_null(dana_blocks(x, &n));
		assert_null(dana_page_kind(x));
		assert_ok(dana_page_url(x, "http://h/", 9));
		assert_ok(dana_feed(x, NULL, 0));
		assert_int_equal(dana_page_url(x, "http://i/", 9), DANA_WRONG_ORDER);
		assert_ok(dana_feed(x, "<p>A lamp, a long one, and <a href=x>more</a> of it.", 52));
		assert_ok(dana_finish(x, &text));
		assert_int_equal(dana_finish(x, &text), DANA_WRONG_ORDER);
		assert_int_equal(dana_feed(x, "x", 1), DANA_WRONG_ORDER);
		assert_int_equal(dana_page_url(x, "http://i/", 9), DANA_WRONG_ORDER);
		assert_ok(dana_markdown(x, &view));
		assert_ok(dana_structure_json(x, &view));
		dana_reset(x);
	}
	dana_free(x);
	/* A page that failed has no result, not even that of the page before it. */
	assert_ok(dana_new(&x, &options));
	assert_ok(dana_feed(x, "<p>One more.", 12));
	assert_ok(dana_finish(x, &text));
	dana_reset(x);
	searched_page(&page, "xx");
	(void)dana_feed(x, page.data, page.len);
	assert_int_equal(dana_finish(x, &text), DANA_LIMIT);
	assert_null(dana_blocks(x, &n));
	assert_int_equal(n, 0);
	assert_int_equal(dana_markdown(x, &view), DANA_WRONG_ORDER);
	dana_free(x);
}

TEST(an_extractor_that_is_null_is_refused)
{
	struct dana_extractor *x;
	struct dana_text text;
	struct dana_view view;
	size_t n = 1;
	assert_int_equal(dana_new(NULL, NULL), DANA_WRONG_ORDER);
	assert_int_equal(dana_page_url(NULL, "http://h/", 9), DANA_WRONG_ORDER);
	assert_int_equal(dana_feed(NULL, "x", 1), DANA_WRONG_ORDER);
	assert_int_equal(dana_finish(NULL, &text), DANA_WRONG_ORDER);
	assert_int_equal(dana_markdown(NULL, &view), DANA_WRONG_ORDER);
	assert_int_equal(dana_structure_json(NULL, &view), DANA_WRONG_ORDER);
	assert_null(dana_blocks(NULL, &n));
	assert_null(dana_structure(NULL, &n));
	assert_null(dana_page_kind(NULL));
	dana_reset(NULL);
	dana_free(NULL);
	assert_ok(dana_new(&x, NULL));
	assert_int_equal(dana_page_url(x, NULL, 1), DANA_WRONG_ORDER);
	assert_int_equal(dana_feed(x, NULL, 1), DANA_WRONG_ORDER);
	assert_int_equal(dana_finish(x, NULL), DANA_WRONG_ORDER);
	assert_ok(dana_finish(x, &text));
	assert_int_equal(dana_markdown(x, NULL), DANA_WRONG_ORDER);
	assert_int_equal(dana_structure_json(x, NULL), DANA_WRONG_ORDER);
	assert_null(dana_blocks(x, NULL));
	assert_null(dana_structure(x, NULL));
	dana_free(x);
}

struct misuse {
	struct dana_extractor *x;
	int call, status;
};

static int misuse_read_file(void *arg, const char *name, char **data, size_t *len)
{
	struct misuse *m = arg;
	struct dana_text text;
	(void)name;
	(void)data;
	(void)len;
	m->status = DANA_WRONG_ORDER;
	if (m->call == 0)
		m->status = dana_feed(m->x, "x", 1);
	else if (m->call == 1)
		m->status = dana_finish(m->x, &text);
	else if (m->call == 2)
		m->status = dana_page_url(m->x, "http://i.example/", 17);
	else if (m->call == 3)
		dana_reset(m->x);
	else if (m->call == 4)
		dana_free(m->x);
	return 1;
}

TEST(an_extractor_is_not_used_by_what_it_calls)
{
	struct misuse m = { 0 };
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = "mountain:site-models=sites",
					      .read_file = misuse_read_file,
					      .read_arg = &m };
	for (m.call = 0; m.call <= 5; m.call++) {
		assert_ok(dana_new(&m.x, &options));
		assert_int_equal(dana_page_url(m.x, "http://h.example/", 17),
				 m.call < 5 ? DANA_WRONG_ORDER : DANA_SUCCESS);
		assert_int_equal(m.status, DANA_WRONG_ORDER);
		if (m.call == 4)
			continue;
		assert_int_equal(dana_feed(m.x, "x", 1), m.call < 5 ? DANA_WRONG_ORDER : DANA_SUCCESS);
		dana_free(m.x);
	}
}
