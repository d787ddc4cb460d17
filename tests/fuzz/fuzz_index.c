/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: lines of indexes of archives (CDX, CDXJ) and the keys of URLs. The input is lines. Oracles: what is wrong is said; a
 * place fits into a file; a line is wanted by the value that it has; the beginning of a URL's key is that of the URL as a pattern.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "index/cdx_line.h"
#include "index/cdx_match.h"
#include "index/surt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

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

static void look_at_place(const struct cdx_line *line)
{
	struct slice file;
	struct error err = { 0 };
	uint64_t offset, length;
	const int status = cdx_line_place(line, &file, &offset, &length, &err);

	must(status == 0 || (status == DANA_EFORMAT && err.text[0]));
	must(status || (file.len > 0 && offset <= INT64_MAX && length <= INT64_MAX - offset));
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

static void look_at_line(struct cdx_line *line, struct slice text)
{
	static const char *const names[] = { "urlkey", "timestamp",     "mime",     "status",
					     "digest", "mime-detected", "filename", "offset" };
	struct error err = { 0 };
	const int status = cdx_line_read(line, text, &err);

	must((status < 0) == (status == DANA_EFORMAT) && (status > 0 || err.text[0]));
	if (status != CDX_RECORD)
		return;
	look_at_place(line);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		is_wanted(line, names[i]);
	look_at_key(cdx_line_field(line, "url"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice rest = slice_of(data, size);
	struct cdx_line *line = cdx_line_new();

	must(line != NULL);
	while (rest.len) {
		const uint8_t *end = memchr(rest.data, '\n', rest.len);
		const struct slice text = slice_first(rest, end ? (size_t)(end - rest.data) : rest.len);

		look_at_line(line, text);
		look_at_key(text);
		rest = slice_skip(rest, text.len + 1);
	}
	cdx_line_free(line);
	return 0;
}
