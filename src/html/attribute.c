/* SPDX-License-Identifier: MIT */
/*
 * Attributes of a start tag (HTML, sections 13.2.5.32 to 13.2.5.40). Nothing is stored: the tag's source is read each
 * time somebody asks for the next attribute.
 *
 * Example: <a href="/x" title=Home hidden> gives ("href", "/x"), ("title", "Home") and ("hidden", ""). A quoted value
 * ends at the same quote, an unquoted one at white space or '>'.
 */
#include "base/ascii.h"
#include "html/tokenizer.h"

static bool ends_name(uint8_t c)
{
	return ascii_is_space(c) || c == '/' || c == '>' || c == '=';
}

struct html_attr_iter html_attr_begin(const struct html_tag_event *event)
{
	size_t at = 1 + (size_t)event->closing + event->name.len;
	/*
	 * event->name holds the first 64 bytes of the element's name; a longer name goes on to white space, '/', '=' or
	 * '>'
	 */
	while (at < event->source.len && !ends_name(event->source.data[at]))
		at++;
	return (struct html_attr_iter){ slice_skip(event->source, at) };
}

static struct slice attr_value(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *p = *at;
	while (p < end && ascii_is_space(*p))
		p++;

	struct slice value = { p, 0 };
	if (p < end && (*p == '"' || *p == '\'')) {
		const uint8_t *close = memchr(p + 1, *p, (size_t)(end - p - 1));
		value.data = p + 1;
		p = close ? close : end;
		value.len = (size_t)(p - value.data);
		if (close)
			p++;
	} else {
		while (p < end && !ascii_is_space(*p) && *p != '>')
			p++;
		value.len = (size_t)(p - value.data);
	}

	*at = p;
	return value;
}

bool html_attr_next(struct html_attr_iter *iter, struct html_attr *attr)
{
	const uint8_t *p = iter->rest.data, *end = p + iter->rest.len;
	while (p < end && (ascii_is_space(*p) || *p == '/'))
		p++;
	if (p >= end || *p == '>')
		return false;

	attr->name.data = p++; /* a name may begin with '=' */
	while (p < end && !ends_name(*p))
		p++;
	attr->name.len = (size_t)(p - attr->name.data);

	attr->value = slice_of(p, 0);
	const uint8_t *q = p;
	while (q < end && ascii_is_space(*q))
		q++;
	if (q < end && *q == '=') {
		p = q + 1;
		attr->value = attr_value(&p, end);
	}

	iter->rest = slice_of(p, (size_t)(end - p));
	return true;
}
