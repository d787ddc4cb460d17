/* SPDX-License-Identifier: MIT */
/* Reads attributes byte by byte, in every form that HTML allows. */
#include "extract/html/attribute.h"

#include "base/ascii.h"

static bool ends_name(uint8_t c)
{
	return html_ends_name(c) || c == '=';
}

struct html_attr_reader html_attr_begin(const struct html_tag_event *event)
{
	size_t at = 1 + (size_t)event->closing + event->name.len;
	/* event->name has the first 64 bytes of the element's name; a longer name ends where attributes' do */
	while (at < event->source.len && !ends_name(event->source.data[at]))
		at++;
	const uint8_t *first = event->source.data, *end = first + event->source.len;
	return (struct html_attr_reader){ .at = at < event->source.len ? first + at : end, .end = end, .limit = end };
}

bool html_attr_any(struct html_attr_reader *r, struct html_attr *attr)
{
	const uint8_t *p = r->at, *end = r->end;
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
		for (p = q + 1; p < end && ascii_is_space(*p);)
			p++;
		attr->value.data = p;
		if (p < end && (*p == '"' || *p == '\'')) {
			const uint8_t *close = memchr(p + 1, *p, (size_t)(end - p - 1));
			attr->value.data = p + 1;
			p = close ? close : end;
			attr->value.len = (size_t)(p - attr->value.data);
			p += close != NULL;
		} else {
			while (p < end && !ascii_is_space(*p) && *p != '>')
				p++;
			attr->value.len = (size_t)(p - attr->value.data);
		}
	}
	attr->number = html_attr_number(little_endian(attr->name.data, attr->name.len < 8 ? attr->name.len : 8),
					attr->name.len);
	r->at = p;
	return true;
}

struct slice html_attr_named(const struct html_tag_event *event, const char *name)
{
	struct html_attr_reader attrs = html_attr_begin(event);
	struct html_attr attr;
	while (html_attr_next(&attrs, &attr)) {
		if (slice_is(attr.name, name))
			return attr.value;
	}
	return slice_of(NULL, 0);
}
