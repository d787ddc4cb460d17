/* SPDX-License-Identifier: MIT */
/*
 * Reads the files that keys of methods name (dana_options.read_file), and remembers what was wrong with one, because
 * libdana says only that it refused it. Threads: any number of extractors may share one.
 */
#ifndef DANA_RUN_MODEL_READER_H
#define DANA_RUN_MODEL_READER_H

#include <pthread.h>

#include "base/slice.h"
#include "base/status.h"

struct model_reader {
	const char *const *methods; /* borrowed */
	size_t n_methods;
	pthread_mutex_t lock;
	char file[200];    /* printable */
	int error;         /* errno of the file that could not be read */
	const char *fault; /* what is wrong with its content, should the method refuse it */
};

/** `methods`, with their keys, are borrowed. */
void model_reader_init(struct model_reader *r, const char *const *methods, size_t n_methods);
/** dana_options.read_file with the reader as its argument; returns as that. */
int model_reader_read(void *reader, const char *name, char **data, size_t *len);
/** After the method has refused a file: stores which, and why. Returns DANA_ECONFIG. */
int model_reader_refused(struct model_reader *r, struct error *err);
void model_reader_free(struct model_reader *r);

#endif
