/* SPDX-License-Identifier: MIT */
/*
 * Names of inputs and outputs: lists of them, outputs named after inputs, parts of an input ("FILE@BEGIN-END"), and
 * which inputs several runs have read. The names of a list are copied into the arena that it was given.
 */
#include "config.h"

#include "run/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/diagnostics.h"
#include "base/digest.h"
#include "base/system.h"
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

enum {
	SHOWN = 200,
	/*
	 * Bytes of a name that all common file systems take, and what of them is left for FILE, so that there is room
	 * for FILE.rejects.jsonl.state.new.
	 */
	NAME_BYTES = 255,
	OUTPUT_BYTES = NAME_BYTES - 24,
	DIGEST_LETTERS = 16,
};

bool output_names_cut(struct slice *name, const char *suffix)
{
	size_t n = strlen(suffix);
	if (name->len <= n || memcmp(name->data + name->len - n, suffix, n) != 0)
		return false;
	name->len -= n;
	return true;
}

struct slice output_names_base(const char *input)
{
	const struct slice path = strcmp(input, "-") == 0 ? slice_from_text("stdin") : address_path(input);
	size_t i = path.len;
	while (i > 0 && path.data[i - 1] != '/')
		i--;
	const struct slice base = slice_skip(path, i);
	return base.len || !address_is_network(input) ? base : url_parts(slice_from_text(input)).host;
}

int output_names_put(struct buf *path, struct slice base, const char *ending, struct error *err)
{
	const size_t len = strlen(ending), room = OUTPUT_BYTES - len, begins = path->len;
	size_t kept = base.len;
	char digest[SHA256_TEXT + 1];
	if (kept > room) { /* at the beginning of a character, if it is UTF-8 */
		kept = room - 1 - DIGEST_LETTERS;
		for (size_t back = 0; back < 3 && (base.data[kept] & 0xc0) == 0x80; back++)
			kept--;
	}
	buf_append(path, base.data, kept);
	if (base.len == 0)
		buf_append_byte(path, '_');
	else if (base.data[0] == '.' && buf_status(path) == DANA_OK)
		path->data[begins] = '_';
	if (kept < base.len) {
		sha256_text(base, digest);
		buf_printf(path, "-%.*s", DIGEST_LETTERS, digest);
	}
	buf_append(path, ending, len);
	return buf_append_byte(path, 0) < 0 ? error_no_memory(err) : DANA_OK;
}

struct slice output_names_below(const char *input, size_t below)
{
	const char *slash = below ? strrchr(input + below, '/') : NULL;
	return slice_of(input + below, slash ? (size_t)(slash + 1 - (input + below)) : 0);
}

/* A folder in the folder of outputs: not what a link leads to, which may be anywhere. */
static int make_folder(const char *path, struct error *err)
{
	struct stat st;
	char shown[SHOWN];
	if (mkdir(path, 0777) == 0)
		return DANA_OK;
	const int error = errno;
	(void)printable(slice_from_text(path), shown, sizeof(shown));
	if (error != EEXIST)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", shown, system_text(error));
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return DANA_OK;
	return error_set(err, DANA_ECONFIG,
			 "--output-dir: %s is %s, where outputs need a folder; remove it, or name another DIR", shown,
			 S_ISLNK(st.st_mode) ? "a link" : "a file");
}

int output_names_folders(const char *folder, const char *const *names, size_t n, struct error *err)
{
	struct buf path = { 0 };
	const char *last = "";
	int status = DANA_OK;
	if ((mkdir(folder, 0777) < 0 && errno != EEXIST) || access(folder, W_OK | X_OK) < 0)
		return error_set(err, DANA_EIO, "--output-dir: %s: %s", folder, system_text(errno));
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		const char *rest = names[i] + strlen(folder) + 1;
		/* what it has in common with the one before is there */
		size_t same = 0;
		for (size_t k = 0; last[k] && last[k] == names[i][k]; k++)
			same = names[i][k] == '/' ? k : same;
		for (const char *slash; status == DANA_OK && (slash = strchr(rest, '/')); rest = slash + 1) {
			const size_t len = (size_t)(slash - names[i]);
			if (len <= same)
				continue;
			buf_clear(&path);
			buf_append(&path, names[i], len);
			status = buf_append_byte(&path, 0) < 0 ? error_no_memory(err)
							       : make_folder((const char *)path.data, err);
		}
		last = names[i];
	}
	buf_free(&path);
	return status;
}

int output_names_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int output_names_order(const void *a, const void *b)
{
	return system_compare_paths(*(const char *const *)a, *(const char *const *)b);
}

int output_names_meet(const char *const *names, size_t n, bool *met, struct error *err)
{
	const char **list = malloc((n ? n : 1) * sizeof(*list));
	if (!list)
		return error_no_memory(err);
	memcpy(list, names, n * sizeof(*list));
	qsort(list, n, sizeof(*list), output_names_order);
	for (size_t i = 0; i < n; i++) {
		const char **at = bsearch(&names[i], list, n, sizeof(*list), output_names_order);
		met[i] = (at > list && system_compare_paths(at[-1], *at) == 0) ||
			 (at + 1 < list + n && system_compare_paths(at[1], *at) == 0);
	}
	free(list);
	return DANA_OK;
}

static bool in_one_folder(const char *a, const char *b)
{
	const char *ends[2] = { strrchr(a, '/'), strrchr(b, '/') };
	const size_t len = ends[0] ? (size_t)(ends[0] - a) : 0;
	return (ends[1] ? (size_t)(ends[1] - b) : 0) == len && memcmp(a, b, len) == 0;
}

/* Refuses two inputs whose outputs have one name. */
static int refuse_both(const char *const *names, const char *const *inputs, const char *output, struct error *err)
{
	char shown[2][SHOWN], name[SHOWN];
	size_t first = 0, second;
	while (system_compare_paths(names[first], output) != 0)
		first++;
	for (second = first + 1; system_compare_paths(names[second], output) != 0;)
		second++;
	(void)printable(slice_from_text(inputs[first]), shown[0], SHOWN);
	(void)printable(slice_from_text(inputs[second]), shown[1], SHOWN);
	(void)printable(slice_from_text(output), name, SHOWN);
	if (strcmp(inputs[first], inputs[second]) == 0)
		return error_set(err, DANA_ECONFIG, "--output-dir: the input %s is given twice; give it once",
				 shown[0]);
	return error_set(err, DANA_ECONFIG,
			 "--output-dir: the inputs %s and %s would both be written to %s; %srename one, or write all "
			 "to one file with --output",
			 shown[0], shown[1], name,
			 in_one_folder(inputs[first], inputs[second])
				 ? ""
				 : "name the folder that holds both (folders below it are kept), ");
}

/* An output that has the name of a folder in which others are. */
static int refuse_folder(const char *const *names, const char *const *inputs, const char *output, struct error *err)
{
	char shown[SHOWN], name[SHOWN];
	size_t i = 0;
	while (system_compare_paths(names[i], output) != 0)
		i++;
	return error_set(err, DANA_ECONFIG,
			 "--output-dir: the input %s would be written to %s, which is the folder of other outputs; "
			 "rename one, or write all to one file with --output",
			 printable(slice_from_text(inputs[i]), shown, SHOWN),
			 printable(slice_from_text(output), name, SHOWN));
}

int output_names_sort(const char *const *names, const char *const *inputs, size_t n, size_t folder,
		      const char ***sorted, struct error *err)
{
	const char **list = malloc((n ? n : 1) * sizeof(*list));
	struct buf path = { 0 };
	*sorted = list;
	if (!list)
		return error_no_memory(err);
	memcpy(list, names, n * sizeof(*list));
	qsort(list, n, sizeof(*list), output_names_order);
	for (size_t i = 1; i < n; i++) {
		if (system_compare_paths(list[i - 1], list[i]) == 0)
			return refuse_both(names, inputs, list[i], err);
	}
	for (size_t i = 0; i < n && err->status == DANA_OK; i++) {
		const char *slash = list[i] + folder;
		while (err->status == DANA_OK && (slash = strchr(slash + 1, '/'))) {
			buf_clear(&path);
			buf_append(&path, list[i], (size_t)(slash - list[i]));
			const char *above = buf_append_byte(&path, 0) < 0 ? NULL : (const char *)path.data;
			if (!above)
				(void)error_no_memory(err);
			else if (bsearch(&above, list, n, sizeof(*list), output_names_order))
				(void)refuse_folder(names, inputs, above, err);
		}
	}
	buf_free(&path);
	return (int)err->status;
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
