/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/run_journal.h"

#include "base/buf.h"

static const char prefix[] = "dana journal 1 ";

/* A journal that is damaged in its first entry belongs to nobody. */
static int check_owner(struct journal *j, struct slice mine, struct error *err)
{
	struct error unread = { 0 };
	struct slice entry;
	const size_t len = sizeof(prefix) - 1;

	if (journal_rewind(j, &unread) < 0 || journal_next(j, &entry, &unread) != 1)
		return DANA_OK;
	if (entry.len < len || memcmp(entry.data, prefix, len) != 0 || slice_equal(slice_skip(entry, len), mine))
		return DANA_OK;
	return error_set(
		err, DANA_ECONFIG,
		"%s: was left by a run that began with %.*s and has not finished; end that run with --resume, or "
		"remove the file",
		journal_path(j), (int)(entry.len - len), (const char *)entry.data + len);
}

int run_journal_begin(struct journal *j, struct slice first_input, struct error *err)
{
	struct buf entry = { 0 };
	int status = journal_length(j) ? check_owner(j, first_input, err) : DANA_OK;

	if (status == DANA_OK && journal_length(j))
		status = journal_cut(j, 0, err);
	if (status < 0)
		return status;
	buf_append_text(&entry, prefix);
	buf_append(&entry, first_input.data, first_input.len);
	status = buf_status(&entry) < 0 ? error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM))
					: journal_put(j, buf_slice(&entry), err);
	buf_free(&entry);
	return status;
}

int run_journal_rewind(struct journal *j, struct error *err)
{
	struct slice entry;
	int status = journal_rewind(j, err);

	if (status == DANA_OK)
		status = journal_next(j, &entry, err);
	return status < 0 ? status : DANA_OK;
}

int run_journal_resume(struct journal *j, uint64_t length, struct error *err)
{
	int status = journal_cut(j, length, err);

	return status < 0 ? status : run_journal_rewind(j, err);
}
