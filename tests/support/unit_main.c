/* SPDX-License-Identifier: MIT */
/*
 * Runs the groups of a room's unit tests (unit.h), each in a process of its own: all of them, or those that the command
 * line names. Status 1 when one has failed.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "support/unit.h"

enum { MAX_TESTS = 100 }; /* of a group */

static struct unit_entry *first, **end = &first;

void unit_add(struct unit_entry *entry)
{
	*end = entry;
	end = &entry->next;
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc < 2;
}

/* Runs the entries from `entry` to that before `next`, which are of one file. */
static int run_group(const char *name, const struct unit_entry *entry, const struct unit_entry *next)
{
	struct CMUnitTest tests[MAX_TESTS];
	CMFixtureFunction setup = NULL, teardown = NULL;
	size_t count = 0;
	for (; entry != next; entry = entry->next) {
		if (entry->test.test_func && count < MAX_TESTS) {
			tests[count++] = entry->test;
		} else if (entry->test.test_func) {
			(void)fprintf(stderr, "%s has more tests than %d\n", name, MAX_TESTS);
			return 1;
		} else {
			setup = entry->test.setup_func;
			teardown = entry->test.teardown_func;
		}
	}
	return _cmocka_run_group_tests(name, tests, count, setup, teardown);
}

int main(int argc, char **argv)
{
	int failed = 0, ran = 0;
	for (const struct unit_entry *entry = first, *next; entry; entry = next) {
		const char *slash = strrchr(entry->file, '/');
		char name[64];
		(void)snprintf(name, sizeof(name), "%s", slash ? slash + 1 : entry->file);
		name[strcspn(name, ".")] = 0;
		for (next = entry; next && strcmp(next->file, entry->file) == 0;)
			next = next->next;
		if (!is_wanted(name, argc, argv))
			continue;
		(void)fflush(NULL);
		pid_t child = fork();
		if (child == 0)
			return run_group(name, entry, next);
		ran++;
		int status = -1;
		if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
			continue;
		failed++;
		(void)fprintf(stderr, "FAILED: %s\n", name);
	}
	if (ran == 0)
		(void)fprintf(stderr, "no group of unit tests is called like this\n");
	return failed || ran == 0;
}
