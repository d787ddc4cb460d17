/* SPDX-License-Identifier: MIT */
/*
 * Records what a method reports about one page, and makes of it the blocks that `dana explain` shows.
 *
 * Each call of the trace appends to a list; calls that do not fit earlier ones (a region beyond the last segment, a
 * reason before the first block) are ignored. Then segments become blocks by region: of ten segments (0 to 9) with one
 * region from 3 to 6, three blocks are made: 0 to 2 dropped, 3 to 6 kept, 7 to 9 dropped.
 *
 * Finally all blocks are compared with the method's text, word by word, which shows what of the page is kept if the
 * method reported no blocks; and then the kept ones, which shows each line's block. Example: of the kept blocks "a b"
 * and "c d" and the lines "a b c" and "d", the first line belongs to the first block, the second one to the second.
 */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/status.h"
#include "extract/extractor.h"
#include "extract/method.h"
#include "extract/text_writer.h"
#include "lab/measure.h"
#include "lab/report.h"

/* ---- the trace ---- */

/* Makes room for one more item. Returns false if memory is or was exhausted, which the status records. */
static bool make_room(struct recording *r, const struct grow_array *items, size_t len, size_t *cap)
{
	if (r->status == DANA_OK)
		r->status = grow_arrays(items, 1, len + 1, cap);
	return r->status == DANA_OK;
}

/* Appends an item to a list. */
#define ADD(r, list, ...) \
	(make_room((r), &(const struct grow_array)GROW_ARRAY((r)->list), (r)->n_##list, &(r)->cap_##list) \
		 ? (void)((r)->list[(r)->n_##list++] = __VA_ARGS__) \
		 : (void)0)

static struct text_span keep(struct recording *r, struct slice text)
{
	const size_t from = r->texts.len;
	if (buf_append(&r->texts, text.data, text.len) < 0)
		r->status = DANA_ENOMEM;
	return (struct text_span){ from, r->texts.len };
}

/* Keeps source text as a reader sees it. */
static struct text_span keep_source(struct recording *r, struct slice source)
{
	struct text_writer w = { 0 };
	text_writer_reset(&w, 0);
	if (text_writer_kept(&w, source) < 0 || text_writer_finish(&w) < 0)
		r->status = DANA_ENOMEM;
	struct text_span span = keep(r, buf_slice(&w.out));
	text_writer_free(&w);
	return span;
}

static void on_segment(void *arg, uint64_t index, double content, double code, struct slice text)
{
	struct recording *r = arg;
	if (index == r->n_segments)
		ADD(r, segments, (struct recorded_segment){ content, code, NAN, keep(r, text) });
}

static void on_smoothed(void *arg, uint64_t index, double value, bool positive)
{
	struct recording *r = arg;
	(void)positive;
	if (index < r->n_segments)
		r->segments[index].smoothed = value;
}

static void on_region(void *arg, uint64_t first, uint64_t last, double weight, uint64_t chain)
{
	struct recording *r = arg;
	if (first <= last && last < r->n_segments)
		ADD(r, regions, (struct region){ first, last, weight, chain, false });
}

static void on_chosen(void *arg, uint64_t chain)
{
	struct recording *r = arg;
	for (size_t i = 0; i < r->n_regions; i++)
		r->regions[i].chosen |= r->regions[i].chain == chain;
}

static void on_block(void *arg, struct slice text, bool kept, double score, const char *reason, const char *numbers)
{
	struct recording *r = arg;
	struct block_record block = { .kept = kept, .has_score = true, .score = score };
	block.text = keep_source(r, text);
	block.numbers = keep(r, slice_from_text(numbers ? numbers : ""));
	block.reason = keep(r, slice_from_text(reason ? reason : ""));
	ADD(r, blocks, block);
}

static struct block_record *last_block(struct recording *r)
{
	return r->status < 0 || r->n_blocks == 0 ? NULL : &r->blocks[r->n_blocks - 1];
}

static void on_chances(void *arg, uint32_t words, double first, double second)
{
	struct block_record *b = last_block(arg);
	if (!b)
		return;
	b->has_chances = true;
	b->words = words;
	b->chance[0] = first;
	b->chance[1] = second;
}

static void on_reason(void *arg, int stage, const char *words, double log_odds)
{
	struct recording *r = arg;
	struct block_record *b = last_block(r);
	if (!b)
		return;
	b->reasons.from = b->reasons.to ? b->reasons.from : r->texts.len;
	buf_printf(&r->texts, "[%d,", stage);
	json_put_string(&r->texts, slice_from_text(words));
	r->status = buf_printf(&r->texts, ",%.4f],", log_odds);
	b->reasons.to = r->texts.len;
}

static void on_number(void *arg, const char *name, double value)
{
	struct recording *r = arg;
	ADD(r, numbers, (struct page_number){ name, value });
}

struct trace *recording_trace(struct recording *r)
{
	r->trace = (struct trace){ r,        on_segment, on_smoothed, on_region, on_chosen,
				   on_block, on_chances, on_reason,   on_number };
	return &r->trace;
}

static int run_page(struct dana_extractor *x, struct slice html, struct slice url, struct dana_text *text)
{
	int status = url.len ? dana_page_url(x, (const char *)url.data, url.len) : 0;
	if (status >= 0)
		status = dana_feed(x, html.data, html.len);
	return status < 0 ? status : dana_finish(x, text);
}

/*
 * `auto` chooses in the middle of the page, too late to trace it: so the page is read once more by what it chose, with
 * its keys. "auto:gap=40,share=30" becomes "danag:gap=40" where that is danag; `share` is a key of `auto` itself.
 */
int recording_make(struct recording *r, const struct dana_options *options, const struct site_source *site,
		   struct slice html, struct slice url)
{
	struct dana_options chosen = *options;
	const char *keys = options->method + strcspn(options->method, ":");
	struct buf spec = { 0 };
	int status = 0;
	*r = (struct recording){ 0 };
	if (strncmp(options->method, "auto", (size_t)(keys - options->method)) == 0) {
		struct dana_extractor *x = NULL;
		status = dana_new(&x, options);
		if (status >= 0)
			status = run_page(x, html, url, &r->text);
		if (status >= 0)
			status = buf_append_text(&spec, r->text.method);
		for (char mark = ':'; *keys && status >= 0;) {
			size_t len = strcspn(++keys, ",");
			if (strncmp(keys, "share=", 6) != 0) {
				status = buf_printf(&spec, "%c%.*s", mark, (int)len, keys);
				mark = ',';
			}
			keys += len;
		}
		dana_free(x);
		if (status >= 0)
			status = buf_append_byte(&spec, 0);
		chosen.method = (const char *)spec.data;
	}
	if (status >= 0)
		status = extractor_new(&r->extractor, &chosen, NULL, recording_trace(r));
	if (status >= 0) {
		dana_site_source(r->extractor, site);
		status = run_page(r->extractor, html, url, &r->text);
	}
	buf_free(&spec);
	return status < 0 ? status : r->status;
}

void recording_free(struct recording *r)
{
	dana_free(r->extractor);
	buf_free(&r->texts);
	free(r->segments);
	free(r->regions);
	free(r->blocks);
	free(r->numbers);
}

double recording_number(const struct recording *r, const char *name, double other)
{
	for (size_t i = 0; i < r->n_numbers; i++) {
		if (strcmp(r->numbers[i].name, name) == 0)
			return r->numbers[i].value;
	}
	return other;
}

const struct method_words *recording_words(const struct recording *r)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(r->text.method ? r->text.method : ""), &keys);
	return m && m->words ? m->words : &method_words_default;
}

/* ---- two texts ---- */

/* Above this many pairs of tokens (260,000 times 260,000) their order no longer counts. */
static const uint64_t PAIRS_MOST = (uint64_t)1 << 36;

struct slice parts_next_line(struct slice *text)
{
	struct slice line = slice_first(*text, slice_until(*text, "\n"));
	*text = slice_skip(*text, line.len + 1);
	return line;
}

struct compared_part *parts_of_lines(struct slice text, size_t *n)
{
	size_t lines = 1;
	for (size_t i = 0; i < text.len; i++)
		lines += text.data[i] == '\n';
	struct compared_part *parts = calloc(lines, sizeof(*parts));
	for (*n = 0; parts && text.len;)
		parts[(*n)++].text = parts_next_line(&text);
	return parts;
}

static int add_tokens(struct tokens *tokens, struct token_table *table, struct compared_part *parts, size_t n)
{
	int status = DANA_OK;
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		const size_t before = tokens->len;
		status = tokens_append(tokens, table, parts[i].text);
		parts[i] = (struct compared_part){ parts[i].text, tokens->len - before, 0, PART_NONE };
	}
	return status;
}

/* Marks each token of `from` for which `in` has an equal one left. */
static int mark_anywhere(const struct tokens *from, const struct tokens *in, uint32_t ids, uint8_t *common)
{
	size_t *left = calloc((size_t)ids + 1, sizeof(*left));
	if (!left)
		return DANA_ENOMEM;
	for (size_t i = 0; i < in->len; i++)
		left[in->ids[i]]++;
	for (size_t i = 0; i < from->len; i++) {
		common[i] = left[from->ids[i]] > 0;
		left[from->ids[i]] -= common[i];
	}
	free(left);
	return DANA_OK;
}

/* Counts the common tokens of each part. `part_of` gets the part of each of them, in their order. */
static void count_common(struct compared_part *parts, size_t n, const uint8_t *common, size_t *part_of)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < parts[i].tokens; k++) {
			parts[i].common += *common;
			*part_of = i;
			part_of += *common++;
		}
	}
}

int parts_compare(struct compared_part *a, size_t n_a, struct compared_part *b, size_t n_b)
{
	struct token_table *table = token_table_new();
	struct tokens ta = { 0 }, tb = { 0 };
	int status = table ? add_tokens(&ta, table, a, n_a) : DANA_ENOMEM;
	if (status == DANA_OK)
		status = add_tokens(&tb, table, b, n_b);
	size_t same = 0; /* the common beginning costs nothing */
	while (same < ta.len && same < tb.len && ta.ids[same] == tb.ids[same])
		same++;
	const bool ordered = tb.len == same || ta.len - same <= PAIRS_MOST / (tb.len - same);
	uint32_t ids = table ? token_table_count(table) : 0;
	uint8_t *on_a = calloc(ta.len + 1, 1), *on_b = calloc(tb.len + 1, 1);
	size_t *part_of = calloc((ta.len > tb.len ? ta.len : tb.len) + 1, sizeof(*part_of)), length;
	if (!on_a || !on_b || !part_of)
		status = DANA_ENOMEM;
	if (status == DANA_OK)
		status = ordered ? lcs_marks(&ta, &tb, ids, on_a, on_b, &length) : mark_anywhere(&ta, &tb, ids, on_a);
	if (status == DANA_OK && !ordered)
		status = mark_anywhere(&tb, &ta, ids, on_b);
	if (status == DANA_OK) {
		count_common(b, n_b, on_b, part_of);
		count_common(a, n_a, on_a, part_of);
		/* the n-th common tokens of both are the same */
		for (size_t i = 0, at = 0; ordered && i < n_b; at += b[i++].common)
			b[i].other = b[i].common ? part_of[at] : PART_NONE;
	}
	free(part_of);
	free(on_a);
	free(on_b);
	tokens_free(&ta);
	tokens_free(&tb);
	token_table_free(table);
	return status;
}

/* ---- the blocks of the page ---- */

/* Adds the segments from first to last, which are in no region. `gap`: they are between regions of the chosen chain. */
static void add_outside(struct recording *r, const struct method_words *words, uint64_t first, uint64_t last, bool gap)
{
	struct block_record block = { .has_segments = true, .first = first, .last = last };
	double content = 0, code = 0, top = -HUGE_VAL;
	for (const struct recorded_segment *s = r->segments + first; s <= r->segments + last; s++) {
		content += s->content;
		code += s->code;
		top = fmax(top, isnan(s->smoothed) ? 0 : s->smoothed);
	}
	struct text_span source = { r->segments[first].source.from, r->segments[last].source.to };
	block.kept = gap && recording_number(r, "gap-fill", 0) > 0;
	block.text = keep_source(r, recording_span(r, source));
	block.reason = keep(r, slice_from_text(gap ? words->gap : words->none));
	block.numbers.from = r->texts.len;
	buf_printf(&r->texts, "%s=%.6g %s=%.6g smoothed<=%.6g", words->above_name, content, words->below_name, code,
		   top);
	block.numbers.to = r->texts.len;
	ADD(r, blocks, block);
}

/* Drops blocks that are not in the text, and gives a reason to each one without: these are lines of the page. */
static int check_kept(struct recording *r, struct slice output)
{
	struct compared_part all = { .text = output }, *parts = calloc(r->n_blocks + 1, sizeof(*parts));
	for (size_t i = 0; parts && i < r->n_blocks; i++)
		parts[i].text = recording_span(r, r->blocks[i].text);
	int status = parts ? parts_compare(parts, r->n_blocks, &all, 1) : DANA_ENOMEM;
	for (size_t i = 0; i < r->n_blocks && status == DANA_OK; i++) {
		struct block_record *k = &r->blocks[i];
		bool kept = parts[i].tokens && 2 * parts[i].common >= parts[i].tokens;
		k->kept = k->kept && kept;
		if (k->reason.to)
			continue;
		k->reason =
			keep(r, slice_from_text(kept ? "in the text of the method" : "not in the text of the method"));
		k->numbers.from = r->texts.len;
		buf_printf(&r->texts, "tokens=%zu found=%zu", parts[i].tokens, parts[i].common);
		k->numbers.to = r->texts.len;
	}
	free(parts);
	return status;
}

/*
 * Gives each line to the kept block that has its first word. Lines never go back to an earlier block, so the lines of
 * each block are contiguous. A line without common tokens belongs to the block of the line before it. *exact: the kept
 * blocks and the text have the same words.
 */
static int place_lines(struct recording *r, struct slice output, bool *exact)
{
	size_t n, n_kept = 0, at = 0, words = 0, common = 0;
	struct compared_part *lines = parts_of_lines(output, &n), *parts = calloc(r->n_blocks + 1, sizeof(*parts));
	size_t *kept = calloc(r->n_blocks + 1, sizeof(*kept));
	for (size_t i = 0; parts && kept && i < r->n_blocks; i++) {
		r->blocks[i].out = (struct text_span){ 0, 0 };
		if (!r->blocks[i].kept)
			continue;
		parts[n_kept].text = recording_span(r, r->blocks[i].text);
		kept[n_kept++] = i;
	}
	int status = lines && parts && kept ? parts_compare(parts, n_kept, lines, n) : DANA_ENOMEM;
	for (size_t i = 0; i < n_kept && status == DANA_OK; i++)
		words += parts[i].tokens;
	for (size_t i = 0; i < n && status == DANA_OK; i++) {
		common += lines[i].common;
		words += lines[i].tokens;
		if (n_kept == 0)
			continue;
		size_t from = (size_t)(lines[i].text.data - output.data);
		at = lines[i].other != PART_NONE && lines[i].other > at ? lines[i].other : at;
		struct text_span *out = &r->blocks[kept[at]].out;
		*out = (struct text_span){ out->to ? out->from : from, from + lines[i].text.len };
	}
	*exact = words == 2 * common;
	free(lines);
	free(parts);
	free(kept);
	return status;
}

int recording_decide(struct recording *r, struct slice visible)
{
	const struct slice output = slice_of(r->text.data, r->text.len);
	const bool regions = r->n_segments && (r->n_regions || !r->n_blocks), lines = !regions && r->n_blocks == 0;
	bool exact;
	if (regions) {
		/* regions come in the order of the page. If the method reported a block for each, it has more than its
		 * segments. */
		const struct method_words *words = recording_words(r);
		struct block_record *told = r->blocks;
		bool each = r->n_blocks == r->n_regions;
		uint64_t next = 0;
		r->blocks = NULL;
		r->n_blocks = r->cap_blocks = 0;
		for (size_t i = 0; i < r->n_regions; i++) {
			const struct region *region = &r->regions[i], *before = i ? region - 1 : region;
			if (region->first < next)
				continue;
			if (region->first > next)
				add_outside(r, words, next, region->first - 1,
					    i && before->chosen && region->chosen && before->chain == region->chain);
			struct block_record block = { .kept = region->chosen,
						      .has_segments = true,
						      .first = region->first,
						      .last = region->last,
						      .has_score = true,
						      .score = each ? told[i].score : region->weight };
			struct text_span source = { r->segments[region->first].source.from,
						    r->segments[region->last].source.to };
			block.text = each ? told[i].text : keep_source(r, recording_span(r, source));
			block.reason = keep(r, slice_from_text(region->chosen ? words->kept : words->other));
			block.numbers.from = r->texts.len;
			buf_printf(&r->texts, "weight=%.6g chain=%llu", region->weight,
				   (unsigned long long)region->chain);
			block.numbers = each ? told[i].numbers : (struct text_span){ block.numbers.from, r->texts.len };
			ADD(r, blocks, block);
			next = region->last + 1;
		}
		if (next < r->n_segments)
			add_outside(r, words, next, r->n_segments - 1, false);
		free(told);
	}
	while (lines && visible.len) {
		struct block_record line = { .kept = true }; /* check_kept may drop it, and gives it a reason */
		line.text = keep(r, parts_next_line(&visible));
		ADD(r, blocks, line);
	}
	if (buf_status(&r->texts) < 0)
		r->status = DANA_ENOMEM;
	if (r->status == DANA_OK)
		r->status = place_lines(r, output, &exact);
	if (r->status == DANA_OK && !regions && (lines || !exact)) {
		r->status = check_kept(r, output);
		if (r->status == DANA_OK)
			r->status = place_lines(r, output, &exact);
	}
	size_t placed = 0;
	for (size_t i = 0; i < r->n_blocks; i++)
		placed += r->blocks[i].kept;
	if (output.len && placed == 0 && r->status == DANA_OK) {
		struct block_record all = { .kept = true, .out = { 0, output.len } };
		all.reason = keep(r, slice_from_text("in the text of the method"));
		ADD(r, blocks, all);
	}
	return r->status;
}
