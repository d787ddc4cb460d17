/* SPDX-License-Identifier: MIT */
/* `dana dedup cluster`. */
#include "config.h"

#include <stdlib.h>

#include "cli/dedup.h"
#include "dedup/cluster.h"
#include "dedup/names.h"

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
