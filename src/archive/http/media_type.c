/* SPDX-License-Identifier: MIT */
/*
 * A server may send a PDF as text/html, so the signature of a binary format wins over the header; the header wins over
 * a body that looks like HTML; the body decides where the header is vague. Example: "%PDF-1.4" sent as text/html is
 * application/pdf; "<html>" sent as text/plain is text/html, sent as image/png it is image/png.
 *
 * Which types are vague is one table, and what HTML begins with is another: the list of the MIME Sniffing standard
 * (section 7.1), and more than it where a comment or an XML declaration comes first, since feeds and pictures may begin
 * so, too. Example: "<!-- x --><div>" is HTML, "<!-- x --><svg>" is not.
 */
#include "config.h"

#include "archive/http/media_type.h"

#include "archive/charset/detect.h"
#include "base/ascii.h"
#include "extract/html/tag.h"

static struct slice text(const char *s)
{
	return slice_from_text(s);
}

/* Returns whether `c` is a character of a token (RFC 9110, section 5.6.2). */
static bool is_token(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Returns type and subtype of one value; empty if they cannot be read. */
static struct slice essence_of(struct slice value)
{
	struct slice s = slice_trim(value);
	size_t slash = 0;
	size_t n = 0;
	for (; n < s.len; n++) {
		if (s.data[n] == '/' && !slash && n > 0)
			slash = n;
		else if (!is_token(s.data[n]))
			break;
	}
	/* After the subtype comes nothing or a parameter. */
	const bool ends = n == s.len || s.data[n] == ';' || ascii_is_space(s.data[n]);
	if (!slash || n == slash + 1 || !ends)
		return slice_of(NULL, 0);
	return slice_of(s.data, n);
}

/* Takes the first value off a list: up to a comma that is in no quoted string. */
static struct slice take_value(struct slice *list)
{
	bool quoted = false;
	size_t n = 0;
	for (; n < list->len && (quoted || list->data[n] != ','); n++) {
		if (list->data[n] == '"')
			quoted = !quoted;
		else if (quoted && list->data[n] == '\\')
			n++;
	}
	const struct slice value = slice_first(*list, n);
	*list = slice_skip(*list, n + 1);
	return value;
}

/*
 * The last value that can be read and is no wildcard (Fetch, "extract a MIME type"), and its charset, unless that is
 * NULL. A value without a charset takes the charset of the values before which have the same type and subtype. More
 * than the standard: in "text/html, charset=a" the charset counts.
 */
static struct slice read_header(struct slice content_type, struct slice *charset)
{
	const struct slice none = slice_of(NULL, 0);
	struct slice type = none, found = none, kept = none;
	for (struct slice list = content_type; list.len;) {
		const struct slice value = take_value(&list), essence = essence_of(value),
				   own = charset ? prescan_charset_parameter(value) : none;
		if (slice_is(essence, "*/*"))
			continue;
		if (essence.len == 0) {
			found = found.len ? found : own;
			continue;
		}
		if (!slice_equal_nocase(type, essence))
			kept = own;
		found = own.len ? own : kept;
		type = essence;
	}
	if (charset)
		*charset = found;
	return type;
}

struct slice media_type_of_header(struct slice content_type)
{
	return read_header(content_type, NULL);
}

struct slice media_type_charset(struct slice content_type)
{
	struct slice charset;
	(void)read_header(content_type, &charset);
	return charset;
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

/* Takes white space, comments and XML declarations off the front, and notes what there was. */
struct prolog {
	bool comment, xml;
	bool open; /* the last of them does not end in these bytes */
};

static struct slice skip_prolog(struct slice s, struct prolog *prolog)
{
	static const struct {
		const char *begin, *end;
		bool xml;
	} parts[] = { { "<!--", "-->", false }, { "<?xml", "?>", true } };
	enum { PARTS = sizeof(parts) / sizeof(*parts) };
	size_t i = 0;
	for (s = slice_trim(s); i < PARTS && !prolog->open; s = slice_trim(s)) {
		for (i = 0; i < PARTS && !begins(s, parts[i].begin, strlen(parts[i].begin)); i++) {
		}
		if (i == PARTS)
			continue;
		const size_t len = strlen(parts[i].end);
		const uint8_t *end = memmem(s.data, s.len, parts[i].end, len);
		prolog->xml |= parts[i].xml;
		prolog->comment |= !parts[i].xml;
		prolog->open = !end;
		s = end ? slice_skip(s, (size_t)(end - s.data) + len) : s;
	}
	return s;
}

/* Returns whether an element of HTML begins here. */
static bool begins_element(struct slice s)
{
	size_t n = 1;
	while (n < s.len && (ascii_is_alpha(s.data[n]) || ascii_is_digit(s.data[n])))
		n++;
	if (!begins(s, "<", 1) || (n < s.len && !html_ends_name(s.data[n])))
		return false;
	const enum html_tag tag = html_tag_find(slice_of(s.data + 1, n - 1));
	return tag != HTML_TAG_OTHER && tag != HTML_TAG_SVG && tag != HTML_TAG_MATH;
}

/* Returns whether the body begins as HTML. `xml`: it is sent as XML, where only the element html makes it so. */
static bool looks_like_html(struct slice first, bool xml)
{
	static const char *const tags[] = {
		"<!doctype html", "<html", "<head", "<body",  "<title", "<script", "<table", "<div", "<p", "<h1",
		"<iframe",        "<font", "<a",    "<style", "<b",     "<br"
	};
	enum { TAGS = sizeof(tags) / sizeof(*tags), OF_XML = 2 };
	struct prolog prolog = { .xml = xml };
	if (begins(first, "\xef\xbb\xbf", 3))
		first = slice_skip(first, 3);
	first = skip_prolog(first, &prolog);
	for (size_t i = 0; i < (prolog.xml ? OF_XML : TAGS); i++) {
		const size_t n = strlen(tags[i]);
		if (first.len < n || !slice_equal_nocase(slice_first(first, n), slice_of(tags[i], n)))
			continue;
		const uint8_t next = first.len > n ? first.data[n] : '>'; /* "<p" is not "<project" */
		if (html_ends_name(next))
			return true;
	}
	return prolog.comment && !prolog.xml && (prolog.open || first.len == 0 || begins_element(first));
}

bool media_type_begins_page(struct slice first)
{
	return looks_like_html(first, true);
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

/* What a media type says of the body. */
enum says {
	SAYS_TYPE,
	SAYS_TEXT,    /* it may be any text */
	SAYS_XML,     /* it may be XHTML */
	SAYS_BYTES,   /* it may be anything, and is a file to be saved */
	SAYS_NOTHING, /* as if it were missing */
};

/*
 * Types that servers send where they do not know better. The standard names unknown/unknown and application/unknown;
 * binary/octet-stream is what a large store sends by default, content/unknown what Java does; the others are in wide
 * use for application/octet-stream.
 */
static enum says what_says(struct slice type)
{
	static const struct {
		const char *type;
		enum says says;
	} vague[] = {
		{ "text/plain", SAYS_TEXT },
		{ "text/xml", SAYS_XML },
		{ "application/xml", SAYS_XML },
		{ "text/htm", SAYS_NOTHING },
		{ "application/xhtml", SAYS_NOTHING },
		{ "unknown/unknown", SAYS_NOTHING },
		{ "application/unknown", SAYS_NOTHING },
		{ "application/x-unknown", SAYS_NOTHING },
		{ "application/x-unknown-content-type", SAYS_NOTHING },
		{ "content/unknown", SAYS_NOTHING },
		{ "application/octet-stream", SAYS_BYTES },
		{ "application/x-octet-stream", SAYS_BYTES },
		{ "application/octetstream", SAYS_BYTES },
		{ "application/octet_stream", SAYS_BYTES },
		{ "application/octet-string", SAYS_BYTES },
		{ "binary/octet-stream", SAYS_BYTES },
		{ "text/octet-stream", SAYS_BYTES },
		{ "application/binary", SAYS_BYTES },
		{ "application/x-binary", SAYS_BYTES },
		{ "application/download", SAYS_BYTES },
		{ "application/x-download", SAYS_BYTES },
		{ "application/force-download", SAYS_BYTES },
		{ "application/x-force-download", SAYS_BYTES },
	};
	for (size_t i = 0; i < sizeof(vague) / sizeof(*vague); i++) {
		if (slice_is(type, vague[i].type))
			return vague[i].says;
	}
	return type.len ? SAYS_TYPE : SAYS_NOTHING;
}

bool media_type_may_be_text(struct slice content_type)
{
	static const char any_text[] = "text/";
	const struct slice type = media_type_of_header(content_type);
	const enum says says = what_says(type);
	return says == SAYS_TYPE
		       ? media_type_is_html(type) || slice_is(slice_first(type, sizeof(any_text) - 1), any_text)
		       : says != SAYS_BYTES;
}

struct slice media_type(struct slice content_type, struct slice payload_type, struct slice first)
{
	if (first.len > MEDIA_SNIFF_BYTES)
		first.len = MEDIA_SNIFF_BYTES;
	struct slice binary = binary_type(first);
	if (binary.len)
		return binary;
	const struct slice header = media_type_of_header(content_type);
	const enum says says = what_says(header);
	if (says == SAYS_TYPE)
		return header;
	if (looks_like_html(first, says == SAYS_XML))
		return text("text/html");
	const struct slice identified = media_type_of_header(payload_type);
	const bool counts = says == SAYS_XML ? media_type_is_html(identified) : says != SAYS_TEXT && identified.len;
	return counts ? identified : header;
}
