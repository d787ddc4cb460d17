/* SPDX-License-Identifier: MIT */
/* `dana dedup learn`: a run of `dana filter` without output, with the plugin boilerplate, which counts lines. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/dedup.h"

/* The command line of the run, ended by NULL; the texts are borrowed. */
struct line {
	const char **words;
	size_t n;
};

static void add(struct line *l, const char *word)
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

static int run(const struct dedup_settings *s, const struct dedup_arguments *a, const char *plugin, const char *jobs)
{
	enum { WORDS = 16 };
	struct line l = { .words = calloc(WORDS + a->n, sizeof(*l.words)) };

	if (!l.words) {
		command_message(a->command, "%s", status_text(DANA_ENOMEM));
		return EXIT_FAULT;
	}
	add(&l, "filter");
	add(&l, "--output");
	add(&l, "/dev/null");
	add(&l, "--format");
	add(&l, "jsonl");
	add(&l, "--method");
	add(&l, s->method);
	add(&l, "--plugin");
	add(&l, plugin);
	if (jobs) {
		add(&l, "--jobs");
		add(&l, jobs);
	}
	add(&l, "--");
	for (size_t i = 0; i < a->n; i++)
		add(&l, a->names[i]);
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
		code = run(s, a, (const char *)plugin.data, s->jobs == UINT32_MAX ? NULL : jobs);
	else
		command_message(a->command, "%s", status_text(DANA_ENOMEM));
	buf_free(&plugin);
	return code;
}
