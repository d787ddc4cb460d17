/* SPDX-License-Identifier: MIT */
/*
 * FILE.part, in which an output FILE grows, and FILE.state, in which its user may note how far it is. FILE.part is
 * locked (base/file/lock.h) as long as it is open, so that two runs do not write into it. Any thread.
 */
#ifndef DANA_BASE_FILE_PART_FILE_H
#define DANA_BASE_FILE_PART_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

#define OUTPUT_PART_SUFFIX ".part"
#define OUTPUT_STATE_SUFFIX ".state" /* beside FILE.part: how far it is, for its user to write and read */

/** What to do about FILE and FILE.part of an earlier run. */
enum output_way {
	OUTPUT_NEW,    /* refuse */
	OUTPUT_FORCE,  /* write over them; FILE.state is removed */
	OUTPUT_RESUME, /* keep what is in FILE.part; its user then calls output_cut */
};

/** Is FILE a device, a named pipe or a socket, which has no part? */
bool part_file_special(const char *path, mode_t *mode);
/** FILE is there, and no FILE.part beside it, which would be that of a run that is to write over FILE. */
bool part_file_is_final(const char *path);
/**
 * Would part_file_open find no file in its way, and a name that can be one? 0, or DANA_ECONFIG, DANA_EIO or DANA_ENOMEM
 * with the text in `err`.
 */
int part_file_check(const char *path, enum output_way way, struct error *err);
/**
 * Opens and locks `part`, the name of FILE.part. With OUTPUT_RESUME what is in it stays, and *kept says that it was
 * there. The descriptor, or a negative status as part_file_check, DANA_EIO or DANA_ENOMEM.
 */
int part_file_open(const char *path, const char *part, enum output_way way, bool *kept, struct error *err);

/** Stores a message about a file, whose name is cut where it is so long that the reason would be lost. DANA_EIO. */
int part_file_fault(struct error *err, const char *name, int error);

#endif
