/* SPDX-License-Identifier: MIT */
/* `dana serve` on Windows: the service needs processes that share sockets. */
#include "config.h"

#include <stddef.h>

#include "cli/command.h"
#include "cli/options.h"

const struct option_table serve_options = {
	.command = "serve",
	.summary = "not on Windows: run dana in WSL, whose service Windows reaches",
	.synopsis = "",
	.examples = "wsl dana serve",
};

int serve_command_run(int argc, char **argv)
{
	struct options_rest rest = { 0 };
	int code = argc == 2 ? command_options(&serve_options, NULL, argc, argv, &rest) : -1;
	if (code != EXIT_DONE) {
		command_message("serve", "not on Windows; run dana serve in WSL, whose service Windows reaches");
		code = EXIT_USAGE;
	}
	options_rest_free(&rest);
	return code;
}
