/* SPDX-License-Identifier: MIT */
/*
 * Zips with archives: small ones that are written here, entry by entry, and what is read of them; by reads of any size.
 */
#define _XOPEN_SOURCE 700
#include "config.h"

#include "base/arena.h"
#include "io/loop.h"
#include "io/zip.h"
#include "support/deflated.h"
#include "support/scratch_file.h"

GROUP(make_folder, remove_folder)

/* ---- a zip ---- */

struct zip;

struct entry {
	const char *name, *text;
	size_t times;            /* the text; 0: once */
	const struct zip *inner; /* which the text is; NULL: none */
	bool deflated, zip64, described;
	bool bare;                     /* what describes it has no signature */
	size_t extra;                  /* bytes of other fields of the local header */
	unsigned flags;                /* further ones */
	int length, size, header, crc; /* what the directory has, less what is true */
	unsigned method;               /* 0: as it is */
};

/* How a zip is written besides. */
struct form {
	size_t before, comment;
	bool zip64;
	int entries, bytes, at;   /* of the end of the directory, less what is true */
	size_t cut;               /* bytes at the end that are missing */
	const char *after;        /* the entries of the directory */
	unsigned volume, magic64; /* magic64: added to that of the Zip64 record */
	bool without_record;      /* of Zip64 */
	unsigned disk64;          /* in it */
	size_t extension;         /* bytes of it */
	size_t trailing;          /* bytes after the zip */
};

enum { ENTRIES = 6, CUT_SIZES = 7 };

struct zip {
	struct entry entries[ENTRIES]; /* up to one without a name */
	struct form form;
	const char *fault; /* of all; NULL: none */
	const char *names; /* of the entries that are read, with what they hold: "name=text|" or "name!fault|" */
};

static void number(struct buf *to, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		assert_ok(buf_append_byte(to, (uint8_t)(value >> 8 * i)));
}

static void numbers(struct buf *to, const char *widths, const uint64_t *values)
{
	for (size_t i = 0; widths[i]; i++)
		number(to, values[i], (size_t)(widths[i] - '0'));
}
#define NUMBERS(to, widths, ...) numbers(to, widths, (const uint64_t[]){ __VA_ARGS__ })

static void fill(struct buf *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_ok(buf_append_byte(to, 'x'));
}

static void make_zip(struct buf *zip, const struct zip *z);

static void add_entry(struct buf *zip, struct buf *directory, const struct entry *e, size_t before)
{
	AUTO_BUF text = { 0 }, data = { 0 };
	if (e->inner)
		make_zip(&text, e->inner);
	else
		for (size_t i = 0; i < (e->times ? e->times : 1); i++)
			assert_ok(buf_append_text(&text, e->text));
	if (e->deflated)
		append_deflated(&data, buf_slice(&text), 9, DEFLATED_RAW);
	else
		assert_ok(buf_append(&data, text.data, text.len));
	const uint64_t crc = crc32(0, text.data, (unsigned)text.len), header = zip->len - before,
		       flags = e->flags | (e->described ? 8 : 0), name = strlen(e->name),
		       method = e->method     ? e->method
				: e->deflated ? 8
					      : 0,
		       none = UINT32_MAX, length = data.len + (uint64_t)e->length, size = text.len + (uint64_t)e->size;
	NUMBERS(zip, "422222", 0x04034b50, 20, flags, method, 0, 0);
	NUMBERS(zip, "44422", e->described ? 0 : crc, e->described ? 0 : data.len, e->described ? 0 : text.len, name,
		e->extra);
	assert_ok(buf_append(zip, e->name, name));
	fill(zip, e->extra);
	assert_ok(buf_append(zip, data.data, data.len));
	if (e->described && !e->bare)
		number(zip, 0x08074b50, 4);
	if (e->described)
		NUMBERS(zip, "444", crc, data.len, text.len);
	NUMBERS(directory, "4222222", 0x02014b50, 20, 20, flags, method, 0, 0);
	NUMBERS(directory, "444", crc + (uint64_t)e->crc, e->zip64 ? none : length, e->zip64 ? none : size);
	NUMBERS(directory, "2222244", name, e->zip64 ? 33 : 0, 0, 0, 0, 0,
		e->zip64 ? none : header + (uint64_t)e->header);
	assert_ok(buf_append(directory, e->name, name));
	if (e->zip64) /* another field before */
		NUMBERS(directory, "22122888", 7, 1, 0, 1, 24, size, length, header + (uint64_t)e->header);
}

static void make_zip(struct buf *zip, const struct zip *z)
{
	const struct form *f = &z->form;
	AUTO_BUF directory = { 0 };
	uint64_t n = 0;
	if (f->before)
		assert_ok(buf_append(zip, "PK\3\4", 4));
	fill(zip, f->before ? f->before - 4 : 0);
	for (; n < ENTRIES && z->entries[n].name; n++)
		add_entry(zip, &directory, &z->entries[n], f->before);
	if (f->after)
		assert_ok(buf_append_text(&directory, f->after));
	const uint64_t at = zip->len - f->before + (uint64_t)f->at, bytes = directory.len + (uint64_t)f->bytes;
	n += (uint64_t)f->entries;
	assert_ok(buf_append(zip, directory.data, directory.len));
	if (f->zip64) {
		const uint64_t record = zip->len - f->before;
		if (!f->without_record)
			NUMBERS(zip,
				"482244888"
				"8",
				0x06064b50 + f->magic64, 44 + f->extension, 45, 45, f->disk64, f->disk64, n, n, bytes,
				at);
		fill(zip, f->extension);
		NUMBERS(zip, "4484", 0x07064b50, 0, record, 1);
	}
	NUMBERS(zip, "42222", 0x06054b50, f->volume, f->volume, f->zip64 ? UINT16_MAX : n, f->zip64 ? UINT16_MAX : n);
	NUMBERS(zip, "442", f->zip64 ? UINT32_MAX : bytes, f->zip64 ? UINT32_MAX : at, f->comment);
	fill(zip, f->comment + f->trailing);
	zip->len -= f->cut;
}

/* ---- what is read of it ---- */

struct reading {
	struct source *source;
	struct buf *out;
	bool over;
};

static void take_chunk(void *arg, struct slice bytes)
{
	struct reading *r = arg;
	assert_ok(buf_append(r->out, bytes.data, bytes.len));
	source_next(r->source);
}

static void take_end(void *arg)
{
	struct reading *r = arg;
	if (r->source->fault)
		assert_ok(buf_printf(r->out, "!%s", r->source->fault));
	r->over = true;
}

static void take_failure(void *arg, const char *why)
{
	(void)arg;
	fail_msg("reading failed: %s", why);
}

static int read_zip(const char *read_size, struct buf *out, struct error *err)
{
	struct zip_entries entries = { .memory = arena_new() };
	struct zip_kept kept = { 0 };
	struct loop *l = loop_new(err);
	assert_true(entries.memory && l);
	assert_ok(setenv("DANA_TEST_READ_SIZE", read_size, 1));
	const int status = zip_read(&entries, path, path, NULL, err);
	for (size_t i = 0; i < entries.n && status == DANA_OK; i++) {
		const struct source_part *part = &entries.items[i];
		struct reading r = { .out = out };
		const struct source_events events = { NULL, take_chunk, take_end, take_failure, &r };
		assert_ok(buf_printf(out, part->fault ? "%s!%s" : "%s=", part->name, part->fault));
		if (!part->fault) {
			const struct zip_input in = { path, path, part, 0, true, &kept };
			assert_ok(zip_source_open(&r.source, l, NULL, &in, &events, err));
			assert_true(r.source->seekable == (!part->deflated && !part->zip));
			source_start(r.source);
			loop_run_until(l, &r.over);
			source_free(r.source);
		}
		assert_ok(buf_append_byte(out, '|'));
	}
	zip_kept_drop(&kept);
	assert_ok(unsetenv("DANA_TEST_READ_SIZE"));
	free(entries.items);
	arena_free(entries.memory);
	loop_free(l);
	return status;
}

static void check_zip(const struct zip *z)
{
	static const char *const sizes[CUT_SIZES] = { "1", "2", "3", "7", "64", "1000", "500000" };
	AUTO_BUF zip = { 0 };
	make_zip(&zip, z);
	scratch_write(path, zip.data, zip.len);
	assert_true(zip_begins(path));
	for (size_t i = 0; i < CUT_SIZES; i++) {
		AUTO_BUF got = { 0 };
		struct error err = { 0 };
		const int status = read_zip(sizes[i], &got, &err);
		if (z->fault) {
			assert_int_equal(status, DANA_EFORMAT);
			assert_string_equal(err.text, z->fault);
		} else {
			assert_string_equal(err.text, "");
			assert_ok(status);
			assert_string_equal(text_of(&got), z->names);
		}
	}
}

#define E(n, ...) \
	{ \
		.name = (n), .text = __VA_ARGS__ \
	}
#define A "archive/a.warc"
#define B "archive/b.warc"
#define LONG "WARC/1.0 and more of it, again and again. "
#define LONG_3 LONG LONG LONG
#define CUT "zip: it is damaged or cut off: "
#define BAD "!zip: the entry is damaged: "
#define NOTHING "zip: it holds no archive (archive/*.warc or .arc, also with .gz or .zst), and no .wacz"

TEST(zips_are_read_however_they_were_written)
{
	static const struct zip zips[] = ROWS(
		{ .entries = { E(A, "one"), E(B, "two") }, .names = A "=one|" B "=two|" },
		{ .entries = { E(B, "two"), E(A, "one") }, .names = B "=two|" A "=one|" },
		{ .entries = { E(A, LONG, .times = 3, .deflated = true), E(B, "two", .times = 1, .deflated = true) },
		  .names = A "=" LONG_3 "|" B "=two|" },
		{ .entries = { E(A, "one"), E(B, LONG, .times = 3, .deflated = true) },
		  .names = A "=one|" B "=" LONG_3 "|" },
		{ .entries = { E(A, "one", .zip64 = true), E(B, LONG, .times = 3, .deflated = true, .zip64 = true) },
		  .form = { .zip64 = true },
		  .names = A "=one|" B "=" LONG_3 "|" },
		{ .entries = { E(A, "one", .zip64 = true) }, .names = A "=one|" },
		{ .entries = { E(A, "one") }, .form = { .zip64 = true }, .names = A "=one|" },
		{ .entries = { E(A, "one", .described = true),
			       E(B, LONG, .times = 3, .deflated = true, .described = true) },
		  .names = A "=one|" B "=" LONG_3 "|" },
		{ .entries = { E(A, "one", .described = true, .bare = true),
			       E(B, LONG, .times = 3, .deflated = true, .described = true, .bare = true) },
		  .names = A "=one|" B "=" LONG_3 "|" },
		{ .entries = { E(A, "one", .zip64 = true) },
		  .form = { .zip64 = true, .volume = UINT16_MAX },
		  .names = A "=one|" },
		{ .entries = { E(A, "one", .zip64 = true) },
		  .form = { .zip64 = true, .volume = UINT16_MAX, .extension = 100 },
		  .names = A "=one|" },
		{ .entries = { E(A, "one") }, .form = { .trailing = 1 }, .names = A "=one|" },
		{ .entries = { E(A, "one", .zip64 = true) },
		  .form = { .trailing = 999, .comment = 9, .zip64 = true },
		  .names = A "=one|" },
		{ .entries = { E(A, "one") }, .form = { .comment = 1 }, .names = A "=one|" },
		{ .entries = { E(A, "one") }, .form = { .comment = UINT16_MAX }, .names = A "=one|" },
		{ .entries = { E(A, "one", .zip64 = true) },
		  .form = { .comment = UINT16_MAX, .zip64 = true },
		  .names = A "=one|" },
		{ .entries = { E(A, "one"), E(B, LONG, .times = 3, .deflated = true) },
		  .form = { .before = 4 },
		  .names = A "=one|" B "=" LONG_3 "|" },
		{ .entries = { E(A, "one", .zip64 = true) },
		  .form = { .before = 70000, .zip64 = true },
		  .names = A "=one|" },
		{ .entries = { E(A, "one", .extra = 9), E(B, LONG, .times = 3, .deflated = true, .extra = UINT16_MAX) },
		  .names = A "=one|" B "=" LONG_3 "|" },
		{ .entries = { E(A, "one"), E("pages", "{}"), E("archive/", ""), E(B, "two") },
		  .names = A "=one|" B "=two|" },
		{ .entries = { E(A, "one"), E(A, "other") }, .names = A "=one|" A "=other|" },
		{ .entries = { E("archive/../../etc/a.warc", "one"), E("archive/..\\a.warc", "two") },
		  .names = "archive/../../etc/a.warc=one|archive/..\\a.warc=two|" },
		{ .entries = { E("archive/ü \n.warc", "one") }, .names = "archive/ü \n.warc=one|" },
		{ .entries = { E(A, ""), E(B, "", .times = 1, .deflated = true) }, .names = A "=|" B "=|" }, );
	for (size_t i = 0; i < sizeof(zips) / sizeof(*zips); i++)
		check_zip(&zips[i]);
}

TEST(an_entry_that_cannot_be_read_is_a_fault_of_its_own)
{
	static const struct zip zips[] = ROWS(
		{ .entries = { E(A, "one", .flags = 1), E(B, "two") }, .names = A "!zip: it is encrypted|" B "=two|" },
		{ .entries = { E(A, "one", .method = 15), E(B, "two") },
		  .names = A "!zip: it is compressed in a way that is not read here; expected stored or deflated|" B
			     "=two|" },
		{ .entries = { E(A, "one", .method = 9), E(B, "two", .method = 12) },
		  .names = A
		  "!zip: it is compressed by deflate64, which is not read here; expected stored or deflated|" B
		  "!zip: it is compressed by bzip2, which is not read here; expected stored or deflated|" },
		{ .entries = { E(A, "one", .size = 1) }, .names = A "!zip: its lengths contradict each other|" },
		{ .entries = { E(A, "one", .length = -1) }, .names = A "!zip: its lengths contradict each other|" },
		{ .entries = { E(A, "one", .header = 1) },
		  .names = A "!zip: the entry does not begin where the directory has it|" },
		{ .entries = { E(A, "one"), E("archive/longer.warc", "two", .header = -47) },
		  .names = A "=one|archive/longer.warc!zip: the entry does not begin where the directory has it|" },
		{ .entries = { E(A, LONG, .times = 9), E(B, LONG, .times = 9, .length = 2, .size = 2) },
		  .names = A "=" LONG_3 LONG_3 LONG_3 "|" B "!zip: the entry does not lie in the zip|" },
		{ .entries = { E(A, LONG, .times = 3, .deflated = true, .size = 1) },
		  .names = A "=" LONG_3 BAD "it is shorter than its directory has it|" },
		{ .entries = { E(A, "one", .times = 1, .deflated = true, .size = -1) },
		  .names = A "=on" BAD "it is longer than its directory has it|" },
		{ .entries = { E(A, "one", .times = 1, .deflated = true, .size = -3) },
		  .names = A "=" BAD "it is longer than its directory has it|" },
		{ .entries = { E(A, LONG, .times = 3, .deflated = true, .crc = 1), E(B, "two") },
		  .names = A "=" LONG_3 BAD "its checksum is wrong|" B "=two|" },
		{ .entries = { E(A, LONG, .times = 3, .crc = 1), E(B, "two") },
		  .names = A "=" LONG_3 BAD "its checksum is wrong|" B "=two|" },
		{ .entries = { E(A, "one", .times = 1, .deflated = true, .length = -1) },
		  .names = A "=one" BAD "its data is cut off|" },
		{ .entries = { E(A, "\7 is no block", .method = 8) },
		  .names = A "=" BAD "its data is not deflated|" }, );
	for (size_t i = 0; i < sizeof(zips) / sizeof(*zips); i++)
		check_zip(&zips[i]);
}

TEST(a_directory_that_is_none_is_refused)
{
	static const struct zip zips[] = ROWS(
		{ .entries = { E(A, "one") },
		  .form = { .entries = 1 },
		  .fault = CUT "entries of its directory are missing" },
		{ .entries = { E(A, "one"), E(B, "two") },
		  .form = { .entries = -1 },
		  .fault = CUT "entries of its directory are missing" },
		{ .entries = { E(A, "one") },
		  .form = { .entries = 1, .zip64 = true },
		  .fault = CUT "entries of its directory are missing" },
		{ .entries = { E(A, "one") }, .form = { .after = "PK\1\2" }, .fault = CUT "its directory is not one" },
		{ .entries = { E(A, "one") },
		  .form = { .bytes = -1, .at = 1 },
		  .fault = CUT "its directory is not one" },
		{ .entries = { E(A, "one") },
		  .form = { .bytes = 1 << 20 },
		  .fault = CUT "its directory does not lie in it" },
		{ .entries = { E(A, "one") },
		  .form = { .at = 1 << 20 },
		  .fault = CUT "its directory does not lie in it" },
		{ .entries = { E(A, "one") }, .form = { .at = 1 }, .fault = CUT "its directory does not lie in it" },
		{ .entries = { E(A, "one") },
		  .form = { .at = -1000, .zip64 = true },
		  .fault = CUT "its directory does not lie in it" },
		{ .entries = { E(A, "one") },
		  .form = { .zip64 = true, .magic64 = 1 },
		  .fault = CUT "its Zip64 record is missing" },
		{ .entries = { E(A, "one") },
		  .form = { .zip64 = true, .without_record = true },
		  .fault = CUT "its Zip64 record is missing" },
		{ .form = { 0 }, .fault = NOTHING },
		{ .entries = { E("archive\\a.warc", "one"), E("/archive/a.warc", "two"), E("Archive/a.warc", "x") },
		  .fault = NOTHING },
		{ .entries = { E(A, "one") },
		  .form = { .zip64 = true, .disk64 = 1 },
		  .fault = "zip: it is one of several files that make up a zip" },
		{ .entries = { E(A, "one") },
		  .form = { .volume = UINT16_MAX },
		  .fault = "zip: it is one of several files that make up a zip" },
		{ .entries = { E(A, "one") },
		  .form = { .volume = 1 },
		  .fault = "zip: it is one of several files that make up a zip" },
		{ .entries = { E(A, "one") }, .form = { .cut = 1 }, .fault = CUT "it has no end of a directory" },
		{ .entries = { E(A, "one") }, .form = { .cut = 22 }, .fault = CUT "it has no end of a directory" },
		{ .entries = { E(A, "one") }, .form = { .cut = 60 }, .fault = CUT "it has no end of a directory" },
		{ .entries = { E(A, "one") },
		  .form = { .comment = 9, .cut = 1 },
		  .fault = CUT "it has no end of a directory" },
		{ .entries = { E(A, "one", .header = 1 << 20) }, .fault = CUT "an entry does not lie in it" },
		{ .entries = { E(A, "one", .header = -1) }, .fault = CUT "an entry does not lie in it" },
		{ .entries = { E(A, "one", .length = 1 << 20, .size = 1 << 20) },
		  .fault = CUT "an entry does not lie in it" },
		{ .entries = { E(A, "one", .length = -9, .size = -9, .zip64 = true) },
		  .fault = CUT "an entry does not lie in it" }, );
	for (size_t i = 0; i < sizeof(zips) / sizeof(*zips); i++)
		check_zip(&zips[i]);
}

static const struct zip inner = { .entries = { E(A, "one"), E(B, LONG, .times = 3, .deflated = true),
					       E("pages", "{}") } };
static const struct zip turned = { .entries = { E(B, "one", .header = 47), E(A, "one", .header = -47) } };
static const struct zip over = { .entries = { E(A, "one"), E(B, "two", .header = -47) } };
static const struct zip cut = { .entries = { E(A, "one") }, .form = { .cut = 1 } };
static const struct zip empty = { .entries = { E("pages", "{}") } };
static const struct zip outer = { .entries = { E("x.wacz", NULL, .inner = &inner), E(A, "deep") } };

#define WACZ(...) E("i/x.wacz", NULL, .inner = __VA_ARGS__)
#define INNER(f) "i/x.wacz/archive/" f ".warc"

TEST(a_zip_in_a_zip_is_its_archives_and_what_is_wrong_with_it_is_its_own)
{
	static const struct zip zips[] = ROWS(
		{ .entries = { E(A, "first"), WACZ(&inner), E(B, "last") },
		  .names = A "=first|" INNER("a") "=one|" INNER("b") "=" LONG_3 "|" B "=last|" },
		{ .entries = { E(A, "first"), WACZ(&inner, .deflated = true), E(B, "last") },
		  .names = A "=first|" INNER("a") "=one|" INNER("b") "=" LONG_3 "|" B "=last|" },
		{ .entries = { WACZ(&inner, .zip64 = true, .described = true),
			       E("y.wacz", NULL, .inner = &inner, .deflated = true) },
		  .form = { .zip64 = true, .volume = UINT16_MAX, .before = 999 },
		  .names = INNER("a") "=one|" INNER("b") "=" LONG_3 "|y.wacz/" A "=one|y.wacz/" B "=" LONG_3 "|" },
		{ .entries = { WACZ(&over) },
		  .names = INNER("a") "=one|" INNER("b") "=one" BAD "its checksum is wrong|" },
		{ .entries = { WACZ(&over, .deflated = true) },
		  .names = INNER("a") "=one|" INNER("b") "!zip: the entry lies over another one|" },
		{ .entries = { WACZ(&turned) }, .names = INNER("b") "=one|" INNER("a") "=one|" },
		{ .entries = { WACZ(&turned, .deflated = true) }, .names = INNER("a") "=one|" INNER("b") "=one|" },
		{ .entries = { WACZ(&cut), E(B, "two") },
		  .names = "i/x.wacz!" CUT "it has no end of a directory|" B "=two|" },
		{ .entries = { WACZ(&cut, .deflated = true), E(B, "two") },
		  .names = "i/x.wacz!" CUT "it has no end of a directory|" B "=two|" },
		{ .entries = { WACZ(&empty, .deflated = true), E(B, "two") },
		  .names = "i/x.wacz!" NOTHING "|" B "=two|" },
		{ .entries = { WACZ(&inner, .flags = 1), E(B, "two") },
		  .names = "i/x.wacz!zip: it is encrypted|" B "=two|" },
		{ .entries = { WACZ(&inner, .deflated = true, .length = -9), E(B, "two") },
		  .names = "i/x.wacz!zip: the entry is damaged: its data is cut off|" B "=two|" },
		{ .entries = { WACZ(&outer), E(B, "two") },
		  .names =
			  "i/x.wacz/x.wacz!zip: it lies in a zip in a zip, and zips are read up to the second; take it "
			  "out of the first|" INNER("a") "=deep|" B "=two|" },
		{ .entries = { WACZ(&outer, .deflated = true), E(B, "two") },
		  .names =
			  "i/x.wacz/x.wacz!zip: it lies in a zip in a zip, and zips are read up to the second; take it "
			  "out of the first|" INNER("a") "=deep|" B "=two|" },
		{ .entries = { E("x.wacz", "WARC/1.0 by this name"),
			       E("y.wacz", "WARC", .times = 1, .deflated = true) },
		  .names = "x.wacz=WARC/1.0 by this name|y.wacz=WARC|" },
		{ .entries = { E("i/._x.wacz", "hidden"), E("x.WACZ", "other"), E(A, "one") }, .names = A "=one|" },
		{ .entries = { E("x.wacz", "PK\3\4"), E(A, "one") },
		  .names = "x.wacz!" CUT "it has no end of a directory|" A "=one|" }, );
	for (size_t i = 0; i < sizeof(zips) / sizeof(*zips); i++)
		check_zip(&zips[i]);
}

/* The same bytes as several entries: little that would be much work. */
TEST(entries_do_not_lie_over_each_other)
{
	const struct zip z = { .entries = { E(A, LONG, .times = 9),
					    E(B, "", .length = 300, .size = 300, .header = -423) },
			       .fault = CUT "an entry does not lie in it" };
	check_zip(&z);
}

/* Each part of a zip is one line, whatever is missing at its end. */
TEST(a_zip_that_is_cut_anywhere_is_refused)
{
	const struct zip z = { .entries = { E(A, "one", .zip64 = true), E(B, LONG, .times = 3, .deflated = true) },
			       .form = { .zip64 = true } };
	AUTO_BUF zip = { 0 };
	make_zip(&zip, &z);
	for (size_t n = 4; n < zip.len; n++) {
		AUTO_BUF got = { 0 };
		struct error err;
		scratch_write(path, zip.data, n);
		assert_refused(err, DANA_EFORMAT, CUT "it has no end of a directory", read_zip("500000", &got, &err));
	}
}

TEST(a_file_that_is_no_zip_is_told)
{
	static const char *const texts[] = { "PK\3\5", "WARC/1.0\r\n", "PK\1\2 more", "\x1f\x8b\x08\0" };
	AUTO_BUF got = { 0 };
	struct error err;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		scratch_write(path, (const uint8_t *)texts[i], strlen(texts[i]) + 1);
		assert_false(zip_begins(path));
		assert_refused(err, DANA_ECONFIG, "it does not begin as a zip does", read_zip("9", &got, &err));
	}
	assert_false(zip_begins(folder));
	assert_ok(unlink(path));
	assert_false(zip_begins(path));
	assert_refused(err, DANA_EIO, "No such file", read_zip("9", &got, &err));
	scratch_write(path, (const uint8_t *)"PK", 2);
	assert_false(zip_begins(path));
}
