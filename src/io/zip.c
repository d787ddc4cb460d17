/* SPDX-License-Identifier: MIT */
/*
 * Finds the archives in a zip, such as a WACZ, and reads its entries.
 *
 * Only the directory at the end of a zip is read, and of each entry that is wanted its local header: the name and the
 * fields there may be longer than those of the directory, and so they alone give the place of the data. An entry that
 * is stored is then a range of the file; a deflated one is inflated as it is read, from its beginning.
 *
 *     ... | local header | data | ... | directory | (Zip64: record, locator) | end of directory | comment
 *
 * What a zip claims is not believed: all places lie inside of the file, and the entries together are not longer than
 * it is, so that overlapping ones cannot make much work out of few bytes.
 */
#include "config.h"

#include "io/zip.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/codec/codecs.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/file.h"
#include "io/address.h"
#include "io/loop.h"
#include "io/transfer.h"

enum {
	END_BYTES = 22,      /* of the end of the directory, without its comment */
	LOCATOR_BYTES = 20,  /* of Zip64, right before it ... */
	RECORD64_BYTES = 56, /* ... and what it points to, without extensions */
	ENTRY_BYTES = 46,    /* of an entry in the directory, without its names */
	LOCAL_BYTES = 30,    /* of a local header, without its names */
	TAIL_FIRST = 4 << 10,
	TAIL_MOST = 65535 + END_BYTES + LOCATOR_BYTES + RECORD64_BYTES,
	DIRECTORY_MOST = 64 << 20,
	ENTRIES_MOST = 100000,
	NAME_MOST = 1024,
};

#define END_MAGIC 0x06054b50
#define LOCATOR_MAGIC 0x07064b50
#define RECORD64_MAGIC 0x06064b50
#define ENTRY_MAGIC 0x02014b50
#define LOCAL_MAGIC 0x04034b50

static uint32_t two_bytes(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

/* ---- bytes of the zip ---- */

struct reader {
	const char *address, *shown;
	int fd; /* -1: it is on a server */
	uint64_t size;
	struct loop *loop;
	struct network_session *session;
	struct fetch *fetch;
	struct buf got;
	uint64_t wanted; /* bytes */
	bool done;
	struct error fault;
};

static void on_opened(void *arg, uint64_t total)
{
	((struct reader *)arg)->size = total;
}

static enum body_answer on_take(void *arg, struct slice bytes)
{
	struct reader *r = arg;
	bytes = slice_first(bytes, (size_t)(r->wanted - r->got.len));
	(void)buf_append(&r->got, bytes.data, bytes.len);
	return BODY_TAKEN;
}

static void on_arrived(void *arg)
{
	(void)arg;
}

static void on_end(void *arg)
{
	((struct reader *)arg)->done = true;
}

static void on_failed(void *arg, const char *why)
{
	struct reader *r = arg;
	(void)error_set(&r->fault, DANA_EIO, "%s", why);
	r->done = true;
}

/* Reads `n` bytes from `from` on into r->got. */
static int read_bytes(struct reader *r, uint64_t from, uint64_t n, struct error *err)
{
	buf_clear(&r->got);
	r->wanted = n;
	if (r->fd >= 0) {
		if (buf_reserve(&r->got, (size_t)n) < 0)
			return error_no_memory(err);
		const ssize_t got = durable_read_at(r->fd, r->got.data, (size_t)n, from);
		if (got < 0)
			return error_set(err, DANA_EIO, "%s", system_text(errno));
		r->got.len = (size_t)got;
	} else {
		r->done = false;
		fetch_begin(r->fetch, from, from + n);
		loop_run_until(r->loop, &r->done);
		if (buf_status(&r->got) < 0)
			return error_no_memory(err);
		if (r->fault.status != DANA_OK)
			return error_set(err, DANA_EIO, "%s", r->fault.text);
	}
	return r->got.len == n ? DANA_OK : error_set(err, DANA_EIO, "the file ends before what was to be read of it");
}

static int open_reader(struct reader *r, struct network *network, struct error *err)
{
	const struct fetch_events events = { on_opened, on_take, on_arrived, on_end, on_failed, r, false };
	struct stat st;
	r->fd = -1;
	if (!network || !address_is_network(r->address)) {
		r->fd = durable_open(r->address, O_RDONLY | O_CLOEXEC, 0);
		if (r->fd < 0 || fstat(r->fd, &st) < 0)
			return error_set(err, DANA_EIO, "%s", system_text(errno));
		r->size = (uint64_t)st.st_size;
		return DANA_OK;
	}
	/* The command may yet enter a sandbox, which holds for threads that are started later only. */
	r->loop = loop_new_alone(err);
	r->session = r->loop ? network_session_new(network, r->loop, err) : NULL;
	if (!r->session)
		return (int)err->status;
	r->fetch = fetch_new(r->session, &events);
	return r->fetch ? fetch_aim(r->fetch, r->address, r->shown, err) : error_no_memory(err);
}

static void close_reader(struct reader *r)
{
	if (r->fd >= 0)
		(void)close(r->fd);
	if (r->fetch)
		fetch_free(r->fetch);
	network_session_free(r->session);
	loop_free(r->loop);
	buf_free(&r->got);
}

static bool is_zip(struct slice first)
{
	return first.len >= 4 &&
	       (little_endian_32(first.data) == LOCAL_MAGIC || little_endian_32(first.data) == END_MAGIC);
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
	return n == (ssize_t)sizeof(first) && is_zip(slice_of(first, sizeof(first)));
}

/* ---- the directory ---- */

struct directory {
	uint64_t at, bytes, entries;
	uint64_t shift; /* bytes before the zip, which its offsets do not count */
};

static int damaged(struct error *err, const char *what)
{
	return error_set(err, DANA_EFORMAT, "zip: it is damaged or cut off: %s", what);
}

/* The offset of the end of the directory in the tail; SIZE_MAX: none. */
static size_t find_end(struct slice tail)
{
	for (size_t at = tail.len >= END_BYTES ? tail.len - END_BYTES + 1 : 0; at-- > 0;) {
		const uint8_t *p = tail.data + at;
		if (little_endian_32(p) == END_MAGIC && at + END_BYTES + two_bytes(p + 20) == tail.len)
			return at;
	}
	return SIZE_MAX;
}

/* Reads what the end of the directory, at `end` of the tail, has to tell. */
static int place_directory(struct slice tail, size_t end, uint64_t size, struct directory *d, struct error *err)
{
	const uint8_t *p = tail.data + end;
	uint64_t stop = size - tail.len + end; /* where the directory ends */
	*d = (struct directory){ little_endian_32(p + 16), little_endian_32(p + 12), two_bytes(p + 10), 0 };
	if (two_bytes(p + 4) || two_bytes(p + 6))
		return error_set(err, DANA_EFORMAT, "zip: it is one of several files that make up a zip");
	if (end >= LOCATOR_BYTES && little_endian_32(p - LOCATOR_BYTES) == LOCATOR_MAGIC) {
		if (end < LOCATOR_BYTES + RECORD64_BYTES)
			return damaged(err, "its Zip64 record is missing");
		p -= LOCATOR_BYTES + RECORD64_BYTES;
		if (little_endian_32(p) != RECORD64_MAGIC)
			return damaged(err, "its Zip64 record is missing");
		d->entries = little_endian_64(p + 32);
		d->bytes = little_endian_64(p + 40);
		d->at = little_endian_64(p + 48);
		stop -= LOCATOR_BYTES + RECORD64_BYTES;
	}
	if (d->bytes > stop || d->at > stop - d->bytes)
		return damaged(err, "its directory does not lie in it");
	d->shift = stop - d->bytes - d->at;
	d->at += d->shift;
	if (d->bytes > DIRECTORY_MOST)
		return error_set(err, DANA_EFORMAT, "zip: its directory has more than %d bytes", DIRECTORY_MOST);
	return DANA_OK;
}

/* The directory as bytes, which are in r->got. */
static int read_directory(struct reader *r, struct directory *d, struct slice *bytes, struct error *err)
{
	size_t end = SIZE_MAX;
	/* From the second byte on: so a server shows whether it sends ranges. */
	uint8_t first[4] = "P";
	int status = read_bytes(r, 1, sizeof(first) - 1, err);
	if (status < 0)
		return status;
	memcpy(first + 1, r->got.data, sizeof(first) - 1);
	if (!is_zip(slice_of(first, sizeof(first))))
		return error_set(err, DANA_ECONFIG, "it does not begin as a zip does");
	if (r->size == UINT64_MAX || (r->fetch && !fetch_knows_ranges(r->fetch)))
		return error_set(err, DANA_EIO,
				 "a WACZ needs a server that sends ranges of it; fetch it, and give the file");
	for (uint64_t n = TAIL_FIRST; end == SIZE_MAX; n = TAIL_MOST) {
		n = n < r->size ? n : r->size;
		status = read_bytes(r, r->size - n, n, err);
		if (status < 0)
			return status;
		end = find_end(buf_slice(&r->got));
		if (end == SIZE_MAX && (n == r->size || n == TAIL_MOST))
			return damaged(err, "it has no end of a directory");
	}
	const struct slice tail = buf_slice(&r->got);
	status = place_directory(tail, end, r->size, d, err);
	if (status < 0)
		return status;
	const uint64_t tail_at = r->size - tail.len;
	if (d->at >= tail_at) {
		*bytes = slice_first(slice_skip(tail, (size_t)(d->at - tail_at)), (size_t)d->bytes);
		return DANA_OK;
	}
	status = read_bytes(r, d->at, d->bytes, err);
	*bytes = buf_slice(&r->got);
	return status;
}

/* ---- entries ---- */

struct entry {
	struct slice name;
	uint64_t length, size, header; /* header: the offset of the local one */
	unsigned method, flags;
	uint32_t crc;
};

/* The numbers that are too large for the entry itself stand in a field of Zip64, in this order. */
static bool widen(struct entry *e, struct slice fields)
{
	uint64_t *const numbers[] = { &e->size, &e->length, &e->header };
	while (fields.len >= 4) {
		const uint32_t kind = two_bytes(fields.data), n = two_bytes(fields.data + 2);
		struct slice field = slice_first(slice_skip(fields, 4), n);
		fields = slice_skip(fields, 4 + field.len);
		if (kind != 1)
			continue;
		for (size_t i = 0; i < 3; i++) {
			if (*numbers[i] != UINT32_MAX)
				continue;
			if (field.len < 8)
				return false;
			*numbers[i] = little_endian_64(field.data);
			field = slice_skip(field, 8);
		}
		return true;
	}
	return true;
}

/* Takes the next entry off the directory. False: no entry begins there. */
static bool take_entry(struct slice *rest, struct entry *e)
{
	const uint8_t *p = rest->data;
	if (rest->len < ENTRY_BYTES || little_endian_32(p) != ENTRY_MAGIC)
		return false;
	const size_t name = two_bytes(p + 28), fields = two_bytes(p + 30), comment = two_bytes(p + 32);
	if (rest->len - ENTRY_BYTES < name + fields + comment)
		return false;
	*e = (struct entry){ .name = slice_of(p + ENTRY_BYTES, name),
			     .flags = two_bytes(p + 8),
			     .method = two_bytes(p + 10),
			     .crc = little_endian_32(p + 16),
			     .length = little_endian_32(p + 20),
			     .size = little_endian_32(p + 24),
			     .header = little_endian_32(p + 42) };
	*rest = slice_skip(*rest, ENTRY_BYTES + name + fields + comment);
	return widen(e, slice_of(p + ENTRY_BYTES + name, fields));
}

/* Why the entry cannot be read; NULL: it can. */
static const char *entry_fault(const struct entry *e)
{
	enum { ENCRYPTED = 1, STORED = 0, DEFLATED = 8 };
	if (e->flags & ENCRYPTED)
		return "zip: it is encrypted";
	if (e->method != STORED && e->method != DEFLATED)
		return "zip: it is compressed in a way that is not read here; expected stored or deflated";
	if (e->method == STORED && e->length != e->size)
		return "zip: its lengths contradict each other";
	return NULL;
}

static int add_entry(struct zip_entries *out, const struct entry *e, uint64_t shift, struct error *err)
{
	struct source_part *items = grow_items(out->items, out->n, &out->cap, sizeof(*items));
	const struct slice name = items ? arena_copy(out->memory, e->name) : e->name;
	if (items)
		out->items = items;
	if (!items || !name.data)
		return error_no_memory(err);
	items[out->n++] = (struct source_part){ .name = (const char *)name.data,
						.begin = e->header + shift,
						.length = e->length,
						.deflated = e->method != 0,
						.size = e->size,
						.crc = e->crc,
						.fault = entry_fault(e) };
	return DANA_OK;
}

/* Adds what is wanted of the directory; `begin` of the entries is their local header's. */
static int take_directory(struct zip_entries *out, const struct directory *d, struct slice rest, uint64_t size,
			  bool (*wanted)(struct slice name), struct error *err)
{
	uint64_t sum = 0, count = 0;
	struct entry e;
	for (; rest.len; count++) {
		if (!take_entry(&rest, &e))
			return damaged(err, "its directory is not one");
		if (e.name.len > NAME_MOST || memchr(e.name.data, 0, e.name.len) || !wanted(e.name))
			continue;
		if (out->n >= ENTRIES_MOST)
			return error_set(err, DANA_EFORMAT, "zip: it holds more than %d archives", ENTRIES_MOST);
		/* Each lies between its local header and the directory, and all together before that. */
		if (e.header > d->at - d->shift || e.length > d->at || (sum += e.length + LOCAL_BYTES) > size)
			return damaged(err, "an entry does not lie in it");
		const int status = add_entry(out, &e, d->shift, err);
		if (status < 0)
			return status;
	}
	/* without Zip64 the number has 16 bits */
	return (count & 0xffff) == (d->entries & 0xffff) ? DANA_OK
							 : damaged(err, "entries of its directory are missing");
}

/* Moves `begin` of an entry from its local header to its data. */
static int find_data(struct reader *r, const struct directory *d, struct source_part *part, struct error *err)
{
	const int status = read_bytes(r, part->begin, LOCAL_BYTES, err);
	if (status < 0)
		return status;
	const uint8_t *p = r->got.data;
	const uint64_t head = LOCAL_BYTES + two_bytes(p + 26) + two_bytes(p + 28);
	if (little_endian_32(p) != LOCAL_MAGIC || two_bytes(p + 26) != strlen(part->name))
		part->fault = "zip: the entry does not begin where the directory has it";
	else if (d->at - part->begin < head || d->at - part->begin - head < part->length)
		part->fault = "zip: the entry does not lie in the zip";
	else
		part->begin += head;
	return DANA_OK;
}

int zip_read(struct zip_entries *out, const char *address, const char *shown, struct network *network,
	     bool (*wanted)(struct slice name), struct error *err)
{
	struct reader r = { .address = address, .shown = shown };
	struct directory d = { 0 };
	struct slice bytes = { NULL, 0 };
	const size_t before = out->n;
	int status = open_reader(&r, network, err);
	if (status == DANA_OK)
		status = read_directory(&r, &d, &bytes, err);
	if (status == DANA_OK)
		status = take_directory(out, &d, bytes, r.size, wanted, err);
	for (size_t i = before; i < out->n && status == DANA_OK; i++) {
		if (!out->items[i].fault)
			status = find_data(&r, &d, &out->items[i], err);
	}
	close_reader(&r);
	return status;
}

/* ---- deflated entries ---- */

struct inflated {
	struct source source;
	struct source *inner; /* the bytes as they are in the zip */
	struct source_part part;
	z_stream z;
	uint8_t *buffer;
	size_t room;
	struct slice in; /* what is left of the inner source's chunk */
	uint64_t made;   /* bytes */
	uint32_t crc;
	bool longer;     /* more came than the entry has */
	bool idle;       /* the owner waits for an event */
	bool delivering; /* an event of ours is on the stack */
	bool asked;      /* the inner source */
	bool inner_over, over;
};

/* Nothing more comes, because all is there or `why`. */
static void end_inflated(struct inflated *f, const char *why)
{
	f->over = true;
	f->source.fault = why;
	f->source.events.end(f->source.events.arg);
}

static void inner_failed(void *arg, const char *why)
{
	struct inflated *f = arg;
	f->over = true;
	f->source.events.failed(f->source.events.arg, why);
}

static void check_end(struct inflated *f)
{
	const bool right = f->made == f->part.size && f->crc == f->part.crc;
	end_inflated(f, right ? NULL : "zip: the entry is damaged: its length or its checksum is wrong");
}

/* Gives the next bytes. False: more are needed. */
static bool give(struct inflated *f)
{
	struct codec_in in = { f->in.data, f->in.len, 0 };
	struct codec_out out = { f->buffer, f->room, 0 };
	const int result = inflate_step(&f->z, &in, &out);
	f->in = slice_skip(f->in, in.pos);
	const uint64_t left = f->part.size - f->made;
	const struct slice bytes = slice_of(f->buffer, out.pos < left ? out.pos : (size_t)left);
	f->made += bytes.len;
	f->crc = (uint32_t)crc32(f->crc, bytes.data, (unsigned)bytes.len);
	f->longer |= out.pos > bytes.len;
	if (bytes.len == 0 && result == CODEC_MORE_INPUT && !f->inner_over)
		return false;
	f->idle = false;
	if (bytes.len)
		f->source.events.chunk(f->source.events.arg, bytes);
	else if (f->longer)
		end_inflated(f, "zip: the entry is damaged: it is longer than its directory has it");
	else if (result == CODEC_MEMBER_END)
		check_end(f);
	else if (result == DANA_ENOMEM)
		inner_failed(f, status_text(DANA_ENOMEM));
	else
		end_inflated(f, result == CODEC_MORE_INPUT ? "zip: the entry is damaged: its data is cut off"
							   : "zip: the entry is damaged: its data is not deflated");
	return true;
}

/* An owner that asks for the next chunk from within an event finds `delivering` set: nothing recurses. */
static void deliver(struct inflated *f)
{
	if (f->delivering)
		return;
	f->delivering = true;
	while (f->idle && !f->over && give(f))
		;
	f->delivering = false;
	if (f->idle && !f->over && !f->asked) {
		f->asked = true;
		source_next(f->inner);
	}
}

static void inner_opened(void *arg)
{
	source_opened(arg);
}

static void inner_chunk(void *arg, struct slice bytes)
{
	struct inflated *f = arg;
	f->asked = false;
	f->in = bytes;
	deliver(f);
}

static void inner_end(void *arg)
{
	struct inflated *f = arg;
	f->inner_over = true;
	deliver(f);
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
	deliver(f);
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
	(void)inflateEnd(&f->z);
	free(f->buffer);
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

static int open_stored(struct source **out, struct loop *l, struct network_session *session, const char *address,
		       const char *shown, const struct source_part *part, uint64_t offset,
		       const struct source_events *events, struct error *err)
{
	return session ? http_source_open(out, session, address, shown, part, offset, events, err)
		       : source_open(out, l, address, part, offset, events, err);
}

int zip_source_open(struct source **out, struct loop *l, struct network_session *session, const char *address,
		    const char *shown, const struct source_part *part, uint64_t offset,
		    const struct source_events *events, struct error *err)
{
	if (part && part->fault)
		part = NULL; /* what is wrong with it is found where it is read */
	if (!part || !part->deflated)
		return open_stored(out, l, session, address, shown, part, offset, events, err);
	struct inflated *f = calloc(1, sizeof(*f));
	if (!f)
		return error_no_memory(err);
	const struct source_events inner = { inner_opened, inner_chunk, inner_end, inner_failed, f };
	f->source = (struct source){ .ops = &inflated_ops, .events = *events, .size = UINT64_MAX, .fd = -1 };
	f->part = *part;
	f->room = source_read_size();
	f->buffer = malloc(f->room);
	const bool ready = f->buffer && inflateInit2(&f->z, -MAX_WBITS) == Z_OK;
	int status =
		ready ? open_stored(&f->inner, l, session, address, shown, part, 0, &inner, err) : error_no_memory(err);
	if (status < 0)
		inflated_free(&f->source);
	else
		*out = &f->source;
	return status;
}
