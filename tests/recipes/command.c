/* SPDX-License-Identifier: MIT */
/* `dana hello`: prints a greeting. */
#include "cli/command.h"

const struct option_table hello_options = {
	.command = "hello",
	.summary = "print a greeting",
	.synopsis = "",
	.description = "Prints one line.",
};

int hello_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	int answer = command_options(&hello_options, NULL, argc, argv, &rest);

	if (answer < 0)
		answer = command_print("hello", slice_from_text("hello\n"));
	options_rest_free(&rest);
	return answer;
}
