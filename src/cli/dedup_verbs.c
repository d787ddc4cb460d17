/* SPDX-License-Identifier: MIT */
/*
 * The files that a command is given: by name, or by the folder that holds them.
 *
 * `dana dedup learn`: a run of `dana filter` without output, with the plugin boilerplate, which counts lines.
 *
 * `dana dedup cluster`.
 *
 * `dana dedup apply`.
 *
 * `dana dedup rows`.
 *
 * `dana dedup merge`: the kind of the first file says how.
 *
 * `dana dedup info`, `dana dedup verify` and `dana dedup estimate`.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/printable.h"
#include "base/status.h"
#include "cli/dedup.h"
#include "dedup/cluster.h"
#include "dedup/estimate.h"
#include "dedup/line_table.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"
#include "run/rows/dedup_apply.h"
#include "run/rows/row_list.h"

/** Names of files; zeroed: empty. */
struct dedup_names {
	char **items;
	size_t n, cap;
};

static int add(struct dedup_names *names, const char *folder, const char *name, struct error *err)
{
	char **items = grow_items(names->items, names->n, &names->cap, sizeof(*items));
	struct buf path = { 0 };

	if (items)
		names->items = items;
	if (folder)
		buf_printf(&path, "%s%s", folder, folder[0] && folder[strlen(folder) - 1] == '/' ? "" : "/");
	buf_append(&path, name, strlen(name) + 1);
	if (!items || buf_status(&path) < 0) {
		buf_free(&path);
		return error_no_memory(err);
	}
	names->items[names->n++] = (char *)path.data;
	return DANA_OK;
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && strcmp(name + len - end, suffix) == 0;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static int add_folder(struct dedup_names *names, const char *folder, const char *suffix, struct error *err)
{
	size_t before = names->n;
	DIR *dir = opendir(folder);
	int status = DANA_OK;

	if (!dir)
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	for (struct dirent *entry; status == DANA_OK && (entry = readdir(dir));) {
		if (entry->d_name[0] != '.' && ends_with(entry->d_name, suffix))
			status = add(names, folder, entry->d_name, err);
	}
	(void)closedir(dir);
	if (status == DANA_OK && names->n == before)
		return error_set(err, DANA_EIO, "%s: holds no file that ends with %s", folder, suffix);
	if (names->n)
		qsort(names->items + before, names->n - before, sizeof(*names->items), by_name);
	return status;
}

/** Those that are given, in their order; of a folder, sorted, the files in it whose names end with `suffix`. */
static int dedup_names_gather(struct dedup_names *names, const char *const *given, size_t n, const char *suffix,
			      struct error *err)
{
	int status = DANA_OK;

	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		struct stat st;
		if (stat(given[i], &st) == 0 && S_ISDIR(st.st_mode))
			status = add_folder(names, given[i], suffix, err);
		else
			status = add(names, NULL, given[i], err);
	}
	return status;
}

static void dedup_names_free(struct dedup_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct dedup_names){ 0 };
}

/* The command line of the run, ended by NULL; the texts are borrowed. */
struct line {
	const char **words;
	size_t n;
};

static void add_word(struct line *l, const char *word)
{
	l->words[l->n++] = word;
}

static int write_plugin(const struct dedup_settings *s, struct buf *out)
{
	buf_printf(out, "boilerplate:learn=%s,scope=%s,least=%llu,size=%llu,memory=%llu,force=%d", s->output,
		   s->scope ? "all" : "host", (unsigned long long)s->least, (unsigned long long)s->size,
		   (unsigned long long)s->memory, s->force);
	buf_append_byte(out, 0);
	return buf_status(out);
}

static int run_filter(const struct dedup_settings *s, const struct dedup_arguments *a, const char *plugin,
		      const char *jobs)
{
	enum { WORDS = 16 };
	struct line l = { .words = calloc(WORDS + a->n, sizeof(*l.words)) };

	if (!l.words) {
		command_message(a->command, "%s", status_text(DANA_ENOMEM));
		return EXIT_FAULT;
	}
	add_word(&l, "filter");
	add_word(&l, "--output");
	add_word(&l, "/dev/null");
	add_word(&l, "--format");
	add_word(&l, "jsonl");
	add_word(&l, "--method");
	add_word(&l, s->method);
	add_word(&l, "--plugin");
	add_word(&l, plugin);
	if (jobs) {
		add_word(&l, "--jobs");
		add_word(&l, jobs);
	}
	add_word(&l, "--");
	for (size_t i = 0; i < a->n; i++)
		add_word(&l, a->names[i]);
	command_called(a->command);
	int code = filter_run((int)l.n, (char **)(void *)l.words);
	free(l.words);
	return code;
}

int dedup_learn(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf plugin = { 0 };
	char jobs[16];
	int code = EXIT_FAULT;

	if (strchr(s->output, ',')) {
		command_message(a->command, "%s: a name with a comma is not possible here", s->output);
		return EXIT_USAGE;
	}
	(void)snprintf(jobs, sizeof(jobs), "%u", s->jobs);
	if (write_plugin(s, &plugin) == DANA_OK)
		code = run_filter(s, a, (const char *)plugin.data, s->jobs == UINT32_MAX ? NULL : jobs);
	else
		command_message(a->command, "%s", status_text(DANA_ENOMEM));
	buf_free(&plugin);
	return code;
}

/* "0.8" */
static int read_share(const char *option, const char *text, double *share, struct error *err)
{
	char *end;

	*share = strtod(text, &end);
	if (end != text && *end == 0 && *share >= 0 && *share <= 1)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "--%s: '%s' is not a share; expected a number from 0 to 1, as 0.8", option,
			 text);
}

static void print_counts(const struct dedup_arguments *a, const struct cluster_result *r)
{
	command_message(a->command, "%llu documents, %llu groups of two and more, %llu rows to drop",
			(unsigned long long)r->documents, (unsigned long long)r->groups,
			(unsigned long long)r->dropped);
}

int dedup_cluster(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct cluster_settings settings = { .keep = (enum cluster_keep)s->keep, .force = s->force };
	struct cluster_result result;
	struct dedup_names names = { 0 };
	struct error err = { 0 };
	int status = read_share("similarity", s->similarity, &settings.similarity, &err);

	if (status == DANA_OK)
		status = dedup_names_gather(&names, a->names, a->n, DEDUP_SUFFIX, &err);
	if (status == DANA_OK)
		status = cluster_files((const char *const *)names.items, names.n, s->output, &settings, &result, &err);
	dedup_names_free(&names);
	if (status < 0)
		return command_failed(a->command, &err);
	print_counts(a, &result);
	return EXIT_DONE;
}

int dedup_apply(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	const struct apply_settings settings = { .inputs = a->names,
						 .n = a->n,
						 .output = s->output,
						 .rows = s->rows,
						 .force = s->force,
						 .rejects = s->rejects };
	struct apply_counts counts;
	struct error err = { 0 };

	if (apply_run(&settings, &counts, &err) < 0)
		return command_failed(a->command, &err);
	command_message(a->command, "%llu documents, %llu dropped", (unsigned long long)counts.documents,
			(unsigned long long)counts.dropped);
	return EXIT_DONE;
}

int dedup_rows(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct error err = { 0 };
	uint64_t dropped = 0;
	if (row_list_make(a->names[0], s->output, s->force, &dropped, &err) < 0)
		return command_failed(a->command, &err);
	command_message(a->command, "%llu rows to drop", (unsigned long long)dropped);
	return EXIT_DONE;
}

static int merge_texts(const struct dedup_settings *s, const struct dedup_names *names, struct error *err)
{
	struct text_index *indexes = calloc(names->n, sizeof(*indexes));
	const struct text_index **list = calloc(names->n, sizeof(*list));
	int status = indexes && list ? DANA_OK : error_no_memory(err);
	size_t n = 0;

	for (; n < names->n && status == DANA_OK; n++) {
		list[n] = &indexes[n];
		status = text_index_open(&indexes[n], names->items[n], err);
	}
	if (status == DANA_OK)
		status = text_indexes_merge(list, n, s->output, s->force, err);
	while (n)
		text_index_close(&indexes[--n]);
	free(indexes);
	free(list);
	return status;
}

static int merge_files(const struct dedup_settings *s, const struct dedup_names *names, struct error *err)
{
	const char *const *paths = (const char *const *)names->items;
	struct index_file first;
	int status = index_file_open(&first, paths[0], INDEX_ANY, err);

	if (status < 0)
		return status;
	enum index_kind kind = first.kind;
	index_file_close(&first);
	switch (kind) {
	case INDEX_SIGNATURES:
		return signature_files_merge(paths, names->n, s->output, s->force, err);
	case INDEX_TEXTS:
		return merge_texts(s, names, err);
	case INDEX_LINES:
		return line_tables_merge(paths, names->n, s->output, s->force, err);
	case INDEX_ROWS:
		return rows_files_merge(paths, names->n, s->output, s->force, err);
	default:
		return error_set(err, DANA_ECONFIG, "%s: is %s; such files are not merged", paths[0],
				 index_kind_words(kind));
	}
}

int dedup_merge(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct dedup_names names = { 0 };
	struct error err = { 0 };
	int status = dedup_names_gather(&names, a->names, a->n, DEDUP_SUFFIX, &err);

	if (status == DANA_OK)
		status = merge_files(s, &names, &err);
	dedup_names_free(&names);
	return status < 0 ? command_failed(a->command, &err) : EXIT_DONE;
}

enum { INPUTS_SHOWN = 20 };

static void put_count(struct buf *out, const char *what, uint64_t count)
{
	buf_printf(out, "  %-12s %llu\n", what, (unsigned long long)count);
}

static const char *shown(const char *name)
{
	static char text[512];

	return printable(slice_from_text(name), text, sizeof(text));
}

static void put_more(struct buf *out, size_t n)
{
	if (n > INPUTS_SHOWN)
		buf_printf(out, "  and %zu inputs more\n", n - INPUTS_SHOWN);
}

static int describe_signatures(const char *path, struct buf *out, struct error *err)
{
	struct signature_file f;
	int status = signature_file_open(&f, path, err);

	if (status < 0)
		return status;
	put_count(out, "documents", f.count);
	put_count(out, "buckets", index_file_count(&f.file, SIGNATURES_BUCKETS));
	buf_printf(out, "  %-12s %u of %u rows; chance to be found, by similarity:\n", "bands", f.shape.bands,
		   f.shape.rows);
	bands_curve(f.shape, out);
	put_count(out, "inputs", f.parts.n);
	for (size_t i = 0; i < f.parts.n && i < INPUTS_SHOWN; i++)
		buf_printf(out, "  %12u %s\n", f.parts.items[i].count, shown(f.parts.items[i].name));
	put_more(out, f.parts.n);
	signature_file_close(&f);
	return DANA_OK;
}

static int describe_rows(const char *path, struct buf *out, struct error *err)
{
	struct rows_file f;
	uint64_t documents = 0, dropped = 0;
	int status = rows_file_open(&f, path, err);

	if (status < 0)
		return status;
	for (size_t i = 0; i < f.parts.n; i++) {
		documents += f.parts.items[i].count;
		dropped += rows_dropped(&f, i);
	}
	put_count(out, "documents", documents);
	put_count(out, "to drop", dropped);
	put_count(out, "inputs", f.parts.n);
	for (size_t i = 0; i < f.parts.n && i < INPUTS_SHOWN; i++)
		buf_printf(out, "  %12llu of %u in %s\n", (unsigned long long)rows_dropped(&f, i),
			   f.parts.items[i].count, shown(f.parts.items[i].name));
	put_more(out, f.parts.n);
	rows_file_close(&f);
	return DANA_OK;
}

static int describe_texts(const char *path, struct buf *out, struct error *err)
{
	struct text_index t;
	int status = text_index_open(&t, path, err);

	if (status < 0)
		return status;
	put_count(out, "texts", t.count);
	put_count(out, "inputs", t.names.n_files);
	buf_printf(out, "  %-12s %s\n", "compared", t.small ? "in small letters" : "as they are written");
	text_index_close(&t);
	return DANA_OK;
}

static int describe_lines(const char *path, struct buf *out, struct error *err)
{
	struct line_table t;
	int status = line_table_open(&t, path, err);

	if (status < 0)
		return status;
	buf_printf(out, "  %-12s %s\n", "counted", t.by_site ? "by site" : "over all pages");
	put_count(out, "pages", t.pages);
	if (t.by_site)
		put_count(out, "sites", t.n_scopes);
	put_count(out, "lines", t.n_lines);
	put_count(out, "least count", t.least);
	line_table_close(&t);
	return DANA_OK;
}

static int describe(const char *path, struct buf *out, struct error *err)
{
	struct index_file f;
	int status = index_file_open(&f, path, INDEX_ANY, err);

	if (status < 0)
		return status;
	buf_printf(out, "%s: %s\n", shown(path), index_kind_words(f.kind));
	put_count(out, "bytes", f.length);
	put_count(out, "version", index_kind_version(f.kind));
	enum index_kind kind = f.kind;
	index_file_close(&f);
	switch (kind) {
	case INDEX_SIGNATURES:
		return describe_signatures(path, out, err);
	case INDEX_ROWS:
		return describe_rows(path, out, err);
	case INDEX_TEXTS:
		return describe_texts(path, out, err);
	case INDEX_LINES:
		return describe_lines(path, out, err);
	default:
		return DANA_OK;
	}
}

int dedup_info(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	int code = EXIT_DONE;

	(void)s;
	for (size_t i = 0; i < a->n; i++) {
		struct error err = { 0 };
		struct buf out = { 0 };
		int status = describe(a->names[i], &out, &err);
		if (status == DANA_OK && buf_status(&out) < 0)
			status = error_no_memory(&err);
		int printed =
			status < 0 ? command_failed(a->command, &err) : command_print(a->command, buf_slice(&out));
		code = printed > code ? printed : code;
		buf_free(&out);
	}
	return code;
}

/* Reads the file whole, and in its kind's own way too. */
static int verify(const char *path, struct error *err)
{
	struct index_file f;
	struct buf unused = { 0 };
	int status = index_file_open(&f, path, INDEX_ANY, err);

	if (status == DANA_OK) {
		status = index_file_verify(&f, err);
		index_file_close(&f);
	}
	if (status == DANA_OK)
		status = describe(path, &unused, err);
	buf_free(&unused);
	return status;
}

int dedup_verify(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct dedup_names names = { 0 };
	struct error err = { 0 };
	int code = EXIT_DONE;

	(void)s;
	if (dedup_names_gather(&names, a->names, a->n, DEDUP_SUFFIX, &err) < 0)
		code = command_failed(a->command, &err);
	for (size_t i = 0; i < names.n && code != EXIT_FAULT; i++) {
		struct error fault = { 0 };
		struct buf line = { 0 };
		int status = verify(names.items[i], &fault);
		if (status == DANA_OK)
			buf_printf(&line, "%s: good\n", shown(names.items[i]));
		else
			command_message(a->command, "%s", fault.text);
		if (status == DANA_OK)
			code = command_print_made(a->command, DANA_OK, &line) == EXIT_DONE ? code : EXIT_FAULT;
		else
			code = status == DANA_EFORMAT ? EXIT_DAMAGE : EXIT_FAULT;
		buf_free(&line);
	}
	dedup_names_free(&names);
	return code;
}

int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf out = { 0 };
	const struct dedup_amounts amounts = {
		s->documents, s->chars, s->lines, s->repeated, s->duplicates, s->memory
	};
	return command_print_made(a->command, dedup_forecast(&amounts, &out), &out);
}
