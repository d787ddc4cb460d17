/* SPDX-License-Identifier: MIT */
/*
 * Finds the archives in a zip, such as a WACZ, and inflates its entries.
 *
 * Only the directory at the end of a zip is read, and of each entry that is wanted its local header: the name and the
 * fields there may be longer than those of the directory, and so they alone give the place of the data. An entry that
 * is stored is then a range of the file; a deflated one is inflated as it is read, from its beginning.
 *
 *     ... | local header | data | ... | directory | (Zip64: record, locator) | end of directory | comment
 *
 * A WACZ in the zip is read in the same way, in the bytes of its entry: a stored one by offsets, a deflated one is
 * inflated for it up to three times, from its beginning to its end, and its archives come in the order of their places,
 * so that one pass reads them all.
 *
 * What a zip claims is not believed: all places lie inside of the file, and the entries together are not longer than
 * it is, so that overlapping ones cannot make much work out of few bytes.
 */
#include "config.h"

#include "archive/zip_directory.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "archive/codec/codecs.h"
#include "archive/record.h"
#include "base/ascii.h"

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
	INFLATED_READ = 4 << 20, /* bytes of a deflated zip that are read at once */
	INFLATED_ROOM = 64 << 10,
};

#define END_MAGIC 0x06054b50
#define LOCATOR_MAGIC 0x07064b50
#define RECORD64_MAGIC 0x06064b50
#define ENTRY_MAGIC 0x02014b50
#define LOCAL_MAGIC 0x04034b50

enum { STORED = 0, DEFLATED = 8 };

static uint32_t two_bytes(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

bool zip_begins_so(struct slice first)
{
	return first.len >= 4 &&
	       (little_endian_32(first.data) == LOCAL_MAGIC || little_endian_32(first.data) == END_MAGIC);
}

/* ---- inflating ---- */

#define DAMAGED_ENTRY "zip: the entry is damaged: "

const char zip_wrong_checksum[] = DAMAGED_ENTRY "its checksum is wrong";
const char zip_cut_off[] = DAMAGED_ENTRY "its data is cut off";

static const char zip_holds_nothing[] =
	"zip: it holds no archive (archive/*.warc or .arc, also with .gz or .zst), and no .wacz";

struct zip_inflater {
	z_stream z;
	const struct source_part *part;
	uint64_t made; /* bytes */
	uint32_t crc;
	bool longer; /* more came than the entry has */
	size_t room;
	uint8_t buffer[];
};

uint32_t zip_checksum(uint32_t crc, struct slice bytes)
{
	return libdeflate_crc32(crc, bytes.data, bytes.len);
}

struct zip_inflater *zip_inflater_new(const struct source_part *part, size_t room)
{
	struct zip_inflater *f = calloc(1, sizeof(*f) + room);
	if (!f)
		return NULL;
	f->part = part;
	f->room = room;
	if (inflateInit2(&f->z, -MAX_WBITS) == Z_OK)
		return f;
	free(f);
	return NULL;
}

int zip_inflater_step(struct zip_inflater *f, struct slice *in, bool last, struct slice *made, const char **fault)
{
	struct codec_in from = { in->data, in->len, 0 };
	struct codec_out to = { f->buffer, f->room, 0 };
	const int result = inflate_step(&f->z, &from, &to);
	const uint64_t left = f->part->size - f->made;
	f->longer |= to.pos > left;
	*in = slice_skip(*in, from.pos);
	*made = slice_of(f->buffer, to.pos > left ? (size_t)left : to.pos);
	f->made += made->len;
	f->crc = zip_checksum(f->crc, *made);
	*fault = NULL;
	if (made->len)
		return ZIP_MADE;
	if (f->longer)
		*fault = DAMAGED_ENTRY "it is longer than its directory has it";
	else if (result == DANA_ENOMEM)
		return result;
	else if (result == CODEC_MORE_INPUT && !last)
		return ZIP_STARVED;
	else if (result == CODEC_MORE_INPUT)
		*fault = zip_cut_off;
	else if (result != CODEC_MEMBER_END)
		*fault = DAMAGED_ENTRY "its data is not deflated";
	else if (f->made != f->part->size)
		*fault = DAMAGED_ENTRY "it is shorter than its directory has it";
	else if (f->crc != f->part->crc)
		*fault = zip_wrong_checksum;
	return ZIP_ENDED;
}

void zip_inflater_free(struct zip_inflater *f)
{
	if (f)
		(void)inflateEnd(&f->z);
	free(f);
}

/* ---- bytes of the zip ---- */

struct directory_reader {
	struct zip_file *file;
	const struct source_part *zip; /* in the file; NULL: the file is the zip */
	uint64_t size;
	struct buf got;

	/* Of a deflated zip. */
	struct zip_inflater *inflater;
	uint64_t at;    /* bytes that were made of it */
	uint64_t taken; /* bytes of the file that were read for it */
	struct buf file_bytes;
	struct slice in;   /* what is left of them */
	struct slice made; /* the last bytes of the `at` */
};

static int damaged(struct error *err, const char *what)
{
	return error_set(err, DANA_EFORMAT, "zip: it is damaged or cut off: %s", what);
}

static int begin_inflating(struct directory_reader *r, struct error *err)
{
	zip_inflater_free(r->inflater);
	r->inflater = zip_inflater_new(r->zip, INFLATED_ROOM);
	r->at = r->taken = 0;
	r->in = r->made = (struct slice){ NULL, 0 };
	return r->inflater ? DANA_OK : error_no_memory(err);
}

static int read_deflated(struct directory_reader *r, struct error *err)
{
	const uint64_t left = r->zip->length - r->taken;
	const size_t n = left < INFLATED_READ ? (size_t)left : INFLATED_READ;
	buf_clear(&r->file_bytes);
	const int status = n ? r->file->read(r->file->arg, r->zip->begin + r->taken, n, &r->file_bytes, err) : DANA_OK;
	if (status < 0)
		return status;
	if (buf_status(&r->file_bytes) < 0)
		return error_no_memory(err);
	r->in = buf_slice(&r->file_bytes);
	r->taken += r->in.len ? r->in.len : left;
	return DANA_OK;
}

/* Appends the bytes [from, to) of a deflated zip. */
static int inflate_bytes(struct directory_reader *r, uint64_t from, uint64_t to, struct error *err)
{
	const char *fault;
	int status = r->inflater && from >= r->at - r->made.len ? DANA_OK : begin_inflating(r, err);
	while (status == DANA_OK) {
		const uint64_t wanted = from + r->got.len;
		if (wanted < r->at) {
			const struct slice rest = slice_skip(r->made, r->made.len - (size_t)(r->at - wanted));
			const struct slice bytes = slice_first(rest, (size_t)(to - wanted));
			if (buf_append(&r->got, bytes.data, bytes.len) < 0)
				return error_no_memory(err);
		}
		if (from + r->got.len == to)
			return DANA_OK;
		const int answer = zip_inflater_step(r->inflater, &r->in, r->taken == r->zip->length, &r->made, &fault);
		if (answer < 0)
			return error_no_memory(err);
		r->at += r->made.len;
		if (answer == ZIP_STARVED)
			status = read_deflated(r, err);
		else if (answer == ZIP_ENDED)
			return error_set(err, DANA_EFORMAT, "%s", fault ? fault : zip_cut_off);
	}
	return status;
}

/* Reads `n` bytes from `from` on into r->got. */
static int read_bytes(struct directory_reader *r, uint64_t from, uint64_t n, struct error *err)
{
	buf_clear(&r->got);
	if (r->zip && (from > r->size || n > r->size - from))
		return damaged(err, "it has no end of a directory");
	if (r->zip && r->zip->deflated)
		return inflate_bytes(r, from, from + n, err);
	const int status = r->file->read(r->file->arg, from + (r->zip ? r->zip->begin : 0), (size_t)n, &r->got, err);
	if (status < 0)
		return status;
	if (buf_status(&r->got) < 0)
		return error_no_memory(err);
	if (!r->zip)
		r->size = r->file->size;
	return r->got.len == n ? DANA_OK : error_set(err, DANA_EIO, "the file ends before what was to be read of it");
}

static void close_reader(struct directory_reader *r)
{
	zip_inflater_free(r->inflater);
	buf_free(&r->file_bytes);
	buf_free(&r->got);
}

/* ---- the directory ---- */

struct directory {
	uint64_t at, bytes, entries;
	uint64_t shift; /* bytes before the zip, which its offsets do not count */
};

/*
 * The offset of the end of the directory in the tail; SIZE_MAX: none. Its comment leads to the end of the file; where
 * none does, bytes follow that do not belong to the zip.
 */
static size_t find_end(struct slice tail)
{
	size_t found = SIZE_MAX;
	for (size_t at = tail.len >= END_BYTES ? tail.len - END_BYTES + 1 : 0; at-- > 0;) {
		const uint8_t *p = tail.data + at;
		if (little_endian_32(p) != END_MAGIC)
			continue;
		const size_t end = at + END_BYTES + two_bytes(p + 20);
		if (end == tail.len)
			return at;
		if (end < tail.len && found == SIZE_MAX)
			found = at;
	}
	return found;
}

/* The Zip64 record, which the locator at `locator` of the tail is for, in the tail; SIZE_MAX: it is not there. */
static size_t find_record64(struct slice tail, size_t locator, uint64_t tail_at)
{
	const uint64_t at = little_endian_64(tail.data + locator + 8);
	if (locator >= RECORD64_BYTES && little_endian_32(tail.data + locator - RECORD64_BYTES) == RECORD64_MAGIC)
		return locator - RECORD64_BYTES;
	/* it has extensions */
	if (locator >= RECORD64_BYTES && at >= tail_at && at - tail_at <= locator - RECORD64_BYTES &&
	    little_endian_32(tail.data + (at - tail_at)) == RECORD64_MAGIC)
		return (size_t)(at - tail_at);
	return SIZE_MAX;
}

/*
 * Reads what the end of the directory, at `end` of the tail, has to tell. Where a Zip64 record is there it counts: what
 * writes a stream fills the fields of the end with ones, whatever their values, and so those of the disks.
 */
static int place_directory(struct slice tail, size_t end, uint64_t size, struct directory *d, struct error *err)
{
	const uint8_t *p = tail.data + end;
	const uint64_t tail_at = size - tail.len;
	uint64_t stop = tail_at + end; /* where the directory ends */
	bool one_disk = two_bytes(p + 4) == 0 && two_bytes(p + 6) == 0;
	*d = (struct directory){ little_endian_32(p + 16), little_endian_32(p + 12), two_bytes(p + 10), 0 };
	if (end >= LOCATOR_BYTES && little_endian_32(p - LOCATOR_BYTES) == LOCATOR_MAGIC) {
		const size_t record = find_record64(tail, end - LOCATOR_BYTES, tail_at);
		if (record == SIZE_MAX)
			return damaged(err, "its Zip64 record is missing");
		p = tail.data + record;
		one_disk = little_endian_32(p + 16) == 0 && little_endian_32(p + 20) == 0;
		d->entries = little_endian_64(p + 32);
		d->bytes = little_endian_64(p + 40);
		d->at = little_endian_64(p + 48);
		stop = tail_at + record;
	}
	if (!one_disk)
		return error_set(err, DANA_EFORMAT, "zip: it is one of several files that make up a zip");
	if (d->bytes > stop || d->at > stop - d->bytes)
		return damaged(err, "its directory does not lie in it");
	d->shift = stop - d->bytes - d->at;
	d->at += d->shift;
	if (d->bytes > DIRECTORY_MOST)
		return error_set(err, DANA_EFORMAT, "zip: its directory has more than %d bytes", DIRECTORY_MOST);
	return DANA_OK;
}

/* The directory as bytes, which are in r->got. */
static int read_directory(struct directory_reader *r, struct directory *d, struct slice *bytes, struct error *err)
{
	size_t end = SIZE_MAX;
	/* From the second byte on: so a server shows whether it sends ranges. */
	uint8_t first[4] = "P";
	int status = read_bytes(r, 1, sizeof(first) - 1, err);
	if (status < 0)
		return status;
	memcpy(first + 1, r->got.data, sizeof(first) - 1);
	if (!zip_begins_so(slice_of(first, sizeof(first))))
		return error_set(err, DANA_ECONFIG, "it does not begin as a zip does");
	/* What is deflated is read once for all of the tail. */
	for (uint64_t n = r->zip && r->zip->deflated ? TAIL_MOST : TAIL_FIRST; end == SIZE_MAX; n = TAIL_MOST) {
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

struct directory_entry {
	struct slice name;
	uint64_t length, size, header; /* header: the offset of the local one */
	unsigned method, flags;
	uint32_t crc;
};

/* The numbers that are too large for the entry itself stand in a field of Zip64, in this order. */
static bool widen(struct directory_entry *e, struct slice fields)
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
static bool take_entry(struct slice *rest, struct directory_entry *e)
{
	const uint8_t *p = rest->data;
	if (rest->len < ENTRY_BYTES || little_endian_32(p) != ENTRY_MAGIC)
		return false;
	const size_t name = two_bytes(p + 28), fields = two_bytes(p + 30), comment = two_bytes(p + 32);
	if (rest->len - ENTRY_BYTES < name + fields + comment)
		return false;
	*e = (struct directory_entry){ .name = slice_of(p + ENTRY_BYTES, name),
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
static const char *entry_fault(const struct directory_entry *e)
{
#define BY(method) "zip: it is compressed by " method ", which is not read here; expected stored or deflated"
	static const struct {
		unsigned method;
		const char *fault;
	} methods[] = { { 9, BY("deflate64") }, { 12, BY("bzip2") }, { 14, BY("LZMA") },
			{ 93, BY("zstd") },     { 95, BY("xz") },    { 98, BY("PPMd") } };
	enum { ENCRYPTED = 1 };
	if (e->flags & ENCRYPTED)
		return "zip: it is encrypted";
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (e->method == methods[i].method)
			return methods[i].fault;
	}
	if (e->method != STORED && e->method != DEFLATED)
		return "zip: it is compressed in a way that is not read here; expected stored or deflated";
	if (e->method == STORED && e->length != e->size)
		return "zip: its lengths contradict each other";
	return NULL;
#undef BY
}

static bool is_archive(struct slice name)
{
	static const char folder[] = "archive/";
	return name.len > strlen(folder) && memcmp(name.data, folder, strlen(folder)) == 0 && record_file_name(&name);
}

/* Whether it is called like a WACZ, and not hidden, as what some systems add for each file. */
static bool is_wacz(struct slice name)
{
	static const char suffix[] = ".wacz";
	const size_t n = strlen(suffix);
	size_t base = name.len;
	while (base > 0 && name.data[base - 1] != '/')
		base--;
	return name.len - base > n && memcmp(name.data + name.len - n, suffix, n) == 0 && name.data[base] != '.';
}

static int add_part(struct zip_entries *out, const struct source_part *part, struct error *err)
{
	struct source_part *items = grow_items(out->items, out->n, &out->cap, sizeof(*items));
	if (!items)
		return error_no_memory(err);
	out->items = items;
	items[out->n++] = *part;
	return DANA_OK;
}

static int add_entry(struct zip_entries *out, const struct directory_entry *e, const struct directory_reader *r,
		     uint64_t shift, struct error *err)
{
	const struct slice name = arena_copy(out->memory, e->name);
	const struct source_part part = { .name = (const char *)name.data,
					  .begin = e->header + shift,
					  .length = e->length,
					  .deflated = e->method != STORED,
					  .size = e->size,
					  .crc = e->crc,
					  .fault = entry_fault(e),
					  .served = r->file->served };
	return name.data ? add_part(out, &part, err) : error_no_memory(err);
}

/* Adds what is wanted of the directory; `begin` of the entries is their local header's. */
static int take_directory(struct zip_entries *out, const struct directory_reader *r, const struct directory *d,
			  struct slice rest, struct error *err)
{
	uint64_t sum = 0, count = 0;
	struct directory_entry e;
	for (; rest.len; count++) {
		if (!take_entry(&rest, &e))
			return damaged(err, "its directory is not one");
		if (e.name.len > NAME_MOST || memchr(e.name.data, 0, e.name.len) ||
		    !(is_archive(e.name) || is_wacz(e.name)))
			continue;
		if (out->n >= ENTRIES_MOST)
			return error_set(err, DANA_EFORMAT, "zip: it holds more than %d archives", ENTRIES_MOST);
		/* Each lies between its local header and the directory, and all together before that. */
		if (e.header > d->at - d->shift || e.length > d->at || (sum += e.length + LOCAL_BYTES) > r->size)
			return damaged(err, "an entry does not lie in it");
		const int status = add_entry(out, &e, r, d->shift, err);
		if (status < 0)
			return status;
	}
	/* without Zip64 the number has 16 bits */
	return (count & 0xffff) == (d->entries & 0xffff) ? DANA_OK
							 : damaged(err, "entries of its directory are missing");
}

/* Moves `begin` of an entry from its local header to its data. */
static int find_data(struct directory_reader *r, const struct directory *d, struct source_part *part, struct error *err)
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

static int by_place(const void *a, const void *b)
{
	const struct source_part *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The entries of one zip that are wanted, with their places in it. */
static int read_entries(struct directory_reader *r, struct zip_entries *out, struct error *err)
{
	struct directory d = { 0 };
	struct slice bytes = { NULL, 0 };
	int status = read_directory(r, &d, &bytes, err);
	if (status == DANA_OK)
		status = take_directory(out, r, &d, bytes, err);
	const bool inflates = r->zip && r->zip->deflated;
	uint64_t end = 0; /* of the last one */
	if (status == DANA_OK && inflates && out->n)
		qsort(out->items, out->n, sizeof(*out->items), by_place);
	for (size_t i = 0; i < out->n && status == DANA_OK; i++) {
		struct source_part *part = &out->items[i];
		status = part->fault ? DANA_OK : find_data(r, &d, part, err);
		/* else each would be a reason to inflate all again */
		if (inflates && !part->fault && part->begin < end)
			part->fault = "zip: the entry lies over another one";
		else if (!part->fault)
			end = part->begin + part->length;
	}
	return status;
}

/* ---- zips in the zip ---- */

/* "inner.wacz/archive/a.warc" with its place in the file. */
static int add_inner(struct zip_entries *out, const struct source_part *zip, struct source_part part, struct error *err)
{
	struct buf name = { 0 };
	(void)buf_printf(&name, "%s/%s", zip->name, part.name);
	if (buf_status(&name) == DANA_OK)
		part.name = (const char *)arena_copy(out->memory, buf_slice(&name)).data;
	else
		part.name = NULL;
	buf_free(&name);
	if (!part.name)
		return error_no_memory(err);
	if (zip->deflated)
		part.zip = zip;
	else
		part.begin += zip->begin;
	if (!part.fault && is_wacz(slice_from_text(part.name)))
		part.fault =
			"zip: it lies in a zip in a zip, and zips are read up to the second; take it out of the first";
	return add_part(out, &part, err);
}

static int add_all_inner(struct zip_entries *out, struct zip_file *file, const struct source_part *zip,
			 struct error *err)
{
	struct directory_reader r = { .file = file, .zip = zip, .size = zip->size };
	struct zip_entries inner = { .memory = out->memory };
	int status = read_entries(&r, &inner, err);
	if (status == DANA_OK && out->n + inner.n > ENTRIES_MOST)
		status = error_set(err, DANA_EFORMAT, "zip: it holds more than %d archives", ENTRIES_MOST);
	for (size_t i = 0; i < inner.n && status == DANA_OK; i++)
		status = add_inner(out, zip, inner.items[i], err);
	if (status == DANA_OK && inner.n == 0)
		status = error_set(err, DANA_EFORMAT, "%s", zip_holds_nothing);
	free(inner.items);
	close_reader(&r);
	return status;
}

/* A WACZ in the zip: its archives; what is called so and is none is an archive, as it is among files. */
static int add_wacz(struct zip_entries *out, struct zip_file *file, const struct source_part *part, struct error *err)
{
	struct source_part *zip = arena_alloc(out->memory, sizeof(*zip));
	struct error why = { 0 };
	if (!zip)
		return error_no_memory(err);
	*zip = *part;
	const int status = zip->fault ? DANA_ECONFIG : add_all_inner(out, file, zip, &why);
	if (status == DANA_EFORMAT) {
		zip->fault = (const char *)arena_copy(out->memory, slice_from_text(why.text)).data;
		if (!zip->fault)
			return error_no_memory(err);
	} else if (status != DANA_ECONFIG) {
		*err = why;
		return status;
	}
	return add_part(out, zip, err);
}

int zip_directory_read(struct zip_entries *out, struct zip_file *file, struct error *err)
{
	struct directory_reader r = { .file = file };
	struct zip_entries found = { .memory = out->memory };
	const size_t before = out->n;
	int status = read_entries(&r, &found, err);
	for (size_t i = 0; i < found.n && status == DANA_OK; i++) {
		const struct source_part *part = &found.items[i];
		status = is_wacz(slice_from_text(part->name)) ? add_wacz(out, file, part, err)
							      : add_part(out, part, err);
	}
	if (status == DANA_OK && out->n == before)
		status = error_set(err, DANA_EFORMAT, "%s", zip_holds_nothing);
	free(found.items);
	close_reader(&r);
	return status;
}
