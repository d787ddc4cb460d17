/* SPDX-License-Identifier: MIT */
/* An address is resolved by its parts: scheme, authority, path, and the rest. */
#include "config.h"

#include "plugins/metadata/links.h"

#include <string.h>

#include "base/ascii.h"
#include "base/json_escape.h"
#include "extract/html/entity.h"
#include "plugins/metadata/tags.h"

enum { TEXT_SEARCH = 2048, TEXT_MOST = 300 };

static size_t find(struct slice s, size_t from, const char *any)
{
	while (from < s.len && !strchr(any, s.data[from]))
		from++;
	return from;
}

/** Returns the length of a scheme such as "http:" at the start; 0 if there is no scheme. */
static size_t scheme_length(struct slice s)
{
	size_t colon = find(s, 0, ":/?#");

	return colon < s.len && colon && s.data[colon] == ':' && ascii_is_alpha(s.data[0]) ? colon + 1 : 0;
}

/** Appends the path without its segments "." and "..". */
static void append_path(struct buf *out, size_t root, struct slice path)
{
	for (size_t at = 0; at < path.len;) {
		size_t end = find(path, at + 1, "/");
		struct slice segment = slice_of(path.data + at, end - at); /* with the '/' before it */
		bool last = end == path.len;
		if (slice_is(segment, "/..")) {
			while (out->len > root && out->data[out->len - 1] != '/')
				out->len--;
			out->len -= out->len > root;
		}
		if (slice_is(segment, "/.") || slice_is(segment, "/..")) {
			if (last)
				buf_append_byte(out, '/');
		} else {
			buf_append(out, segment.data, segment.len);
		}
		at = end;
	}
}

void address_resolve(struct buf *out, struct slice base, struct slice reference)
{
	size_t scheme = scheme_length(base);
	size_t path = find(base, scheme + 2 < base.len ? scheme + 2 : base.len, "/?#");
	size_t path_end = find(base, path, "?#"), root = out->len + path;

	if (scheme_length(reference)) {
		buf_append(out, reference.data, reference.len);
		return;
	}
	if (reference.len >= 2 && reference.data[0] == '/' && reference.data[1] == '/') {
		buf_append(out, base.data, scheme);
		buf_append(out, reference.data, reference.len);
		return;
	}
	size_t after = find(reference, 0, "?#");
	struct slice way = slice_of(reference.data, after);
	buf_append(out, base.data, path);
	if (!way.len) {
		size_t query = reference.len && reference.data[0] == '?' ? path_end : find(base, path, "#");
		buf_append(out, base.data + path, query - path);
	} else if (way.data[0] == '/') {
		append_path(out, root, way);
	} else {
		size_t folder = path_end;
		while (folder > path && base.data[folder - 1] != '/')
			folder--;
		struct buf joined = { 0 };
		buf_append(&joined, base.data + path, folder - path);
		if (folder == path)
			buf_append_byte(&joined, '/');
		buf_append(&joined, way.data, way.len);
		append_path(out, root, buf_slice(&joined));
		buf_free(&joined);
	}
	buf_append(out, reference.data + after, reference.len - after);
}

void links_begin(struct links *l, struct slice base)
{
	l->base = base;
	l->n = 0;
	buf_clear(&l->json);
	buf_append_byte(&l->json, '[');
}

/** Appends the text up to </a>, without tags, its white space collapsed. */
static void read_text(struct buf *out, struct slice html)
{
	struct slice rest = slice_first(html, TEXT_SEARCH);
	bool space = false;

	buf_clear(out);
	for (size_t i = 0; i < rest.len && out->len < TEXT_MOST; i++) {
		if (rest.data[i] == '<') {
			if (i + 2 < rest.len && rest.data[i + 1] == '/' && (rest.data[i + 2] | 0x20) == 'a')
				return;
			i = find(rest, i, ">");
			continue;
		}
		if (ascii_is_space(rest.data[i])) {
			space = out->len > 0;
			continue;
		}
		if (space)
			buf_append_byte(out, ' ');
		space = false;
		buf_append_byte(out, rest.data[i]);
	}
}

static void put(struct links *l, const char *before, const char *name, struct slice value)
{
	buf_printf(&l->json, "%s\"%s\":\"", before, name);
	json_escape(&l->json, value);
	buf_append_byte(&l->json, '"');
}

/** Adds a link. `text` is the page after the start tag. */
static void links_add(struct links *l, struct slice href, struct slice rel, struct slice text)
{
	struct buf reference = { 0 };

	href = slice_trim(href);
	if (!href.len || href.len > LINK_BYTES || href.data[0] == '#' || l->n == LINKS_MOST)
		return;
	buf_latch(&l->json, html_entity_append(&reference, href));
	buf_clear(&l->address);
	address_resolve(&l->address, l->base, buf_slice(&reference));
	buf_latch(&l->json, buf_status(&l->address));
	buf_free(&reference);
	if (l->address.len < 8 || memcmp(l->address.data, "http", 4) != 0)
		return;
	struct buf raw = { 0 };
	read_text(&raw, text);
	buf_clear(&l->text);
	buf_latch(&l->json, buf_status(&raw));
	buf_latch(&l->json, html_entity_append(&l->text, buf_slice(&raw)));
	buf_free(&raw);
	put(l, l->n++ ? ",{" : "{", "url", buf_slice(&l->address));
	put(l, ",", "text", buf_slice(&l->text));
	if (rel.len)
		put(l, ",", "rel", rel);
	buf_append_byte(&l->json, '}');
}

struct slice links_end(struct links *l)
{
	buf_append_byte(&l->json, ']');
	return buf_slice(&l->json);
}

static const uint8_t *comment(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *close = (size_t)(end - at) > 4 ? memmem(at + 4, (size_t)(end - at) - 4, "-->", 3) : NULL;

	return close ? close + 3 : NULL;
}

/** Reads the tag at `at`. Returns where to continue; NULL at the end of the page. */
static const uint8_t *look_at(struct links *l, const uint8_t *at, const uint8_t *end)
{
	struct tag tag;
	const uint8_t *after;

	if (end - at > 4 && memcmp(at, "<!--", 4) == 0)
		return comment(at, end);
	if (tag_is(at, end, "script"))
		return tag_raw_end(at + 1, end, "script");
	if (tag_is(at, end, "style"))
		return tag_raw_end(at + 1, end, "style");
	if (!tag_is(at, end, "a") || !(after = tag_read(at, end, strlen("a"), &tag)))
		return at + 1;
	links_add(l, tag_attr(&tag, "href"), tag_attr(&tag, "rel"), slice_of(after, (size_t)(end - after)));
	return after;
}

void links_read(struct links *l, struct slice html)
{
	const uint8_t *end = html.data + html.len;

	for (const uint8_t *at = html.data; at && (at = memchr(at, '<', (size_t)(end - at))) && at + 2 < end;)
		at = look_at(l, at, end);
}
