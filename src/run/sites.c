/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/sites.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/file.h"
#include "base/system.h"
#include "dedup/line_table.h"
#include "dedup/site_table.h"
#include "run/inputs.h"
#include "run/run.h"
#include "run/signals.h"

#define FETCHED_TWICE "inputs from the network would be fetched twice"

static int refuse(const char *why, struct error *err)
{
	return error_set(err, DANA_ECONFIG, "--site auto: %s; make a table with dana site learn", why);
}

int sites_check(const struct run_settings *s, struct error *err)
{
	const struct run_inputs *in = &s->inputs;
	if (in->watch || in->cdx.n || in->range || in->split_bytes)
		return refuse("--watch, --cdx, --range and --split-bytes read a part of the pages", err);
	if (in->list && strcmp(in->list, "-") == 0)
		return refuse("standard input is read once", err);
	struct stat st;
	if (in->list && stat(in->list, &st) == 0 && !S_ISREG(st.st_mode))
		return refuse("pipes and devices are read once", err);
	return inputs_lists_network(s) ? refuse(FETCHED_TWICE, err) : DANA_OK;
}

/* Returns why the inputs cannot be read twice, or not by this run alone; NULL if they can. */
static const char *read_once(const struct inputs *in)
{
	for (size_t i = 0; i < in->names.n; i++) {
		if (in->ranges[i].begin || in->ranges[i].end)
			return "FILE@BEGIN-END is a part of the pages";
	}
	return inputs_network(in) ? FETCHED_TWICE : inputs_read_once(in);
}

/* Makes an empty file for the table: beside the output, if that is a file. */
static char *make_file(const struct run_outputs *o, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	struct buf name = { 0 };
	if (o->folder && mkdir(o->folder, 0777) < 0 && errno != EEXIST) {
		(void)error_set(err, DANA_EIO, "--output-dir: %s: %s", o->folder, system_text(errno));
		return NULL;
	}
	if (o->folder)
		buf_printf(&name, "%s/.site.XXXXXX", o->folder);
	else if (o->file && strcmp(o->file, "-") != 0 && strncmp(o->file, "/dev/", 5) != 0)
		buf_printf(&name, "%s.site.XXXXXX", o->file);
	else
		buf_printf(&name, "%s/dana.site.XXXXXX", temporary && *temporary ? temporary : "/tmp");
	if (buf_append_byte(&name, 0) < 0) {
		(void)error_no_memory(err);
	} else {
		const int fd = mkstemp((char *)name.data);
		if (fd >= 0) {
			(void)close(fd);
			return (char *)name.data;
		}
		(void)error_set(err, DANA_EIO, "--site auto: %s: %s", (const char *)name.data, system_text(errno));
	}
	buf_free(&name);
	return NULL;
}

enum { LEARN_NO_PAGES = 10, LEARN_STOPPED, LEARN_FAILED };

static void tell_nobody(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

static void end_quietly(void *arg, const struct run_result *result)
{
	(void)arg;
	(void)result;
}

/* The process of the first pass: a run with the method learned that fills a table, without output. */
static _Noreturn void learn(const struct run_settings *given, const char *path, pid_t parent)
{
	struct line_counter_settings settings = LINE_COUNTER_OF_SITES;
	const struct notices messages = given->reports.messages;
	struct run_settings s = *given;
	struct run_result result;
	struct error err = { 0 };
	settings.force = true; /* make_file has made it */
	struct site_learner *l = site_learner_open(path, &settings, true, &err);
	int status = l ? DANA_OK : (int)err.status;
	s.site_auto = false;
	s.revisits = RUN_REVISITS_COUNT;
	/* what it thinks of a place is compared with what the second pass thinks */
	if (strncmp(s.methods.at[0], "learned", strlen("learned")) != 0)
		s.methods.at[0] = "learned";
	s.methods.n = 1;
	s.text = (struct text_options){ .learner = l ? site_learner_sources(l) : NULL, .learned = path };
	s.plugins.n = 0;
	s.outputs = (struct run_outputs){ .file = "/dev/null", .checkpoint_bytes = given->outputs.checkpoint_bytes };
	if (status == DANA_OK)
		status = output_kind_find(&s.outputs.kind, &(struct output_wish){ .format = "jsonl" }, &err);
	s.jobs = given->jobs * given->parallel_inputs;
	s.parallel_inputs = 1;
	s.reports.stats = s.reports.page = s.reports.metrics = NULL;
	s.reports.quiet = true; /* what is wrong with inputs the second pass will say */
	s.reports.verbose = false;
	s.reports.lines.line = s.reports.messages.line = tell_nobody;
	s.reports.ended = end_quietly;
	s.option_lines = slice_of(NULL, 0);
	if (status == DANA_OK)
		status = run_archives(&s, &result, &err);
	if (status < 0 || result.stopped || site_learner_pages(l) == 0) {
		site_learner_abandon(l);
	} else {
		status = site_learner_finish(l, &err);
		l = NULL;
	}
	if (getppid() != parent) /* nobody waits for it any more */
		(void)unlink(path);
	if (status < 0) {
		notice(&messages, "--site auto: %s", err.text);
		_exit(LEARN_FAILED);
	}
	_exit(result.stopped ? LEARN_STOPPED : l ? LEARN_NO_PAGES : EXIT_SUCCESS);
}

/* SIGHUP ends the first pass, too, so that its file can be removed. */
static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
enum { ENDING = sizeof(ending) / sizeof(*ending) };
static volatile sig_atomic_t caught, learner;

static void forward(int number)
{
	caught = number;
	if (learner > 0)
		(void)kill(learner, number == SIGHUP ? SIGTERM : number);
}

/* Begins the first pass. Returns its process ID; -1 if it cannot be started; 0 if a signal came before it. */
static pid_t begin(const struct run_settings *s, const char *path, const struct sigaction before[ENDING])
{
	const pid_t parent = getpid(), pid = caught ? 0 : fork();
	if (pid == 0 && !caught) {
		for (size_t i = 0; i < ENDING; i++)
			(void)sigaction(ending[i], &before[i], NULL);
		(void)signal(SIGHUP, SIG_IGN); /* a terminal sends it to both */
		/* SIGINT and SIGTERM stay blocked until its run waits for them, which removes what it has made */
		if (system_end_with_parent(parent))
			learn(s, path, parent);
		(void)unlink(path); /* the process that waits for it may be gone */
		_exit(LEARN_FAILED);
	}
	learner = pid;
	return pid;
}

int sites_learn(const struct run_settings *s, const struct inputs *inputs, struct site_table **table, struct error *err)
{
	struct sigaction before[ENDING];
	const struct sigaction action = { .sa_handler = forward };
	sigset_t set, usual;
	siginfo_t info;
	int code = -1, status = DANA_OK;
	const char *why = read_once(inputs);
	*table = NULL;
	if (why)
		return refuse(why, err);
	(void)sigemptyset(&set);
	for (size_t i = 0; i < ENDING; i++) {
		(void)sigaction(ending[i], &action, &before[i]);
		if (ending[i] == SIGHUP && before[i].sa_handler == SIG_IGN) /* nohup */
			(void)sigaction(SIGHUP, &before[i], NULL);
		(void)sigaddset(&set, ending[i]);
	}
	char *file = make_file(&s->outputs, err);
	if (file) {
		(void)sigprocmask(SIG_BLOCK, &set, &usual);
		const pid_t pid = begin(s, file, before);
		(void)sigprocmask(SIG_SETMASK, &usual, NULL);
		/* while it can be waited for, no other process has its number */
		while (pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
			;
		learner = 0;
		if (pid > 0 && waitpid(pid, &code, 0) == pid)
			code = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
		if (code == EXIT_SUCCESS && !caught)
			*table = site_table_open(file, err);
		(void)unlink(file);
		/* of a process that was killed */
		char *part = path_with(file, OUTPUT_PART_SUFFIX);
		if (part)
			(void)unlink(part);
		free(part);
	}
	for (size_t i = 0; i < ENDING; i++)
		(void)sigaction(ending[i], &before[i], NULL);
	if (caught) {
		if (!s->reports.quiet)
			notice(&s->reports.messages, "stopped in the first pass of --site auto: nothing was written; "
						     "the same command starts over");
		_exit(128 + caught);
	}
	if (!file)
		status = (int)err->status;
	else if (code == EXIT_SUCCESS)
		status = *table ? DANA_OK : (int)err->status;
	else if (code != LEARN_NO_PAGES)
		status = error_set(err, DANA_EIO, "--site auto: the first pass over the inputs has failed");
	free(file);
	return status;
}
