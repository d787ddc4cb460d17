/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/resume.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/digest/sha256.h"
#include "base/file/whole_file.h"
#include "base/printable.h"
#include "io/address.h"
#include "io/output.h"
#include "io/source.h"
#include "run/state_file.h"

enum { SHOWN = 200, WORD = 40 };

enum output_way run_resume_way(const struct run_settings *s)
{
	if (s->outputs.force)
		return OUTPUT_FORCE;
	return s->outputs.resume || s->inputs.watch ? OUTPUT_RESUME : OUTPUT_NEW;
}

int run_resume_check(const struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	char shown[SHOWN];
	for (size_t i = 0; s->outputs.resume && i < in->names.n; i++) {
		const char *name = in->names.items[i];
		if (strcmp(name, "-") == 0)
			return error_set(err, DANA_ECONFIG, "--resume: standard input cannot be resumed; give a file");
		if (!address_is_network(name) && !source_can_begin_anywhere(name))
			return error_set(err, DANA_ECONFIG,
					 "--resume: the input %s cannot be resumed; expected a file or an address",
					 printable(slice_from_text(name), shown, sizeof(shown)));
	}
	return DANA_OK;
}

/* A copy of what the key ("model=") has in the method's name; NULL: nothing, or no memory (errno ENOMEM). */
static char *key_value(const char *method, const char *key)
{
	const char *at = method + strcspn(method, ":");
	errno = 0;
	while (*at && strncmp(at + 1, key, strlen(key)) != 0)
		at += 1 + strcspn(at + 1, ",");
	if (!*at)
		return NULL;
	at += 1 + strlen(key);
	return strndup(at, strcspn(at, ","));
}

/* Appends the digest of a file's content; nothing where it cannot be read, which is reported elsewhere. */
static int put_digest(const char *name, struct buf *out)
{
	char digest[SHA256_TEXT + 1], *data;
	size_t len;
	int status = whole_file_read(NULL, name, &data, &len);
	if (status != DANA_OK)
		return status == DANA_ENOMEM ? status : DANA_OK;
	sha256_text(slice_of(data, len), digest);
	free(data);
	return buf_append(out, digest, SHA256_TEXT);
}

/* Of the first method the word is as it stands, of method `i` it has a number. */
static void put_numbered(struct buf *out, const char *word, unsigned i, struct slice value)
{
	char numbered[WORD];
	(void)snprintf(numbered, sizeof(numbered), i ? "%s-%u" : "%s", word, i + 1);
	lines_put(out, numbered, value);
}

static int put_model(const char *method, unsigned i, struct buf *out)
{
	struct buf digest = { 0 };
	char *name = key_value(method, "model=");
	if (!name)
		return errno == ENOMEM ? DANA_ENOMEM : DANA_OK;
	int status = put_digest(name, &digest);
	if (status == DANA_OK && digest.len)
		put_numbered(out, "model-content", i, buf_slice(&digest));
	buf_free(&digest);
	free(name);
	return status;
}

static int is_model(const struct dirent *entry)
{
	static const char suffix[] = ".model";
	const size_t len = strlen(entry->d_name);
	return len >= strlen(suffix) && strcmp(entry->d_name + len - strlen(suffix), suffix) == 0;
}

/* A line for each model of a folder, with its digest: of these lines one digest is noted. */
static int put_folder(const char *folder, struct buf *lines)
{
	struct dirent **entries;
	struct buf path = { 0 };
	const int n = scandir(folder, &entries, is_model, alphasort);
	if (n < 0)
		return errno == ENOMEM ? DANA_ENOMEM : DANA_OK;
	int status = DANA_OK;
	for (int i = 0; i < n; i++) {
		buf_clear(&path);
		buf_printf(lines, "%s ", entries[i]->d_name);
		buf_printf(&path, "%s/%s", folder, entries[i]->d_name);
		if (status == DANA_OK)
			status = buf_append_byte(&path, 0);
		if (status == DANA_OK)
			status = put_digest((const char *)path.data, lines);
		buf_append_byte(lines, '\n');
		free(entries[i]);
	}
	free(entries);
	buf_free(&path);
	return status < 0 ? status : buf_status(lines);
}

static int put_site_models(const char *method, unsigned i, struct buf *out)
{
	char digest[SHA256_TEXT + 1], *folder = key_value(method, "site-models=");
	struct buf lines = { 0 };
	if (!folder)
		return errno == ENOMEM ? DANA_ENOMEM : DANA_OK;
	int status = put_folder(folder, &lines);
	sha256_text(buf_slice(&lines), digest);
	if (status == DANA_OK)
		put_numbered(out, "site-models-content", i, slice_from_text(digest));
	buf_free(&lines);
	free(folder);
	return status;
}

int run_resume_lines(const struct run_settings *s, struct buf *out)
{
	buf_printf(out, "program %s %s\nzlib %s\nzstd %s\n", PACKAGE_NAME, PACKAGE_VERSION, zlibVersion(),
		   ZSTD_versionString());
	buf_append(out, s->option_lines.data, s->option_lines.len);
	int status = DANA_OK;
	for (unsigned i = 0; i < s->methods.n && status == DANA_OK; i++) {
		status = put_model(s->methods.at[i], i, out);
		if (status == DANA_OK)
			status = put_site_models(s->methods.at[i], i, out);
	}
	return status < 0 ? status : buf_status(out);
}
