/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: lines of indexes of archives (CDX, CDXJ), the requests that bring what they name, and the keys of URLs.
 * The input is lines. Oracles: what is wrong is said; a place fits into a file; each piece lies in one request of its
 * file; the address of an object holds nothing that ends it; a line is wanted by the value that it has; the beginning
 * of a URL's key is that of the URL as a pattern.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "io/address.h"
#include "io/cdx.h"
#include "io/source.h"
#include "support/split_feed.h"

enum { PIECES_MOST = 64, FILES = 3 };

/* What the lines name, as they come. */
static struct input_piece pieces[PIECES_MOST];
static size_t n_pieces;

/* A pattern that is the value itself. */
static void is_wanted(const struct cdx_line *line, const char *name)
{
	static struct buf text;
	struct error err = { 0 };
	const struct slice value = cdx_line_field(line, name);
	if (value.len == 0 || memchr(value.data, '*', value.len) || memchr(value.data, '|', value.len) ||
	    memchr(value.data, 0, value.len))
		return;
	buf_clear(&text);
	must(buf_printf(&text, "%s=", name) == 0 && buf_append(&text, value.data, value.len) == 0);
	must(buf_append_byte(&text, 0) == 0);
	const char *const texts[] = { (const char *)text.data };
	struct cdx_match *match = cdx_match_new(texts, 1, &err);
	must(match && cdx_match_line(match, line) == 1);
	cdx_match_free(match);
}

/* As the key of an object: its URL is one word, which no byte of the key ends. */
static void look_at_object(struct slice file)
{
	static const struct s3_access access = { .region = "eu-west-1" };
	static struct buf address, url;
	struct error err = { 0 };
	buf_clear(&address);
	buf_clear(&url);
	must(buf_append_text(&address, "s3://bucket/") == 0 && buf_append(&address, file.data, file.len) == 0);
	must(buf_append_byte(&address, 0) == 0);
	if (memchr(file.data, 0, file.len) || s3_url((const char *)address.data, &access, &url, &err) < 0)
		return;
	must(url.len > 0 && url.data[url.len - 1] == 0);
	for (size_t i = 0; i + 1 < url.len; i++)
		must(url.data[i] > ' ' && url.data[i] < 0x7f && url.data[i] != '?' && url.data[i] != '#');
}

static void look_at_place(const struct cdx_line *line)
{
	struct slice file;
	struct error err = { 0 };
	uint64_t offset, length;
	const int status = cdx_line_place(line, &file, &offset, &length, &err);
	must(status == 0 || (status == DANA_EFORMAT && err.text[0]));
	must(status || (file.len > 0 && offset <= INT64_MAX && length <= INT64_MAX - offset));
	if (status)
		return;
	look_at_object(file);
	if (n_pieces < PIECES_MOST)
		pieces[n_pieces++] =
			(struct input_piece){ .from = offset, .length = length, .input = file.len % FILES };
}

static void look_at_span(const struct piece_plan *plan, const struct span *span, bool seen[])
{
	must(span->from < span->to && span->first < span->last && span->last <= plan->n);
	for (size_t i = span->first; i < span->last; i++) {
		const struct input_piece *piece = &plan->pieces[plan->order[i]];
		must(piece->input == span->input && piece->from >= span->from && piece->from < span->to);
		must(span->to == UINT64_MAX || (piece->length && piece->from + piece->length <= span->to));
		must(!seen[plan->order[i]]);
		seen[plan->order[i]] = true;
	}
}

/* As a URL and as a pattern. */
static void look_at_key(struct slice url)
{
	static struct buf key, prefix;
	bool hosts = false;
	buf_clear(&key);
	buf_clear(&prefix);
	must(surt_key(url, &key) == 0 && surt_prefix(url, &prefix, &hosts) == 0);
	must(key.len > 0);
	if (hosts || !url.len || memchr(url.data, '*', url.len))
		return;
	must(slice_equal(slice_first(buf_slice(&key), prefix.len), buf_slice(&prefix)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice rest = slice_of(data, size);
	struct cdx_line *line = cdx_line_new();
	must(line != NULL);
	n_pieces = 0;
	while (rest.len) {
		const struct slice text = split_line(&rest);
		static const char *const names[] = { "urlkey", "timestamp",     "mime",     "status",
						     "digest", "mime-detected", "filename", "offset" };
		struct error err = { 0 };
		const int status = cdx_line_read(line, text, &err);
		must((status < 0) == (status == DANA_EFORMAT) && (status > 0 || err.text[0]));
		if (status == CDX_RECORD) {
			look_at_place(line);
			for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
				is_wanted(line, names[i]);
			look_at_key(cdx_line_field(line, "url"));
		}
		look_at_key(text);
	}
	/* batch after batch */
	static struct piece_plan plan;
	for (size_t done = 0; done < n_pieces; done += plan.n) {
		bool seen[PIECES_MOST] = { false };
		must(piece_plan_make(&plan, pieces + done, n_pieces - done) == 0);
		must(plan.n > 0 && plan.n <= n_pieces - done);
		for (size_t i = 0; i < plan.n_spans; i++)
			look_at_span(&plan, &plan.spans[i], seen);
		for (size_t i = 0; i < plan.n; i++)
			must(seen[i]);
	}
	cdx_line_free(line);
	return 0;
}
