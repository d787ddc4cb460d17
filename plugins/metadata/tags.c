/* SPDX-License-Identifier: MIT */
/* Quotes hide a '>' only directly after '=', as in most tags that people write; the tokeniser reads the attributes. */
#include "config.h"

#include "plugins/metadata/tags.h"

#include <string.h>

#include "base/ascii.h"
#include "extract/html/attribute_next.h"

const uint8_t *tag_close(struct tag_place *p, const uint8_t *at, const uint8_t *end)
{
	static const bool decides[256] = { ['>'] = true, ['"'] = true, ['\''] = true };
	const uint8_t *start = at;
	uint8_t quote = p->quote;

	while (!quote || (at = memchr(at, quote, (size_t)(end - at)))) {
		at += quote != 0;
		while (at < end && !decides[*at])
			at++;
		quote = 0;
		if (at == end)
			break;
		if (*at == '>')
			return at;
		if ((at > start ? at[-1] : p->last) == '=')
			quote = *at;
		at++;
	}
	*p = (struct tag_place){ quote, end > start ? end[-1] : p->last };
	return NULL;
}

bool tag_is(const uint8_t *at, const uint8_t *end, const char *name)
{
	size_t n = strlen(name);

	if ((size_t)(end - at) < n + 2)
		return false;
	return slice_equal_nocase(slice_of(at + 1, n), slice_of(name, n)) && !ascii_is_alpha(at[n + 1]) &&
	       !ascii_is_digit(at[n + 1]) && at[n + 1] != '-';
}

const uint8_t *tag_read(const uint8_t *at, const uint8_t *end, size_t name, struct tag *tag)
{
	const uint8_t *close = tag_close(&(struct tag_place){ 0 }, at + 1 + name, end);

	tag->n = 0;
	if (!close)
		return NULL;
	const struct html_tag_event event = {
		.name = slice_of(at + 1, name),
		.source = slice_first(slice_of(at, (size_t)(close + 1 - at)), HTML_TAG_BYTES),
	};
	struct html_attr_reader reader = html_attr_begin(&event);
	while (tag->n < TAG_ATTRS_MOST && html_attr_next(&reader, &tag->attrs[tag->n]))
		tag->n++;
	return close + 1;
}

const uint8_t *tag_raw_end(const uint8_t *at, const uint8_t *end, const char *name)
{
	while ((at = memchr(at, '<', (size_t)(end - at)))) {
		if (at + 1 < end && at[1] == '/' && tag_is(at + 1, end, name))
			return at;
		at++;
	}
	return NULL;
}
