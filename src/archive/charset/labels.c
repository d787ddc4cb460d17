/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/charset/labels.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/charset/indexes.h"
#include "base/ascii.h"
#include "base/library.h"
#include "base/status.h"
#include "base/utf8.h"

/* A row for each encoding of the standard, with all its labels: first its name, then the others. */
/* clang-format off */
static const struct charset charsets[] = {
	{ CHARSET_UTF8, NULL, utf8_write,
	  "utf-8\0unicode-1-1-utf-8\0unicode11utf8\0unicode20utf8\0utf8\0x-unicode20utf8\0" },
	{ CHARSET_SINGLE, index_windows_1252, single_byte_write,
	  "windows-1252\0ansi_x3.4-1968\0ascii\0cp1252\0cp819\0csisolatin1\0ibm819\0iso-8859-1\0iso-ir-100\0"
	  "iso8859-1\0iso88591\0iso_8859-1\0iso_8859-1:1987\0l1\0latin1\0us-ascii\0x-cp1252\0" },
	{ CHARSET_DOUBLE, NULL, big5_write, "big5\0big5-hkscs\0cn-big5\0csbig5\0x-x-big5\0" },
	{ CHARSET_DOUBLE, NULL, euc_jp_write, "euc-jp\0cseucpkdfmtjapanese\0x-euc-jp\0" },
	{ CHARSET_DOUBLE, NULL, euc_kr_write,
	  "euc-kr\0cseuckr\0csksc56011987\0iso-ir-149\0korean\0ks_c_5601-1987\0ks_c_5601-1989\0ksc5601\0"
	  "ksc_5601\0windows-949\0" },
	{ CHARSET_DOUBLE, NULL, gb18030_write, "gb18030\0" },
	{ CHARSET_DOUBLE, NULL, gb18030_write,
	  "gbk\0chinese\0csgb2312\0csiso58gb231280\0gb2312\0gb_2312\0gb_2312-80\0iso-ir-58\0x-gbk\0" },
	{ CHARSET_SINGLE, index_ibm866, single_byte_write, "ibm866\0866\0cp866\0csibm866\0" },
	{ CHARSET_STATEFUL, NULL, iso_2022_jp_write, "iso-2022-jp\0csiso2022jp\0" },
	{ CHARSET_SINGLE, index_iso_8859_10, single_byte_write,
	  "iso-8859-10\0csisolatin6\0iso-ir-157\0iso8859-10\0iso885910\0l6\0latin6\0" },
	{ CHARSET_SINGLE, index_iso_8859_13, single_byte_write, "iso-8859-13\0iso8859-13\0iso885913\0" },
	{ CHARSET_SINGLE, index_iso_8859_14, single_byte_write, "iso-8859-14\0iso8859-14\0iso885914\0" },
	{ CHARSET_SINGLE, index_iso_8859_15, single_byte_write,
	  "iso-8859-15\0csisolatin9\0iso8859-15\0iso885915\0iso_8859-15\0l9\0" },
	{ CHARSET_SINGLE, index_iso_8859_16, single_byte_write, "iso-8859-16\0" },
	{ CHARSET_SINGLE, index_iso_8859_2, single_byte_write,
	  "iso-8859-2\0csisolatin2\0iso-ir-101\0iso8859-2\0iso88592\0iso_8859-2\0iso_8859-2:1987\0l2\0"
	  "latin2\0" },
	{ CHARSET_SINGLE, index_iso_8859_3, single_byte_write,
	  "iso-8859-3\0csisolatin3\0iso-ir-109\0iso8859-3\0iso88593\0iso_8859-3\0iso_8859-3:1988\0l3\0"
	  "latin3\0" },
	{ CHARSET_SINGLE, index_iso_8859_4, single_byte_write,
	  "iso-8859-4\0csisolatin4\0iso-ir-110\0iso8859-4\0iso88594\0iso_8859-4\0iso_8859-4:1988\0l4\0"
	  "latin4\0" },
	{ CHARSET_SINGLE, index_iso_8859_5, single_byte_write,
	  "iso-8859-5\0csisolatincyrillic\0cyrillic\0iso-ir-144\0iso8859-5\0iso88595\0iso_8859-5\0"
	  "iso_8859-5:1988\0" },
	{ CHARSET_SINGLE, index_iso_8859_6, single_byte_write,
	  "iso-8859-6\0arabic\0asmo-708\0csiso88596e\0csiso88596i\0csisolatinarabic\0ecma-114\0iso-8859-6-e\0"
	  "iso-8859-6-i\0iso-ir-127\0iso8859-6\0iso88596\0iso_8859-6\0iso_8859-6:1987\0" },
	{ CHARSET_SINGLE, index_iso_8859_7, single_byte_write,
	  "iso-8859-7\0csisolatingreek\0ecma-118\0elot_928\0greek\0greek8\0iso-ir-126\0iso8859-7\0iso88597\0"
	  "iso_8859-7\0iso_8859-7:1987\0sun_eu_greek\0" },
	{ CHARSET_SINGLE, index_iso_8859_8, single_byte_write,
	  "iso-8859-8\0csiso88598e\0csisolatinhebrew\0hebrew\0iso-8859-8-e\0iso-ir-138\0iso8859-8\0iso88598\0"
	  "iso_8859-8\0iso_8859-8:1988\0visual\0" },
	{ CHARSET_SINGLE, index_iso_8859_8, single_byte_write, "iso-8859-8-i\0csiso88598i\0logical\0" },
	{ CHARSET_SINGLE, index_koi8_r, single_byte_write, "koi8-r\0cskoi8r\0koi\0koi8\0koi8_r\0" },
	{ CHARSET_SINGLE, index_koi8_u, single_byte_write, "koi8-u\0koi8-ru\0" },
	{ CHARSET_SINGLE, index_macintosh, single_byte_write, "macintosh\0csmacintosh\0mac\0x-mac-roman\0" },
	{ CHARSET_REPLACEMENT, NULL, replacement_write,
	  "replacement\0csiso2022kr\0hz-gb-2312\0iso-2022-cn\0iso-2022-cn-ext\0iso-2022-kr\0" },
	{ CHARSET_DOUBLE, NULL, shift_jis_write,
	  "shift_jis\0csshiftjis\0ms932\0ms_kanji\0shift-jis\0sjis\0windows-31j\0x-sjis\0" },
	{ CHARSET_UTF16, NULL, utf16be_write, "utf-16be\0unicodefffe\0" },
	{ CHARSET_UTF16, NULL, utf16le_write,
	  "utf-16le\0csunicode\0iso-10646-ucs-2\0ucs-2\0unicode\0unicodefeff\0utf-16\0" },
	{ CHARSET_SINGLE, index_windows_1250, single_byte_write, "windows-1250\0cp1250\0x-cp1250\0" },
	{ CHARSET_SINGLE, index_windows_1251, single_byte_write, "windows-1251\0cp1251\0x-cp1251\0" },
	{ CHARSET_SINGLE, index_windows_1253, single_byte_write, "windows-1253\0cp1253\0x-cp1253\0" },
	{ CHARSET_SINGLE, index_windows_1254, single_byte_write,
	  "windows-1254\0cp1254\0csisolatin5\0iso-8859-9\0iso-ir-148\0iso8859-9\0iso88599\0iso_8859-9\0"
	  "iso_8859-9:1989\0l5\0latin5\0x-cp1254\0" },
	{ CHARSET_SINGLE, index_windows_1255, single_byte_write, "windows-1255\0cp1255\0x-cp1255\0" },
	{ CHARSET_SINGLE, index_windows_1256, single_byte_write, "windows-1256\0cp1256\0x-cp1256\0" },
	{ CHARSET_SINGLE, index_windows_1257, single_byte_write, "windows-1257\0cp1257\0x-cp1257\0" },
	{ CHARSET_SINGLE, index_windows_1258, single_byte_write, "windows-1258\0cp1258\0x-cp1258\0" },
	{ CHARSET_SINGLE, index_windows_874, single_byte_write,
	  "windows-874\0dos-874\0iso-8859-11\0iso8859-11\0iso885911\0tis-620\0" },
	{ CHARSET_SINGLE, index_x_mac_cyrillic, single_byte_write, "x-mac-cyrillic\0x-mac-ukrainian\0" },
	{ CHARSET_SINGLE, index_x_user_defined, single_byte_write, "x-user-defined\0" },
};
/* clang-format on */

const struct charset *charset_utf8(void)
{
	return &charsets[0];
}

const struct charset *charset_windows_1252(void)
{
	return &charsets[1];
}

static const char *label_after(const char *label)
{
	return label + strlen(label) + 1;
}

static bool is_among(const char *labels, const char *key)
{
	while (*labels && strcmp(labels, key) != 0)
		labels = label_after(labels);
	return *labels;
}

static const struct charset *find(const char *key)
{
	for (size_t i = 0; i < sizeof(charsets) / sizeof(charsets[0]); i++) {
		if (is_among(charsets[i].name, key))
			return &charsets[i];
	}
	return NULL;
}

const struct charset *charset_find(struct slice label)
{
	char key[LABEL_MAX];
	label = slice_trim(label);
	if (label.len == 0 || label.len >= sizeof(key) || memchr(label.data, 0, label.len))
		return NULL;
	for (size_t i = 0; i < label.len; i++)
		key[i] = (char)ascii_lower(label.data[i]);
	key[label.len] = 0;
	const struct charset *found = find(key);
	for (char *c = key; !found && *c; c++) /* "euc_kr" is not a label of the standard, but is unambiguous */
		*c = *c == '_' ? '-' : *c;
	return found ? found : find(key);
}

const char *charset_next_label(const char *before)
{
	const char *next = NULL;
	for (size_t i = 0; i < sizeof(charsets) / sizeof(charsets[0]); i++) {
		for (const char *label = charsets[i].name; *label; label = label_after(label)) {
			if (strcmp(label, before) > 0 && (!next || strcmp(label, next) < 0))
				next = label;
		}
	}
	return next;
}

/*
 * glibc reports EINVAL for three causes: it has no converter for the charset, no file descriptor was left to read the
 * converter with, or no memory. Only the first one is a property of the page; the others must end the run, because with
 * more resources the same run would write a different text. So after a failure each cause is checked.
 */

enum { CONVERTER_BYTES = 1 << 20 }; /* more than any converter of glibc takes */

static bool descriptors_are_out(int error)
{
	if (error == EMFILE || error == ENFILE)
		return true;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == EMFILE || errno == ENFILE;
	(void)close(fd);
	return false;
}

int charset_open_iconv(iconv_t *cd, const char *charset)
{
	*cd = iconv_open("UTF-8", charset);
	if (*cd != (iconv_t)-1)
		return DANA_OK;
	int error = errno;
	if (descriptors_are_out(error))
		return DANA_EFILES;
	if (error != ENOMEM) {
		/* The second try has another target, because glibc may remember that the first one failed. If it
		 * succeeds, the converter exists. */
		const iconv_t again = iconv_open("UCS-4LE", charset);
		void *volatile room = NULL; /* volatile: compilers leave out pairs of malloc and free */
		if (again != (iconv_t)-1)
			(void)iconv_close(again);
		else if (errno != ENOMEM)
			room = malloc(CONVERTER_BYTES);
		const bool had_memory = room != NULL;
		free(room);
		if (had_memory)
			return DANA_ECONFIG;
	}
	library_loader_failed();
	return DANA_ENOMEM;
}

/* Other names for charsets of the web, some of which the web decodes differently from iconv. */
static const struct {
	const char *label, *names;
} aliases[] = {
	{ "big5", "cp950\0ms950\0" },
	{ "euc-kr", "cp949\0ms949\0uhc\0" },
	{ "gbk", "cp936\0ms936\0" },
	{ "koi8-r", "cp20866\0" },
	{ "koi8-u", "cp21866\0" },
	{ "macintosh", "cp10000\0mac-roman\0macroman\0" },
	{ "shift_jis", "cp932\0ms932\0" },
	{ "utf-16be", "cp1201\0" },
	{ "utf-16le", "cp1200\0" },
	{ "utf-8", "cp65001\0" },
	{ "windows-1252", "latin-1\0" },
	{ "windows-874", "cp874\0" },
	{ "x-mac-cyrillic", "cp10007\0mac-cyrillic\0maccyrillic\0" },
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

int iconv_name_find(struct iconv_name *n, struct slice name, const struct charset **out)
{
	char key[LABEL_MAX] = ""; /* as in labels, '_' counts as '-' */
	iconv_t cd;
	name = slice_trim(name);
	*out = charset_find(name);
	if (*out)
		return DANA_OK;
	/* no slash: it would begin an instruction to iconv ("//IGNORE") */
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.data[i];
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && !(c && strchr("-_.:+()", c)))
			return DANA_ECONFIG;
	}
	if (!(name.len > 0 && name.len < LABEL_MAX))
		return DANA_ECONFIG;
	for (size_t i = 0; i < name.len; i++) {
		n->name[i] = (char)ascii_lower(name.data[i]);
		key[i] = n->name[i] == '_' ? '-' : n->name[i];
	}
	n->name[name.len] = 0;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (is_among(aliases[i].names, key)) {
			*out = charset_find(slice_from_text(aliases[i].label));
			return DANA_OK;
		}
	}
	int status = charset_open_iconv(&cd, n->name);
	if (status < 0)
		return status;
	enum charset_kind kind = kind_of(cd, n->upper);
	n->charset =
		(struct charset){ kind, n->upper, kind == CHARSET_SINGLE ? single_byte_write : iconv_write, n->name };
	iconv_close(cd);
	*out = &n->charset;
	return DANA_OK;
}
