/* SPDX-License-Identifier: MIT */
/*
 * Sizes in pixels from what authors write: width="640", "640px", style="width: 640px", viewBox="0 0 640 480". A size in
 * other units is not known (0). Example of a srcset: "a.jpg 320w, b.jpg 640w" gives b.jpg and 640; candidates by
 * density ("2x") have no width.
 */
#include "extract/papers/wlr/media_size.h"

#include "base/ascii.h"
#include "base/decimal.h"
#include "extract/papers/wlr/media.h"

enum { PIXELS_MOST = 1000000 };

/* Reads the digits at the front and skips a fraction; *rest is what follows. */
static unsigned read_number(struct slice s, struct slice *rest)
{
	uint64_t value;
	size_t i = decimal_prefix(s, &value);
	if (i && i < s.len && s.data[i] == '.') {
		i++;
		while (i < s.len && ascii_is_digit(s.data[i]))
			i++;
	}
	*rest = slice_skip(s, i);
	return value > PIXELS_MOST ? PIXELS_MOST : (unsigned)value;
}

/* Reads "640" or "640px". */
static unsigned read_pixels(struct slice s)
{
	struct slice rest;
	unsigned value = read_number(slice_trim(s), &rest);
	return rest.len == 0 || slice_is(rest, "px") ? value : 0;
}

/* Returns the part of `s` before `separator`; *rest is what follows it. */
static struct slice split(struct slice s, uint8_t separator, struct slice *rest)
{
	size_t i = 0;
	while (i < s.len && s.data[i] != separator)
		i++;
	*rest = slice_skip(s, i + 1);
	return slice_of(s.data, i);
}

static void read_style(struct slice style, struct media_size *size)
{
	while (style.len) {
		struct slice value, declaration = split(style, ';', &style);
		struct slice name = slice_trim(split(declaration, ':', &value));
		if (size->width == 0 && slice_is(name, "width"))
			size->width = read_pixels(value);
		else if (size->height == 0 && slice_is(name, "height"))
			size->height = read_pixels(value);
	}
}

/* Reads "min-x min-y width height". */
static struct media_size read_view_box(struct slice box)
{
	unsigned numbers[4] = { 0 };
	for (unsigned i = 0; i < 4; i++) {
		while (box.len && (ascii_is_space(box.data[0]) || box.data[0] == ',' || box.data[0] == '-'))
			box = slice_skip(box, 1);
		numbers[i] = read_number(box, &box);
	}
	return (struct media_size){ numbers[2], numbers[3] };
}

struct media_size media_size_read(struct slice width, struct slice height, struct slice style, struct slice view_box)
{
	struct media_size size = { read_pixels(width), read_pixels(height) };
	if (size.width == 0 || size.height == 0)
		read_style(style, &size);
	if (size.width == 0 && size.height == 0)
		size = read_view_box(view_box);
	return size;
}

bool media_size_is_large(struct media_size size)
{
	if (size.width && size.height)
		return (uint64_t)size.width * size.height > MEDIA_AREA;
	return size.width >= MEDIA_SIDE || size.height >= MEDIA_SIDE;
}

unsigned media_srcset_widest(struct slice srcset, struct slice *url)
{
	unsigned widest = 0;
	*url = (struct slice){ 0 };
	while (srcset.len) {
		/* a comma ends a candidate only if white space follows: URLs may contain commas */
		size_t end = 0;
		while (end < srcset.len &&
		       !(srcset.data[end] == ',' && (end + 1 == srcset.len || ascii_is_space(srcset.data[end + 1]))))
			end++;
		struct slice candidate = slice_trim(slice_of(srcset.data, end)), rest;
		srcset = slice_skip(srcset, end + 1);
		size_t gap = candidate.len;
		while (gap && !ascii_is_space(candidate.data[gap - 1]))
			gap--;
		unsigned width = read_number(slice_skip(candidate, gap), &rest);
		if (gap && slice_is(rest, "w") && width > widest) {
			widest = width;
			*url = slice_trim(slice_of(candidate.data, gap));
		}
	}
	return widest;
}
