/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: zips with archives. First byte: how many bytes a read gives, 0 for 256; then the zip. Oracles: entries
 * lie in the zip, or in what a deflated zip in it is inflated to, and together are not longer; a stored one is these
 * bytes of it; a deflated one is what zlib makes of them in one piece; either is found good only with its length and
 * checksum; reads of that size, which continue with the zip of the entry before, and of any give the same; a refusal is
 * told on one line.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "io/loop.h"
#include "io/zip.h"
#include "support/split_feed.h"

enum { LOCAL_HEADER = 30, INFLATED_MOST = 4 << 20 };

/* An entry as it is read. */
struct reading {
	struct source *source;
	struct buf bytes;
	const char *fault;
	bool over;
};

static void take_chunk(void *arg, struct slice bytes)
{
	struct reading *r = arg;
	must(bytes.len > 0);
	must(buf_append(&r->bytes, bytes.data, bytes.len) == DANA_OK);
	source_next(r->source);
}

static void take_end(void *arg)
{
	struct reading *r = arg;
	r->fault = r->source->fault;
	r->over = true;
}

static void take_failure(void *arg, const char *why)
{
	(void)arg;
	must_be(false, why);
}

static const char *read_entry(struct loop *l, const char *path, const struct source_part *part, unsigned read_size,
			      struct zip_kept *kept, struct buf *bytes)
{
	struct reading r = { 0 };
	const struct source_events events = { NULL, take_chunk, take_end, take_failure, &r };
	const struct zip_input in = { path, path, part, 0, true, kept };
	struct error err = { 0 };
	char size[16];
	(void)snprintf(size, sizeof(size), "%u", read_size);
	must(setenv("DANA_TEST_READ_SIZE", size, 1) == 0);
	must(zip_source_open(&r.source, l, NULL, &in, &events, &err) == DANA_OK);
	source_start(r.source);
	loop_run_until(l, &r.over);
	source_free(r.source);
	*bytes = r.bytes;
	return r.fault;
}

/* What zlib makes of a deflated entry in one piece, up to INFLATED_MOST. Returns whether its data is whole. */
static bool inflate_whole(struct slice data, uint8_t *whole, struct slice *made)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)data.data, .avail_in = (unsigned)data.len };
	must(inflateInit2(&z, -MAX_WBITS) == Z_OK);
	z.next_out = whole;
	z.avail_out = INFLATED_MOST;
	const bool complete = inflate(&z, Z_FINISH) == Z_STREAM_END;
	*made = slice_of(whole, z.total_out);
	(void)inflateEnd(&z);
	return complete;
}

static void check_inflated(struct slice data, const struct source_part *part, struct slice got, bool good)
{
	uint8_t *whole = malloc(INFLATED_MOST);
	struct slice all;
	must(whole != NULL);
	const bool complete = inflate_whole(data, whole, &all);
	must(got.len <= part->size);
	must(got.len <= all.len && memcmp(got.data ? got.data : whole, whole, got.len) == 0);
	const bool right = complete && all.len == part->size && crc32(0, all.data, (unsigned)all.len) == part->crc;
	must(good == right);
	must(!complete || got.len == (part->size < all.len ? part->size : all.len));
	free(whole);
}

static void check_entry(struct loop *l, const char *path, struct slice zip, const struct source_part *part,
			unsigned read_size, struct zip_kept *kept)
{
	struct buf whole = { 0 }, cut = { 0 };
	uint8_t *inflated = NULL;
	bool zip_is_whole = true;
	const char *fault = read_entry(l, path, part, INFLATED_MOST, NULL, &whole);
	const char *cut_fault = read_entry(l, path, part, read_size, kept, &cut);
	split_compare(&whole, &cut, "reads of", read_size);
	must(fault == cut_fault || (fault && cut_fault && strcmp(fault, cut_fault) == 0));
	if (part->zip) {
		const struct slice of_zip =
			slice_first(slice_skip(zip, (size_t)part->zip->begin), (size_t)part->zip->length);
		inflated = malloc(INFLATED_MOST);
		must(inflated != NULL && part->begin <= part->zip->size &&
		     part->length <= part->zip->size - part->begin);
		zip_is_whole = inflate_whole(of_zip, inflated, &zip) && part->begin + part->length <= zip.len;
	} else {
		must(part->begin <= zip.len && part->length <= zip.len - part->begin);
	}
	const struct slice data = slice_first(slice_skip(zip, (size_t)part->begin), (size_t)part->length);
	if (!zip_is_whole)
		must(part->deflated || whole.len <= data.len);
	else if (part->deflated)
		check_inflated(data, part, buf_slice(&whole), fault == NULL);
	else
		must(slice_equal(data, buf_slice(&whole)) &&
		     (fault == NULL) == (crc32(0, data.data, (unsigned)data.len) == part->crc));
	free(inflated);
	buf_free(&whole);
	buf_free(&cut);
}

static void is_one_line(const char *text)
{
	must(text[0]);
	for (; *text; text++)
		must((uint8_t)*text >= 0x20 && *text != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct loop *l;
	char path[32];
	struct error err = { 0 };
	if (size < 5) /* what is shorter is not taken for a zip */
		return 0;
	l = l ? l : loop_new_alone(&err);
	const struct slice zip = slice_of(data + 1, size - 1);
	const int fd = memfd_create("zip", MFD_CLOEXEC);
	must(l && fd >= 0 && write(fd, zip.data, zip.len) == (ssize_t)zip.len);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct zip_entries entries = { .memory = arena_new() };
	must(entries.memory != NULL);
	const int status = zip_read(&entries, path, path, NULL, &err);
	must(status == DANA_OK || status == DANA_ECONFIG || status == DANA_EFORMAT);
	if (status < 0)
		is_one_line(err.text);
	struct zip_kept kept = { 0 };
	uint64_t sum = 0;
	for (size_t i = 0; i < entries.n && status == DANA_OK; i++) {
		const struct source_part *part = &entries.items[i];
		sum += part->zip ? 0 : part->length + LOCAL_HEADER;
		if (part->fault)
			is_one_line(part->fault);
		else
			check_entry(l, path, zip, part, data[0] ? data[0] : 256, &kept);
	}
	zip_kept_drop(&kept);
	must(sum <= zip.len);
	arena_free(entries.memory);
	free(entries.items);
	(void)close(fd);
	return 0;
}
