/* SPDX-License-Identifier: MIT */
/*
 * Methods before a run: whether one and its keys are good, the files that keys name, and which texts are written.
 *
 * Example: --method mountain:model=FILE reads FILE by model_reader_read, which remembers what was wrong with it,
 * because libdana returns only that it refused it.
 */
#include "config.h"

#include "run/methods.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "base/status.h"
#include "dana/dana.h"
#include "dedup/site_table.h"
#include "extract/learned/model.h"
#include "extract/method.h"
#include "extract/papers/mountain.h"
#include "extract/structure/structure.h"

/* How a model of `learned` begins: its name, the number of the format, then a hash of the features that it uses. */
enum { NAME_END = 13, FEATURES_END = 20 };

/* The model built in begins as every model for this program must. */
static bool begins_as_built_in(struct slice file, size_t len)
{
	return file.len >= len && memcmp(file.data, model_data, len) == 0;
}

const char *model_fault(struct slice method, struct slice file)
{
	if (!slice_is(method, "mountain")) {
		if (!begins_as_built_in(file, NAME_END))
			return "not a model of learned; dana train learned makes one";
		if (!begins_as_built_in(file, FEATURES_END))
			return "a model for another version of dana; train it again with dana train learned of this "
			       "one";
		return "a damaged model; copy it again, or train it again with dana train learned";
	}
	struct mountain_model model = { 0 };
	int status = mountain_model_read(&model, file);
	mountain_model_free(&model);
	if (status != DANA_EFORMAT)
		return NULL;
	if (!mountain_model_begins(file))
		return "not a model of mountain; dana train mountain makes one";
	return "a damaged model; copy it again, or train it again with dana train mountain";
}

void model_reader_init(struct model_reader *r, const char *const *methods, size_t n_methods)
{
	*r = (struct model_reader){ .methods = methods, .n_methods = n_methods };
	(void)pthread_mutex_init(&r->lock, NULL);
}

/* Returns whether a key of the method names the file, or the folder that it is in. */
static bool names_file(struct slice keys, struct slice file)
{
	while (keys.len) {
		const struct slice pair = method_next_pair(&keys);
		const struct slice value = slice_skip(pair, slice_until(pair, "=") + 1);
		const bool begins = value.len && value.len <= file.len && memcmp(file.data, value.data, value.len) == 0;
		if (begins && (value.len == file.len || file.data[value.len] == '/'))
			return true;
	}
	return false;
}

static struct slice method_of(const struct model_reader *r, const char *file)
{
	for (size_t i = 0; i < r->n_methods; i++) {
		struct slice keys;
		const struct method *m = method_find(slice_from_text(r->methods[i]), &keys);
		if (m && names_file(keys, slice_from_text(file)))
			return slice_from_text(m->name);
	}
	return slice_of(NULL, 0);
}

int model_reader_read(void *reader, const char *name, char **data, size_t *len)
{
	struct model_reader *r = reader;
	int status = whole_file_read(NULL, name, data, len);
	int error = status == DANA_OK ? 0 : errno;
	const char *fault = error ? NULL : model_fault(method_of(r, name), slice_of(*data, *len));
	(void)pthread_mutex_lock(&r->lock);
	if ((error || fault) && !(r->fault || (r->error && r->error != ENOENT))) {
		printable(slice_from_text(name), r->file, sizeof(r->file));
		r->error = error;
		r->fault = fault;
	}
	(void)pthread_mutex_unlock(&r->lock);
	return status;
}

int model_reader_refused(struct model_reader *r, struct error *err)
{
	(void)pthread_mutex_lock(&r->lock);
	const char *fault = r->error ? system_text(r->error) : r->fault;
	(void)error_set(err, DANA_ECONFIG, "--method: %s: %s%s", r->file, r->error ? "cannot be read: " : "",
			fault ? fault : "not a name of a file");
	(void)pthread_mutex_unlock(&r->lock);
	return DANA_ECONFIG;
}

void model_reader_free(struct model_reader *r)
{
	(void)pthread_mutex_destroy(&r->lock);
}

enum { SHOWN = 200 };

/* A model may be missing in the folder of models of single sites; a folder that is missing was mistyped. */
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

int method_check(const char *spec, struct error *err)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(spec), &keys);
	if (!m) {
		struct near_name near = near_name_of(slice_of(spec, strcspn(spec, ":")));
		for (size_t i = 0; (m = method_at(i)); i++)
			near_name_offer(&near, m->name);
		return near_name_refuse(&near, "--method", "one of those that dana methods lists", err);
	}
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
	if (!has_keys)
		return DANA_OK;
	/* the name and the keys are known to be right: what may still be wrong are files that keys name. The first
	 * wrong one ends it. */
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

/* "gap=40" continues the keys of the method before it; "danag:gap=40" begins one. */
int method_list_make(struct name_list *list, const char *text)
{
	list->memory = arena_new();
	int status = list->memory ? DANA_OK : DANA_ENOMEM;
	const bool all = strcmp(text, "all") == 0;
	for (size_t i = 0; all && i < dana_method_count() && status == DANA_OK; i++)
		status = name_list_add(list, slice_from_text(dana_method_name(i)), NULL);
	for (const char *at = text; !all && status == DANA_OK;) {
		size_t len = strcspn(at, ",");
		while (at[len] && at[len + 1 + strcspn(at + len + 1, ",:=")] == '=')
			len += 1 + strcspn(at + len + 1, ",");
		status = name_list_add(list, slice_of(at, len), NULL);
		if (at[len] == '\0')
			break;
		at += len + 1;
	}
	return status;
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

int texts_check_keys(const char *markdown, struct error *err)
{
	struct slice keys = slice_from_text(markdown ? markdown : "");
	int status = DANA_OK;
	while (keys.len && status == DANA_OK) {
		struct method_setting setting;
		status = method_setting_read(&style_method, method_next_pair(&keys), &setting, err);
	}
	return status;
}

bool texts_of_method(const char *spec)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(spec), &keys);
	return m && m->lists_spans;
}

bool method_lists_media(const char *spec)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(spec), &keys);
	return m && m->media;
}

void texts_free(struct texts *texts)
{
	free((void *)(uintptr_t)texts->page.rules);
	texts->page.rules = NULL;
	if (texts->sites && !texts->teaches)
		site_table_free(texts->sites->arg);
	texts->sites = NULL;
}

int texts_check(const struct text_options *options, const struct text_list *methods, struct texts *texts,
		struct error *err)
{
	char *rules = NULL;
	size_t len = 0;
	int status = DANA_OK;
	*texts = (struct texts){ .page = options->page,
				 .others = methods->at + 1,
				 .n_others = methods->n - 1,
				 .sites = options->learner,
				 .teaches = options->learner != NULL };
	texts->page.rules = NULL;
	if (options->page.rules) {
		const int read = whole_file_read(NULL, options->page.rules, &rules, &len);
		if (read == DANA_ENOMEM)
			return error_no_memory(err);
		if (read)
			return error_set(err, DANA_EIO, "--rules %s: %s", options->page.rules,
					 system_text(read > 0 ? ENOENT : errno));
		texts->page.rules = rules;
	}
	status = page_options_check(&texts->page, methods->at[0], "--", err);
	if (status == DANA_OK && options->site) {
		struct site_table *table = site_table_open(options->site, err);
		texts->sites = table ? site_table_sources(table) : NULL;
		status = (int)err->status;
	}
	return status;
}

const char *texts_json_option(const struct texts *texts)
{
	return texts->page.structure & DANA_BLOCKS        ? "--text blocks"
	       : texts->page.comments == DANA_PARTS_APART ? "--comments apart"
							  : NULL;
}
