/* SPDX-License-Identifier: MIT */
/* Libraries that are loaded at run time: functions that are found, messages where something is missing, folders of
 * modules. */
#include <sys/resource.h>

#include "base/library.h"
#include "base/status.h"
#include "support/unit.h"

static struct {
	size_t (*length)(const char *);
} table;

static const struct library_function rows[] = { { "strlen", 0, NULL } },
				     wrong_rows[] = { { "strlen_of_no_libc", 0, NULL } };

TEST(a_library_is_loaded)
{
	static struct library l = { "libc.so.6", "libc", "libc6", LIBRARY_TABLE(rows, table) };
	struct error err = { 0 };
	assert_ok(library_load(&l, &err));
	assert_ok(library_load(&l, NULL));
	assert_int_equal(table.length("four"), 4);
}

static void check_missing(struct library *l, const char *message)
{
	struct error err = { 0 };
	assert_int_equal(library_load(l, &err), DANA_ELIBRARY);
	assert_non_null(strstr(err.text, message));
	assert_int_equal(library_load(l, NULL), DANA_ELIBRARY);
}

TEST(what_is_missing_is_named)
{
	static struct library l = { "libnowhere.so.7", "libnowhere", "libnowhere7", .module = false },
			      no_function = { "libc.so.6", "libc", "libc6", LIBRARY_TABLE(wrong_rows, table) },
			      module = { "nowhere.so", "libparts", "libparts1", .module = true };
	check_missing(&l, "libnowhere cannot be loaded (Debian: libnowhere7): libnowhere.so.7");
	assert_non_null(strstr(library_status_text(DANA_ELIBRARY), "libnowhere cannot be loaded"));
	check_missing(&no_function, "strlen_of_no_libc");
	check_missing(&module, "libparts cannot be loaded (Debian: libparts1): its part of dana is not installed");
}

TEST(missing_descriptors_are_named)
{
	static struct library l = { "libnone.so.1", "libnone", "libnone1", .module = false };
	struct rlimit before, none;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 3; /* those of the standard streams */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	struct error err = { 0 };
	int status = library_load(&l, &err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(status, DANA_ELIBRARY);
	assert_string_equal(err.text, "libnone cannot be loaded: Too many open files: allow more (ulimit -n)");
}

TEST(modules_are_looked_for_in_these_folders)
{
	static const char beside[] = "/../lib/" DANA_MODULES;
	char folder[4096];
	assert_true(library_folder(0, folder, sizeof(folder)));
	assert_true(strlen(folder) > strlen(beside) && !strcmp(folder + strlen(folder) - strlen(beside), beside));
	/* The second is beside a shared library, which a program's own code is not part of. */
	for (size_t i = 1; i < 3; i++) {
		assert_true(library_folder(i, folder, sizeof(folder)));
		assert_string_equal(folder, DANA_MODULE_FOLDER);
	}
	assert_false(library_folder(3, folder, sizeof(folder)));
	/* Where there is no room for the folder beside the program, it is the other one. */
	assert_true(library_folder(0, folder, 8));
	assert_memory_equal(folder, DANA_MODULE_FOLDER, 7);
}
