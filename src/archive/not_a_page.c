/* SPDX-License-Identifier: MIT */
/*
 * Signatures come first; in gzip or zstd data the first decoded bytes decide, because a compressed page and a
 * compressed archive need different commands. Last come bytes that do not occur in text of any charset: more than one
 * in 16 means another binary file. Zero bytes are not counted: UTF-16 and UTF-32 are half or three quarters of them.
 */
#include "config.h"

#include "archive/not_a_page.h"

#include "archive/codec/codecs.h"
#include "archive/http/media_type.h"
#include "base/ascii.h"
#include "base/url_parts.h"

#define ARCHIVE "an archive (WARC or ARC), not one HTML page: dana filter FILE finds the main text of all its pages"
#define PICTURE "a picture, not an HTML page: tesseract FILE - reads text in it"
#define OFFICE "an office document, not an HTML page: soffice --convert-to html FILE makes a page of it"
#define UNPACK "not an HTML page: unpack it, and give the pages in it"

enum { INSIDE_BYTES = 16, NAME_MOST = 4096, BINARY_SHARE = 16, BINARY_LEAST = 4, WINDOW = 8 << 20 };

struct signature {
	const char *bytes;
	size_t at, len;
	const char *is;
};

static bool has(struct slice s, size_t at, const char *bytes, size_t len)
{
	return s.len >= at + len && memcmp(s.data + at, bytes, len) == 0;
}

static bool begins_archive(struct slice first)
{
	return has(first, 0, "WARC/", 5) || has(first, 0, "filedesc://", 11);
}

/* Decodes the first bytes of compressed data. Returns false if it cannot be decoded. */
static bool decode_start(const struct codec_ops *ops, struct slice first, uint8_t *bytes, struct codec_out *out)
{
	const struct codec_limits limits = { .window = WINDOW };
	struct codec *c = ops->open(&limits);
	struct codec_in in = { first.data, first.len, 0 };
	int result = CODEC_SKIPPED;
	*out = (struct codec_out){ bytes, INSIDE_BYTES, 0 };
	while (c && result == CODEC_SKIPPED) /* a frame with a dictionary may come before */
		result = ops->step(c, &in, out, false);
	if (c)
		ops->close(c);
	return out->pos > 0;
}

/*
 * Returns what compressed data is. If a zstd dictionary frame is longer than `first`, the file can only be an archive.
 */
static const char *compressed(const struct codec_ops *ops, struct slice first)
{
	uint8_t bytes[INSIDE_BYTES];
	struct codec_out inside;
	bool gzip = ops == &codec_gzip;
	if (!decode_start(ops, first, bytes, &inside))
		return gzip ? "gzip data, not an HTML page: gzip -dc FILE | dana extract"
			    : "zstd data, not an HTML page: dana filter FILE if it is an archive, else zstd -dc FILE | "
			      "dana extract";
	if (begins_archive(slice_of(bytes, inside.pos)))
		return ARCHIVE;
	return gzip ? "compressed: gzip -dc FILE | dana extract takes it"
		    : "compressed: zstd -dc FILE | dana extract takes it";
}

static const char *by_media_type(struct slice type)
{
	if (type.len == 0 || slice_is(type, "text/html"))
		return NULL;
	if (slice_is(type, "application/pdf"))
		return "a PDF, not an HTML page: pdftotext FILE makes text of it";
	if (slice_is(type, "application/zip"))
		return "a zip archive, " UNPACK " (unzip FILE)";
	if (type.len > 6 && memcmp(type.data, "image/", 6) == 0)
		return PICTURE;
	if (type.len > 5 && memcmp(type.data, "font/", 5) == 0)
		return "a font, not an HTML page";
	return slice_is(type, "application/x-elf") ? "a program, not an HTML page" : "sound or film, not an HTML page";
}

static const char *by_signature(struct slice first)
{
	static const struct signature signatures[] = {
		{ "ustar", 257, 5, "a tar archive, " UNPACK " (tar -xf FILE)" },
		{ "7z\xbc\xaf\x27\x1c", 0, 6, "a 7z archive, " UNPACK " (7z x FILE)" },
		{ "\xfd"
		  "7zXZ\0",
		  0, 6, "compressed: xz -dc FILE | dana extract takes it, or dana filter if it is an archive" },
		{ "BZh", 0, 3,
		  "compressed: bzip2 -dc FILE | dana extract takes it, or dana filter if it is an archive" },
		{ "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, 8, OFFICE },
		{ "SQLite format 3\0", 0, 16, "a database, not an HTML page" },
		{ "Rar!\x1a\x07", 0, 6, "a RAR archive, " UNPACK " (unar FILE)" },
		{ "{\\rtf", 0, 5, OFFICE },
		{ "%!PS-", 0, 5, "PostScript, not an HTML page: ps2txt FILE makes text of it" },
		{ "II*\0", 0, 4, PICTURE },
		{ "MM\0*", 0, 4, PICTURE },
		{ "ftyp", 4, 4, "sound or film, not an HTML page" },
		{ "\x1a\x45\xdf\xa3", 0, 4, "sound or film, not an HTML page" },
		{ "ID3\2", 0, 4, "sound or film, not an HTML page" },
		{ "ID3\3", 0, 4, "sound or film, not an HTML page" },
		{ "ID3\4", 0, 4, "sound or film, not an HTML page" },
		{ "fLaC", 0, 4, "sound or film, not an HTML page" },
		{ "OggS\0", 0, 5, "sound or film, not an HTML page" },
	};
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		const struct signature *s = &signatures[i];
		if (has(first, s->at, s->bytes, s->len))
			return s->is;
	}
	return NULL;
}

/* Counts control characters other than white space and escape (ISO-2022). */
static bool is_binary(struct slice first)
{
	first = slice_first(first, MEDIA_SNIFF_BYTES);
	size_t n = 0;
	for (size_t i = 0; i < first.len; i++) {
		uint8_t c = first.data[i];
		n += (c >= 1 && c < '\t') || c == '\v' || (c > '\r' && c < ' ' && c != 0x1b);
	}
	return n >= BINARY_LEAST && n * BINARY_SHARE > first.len;
}

const char *not_a_page(struct slice first)
{
	const struct slice none = { NULL, 0 };
	bool need_more;
	if (begins_archive(first))
		return ARCHIVE;
	const struct codec_ops *ops = codec_detect(first, &need_more);
	if (ops)
		return compressed(ops, first);
	const char *is = by_media_type(media_type(none, none, first));
	if (!is)
		is = by_signature(first);
	return is || !is_binary(first) ? is : "a binary file, not an HTML page";
}

static bool has_space(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (ascii_is_space(s.data[i]))
			return true;
	}
	return false;
}

static bool is_address(struct slice name)
{
	const size_t scheme = url_parts(name).scheme.len;
	return !has_space(name) &&
	       ((scheme && name.len > scheme) || (name.len > 4 && slice_is(slice_first(name, 4), "www.")));
}

/* Takes the ending after the last dot off, if it is one of a list that NULL ends. */
static bool take_ending(struct slice *name, const char *const *endings)
{
	const uint8_t *dot = name->len ? memrchr(name->data, '.', name->len) : NULL;
	const size_t at = dot ? (size_t)(dot - name->data) : name->len;
	while (dot && *endings && !slice_is(slice_skip(*name, at + 1), *endings))
		endings++;
	if (!dot || !*endings)
		return false;
	name->len = at;
	return true;
}

const char *name_of_a_page(struct slice text)
{
	static const char *const packed[] = { "gz", "zst", "bz2", "xz", NULL };
	static const char *const archives[] = { "warc", "arc", "wacz", NULL };
	static const char *const pages[] = { "htm", "html", "xhtml", "shtml", "mht", "mhtml", "pdf", NULL };
	struct slice name = slice_trim(text);
	if (text.len > NAME_MOST || name.len == 0 || memchr(name.data, '<', name.len))
		return NULL;
	if (is_address(name))
		return "an address, not an HTML page: fetch it, and give what comes";
	if (memchr(name.data, '\n', name.len))
		return NULL;
	(void)take_ending(&name, packed);
	if (take_ending(&name, archives))
		return "the name of an archive, not an HTML page: dana filter FILE finds the main text of all its "
		       "pages";
	return take_ending(&name, pages) ? "the name of a file, not an HTML page: read it, and give its bytes" : NULL;
}
