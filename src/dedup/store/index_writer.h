/* SPDX-License-Identifier: MIT */
/*
 * Writes a file of this room. Until it is finished it is PATH.part, locked against a second writer, and its head is
 * zero; index_writer_finish writes the head, and makes the file and its name durable. A temporary file has no name, so
 * that nothing of it stays after a kill. The first error latches: what follows does nothing, and finish returns it.
 */
#ifndef DANA_DEDUP_STORE_INDEX_WRITER_H
#define DANA_DEDUP_STORE_INDEX_WRITER_H

#include "dedup/store/index_file.h"

struct index_writer;

/** Without `force` a file PATH must not exist (DANA_ECONFIG). NULL with `err` when it cannot be. */
struct index_writer *index_writer_open(const char *path, enum index_kind kind, bool force, struct error *err);
/** A file without a name in `folder`. */
struct index_writer *index_writer_open_temporary(const char *folder, enum index_kind kind, struct error *err);
/** Ends the section under way and begins the next one; the first is begun already, and holds plain bytes. */
void index_writer_next_section(struct index_writer *w);
/** Bytes of a record of the section under way: before anything is put into it; 1 unless this is called. */
void index_writer_record(struct index_writer *w, uint32_t bytes);
void index_writer_put(struct index_writer *w, const void *data, size_t len);
/** What failed so far; DANA_OK. */
int index_writer_status(const struct index_writer *w);
/**
 * What is told before the file gets its name, when its bytes are durable: what it will be known by (index_file.h). A
 * negative status keeps it from getting the name.
 */
struct index_ready {
	int (*call)(void *arg, uint64_t identity, struct error *err);
	void *arg;
};
/** `ready` is copied. */
void index_writer_on_ready(struct index_writer *w, const struct index_ready *ready);
/** Gives the file its name, and frees the writer in every case. */
int index_writer_finish(struct index_writer *w, struct error *err);
/** Of a temporary file: opens it for reading, and frees the writer in every case. */
int index_writer_finish_temporary(struct index_writer *w, struct index_file *f, struct error *err);
/** Removes PATH.part and frees the writer. NULL allowed. */
void index_writer_abandon(struct index_writer *w);

#endif
