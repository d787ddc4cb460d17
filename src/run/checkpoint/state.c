/* SPDX-License-Identifier: MIT */
/*
 *     dana state 1
 *     ...fields...
 *     sha256 e3b0c442...
 *
 * The version is looked at before the checksum, so that a later version may change everything after it.
 */
#include "run/checkpoint/state.h"

#include <inttypes.h>

#include "base/decimal.h"
#include "base/digest/sha256.h"

static const char magic[] = "dana state ", sum_name[] = "sha256 ";

enum { SUM_LINE = sizeof(sum_name) - 1 + SHA256_TEXT + 1 };

static int put_sum(struct buf *state)
{
	char sum[SHA256_TEXT + 1];
	sha256_text(buf_slice(state), sum);
	return buf_printf(state, "%s%s\n", sum_name, sum);
}

int state_encode(struct slice fields, struct buf *state)
{
	buf_clear(state);
	buf_printf(state, "%s%d\n", magic, STATE_VERSION);
	buf_append(state, fields.data, fields.len);
	return put_sum(state);
}

/* Returns the version in the first line, whose length is in *len; 0 if it is not such a line. */
static uint64_t version_of(struct slice state, size_t *len)
{
	const size_t before = sizeof(magic) - 1;
	uint64_t version = 0;
	if (state.len < before || memcmp(state.data, magic, before) != 0)
		return 0;
	size_t digits = decimal_prefix(slice_skip(state, before), &version);
	*len = before + digits + 1;
	return digits && state.data[before] != '0' && *len <= state.len && state.data[*len - 1] == '\n' ? version : 0;
}

/* Returns 1 if the last line is that of the content before it. */
static int sum_is_right(struct slice content, struct slice last)
{
	struct buf wanted = { 0 };
	char sum[SHA256_TEXT + 1];
	sha256_text(content, sum);
	int status = buf_printf(&wanted, "%s%s\n", sum_name, sum);
	if (status == DANA_OK)
		status = slice_equal(buf_slice(&wanted), last);
	buf_free(&wanted);
	return status;
}

int state_decode(struct slice state, struct slice *fields, struct error *err)
{
	size_t first = 0;
	uint64_t version = version_of(state, &first);
	if (version == 0)
		return error_set(err, DANA_ECONFIG, "is not a state file of dana");
	if (version != STATE_VERSION)
		return error_set(err, DANA_ECONFIG, "is of %s version of dana (form %" PRIu64 "; this one knows %d)",
				 version < STATE_VERSION ? "an older" : "a newer", version, STATE_VERSION);
	if (state.len < first + SUM_LINE)
		return error_set(err, DANA_ECONFIG, "is damaged: it is cut off");
	struct slice content = slice_first(state, state.len - SUM_LINE);
	int right = sum_is_right(content, slice_skip(state, content.len));
	if (right < 0)
		return error_no_memory(err);
	if (!right)
		return error_set(err, DANA_ECONFIG, "is damaged: its checksum is wrong");
	*fields = slice_skip(content, first);
	return DANA_OK;
}
