/* SPDX-License-Identifier: MIT */
/*
 * quality: drops pages by the rules of Gopher, C4 and FineWeb, or notes the measures that these rules compare.
 *
 * The groups of rules are applied in FineWeb's order: repetition, Gopher's quality, C4 (which removes lines from the
 * text), FineWeb. The first rule that a page breaks drops it, and the rejects name the rule.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dana/dana_plugin.h"
#include "plugins/quality/rules.h"
#include "plugins/quality/words.h"

const struct rule_row rule_rows[RULES] = {
#define RULE_ROW(identifier, group, name, option, key, standard, test, help) { GROUP_##group, name, option, key, test },
	RULE_LIST(RULE_ROW)
#undef RULE_ROW
};
const char *const rule_group_names[RULE_GROUPS] = { "repetition", "gopher", "c4", "fineweb" };

struct quality {
	const struct dana_host *host;
	bool groups[RULE_GROUPS], annotate;
	double limits[RULES]; /* negative: the rule is off */
	struct line_rules lines;
	int language; /* used if the page has no language */
	struct stop_words stops;
	struct phrases phrases;
	struct classes classes;
};

struct quality_worker {
	const struct quality *quality;
	struct scratch scratch;
	double measures[RULES];
	struct dana_view failed[RULES];
	size_t n_failed;
};

/* clang-format off */
static const struct dana_option quality_options[] = {
	{ "rules", DANA_LIST, "NAME,...", "repetition,gopher,c4,fineweb",
		"groups of rules to apply; a negative limit switches off one rule", 0, 0 },
	{ "annotate", DANA_BOOLEAN, NULL, "0",
		"keep every page and its text, and write the measures into JSONL", 0, 0 },
	{ "language", DANA_STRING, "TAG", NULL,
		"language of pages for which no plugin before this one found one", 0, 0 },
	{ "line-words", DANA_INTEGER, NULL, "3", "c4: take out lines with fewer words; negative: off", -1, 1e6 },
	{ "line-word-chars", DANA_INTEGER, NULL, "1000",
		"c4: take out lines with a longer word; negative: off", -1, 1e6 },
	{ "line-punctuation", DANA_BOOLEAN, NULL, "0", "c4: take out lines that do not end a sentence", 0, 0 },
	{ "line-javascript", DANA_BOOLEAN, NULL, "1", "c4: take out lines with the word JavaScript", 0, 0 },
	{ "line-policy", DANA_BOOLEAN, NULL, "1", "c4: take out lines about cookies and terms of use", 0, 0 },
	{ "citations", DANA_BOOLEAN, NULL, "1", "c4: take out [12], [edit] and [citation needed]", 0, 0 },
#define RULE_OPTION(identifier, group, name, option, key, standard, test, help) \
	{ option, DANA_NUMBER, NULL, standard, help, -1, 1e9 },
	RULE_LIST(RULE_OPTION)
#undef RULE_OPTION
	{ 0 },
};
static int read_options(struct quality *q, struct dana_context *c)
{
	const struct dana_host *host = q->host;
	q->annotate = host->option_boolean(c, "annotate");
	q->lines = (struct line_rules){
		.punctuation = host->option_boolean(c, "line-punctuation"),
		.javascript = host->option_boolean(c, "line-javascript"),
		.policy = host->option_boolean(c, "line-policy"),
		.citations = host->option_boolean(c, "citations"),
		.min_words = (long)host->option_integer(c, "line-words"),
		.max_word = (long)host->option_integer(c, "line-word-chars"),
	};
	for (int i = 0; i < RULES; i++)
		q->limits[i] = host->option_number(c, rule_rows[i].option);
	q->lines.sentences = q->annotate ? INFINITY : q->limits[RULE_SENTENCES];
	stop_words_init(&q->stops);
	classes_init(&q->classes);
	phrases_init(&q->phrases);
	q->lines.phrases = &q->phrases;
	const char *language = host->option_text(c, "language");
	q->language = language ? stop_language(language, strlen(language)) : STOP_ANY;
	if (q->language == STOP_NONE)
		return host->fail(c, "language: no stop words of \"%s\"; doc/QUALITY.md lists the languages", language);
	struct dana_view item;
	for (size_t i = 0; (item = q->host->option_item(c, "rules", i)).data; i++) {
		int group = 0;
		while (group < RULE_GROUPS && (strlen(rule_group_names[group]) != item.len ||
					       memcmp(rule_group_names[group], item.data, item.len) != 0))
			group++;
		if (group == RULE_GROUPS)
			return q->host->fail(
				c,
				"rules: \"%.*s\" is not a group of rules; expected repetition, gopher, c4 or fineweb",
				(int)item.len, item.data);
		q->groups[group] = true;
	}
	return 0;
}

static int quality_load(void **shared, const struct dana_host *host, struct dana_context *c)
{
	struct quality *q = calloc(1, sizeof(*q));
	if (!q)
		return host->fail(c, "out of memory");
	q->host = host;
	int status = read_options(q, c);
	if (status) {
		free(q);
		return status;
	}
	*shared = q;
	return 0;
}

static int quality_open(void **instance, void *shared, const struct dana_host *host, struct dana_context *c)
{
	struct quality_worker *w = calloc(1, sizeof(*w));
	if (!w)
		return host->fail(c, "out of memory");
	w->quality = shared;
	w->scratch.words.classes = &w->quality->classes;
	*instance = w;
	return 0;
}

/** Notes the rules of the group that the page breaks. Returns true if there are any and the page is to be dropped. */
static bool broken(struct quality_worker *w, enum rule_group group)
{
	const struct quality *q = w->quality;
	for (int i = 0; i < RULES; i++) {
		const enum rule_test test = rule_rows[i].test;
		const double measure = w->measures[i], limit = q->limits[i];
		const bool breaks = test == IF_BELOW     ? measure < limit
				    : test == IF_ABOVE   ? measure > limit
				    : test == IF_AT_MOST ? measure <= limit
							 : measure >= limit;
		if (rule_rows[i].group == group && limit >= 0 && !isnan(measure) && breaks)
			w->failed[w->n_failed++] = (struct dana_view){ rule_rows[i].name, strlen(rule_rows[i].name) };
}
	return w->n_failed && !q->annotate;
}

static int measure(struct quality_worker *w, enum rule_group group, struct text *text)
{
	struct scratch *s = &w->scratch;
	switch (group) {
	case GROUP_REPETITION:
		return repetition_measure(s, *text, w->quality->annotate ? NULL : w->quality->limits, w->measures);
	case GROUP_GOPHER:
		return gopher_measure(s, *text, w->quality->annotate ? INFINITY : w->quality->limits[RULE_STOP_WORDS],
				      w->measures);
	case GROUP_C4:
		return c4_lines(s, text, &w->quality->lines, w->measures);
	default:
		return fineweb_measure(s, *text, w->measures);
	}
}

static int annotate(struct quality_worker *w, struct dana_page *p)
{
	const struct dana_host *host = w->quality->host;
	int status = 0;
	for (int i = 0; i < RULES && !status; i++)
		if (rule_rows[i].key && w->quality->groups[rule_rows[i].group])
			status = host->put_number(p, rule_rows[i].key, w->measures[i]);
	return status ? status : host->put_list(p, "failed", w->failed, w->n_failed);
}

static int quality_page(void *instance, struct dana_page *p)
{
	struct quality_worker *w = instance;
	const struct quality *q = w->quality;
	struct dana_view view = q->host->text(p);
	struct text text = { view.data, view.len };
	w->n_failed = 0;
	w->scratch.lines.text.data = NULL;
	for (int i = 0; i < RULES; i++)
		w->measures[i] = NAN;
	const struct dana_view tag = q->host->text_item(p, DANA_LANGUAGE);
	stop_count_begin(&w->scratch.stops, &q->stops, tag.len ? stop_language(tag.data, tag.len) : q->language);
	if (!words_split(&w->scratch.words, text.data, text.len))
		return q->host->page_fail(p, "out of memory");
	for (int group = 0; group < RULE_GROUPS; group++) {
		if (!q->groups[group])
			continue;
		if (measure(w, (enum rule_group)group, &text))
			return q->host->page_fail(p, "out of memory");
		if (broken(w, (enum rule_group)group))
			return q->host->drop(p, w->failed[0].data);
	}
	if (q->annotate)
		return annotate(w, p);
	if (text.data != view.data && (text.len != view.len || memcmp(text.data, view.data, text.len) != 0))
		return q->host->set_text(p, (struct dana_view){ text.data, text.len });
	return DANA_KEEP;
}

static void quality_close(void *instance)
{
	struct quality_worker *w = instance;
	if (w)
		scratch_free(&w->scratch);
	free(w);
}

DANA_PLUGIN(quality) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "quality",
	.version = "1",
	.help = "drops pages by the rules of Gopher, C4 and FineWeb",
	.options = quality_options,
	.load = quality_load,
	.open = quality_open,
	.page = quality_page,
	.close = quality_close,
	.unload = free,
};
