/* SPDX-License-Identifier: MIT */
/*
 * The stages of the benchmark, each over all pages in memory, and what they take: the output of the stage before, made
 * once. One thread. Whatever fails ends the program.
 */
#ifndef DANA_BENCH_STAGE_RUNS_H
#define DANA_BENCH_STAGE_RUNS_H

#include "base/buf.h"

/* Pieces of one kind, one behind the other: blocks of records, bodies, pages in UTF-8, texts. */
struct pieces {
	struct buf bytes;
	size_t *ends;
	size_t count, room;
};

struct work {
	struct buf file, warc;
	struct pieces blocks, bodies, labels, pages, texts, json;
	struct pieces *into; /* where sinks put what they hear; NULL: nowhere */
	const char *method;  /* of run_method; NULL: the default */
};

/** Reads a .warc.gz, and runs every stage once to make the input of the next. */
void work_prepare(struct work *w, const char *path);

void run_inflate(struct work *w);
void run_pump(struct work *w);
void run_framer(struct work *w);
void run_http(struct work *w);
void run_charset(struct work *w);
void run_tokenizer(struct work *w);
void run_method(struct work *w);
void run_escape(struct work *w);
void run_zstd(struct work *w);

/** Tells what is wrong and ends the program. */
_Noreturn void die(const char *what);

#endif
