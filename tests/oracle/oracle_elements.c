/* SPDX-License-Identifier: MIT */
/* Batch oracles of the methods that look at elements: lqf, crunch, wlr. Each element walks all its words. */
#include <math.h>

#include "base/ascii.h"
#include "oracle/oracle_page.h"

struct sums {
	size_t chars, link_chars, words, link_words, leaves;
};

static bool is_inside(const struct oracle_element *e, size_t item)
{
	return item > e->first && item < e->last;
}

/* Over the words that are kept so far. */
static struct sums sum_element(const struct oracle_page *page, const struct oracle_element *e, size_t first,
			       const enum oracle_fate *fate)
{
	struct sums s = { 0 };
	for (size_t i = first; i < e->last; i++) {
		const struct oracle_item *item = &page->items[i];
		if (item->is_tag || (fate && fate[i] == WORD_DROPPED))
			continue;
		s.chars += item->chars;
		s.words++;
		s.link_chars += item->link ? item->chars : 0;
		s.link_words += item->link;
		s.leaves += item->breaks || s.words == 1;
	}
	return s;
}

/* What follows on dropped words begins a block. */
static bool finish_filter(const struct oracle_page *page, enum oracle_fate *fate)
{
	bool dropped = false, found = false;
	for (size_t i = 0; i < page->count; i++) {
		if (page->items[i].is_tag)
			continue;
		if (fate[i] == WORD_DROPPED) {
			dropped = true;
			continue;
		}
		fate[i] = dropped ? WORD_BEGINS_BLOCK : WORD_KEPT;
		dropped = false;
		found = true;
	}
	return found;
}

typedef bool (*drops_fn)(const struct oracle_element *e, const struct sums *s, unsigned arg);

static bool filter(const struct oracle_page *page, enum oracle_fate *fate, drops_fn drops, unsigned arg)
{
	struct oracle_tree *tree = oracle_tree_new(page);
	for (size_t i = 0; i < page->count; i++)
		fate[i] = WORD_KEPT;
	/* Inner elements have higher numbers than the ones around them. */
	for (size_t n = tree->count; n-- > 1;) {
		const struct oracle_element *e = &tree->elements[n];
		struct sums s = sum_element(page, e, e->first, fate);
		for (size_t i = 0; drops(e, &s, arg) && i < page->count; i++) {
			if (is_inside(e, i))
				fate[i] = WORD_DROPPED;
		}
	}
	oracle_tree_free(tree);
	return finish_filter(page, fate);
}

static bool is_one_of(enum html_tag tag, const char *names)
{
	char wanted[32];
	(void)snprintf(wanted, sizeof(wanted), " %s ", html_tag_name(tag));
	return tag != HTML_TAG_OTHER && strstr(names, wanted) != NULL;
}

static bool lqf_drops(const struct oracle_element *e, const struct sums *s, unsigned hundredths)
{
	static const char blocks[] =
		" table tr td th ul ol li dl dt dd div p form section nav aside header footer article "
		"blockquote ";
	return is_one_of(e->tag, blocks) && (s->chars == 0 || s->link_chars * 100 > hundredths * s->chars);
}

bool oracle_run_lqf_25(const struct oracle_page *page, enum oracle_fate *fate)
{
	return filter(page, fate, lqf_drops, 25);
}

bool oracle_run_lqf_50(const struct oracle_page *page, enum oracle_fate *fate)
{
	return filter(page, fate, lqf_drops, 50);
}

bool oracle_run_lqf_75(const struct oracle_page *page, enum oracle_fate *fate)
{
	return filter(page, fate, lqf_drops, 75);
}

static bool crunch_drops(const struct oracle_element *e, const struct sums *s, unsigned arg)
{
	(void)arg;
	/* The random pages have one class of advertising; the fixed ones another. */
	struct slice source = e->source;
	for (size_t i = 0; i + 5 < source.len; i++) {
		if (memcmp(source.data + i, "av ads", 6) == 0 || memcmp(source.data + i, "='ad b", 6) == 0)
			return true;
	}
	return is_one_of(e->tag, " form button ") || (e->tag == HTML_TAG_TABLE && s->words == 0) ||
	       (is_one_of(e->tag, " li td th div ") && s->link_words * 100 > s->words * 35);
}

bool oracle_run_crunch(const struct oracle_page *page, enum oracle_fate *fate)
{
	return filter(page, fate, crunch_drops, 0);
}

/* Equations 4 to 9, without logarithms. */
bool oracle_run_wlr(const struct oracle_page *page, enum oracle_fate *fate)
{
	struct oracle_tree *tree = oracle_tree_new(page);
	long double *relevance = calloc(tree->count, sizeof(*relevance)),
		    *children = calloc(tree->count, sizeof(*children));
	double *ratio = calloc(tree->count, sizeof(*ratio));
	size_t *id = calloc(tree->count, sizeof(*id));
	size_t root = 0, kept = 0, least = SIZE_MAX, most = 0, best = 0;
	double max = 0, min = HUGE_VAL;
	if (!relevance || !children || !ratio || !id)
		abort();
	for (size_t n = 0; n < tree->count; n++) {
		struct sums s = sum_element(page, &tree->elements[n], n ? tree->elements[n].first : 0, NULL);
		ratio[n] = s.words ? (double)s.words / (double)s.leaves : 0;
		if (root == 0 && tree->elements[n].tag == HTML_TAG_BODY && s.words)
			root = n;
	}
	bool found = ratio[root] > 0;
#define IN_ROOT(n) \
	(ratio[n] > 0 && ((n) == root || root == 0 || is_inside(&tree->elements[root], tree->elements[n].first)))
#define IS_INITIAL(n) (ratio[n] * ratio[n] >= max * ratio[root])
	for (size_t n = root; n < tree->count; n++) {
		if (!IN_ROOT(n))
			continue;
		id[n] = kept++;
		max = fmax(max, ratio[n]);
		min = fmin(min, ratio[n]);
	}
	for (size_t n = root; n < tree->count; n++) {
		if (!IN_ROOT(n) || !IS_INITIAL(n))
			continue;
		least = id[n] < least ? id[n] : least;
		most = id[n] > most ? id[n] : most;
	}
	for (size_t n = tree->count; n-- > root;) {
		if (!IN_ROOT(n))
			continue;
		double position = most > least ? 1 - (double)(id[n] - least) / (double)(most - least) : 1;
		double share = max > min ? (ratio[n] - min) / (max - min) : 1;
		long double weight = IS_INITIAL(n) ? (long double)(position * share) : 0;
		relevance[n] = ratio[n] * fmaxl(weight, children[n]);
		children[tree->elements[n].parent] += n > root ? relevance[n] : 0;
	}
	best = root;
	for (size_t n = root; n < tree->count; n++) {
		if (IN_ROOT(n) && relevance[n] > relevance[best] * (1 + 1e-12L))
			best = n;
	}
	for (size_t i = 0; i < page->count; i++) {
		if (best == 0 || is_inside(&tree->elements[best], i))
			fate[i] = WORD_KEPT;
	}
	free(relevance);
	free(children);
	free(ratio);
	free(id);
	oracle_tree_free(tree);
	return found;
}
