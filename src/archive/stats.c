/* SPDX-License-Identifier: MIT */
/* Counters of one pipeline, added up over all, and their two forms: the JSON of --stats and the lines of --rejects. */
#include "archive/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/json.h"
#include "base/status.h"

/* "plugin:" and the name of a plugin. */
#define PLUGIN_REASON "plugin:"

enum { REASON = 256, REPORT_DECIMALS = 9 };

static void count_method(struct stats *s, const char *name, uint64_t count)
{
	size_t i = 0;
	while (i < STATS_METHODS - 1 && s->methods[i].name && strcmp(s->methods[i].name, name) != 0)
		i++;
	s->methods[i].name = name;
	s->methods[i].count += count;
}

void stats_outcome(struct stats *s, const struct outcome *outcome)
{
	s->records++;
	if (outcome->kind != OUTCOME_DAMAGED) {
		/* what plugins counted at the record, whatever became of it */
		const struct plugin_marks *marks = &outcome->marks;
		for (unsigned i = 0; marks->counts && s->plugins && i < s->plugins->n_counters; i++)
			s->plugin_counts[i] += marks->counts[i];
		if (outcome->kind == OUTCOME_SKIPPED && outcome->skipped == SKIP_PLUGIN)
			s->plugin_skipped[marks->plugin]++;
	}
	if (outcome->kind == OUTCOME_SKIPPED) {
		s->skipped[outcome->skipped]++;
		return;
	}
	if (outcome->kind == OUTCOME_DAMAGED) {
		s->damaged[outcome->damage->reason]++;
		return;
	}
	const struct document *doc = outcome->document;
	s->documents++;
	s->text_chars += doc->text_chars;
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++)
		s->problems[bit] += doc->problems >> bit & 1;
	if (doc->method)
		count_method(s, doc->method, 1);
}

void stats_add_change(struct stats *to, const struct stats *before, const struct stats *now)
{
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		uint64_t *sum = (void *)((char *)to + row->offset);
		for (size_t i = 0; i < row->size / sizeof(*sum); i++)
			sum[i] += stats_counter(now, row)[i] - stats_counter(before, row)[i];
	}
	if (now->plugins)
		to->plugins = now->plugins;
}

void stats_add(struct stats *to, const struct stats *from)
{
	static const struct stats none;
	stats_add_change(to, &none, from);
	for (size_t i = 0; i < STATS_METHODS && from->methods[i].name; i++)
		count_method(to, from->methods[i].name, from->methods[i].count);
}

static uint64_t sum(const uint64_t *counts, size_t n)
{
	uint64_t all = 0;
	for (size_t i = 0; i < n; i++)
		all += counts[i];
	return all;
}

uint64_t stats_skipped(const struct stats *s)
{
	return sum(s->skipped, SKIP_REASONS);
}

uint64_t stats_damaged(const struct stats *s)
{
	return sum(s->damaged, DAMAGE_REASONS);
}

uint64_t stats_faults(const struct stats *s)
{
	return stats_damaged(s) + s->problems[PROBLEM_NUMBER_BAD_LENGTH];
}

static const char *skip_name(unsigned i)
{
	return skip_word((enum skip_reason)i);
}

static const char *damage_name(unsigned i)
{
	return damage_word((enum damage_reason)i);
}

/* The words that occurred, with their counts. */
static void put_words(struct json_writer *w, const char *name, const uint64_t *counts, unsigned n,
		      const char *(*word)(unsigned))
{
	json_key(w, name);
	json_object_begin(w);
	for (unsigned i = 0; i < n; i++) {
		if (counts[i])
			json_count(w, word(i), counts[i]);
	}
	json_object_end(w);
}

/* The method whose name follows `after` in the order of names; NULL. The order of first use would depend on -J. */
static const struct stats_method *next_method(const struct stats *s, const char *after)
{
	const struct stats_method *next = NULL;
	for (size_t i = 0; i < STATS_METHODS && s->methods[i].name; i++) {
		const struct stats_method *m = &s->methods[i];
		if ((!after || strcmp(m->name, after) > 0) && (!next || strcmp(m->name, next->name) < 0))
			next = m;
	}
	return next;
}

/* The reasons of skipped records; a plugin's have the name "plugin:NAME". */
static void put_skipped(struct json_writer *w, const struct stats *s)
{
	char name[REASON];
	json_key(w, "skipped");
	json_object_begin(w);
	for (unsigned i = 0; i < SKIP_REASONS; i++) {
		if (s->skipped[i] && (i != SKIP_PLUGIN || !s->plugins))
			json_count(w, skip_name(i), s->skipped[i]);
	}
	for (unsigned i = 0; s->plugins && i < s->plugins->n_plugins; i++) {
		(void)snprintf(name, sizeof(name), PLUGIN_REASON "%s", s->plugins->plugin[i]);
		if (s->plugin_skipped[i])
			json_count(w, name, s->plugin_skipped[i]);
	}
	json_object_end(w);
}

/* What one plugin has counted and reported; nothing of one that does neither. */
static void put_plugin(struct json_writer *w, const struct stats *s, unsigned plugin)
{
	const struct plugin_names *names = s->plugins;
	bool any = false;
	for (unsigned i = 0; i < names->n_counters; i++) {
		if (names->counter[i].plugin != plugin)
			continue;
		if (!any)
			json_key(w, names->plugin[plugin]), json_object_begin(w);
		json_count(w, names->counter[i].name, s->plugin_counts[i]);
		any = true;
	}
	for (unsigned i = 0; i < names->n_reports; i++) {
		if (names->report[i].plugin != plugin || !isfinite(names->report[i].value))
			continue;
		if (!any)
			json_key(w, names->plugin[plugin]), json_object_begin(w);
		json_decimal(w, names->report[i].name, names->report[i].value, REPORT_DECIMALS);
		any = true;
	}
	if (any)
		json_object_end(w);
}

/* What made the texts; and of plugins, where any counts or reports. */
static void put_plugins(struct json_writer *w, const struct stats *s)
{
	json_key(w, "methods");
	json_object_begin(w);
	for (const struct stats_method *m = next_method(s, NULL); m; m = next_method(s, m->name))
		json_count(w, m->name, m->count);
	json_object_end(w);
	if (!s->plugins || (s->plugins->n_counters == 0 && s->plugins->n_reports == 0))
		return;
	json_key(w, "plugins");
	json_object_begin(w);
	for (unsigned i = 0; i < s->plugins->n_plugins; i++)
		put_plugin(w, s, i);
	json_object_end(w);
}

static void put_damaged(struct json_writer *w, const struct stats *s)
{
	put_words(w, "damaged", s->damaged, DAMAGE_REASONS, damage_name);
}

static void put_problems(struct json_writer *w, const struct stats *s)
{
	put_words(w, "problems", s->problems, PROBLEM_WORDS, problem_word);
}

/* The reason is in the list of skipped records. */
static void put_nothing(struct json_writer *w, const struct stats *s)
{
	(void)w;
	(void)s;
}

#define ROW(member) \
	.name = #member, .offset = offsetof(struct stats, member), .size = sizeof(((struct stats *)NULL)->member)

/* clang-format off */
const struct stats_row stats_rows[STATS_ROWS] = {
	{ ROW(inputs), .metric = "inputs_total", .help = "Inputs that could be opened." },
	{ ROW(bytes_in), .metric = "input_bytes_total", .help = "Bytes of them that were read." },
	{ ROW(bytes_decoded), .metric = "decoded_bytes_total", .help = "The same after the compression of archives." },
	{ ROW(records), .metric = "records_total", .help = "Records: documents, skipped and damaged ones." },
	{ ROW(documents), .metric = "documents_total", .help = "Documents that were written." },
	{ ROW(skipped), .is_object = true, .put = put_skipped, .word = skip_name,
	  .metric = "skipped_records_total", .help = "Records that were skipped, by reason." },
	{ ROW(damaged), .is_object = true, .put = put_damaged, .word = damage_name,
	  .metric = "damaged_records_total", .help = "Records that were damaged, by reason." },
	{ ROW(problems), .is_object = true, .put = put_problems },
	{ ROW(bytes_out), .metric = "output_bytes_total", .help = "Bytes of complete outputs." },
	{ ROW(text_chars), .metric = "text_chars_total", .help = "Characters of the texts of documents." },
	{ ROW(plugin_skipped), .put = put_nothing },
	{ ROW(plugin_counts), .put = put_plugins },
	{ ROW(http_requests), .metric = "http_requests_total", .help = "Requests to servers." },
	{ ROW(http_retries), .metric = "http_retries_total", .help = "Requests made again after one that failed." },
	{ ROW(bytes_fetched), .metric = "fetched_bytes_total", .help = "Bytes of the bodies of replies." },
};
/* clang-format on */

int stats_json(const struct stats *s, struct slice done, struct slice report, struct buf *out)
{
	struct json_writer w = { .out = out };
	char shard[64];
	json_object_begin(&w);
	for (const struct stats_row *row = stats_rows; row < stats_rows + STATS_ROWS; row++) {
		if (row->put)
			row->put(&w, s);
		else
			json_count(&w, row->name, *stats_counter(s, row));
	}
	if (s->missing)
		json_count(&w, "missing", s->missing);
	if (s->shards) { /* as --shard has it */
		(void)snprintf(shard, sizeof(shard), "%" PRIu64 "/%" PRIu64, s->shard, s->shards);
		json_text(&w, "shard", slice_from_text(shard));
	}
	if (done.len)
		json_raw(&w, "done", done);
	if (report.len)
		json_raw(&w, "report", report);
	if (s->peak_rss_bytes) {
		json_decimal(&w, "seconds", s->seconds, 3);
		json_decimal(&w, "cpu_seconds", s->cpu_seconds, 3);
		json_count(&w, "peak_rss_bytes", s->peak_rss_bytes);
	}
	json_object_end(&w);
	return buf_append_byte(out, '\n');
}

int stats_reason(const struct outcome *outcome, const struct plugin_names *plugins, struct buf *out)
{
	const struct plugin_marks *marks = &outcome->marks;
	if (outcome->kind == OUTCOME_DAMAGED)
		buf_append_text(out, damage_word(outcome->damage->reason));
	else if (outcome->kind == OUTCOME_DOCUMENT)
		buf_append_text(out, problem_word(outcome->document->problems & PROBLEM_BAD_LENGTH
							  ? PROBLEM_NUMBER_BAD_LENGTH
							  : PROBLEM_NUMBER_TRUNCATED_SOURCE));
	else if (outcome->skipped == SKIP_PLUGIN && plugins && marks->plugin < plugins->n_plugins)
		buf_printf(out, PLUGIN_REASON "%s", plugins->plugin[marks->plugin]);
	else
		buf_append_text(out, skip_word(outcome->skipped));
	return buf_append_byte(out, 0);
}

/* Is it a document whose record lacks segments? Of one with a wrong length nothing is missing. */
static bool lacks_segments(const struct outcome *outcome)
{
	return outcome->detail.len && !(outcome->document->problems & PROBLEM_BAD_LENGTH);
}

int rejects_line(const struct outcome *outcome, const char *file, const struct plugin_names *plugins, struct buf *out)
{
	bool damaged = outcome->kind == OUTCOME_DAMAGED;
	struct json_writer w = { .out = out };
	const bool skipped = outcome->kind == OUTCOME_SKIPPED;
	if ((skipped && outcome->skipped == SKIP_TYPE) ||
	    (outcome->kind == OUTCOME_DOCUMENT && !lacks_segments(outcome)))
		return DANA_OK;
	const bool by_plugin = skipped && outcome->skipped == SKIP_PLUGIN;
	json_object_begin(&w);
	json_text_or_null(&w, "id", outcome->id);
	json_text_or_null(&w, "url", outcome->uri);
	json_text(&w, "file", slice_from_text(file));
	json_count(&w, "offset", outcome->offset);
	struct buf reason = { 0 };
	buf_latch(w.out, stats_reason(outcome, plugins, &reason));
	if (reason.len)
		json_text(&w, "reason", slice_of(reason.data, reason.len - 1));
	buf_free(&reason);
	json_text_or_null(&w, "detail", damaged ? slice_from_text(outcome->damage->detail) : outcome->detail);
	if (by_plugin)
		buf_append(out, outcome->marks.members.data, outcome->marks.members.len);
	json_object_end(&w);
	return buf_append_byte(out, '\n');
}
