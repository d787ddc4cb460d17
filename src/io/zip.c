/* SPDX-License-Identifier: MIT */
/*
 * Opens zips with archives, such as a WACZ, and gives their entries as sources.
 *
 * Where an archive in a zip lies is read by archive/zip_directory.c, from a file or by ranges from a server. What
 * brings its bytes is a chain of sources:
 *
 *     stored             file or server, from its first byte to its last ─ entry
 *     deflated           file or server ─ inflated
 *     in a deflated zip  file or server ─ inflated (the zip) ─ entry (─ inflated)
 *
 * An entry passes on a range of what comes, and compares the checksum of a stored archive, where all of it is read.
 * What inflates a zip is kept when an archive of it is over: the next one begins later in it, so that all of them cost
 * one pass.
 */
#include "config.h"

#include "io/zip.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/file.h"
#include "io/address.h"
#include "io/remote_file.h"

/* ---- bytes of the zip ---- */

struct zip_reader {
	struct zip_file file; /* its `arg` is this */
	int fd;               /* -1: it is on a server */
	struct remote_reader *reader;
	struct remote_file remote;
	bool ranges; /* the server must send them: the first bytes were a zip's */
};

static int read_file(void *arg, uint64_t from, size_t n, struct buf *out, struct error *err)
{
	const struct zip_reader *r = arg;
	if (buf_reserve(out, n) < 0)
		return error_no_memory(err);
	const ssize_t got = durable_read_at(r->fd, out->data + out->len, n, from);
	if (got < 0)
		return error_set(err, DANA_EIO, "%s", system_text(errno));
	out->len += (size_t)got;
	return DANA_OK;
}

static int read_server(void *arg, uint64_t from, size_t n, struct buf *out, struct error *err)
{
	struct zip_reader *r = arg;
	if (r->ranges && (r->file.size == UINT64_MAX || r->remote.no_ranges))
		return error_set(err, DANA_EIO,
				 "a WACZ needs a server that sends ranges of it; fetch it, and give the file");
	r->ranges = true;
	if (buf_reserve(out, n) < 0)
		return error_no_memory(err);
	const int64_t got = remote_read(r->reader, &r->remote, from, out->data + out->len, n, err);
	if (got < 0)
		return (int)err->status;
	out->len += (size_t)got;
	if (r->remote.identity.known)
		r->file.size = r->remote.identity.total;
	return DANA_OK;
}

static int open_reader(struct zip_reader *r, const char *address, const char *shown, struct network *network,
		       struct error *err)
{
	struct stat st;
	r->fd = -1;
	r->file.arg = r;
	if (network && address_is_network(address)) {
		r->file.read = read_server;
		r->remote = (struct remote_file){ .address = address, .shown = shown };
		r->reader = remote_reader_new(network, err);
		return r->reader ? DANA_OK : (int)err->status;
	}
	r->fd = durable_open(address, O_RDONLY | O_CLOEXEC, 0);
	if (r->fd < 0 || fstat(r->fd, &st) < 0)
		return error_set(err, DANA_EIO, "%s", system_text(errno));
	r->file.size = (uint64_t)st.st_size;
	r->file.read = read_file;
	return DANA_OK;
}

static void close_reader(struct zip_reader *r)
{
	if (r->fd >= 0)
		(void)close(r->fd);
	remote_reader_free(r->reader);
}

bool zip_begins(const char *path)
{
	uint8_t first[4];
	struct stat st;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, first, sizeof(first));
	if (fd >= 0)
		(void)close(fd);
	return n == (ssize_t)sizeof(first) && zip_begins_so(slice_of(first, sizeof(first)));
}

int zip_read(struct zip_entries *out, const char *address, const char *shown, struct network *network,
	     struct error *err)
{
	struct identity *served = arena_alloc(out->memory, sizeof(*served));
	struct zip_reader r = { .fd = -1, .file.served = served };
	if (!served)
		return error_no_memory(err);
	*served = (struct identity){ 0 };
	int status = open_reader(&r, address, shown, network, err);
	if (status == DANA_OK)
		status = zip_directory_read(out, &r.file, err);
	*served = r.remote.identity;
	close_reader(&r);
	return status;
}

/* ---- what both kinds of sources share ---- */

/* Nothing more comes, because all is there or `why`. */
static void end_source(struct source *s, const char *why)
{
	s->fault = why;
	s->events.end(s->events.arg);
}

/* ---- entries ---- */

struct zip_entry {
	struct source source;
	struct source *inner;
	struct zip_kept *kept; /* takes `inner` when this is over, where it inflates a zip; NULL: nothing does */
	const char *address;
	struct source_part part;
	uint64_t at;     /* offset in the inner source of `in` */
	uint64_t begin;  /* in it, of the entry ... */
	uint64_t end;    /* ... and where it ends */
	uint64_t from;   /* bytes before it are not for the owner */
	struct slice in; /* what is left of the inner source's chunk */
	bool checks;     /* the checksum, which is that of the bytes ... */
	uint32_t crc;    /* ... up to: */
	uint64_t summed; /* offset in the inner source */
	bool idle;       /* the owner waits for an event */
	bool delivering; /* an event of ours is on the stack */
	bool asked;      /* the inner source */
	bool inner_over, over;
};

/* Of a file others have read what lies between; it is in the system's memory yet. */
static void sum_file(struct zip_entry *e, uint64_t to)
{
	enum { ROOM = 256 << 10 };
	uint8_t *bytes = e->summed < to && e->inner->fd >= 0 ? malloc(ROOM) : NULL;
	while (bytes && e->summed < to) {
		const uint64_t left = to - e->summed;
		const ssize_t n = durable_read_at(e->inner->fd, bytes, left < ROOM ? (size_t)left : ROOM,
						  e->inner->fd_begin + e->summed);
		if (n <= 0)
			break;
		e->crc = zip_checksum(e->crc, slice_of(bytes, (size_t)n));
		e->summed += (uint64_t)n;
	}
	free(bytes);
	e->checks &= e->summed >= to; /* else nobody knows the sum */
}

/* Adds the bytes at `at`, of which some may have been added before. */
static void sum(struct zip_entry *e, uint64_t at, struct slice bytes)
{
	if (!e->checks)
		return;
	sum_file(e, at);
	if (!e->checks || at + bytes.len <= e->summed)
		return;
	bytes = slice_skip(bytes, (size_t)(e->summed - at));
	e->crc = zip_checksum(e->crc, bytes);
	e->summed += bytes.len;
}

/* All of the entry has been given. */
static void end_entry(struct zip_entry *e)
{
	e->over = true;
	if (e->checks)
		sum_file(e, e->end);
	end_source(&e->source, e->checks && e->crc != e->part.crc ? zip_wrong_checksum : NULL);
}

/* Gives the next bytes. False: more are needed. */
static bool give_entry(struct zip_entry *e)
{
	if (e->at < e->begin) {
		const struct slice rest =
			slice_skip(e->in, e->begin - e->at < e->in.len ? (size_t)(e->begin - e->at) : e->in.len);
		e->at += e->in.len - rest.len;
		e->in = rest;
	}
	const struct slice bytes = slice_first(e->in, e->at < e->end ? (size_t)(e->end - e->at) : 0);
	if (bytes.len == 0 && e->at < e->end)
		return false;
	sum(e, e->at, bytes);
	const uint64_t before = e->at < e->from ? e->from - e->at : 0;
	const struct slice given = slice_skip(bytes, before < bytes.len ? (size_t)before : bytes.len);
	e->at += bytes.len;
	e->in = slice_skip(e->in, bytes.len);
	if (bytes.len && given.len == 0)
		return true;
	e->idle = false;
	if (given.len)
		e->source.events.chunk(e->source.events.arg, given);
	else
		end_entry(e);
	return true;
}

/* An owner that asks for the next chunk from within an event finds `delivering` set: nothing recurses. */
static void deliver_entry(struct zip_entry *e)
{
	if (e->delivering)
		return;
	e->delivering = true;
	while (e->idle && !e->over && give_entry(e))
		;
	e->delivering = false;
	if (e->idle && !e->over && !e->asked) {
		e->asked = true;
		source_next(e->inner);
	}
}

/* A stored entry of the file is sought in, and read by others, as what brings it. */
static void show_inner(struct zip_entry *e)
{
	const struct source *inner = e->inner;
	if (e->part.zip)
		return;
	e->source.seekable = inner->seekable;
	e->source.size = inner->size;
	e->source.fd = inner->fd;
	e->source.fd_begin = inner->fd_begin;
}

static void entry_inner_opened(void *arg)
{
	struct zip_entry *e = arg;
	show_inner(e);
	source_opened(&e->source);
}

static void entry_inner_chunk(void *arg, struct slice bytes)
{
	struct zip_entry *e = arg;
	e->asked = false;
	e->in = bytes;
	deliver_entry(e);
}

static void entry_inner_end(void *arg)
{
	struct zip_entry *e = arg;
	e->asked = e->idle = false;
	e->inner_over = e->over = true;
	if (e->at >= e->end)
		end_entry(e);
	else /* in a zip that is damaged itself, or a file that was cut meanwhile */
		end_source(&e->source, e->inner->fault ? e->inner->fault : zip_cut_off);
}

static void entry_inner_failed(void *arg, const char *why)
{
	struct zip_entry *e = arg;
	e->inner_over = e->over = true;
	e->source.events.failed(e->source.events.arg, why);
}

static void entry_start(struct source *s)
{
	struct zip_entry *e = (struct zip_entry *)s;
	e->idle = true;
	if (e->asked) {
		source_start(e->inner);
		return;
	}
	source_opened(s);
	deliver_entry(e);
}

static void entry_next(struct source *s)
{
	struct zip_entry *e = (struct zip_entry *)s;
	e->idle = true;
	deliver_entry(e);
}

static void entry_passed(struct source *s, uint64_t offset)
{
	struct zip_entry *e = (struct zip_entry *)s;
	if (e->checks && offset > e->summed)
		sum_file(e, offset);
}

static int entry_seek(struct source *s, uint64_t offset)
{
	struct zip_entry *e = (struct zip_entry *)s;
	e->at = offset;
	e->in = (struct slice){ NULL, 0 };
	e->idle = e->asked = true;
	e->over = e->inner_over = false;
	return source_seek(e->inner, offset);
}

static int entry_identity(struct source *s, struct buf *out)
{
	const struct zip_entry *e = (const struct zip_entry *)s;
	const int status = source_identity(e->inner, out);
	return status < 0 || !e->part.zip ? status
					  : buf_printf(out, "inside %" PRIu64 "-%" PRIu64 "\n", e->begin, e->end);
}

static struct source_counts entry_counts(const struct source *s)
{
	return source_counts(((const struct zip_entry *)s)->inner);
}

static void entry_free(struct source *s)
{
	struct zip_entry *e = (struct zip_entry *)s;
	if (e->kept && e->part.zip && !e->asked && !e->inner_over)
		*e->kept = (struct zip_kept){ e->inner, e->address, *e->part.zip, e->in, e->at };
	else
		source_free(e->inner);
	free(e);
}

static const struct source_ops entry_ops = {
	.name = "entry",
	.start = entry_start,
	.next = entry_next,
	.passed = entry_passed,
	.seek = entry_seek,
	.identity = entry_identity,
	.counts = entry_counts,
	.free = entry_free,
};

/* ---- deflated entries ---- */

struct inflated {
	struct source source;
	struct source *inner; /* the bytes as they are in the zip */
	struct source_part part;
	struct zip_inflater *inflater;
	struct slice in; /* what is left of the inner source's chunk */
	bool idle;       /* the owner waits for an event */
	bool delivering; /* an event of ours is on the stack */
	bool asked;      /* the inner source */
	bool inner_over, over;
};

static void inflated_failed(void *arg, const char *why)
{
	struct inflated *f = arg;
	f->over = true;
	f->source.events.failed(f->source.events.arg, why);
}

/* Gives the next bytes. False: more are needed. */
static bool give_inflated(struct inflated *f)
{
	struct slice made;
	const char *fault;
	const int answer = zip_inflater_step(f->inflater, &f->in, f->inner_over, &made, &fault);
	if (answer == ZIP_STARVED)
		return false;
	f->idle = false;
	f->over = answer != ZIP_MADE;
	if (answer == ZIP_MADE)
		f->source.events.chunk(f->source.events.arg, made);
	else if (answer == ZIP_ENDED)
		end_source(&f->source, fault && f->inner->fault ? f->inner->fault : fault);
	else
		inflated_failed(f, status_text(answer));
	return true;
}

static void deliver_inflated(struct inflated *f)
{
	if (f->delivering)
		return;
	f->delivering = true;
	while (f->idle && !f->over && give_inflated(f))
		;
	f->delivering = false;
	if (f->idle && !f->over && !f->asked) {
		f->asked = true;
		source_next(f->inner);
	}
}

static void inflated_opened(void *arg)
{
	source_opened(arg);
}

static void inflated_chunk(void *arg, struct slice bytes)
{
	struct inflated *f = arg;
	f->asked = false;
	f->in = bytes;
	deliver_inflated(f);
}

static void inflated_end(void *arg)
{
	struct inflated *f = arg;
	f->asked = false;
	f->inner_over = true;
	deliver_inflated(f);
}

static void inflated_start(struct source *s)
{
	struct inflated *f = (struct inflated *)s;
	f->idle = f->asked = true;
	source_start(f->inner);
}

static void inflated_next(struct source *s)
{
	struct inflated *f = (struct inflated *)s;
	f->idle = true;
	deliver_inflated(f);
}

static int inflated_identity(struct source *s, struct buf *out)
{
	return source_identity(((struct inflated *)s)->inner, out);
}

static struct source_counts inflated_counts(const struct source *s)
{
	return source_counts(((const struct inflated *)s)->inner);
}

static void inflated_free(struct source *s)
{
	struct inflated *f = (struct inflated *)s;
	f->over = true;
	source_free(f->inner);
	zip_inflater_free(f->inflater);
	free(f);
}

static const struct source_ops inflated_ops = {
	.name = "inflated",
	.start = inflated_start,
	.next = inflated_next,
	.identity = inflated_identity,
	.counts = inflated_counts,
	.free = inflated_free,
};

/* ---- chains ---- */

struct zip_chain {
	struct loop *loop;
	struct network_session *session;
	const struct zip_input *input;
	struct error *err;
};

static int open_range(struct source **out, const struct zip_chain *o, const struct source_part *part, uint64_t offset,
		      const struct source_events *events)
{
	const struct zip_input *in = o->input;
	return o->session ? http_source_open(out, o->session, in->address, in->shown, part, offset, events, o->err)
			  : source_open(out, o->loop, in->address, part, offset, events, o->err);
}

static int open_inflated(struct source **out, const struct zip_chain *o, const struct source_part *part,
			 const struct source_events *events);

/* What gives the bytes of the entry: the range of the file, or the zip that it lies in. */
static int open_entry_inner(struct zip_entry *e, const struct zip_chain *o, const struct source_events *inner)
{
	const struct source_part *zip = e->part.zip;
	struct zip_kept *kept = e->kept;
	if (!zip)
		return open_range(&e->inner, o, &e->part, e->at, inner);
	if (kept && kept->source && kept->zip.begin == zip->begin && kept->zip.length == zip->length &&
	    strcmp(kept->address, e->address) == 0 && kept->at <= e->begin) {
		e->inner = kept->source;
		e->inner->events = *inner;
		e->in = kept->in;
		e->at = kept->at;
		e->asked = false;
		kept->source = NULL;
		return DANA_OK;
	}
	if (kept)
		zip_kept_drop(kept);
	return open_inflated(&e->inner, o, zip, inner);
}

static int open_entry(struct source **out, const struct zip_chain *o, const struct source_events *events)
{
	const struct zip_input *in = o->input;
	struct zip_entry *e = calloc(1, sizeof(*e));
	if (!e)
		return error_no_memory(o->err);
	const struct source_events inner = { entry_inner_opened, entry_inner_chunk, entry_inner_end, entry_inner_failed,
					     e };
	e->source = (struct source){ .ops = &entry_ops, .events = *events, .size = UINT64_MAX, .fd = -1 };
	e->address = in->address;
	e->part = *in->part;
	e->kept = in->kept;
	e->asked = true;
	e->begin = e->summed = e->part.zip ? e->part.begin : 0;
	e->end = e->begin + e->part.length;
	/* What a resumed run has read of a file before is read again for the checksum, but not fetched again. */
	e->checks = !e->part.deflated && !(o->session && in->offset && !e->part.zip);
	e->from = e->checks && !e->part.zip ? in->offset : 0;
	e->at = e->checks || e->part.zip ? 0 : in->offset;
	const int status = open_entry_inner(e, o, &inner);
	if (status < 0) {
		free(e);
		return status;
	}
	show_inner(e);
	*out = &e->source;
	return DANA_OK;
}

/* `part` is deflated. */
static int open_inflated(struct source **out, const struct zip_chain *o, const struct source_part *part,
			 const struct source_events *events)
{
	struct inflated *f = calloc(1, sizeof(*f));
	if (!f)
		return error_no_memory(o->err);
	const struct source_events inner = { inflated_opened, inflated_chunk, inflated_end, inflated_failed, f };
	f->source = (struct source){ .ops = &inflated_ops, .events = *events, .size = UINT64_MAX, .fd = -1 };
	f->part = *part;
	f->inflater = zip_inflater_new(&f->part, source_read_size());
	int status = !f->inflater ? error_no_memory(o->err)
		     : part->zip  ? open_entry(&f->inner, o, &inner)
				  : open_range(&f->inner, o, part, 0, &inner);
	if (status < 0)
		inflated_free(&f->source);
	else
		*out = &f->source;
	return status;
}

int zip_source_open(struct source **out, struct loop *l, struct network_session *session, const struct zip_input *input,
		    const struct source_events *events, struct error *err)
{
	const struct zip_chain o = { l, session, input, err };
	const struct source_part *part = input->part;
	if (input->kept && !(part && part->zip))
		zip_kept_drop(input->kept);
	if (!part || part->fault) /* what is wrong with it is found where it is read */
		return open_range(out, &o, NULL, input->offset, events);
	if (part->deflated)
		return open_inflated(out, &o, part, events);
	return part->zip || input->whole ? open_entry(out, &o, events)
					 : open_range(out, &o, part, input->offset, events);
}

void zip_kept_drop(struct zip_kept *kept)
{
	if (kept->source)
		source_free(kept->source);
	kept->source = NULL;
}
