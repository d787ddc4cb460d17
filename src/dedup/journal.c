/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file/durable.h"
#include "base/file/lock.h"
#include "base/little_endian.h"
#include "dedup/hash.h"
#include "dedup/index_file.h"

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

/* The first and the last entry. No plugin has entries of the length of the last one. */
static const char prefix[] = "dana journal 1 ", over[] = "dana journal over ";

static bool is_over(struct slice entry, uint64_t identity)
{
	const size_t len = sizeof(over) - 1;

	return entry.len == len + 8 && memcmp(entry.data, over, len) == 0 &&
	       little_endian_64(entry.data + len) == identity;
}

/* ---- a new run ---- */

static int refuse(const struct journal *j, struct slice input, struct error *err)
{
	return error_set(
		err, DANA_ECONFIG,
		"%s: was left by a run that began with %.*s and has not finished; end that run with --resume, or "
		"remove the file",
		journal_path(j), (int)input.len, (const char *)input.data);
}

/* A journal that is damaged in its first entry belongs to nobody. */
static int check_owner(struct journal *j, struct slice mine, uint64_t identity, struct error *err)
{
	struct error unread = { 0 };
	struct buf first = { 0 };
	struct slice entry;
	const size_t len = sizeof(prefix) - 1;
	int status = DANA_OK;

	if (journal_rewind(j, &unread) < 0 || journal_next(j, &entry, &unread) != 1 || entry.len < len ||
	    memcmp(entry.data, prefix, len) != 0 || slice_equal(slice_skip(entry, len), mine))
		return DANA_OK;
	buf_append(&first, entry.data + len, entry.len - len);
	if (!run_journal_is_over(j, identity))
		status = refuse(j, buf_slice(&first), err);
	buf_free(&first);
	return status;
}

int run_journal_begin(struct journal *j, struct slice first_input, uint64_t identity, struct error *err)
{
	static const struct journal_mark beginning;
	struct buf entry = { 0 };
	int status = journal_length(j) ? check_owner(j, first_input, identity, err) : DANA_OK;

	if (status == DANA_OK && journal_length(j))
		status = journal_cut(j, beginning, err);
	if (status < 0)
		return status;
	buf_append_text(&entry, prefix);
	buf_append(&entry, first_input.data, first_input.len);
	status = buf_status(&entry) < 0 ? error_no_memory(err) : journal_put(j, buf_slice(&entry), err);
	buf_free(&entry);
	return status;
}

/* ---- checkpoints ---- */

int run_journal_save(struct journal *j, uint64_t identity, uint8_t state[RUN_STATE], struct error *err)
{
	int status = j ? journal_sync(j, err) : DANA_OK;
	struct journal_mark mark = j ? journal_mark(j) : (struct journal_mark){ 0 };

	little_endian_put_64(state, identity);
	little_endian_put_64(state + 8, mark.length);
	little_endian_put_64(state + 16, mark.digest);
	return status;
}

int run_state_check(struct slice state, const char *file, uint64_t identity, struct error *err)
{
	if (state.len != RUN_STATE)
		return error_set(err, DANA_EFORMAT, "the saved state was not written by this plugin");
	if (little_endian_64(state.data) == identity)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s has changed since the run began", file);
}

int run_journal_resume(struct journal *j, struct slice state, const char *file, uint64_t identity, struct error *err)
{
	struct slice entry;
	struct error none = { 0 };

	if (state.len != RUN_STATE)
		return error_set(err, DANA_EFORMAT, "the saved state was not written by this plugin");
	const struct journal_mark mark = { little_endian_64(state.data + 8), little_endian_64(state.data + 16) };
	int status = journal_read_to(j, mark, err);
	if (status < 0)
		return status;
	if (journal_next(j, &entry, &none) == 1 && is_over(entry, identity))
		return RUN_FINISHED;
	status = run_state_check(state, file, identity, err);
	if (status == DANA_OK)
		status = journal_cut(j, mark, err);
	return status < 0 ? status : run_journal_rewind(j, err);
}

int run_journal_rewind(struct journal *j, struct error *err)
{
	struct slice entry;
	int status = journal_rewind(j, err);

	if (status == DANA_OK)
		status = journal_next(j, &entry, err);
	return status < 0 ? status : DANA_OK;
}

bool run_journal_is_over(struct journal *j, uint64_t identity)
{
	struct error unread = { 0 };
	struct slice entry;
	bool found = false;

	if (journal_rewind(j, &unread) < 0)
		return false;
	while (!found && journal_next(j, &entry, &unread) == 1)
		found = is_over(entry, identity);
	return found;
}

int run_journal_end(void *arg, uint64_t identity, struct error *err)
{
	struct journal *j = arg;
	uint8_t entry[sizeof(over) - 1 + 8];

	memcpy(entry, over, sizeof(over) - 1);
	little_endian_put_64(entry + sizeof(over) - 1, identity);
	int status = journal_put(j, slice_of(entry, sizeof(entry)), err);
	return status < 0 ? status : journal_sync(j, err);
}

void run_journal_close(struct journal *j, bool is_over)
{
	journal_close(j, is_over || (j && journal_length(j) == 0));
}
