/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/train_learned.h"

#include <errno.h>
#include <unistd.h>

#include "cli/command.h"

static const char trainer[] = PKGDATADIR "/train_learned.py";

int train_learned(const char *output, const char *pages)
{
	char program[4096] = "dana";
	if (!output) {
		command_message("train", "learned needs -o FOLDER, where the model and the report go");
		return EXIT_USAGE;
	}
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (len > 0)
		program[len] = '\0';
	char option_program[] = "--dana", option_output[] = "--out", name[] = "python3";
	char *const arguments[] = { name,          (char *)(uintptr_t)trainer, option_program,           program,
				    option_output, (char *)(uintptr_t)output,  (char *)(uintptr_t)pages, NULL };
	if (access(trainer, R_OK) == 0)
		(void)execvp("python3", arguments);
	command_message("train",
			"%s: %s (learned is trained by a Python program: numpy, scipy and catboost are needed)",
			trainer, system_text(errno));
	return EXIT_FAULT;
}
