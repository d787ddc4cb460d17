/* SPDX-License-Identifier: MIT */
/*
 * Error pages with status 200 are daily life: object stores and proxies send XML or HTML in place of the file. No
 * archive, and no list of inputs, begins with '<'. The type alone decides nothing: many servers send archives with a
 * wrong one.
 *
 * Some servers mark x.warc.gz as "Content-Encoding: gzip" although its bytes are those of the file; others compress it
 * once more on the way, unasked. Only the compressed data shows which.
 */
#include "config.h"

#include <stdio.h>
#include <zlib.h>

#include "base/ascii.h"
#include "base/printable.h"
#include "io/net/reply.h"

static bool begins(struct slice s, const char *bytes, size_t n)
{
	return s.len >= n && memcmp(s.data, bytes, n) == 0;
}

static bool is_gzip(struct slice s)
{
	return begins(s, "\x1f\x8b", 2);
}

static bool is_zstd(struct slice s)
{
	return begins(s, "\x28\xb5\x2f\xfd", 4) ||
	       (s.len >= 4 && (s.data[0] & 0xf0) == 0x50 && memcmp(s.data + 1, "\x2a\x4d\x18", 3) == 0);
}

static bool is_archive(struct slice s)
{
	return is_gzip(s) || is_zstd(s) || begins(s, "WARC/", 5) || begins(s, "filedesc:", 9);
}

/* The two bytes that a gzip member begins with when it is decoded; false where too few of it are there. */
static bool inside_gzip(struct slice s, uint8_t out[2])
{
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)s.data,
		       .avail_in = (uInt)s.len,
		       .next_out = out,
		       .avail_out = 2 };

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return false;
	(void)inflate(&z, Z_SYNC_FLUSH);
	(void)inflateEnd(&z);
	return z.avail_out == 0;
}

static bool path_ends(const char *address, const char *suffix)
{
	size_t len = strcspn(address, "?#"), n = strlen(suffix);

	return len >= n && slice_equal_nocase(slice_of(address + len - n, n), slice_of(suffix, n));
}

/* Are the bytes those of the file, although the reply names a coding? */
static bool is_mislabelled(const struct reply *r, struct slice first, const char *address)
{
	struct slice coding = slice_from_text(r->coding);
	uint8_t inside[2];

	if (slice_is(coding, "zstd"))
		return path_ends(address, ".zst") && is_zstd(first);
	if (!slice_is(coding, "gzip") && !slice_is(coding, "x-gzip"))
		return false;
	if (!path_ends(address, ".gz") || !is_gzip(first))
		return false;
	return !inside_gzip(first, inside) || !is_gzip(slice_of(inside, 2));
}

/* The text between <NAME> and the next '<'; empty without them. */
static struct slice element(struct slice body, const char *tag)
{
	size_t n = strlen(tag);
	const uint8_t *at = body.len ? memmem(body.data, body.len, tag, n) : NULL;

	if (!at)
		return slice_of(NULL, 0);
	struct slice rest = slice_skip(body, (size_t)(at - body.data) + n);
	const uint8_t *end = rest.len ? memchr(rest.data, '<', rest.len) : NULL;
	return slice_of(rest.data, end ? (size_t)(end - rest.data) : 0);
}

bool reply_error_code(struct slice body, char *out, size_t size)
{
	struct slice code = element(body, "<Code>"), message = element(body, "<Message>");
	char text[REPLY_FIELD];

	if (code.len == 0)
		return false;
	(void)snprintf(text, sizeof(text), "%.*s%s%.*s", (int)slice_first(code, REPLY_FIELD).len,
		       (const char *)code.data, message.len ? ": " : "", (int)slice_first(message, REPLY_FIELD).len,
		       message.len ? (const char *)message.data : "");
	(void)printable(slice_from_text(text), out, size);
	return true;
}

static struct verdict judge_page(const struct reply *r, struct slice first)
{
	char code[REPLY_FIELD];

	if (reply_error_code(first, code, sizeof(code)))
		return reply_fault(FAULT_BUSY, "status %u with an error in place of the file (%s)", r->status, code);
	return reply_fault(FAULT_WRONG, "status %u with a page (HTML or XML) in place of the file", r->status);
}

struct verdict reply_judge_first(const struct reply *r, struct slice first, const char *address)
{
	struct slice text = slice_trim(first);
	struct slice type = slice_from_text(r->type);
	char shown[REPLY_FIELD];

	if (r->coding[0] && first.len && !is_mislabelled(r, first, address))
		return reply_fault(FAULT_WRONG, "the server applied a Content-Encoding that was not asked for: %s",
				   printable(slice_from_text(r->coding), shown, sizeof(shown)));
	if (text.len && text.data[0] == '<')
		return judge_page(r, first);
	if (first.len && !is_archive(first) && (slice_is(type, "text/html") || slice_is(type, "application/xml")))
		return reply_fault(FAULT_WRONG, "status %u with a body of type %s in place of the file", r->status,
				   printable(type, shown, sizeof(shown)));
	return (struct verdict){ .good = true };
}
