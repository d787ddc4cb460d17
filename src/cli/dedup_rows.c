/* SPDX-License-Identifier: MIT */
/* `dana dedup rows`. */
#include "config.h"

#include "cli/dedup.h"
#include "run/rows/row_list.h"

int dedup_rows(const struct dedup_settings *s, const struct dedup_arguments *a)
{
	struct error err = { 0 };
	uint64_t dropped = 0;
	if (row_list_make(a->names[0], s->output, s->force, &dropped, &err) < 0)
		return command_failed(a->command, &err);
	command_message(a->command, "%llu rows to drop", (unsigned long long)dropped);
	return EXIT_DONE;
}
