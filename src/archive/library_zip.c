/* SPDX-License-Identifier: MIT */
/* The public call for zips: bytes from the caller's function, and its entries to another one. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/zip_directory.h"
#include "dana/archive.h"

static int read_caller(void *arg, uint64_t from, size_t n, struct buf *out, struct error *err)
{
	const struct dana_zip *zip = arg;
	if (buf_reserve(out, n) < 0)
		return error_no_memory(err);
	const int64_t got = zip->read(zip->arg, from, out->data + out->len, n);
	if (got < 0 || (uint64_t)got > n)
		return error_set(err, DANA_EIO, "the zip cannot be read");
	out->len += (size_t)got;
	return DANA_OK;
}

static struct dana_zip_entry entry_of(const struct source_part *part)
{
	return (struct dana_zip_entry){ .name = part->name,
					.begin = part->begin,
					.length = part->length,
					.deflated = part->deflated,
					.size = part->size,
					.crc = part->crc,
					.fault = part->fault };
}

static int give(const struct dana_zip *zip, const struct source_part *part)
{
	struct dana_zip_entry entry = entry_of(part), of;
	if (part->zip) {
		of = entry_of(part->zip);
		entry.zip = &of;
	}
	return zip->entry(zip->arg, &entry);
}

int dana_zip_read(const struct dana_zip *zip)
{
	if (!zip || zip->struct_size < sizeof(*zip) || !zip->read || !zip->entry)
		return DANA_WRONG_ORDER;
	struct zip_entries entries = { .memory = arena_new() };
	struct zip_file file = { .read = read_caller, .arg = (void *)(uintptr_t)zip, .size = zip->size };
	struct error err = { 0 };
	int status = entries.memory ? zip_directory_read(&entries, &file, &err) : error_no_memory(&err);
	for (size_t i = 0; i < entries.n && status == DANA_OK; i++) {
		if (give(zip, &entries.items[i]))
			status = error_set(&err, DANA_EIO, "an entry was not taken");
	}
	if (zip->error && zip->error_size)
		(void)snprintf(zip->error, zip->error_size, "%s", err.text);
	free(entries.items);
	arena_free(entries.memory);
	return status == DANA_ECONFIG ? DANA_ZIP_NONE : status == DANA_EFORMAT ? DANA_ZIP_DAMAGED : status;
}
