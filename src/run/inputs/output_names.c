/* SPDX-License-Identifier: MIT */
#include "run/inputs/output_names.h"

#include <stdlib.h>

#include "base/printable.h"
#include "io/net/address.h"

enum { SHOWN = 200 };

bool output_names_cut(struct slice *name, const char *suffix)
{
	size_t n = strlen(suffix);
	if (name->len <= n || memcmp(name->data + name->len - n, suffix, n) != 0)
		return false;
	name->len -= n;
	return true;
}

static bool is_plain_name(struct slice name)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	if (name.len == 0 || name.data[0] == '.')
		return false;
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] == 0 || !strchr(good, name.data[i]))
			return false;
	}
	return true;
}

static struct slice last_segment(struct slice path)
{
	size_t i = path.len;
	while (i > 0 && path.data[i - 1] != '/')
		i--;
	return slice_skip(path, i);
}

int output_names_base(const char *input, struct slice *base, struct error *err)
{
	char shown[SHOWN];
	*base = strcmp(input, "-") == 0 ? slice_from_text("stdin") : last_segment(address_path(input));
	if (is_plain_name(*base))
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

static int refuse_twice(const char *const *names, const char *const *inputs, const char *name, struct error *err)
{
	char shown[2][SHOWN];
	for (size_t i = 0, found = 0; found < 2; i++) {
		if (strcmp(names[i], name) == 0)
			(void)printable(slice_from_text(inputs[i]), shown[found++], SHOWN);
	}
	return error_set(err, DANA_ECONFIG, "--output-dir: the inputs %s and %s would both be written to %s", shown[0],
			 shown[1], name);
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
		if (strcmp(list[i - 1], list[i]) == 0)
			return refuse_twice(names, inputs, list[i], err);
	}
	return DANA_OK;
}
