/* SPDX-License-Identifier: MIT */
/*
 * Lists what framer and pump make of a file, one line each, tab separated: number, what, reason, offset, length, type,
 * URI, bytes and FNV-1a of the block. A developer's tool, and the eyes of check_hostile.sh.
 *
 * warc_list [-r READ_SIZE] [-s] [-u] [-c] FILE: -s = the source can seek, -u = no record is wanted, -c = only the
 * totals
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/pump.h"
#include "base/buf.h"

struct lister {
	struct record_sink sink;
	bool quiet, unwanted;
	const struct record *rec;
	uint64_t bytes, hash;
	uint64_t good, responses, damaged, mended; /* mended: good responses whose length is wrong */
};

static void print_text(struct slice s)
{
	for (size_t i = 0; i < s.len && i < 200; i++)
		putchar(s.data[i] > ' ' && s.data[i] < 127 ? s.data[i] : '?');
}

static int lister_begin(struct record_sink *self, const struct record *rec)
{
	struct lister *l = (struct lister *)self;
	l->rec = rec;
	l->bytes = 0;
	l->hash = 0xcbf29ce484222325U;
	return l->unwanted ? RECORD_UNWANTED : RECORD_WANTED;
}

static int lister_body(struct record_sink *self, struct slice bytes)
{
	struct lister *l = (struct lister *)self;
	l->bytes += bytes.len;
	for (size_t i = 0; i < bytes.len; i++)
		l->hash = (l->hash ^ bytes.data[i]) * 0x100000001b3U;
	return RECORD_WANTED;
}

static int lister_end(struct record_sink *self, const struct record_end *end)
{
	struct lister *l = (struct lister *)self;
	const struct record *rec = l->rec;
	l->good += !end->damaged;
	l->damaged += end->damaged;
	l->responses += !end->damaged && rec->type == RECORD_RESPONSE;
	l->mended += end->wrong_length && rec->type == RECORD_RESPONSE;
	if (l->quiet)
		return 0;
	printf("%" PRIu64 "\t%s\t%s\t%" PRIu64 "\t", rec->seq, end->damaged ? "damaged" : "record",
	       end->damaged        ? damage_word(end->reason)
	       : end->wrong_length ? "bad_length"
				   : "-",
	       rec->offset);
	if (end->length_known)
		printf("%" PRIu64 "\t", end->length);
	else
		printf("-\t");
	print_text(rec->type_name);
	putchar('\t');
	print_text(rec->target_uri);
	if (end->damaged)
		printf("\t%s\n", end->detail);
	else
		printf("\t%" PRIu64 "%s\t%016" PRIx64 "\n", l->bytes, end->block_cut ? "+" : "", l->hash);
	return 0;
}

static int lister_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	struct lister *l = (struct lister *)self;
	l->damaged++;
	if (l->quiet)
		return 0;
	printf("%" PRIu64 "\tdamage\t%s\t%" PRIu64 "\t-\t", seq, damage_word(end->reason), offset);
	print_text(id);
	putchar('\t');
	print_text(uri);
	printf("\t%s\n", end->detail);
	return 0;
}

static const struct record_sink_ops lister_ops = { "lister", lister_begin, lister_body, lister_end, lister_damage };

static void die(const char *what)
{
	fprintf(stderr, "warc_list: %s\n", what);
	exit(1);
}

int main(int argc, char **argv)
{
	const struct limits limits = LIMITS_DEFAULT;
	struct lister lister = { .sink = { &lister_ops } };
	size_t size = 256 << 10;
	bool seekable = false;
	for (int option; (option = getopt(argc, argv, "r:suc")) != -1;) {
		if (option == 'r')
			size = strtoul(optarg, NULL, 10);
		else if (option == 's')
			seekable = true;
		else if (option == 'u')
			lister.unwanted = true;
		else if (option == 'c')
			lister.quiet = true;
		else
			return 3;
	}
	FILE *file = optind < argc ? fopen(argv[optind], "rb") : stdin;
	if (!file || size == 0)
		die("no file");
	struct pump_config config = { .next = &lister.sink,
				      .limits = &limits,
				      .seekable = seekable,
				      .source_size = UINT64_MAX };
	if (seekable) {
		if (fseek(file, 0, SEEK_END) != 0)
			die("cannot seek");
		config.source_size = (uint64_t)ftell(file);
		rewind(file);
	}
	struct pump *pump = pump_new(&config);
	if (!pump)
		die("memory exhausted");
	/* Pieces lie in blocks of their exact size, so that sanitizers see every step beyond. */
	int answer;
	do {
		uint8_t *chunk = malloc(size);
		size_t n = chunk ? fread(chunk, 1, size, file) : 0;
		if (!chunk)
			die("memory exhausted");
		if (n && n < size) {
			uint8_t *exact = realloc(chunk, n);
			chunk = exact ? exact : chunk;
		}
		answer = n ? pump_push(pump, slice_of(chunk, n)) : pump_finish(pump);
		free(chunk);
		if (answer == PUMP_SEEK && fseek(file, (long)pump_seek_offset(pump), SEEK_SET) != 0)
			die("cannot seek");
	} while (answer == PUMP_HUNGRY || answer == PUMP_SEEK);
	if (answer != PUMP_DONE)
		die(status_text(answer));
	struct pump_counts counts = pump_counts(pump);
	printf("total\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
	       lister.good, lister.responses, lister.damaged, counts.records, counts.bytes_in, counts.bytes_decoded,
	       lister.mended);
	pump_free(pump);
	fclose(file);
	return 0;
}
