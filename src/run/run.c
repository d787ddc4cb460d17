/* SPDX-License-Identifier: MIT */
/*
 * A whole run over archives: what its outputs depend on, which files it has and what it may open (--sandbox), its jobs,
 * and what is reported at the end.
 *
 * An output FILE has others beside it: FILE.part, FILE.state, and with --rejects FILE.rejects.jsonl. Outputs that exist
 * are refused elsewhere, unless --force is given; the files of --stats and --metrics are written over in any case, so
 * they are compared with all of them, by the folder that holds each and its name there: ./a and a are one file.
 *
 * Where each input has an output it is a job of its own, and several pipelines take them: with -J 2 and inputs a, b, c
 * the second pipeline takes b while the first is at a, and who is ready first takes c.
 */
#include "config.h"

#include "run/run.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "archive/plugin/plugins.h"
#include "archive/report_page.h"
#include "archive/survey.h"
#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/system.h"
#include "dedup/site_table.h"
#include "io/address.h"
#include "io/output.h"
#include "io/source.h"
#include "run/inputs.h"
#include "run/methods.h"
#include "run/outputs.h"
#include "run/pipeline.h"
#include "run/revisits.h"
#include "run/sandbox.h"
#include "run/settings.h"
#include "run/signals.h"
#include "run/sites.h"
#include "run/state_file.h"
#include "run/stats_file.h"
#include "run/timeline.h"
#include "run/watch.h"

enum { SHOWN = 200, WORD = 40 };

static enum output_way run_resume_way(const struct run_settings *s)
{
	if (s->outputs.force)
		return OUTPUT_FORCE;
	return s->outputs.resume || s->inputs.watch ? OUTPUT_RESUME : OUTPUT_NEW;
}

/* A copy of what the key ("model=") has in the method's name; NULL: nothing, or no memory (errno ENOMEM). */
static char *key_value(const char *method, const char *key)
{
	const char *at = method + strcspn(method, ":");
	errno = 0;
	while (*at && strncmp(at + 1, key, strlen(key)) != 0)
		at += 1 + strcspn(at + 1, ",");
	if (!*at)
		return NULL;
	at += 1 + strlen(key);
	return strndup(at, strcspn(at, ","));
}

/* Appends the digest of a file's content; nothing where it cannot be read, which is reported elsewhere. */
static int put_digest(const char *name, struct buf *out)
{
	char digest[SHA256_TEXT + 1], *data;
	size_t len;
	int status = whole_file_read(NULL, name, &data, &len);
	if (status != DANA_OK)
		return status == DANA_ENOMEM ? status : DANA_OK;
	sha256_text(slice_of(data, len), digest);
	free(data);
	return buf_append(out, digest, SHA256_TEXT);
}

static int is_model(const struct dirent *entry)
{
	static const char suffix[] = ".model";
	const size_t len = strlen(entry->d_name);
	return len >= strlen(suffix) && strcmp(entry->d_name + len - strlen(suffix), suffix) == 0;
}

/* A line for each model of a folder, with its digest: of these lines one digest is noted. */
static int put_folder(const char *folder, struct buf *lines)
{
	struct dirent **entries;
	struct buf path = { 0 };
	const int n = scandir(folder, &entries, is_model, alphasort);
	if (n < 0)
		return errno == ENOMEM ? DANA_ENOMEM : DANA_OK;
	int status = DANA_OK;
	for (int i = 0; i < n; i++) {
		buf_clear(&path);
		buf_printf(lines, "%s ", entries[i]->d_name);
		buf_printf(&path, "%s/%s", folder, entries[i]->d_name);
		if (status == DANA_OK)
			status = buf_append_byte(&path, 0);
		if (status == DANA_OK)
			status = put_digest((const char *)path.data, lines);
		buf_append_byte(lines, '\n');
		free(entries[i]);
	}
	free(entries);
	buf_free(&path);
	return status < 0 ? status : buf_status(lines);
}

/* Appends what the outputs depend on: program, options, models (pipeline_config.run). */
static int put_run(const struct run_settings *s, const struct texts *texts, struct buf *out)
{
	int status = DANA_OK;
	buf_printf(out, "program %s %s\nzlib %s\nzstd %s\n", PACKAGE_NAME, PACKAGE_VERSION, zlibVersion(),
		   ZSTD_versionString());
	buf_append(out, s->option_lines.data, s->option_lines.len);
	for (unsigned i = 0; i < s->methods.n * 2 && status == DANA_OK; i++) {
		/* A line for what a key of a method names: the digest of a file, or of a folder of models. Of the first
		 * method the word is unchanged, of others it has a number. */
		const bool folder = i % 2;
		char digest[SHA256_TEXT + 1], word[WORD];
		char *name = key_value(s->methods.at[i / 2], folder ? "site-models=" : "model=");
		struct buf found = { 0 };
		if (!name) {
			status = errno == ENOMEM ? DANA_ENOMEM : DANA_OK;
			continue;
		}
		status = folder ? put_folder(name, &found) : put_digest(name, &found);
		sha256_text(buf_slice(&found), digest);
		(void)snprintf(word, sizeof(word), i / 2 ? "%s-content-%u" : "%s-content",
			       folder ? "site-models" : "model", i / 2 + 1);
		if (status == DANA_OK && (folder || found.len))
			lines_put(out, word, folder ? slice_from_text(digest) : buf_slice(&found));
		buf_free(&found);
		free(name);
	}
	if (texts->sites && !texts->teaches) {
		char number[24];
		(void)snprintf(number, sizeof(number), "%016llx",
			       (unsigned long long)site_table_identity(texts->sites->arg));
		lines_put(out, "site-content", slice_from_text(number));
	}
	return status < 0 ? status : buf_status(out);
}

static void report_retry(void *settings, bool important, const char *line)
{
	const struct run_settings *s = settings;
	if (important || s->reports.verbose)
		s->reports.lines.line(s->reports.lines.arg, line);
}

static const char *plain_file(const char *name)
{
	return name && strcmp(name, "-") != 0 ? name : NULL;
}

/* The path without links and detours, which the caller frees; where nothing is there yet, its folder's. NULL. */
static char *full_path(const char *path)
{
	char *full = realpath(path, NULL);
	if (full)
		return full;
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	char *full_folder = folder ? realpath(folder, NULL) : NULL;
	struct buf name = { 0 };
	if (!folder || buf_printf(&name, "%s/%s", full_folder ? full_folder : folder, slash ? slash + 1 : path) < 0 ||
	    buf_append_byte(&name, 0) < 0)
		buf_free(&name);
	free(folder);
	free(full_folder);
	return (char *)name.data;
}

/* A file of a report, and the option that names it. */
struct report_name {
	const char *option, *name, *full;
};

static int compare(const struct report_name *report, const char *output, struct error *err)
{
	char shown[2][SHOWN];
	char *full = full_path(output);
	if (!full)
		return error_no_memory(err);
	static const char *const suffixes[] = { "",
						OUTPUT_PART_SUFFIX,
						OUTPUT_STATE_SUFFIX,
						OUTPUT_STATE_SUFFIX ".new",
						OUTPUTS_REJECTS_SUFFIX,
						OUTPUTS_REJECTS_SUFFIX OUTPUT_PART_SUFFIX };
	const size_t len = strlen(full);
	bool same = false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes) && strncmp(report->full, full, len) == 0; i++)
		same = same || strcmp(report->full + len, suffixes[i]) == 0;
	free(full);
	if (!same)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s %s is a file of the output %s; give another one", report->option,
			 printable(slice_from_text(report->name), shown[0], SHOWN),
			 printable(slice_from_text(output), shown[1], SHOWN));
}

/*
 * Reports replace earlier ones without being asked, but no archive: in `--stats *.warc.gz` a reader has forgotten the
 * name.
 */
static bool is_archive(const char *name)
{
	static const char *const begins[] = { "WARC/", "filedesc:", "\x1f\x8b", "\x28\xb5\x2f\xfd", "PK\3\4" };
	struct stat st;
	char first[16];
	if (stat(name, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	FILE *file = fopen(name, "rb");
	const size_t n = file ? fread(first, 1, sizeof(first), file) : 0;
	bool found = false;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		const struct slice begin = slice_from_text(begins[i]);
		found |= slice_equal(slice_first(slice_of(first, n), begin.len), begin);
	}
	if (file)
		(void)fclose(file);
	return found;
}

/* `other`: another report's, or NULL. */
static int check_report(const struct inputs *in, const char *output, struct report_name report, const char *other,
			struct error *err)
{
	char *full = full_path(report.name);
	if (!full)
		return error_no_memory(err);
	report.full = full;
	int status = output ? compare(&report, output, err) : DANA_OK;
	if (other && status == DANA_OK)
		status = compare(&report, other, err);
	for (size_t i = 0; in->outputs && i < in->names.n && status == DANA_OK; i++)
		status = compare(&report, in->outputs[i], err);
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++)
		status = outputs_check_spare(inputs_address(in, i), report.name, err);
	char shown[SHOWN];
	if (status == DANA_OK && is_archive(report.name))
		status = error_set(err, DANA_ECONFIG, "%s: %s is an archive; name a file for the report", report.option,
				   printable(slice_from_text(report.name), shown, sizeof(shown)));
	free(full);
	return status;
}

/* Sanitizers read files, stop threads and start a process at the end to look for leaks. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
#define SANITIZED 0
#endif

static int add_inputs(struct sandbox *box, const struct run_settings *s, const struct inputs *in)
{
	int status = inputs_network(in) ? sandbox_network(box) : DANA_OK;
	if (status == DANA_OK && s->inputs.watch) {
		/* The folder, and the files to which links in it lead that are there already. Later ones may not lead
		 * out of it. */
		const char *folder = s->inputs.watch;
		struct name_list names = { .memory = arena_new() };
		struct buf path = { 0 };
		status = names.memory ? watch_list_read(&names, folder, NULL) : DANA_ENOMEM;
		if (status == DANA_EIO)
			status = DANA_OK; /* it has gone: the run will say so */
		if (status == DANA_OK)
			status = sandbox_path(box, folder, SANDBOX_READ);
		for (size_t i = 0; i < names.n && status == DANA_OK; i++) {
			buf_clear(&path);
			buf_printf(&path, "%s/%s", folder, names.items[i]);
			status = buf_append_byte(&path, 0);
			const char *name = (const char *)path.data;
			struct stat link, file;
			if (status == DANA_OK && lstat(name, &link) == 0 && S_ISLNK(link.st_mode) &&
			    stat(name, &file) == 0 && S_ISREG(file.st_mode))
				status = sandbox_path(box, name, SANDBOX_READ);
		}
		buf_free(&path);
		free(names.items);
		arena_free(names.memory);
	}
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++) {
		const char *name = inputs_address(in, i);
		if (strcmp(name, "-") != 0 && !address_is_network(name))
			status = sandbox_path(box, name, SANDBOX_READ);
	}
	return status;
}

/* Files that keys of the method name: --method mountain:model=FILE,site-models=DIR. */
static int add_models(struct sandbox *box, const char *method)
{
	static const char *const keys[] = { "model=", "site-models=" };
	int status = DANA_OK;
	const char *at = method + strcspn(method, ":");
	while (*at && status == DANA_OK) {
		size_t n = strcspn(++at, ",");
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && status == DANA_OK; i++) {
			size_t len = strlen(keys[i]);
			char *path = n > len && memcmp(at, keys[i], len) == 0 ? strndup(at + len, n - len) : NULL;
			if (path)
				status = sandbox_path(box, path, SANDBOX_READ);
			free(path);
		}
		at += n;
	}
	return status;
}

static int add_all(struct sandbox *box, const struct run_settings *s, const struct inputs *in,
		   const struct plugins *plugins)
{
	const char *name, *file = plain_file(s->outputs.file);
	int status = add_inputs(box, s, in);
	if (status == DANA_OK && s->reports.metrics)
		status = sandbox_output(box, s->reports.metrics);
	if (status == DANA_OK && s->outputs.folder)
		status = sandbox_path(box, s->outputs.folder, SANDBOX_WRITE);
	else if (status == DANA_OK && file)
		status = sandbox_output(box, file);
	if (status == DANA_OK && s->text.learned)
		status = sandbox_output(box, s->text.learned);
	for (unsigned i = 0; i < s->methods.n && status == DANA_OK; i++)
		status = add_models(box, s->methods.at[i]);
	if (status == DANA_OK && s->network.ca_file)
		status = sandbox_path(box, s->network.ca_file, SANDBOX_READ);
	for (size_t i = 0; status == DANA_OK && (name = plugins_read(plugins, i)); i++)
		status = sandbox_path(box, name, SANDBOX_READ);
	for (size_t i = 0; status == DANA_OK && (name = plugins_written(plugins, i)); i++)
		status = sandbox_output(box, name);
	return status;
}

/**
 * Denies all else to the rest of the process, by --sandbox. Before any thread is started, when plugins are loaded and
 * files that are read as a whole (lists, the configuration) are read. Returns 0; DANA_ECONFIG: what --sandbox require
 * asks for is not there; DANA_ENOMEM.
 */
static int run_enter_sandbox(const struct run_settings *s, const struct inputs *in, const struct plugins *plugins,
			     struct error *err)
{
	struct error lack = { 0 };
	struct buf parts = { 0 };
	if (s->sandbox == SANDBOX_MODE_OFF || (s->sandbox == SANDBOX_MODE_AUTO && SANITIZED))
		return DANA_OK;
	struct sandbox *box = sandbox_new();
	int status = box ? add_all(box, s, in, plugins) : DANA_ENOMEM;
	sandbox_describe(&parts);
	if (status == DANA_OK)
		status = buf_append_byte(&parts, 0);
	if (status == DANA_OK)
		status = sandbox_enter(box, &lack);
	sandbox_free(box);
	if (status == DANA_ENOMEM)
		(void)error_no_memory(err);
	else if (status < 0 && s->sandbox == SANDBOX_MODE_REQUIRE)
		(void)error_set(err, DANA_ECONFIG, "--sandbox require: %s", lack.text);
	else if (status < 0 && !s->reports.quiet)
		notice(&s->reports.messages, "--sandbox auto: %s; in force: %s", lack.text, (const char *)parts.data);
	else if (status == DANA_OK && s->reports.verbose)
		notice(&s->reports.messages, "--sandbox: in force: %s", (const char *)parts.data);
	buf_free(&parts);
	return err->status;
}

struct run {
	struct run_settings *settings;
	struct inputs inputs;
	struct plugins *plugins, *counted; /* `counted`: which pages a window counts; NULL: there are no windows */
	struct pipeline_config pipeline;
	struct model_reader models;
	struct texts texts;
	struct chosen_fields fields; /* none: all */
	struct network *network;     /* NULL: all inputs are files */
	struct revisits *revisits;   /* NULL: they are only counted */
	struct timespec start;
	struct report_file stats_file, page_file;
	struct survey *survey;       /* of all jobs; NULL: no report is wanted */
	struct timeline *timeline;   /* the same */
	struct watch *watch;         /* NULL: the command line names the inputs */
	struct buf lines;            /* what the outputs depend on */
	struct buf methods;          /* joined by commas, terminated */
	struct run_journal *journal; /* of --output-dir */
	struct run_result *result;
	atomic_size_t next;   /* input, where each has an output of its own */
	pthread_mutex_t lock; /* guards the result and the survey while there are jobs */
	bool survey_failed;   /* memory was exhausted */
};

/* Each by itself, and against those before it. */
static int check_reports(const struct run *run, const char *output, struct error *err)
{
	const struct run_reports *r = &run->settings->reports;
	const struct report_name names[] = { { .option = "--stats", .name = plain_file(r->stats) },
					     { .option = "--metrics", .name = r->metrics },
					     { .option = "--report", .name = r->page } };
	if (r->page && strcmp(r->page, "-") == 0)
		return error_set(err, DANA_ECONFIG, "--report - is not a file; give the name of one, such as run.html");
	int status = DANA_OK;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		for (size_t k = 0; k <= i && names[i].name && status == DANA_OK; k++)
			status = check_report(&run->inputs, output, names[i], k < i ? names[k].name : NULL, err);
	}
	return status;
}

static void merge(struct run *run, const struct pipeline_result *one)
{
	struct run_result *all = run->result;
	pthread_mutex_lock(&run->lock);
	stats_add(&all->stats, &one->stats);
	if (run->survey && one->survey && survey_add(run->survey, one->survey) < 0)
		all->failed = run->survey_failed = true;
	all->failed |= one->failed;
	all->refused |= one->output_refused;
	all->model_refused |= one->model_refused;
	all->reader_gone |= one->reader_gone;
	all->stopped |= one->stopped;
	all->unfinished |= one->unfinished;
	all->resumable |= one->resumable;
	all->done_before += one->done_before;
	all->uncounted += one->done_before && !one->counted;
	all->unsurveyed += one->done_before && !one->surveyed;
	pthread_mutex_unlock(&run->lock);
}

static void stop_pipeline(void *pipeline)
{
	pipeline_stop(pipeline);
}

/* No job has come after the last one that an earlier run has done: ordered plugins finish from there, or not at all. */
static void restore(struct run *run, struct pipeline *p, struct slice counts)
{
	struct error err = { 0 };
	if (counts.len == 0 || pipeline_restore(p, counts, &err) == DANA_OK)
		return;
	pthread_mutex_lock(&run->lock);
	run->result->failed = run->result->unfinished = true;
	pthread_mutex_unlock(&run->lock);
	notice(&run->settings->reports.messages, "%s", err.text);
}

/*
 * A model that is refused, or a plugin that fails, would do so again at another page. Ordered plugins must see the
 * pages of this job, which are not all written, before the pages of the next ones.
 */
static bool ends_all(const struct run *run, const struct pipeline_result *one)
{
	return one->model_refused || one->plugin_failed || (one->unfinished && plugins_ordered(run->plugins));
}

/* Where each input has an output it is a job of its own, taken by whoever is free; else all inputs are one job. */
static void run_inputs(struct run *run, struct pipeline *p)
{
	static const struct stats none;
	const struct inputs *in = &run->inputs;
	struct pipeline_result result;
	if (!in->outputs) {
		struct pipeline_job job = { .inputs = in->names.items,
					    .addresses = in->addresses.items,
					    .parts = in->parts,
					    .n_inputs = in->names.n,
					    .ranges = in->ranges,
					    .done = in->pieces ? NULL : in->done,
					    .pieces = in->pieces,
					    .n_pieces = in->n_pieces,
					    .indexes = in->indexes.items,
					    .output = plain_file(run->settings->outputs.file) };
		pipeline_run(p, &job, &result);
		merge(run, &result);
		return;
	}
	struct slice done = { NULL, 0 };
	size_t i;
	while ((i = atomic_fetch_add(&run->next, 1)) < in->names.n) {
		const size_t *starts = in->piece_starts ? &in->piece_starts[i] : NULL;
		struct pipeline_job job = { .inputs = &in->names.items[i],
					    .addresses = in->addresses.n ? &in->addresses.items[i] : NULL,
					    .parts = in->parts ? &in->parts[i] : NULL,
					    .n_inputs = 1,
					    .ranges = in->ranges ? &in->ranges[i] : NULL,
					    .done = in->pieces ? NULL : &in->done[i],
					    .pieces = starts ? &in->pieces[starts[0]] : NULL,
					    .n_pieces = starts ? starts[1] - starts[0] : 0,
					    .indexes = in->indexes.items,
					    .output = in->outputs[i],
					    .restore = done };
		pipeline_run(p, &job, &result);
		/* what an earlier run has counted of an output that it has completed */
		struct stats stats = result.stats;
		if (!result.done_before)
			done = slice_of(NULL, 0);
		else if (run_journal_find(run->journal, job.output, &done) && pipeline_counts(done, &stats)) {
			result.stats = stats;
			result.counted = true;
			result.surveyed = result.survey && pipeline_survey(done, result.survey) == DANA_OK;
			if (job.done)
				job.done[0] = true;
			if (run->pipeline.progress)
				progress_pass(run->pipeline.progress, &stats);
			if (run->pipeline.metrics)
				metrics_file_add(run->pipeline.metrics, &none, &stats);
		}
		merge(run, &result);
		if (ends_all(run, &result))
			atomic_store(&run->next, in->names.n);
		if (result.stopped)
			break;
	}
	restore(run, p, done);
}

static int run_pipeline(struct run *run, struct error *err)
{
	struct pipeline *p = pipeline_new(&run->pipeline, err);
	if (!p)
		return err->status;
	signals_watch(stop_pipeline, p);
	if (run->watch) {
		/* What a fault ends that the next file would have as well; any other one concerns its file only. */
		struct watch *watch = run->watch;
		struct pipeline_result result = { .stopped = false };
		struct watch_file *file;
		while (!result.stopped && (file = watch_next(watch))) {
			const char *input = file->input;
			const struct pipeline_job job = { .inputs = &input, .n_inputs = 1, .output = file->output };
			pipeline_run(p, &job, &result);
			watch_over(watch, file);
			merge(run, &result);
			if (ends_all(run, &result))
				watch_stop(watch);
		}
	} else
		run_inputs(run, p);
	signals_unwatch(p);
	/* Ordered plugins finish when all outputs are complete, also where an input could not be opened; there is one
	 * pipeline then. */
	struct run_result *all = run->result;
	struct error fault = { 0 };
	pthread_mutex_lock(&run->lock);
	if (!all->unfinished && !all->refused && !all->model_refused && !all->reader_gone && !all->stopped &&
	    pipeline_finish(p, &fault) < 0) {
		all->failed = true;
		all->unfinished = true; /* the state stays, and --resume finishes what plugins have to write */
		notice(&run->settings->reports.messages, "%s", fault.text);
	}
	pthread_mutex_unlock(&run->lock);
	pipeline_free(p);
	return DANA_OK;
}

static void *thread_main(void *arg)
{
	struct run *run = arg;
	struct error err = { 0 };
	if (run_pipeline(run, &err) < 0) {
		/* The others do this one's work. */
		pthread_mutex_lock(&run->lock);
		run->result->failed = true;
		pthread_mutex_unlock(&run->lock);
		notice(&run->settings->reports.messages, "%s", err.text);
	}
	return NULL;
}

/* Threads beside this one, each with a pipeline of its own. */
static int run_threads(struct run *run, size_t wanted, struct error *err)
{
	pthread_t *threads = calloc(wanted, sizeof(*threads));
	if (!threads)
		return error_no_memory(err);
	size_t n = 0;
	while (n + 1 < wanted && system_thread_start(&threads[n], thread_main, run))
		n++;
	int status = run_pipeline(run, err);
	for (size_t i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
	free(threads);
	return status;
}

static size_t threads_wanted(const struct run *run)
{
	const size_t inputs = run->inputs.outputs ? run->inputs.names.n : 1;
	return run->watch || run->settings->parallel_inputs < inputs ? run->settings->parallel_inputs
	       : inputs                                              ? inputs
								     : 1;
}

/* The watch ends after the jobs: what it has found is theirs until then. */
static int run_watch(struct run *run, struct error *err)
{
	struct watch *watch = run->watch;
	size_t done_before;
	int status = watch_start(watch, err);
	if (status < 0)
		return status;
	signals_watch(watch_stop, watch);
	status = run_threads(run, threads_wanted(run), err);
	signals_unwatch(watch);
	run->result->failed |= !watch_end(watch, &done_before);
	run->result->done_before += done_before;
	run->result->stopped |= signals_caught() != 0;
	return status;
}

/* ---- before ---- */

/*
 * Nothing is begun when any output is in the way or cannot be written. A single output is also opened before its
 * first input; outputs of -O are opened one by one, because there may be more of them than a process can have open.
 */
static int check_outputs(const struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const struct inputs *in = &run->inputs;
	const enum output_way way = run_resume_way(s);
	if (!s->outputs.folder)
		return s->outputs.file && strcmp(s->outputs.file, "-") != 0
			       ? outputs_check(s->outputs.file, s->outputs.rejects, way, err)
			       : DANA_OK;
	int status = output_names_folders(s->outputs.folder, in->outputs, in->names.n, err);
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++)
		status = outputs_check(in->outputs[i], s->outputs.rejects, way, err);
	return status;
}

static int load_plugins(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const struct plugins_config config = {
		.choice = s->choice,
		.rows = &s->plugins,
		.folder = DANA_PLUGIN_FOLDER,
		.max_html = s->limits.body,
		.line = s->reports.lines.line,
		.arg = s->reports.lines.arg,
		.quiet = s->reports.quiet,
		.verbose = s->reports.verbose,
		.metadata = run->texts.page.front,
	};
	run->plugins = plugins_new(&config, err);
	if (run->plugins && s->site_window) {
		struct plugins_config filters = config;
		struct site_table *table = site_table_empty(err); /* what it needs is loaded now */
		filters.rows = NULL;
		filters.metadata = false;
		run->counted = table ? plugins_new(&filters, err) : NULL;
		site_table_free(table);
	}
	if (err->status < 0)
		return err->status;
	const char *ordered = plugins_ordered(run->plugins);
	if (ordered && s->inputs.watch)
		return error_set(err, DANA_ECONFIG,
				 "--watch excludes the plugin %s, which needs pages in an order: files come in any",
				 ordered);
	if (ordered && s->parallel_inputs > 1)
		return error_set(err, DANA_ECONFIG,
				 "--parallel-inputs above 1 excludes the plugin %s, which needs pages in the order of "
				 "the inputs",
				 ordered);
	return DANA_OK;
}

/* Which fields of documents are written, where not all are. */
static int choose_fields(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const struct sink_ops *format = s->outputs.kind.format;
	if (!s->outputs.fields && !format->is_table)
		return DANA_OK;
	if (format->needs_uri)
		return error_set(err, DANA_ECONFIG, "--fields is for --format jsonl, csv and tsv, not for %s",
				 format->name);
	if (s->outputs.schema != SCHEMA_DANA && (format->is_table || s->outputs.schema != SCHEMA_BULK))
		return error_set(err, DANA_ECONFIG, "--schema has its own layout; it does not go with %s",
				 format->is_table ? "--format csv and tsv" : "--fields");
	const struct chosen_from from = {
		.with = texts_fields(&run->texts) | (unsigned)plugins_needs(run->plugins).language << WITH_LANGUAGE |
			(unsigned)(s->revisits == RUN_REVISITS_RESOLVE) << WITH_RESOLVED |
			(unsigned)method_lists_media(s->methods.at[0]) << WITH_MEDIA,
		.plugins = run->plugins,
	};
	return chosen_fields_read(&run->fields, s->outputs.fields, &from, err);
}

static int prepare(struct run *run, struct error *err)
{
	struct run_settings *s = run->settings;
	s->network.report = s->reports.quiet ? NULL : report_retry;
	s->network.arg = s;
	int status = methods_check(&s->methods, err);
	if (status == DANA_OK && s->site_auto)
		status = sites_check(s, err);
	if (status == DANA_OK && s->inputs.watch)
		status = watch_check(s, err);
	if (status == DANA_OK)
		status = texts_check(&s->text, &s->methods, &run->texts, err);
	const char *json = texts_json_option(&run->texts);
	if (status == DANA_OK && json && s->outputs.kind.format->needs_uri)
		status = error_set(err, DANA_ECONFIG, "%s is for JSON; it does not go with --format warc", json);
	if (status == DANA_OK && run->texts.page.elements && s->outputs.kind.format->needs_uri)
		status = error_set(err, DANA_ECONFIG,
				   "--format warc has records of Markdown; --markdown format=html, xml "
				   "and tei go with jsonl");
	if (status == DANA_OK && s->text.page.text_field != TEXT_FIELD_PLAIN && s->outputs.kind.format->needs_uri)
		status = error_set(err, DANA_ECONFIG,
				   "--text-field is about JSON; with --format warc give --text markdown");
	if (status == DANA_OK)
		status = load_plugins(run, err);
	if (status == DANA_OK)
		status = choose_fields(run, err);
	if (status == DANA_OK && inputs_lists_network(s))
		status = inputs_connect(&run->network, s, err);
	if (status == DANA_OK && !s->inputs.watch)
		status = inputs_gather(&run->inputs, s, &run->network, err);
	if (status == DANA_OK && s->revisits == RUN_REVISITS_RESOLVE)
		status = revisits_check(s, &run->inputs, err);
	if (status == DANA_OK)
		for (size_t i = 0; s->outputs.resume && i < run->inputs.names.n; i++) {
			/* can it be read again from an earlier place? */
			char shown[SHOWN];
			const char *name = inputs_address(&run->inputs, i);
			if (strcmp(name, "-") == 0)
				return error_set(err, DANA_ECONFIG,
						 "--resume: standard input cannot be resumed; give a file");
			if (!address_is_network(name) && !source_can_begin_anywhere(name))
				return error_set(err, DANA_ECONFIG,
						 "--resume: the input %s cannot be resumed; expected a file or a URL",
						 printable(slice_from_text(name), shown, sizeof(shown)));
		}
	if (status == DANA_OK) {
		const char *one = plain_file(s->outputs.file);
		status = check_reports(run, one, err);
		for (size_t i = 0; i < run->inputs.names.n && status == DANA_OK; i++) {
			const char *output = run->inputs.outputs ? run->inputs.outputs[i] : one;
			if (!s->outputs.force || !output)
				continue;
			char *part = path_with(output, OUTPUT_PART_SUFFIX); /* it is removed as well */
			if (!part)
				return error_no_memory(err);
			status = outputs_check_spare(inputs_address(&run->inputs, i), output, err);
			if (status == DANA_OK)
				status = outputs_check_spare(inputs_address(&run->inputs, i), part, err);
			free(part);
		}
	}
	if (status == DANA_OK)
		status = check_outputs(run, err);
	if (status == DANA_OK && s->site_auto) {
		struct site_table *table;
		status = sites_learn(s, &run->inputs, &table, err);
		run->texts.sites = table ? site_table_sources(table) : NULL;
	}
	if (status == DANA_OK && s->inputs.watch)
		status = watch_open(&run->watch, s, err);
	if (status == DANA_OK && put_run(s, &run->texts, &run->lines) < 0)
		status = error_no_memory(err);
	/* shares without inputs have nothing to resume, and would all have one journal */
	if (status == DANA_OK && s->outputs.folder && !s->inputs.watch && run->inputs.names.n)
		status = run_journal_open(&run->journal, s->outputs.folder, &run->inputs, buf_slice(&run->lines),
					  s->outputs.resume, err);
	if (status == DANA_OK && run->journal && s->reports.page && !run_journal_all_have(run->journal, SURVEY_FIELD))
		status = error_set(
			err, DANA_ECONFIG,
			"%s: the run cannot be resumed with --report: its earlier part was run without; leave "
			"--report out, or --force starts over",
			s->outputs.folder);
	run->stats_file = (struct report_file){ .option = "--stats", .path = s->reports.stats };
	run->page_file = (struct report_file){ .option = "--report", .path = s->reports.page };
	if (status == DANA_OK)
		status = report_file_open(&run->stats_file, err);
	if (status == DANA_OK)
		status = report_file_open(&run->page_file, err);
	if (status == DANA_OK && s->reports.page) {
		run->survey = survey_new();
		run->timeline = timeline_new();
		if (!run->survey || !run->timeline || survey_settings(run->survey, buf_slice(&run->lines)) < 0)
			status = error_no_memory(err);
	}
	if (status == DANA_OK && s->reports.metrics) {
		run->pipeline.metrics = metrics_file_new(s->reports.metrics, err);
		status = (int)err->status;
	}
	if (status == DANA_OK && !run->network && inputs_network(&run->inputs))
		status = inputs_connect(&run->network, s, err);
	return status;
}

/* Bytes of all inputs; 0 when that is not known. */
static uint64_t total_bytes(const struct inputs *in)
{
	uint64_t total = 0;
	for (size_t i = 0; i < in->n_pieces; i++)
		total += in->pieces[i].length;
	for (size_t i = 0; !in->pieces && i < in->names.n; i++) {
		uint64_t size;
		if (!inputs_size(in, i, &size))
			return 0;
		const struct input_range r = in->ranges[i];
		const uint64_t end = r.end && r.end < size ? r.end : size;
		total += end > r.begin ? end - r.begin : 0;
	}
	return total;
}

static void redraw(void *progress)
{
	progress_redraw(progress);
}

/* ---- after ---- */

static int write_page(struct run *run, struct slice line, struct error *err)
{
	struct buf times = { 0 }, page = { 0 };
	int status = timeline_end(run->timeline, &times) < 0 ? error_no_memory(err) : DANA_OK;
	if (status == DANA_OK)
		status = report_page(line, buf_slice(&times), &page, err);
	if (status == DANA_OK)
		status = report_file_write(&run->page_file, buf_slice(&page), err);
	buf_free(&times);
	buf_free(&page);
	return status;
}

/* A page that lacks a part of the run would be wrong; what the file held stays. */
static int refuse_page(struct run *run, struct error *err)
{
	char shown[SHOWN];
	const char *path = run->page_file.path;
	(void)report_file_keep(&run->page_file);
	if (run->result->refused)
		return DANA_OK; /* that was reported */
	if (run->survey_failed)
		return error_no_memory(err);
	return error_set(
		err, DANA_EIO,
		"--report: %s is not written: %zu output%s complete already, and what the report needs of %s is not "
		"known",
		printable(slice_from_text(path), shown, sizeof(shown)), run->result->unsurveyed,
		run->result->unsurveyed == 1 ? " was" : "s were", run->result->unsurveyed == 1 ? "it" : "them");
}

static int write_stats(struct run *run, struct error *err)
{
	struct run_result *r = run->result;
	struct buf done = { 0 }, report = { 0 }, line = { 0 };
	/* Nothing was done, and nothing is known of the run that did it: then its own statistics stay, if it wrote any.
	 */
	const bool nothing = r->uncounted && r->stats.inputs == 0;
	if (nothing && (!run->stats_file.file || report_file_keep(&run->stats_file)) &&
	    (!run->page_file.file || report_file_keep(&run->page_file)))
		return DANA_OK;
	/* What --cdx reads are pieces, and what --watch finds has no end: neither is a list of inputs. */
	int status = DANA_OK;
	if (run->stats_file.file && !run->inputs.pieces && !run->settings->inputs.watch)
		status = inputs_done(&run->inputs, &done);
	r->stats.missing = run->inputs.missing;
	r->stats.shard = run->inputs.share.number;
	r->stats.shards = run->inputs.share.count;
	const bool surveyed = run->survey && !run->survey_failed && !r->unsurveyed && !r->refused;
	if (status == DANA_OK && surveyed)
		status = survey_json(run->survey, &report);
	if (status == DANA_OK)
		status = stats_json(&r->stats, buf_slice(&done), buf_slice(&report), &line);
	status = status < 0 ? error_no_memory(err) : report_file_write(&run->stats_file, buf_slice(&line), err);
	if (status == DANA_OK && run->page_file.file)
		status = surveyed ? write_page(run, buf_slice(&line), err) : refuse_page(run, err);
	buf_free(&done);
	buf_free(&report);
	buf_free(&line);
	return status;
}

/*
 * All is reported: what was kept for a resumed run can go, unless there will be one. Where an input of
 * several outputs could not be opened, --resume takes it when it can be, and counts what this run has done; what
 * ordered plugins have saved is of no use then, because it knows of inputs that come after that one.
 */
static int forget(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	const bool taken_later = run->journal && !plugins_ordered(run->plugins);
	if (run->result->stopped || run->result->resumable ||
	    (run->result->failed && (run->result->unfinished || taken_later)))
		return DANA_OK;
	if (run_journal_remove(run->journal, err) < 0)
		return (int)err->status;
	if (s->outputs.file && part_file_is_final(s->outputs.file) && outputs_remove_state(s->outputs.file, err) < 0)
		return (int)err->status;
	plugins_run_over(run->plugins);
	return DANA_OK;
}

static int work(struct run *run, struct error *err)
{
	const struct run_settings *s = run->settings;
	struct run_result *result = run->result;
	int status = prepare(run, err);
	if (status == DANA_OK) {
		/* Joins the methods: the heads of outputs name all of them. */
		const struct text_list *methods = &run->settings->methods;
		for (unsigned i = 0; i < methods->n; i++)
			buf_printf(&run->methods, "%s%s", i ? "," : "", methods->at[i]);
		status = buf_append_byte(&run->methods, 0) < 0 ? error_no_memory(err) : DANA_OK;
	}
	if (status == DANA_OK)
		status = run_enter_sandbox(s, &run->inputs, run->plugins, err);
	if (status < 0)
		return status;
	/* what all pipelines of the run are made of */
	run->pipeline = (struct pipeline_config){
		.processor = { .limits = &s->limits,
			       .choice = s->records,
			       .plugins = run->plugins,
			       .needs_uri = s->outputs.kind.format->needs_uri,
			       .take_unreadable = s->choice.min_chars == 0,
			       .method = s->methods.at[0],
			       .texts = run->texts,
			       .want_survey = run->survey != NULL,
			       .read_file = model_reader_read,
			       .read_arg = &run->models },
		.jobs = s->jobs,
		.site_window = s->site_window,
		.counted_plugins = run->counted,
		.format = s->outputs.kind.format,
		.sink = { .schema = (enum sink_schema)s->outputs.schema,
			  .source = s->outputs.source,
			  .fields = run->fields.n ? &run->fields : NULL,
			  .warc_1_0 = s->outputs.warc_version == RUN_WARC_1_0,
			  .software = PACKAGE_NAME "/" PACKAGE_VERSION,
			  .method = (const char *)run->methods.data,
			  .without_plain = run->texts.page.without_plain },
		.encoding = s->outputs.kind.encoder,
		.level = s->outputs.kind.level,
		.way = run_resume_way(s),
		.run = buf_slice(&run->lines),
		.checkpoint_bytes = s->outputs.checkpoint_bytes,
		.keep_state = run->journal == NULL && !s->inputs.watch,
		.complete = run->journal ? run_journal_add : NULL,
		.complete_arg = run->journal,
		.rejects = s->outputs.rejects,
		.network = run->network,
		.surveys = run->survey != NULL,
		.metrics = run->pipeline.metrics,
		.timeline = run->timeline,
		.reporter = { .line = s->reports.lines.line,
			      .arg = s->reports.lines.arg,
			      .quiet = s->reports.quiet,
			      .verbose = s->reports.verbose },
	};
	if (signals_start() < 0)
		return error_set(err, DANA_ENOMEM, "%s", NO_THREAD_TEXT);
	if (s->revisits == RUN_REVISITS_RESOLVE) {
		if (revisits_learn(&run->revisits, s, &run->inputs, run->network, err) < 0)
			return (int)err->status;
		run->pipeline.processor.revisits = revisits_source(run->revisits);
	}
	const struct run_reports *r = &run->settings->reports;
	if (r->progress.line) {
		run->pipeline.progress =
			progress_new(total_bytes(&run->inputs), r->progress.line, r->columns, r->progress.arg);
		if (run->pipeline.progress)
			signals_on_resize(redraw, run->pipeline.progress);
	}
	if (inputs_standard(&run->inputs) && !s->reports.quiet)
		s->reports.waits(s->reports.arg);
	status = run->watch ? run_watch(run, err) : run_threads(run, threads_wanted(run), err);
	signals_on_resize(NULL, NULL);
	progress_free(run->pipeline.progress);
	if (status < 0)
		return status;
	result->failed |= revisits_failed(run->revisits);
	if (result->model_refused && model_reader_refused(&run->models, err) < 0)
		notice(&s->reports.messages, "%s", err->text);
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	const double seconds =
		(double)(now.tv_sec - run->start.tv_sec) + (double)(now.tv_nsec - run->start.tv_nsec) / 1e9;
	stats_measure(&result->stats, seconds);
	result->ran = true;
	s->reports.ended(s->reports.arg, result);
	status = write_stats(run, err);
	if (status == DANA_OK && run->pipeline.metrics)
		status = metrics_file_end(run->pipeline.metrics, &result->stats, err);
	return status == DANA_OK ? forget(run, err) : status;
}

int run_archives(struct run_settings *s, struct run_result *result, struct error *err)
{
	struct run run = { .settings = s, .result = result };
	*result = (struct run_result){ 0 };
	(void)clock_gettime(CLOCK_MONOTONIC, &run.start);
	(void)pthread_mutex_init(&run.lock, NULL);
	model_reader_init(&run.models, s->methods.at, s->methods.n);
	int status = work(&run, err);
	result->failed |= run.inputs.incomplete;
	(void)pthread_mutex_destroy(&run.lock);
	metrics_file_free(run.pipeline.metrics);
	survey_free(run.survey);
	timeline_free(run.timeline);
	run_journal_close(run.journal);
	watch_free(run.watch);
	buf_free(&run.lines);
	buf_free(&run.methods);
	model_reader_free(&run.models);
	revisits_free(run.revisits);
	network_free(run.network);
	inputs_free(&run.inputs);
	plugins_free(run.plugins);
	plugins_free(run.counted);
	texts_free(&run.texts);
	return status;
}
