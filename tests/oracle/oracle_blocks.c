/* SPDX-License-Identifier: MIT */
/* Batch oracles of the methods that look at blocks or lines: fe, kfe, density, cetr. */
#include <math.h>

#include "oracle/oracle_page.h"

/* Lloyd's rounds with a list of who belongs where. */
struct points {
	double (*at)[3];
	size_t *cluster;
	size_t count;
};

static void assign(struct points *p, double centre[3][3])
{
	for (size_t i = 0; i < p->count; i++) {
		double distance[3];
		for (size_t c = 0; c < 3; c++) {
			double x = p->at[i][0] - centre[c][0], y = p->at[i][1] - centre[c][1],
			       z = p->at[i][2] - centre[c][2];
			distance[c] = x * x + y * y + z * z;
		}
		p->cluster[i] = 0;
		if (distance[1] < distance[0])
			p->cluster[i] = 1;
		if (distance[2] < distance[p->cluster[i]])
			p->cluster[i] = 2;
	}
}

static void cluster(struct points *p, double centre[3][3], unsigned rounds, size_t first)
{
	for (unsigned round = 0; round < rounds; round++) {
		bool moved = false;
		assign(p, centre);
		for (size_t c = first; c < 3; c++) {
			double sum[3] = { 0 }, members = 0;
			for (size_t i = 0; i < p->count; i++) {
				for (size_t d = 0; d < 3 && p->cluster[i] == c; d++)
					sum[d] += p->at[i][d];
				members += p->cluster[i] == c;
			}
			for (size_t d = 0; d < 3 && members > 0; d++) {
				moved |= sum[d] / members < centre[c][d] || sum[d] / members > centre[c][d];
				centre[c][d] = sum[d] / members;
			}
		}
		if (!moved)
			break;
	}
	assign(p, centre);
}

static struct points points_new(size_t count)
{
	struct points p = { .count = count };
	p.at = calloc(count + 1, sizeof(*p.at));
	p.cluster = calloc(count + 1, sizeof(*p.cluster));
	if (!p.at || !p.cluster)
		abort();
	return p;
}

static void points_free(struct points *p)
{
	free(p->at);
	free(p->cluster);
}

static bool divides(enum html_tag tag)
{
	return tag == HTML_TAG_TABLE || tag == HTML_TAG_TR || tag == HTML_TAG_P || tag == HTML_TAG_HR ||
	       tag == HTML_TAG_UL || tag == HTML_TAG_OL || tag == HTML_TAG_DIV || tag == HTML_TAG_BLOCKQUOTE ||
	       (tag >= HTML_TAG_H1 && tag <= HTML_TAG_H6);
}

/* Number of the block that each item belongs to: a start tag to the next, an end tag to the one it ends. */
static size_t number_blocks(const struct oracle_page *page, size_t *block)
{
	size_t n = 0;
	for (size_t i = 0; i < page->count; i++) {
		bool divider = page->items[i].is_tag && divides(page->items[i].tag);
		n += divider && !page->items[i].closing;
		block[i] = n;
		n += divider && page->items[i].closing;
	}
	return n + 1;
}

struct block {
	double text, link, other;
};

static struct block measure(const struct oracle_page *page, const size_t *block, size_t n)
{
	struct block b = { 0 };
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		if (block[i] != n)
			continue;
		if (!item->is_tag && item->link)
			b.link += (double)item->chars;
		else if (!item->is_tag)
			b.text += (double)item->chars;
		b.other += (double)item->source_chars;
		if (!item->is_tag || item->closing)
			continue;
		b.other += item->tag == HTML_TAG_IMG || item->tag == HTML_TAG_INPUT || item->tag == HTML_TAG_BUTTON
				   ? 100
				   : 0;
		b.other += item->tag == HTML_TAG_LI || item->tag == HTML_TAG_TD || item->tag == HTML_TAG_TH ? 40 : 0;
	}
	return b;
}

bool oracle_run_fe(const struct oracle_page *page, enum oracle_fate *fate)
{
	size_t *block = calloc(page->count + 1, sizeof(*block));
	if (!block)
		abort();
	size_t blocks = number_blocks(page, block), best = blocks;
	double most = 0;
	for (size_t n = 0; n < blocks; n++) {
		struct block b = measure(page, block, n);
		if (b.text > b.link + b.other && b.text > most) {
			most = b.text;
			best = n;
		}
	}
	for (size_t i = 0; i < page->count; i++)
		fate[i] = block[i] == best ? WORD_KEPT : WORD_DROPPED;
	free(block);
	return most > 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static size_t find_share(const struct points *p, double share)
{
	size_t i = 0;
	while (p->at[i][0] < share || p->at[i][0] > share)
		i++;
	return i;
}

bool oracle_run_kfe(const struct oracle_page *page, enum oracle_fate *fate)
{
	size_t *block = calloc(page->count + 1, sizeof(*block));
	if (!block)
		abort();
	size_t blocks = number_blocks(page, block), *number = calloc(blocks, sizeof(*number));
	struct points p = points_new(blocks);
	double *shares = calloc(blocks, sizeof(*shares)), longest = 0;
	if (!number || !shares)
		abort();
	p.count = 0;
	for (size_t n = 0; n < blocks; n++) {
		struct block b = measure(page, block, n);
		double all = b.text + b.link + b.other;
		if (b.text + b.link <= 0)
			continue;
		double *at = p.at[p.count];
		at[0] = (double)lround(b.text / all * 65535) / 65535;
		at[1] = (double)lround(b.link / all * 65535) / 65535;
		at[2] = (double)(float)log1p(b.text + b.link);
		longest = fmax(longest, at[2]);
		shares[p.count] = at[0];
		number[p.count++] = n;
	}
	bool found = p.count > 0;
	if (found) {
		double centre[3][3], mean[3] = { -1, -1, -1 };
		size_t best = 0;
		for (size_t i = 0; i < p.count; i++)
			p.at[i][2] /= longest;
		qsort(shares, p.count, sizeof(*shares), by_value);
		memcpy(centre[0], p.at[find_share(&p, shares[0])], sizeof(centre[0]));
		memcpy(centre[1], p.at[find_share(&p, shares[(p.count - 1) / 2])], sizeof(centre[1]));
		memcpy(centre[2], p.at[find_share(&p, shares[p.count - 1])], sizeof(centre[2]));
		cluster(&p, centre, 10, 0);
		for (size_t c = 0; c < 3; c++) {
			double sum = 0, members = 0;
			for (size_t i = 0; i < p.count; i++) {
				sum += p.cluster[i] == c ? p.at[i][0] : 0;
				members += p.cluster[i] == c;
			}
			mean[c] = members > 0 ? sum / members : -1;
			best = mean[c] > mean[best] ? c : best;
		}
		for (size_t k = 0; k < p.count; k++) {
			bool first = true;
			for (size_t i = 0; i < page->count; i++) {
				if (block[i] != number[k] || p.cluster[k] != best || page->items[i].is_tag)
					continue;
				fate[i] = first ? WORD_BEGINS_BLOCK : WORD_KEPT;
				first = false;
			}
		}
	}
	points_free(&p);
	free(shares);
	free(number);
	free(block);
	return found;
}

/* Each string a number; then the regions one by one. */
bool oracle_run_density(const struct oracle_page *page, enum oracle_fate *fate)
{
	size_t *string = calloc(page->count + 1, sizeof(*string)), *chars = calloc(page->count + 1, sizeof(*chars));
	size_t strings = 0, most = 0, first = 1, last = 0;
	if (!string || !chars)
		abort();
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		if (item->is_tag)
			continue;
		strings += item->breaks;
		string[i] = strings;
		chars[strings] += item->chars + item->space;
	}
	for (size_t n = 1; n <= strings; n++) {
		size_t end = n, gap = 0, weight = 0;
		if (chars[n] < 40)
			continue;
		for (size_t k = n; k <= strings && gap <= 4; k++) {
			gap = chars[k] >= 40 ? 0 : gap + 1;
			weight += chars[k] >= 40 ? chars[k] : 0;
			end = chars[k] >= 40 ? k : end;
		}
		if (weight > most) {
			most = weight;
			first = n;
			last = end;
		}
		n = end;
	}
	for (size_t i = 0; i < page->count; i++)
		fate[i] = string[i] >= first && string[i] <= last ? WORD_KEPT : WORD_DROPPED;
	free(string);
	free(chars);
	return most > 0;
}

struct lines {
	double *chars, *tags;
	size_t *of; /* line by item */
	size_t count;
};

/* By the source's own lines; blank ones are none. */
static void natural_lines(const struct oracle_page *page, struct lines *l)
{
	l->count = 1;
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		if (item->newline && i)
			l->count++;
		l->of[i] = l->count - 1;
		l->tags[l->count - 1] += item->is_tag;
		l->chars[l->count - 1] += item->is_tag ? 0 : (double)(item->chars + item->space);
	}
}

static void cut_lines(const struct oracle_page *page, struct lines *l)
{
	size_t at = 0;
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		l->of[i] = at / 65;
		l->tags[at / 65] += item->is_tag;
		for (size_t k = 0; k < (item->is_tag ? item->source_chars : item->chars + item->space); k++)
			l->chars[at++ / 65] += !item->is_tag;
	}
	l->count = (at + 64) / 65;
}

bool oracle_run_cetr(const struct oracle_page *page, enum oracle_fate *fate)
{
	struct lines l = { 0 };
	size_t source = 0;
	double most[2] = { 0 }, sum[2] = { 0 }, centre[3][3] = { { 0 } };
	if (page->count == 0)
		return false;
	for (size_t i = 0; i < page->count; i++)
		source += page->items[i].is_tag ? page->items[i].source_chars
						: page->items[i].chars + page->items[i].space;
	size_t room = source / 65 + page->count + 2;
	l.chars = calloc(room, sizeof(*l.chars));
	l.tags = calloc(room, sizeof(*l.tags));
	l.of = calloc(page->count, sizeof(*l.of));
	if (!l.chars || !l.tags || !l.of)
		abort();
	natural_lines(page, &l);
	if (source > l.count * 500) {
		memset(l.chars, 0, room * sizeof(*l.chars));
		memset(l.tags, 0, room * sizeof(*l.tags));
		cut_lines(page, &l);
	}
	struct points p = points_new(l.count);
	for (long i = 0; i < (long)l.count; i++) {
		double weights = 0, values = 0;
		for (long k = i - 2; k <= i + 2; k++) {
			if (k < 0 || k >= (long)l.count)
				continue;
			double weight = exp(-(double)((k - i) * (k - i)) / 8);
			values += weight * (double)(float)(l.chars[k] / fmax(1, l.tags[k]));
			weights += weight;
		}
		p.at[i][0] = (double)(float)(values / weights);
	}
	for (size_t i = 0; i < l.count; i++) {
		double ahead = 0, n = 0;
		for (size_t k = i + 1; k <= i + 3 && k < l.count; k++) {
			ahead += p.at[k][0];
			n++;
		}
		p.at[i][1] = n > 0 ? (double)(float)fabs(ahead / n - p.at[i][0]) : 0;
		for (size_t d = 0; d < 2; d++) {
			sum[d] += p.at[i][d];
			most[d] = fmax(most[d], p.at[i][d]);
		}
	}
	for (size_t d = 0; d < 2; d++) {
		centre[1][d] = sum[d] / (double)l.count;
		centre[2][d] = most[d];
	}
	cluster(&p, centre, 50, 1);
	for (size_t i = 0; i < page->count; i++) {
		bool begins = l.of[i] && p.cluster[l.of[i] - 1] == 0;
		/* The first word of the first content line after others. */
		for (size_t k = i; begins && k-- > 0;)
			begins = l.of[k] != l.of[i] || page->items[k].is_tag;
		if (p.cluster[l.of[i]] != 0)
			fate[i] = begins ? WORD_BEGINS_BLOCK : WORD_KEPT;
	}
	points_free(&p);
	free(l.chars);
	free(l.tags);
	free(l.of);
	return true;
}
