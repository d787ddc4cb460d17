/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the configuration file and the command line. Oracles: a refusal is one printable line; what is accepted
 * is written as a file that reads back as the same.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/options.h"
#include "support/split_feed.h"

enum { ARGUMENTS = 32 };

static void as_file(struct slice text, struct arena *memory)
{
	struct filter_settings s, again;
	struct error err = { 0 };
	options_defaults(&filter_options, &s);
	if (config_file_parse(&filter_options, &s, text, "f", memory, &err) < 0) {
		must_be_refusal(&err);
		return;
	}
	struct buf once = { 0 }, twice = { 0 };
	options_defaults(&filter_options, &again);
	must(config_file_write(&filter_options, &s, &once) == 0);
	must(config_file_parse(&filter_options, &again, buf_slice(&once), "g", memory, &err) == 0);
	must(config_file_write(&filter_options, &again, &twice) == 0);
	must(slice_equal(buf_slice(&once), buf_slice(&twice)));
	if (filter_options_resolve(&s, 2, &err) < 0)
		must_be_refusal(&err);
	buf_free(&once);
	buf_free(&twice);
}

/* The input as arguments, one a line. */
static void as_arguments(struct slice text, struct arena *memory)
{
	char program[] = "filter";
	char *argv[ARGUMENTS] = { program };
	int argc = 1;
	while (text.len && argc < ARGUMENTS) {
		const struct slice line = split_line(&text), copy = arena_copy(memory, line);
		if (line.len > 5 && memcmp(line.data, "--con", 5) == 0)
			break; /* no file of this machine is opened */
		argv[argc] = malloc(line.len + 1);
		must(copy.data && argv[argc]);
		memcpy(argv[argc++], copy.data, line.len + 1);
	}
	struct filter_settings s;
	struct options_rest rest = { 0 };
	struct error err = { 0 };
	if (options_parse(&filter_options, &s, argc, argv, &rest, &err) < 0)
		must_be_refusal(&err);
	options_rest_free(&rest);
	for (int i = 1; i < argc; i++)
		free(argv[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *memory = arena_new();
	const struct slice text = slice_of(data, size);
	must(memory != NULL);
	as_file(text, memory);
	/* A file gives what its text gives. */
	static int fd = -1;
	char path[32];
	struct filter_settings s;
	struct error parsed = { 0 }, read = { 0 };
	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		must(fchmod(fd, 0600) == 0); /* a file that anyone may write is refused */
	}
	must(fd >= 0 && ftruncate(fd, (off_t)text.len) == 0 && pwrite(fd, text.data, text.len, 0) == (ssize_t)text.len);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	options_defaults(&filter_options, &s);
	const int status = config_file_parse(&filter_options, &s, text, path, memory, &parsed);
	options_defaults(&filter_options, &s);
	must(config_file_read(&filter_options, &s, path, memory, &read) == status);
	must(strcmp(parsed.text, read.text) == 0);
	as_arguments(text, memory);
	arena_free(memory);
	return 0;
}
