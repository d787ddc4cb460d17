/* SPDX-License-Identifier: MIT */
/* Places in the head of a file, for index_file.c and index_writer.c only. */
#ifndef DANA_DEDUP_STORE_INDEX_HEAD_H
#define DANA_DEDUP_STORE_INDEX_HEAD_H

#include "dedup/store/index_file.h"

enum {
	INDEX_MAGIC = 8,
	INDEX_AT_KIND = 8,
	INDEX_AT_VERSION = 12,
	INDEX_AT_LENGTH = 16,
	INDEX_AT_SECTIONS = 24,
	INDEX_SECTION_BYTES = 24,
	INDEX_AT_SUM = INDEX_HEAD - 8,
};

extern const uint8_t index_magic[INDEX_MAGIC];

/** Takes over a descriptor, also when it fails (then index_file_close gives it back). */
int index_file_adopt(struct index_file *f, const char *path, int fd, enum index_kind kind, struct error *err);

#endif
