/* SPDX-License-Identifier: MIT */
/* What is told of files that are no HTML pages, and that pages of all charsets pass. */
#include "config.h"

#include <zstd.h>

#include "archive/single_page.h"
#include "support/deflated.h"
#include "support/unit.h"

enum { SNIFFED = 512 };

struct file_case {
	const char *bytes;
	size_t len;
	const char *told; /* a part of it */
};

#define BYTES(text) (text), sizeof(text) - 1

static void assert_told(struct slice first, const char *told)
{
	const char *is = not_a_page(first);
	if (!is || !strstr(is, told))
		fail_msg("expected \"%s\", not \"%s\"", told, is ? is : "a page");
}

TEST(signatures_tell_the_kind_of_a_file)
{
	static const struct file_case cases[] = ROWS(
		{ BYTES("WARC/1.0\r\nWARC-Type: warcinfo\r\n"), "dana filter FILE" },
		{ BYTES("filedesc://a.arc 0.0.0.0 2008 text/plain 9\n"), "dana filter FILE" },
		{ BYTES("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), "pdftotext" }, { BYTES("\x89PNG\r\n\x1a\n"), "picture" },
		{ BYTES("\xff\xd8\xff\xe0"), "picture" }, { BYTES("GIF89a"), "picture" },
		{ BYTES("PK\x03\x04"), "unzip" }, { BYTES("wOFF\0\1\0\0"), "font" },
		{ BYTES("\x7f"
			"ELF\2\1\1"),
		  "program" },
		{ BYTES("7z\xbc\xaf\x27\x1c\0\4"), "7z x FILE" },
		{ BYTES("\xfd"
			"7zXZ\0\0\4"),
		  "xz -dc" },
		{ BYTES("BZh91AY&SY"), "bzip2 -dc" }, { BYTES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "office document" },
		{ BYTES("SQLite format 3\0"), "database" },
		{ BYTES("\0\0\0\x20"
			"ftypisom"),
		  "sound or film" },
		{ BYTES("OggS\0\2"), "sound or film" }, { BYTES("\x1a\x45\xdf\xa3\1"), "sound or film" },
		{ BYTES("ID3\2\0"), "sound or film" }, { BYTES("ID3\3\0"), "sound or film" },
		{ BYTES("ID3\4\0"), "sound or film" }, { BYTES("fLaC\0"), "sound or film" },
		{ BYTES("II*\0\10"), "picture" }, { BYTES("MM\0*\0"), "picture" },
		{ BYTES("Rar!\x1a\x07\0"), "unar FILE" }, { BYTES("{\\rtf1\\ansi"), "office document" },
		{ BYTES("%!PS-Adobe-3.0"), "PostScript" }, { BYTES("\1\2\3\4\5\6\7\10"), "a binary file" });
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_told(slice_of(cases[i].bytes, cases[i].len), cases[i].told);
}

/* A tar archive begins with the name of its first file. */
TEST(the_signature_of_tar_stands_far_inside)
{
	char head[SNIFFED] = "page.html";
	memcpy(head + 257, "ustar", 5);
	assert_told(slice_of(head, sizeof(head)), "tar -xf");
	assert_null(not_a_page(slice_of(head, 257 + 4))); /* cut before the signature's last byte */
}

TEST(compressed_archives_and_pages_ask_for_different_commands)
{
	static const char *const rows[][3] = { { "WARC/1.1\r\nWARC-Type: response\r\n", "dana filter FILE",
						 "dana filter FILE" },
					       { "<!doctype html><title>A page</title>", "gzip -dc FILE | dana extract",
						 "zstd -dc FILE | dana extract" } };
	for (size_t i = 0; i < 2; i++) {
		const struct slice bytes = slice_from_text(rows[i][0]);
		AUTO_BUF gzip = { 0 };
		uint8_t zstd[200];
		append_deflated(&gzip, bytes, 6, DEFLATED_GZIP);
		assert_told(buf_slice(&gzip), rows[i][1]);
		assert_told(slice_first(buf_slice(&gzip), 10), rows[1][1]); /* nothing of its data yet */
		const size_t len = ZSTD_compress(zstd, sizeof(zstd), bytes.data, bytes.len, 3);
		assert_false(ZSTD_isError(len));
		assert_told(slice_of(zstd, len), rows[i][2]);
	}
}

TEST(pages_of_all_charsets_pass)
{
	static const struct file_case cases[] = ROWS(
		{ BYTES(""), NULL }, { BYTES("<html><p>text"), NULL }, { BYTES("\xef\xbb\xbf<!doctype html>"), NULL },
		{ BYTES("\xff\xfe<\0h\0t\0m\0l\0>\0"), NULL }, { BYTES("\0\0\xfe\xff\0\0\0<\0\0\0p\0\0\0>"), NULL },
		{ BYTES("\x1b$B%Z!<%8\x1b(B and more \x1b$B%F%-%9%H\x1b(B"), NULL },
		{ BYTES("\xcf\xe5\xf0\xe5\xe2\xee\xe4"), NULL },
		{ BYTES("plain text with one \x07 bell and \x01 more"), NULL });
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_null(not_a_page(slice_of(cases[i].bytes, cases[i].len)));
}

/* One control character of 16 is still text. */
TEST(the_share_of_control_characters_has_an_edge)
{
	char page[SNIFFED];
	memset(page, 'a', sizeof(page));
	memset(page, 1, SNIFFED / 16);
	assert_null(not_a_page(slice_of(page, sizeof(page))));
	page[SNIFFED / 16] = 1;
	assert_told(slice_of(page, sizeof(page)), "a binary file");
}

TEST(names_of_pages_are_no_pages)
{
	static const char *const names[][2] =
		ROWS({ "http://a.example/", "a URL" }, { " HTTPS://a.example/b?c=d#e\r\n", "a URL" },
		     { "s3://bucket/key.warc.gz", "a URL" }, { "www.a.example", "a URL" }, { "page.html", "a file" },
		     { "/a folder/Page.XHTML\n", "a file" }, { "page.htm.gz", "a file" }, { ".html", "a file" },
		     { "paper.pdf", "a file" }, { "crawl.warc", "an archive" }, { "a.b/old.ARC.zst", "an archive" });
	static const char *const pages[] = { "",
					     /* neither an address nor a name */
					     " ", "words", "http://a.example/ and more", "www.", "http://",
					     "<p>page.html", "one\npage.html", "html", "page.html.", "notes.txt",
					     "page.gz", "gz", "mail@a.example" };
	char longest[4096 + 1];
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *is = name_of_a_page(slice_from_text(names[i][0]));
		if (!is || !strstr(is, names[i][1]))
			fail_msg("%s: %s", names[i][0], is ? is : "a page");
	}
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		assert_null(name_of_a_page(slice_from_text(pages[i])));
	memset(longest, 'a', sizeof(longest));
	memcpy(longest + sizeof(longest) - 5, ".html", 5);
	assert_non_null(name_of_a_page(slice_of(longest + 1, sizeof(longest) - 1)));
	assert_null(name_of_a_page(slice_of(longest, sizeof(longest))));
}
