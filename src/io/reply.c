/* SPDX-License-Identifier: MIT */
/*
 * Judges replies of servers: whether one is what was requested, when to ask again, and when it is too slow.
 *
 * Exponential back-off with full jitter: the n-th wait is a random part of 1 s x 2^(n-1), at most 60 s; the first is
 * the whole second. A byte that arrives begins anew. Where there is a fault, time is lost from the byte before it (or
 * the beginning) to the byte after it; what is lost in all has a budget, and the last wait is cut to what is left of
 * it.
 *
 * Error pages with status 200 are daily life: object stores and proxies send XML or HTML in place of the file. No
 * archive, and no list of inputs, begins with '<'. The type alone decides nothing: many servers send archives with a
 * wrong one.
 *
 * Some servers mark x.warc.gz as "Content-Encoding: gzip" although its bytes are the file's; others compress it
 * once more on the way, unasked. Only the compressed data shows which.
 *
 * A reply is good when its body is the file that the first good reply was about, and begins at or before the wanted
 * byte: 206 with the range that was asked for, or 200, whose body begins at byte 0.
 *
 * All else is a fault, whose kind decides what may help. What good replies have said of length and version holds for
 * all later ones: one that contradicts is of another file, and one that has too little to be compared is not used.
 */
#include "config.h"

#include "io/reply.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/ascii.h"
#include "base/diagnostics.h"

static bool too_often(const struct retry *r, enum fault_kind kind)
{
	switch (kind) {
	case FAULT_DISTRUST:
	case FAULT_FINAL:
		return true;
	case FAULT_FORBIDDEN:
	case FAULT_CHANGED:
	case FAULT_ASTRAY:
		return r->of_kind[kind] >= RETRY_TWICE;
	case FAULT_WRONG:
	case FAULT_NO_HOST:
		return r->of_kind[kind] >= RETRY_WRONG;
	default:
		return false;
	}
}

void retry_waits(struct retry *r, uint64_t now)
{
	if (r->faults == 0)
		r->since = now;
}

uint64_t retry_left(const struct retry *r, uint64_t now)
{
	uint64_t lost = r->lost + (now - r->since);
	return lost < r->budget ? r->budget - lost : 0;
}

bool retry_failed(struct retry *r, enum fault_kind kind, uint64_t now, uint64_t asked, uint32_t random, uint64_t *wait)
{
	const uint64_t left = retry_left(r, now);
	r->faults++;
	r->of_kind[kind]++;
	if (too_often(r, kind) || left == 0 || asked > left)
		return false;
	const unsigned faults = r->faults;
	uint64_t most = RETRY_FIRST_MS;
	for (unsigned i = 1; i < faults && most < RETRY_MOST_MS; i++)
		most *= 2;
	if (most > RETRY_MOST_MS)
		most = RETRY_MOST_MS;
	*wait = faults <= 1 ? most : most * random >> 32;
	if (*wait < asked)
		*wait = asked;
	if (*wait > left)
		*wait = left;
	return true;
}

void retry_progress(struct retry *r, uint64_t now)
{
	if (r->faults > 0) {
		r->lost += now - r->since;
		r->faults = 0;
		memset(r->of_kind, 0, sizeof(r->of_kind));
	}
	r->since = now;
}

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

/* Is it the URL of a page, not of an archive or of a list? Then a page that comes is no error that passes. */
static bool is_pages_url(const char *address)
{
	static const char *const others[] = { ".warc", ".arc",  ".gz",    ".zst", ".wacz", ".zip",
					      ".cdx",  ".cdxj", ".paths", ".txt", ".open" };
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (path_ends(address, others[i]))
			return false;
	}
	return true;
}

/* Are the bytes the file's, although the reply names a coding? */
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

struct verdict reply_judge_first(const struct reply *r, struct slice first, const char *address)
{
	struct slice text = slice_trim(first);
	struct slice type = slice_from_text(r->type);
	char shown[REPLY_FIELD];
	const bool is_archive =
		is_gzip(first) || is_zstd(first) || begins(first, "WARC/", 5) || begins(first, "filedesc:", 9);
	const bool is_html = slice_is(type, "text/html") || slice_is(type, "application/xhtml+xml");
	const bool is_markup = text.len && text.data[0] == '<' && !reply_error_code(first, shown, sizeof(shown));
	if (is_pages_url(address) && (is_markup || (is_html && first.len && (r->coding[0] || !is_archive))))
		return reply_fault(FAULT_FINAL, "a page, not an archive: dana extract URL fetches it and finds its "
						"main text");
	if (r->coding[0] && first.len && !is_mislabelled(r, first, address))
		return reply_fault(FAULT_WRONG, "the server applied a Content-Encoding that dana did not accept: %s",
				   printable(slice_from_text(r->coding), shown, sizeof(shown)));
	if (text.len && text.data[0] == '<') {
		char code[REPLY_FIELD];
		if (reply_error_code(first, code, sizeof(code)))
			return reply_fault(FAULT_BUSY, "status %u with an error in place of the file (%s)", r->status,
					   code);
		return reply_fault(FAULT_WRONG, "status %u with a page (HTML or XML) in place of the file", r->status);
	}
	if (first.len && !is_archive && (slice_is(type, "text/html") || slice_is(type, "application/xml")))
		return reply_fault(FAULT_WRONG, "status %u with a body of type %s in place of the file", r->status,
				   printable(type, shown, sizeof(shown)));
	return (struct verdict){ .good = true };
}

/* No control characters: a value may be sent on, in If-Range. */
static void keep(char *to, size_t size, struct slice value)
{
	to[0] = '\0';
	if (value.len == 0 || value.len >= size)
		return;
	for (size_t i = 0; i < value.len; i++) {
		if (value.data[i] < 0x20 || value.data[i] == 0x7f)
			return;
	}
	memcpy(to, value.data, value.len);
	to[value.len] = '\0';
}

static bool take_number(struct slice *s, uint64_t *number)
{
	size_t digits = decimal_prefix(*s, number);
	*s = slice_skip(*s, digits);
	return digits > 0 && *number < UINT64_MAX;
}

static bool take_byte(struct slice *s, uint8_t byte)
{
	bool is = s->len && s->data[0] == byte;
	*s = slice_skip(*s, is);
	return is;
}

/* "bytes 0-9/20", "bytes 0-9/ *", and for a range outside of the file "bytes * /20" (without the blanks). */
static bool read_range(struct reply *r, struct slice value)
{
	static const char unit[] = "bytes ";
	const size_t n = sizeof(unit) - 1;
	uint64_t last;
	if (!slice_equal_nocase(slice_first(value, n), slice_of(unit, n)))
		return false;
	value = slice_trim(slice_skip(value, n));
	if (!take_byte(&value, '*')) {
		if (!take_number(&value, &r->range_from) || !take_byte(&value, '-') || !take_number(&value, &last) ||
		    last < r->range_from)
			return false;
		r->range_to = last + 1;
	}
	if (!take_byte(&value, '/'))
		return false;
	if (take_byte(&value, '*'))
		return value.len == 0 && r->range_to > 0;
	return take_number(&value, &r->range_total) && value.len == 0 && r->range_to <= r->range_total;
}

static void take_range(struct reply *r, struct slice value)
{
	r->range_from = r->range_to = 0;
	r->range_total = UINT64_MAX;
	r->has_range = read_range(r, value);
	r->bad_range = !r->has_range;
}

/* RFC 9110, section 8.6: fields that a proxy has joined by commas must be equal. */
static void take_length(struct reply *r, struct slice value)
{
	const struct slice one = slice_trim(slice_first(value, slice_until(value, ",")));
	bool good = decimal_number(one, UINT64_MAX - 1, &r->length);
	for (size_t n; good && (n = slice_until(value, ",")) < value.len;) {
		value = slice_skip(value, n + 1);
		good = slice_equal(slice_trim(slice_first(value, slice_until(value, ","))), one);
	}
	r->has_length = good;
	r->bad_length = !good;
}

static void take_etag(struct reply *r, struct slice value)
{
	keep(r->etag, sizeof(r->etag), value);
}

static void take_modified(struct reply *r, struct slice value)
{
	keep(r->modified, sizeof(r->modified), value);
}

static void take_type(struct reply *r, struct slice value)
{
	const uint8_t *end = value.len ? memchr(value.data, ';', value.len) : NULL;
	keep(r->type, sizeof(r->type), slice_trim(end ? slice_of(value.data, (size_t)(end - value.data)) : value));
}

/* Some object stores pass on "aws-chunked", which names how the file was sent to them. */
static void take_coding(struct reply *r, struct slice value)
{
	bool is_none = slice_is(value, "identity") || slice_is(value, "aws-chunked");
	keep(r->coding, sizeof(r->coding), is_none ? slice_of(NULL, 0) : value);
}

/*
 * Of a field that comes twice none is more right than the other, unless both mean the same. The media type of a file
 * decides nothing alone, and many servers send a second one: of these the last counts.
 */
static const struct {
	const char *name;
	void (*take)(struct reply *r, struct slice value);
	bool may_differ;
} fields[] = {
	{ "Content-Length", take_length, false },
	{ "Content-Range", take_range, false },
	{ "ETag", take_etag, false },
	{ "Last-Modified", take_modified, false },
	{ "Content-Encoding", take_coding, false },
	{ "Content-Type", take_type, true },
};

void reply_line(struct reply *r, struct slice line)
{
	const uint8_t *colon;
	if (slice_equal_nocase(slice_first(line, 5), slice_from_text("HTTP/"))) {
		/* "HTTP/1.1 206 Partial Content", "HTTP/2 200" */
		const uint8_t *space = memchr(line.data, ' ', line.len);
		uint64_t status = 0;
		*r = (struct reply){ .range_total = UINT64_MAX };
		if (space)
			(void)decimal_prefix(slice_skip(line, (size_t)(space - line.data) + 1), &status);
		r->status = status > 999 ? 0 : (unsigned)status;
		return;
	}
	r->over |= slice_trim(line).len == 0;
	if (r->over)
		return;
	colon = memchr(line.data, ':', line.len);
	if (!colon)
		return;
	struct slice name = slice_of(line.data, (size_t)(colon - line.data));
	struct slice value = slice_trim(slice_skip(line, name.len + 1));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (slice_is(name, fields[i].name)) {
			const unsigned bit = 1U << i;
			struct reply before;
			memcpy(&before, r, sizeof(before));
			fields[i].take(r, value);
			if ((r->seen & bit) && !fields[i].may_differ && memcmp(&before, r, sizeof(before)) != 0 &&
			    !r->differs)
				r->differs = fields[i].name;
			r->seen |= bit;
		}
	}
}

/* Returns the total length of the file according to the reply; UINT64_MAX if it is not known. */
static uint64_t total_of(const struct reply *r)
{
	if (r->status == 200)
		return r->has_length ? r->length : UINT64_MAX;
	return r->has_range ? r->range_total : UINT64_MAX;
}

void identity_take(struct identity *id, const struct reply *r)
{
	if (!id->known) {
		*id = (struct identity){ .known = true, .total = UINT64_MAX };
		memcpy(id->coding, r->coding, sizeof(id->coding));
	}
	if (id->total == UINT64_MAX)
		id->total = total_of(r);
	if (!id->etag[0])
		memcpy(id->etag, r->etag, sizeof(id->etag));
	if (!id->modified[0])
		memcpy(id->modified, r->modified, sizeof(id->modified));
}

/* RFC 9110, section 13.1.5: an entity tag must be a strong one. */
const char *identity_condition(const struct identity *id)
{
	return id->etag[0] == '"' ? id->etag : id->modified;
}

struct verdict reply_fault(enum fault_kind kind, const char *format, ...)
{
	struct verdict v = { .kind = kind };
	va_list args;
	va_start(args, format);
	(void)vsnprintf(v.text, sizeof(v.text), format, args);
	va_end(args);
	return v;
}

static struct verdict changed(const char *what, const char *was, const char *is)
{
	char shown_was[REPLY_FIELD], shown_is[REPLY_FIELD];
	return reply_fault(FAULT_CHANGED, "the file on the server has changed: %s was %s, is %s", what,
			   printable(slice_from_text(was), shown_was, sizeof(shown_was)),
			   printable(slice_from_text(is), shown_is, sizeof(shown_is)));
}

/* The mark of a weak tag does not count: both forms name the same version. */
static const char *opaque(const char *etag)
{
	return strncmp(etag, "W/", 2) == 0 ? etag + 2 : etag;
}

static uint64_t known_total(const struct identity *id)
{
	return id->known ? id->total : UINT64_MAX;
}

static struct verdict judge_identity(const struct reply *r, const struct identity *id)
{
	uint64_t total = total_of(r);
	if (id->known && !slice_equal_nocase(slice_from_text(r->coding), slice_from_text(id->coding)))
		return reply_fault(FAULT_WRONG, "the server applied a Content-Encoding that it had not applied before");
	if (id->known && r->etag[0] && id->etag[0] && strcmp(opaque(r->etag), opaque(id->etag)) != 0)
		return changed("ETag", id->etag, r->etag);
	if (id->known && r->modified[0] && id->modified[0] && strcmp(r->modified, id->modified) != 0)
		return changed("Last-Modified", id->modified, r->modified);
	if (total != UINT64_MAX && known_total(id) != UINT64_MAX && total != id->total)
		return reply_fault(FAULT_CHANGED,
				   "the file on the server has changed: its length was %" PRIu64 ", is %" PRIu64,
				   id->total, total);
	return (struct verdict){ .good = true };
}

static struct verdict judge_status(unsigned status)
{
	static const struct {
		unsigned status;
		enum fault_kind kind;
		const char *name;
	} rows[] = {
		{ 401, FAULT_FINAL, " (needs credentials)" },
		{ 403, FAULT_FORBIDDEN, " (forbidden)" },
		{ 404, FAULT_FINAL, " (not found)" },
		{ 408, FAULT_BUSY, "" },
		{ 410, FAULT_FINAL, " (gone)" },
		{ 425, FAULT_BUSY, "" },
		{ 429, FAULT_BUSY, " (too many requests)" },
		{ 500, FAULT_BUSY, " (internal error)" },
		{ 501, FAULT_FINAL, "" },
		{ 502, FAULT_BUSY, " (bad gateway)" },
		{ 503, FAULT_BUSY, " (unavailable)" },
		{ 504, FAULT_BUSY, " (gateway timeout)" },
		{ 505, FAULT_FINAL, "" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].status == status)
			return reply_fault(rows[i].kind, "status %u%s", status, rows[i].name);
	}
	return reply_fault(status >= 500                  ? FAULT_BUSY
			   : status >= 300 || status == 0 ? FAULT_FINAL
							  : FAULT_WRONG,
			   "status %u", status);
}

struct verdict reply_judge(const struct reply *r, const struct wish *wish)
{
	bool range_wanted = wish->from > 0 || wish->to != UINT64_MAX;
	bool about_file = r->status == 200 || r->status == 206 || r->status == 416;
	if (about_file && r->differs)
		return reply_fault(FAULT_WRONG, "status %u with two fields %s that differ", r->status, r->differs);
	if (about_file && r->bad_length)
		return reply_fault(FAULT_WRONG, "status %u with a Content-Length that cannot be read", r->status);
	if (r->bad_range && r->status != 200)
		return reply_fault(FAULT_WRONG, "status %u with a Content-Range that cannot be read", r->status);
	if (r->status == 200) {
		const struct identity *id = wish->identity;
		struct verdict v = judge_identity(r, id);
		if (!v.good)
			return v;
		if (!r->has_length && known_total(id) != UINT64_MAX &&
		    !((r->etag[0] && id->etag[0]) || (r->modified[0] && id->modified[0])))
			return reply_fault(FAULT_WRONG,
					   "status 200 without a length or a version to compare with the earlier ones");
		v.at_end = wish->may_be_outside && r->has_length && wish->from > r->length;
		if (r->has_length && wish->from > r->length && !v.at_end)
			return reply_fault(FAULT_CHANGED,
					   "the file on the server has %" PRIu64 " bytes, fewer than were read",
					   r->length);
		v.skip = wish->from;
		v.end = r->has_length ? r->length : known_total(id);
		return v;
	}
	if (r->status == 206 && range_wanted) {
		if (!r->has_range)
			return reply_fault(FAULT_WRONG, "status 206 without a Content-Range that can be read");
		if (r->range_from != wish->from || r->range_to > wish->to || r->range_to == 0)
			return reply_fault(FAULT_WRONG,
					   "status 206 with another range than requested: bytes %" PRIu64 " to %" PRIu64
					   " instead of from %" PRIu64,
					   r->range_from, r->range_to - (r->range_to > 0), wish->from);
		if (r->has_length && r->length != r->range_to - r->range_from)
			return reply_fault(FAULT_WRONG, "status 206 with a Content-Length that differs from its range");
		const struct slice type = slice_from_text(r->type);
		if (wish->from > 0 &&
		    (slice_is(type, "text/html") || slice_is(type, "application/xml") || slice_is(type, "text/xml")))
			return reply_fault(FAULT_WRONG, "status 206 with a page of type %s in place of the file",
					   r->type);
		struct verdict v = judge_identity(r, wish->identity);
		if (v.good && r->range_to > known_total(wish->identity))
			return reply_fault(FAULT_CHANGED,
					   "the file on the server has changed: its length was %" PRIu64
					   ", and a range ends at %" PRIu64,
					   wish->identity->total, r->range_to);
		v.end = r->range_to;
		return v;
	}
	if (r->status == 416 && range_wanted) {
		/* The range lies outside of the file: it does so where the file ends exactly at `from`, or is empty. */
		struct verdict v = judge_identity(r, wish->identity);

		if (!v.good)
			return v;
		if (r->has_range && r->range_to == 0 &&
		    (r->range_total == wish->from || (wish->may_be_outside && r->range_total < wish->from))) {
			v.at_end = true;
			v.end = wish->from;
			return v;
		}
		if (r->has_range && r->range_to == 0)
			return reply_fault(FAULT_CHANGED,
					   "the file on the server has %" PRIu64 " bytes, and byte %" PRIu64
					   " is wanted",
					   r->range_total, wish->from);
		return reply_fault(FAULT_WRONG, "status 416 (range refused) for byte %" PRIu64, wish->from);
	}
	return judge_status(r->status);
}
