/* SPDX-License-Identifier: MIT */
/*
 * Writes the journal of a plugin's run, and reads it back when the run is resumed.
 *
 * Entries are collected in a buffer and written together, so that each is either in the file as a whole or in the
 * buffer. They are read through a window of the file. The digest of all entries up to a checkpoint shows that a journal
 * belongs to the run.
 */
#include "config.h"

#include "dedup/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/file.h"
#include "dedup/index_file.h"

enum { ENTRY_HEAD = 8, BUFFERED = 1 << 18, ONE = 512 /* bytes that are read for a single entry */ };

/* The first and the last entry. */
static const char prefix[] = "dana journal 1 ", over[] = "dana journal over ";
enum { PREFIX = sizeof(prefix) - 1, OVER = sizeof(over) - 1 };

struct journal_mark {
	uint64_t length, digest; /* bytes of all entries; a hash of them */
};

struct journal {
	char *path; /* NULL if all is in the buffer */
	int fd;
	struct journal_mark end; /* with what is in the buffer */
	bool begun, over;        /* by this run; `over`: what the journal holds is in the file */
	bool name_is_durable;
	struct buf buffer;
	int failed;        /* an errno number */
	struct buf window; /* bytes of the file from window_start on */
	uint64_t window_start;
	uint64_t next; /* position of the next entry to read */
};

static const char *name_of(const struct journal *j)
{
	return j->path ? j->path : "journal";
}

static int fault(const struct journal *j, int error, struct error *err)
{
	return error_set(err, DANA_EIO, "%s: %s", name_of(j), system_text(error));
}

static int damaged(const struct journal *j, struct error *err)
{
	return error_set(err, DANA_EFORMAT, "%s: is damaged; remove it and start the run over with --force",
			 name_of(j));
}

struct journal *journal_open(const char *path, struct error *err)
{
	struct journal *j = calloc(1, sizeof(*j));
	struct stat st;
	int status = j ? DANA_OK : error_no_memory(err);
	if (!j)
		return NULL;
	j->fd = -1;
	if (path) {
		j->path = strdup(path);
		j->fd = j->path ? lock_open(path, 0666, INDEX_IN_USE, err) : error_no_memory(err);
		status = j->fd < 0 ? j->fd : fstat(j->fd, &st) < 0 ? fault(j, errno, err) : DANA_OK;
	}
	if (status < 0) {
		free(j->path);
		j->path = NULL;
		journal_close(j, false);
		return NULL;
	}
	j->end.length = path ? (uint64_t)st.st_size : 0;
	return j;
}

static void flush(struct journal *j)
{
	if (!j->path)
		return;
	if (!j->failed)
		j->failed = durable_write_at(j->fd, buf_slice(&j->buffer), j->end.length - j->buffer.len);
	buf_clear(&j->buffer);
}

static int cut(struct journal *j, struct journal_mark mark, struct error *err)
{
	int error = durable_cut(j->fd, (off_t)mark.length);
	if (error)
		return fault(j, error, err);
	buf_clear(&j->buffer);
	buf_clear(&j->window);
	j->end = mark;
	return DANA_OK;
}

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
		return error_set(err, DANA_ENOMEM, "%s: %s", name_of(j), status_text(DANA_ENOMEM));
	j->end = (struct journal_mark){ j->end.length + ENTRY_HEAD + entry.len, next_digest(j->end.digest, hash) };
	if (j->buffer.len >= BUFFERED)
		flush(j);
	return j->failed ? fault(j, j->failed, err) : DANA_OK;
}

uint64_t journal_length(const struct journal *j)
{
	return j->end.length;
}

bool journal_is_begun(const struct journal *j)
{
	return j->begun;
}

/* ---- reading ---- */

/* Sets *to to `len` bytes from a position on. At least `ahead` bytes are read, if there are as many. */
static int bytes_at(struct journal *j, uint64_t at, size_t len, size_t ahead, const uint8_t **to, struct error *err)
{
	const uint64_t on_disk = j->end.length - j->buffer.len, end = at < on_disk ? on_disk : j->end.length;
	if (at > end || len > end - at)
		return damaged(j, err);
	if (at >= on_disk) {
		*to = j->buffer.data + (at - on_disk);
		return DANA_OK;
	}
	if (at < j->window_start || at + len > j->window_start + j->window.len) {
		const size_t wanted = len > ahead ? len : ahead, room = end - at < wanted ? (size_t)(end - at) : wanted;
		buf_clear(&j->window);
		if (buf_reserve(&j->window, room) < 0)
			return error_set(err, DANA_ENOMEM, "%s: %s", name_of(j), status_text(DANA_ENOMEM));
		const ssize_t n = durable_read_at(j->fd, j->window.data, room, at);
		if (n < 0 || (size_t)n < room)
			return n < 0 ? fault(j, errno, err) : damaged(j, err);
		j->window.len = room;
		j->window_start = at;
	}
	*to = j->window.data + (at - j->window_start);
	return DANA_OK;
}

static int entry_at(struct journal *j, uint64_t at, size_t ahead, struct slice *entry, uint64_t *hash,
		    struct error *err)
{
	const uint8_t *bytes;
	int status = bytes_at(j, at, ENTRY_HEAD, ahead, &bytes, err);
	if (status < 0)
		return status;
	const size_t len = little_endian_32(bytes);
	const uint32_t sum = little_endian_32(bytes + 4);
	status = bytes_at(j, at + ENTRY_HEAD, len, ahead, &bytes, err);
	if (status < 0)
		return status;
	*entry = slice_of(bytes, len);
	*hash = hash64(*entry);
	return (uint32_t)*hash == sum ? DANA_OK : damaged(j, err);
}

int journal_entry_at(struct journal *j, uint64_t position, struct slice *entry, struct error *err)
{
	uint64_t hash;
	return entry_at(j, position, ONE, entry, &hash, err);
}

static int next_entry(struct journal *j, struct slice *entry, uint64_t *hash, struct error *err)
{
	if (j->next >= j->end.length)
		return 0;
	int status = entry_at(j, j->next, BUFFERED, entry, hash, err);
	if (status < 0)
		return status;
	j->next += ENTRY_HEAD + entry->len;
	return 1;
}

int journal_next(struct journal *j, struct slice *entry, struct error *err)
{
	uint64_t hash;
	return next_entry(j, entry, &hash, err);
}

uint64_t journal_position(const struct journal *j)
{
	return j->next;
}

int journal_rewind(struct journal *j, struct error *err)
{
	struct slice first;
	flush(j);
	if (j->failed)
		return fault(j, j->failed, err);
	j->next = 0;
	int status = journal_next(j, &first, err);
	return status < 0 ? status : DANA_OK;
}

static bool is_over(struct slice entry, uint64_t identity)
{
	return entry.len == OVER + 8 && memcmp(entry.data, over, OVER) == 0 &&
	       little_endian_64(entry.data + OVER) == identity;
}

/* ---- a new run ---- */

void journal_look_if_over(struct journal *j, uint64_t identity)
{
	struct error unread = { 0 };
	struct slice entry;
	for (j->next = 0; !j->over && journal_next(j, &entry, &unread) == 1;)
		j->over = is_over(entry, identity);
}

/* A journal that is damaged in its first entry belongs to no run. */
static int check_owner(struct journal *j, struct slice mine, uint64_t identity, struct error *err)
{
	struct error unread = { 0 };
	struct buf first = { 0 };
	struct slice entry;
	j->next = 0;
	if (journal_next(j, &entry, &unread) != 1 || entry.len < PREFIX || memcmp(entry.data, prefix, PREFIX) != 0 ||
	    slice_equal(slice_skip(entry, PREFIX), mine))
		return DANA_OK;
	buf_append(&first, entry.data + PREFIX, entry.len - PREFIX);
	journal_look_if_over(j, identity);
	int status =
		j->over ? DANA_OK
			: error_set(err, DANA_ECONFIG,
				    "%s: was left by a run that began with %.*s and has not finished; end that run "
				    "with --resume, or remove the file",
				    name_of(j), (int)first.len, (const char *)first.data);
	buf_free(&first);
	return status;
}

int journal_begin(struct journal *j, struct slice first_input, uint64_t identity, struct error *err)
{
	struct buf entry = { 0 };
	int status = DANA_OK;
	if (j->begun)
		return DANA_OK;
	if (j->end.length)
		status = check_owner(j, first_input, identity, err);
	j->over = false;
	if (status == DANA_OK && j->end.length)
		status = cut(j, (struct journal_mark){ 0 }, err);
	if (status < 0)
		return status;
	buf_append_text(&entry, prefix);
	buf_append(&entry, first_input.data, first_input.len);
	status = buf_status(&entry) < 0 ? error_no_memory(err) : journal_put(j, buf_slice(&entry), err);
	buf_free(&entry);
	j->begun = status == DANA_OK;
	return status;
}

/* ---- checkpoints ---- */

static int make_durable(struct journal *j, struct error *err)
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

int journal_save(struct journal *j, uint64_t identity, uint8_t state[JOURNAL_STATE], struct error *err)
{
	int status = j ? make_durable(j, err) : DANA_OK;
	little_endian_put_64(state, identity);
	little_endian_put_64(state + 8, j ? j->end.length : 0);
	little_endian_put_64(state + 16, j ? j->end.digest : 0);
	return status;
}

int journal_state_check(struct slice state, const char *file, uint64_t identity, struct error *err)
{
	if (state.len != JOURNAL_STATE)
		return error_set(err, DANA_EFORMAT, "the saved state was not written by this plugin");
	if (little_endian_64(state.data) == identity)
		return DANA_OK;
	return error_set(err, DANA_ECONFIG, "%s has changed since the run began", file);
}

/* Reads up to the mark. */
static int read_to(struct journal *j, struct journal_mark mark, struct error *err)
{
	uint64_t digest = 0, hash;
	struct slice entry;
	int status = 1;
	if (j->end.length < mark.length)
		return error_set(err, DANA_EFORMAT, "%s: has %llu bytes, and the run that is resumed wrote %llu",
				 name_of(j), (unsigned long long)j->end.length, (unsigned long long)mark.length);
	for (j->next = 0; status == 1 && j->next < mark.length;) {
		status = next_entry(j, &entry, &hash, err);
		if (status == 1)
			digest = next_digest(digest, hash);
	}
	if (status < 0)
		return status;
	return j->next == mark.length && digest == mark.digest
		       ? DANA_OK
		       : error_set(err, DANA_EFORMAT, "%s: belongs to another run", name_of(j));
}

int journal_resume(struct journal *j, struct slice state, const char *file, uint64_t identity, struct error *err)
{
	struct error unread = { 0 };
	struct slice entry;
	if (state.len != JOURNAL_STATE)
		return error_set(err, DANA_EFORMAT, "the saved state was not written by this plugin");
	const struct journal_mark mark = { little_endian_64(state.data + 8), little_endian_64(state.data + 16) };
	int status = read_to(j, mark, err);
	if (status < 0)
		return status;
	j->over = journal_next(j, &entry, &unread) == 1 && is_over(entry, identity);
	if (j->over) {
		j->end = mark; /* for journal_next; nothing more is put */
	} else {
		status = journal_state_check(state, file, identity, err);
		if (status == DANA_OK)
			status = cut(j, mark, err);
		j->begun = status == DANA_OK;
	}
	if (status == DANA_OK)
		status = journal_rewind(j, err);
	return status == DANA_OK && j->over ? JOURNAL_FINISHED : status;
}

/* ---- the end ---- */

int journal_end(void *arg, uint64_t identity, struct error *err)
{
	struct journal *j = arg;
	uint8_t entry[OVER + 8];
	memcpy(entry, over, OVER);
	little_endian_put_64(entry + OVER, identity);
	int status = journal_put(j, slice_of(entry, sizeof(entry)), err);
	if (status == DANA_OK)
		status = make_durable(j, err);
	j->over = status == DANA_OK;
	return status;
}

void journal_close(struct journal *j, bool run_is_over)
{
	if (!j)
		return;
	flush(j);
	if (j->path && j->fd >= 0 && (j->end.length == 0 || (j->over && run_is_over)))
		(void)unlink(j->path);
	if (j->fd >= 0)
		(void)close(j->fd);
	buf_free(&j->buffer);
	buf_free(&j->window);
	free(j->path);
	free(j);
}
