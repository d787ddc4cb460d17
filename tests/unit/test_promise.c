/* SPDX-License-Identifier: MIT */
/* The words of problems, skipped and damaged records are those that tests/promise/words.txt promises, in its order. */
#include "config.h"

#include "archive/document.h"
#include "tests/support/unit.h"

static const char *problem(unsigned i)
{
	return i < PROBLEM_WORDS ? problem_word(i) : NULL;
}

static const char *skipped(unsigned i)
{
	return i + 1 < SKIP_REASONS ? skip_word((enum skip_reason)(i + 1)) : NULL;
}

static const char *damaged(unsigned i)
{
	return i < DAMAGE_REASONS ? damage_word((enum damage_reason)i) : NULL;
}

/* `line`: "LIST WORD WORD..."; is changed. */
static void check_list(char *line)
{
	static const struct {
		const char *name;
		const char *(*word)(unsigned i);
	} lists[] = { { "problem", problem }, { "skipped", skipped }, { "damaged", damaged } };
	char *rest = NULL;
	const char *name = strtok_r(line, " \n", &rest);
	size_t list = 0;
	unsigned n = 0;
	while (list < sizeof(lists) / sizeof(*lists) && strcmp(lists[list].name, name) != 0)
		list++;
	assert_true(list < sizeof(lists) / sizeof(*lists));
	for (const char *word; (word = strtok_r(NULL, " \n", &rest)); n++) {
		const char *got = lists[list].word(n);
		if (!got || strcmp(got, word) != 0)
			fail_msg("%s: \"%s\", where tests/promise/words.txt promises \"%s\"; "
				 "a word that is gone, renamed or moved is a major version (tests/promise/README)",
				 name, got ? got : "", word);
	}
	if (lists[list].word(n))
		fail_msg("%s: tests/promise/words.txt lacks \"%s\"; a word at the end of a line is a minor version",
			 name, lists[list].word(n));
}

TEST(keeps_the_words)
{
	char path[4096], line[1024];
	const char *top = getenv("srcdir");
	int lists = 0;
	snprintf(path, sizeof(path), "%s/tests/promise/words.txt", top ? top : ".");
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		check_list(line);
		lists++;
	}
	fclose(file);
	assert_int_equal(lists, 3);
}
