/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/filter_resume.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/printable.h"
#include "cli/command.h"
#include "config/run_lines.h"
#include "digest/sha256.h"
#include "io/net/address.h"
#include "io/output.h"
#include "io/source.h"

enum { SHOWN = 200 };

enum output_way filter_resume_way(const struct filter_settings *s)
{
	if (s->force)
		return OUTPUT_FORCE;
	return s->resume || s->watch ? OUTPUT_RESUME : OUTPUT_NEW;
}

int filter_resume_check(const struct filter_inputs *in, const struct filter_settings *s, struct error *err)
{
	char shown[SHOWN];
	for (size_t i = 0; s->resume && i < in->names.n; i++) {
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

/* The content of the file that the method's key `model` names; a file that cannot be read is told of elsewhere. */
static int put_model(const char *method, struct buf *out)
{
	static const char key[] = "model=";
	const char *at = method + strcspn(method, ":");
	while (*at && strncmp(at + 1, key, sizeof(key) - 1) != 0)
		at += 1 + strcspn(at + 1, ",");
	if (!*at)
		return DANA_OK;
	at += sizeof(key);
	char digest[SHA256_TEXT + 1], *data, *name = strndup(at, strcspn(at, ","));
	size_t len;
	int status = name ? command_read_file(NULL, name, &data, &len) : DANA_ENOMEM;
	free(name);
	if (status != DANA_OK)
		return status == DANA_ENOMEM ? status : DANA_OK;
	status = sha256_text(slice_of(data, len), digest);
	free(data);
	if (status == DANA_OK)
		run_lines_put(out, "model-content", slice_from_text(digest));
	return status;
}

int filter_resume_lines(const struct filter_settings *s, struct buf *out)
{
	buf_printf(out, "program %s %s\nzlib %s\nzstd %s\n", PACKAGE_NAME, PACKAGE_VERSION, zlibVersion(),
		   ZSTD_versionString());
	int status = run_lines_options(s, out);
	if (status == DANA_OK)
		status = put_model(s->method, out);
	return status < 0 ? status : buf_status(out);
}
