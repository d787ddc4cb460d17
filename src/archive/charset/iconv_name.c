/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/charset/iconv_name.h"

#include <errno.h>

#include "archive/charset/iconv_utf8.h"
#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"

/* Other names for charsets of the web, some of which the web decodes differently from iconv. */
static const struct {
	const char *name, *label;
} aliases[] = {
	{ "cp10000", "macintosh" },
	{ "cp10007", "x-mac-cyrillic" },
	{ "cp1200", "utf-16le" },
	{ "cp1201", "utf-16be" },
	{ "cp20866", "koi8-r" },
	{ "cp21866", "koi8-u" },
	{ "cp65001", "utf-8" },
	{ "cp874", "windows-874" },
	{ "cp932", "shift_jis" },
	{ "cp936", "gbk" },
	{ "cp949", "euc-kr" },
	{ "cp950", "big5" },
	{ "latin-1", "windows-1252" },
	{ "mac-cyrillic", "x-mac-cyrillic" },
	{ "mac-roman", "macintosh" },
	{ "maccyrillic", "x-mac-cyrillic" },
	{ "macroman", "macintosh" },
	{ "ms932", "shift_jis" },
	{ "ms936", "gbk" },
	{ "ms949", "euc-kr" },
	{ "ms950", "big5" },
	{ "uhc", "euc-kr" },
};

/* What a single byte is for iconv. */
enum one_byte { BYTE_IS_CHARACTER, BYTE_BEGINS_CHARACTER, BYTE_IS_NONE };

/* Tries one byte; writes the character, if it is one, to `utf8`. */
static enum one_byte try_byte(iconv_t cd, uint8_t byte, char utf8[8], size_t *len)
{
	char in = (char)byte, *from = &in, *to = utf8;
	size_t left = 1, room = 8;

	iconv(cd, NULL, NULL, NULL, NULL);
	if (iconv(cd, &from, &left, &to, &room) == (size_t)-1)
		return errno == EINVAL ? BYTE_BEGINS_CHARACTER : BYTE_IS_NONE;
	if (iconv(cd, NULL, NULL, &to, &room) == (size_t)-1)
		return BYTE_IS_NONE;
	*len = 8 - room;
	return BYTE_IS_CHARACTER;
}

/*
 * Finds out byte by byte how to decode a charset, and the characters of its upper half. If bytes below 0x80 are not
 * plain ASCII, all bytes go through iconv.
 */
static enum charset_kind kind_of(iconv_t cd, uint16_t upper[INDEX_SINGLE_SIZE])
{
	enum charset_kind kind = CHARSET_SINGLE;

	for (unsigned byte = 0; byte < 256; byte++) {
		char utf8[8];
		size_t len = 0;
		enum one_byte is = try_byte(cd, (uint8_t)byte, utf8, &len);
		uint32_t c = 0;
		bool one = is == BYTE_IS_CHARACTER && len > 0 &&
			   utf8_decode(slice_of((uint8_t *)utf8, len), &c) == len && c <= UINT16_MAX;

		if (byte < 0x80 && !(one && c == byte))
			return CHARSET_ICONV;
		if (is == BYTE_BEGINS_CHARACTER || (is == BYTE_IS_CHARACTER && !one))
			kind = CHARSET_ICONV_DOUBLE;
		if (byte >= 0x80)
			upper[byte - 0x80] = one ? (uint16_t)c : 0;
	}
	return kind;
}

/* No slash: it would begin an instruction to iconv ("//IGNORE"). */
static bool is_plain(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && !(c && strchr("-_.:+()", c)))
			return false;
	}
	return name.len > 0 && name.len < LABEL_MAX;
}

/* As in labels, '_' counts as '-'. */
static bool same_name(struct slice name, const char *alias)
{
	size_t i = 0;

	while (i < name.len && alias[i] == (name.data[i] == '_' ? '-' : (char)ascii_lower(name.data[i])))
		i++;
	return i == name.len && !alias[i];
}

static const struct charset *find_alias(struct slice name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (same_name(name, aliases[i].name))
			return charset_find(slice_from_text(aliases[i].label));
	}
	return NULL;
}

int iconv_name_find(struct iconv_name *n, struct slice name, const struct charset **out)
{
	iconv_t cd;

	name = slice_trim(name);
	*out = charset_find(name);
	if (!*out)
		*out = find_alias(name);
	if (*out)
		return DANA_OK;
	if (!is_plain(name))
		return DANA_ECONFIG;
	for (size_t i = 0; i < name.len; i++)
		n->name[i] = (char)ascii_lower(name.data[i]);
	n->name[name.len] = 0;
	int status = iconv_utf8_open(&cd, n->name);
	if (status < 0)
		return status;
	n->charset = (struct charset){ n->name, kind_of(cd, n->upper), n->upper, NULL };
	iconv_close(cd);
	*out = &n->charset;
	return DANA_OK;
}
