/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes the files of this room: a head, and sections with checksums.
 *
 * Files are read by pread, not mapped: a read that fails is an error with a text then, not a signal. The head is
 * written last, over the zeros at the front: what was interrupted before that can be distinguished from damage.
 */
#include "config.h"

#include "dedup/index_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/file.h"

enum { PIECE = 1 << 17 /* bytes that a reader takes */, BUFFERED = 1 << 20 /* that a writer holds back */ };

const uint8_t index_magic[INDEX_MAGIC] = { 0x89, 'd', 'a', 'n', 'a', '\r', '\n', 0x1A };

static const struct {
	uint32_t version;
	const char *words;
} kinds[] = {
#define INDEX_KIND_ROW(identifier, number, version, words) [identifier] = { version, words },
	INDEX_KINDS(INDEX_KIND_ROW)
#undef INDEX_KIND_ROW
};

const char *index_kind_words(enum index_kind kind)
{
	return kind < sizeof(kinds) / sizeof(*kinds) ? kinds[kind].words : NULL;
}

uint32_t index_kind_version(enum index_kind kind)
{
	return kinds[kind].version;
}

int index_file_refuse(const struct index_file *f, const char *what, struct error *err)
{
	return error_set(err, DANA_EFORMAT, "%s: %s", f->path, what);
}

static int no_memory(const char *path, struct error *err)
{
	return error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
}

static int read_exactly(const struct index_file *f, uint64_t offset, void *to, size_t len, struct error *err)
{
	ssize_t n = durable_read_at(f->fd, to, len, offset);
	if (n < 0)
		return error_set(err, DANA_EIO, "%s: %s", f->path, system_text(errno));
	return (size_t)n == len ? DANA_OK : index_file_refuse(f, "was cut while it was read", err);
}

/* ---- the head ---- */

static int check_kind(struct index_file *f, const uint8_t *head, enum index_kind wanted, struct error *err)
{
	uint32_t kind = little_endian_32(head + INDEX_AT_KIND), version = little_endian_32(head + INDEX_AT_VERSION);
	const char *words = index_kind_words((enum index_kind)kind);
	if (!words)
		return error_set(err, DANA_EFORMAT, "%s: is of an unknown type (%u); was it made by a newer dana?",
				 f->path, kind);
	if (wanted && kind != wanted)
		return error_set(err, DANA_EFORMAT, "%s: is %s; expected %s", f->path, words, index_kind_words(wanted));
	f->kind = (enum index_kind)kind;
	if (version != index_kind_version(f->kind))
		return error_set(err, DANA_EFORMAT,
				 "%s: has version %u of its layout, and this dana reads %u; make it again", f->path,
				 version, index_kind_version(f->kind));
	f->identity = little_endian_64(head + INDEX_AT_SUM);
	if (hash64(slice_of(head, INDEX_AT_SUM)) != f->identity)
		return index_file_refuse(f, "is damaged: the checksum of its header is wrong", err);
	return DANA_OK;
}

/* Sets where the sections are. They and their lengths must fill the file, which has `found` bytes. */
static int take_sections(struct index_file *f, const uint8_t *head, uint64_t found, struct error *err)
{
	uint64_t end = INDEX_HEAD;
	f->length = little_endian_64(head + INDEX_AT_LENGTH);
	if (found < f->length)
		return error_set(err, DANA_EFORMAT, "%s: is cut: it has %llu of %llu bytes", f->path,
				 (unsigned long long)found, (unsigned long long)f->length);
	if (found > f->length)
		return error_set(err, DANA_EFORMAT, "%s: has %llu bytes instead of the %llu in its header", f->path,
				 (unsigned long long)found, (unsigned long long)f->length);
	for (unsigned i = 0; i < INDEX_SECTIONS; i++) {
		const uint8_t *at = head + INDEX_AT_SECTIONS + i * INDEX_SECTION_BYTES;
		struct index_section *s = &f->sections[i];
		*s = (struct index_section){ end, little_endian_64(at), little_endian_64(at + 8),
					     little_endian_32(at + 16) };
		if (s->bytes > f->length - end || s->record == 0 || s->bytes % s->record != 0)
			return index_file_refuse(f, "is damaged: its sections do not fit", err);
		end += s->bytes;
	}
	return end == f->length ? DANA_OK : index_file_refuse(f, "is damaged: its sections do not fill it", err);
}

/* Takes over a descriptor; what was opened is closed if this fails. */
static int take_file(struct index_file *f, const char *path, int fd, enum index_kind kind, struct error *err)
{
	uint8_t head[INDEX_HEAD];
	struct stat st;
	*f = (struct index_file){ .path = strdup(path), .fd = fd };
	ssize_t len = f->path ? durable_read_at(fd, head, sizeof(head), 0) : 0;
	/* before anything in the first bytes is believed */
	static const uint8_t zeros[INDEX_MAGIC];
	const size_t known = len < 0 ? 0 : len < INDEX_MAGIC ? (size_t)len : INDEX_MAGIC;
	const char *wrong = len < 0                                 ? NULL
			    : len == 0                              ? "is empty; expected a file of dana dedup"
			    : memcmp(head, zeros, known) == 0       ? "was not finished: what wrote it was interrupted"
			    : memcmp(head, index_magic, known) != 0 ? "is not a file of dana dedup"
			    : len < INDEX_HEAD                      ? "is cut inside its header"
								    : NULL;
	int status = DANA_OK;
	if (!f->path)
		status = error_no_memory(err);
	else if (len < 0 || (!wrong && fstat(fd, &st) < 0))
		status = error_set(err, DANA_EIO, "%s: %s", path, system_text(errno));
	else if (wrong)
		status = index_file_refuse(f, wrong, err);
	if (status == DANA_OK)
		status = check_kind(f, head, kind, err);
	if (status == DANA_OK)
		status = take_sections(f, head, (uint64_t)st.st_size, err);
	if (status < 0)
		index_file_close(f);
	return status;
}

int index_file_open(struct index_file *f, const char *path, enum index_kind kind, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	*f = (struct index_file){ .fd = -1 };
	if (fd < 0)
		return error_set(err, DANA_EIO, "%s: %s", path, system_text(errno));
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		(void)close(fd);
		return error_set(err, DANA_EFORMAT, "%s: is not a regular file", path);
	}
	return take_file(f, path, fd, kind, err);
}

void index_file_close(struct index_file *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	free(f->path);
	*f = (struct index_file){ .fd = -1 };
}

/* ---- sections ---- */

uint64_t index_file_count(const struct index_file *f, unsigned section)
{
	return f->sections[section].bytes / f->sections[section].record;
}

int index_file_read(const struct index_file *f, unsigned section, uint64_t offset, void *to, size_t len,
		    struct error *err)
{
	return read_exactly(f, f->sections[section].offset + offset, to, len, err);
}

static int wrong_sum(const struct index_file *f, unsigned section, struct error *err)
{
	return error_set(err, DANA_EFORMAT, "%s: is damaged: the checksum of section %u is wrong", f->path, section);
}

int index_file_load(const struct index_file *f, unsigned section, uint8_t **data, struct error *err)
{
	const struct index_section *s = &f->sections[section];
	*data = s->bytes < SIZE_MAX ? malloc((size_t)s->bytes + 1) : NULL;
	if (!*data)
		return no_memory(f->path, err);
	int status = read_exactly(f, s->offset, *data, (size_t)s->bytes, err);
	if (status == DANA_OK && hash64(slice_of(*data, (size_t)s->bytes)) != s->sum)
		status = wrong_sum(f, section, err);
	(*data)[s->bytes] = 0;
	if (status < 0) {
		free(*data);
		*data = NULL;
	}
	return status;
}

bool index_file_setting(const uint8_t *text, const char *name, uint64_t *number)
{
	const size_t len = strlen(name);
	for (const char *line = (const char *)text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) == 0 && line[len] == '=')
			return decimal_prefix(slice_from_text(line + len + 1), number) > 0;
	}
	return false;
}

int index_file_verify(const struct index_file *f, struct error *err)
{
	int status = DANA_OK;
	for (unsigned i = 0; i < INDEX_SECTIONS && status == DANA_OK; i++) {
		struct index_reader r = { 0 };
		const uint8_t *record;
		status = index_reader_open(&r, f, i, err);
		while (status >= 0 && (status = index_reader_next(&r, &record, err)) == 1)
			;
		index_reader_close(&r);
	}
	return status;
}

int index_reader_open(struct index_reader *r, const struct index_file *f, unsigned section, struct error *err)
{
	uint32_t record = f->sections[section].record;
	*r = (struct index_reader){ .file = f, .section = section };
	r->buffer = malloc(record > PIECE ? record : PIECE / record * record);
	r->state = XXH3_createState();
	if (!r->buffer || !r->state) {
		index_reader_close(r);
		return no_memory(f->path, err);
	}
	(void)XXH3_64bits_reset(r->state);
	return DANA_OK;
}

/* Reads whole records. Returns 1, 0 at the end, or a negative status. */
static int fill(struct index_reader *r, struct error *err)
{
	const struct index_section *s = &r->file->sections[r->section];
	uint64_t left = s->bytes - r->at;
	size_t piece = s->record > PIECE ? s->record : PIECE / s->record * s->record;
	if (left == 0)
		return XXH3_64bits_digest(r->state) == s->sum ? 0 : wrong_sum(r->file, r->section, err);
	r->len = left < piece ? (size_t)left : piece;
	r->pos = 0;
	int status = read_exactly(r->file, s->offset + r->at, r->buffer, r->len, err);
	if (status < 0)
		return status;
	(void)XXH3_64bits_update(r->state, r->buffer, r->len);
	r->at += r->len;
	return 1;
}

int index_reader_next(struct index_reader *r, const uint8_t **record, struct error *err)
{
	if (r->pos == r->len) {
		int status = fill(r, err);
		if (status <= 0)
			return status;
	}
	*record = r->buffer + r->pos;
	r->pos += r->file->sections[r->section].record;
	return 1;
}

void index_reader_close(struct index_reader *r)
{
	free(r->buffer);
	(void)XXH3_freeState(r->state);
	*r = (struct index_reader){ 0 };
}

/* ---- writing ---- */

struct index_writer {
	char *path, *part; /* part: NULL for a temporary file */
	int fd;
	enum index_kind kind;
	unsigned section;
	struct index_section sections[INDEX_SECTIONS];
	XXH3_state_t *state; /* of the section under way */
	uint64_t length;
	struct buf buffer;
	uint64_t identity; /* once the head is written */
	struct index_ready ready;
	struct error err; /* the first one */
};

static void writer_free(struct index_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		(void)close(w->fd);
	(void)XXH3_freeState(w->state);
	buf_free(&w->buffer);
	free(w->path);
	free(w->part);
	free(w);
}

static struct index_writer *writer_new(const char *path, enum index_kind kind, struct error *err)
{
	struct index_writer *w = calloc(1, sizeof(*w));
	static const uint8_t head[INDEX_HEAD];
	if (w) {
		w->fd = -1;
		w->kind = kind;
		w->path = strdup(path);
		w->state = XXH3_createState();
		w->length = INDEX_HEAD;
		for (unsigned i = 0; i < INDEX_SECTIONS; i++)
			w->sections[i].record = 1;
	}
	if (!w || !w->path || !w->state || buf_append(&w->buffer, head, sizeof(head)) < 0) {
		(void)no_memory(path, err);
		writer_free(w);
		return NULL;
	}
	(void)XXH3_64bits_reset(w->state);
	return w;
}

/* A part that a killed run has left is taken over. */
struct index_writer *index_writer_open(const char *path, enum index_kind kind, bool force, struct error *err)
{
	struct stat st;
	if (!force && lstat(path, &st) == 0) {
		(void)error_set(err, DANA_ECONFIG, "%s exists; --force overwrites it", path);
		return NULL;
	}
	struct index_writer *w = writer_new(path, kind, err);
	if (!w)
		return NULL;
	w->part = path_with(path, OUTPUT_PART_SUFFIX);
	w->fd = w->part ? lock_open(w->part, 0666, INDEX_IN_USE, err) : no_memory(path, err);
	int error = w->fd >= 0 ? durable_cut(w->fd, 0) : 0;
	if (error)
		(void)error_set(err, DANA_EIO, "%s: %s", w->part, system_text(error));
	if (w->fd >= 0 && !error)
		return w;
	writer_free(w);
	return NULL;
}

struct index_writer *index_writer_open_temporary(const char *folder, enum index_kind kind, struct error *err)
{
	struct index_writer *w = writer_new(folder, kind, err);
	if (w)
		w->fd = nameless_file_open(folder, err);
	if (!w || w->fd >= 0)
		return w;
	writer_free(w);
	return NULL;
}

/* Keeps an errno number, unless an error was kept before. */
static void fail(struct index_writer *w, int error)
{
	if (error)
		(void)error_set(&w->err, DANA_EIO, "%s: %s", w->part ? w->part : w->path, system_text(error));
}

static void flush(struct index_writer *w)
{
	if (w->err.status == DANA_OK)
		fail(w, durable_write_at(w->fd, buf_slice(&w->buffer), w->length - w->buffer.len));
	buf_clear(&w->buffer);
}

void index_writer_record(struct index_writer *w, uint32_t bytes)
{
	w->sections[w->section].record = bytes;
}

void index_writer_put(struct index_writer *w, const void *data, size_t len)
{
	(void)XXH3_64bits_update(w->state, data, len);
	w->sections[w->section].bytes += len;
	if (buf_append(&w->buffer, data, len) < 0)
		(void)no_memory(w->path, &w->err);
	else
		w->length += len;
	if (w->buffer.len >= BUFFERED)
		flush(w);
}

void index_writer_next_section(struct index_writer *w)
{
	w->sections[w->section++].sum = XXH3_64bits_digest(w->state);
	(void)XXH3_64bits_reset(w->state);
}

int index_writer_status(const struct index_writer *w)
{
	return w->err.status;
}

void index_writer_on_ready(struct index_writer *w, const struct index_ready *ready)
{
	w->ready = *ready;
}

/* ---- the end ---- */

/* Ends all sections, also those that nothing was put into, and writes the head. Returns what failed. */
static int complete(struct index_writer *w, struct error *err)
{
	uint8_t head[INDEX_HEAD] = { 0 };
	while (w->section < INDEX_SECTIONS)
		index_writer_next_section(w);
	flush(w);
	memcpy(head, index_magic, INDEX_MAGIC);
	little_endian_put_32(head + INDEX_AT_KIND, w->kind);
	little_endian_put_32(head + INDEX_AT_VERSION, index_kind_version(w->kind));
	little_endian_put_64(head + INDEX_AT_LENGTH, w->length);
	for (unsigned i = 0; i < INDEX_SECTIONS; i++) {
		uint8_t *at = head + INDEX_AT_SECTIONS + i * INDEX_SECTION_BYTES;
		little_endian_put_64(at, w->sections[i].bytes);
		little_endian_put_64(at + 8, w->sections[i].sum);
		little_endian_put_32(at + 16, w->sections[i].record);
	}
	w->identity = hash64(slice_of(head, INDEX_AT_SUM));
	little_endian_put_64(head + INDEX_AT_SUM, w->identity);
	if (w->err.status == DANA_OK)
		fail(w, durable_write_at(w->fd, slice_of(head, sizeof(head)), 0));
	return w->err.status == DANA_OK ? DANA_OK : error_set(err, w->err.status, "%s", w->err.text);
}

int index_writer_finish(struct index_writer *w, struct error *err)
{
	int status = complete(w, err);
	if (status == DANA_OK) {
		fail(w, durable_sync(w->fd));
		if (w->err.status == DANA_OK && w->ready.call)
			(void)w->ready.call(w->ready.arg, w->identity, &w->err);
		if (w->err.status == DANA_OK)
			fail(w, durable_rename(w->part, w->path));
		if (w->err.status < 0)
			status = error_set(err, w->err.status, "%s", w->err.text);
	}
	if (status < 0)
		(void)unlink(w->part);
	writer_free(w);
	return status;
}

int index_writer_finish_temporary(struct index_writer *w, struct index_file *f, struct error *err)
{
	int status = complete(w, err);
	*f = (struct index_file){ .fd = -1 };
	if (status == DANA_OK) {
		status = take_file(f, w->path, w->fd, w->kind, err);
		w->fd = -1;
	}
	writer_free(w);
	return status;
}

void index_writer_abandon(struct index_writer *w)
{
	if (w && w->part)
		(void)unlink(w->part);
	writer_free(w);
}
