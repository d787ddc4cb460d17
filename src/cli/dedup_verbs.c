/* SPDX-License-Identifier: MIT */
/* The verbs of `dana dedup` and `dana site`, each a function. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/diagnostics.h"
#include "cli/command.h"
#include "dedup/cluster.h"
#include "dedup/line_table.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/site_table.h"
#include "dedup/text_index.h"
#include "run/names.h"
#include "run/rows.h"

/* How names of files of signatures end. */
#define SUFFIX ".sig"

enum { INPUTS_SHOWN = 20 };

/* ---- the files that are given: by name, or by the folder that holds them ---- */

static int add_folder(struct name_list *names, const char *folder, struct error *err)
{
	const size_t before = names->n, end = strlen(SUFFIX);
	DIR *dir = opendir(folder);
	struct buf path = { 0 };
	int status = DANA_OK;
	if (!dir)
		return error_set(err, DANA_EIO, "%s: %s", folder, system_text(errno));
	for (struct dirent *entry; status == DANA_OK && (entry = readdir(dir));) {
		const char *name = entry->d_name;
		const size_t len = strlen(name);
		if (name[0] != '.' && len > end && strcmp(name + len - end, SUFFIX) == 0) {
			buf_clear(&path);
			buf_printf(&path, "%s%s%s", folder, folder[0] && folder[strlen(folder) - 1] == '/' ? "" : "/",
				   name);
			status = buf_status(&path) < 0 ? error_no_memory(err)
						       : name_list_add(names, buf_slice(&path), err);
		}
	}
	(void)closedir(dir);
	buf_free(&path);
	if (status == DANA_OK && names->n == before)
		return error_set(err, DANA_EIO, "%s: holds no file that ends with %s", folder, SUFFIX);
	if (names->n)
		qsort(names->items + before, names->n - before, sizeof(*names->items), output_names_compare);
	return status;
}

/* Those that are given, in their order; of a folder, sorted, the files of signatures in it. */
static int gather(struct name_list *names, const struct dedup_arguments *a, struct error *err)
{
	names->memory = arena_new();
	int status = names->memory ? DANA_OK : error_no_memory(err);
	for (size_t i = 0; i < a->n && status == DANA_OK; i++) {
		struct stat st;
		if (stat(a->names[i], &st) == 0 && S_ISDIR(st.st_mode))
			status = add_folder(names, a->names[i], err);
		else
			status = name_list_add(names, slice_from_text(a->names[i]), err);
	}
	return status;
}

/* ---- learn: a run of `dana filter` without output ---- */

static int learn(const struct dedup_settings *s, const struct dedup_arguments *a, const char *method,
		 const char *plugin, const struct site_sources *learner)
{
	const char *const words[] = { "filter", "--output", "/dev/null", "--format", "jsonl", "--method", method };
	enum { WORDS = sizeof(words) / sizeof(*words), MORE = 6 };
	const char **line = calloc(WORDS + MORE + a->n, sizeof(*line));
	char jobs[16];
	size_t n = WORDS;
	if (!line) {
		command_message(a->command, "%s", status_text(DANA_ENOMEM));
		return EXIT_FAULT;
	}
	memcpy(line, words, sizeof(words));
	if (plugin) {
		line[n++] = "--plugin";
		line[n++] = plugin;
	}
	if (s->jobs != UINT32_MAX) {
		(void)snprintf(jobs, sizeof(jobs), "%u", s->jobs);
		line[n++] = "--jobs";
		line[n++] = jobs;
	}
	line[n++] = "--";
	memcpy(line + n, a->names, a->n * sizeof(*line));
	command_called(a->command);
	const int code = filter_run_teaching((int)(n + a->n), (char **)(void *)line, learner, s->output);
	free(line);
	return code;
}

/* With the plugin boilerplate, which counts lines. */
int dedup_learn(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf plugin = { 0 };
	int code = EXIT_FAULT;
	if (strchr(s->output, ',')) {
		command_message(a->command, "%s: a name with a comma is not possible here", s->output);
		return EXIT_USAGE;
	}
	buf_printf(&plugin, "boilerplate:learn=%s,scope=%s,least=%llu,size=%llu,memory=%llu,force=%d", s->output,
		   s->scope ? "all" : "host", (unsigned long long)s->least, (unsigned long long)s->size,
		   (unsigned long long)s->memory, s->force);
	buf_append_byte(&plugin, 0);
	if (buf_status(&plugin) == DANA_OK)
		code = learn(s, a, s->method ? s->method : "plain", (const char *)plugin.data, NULL);
	else
		command_message(a->command, "%s", status_text(DANA_ENOMEM));
	buf_free(&plugin);
	return code;
}

/* With a source of the method learned that learns. */
int site_learn(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	const struct line_counter_settings settings = { .by_site = true,
							.least = s->least == UINT64_MAX ? 2 : s->least,
							.size = s->size,
							.memory = s->memory,
							.force = s->force };
	struct error err = { 0 };
	struct site_learner *l = site_learner_open(s->output, &settings, false, &err);
	if (!l)
		return command_failed(a->command, &err);
	const int code = learn(s, a, "learned", NULL, site_learner_sources(l));
	int status = DANA_OK;
	if (code != EXIT_DONE && code != EXIT_DAMAGE)
		site_learner_abandon(l);
	else if (site_learner_pages(l)) {
		status = site_learner_finish(l, &err);
	} else {
		site_learner_abandon(l);
		status = error_set(&err, DANA_EFORMAT, "no page was counted, so %s is not written", s->output);
	}
	return status < 0 ? command_failed(a->command, &err) : code;
}

/* ---- cluster, apply, rows ---- */

int dedup_cluster(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct cluster_settings settings = { .keep = (enum cluster_keep)s->keep, .force = s->force };
	struct cluster_result r;
	struct name_list names = { 0 };
	struct error err = { 0 };
	char *end;
	int status = DANA_OK;
	settings.similarity = strtod(s->similarity, &end);
	if (end == s->similarity || *end || !(settings.similarity >= 0 && settings.similarity <= 1))
		status = error_set(&err, DANA_ECONFIG,
				   "--similarity: '%s' is not a share; expected a number from 0 to 1, as 0.8",
				   s->similarity);
	if (status == DANA_OK)
		status = gather(&names, a, &err);
	if (status == DANA_OK)
		status = cluster_files(names.items, names.n, s->output, &settings, &r, &err);
	free(names.items);
	arena_free(names.memory);
	if (status < 0)
		return command_failed(a->command, &err);
	command_message(a->command, "%llu documents, %llu groups of two and more, %llu rows to drop",
			(unsigned long long)r.documents, (unsigned long long)r.groups, (unsigned long long)r.dropped);
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

/* ---- merge: the kind of the first file decides how ---- */

int dedup_merge(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct name_list names = { 0 };
	struct index_file first = { .fd = -1 };
	struct error err = { 0 };
	int status = gather(&names, a, &err);
	if (status == DANA_OK)
		status = index_file_open(&first, names.items[0], INDEX_ANY, &err);
	const char *const *paths = names.items;
	const enum index_kind kind = first.kind;
	index_file_close(&first);
	if (status == DANA_OK)
		status = kind == INDEX_SIGNATURES ? signature_files_merge(paths, names.n, s->output, s->force, &err)
			 : kind == INDEX_TEXTS    ? text_indexes_merge(paths, names.n, s->output, s->force, &err)
			 : kind == INDEX_LINES    ? line_tables_merge(paths, names.n, s->output, 1, s->force, &err)
			 : kind == INDEX_ROWS     ? rows_files_merge(paths, names.n, s->output, s->force, &err)
					      : error_set(&err, DANA_ECONFIG, "%s: is %s; such files are not merged",
							  paths[0], index_kind_words(kind));
	free(names.items);
	arena_free(names.memory);
	return status < 0 ? command_failed(a->command, &err) : EXIT_DONE;
}

int site_merge(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct error err = { 0 };
	const uint64_t least = s->least == UINT64_MAX ? 1 : s->least;
	const int status = line_tables_merge(a->names, a->n, s->output, least, s->force, &err);
	return status < 0 ? command_failed(a->command, &err) : EXIT_DONE;
}

/* ---- info, verify ---- */

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
	buf_printf(out, "  %-12s %u of %u rows; detection rate by similarity:\n", "bands", f.shape.bands, f.shape.rows);
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

static int describe(const char *path, struct buf *out, struct error *err)
{
	struct index_file f;
	struct text_index texts;
	struct line_table lines;
	int status = index_file_open(&f, path, INDEX_ANY, err);
	if (status < 0)
		return status;
	buf_printf(out, "%s: %s\n", shown(path), index_kind_words(f.kind));
	put_count(out, "bytes", f.length);
	put_count(out, "version", index_kind_version(f.kind));
	const enum index_kind kind = f.kind;
	index_file_close(&f);
	if (kind == INDEX_SIGNATURES)
		return describe_signatures(path, out, err);
	if (kind == INDEX_ROWS)
		return describe_rows(path, out, err);
	if (kind == INDEX_TEXTS && (status = text_index_open(&texts, path, err)) == DANA_OK) {
		put_count(out, "texts", texts.count);
		put_count(out, "inputs", texts.names.n_files);
		buf_printf(out, "  %-12s %s\n", "compared", texts.small ? "in small letters" : "as they are written");
		text_index_close(&texts);
	}
	if (kind == INDEX_LINES && (status = line_table_open(&lines, path, err)) == DANA_OK) {
		buf_printf(out, "  %-12s %s\n", "counted", lines.by_site ? "by site" : "over all pages");
		put_count(out, "pages", lines.pages);
		if (lines.by_site)
			put_count(out, "sites", lines.n_scopes);
		put_count(out, "lines", lines.n_lines);
		put_count(out, "least count", lines.least);
		line_table_close(&lines);
	}
	return status;
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

/* Reads each file whole, and in its kind's own way too. */
int dedup_verify(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct name_list names = { 0 };
	struct error err = { 0 };
	int code = EXIT_DONE;
	(void)s;
	if (gather(&names, a, &err) < 0)
		code = command_failed(a->command, &err);
	for (size_t i = 0; i < names.n && code != EXIT_FAULT; i++) {
		struct error fault = { 0 };
		struct index_file f;
		struct buf line = { 0 };
		int status = index_file_open(&f, names.items[i], INDEX_ANY, &fault);
		if (status == DANA_OK)
			status = index_file_verify(&f, &fault);
		index_file_close(&f);
		if (status == DANA_OK)
			status = describe(names.items[i], &line, &fault);
		buf_clear(&line);
		if (status < 0) {
			command_message(a->command, "%s", fault.text);
			code = status == DANA_EFORMAT ? EXIT_DAMAGE : EXIT_FAULT;
		} else {
			buf_printf(&line, "%s: good\n", shown(names.items[i]));
			code = command_print_made(a->command, DANA_OK, &line) == EXIT_DONE ? code : EXIT_FAULT;
		}
		buf_free(&line);
	}
	free(names.items);
	arena_free(names.memory);
	return code;
}

/* ---- estimate: memory and disk follow from the sizes of records and from how tables grow ---- */

enum {
	FILTERING = 15 << 20, /* of filter -j 0, and of learn, without a table, over uncompressed input */
	JOINING = 4 << 20,    /* of cluster and apply */
	LINE_CHARS = 100,     /* of a line, if the number of lines is not given */
	ENTRY_NAMES = 93,     /* of an entry of a journal: its head, an id of UUID form, a file's name of 40 bytes */
	SIGNING_MEMORY = 64 << 20,                                   /* the plugin's default memory for sorting */
	SIGNATURE = SIGNATURE_HEAD + BANDS_USUAL * BANDS_ROWS_USUAL, /* bytes of a document, without its buckets */
	BUCKETS = BANDS_USUAL * PAIR_BYTES,
};

static void put_bytes(struct buf *out, const char *before, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	char number[32];
	size_t unit = 0;
	while (bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(*units)) {
		bytes /= 1024;
		unit++;
	}
	(void)snprintf(number, sizeof(number), "%s%.*f", before, unit ? 1 : 0, bytes);
	buf_printf(out, " %8s %-4s", number, units[unit]);
}

/* Negative disk: the output is as large as the input. */
static void put_row(struct buf *out, const char *what, double memory, bool is_bound, double disk, double passing)
{
	buf_printf(out, "%-34s", what);
	put_bytes(out, "", memory);
	if (disk < 0)
		buf_printf(out, " %13s", "as its input");
	else
		put_bytes(out, is_bound ? "<=" : "", disk);
	put_bytes(out, "", passing);
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_append_byte(out, '\n');
}

static size_t keys(double n)
{
	return n < 1 ? 1 : (size_t)n;
}

int dedup_estimate(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct buf out = { 0 };
	const double documents = (double)s->documents, chars = documents * (double)s->chars;
	const double dropped = documents * (double)s->duplicates / 100;
	const double lines = s->lines == UINT64_MAX ? chars / LINE_CHARS : (double)s->lines;
	const bool is_told = s->repeated != UINT64_MAX;
	const double repeated = is_told ? (double)s->repeated : lines;
	const size_t memory = (size_t)s->memory;
	const double set = (double)hash_map_growing_bytes(keys(lines));
	const double counting = (double)line_counter_bytes(keys(lines), memory);
	/* Each time the table is full its lines go to disk; later they occur again. */
	const double counted = keys(lines) <= hash_map_room(memory / 2) ? lines : fmax(lines, chars / LINE_CHARS);
	const double sorting = documents * BUCKETS * 2;
	const double entry = 1 + SIGNATURE - SIGNATURE_HEAD + BANDS_USUAL * 8 + ENTRY_NAMES + 24;
	const double bitmaps = fmin(dropped * 2, documents / 8), rows = dropped * ROWS_LINK;
	const double copies = dropped * (SIGNATURE - 8);
	buf_printf(&out, "%-34s %13s %13s %13s\n", "", "memory", "disk", "while it runs");
	put_row(&out, "dedup-exact", FILTERING + (double)hash_map_growing_bytes(keys(documents)), false,
		documents * TEXT_INDEX_BYTES, documents * (32 + ENTRY_NAMES + TEXT_INDEX_BYTES));
	put_row(&out, "dedup-lines, exact", FILTERING + set, false, 0, 0);
	put_row(&out, "dedup-lines:index=", FILTERING + fmax(set, counting), false, lines * PAIR_BYTES,
		lines * 8 + (double)line_counter_files(keys(lines), memory));
	put_row(&out, "dedup-lines, Bloom, 1 in 1000", FILTERING + bloom_bytes(lines, 0.001), false, 0, 0);
	put_row(&out, "learn", FILTERING + counting, !is_told, repeated * PAIR_BYTES,
		(double)line_counter_files(keys(counted), memory));
	put_row(&out, "boilerplate:table=", FILTERING + repeated * PAIR_BYTES, false, 0, 0);
	put_row(&out, "boilerplate, sketch, 2 pages", FILTERING + lines * 16 * 2.718281828 / 2, false, 0, 0);
	put_row(&out, "dedup-near: signatures", FILTERING + fmin(SIGNING_MEMORY, sorting), false,
		documents * (SIGNATURE + BUCKETS),
		documents * entry + (sorting > SIGNING_MEMORY ? documents * BUCKETS : 0));
	put_row(&out, "cluster --keep first", JOINING + documents * 8, false, rows, copies);
	put_row(&out, "cluster --keep longest|best", JOINING + documents * 12, false, rows, copies);
	put_row(&out, "dedup-near:drop=", FILTERING + bitmaps, false, 0, 0);
	put_row(&out, "apply", JOINING + bitmaps, false, -1, 0);
	buf_printf(&out,
		   "\nMemory is of the whole process, with -j 0. %.0f different lines; %d %% of the documents "
		   "dropped.\n"
		   "The table of learn holds lines on two pages of their site and more, and sites: %s%.0f.\n",
		   lines, (int)s->duplicates, is_told ? "" : "at most ", repeated);
	return command_print_made(a->command, buf_status(&out), &out);
}
