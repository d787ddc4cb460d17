/* SPDX-License-Identifier: MIT */
/*
 * Names of inputs and outputs: lists of them, outputs named after inputs, parts of an input ("FILE@BEGIN-END"), and
 * which inputs several runs have read. The names of a list are copied into the arena that it was given.
 */
#include "config.h"

#include "run/names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/url_parts.h"
#include "io/address.h"

int name_list_add(struct name_list *list, struct slice name, struct error *err)
{
	const char **items = grow_items(list->items, list->n, &list->cap, sizeof(*items));
	if (items)
		list->items = items;
	struct slice copy = items ? arena_copy(list->memory, name) : (struct slice){ NULL, 0 };
	if (!copy.data)
		return error_no_memory(err);
	list->items[list->n++] = (const char *)copy.data;
	return DANA_OK;
}

enum { SHOWN = 200 };

bool output_names_cut(struct slice *name, const char *suffix)
{
	size_t n = strlen(suffix);
	if (name->len <= n || memcmp(name->data + name->len - n, suffix, n) != 0)
		return false;
	name->len -= n;
	return true;
}

int output_names_base(const char *input, struct slice *base, struct error *err)
{
	char shown[SHOWN];
	const struct slice path = strcmp(input, "-") == 0 ? slice_from_text("stdin") : address_path(input);
	size_t i = path.len;
	while (i > 0 && path.data[i - 1] != '/')
		i--;
	*base = slice_skip(path, i);
	if (base->len == 0 && address_is_network(input)) /* the front page of a host */
		*base = url_parts(slice_from_text(input)).host;
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	bool plain = base->len && base->data[0] != '.';
	for (size_t k = 0; k < base->len && plain; k++)
		plain = base->data[k] && strchr(good, base->data[k]);
	if (plain)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG,
			 "--output-dir: the name of input %s is not allowed; expected A-Z a-z 0-9 . _ - without a dot "
			 "at the beginning",
			 printable(slice_from_text(input), shown, sizeof(shown)));
}

int output_names_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int output_names_sort(const char *const *names, const char *const *inputs, size_t n, const char ***sorted,
		      struct error *err)
{
	const char **list = malloc((n ? n : 1) * sizeof(*list));
	*sorted = list;
	if (!list)
		return error_no_memory(err);
	memcpy(list, names, n * sizeof(*list));
	qsort(list, n, sizeof(*list), output_names_compare);
	for (size_t i = 1; i < n; i++) {
		if (strcmp(list[i - 1], list[i]) != 0)
			continue;
		char shown[2][SHOWN];
		for (size_t k = 0, found = 0; found < 2; k++) {
			if (strcmp(names[k], list[i]) == 0)
				(void)printable(slice_from_text(inputs[k]), shown[found++], SHOWN);
		}
		return error_set(err, DANA_ECONFIG, "--output-dir: the inputs %s and %s would both be written to %s",
				 shown[0], shown[1], list[i]);
	}
	return DANA_OK;
}

bool input_range_read(struct slice text, struct input_range *range)
{
	struct input_range r = { 0 };
	const size_t dash = slice_until(text, "-");
	if (dash == text.len || !decimal_with_unit(slice_first(text, dash), &r.begin) || r.begin == UINT64_MAX)
		return false;
	text = slice_skip(text, dash + 1);
	if (text.len && (!decimal_with_unit(text, &r.end) || r.end == UINT64_MAX || r.end <= r.begin))
		return false;
	*range = r;
	return true;
}

/* Appends the range as text; "BEGIN-" where it has no end. */
static int input_range_write(struct input_range range, struct buf *out)
{
	buf_printf(out, "%" PRIu64 "-", range.begin);
	return range.end ? buf_printf(out, "%" PRIu64, range.end) : buf_status(out);
}

bool input_range_cut(struct slice *name, struct input_range *range)
{
	size_t at = name->len;
	while (at > 0 && name->data[at - 1] != '@' && name->data[at - 1] != '/')
		at--;
	if (at < 2 || name->data[at - 1] != '@' || !input_range_read(slice_skip(*name, at), range))
		return false;
	name->len = at - 1;
	return true;
}

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

int done_list_sort(struct done_list *list, struct error *err)
{
	char shown[SHOWN];
	if (list->n)
		qsort(list->items, list->n, sizeof(*list->items), compare);
	for (size_t i = 1; i < list->n; i++) {
		const struct done_input *a = &list->items[i - 1], *b = &list->items[i];
		if ((slice_equal(a->name, b->name) && (a->range.end == 0 || a->range.end > b->range.begin)))
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
