/* SPDX-License-Identifier: MIT */
/*
 * Who opens a file after the sandbox is entered, adds its path here. Standard input and output, --stats and what was
 * read before need none.
 */
#include "config.h"

#include "cli/filter_sandbox.h"

#include <stdlib.h>

#include "cli/command.h"
#include "digest/sha1.h"
#include "io/net/address.h"
#include "plugin/plugins.h"
#include "sandbox/sandbox.h"

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

static int add_inputs(struct sandbox *box, const struct filter_settings *s, const struct filter_inputs *in)
{
	int status = filter_inputs_network(in) ? sandbox_network(box) : DANA_OK;
	/* Links that are yet to come into the folder may lead anywhere. */
	if (status == DANA_OK && s->watch)
		status = sandbox_path(box, "/", SANDBOX_READ);
	for (size_t i = 0; i < in->names.n && status == DANA_OK; i++) {
		const char *name = in->names.items[i];
		if (strcmp(name, "-") != 0 && !address_is_network(name))
			status = sandbox_path(box, name, SANDBOX_READ);
	}
	return status;
}

static int add_outputs(struct sandbox *box, const struct filter_settings *s)
{
	if (s->output_dir)
		return sandbox_path(box, s->output_dir, SANDBOX_WRITE);
	return s->output && strcmp(s->output, "-") != 0 ? sandbox_output(box, s->output) : DANA_OK;
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

static int add_all(struct sandbox *box, const struct filter_settings *s, const struct filter_inputs *in,
		   const struct plugins *plugins)
{
	int status = add_inputs(box, s, in);
	if (status == DANA_OK)
		status = add_outputs(box, s);
	if (status == DANA_OK)
		status = add_models(box, s->method);
	if (status == DANA_OK && s->ca_file)
		status = sandbox_path(box, s->ca_file, SANDBOX_READ);
	return status == DANA_OK ? add_files_of_plugins(box, plugins) : status;
}

/* Libcrypto reads its configuration when it is first used. */
static int use_libcrypto(void)
{
	uint8_t digest[SHA1_BYTES];
	return sha1(slice_of(NULL, 0), digest);
}

int filter_sandbox_enter(const struct filter_settings *s, const struct filter_inputs *in, const struct plugins *plugins,
			 struct error *err)
{
	struct error lack = { 0 };
	if (s->sandbox == SANDBOX_MODE_OFF || (s->sandbox == SANDBOX_MODE_AUTO && SANITIZED))
		return DANA_OK;
	struct sandbox *box = sandbox_new();
	if (!box || add_all(box, s, in, plugins) < 0) {
		sandbox_free(box);
		return error_no_memory(err);
	}
	/* Without the library there is an error later, if a digest is wanted. */
	int status = use_libcrypto() == DANA_ENOMEM ? DANA_ENOMEM : sandbox_enter(box, &lack);
	sandbox_free(box);
	if (status == DANA_ENOMEM)
		return error_no_memory(err);
	if (status < 0 && s->sandbox == SANDBOX_MODE_REQUIRE)
		return error_set(err, DANA_ECONFIG, "--sandbox require: %s", lack.text);
	if (status < 0 && s->verbose)
		command_message("filter", "--sandbox auto: %s; what else there is, is closed", lack.text);
	return DANA_OK;
}
