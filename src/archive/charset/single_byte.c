/* SPDX-License-Identifier: MIT */
#include "archive/charset/single_byte.h"

#include <stdlib.h>

#include "archive/charset/iconv_utf8.h"
#include "base/ascii_run.h"
#include "base/status.h"
#include "base/utf8.h"

static void set_character(struct single_byte_table *table, unsigned i, uint32_t c)
{
	uint8_t utf8[4];
	table->len[i] = (uint8_t)utf8_put(c, utf8); /* never 4: all are of the basic plane */
	memcpy(table->utf8[i], utf8, 3);
}

/* Converts each byte alone: some of iconv's tables join a letter and the mark after it, unlike the standard. */
static void ask_iconv(struct single_byte_table *table, iconv_t cd, bool controls)
{
	for (unsigned i = 0; i < 128; i++) {
		char in = (char)(i + 128), utf8[8];
		char *from = &in, *to = utf8;
		size_t left = 1, room = sizeof(utf8);
		iconv(cd, NULL, NULL, NULL, NULL);
		bool good = iconv(cd, &from, &left, &to, &room) != (size_t)-1;
		good = good && iconv(cd, NULL, NULL, &to, &room) != (size_t)-1;
		size_t len = sizeof(utf8) - room;
		if (good && len > 0 && len <= 3) {
			table->len[i] = (uint8_t)len;
			memcpy(table->utf8[i], utf8, len);
		} else if (controls && i < 32) {
			set_character(table, i, i + 128);
		}
	}
}

/* Corrects the table where the standard's index differs from iconv's. */
static void correct(struct single_byte_table *table, const char *name)
{
	static const struct {
		const char *name;
		uint8_t byte;
		uint16_t character;
	} rows[] = {
		{ "koi8-u", 0xAE, 0x045E },    { "koi8-u", 0xBE, 0x040E },       { "macintosh", 0xC6, 0x2206 },
		{ "macintosh", 0xF0, 0xF8FF }, { "windows-1255", 0xCA, 0x05BA }, { "x-mac-cyrillic", 0xFF, 0x20AC },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(name, rows[i].name) == 0)
			set_character(table, rows[i].byte & 0x7FU, rows[i].character);
	}
}

static int make_table(struct single_byte_table *table, const struct charset *charset)
{
	if (!charset->iconv) { /* x-user-defined: a private area (WHATWG Encoding, section 14.5) */
		for (unsigned i = 0; i < 128; i++)
			set_character(table, i, 0xF780 + i);
		return 0;
	}
	iconv_t cd;
	int status = iconv_utf8_open(&cd, charset->iconv);
	if (status < 0)
		return status;
	ask_iconv(table, cd, strncmp(charset->name, "windows-", 8) == 0);
	iconv_close(cd);
	correct(table, charset->name);
	return 0;
}

int single_byte_begin(struct single_byte *s, const struct charset *charset)
{
	struct single_byte_table **kept = &s->kept[charset->number];
	if (!*kept) {
		*kept = calloc(1, sizeof(**kept));
		if (!*kept)
			return DANA_ENOMEM;
		int status = make_table(*kept, charset);
		if (status) {
			free(*kept);
			*kept = NULL;
			return status;
		}
	}
	s->table = *kept;
	return 0;
}

int single_byte_write(struct single_byte *s, struct slice bytes, struct output *out)
{
	const uint8_t *p = bytes.data, *end = p + bytes.len;
	int status = 0;
	while (p < end && status == 0) {
		if (*p < 0x80) {
			size_t n = ascii_run(p, (size_t)(end - p));
			status = output_put(out, p, n);
			p += n;
			continue;
		}
		unsigned i = *p++ & 0x7FU;
		status = s->table->len[i] ? output_put(out, s->table->utf8[i], s->table->len[i]) : output_replace(out);
	}
	return status;
}

void single_byte_forget(struct single_byte *s)
{
	free(s->kept[CHARSET_NAMED]);
	s->kept[CHARSET_NAMED] = NULL;
}

void single_byte_free(struct single_byte *s)
{
	for (int i = 0; i < CHARSET_SLOTS; i++)
		free(s->kept[i]);
}
