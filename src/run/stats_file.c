/* SPDX-License-Identifier: MIT */
/*
 * The counters of a run outside of it: as a checkpoint keeps them, as the file of --stats, summed up over several of
 * these files (`dana stats`), and as the file of --metrics.
 */
#include "config.h"

#include "run/stats_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "archive/survey.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/json.h"
#include "base/system.h"
#include "dana/dana.h"
#include "run/inputs.h"
#include "run/names.h"
#include "run/state_file.h"

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

void stats_measure(struct stats *s, double wall_seconds)
{
	struct rusage usage;
	s->seconds = wall_seconds;
	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return;
	s->cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	s->peak_rss_bytes = system_most_resident_bytes(&usage);
}

static struct field_row as_field(const struct stats_row *row)
{
	return (struct field_row){ row->name, row->offset, row->size };
}

void stats_save(const struct stats *s, struct buf *list)
{
	struct buf methods = { 0 };
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		const struct field_row field = as_field(row);
		fields_put_members(list, &field, 1, s);
	}
	for (size_t i = 0; i < STATS_METHODS && s->methods[i].name; i++)
		fields_put_number(&methods, s->methods[i].name, s->methods[i].count);
	fields_put_list(list, "methods", &methods);
}

void stats_load(struct stats *s, struct fields *list)
{
	struct fields methods = fields_list(list, "methods");
	size_t n = 0;
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		const struct field_row field = as_field(row);
		fields_members(list, &field, 1, s);
	}
	/* Names are static memory, as the table of methods has them. */
	for (size_t i = 0; i < dana_method_count() && n < STATS_METHODS; i++) {
		const char *name = dana_method_name(i);
		if (fields_has(&methods, name))
			s->methods[n++] = (struct stats_method){ name, fields_number(&methods, name) };
	}
	list->bad |= methods.bad;
}

static int file_fault(const struct report_file *f, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s: %s", f->option, f->path, system_text(errno));
}

int report_file_open(struct report_file *f, struct error *err)
{
	f->file = NULL;
	if (!f->path)
		return DANA_OK;
	if (strcmp(f->path, "-") == 0) {
		f->file = stderr;
		return DANA_OK;
	}
	/* through a link only a device or a pipe, as /dev/stdout: somebody else may have put it there */
	struct stat st;
	int fd = durable_open(f->path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0 && errno == ELOOP && stat(f->path, &st) == 0 && !S_ISREG(st.st_mode))
		fd = durable_open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);

	f->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (f->file)
		return DANA_OK;
	(void)file_fault(f, err);
	if (fd >= 0)
		(void)close(fd);
	return DANA_EIO;
}

bool report_file_keep(struct report_file *f)
{
	struct stat st;
	if (!f->file || f->file == stderr || fstat(fileno(f->file), &st) < 0 || st.st_size == 0)
		return false;
	(void)fclose(f->file);
	f->file = NULL;
	return true;
}

int report_file_write(struct report_file *f, struct slice content, struct error *err)
{
	FILE *file = f->file;
	if (!file)
		return DANA_OK;
	f->file = NULL;
	/* Devices and pipes refuse to be cut, and need it not. */
	int error = file == stderr ? 0 : durable_cut(fileno(file), 0);
	if (error && error != EINVAL)
		errno = error;
	bool good = error == 0 || error == EINVAL;
	good = good && fwrite(content.data, 1, content.len, file) == content.len;
	good = (file == stderr ? fflush(file) : fclose(file)) == 0 && good;
	return good ? DANA_OK : file_fault(f, err);
}

enum { DEPTH_MOST = 8, SECONDS_DECIMALS = 3, REPORT_DECIMALS = 9 };

enum sum_kind { SUM_COUNT, SUM_DECIMAL, SUM_OBJECT };

/** A member of the object: a number, or an object of them. */
struct sum {
	const char *name; /* as JSON has it between its quotes */
	enum sum_kind kind;
	uint64_t count;
	double decimal;
	bool set;                 /* `decimal` comes from a run */
	struct sum *first, *next; /* its members; the next one beside it */
};

struct stats_merge {
	struct json_reader *reader;
	struct arena *memory;
	struct sum all;
	struct done_list done;
	struct buf shares; /* struct share each, of --shard */
	struct survey *survey;
	const char *without; /* the first file with a line that has no `report`; NULL: all have one */
	bool any_report;
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
	m->survey = survey_new();
	if (m->reader && m->memory && m->survey)
		return m;
	stats_merge_free(m);
	return NULL;
}

/* The member of that name, as written; made at the end of the others if it is missing. */
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

/* Of these the largest means something, and the sum nothing. */
static bool is_largest(const struct sum *s, bool of_plugin)
{
	return (of_plugin && s->kind == SUM_DECIMAL) || strcmp(s->name, "peak_rss_bytes") == 0;
}

/* As json_decimal writes it: "-0.125". */
static bool is_decimal(struct slice written)
{
	const struct slice s = slice_skip(written, written.len && written.data[0] == '-');
	uint64_t number;
	const size_t point = slice_until(s, ".");
	const struct slice fraction = slice_skip(s, point + 1);
	return point < s.len && decimal_prefix(s, &number) == point && point && decimal_prefix(fraction, &number) &&
	       decimal_prefix(fraction, &number) == fraction.len;
}

/* Returns false if it is not a number of --stats, or the sum is too large. */
static bool add_number(struct sum *s, struct slice written, bool of_plugin)
{
	char text[64];
	uint64_t count;
	if (s->kind == SUM_COUNT) {
		if (!decimal_number(written, UINT64_MAX, &count))
			return false;
		if (!is_largest(s, of_plugin))
			return !__builtin_add_overflow(s->count, count, &s->count);
		s->count = count > s->count ? count : s->count;
		return true;
	}
	if (written.len >= sizeof(text) || !is_decimal(written) || (!of_plugin && written.data[0] == '-'))
		return false;
	memcpy(text, written.data, written.len);
	text[written.len] = 0;
	const double value = strtod(text, NULL);
	if (!is_largest(s, of_plugin))
		s->decimal += value;
	else
		s->decimal = value > s->decimal || !s->set ? value : s->decimal;
	s->set = true;
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
		const bool other = json_name_is(w.name, "done") || json_name_is(w.name, "shard") ||
				   json_name_is(w.name, "shards") || json_name_is(w.name, "report");
		if (to == &m->all && other)
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

/* ---- is it what --stats writes? ---- */

/* Looks a word of an object up, `at` by `at`; NULL after the last. */
typedef const char *word_at(size_t at);

static const char *skip_words(size_t at)
{
	return at < SKIP_REASONS ? skip_word((enum skip_reason)at) : NULL;
}

static const char *damage_words(size_t at)
{
	return at < DAMAGE_REASONS ? damage_word((enum damage_reason)at) : NULL;
}

static const char *problem_words(size_t at)
{
	return at < PROBLEM_WORDS ? problem_word((unsigned)at) : NULL;
}

/* The members of --stats that are no counters (stats_rows). */
static const struct {
	const char *name;
	enum sum_kind kind;
	bool needed;
} others[] = {
	{ "methods", SUM_OBJECT, true },        { "plugins", SUM_OBJECT, false },
	{ "seconds", SUM_DECIMAL, false },      { "cpu_seconds", SUM_DECIMAL, false },
	{ "peak_rss_bytes", SUM_COUNT, false },
};

/* Returns the count of a member; `fault` if it is none. */
static uint64_t count_of(struct json_value value, bool *fault)
{
	uint64_t count = 0;
	*fault |= json_kind(value) != JSON_IS_NUMBER || !decimal_number(json_written(value), UINT64_MAX, &count);
	return count;
}

/* Returns the sum of an object's counts, and the largest in *most. */
static uint64_t counts_of(struct json_value object, word_at *words, uint64_t *most, bool *fault)
{
	struct json_walk w = json_walk(object);
	uint64_t all = 0;
	*most = 0;
	*fault |= json_kind(object) != JSON_IS_OBJECT;
	while (!*fault && json_walk_next(&w)) {
		const uint64_t count = count_of(w.value, fault);
		const bool plugin = words == skip_words && w.name.len > 9 && memcmp(w.name.data, "\"plugin:", 8) == 0;
		size_t i = 0;
		while (words(i) && !json_name_is(w.name, words(i)))
			i++;
		*fault |= (!words(i) && !plugin) || __builtin_add_overflow(all, count, &all);
		*most = count > *most ? count : *most;
	}
	return all;
}

/* Counts a member in *known. Returns false if it is of another kind, or missing. */
static bool is_good(struct json_value root, const char *name, enum sum_kind kind, bool needed, size_t *known)
{
	const struct json_value value = json_member(root, name);
	const bool there = json_kind(value) != JSON_IS_NOTHING;
	*known += there;
	return there ? kind_of(value) == kind : !needed;
}

/* A member that no row has, or that is there twice or in pieces. */
static const char *bad_member(struct json_value root)
{
	struct json_walk w = json_walk(root);
	size_t known = 0;
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		const enum sum_kind kind = row->size > sizeof(uint64_t) ? SUM_OBJECT : SUM_COUNT;
		const bool own = kind == SUM_COUNT || row->is_object; /* what plugins count is among others */
		if (own && !is_good(root, row->name, kind, true, &known))
			return row->name;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (!is_good(root, others[i].name, others[i].kind, others[i].needed, &known))
			return others[i].name;
	}
	known += json_kind(json_member(root, "done")) == JSON_IS_ARRAY;
	known += json_kind(json_member(root, "missing")) == JSON_IS_NUMBER;
	known += json_kind(json_member(root, "shard")) == JSON_IS_STRING;
	known += json_kind(json_member(root, "shards")) == JSON_IS_ARRAY;
	known += json_kind(json_member(root, "report")) == JSON_IS_OBJECT;
	while (json_walk_next(&w))
		known--;
	return known ? "one that is not known" : NULL;
}

/* Returns what is wrong with the counts, which --stats has counted record by record; NULL: nothing. */
static const char *bad_sum(struct json_value root)
{
	bool fault = false;
	uint64_t most, worst, all;
	const uint64_t records = count_of(json_member(root, "records"), &fault);
	const uint64_t documents = count_of(json_member(root, "documents"), &fault);
	const uint64_t skipped = counts_of(json_member(root, "skipped"), skip_words, &most, &fault);
	const uint64_t damaged = counts_of(json_member(root, "damaged"), damage_words, &most, &fault);
	const uint64_t methods = counts_of(json_member(root, "methods"), dana_method_name, &most, &fault);
	(void)counts_of(json_member(root, "problems"), problem_words, &worst, &fault);
	const uint64_t retries = count_of(json_member(root, "http_retries"), &fault);
	const uint64_t requests = count_of(json_member(root, "http_requests"), &fault);
	if (fault)
		return "a count is not one, or not of a word that is known";
	if (__builtin_add_overflow(documents, skipped, &all) || __builtin_add_overflow(all, damaged, &all) ||
	    all != records)
		return "`documents`, `skipped` and `damaged` do not add up to `records`";
	if (methods > documents || worst > documents)
		return "`methods` or `problems` has more than `documents`";
	return retries > requests ? "`http_retries` is more than `http_requests`" : NULL;
}

/* ---- shares ---- */

static int compare_shares(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int add_share(struct stats_merge *m, struct json_value value)
{
	char text[64];
	struct share share;
	const struct slice written = json_written(value);
	if (json_kind(value) != JSON_IS_STRING || written.len < 2 || written.len - 2 >= sizeof(text))
		return DANA_EFORMAT;
	memcpy(text, written.data + 1, written.len - 2);
	text[written.len - 2] = '\0';
	if (text[0] < '0' || text[0] > '9' || share_read(text, &share, NULL) < 0)
		return DANA_EFORMAT;
	return buf_append(&m->shares, &share, sizeof(share));
}

uint64_t stats_merge_missing(struct stats_merge *m, struct buf *names)
{
	enum { NAMED = 5 };
	/* sorted, without those that came before */
	struct share *s = (struct share *)(void *)m->shares.data;
	const size_t all = m->shares.len / sizeof(*s);
	size_t n = 0;
	if (all)
		qsort(s, all, sizeof(*s), compare_shares);
	for (size_t i = 0; i < all; i++) {
		if (n == 0 || compare_shares(&s[n - 1], &s[i]) != 0)
			s[n++] = s[i];
	}
	m->shares.len = n * sizeof(*s);
	uint64_t missing = 0, named = 0;
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t next = 0;
		for (end = i; end < n && s[end].count == s[i].count; end++) {
			for (; next < s[end].number && named < NAMED; next++, named++)
				buf_printf(names, "%s%" PRIu64 "/%" PRIu64, named ? ", " : "", next, s[i].count);
			next = s[end].number + 1;
		}
		for (; next < s[i].count && named < NAMED; next++, named++)
			buf_printf(names, "%s%" PRIu64 "/%" PRIu64, named ? ", " : "", next, s[i].count);
		if (__builtin_add_overflow(missing, s[i].count - (end - i), &missing))
			missing = UINT64_MAX;
	}
	if (missing > named)
		buf_append_text(names, ", ...");
	return missing;
}

/* ---- lines ---- */

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
	const char *bad = status == DANA_OK ? bad_member(root) : NULL;
	if (bad)
		return error_set(err, DANA_EFORMAT, "%s: a member is missing, damaged or not of --stats: %s", name,
				 bad);
	bad = status == DANA_OK ? bad_sum(root) : NULL;
	if (bad)
		return error_set(err, DANA_EFORMAT, "%s: it is damaged: %s", name, bad);
	if (status == DANA_OK) {
		const struct json_value one = json_member(root, "shard"), many = json_member(root, "shards");
		struct json_walk w = json_walk(many);
		status = json_kind(one) == JSON_IS_NOTHING ? DANA_OK : add_share(m, one);
		while (json_kind(many) == JSON_IS_ARRAY && status == DANA_OK && json_walk_next(&w))
			status = add_share(m, w.value);
	}
	if (status == DANA_OK)
		status = add_object(m, &m->all, root, false);
	if (status == DANA_OK) {
		const struct json_value report = json_member(root, "report");
		const bool there = json_kind(report) == JSON_IS_OBJECT;
		m->any_report |= there;
		if (!there && !m->without)
			m->without = name;
		status = there ? survey_read(m->survey, report) : DANA_OK;
	}
	if (status == DANA_OK) {
		struct json_value array = json_member(root, "done");
		struct json_walk w = json_walk(array);
		struct buf space = { 0 };
		status = json_kind(array) == JSON_IS_ARRAY ? DANA_OK : DANA_EFORMAT;
		while (status == DANA_OK && json_walk_next(&w)) {
			struct slice input;
			bool repaired;
			buf_clear(&space);
			if (json_kind(w.value) != JSON_IS_STRING)
				status = DANA_EFORMAT;
			else
				status = json_characters(w.value, &space, &input, &repaired);
			if (status == DANA_OK && input.len == 0)
				status = DANA_EFORMAT;
			if (status == DANA_OK)
				status = done_list_add(&m->done, input, name);
		}
		buf_free(&space);
	}
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
	struct buf done = { 0 }, names = { 0 };
	int status = done_list_sort(&m->done, err);
	if (status < 0)
		return status;
	status = done_list_json(&m->done, &done);
	json_object_begin(&w);
	put(&w, &m->all, false);
	if (stats_merge_missing(m, &names)) {
		const struct share *s = (const struct share *)(const void *)m->shares.data;
		char text[64];
		json_key(&w, "shards");
		json_array_begin(&w);
		for (size_t i = 0; i < m->shares.len / sizeof(*s); i++) {
			(void)snprintf(text, sizeof(text), "%" PRIu64 "/%" PRIu64, s[i].number, s[i].count);
			json_element(&w, slice_from_text(text));
		}
		json_array_end(&w);
	}
	json_raw(&w, "done", buf_slice(&done));
	if (m->any_report && !m->without) {
		json_key(&w, "report");
		status = status < 0 ? status : survey_json(m->survey, out);
	}
	json_object_end(&w);
	buf_append_byte(out, '\n');
	buf_free(&done);
	buf_free(&names);
	return status < 0 || buf_status(out) < 0 ? error_no_memory(err) : DANA_OK;
}

const char *stats_merge_without_report(const struct stats_merge *m)
{
	return m->without;
}

void stats_merge_free(struct stats_merge *m)
{
	if (!m)
		return;
	json_reader_free(m->reader);
	free(m->done.items);
	buf_free(&m->shares);
	survey_free(m->survey);
	arena_free(m->memory);
	free(m);
}

/* ---- the file of --metrics ---- */

#define EVERY_NS UINT64_C(10000000000)

struct metrics_file {
	uv_mutex_t lock;
	const char *path;
	char *beside;            /* what is written, and then gets the name */
	uint64_t start, written; /* uv_hrtime */
	struct stats now;
};

static void begin(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# HELP dana_%s %s\n# TYPE dana_%s %s\n", name, help, name, type);
}

static void put_row(const struct stats *s, const struct stats_row *row, struct buf *out)
{
	const uint64_t *counts = stats_counter(s, row);
	const bool skipped = counts == s->skipped;
	if (!row->metric)
		return;
	begin(out, row->metric, "counter", row->help);
	if (!row->word)
		buf_printf(out, "dana_%s %" PRIu64 "\n", row->metric, *counts);
	for (unsigned i = skipped ? SKIP_NONE + 1 : 0; row->word && i < row->size / sizeof(*counts); i++) {
		if (!skipped || i != SKIP_PLUGIN)
			buf_printf(out, "dana_%s{reason=\"%s\"} %" PRIu64 "\n", row->metric, row->word(i), counts[i]);
	}
	for (unsigned i = 0; skipped && s->plugins && i < s->plugins->n_plugins; i++)
		buf_printf(out, "dana_%s{reason=\"plugin:%s\"} %" PRIu64 "\n", row->metric, s->plugins->plugin[i],
			   s->plugin_skipped[i]);
}

/* Anybody may read it: a node exporter is another user. Returns 0 or an errno number. */
static int replace(const struct metrics_file *m, struct slice text)
{
	int fd = durable_open(m->beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return errno;
	int error = durable_write(fd, text);
	if (close(fd) < 0 && !error)
		error = errno;
	if (!error && rename(m->beside, m->path) < 0)
		error = errno;
	if (error)
		(void)unlink(m->beside);
	return error;
}

static int write_now(struct metrics_file *m, bool over, struct error *err)
{
	struct buf text = { 0 };
	m->written = uv_hrtime();
	stats_measure(&m->now, (double)(m->written - m->start) / 1e9);
	const struct stats_row *bytes_out = NULL;
	begin(&text, "build_info", "gauge", "The version.");
	buf_printf(&text, "dana_build_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	begin(&text, "over", "gauge", "1 when the run has ended by itself.");
	buf_printf(&text, "dana_over %d\n", over);
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		if (stats_counter(&m->now, row) == &m->now.bytes_out) { /* here it follows the next one */
			bytes_out = row;
			continue;
		}
		put_row(&m->now, row, &text);
		if (bytes_out)
			put_row(&m->now, bytes_out, &text);
		bytes_out = NULL;
	}
	begin(&text, "run_seconds", "gauge", "Time since the run began.");
	buf_printf(&text, "dana_run_seconds %.3f\n", m->now.seconds);
	begin(&text, "cpu_seconds_total", "counter", "CPU time of the process.");
	buf_printf(&text, "dana_cpu_seconds_total %.3f\n", m->now.cpu_seconds);
	begin(&text, "peak_resident_bytes", "gauge", "Most memory of the process that was resident.");
	buf_printf(&text, "dana_peak_resident_bytes %" PRIu64 "\n", m->now.peak_rss_bytes);
	int status = buf_status(&text);
	int error = status == DANA_OK ? replace(m, buf_slice(&text)) : 0;
	buf_free(&text);
	if (error)
		return error_set(err, DANA_EIO, "--metrics: %s: %s", m->path, system_text(error));
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

struct metrics_file *metrics_file_new(const char *path, struct error *err)
{
	struct stat st;
	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		(void)error_set(err, DANA_EIO, "--metrics: %s is not a regular file, and could not be replaced by one",
				path);
		return NULL;
	}
	struct metrics_file *m = calloc(1, sizeof(*m));
	if (m)
		m->beside = path_with(path, ".new");
	if (!m || !m->beside) {
		free(m);
		(void)error_no_memory(err);
		return NULL;
	}
	(void)uv_mutex_init(&m->lock);
	m->path = path;
	m->start = uv_hrtime();
	if (write_now(m, false, err) == DANA_OK)
		return m;
	metrics_file_free(m);
	return NULL;
}

void metrics_file_add(struct metrics_file *m, const struct stats *before, const struct stats *now)
{
	struct error ignored = { 0 };
	uv_mutex_lock(&m->lock);
	stats_add_change(&m->now, before, now);
	if (uv_hrtime() - m->written >= EVERY_NS)
		(void)write_now(m, false, &ignored);
	uv_mutex_unlock(&m->lock);
}

int metrics_file_end(struct metrics_file *m, const struct stats *all, struct error *err)
{
	m->now = *all;
	return write_now(m, true, err);
}

void metrics_file_free(struct metrics_file *m)
{
	if (!m)
		return;
	uv_mutex_destroy(&m->lock);
	free(m->beside);
	free(m);
}
