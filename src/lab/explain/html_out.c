/* SPDX-License-Identifier: MIT */
/*
 * Text is written character by character: the five with a meaning in HTML become references, and characters that HTML
 * does not allow become U+FFFD. Example: "a<b" and a NUL become "a&lt;b" and U+FFFD.
 */
#include "lab/explain/html_out.h"

#include <math.h>
#include <stdarg.h>

#include "base/status.h"
#include "base/utf8.h"

int html_out_status(const struct html_out *o)
{
	return buf_status(&o->buf);
}

void html_out_fail(struct html_out *o)
{
	buf_latch(&o->buf, DANA_ENOMEM);
}

void html_out_raw(struct html_out *o, const char *markup)
{
	buf_append_text(&o->buf, markup);
}

void html_out_format(struct html_out *o, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(&o->buf, format, args);
	va_end(args);
}

static const char *entity(uint32_t c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* HTML allows neither control characters, except tab and line feed, nor the noncharacters of Unicode. */
static bool is_text(uint32_t c)
{
	return (c >= 0x20 && c < 0x7F) || c == '\t' || c == '\n' ||
	       (c >= 0xA0 && (c & 0xFFFE) != 0xFFFE && !(c >= 0xFDD0 && c <= 0xFDEF));
}

void html_out_text(struct html_out *o, struct slice text)
{
	while (text.len) {
		uint32_t c;
		uint8_t bytes[4];
		text = slice_skip(text, utf8_decode(text, &c));
		const char *name = entity(c);
		if (name)
			html_out_raw(o, name);
		else
			buf_append(&o->buf, bytes, utf8_put(is_text(c) ? c : 0xFFFD, bytes));
	}
}

void html_out_number(struct html_out *o, double value)
{
	if (!isfinite(value))
		html_out_raw(o, value > 0 ? "\xE2\x88\x9E" : value < 0 ? "\xE2\x88\x92\xE2\x88\x9E" : "\xE2\x80\x93");
	else if (value == trunc(value) && fabs(value) < 1e15)
		html_out_format(o, "%.0f", value);
	else
		html_out_format(o, "%.4g", value);
}
