/* SPDX-License-Identifier: MIT */
/*
 * What the system may lack while a charset is found and converted: a converter of iconv, memory for it, memory for
 * uchardet.
 * The linker wraps iconv_open and malloc; uchardet's allocations come to the operators that are defined here.
 */
#include "config.h"

#include <errno.h>
#include <iconv.h>

#include "archive/charset/convert.h"
#include "archive/charset/labels.h"
#include "base/buf.h"
#include "base/status.h"
#include "support/unit.h"

iconv_t __real_iconv_open(const char *to, const char *from);
void *__real_malloc(size_t size);
iconv_t __wrap_iconv_open(const char *to, const char *from);
void *__wrap_malloc(size_t size);

static unsigned opens_fail; /* so many calls of iconv_open fail, as glibc's do */
static bool out_of_memory;  /* all calls of malloc fail */
static unsigned opened;

iconv_t __wrap_iconv_open(const char *to, const char *from)
{
	opened++;
	if (opens_fail == 0)
		return __real_iconv_open(to, from);
	opens_fail--;
	errno = EINVAL;
	return (iconv_t)-1;
}

void *__wrap_malloc(size_t size)
{
	return out_of_memory ? NULL : __real_malloc(size);
}

enum { ALL = 1000 };

static struct buf text;

static int collect(struct byte_sink *self, struct slice bytes)
{
	(void)self;
	return buf_append(&text, bytes.data, bytes.len);
}

static const struct byte_sink_ops collector_ops = { "collector", collect, NULL };

static int setup(void **state)
{
	static struct byte_sink collector = { &collector_ops };
	*state = charset_convert_new(&collector);
	buf_clear(&text);
	opens_fail = opened = 0;
	out_of_memory = false;
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	charset_convert_free(*state);
	buf_free(&text);
	return 0;
}

/* By the label of a page, or a name that a user gives. */
static int convert_by(void **state, bool named, const char *label, const char *page)
{
	int status = DANA_OK;
	if (named)
		status = charset_convert_reset_named(*state, slice_from_text(label));
	else
		charset_convert_reset(*state, slice_from_text(label));
	if (status == DANA_OK)
		status = charset_convert_write(*state, slice_from_text(page));
	return status < 0 ? status : charset_convert_finish(*state);
}

/* Pages that say so, pages that say nothing, and pages that begin with much ASCII. */
TEST_WITH(setup, teardown, charsets_of_the_web_need_no_converter)
{
	static char late[20001];
	unsigned labels = 0;
	memset(late, 'x', sizeof(late) - 2);
	late[sizeof(late) - 2] = (char)0xE9;
	opens_fail = ALL;
	for (const char *label = charset_next_label(""); label; label = charset_next_label(label), labels++) {
		assert_int_equal(convert_by(state, false, label, "a\xC7\xE3"), DANA_OK);
		assert_string_equal(charset_convert_name(*state), charset_find(slice_from_text(label))->name);
	}
	assert_ok(convert_by(state, false, "", "\x93quoted\x94"));
	assert_string_equal(charset_convert_name(*state), "windows-1252");
	assert_ok(convert_by(state, false, "", late));
	assert_string_equal(charset_convert_name(*state), "windows-1252");
	assert_true(labels > 200);
	assert_int_equal(opened, 0);
}

/* What iconv knows of a charset of one byte a character is asked once; any other is opened again to convert. */
TEST_WITH(setup, teardown, missing_converter_does_not_hinder_other_pages)
{
	opens_fail = ALL;
	assert_int_equal(convert_by(state, true, "euc-tw", "\xC4\xE3"), DANA_ECONFIG);
	assert_ok(convert_by(state, false, "utf-8", "\xC3\xA9"));
	opens_fail = 0;
	assert_ok(convert_by(state, true, "euc-tw", "\xC4\xE3"));
	assert_int_equal(opened, 4);
	assert_ok(convert_by(state, true, "cp437", "\x82"));
	assert_int_equal(opened, 5);
	assert_int_equal(text.len, 2 + 3 + 2);
}

/* glibc says EINVAL where it had no memory; a run that went on would write other text than one with memory. */
TEST_WITH(setup, teardown, short_memory_is_no_missing_converter)
{
	assert_ok(charset_convert_reset_named(*state, slice_from_text("euc-tw")));
	opens_fail = 1;
	assert_int_equal(charset_convert_write(*state, slice_from_text("\xC4\xE3")), DANA_ENOMEM);
	assert_int_equal(opened, 3);
	opens_fail = ALL;
	out_of_memory = true;
	int status = convert_by(state, true, "euc-tw", "\xC4\xE3");
	out_of_memory = false;
	assert_int_equal(status, DANA_ENOMEM);
}

TEST_WITH(setup, teardown, user_named_charsets_too)
{
	struct iconv_name named;
	const struct charset *found;
	assert_ok(iconv_name_find(&named, slice_from_text("cp437"), &found));
	opens_fail = ALL;
	assert_int_equal(iconv_name_find(&named, slice_from_text("cp437"), &found), DANA_ECONFIG);
	opens_fail = 1;
	assert_int_equal(iconv_name_find(&named, slice_from_text("cp437"), &found), DANA_ENOMEM);
}

#ifdef HAVE_UCHARDET
#pragma GCC visibility push(default) /* or the libraries would not find them */
/* libstdc++: throws std::bad_alloc. */
void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv");
void *operator_new(size_t size) __asm__("_Znwm");
void *operator_new_array(size_t size) __asm__("_Znam");
void operator_delete(void *p) __asm__("_ZdlPv");
void operator_delete_array(void *p) __asm__("_ZdaPv");
void operator_delete_sized(void *p, size_t size) __asm__("_ZdlPvm");
const char *__lsan_default_suppressions(void);
#pragma GCC visibility pop

static unsigned new_fails_in; /* calls up to the one that fails, with it; 0: none fails */

void *operator_new(size_t size)
{
	if (new_fails_in && --new_fails_in == 0)
		throw_bad_alloc();
	return __real_malloc(size);
}

void *operator_new_array(size_t size)
{
	return operator_new(size);
}

void operator_delete(void *p)
{
	free(p);
}

void operator_delete_array(void *p)
{
	free(p);
}

void operator_delete_sized(void *p, size_t size)
{
	(void)size;
	free(p);
}

/* What a constructor of uchardet had allocated when the next allocation failed, it never frees. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libuchardet";
}

TEST_WITH(setup, teardown, uchardet_out_of_memory)
{
	/* Russian in koi8-r, which only uchardet finds. */
	static const char page[] = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xFC\xD4\xCF \xC2\xCF\xCC\xD8\xDB\xCF\xCA "
				   "\xD4\xC5\xCB\xD3\xD4 \xCE\xC1 \xD2\xD5\xD3\xD3\xCB\xCF\xCD \xD1\xDA\xD9\xCB\xC5.";
	unsigned failed = 0;
	for (unsigned n = 1;; n++) {
		charset_convert_free(*state); /* and its detector */
		assert_int_equal(setup(state), 0);
		new_fails_in = n;
		int status = convert_by(state, false, "", page);
		if (new_fails_in) { /* fewer allocations than n: done */
			assert_int_equal(status, DANA_OK);
			break;
		}
		assert_int_equal(status, DANA_ENOMEM);
		assert_ok(convert_by(state, false, "", page));
		assert_string_equal(charset_convert_name(*state), "koi8-r");
		failed++;
	}
	new_fails_in = 0;
	assert_true(failed > 10);
}
#endif
