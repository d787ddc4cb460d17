/* SPDX-License-Identifier: MIT */
/*
 * Runs the methods over reference pages on several threads and sums up their scores: by corpus, script or site.
 */
#include "config.h"

#include "lab/eval.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

#include "base/file.h"
#include "dana/dana.h"
#include "dedup/line_table.h"
#include "dedup/site_table.h"
#include "extract/extractor.h"
#include "lab/gold.h"
#include "lab/measure.h"
#include "run/methods.h"

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
	const char *name = by == EVAL_GROUP_SITE ? page->domain : page->script;
	return name[0] ? name : "unknown";
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

struct eval_site {
	double f1;
	size_t pages;
};

/* A page whose site is unknown is a site of its own. */
static double site_mean(const struct eval_table *t, size_t method, size_t group, const size_t *site_of,
			struct eval_site *sites, size_t n_sites, size_t *seen_sites)
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
		if (page->domain[0]) {
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
	*seen_sites = seen;
	return seen ? sum / (double)seen : 0;
}

int eval_table_make(struct eval_table *t, const struct eval_job *job, enum eval_group by)
{
	*t = (struct eval_table){ .job = job, .by = by };
	const struct gold_folder *gold = job->gold;
	const size_t n = gold_count(gold);
	t->groups = calloc(n + 1, sizeof(*t->groups));
	if (!t->groups)
		return DANA_ENOMEM;
	if (by != EVAL_GROUP_NONE) {
		for (size_t i = 0; i < n; i++) {
			if (job->pages[i].read)
				t->groups[t->n_groups++] = group_of(gold_page(gold, i), by);
		}
		t->n_groups = names_unique(t->groups, t->n_groups);
	}
	t->groups[t->n_groups++] = "all";
	t->sums = calloc(job->n_methods * t->n_groups, sizeof(*t->sums));
	if (!t->sums)
		return DANA_ENOMEM;
	const size_t last = t->n_groups - 1;
	size_t n_sites = 0;
	for (size_t i = 0; i < n * job->n_methods; i++) {
		const size_t p = i / job->n_methods;
		struct eval_sums *sums = &t->sums[i % job->n_methods * t->n_groups];
		if (!job->pages[p].read)
			continue;
		add_cell(&sums[last], &job->cells[i], job->pages[p].bytes);
		if (by != EVAL_GROUP_NONE)
			add_cell(&sums[name_find(t->groups, last, group_of(gold_page(gold, p), by))], &job->cells[i],
				 job->pages[p].bytes);
	}
	const char **names = calloc(n + 1, sizeof(*names));
	size_t *site_of = calloc(n + 1, sizeof(*site_of));
	struct eval_site *sites = calloc(n + 1, sizeof(*sites));
	int status = names && site_of && sites ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		if (gold_page(gold, i)->domain[0])
			names[n_sites++] = gold_page(gold, i)->domain;
	}
	if (status == DANA_OK && n_sites) {
		t->sites = true;
		n_sites = names_unique(names, n_sites);
		for (size_t i = 0; i < n; i++) {
			if (gold_page(gold, i)->domain[0])
				site_of[i] = name_find(names, n_sites, gold_page(gold, i)->domain);
		}
		for (size_t k = 0; k < job->n_methods * t->n_groups; k++)
			t->sums[k].site_f1 = site_mean(t, k / t->n_groups, k % t->n_groups, site_of, sites, n_sites,
						       &t->sums[k].sites);
	}
	free(names);
	free(site_of);
	free(sites);
	return status;
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

struct shared {
	struct eval_job *job;
	atomic_size_t next; /* the page to take */
	atomic_size_t unreadable;
	atomic_int status;            /* the first failure; ends all threads */
	struct model_reader *readers; /* of each method */
	atomic_size_t refused;        /* with DANA_ECONFIG: the method that refused a model of a site */
};

struct eval_worker {
	struct shared *shared;
	uv_thread_t thread;
	struct dana_extractor **extractors;
	struct dana_extractor *plain;   /* blocks of the block measure */
	const struct site_source *site; /* NULL: other pages of a site say nothing */
	struct page_decoder decoder;
	struct token_table *table;
	struct tokens gold_tokens, output_tokens;
	struct buf source, gold, gold_media, media, visible;
};

static int method_new(struct dana_extractor **out, const char *method, struct model_reader *reader, struct error *err)
{
	struct dana_options options = { .struct_size = sizeof(options),
					.method = method,
					.read_file = model_reader_read,
					.read_arg = reader };
	int status = dana_new(out, &options);
	if (status == DANA_BAD_OPTION)
		return method_check(method, err);
	return status < 0 ? error_set(err, DANA_ENOMEM, "%s", dana_status_text(status)) : DANA_OK;
}

static int worker_init(struct eval_worker *w, struct shared *shared, struct error *err)
{
	const struct eval_job *job = shared->job;
	w->shared = shared;
	w->extractors = calloc(job->n_methods, sizeof(struct dana_extractor *));
	w->table = token_table_new();
	if (page_decoder_init(&w->decoder) < 0 || !w->extractors || !w->table)
		return error_no_memory(err);
	int status = method_new(&w->plain, "plain", NULL, err);
	for (size_t m = 0; m < job->n_methods && status == DANA_OK; m++)
		status = method_new(&w->extractors[m], job->methods[m], &shared->readers[m], err);
	if (status == DANA_OK && job->sites) {
		w->site = job->sites->open(job->sites->arg);
		status = w->site ? DANA_OK : error_no_memory(err);
		for (size_t m = 0; m < job->n_methods; m++)
			dana_site_source(w->extractors[m], w->site);
	}
	return status;
}

static uint64_t thread_clock(void)
{
	struct timespec t;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A page that asks for more work than its size allows has no text. `site` is its host, for models of single sites. */
static int extract(struct dana_extractor *x, const char *site, struct slice page, struct dana_text *text)
{
	char url[300];
	int len = snprintf(url, sizeof(url), "http://%s/", site);
	dana_reset(x);
	int status = len > 0 && (size_t)len < sizeof(url) ? dana_page_url(x, url, (size_t)len) : 0;
	if (status >= 0)
		status = dana_feed(x, page.data, page.len);
	if (status >= 0)
		status = dana_finish(x, text);
	if (status == DANA_LIMIT)
		*text = (struct dana_text){ 0 };
	return status == DANA_OUT_OF_MEMORY || status == DANA_BAD_OPTION ? status : DANA_OK;
}

static int measure_block(struct eval_worker *w, const struct dana_text *text, struct eval_cell *cell)
{
	struct block_counts counts;
	buf_clear(&w->media);
	for (size_t i = 0; i < text->n_media; i++) {
		buf_append(&w->media, text->media[i].url, text->media[i].url_len);
		buf_append_byte(&w->media, '\n');
	}
	if (buf_status(&w->media) < 0)
		return DANA_ENOMEM;
	struct block_page page = { buf_slice(&w->visible), slice_of(text->data, text->len), buf_slice(&w->gold),
				   buf_slice(&w->media), buf_slice(&w->gold_media) };
	const int status = block_measure(w->table, &page, &counts);
	cell->output = counts.retrieved;
	cell->gold = counts.relevant;
	cell->common = counts.both;
	return status;
}

static int measure(struct eval_worker *w, const struct dana_text *text, struct eval_cell *cell)
{
	const struct slice output = slice_of(text->data, text->len);
	const enum eval_measure by = w->shared->job->measure;
	if (by == EVAL_SENTENCE)
		return sentence_measure(w->table, output, buf_slice(&w->gold), &cell->score, NULL);
	int status;
	if (by == EVAL_BLOCK) {
		status = measure_block(w, text, cell);
	} else {
		tokens_clear(&w->output_tokens);
		status = tokens_append(&w->output_tokens, w->table, output);
		if (status < 0)
			return status;
		cell->output = w->output_tokens.len;
		cell->gold = w->gold_tokens.len;
		status = lcs_length(&w->output_tokens, &w->gold_tokens, token_table_count(w->table), &cell->common);
	}
	if (status == DANA_OK)
		cell->score = score_of((double)cell->common, (double)cell->output, (double)cell->gold);
	return status;
}

/* What all methods of the page need. */
static int prepare(struct eval_worker *w)
{
	const enum eval_measure by = w->shared->job->measure;
	struct dana_text text;
	if (by == EVAL_BLOCK) {
		buf_clear(&w->visible);
		if (extract(w->plain, "", buf_slice(&w->decoder.page), &text) < 0)
			return DANA_ENOMEM;
		return buf_append(&w->visible, text.data, text.len);
	}
	token_table_reset(w->table);
	tokens_clear(&w->gold_tokens);
	return by == EVAL_LCS ? tokens_append(&w->gold_tokens, w->table, buf_slice(&w->gold)) : DANA_OK;
}

static int score_page(struct eval_worker *w, size_t index)
{
	struct eval_job *job = w->shared->job;
	const struct gold_page *page = gold_page(job->gold, index);
	struct error err = { 0 };
	const struct gold_folder *gold = job->gold;
	int status = gold_read(gold, page, GOLD_HTML, &w->source, &err);
	if (status == DANA_OK)
		status = gold_read(gold, page, GOLD_TEXT, &w->gold, &err);
	if (status == DANA_OK && job->measure == EVAL_BLOCK)
		status = gold_read(gold, page, GOLD_MEDIA, &w->gold_media, &err);
	if (status == DANA_OK)
		status = page_decoder_decode(&w->decoder, buf_slice(&w->source), slice_from_text(page->charset));
	if (status == DANA_EIO) {
		notice(&job->notices, "%s", err.text);
		w->shared->unreadable++;
		return DANA_OK;
	}
	if (status < 0)
		return status;
	status = prepare(w);
	job->pages[index] = (struct eval_page){ true, w->decoder.page.len };
	for (size_t i = 0; i < job->n_methods && status == DANA_OK; i++) {
		/*
		 * A page is not yet in the caches for its first method: each takes its turn, or speeds could not be
		 * compared.
		 */
		const size_t m = (index + i) % job->n_methods;
		struct eval_cell *cell = &job->cells[index * job->n_methods + m];
		struct dana_text text = { 0 };
		const uint64_t start = thread_clock();
		status = extract(w->extractors[m], page->site, buf_slice(&w->decoder.page), &text);
		cell->nanoseconds = thread_clock() - start;
		if (status == DANA_OK)
			status = measure(w, &text, cell);
		if (status == DANA_ECONFIG)
			w->shared->refused = m;
	}
	return status;
}

static void worker_run(void *arg)
{
	struct eval_worker *w = arg;
	size_t count = gold_count(w->shared->job->gold);
	for (size_t index; w->shared->status == DANA_OK && (index = w->shared->next++) < count;) {
		int status = score_page(w, index);
		if (status < 0)
			w->shared->status = status;
	}
}

int eval_pages(struct eval_job *job, size_t *unreadable, struct error *err)
{
	struct shared shared = { .job = job };
	unsigned n = job->threads, started = 0;
	struct eval_worker *workers = calloc(n, sizeof(*workers));
	shared.readers = calloc(job->n_methods, sizeof(*shared.readers));
	if (!workers || !shared.readers) {
		free(workers);
		free(shared.readers);
		return error_no_memory(err);
	}
	int status = DANA_OK;
	for (size_t m = 0; m < job->n_methods; m++)
		model_reader_init(&shared.readers[m], &job->methods[m], 1);
	for (unsigned i = 0; i < n; i++) {
		workers[i].shared = &shared;
		if (status == DANA_OK)
			status = worker_init(&workers[i], &shared, err);
	}
	/* Worker 0 is this thread; what cannot be started is done by the others. */
	while (status == DANA_OK && started + 1 < n &&
	       uv_thread_create(&workers[started + 1].thread, worker_run, &workers[started + 1]) == 0)
		started++;
	if (status == DANA_OK)
		worker_run(&workers[0]);
	for (unsigned i = 0; i < started; i++)
		(void)uv_thread_join(&workers[i + 1].thread);
	if (status == DANA_OK && shared.status == DANA_ECONFIG)
		status = model_reader_refused(&shared.readers[shared.refused], err);
	else if (status == DANA_OK && shared.status < 0)
		status = error_set(err, DANA_ENOMEM, "%s", status_text(shared.status));
	*unreadable = shared.unreadable;
	for (unsigned i = 0; i < n; i++) {
		struct eval_worker *w = &workers[i];
		for (size_t m = 0; w->extractors && m < job->n_methods; m++)
			dana_free(w->extractors[m]);
		free(w->extractors);
		dana_free(w->plain);
		if (job->sites)
			job->sites->close(w->site);
		page_decoder_free(&w->decoder);
		token_table_free(w->table);
		tokens_free(&w->gold_tokens);
		tokens_free(&w->output_tokens);
		struct buf *bufs[] = { &w->source, &w->gold, &w->gold_media, &w->media, &w->visible };
		for (size_t k = 0; k < sizeof(bufs) / sizeof(bufs[0]); k++)
			buf_free(bufs[k]);
	}
	for (size_t m = 0; m < job->n_methods; m++)
		model_reader_free(&shared.readers[m]);
	free(workers);
	free(shared.readers);
	return status;
}

/* ---- a table of reference pages ---- */

/* A page that cannot be read, or asks for too much work, is not counted: scoring reports it. */
static int teach(const struct site_sources *sites, const struct site_source *learner, struct dana_extractor *x,
		 struct page_decoder *decoder, struct buf *source, const struct gold_folder *folder,
		 const struct gold_page *page)
{
	struct dana_text text = { 0 };
	struct slice learned = { 0 };
	struct error unread;
	char url[512];
	const int len = snprintf(url, sizeof(url), "http://%s/", page->domain);
	int status = gold_read(folder, page, GOLD_HTML, source, &unread);
	if (status == DANA_OK)
		status = page_decoder_decode(decoder, buf_slice(source), slice_from_text(page->charset));
	dana_reset(x);
	if (status == DANA_OK && len > 0 && (size_t)len < sizeof(url))
		status = dana_page_url(x, url, (size_t)len);
	if (status == DANA_OK)
		status = dana_feed(x, decoder->page.data, decoder->page.len);
	if (status == DANA_OK)
		status = dana_finish(x, &text);
	if (status == DANA_OK)
		status = learner->learned(learner->arg, &learned);
	if (status == DANA_OK && learned.len)
		status = sites->take(sites->arg, learned);
	return status == DANA_EIO || status == DANA_ELIMIT ? DANA_OK : status;
}

int gold_learn_sites(const struct gold_folder *folder, const char *method, const char *path, struct error *err)
{
	const struct line_counter_settings settings = { .by_site = true,
							.least = 2,
							.size = UINT64_MAX,
							.memory = (size_t)64 << 20,
							.force = true };
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = method,
					      .read_file = whole_file_read };
	struct page_decoder decoder;
	struct dana_extractor *x = NULL;
	struct buf source = { 0 };
	struct site_learner *l = site_learner_open(path, &settings, false, err);
	if (!l)
		return (int)err->status;
	const struct site_sources *sources = site_learner_sources(l);
	const struct site_source *learner = sources->open(sources->arg);
	int status = page_decoder_init(&decoder);
	if (status == DANA_OK)
		status = learner ? dana_new(&x, &options) : DANA_ENOMEM;
	if (status == DANA_OK)
		dana_site_source(x, learner);
	for (size_t i = 0; i < gold_count(folder) && status == DANA_OK; i++) {
		const struct gold_page *page = gold_page(folder, i);
		status = page->domain[0] ? teach(sources, learner, x, &decoder, &source, folder, page) : DANA_OK;
	}
	dana_free(x);
	sources->close(learner);
	page_decoder_free(&decoder);
	buf_free(&source);
	if (status == DANA_OK)
		return site_learner_finish(l, err);
	site_learner_abandon(l);
	return error_set(err, (enum dana_status)status, "%s", status_text(status));
}
