/* SPDX-License-Identifier: MIT */
/*
 * Every character of every charset of the web, and every pair of bytes that is not one: the digests are those of what
 * the Rust crate encoding_rs decodes, which shares nothing with this decoder but the standard.
 */
#include "config.h"

#include "archive/charset/convert.h"
#include "archive/charset/labels.h"
#include "base/buf.h"
#include "support/unit.h"

struct digest {
	struct byte_sink sink;
	uint64_t value;
};

/* FNV-1a. */
static int add(struct byte_sink *self, struct slice bytes)
{
	struct digest *d = (struct digest *)self;
	for (size_t i = 0; i < bytes.len; i++)
		d->value = (d->value ^ bytes.data[i]) * 0x100000001B3U;
	return 0;
}

static const struct byte_sink_ops digest_ops = { "digest", add, NULL };

static void expect_digest(const char *label, const struct buf *text, uint64_t wanted)
{
	struct digest digest = { { &digest_ops }, 0xCBF29CE484222325U };
	struct charset_convert *convert = charset_convert_new(&digest.sink);
	charset_convert_reset(convert, slice_from_text(label));
	assert_ok(charset_convert_write(convert, buf_slice(text)));
	assert_ok(charset_convert_finish(convert));
	if (digest.value != wanted)
		print_error("%s: 0x%016llX\n", label, (unsigned long long)digest.value);
	assert_true(digest.value == wanted);
	charset_convert_free(convert);
}

TEST(single_bytes)
{
	static const struct {
		const char *label;
		uint64_t digest;
	} rows[] = {
		{ "ibm866", 0x6FC4CF2C0AA85AC8U },         { "iso-8859-10", 0x43C0D1E92135AF5DU },
		{ "iso-8859-13", 0x3F3C4CA459AC7E2FU },    { "iso-8859-14", 0x36F4D808757FFDA3U },
		{ "iso-8859-15", 0xD99DBDF4AEAB238AU },    { "iso-8859-16", 0x946A5696C32729E4U },
		{ "iso-8859-2", 0x224C1E5D36383A08U },     { "iso-8859-3", 0x5A3FA2CBC57BB48DU },
		{ "iso-8859-4", 0x75A1C4E7C3409DEDU },     { "iso-8859-5", 0xA1D0C83C7B397675U },
		{ "iso-8859-6", 0x32A9E2ACE6150644U },     { "iso-8859-7", 0x99EA8973E6D4B533U },
		{ "iso-8859-8", 0x4205CB371FD35137U },     { "iso-8859-8-i", 0x4205CB371FD35137U },
		{ "koi8-r", 0xC01A0FAB3C87A287U },         { "koi8-u", 0xC49B1931544D86DBU },
		{ "macintosh", 0x63FD11B8FEFD2937U },      { "windows-1250", 0x720BF8D4D3A5999FU },
		{ "windows-1251", 0xD8622925E6FB5C27U },   { "windows-1252", 0xA8C8B9D72CCBD904U },
		{ "windows-1253", 0xD2BA830DC4967586U },   { "windows-1254", 0x0105BB1B6E6C628AU },
		{ "windows-1255", 0xFA9B9800D126E775U },   { "windows-1256", 0xB104A6889BDBB429U },
		{ "windows-1257", 0x4D741020592FB290U },   { "windows-1258", 0xE4E83D7145584655U },
		{ "windows-874", 0xCBA6D57F27FDDAB9U },    { "x-mac-cyrillic", 0x83DCCDFCB19A7A77U },
		{ "x-user-defined", 0x1B9698E76E3BB28FU },
	};
	AUTO_BUF text = { 0 };
	buf_append_text(&text, "<p>");
	for (unsigned byte = 1; byte < 256; byte++)
		buf_append_byte(&text, (uint8_t)byte);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_digest(rows[i].label, &text, rows[i].digest);
}

/* After `prefix` every two bytes of which the first is not ASCII, a line each. */
static void all_pairs(struct buf *text, const char *prefix)
{
	for (unsigned first = 0x80; first < 256; first++) {
		for (unsigned second = 0; second < 256; second++) {
			buf_append_text(text, prefix);
			buf_append_byte(text, (uint8_t)first);
			buf_append_byte(text, (uint8_t)second);
			buf_append_byte(text, '\n');
		}
	}
}

TEST(two_bytes)
{
	static const struct {
		const char *label;
		uint64_t digest;
	} rows[] = {
		{ "big5", 0x2D416AD49AE2D48CU },   { "euc-jp", 0x2FE313D4AE386955U },
		{ "euc-kr", 0x8ECB9143A2FFDC98U }, { "gb18030", 0xDA708651B4A997FEU },
		{ "gbk", 0xDA708651B4A997FEU },    { "shift_jis", 0xE6FF29BDBC847FE1U },
	};
	AUTO_BUF text = { 0 };
	all_pairs(&text, "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_digest(rows[i].label, &text, rows[i].digest);
	buf_clear(&text);
	all_pairs(&text, "\x8F");
	expect_digest("euc-jp", &text, 0xFED8505597B3603DU);
}

TEST(sets_of_iso_2022_jp)
{
	AUTO_BUF text = { 0 };
	for (unsigned first = 0x1C; first < 256; first++) {
		for (unsigned second = 0x1C; second < 256; second++) {
			buf_append_text(&text, "\x1B$B");
			buf_append_byte(&text, (uint8_t)first);
			buf_append_byte(&text, (uint8_t)second);
			buf_append_text(&text, "\x1B(I");
			buf_append_byte(&text, (uint8_t)second);
			buf_append_text(&text, "\x1B(J");
			buf_append_byte(&text, (uint8_t)second);
			buf_append_text(&text, "\x1B(B\n");
		}
	}
	expect_digest("iso-2022-jp", &text, 0x3427B3080A1F71E4U);
}

TEST(four_bytes)
{
	AUTO_BUF text = { 0 };
	for (uint32_t pointer = 0; pointer < 126 * 10 * 126 * 10; pointer += pointer < 40000 ? 1 : 7) {
		buf_append_byte(&text, (uint8_t)(0x81 + pointer / 12600));
		buf_append_byte(&text, (uint8_t)('0' + pointer / 1260 % 10));
		buf_append_byte(&text, (uint8_t)(0x81 + pointer / 10 % 126));
		buf_append_byte(&text, (uint8_t)('0' + pointer % 10));
	}
	expect_digest("gb18030", &text, 0x19336AEDDA0B5ADDU);
}

/* All labels, each once, in the order of their bytes. */
TEST(labels_come_in_order)
{
	const char *before = "";
	unsigned n = 0;
	for (const char *label = charset_next_label(""); label; label = charset_next_label(label), n++) {
		assert_true(strcmp(before, label) < 0);
		assert_non_null(charset_find(slice_from_text(label)));
		before = label;
	}
	assert_int_equal(n, 228);
}
