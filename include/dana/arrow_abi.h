/* SPDX-License-Identifier: MIT */
/*
 * The structs of Arrow's C data interface and C stream interface, as Arrow's specification gives them, so that nothing
 * of Arrow is needed to build or to run. The specification names the guards: a program that has the structs from
 * elsewhere keeps those.
 */
#ifndef DANA_ARROW_ABI_H
#define DANA_ARROW_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
	const char *format, *name, *metadata;
	int64_t flags, n_children;
	struct ArrowSchema **children, *dictionary;
	void (*release)(struct ArrowSchema *schema); /* NULL: released */
	void *private_data;
};

struct ArrowArray {
	int64_t length, null_count, offset, n_buffers, n_children;
	const void **buffers;
	struct ArrowArray **children, *dictionary;
	void (*release)(struct ArrowArray *array); /* NULL: released */
	void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
	/** Return 0 or an errno number. At its end the stream gives an array that is released. */
	int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *schema);
	int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *array);
	/** Returns a text for the last errno number, valid until the next call; NULL if no text is known. */
	const char *(*get_last_error)(struct ArrowArrayStream *stream);
	void (*release)(struct ArrowArrayStream *stream); /* NULL: released */
	void *private_data;
};

#endif

#ifdef __cplusplus
}
#endif
#endif
