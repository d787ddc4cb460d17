/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/sites.h"

#ifdef HAVE_ROARING
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "io/address.h"
#include "run/run.h"
#include "run/signals.h"

/* Returns why the inputs cannot be read twice, or not by this run alone; NULL if they can. */
static const char *read_once(const struct run_inputs *in)
{
	struct stat st;
	if (in->watch || in->cdx.n || in->range || in->split_bytes)
		return "--watch, --cdx, --range and --split-bytes read a part of the pages";
	if ((in->n == 0 && !in->list) || (in->list && strcmp(in->list, "-") == 0))
		return "standard input is read once";
	if (in->list && stat(in->list, &st) == 0 && !S_ISREG(st.st_mode))
		return "pipes and devices are read once";
	if (in->base && address_is_network(in->base))
		return "inputs from the network would be fetched twice";
	for (size_t i = 0; i < in->n; i++) {
		if (strcmp(in->names[i], "-") == 0)
			return "standard input is read once";
		if (address_is_network(in->names[i]))
			return "inputs from the network would be fetched twice";
		if (stat(in->names[i], &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return "pipes and devices are read once";
	}
	return NULL;
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

/* The process of the first pass: a run with the plugin boilerplate, which counts lines, and without output. */
static _Noreturn void learn(const struct run_settings *given, const char *path)
{
	static const char *const method = "plain";
	struct run_settings s = *given;
	struct run_result result;
	struct error err = { 0 };
	const char *const keys[][2] = { { "learn", path }, { "memory", "256M" }, { "force", "1" } };
	const struct notices messages = given->reports.messages;
	int status = DANA_OK;
	s.site_auto = false;
	s.methods = (struct text_list){ .n = 1 };
	s.methods.at[0] = method;
	s.text = (struct text_options){ .list = NULL };
	s.plugins.n = 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && status == DANA_OK; i++)
		status = plugin_rows_add(&s.plugins,
					 (struct plugin_row){ .name = slice_from_text("boilerplate"),
							      .key = slice_from_text(keys[i][0]),
							      .value = slice_from_text(keys[i][1]) },
					 "--site auto", &err);
	s.outputs = (struct run_outputs){ .file = "/dev/null", .checkpoint_bytes = given->outputs.checkpoint_bytes };
	if (status == DANA_OK)
		status = output_kind_find(&s.outputs.kind, &(struct output_wish){ .format = "jsonl" }, &err);
	s.jobs = given->jobs * given->parallel_inputs;
	s.parallel_inputs = 1;
	s.choice.min_chars = 1;
	s.reports.stats = s.reports.metrics = NULL;
	s.reports.quiet = true; /* what is wrong with inputs the second pass will say */
	s.reports.verbose = false;
	s.reports.lines.line = s.reports.messages.line = tell_nobody;
	s.reports.ended = end_quietly;
	s.option_lines = slice_of(NULL, 0);
	if (status == DANA_OK)
		status = run_archives(&s, &result, &err);
	if (status < 0) {
		notice(&messages, "--site auto: %s", err.text);
		_exit(LEARN_FAILED);
	}
	if (result.stopped)
		_exit(LEARN_STOPPED);
	_exit(result.stats.documents ? EXIT_SUCCESS : LEARN_NO_PAGES);
}

static volatile sig_atomic_t caught;
static pid_t learner;

static void forward(int number)
{
	caught = number;
	if (learner > 0)
		(void)kill(learner, number);
}

int sites_learn(const struct run_settings *s, char **path, struct error *err)
{
	static const int signals[] = { SIGINT, SIGTERM };
	enum { SIGNALS = sizeof(signals) / sizeof(*signals) };
	struct sigaction before[SIGNALS], action = { .sa_handler = forward };
	const char *why = read_once(&s->inputs);
	int code = 0;
	*path = NULL;
	if (why)
		return error_set(err, DANA_ECONFIG, "--site auto: %s; make a table with dana site learn", why);
	char *file = make_file(&s->outputs, err);
	if (!file)
		return (int)err->status;
	const pid_t parent = getpid();
	learner = fork();
	if (learner == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent)
			learn(s, file);
		_exit(LEARN_FAILED);
	}
	for (size_t i = 0; i < SIGNALS; i++)
		(void)sigaction(signals[i], &action, &before[i]);
	while (learner > 0 && waitpid(learner, &code, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < SIGNALS; i++)
		(void)sigaction(signals[i], &before[i], NULL);
	if (learner > 0 && WIFEXITED(code) && WEXITSTATUS(code) == EXIT_SUCCESS && !caught) {
		*path = file;
		return DANA_OK;
	}
	(void)unlink(file);
	free(file);
	if (caught)
		(void)raise((int)caught);
	if (learner > 0 && WIFEXITED(code) && WEXITSTATUS(code) == LEARN_NO_PAGES)
		return DANA_OK;
	return error_set(err, DANA_EIO, "--site auto: the first pass over the inputs has failed");
}

#else

int sites_learn(const struct run_settings *s, char **path, struct error *err)
{
	(void)s;
	*path = NULL;
	return error_set(err, DANA_ECONFIG,
			 "--site auto: this dana was built without CRoaring, which it needs for this");
}
#endif
