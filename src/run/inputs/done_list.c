/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/inputs/done_list.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/printable.h"

enum { SHOWN = 200 };

int done_list_add(struct done_list *list, struct slice input, const char *by)
{
	struct done_input *items = grow_items(list->items, list->n, &list->cap, sizeof(*items));
	struct done_input one = { .name = input, .by = by };
	if (!items)
		return DANA_ENOMEM;
	list->items = items;
	(void)input_range_cut(&one.name, &one.range);
	one.name = arena_copy(list->memory, one.name);
	if (!one.name.data)
		return DANA_ENOMEM;
	items[list->n++] = one;
	return DANA_OK;
}

static int compare(const void *a, const void *b)
{
	const struct done_input *x = a, *y = b;
	const size_t len = x->name.len < y->name.len ? x->name.len : y->name.len;
	const int order = memcmp(x->name.data, y->name.data, len);
	if (order || x->name.len != y->name.len)
		return order ? order : x->name.len < y->name.len ? -1 : 1;
	return (x->range.begin > y->range.begin) - (x->range.begin < y->range.begin);
}

/* `b` is sorted after `a`. */
static bool meet(const struct done_input *a, const struct done_input *b)
{
	return slice_equal(a->name, b->name) && (a->range.end == 0 || a->range.end > b->range.begin);
}

int done_list_sort(struct done_list *list, struct error *err)
{
	char shown[SHOWN];
	if (list->n)
		qsort(list->items, list->n, sizeof(*list->items), compare);
	for (size_t i = 1; i < list->n; i++) {
		const struct done_input *a = &list->items[i - 1], *b = &list->items[i];
		if (meet(a, b))
			return error_set(
				err, DANA_ECONFIG,
				"%s and %s have both read %s from byte %llu on; expected each part of an input "
				"in one run",
				a->by, b->by, printable(a->name, shown, sizeof(shown)),
				(unsigned long long)b->range.begin);
	}
	return DANA_OK;
}

void done_input_write(struct slice name, struct input_range range, struct json_writer *w)
{
	struct buf text = { 0 };
	buf_append(&text, name.data, name.len);
	if (!input_range_is_whole(range)) {
		buf_append_byte(&text, '@');
		input_range_write(range, &text);
	}
	json_element(w, buf_slice(&text));
	buf_latch(w->out, buf_status(&text));
	buf_free(&text);
}

int done_list_json(const struct done_list *list, struct buf *out)
{
	struct json_writer w = { .out = out };
	json_array_begin(&w);
	for (size_t i = 0; i < list->n; i++)
		done_input_write(list->items[i].name, list->items[i].range, &w);
	json_array_end(&w);
	return buf_status(out);
}

void done_list_free(struct done_list *list)
{
	free(list->items);
}
