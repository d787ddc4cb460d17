/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/store/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file/durable.h"
#include "base/file/lock.h"
#include "base/little_endian.h"
#include "dedup/hash.h"
#include "dedup/store/index_file.h"

enum { ENTRY_HEAD = 8, BUFFERED = 1 << 18 };

struct journal {
	char *path; /* NULL: all is in the buffer, none on disk */
	int fd;
	struct journal_mark end; /* with what is in the buffer */
	bool name_is_durable;
	struct buf buffer;
	int failed;  /* an errno number */
	uint64_t at; /* reading: of the file that is in `read` or was */
	struct buf read;
	size_t pos;     /* in `read` */
	struct buf one; /* of journal_entry_at */
};

static int fault(const struct journal *j, int error, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s", journal_path(j), system_text(error));
}

static int damaged(const struct journal *j, struct error *err)
{
	return error_set(err, DANA_EFORMAT, "%s: is damaged; remove it and begin the run anew with --force",
			 journal_path(j));
}

static int open_file(struct journal *j, struct error *err)
{
	struct stat st;

	j->fd = lock_open(j->path, 0666, INDEX_IN_USE, err);
	if (j->fd < 0)
		return j->fd;
	if (fstat(j->fd, &st) < 0)
		return fault(j, errno, err);
	j->end.length = (uint64_t)st.st_size;
	return DANA_OK;
}

struct journal *journal_open(const char *path, struct error *err)
{
	struct journal *j = calloc(1, sizeof(*j));

	if (j) {
		j->fd = -1;
		j->path = strdup(path);
	}
	if (!j || !j->path)
		(void)error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
	if (!j || !j->path || open_file(j, err) < 0) {
		journal_close(j, false);
		return NULL;
	}
	return j;
}

static int too_short(const struct journal *j, uint64_t length, struct error *err)
{
	return error_set(err, DANA_EFORMAT, "%s: has %llu bytes, and the run that is resumed wrote %llu",
			 journal_path(j), (unsigned long long)j->end.length, (unsigned long long)length);
}

int journal_cut(struct journal *j, struct journal_mark mark, struct error *err)
{
	if (j->end.length < mark.length)
		return too_short(j, mark.length, err);
	int error = durable_cut(j->fd, (off_t)mark.length);
	if (error)
		return fault(j, error, err);
	buf_clear(&j->buffer);
	j->end = mark;
	return DANA_OK;
}

struct journal *journal_new(void)
{
	struct journal *j = calloc(1, sizeof(*j));

	if (j)
		j->fd = -1;
	return j;
}

const char *journal_path(const struct journal *j)
{
	return j->path ? j->path : "journal";
}

static void flush(struct journal *j)
{
	if (!j->path)
		return;
	if (!j->failed)
		j->failed = durable_write_at(j->fd, buf_slice(&j->buffer), j->end.length - j->buffer.len);
	buf_clear(&j->buffer);
}

/* The hash of all entries before, and one more. */
static uint64_t next_digest(uint64_t digest, uint64_t entry)
{
	uint8_t both[16];

	little_endian_put_64(both, digest);
	little_endian_put_64(both + 8, entry);
	return hash64(slice_of(both, sizeof(both)));
}

int journal_put(struct journal *j, struct slice entry, struct error *err)
{
	uint8_t head[ENTRY_HEAD];
	const uint64_t hash = hash64(entry);

	little_endian_put_32(head, (uint32_t)entry.len);
	little_endian_put_32(head + 4, (uint32_t)hash);
	buf_append(&j->buffer, head, sizeof(head));
	buf_append(&j->buffer, entry.data, entry.len);
	if (buf_status(&j->buffer) < 0)
		return error_set(err, DANA_ENOMEM, "%s: %s", journal_path(j), status_text(DANA_ENOMEM));
	j->end = (struct journal_mark){ j->end.length + ENTRY_HEAD + entry.len, next_digest(j->end.digest, hash) };
	if (j->buffer.len >= BUFFERED)
		flush(j);
	return j->failed ? fault(j, j->failed, err) : DANA_OK;
}

uint64_t journal_length(const struct journal *j)
{
	return j->end.length;
}

struct journal_mark journal_mark(const struct journal *j)
{
	return j->end;
}

int journal_sync(struct journal *j, struct error *err)
{
	flush(j);
	if (j->path && !j->failed)
		j->failed = durable_sync(j->fd);
	if (j->path && !j->failed && !j->name_is_durable) {
		j->failed = durable_name(j->path);
		j->name_is_durable = !j->failed;
	}
	return j->failed ? fault(j, j->failed, err) : DANA_OK;
}

/* ---- reading ---- */

int journal_rewind(struct journal *j, struct error *err)
{
	flush(j);
	buf_clear(&j->read);
	j->at = j->pos = 0;
	return j->failed ? fault(j, j->failed, err) : DANA_OK;
}

/* Bytes from `at` on, all of which were put. */
static int read_at(struct journal *j, uint64_t at, uint8_t *to, size_t len, struct error *err)
{
	const uint64_t on_disk = j->end.length - j->buffer.len;

	if (at < on_disk) {
		const size_t want = len < on_disk - at ? len : (size_t)(on_disk - at);
		const ssize_t n = durable_read_at(j->fd, to, want, at);
		if (n < 0 || (size_t)n < want)
			return n < 0 ? fault(j, errno, err) : damaged(j, err);
		at += want;
		to += want;
		len -= want;
	}
	if (len)
		memcpy(to, j->buffer.data + (at - on_disk), len);
	return DANA_OK;
}

/* Has at least `need` bytes to read from j->pos on: 1; 0 when the journal ends here; negative. */
static int fill(struct journal *j, size_t need, struct error *err)
{
	size_t want = need > BUFFERED ? need : BUFFERED;

	buf_consume(&j->read, j->pos);
	j->pos = 0;
	if (want > j->end.length - j->at)
		want = (size_t)(j->end.length - j->at);
	if (buf_reserve(&j->read, want) < 0)
		return error_set(err, DANA_ENOMEM, "%s: %s", journal_path(j), status_text(DANA_ENOMEM));
	if (j->read.len < need && want) {
		int status = read_at(j, j->at, j->read.data + j->read.len, want, err);
		if (status < 0)
			return status;
		j->read.len += want;
		j->at += want;
	}
	if (j->read.len == 0)
		return 0;
	return j->read.len >= need ? 1 : damaged(j, err);
}

uint64_t journal_position(const struct journal *j)
{
	return j->at - (j->read.len - j->pos);
}

int journal_entry_at(struct journal *j, uint64_t place, struct slice *entry, struct error *err)
{
	uint8_t head[ENTRY_HEAD];

	if (place > j->end.length || j->end.length - place < ENTRY_HEAD)
		return damaged(j, err);
	int status = read_at(j, place, head, sizeof(head), err);
	if (status < 0)
		return status;
	size_t len = little_endian_32(head);
	if (len > j->end.length - place - ENTRY_HEAD)
		return damaged(j, err);
	buf_clear(&j->one);
	if (buf_reserve(&j->one, len) < 0)
		return error_set(err, DANA_ENOMEM, "%s: %s", journal_path(j), status_text(DANA_ENOMEM));
	status = read_at(j, place + ENTRY_HEAD, j->one.data, len, err);
	j->one.len = len;
	*entry = buf_slice(&j->one);
	if (status == DANA_OK && (uint32_t)hash64(*entry) != little_endian_32(head + 4))
		status = damaged(j, err);
	return status;
}

/* As journal_next, with the hash of the entry. */
static int next_entry(struct journal *j, struct slice *entry, uint64_t *hash, struct error *err)
{
	int status = j->read.len - j->pos >= ENTRY_HEAD ? 1 : fill(j, ENTRY_HEAD, err);
	if (status <= 0)
		return status;
	size_t len = little_endian_32(j->read.data + j->pos);
	uint32_t sum = little_endian_32(j->read.data + j->pos + 4);
	if (len > j->end.length)
		return damaged(j, err);
	if (j->read.len - j->pos < ENTRY_HEAD + len)
		status = fill(j, ENTRY_HEAD + len, err);
	if (status <= 0)
		return status < 0 ? status : damaged(j, err);
	*entry = slice_of(j->read.data + j->pos + ENTRY_HEAD, len);
	j->pos += ENTRY_HEAD + len;
	*hash = hash64(*entry);
	return (uint32_t)*hash == sum ? 1 : damaged(j, err);
}

int journal_next(struct journal *j, struct slice *entry, struct error *err)
{
	uint64_t hash;

	return next_entry(j, entry, &hash, err);
}

int journal_read_to(struct journal *j, struct journal_mark mark, struct error *err)
{
	struct journal_mark at = { 0 };
	struct slice entry;
	uint64_t hash;
	int status = j->end.length < mark.length ? too_short(j, mark.length, err) : journal_rewind(j, err);

	while (status >= 0 && at.length < mark.length && (status = next_entry(j, &entry, &hash, err)) == 1)
		at = (struct journal_mark){ journal_position(j), next_digest(at.digest, hash) };
	if (status < 0)
		return status;
	return at.length == mark.length && at.digest == mark.digest
		       ? DANA_OK
		       : error_set(err, DANA_EFORMAT, "%s: belongs to another run", journal_path(j));
}

void journal_close(struct journal *j, bool remove)
{
	if (!j)
		return;
	flush(j);
	if (remove && j->path)
		(void)unlink(j->path);
	if (j->fd >= 0)
		(void)close(j->fd);
	buf_free(&j->buffer);
	buf_free(&j->read);
	buf_free(&j->one);
	free(j->path);
	free(j);
}
