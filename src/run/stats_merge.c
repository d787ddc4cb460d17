/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/stats_merge.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/decimal.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "run/inputs/done_list.h"

enum { DEPTH_MOST = 8, SECONDS_DECIMALS = 3, REPORT_DECIMALS = 9 };

enum sum_kind { SUM_COUNT, SUM_DECIMAL, SUM_OBJECT };

/** A member of the object: a number, or an object of them. */
struct sum {
	const char *name; /* as JSON has it between its quotes */
	enum sum_kind kind;
	uint64_t count;
	double decimal;
	struct sum *first, *next; /* its members; the next one beside it */
};

struct stats_merge {
	struct json_reader *reader;
	struct arena *memory;
	struct sum all;
	struct done_list done;
};

static const struct json_rules rules = { .depth_most = DEPTH_MOST, .unique_names = true };

struct stats_merge *stats_merge_new(void)
{
	struct stats_merge *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->all.kind = SUM_OBJECT;
	m->reader = json_reader_new(&rules);
	m->memory = m->done.memory = arena_new();
	if (m->reader && m->memory)
		return m;
	stats_merge_free(m);
	return NULL;
}

/* The member of that name, as written; made at the end of the others if it is missing. Returns NULL if memory is
 * exhausted. */
static struct sum *member(struct stats_merge *m, struct sum *of, struct slice name, enum sum_kind kind)
{
	struct sum **at = &of->first;
	name = slice_of(name.data + 1, name.len - 2);
	while (*at && !slice_equal(slice_from_text((*at)->name), name))
		at = &(*at)->next;
	if (*at)
		return *at;
	struct sum *made = arena_alloc(m->memory, sizeof(*made));
	struct slice copy = arena_copy(m->memory, name);
	if (!made || !copy.data)
		return NULL;
	*made = (struct sum){ .name = (const char *)copy.data, .kind = kind };
	*at = made;
	return made;
}

/* Of these the largest says something, and the sum nothing. */
static bool is_largest(const struct sum *s, bool of_plugin)
{
	return (of_plugin && s->kind == SUM_DECIMAL) || strcmp(s->name, "peak_rss_bytes") == 0;
}

/* Returns false if it is not a number of --stats, or the sum is too large. */
static bool add_number(struct sum *s, struct slice written, bool of_plugin)
{
	char text[64];
	uint64_t count;
	if (written.len >= sizeof(text))
		return false;
	memcpy(text, written.data, written.len);
	text[written.len] = 0;
	if (s->kind == SUM_COUNT) {
		if (!decimal_number(written, UINT64_MAX, &count))
			return false;
		if (!is_largest(s, of_plugin))
			return !__builtin_add_overflow(s->count, count, &s->count);
		s->count = count > s->count ? count : s->count;
		return true;
	}
	const double value = strtod(text, NULL);
	if (!is_largest(s, of_plugin))
		s->decimal += value;
	else
		s->decimal = value > s->decimal ? value : s->decimal;
	return isfinite(s->decimal);
}

static enum sum_kind kind_of(struct json_value value)
{
	const struct slice written = json_written(value);
	if (json_kind(value) == JSON_IS_OBJECT)
		return SUM_OBJECT;
	return memchr(written.data, '.', written.len) ? SUM_DECIMAL : SUM_COUNT;
}

/* DANA_EFORMAT: a value is neither number nor object. */
static int add_object(struct stats_merge *m, struct sum *to, struct json_value object, bool of_plugin) // NOLINT
{
	struct json_walk w = json_walk(object);
	int status = DANA_OK;
	while (status == DANA_OK && json_walk_next(&w)) {
		if (to == &m->all && (json_name_is(w.name, "done") || json_name_is(w.name, "shard")))
			continue;
		struct sum *s = member(m, to, w.name, kind_of(w.value));
		if (!s)
			return DANA_ENOMEM;
		if (s->kind != kind_of(w.value))
			status = DANA_EFORMAT;
		else if (s->kind == SUM_OBJECT)
			status = add_object(m, s, w.value, of_plugin || json_name_is(w.name, "plugins"));
		else if (json_kind(w.value) != JSON_IS_NUMBER || !add_number(s, json_written(w.value), of_plugin))
			status = DANA_EFORMAT;
	}
	return status;
}

static int add_done(struct stats_merge *m, struct json_value array, const char *name)
{
	struct json_walk w = json_walk(array);
	struct buf space = { 0 };
	int status = json_kind(array) == JSON_IS_ARRAY ? DANA_OK : DANA_EFORMAT;
	while (status == DANA_OK && json_walk_next(&w)) {
		struct slice input;
		bool repaired;
		buf_clear(&space);
		if (json_kind(w.value) != JSON_IS_STRING)
			status = DANA_EFORMAT;
		else
			status = json_characters(w.value, &space, &input, &repaired);
		if (status == DANA_OK)
			status = done_list_add(&m->done, input, name);
	}
	buf_free(&space);
	return status;
}

static int add_line(struct stats_merge *m, const char *name, struct slice line, struct error *err)
{
	struct json_value root;
	struct error why = { 0 };
	int status = json_read(m->reader, line, &root, &why);
	if (status == DANA_EFORMAT)
		return error_set(err, DANA_EFORMAT, "%s: %s; expected what --stats writes", name, why.text);
	if (status == DANA_OK && json_kind(json_member(root, "records")) != JSON_IS_NUMBER)
		return error_set(err, DANA_EFORMAT, "%s: it has no `records`; expected what --stats writes", name);
	if (status == DANA_OK && json_kind(json_member(root, "done")) != JSON_IS_ARRAY)
		return error_set(err, DANA_EFORMAT,
				 "%s: it does not say which inputs were read (`done`); expected what --stats writes "
				 "without --cdx and --watch",
				 name);
	if (status == DANA_OK)
		status = add_object(m, &m->all, root, false);
	if (status == DANA_OK)
		status = add_done(m, json_member(root, "done"), name);
	if (status == DANA_EFORMAT)
		return error_set(err, DANA_EFORMAT, "%s: its members are not those that --stats writes", name);
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

int stats_merge_add(struct stats_merge *m, const char *name, struct slice lines, struct error *err)
{
	int status = lines.len ? DANA_OK
			       : error_set(err, DANA_EFORMAT, "%s: it is empty; expected what --stats writes", name);
	while (lines.len && status == DANA_OK) {
		const uint8_t *end = memchr(lines.data, '\n', lines.len);
		const size_t len = end ? (size_t)(end - lines.data) : lines.len;
		status = add_line(m, name, slice_first(lines, len), err);
		lines = slice_skip(lines, len + (end != NULL));
	}
	return status;
}

static void put(struct json_writer *w, const struct sum *of, bool of_plugin) // NOLINT
{
	for (const struct sum *s = of->first; s; s = s->next) {
		if (s->kind == SUM_OBJECT) {
			json_key(w, s->name);
			json_object_begin(w);
			put(w, s, of_plugin || strcmp(s->name, "plugins") == 0);
			json_object_end(w);
		} else if (s->kind == SUM_COUNT) {
			json_count(w, s->name, s->count);
		} else {
			json_decimal(w, s->name, s->decimal, of_plugin ? REPORT_DECIMALS : SECONDS_DECIMALS);
		}
	}
}

int stats_merge_json(struct stats_merge *m, struct buf *out, struct error *err)
{
	struct json_writer w = { .out = out };
	struct buf done = { 0 };
	int status = done_list_sort(&m->done, err);
	if (status < 0)
		return status;
	status = done_list_json(&m->done, &done);
	json_object_begin(&w);
	put(&w, &m->all, false);
	json_raw(&w, "done", buf_slice(&done));
	json_object_end(&w);
	buf_append_byte(out, '\n');
	buf_free(&done);
	return status < 0 || buf_status(out) < 0 ? error_no_memory(err) : DANA_OK;
}

void stats_merge_free(struct stats_merge *m)
{
	if (!m)
		return;
	json_reader_free(m->reader);
	done_list_free(&m->done);
	arena_free(m->memory);
	free(m);
}
