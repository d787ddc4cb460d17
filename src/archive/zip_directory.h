/* SPDX-License-Identifier: MIT */
/*
 * Archives in a zip, as WACZ has them, and in the WACZs of a zip (multi-WACZ): where they lie in the file. Pure: the
 * bytes come from whatever has them by offsets.
 * Ownership: names and faults are in the caller's arena. Errors: negative status, the text in struct error.
 */
#ifndef DANA_ARCHIVE_ZIP_DIRECTORY_H
#define DANA_ARCHIVE_ZIP_DIRECTORY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/status.h"

struct identity;

/** Bytes of a file that are an input by themselves: an entry of a zip. Texts are borrowed. */
struct source_part {
	const char *name; /* "archive/a.warc", in a zip of the zip "inner.wacz/archive/a.warc"; NULL: the file itself,
			     which has a fault */
	uint64_t begin, length;        /* in the file, or in what `zip` is inflated to */
	bool deflated;                 /* then: */
	uint64_t size;                 /* in bytes, inflated; else the length */
	uint32_t crc;                  /* of the archive's bytes */
	const struct source_part *zip; /* the deflated zip in the file that it lies in; NULL: it lies in the file */
	const char *fault;             /* why it is not read, at most 119 bytes of ASCII; NULL: it is */
	const struct identity
		*served; /* what a server had of the file when its directory was read (io/reply.h); NULL */
	bool unreadable; /* ... and the file is not there, or cannot be read; else it is damaged */
};

/** The archives of a zip, in the order of its directory. `memory` is the owner's, who frees the array; zeroed before
 * use. */
struct zip_entries {
	struct arena *memory;
	struct source_part *items;
	size_t n, cap;
};

/** The file that the zip is. */
struct zip_file {
	/** Appends the bytes [from, from + n), or as many as there are. Returns 0 or a status with its text in `err`.
	 */
	int (*read)(void *arg, uint64_t from, size_t n, struct buf *out, struct error *err);
	void *arg;
	uint64_t size;                 /* in bytes; known after the first read, at the latest */
	const struct identity *served; /* of each part */
};

/** Returns whether a file that begins so is a zip. */
bool zip_begins_so(struct slice first);
/**
 * Reads the directory of a zip, and of the WACZs in it, and appends the archives. What cannot be read has a fault. Zips
 * in the zips of a zip are not looked into. Returns 0; DANA_ECONFIG: it is no zip; DANA_EFORMAT: it is damaged, or
 * holds no archive; DANA_ENOMEM; or what zip_file.read returned.
 */
int zip_directory_read(struct zip_entries *out, struct zip_file *file, struct error *err);

/* Inflating an entry, as its bytes come. */

enum zip_inflated {
	ZIP_STARVED, /* give more */
	ZIP_MADE,    /* `made` has the next bytes, which stay in place until the next call */
	ZIP_ENDED,   /* nothing more comes */
};

struct zip_inflater;

/** `part`: deflated; `room`: the most bytes that are made at once. Returns NULL if memory is exhausted. */
struct zip_inflater *zip_inflater_new(const struct source_part *part, size_t room);
/**
 * Takes bytes off `in`; `last`: nothing follows them. Returns an enum zip_inflated, or DANA_ENOMEM. At ZIP_ENDED *fault
 * is what is wrong with the entry, or NULL.
 */
int zip_inflater_step(struct zip_inflater *f, struct slice *in, bool last, struct slice *made, const char **fault);
void zip_inflater_free(struct zip_inflater *f);

/** Returns the CRC-32 of zips, of what `crc` is for (0: nothing) and `bytes` after it. */
uint32_t zip_checksum(uint32_t crc, struct slice bytes);
/** What is wrong with an entry whose bytes do not have its checksum, or are missing. */
extern const char zip_wrong_checksum[], zip_cut_off[];

#endif
