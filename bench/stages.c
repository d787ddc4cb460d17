/* SPDX-License-Identifier: MIT */
/*
 * bench/stages FILE [ROUNDS [METHOD...]]: CPU time of each stage by itself, over the pages of a .warc.gz, everything in
 * memory. In each round every stage runs once, so that what disturbs the machine disturbs all alike. Medians are
 * printed: nanoseconds for each byte that the stage takes, and the share of the bare inflate loop of the same file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "dana/dana.h"
#include "stage_runs.h"

enum { MAX_ROUNDS = 99, MAX_STAGES = 64 };

struct stage {
	char name[40];
	void (*run)(struct work *w);
	const char *method;
	const struct buf *input;
	double seconds[MAX_ROUNDS];
};

static double cpu_seconds(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(struct stage *s, unsigned rounds)
{
	qsort(s->seconds, rounds, sizeof(s->seconds[0]), compare);
	return s->seconds[rounds / 2];
}

int main(int argc, char **argv)
{
	static struct work w;
	static struct stage stages[MAX_STAGES] = {
		{ .name = "inflate", .run = run_inflate, .input = &w.warc },
		{ .name = "pump (codec, framer)", .run = run_pump, .input = &w.warc },
		{ .name = "framer", .run = run_framer, .input = &w.warc },
		{ .name = "http", .run = run_http, .input = &w.blocks.bytes },
		{ .name = "charset", .run = run_charset, .input = &w.bodies.bytes },
		{ .name = "tokeniser", .run = run_tokenizer, .input = &w.pages.bytes },
		{ .name = "json escape", .run = run_escape, .input = &w.texts.bytes },
		{ .name = "zstd:1", .run = run_zstd, .input = &w.json.bytes },
	};
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 5;
	size_t n = 8, methods = argc > 3 ? (size_t)argc - 3 : dana_method_count();

	if (argc < 2 || rounds == 0 || rounds > MAX_ROUNDS || methods > MAX_STAGES - n)
		die("usage: stages FILE.warc.gz [ROUNDS [METHOD...]]");
	for (size_t i = 0; i < methods; i++, n++) {
		stages[n] = (struct stage){ .run = run_method, .input = &w.pages.bytes };
		stages[n].method = argc > 3 ? argv[i + 3] : dana_method_name(i);
		snprintf(stages[n].name, sizeof(stages[n].name), "-m %s", stages[n].method);
	}
	work_prepare(&w, argv[1]);
	for (unsigned round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			double from = cpu_seconds();

			w.method = stages[i].method;
			stages[i].run(&w);
			stages[i].seconds[round] = cpu_seconds() - from;
		}
	double inflate = median(&stages[0], rounds);

	printf("%zu pages; medians of %u rounds, CPU time\n", w.pages.count, rounds);
	printf("%-22s %9s %9s %13s\n", "stage", "MB in", "ns/byte", "x inflate");
	for (size_t i = 0; i < n; i++) {
		double seconds = median(&stages[i], rounds);
		double bytes = (double)stages[i].input->len;

		printf("%-22s %9.1f %9.3f %13.3f\n", stages[i].name, bytes / 1e6, bytes > 0 ? seconds * 1e9 / bytes : 0,
		       seconds / inflate);
	}
	return 0;
}
