/* SPDX-License-Identifier: MIT */
/* Writes front matter, and the heads of documents of elements. */
#include "extract/structure/head.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "extract/structure/compose.h"

/*
 * A string between double quotes, which YAML 1.1 and 1.2 read alike. Line ends become blanks; what not every reader
 * takes as it is, and what begins a tag, code or a link for readers of Markdown without front matter, is written by its
 * number.
 */
static void append_string(struct buf *out, struct slice text)
{
	buf_append_byte(out, '"');
	for (size_t i = 0; i < text.len;) {
		uint32_t c;
		const size_t len = utf8_decode(slice_skip(text, i), &c);
		const bool control = c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF ||
				     (c & 0xFFFE) == 0xFFFE;
		if (c < 0x80 && ascii_is_space((uint8_t)c))
			buf_append_byte(out, ' ');
		else if (c > 0xFFFF && control)
			buf_append_text(out, "\xEF\xBF\xBD");
		else if (control || c == '<' || c == '`' || c == '[')
			buf_printf(out, "\\u%04X", (unsigned)c);
		else if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", (char)c);
		else
			buf_append(out, text.data + i, len);
		i += len;
	}
	buf_append_byte(out, '"');
}

/* Appends the words of a list that commas part. */
static void append_list(struct buf *out, struct slice list)
{
	bool any = false;
	buf_append_byte(out, '[');
	while (list.len) {
		const size_t len = slice_until(list, ",");
		const struct slice word = slice_trim(slice_first(list, len));
		if (word.len) {
			buf_append_text(out, any ? ", " : "");
			append_string(out, word);
			any = true;
		}
		list = slice_skip(list, len + 1);
	}
	buf_append_byte(out, ']');
}

/* Makes the address of the page, in a buffer: empty, as for links, if it is one of a script or of a program. */
static struct slice address_of(struct buf *address, const struct head_facts *facts)
{
	const struct slice url = facts->value[HEAD_URL];
	buf_append(address, url.data, url.len);
	const struct slice clean = url_clean(address);
	return url_scheme(clean).len == 0 || url_is_of_web(clean) ? clean : slice_of(NULL, 0);
}

int head_yaml(struct buf *out, const struct head_facts *facts)
{
#define KEY(number, key, found) key,
	static const char *const keys[HEAD_FACTS_COUNT] = { HEAD_FACTS(KEY) };
#undef KEY
	struct buf address = { 0 };
	struct head_facts all = *facts;
	all.value[HEAD_URL] = address_of(&address, facts);
	bool any = false;
	for (int i = 0; i < HEAD_FACTS_COUNT; i++) {
		if (slice_trim(all.value[i]).len == 0)
			continue;
		buf_printf(out, "%s%s: ", any ? "" : "---\n", keys[i]);
		any = true;
		if (i == HEAD_TAGS)
			append_list(out, all.value[i]);
		else
			append_string(out, all.value[i]);
		buf_append_byte(out, '\n');
	}
	buf_append_text(out, any ? "---\n\n" : "");
	buf_latch(out, buf_status(&address));
	buf_free(&address);
	return buf_status(out);
}

int head_markup(struct buf *out, const struct markup *markup, const struct head_facts *facts)
{
	static const struct {
		enum markup_element element;
		enum head_fact fact;
	} lines[] = { { MARKUP_AUTHOR, HEAD_AUTHOR },
		      { MARKUP_SOURCE, HEAD_FACTS_COUNT },
		      { MARKUP_PUBLISHED, HEAD_PUBLISHED },
		      { MARKUP_MODIFIED, HEAD_MODIFIED } };
	const struct slice none = slice_of(NULL, 0);
	struct buf address = { 0 };
	const struct slice url = address_of(&address, facts);
	markup_begin(out, markup, MARKUP_PAGE, facts->value[HEAD_TITLE], url);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const bool always = lines[i].fact == HEAD_FACTS_COUNT;
		const struct slice value = always ? none : facts->value[lines[i].fact];
		if (always || value.len)
			markup_begin(out, markup, lines[i].element, value, none);
	}
	markup_begin(out, markup, MARKUP_TEXT, url, none);
	buf_latch(out, buf_status(&address));
	buf_free(&address);
	return buf_status(out);
}
