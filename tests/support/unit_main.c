/* SPDX-License-Identifier: MIT */
/*
 * Runs the groups of a room's unit tests (unit.h), each in a process of its own: all of them, or those that the command
 * line names. Status 1 when one has failed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/unit.h"

static struct unit_group *first, **end = &first;

void unit_group_add(struct unit_group *group)
{
	*end = group;
	end = &group->next;
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	int failed = 0, ran = 0;
	for (const struct unit_group *group = first; group; group = group->next) {
		int status = -1;
		if (!is_wanted(group->name, argc, argv))
			continue;
		(void)fflush(NULL);
		pid_t child = fork();
		if (child == 0)
			return group->run();
		ran++;
		if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
			continue;
		failed++;
		(void)fprintf(stderr, "FAILED: %s\n", group->name);
	}
	if (ran == 0)
		(void)fprintf(stderr, "no group of unit tests is called like this\n");
	return failed || ran == 0;
}
