/* SPDX-License-Identifier: MIT */
/*
 * Who opens a file after the sandbox is entered, adds its path here. Standard input and output, --stats and what was
 * read before need none.
 */
#include "config.h"

#include "run/sandbox_paths.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "archive/plugin/plugins.h"
#include "base/arena.h"
#include "io/net/address.h"
#include "run/inputs/watch_list.h"
#include "run/sandbox/sandbox.h"

/* Sanitizers read files, stop threads and start a process at the end to look for leaks. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static bool leads_to_file(const char *path)
{
	struct stat link, file;
	return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* The folder, and the files to which links in it lead that are there already. Later ones may not lead out of it. */
static int add_watched(struct sandbox *box, const char *folder)
{
	struct name_list names = { .memory = arena_new() };
	struct buf path = { 0 };
	int status = names.memory ? watch_list_read(&names, folder, NULL) : DANA_ENOMEM;
	if (status == DANA_EIO)
		status = DANA_OK; /* it has gone: the run will say so */
	if (status == DANA_OK)
		status = sandbox_path(box, folder, SANDBOX_READ);
	for (size_t i = 0; i < names.n && status == DANA_OK; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", folder, names.items[i]);
		status = buf_append_byte(&path, 0);
		if (status == DANA_OK && leads_to_file((const char *)path.data))
			status = sandbox_path(box, (const char *)path.data, SANDBOX_READ);
	}
	buf_free(&path);
	name_list_free(&names);
	arena_free(names.memory);
	return status;
}

static int add_inputs(struct sandbox *box, const struct run_settings *s, const struct filter_inputs *in)
{
	int status = filter_inputs_network(in) ? sandbox_network(box) : DANA_OK;
	if (status == DANA_OK && s->inputs.watch)
		status = add_watched(box, s->inputs.watch);
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++) {
		const char *name = in->names.items[i];
		if (strcmp(name, "-") != 0 && !address_is_network(name))
			status = sandbox_path(box, name, SANDBOX_READ);
	}
	return status;
}

static int add_outputs(struct sandbox *box, const struct run_settings *s)
{
	int status = s->reports.metrics ? sandbox_output(box, s->reports.metrics) : DANA_OK;
	if (status < 0)
		return status;
	if (s->outputs.folder)
		return sandbox_path(box, s->outputs.folder, SANDBOX_WRITE);
	return s->outputs.file && strcmp(s->outputs.file, "-") != 0 ? sandbox_output(box, s->outputs.file) : DANA_OK;
}

/* Files that keys of the method name: --method mountain:model=FILE,site-models=DIR. */
static int add_models(struct sandbox *box, const char *method)
{
	static const char *const keys[] = { "model=", "site-models=" };
	int status = DANA_OK;
	const char *at = method + strcspn(method, ":");
	while (*at && status == DANA_OK) {
		size_t n = strcspn(++at, ",");
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && status == DANA_OK; i++) {
			size_t len = strlen(keys[i]);
			char *path = n > len && memcmp(at, keys[i], len) == 0 ? strndup(at + len, n - len) : NULL;
			if (path)
				status = sandbox_path(box, path, SANDBOX_READ);
			free(path);
		}
		at += n;
	}
	return status;
}

static int add_files_of_plugins(struct sandbox *box, const struct plugins *plugins)
{
	int status = DANA_OK;
	const char *name;
	for (size_t i = 0; status == DANA_OK && (name = plugins_read(plugins, i)); i++)
		status = sandbox_path(box, name, SANDBOX_READ);
	for (size_t i = 0; status == DANA_OK && (name = plugins_written(plugins, i)); i++)
		status = sandbox_output(box, name);
	return status;
}

static int add_all(struct sandbox *box, const struct run_settings *s, const struct filter_inputs *in,
		   const struct plugins *plugins)
{
	int status = add_inputs(box, s, in);
	if (status == DANA_OK)
		status = add_outputs(box, s);
	for (unsigned i = 0; i < s->methods.n && status == DANA_OK; i++)
		status = add_models(box, s->methods.at[i]);
	if (status == DANA_OK && s->network.ca_file)
		status = sandbox_path(box, s->network.ca_file, SANDBOX_READ);
	return status == DANA_OK ? add_files_of_plugins(box, plugins) : status;
}

/* `parts` gets what the system has, as a text; `lack` what it lacks. DANA_OK, DANA_ECONFIG or DANA_ENOMEM. */
static int enter(const struct run_settings *s, const struct filter_inputs *in, const struct plugins *plugins,
		 struct buf *parts, struct error *lack)
{
	struct sandbox *box = sandbox_new();
	int status = box ? add_all(box, s, in, plugins) : DANA_ENOMEM;
	sandbox_describe(parts);
	if (status == DANA_OK)
		status = buf_append_byte(parts, 0);
	if (status == DANA_OK)
		status = sandbox_enter(box, lack);
	sandbox_free(box);
	return status;
}

int filter_sandbox_enter(const struct run_settings *s, const struct filter_inputs *in, const struct plugins *plugins,
			 struct error *err)
{
	struct error lack = { 0 };
	struct buf parts = { 0 };
	if (s->sandbox == SANDBOX_MODE_OFF || (s->sandbox == SANDBOX_MODE_AUTO && SANITIZED))
		return DANA_OK;
	int status = enter(s, in, plugins, &parts, &lack);
	if (status == DANA_ENOMEM)
		(void)error_no_memory(err);
	else if (status < 0 && s->sandbox == SANDBOX_MODE_REQUIRE)
		(void)error_set(err, DANA_ECONFIG, "--sandbox require: %s", lack.text);
	else if (status < 0 && !s->reports.quiet)
		notice(&s->reports.messages, "--sandbox auto: %s; in force: %s", lack.text, (const char *)parts.data);
	else if (status == DANA_OK && s->reports.verbose)
		notice(&s->reports.messages, "--sandbox: in force: %s", (const char *)parts.data);
	buf_free(&parts);
	return err->status;
}
