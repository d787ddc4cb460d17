/* SPDX-License-Identifier: MIT */
#include "extract/structure/picture.h"

#include "base/ascii.h"
#include "extract/html/attribute.h"
#include "extract/structure/page.h"

/* Where scripts look for the address of a picture, the best first. */
static const struct picture_name {
	const char *name;
	bool set; /* its value is one of `srcset` */
} names[] = {
	{ "data-src", false },
	{ "data-lazy-src", false },
	{ "data-original", false },
	{ "data-orig-file", false },
	{ "data-actualsrc", false },
	{ "data-original-src", false },
	{ "data-hi-res-src", false },
	{ "data-src-large", false },
	{ "data-pagespeed-lazy-src", false },
	{ "data-ezsrc", false },
	{ "data-progressive", false },
	{ "data-large-src", false },
	{ "data-full-src", false },
	{ "data-img-src", false },
	{ "data-image-src", false },
	{ "data-ll-src", false },
	{ "data-cfsrc", false },
	{ "data-defer-src", false },
	{ "data-delayed-url", false },
	{ "data-lazyload", false },
	{ "data-lazy", false },
	{ "data-echo", false },
	{ "data-image", false },
	{ "data-backup", false },
	{ "data-large-file", false },
	{ "data-medium-file", false },
	{ "data-fallback-src", false },
	{ "srcset", true },
	{ "data-srcset", true },
	{ "data-lazy-srcset", true },
	{ "data-ll-srcset", true },
	{ "data-original-set", true },
	{ "data-defer-srcset", true },
	{ "data-orig-srcset", true },
	{ "data-src-set", true },
};

enum { NAMES = sizeof(names) / sizeof(*names) };

bool picture_is_file(struct slice url)
{
	static const char *const ends[] = {
		".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg", ".bmp", ".jfif"
	};
	url = slice_first(url, slice_until(url, "?#"));
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const size_t len = strlen(ends[i]);
		if (url.len > len && slice_is(slice_skip(url, url.len - len), ends[i]))
			return true;
	}
	return false;
}

/* Returns the part of a file's name before its dots, which a digest of its content may follow. */
static struct slice stem_of(struct slice url)
{
	url = slice_first(url, slice_until(url, "?#"));
	size_t from = url.len;
	while (from > 0 && url.data[from - 1] != '/')
		from--;
	const struct slice name = slice_skip(url, from);
	return slice_first(name, slice_until(name, "."));
}

bool picture_is_stand_in(struct slice url)
{
	static const char *const stems[] = { "blank",
					     "placeholder",
					     "spacer",
					     "1x1",
					     "transparent",
					     "pixel",
					     "loading",
					     "loader",
					     "lazy",
					     "lazyload",
					     "lazy-load",
					     "grey",
					     "gray",
					     "empty",
					     "dot",
					     "clear",
					     "trans",
					     "space",
					     "default",
					     "lazy_placeholder",
					     "placeholder-image",
					     "image-placeholder",
					     "img-placeholder",
					     "no-image" };
	if (url.len == 0 || url.data[0] == '#' || slice_is(slice_first(url, 5), "data:") ||
	    slice_is(slice_first(url, 6), "about:") || slice_is(slice_first(url, 11), "javascript:"))
		return true;
	static const char *const parts[] = { "placeholder", "loader", "spinner", "lazyload" };
	const struct slice stem = stem_of(url);
	bool found = slice_has(url, "/pagespeed_static/");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !found; i++)
		found = slice_has(stem, parts[i]);
	for (size_t i = 0; i < sizeof(stems) / sizeof(*stems) && !found; i++)
		found = slice_is(stem, stems[i]);
	return found;
}

/* Reads the number at the beginning of a size, such as 1.5 of "1.5x", in thousandths; 0: there is none. */
static uint64_t thousandths(struct slice size)
{
	uint64_t value = 0;
	unsigned decimals = 0;
	bool part = false;
	for (size_t i = 0; i < size.len && value < 1000000000 && decimals < 3; i++) {
		if (size.data[i] == '.' && !part) {
			part = true;
			continue;
		}
		if (!ascii_is_digit(size.data[i]))
			break;
		value = value * 10 + (uint64_t)(size.data[i] - '0');
		decimals += part;
	}
	for (; decimals < 3; decimals++)
		value *= 10;
	return value;
}

struct slice picture_of_set(struct slice set)
{
	struct slice best = { 0 };
	uint64_t most = 0;
	while (set.len) {
		size_t at = 0;
		while (at < set.len && (ascii_is_space(set.data[at]) || set.data[at] == ','))
			at++;
		set = slice_skip(set, at);
		struct slice url = slice_first(set, slice_until(set, " \t\n\f\r")), size = { 0 };
		set = slice_skip(set, url.len);
		const size_t whole = url.len;
		while (url.len && url.data[url.len - 1] == ',')
			url.len--;
		if (url.len == whole) {
			unsigned depth = 0;
			for (at = 0; at < set.len && (depth || set.data[at] != ','); at++) {
				depth += set.data[at] == '(';
				depth -= set.data[at] == ')' && depth;
			}
			size = slice_trim(slice_first(set, at));
			set = slice_skip(set, at);
		}
		const uint64_t value = size.len ? thousandths(size) : 1000;
		if ((!best.len || value > most) && url.len <= STRUCTURE_URL && !picture_is_stand_in(url)) {
			best = url;
			most = value;
		}
	}
	return best;
}

struct slice picture_lazy(const struct html_tag_event *event)
{
	struct html_attr_reader attrs = html_attr_begin(event);
	struct html_attr attr;
	struct slice best = { 0 };
	size_t rank = NAMES + 1;
	while (html_attr_next(&attrs, &attr)) {
		const bool data = slice_is(slice_first(attr.name, 5), "data-");
		size_t k = 0;
		if (!data && !slice_is(attr.name, "srcset"))
			continue;
		while (k < NAMES && !slice_is(attr.name, names[k].name))
			k++;
		if (k >= rank)
			continue;
		struct slice url = slice_trim(attr.value);
		if (k < NAMES && names[k].set)
			url = picture_of_set(url);
		/* other data is an address if it looks like one of a picture */
		const bool likely = k < NAMES ? slice_until(url, " \t\n\f\r{[") == url.len
					      : picture_is_file(url) && slice_until(url, " \t\n\f\r,;{[") == url.len;
		if (!likely || picture_is_stand_in(url))
			continue;
		best = url;
		rank = k;
	}
	return best;
}
