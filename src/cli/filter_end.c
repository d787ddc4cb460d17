/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/filter_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file/part_file.h"
#include "base/file/path.h"
#include "base/printable.h"
#include "cli/message.h"
#include "run/signals.h"

enum { REASONS_SHOWN = 3, SHOWN = 200, WRONG = 64 };

/* "type 3, mime 2": the reasons with most records, the largest first. */
static void put_reasons(const uint64_t *counts, unsigned n, const char *(*word)(unsigned), struct buf *out)
{
	uint64_t below = UINT64_MAX;
	unsigned last = 0, shown = 0;
	for (; shown < REASONS_SHOWN; shown++) {
		unsigned best = n;
		for (unsigned i = 0; i < n; i++) {
			bool after = counts[i] < below || (counts[i] == below && i > last);
			if (counts[i] && after && (best == n || counts[i] > counts[best]))
				best = i;
		}
		if (best == n)
			break;
		buf_printf(out, "%s%s %llu", shown ? ", " : " (", word(best), (unsigned long long)counts[best]);
		below = counts[best];
		last = best;
	}
	if (shown)
		buf_append_byte(out, ')');
}

static const char *skip_name(unsigned i)
{
	return skip_word((enum skip_reason)i);
}

static const char *damage_name(unsigned i)
{
	return damage_word((enum damage_reason)i);
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

static void tell_summary(const struct run_settings *s, const struct stats *stats)
{
	struct buf line = { 0 };
	char shown[SHOWN];
	double share = stats->records ? 100.0 * (double)stats->documents / (double)stats->records : 0;
	char wrong[WRONG];
	buf_printf(&line, "%llu page%s written%s, %.0f %% of %llu records; skipped %llu",
		   (unsigned long long)stats->documents, stats->documents == 1 ? "" : "s", wrong_lengths(stats, wrong),
		   share, (unsigned long long)stats->records, (unsigned long long)stats_skipped(stats));
	put_reasons(stats->skipped, SKIP_REASONS, skip_name, &line);
	buf_printf(&line, "; damaged %llu", (unsigned long long)stats_damaged(stats));
	put_reasons(stats->damaged, DAMAGE_REASONS, damage_name, &line);
	if (buf_append_byte(&line, 0) == DANA_OK)
		command_message(NULL, "%s", (const char *)line.data);
	buf_free(&line);
	char in[SIZE_TEXT], out[SIZE_TEXT];
	command_message(NULL, "%s in %.1f s, %.1f MB/s; %s to %s", size_text(stats->bytes_in, in), stats->seconds,
			stats->seconds > 0 ? (double)stats->bytes_in / 1e6 / stats->seconds : 0,
			size_text(stats->bytes_out, out), destination(s, shown, sizeof(shown)));
}

/* Devices and pipes have none. */
static bool has_part(const char *output)
{
	char *name = path_with(output, OUTPUT_PART_SUFFIX);
	bool there = name && access(name, F_OK) == 0;
	free(name);
	return there;
}

static void tell_stopped(const struct run_settings *s, const struct run_result *result)
{
	char shown[SHOWN];
	const char *name = destination(s, shown, sizeof(shown));
	const char *next = result->resumable ? "--resume goes on, --force starts anew" : "--force starts anew";
	unsigned long long pages = result->stats.documents;
	if (s->inputs.watch)
		command_message("filter", "stopped: %llu pages were written to %s; the same command goes on", pages,
				name);
	else if (s->outputs.folder)
		command_message(
			"filter", "stopped: %llu pages are in %s; outputs that are not complete end in .part; %s",
			pages, name,
			result->resumable || s->outputs.resume ? "--resume goes on, --force starts anew" : next);
	else if (s->outputs.file && has_part(s->outputs.file))
		command_message("filter", "stopped: the first %llu pages are in %s.part, each whole; %s", pages, name,
				next);
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
	if (result->uncounted && s->reports.stats)
		command_message("filter",
				"--stats does not count %s: what the run that made %s had counted is not known",
				result->uncounted == 1 ? "it" : "all of them", result->uncounted == 1 ? "it" : "them");
}

static void tell_failed(const struct run_settings *s, const struct run_result *result)
{
	/* What was refused would be refused again. */
	if (result->resumable && !result->refused && !result->model_refused && !s->reports.quiet)
		command_message("filter", "%s from the last checkpoint, --force starts anew",
				s->inputs.watch ? "the same command goes on" : "--resume goes on");
}

void filter_end(const struct run_settings *s, const struct run_result *result)
{
	const struct stats *stats = &result->stats;
	const bool quiet = s->reports.quiet, verbose = s->reports.verbose;
	if (!quiet)
		tell_resumed(s, result);
	if (result->stopped && signals_caught() && !quiet)
		tell_stopped(s, result);
	else
		tell_failed(s, result);
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
