/* SPDX-License-Identifier: MIT */
#include "lab/eval/eval_table.h"

#include <stdlib.h>

static int name_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, each once. */
static size_t names_unique(const char **names, size_t n)
{
	size_t kept = 0;
	qsort(names, n, sizeof(*names), name_order);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(names[i], names[kept - 1]) != 0)
			names[kept++] = names[i];
	}
	return kept;
}

static size_t name_find(const char *const *names, size_t n, const char *name)
{
	const char *const *at = bsearch(&name, names, n, sizeof(*names), name_order);
	return (size_t)(at - names);
}

static const char *group_of(const struct gold_page *page, enum eval_group by)
{
	if (by == EVAL_GROUP_CORPUS)
		return page->corpus;
	return page->script[0] ? page->script : "unknown";
}

static int make_groups(struct eval_table *t)
{
	const struct gold_folder *gold = t->job->gold;
	size_t n = gold_count(gold);
	t->groups = calloc(n + 1, sizeof(*t->groups));
	if (!t->groups)
		return DANA_ENOMEM;
	if (t->by != EVAL_GROUP_NONE) {
		for (size_t i = 0; i < n; i++) {
			if (t->job->pages[i].read)
				t->groups[t->n_groups++] = group_of(gold_page(gold, i), t->by);
		}
		t->n_groups = names_unique(t->groups, t->n_groups);
	}
	t->groups[t->n_groups++] = "all";
	return DANA_OK;
}

static void add_cell(struct eval_sums *s, const struct eval_cell *cell, uint64_t bytes)
{
	s->pages++;
	s->sum.precision += cell->score.precision;
	s->sum.recall += cell->score.recall;
	s->sum.f1 += cell->score.f1;
	s->good += cell->score.f1 > 0.9;
	s->located += cell->score.f1 > 0.8;
	s->complete += cell->score.recall > 0.95;
	s->output += cell->output;
	s->gold += cell->gold;
	s->common += cell->common;
	s->bytes += bytes;
	s->nanoseconds += cell->nanoseconds;
}

static void add_pages(struct eval_table *t)
{
	const struct eval_job *job = t->job;
	for (size_t i = 0; i < gold_count(job->gold); i++) {
		if (!job->pages[i].read)
			continue;
		const struct gold_page *page = gold_page(job->gold, i);
		size_t last = t->n_groups - 1;
		size_t group = t->by == EVAL_GROUP_NONE ? last : name_find(t->groups, last, group_of(page, t->by));
		for (size_t m = 0; m < job->n_methods; m++) {
			const struct eval_cell *cell = &job->cells[i * job->n_methods + m];
			add_cell(&t->sums[m * t->n_groups + last], cell, job->pages[i].bytes);
			if (group != last)
				add_cell(&t->sums[m * t->n_groups + group], cell, job->pages[i].bytes);
		}
	}
}

struct site {
	double f1;
	size_t pages;
};

/* A page whose site is unknown is a site of its own. */
static double site_mean(const struct eval_table *t, size_t method, size_t group, const size_t *site_of,
			struct site *sites, size_t n_sites)
{
	const struct eval_job *job = t->job;
	double sum = 0;
	size_t seen = 0;
	memset(sites, 0, n_sites * sizeof(*sites));
	for (size_t i = 0; i < gold_count(job->gold); i++) {
		const struct gold_page *page = gold_page(job->gold, i);
		if (!job->pages[i].read)
			continue;
		if (group + 1 < t->n_groups && strcmp(group_of(page, t->by), t->groups[group]) != 0)
			continue;
		double f1 = job->cells[i * job->n_methods + method].score.f1;
		if (page->site[0]) {
			sites[site_of[i]].f1 += f1;
			sites[site_of[i]].pages++;
		} else {
			sum += f1;
			seen++;
		}
	}
	for (size_t s = 0; s < n_sites; s++) {
		if (sites[s].pages) {
			sum += sites[s].f1 / (double)sites[s].pages;
			seen++;
		}
	}
	return seen ? sum / (double)seen : 0;
}

static int add_sites(struct eval_table *t)
{
	const struct gold_folder *gold = t->job->gold;
	size_t n = gold_count(gold), n_sites = 0;
	const char **names = calloc(n + 1, sizeof(*names));
	size_t *site_of = calloc(n + 1, sizeof(*site_of));
	struct site *sites = calloc(n + 1, sizeof(*sites));
	int status = names && site_of && sites ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		if (gold_page(gold, i)->site[0])
			names[n_sites++] = gold_page(gold, i)->site;
	}
	if (status == DANA_OK && n_sites) {
		t->sites = true;
		n_sites = names_unique(names, n_sites);
		for (size_t i = 0; i < n; i++) {
			if (gold_page(gold, i)->site[0])
				site_of[i] = name_find(names, n_sites, gold_page(gold, i)->site);
		}
		for (size_t k = 0; k < t->job->n_methods * t->n_groups; k++)
			t->sums[k].site_f1 = site_mean(t, k / t->n_groups, k % t->n_groups, site_of, sites, n_sites);
	}
	free(names);
	free(site_of);
	free(sites);
	return status;
}

int eval_table_make(struct eval_table *t, const struct eval_job *job, enum eval_group by)
{
	*t = (struct eval_table){ .job = job, .by = by };
	int status = make_groups(t);
	if (status < 0)
		return status;
	t->sums = calloc(job->n_methods * t->n_groups, sizeof(*t->sums));
	if (!t->sums)
		return DANA_ENOMEM;
	add_pages(t);
	return add_sites(t);
}

void eval_table_free(struct eval_table *t)
{
	free(t->groups);
	free(t->sums);
}

const struct eval_sums *eval_table_at(const struct eval_table *t, size_t method, size_t group)
{
	return &t->sums[method * t->n_groups + group];
}
