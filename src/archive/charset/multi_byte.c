/* SPDX-License-Identifier: MIT */
#include "archive/charset/multi_byte.h"

#include <errno.h>

#include "archive/charset/iconv_utf8.h"
#include "base/ascii_run.h"
#include "base/status.h"

enum {
	ASCII_TAIL = 2, /* after so many ASCII bytes the last is a character by itself, and iconv holds nothing back */
	ASCII_STRETCH = 8, /* a stretch of ASCII that is worth leaving iconv for */
};

int multi_byte_begin(struct multi_byte *m, const struct charset *charset)
{
	int i = charset->number;
	if (!m->is_open[i]) {
		int status = iconv_utf8_open(&m->kept[i], charset->iconv);
		if (status < 0)
			return status;
		m->is_open[i] = true;
	}
	m->charset = charset;
	m->cd = m->kept[i];
	iconv(m->cd, NULL, NULL, NULL, NULL);
	m->ascii_tail = ASCII_TAIL;
	m->n_held = 0;
	return 0;
}

void multi_byte_forget(struct multi_byte *m)
{
	if (m->is_open[CHARSET_NAMED])
		iconv_close(m->kept[CHARSET_NAMED]);
	m->is_open[CHARSET_NAMED] = false;
}

void multi_byte_free(struct multi_byte *m)
{
	for (int i = 0; i < CHARSET_SLOTS; i++) {
		if (m->is_open[i])
			iconv_close(m->kept[i]);
	}
}

/*
 * Returns the number of bytes that one U+FFFD replaces at a fault; 0 if more bytes are needed to decide. A trail byte
 * goes with its lead byte unless it is ASCII, which may be markup (WHATWG Encoding, sections 10 to 13).
 */
static size_t fault_length(const struct multi_byte *m, struct slice at)
{
	if (m->charset->kind == CHARSET_UTF16)
		return at.len < 2 ? 0 : 2;
	if (m->charset->kind != CHARSET_DOUBLE || at.data[0] <= 0x80 || at.data[0] == 0xFF)
		return 1;
	if (at.len < 2)
		return 0;
	return at.data[1] >= 0x80 ? 2 : 1;
}

/* Decodes from the front of `bytes`; the rest is the beginning of a character that is cut. */
static int convert(struct multi_byte *m, struct slice *bytes, struct output *out)
{
	while (bytes->len) {
		char *from = (char *)(uintptr_t)bytes->data; /* iconv does not write to its input */
		char *to = (char *)out->data + out->len;
		size_t left = bytes->len, room = OUTPUT_ROOM - out->len;
		size_t converted = iconv(m->cd, &from, &left, &to, &room);
		int fault = converted == (size_t)-1 ? errno : 0;
		out->len = OUTPUT_ROOM - room;
		*bytes = slice_skip(*bytes, bytes->len - left);
		int status = 0;
		if (fault == E2BIG) {
			status = output_flush(out);
		} else if (fault == EINVAL && bytes->len < MULTI_HELD_MAX / 2) {
			return 0;
		} else if (fault) {
			size_t n = fault_length(m, *bytes);
			if (n == 0)
				return 0;
			*bytes = slice_skip(*bytes, n);
			status = output_replace(out);
		}
		if (status)
			return status;
	}
	return 0;
}

/* Completes the held character with bytes from the front of `bytes`. */
static int convert_held(struct multi_byte *m, struct slice *bytes, struct output *out)
{
	size_t before = m->n_held, extra = MULTI_HELD_MAX - before;
	extra = extra < bytes->len ? extra : bytes->len;
	memcpy(m->held + before, bytes->data, extra);
	struct slice all = slice_of(m->held, before + extra);
	int status = convert(m, &all, out);
	size_t used = before + extra - all.len;
	if (used >= before) { /* the rest is whole in `bytes` */
		m->n_held = 0;
		*bytes = slice_skip(*bytes, used - before);
	} else {
		memmove(m->held, all.data, all.len);
		m->n_held = all.len;
		*bytes = slice_skip(*bytes, extra);
	}
	return status;
}

/* Returns how many bytes need iconv: those before the first long stretch of ASCII, or all. */
static size_t iconv_region(struct slice s)
{
	size_t ascii = 0;
	for (size_t i = 0; i < s.len; i++) {
		ascii = s.data[i] < 0x80 ? ascii + 1 : 0;
		if (ascii == ASCII_STRETCH)
			return i + 1;
	}
	return s.len;
}

static void note_tail(struct multi_byte *m, struct slice decoded)
{
	for (size_t i = decoded.len > ASCII_TAIL ? decoded.len - ASCII_TAIL : 0; i < decoded.len; i++)
		m->ascii_tail = decoded.data[i] < 0x80 ? m->ascii_tail + 1 : 0;
}

/* Converts a region; holds a character that is cut at its end. */
static int convert_region(struct multi_byte *m, struct slice region, struct output *out)
{
	struct slice left = region;
	int status = convert(m, &left, out);
	note_tail(m, slice_of(region.data, region.len - left.len));
	if (left.len) {
		memmove(m->held, left.data, left.len);
		m->n_held = left.len;
		m->ascii_tail = 0;
	}
	return status;
}

int multi_byte_write(struct multi_byte *m, struct slice bytes, struct output *out)
{
	bool ascii_passes = m->charset->kind == CHARSET_DOUBLE;
	int status = 0;
	while (bytes.len && status == 0) {
		if (m->n_held) {
			status = convert_held(m, &bytes, out);
			m->ascii_tail = 0;
			continue;
		}
		size_t n = 0;
		if (ascii_passes && m->ascii_tail >= ASCII_TAIL)
			n = ascii_run(bytes.data, bytes.len);
		if (n) {
			status = output_put(out, bytes.data, n);
		} else {
			n = ascii_passes ? iconv_region(bytes) : bytes.len;
			status = convert_region(m, slice_of(bytes.data, n), out);
		}
		bytes = slice_skip(bytes, n);
	}
	return status;
}

int multi_byte_finish(struct multi_byte *m, struct output *out)
{
	int status = 0;
	if (m->n_held)
		status = output_replace(out);
	m->n_held = 0;
	if (status == 0 && OUTPUT_ROOM - out->len < MULTI_HELD_MAX)
		status = output_flush(out);
	char *to = (char *)out->data + out->len;
	size_t room = OUTPUT_ROOM - out->len;
	iconv(m->cd, NULL, NULL, &to, &room); /* a character it held back to see what follows */
	out->len = OUTPUT_ROOM - room;
	return status;
}
