/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/run_journal.h"

#include <errno.h>
#include <sys/stat.h>

static const char prefix[] = "dana journal 1 ";

/* The input that a journal which is there began with; empty when not even that was written. */
static int read_owner(const char *path, uint64_t size, struct slice mine, struct error *err)
{
	struct journal *j = journal_open(path, size, err);
	struct error unread = { 0 };
	struct slice entry;

	if (!j)
		return err->status;
	int status = journal_rewind(j, &unread);
	if (status == DANA_OK)
		status = journal_next(j, &entry, &unread);
	const size_t len = sizeof(prefix) - 1;
	bool begun = status == 1 && entry.len >= len && memcmp(entry.data, prefix, len) == 0;
	if (begun && !slice_equal(slice_skip(entry, len), mine))
		status = error_set(err, DANA_ECONFIG,
				   "%s: was left by a run that began with %.*s and has not finished; end that run "
				   "with --resume, or remove the file",
				   path, (int)(entry.len - len), (const char *)entry.data + len);
	else
		status = DANA_OK;
	journal_close(j, false);
	return status;
}

struct journal *run_journal_begin(const char *path, struct slice first_input, struct error *err)
{
	struct buf entry = { 0 };
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    read_owner(path, (uint64_t)st.st_size, first_input, err) < 0)
		return NULL;
	struct journal *j = journal_open(path, 0, err);
	if (!j)
		return NULL;
	buf_append_text(&entry, prefix);
	buf_append(&entry, first_input.data, first_input.len);
	int status = buf_status(&entry) < 0 ? error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM))
					    : journal_put(j, buf_slice(&entry), err);
	buf_free(&entry);
	if (status == DANA_OK)
		return j;
	journal_close(j, true);
	return NULL;
}

int run_journal_rewind(struct journal *j, struct error *err)
{
	struct slice entry;
	int status = journal_rewind(j, err);

	if (status == DANA_OK)
		status = journal_next(j, &entry, err);
	return status < 0 ? status : DANA_OK;
}

struct journal *run_journal_resume(const char *path, uint64_t length, struct error *err)
{
	struct journal *j = journal_open(path, length, err);

	if (j && run_journal_rewind(j, err) < 0) {
		journal_close(j, false);
		return NULL;
	}
	return j;
}
