/* SPDX-License-Identifier: MIT */
/*
 * `dana train`: hands over to the trainer of `learned`, or makes a model of the Mountain Model's ridge classifier from
 * gold pages.
 */
#include "config.h"

#include "lab/train.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/library.h"
#include "base/system.h"
#include "cli/command.h"

static const char trainer[] = PKGDATADIR "/train_learned.py";

/**
 * Becomes the trainer; returns (an exit status) only when that fails. `output`: folder for model and report; may be
 * NULL.
 */
static int train_learned(const char *output, const char *pages)
{
	char program[4096] = "dana";
	if (!output) {
		command_message("train", "learned needs -o FOLDER, where the model and the report go");
		return EXIT_USAGE;
	}
	(void)system_program(program, sizeof(program));
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

struct train_settings {
	const char *output, *site;
	bool hold_out;
};

#define AT(m) OPTION_MEMBER(struct train_settings, m)

static const struct option options[] = {
	{ "output", 'o', OPTION_TEXT, "FILE", NULL, "standard output",
	  "write the model to FILE; for learned a folder, which is required", "Options", 0, 0, 0, AT(output) },
	{ "site", 0, OPTION_TEXT, "HOST", NULL, NULL,
	  "train on 40 pages of HOST, and compare with the universal model on its other pages", "Options", 0, 0, 0,
	  AT(site) },
	{ "hold-out", 0, OPTION_FLAG, NULL, NULL, NULL,
	  "leave out a fifth of the hosts, and print the accuracy on their pages", "Options", 0, 0, 0, AT(hold_out),
	  .more = "With --site it prints the accuracy on the pages of the host, where each fifth of them is left out "
		  "in turn." },
	{ .name = NULL },
};

const struct option_table train_options = {
	.command = "train",
	.summary = "train a model on pages with reference texts",
	.synopsis = "[OPTIONS] mountain|learned DIR",
	.description =
		"Reads pages with reference texts as dana eval does, labels the ridges of each page by its reference "
		"text, and trains the "
		"classifier of the method mountain with libsvm: C and gamma by four-fold cross-validation. At most 640 "
		"pages are taken, and at most 20 of one host. The host of a page comes from the url in index.tsv; a "
		"page without one counts as a host of its own.\n\n"
		"A model of one site may also have rules of its own for what a ridge is: how high above the mean score "
		"its cells are, and how many low cells in a row it may have. They are tried in the same "
		"cross-validation, and taken when they gain "
		"half a hundredth of F1.\n\n"
		"A model is a text file. dana filter -m mountain:model=FILE uses it for all pages; with -m "
		"mountain:site-models=FOLDER pages of a host use FOLDER/HOST.model where there is one (without "
		"www.).\n\n"
		"dana train learned -o FOLDER DIR trains the model of the method learned with a Python program (numpy, "
		"scipy and catboost are needed): FOLDER gets learned.model for -m learned:model=FOLDER/learned.model, "
		"and report.txt with figures that are cross-validated by host. It runs dana features.",
	.examples = "dana train mountain --hold-out -o my.model reference\n"
		    "dana train mountain --site example.org --hold-out -o site.model reference\n"
		    "dana train learned -o trained reference",
	.options = options,
	.least_positionals = 2,
	.most_positionals = 2,
};

static int train(const struct train_settings *s, struct lesson *l, const char *path)
{
	struct error err = { 0 };
	struct mountain_model model = { 0 };
	const char *command = "train";
	const struct notices to = { command_notice, &command };
	struct train_result result;
	int status = lesson_read(l, path, &err);
	if (status >= 0)
		status = lesson_train(l, &model, &result);
	if (status >= 0)
		status = lesson_tell(l, &model, &result, &to);
	int code = status == DANA_ECONFIG ? EXIT_USAGE : EXIT_FAULT;
	if (status == DANA_EFORMAT && !err.text[0])
		(void)error_set(&err, DANA_EFORMAT, "%s: no page has a ridge to learn from", path);
	if (status == DANA_OK) {
		struct buf out = { 0 };
		char comment[320];
		(void)snprintf(comment, sizeof(comment), "dana train mountain%s%s", s->site ? " --site " : "",
			       s->site ? s->site : "");
		status = mountain_model_write(&model, comment, &out);
		if (status < 0)
			command_message("train", "%s", library_status_text(status));
		else
			code = command_write("train", s->output, buf_slice(&out));
		buf_free(&out);
	} else {
		command_message("train", "%s", err.text[0] ? err.text : library_status_text(status));
	}
	mountain_model_free(&model);
	return code;
}

int train_run(int argc, char **argv)
{
	struct train_settings settings;
	struct options_rest rest = { 0 };
	int code = command_options(&train_options, &settings, argc, argv, &rest);
	if (code < 0) {
		const struct train_settings *s = &settings;
		struct lesson lesson = { .site = s->site, .hold_out = s->hold_out };
		const char *what = rest.positionals[0], *pages = rest.positionals[1];
		code = EXIT_USAGE;
		if (strcmp(what, "learned") == 0 && !s->site && !s->hold_out) {
			code = train_learned(s->output, pages);
		} else if (strcmp(what, "learned") == 0) {
			command_message("train", "--site and --hold-out are for mountain; learned reports what it is "
						 "worth without them");
		} else if (strcmp(what, "mountain") != 0) {
			command_message("train", "nothing to train for '%s'; expected mountain or learned", what);
		} else {
			code = train(s, &lesson, pages);
			lesson_free(&lesson);
		}
	}
	options_rest_free(&rest);
	return code;
}
