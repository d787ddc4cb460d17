/* SPDX-License-Identifier: MIT */
/* `dana filter`: options to a run, and what became of it to lines and an exit status. */
#include "config.h"

#include <unistd.h>

#include "cli/command.h"
#include "cli/filter_console.h"
#include "cli/filter_end.h"
#include "cli/filter_print.h"
#include "cli/options/filter_options.h"
#include "cli/options/run_lines.h"
#include "run/run.h"
#include "run/signals.h"

struct filter_run {
	struct filter_settings settings;
	struct filter_console console;
};

static void waits(void *arg)
{
	(void)arg;
	command_tell_waiting("filter");
}

static void ended(void *arg, const struct run_result *result)
{
	struct filter_run *run = arg;
	filter_console_clear(&run->console);
	filter_end(&run->settings.run, result);
}

/* Where the exit statuses of the README come from. */
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

static void set_reports(struct filter_run *run)
{
	const struct filter_settings *s = &run->settings;
	struct run_reports *r = &run->settings.run.reports;
	r->lines = (struct notices){ filter_console_line, &run->console };
	r->messages = (struct notices){ filter_console_message, &run->console };
	if (s->progress == PROGRESS_ALWAYS || (s->progress == PROGRESS_AUTO && !r->quiet && isatty(STDERR_FILENO)))
		r->progress = (struct notices){ filter_console_progress, &run->console };
	r->columns = filter_console_columns;
	r->waits = waits;
	r->ended = ended;
	r->arg = run;
}

static int run_settings(struct filter_run *run)
{
	struct run_result result = { 0 };
	struct buf lines = { 0 };
	struct error err = { 0 };
	int status = run_lines_options(&run->settings, &lines);
	filter_console_init(&run->console);
	set_reports(run);
	run->settings.run.option_lines = buf_slice(&lines);
	status = status < 0 ? error_no_memory(&err) : run_archives(&run->settings.run, &result, &err);
	filter_console_clear(&run->console);
	int code = status < 0 ? command_failed("filter", &err) : EXIT_DONE;
	const int ended_with = exit_status(&result, run->settings.damaged_ok);
	if (result.ran && (status == DANA_OK || ended_with >= 128))
		code = ended_with;
	else if (result.ran)
		code = EXIT_FAULT;
	filter_console_free(&run->console);
	buf_free(&lines);
	return code;
}

int filter_run(int argc, char **argv)
{
	struct filter_run run = { 0 };
	struct filter_settings *s = &run.settings;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	int code = command_options(&filter_options, s, argc, argv, &rest);
	if (code < 0 && filter_options_resolve(s, command_cores(), &err) < 0)
		code = command_usage("filter", &err);
	s->run.inputs.names = rest.positionals;
	s->run.inputs.n = rest.n_positionals;
	if (code < 0)
		code = s->print_config || s->print_limits ? filter_print(s) : run_settings(&run);
	options_rest_free(&rest);
	return code;
}
