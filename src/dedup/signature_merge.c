/* SPDX-License-Identifier: MIT */
/* Documents are copied file by file, their origins packed anew; buckets come from a merge of all. */
#include "config.h"

#include "dedup/signature_merge.h"

#include <stdlib.h>

#include "base/file/path.h"
#include "dedup/shards.h"

struct merger {
	struct shards shards;
	struct index_writer *out;
	struct origin_store store;
	struct parts parts;
	struct buf id;
	char *folder;
};

static int copy_document(struct merger *m, const struct signature_file *f, const struct origin_names *names,
			 const uint8_t *record, struct error *err)
{
	uint8_t packed[ORIGIN_BYTES];
	struct origin o;

	if (!origin_unpack(names, record, &m->id, &o))
		return buf_status(&m->id) < 0
			       ? error_no_memory(err)
			       : index_file_refuse(&f->file, "is damaged: a document has an impossible origin", err);
	if (origin_pack(&m->store, &o, packed) < 0)
		return error_no_memory(err);
	index_writer_put(m->out, packed, ORIGIN_BYTES);
	index_writer_put(m->out, record + ORIGIN_BYTES, SIGNATURE_HEAD - ORIGIN_BYTES + shape_numbers(m->shards.shape));
	return index_writer_status(m->out);
}

static int copy_documents(struct merger *m, const struct signature_file *f, struct error *err)
{
	struct origin_names names;
	struct index_reader reader = { 0 };
	const uint8_t *record;
	int status = origin_names_load(&names, &f->file, SIGNATURES_NAMES, SIGNATURES_STRINGS, err);

	if (status == DANA_OK)
		status = index_reader_open(&reader, &f->file, SIGNATURES_DOCUMENTS, err);
	while (status >= 0 && (status = index_reader_next(&reader, &record, err)) == 1)
		status = copy_document(m, f, &names, record, err);
	index_reader_close(&reader);
	origin_names_free(&names);
	for (size_t i = 0; i < f->parts.n && status == DANA_OK; i++) {
		const struct part *p = &f->parts.items[i];
		status = parts_add(&m->parts, slice_from_text(p->name), p->count);
	}
	return status;
}

static int copy_all(struct merger *m, struct error *err)
{
	int status = DANA_OK;

	signature_shape_write(m->out, m->shards.shape);
	for (size_t i = 0; i < m->shards.n && status == DANA_OK; i++) {
		struct signature_file f;
		status = shard_open(&m->shards.items[i], &f, err);
		if (status < 0)
			break;
		status = copy_documents(m, &f, err);
		signature_file_close(&f);
	}
	return status;
}

static int copy_buckets(struct merger *m, struct error *err)
{
	struct shard_buckets *b = calloc(1, sizeof(*b));
	int status = b ? shard_buckets_open(b, &m->shards, m->folder, err) : error_no_memory(err);
	struct pair p;

	index_writer_next_section(m->out);
	index_writer_record(m->out, PAIR_BYTES);
	while (status >= 0 && (status = pair_merge_next(b->merge, &p, err)) == 1)
		pair_put(m->out, p);
	if (b)
		shard_buckets_close(b);
	free(b);
	return status;
}

static void write_tail(struct merger *m)
{
	index_writer_next_section(m->out);
	parts_write(&m->parts, m->out);
	index_writer_next_section(m->out);
	origin_store_write(&m->store, m->out);
}

int signature_files_merge(const char *const *paths, size_t n, const char *output, bool force, struct error *err)
{
	struct merger m = { .folder = path_folder(output) };
	int status = m.folder ? shards_list(&m.shards, paths, n, err) : error_no_memory(err);

	if (status == DANA_OK) {
		m.out = index_writer_open(output, INDEX_SIGNATURES, force, err);
		status = m.out ? copy_all(&m, err) : err->status;
	}
	if (status == DANA_OK)
		status = copy_buckets(&m, err);
	if (status == DANA_OK) {
		write_tail(&m);
		status = index_writer_finish(m.out, err);
		m.out = NULL;
	}
	index_writer_abandon(m.out);
	shards_free(&m.shards);
	origin_store_free(&m.store);
	parts_free(&m.parts);
	buf_free(&m.id);
	free(m.folder);
	return status;
}
