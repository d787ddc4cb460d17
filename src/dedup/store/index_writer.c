/* SPDX-License-Identifier: MIT */
/* The head is written last, over the zeros at the front: what was interrupted before that can be told from damage. */
#include "config.h"

#include "dedup/store/index_writer.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file/durable.h"
#include "base/file/lock.h"
#include "base/file/nameless_file.h"
#include "base/file/part_file.h"
#include "base/file/path.h"
#include "base/little_endian.h"
#include "dedup/store/index_head.h"

enum { BUFFERED = 1 << 20 };

struct index_writer {
	char *path, *part; /* part: NULL for a temporary file */
	int fd;
	enum index_kind kind;
	unsigned section;
	struct index_section sections[INDEX_SECTIONS];
	XXH3_state_t *state; /* of the section under way */
	uint64_t length;
	struct buf buffer;
	uint64_t identity; /* once the head is written */
	struct index_ready ready;
	struct error err; /* the first one */
};

static void fail(struct index_writer *w, int error)
{
	if (error)
		(void)error_set(&w->err, DANA_EIO, "%s: %s", w->part ? w->part : w->path, system_text(error));
}

static void write_at(struct index_writer *w, struct slice bytes, uint64_t offset)
{
	if (w->err.status == DANA_OK)
		fail(w, durable_write_at(w->fd, bytes, offset));
}

static void flush(struct index_writer *w)
{
	write_at(w, buf_slice(&w->buffer), w->length - w->buffer.len);
	buf_clear(&w->buffer);
}

static void put_raw(struct index_writer *w, const void *data, size_t len)
{
	if (buf_append(&w->buffer, data, len) < 0)
		(void)error_set(&w->err, DANA_ENOMEM, "%s: %s", w->path, status_text(DANA_ENOMEM));
	else
		w->length += len;
	if (w->buffer.len >= BUFFERED)
		flush(w);
}

/* ---- opening ---- */

static void writer_free(struct index_writer *w)
{
	if (w->fd >= 0)
		(void)close(w->fd);
	(void)XXH3_freeState(w->state);
	buf_free(&w->buffer);
	free(w->path);
	free(w->part);
	free(w);
}

static struct index_writer *writer_new(const char *path, enum index_kind kind, struct error *err)
{
	struct index_writer *w = calloc(1, sizeof(*w));
	static const uint8_t head[INDEX_HEAD];

	if (w) {
		w->fd = -1;
		w->kind = kind;
		w->path = strdup(path);
		w->state = XXH3_createState();
		for (unsigned i = 0; i < INDEX_SECTIONS; i++)
			w->sections[i].record = 1;
	}
	if (!w || !w->path || !w->state || buf_append(&w->buffer, head, sizeof(head)) < 0) {
		(void)error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
		if (w)
			writer_free(w);
		return NULL;
	}
	w->length = INDEX_HEAD;
	(void)XXH3_64bits_reset(w->state);
	return w;
}

/* One that a killed run left is taken over. */
static int open_part(struct index_writer *w, struct error *err)
{
	w->part = path_with(w->path, OUTPUT_PART_SUFFIX);
	w->fd = w->part ? lock_open(w->part, 0666, INDEX_IN_USE, err)
			: error_set(err, DANA_ENOMEM, "%s: %s", w->path, status_text(DANA_ENOMEM));
	if (w->fd < 0)
		return w->fd;
	int error = durable_cut(w->fd, 0);
	return error ? error_set(err, DANA_EIO, "%s: %s", w->part, system_text(error)) : DANA_OK;
}

struct index_writer *index_writer_open(const char *path, enum index_kind kind, bool force, struct error *err)
{
	struct stat st;

	if (!force && lstat(path, &st) == 0) {
		(void)error_set(err, DANA_ECONFIG, "%s exists; --force overwrites it", path);
		return NULL;
	}
	struct index_writer *w = writer_new(path, kind, err);
	if (!w || open_part(w, err) == DANA_OK)
		return w;
	writer_free(w);
	return NULL;
}

struct index_writer *index_writer_open_temporary(const char *folder, enum index_kind kind, struct error *err)
{
	struct index_writer *w = writer_new(folder, kind, err);

	if (w)
		w->fd = nameless_file_open(folder, err);
	if (!w || w->fd >= 0)
		return w;
	writer_free(w);
	return NULL;
}

/* ---- writing ---- */

void index_writer_record(struct index_writer *w, uint32_t bytes)
{
	w->sections[w->section].record = bytes;
}

void index_writer_put(struct index_writer *w, const void *data, size_t len)
{
	(void)XXH3_64bits_update(w->state, data, len);
	w->sections[w->section].bytes += len;
	put_raw(w, data, len);
}

static void end_section(struct index_writer *w)
{
	w->sections[w->section].sum = XXH3_64bits_digest(w->state);
	(void)XXH3_64bits_reset(w->state);
}

void index_writer_next_section(struct index_writer *w)
{
	end_section(w);
	w->section++;
}

int index_writer_status(const struct index_writer *w)
{
	return w->err.status;
}

/* ---- the end ---- */

static void write_head(struct index_writer *w)
{
	uint8_t head[INDEX_HEAD] = { 0 };

	memcpy(head, index_magic, INDEX_MAGIC);
	little_endian_put_32(head + INDEX_AT_KIND, w->kind);
	little_endian_put_32(head + INDEX_AT_VERSION, index_kind_version(w->kind));
	little_endian_put_64(head + INDEX_AT_LENGTH, w->length);
	for (unsigned i = 0; i < INDEX_SECTIONS; i++) {
		uint8_t *at = head + INDEX_AT_SECTIONS + i * INDEX_SECTION_BYTES;
		little_endian_put_64(at, w->sections[i].bytes);
		little_endian_put_64(at + 8, w->sections[i].sum);
		little_endian_put_32(at + 16, w->sections[i].record);
	}
	w->identity = hash64(slice_of(head, INDEX_AT_SUM));
	little_endian_put_64(head + INDEX_AT_SUM, w->identity);
	write_at(w, slice_of(head, sizeof(head)), 0);
}

/* Ends all sections, also those that nothing was put into. */
static void complete(struct index_writer *w)
{
	while (w->section + 1 < INDEX_SECTIONS)
		index_writer_next_section(w);
	end_section(w);
	flush(w);
	write_head(w);
}

void index_writer_on_ready(struct index_writer *w, const struct index_ready *ready)
{
	w->ready = *ready;
}

int index_writer_finish(struct index_writer *w, struct error *err)
{
	complete(w);
	if (w->err.status == DANA_OK)
		fail(w, durable_sync(w->fd));
	if (w->err.status == DANA_OK && w->ready.call)
		(void)w->ready.call(w->ready.arg, w->identity, &w->err);
	if (w->err.status == DANA_OK)
		fail(w, durable_rename(w->part, w->path));
	int status = w->err.status;
	if (status < 0) {
		(void)error_set(err, w->err.status, "%s", w->err.text);
		(void)unlink(w->part);
	}
	writer_free(w);
	return status;
}

int index_writer_finish_temporary(struct index_writer *w, struct index_file *f, struct error *err)
{
	*f = (struct index_file){ .fd = -1 };
	complete(w);
	int status = w->err.status;
	if (status < 0) {
		(void)error_set(err, w->err.status, "%s", w->err.text);
	} else {
		status = index_file_adopt(f, w->path, w->fd, w->kind, err);
		w->fd = -1;
		if (status < 0)
			index_file_close(f);
	}
	writer_free(w);
	return status;
}

void index_writer_abandon(struct index_writer *w)
{
	if (!w)
		return;
	if (w->part)
		(void)unlink(w->part);
	writer_free(w);
}
