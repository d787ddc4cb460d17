/* SPDX-License-Identifier: MIT */
/* The layouts are those of Arrow's columnar format: "z" and "u", "Z" and "U" (large), "vz" and "vu" (views). */
#include "archive/arrow/input_column.h"

/* A view: short bytes stand in it, others in one of the buffers. */
struct view {
	int32_t len;
	union {
		uint8_t bytes[12];
		struct {
			uint8_t prefix[4];
			int32_t buffer, offset;
		} far;
	} at;
};

int input_column_open(struct input_column *c, const struct ArrowSchema *schema, const struct ArrowArray *array,
		      struct error *err)
{
	const char *format = schema->format;
	const size_t is_view = *format == 'v';
	const char kind = format[is_view];
	*c = (struct input_column){ .array = array,
				    .is_text = kind == 'u' || kind == 'U',
				    .layout = (char)(is_view       ? 'v'
						     : kind == 'u' ? 'z'
						     : kind == 'U' ? 'Z'
								   : kind) };
	const bool known = kind && strchr(is_view ? "zu" : "zuZU", kind) && format[is_view + 1] == '\0';
	if (known && !schema->dictionary)
		return DANA_OK;
	return error_set(
		err, DANA_ECONFIG,
		"the column is of Arrow's format '%.20s'%s; expected binary or utf8, also large ones and views", format,
		schema->dictionary ? " with a dictionary" : "");
}

static struct slice between(const uint8_t *bytes, int64_t begin, int64_t end)
{
	return slice_of(bytes && end > begin ? bytes + begin : (const uint8_t *)"", (size_t)(end - begin));
}

static struct slice view_at(const struct ArrowArray *array, int64_t at)
{
	const struct view *v = (const struct view *)array->buffers[1] + at;
	if (v->len <= (int32_t)sizeof(v->at.bytes))
		return slice_of(v->at.bytes, (size_t)v->len);
	return between(array->buffers[2 + v->at.far.buffer], v->at.far.offset, (int64_t)v->at.far.offset + v->len);
}

struct slice input_column_row(const struct input_column *c, int64_t i)
{
	const struct ArrowArray *a = c->array;
	const uint8_t *valid = a->null_count ? a->buffers[0] : NULL;
	const int64_t at = a->offset + i;
	if (valid && !(valid[at / 8] >> at % 8 & 1))
		return slice_of(NULL, 0);
	if (c->layout == 'v')
		return view_at(a, at);
	if (c->layout == 'Z') {
		const int64_t *ends = a->buffers[1];
		return between(a->buffers[2], ends[at], ends[at + 1]);
	}
	const int32_t *ends = a->buffers[1];
	return between(a->buffers[2], ends[at], ends[at + 1]);
}
