/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/charset/detect.h"

#include "archive/charset/prescan.h"
#include "archive/charset/uchardet_call.h"
#include "archive/charset/utf8_repair.h"
#include "base/ascii_run.h"
#include "base/status.h"
#include "base/utf8.h"

enum {
	SURE_WEIGHT = 2,   /* this weight of UTF-8 overrides a <meta> that says otherwise */
	FAULT_WEIGHT = 20, /* one fault cancels this weight: pages cut their own quotations inside a character */
};

const struct charset *detect_mark(struct slice first, size_t *len, bool *cut)
{
	static const struct {
		const char *bytes, *label;
	} marks[] = { { "\xEF\xBB\xBF", "utf-8" }, { "\xFE\xFF", "utf-16be" }, { "\xFF\xFE", "utf-16le" } };
	*cut = false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i].bytes), seen = first.len < n ? first.len : n;
		if (seen && memcmp(first.data, marks[i].bytes, seen) != 0)
			continue;
		if (seen == n) {
			*len = n;
			return charset_find(slice_from_text(marks[i].label));
		}
		*cut = true;
	}
	return NULL;
}

/*
 * Evidence for UTF-8: 2 for each character of three or four bytes, 1 for one of two bytes, which occur by chance in
 * other charsets. But 2 for one with lead C2 or C3 if the page claims windows-1252: there it would be a capital A with
 * an accent before a sign.
 */
struct evidence {
	size_t weight, faults;
};

static bool is_faultless(struct slice s, bool whole)
{
	s = slice_skip(s, utf8_valid_prefix(s));
	return s.len == 0 || (!whole && utf8_is_cut(s));
}

/* Where there is no fault, no more weight is counted than could be needed. */
static struct evidence weigh(struct slice s, bool whole, const struct charset *said)
{
	struct evidence e = { 0, 0 };
	const size_t enough = is_faultless(s, whole) ? SURE_WEIGHT : SIZE_MAX;
	while (s.len && e.weight < enough) {
		size_t n = ascii_run(s.data, s.len);
		s = slice_skip(s, n);
		if (s.len == 0 || (!whole && utf8_is_cut(s)))
			break;
		uint32_t c;
		n = utf8_decode(s, &c);
		if (c == 0xFFFD && !(n == 3 && s.data[0] == 0xEF))
			e.faults++;
		else if (n > 2 || (s.data[0] <= 0xC3 && said == charset_windows_1252()))
			e.weight += 2;
		else
			e.weight++;
		s = slice_skip(s, n);
	}
	return e;
}

static bool is_utf8(struct evidence e, const struct charset *said)
{
	size_t need = e.faults * FAULT_WEIGHT;
	if (said)
		need += SURE_WEIGHT;
	return e.weight > 0 && e.weight >= need;
}

#ifdef HAVE_UCHARDET
/* Maps those of uchardet's names that are not labels of the standard. */
static const struct charset *by_uchardet_name(const char *name)
{
	static const struct {
		const char *name, *label;
	} others[] = { { "UHC", "euc-kr" }, { "MAC-CYRILLIC", "x-mac-cyrillic" }, { "JOHAB", "euc-kr" } };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcmp(name, others[i].name) == 0)
			name = others[i].label;
	}
	const struct charset *found = charset_find(slice_from_text(name));
	return found && found->kind != CHARSET_REPLACEMENT ? found : NULL;
}

/* Sets *guess, to NULL if uchardet has no guess. Returns 0 or DANA_ENOMEM. */
static int ask_uchardet(struct detector *d, struct slice s, const struct charset **guess)
{
	const char *name;
	int status = uchardet_call(&d->uchardet, (const char *)s.data, s.len, &name);

	*guess = status == DANA_OK ? by_uchardet_name(name) : NULL;
	return status;
}

void detector_free(struct detector *d)
{
	uchardet_call_end(&d->uchardet);
}
#else
static int ask_uchardet(struct detector *d, struct slice s, const struct charset **guess)
{
	(void)d;
	(void)s;
	*guess = NULL;
	return DANA_OK;
}

void detector_free(struct detector *d)
{
	(void)d;
}
#endif

/* uchardet finds Latin letters of other languages where there are only quotation marks and dashes. */
static bool has_letters(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] >= 0xC0)
			return true;
	}
	return false;
}

/* Recognises UTF-16 without a mark by its first two characters: '<' and another ASCII character. */
static const struct charset *unmarked_utf16(struct slice s)
{
	if (s.len < 4)
		return NULL;
	bool little = s.data[0] == '<' && s.data[1] == 0 && s.data[2] != 0 && s.data[3] == 0;
	bool big = s.data[0] == 0 && s.data[1] == '<' && s.data[2] == 0 && s.data[3] != 0;
	return little || big ? charset_find(slice_from_text(little ? "utf-16le" : "utf-16be")) : NULL;
}

/* Guesses the charset of bytes that are not UTF-8, if nothing else names it. */
static int guess_page(struct detector *d, struct slice first, bool ascii, const struct charset **out)
{
	int status = ask_uchardet(d, first, out);

	if (status < 0)
		return status;
	const struct charset *guess = *out;
	if (ascii) /* escape sequences switch between sets of characters, or are noise */
		*out = guess && guess->kind == CHARSET_STATEFUL ? guess : NULL;
	else if (!guess || (guess->kind == CHARSET_SINGLE && !has_letters(first)))
		*out = charset_windows_1252();
	return DANA_OK;
}

int detect_page(struct detector *d, struct slice first, bool whole, const struct charset **out)
{
	d->said = unmarked_utf16(first);
	if (!d->said)
		d->said = prescan_page(first);
	*out = d->said;
	if (d->said && d->said->kind != CHARSET_SINGLE && d->said->kind != CHARSET_DOUBLE)
		return DANA_OK;
	bool ascii = ascii_run(first.data, first.len) == first.len;
	if (ascii && (d->said || first.len == 0 || !memchr(first.data, 0x1B, first.len)))
		*out = NULL;
	else if (!ascii && is_utf8(weigh(first, whole, d->said), d->said))
		*out = charset_utf8();
	else if (!d->said)
		return guess_page(d, first, ascii, out);
	return DANA_OK;
}

const struct charset *detect_late(const struct detector *d, struct slice late, bool whole)
{
	const struct charset *said = d->said;
	if (late.len && is_utf8(weigh(late, whole, said), said))
		return charset_utf8();
	if (said)
		return said;
	return late.len ? charset_windows_1252() : charset_utf8();
}
