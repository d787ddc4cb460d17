/* SPDX-License-Identifier: MIT */
#include "archive/charset/detect.h"
#include "support/unit.h"

static void expect(const char *page, const char *name)
{
	const struct charset *found = prescan_page(slice_from_text(page));
	if (!found || !name)
		assert_true(!found && !name);
	else
		assert_string_equal(found->name, name);
}

TEST(test_meta)
{
	expect("<html><head><meta charset=koi8-r>", "koi8-r");
	expect("<META\tCHARSET = 'UTF8' >", "utf-8");
	expect("<meta/charset=\"gbk\"/>", "gbk");
	expect("<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>", "windows-1251");
	expect("<meta content=\"text/html;charset=euc-kr\" http-equiv='content-type'>", "euc-kr");
	expect("<meta content=\"text/html;charset=euc-kr\">", NULL);
	expect("<meta name=description content='charset=euc-kr'>", NULL);
	expect("<meta charset=utf-16>", "utf-8");
	expect("<meta charset=utf-16be>", "utf-8");
	expect("<meta charset=x-user-defined>", "windows-1252");
	expect("<meta charset=nonsense><meta charset=big5>", "big5");
	expect("<metax charset=big5>", NULL);
	expect("<meta charset=big5", "big5");
	expect("<meta", NULL);
	expect("", NULL);
}

TEST(test_not_meta)
{
	expect("<!-- <meta charset=big5> --><meta charset=gbk>", "gbk");
	expect("<!--><meta charset=big5>-->", "big5");
	expect("<!-- <meta charset=big5>", NULL);
	expect("<a title='<meta charset=big5>'><meta charset=gbk>", "gbk");
	expect("</a title='<meta charset=big5>'><meta charset=gbk>", "gbk");
	expect("<!doctype '<'><meta charset=gbk>", "gbk");
	expect("<?php x ?><meta charset=gbk>", "gbk");
	expect("a < b <3 </> <meta charset=gbk>", "gbk");
	expect("<p =x==y \"><meta charset=gbk>", "gbk");
}

TEST(test_xml)
{
	expect("<?xml version='1.0' encoding='euc-jp'?><html>", "euc-jp");
	expect("<?xml version='1.0' encoding = \"utf-16\"?><html>", "utf-8");
	expect("<?xml version='1.0' encoding='euc-jp'?><meta charset=gbk>", "gbk");
	expect("<?xml version='1.0'?><p>encoding='gbk'", NULL);
	expect(" <?xml version='1.0' encoding='euc-jp'?>", NULL);
}

TEST(test_labels)
{
	static const char *const rows[][2] = {
		{ "866", "ibm866" },          { "l5", "windows-1254" },       { "ANSI_X3.4-1968", "windows-1252" },
		{ "x-x-big5", "big5" },       { "unicode", "utf-16le" },      { "csiso2022kr", "replacement" },
		{ "\f ms932 ", "shift_jis" }, { "x-cp1258", "windows-1258" }, { "iso-8859-1", "windows-1252" },
		{ "tis-620", "windows-874" }, { "x-unicode20utf8", "utf-8" }, { "unicode-1-1-utf-8", "utf-8" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(charset_find(slice_from_text(rows[i][0]))->name, rows[i][1]);
	assert_string_equal(charset_find(slice_from_text("EUC_KR"))->name, "euc-kr");
	assert_null(charset_find(slice_from_text("utf-7")));
	assert_null(charset_find(slice_from_text("")));
	assert_null(charset_find(slice_of("gbk\0x", 5)));
	assert_null(charset_find(slice_from_text("a label much longer than all of the standard's")));
}
