/* SPDX-License-Identifier: MIT */
/*
 * Method `learned`: a classifier over blocks of text, in two stages, fed by the tokeniser in one pass. The papers end
 * with the wish to learn what gaps and thresholds fix by hand; doc/LEARNED.md describes how this one was trained.
 */
#include <stdlib.h>

#include "base/status.h"
#include "dana/dana.h"
#include "extract/learned/classifier.h"
#include "extract/method.h"
#include "extract/page_parts.h"
#include "extract/text_writer.h"

enum { BALANCED = 50 };

struct learned {
	struct blocks blocks; /* first: blocks_run, blocks_tag and blocks_unit take the state */
	struct method_env env;
	struct classifier classifier;
	struct model model;
	uint32_t recall;
	bool heading;
	uint64_t words_kept; /* of the page's text */
};

static int use_model(struct learned *x, struct slice bytes)
{
	model_free(&x->model);
	int status = model_load(&x->model, bytes);
	if (status < 0)
		return status;
	const struct token_sink sink = { .weights = x->model.weights };
	blocks_set_token_sink(&x->blocks, &sink);
	return DANA_OK;
}

static int init(void *state, const struct method_env *env)
{
	struct learned *x = state;
	x->env = *env;
	x->heading = true;
	x->classifier.model = &x->model;
	x->recall = BALANCED;
	x->classifier.balance = decode_balance(BALANCED);
	x->classifier.forced = KIND_UNKNOWN;
	x->classifier.site.page = env->site;
	int status = blocks_init(&x->blocks, env->max_text, env->max_depth);
	return status < 0 ? status : use_model(x, slice_of(model_data, model_data_len));
}

static const struct method_key keys[] = {
	{ .name = "heading", .words = "0|1", .standard = "1", .help = "0: the main heading is left out" },
	{ .name = "recall",
	  .most = RECALL_MOST,
	  .standard = "50",
	  .help = "how much text is kept: above 50 more, below 50 less" },
	{ .name = "kind",
	  .words = KINDS_OF_PAGE,
	  .help = "all pages are of this kind; without it each page's is found" },
	{ .name = "model", .argument = "FILE", .help = "a model of dana train learned instead of the one built in" },
	{ .name = NULL },
};

static int set(void *state, const struct method_setting *setting)
{
	struct learned *x = state;
	if (method_setting_is(setting, "model")) {
		const struct slice name = setting->value;
		char path[4096];
		char *data = NULL;
		size_t len = 0;
		if (!x->env.files.read || name.len == 0 || name.len >= sizeof(path))
			return DANA_ECONFIG;
		memcpy(path, name.data, name.len);
		path[name.len] = '\0';
		int status = x->env.files.read(x->env.files.arg, path, &data, &len);
		if (status >= 0)
			status = use_model(x, slice_of(data, len));
		free(data);
		return status == DANA_ENOMEM ? status : status < 0 ? DANA_ECONFIG : DANA_OK;
	}
	if (method_setting_is(setting, "heading"))
		x->heading = setting->number == 1;
	else if (method_setting_is(setting, "kind"))
		x->classifier.forced = (enum page_kind)setting->number;
	else
		x->classifier.balance = decode_balance(x->recall = (uint32_t)setting->number);
	return DANA_OK;
}

static bool is_kept(const struct learned *x, uint32_t i)
{
	const enum verdict verdict = classifier_verdict(&x->classifier, i);
	const struct block *block = &x->blocks.block[i];
	return verdict_keeps(verdict) && (x->heading || block->tag != HTML_TAG_H1) &&
	       !page_parts_drops(x->env.parts, block->start, block->end);
}

/* Lists block `i`, whose text begins at `start` of the output and ends there, maybe with a line end. */
static int list_block(const struct learned *x, uint32_t i, size_t start, struct slice out)
{
	const struct dana_text_block block = { .start = start,
					       .len = out.len - start - (out.data[out.len - 1] == '\n'),
					       .tag = html_tag_name((enum html_tag)x->blocks.block[i].tag),
					       .probability = (float)x->classifier.chance[i] / 65536 };
	return block.len ? buf_append(x->env.blocks, &block, sizeof(block)) : DANA_OK;
}

static int finish(void *state, struct text_writer *out)
{
	struct learned *x = state;
	x->words_kept = 0;
	int status = blocks_finish(&x->blocks);
	if (status < 0)
		return status;
	if (x->blocks.n_blocks == 0)
		return METHOD_NO_REGION;
	struct block_trace trace = { .to = x->env.trace, .classifier = &x->classifier, .blocks = &x->blocks };
	if (x->env.trace)
		x->classifier.sink = (struct tile_sink){ block_trace_tile, &trace };
	x->classifier.site.shown = x->env.trace || x->env.spans;
	status = classifier_run(&x->classifier, &x->blocks);
	if (status == DANA_OK)
		status = work_add(x->env.work, x->classifier.aggregates.steps + x->classifier.alike.keys.steps,
				  x->env.work->bytes);
	x->classifier.sink = (struct tile_sink){ NULL, NULL };
	if (status == DANA_OK && x->env.trace)
		status = block_trace_tell(&trace, x->recall, x->heading);
	block_trace_free(&trace);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < x->blocks.n_blocks && x->env.spans && status == DANA_OK; i++) {
		const struct site_evidence *site = &x->classifier.site;
		const struct method_span span = { .from = x->blocks.block[i].start,
						  .to = x->blocks.block[i].end,
						  .site_pages = site->known ? site->pages[i] : 0,
						  .site_others = site->known ? site->page->others : 0,
						  .chance = x->classifier.chance[i],
						  .alone = classifier_alone(&x->classifier, i),
						  .fate = is_kept(x, i) ? SPAN_CHOSEN : SPAN_DROPPED };
		status = buf_append(x->env.spans, &span, sizeof(span));
	}
	const struct block *before = NULL; /* the last one with text */
	bool any = false;
	for (uint32_t i = 0; i < x->blocks.n_blocks && status == DANA_OK; i++) {
		const struct block *block = &x->blocks.block[i];
		if (!is_kept(x, i))
			continue;
		x->words_kept += x->classifier.words[i];
		bool joins;
		const uint32_t tabs = block_tables_tabs(&x->blocks, block, before, &joins);
		const size_t start = text_writer_cell(out, tabs, joins);
		any = true;
		status = block_write(&x->blocks, block, out);
		if (status == DANA_OK && out->out.len > start) {
			before = block;
			if (x->env.blocks)
				status = list_block(x, i, start, buf_slice(&out->out));
		}
		if (status == DANA_OK)
			status = blocks_write_after(&x->blocks, block, out);
	}
	out->truncated |= x->blocks.truncated;
	return status == DANA_OK && !any ? METHOD_NO_REGION : status;
}

static const char *page_kind(const void *state)
{
	const struct learned *x = state;
	return x->blocks.n_blocks ? page_kind_name(x->classifier.stage2_features.kind.kind) : NULL;
}

/*
 * The margin of a word is how far its block's chance is from the threshold, above or below. Its sum over all words
 * follows from sums that the decision has already made.
 */
static void decision(const void *state, struct page_decision *d)
{
	const struct learned *x = state;
	const struct decision *made = &x->classifier.decision;
	uint64_t words = 0;
	for (uint32_t i = 0; i < x->blocks.n_blocks; i++)
		words += x->classifier.words[i];
	const uint64_t above = made->hit - made->threshold * made->kept;
	const uint64_t below = made->threshold * (words - made->kept) - (made->mass - made->hit);
	d->words = words;
	d->kept = x->words_kept;
	d->margin = words ? (uint32_t)((above + below) / words) : 0;
}

static void destroy(void *state)
{
	struct learned *x = state;
	blocks_free(&x->blocks);
	classifier_free(&x->classifier);
	model_free(&x->model);
}

const struct method method_learned = {
	.name = "learned",
	.source = "this project, 2026",
	.memory = "text + 550 B a block",
	.summary = "boosted trees over blocks of text",
	.state_size = sizeof(struct learned),
	.init = init,
	.keys = keys,
	.set = set,
	.run = blocks_run,
	.tag = blocks_tag,
	.unit = blocks_unit,
	.finish = finish,
	.page_kind = page_kind,
	.decision = decision,
	.lists_spans = true,
	.drops = true,
	.reset = blocks_reset,
	.destroy = destroy,
};
