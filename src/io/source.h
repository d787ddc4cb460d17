/* SPDX-License-Identifier: MIT */
/*
 * Where input bytes come from. A source hands out one chunk at a time, and the next one when it is asked.
 * Threads: its loop's. Ownership: a chunk belongs to the source and stays in place until source_next,
 * source_seek or source_free. Errors: negative status, the text in struct error.
 */
#ifndef DANA_IO_SOURCE_H
#define DANA_IO_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "archive/zip_directory.h"
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

struct source_counts {
	uint64_t requests, retries; /* retries: requests after a failed one */
	uint64_t bytes;             /* of bodies */
};

/** A kind of source. Each begins its object with struct source. */
struct source_ops {
	const char *name;
	void (*start)(struct source *s);
	void (*next)(struct source *s);
	void (*passed)(struct source *s, uint64_t offset);      /* NULL: it does not matter */
	int (*seek)(struct source *s, uint64_t offset);         /* NULL: not seekable */
	int (*identity)(struct source *s, struct buf *out);     /* NULL: it has none */
	struct source_counts (*counts)(const struct source *s); /* NULL: nothing */
	void (*free)(struct source *s);
};

struct source {
	const struct source_ops *ops;
	struct source_events events;
	bool seekable;
	uint64_t size;     /* in bytes, when seekable; else UINT64_MAX */
	int fd;            /* other threads may read from it too, by offsets; the source's own. -1: they may not */
	uint64_t fd_begin; /* where byte 0 of the source is in it */
	const char *fault; /* at the end: what is wrong with the bytes that came; NULL: nothing is known */
};

/**
 * Opens `input`: a path, or "-" for standard input; `part`: of a file only these bytes, NULL: all. The first chunk
 * begins at byte `offset`; only a seekable source has others than 0. Returns 0, DANA_EIO (err has the system's text) or
 * DANA_ENOMEM.
 */
int source_open(struct source **out, struct loop *l, const char *input, const struct source_part *part, uint64_t offset,
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
/** Others have read up to `offset` from its descriptor, so that it may be sought in beyond. */
void source_passed(struct source *s, uint64_t offset);
/** Stops at once and gives all back; waits for a read that is under way. */
void source_free(struct source *s);
size_t source_read_size(void);
/** For kinds of sources: calls `opened`. */
static inline void source_opened(struct source *s)
{
	if (s->events.opened)
		s->events.opened(s->events.arg);
}

/* A file on a server as a source. It is seekable, as a file is, where the server gives its length. */

struct network_session;

/** Opens an address (address.h), and returns as source_open. `shown`: the address in messages. */
int http_source_open(struct source **out, struct network_session *s, const char *address, const char *shown,
		     const struct source_part *part, uint64_t offset, const struct source_events *events,
		     struct error *err);
/** Appends what distinguishes a part from others of the same file; nothing for NULL. For kinds of sources. */
int source_part_identity(const struct source_part *part, struct buf *out);

/*
 * Pieces of files on servers, one after the other in the order of a list, each like a source of its own: opened,
 * chunks, end. A plan, which is pure, decides which requests bring them: pieces that are fetched in another order than
 * the list's are kept until their turn, so a batch of them is as large as memory allows.
 */

/** A part of an input: the bytes of a record, as a line of an index names them. */
struct input_piece {
	uint64_t from;   /* offset of the first byte */
	uint64_t length; /* in bytes; 0: not known, one record */
	size_t input;    /* in the list of inputs that it is used with */
	unsigned index;  /* in the list of indexes that it is used with */
	unsigned line;   /* of that index, from 1; UINT_MAX: this one or a later one */
};

enum {
	PIECE_GAP = 64 << 10,   /* bytes between two pieces that are fetched with them rather than asked around */
	PIECE_SHARE = 2,        /* pieces that are more than 1/2 of what lies from the first to the last: all of it */
	PIECE_BATCH = 16 << 20, /* bytes of pieces that may be kept */
};

/** Bytes [from, to) of an input, with the pieces order[first] up to, without, order[last]. */
struct span {
	size_t input;
	uint64_t from, to; /* to: UINT64_MAX where the length is not known */
	size_t first, last;
};

struct piece_plan {
	const struct input_piece *pieces; /* of the batch */
	size_t n;
	bool in_order;      /* they are fetched in the order of the list: nothing has to be kept for long */
	size_t *order;      /* numbers of pieces, as they are fetched */
	struct span *spans; /* of one input side by side */
	size_t n_spans;
	size_t cap; /* of the arrays */
};

/** Plans the first batch of the `n` pieces, at least one. A zeroed plan is ready; it is made anew by each call. */
int piece_plan_make(struct piece_plan *p, const struct input_piece *pieces, size_t n);
void piece_plan_free(struct piece_plan *p);

struct network_session;

struct piece_list {
	const struct input_piece *pieces;
	size_t n;
	const char *const *inputs;    /* in messages */
	const char *const *addresses; /* where they are to be had */
	bool *failed;                 /* for each input: it cannot be read; set here, and not asked again then */
};

/**
 * Borrows what the list points to. source_start is not called: piece_source_begin is, for each piece. Returns as
 * source_open.
 */
int piece_source_open(struct source **out, struct network_session *s, const struct piece_list *list,
		      const struct source_events *events, struct error *err);
/**
 * Delivers piece `number`, which is greater than those before; one that was under way is over. `failed` has an empty
 * text for an input of which it was called before.
 */
void piece_source_begin(struct source *s, size_t number);

#endif
