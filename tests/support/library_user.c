/* SPDX-License-Identifier: MIT */
/*
 * A program as others write it against libdana: C99 (and C++), the installed header, nothing else of this project.
 * Extracts a page fed whole and in pieces, meets the errors that a user can make, and uses all functions of the
 * header.
 */
#include <dana/dana.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "library_user: %s\n", what);
	failures++;
}

static void page_write(char *page, size_t size)
{
	size_t at = (size_t)snprintf(page, size,
				     "<html><head><title>A &amp; B</title><script>var x = '<p>';</script></head>"
				     "<body><ul>");
	int i;
	for (i = 0; i < 12; i++)
		at += (size_t)snprintf(
			page + at, size - at,
			"<li class='menu-item menu-item-%d'><a href='/news/%d/index.html'>News</a></li>\n", i, i);
	at += (size_t)snprintf(page + at, size - at, "</ul><h1>Heading</h1>");
	for (i = 0; i < 12; i++)
		at += (size_t)snprintf(
			page + at, size - at,
			"<p>Paragraph %d says something at some length, so that its text outweighs the markup around "
			"it by far, as it does on pages that people read.</p>\n",
			i);
	snprintf(page + at, size - at, "<div id='footer'><a href='/about'>About</a></div></body></html>");
}

static void feed_in_pieces(struct dana_extractor *x, const char *page, size_t piece)
{
	size_t len = strlen(page), at;
	for (at = 0; at < len; at += piece)
		expect(dana_feed(x, page + at, len - at < piece ? len - at : piece) >= DANA_SUCCESS, "feeding a piece");
}

static void check_page(const char *method, const char *page)
{
	static const size_t pieces[] = { 1, 7, 64, 1000 };
	struct dana_options options;
	struct dana_extractor *x;
	struct dana_text text;
	char *whole;
	size_t len, i;
	memset(&options, 0, sizeof(options));
	options.struct_size = sizeof(options);
	options.method = method;
	if (dana_new(&x, &options) != DANA_SUCCESS) {
		expect(0, "dana_new");
		return;
	}
	expect(dana_feed(x, page, strlen(page)) >= DANA_SUCCESS, "feeding the whole page");
	expect(dana_finish(x, &text) == DANA_SUCCESS, "dana_finish");
	expect(strstr(method, text.method) == method, "the method's name");
	expect((text.flags & DANA_HAS_TITLE) && text.title_len == 5 && memcmp(text.title, "A & B", 5) == 0,
	       "the title");
	len = text.len;
	whole = (char *)malloc(len + 1);
	if (!whole)
		abort();
	if (len)
		memcpy(whole, text.data, len);
	whole[len] = '\0';
	expect(strstr(whole, "<p>") == NULL && strstr(whole, "var x") == NULL, "no markup in the text");
	if (strncmp(method, "danag", 5) == 0)
		expect(strstr(whole, "Paragraph 11") != NULL && strstr(whole, "News\nNews") == NULL,
		       "main content, without the menu");
	for (i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		dana_reset(x);
		expect(dana_page_url(x, "http://example.org/", 19) == DANA_SUCCESS, "dana_page_url");
		feed_in_pieces(x, page, pieces[i]);
		expect(dana_finish(x, &text) == DANA_SUCCESS, "dana_finish after pieces");
		expect(text.len == len && (len == 0 || memcmp(text.data, whole, len) == 0), "the same text in pieces");
	}
	free(whole);
	dana_free(x);
}

static void check_errors(void)
{
	struct dana_extractor *x = NULL;
	struct dana_options options;
	struct dana_text text;
	memset(&options, 0, sizeof(options));
	options.struct_size = sizeof(options);
	options.method = "no-such-method";
	expect(dana_new(&x, &options) == DANA_BAD_OPTION && x == NULL, "an unknown method is refused");
	options.method = "danag:no-such-key=1";
	expect(dana_new(&x, &options) == DANA_BAD_OPTION && x == NULL, "an unknown key is refused");
	options.method = "danag:segment=0";
	expect(dana_new(&x, &options) == DANA_BAD_OPTION && x == NULL, "a senseless value is refused");
	expect(strlen(dana_status_text(DANA_BAD_OPTION)) > 0, "errors have words");
	dana_free(NULL);
	if (dana_new(&x, NULL) != DANA_SUCCESS) {
		expect(0, "dana_new without options");
		return;
	}
	expect(dana_finish(x, &text) == DANA_SUCCESS && text.len == 0 && (text.flags & DANA_NO_REGION),
	       "an empty page");
	expect(dana_finish(x, &text) == DANA_WRONG_ORDER, "finish comes once");
	expect(dana_feed(x, "a", 1) == DANA_WRONG_ORDER, "nothing is fed after the end");
	dana_reset(x);
	expect(dana_feed(x, "", 0) == DANA_SUCCESS, "nothing can be fed");
	dana_free(x);
}

/* The header, the library and the package have one version. */
static void check_version(void)
{
	char version[64];
	snprintf(version, sizeof(version), "%d.%d.%d", DANA_VERSION_MAJOR, DANA_VERSION_MINOR, DANA_VERSION_PATCH);
	expect(strcmp(dana_version(), version) == 0, "the library's version is the header's");
	expect(DANA_VERSION_NUMBER == DANA_VERSION_MAJOR * 10000 + DANA_VERSION_MINOR * 100 + DANA_VERSION_PATCH,
	       "the number of the version");
}

int main(void)
{
	static char page[8192];
	size_t i, n = dana_method_count();
	page_write(page, sizeof(page));
	for (i = 0; i < n; i++) {
		if (strcmp(dana_method_name(i), "auto") != 0)
			check_page(dana_method_name(i), page);
	}
	check_page("danag:gap=40,segment=50", page);
	expect(n >= 7 && dana_method_name(n) == NULL, "the list of methods");
	check_version();
	check_errors();
	return failures != 0;
}
