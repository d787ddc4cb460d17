/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/wget2/records.h"

#include <sys/random.h>
#include <time.h>

#include "archive/warc/writer.h"
#include "base/ascii.h"
#include "base/digest/sha1.h"
#include "base/status.h"

enum { FIELDS_MOST = 12, DIGEST_TEXT = sizeof("sha1:") + SHA1_BASE32 };

#define WARC_VERSION "WARC/1.1"
#define MOVED "X-Crawler-"

struct fields {
	struct field items[FIELDS_MOST];
	size_t n;
};

static void add(struct fields *f, const char *name, struct slice value)
{
	f->items[f->n++] = (struct field){ slice_from_text(name), value };
}

static void add_text(struct fields *f, const char *name, const char *value)
{
	add(f, name, slice_from_text(value));
}

/* Writes a random UUID (RFC 4122, section 4.4). */
static int make_id(char id[RECORDS_ID])
{
	static const char digits[] = "0123456789abcdef";
	static const char form[] = "<urn:uuid:xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx>";
	uint8_t random[RECORDS_ID];
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return DANA_EIO;
	memcpy(id, form, sizeof(form));
	for (size_t i = sizeof("<urn:uuid:") - 1; id[i]; i++) {
		if (id[i] == 'x')
			id[i] = digits[random[i] & 15];
		else if (id[i] == 'y')
			id[i] = digits[8 + (random[i] & 3)];
	}
	return DANA_OK;
}

int records_begin(struct records_origin *origin, const char *warcinfo_id)
{
	time_t now = time(NULL);
	struct tm utc;
	origin->warcinfo_id = warcinfo_id;
	(void)gmtime_r(&now, &utc);
	(void)strftime(origin->date, sizeof(origin->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return make_id(origin->id);
}

static int make_digest(struct slice bytes, char text[DIGEST_TEXT])
{
	uint8_t digest[SHA1_BYTES];
	int status = sha1(bytes, digest);
	memcpy(text, "sha1:", sizeof("sha1:"));
	if (status == DANA_OK)
		sha1_base32(digest, text + sizeof("sha1:") - 1);
	return status;
}

/* ---- the head of a response ---- */

static bool take_line(struct slice *rest, struct slice *line)
{
	const uint8_t *end = rest->len ? memchr(rest->data, '\n', rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->data) : rest->len;
	*line = slice_first(*rest, len);
	*rest = slice_skip(*rest, end ? len + 1 : len);
	if (line->len && line->data[line->len - 1] == '\r')
		line->len--;
	return line->len > 0;
}

static bool is_named(struct slice line, const char *name)
{
	size_t len = strlen(name);
	return line.len > len && line.data[len] == ':' && slice_is(slice_first(line, len), name);
}

static bool says_length(struct slice line, size_t len)
{
	uint64_t said = 0;
	struct slice value = slice_trim(slice_skip(line, sizeof("Content-Length:") - 1));
	for (size_t i = 0; i < value.len && ascii_is_digit(value.data[i]) && said <= SIZE_MAX / 10; i++)
		said = said * 10 + (uint64_t)(value.data[i] - '0');
	return said == len;
}

/* Returns whether the body is still compressed because wget2 has not undone its coding. */
static bool is_coded(struct slice body)
{
	return body.len > 2 && body.data[0] == 0x1f && body.data[1] == 0x8b;
}

static void put_head(struct slice head, struct slice body, struct buf *out)
{
	struct slice line;
	bool has_length = false;
	while (take_line(&head, &line)) {
		bool is_length = is_named(line, "Content-Length");
		bool right = is_length && says_length(line, body.len);
		bool coding = is_named(line, "Content-Encoding") && !is_coded(body);
		if ((is_length && !right) || coding || is_named(line, "Transfer-Encoding"))
			buf_append_text(out, MOVED);
		buf_append(out, line.data, line.len);
		buf_append_text(out, "\r\n");
		has_length |= right;
	}
	if (!has_length)
		buf_printf(out, "Content-Length: %zu\r\n", body.len);
	buf_append_text(out, "\r\n");
}

/* ---- records ---- */

static int write_record(const struct fields *f, struct slice block, struct buf *out)
{
	const struct warc_output record = { WARC_VERSION, f->items, f->n, block };
	return warc_write(out, &record);
}

static int add_digests(struct fields *f, struct slice block, struct slice payload, char text[2][DIGEST_TEXT])
{
	int status = make_digest(block, text[0]);
	if (status == DANA_OK)
		status = make_digest(payload, text[1]);
	add_text(f, "WARC-Block-Digest", text[0]);
	add_text(f, "WARC-Payload-Digest", text[1]);
	return status;
}

int records_response(const struct records_origin *origin, const struct download *d, struct buf *out)
{
	struct fields f = { .n = 0 };
	struct buf block = { 0 };
	char digests[2][DIGEST_TEXT];
	int status = DANA_OK;
	if (d->has_heads)
		put_head(d->heads.response, d->body, &block);
	buf_append(&block, d->body.data, d->body.len);
	add_text(&f, "WARC-Type", d->has_heads ? "response" : "resource");
	add(&f, "WARC-Target-URI", d->url);
	add_text(&f, "WARC-Date", origin->date);
	add_text(&f, "WARC-Record-ID", origin->id);
	if (origin->warcinfo_id) {
		add_text(&f, "WARC-Warcinfo-ID", origin->warcinfo_id);
		status = add_digests(&f, buf_slice(&block), d->body, digests);
	}
	if (d->body_cut)
		add_text(&f, "WARC-Truncated", "length");
	add_text(&f, "Content-Type", d->has_heads ? "application/http; msgtype=response" : "application/octet-stream");
	if (status == DANA_OK)
		status = buf_status(&block);
	if (status == DANA_OK)
		status = write_record(&f, buf_slice(&block), out);
	buf_free(&block);
	return status;
}

int records_request(const struct records_origin *origin, const struct download *d, struct buf *out)
{
	struct fields f = { .n = 0 };
	char id[RECORDS_ID];
	int status = make_id(id);
	add_text(&f, "WARC-Type", "request");
	add(&f, "WARC-Target-URI", d->url);
	add_text(&f, "WARC-Date", origin->date);
	add_text(&f, "WARC-Record-ID", id);
	add_text(&f, "WARC-Concurrent-To", origin->id);
	add_text(&f, "WARC-Warcinfo-ID", origin->warcinfo_id);
	add_text(&f, "Content-Type", "application/http; msgtype=request");
	return status < 0 ? status : write_record(&f, d->heads.request, out);
}

int records_warcinfo(const struct records_origin *origin, const char *file, struct buf *out)
{
	static const char block[] =
		"software: " PACKAGE_NAME "/" PACKAGE_VERSION " (plugin of wget2)\r\n"
		"format: WARC File Format 1.1\r\n"
		"conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
		"description: bodies without transfer and content codings; IP addresses are not known\r\n";
	struct fields f = { .n = 0 };
	const char *slash = strrchr(file, '/');
	add_text(&f, "WARC-Type", "warcinfo");
	add_text(&f, "WARC-Date", origin->date);
	add_text(&f, "WARC-Record-ID", origin->id);
	add_text(&f, "WARC-Filename", slash ? slash + 1 : file);
	add_text(&f, "Content-Type", "application/warc-fields");
	return write_record(&f, slice_from_text(block), out);
}
