/* SPDX-License-Identifier: MIT */
/* `dana dedup cluster` and `dana dedup merge`. */
#include "config.h"

#include <stdlib.h>

#include "cli/dedup.h"
#include "dedup/cluster.h"
#include "dedup/signature_merge.h"

static const char suffix[] = ".sig";

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

static void tell(const struct dedup_arguments *a, const struct cluster_result *r)
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
		status = dedup_names_gather(&names, a, suffix, &err);
	if (status == DANA_OK)
		status = cluster_files((const char *const *)names.items, names.n, s->output, &settings, &result, &err);
	dedup_names_free(&names);
	if (status < 0)
		return dedup_failed(a, &err);
	tell(a, &result);
	return EXIT_DONE;
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
	default:
		return error_set(err, DANA_ECONFIG, "%s: is %s; such files are not merged", paths[0],
				 index_kind_words(kind));
	}
}

int dedup_merge(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct dedup_names names = { 0 };
	struct error err = { 0 };
	int status = dedup_names_gather(&names, a, suffix, &err);

	if (status == DANA_OK)
		status = merge_files(s, &names, &err);
	dedup_names_free(&names);
	return status < 0 ? dedup_failed(a, &err) : EXIT_DONE;
}
