#include "charset/detect.h"

#include "config.h"

#include "charset/ascii_run.h"
#include "charset/prescan.h"
#include "charset/utf8_repair.h"

#ifdef HAVE_UCHARDET
#include <uchardet/uchardet.h>
#endif

enum {
	SURE_CHARACTERS = 2, /* so many valid characters of UTF-8 and nothing else outweigh a <meta> */
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

enum shape {
	SHAPE_ASCII,
	SHAPE_ESCAPES, /* ASCII with bytes that switch character sets */
	SHAPE_UTF8,
	SHAPE_OTHER,
};

/* What the bytes are by themselves; `*characters`: those of UTF-8 that are not ASCII. */
static enum shape shape_of(struct slice s, bool whole, size_t *characters)
{
	*characters = 0;
	size_t n = ascii_run(s.data, s.len);
	if (n == s.len)
		return memchr(s.data, 0x1B, s.len) ? SHAPE_ESCAPES : SHAPE_ASCII;
	size_t valid = utf8_valid_run(s);
	for (size_t i = n; i < valid; i++)
		*characters += s.data[i] >= 0xC0;
	struct slice rest = slice_skip(s, valid);
	return valid == s.len || (!whole && utf8_is_cut(rest)) ? SHAPE_UTF8 : SHAPE_OTHER;
}

#ifdef HAVE_UCHARDET
/* uchardet's own names where they are no labels of the standard. */
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

static const struct charset *ask_uchardet(struct detector *d, struct slice s)
{
	if (!d->uchardet)
		d->uchardet = uchardet_new();
	if (!d->uchardet)
		return NULL;
	uchardet_reset(d->uchardet);
	if (uchardet_handle_data(d->uchardet, (const char *)s.data, s.len) != 0)
		return NULL;
	uchardet_data_end(d->uchardet);
	return by_uchardet_name(uchardet_get_charset(d->uchardet));
}

void detector_free(struct detector *d)
{
	if (d->uchardet)
		uchardet_delete(d->uchardet);
	d->uchardet = NULL;
}
#else
static const struct charset *ask_uchardet(struct detector *d, struct slice s)
{
	(void)d;
	(void)s;
	return NULL;
}

void detector_free(struct detector *d)
{
	(void)d;
}
#endif

const struct charset *detect_page(struct detector *d, struct slice first, bool whole)
{
	size_t characters;
	const struct charset *said = prescan_page(first);
	if (said == charset_utf8())
		return said;
	enum shape shape = shape_of(first, whole, &characters);
	if (shape == SHAPE_UTF8 && (!said || characters >= SURE_CHARACTERS))
		return charset_utf8();
	if (said)
		return said;
	if (shape == SHAPE_ASCII)
		return NULL;
	const struct charset *guess = ask_uchardet(d, first);
	if (shape == SHAPE_ESCAPES)
		return guess && guess->kind == CHARSET_STATEFUL ? guess : NULL;
	return guess ? guess : charset_windows_1252();
}
