/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/wget2/archive.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/codec/codec.h"
#include "base/file/durable.h"
#include "base/file/part_file.h"
#include "base/file/path.h"

/* Compresses the records of one call; there are as many as concurrent calls. */
struct packer {
	struct packer *next;
	struct encoder_codec *codec;
	struct buf packed;
};

struct archive {
	const char *path;
	char *part;
	int fd;
	const struct encoder_ops *encoder;
	struct records_origin warcinfo;
	pthread_mutex_t lock; /* guards the members below, and the order of writes */
	struct packer *packers;
	int error; /* errno of the first failure, after which nothing is written */
};

static const struct encoder_ops *encoder_of(const char *path)
{
	struct slice name = slice_from_text(path);
	for (size_t i = 0; encoder_table[i]; i++) {
		struct slice suffix = slice_from_text(encoder_table[i]->suffix);
		if (suffix.len && name.len > suffix.len && slice_equal(slice_skip(name, name.len - suffix.len), suffix))
			return encoder_table[i];
	}
	return encoder_find(slice_from_text("none"));
}

/* ---- packers ---- */

static struct packer *take_packer(struct archive *a)
{
	pthread_mutex_lock(&a->lock);
	struct packer *p = a->packers;
	if (p)
		a->packers = p->next;
	pthread_mutex_unlock(&a->lock);
	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (p)
		p->codec = a->encoder->open(a->encoder->level_default);
	if (p && !p->codec) {
		free(p);
		return NULL;
	}
	return p;
}

static void give_packer(struct archive *a, struct packer *p)
{
	enum { KEEP = 4 << 20 };
	buf_shrink(&p->packed, KEEP);
	pthread_mutex_lock(&a->lock);
	p->next = a->packers;
	a->packers = p;
	pthread_mutex_unlock(&a->lock);
}

/* ---- writing ---- */

int archive_write(struct archive *a, const struct buf *records, size_t n, struct error *err)
{
	struct packer *p = take_packer(a);
	int status = p ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < n && status == DANA_OK; i++)
		status = a->encoder->unit(p->codec, buf_slice(&records[i]), &p->packed);
	pthread_mutex_lock(&a->lock);
	bool told = a->error != 0;
	if (status == DANA_OK && !told)
		a->error = durable_write(a->fd, buf_slice(&p->packed));
	int error = told ? 0 : a->error;
	pthread_mutex_unlock(&a->lock);
	if (p)
		give_packer(a, p);
	if (status < 0)
		return error_no_memory(err);
	return error ? part_file_fault(err, a->part, error) : DANA_OK;
}

static int write_warcinfo(struct archive *a, struct error *err)
{
	struct buf record = { 0 };
	int status = records_begin(&a->warcinfo, NULL);
	if (status == DANA_OK)
		status = records_warcinfo(&a->warcinfo, a->path, &record);
	if (status == DANA_OK)
		status = archive_write(a, &record, 1, err);
	buf_free(&record);
	return status < 0 ? error_set(err, (enum dana_status)status, "%s", status_text(status)) : DANA_OK;
}

static void archive_free(struct archive *a)
{
	while (a->packers) {
		struct packer *p = a->packers;
		a->packers = p->next;
		a->encoder->close(p->codec);
		buf_free(&p->packed);
		free(p);
	}
	if (a->fd >= 0)
		(void)close(a->fd);
	pthread_mutex_destroy(&a->lock);
	free(a->part);
	free(a);
}

int archive_open(struct archive **out, const char *path, bool force, struct error *err)
{
	struct archive *a = calloc(1, sizeof(*a));
	bool kept;
	if (!a)
		return error_no_memory(err);
	pthread_mutex_init(&a->lock, NULL);
	a->path = path;
	a->encoder = encoder_of(path);
	a->part = path_with(path, OUTPUT_PART_SUFFIX);
	a->fd = a->part ? part_file_open(path, a->part, force ? OUTPUT_FORCE : OUTPUT_NEW, &kept, err)
			: error_no_memory(err);
	if (a->fd >= 0 && write_warcinfo(a, err) == DANA_OK) {
		*out = a;
		return DANA_OK;
	}
	archive_free(a);
	return err->status;
}

const char *archive_id(const struct archive *a)
{
	return a->warcinfo.id;
}

int archive_close(struct archive *a, struct error *err)
{
	if (!a)
		return DANA_OK;
	int status = a->error ? DANA_EIO : DANA_OK; /* already reported; FILE.part stays */
	int error = a->error ? 0 : durable_sync(a->fd);
	if (status == DANA_OK && !error)
		error = durable_rename(a->part, a->path);
	if (error)
		status = part_file_fault(err, a->part, error);
	archive_free(a);
	return status;
}
