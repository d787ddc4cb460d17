/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without a fuzzer: `fuzz_X [-n N] [-s SEED] FILE|FOLDER...` replays the files, and with -n then
 * changes them at random N times, the same way on each run. When the target aborts, its input is left in the file
 * `fuzz-failed`.
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "support/split_feed.h"

enum { SEEDS_MAX = 4096, INPUT_MAX = 1 << 20 };

static struct buf seeds[SEEDS_MAX];
static size_t n_seeds;
static struct slice current; /* what the target runs on */

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "%s: ", what);
	perror(name);
	exit(2);
}

static void read_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	if (!f)
		fail("cannot open", name);
	if (n_seeds == SEEDS_MAX)
		fail("too many files at", name);
	struct buf *b = &seeds[n_seeds++];
	if (buf_reserve(b, INPUT_MAX) < 0)
		fail("no memory for", name);
	b->len = fread(b->data, 1, INPUT_MAX, f);
	if (ferror(f))
		fail("cannot read", name);
	fclose(f);
}

/* A folder's files in the order of their names, so that each run is the same. */
static void read_folder(const char *name)
{
	struct dirent **entries;
	int n = scandir(name, &entries, NULL, alphasort);
	if (n < 0)
		fail("cannot list", name);
	for (int i = 0; i < n; i++) {
		char path[4096];
		(void)snprintf(path, sizeof(path), "%s/%s", name, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			read_file(path);
		free(entries[i]);
	}
	free(entries);
}

static void leave_input(int number)
{
	int fd = open("fuzz-failed", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0 && write(fd, current.data, current.len) == (ssize_t)current.len)
		close(fd);
	signal(number, SIG_DFL);
}

/* In a block of its exact size, so that sanitizers see over-reads. */
static void run(struct slice input)
{
	uint8_t *copy = malloc(input.len ? input.len : 1);
	must(copy);
	if (input.len)
		memcpy(copy, input.data, input.len);
	current = input;
	LLVMFuzzerTestOneInput(copy, input.len);
	free(copy);
}

static void take_from_other(struct buf *b, uint32_t *random)
{
	const struct buf *other = &seeds[split_random(random) % n_seeds];
	if (other->len == 0 || b->len == 0)
		return;
	size_t from = split_random(random) % other->len, n = split_random(random) % 64;
	n = n < other->len - from ? n : other->len - from;
	if (split_random(random) & 1) { /* over what is there */
		size_t at = split_random(random) % b->len;
		n = n < b->len - at ? n : b->len - at;
		memcpy(b->data + at, other->data + from, n);
	} else if (buf_append(b, other->data + from, n) < 0) {
		abort();
	}
}

static void cut_out(struct buf *b, size_t at, size_t n)
{
	n = n < b->len - at ? n : b->len - at;
	memmove(b->data + at, b->data + at + n, b->len - at - n);
	b->len -= n;
}

int main(int argc, char **argv)
{
	unsigned long rounds = 0, seed = 1;
	for (int i = 1; i < argc; i++) {
		struct stat st;
		if (i + 1 < argc && strcmp(argv[i], "-n") == 0)
			rounds = strtoul(argv[++i], NULL, 10);
		else if (i + 1 < argc && strcmp(argv[i], "-s") == 0)
			seed = strtoul(argv[++i], NULL, 10);
		else if (stat(argv[i], &st) != 0)
			fail("cannot find", argv[i]);
		else if (S_ISDIR(st.st_mode))
			read_folder(argv[i]);
		else
			read_file(argv[i]);
	}
	signal(SIGABRT, leave_input);
	for (size_t i = 0; i < n_seeds; i++)
		run(buf_slice(&seeds[i]));
	uint32_t random = (uint32_t)seed * 2654435761U | 1;
	struct buf b = { 0 };
	for (unsigned long i = 0; i < rounds && n_seeds; i++) {
		const struct buf *base = &seeds[split_random(&random) % n_seeds];
		buf_clear(&b);
		must(buf_append(&b, base->data, base->len) >= 0);
		for (uint32_t changes = 1 + split_random(&random) % 6; changes > 0; changes--) {
			static const uint8_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, '<', '>', '\n', '\r', ' ', '"', '&' };
			const size_t at = b.len ? split_random(&random) % b.len : 0;
			switch (b.len ? split_random(&random) % 6 : 5) {
			case 0:
				b.data[at] ^= (uint8_t)(1U << split_random(&random) % 8);
				break;
			case 1:
				b.data[at] = (uint8_t)split_random(&random);
				break;
			case 2:
				b.data[at] = edges[split_random(&random) % sizeof(edges)];
				break;
			case 3:
				cut_out(&b, at, 1 + split_random(&random) % 16);
				break;
			case 4:
				b.len = at;
				break;
			default:
				take_from_other(&b, &random);
				break;
			}
		}
		run(buf_slice(&b));
	}
	printf("%zu files and %lu changed ones: well\n", n_seeds, rounds);
	buf_free(&b);
	for (size_t i = 0; i < n_seeds; i++)
		buf_free(&seeds[i]);
	return 0;
}
