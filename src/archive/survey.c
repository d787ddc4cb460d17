/* SPDX-License-Identifier: MIT */
/*
 * The parts of a survey from the bottom up: struct tally counts words, struct sample_list keeps records, struct survey
 * has some of both; at the end its form in JSON.
 */
#include "archive/survey.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/record.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/url_parts.h"
#include "base/utf8.h"

/* ---- words ---- */

enum tally_count { DOCUMENTS, CHARS, TALLY_COUNTS };

/*
 * Counts words, by a binary trie over their hashes: no choice of words makes it slow (base/hash.h).
 *
 * Up to `most` words are counted exactly. One more, and the smaller half is forgotten: the count of the largest of them
 * is subtracted from all, as Misra and Gries do (Finding repeated elements, 1982). Each time at least most/2 + 1 counts
 * lose that much, so no count is ever low by more than 2/most of the sum of all. The same holds for tallies that are
 * added (Agarwal and others, Mergeable summaries, PODS 2012).
 */
struct tally {
	struct tally_word {
		uint64_t hash;
		uint64_t count[TALLY_COUNTS];
		struct slice name;
		uint32_t next[2]; /* by the next bit of the hash: number of a word + 1, or 0 */
	} * words;
	size_t n, cap, most;
	struct arena *names;
	enum tally_count by; /* the count that decides which words are kept */
	uint64_t low;        /* no count of `by` is low by more */
};

enum { NAME_MOST = 255 };

/* Links word `at` into the trie. */
static void tally_link(struct tally *t, size_t at)
{
	uint64_t rest = t->words[at].hash;
	uint32_t *link = NULL;
	for (size_t i = 0; at > 0; rest <<= 1) {
		link = &t->words[i].next[rest >> 63];
		if (*link == 0)
			break;
		i = *link - 1;
	}
	if (link)
		*link = (uint32_t)at + 1;
}

/* Returns the word of that hash, or NULL. */
static struct tally_word *tally_find(const struct tally *t, uint64_t hash)
{
	size_t at = t->n ? 1 : 0;
	for (uint64_t rest = hash; at && t->words[at - 1].hash != hash; rest <<= 1)
		at = t->words[at - 1].next[rest >> 63];
	return at ? &t->words[at - 1] : NULL;
}

/* Largest first, words of one count by name. */
static int compare_words(enum tally_count by, const struct tally_word *x, const struct tally_word *y)
{
	if (x->count[by] != y->count[by])
		return x->count[by] > y->count[by] ? -1 : 1;
	const size_t len = x->name.len < y->name.len ? x->name.len : y->name.len;
	const int order = memcmp(x->name.data, y->name.data, len);
	return order ? order : (x->name.len > y->name.len) - (x->name.len < y->name.len);
}

static int by_documents(const void *a, const void *b)
{
	return compare_words(DOCUMENTS, a, b);
}

static int by_chars(const void *a, const void *b)
{
	return compare_words(CHARS, a, b);
}

static void tally_sort(const struct tally *t, struct tally_word *words)
{
	if (t->n)
		qsort(words, t->n, sizeof(*words), t->by == CHARS ? by_chars : by_documents);
}

/* Forgets the smaller half. */
static int tally_halve(struct tally *t)
{
	struct arena *names = arena_new();
	if (!names)
		return DANA_ENOMEM;
	tally_sort(t, t->words);
	const size_t half = t->most / 2;
	const uint64_t less = t->words[half].count[t->by];
	size_t n = 0;
	int status = DANA_OK;
	for (size_t i = 0; i < half && status == DANA_OK; i++) {
		struct tally_word *w = &t->words[i];
		if (w->count[t->by] <= less)
			break;
		w->count[t->by] -= less;
		w->next[0] = w->next[1] = 0;
		w->name = arena_copy(names, w->name);
		status = w->name.data ? DANA_OK : DANA_ENOMEM;
		n++;
	}
	if (status < 0) {
		arena_free(names);
		t->n = 0;
		return status;
	}
	arena_free(t->names);
	t->names = names;
	t->n = n;
	t->low += less;
	for (size_t i = 0; i < n; i++)
		tally_link(t, i);
	return DANA_OK;
}

static int tally_add(struct tally *t, struct slice name, const uint64_t count[TALLY_COUNTS])
{
	name = slice_first(name, NAME_MOST);
	const uint64_t hash = hash_sip64(name, 0);
	struct tally_word *w = tally_find(t, hash);
	if (w) {
		bool over = false;
		for (unsigned i = 0; i < TALLY_COUNTS; i++)
			over |= __builtin_add_overflow(w->count[i], count[i], &w->count[i]);
		return over ? DANA_EFORMAT : DANA_OK;
	}
	if (t->n == t->most && tally_halve(t) < 0)
		return DANA_ENOMEM;
	if (!t->names)
		t->names = arena_new();
	struct tally_word *words = grow_items(t->words, t->n, &t->cap, sizeof(*words));
	const struct slice copy = words && t->names ? arena_copy(t->names, name) : slice_of(NULL, 0);
	t->words = words ? words : t->words;
	if (!copy.data)
		return DANA_ENOMEM;
	t->words[t->n] = (struct tally_word){ .hash = hash, .name = copy };
	memcpy(t->words[t->n].count, count, sizeof(t->words->count));
	tally_link(t, t->n++);
	return DANA_OK;
}

static int tally_one(struct tally *t, struct slice name, uint64_t chars)
{
	return tally_add(t, name, (const uint64_t[TALLY_COUNTS]){ 1, chars });
}

static void tally_clear(struct tally *t)
{
	free(t->words);
	arena_free(t->names);
	*t = (struct tally){ .most = t->most, .by = t->by };
}

/* ---- samples ---- */

/* A record as the report shows it. Its texts are in one piece of memory. */
struct survey_sample {
	uint64_t rank; /* the smallest ranks are kept; of equal ranks the smallest hashes */
	uint64_t hash; /* of the place of the record */
	uint64_t offset, chars;
	struct slice file, url, title, text, detail;
	uint8_t *memory;
};

struct sample_list {
	struct survey_sample *at; /* in the order of the report; NULL: none yet */
	unsigned n;
};

/* Bytes of the texts of a sample. */
enum { FILE_MOST = 400, URL_MOST = 400, TITLE_MOST = 150, TEXT_MOST = 250, DETAIL_MOST = 180, READ_MOST = 4096 };

static int compare_texts(struct slice a, struct slice b)
{
	const int order = memcmp(a.data, b.data, a.len < b.len ? a.len : b.len);
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_samples(const struct survey_sample *x, const struct survey_sample *y)
{
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	const int order = compare_texts(x->file, y->file);
	return order ? order : compare_texts(x->url, y->url);
}

/* Takes a copy of the sample if it is among the first `most`. */
static int sample_list_add(struct sample_list *l, unsigned most, const struct survey_sample *given)
{
	if (l->n == most && compare_samples(given, &l->at[most - 1]) >= 0)
		return DANA_OK;
	if (!l->at)
		l->at = calloc(most, sizeof(*l->at));
	struct survey_sample s = *given;
	struct slice *const texts[] = { &s.file, &s.url, &s.title, &s.text, &s.detail };
	enum { TEXTS = sizeof(texts) / sizeof(*texts) };
	size_t size = 1;
	for (size_t i = 0; i < TEXTS; i++)
		size += texts[i]->len;
	s.memory = l->at ? malloc(size) : NULL;
	if (!s.memory)
		return DANA_ENOMEM;
	uint8_t *to = s.memory;
	for (size_t i = 0; i < TEXTS; i++) {
		if (texts[i]->len)
			memcpy(to, texts[i]->data, texts[i]->len);
		texts[i]->data = to;
		to += texts[i]->len;
	}
	if (l->n == most)
		free(l->at[--l->n].memory);
	unsigned at = l->n++;
	for (; at > 0 && compare_samples(&s, &l->at[at - 1]) < 0; at--)
		l->at[at] = l->at[at - 1];
	l->at[at] = s;
	return DANA_OK;
}

static void sample_list_clear(struct sample_list *l)
{
	while (l->n)
		free(l->at[--l->n].memory);
	free(l->at);
	l->at = NULL;
}

/* ---- the survey ---- */

/* The groups of samples: a fixed part, then one for each plugin that drops records. */
enum group {
	GROUP_RANDOM,
	GROUP_MARGIN,
	GROUP_SKIPPED,
	GROUP_DAMAGED = GROUP_SKIPPED + SKIP_REASONS,
	GROUP_PROBLEM = GROUP_DAMAGED + DAMAGE_REASONS,
	GROUP_PLUGIN = GROUP_PROBLEM + PROBLEM_WORDS,
	GROUPS = GROUP_PLUGIN + PLUGINS_MOST
};

enum words { WORDS_SITES, WORDS_KINDS, WORDS_CHARSETS, WORDS_LANGUAGES, WORDS_RULES, WORDS_TABLES };

static const char *const table_names[WORDS_TABLES] = { "sites", "kinds", "charsets", "languages", "rules" };

enum histogram { HISTOGRAM_LENGTH, HISTOGRAM_SHARE, HISTOGRAM_MARGIN, HISTOGRAMS };

static const struct {
	const char *name;
	unsigned bins;
} histograms[HISTOGRAMS] = { { "length", SURVEY_LENGTHS }, { "share", SURVEY_SHARES }, { "margin", SURVEY_SHARES } };

enum { SETTINGS_MOST = 16, PLUGIN_NAME = 64 };

struct survey {
	uint64_t bins[HISTOGRAMS][SURVEY_LENGTHS];
	struct tally words[WORDS_TABLES];
	struct sample_list samples[GROUPS];
	char plugins[PLUGINS_MOST][PLUGIN_NAME]; /* whose groups these are; empty: nobody's yet */
	struct buf settings[SETTINGS_MOST];      /* sorted */
	unsigned n_settings;
	struct buf site;
	struct buf file; /* of the last record */
	uint64_t file_hash;
};

struct survey *survey_new(void)
{
	struct survey *s = calloc(1, sizeof(*s));
	for (unsigned i = 0; s && i < WORDS_TABLES; i++) {
		s->words[i].most = i == WORDS_SITES ? SURVEY_SITES : SURVEY_WORDS;
		s->words[i].by = i == WORDS_SITES ? CHARS : DOCUMENTS;
	}
	return s;
}

void survey_clear(struct survey *s)
{
	for (unsigned i = 0; i < WORDS_TABLES; i++)
		tally_clear(&s->words[i]);
	for (unsigned i = 0; i < GROUPS; i++)
		sample_list_clear(&s->samples[i]);
	for (unsigned i = 0; i < s->n_settings; i++)
		buf_free(&s->settings[i]);
	s->n_settings = 0;
	memset(s->bins, 0, sizeof(s->bins));
	memset(s->plugins, 0, sizeof(s->plugins));
}

void survey_free(struct survey *s)
{
	if (!s)
		return;
	survey_clear(s);
	buf_free(&s->site);
	buf_free(&s->file);
	free(s);
}

/* Of more than SETTINGS_MOST different ones the last in their order are left out. */
int survey_settings(struct survey *s, struct slice lines)
{
	unsigned at = 0;
	while (at < s->n_settings && compare_texts(buf_slice(&s->settings[at]), lines) < 0)
		at++;
	if (at == SETTINGS_MOST || (at < s->n_settings && slice_equal(buf_slice(&s->settings[at]), lines)))
		return DANA_OK;
	struct buf copy = { 0 };
	int status = buf_append(&copy, lines.data, lines.len);
	if (status < 0)
		return status;
	if (s->n_settings == SETTINGS_MOST)
		buf_free(&s->settings[--s->n_settings]);
	memmove(&s->settings[at + 1], &s->settings[at], (s->n_settings - at) * sizeof(copy));
	s->settings[at] = copy;
	s->n_settings++;
	return DANA_OK;
}

/* Returns the group of a plugin; GROUPS: there are too many. */
static unsigned plugin_group(struct survey *s, struct slice name)
{
	name = slice_first(name, PLUGIN_NAME - 1);
	for (unsigned i = 0; i < PLUGINS_MOST && name.len; i++) {
		if (s->plugins[i][0] == '\0')
			memcpy(s->plugins[i], name.data, name.len);
		if (slice_equal(slice_from_text(s->plugins[i]), name))
			return GROUP_PLUGIN + i;
	}
	return GROUPS;
}

static int add_sample(struct survey *s, unsigned group, const struct survey_sample *given)
{
	if (group >= GROUPS)
		return DANA_OK;
	return sample_list_add(&s->samples[group], group == GROUP_RANDOM ? SURVEY_RANDOM : SURVEY_EACH, given);
}

/* The first bytes of a text, without half a character at their end. */
static struct slice first_of(struct slice text, size_t most)
{
	const struct slice first = slice_first(text, most);
	return first.len < text.len ? slice_first(first, utf8_without_cut(first)) : first;
}

/* A record is known by its place; records of one member also by their id, or URL. */
static struct survey_sample sample_of(struct survey *s, const struct outcome *outcome, const char *file)
{
	const struct slice name = slice_from_text(file);
	if (s->file.len == 0 || !slice_equal(name, buf_slice(&s->file))) {
		buf_clear(&s->file);
		buf_append(&s->file, name.data, name.len);
		s->file_hash = hash_sip64(name, 0);
	}
	const uint64_t hash = hash_sip64(outcome->id.len ? outcome->id : outcome->uri, s->file_hash ^ outcome->offset);
	return (struct survey_sample){ .hash = hash >> 11, /* every reader of JSON takes 53 bits */
				       .offset = outcome->offset,
				       .file = first_of(name, FILE_MOST),
				       .url = first_of(outcome->uri, URL_MOST) };
}

static unsigned bit_length(uint64_t n)
{
	return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

static unsigned share_bin(uint64_t part, uint64_t whole)
{
	const uint64_t bin = part * SURVEY_SHARES / whole;
	return bin < SURVEY_SHARES ? (unsigned)bin : SURVEY_SHARES - 1;
}

/* The site is the host in small letters. */
static int count_site(struct survey *s, struct slice url, uint64_t chars)
{
	const struct slice host = slice_first(url_host(url), NAME_MOST);
	buf_clear(&s->site);
	for (size_t i = 0; i < host.len; i++)
		buf_append_byte(&s->site, ascii_lower(host.data[i]));
	bool mended;
	int status = utf8_mend(&s->site, 0, &mended); /* as JSON has it */
	return status < 0 ? status : tally_one(&s->words[WORDS_SITES], buf_slice(&s->site), chars);
}

static int take_document(struct survey *s, const struct outcome *outcome, struct survey_sample *sample)
{
	const struct document *doc = outcome->document;
	const unsigned length = bit_length(doc->text_chars);
	const struct {
		enum words table;
		struct slice word;
	} words[] = { { WORDS_KINDS, slice_from_text(doc->page_kind ? doc->page_kind : "") },
		      { WORDS_CHARSETS, slice_from_text(doc->charset ? doc->charset : "") },
		      { WORDS_LANGUAGES, doc->language } };
	s->bins[HISTOGRAM_LENGTH][length < SURVEY_LENGTHS ? length : SURVEY_LENGTHS - 1]++;
	if (doc->words) {
		s->bins[HISTOGRAM_SHARE][share_bin(doc->words_kept, doc->words)]++;
		s->bins[HISTOGRAM_MARGIN][share_bin(doc->margin, 65536)]++;
	}
	int status = count_site(s, outcome->uri, doc->text_chars);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && status == DANA_OK; i++) {
		/* what is not known counts only where it is known of others */
		if (words[i].word.len || (words[i].table == WORDS_LANGUAGES && doc->with_language))
			status = tally_one(&s->words[words[i].table], words[i].word, doc->text_chars);
	}
	sample->chars = doc->text_chars;
	sample->title = first_of(doc->title, TITLE_MOST);
	sample->text = first_of(doc->text, TEXT_MOST);
	if (status == DANA_OK)
		status = add_sample(s, GROUP_RANDOM, sample);
	for (unsigned bit = 0; doc->problems >> bit && bit < PROBLEM_WORDS && status == DANA_OK; bit++) {
		if (doc->problems >> bit & 1)
			status = add_sample(s, GROUP_PROBLEM + bit, sample);
	}
	if (status == DANA_OK && doc->words) {
		sample->rank = doc->margin;
		status = add_sample(s, GROUP_MARGIN, sample);
	}
	return status;
}

int survey_outcome(struct survey *s, const struct outcome *outcome, const char *file,
		   const struct plugin_names *plugins)
{
	struct survey_sample sample = sample_of(s, outcome, file);
	if (outcome->kind == OUTCOME_DOCUMENT) {
		sample.detail = first_of(outcome->detail, DETAIL_MOST);
		return take_document(s, outcome, &sample);
	}
	if (outcome->kind == OUTCOME_DAMAGED) {
		sample.detail = first_of(slice_from_text(outcome->damage->detail), DETAIL_MOST);
		return add_sample(s, GROUP_DAMAGED + (unsigned)outcome->damage->reason, &sample);
	}
	const unsigned plugin = outcome->marks.plugin;
	sample.title = first_of(outcome->title, TITLE_MOST);
	sample.text = first_of(outcome->start, TEXT_MOST);
	sample.detail = first_of(outcome->detail, DETAIL_MOST);
	if (outcome->skipped != SKIP_PLUGIN || !plugins || plugin >= plugins->n_plugins)
		return add_sample(s, GROUP_SKIPPED + (unsigned)outcome->skipped, &sample);
	char rule[PLUGIN_NAME + DETAIL_MOST]; /* NAME_MOST at most */
	(void)snprintf(rule, sizeof(rule), "%.*s: %.*s", PLUGIN_NAME - 1, plugins->plugin[plugin],
		       (int)sample.detail.len, (const char *)sample.detail.data);
	int status = tally_one(&s->words[WORDS_RULES], slice_from_text(rule), 0);
	return status < 0 ? status : add_sample(s, plugin_group(s, slice_from_text(plugins->plugin[plugin])), &sample);
}

int survey_add(struct survey *to, const struct survey *from)
{
	int status = DANA_OK;
	for (unsigned i = 0; i < HISTOGRAMS; i++) {
		for (unsigned k = 0; k < histograms[i].bins; k++)
			to->bins[i][k] += from->bins[i][k];
	}
	for (unsigned i = 0; i < WORDS_TABLES; i++) {
		to->words[i].low += from->words[i].low;
		for (size_t k = 0; k < from->words[i].n && status == DANA_OK; k++)
			status = tally_add(&to->words[i], from->words[i].words[k].name, from->words[i].words[k].count);
	}
	for (unsigned i = 0; i < GROUPS; i++) {
		const struct sample_list *l = &from->samples[i];
		const unsigned group = i < GROUP_PLUGIN || l->n == 0
					       ? i
					       : plugin_group(to, slice_from_text(from->plugins[i - GROUP_PLUGIN]));
		for (unsigned k = 0; k < l->n && status == DANA_OK; k++)
			status = add_sample(to, group, &l->at[k]);
	}
	for (unsigned i = 0; i < from->n_settings && status == DANA_OK; i++)
		status = survey_settings(to, buf_slice(&from->settings[i]));
	return status;
}

/* ---- JSON ---- */

static const char *group_word(const struct survey *s, unsigned group)
{
	return group < GROUP_DAMAGED   ? skip_word((enum skip_reason)(group - GROUP_SKIPPED))
	       : group < GROUP_PROBLEM ? damage_word((enum damage_reason)(group - GROUP_DAMAGED))
	       : group < GROUP_PLUGIN  ? problem_word(group - GROUP_PROBLEM)
				       : s->plugins[group - GROUP_PLUGIN];
}

static void group_name(const struct survey *s, unsigned group, char *out, size_t size)
{
	const char *of = group < GROUP_DAMAGED   ? "skipped:"
			 : group < GROUP_PROBLEM ? "damaged:"
			 : group < GROUP_PLUGIN  ? "problem:"
						 : "skipped:plugin:";
	if (group < GROUP_SKIPPED)
		(void)snprintf(out, size, "%s", group == GROUP_RANDOM ? "random" : "margin");
	else
		(void)snprintf(out, size, "%s%s", of, group_word(s, group));
}

/* Plugins have no order of their own: their groups are sorted by name. */
static unsigned next_group(const struct survey *s, unsigned group)
{
	if (group + 1 < GROUP_PLUGIN)
		return group + 1;
	const char *after = group < GROUP_PLUGIN ? "" : s->plugins[group - GROUP_PLUGIN];
	unsigned best = GROUPS;
	for (unsigned i = 0; i < PLUGINS_MOST; i++) {
		const char *name = s->plugins[i];
		if (strcmp(name, after) > 0 && (best == GROUPS || strcmp(name, s->plugins[best - GROUP_PLUGIN]) < 0))
			best = GROUP_PLUGIN + i;
	}
	return best;
}

/* The members of a sample in JSON. Those that are empty or 0 are left out. */
enum { SAMPLE_TEXTS = 5, SAMPLE_COUNTS = 4 };

struct sample_members {
	struct {
		const char *name;
		struct slice *value;
	} texts[SAMPLE_TEXTS];
	struct {
		const char *name;
		uint64_t *value;
	} counts[SAMPLE_COUNTS];
};

static struct sample_members sample_members(struct survey_sample *s)
{
	return (struct sample_members){ .texts = { { "file", &s->file },
						   { "url", &s->url },
						   { "title", &s->title },
						   { "text", &s->text },
						   { "detail", &s->detail } },
					.counts = { { "rank", &s->rank },
						    { "hash", &s->hash },
						    { "offset", &s->offset },
						    { "chars", &s->chars } } };
}

static void put_sample(struct json_writer *w, struct survey_sample *s)
{
	const struct sample_members m = sample_members(s);
	json_object_begin(w);
	for (unsigned i = 0; i < SAMPLE_COUNTS; i++) {
		if (*m.counts[i].value)
			json_count(w, m.counts[i].name, *m.counts[i].value);
	}
	for (unsigned i = 0; i < SAMPLE_TEXTS; i++) {
		if (m.texts[i].value->len)
			json_text(w, m.texts[i].name, *m.texts[i].value);
	}
	json_object_end(w);
}

static void put_counts(struct json_writer *w, const uint64_t *counts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (w->comma)
			buf_append_byte(w->out, ',');
		json_put_number(w->out, counts[i]);
		w->comma = true;
	}
}

static int put_words(struct json_writer *w, const char *name, const struct tally *t)
{
	struct tally_word *sorted = malloc((t->n + 1) * sizeof(*sorted));
	if (!sorted)
		return DANA_ENOMEM;
	if (t->n)
		memcpy(sorted, t->words, t->n * sizeof(*sorted));
	tally_sort(t, sorted);
	json_key(w, name);
	json_object_begin(w);
	json_count(w, "low", t->low);
	json_key(w, "words");
	json_array_begin(w);
	for (size_t i = 0; i < t->n; i++) {
		json_array_begin(w);
		json_element(w, sorted[i].name);
		put_counts(w, sorted[i].count, TALLY_COUNTS);
		json_array_end(w);
	}
	json_array_end(w);
	json_object_end(w);
	free(sorted);
	return DANA_OK;
}

int survey_json(const struct survey *s, struct buf *out)
{
	struct json_writer w = { .out = out };
	int status = DANA_OK;
	json_object_begin(&w);
	json_key(&w, "settings");
	json_array_begin(&w);
	for (unsigned i = 0; i < s->n_settings; i++)
		json_element(&w, buf_slice(&s->settings[i]));
	json_array_end(&w);
	for (unsigned i = 0; i < HISTOGRAMS; i++) {
		json_key(&w, histograms[i].name);
		json_array_begin(&w);
		put_counts(&w, s->bins[i], histograms[i].bins);
		json_array_end(&w);
	}
	for (unsigned i = 0; i < WORDS_TABLES && status == DANA_OK; i++)
		status = put_words(&w, table_names[i], &s->words[i]);
	json_key(&w, "samples");
	json_object_begin(&w);
	for (unsigned i = 0; i < GROUPS; i = next_group(s, i)) {
		char name[PLUGIN_NAME * 2];
		const struct sample_list *l = &s->samples[i];
		if (l->n == 0)
			continue;
		group_name(s, i, name, sizeof(name));
		json_name(&w, slice_from_text(name));
		json_array_begin(&w);
		for (unsigned k = 0; k < l->n; k++)
			put_sample(&w, &l->at[k]);
		json_array_end(&w);
	}
	json_object_end(&w);
	json_object_end(&w);
	return status < 0 ? status : buf_status(out);
}

static bool read_count(struct json_value value, uint64_t *count)
{
	return json_kind(value) == JSON_IS_NUMBER && decimal_number(json_written(value), UINT64_MAX, count);
}

/* Appends the characters of a string to `space`, and stores where they begin and end. */
static int read_text(struct json_value value, size_t most, struct buf *space, struct slice *text)
{
	bool repaired;
	if (json_kind(value) != JSON_IS_STRING)
		return DANA_EFORMAT;
	int status = json_characters(value, space, text, &repaired);
	return status < 0 ? status : text->len > most ? DANA_EFORMAT : DANA_OK;
}

static int read_bins(struct survey *s, unsigned histogram, struct json_value array)
{
	struct json_walk w = json_walk(array);
	unsigned n = 0;
	for (; json_walk_next(&w); n++) {
		uint64_t count;
		if (n >= histograms[histogram].bins || !read_count(w.value, &count) ||
		    __builtin_add_overflow(s->bins[histogram][n], count, &s->bins[histogram][n]))
			return DANA_EFORMAT;
	}
	return n == histograms[histogram].bins ? DANA_OK : DANA_EFORMAT;
}

static int read_words(struct tally *t, struct json_value object, struct buf *space)
{
	uint64_t low;
	struct json_walk w = json_walk(json_member(object, "words"));
	if (!read_count(json_member(object, "low"), &low) || __builtin_add_overflow(t->low, low, &t->low))
		return DANA_EFORMAT;
	while (json_walk_next(&w)) {
		struct json_walk row = json_walk(w.value);
		struct slice name;
		uint64_t count[TALLY_COUNTS];
		buf_clear(space);
		int status = json_walk_next(&row) ? read_text(row.value, NAME_MOST * 3, space, &name) : DANA_EFORMAT;
		for (unsigned i = 0; i < TALLY_COUNTS && status == DANA_OK; i++)
			status = json_walk_next(&row) && read_count(row.value, &count[i]) ? DANA_OK : DANA_EFORMAT;
		if (status == DANA_OK)
			status = json_walk_next(&row) ? DANA_EFORMAT : tally_add(t, name, count);
		if (status < 0)
			return status;
	}
	return DANA_OK;
}

static int read_sample(struct survey *s, unsigned group, struct json_value object)
{
	struct survey_sample sample = { 0 };
	struct buf space[SAMPLE_TEXTS] = { 0 };
	const struct sample_members m = sample_members(&sample);
	int status = json_kind(object) == JSON_IS_OBJECT ? DANA_OK : DANA_EFORMAT;
	for (unsigned i = 0; i < SAMPLE_TEXTS && status == DANA_OK; i++) {
		const struct json_value value = json_member(object, m.texts[i].name);
		if (json_kind(value) != JSON_IS_NOTHING)
			status = read_text(value, READ_MOST, &space[i], m.texts[i].value);
	}
	for (unsigned i = 0; i < SAMPLE_COUNTS && status == DANA_OK; i++) {
		const struct json_value value = json_member(object, m.counts[i].name);
		if (json_kind(value) != JSON_IS_NOTHING && !read_count(value, m.counts[i].value))
			status = DANA_EFORMAT;
	}
	if (status == DANA_OK)
		status = add_sample(s, group, &sample);
	for (unsigned i = 0; i < SAMPLE_TEXTS; i++)
		buf_free(&space[i]);
	return status;
}

/* Returns the group of a name; GROUPS: the name has no group. */
static unsigned find_group(struct survey *s, struct slice name)
{
	static const char plugin[] = "skipped:plugin:";
	char known[PLUGIN_NAME * 2];
	for (unsigned i = 0; i < GROUP_PLUGIN; i++) {
		group_name(s, i, known, sizeof(known));
		if (slice_equal(name, slice_from_text(known)))
			return i;
	}
	const size_t len = sizeof(plugin) - 1;
	if (name.len <= len || memcmp(name.data, plugin, len) != 0 || memchr(name.data, 0, name.len))
		return GROUPS;
	return plugin_group(s, slice_skip(name, len));
}

int survey_read(struct survey *s, struct json_value object)
{
	struct buf space = { 0 };
	struct slice text;
	int status = json_kind(object) == JSON_IS_OBJECT ? DANA_OK : DANA_EFORMAT;
	struct json_walk settings = json_walk(json_member(object, "settings"));
	while (status == DANA_OK && json_walk_next(&settings)) {
		buf_clear(&space);
		status = read_text(settings.value, SIZE_MAX, &space, &text);
		if (status == DANA_OK)
			status = survey_settings(s, text);
	}
	for (unsigned i = 0; i < HISTOGRAMS && status == DANA_OK; i++)
		status = read_bins(s, i, json_member(object, histograms[i].name));
	for (unsigned i = 0; i < WORDS_TABLES && status == DANA_OK; i++)
		status = read_words(&s->words[i], json_member(object, table_names[i]), &space);
	struct json_walk groups = json_walk(json_member(object, "samples"));
	while (status == DANA_OK && json_walk_next(&groups)) {
		struct json_walk samples = json_walk(groups.value);
		buf_clear(&space);
		status = json_string_decode(groups.name, &space);
		const unsigned group = status == DANA_OK ? find_group(s, buf_slice(&space)) : GROUPS;
		if (status == DANA_OK && group == GROUPS)
			status = DANA_EFORMAT;
		while (status == DANA_OK && json_walk_next(&samples))
			status = read_sample(s, group, samples.value);
	}
	buf_free(&space);
	return status;
}
