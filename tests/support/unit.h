/* SPDX-License-Identifier: MIT */
/*
 * A file of unit tests is a group of its room's test program. Where a program of its own would have main, it has
 *
 *     UNIT(test_framer)
 *     {
 *             const struct CMUnitTest tests[] = { ... };
 *             return cmocka_run_group_tests(tests, NULL, NULL);
 *     }
 */
#ifndef TESTS_SUPPORT_UNIT_H
#define TESTS_SUPPORT_UNIT_H

struct unit_group {
	const char *name;
	int (*run)(void);
	struct unit_group *next;
};

/** Adds a group to those that unit_main.c runs, before main. Borrows it. */
void unit_group_add(struct unit_group *group);

#define UNIT(group) \
	static int group(void); \
	__attribute__((constructor)) static void add_##group(void) \
	{ \
		static struct unit_group self = { #group, group, NULL }; \
		unit_group_add(&self); \
	} \
	static int group(void)

#endif
