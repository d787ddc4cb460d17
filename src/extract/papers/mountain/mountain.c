/* SPDX-License-Identifier: MIT */
/*
 * Mountain Model (L. Bing, Y. Wang, Y. Zhang, H. Wang 2008): cells of text make a mountain, its ridges are classified
 * by a classifier, the cells of the primary ridges are the content. A page without a primary ridge gives the ridge that
 * is nearest to being one. Keys: `model=FILE` replaces the universal classifier; `site-models=DIR` takes
 * DIR/HOST.model, if it exists, for the pages of a host (site-oriented classifier); "www." at the front of a host is
 * ignored. A model that is damaged or cannot be read is an error at the first page of its host: the universal
 * classifier does not replace it.
 *
 * The program reads the files (dana_options.read_file); the host comes from dana_page_url.
 */
#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "extract/method/method.h"
#include "extract/method/text_writer.h"
#include "extract/method/trace.h"
#include "extract/papers/methods.h"
#include "extract/papers/mountain/ridge_model.h"

enum { SITES = 64, HOST_MOST = 253, NO_FILE = 1 };

/* A host that was looked up, with or without its own model. */
struct site {
	char host[HOST_MOST + 1];
	struct mountain_model model;
};

struct mountain {
	struct mountain_cells cells; /* first: it begins with the token stream */
	struct mountain_ridges ridges;
	struct trace *trace;
	struct method_files files;
	struct mountain_model model;         /* from the key `model`; count 0 = the universal one */
	char *site_models;                   /* folder */
	struct site *sites;                  /* by hash of the host; each place keeps the last host looked up */
	const struct mountain_model *chosen; /* for this page */
};

static void mountain_reset(void *state)
{
	struct mountain *s = state;
	mountain_cells_reset(&s->cells);
	buf_shrink(&s->ridges.slopes, PAGE_KEEPS);
	s->chosen = s->model.count ? &s->model : &mountain_universal;
}

static int mountain_init(void *state, const struct method_env *env)
{
	struct mountain *s = state;
	mountain_cells_init(&s->cells, env);
	s->trace = env->trace;
	s->files = env->files;
	mountain_reset(s);
	return DANA_OK;
}

/*
 * Loads a model from a file. Returns 1 if the file does not exist, DANA_ECONFIG if it cannot be read or is not a model.
 */
static int load(const struct mountain *s, const char *name, struct mountain_model *model)
{
	char *data = NULL;
	size_t len = 0;
	int status = s->files.read(s->files.arg, name, &data, &len);
	if (status != DANA_OK)
		return status > 0 ? NO_FILE : DANA_ECONFIG;
	status = mountain_model_read(model, slice_of(data, len));
	free(data);
	return status == DANA_EFORMAT ? DANA_ECONFIG : status;
}

static char *copy_text(struct slice s)
{
	char *copy = malloc(s.len + 1);
	if (copy) {
		memcpy(copy, s.data, s.len);
		copy[s.len] = '\0';
	}
	return copy;
}

static const struct method_key keys[] = {
	{ .name = "model", .argument = "FILE", .help = "a model of dana train mountain instead of the one built in" },
	{ .name = "site-models",
	  .argument = "FOLDER",
	  .help = "models of single sites: FOLDER/HOST.model, where it exists, for pages of HOST" },
	{ .name = NULL },
};

static int mountain_set(void *state, const struct method_setting *setting)
{
	struct mountain *s = state;
	bool model = method_setting_is(setting, "model");

	if (!s->files.read)
		return DANA_ECONFIG;
	char *name = copy_text(setting->value);
	if (!name)
		return DANA_ENOMEM;
	if (!model) {
		free(s->site_models);
		s->site_models = name;
		if (!s->sites)
			s->sites = calloc(SITES, sizeof(*s->sites));
		return s->sites ? DANA_OK : DANA_ENOMEM;
	}
	mountain_model_free(&s->model);
	int status = load(s, name, &s->model);
	free(name);
	mountain_reset(s);
	return status == NO_FILE ? DANA_ECONFIG : status;
}

/*
 * Finds the host of an absolute URL, in lower case, without "www.". Returns false if it has no host, or one that cannot
 * be a file name.
 */
static bool find_host(struct slice url, char host[HOST_MOST + 1])
{
	struct slice rest = url_host(url);
	size_t len;
	if (rest.len > 4 && slice_is(slice_of(rest.data, 4), "www."))
		rest = slice_skip(rest, 4);
	for (len = 0; len < rest.len; len++) {
		uint8_t c = ascii_lower(rest.data[len]);
		if (len == HOST_MOST || !(ascii_is_alpha(c) || ascii_is_digit(c) || c == '-' || (c == '.' && len)))
			return false;
		host[len] = (char)c;
	}
	host[len] = '\0';
	return len > 0;
}

/* Chooses the model of the page's host, if it has one, instead of the common one. */
static int mountain_url(void *state, struct slice url)
{
	struct mountain *s = state;
	char host[HOST_MOST + 1];
	if (!s->site_models || !find_host(url, host))
		return DANA_OK;
	struct site *site = &s->sites[hash_fnv32(slice_from_text(host), HASH_FNV32_START) % SITES];
	if (strcmp(site->host, host) != 0) {
		struct buf name = { 0 };
		mountain_model_free(&site->model);
		int status = buf_printf(&name, "%s/%s.model", s->site_models, host);
		if (status >= 0)
			status = buf_append_byte(&name, 0);
		if (status >= 0)
			status = load(s, (const char *)name.data, &site->model);
		buf_free(&name);
		if (status < 0) {
			site->host[0] = '\0'; /* read it again for the next page of that host */
			return status;
		}
		memcpy(site->host, host, sizeof(host));
	}
	if (site->model.count)
		s->chosen = &site->model;
	return DANA_OK;
}

static void tell(const struct mountain *s, size_t index, bool primary)
{
	const struct mountain_ridge *r = mountain_ridge_at(&s->ridges, index);
	struct slice text =
		slice_of(s->cells.text.buf.data + mountain_cell_start(&s->cells, r->first),
			 mountain_cell_at(&s->cells, r->last)->text_end - mountain_cell_start(&s->cells, r->first));
	struct buf numbers = { 0 };
	int status = buf_printf(&numbers, "height=%.3f width=%.3f ridge-position=%.3f cell-position=%.3f",
				r->features[0], r->features[1], r->features[2], r->features[3]);
	if (s->trace->region)
		s->trace->region(s->trace->arg, r->first_place, r->last_place, r->mean, index);
	if (s->trace->block && status >= 0 && buf_append_byte(&numbers, 0) >= 0)
		s->trace->block(s->trace->arg, text, primary, r->decision, primary ? "primary ridge" : "other ridge",
				(const char *)numbers.data);
	if (s->trace->chosen && primary)
		s->trace->chosen(s->trace->arg, index);
	buf_free(&numbers);
}

static int mountain_finish(void *state, struct text_writer *out)
{
	struct mountain *s = state;
	int status = mountain_cells_finish(&s->cells);
	if (status >= 0)
		status = mountain_ridges_find(&s->ridges, &s->cells, &s->chosen->rule, s->trace);
	if (status < 0)
		return status;
	size_t count = mountain_ridges_count(&s->ridges), nearest = 0;
	double highest = -HUGE_VAL;
	for (size_t i = 0; i < count; i++) {
		struct mountain_ridge *r = mountain_ridge_at(&s->ridges, i);
		r->decision = mountain_model_decide(s->chosen, r->features);
		nearest = r->decision > highest ? i : nearest;
		highest = fmax(highest, r->decision);
	}
	for (size_t i = 0; i < count && status >= 0; i++) {
		const struct mountain_ridge *r = mountain_ridge_at(&s->ridges, i);
		bool primary = r->decision > 0 || (i == nearest && !(highest > 0));
		if (s->trace)
			tell(s, i, primary);
		if (primary)
			status = page_text_write(&s->cells.text, mountain_cell_start(&s->cells, r->first),
						 mountain_cell_at(&s->cells, r->last)->text_end, out);
	}
	return status < 0 ? status : count ? 0 : METHOD_NO_REGION;
}

static void mountain_destroy(void *state)
{
	struct mountain *s = state;
	mountain_cells_free(&s->cells);
	mountain_ridges_free(&s->ridges);
	mountain_model_free(&s->model);
	for (size_t i = 0; s->sites && i < SITES; i++)
		mountain_model_free(&s->sites[i].model);
	free(s->sites);
	free(s->site_models);
}

static const struct method_words words = {
	.segment = "cell",
	.segments = "cells",
	.region = "ridge",
	.regions = "ridges",
	.group = "ridge",
	.above = "score",
	.below = "code",
	.above_name = "score",
	.below_name = "code",
	.smoothed = "smoothed score",
	.chosen = "the main ridges",
	.kept = "ridge that the classifier takes for main content",
	.other = "ridge that the classifier takes for clutter",
	.none = "no ridge",
	.gap = "no ridge",
};

const struct method method_mountain = {
	.name = "mountain",
	.source = "Bing, Wang, Zhang, Wang 2008",
	.memory = "text + 24 B a cell",
	.summary = "ridges of high text cells, by a classifier",
	.state_size = sizeof(struct mountain),
	.init = mountain_init,
	.keys = keys,
	.set = mountain_set,
	.words = &words,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = mountain_finish,
	.lists_spans = true,
	.reset = mountain_reset,
	.destroy = mountain_destroy,
	.url = mountain_url,
};
