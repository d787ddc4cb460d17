/* SPDX-License-Identifier: MIT */
/*
 * A list of fields, each of which holds a state (run/state_file.h): first the lines of the run, then one for each
 * completed output. It only grows. A crash may leave half of the last one, which its checksum shows; it is cut off.
 * An entry is written before its output gets its name: it counts only for an output that is there.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/file.h"
#include "run/state_file.h"

#define ENTRY "entry"

struct run_journal {
	char *path;
	size_t folder; /* bytes of the folder, which outputs begin with */
	int fd;
	uint64_t end;         /* bytes of whole entries */
	pthread_mutex_t lock; /* of writing */
	struct buf before;    /* what an earlier run has noted, and its entries by name */
	struct journal_entry {
		struct slice output, counts;
	} * entries;
	size_t n, cap;
};

static int fault(struct error *err, const struct run_journal *j, int error)
{
	return error_set(err, DANA_EIO, "%s: %s", j->path, system_text(error));
}

/* ---- writing ---- */

/* Appends an entry, which is on the disk then. */
static int append(struct run_journal *j, struct buf *entry, struct error *err)
{
	struct buf state = { 0 }, field = { 0 };
	int status = buf_status(entry);
	if (status == DANA_OK)
		status = state_encode(buf_slice(entry), &state);
	buf_latch(&state, status);
	fields_put_list(&field, ENTRY, &state);
	status = buf_status(&field) < 0 ? error_no_memory(err) : DANA_OK;
	if (status == DANA_OK) {
		(void)pthread_mutex_lock(&j->lock);
		int error = durable_write_at(j->fd, buf_slice(&field), j->end);
		j->end += error ? 0 : field.len;
		if (error == 0)
			error = durable_sync(j->fd);
		(void)pthread_mutex_unlock(&j->lock);
		status = error ? fault(err, j, error) : DANA_OK;
	}
	buf_free(&field);
	return status;
}

int run_journal_add(void *journal, const char *output, struct slice counts, struct error *err)
{
	struct run_journal *j = journal;
	struct buf entry = { 0 };
	fields_put_text(&entry, "output", output + j->folder);
	buf_append(&entry, counts.data, counts.len);
	int status = append(j, &entry, err);
	buf_free(&entry);
	return status;
}

/* ---- reading ---- */

static int compare_names(struct slice a, struct slice b)
{
	int order = memcmp(a.data, b.data, a.len < b.len ? a.len : b.len);
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* By name, and by their order in the file: of two with one name the last one counts. */
static int compare_entries(const void *a, const void *b)
{
	const struct journal_entry *x = a, *y = b;
	int order = compare_names(x->output, y->output);
	return order ? order : (x->counts.data > y->counts.data) - (x->counts.data < y->counts.data);
}

bool run_journal_find(const struct run_journal *j, const char *output, struct slice *counts)
{
	const struct slice wanted = slice_from_text(output + j->folder);
	size_t low = 0, high = j->n;
	while (low < high) { /* after the last one that is not above */
		size_t middle = low + (high - low) / 2;
		if (compare_names(j->entries[middle].output, wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !slice_equal(j->entries[low - 1].output, wanted))
		return false;
	*counts = j->entries[low - 1].counts;
	return true;
}

/* Reads what there is; *good: bytes of whole entries. */
static int read_entries(struct run_journal *j, const char *folder, struct slice run, size_t *good, struct error *err)
{
	struct fields rest = { .list = buf_slice(&j->before) };
	struct slice name, state, entry;
	struct error bad = { 0 };
	int status = DANA_OK;
	*good = 0;
	/* to the end, or to what is not an entry */
	while (status == DANA_OK && fields_next(&rest, &name, &state) && slice_equal(name, slice_from_text(ENTRY)) &&
	       state_decode(state, &entry, &bad) == DANA_OK) {
		struct fields list = { .list = entry };
		if (!*good) {
			/* the lines of the run, at the beginning */
			struct buf what = { 0 };
			if (lines_differ(fields_get(&list, "run"), run, &what))
				status = error_set(err, DANA_ECONFIG,
						   "%s: the run cannot be resumed: %.*s; --force starts over", folder,
						   (int)what.len, (const char *)what.data);
			buf_free(&what);
		} else {
			struct journal_entry *entries = grow_items(j->entries, j->n, &j->cap, sizeof(*entries));
			if (!entries)
				return error_no_memory(err);
			j->entries = entries;
			entries[j->n++] = (struct journal_entry){ fields_get(&list, "output"), entry };
		}
		*good = j->before.len - rest.list.len;
	}
	if (j->n)
		qsort(j->entries, j->n, sizeof(*j->entries), compare_entries);
	return status;
}

bool run_journal_all_have(const struct run_journal *j, const char *field)
{
	bool all = true;
	for (size_t i = 0; i < j->n && all; i++) {
		const struct fields list = { .list = j->entries[i].counts };
		all = fields_has(&list, field);
	}
	return all;
}

/* ---- the file ---- */

int run_journal_open(struct run_journal **out, const char *folder, const struct inputs *in, struct slice run,
		     bool resume, struct error *err)
{
	struct run_journal *j = calloc(1, sizeof(*j));
	size_t good;
	*out = NULL;
	if (!j)
		return error_no_memory(err);
	j->fd = -1;
	j->folder = strlen(folder) + 1;
	(void)pthread_mutex_init(&j->lock, NULL);
	enum { LETTERS = 16 };
	char digest[SHA256_TEXT + 1];
	struct buf names = { 0 }, path = { 0 };
	for (size_t i = 0; i < in->names.n; i++)
		buf_append(&names, in->outputs[i] + j->folder, strlen(in->outputs[i] + j->folder) + 1);
	sha256_text(buf_slice(&names), digest);
	if (buf_status(&names) < 0 || buf_printf(&path, "%s/.dana-%.*s.state", folder, LETTERS, digest) < 0 ||
	    buf_append_byte(&path, 0) < 0)
		buf_free(&path);
	buf_free(&names);
	j->path = (char *)path.data;
	if (j->path)
		j->fd = lock_open(j->path, 0600, "another process is doing this run; wait until it has ended", err);
	int status = !j->path ? error_no_memory(err) : j->fd < 0 ? j->fd : DANA_OK;
	if (status == DANA_OK && resume) {
		int error = durable_read_rest(j->fd, &j->before);
		status = error == ENOMEM ? error_no_memory(err) : error ? fault(err, j, error) : DANA_OK;
	}
	if (status == DANA_OK)
		status = read_entries(j, folder, run, &good, err);
	if (status == DANA_OK) {
		/* writing resumes after the whole entries */
		const int error = durable_cut(j->fd, (off_t)good);
		status = error ? fault(err, j, error) : DANA_OK;
		j->end = good;
	}
	if (status == DANA_OK && !good) {
		struct buf entry = { 0 };
		fields_put(&entry, "run", run);
		status = append(j, &entry, err);
		buf_free(&entry);
	}
	if (status == DANA_OK)
		*out = j;
	else
		run_journal_close(j);
	return status;
}

int run_journal_remove(struct run_journal *j, struct error *err)
{
	if (!j || unlink(j->path) == 0 || errno == ENOENT)
		return DANA_OK;
	return error_set(err, DANA_EIO, "%s: cannot be removed: %s", j->path, system_text(errno));
}

void run_journal_close(struct run_journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		(void)close(j->fd);
	(void)pthread_mutex_destroy(&j->lock);
	buf_free(&j->before);
	free(j->entries);
	free(j->path);
	free(j);
}
