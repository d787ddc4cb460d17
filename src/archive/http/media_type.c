/* SPDX-License-Identifier: MIT */
/*
 * A server may send a PDF as text/html, so the signature of a binary format wins over the header; the header wins over
 * a body that looks like HTML; the body decides only if the header is vague. Example: "%PDF-1.4" sent as text/html is
 * application/pdf; "<html>" sent as text/plain is text/html, sent as image/png it is image/png.
 */
#include "archive/http/media_type.h"

#include "base/ascii.h"

static struct slice text(const char *s)
{
	return slice_from_text(s);
}

/* Returns whether `c` is a character of a token (RFC 9110, section 5.6.2). */
static bool is_token(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

struct slice media_type_of_header(struct slice content_type)
{
	struct slice s = slice_trim(content_type);
	size_t slash = 0;
	size_t n = 0;
	for (; n < s.len; n++) {
		if (s.data[n] == '/' && !slash && n > 0)
			slash = n;
		else if (!is_token(s.data[n]))
			break;
	}
	/* After the subtype comes nothing, a parameter, or the comma between two values that were joined. */
	bool ends = n == s.len || s.data[n] == ';' || s.data[n] == ',' || ascii_is_space(s.data[n]);
	if (!slash || n == slash + 1 || !ends)
		return slice_of(NULL, 0);
	return slice_of(s.data, n);
}

static bool begins(struct slice s, const char *magic, size_t len)
{
	return s.len >= len && memcmp(s.data, magic, len) == 0;
}

/* Returns the binary format of `first`, such as "application/pdf"; empty if it is not binary. */
static struct slice binary_type(struct slice first)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *type;
	} formats[] = {
		{ "%PDF-", 5, "application/pdf" },
		{ "\x89PNG\r\n\x1a\n", 8, "image/png" },
		{ "\xff\xd8\xff", 3, "image/jpeg" },
		{ "GIF87a", 6, "image/gif" },
		{ "GIF89a", 6, "image/gif" },
		{ "PK\x03\x04", 4, "application/zip" },
		{ "PK\x05\x06", 4, "application/zip" },
		{ "\x1f\x8b\x08", 3, "application/gzip" },
		{ "\x7f"
		  "ELF",
		  4, "application/x-elf" },
		{ "\0\1\0\0", 4, "font/ttf" },
		{ "OTTO", 4, "font/otf" },
		{ "ttcf", 4, "font/collection" },
		{ "wOFF", 4, "font/woff" },
		{ "wOF2", 4, "font/woff2" },
	};
	if (begins(first, "RIFF", 4)) {
		bool webp = first.len >= 12 && memcmp(first.data + 8, "WEBP", 4) == 0;
		return text(webp ? "image/webp" : "application/x-riff");
	}
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (begins(first, formats[i].magic, formats[i].len))
			return text(formats[i].type);
	}
	return slice_of(NULL, 0);
}

static bool looks_like_html(struct slice first)
{
	static const char *const tags[] = { "<!doctype html", "<html",  "<head", "<body", "<title",
					    "<script",        "<table", "<div",  "<p",    "<h1" };
	if (begins(first, "\xef\xbb\xbf", 3))
		first = slice_skip(first, 3);
	first = slice_trim(first);
	if (begins(first, "<!--", 4))
		return true;
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		const size_t n = strlen(tags[i]);
		if (first.len < n || !slice_equal_nocase(slice_first(first, n), slice_of(tags[i], n)))
			continue;
		const uint8_t next = first.len > n ? first.data[n] : '>'; /* "<p" is not "<project" */
		if (ascii_is_space(next) || next == '>' || next == '/')
			return true;
	}
	return false;
}

bool media_type_is_html(struct slice type)
{
#define COMMA ,
	static const char *const html[] = { MEDIA_HTML(COMMA) };
	for (size_t i = 0; i < sizeof(html) / sizeof(*html); i++) {
		if (slice_is(type, html[i]))
			return true;
	}
	return false;
}

bool media_type_is_text(struct slice type, bool *markdown)
{
	static const char *const texts[] = { MEDIA_TEXT(COMMA) };
	*markdown = slice_is(type, texts[1]);
	return *markdown || slice_is(type, texts[0]);
}

struct slice media_type(struct slice content_type, struct slice payload_type, struct slice first)
{
	if (first.len > MEDIA_SNIFF_BYTES)
		first.len = MEDIA_SNIFF_BYTES;
	struct slice binary = binary_type(first);
	if (binary.len)
		return binary;
	struct slice header = media_type_of_header(content_type);
	/* without a type, and where it is vague, the body decides */
	if (header.len && !slice_is(header, "text/plain") && !slice_is(header, "application/octet-stream"))
		return header;
	if (looks_like_html(first))
		return text("text/html");
	return header.len ? header : media_type_of_header(payload_type);
}
