/* SPDX-License-Identifier: MIT */
#include "archive/charset/detect.h"
#include "support/unit.h"

/* Each of the pages has that charset; NULL: none. */
static void expect(const char *name, const char *const *pages)
{
	for (; *pages; pages++) {
		const struct charset *found = prescan_page(slice_from_text(*pages));
		if (found ? !name || strcmp(found->name, name) != 0 : name != NULL)
			fail_msg("%s in %s", found ? found->name : "nothing", *pages);
	}
}

TEST(test_meta)
{
	expect("koi8-r", TEXTS("<html><head><meta charset=koi8-r>"));
	expect("utf-8", TEXTS("<META\tCHARSET = 'UTF8' >", "<meta charset=utf-16>", "<meta charset=utf-16be>"));
	expect("gbk", TEXTS("<meta/charset=\"gbk\"/>"));
	expect("windows-1251", TEXTS("<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>"));
	expect("euc-kr", TEXTS("<meta content=\"text/html;charset=euc-kr\" http-equiv='content-type'>"));
	expect("windows-1252", TEXTS("<meta charset=x-user-defined>"));
	expect("big5", TEXTS("<meta charset=nonsense><meta charset=big5>", "<meta charset=big5"));
	expect(NULL, TEXTS("<meta content=\"text/html;charset=euc-kr\">",
			   "<meta name=description content='charset=euc-kr'>", "<metax charset=big5>", "<meta", ""));
}

TEST(test_not_meta)
{
	expect("big5", TEXTS("<!--><meta charset=big5>-->"));
	expect(NULL, TEXTS("<!-- <meta charset=big5>"));
	expect("gbk", TEXTS("<!-- <meta charset=big5> --><meta charset=gbk>",
			    "<a title='<meta charset=big5>'><meta charset=gbk>",
			    "</a title='<meta charset=big5>'><meta charset=gbk>", "<!doctype '<'><meta charset=gbk>",
			    "<?php x ?><meta charset=gbk>", "a < b <3 </> <meta charset=gbk>",
			    "<p =x==y \"><meta charset=gbk>"));
}

TEST(test_xml)
{
	expect("euc-jp", TEXTS("<?xml version='1.0' encoding='euc-jp'?><html>"));
	expect("utf-8", TEXTS("<?xml version='1.0' encoding = \"utf-16\"?><html>"));
	expect("gbk", TEXTS("<?xml version='1.0' encoding='euc-jp'?><meta charset=gbk>"));
	expect(NULL, TEXTS("<?xml version='1.0'?><p>encoding='gbk'", " <?xml version='1.0' encoding='euc-jp'?>"));
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
