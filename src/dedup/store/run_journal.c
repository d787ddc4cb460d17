/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "dedup/store/run_journal.h"

#include "base/buf.h"
#include "base/little_endian.h"

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
