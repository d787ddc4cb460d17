/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the pump with codec and framer. First byte: pipe or file, with or without pauses, with or without going
 * on from each record, with or without a short first read, whose size its high half is; second: how many of the
 * following bytes are sizes of the pieces; the rest is the input. Oracle: the outcome of the pieces is the outcome of
 * the whole, what comes out from a record on is the same when the pump starts there, and the record log finds no breach
 * of the sink's contract.
 */
#include "support/pump_restart.h"
#include "support/pump_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const struct slice rest = slice_of(data + 2, size - 2), sizes = slice_first(rest, data[1] % 16);
	struct pump_run run = { .limits = LIMITS_DEFAULT,
				.seekable = data[0] & 1,
				.pause_every = data[0] & 2,
				.input = slice_skip(rest, sizes.len) };
	const struct split_subject subject = pump_run_subject(&run);
	if (run.input.len >= 2 && memcmp(run.input.data, "PK", 2) == 0)
		return 0; /* a zip is refused at once, and the log counts bytes that are read */
	run.limits.window = (size_t)1 << 20;
	split_check_sizes(&subject, run.input, sizes);
	if (data[0] & 8)
		split_check_cut(&subject, run.input, 1 + data[0] / 16);
	if (data[0] & 4)
		(void)pump_restart_check(run.input, &run.limits);
	buf_free(&run.log.text);
	return 0;
}
