/* SPDX-License-Identifier: MIT */
/*
 * `dana filter`: options to a run, and what became of it to lines and an exit status.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "base/system.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/options.h"
#include "io/address.h"
#include "run/run.h"
#include "run/signals.h"

static int hide(const char **address, struct arena *memory)
{
	struct buf text = { 0 };
	if (!*address)
		return DANA_OK;
	int status = address_without_secrets(*address, &text);
	*address = status == DANA_OK ? (const char *)arena_copy(memory, buf_slice(&text)).data : NULL;
	buf_free(&text);
	return *address ? DANA_OK : DANA_ENOMEM;
}

/**
 * Prints what the settings ask for. Returns the exit status. Addresses in the settings become those that may be shown,
 * and are not kept.
 */
static int filter_print(struct filter_settings *s)
{
	struct arena *memory = arena_new();
	struct buf out = { 0 };
	const char **addresses[] = { &s->run.inputs.list, &s->run.inputs.base, &s->run.network.proxy };
	int status = memory ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]) && status == DANA_OK; i++)
		status = hide(addresses[i], memory);
	for (unsigned i = 0; i < s->run.inputs.cdx.n && status == DANA_OK; i++)
		status = hide(&s->run.inputs.cdx.at[i], memory);
	if (status == DANA_OK && s->print_config)
		status = config_file_write(&filter_options, s, &out);
	if (status == DANA_OK && s->print_limits)
		status = filter_print_limits(s, &out);
	int code = command_print_made("filter", status, &out);
	arena_free(memory);
	return code;
}

enum { REASONS_SHOWN = 6, REASONS_MOST = SKIP_REASONS + PLUGINS_MOST, SHOWN = 200, WRONG = 64 };

struct counted_reason {
	const char *before, *word; /* "plugin:", "dedup-exact" */
	uint64_t count;
};

/* "plugin:dedup-exact 3, status 2": the reasons with most records, the largest first. Forgets their counts. */
static void put_reasons(struct counted_reason *reasons, size_t n, struct buf *out)
{
	unsigned shown = 0;
	for (; shown < REASONS_SHOWN; shown++) {
		struct counted_reason *best = NULL;
		for (size_t i = 0; i < n; i++)
			best = reasons[i].count && (!best || reasons[i].count > best->count) ? &reasons[i] : best;
		if (!best)
			break;
		buf_printf(out, "%s%s%s %llu", shown ? ", " : " (", best->before, best->word,
			   (unsigned long long)best->count);
		best->count = 0;
	}
	if (shown)
		buf_append_byte(out, ')');
}

static const char *destination(const struct run_settings *s, char *shown, size_t size)
{
	const char *name = s->outputs.folder ? s->outputs.folder : s->outputs.file;
	return name && strcmp(name, "-") != 0 ? printable(slice_from_text(name), shown, size) : "standard output";
}

enum { SIZE_TEXT = 32 };

static const char *size_text(uint64_t bytes, char out[SIZE_TEXT])
{
	static const char units[] = "kMGT";
	double size = (double)bytes / 1e3;
	unsigned unit = 0;
	while (size >= 1e3 && units[unit + 1]) {
		size /= 1e3;
		unit++;
	}
	(void)snprintf(out, SIZE_TEXT, "%.1f %cB", size, units[unit]);
	return out;
}

/* How many documents have been written in spite of damage; nothing if there are none. */
static const char *wrong_lengths(const struct stats *stats, char out[WRONG])
{
	const uint64_t n = stats_faults(stats) - stats_damaged(stats);
	out[0] = '\0';
	if (n)
		(void)snprintf(out, WRONG, " (%llu in spite of damage)", (unsigned long long)n);
	return out;
}

/*
 * Requests, metadata and pictures are no pages, so nothing of an archive is lost with them: they are told apart from
 * pages that the options leave out.
 */
static void tell_summary(const struct run_settings *s, const struct stats *stats)
{
	struct buf line = { 0 };
	char shown[SHOWN], wrong[WRONG];
	struct counted_reason pages[REASONS_MOST], others[REASONS_MOST], damaged[DAMAGE_REASONS];
	size_t n_pages = 0, n_others = 0;
	uint64_t not_pages = 0;
	for (unsigned i = 0; i < SKIP_REASONS; i++) {
		const struct counted_reason reason = { "", skip_word((enum skip_reason)i), stats->skipped[i] };
		if (i == SKIP_TYPE || i == SKIP_MIME) {
			others[n_others++] = reason;
			not_pages += reason.count;
		} else if (i != SKIP_PLUGIN || !stats->plugins) {
			pages[n_pages++] = reason;
		}
	}
	for (unsigned i = 0; stats->plugins && i < stats->plugins->n_plugins; i++)
		pages[n_pages++] =
			(struct counted_reason){ "plugin:", stats->plugins->plugin[i], stats->plugin_skipped[i] };
	for (unsigned i = 0; i < DAMAGE_REASONS; i++)
		damaged[i] = (struct counted_reason){ "", damage_word((enum damage_reason)i), stats->damaged[i] };
	buf_printf(&line, "%llu page%s written%s; left out %llu", (unsigned long long)stats->documents,
		   stats->documents == 1 ? "" : "s", wrong_lengths(stats, wrong),
		   (unsigned long long)(stats_skipped(stats) - not_pages));
	put_reasons(pages, n_pages, &line);
	buf_printf(&line, "; not pages %llu", (unsigned long long)not_pages);
	put_reasons(others, n_others, &line);
	buf_printf(&line, "; damaged %llu", (unsigned long long)stats_damaged(stats));
	put_reasons(damaged, DAMAGE_REASONS, &line);
	if (buf_append_byte(&line, 0) == DANA_OK)
		command_message(NULL, "%s", (const char *)line.data);
	buf_free(&line);
	char in[SIZE_TEXT], out[SIZE_TEXT];
	command_message(NULL, "%s in %.1f s, %.1f MB/s; %s to %s", size_text(stats->bytes_in, in), stats->seconds,
			stats->seconds > 0 ? (double)stats->bytes_in / 1e6 / stats->seconds : 0,
			size_text(stats->bytes_out, out), destination(s, shown, sizeof(shown)));
}

static void tell_stopped(const struct run_settings *s, const struct run_result *result)
{
	char shown[SHOWN];
	const char *name = destination(s, shown, sizeof(shown));
	const char *next = result->resumable ? "--resume continues, --force starts over" : "--force starts over";
	unsigned long long pages = result->stats.documents;
	char *part = s->outputs.file ? path_with(s->outputs.file, OUTPUT_PART_SUFFIX) : NULL;
	if (s->inputs.watch)
		command_message("filter", "stopped: %llu pages were written to %s; the same command continues", pages,
				name);
	else if (s->outputs.folder)
		command_message(
			"filter", "stopped: %llu pages are in %s; outputs that are not complete end in .part; %s",
			pages, name,
			result->resumable || s->outputs.resume ? "--resume continues, --force starts over" : next);
	else if (part && access(part, F_OK) == 0) /* devices and pipes have none */
		command_message("filter", "stopped: the first %llu pages are in %s.part, each whole; %s", pages, name,
				next);
	free(part);
}

static void tell_resumed(const struct run_settings *s, const struct run_result *result)
{
	char shown[SHOWN];
	if (result->done_before == 0)
		return;
	if (s->outputs.folder)
		command_message("filter", "%zu output%s in %s %s complete already", result->done_before,
				result->done_before == 1 ? "" : "s", destination(s, shown, sizeof(shown)),
				result->done_before == 1 ? "was" : "were");
	else
		command_message("filter", "%s is complete already", destination(s, shown, sizeof(shown)));
	if (result->uncounted && s->reports.stats && result->stats.inputs == 0)
		command_message("filter",
				"this run counts nothing; if %s has the counters of an earlier run, they stay",
				s->reports.stats);
	else if (result->uncounted && s->reports.stats)
		command_message("filter",
				"--stats does not count %s: the counters of the run that made %s are not known",
				result->uncounted == 1 ? "it" : "all of them", result->uncounted == 1 ? "it" : "them");
}

struct filter_run {
	struct filter_settings settings;
	struct console console;
};

static void waits(void *arg)
{
	(void)arg;
	command_tell_waiting("filter");
}

static void ended(void *arg, const struct run_result *result)
{
	struct filter_run *run = arg;
	console_clear(&run->console);
	/* what was written, skipped and damaged; after a signal or a fault what is left, and how to continue */
	const struct run_settings *s = &run->settings.run;
	const struct stats *stats = &result->stats;
	const bool quiet = s->reports.quiet, verbose = s->reports.verbose;
	if (!quiet)
		tell_resumed(s, result);
	if (result->stopped && signals_caught() && !quiet)
		tell_stopped(s, result);
	else {
		/* What was refused would be refused again. */
		if (result->resumable && !result->refused && !result->model_refused && !s->reports.quiet)
			command_message("filter", "%s from the last checkpoint, --force starts over",
					s->inputs.watch ? "the same command continues" : "--resume continues");
	}
	if (quiet || result->reader_gone)
		return;
	char wrong[WRONG];
	if (s->reports.progress.line)
		tell_summary(s, stats);
	else if (verbose || stats_faults(stats))
		command_message(NULL, "%llu record%s: %llu documents%s, %llu skipped, %llu damaged",
				(unsigned long long)stats->records, stats->records == 1 ? "" : "s",
				(unsigned long long)stats->documents, wrong_lengths(stats, wrong),
				(unsigned long long)stats_skipped(stats), (unsigned long long)stats_damaged(stats));
}

/* Where the exit statuses of doc/FORMATS.md come from. */
static int exit_status(const struct run_result *result, bool damaged_ok)
{
	if (result->stopped && signals_caught())
		return 128 + signals_caught();
	if (result->failed)
		return EXIT_FAULT;
	if (result->refused || result->model_refused)
		return EXIT_USAGE;
	if (result->reader_gone)
		return EXIT_DONE;
	return stats_faults(&result->stats) && !damaged_ok ? EXIT_DAMAGE : EXIT_DONE;
}

static int run_settings(struct filter_run *run)
{
	struct run_result result = { 0 };
	struct buf lines = { 0 };
	struct error err = { 0 };
	int status = run_lines_options(&run->settings, &lines);
	console_init(&run->console, "filter");
	const struct filter_settings *s = &run->settings;
	struct run_reports *r = &run->settings.run.reports;
	r->lines = (struct notices){ console_line, &run->console };
	r->messages = (struct notices){ console_message, &run->console };
	if (s->progress == PROGRESS_ALWAYS || (s->progress == PROGRESS_AUTO && !r->quiet && isatty(STDERR_FILENO)))
		r->progress = (struct notices){ console_progress, &run->console };
	r->columns = console_columns;
	r->waits = waits;
	r->ended = ended;
	r->arg = run;
	run->settings.run.option_lines = buf_slice(&lines);
	status = status < 0 ? error_no_memory(&err) : run_archives(&run->settings.run, &result, &err);
	console_end(&run->console);
	int code = status < 0 ? command_failed("filter", &err) : EXIT_DONE;
	const int ended_with = exit_status(&result, run->settings.damaged_ok);
	if (result.ran && (status == DANA_OK || ended_with >= 128))
		code = ended_with;
	else if (result.ran)
		code = EXIT_FAULT;
	buf_free(&lines);
	return code;
}

int filter_run(int argc, char **argv)
{
	return filter_run_teaching(argc, argv, NULL, NULL);
}

int filter_run_teaching(int argc, char **argv, const struct site_sources *learner, const char *file)
{
	struct filter_run run = { 0 };
	struct filter_settings *s = &run.settings;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	int code = command_options(&filter_options, s, argc, argv, &rest);
	if (code < 0 && filter_options_resolve(s, system_cores(), &err) < 0)
		code = command_usage("filter", &err);
	s->run.inputs.names = rest.positionals;
	s->run.inputs.n = rest.n_positionals;
	s->run.text.learner = learner;
	s->run.text.learned = file;
	if (code < 0)
		code = s->print_config || s->print_limits ? filter_print(s) : run_settings(&run);
	options_rest_free(&rest);
	return code;
}
