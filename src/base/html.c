/* SPDX-License-Identifier: MIT */
/* Text that nobody has checked becomes text of a page, and never markup. */
#include "base/html.h"

#include "base/digest.h"
#include "base/utf8.h"

/* Returns how many bytes stay as they are: ASCII that is neither control character nor markup. */
static size_t plain_bytes(struct slice text)
{
	static const uint8_t marks[128] = { ['&'] = 1, ['<'] = 1, ['>'] = 1, ['"'] = 1, ['\''] = 1, [0x7F] = 1 };
	size_t n = 0;
	while (n < text.len && (uint8_t)(text.data[n] - 0x20) < 0x60 && !marks[text.data[n]])
		n++;
	return n;
}

void html_put_text(struct buf *out, struct slice text)
{
	static const char marks[] = "&<>\"'", *const written[] = { "&#38;", "&#60;", "&#62;", "&#34;", "&#39;" };
	while (text.len) {
		uint32_t c;
		uint8_t bytes[4];
		const size_t plain = plain_bytes(text);
		if (plain) {
			buf_append(out, text.data, plain);
			text = slice_skip(text, plain);
			continue;
		}
		text = slice_skip(text, utf8_decode(text, &c));
		/* HTML allows neither control characters, except tab and line feed, nor the noncharacters of Unicode */
		if ((c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) || (c & 0xFFFE) == 0xFFFE ||
		    (c >= 0xFDD0 && c <= 0xFDEF))
			c = 0xFFFD;
		const char *mark = c && c < 0x80 ? strchr(marks, (int)c) : NULL;
		if (mark)
			buf_append_text(out, written[mark - marks]);
		else
			buf_append(out, bytes, utf8_put(c, bytes));
	}
}

void html_put_markup(struct buf *out, struct slice markup)
{
	buf_append(out, markup.data, markup.len);
}

void html_put_digest(struct buf *out, struct slice text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char hex[SHA256_TEXT + 1];
	uint32_t bits = 0, n = 0;
	sha256_text(text, hex);
	buf_append_text(out, "sha256-");
	for (const char *digit = hex; *digit; digit++) {
		bits = bits << 4 | (uint32_t)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
		n += 4;
		if (n >= 6)
			buf_append_byte(out, (uint8_t)letters[bits >> (n -= 6) & 63]);
	}
	buf_printf(out, "%c=", letters[bits << (6 - n) & 63]); /* 256 bits are 42 letters and 4 bits */
}

void html_fill(struct buf *out, struct slice template, const struct html_place *places, size_t n)
{
	while (template.len) {
		size_t len = 0;
		for (size_t i = 0; i < n && len == 0; i++) {
			struct slice name = slice_from_text(places[i].name);
			if (!slice_equal(slice_first(template, name.len), name))
				continue;
			places[i].put(out, places[i].text);
			len = name.len;
		}
		if (len == 0) {
			len = 1 + slice_until(slice_skip(template, 1), "{");
			buf_append(out, template.data, len);
		}
		template = slice_skip(template, len);
	}
}
