/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/method_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/near_name.h"
#include "base/printable.h"
#include "dana/dana.h"
#include "extract/table.h"
#include "run/model_reader.h"

enum { SHOWN = 200 };

/*
 * The name and the keys are known to be right: what may still be wrong are files that keys name. The first wrong one
 * ends it.
 */
static int check_files(const char *spec, struct error *err)
{
	struct model_reader reader;
	model_reader_init(&reader, &spec, 1);
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = spec,
					      .read_file = model_reader_read,
					      .read_arg = &reader };
	struct dana_extractor *x = NULL;
	int status = dana_new(&x, &options);

	dana_free(x);
	if (status == DANA_BAD_OPTION)
		status = model_reader_refused(&reader, err);
	else if (status != DANA_OK)
		status = error_no_memory(err);
	model_reader_free(&reader);
	return status;
}

/* A model may be missing in the folder of those of single sites; a folder that is missing was mistyped. */
static int check_folder(const struct method_setting *setting, struct error *err)
{
	struct stat st;
	char shown[SHOWN];

	if (!method_setting_is(setting, "site-models"))
		return DANA_OK;
	char *path = strndup((const char *)setting->value.data, setting->value.len);
	if (!path)
		return error_no_memory(err);
	int reason = stat(path, &st) < 0 ? errno : 0;
	if (reason == 0 && !S_ISDIR(st.st_mode))
		reason = ENOTDIR;
	free(path);
	return reason == 0 ? DANA_OK
			   : error_set(err, DANA_ECONFIG, "--method: site-models: %s: %s",
				       printable(setting->value, shown, sizeof(shown)), system_text(reason));
}

static int unknown_method(const char *spec, struct error *err)
{
	struct near_name near = near_name_of(slice_of(spec, strcspn(spec, ":")));
	const struct method *m;

	for (size_t i = 0; (m = method_at(i)); i++)
		near_name_offer(&near, m->name);
	return near_name_refuse(&near, "--method", "one of those that dana methods lists", err);
}

int method_check(const char *spec, struct error *err)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(spec), &keys);

	if (!m)
		return unknown_method(spec, err);
	const bool has_keys = keys.len > 0;
	while (keys.len) {
		struct method_setting setting;
		struct slice pair = method_next_pair(&keys);
		int status = method_setting_read(m, pair, &setting, err);
		if (status == DANA_OK)
			status = check_folder(&setting, err);
		if (status < 0)
			return status;
	}
	return has_keys ? check_files(spec, err) : DANA_OK;
}

int methods_check(const struct text_list *methods, struct error *err)
{
	int status = DANA_OK;
	for (unsigned i = 0; i < methods->n && status == DANA_OK; i++) {
		for (unsigned before = 0; before < i && status == DANA_OK; before++) {
			if (strcmp(methods->at[i], methods->at[before]) == 0)
				status = error_set(err, DANA_ECONFIG,
						   "--method: %s is given twice; expected each method once, or with "
						   "other keys",
						   methods->at[i]);
		}
		if (status == DANA_OK)
			status = method_check(methods->at[i], err);
	}
	return status;
}
