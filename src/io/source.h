/* SPDX-License-Identifier: MIT */
/*
 * Where input bytes come from. A source hands out one chunk at a time, and the next one when it is asked.
 * Threads: its loop's. Ownership: a chunk belongs to the source and stays in place until source_next,
 * source_seek or source_free. Errors: negative status, the text in struct error.
 */
#ifndef DANA_IO_SOURCE_H
#define DANA_IO_SOURCE_H

#include "base/buf.h"
#include "base/status.h"

struct loop;
struct source;

/**
 * Called on the loop, or from within source_start, source_next and source_seek: let these be the last thing that the
 * owner does. The source must not be freed within an event.
 */
struct source_events {
	void (*opened)(
		void *arg); /* once, before all others but failed: what `struct source` has of the input is true now */
	void (*chunk)(void *arg,
		      struct slice bytes); /* not empty; ask for more, now or later, by source_next or source_seek */
	void (*end)(void *arg);            /* no more bytes; source_seek may still follow */
	void (*failed)(void *arg, const char *why); /* opening or reading failed; nothing more comes */
	void *arg;
};

/** What a source has cost on the network. */
struct source_counts {
	uint64_t requests, retries; /* retries: requests after a failed one */
	uint64_t bytes;             /* of bodies */
};

/** A kind of source. Each begins its object with struct source. */
struct source_ops {
	const char *name;
	void (*start)(struct source *s);
	void (*next)(struct source *s);
	int (*seek)(struct source *s, uint64_t offset);         /* NULL: not seekable */
	int (*identity)(struct source *s, struct buf *out);     /* NULL: it has none */
	struct source_counts (*counts)(const struct source *s); /* NULL: nothing */
	void (*free)(struct source *s);
};

struct source {
	const struct source_ops *ops;
	struct source_events events;
	bool seekable;
	uint64_t size; /* in bytes, when seekable; else UINT64_MAX */
	int fd;        /* when seekable: other threads may read from it too, by offsets; the source's own */
};

/**
 * Opens `input`: a path, or "-" for standard input. The first chunk begins at byte `offset`; only a seekable source has
 * others than 0. Returns 0, DANA_EIO (err has the system's text) or DANA_ENOMEM.
 */
int source_open(struct source **out, struct loop *l, const char *input, uint64_t offset,
		const struct source_events *events, struct error *err);
/**
 * Appends what distinguishes this input from others, and from itself after a change: lines of a word and its value, as
 * "size 4711". They are the same in each run, wherever it begins to read. A source whose beginning somebody else sends
 * (the network) knows them from its first event on. Returns 0; DANA_ECONFIG: the input has none (standard input,
 * pipes); DANA_EIO or DANA_ENOMEM.
 */
int source_identity(struct source *s, struct buf *out);
struct source_counts source_counts(const struct source *s);
/** Returns whether `input` is a file that could be opened, if the machine did not fail. */
bool source_is_there(const char *input);
/** Returns whether reading can begin in the middle of `input`; not of standard input, pipes and devices. */
bool source_can_begin_anywhere(const char *input);
/** Begins to deliver. Once. */
void source_start(struct source *s);
/** The chunk is used up: give the next one. */
void source_next(struct source *s);
/** Instead of source_next: the next chunk begins at `offset`. Returns 0 or DANA_EIO (not seekable). */
int source_seek(struct source *s, uint64_t offset);
/** Stops at once and gives all back; waits for a read that is under way. */
void source_free(struct source *s);
/** Returns how many bytes are asked for in one read. */
size_t source_read_size(void);
/** For kinds of sources: calls `opened`. */
static inline void source_opened(struct source *s)
{
	if (s->events.opened)
		s->events.opened(s->events.arg);
}

#endif
