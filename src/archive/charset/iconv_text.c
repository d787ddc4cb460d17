/* SPDX-License-Identifier: MIT */
#include "archive/charset/iconv_text.h"

#include <errno.h>

#include "archive/charset/iconv_utf8.h"

int iconv_text_begin(struct iconv_text *t, const struct charset *charset)
{
	iconv_text_free(t);
	int status = iconv_utf8_open(&t->cd, charset->name);

	t->is_open = status == 0;
	t->doubles = charset->kind == CHARSET_ICONV_DOUBLE;
	t->n_held = 0;
	return status;
}

void iconv_text_free(struct iconv_text *t)
{
	if (t->is_open)
		iconv_close(t->cd);
	t->is_open = false;
}

/*
 * Returns the number of bytes that one U+FFFD replaces at a fault; 0 if more bytes are needed to decide. A trail byte
 * goes with its lead byte unless it is ASCII, which may be markup.
 */
static size_t fault_length(const struct iconv_text *t, struct slice at)
{
	if (!t->doubles || at.data[0] <= 0x80 || at.data[0] == 0xFF)
		return 1;
	if (at.len < 2)
		return 0;
	return at.data[1] >= 0x80 ? 2 : 1;
}

/* Decodes from the front of `bytes`; the rest is the beginning of a character that is cut. */
static int convert(struct iconv_text *t, struct slice *bytes, struct output *out)
{
	while (bytes->len) {
		char *from = (char *)(uintptr_t)bytes->data; /* iconv does not write to its input */
		char *to = (char *)out->data + out->len;
		size_t left = bytes->len, room = OUTPUT_ROOM - out->len;
		size_t converted = iconv(t->cd, &from, &left, &to, &room);
		int fault = converted == (size_t)-1 ? errno : 0;
		out->len = OUTPUT_ROOM - room;
		*bytes = slice_skip(*bytes, bytes->len - left);
		int status = 0;
		if (fault == E2BIG) {
			status = output_flush(out);
		} else if (fault == EINVAL && bytes->len < ICONV_HELD_MAX / 2) {
			return 0;
		} else if (fault) {
			size_t n = fault_length(t, *bytes);
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
static int convert_held(struct iconv_text *t, struct slice *bytes, struct output *out)
{
	size_t before = t->n_held, extra = ICONV_HELD_MAX - before;
	extra = extra < bytes->len ? extra : bytes->len;
	memcpy(t->held + before, bytes->data, extra);
	struct slice all = slice_of(t->held, before + extra);
	int status = convert(t, &all, out);
	size_t used = before + extra - all.len;
	if (used >= before) { /* the rest is whole in `bytes` */
		t->n_held = 0;
		*bytes = slice_skip(*bytes, used - before);
	} else {
		memmove(t->held, all.data, all.len);
		t->n_held = all.len;
		*bytes = slice_skip(*bytes, extra);
	}
	return status;
}

int iconv_text_write(struct iconv_text *t, struct slice bytes, struct output *out)
{
	int status = 0;

	while (t->n_held && bytes.len && status == 0)
		status = convert_held(t, &bytes, out);
	if (status == 0)
		status = convert(t, &bytes, out);
	if (status == 0 && bytes.len) {
		memcpy(t->held, bytes.data, bytes.len);
		t->n_held = bytes.len;
	}
	return status;
}

int iconv_text_finish(struct iconv_text *t, struct output *out)
{
	int status = 0;
	if (t->n_held)
		status = output_replace(out);
	t->n_held = 0;
	if (status == 0 && OUTPUT_ROOM - out->len < ICONV_HELD_MAX)
		status = output_flush(out);
	char *to = (char *)out->data + out->len;
	size_t room = OUTPUT_ROOM - out->len;
	iconv(t->cd, NULL, NULL, &to, &room); /* a character it held back to see what follows */
	out->len = OUTPUT_ROOM - room;
	return status;
}
