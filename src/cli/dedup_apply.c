/* SPDX-License-Identifier: MIT */
/* `dana dedup apply`. */
#include "run/rows/dedup_apply.h"

#include "cli/dedup.h"

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
