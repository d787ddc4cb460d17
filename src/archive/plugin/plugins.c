/* SPDX-License-Identifier: MIT */
/*
 * A user may name a plugin several times, in the configuration file and on the command line: it keeps its first place,
 * and its settings are joined; later ones win.
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/plugin/host.h"
#include "archive/plugin/loader.h"
#include "base/arena.h"
#include "base/diagnostics.h"

/* Statuses and messages of a plugin's failures. */

enum { LINE = 1024 };

int plugin_failed(const struct plugin *p, const char *function, int result, const struct error *said, struct error *err)
{
	if (said->status == DANA_ENOMEM)
		return error_set(err, DANA_ENOMEM, "plugin %s: %s", p->def->name, said->text);
	if (said->status != DANA_OK)
		return error_set(err, DANA_EPLUGIN, "plugin %s: %s", p->def->name, said->text);
	return error_set(err, DANA_EPLUGIN, "plugin %s: its function %s returned %d and gave no reason", p->def->name,
			 function, result);
}

enum { SHOWN = 256 };

/* ---- finding ---- */

/* Reports an unknown plugin, with the nearest name that a user can give. */
static int unknown(struct slice name, const char *folder, struct error *err)
{
	char shown[SHOWN];
	struct near_name near = near_name_of(name);
	for (const struct dana_plugin *const *row = registry_table; *row; row++)
		near_name_offer(&near, (*row)->name);
	printable(name, shown, sizeof(shown));
	if (near.best.len)
		return error_set(err, DANA_ECONFIG, "--plugin: '%s' is not built in, and not in %s; did you mean %.*s?",
				 shown, folder, (int)near.best.len, (const char *)near.best.data);
	return error_set(err, DANA_ECONFIG,
			 "--plugin: '%s' is not built in, and not in %s; dana plugins lists all plugins", shown,
			 folder);
}

static int find(struct plugin *p, struct slice name, const char *folder, struct error *err)
{
	struct error why = { 0 };
	const struct filter_row *filter = filter_find(name);
	p->asked = name;
	if (filter)
		return error_set(err, DANA_ECONFIG, "--plugin: the filter %s is always on; %s is its option",
				 filter->name, filter->option);
	p->def = registry_find(name);
	if (p->def)
		return DANA_OK;
	int status = loader_open(&p->file, name, folder, &why);
	if (status == DANA_ECONFIG && !memchr(name.data, '/', name.len))
		return unknown(name, folder, err);
	if (status < 0)
		return error_set(err, status, "--plugin: %s", why.text);
	p->def = p->file.plugin;
	return DANA_OK;
}

static bool is_there(const struct plugins *s, struct slice name)
{
	for (size_t i = 0; i < s->n; i++) {
		if (slice_equal(s->at[i].asked, name))
			return true;
	}
	return false;
}

static int clash(const struct plugins *s, const struct plugin *p, struct error *err)
{
	bool twice = filter_find(slice_from_text(p->def->name));
	for (const struct plugin *other = s->at; other < p; other++)
		twice |= strcmp(other->def->name, p->def->name) == 0;
	if (twice)
		return error_set(err, DANA_ECONFIG, "--plugin: two plugins are called %s; give one of them",
				 p->def->name);
	for (const struct plugin *other = s->at; other < p; other++) {
		if (strcmp(loader_object(other->def), loader_object(p->def)) == 0)
			return error_set(
				err, DANA_ECONFIG,
				"--plugin: %s and %s both write an object '%s' into documents; give one of them",
				other->def->name, p->def->name, loader_object(p->def));
	}
	return DANA_OK;
}

/* Adds the plugin to the lists of names. */
static int enrol(struct plugins *s, struct plugin *p, struct error *err)
{
	p->context = (struct dana_context){ .owner = s, .plugin = p };
	p->number = s->names.n_plugins;
	s->n++;
	p->first_counter = s->names.n_counters;
	s->names.plugin[s->names.n_plugins++] = p->def->name;
	s->wants |= p->def->flags;
	for (size_t i = 0; p->def->counters && p->def->counters[i]; i++) {
		if (s->names.n_counters == PLUGIN_COUNTERS_MOST)
			return error_set(err, DANA_EPLUGIN, "the plugins have more than %d counters",
					 PLUGIN_COUNTERS_MOST);
		s->names.counter[s->names.n_counters++] = (struct plugin_counter){ p->number, p->def->counters[i] };
	}
	return DANA_OK;
}

/* ---- loading ---- */

static int load(struct plugin *p, struct error *err)
{
	int result = p->def->load ? p->def->load(&p->shared, &plugin_host, &p->context) : 0;
	if (result < 0)
		return plugin_failed(p, "load", result, &p->context.error, err);
	p->loaded = true;
	return DANA_OK;
}

static int add(struct plugins *s, const struct plugins_config *config, struct slice name, struct error *err)
{
	struct plugin *p = &s->at[s->n];
	if (s->names.n_plugins == PLUGINS_MOST)
		return error_set(err, DANA_ECONFIG, "--plugin: more than %d plugins", PLUGINS_MOST);
	*p = (struct plugin){ .def = NULL };
	int status = find(p, name, config->folder, err);
	if (status == DANA_OK)
		status = clash(s, p, err);
	if (status == DANA_OK)
		status = settings_read(&p->settings, p->def, name, config->rows, s->memory, err);
	if (status < 0) {
		loader_close(&p->file);
		return status;
	}
	return enrol(s, p, err);
}

static int add_all(struct plugins *s, const struct plugins_config *config, struct error *err)
{
	int status = filters_read(&s->filters, &config->choice, s->memory, err);
	for (const struct filter_row *row = filter_table; row->name; row++) /* their reasons in --metrics */
		s->names.plugin[s->names.n_plugins++] = row->name;
	for (size_t i = 0; config->rows && i < config->rows->n && status == DANA_OK; i++) {
		if (!is_there(s, config->rows->at[i].name))
			status = add(s, config, config->rows->at[i].name, err);
	}
	/* All settings are checked before the first plugin reads its lists, which may take long. */
	for (size_t i = 0; i < s->n && status == DANA_OK; i++)
		status = load(&s->at[i], err);
	for (s->cut = 0; s->cut < s->n && !(s->at[s->cut].def->flags & DANA_PLUGIN_ORDERED);)
		s->cut++;
	/* In the tail a page has already been streamed: a plugin that reads its HTML there gets the kept copy. */
	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i].def->html && i < s->cut)
			s->reads_html = true;
		else if (s->at[i].def->html)
			s->wants |= DANA_PLUGIN_HTML;
	}
	return status;
}

struct plugins *plugins_new(const struct plugins_config *config, struct error *err)
{
	struct plugins *s = calloc(1, sizeof(*s));
	if (s)
		s->memory = arena_new();
	if (!s || !s->memory) {
		(void)error_no_memory(err);
		free(s);
		return NULL;
	}
	s->line = config->line;
	s->arg = config->arg;
	s->quiet = config->quiet;
	s->verbose = config->verbose;
	s->max_html = config->max_html;
	if (add_all(s, config, err) == DANA_OK)
		return s;
	plugins_free(s);
	return NULL;
}

void plugins_run_over(struct plugins *s)
{
	s->run_is_over = true;
}

void plugins_free(struct plugins *s)
{
	if (!s)
		return;
	for (size_t i = s->n; i-- > 0;) {
		if (s->at[i].loaded && s->at[i].def->unload)
			s->at[i].def->unload(s->at[i].shared);
		loader_close(&s->at[i].file);
	}
	arena_free(s->memory);
	free(s);
}

const struct plugin_names *plugins_names(const struct plugins *s)
{
	return &s->names;
}

const char *plugins_object(const struct plugins *s, size_t i)
{
	return i < s->n ? loader_object(s->at[i].def) : NULL;
}

bool plugins_find_language(const struct plugins *s)
{
	return s->wants & DANA_PLUGIN_LANGUAGE;
}

const char *plugins_ordered(const struct plugins *s)
{
	return s->cut < s->n ? s->at[s->cut].def->name : NULL;
}

static const char *of_type(const struct plugins *s, size_t i, int type)
{
	for (size_t n = 0; n < s->n; n++) {
		const struct settings *settings = &s->at[n].settings;
		for (size_t k = 0; k < settings->n; k++) {
			const struct setting *v = &settings->at[k];
			if (v->text && *v->text && (int)v->option->type == type && i-- == 0)
				return v->text;
		}
	}
	return NULL;
}

const char *plugins_read(const struct plugins *s, size_t i)
{
	return of_type(s, i, DANA_FILE);
}

const char *plugins_written(const struct plugins *s, size_t i)
{
	return of_type(s, i, DANA_FILE_WRITTEN);
}

bool plugins_want_html(const struct plugins *s)
{
	return s->wants & DANA_PLUGIN_HTML;
}

bool plugins_read_html(const struct plugins *s)
{
	return s->reads_html;
}

bool plugins_want_blocks(const struct plugins *s)
{
	return s->wants & DANA_PLUGIN_BLOCKS;
}

uint64_t plugins_max_html(const struct plugins *s)
{
	return s->max_html;
}
