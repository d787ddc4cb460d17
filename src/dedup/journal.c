/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/little_endian.h"
#include "dedup/hash.h"

enum { ENTRY_HEAD = 8, BUFFERED = 1 << 18 };

struct journal {
	char *path;
	int fd;
	uint64_t length; /* with what is in the buffer */
	struct buf buffer;
	int failed;  /* an errno number */
	uint64_t at; /* reading: of the file that is in `read` or was */
	struct buf read;
	size_t pos; /* in `read` */
};

static int fault(const struct journal *j, int error, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s", j->path, system_text(error));
}

static int damaged(const struct journal *j, struct error *err)
{
	return error_set(err, DANA_EFORMAT, "%s: is damaged; remove it and begin the run anew with --force", j->path);
}

static int open_file(struct journal *j, uint64_t length, struct error *err)
{
	struct stat st;

	j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0666);
	if (j->fd < 0 || fstat(j->fd, &st) < 0)
		return fault(j, errno, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, DANA_EIO, "%s: is not a regular file", j->path);
	if (flock(j->fd, LOCK_EX | LOCK_NB) < 0)
		return error_set(err, DANA_EIO, "%s: is in use by another run", j->path);
	if ((uint64_t)st.st_size < length)
		return error_set(err, DANA_EFORMAT, "%s: has %llu bytes, and the run that is resumed wrote %llu",
				 j->path, (unsigned long long)st.st_size, (unsigned long long)length);
	if (ftruncate(j->fd, (off_t)length) < 0)
		return fault(j, errno, err);
	return DANA_OK;
}

struct journal *journal_open(const char *path, uint64_t length, struct error *err)
{
	struct journal *j = calloc(1, sizeof(*j));

	if (j) {
		j->fd = -1;
		j->length = length;
		j->path = strdup(path);
	}
	if (!j || !j->path)
		(void)error_set(err, DANA_ENOMEM, "%s: %s", path, status_text(DANA_ENOMEM));
	if (!j || !j->path || open_file(j, length, err) < 0) {
		journal_close(j, false);
		return NULL;
	}
	return j;
}

static void flush(struct journal *j)
{
	const uint8_t *data = j->buffer.data;
	size_t left = j->buffer.len;

	while (left && !j->failed) {
		ssize_t n = pwrite(j->fd, data, left, (off_t)(j->length - left));
		if (n < 0 && errno != EINTR)
			j->failed = errno;
		if (n > 0) {
			data += n;
			left -= (size_t)n;
		}
	}
	buf_clear(&j->buffer);
}

int journal_put(struct journal *j, struct slice entry, struct error *err)
{
	uint8_t head[ENTRY_HEAD];

	little_endian_put_32(head, (uint32_t)entry.len);
	little_endian_put_32(head + 4, (uint32_t)hash64(entry));
	buf_append(&j->buffer, head, sizeof(head));
	buf_append(&j->buffer, entry.data, entry.len);
	if (buf_status(&j->buffer) < 0)
		return error_set(err, DANA_ENOMEM, "%s: %s", j->path, status_text(DANA_ENOMEM));
	j->length += ENTRY_HEAD + entry.len;
	if (j->buffer.len >= BUFFERED)
		flush(j);
	return j->failed ? fault(j, j->failed, err) : DANA_OK;
}

uint64_t journal_length(const struct journal *j)
{
	return j->length;
}

int journal_sync(struct journal *j, struct error *err)
{
	flush(j);
	while (!j->failed && fsync(j->fd) < 0) {
		if (errno != EINTR)
			j->failed = errno;
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

/* Has at least `need` bytes to read from j->pos on: 1; 0 when the file ends here; negative. */
static int fill(struct journal *j, size_t need, struct error *err)
{
	buf_consume(&j->read, j->pos);
	j->pos = 0;
	while (j->read.len < need && j->at < j->length) {
		size_t want = need > BUFFERED ? need : BUFFERED;
		if (buf_reserve(&j->read, want) < 0)
			return error_set(err, DANA_ENOMEM, "%s: %s", j->path, status_text(DANA_ENOMEM));
		if (want > j->length - j->at)
			want = (size_t)(j->length - j->at);
		ssize_t n = pread(j->fd, j->read.data + j->read.len, want, (off_t)j->at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? fault(j, errno, err) : damaged(j, err);
		j->read.len += (size_t)n;
		j->at += (uint64_t)n;
	}
	if (j->read.len == 0)
		return 0;
	return j->read.len >= need ? 1 : damaged(j, err);
}

int journal_next(struct journal *j, struct slice *entry, struct error *err)
{
	int status = j->read.len - j->pos >= ENTRY_HEAD ? 1 : fill(j, ENTRY_HEAD, err);
	if (status <= 0)
		return status;
	size_t len = little_endian_32(j->read.data + j->pos);
	uint32_t sum = little_endian_32(j->read.data + j->pos + 4);
	if (len > j->length)
		return damaged(j, err);
	if (j->read.len - j->pos < ENTRY_HEAD + len)
		status = fill(j, ENTRY_HEAD + len, err);
	if (status <= 0)
		return status < 0 ? status : damaged(j, err);
	*entry = slice_of(j->read.data + j->pos + ENTRY_HEAD, len);
	j->pos += ENTRY_HEAD + len;
	return (uint32_t)hash64(*entry) == sum ? 1 : damaged(j, err);
}

void journal_close(struct journal *j, bool remove)
{
	if (!j)
		return;
	flush(j);
	if (remove)
		(void)unlink(j->path);
	if (j->fd >= 0)
		(void)close(j->fd);
	buf_free(&j->buffer);
	buf_free(&j->read);
	free(j->path);
	free(j);
}
