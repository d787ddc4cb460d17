/* SPDX-License-Identifier: MIT */
/*
 * Collects the plugins that a user names, loads them, and checks that they fit this program.
 *
 * A user may name a plugin several times, in the configuration file and on the command line: it keeps its first place,
 * and its settings are joined; later ones win.
 */
#include "config.h"

#include "archive/plugin/plugins.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/document.h"
#include "archive/http/media_type.h"
#include "archive/plugin/host.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/status.h"

/* X(reason of records that are skipped, "name", "option", "help") */
#define FILTER_LIST(X) \
	X(TYPE, "type", "--type", "takes records by their type") \
	X(STATUS, "status", "--status", "takes records by their HTTP status") \
	X(MIME, "mime", "--mime", "takes records by their media type") \
	X(SHORT, "length", "--min-chars", "takes pages by the length of their text")

/*
 * Lists of words as a user writes them, "response,resource", in any case of letters; the word `any` takes all. Example:
 * of --status 200,404 the entries 200 and 404 of `status` are set.
 */

#define ROW(reason, name, option, help) { name, option, help },

const struct filter_row filter_table[] = { FILTER_LIST(ROW){ .name = NULL } };

/** Returns the row; NULL if no filter has that name. */
static const struct filter_row *filter_find(struct slice name)
{
	for (const struct filter_row *row = filter_table; row->name; row++) {
		if (slice_equal(slice_from_text(row->name), name))
			return row;
	}
	return NULL;
}

/* Takes the next item off a list, without white space at its ends. Returns an empty slice at the end. */
static struct slice next_item(const char **list)
{
	struct slice item = slice_of(*list, strcspn(*list, ","));
	*list += item.len + ((*list)[item.len] == ',');
	return slice_trim(item);
}

static bool has(const char *list, struct slice wanted)
{
	while (*list) {
		if (slice_equal_nocase(next_item(&list), wanted))
			return true;
	}
	return false;
}

/* ---- words, and suggestions for mistyped ones ---- */

/* Returns whether it is a type of the standard, or of an extension, such as "x-crawl-log". */
static bool is_type(struct slice item)
{
	bool known = item.len > 2 && slice_is(slice_first(item, 2), "x-");
	for (int type = 0; type < RECORD_OTHER; type++)
		known |= slice_is(item, record_type_name((enum record_type)type));
	return known;
}

static struct near_name near_type(struct slice item)
{
	struct near_name near = near_name_of(item);
	for (int type = 0; type < RECORD_OTHER; type++)
		near_name_offer(&near, record_type_name((enum record_type)type));
	near_name_offer(&near, "any");
	return near;
}

static int number_of(struct slice item)
{
	return (item.data[0] - '0') * 100 + (item.data[1] - '0') * 10 + item.data[2] - '0';
}

static bool is_status(struct slice item)
{
	return item.len == 3 && ascii_is_digit(item.data[0]) && ascii_is_digit(item.data[1]) &&
	       ascii_is_digit(item.data[2]) && number_of(item) >= STATUS_LEAST;
}

static struct near_name near_status(struct slice item)
{
	struct near_name near = near_name_of(item);
	if (item.len == 3)
		near_name_offer_words(&near, "200|206|301|302|304|403|404|410|500|503|any");
	return near;
}

static bool is_mime(struct slice item)
{
	return item.len && media_type_of_header(item).len == item.len && !memchr(item.data, '*', item.len);
}

/* Suggests "text/html" for "html": a subtype alone means the whole type. */
static struct near_name near_mime(struct slice item)
{
#define COMMA ,
	static const char *const common[] = { MEDIA_HTML(COMMA), "text/plain", "application/pdf" };
	struct near_name near = near_name_of(item);
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
		struct near_name subtype = near_name_of(item);
		near_name_offer(&near, common[i]);
		near_name_offer(&subtype, strchr(common[i], '/') + 1);
		if (subtype.best.len && (!near.best.len || subtype.distance < near.distance)) {
			near.best = slice_from_text(common[i]);
			near.distance = subtype.distance;
		}
	}
	return near;
}

static const struct words {
	const char *name, *option, *standard, *expected;
	bool (*is_word)(struct slice item);
	struct near_name (*near)(struct slice item);
} types = { "type",  "--type", "response,resource", "a record type of WARC, one that begins with x-, or any",
	    is_type, near_type },
  statuses = { "status", "--status", "200", "100 to 999, or any", is_status, near_status },
  mimes = { "mime", "--mime", MEDIA_HTML(","), "type/subtype, or any", is_mime, near_mime };

/* Checks `list`, or the default if it is NULL. *kept is a copy of it, *any whether it takes all. */
static int read_list(const struct words *words, const char *list, struct arena *memory, const char **kept, bool *any,
		     struct error *err)
{
	list = list ? list : words->standard;
	const struct slice all = slice_from_text(list), copy = arena_copy(memory, all);
	char shown[64];
	if (!copy.data)
		return error_no_memory(err);
	if (all.len == 0 || list[0] == ',' || list[all.len - 1] == ',' || strstr(list, ",,"))
		return error_set(err, DANA_ECONFIG,
				 "plugin %s: take: %s%s%s is wrong; expected item,item,... without empty items",
				 words->name, all.len ? "'" : "",
				 all.len ? printable(all, shown, sizeof(shown)) : "the empty value",
				 all.len ? "'" : "");
	*kept = (const char *)copy.data;
	*any = has(list, slice_from_text("any"));
	while (*list && !*any) {
		const struct slice item = next_item(&list);
		if (words->is_word(item))
			continue;
		const struct near_name near = words->near(item);
		return near_name_refuse(&near, words->option, words->expected, err);
	}
	return DANA_OK;
}

/** Reads the lists of `choice`, and copies what is kept into `memory`. */
static int filters_read(struct filters *f, const struct plugins_choice *choice, struct arena *memory, struct error *err)
{
	const char *list;
	*f = (struct filters){ .min_chars = choice->min_chars };
	int status = read_list(&types, choice->types, memory, &f->types, &f->any_type, err);
	for (int type = 0; type < RECORD_OTHER && status == DANA_OK; type++)
		f->type[type] = has(f->types, slice_from_text(record_type_name((enum record_type)type)));
	if (status == DANA_OK)
		status = read_list(&statuses, choice->statuses, memory, &list, &f->any_status, err);
	while (status == DANA_OK && !f->any_status && *list)
		f->status[number_of(next_item(&list))] = true;
	return status == DANA_OK ? read_list(&mimes, choice->mimes, memory, &f->mimes, &f->any_mime, err) : status;
}

bool filters_take_type(const struct filters *f, const struct record *rec)
{
	return f->any_type || (rec->type < RECORD_OTHER ? f->type[rec->type] : has(f->types, rec->type_name));
}

bool filters_take_status(const struct filters *f, int status)
{
	return f->any_status || status == 0 || (status >= STATUS_LEAST && status <= STATUS_MOST && f->status[status]);
}

bool filters_take_mime(const struct filters *f, struct slice type)
{
	return f->any_mime || has(f->mimes, type);
}

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

/* The project's own that a build without CRoaring lacks, as libdana-archive does. */
static const char *const of_runs[] = { "boilerplate", "dedup-exact", "dedup-lines", "dedup-near" };

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
	for (size_t i = 0; status == DANA_ECONFIG && i < sizeof(of_runs) / sizeof(*of_runs); i++) {
		if (slice_is(name, of_runs[i]))
			return error_set(
				err, DANA_ECONFIG,
				"--plugin: '%s' is not built in: it compares the pages of a run by CRoaring, which "
				"the full program dana has" BUILD_REMEDY,
				of_runs[i]);
	}
	if (status == DANA_ECONFIG && !memchr(name.data, '/', name.len)) {
		/* the nearest name that a user can give */
		char shown[SHOWN];
		struct near_name near = near_name_of(name);
		for (const struct dana_plugin *const *row = registry_table; *row; row++)
			near_name_offer(&near, (*row)->name);
		printable(name, shown, sizeof(shown));
		const bool loads = loader_loads();
		const char *const also = loads ? ", and not in " : "", *const place = loads ? folder : "";
		if (near.best.len)
			return error_set(err, DANA_ECONFIG,
					 "--plugin: '%s' is not built in%s%s; did you mean %.*s?" BUILD_REMEDY, shown,
					 also, place, (int)near.best.len, (const char *)near.best.data);
		return error_set(err, DANA_ECONFIG,
				 "--plugin: '%s' is not built in%s%s; dana plugins lists all plugins; %s" BUILD_REMEDY,
				 shown, also, place,
				 loads ? "a file elsewhere is named by its absolute path"
				       : "this build loads none from files");
	}
	if (status < 0)
		return error_set(err, status, "--plugin: %s", why.text);
	p->def = p->file.plugin;
	return DANA_OK;
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

/* ---- loading ---- */

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
	/* add the plugin to the lists of names */
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
	s->metadata_object = config->metadata_object;
	int status = filters_read(&s->filters, &config->choice, s->memory, err);
	for (const struct filter_row *row = filter_table; row->name; row++) /* their reasons in --metrics */
		s->names.plugin[s->names.n_plugins++] = row->name;
	const struct slice metadata = slice_from_text("metadata");
	bool wanted = config->metadata && registry_find(metadata);
	for (size_t i = 0; config->rows && i < config->rows->n; i++)
		wanted = wanted && !slice_equal(config->rows->at[i].name, metadata);
	if (wanted && status == DANA_OK)
		status = add(s, config, metadata, err);
	for (size_t i = 0; config->rows && i < config->rows->n && status == DANA_OK; i++) {
		bool is_there = false;
		for (size_t k = 0; k < s->n; k++)
			is_there |= slice_equal(s->at[k].asked, config->rows->at[i].name);
		if (!is_there)
			status = add(s, config, config->rows->at[i].name, err);
	}
	/* All settings are checked before the first plugin reads its lists, which may take long. */
	for (size_t i = 0; i < s->n && status == DANA_OK && config->refuses_ordered; i++) {
		if (s->at[i].def->flags & DANA_PLUGIN_ORDERED)
			status = error_set(err, DANA_ECONFIG,
					   "plugin %s: needs the pages of a whole run in their order; use `dana "
					   "filter`, or danatext.scan",
					   s->at[i].def->name);
	}
	const char *written = status == DANA_OK && config->keeps_nothing ? plugins_written(s, 0) : NULL;
	if (written)
		status = error_set(err, DANA_ECONFIG,
				   "--plugin: %s is written by `dana filter`; here nothing is kept after a run",
				   written);
	for (size_t i = 0; i < s->n && status == DANA_OK; i++) {
		struct plugin *p = &s->at[i];
		const int result = p->def->load ? p->def->load(&p->shared, &plugin_host, &p->context) : 0;
		p->loaded = result >= 0;
		if (result < 0)
			status = plugin_failed(p, "load", result, &p->context.error, err);
	}
	for (s->cut = 0; s->cut < s->n && !(s->at[s->cut].def->flags & DANA_PLUGIN_ORDERED);)
		s->cut++;
	/* In the tail a page has already been streamed: a plugin that reads its HTML there gets the kept copy. */
	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i].def->html && i < s->cut)
			s->reads_html = true;
		else if (s->at[i].def->html)
			s->wants |= DANA_PLUGIN_HTML;
	}
	if (status == DANA_OK)
		return s;
	plugins_free(s);
	return NULL;
}

struct plugins *plugins_new_of_pages(const struct plugins_config *config, bool metadata, struct error *err)
{
	const struct slice name = slice_from_text("metadata");
	struct plugins_config of_pages = *config;
	for (size_t i = 0; i < config->rows->n; i++)
		metadata = metadata && !slice_equal(config->rows->at[i].name, name);
	metadata = metadata && registry_find(name);
	if (config->rows->n == 0 && !metadata)
		return NULL;
	struct plugin_rows *rows = malloc(sizeof(*rows));
	if (!rows) {
		(void)error_no_memory(err);
		return NULL;
	}
	rows->n = config->rows->n;
	memcpy(rows->at, config->rows->at, rows->n * sizeof(*rows->at));
	struct plugins *s = NULL;
	of_pages.choice = (struct plugins_choice){ "any", "any", "any", 0 };
	of_pages.rows = rows;
	of_pages.refuses_ordered = true;
	if (!metadata || plugin_rows_add(rows, (struct plugin_row){ .name = name }, "--plugin", err) == DANA_OK)
		s = plugins_new(&of_pages, err);
	free(rows);
	return s;
}

int plugins_choose(const struct plugins *s, struct slice list, uint32_t *chosen, struct error *err)
{
	char shown[64];
	*chosen = 0;
	for (bool more = list.len > 0; more;) {
		const struct slice name = slice_first(list, slice_until(list, ","));
		size_t i = 0;
		while (s && i < s->n && !slice_equal(slice_from_text(s->at[i].def->name), name))
			i++;
		if (!s || i == s->n)
			return error_set(err, DANA_ECONFIG, "the plugin '%s' is not loaded",
					 printable(name, shown, sizeof(shown)));
		*chosen |= (uint32_t)1 << i;
		more = list.len > name.len;
		list = slice_skip(list, name.len + 1);
	}
	return DANA_OK;
}

void plugins_run_over(struct plugins *s)
{
	s->run_is_over = true;
}

struct plugins *plugins_share(struct plugins *s)
{
	s->users++;
	return s;
}

void plugins_free(struct plugins *s)
{
	if (!s || s->users-- > 0)
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
	return i < s->n ? plugin_object(s, s->at[i].def) : NULL;
}

const char *plugins_ordered(const struct plugins *s)
{
	return s->cut < s->n ? s->at[s->cut].def->name : NULL;
}

const char *plugin_object(const struct plugins *s, const struct dana_plugin *plugin)
{
	const char *object = loader_object(plugin);
	return s->metadata_object && strcmp(object, "metadata") == 0 ? s->metadata_object : object;
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

struct plugins_needs plugins_needs(const struct plugins *s)
{
	return (struct plugins_needs){ .html = s->wants & DANA_PLUGIN_HTML,
				       .blocks = s->wants & DANA_PLUGIN_BLOCKS,
				       .html_stream = s->reads_html,
				       .language = s->wants & DANA_PLUGIN_LANGUAGE,
				       .max_html = s->max_html };
}
