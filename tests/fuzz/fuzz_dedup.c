/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the files of `dana dedup`. First byte: which kind, and whether a checksum is wrong; second: a section
 * whose records get another size, and that size, or that the rest is a file as it is; then up to six sections, each two
 * bytes of length and so many bytes. The head and the checksums are made, since no change of a file would
 * get past them. Oracles: a refusal names what is wrong; a wrong checksum is refused; what a sorted section holds is
 * found; an origin is read as it was written.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ascii.h"
#include "dedup/index_file.h"
#include "dedup/line_table.h"
#include "dedup/rows.h"
#include "dedup/signatures.h"
#include "dedup/text_index.h"
#include "support/split_feed.h"

enum { KINDS = 6, ORIGINS = 5, HEAD = 2, WRONG_SUM = 128, AS_IT_IS = 255, ROWS_ASKED = 70 };

static const struct {
	enum index_kind kind;
	uint32_t records[INDEX_SECTIONS];
} kinds[KINDS] = {
	{ INDEX_TEXTS, { 1, TEXT_INDEX_BYTES, 1, 1, 1, 1 } },
	{ INDEX_LINES, { 1, PAIR_BYTES, PAIR_BYTES, 1, 1, 1 } },
	{ INDEX_ROWS, { 1, 1, ROWS_LINK, 1, 1, 1 } },
	{ INDEX_SIGNATURES, { 1, SIGNATURE_HEAD + 2, PAIR_BYTES, 1, 1, 1 } },
	{ INDEX_RUN, { PAIR_BYTES, 1, 1, 1, 1, 1 } },
	{ INDEX_ANY, { 0 } },
};

/* `wrong`: the checksum of the first section is. */
static void put_file(struct buf *file, enum index_kind kind, const struct slice *sections, const uint32_t *records,
		     bool wrong)
{
	const uint8_t empty[INDEX_HEAD] = { 0 };
	buf_clear(file);
	must(buf_append(file, empty, sizeof(empty)) == 0);
	for (unsigned i = 0; i < INDEX_SECTIONS; i++)
		must(buf_append(file, sections[i].data, sections[i].len) == 0);
	uint8_t *head = file->data;
	memcpy(head, index_magic, INDEX_MAGIC);
	little_endian_put_32(head + INDEX_AT_KIND, kind);
	little_endian_put_32(head + INDEX_AT_VERSION, index_kind_version(kind));
	little_endian_put_64(head + INDEX_AT_LENGTH, file->len);
	for (unsigned i = 0; i < INDEX_SECTIONS; i++) {
		uint8_t *at = head + INDEX_AT_SECTIONS + i * INDEX_SECTION_BYTES;
		little_endian_put_64(at, sections[i].len);
		little_endian_put_64(at + 8, hash64(sections[i]));
		little_endian_put_32(at + 16, records[i]);
	}
	head[INDEX_AT_SECTIONS + 8] ^= wrong;
	little_endian_put_64(head + INDEX_AT_SUM, hash64(slice_of(head, INDEX_AT_SUM)));
}

/* The file that the input describes. */
static void put_input(struct buf *file, const uint8_t *data, size_t size)
{
	struct slice rest = slice_of(data + HEAD, size - HEAD), sections[INDEX_SECTIONS];
	const unsigned kind = data[0] % WRONG_SUM % KINDS;
	uint32_t records[INDEX_SECTIONS];
	if (data[1] == AS_IT_IS) {
		buf_clear(file);
		must(buf_append(file, rest.data, rest.len) == 0);
		return;
	}
	for (unsigned i = 0; i < INDEX_SECTIONS; i++) {
		const size_t told = rest.len >= 2 ? rest.data[0] + rest.data[1] * 256U : 0;
		sections[i] = slice_first(slice_skip(rest, 2), told);
		records[i] =
			data[1] && data[1] % INDEX_SECTIONS == i ? data[1] / INDEX_SECTIONS : kinds[kind].records[i];
		rest = slice_skip(rest, 2 + sections[i].len);
	}
	put_file(file, kinds[kind].kind, sections, records, data[0] & WRONG_SUM);
}

static bool opened(int status, const struct error *err)
{
	must(status == 0 || ((status == DANA_EFORMAT || status == DANA_ECONFIG) && err->text[0]));
	return status == 0;
}

static struct hash128 hash_at(const struct text_index *t, uint64_t i)
{
	uint8_t r[TEXT_INDEX_BYTES];
	struct error err = { 0 };
	must(index_file_read(&t->file, TEXT_INDEX_RECORDS, i * sizeof(r), r, sizeof(r), &err) == 0);
	return (struct hash128){ .high = little_endian_64(r), .low = little_endian_64(r + 8) };
}

static void texts(const char *path, struct error *err)
{
	struct text_index t;
	struct buf id = { 0 };
	struct origin origin;
	struct hash128 hash, before = { 0 };
	bool sorted = true;
	if (!opened(text_index_open(&t, path, err), err))
		return;
	for (uint64_t i = 0; i < t.count && sorted; i++, before = hash) {
		hash = hash_at(&t, i);
		sorted = i == 0 || before.high < hash.high || (before.high == hash.high && before.low < hash.low);
	}
	for (uint64_t i = 0; i < t.count; i++) {
		hash = hash_at(&t, i);
		const int found = text_index_find(&t, hash, &id, &origin, err);
		must(found == 1 || found == DANA_EFORMAT || (found == 0 && !sorted));
	}
	buf_free(&id);
	text_index_close(&t);
}

static void lines(const char *path, struct error *err)
{
	struct line_table t;
	uint64_t before = 0;
	bool sorted = true;
	if (!opened(line_table_open(&t, path, err), err))
		return;
	for (size_t i = 0; i < t.n_lines; i++) {
		const uint64_t key = little_endian_64(t.lines + i * PAIR_BYTES);
		sorted = sorted && (i == 0 || before < key);
		before = key;
	}
	for (size_t i = 0; i < t.n_lines; i++) {
		const uint8_t *at = t.lines + i * PAIR_BYTES;
		const uint64_t count = line_table_count(&t, little_endian_64(at));
		must(!sorted || count == little_endian_64(at + 8));
		(void)line_table_pages(&t, little_endian_64(at));
	}
	line_table_close(&t);
}

static void rows(const char *path, struct error *err)
{
	struct rows_file f;
	struct row_link link;
	struct buf id = { 0 };
	if (!opened(rows_file_open(&f, path, err), err))
		return;
	for (size_t part = 0; part < f.parts.n; part++) {
		must(parts_find(&f.parts, slice_from_text(f.parts.items[part].name)) <= part);
		for (uint32_t row = 0; row < ROWS_ASKED; row++) {
			if (rows_contain(&f, part, row))
				(void)opened(rows_link(&f, part, row, &id, &link, err), err);
		}
		(void)rows_dropped(&f, part);
	}
	buf_free(&id);
	rows_file_close(&f);
}

static void signatures(const char *path, struct error *err)
{
	struct signature_file f;
	if (!opened(signature_file_open(&f, path, err), err))
		return;
	must(index_file_count(&f.file, SIGNATURES_DOCUMENTS) == f.count);
	must(f.file.sections[SIGNATURES_DOCUMENTS].record == SIGNATURE_HEAD + shape_numbers(f.shape));
	signature_file_close(&f);
}

/* As `dana dedup info` reads every kind. */
static void any(const char *path, bool wrong, struct error *err)
{
	struct index_file f;
	uint8_t *text;
	if (!opened(index_file_open(&f, path, INDEX_ANY, err), err))
		return;
	must(opened(index_file_verify(&f, err), err) == !wrong);
	must(opened(index_file_load(&f, 0, &text, err), err) == !wrong);
	free(text);
	index_file_close(&f);
}

/* The input as a file that has a path. */
static const char *path_of(const struct buf *file)
{
	static char path[32];
	static int fd = -1;
	if (fd < 0)
		fd = memfd_create("fuzz", 0);
	must(fd >= 0);
	must(ftruncate(fd, (off_t)file->len) == 0 && pwrite(fd, file->data, file->len, 0) == (ssize_t)file->len);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

/* Where a document came from, its id and the name of its file, is read as it was written. */
static void origins(struct slice input)
{
	static struct buf file;
	static const uint8_t settings[] = "small=0\n";
	const struct slice id = slice_first(input, input.len / 2);
	const struct origin origin = { .id = id, .file = slice_skip(input, id.len), .offset = input.len * 12345U };
	uint8_t record[TEXT_INDEX_BYTES] = { 1 };
	struct origin_store store = { .n_names = 0 };
	struct text_index t;
	struct origin found;
	struct buf text = { 0 };
	struct error err = { 0 };
	must(origin_pack(&store, &origin, record + TEXT_INDEX_BYTES - ORIGIN_BYTES) == 0);
	const struct slice sections[INDEX_SECTIONS] = { slice_of(settings, sizeof(settings) - 1),
							slice_of(record, sizeof(record)), buf_slice(&store.names),
							buf_slice(&store.strings) };
	put_file(&file, INDEX_TEXTS, sections, kinds[0].records, false);
	must(text_index_open(&t, path_of(&file), &err) == 0);
	must(text_index_find(&t, (struct hash128){ .high = 1 }, &text, &found, &err) == 1);
	must(slice_equal(found.id, origin.id) && slice_equal(found.file, origin.file));
	must(found.offset == origin.offset);
	text_index_close(&t);
	buf_free(&text);
	origin_store_free(&store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[KINDS])(const char *, struct error *) = { texts, lines, rows, signatures, NULL };
	static struct buf file;
	struct error err = { 0 };
	if (size < HEAD)
		return 0;
	const unsigned kind = data[0] % WRONG_SUM % KINDS;
	if (kind == ORIGINS) {
		origins(slice_of(data + 1, size - 1));
		return 0;
	}
	put_input(&file, data, size);
	const char *path = path_of(&file);
	any(path, data[0] & WRONG_SUM && data[1] != AS_IT_IS, &err);
	if (readers[kind])
		readers[kind](path, &err);
	return 0;
}
