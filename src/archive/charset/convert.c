/* SPDX-License-Identifier: MIT */
#include "archive/charset/convert.h"

#include <stdlib.h>

#include "archive/charset/decode.h"
#include "archive/charset/detect.h"
#include "archive/document.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"

enum convert_state {
	CONVERT_MARK,   /* a user names the charset; a byte order mark may overrule it */
	CONVERT_DETECT, /* the first bytes are held: they decide, or confirm a label */
	CONVERT_ASCII,  /* they are ASCII: bytes are passed up to the first other byte; those from there on are held */
	CONVERT_DECODE, /* decided */
};

struct charset_convert {
	enum convert_state state;
	const struct charset *label; /* NULL: no label */
	struct iconv_name named;     /* the charset of `label` if it is not one of the web */
	struct buf held;
	size_t first; /* so many bytes of `held` are the first ones of the page, kept for detect_late */
	struct detector detector;
	struct decoder decoder;
};

static void reset(struct charset_convert *c, const struct charset *label, bool forced)
{
	c->label = label;
	c->state = label && forced ? CONVERT_MARK : CONVERT_DETECT;
	c->detector.contradicted = c->detector.text = false;
	c->first = 0;
	buf_clear(&c->held);
	c->decoder.charset = NULL; /* not decided */
	c->decoder.len = 0;
	c->decoder.bad = 0;
}

struct charset_convert *charset_convert_new(struct byte_sink *next)
{
	struct charset_convert *c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->decoder.next = next;
	reset(c, NULL, false);
	return c;
}

void charset_convert_reset(struct charset_convert *c, struct slice label)
{
	reset(c, charset_find(label), false);
}

int charset_convert_reset_named(struct charset_convert *c, struct slice name)
{
	const struct charset *found = NULL;
	int status = name.len ? iconv_name_find(&c->named, name, &found) : DANA_OK;
	if (status < 0)
		return status;
	if (found == &c->named.charset)
		c->decoder.upper.of = NULL; /* may differ from the characters of the page before */
	reset(c, found, true);
	return DANA_OK;
}

void charset_convert_text(struct charset_convert *c)
{
	c->detector.text = true;
}

void charset_convert_free(struct charset_convert *c)
{
	if (!c)
		return;
	buf_free(&c->held);
	detector_free(&c->detector);
	decoder_free(&c->decoder);
	free(c);
}

static int begin_decoding(struct charset_convert *c, const struct charset *charset)
{
	c->state = CONVERT_DECODE;
	return decoder_begin(&c->decoder, charset);
}

/* Holds bytes from the front of `bytes`, up to `max` in all. */
static int hold(struct charset_convert *c, struct slice *bytes, size_t max)
{
	size_t room = max - c->held.len, n = bytes->len < room ? bytes->len : room;
	int status = buf_append(&c->held, bytes->data, n);
	*bytes = slice_skip(*bytes, n);
	return status;
}

/* Decodes the bytes that decided on the charset. What the detector has looked at or decoded is not decoded again. */
static int decode_decided(struct charset_convert *c, const struct charset *charset, struct slice bytes)
{
	struct decoder *d = &c->decoder;
	const struct pairs_text *pairs = &c->detector.pairs;
	const size_t valid = charset->kind == CHARSET_UTF8 ? c->detector.valid : 0;
	int status = begin_decoding(c, charset);
	if (status == 0 && charset == pairs->charset) {
		d->n_held = pairs->n_held;
		memcpy(d->held, pairs->held, pairs->n_held);
		d->bad = pairs->faults;
		return decoder_put(d, buf_slice(&pairs->text));
	}
	if (status == 0 && valid)
		status = decoder_put(d, slice_first(bytes, valid));
	return status ? status : decoder_write(d, slice_skip(bytes, valid));
}

static int decide_late(struct charset_convert *c, bool whole)
{
	const struct slice held = buf_slice(&c->held), late = slice_skip(held, c->first);
	const struct charset *charset;
	int status = detect_late(&c->detector, slice_first(held, c->first), late, whole, &charset);
	if (status == 0)
		status = decode_decided(c, charset, late);
	buf_clear(&c->held);
	return status;
}

/* Passes ASCII on, which is the same in every charset that is still possible. */
static int write_ascii(struct charset_convert *c, struct slice bytes)
{
	int status = 0;
	if (c->held.len == c->first) {
		size_t n = ascii_run(bytes.data, bytes.len);
		status = decoder_put(&c->decoder, slice_first(bytes, n));
		bytes = slice_skip(bytes, n);
	}
	if (status == 0)
		status = hold(c, &bytes, c->first + DETECT_LATE);
	if (status == 0 && c->held.len == c->first + DETECT_LATE)
		status = decide_late(c, false);
	return status || c->state == CONVERT_ASCII ? status : decoder_write(&c->decoder, bytes);
}

/* `first`: DETECT_WINDOW bytes of the page, or all of it; in c->held, or else nothing is held. */
static int detect(struct charset_convert *c, struct slice first, bool whole)
{
	const bool held = c->held.len > 0;
	const struct charset *charset;
	int status = detect_page(&c->detector, c->label, first, whole, &charset);
	if (status < 0)
		return status;
	if (charset) {
		status = decode_decided(c, charset, first);
		buf_clear(&c->held);
		return status;
	}
	c->state = CONVERT_ASCII;
	status = decoder_put(&c->decoder, first);
	c->first = detect_wants_first(&c->detector) ? first.len : 0;
	if (c->first == 0)
		buf_clear(&c->held);
	else if (!held && status == 0)
		status = buf_append(&c->held, first.data, first.len);
	return status;
}

/* Removes a byte order mark from the held bytes and `bytes`. Returns true if more bytes are needed to decide. */
static bool mark_is_open(struct charset_convert *c, struct slice *bytes, int *status)
{
	uint8_t first[4];
	size_t n = c->held.len, len;
	bool cut;
	if (n >= 3)
		return false;
	if (n)
		memcpy(first, c->held.data, n);
	for (size_t i = 0; n < 3 && i < bytes->len; i++)
		first[n++] = bytes->data[i];
	const struct charset *marked = detect_mark(slice_of(first, n), &len, &cut);
	if (!marked)
		return cut;
	*status = begin_decoding(c, marked);
	*bytes = slice_skip(*bytes, len - c->held.len);
	buf_clear(&c->held);
	return false;
}

/* Decodes by the label, first the bytes that were held because they could have been a mark. */
static int begin_labelled(struct charset_convert *c)
{
	int status = begin_decoding(c, c->label);
	if (status == 0)
		status = decoder_write(&c->decoder, buf_slice(&c->held));
	buf_clear(&c->held);
	return status;
}

static int begin(struct charset_convert *c, struct slice *bytes)
{
	int status = 0;
	if (mark_is_open(c, bytes, &status))
		return hold(c, bytes, DETECT_WINDOW);
	if (status || c->state == CONVERT_DECODE)
		return status;
	if (c->state == CONVERT_MARK)
		return begin_labelled(c);
	if (c->held.len == 0 && bytes->len >= DETECT_WINDOW) { /* no need to copy */
		struct slice first = slice_of(bytes->data, DETECT_WINDOW);
		*bytes = slice_skip(*bytes, DETECT_WINDOW);
		return detect(c, first, false);
	}
	status = hold(c, bytes, DETECT_WINDOW);
	if (status || c->held.len < DETECT_WINDOW)
		return status;
	return detect(c, buf_slice(&c->held), false);
}

int charset_convert_write(struct charset_convert *c, struct slice bytes)
{
	int status = 0;
	while (bytes.len && status == 0) {
		if (c->state == CONVERT_MARK || c->state == CONVERT_DETECT) {
			status = begin(c, &bytes);
			continue;
		}
		status = c->state == CONVERT_ASCII ? write_ascii(c, bytes) : decoder_write(&c->decoder, bytes);
		break;
	}
	return status ? status : decoder_flush(&c->decoder);
}

int charset_convert_finish(struct charset_convert *c)
{
	int status = 0;
	if (c->state == CONVERT_MARK)
		status = begin_labelled(c);
	else if (c->state == CONVERT_DETECT)
		status = detect(c, buf_slice(&c->held), true);
	if (status == 0 && c->state == CONVERT_ASCII)
		status = decide_late(c, true);
	if (status == 0)
		status = decoder_finish(&c->decoder);
	return status ? status : decoder_flush(&c->decoder);
}

const char *charset_convert_name(const struct charset_convert *c)
{
	return c->decoder.charset ? c->decoder.charset->name : NULL;
}

unsigned charset_convert_problems(const struct charset_convert *c)
{
	return (c->decoder.bad ? PROBLEM_BAD_CHARSET : 0) | (c->detector.contradicted ? PROBLEM_CHARSET_LABEL : 0);
}
