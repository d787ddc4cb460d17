/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/line_sums.h"

#include <stdio.h>

static void put_sum(struct index_writer *w, struct pair p, uint64_t least, struct line_histogram *h)
{
	if (p.value < least)
		return;
	pair_put(w, p);
	h->lines[p.value < LINE_COUNTS ? p.value : LINE_COUNTS - 1]++;
}

int line_sums(int (*next)(void *from, struct pair *p, struct error *err), void *from, struct index_writer *w,
	      uint64_t least, struct line_histogram *h, struct error *err)
{
	struct pair sum = { 0 }, p;
	int status;

	while ((status = next(from, &p, err)) == 1) {
		if (p.key != sum.key) {
			put_sum(w, sum, least, h);
			sum = p;
		} else {
			sum.value += p.value;
		}
	}
	if (status == 0)
		put_sum(w, sum, least, h);
	return status;
}

uint64_t line_histogram_fit(const struct line_histogram *h, uint64_t bytes, uint64_t least)
{
	uint64_t room = bytes / PAIR_BYTES, count = LINE_COUNTS;

	while (count > least && h->lines[count - 1] <= room)
		room -= h->lines[--count];
	return count;
}

void line_table_write_text(struct index_writer *w, bool by_site, uint64_t least, uint64_t pages)
{
	char text[128];
	int len = snprintf(text, sizeof(text), "scope=%s\nleast=%llu\npages=%llu\n", by_site ? "site" : "all",
			   (unsigned long long)least, (unsigned long long)pages);

	index_writer_put(w, text, (size_t)len);
	index_writer_next_section(w);
}
