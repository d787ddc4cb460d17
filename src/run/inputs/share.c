/* SPDX-License-Identifier: MIT */
#include "run/inputs/share.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/decimal.h"

static bool variable(const char *name, uint64_t *number)
{
	const char *text = getenv(name);
	return text && decimal_number(slice_from_text(text), UINT32_MAX, number);
}

static int share_of_parallel(struct share *share, struct error *err)
{
	uint64_t job;
	if (!variable("PARALLEL_SEQ", &job) || job == 0)
		return error_set(err, DANA_ECONFIG,
				 "--shard auto/N: PARALLEL_SEQ, the number of a job of GNU parallel, is not set; "
				 "expected R/N");
	share->number = job - 1;
	return DANA_OK;
}

int share_read(const char *text, struct share *share, struct error *err)
{
	const char *slash = strchr(text, '/');
	const struct slice number = slice_of(text, slash ? (size_t)(slash - text) : 0);
	int status = DANA_OK;
	*share = (struct share){ 0 };
	bool good = slash && decimal_number(slice_from_text(slash + 1), UINT32_MAX, &share->count) && share->count;
	if (good && slice_is(number, "auto"))
		status = share_of_parallel(share, err);
	else
		good = good && decimal_number(number, UINT32_MAX, &share->number);
	if (status < 0)
		return status;
	if (!good || share->number >= share->count)
		return error_set(err, DANA_ECONFIG,
				 "--shard: '%s' is not a share; expected R/N with R from 0 to N - 1, or auto/N", text);
	return DANA_OK;
}

/*
 * Tasks are numbered from the first to the last in steps (--array=10-30:5). An array of some numbers out of others, as
 * when tasks are submitted again by themselves, has holes: nobody can tell what the shares were.
 */
int share_of_array(struct share *share, struct error *err)
{
	uint64_t task, first, last, step;
	*share = (struct share){ 0 };
	if (!variable("SLURM_ARRAY_TASK_ID", &task) || !variable("SLURM_ARRAY_TASK_COUNT", &share->count) ||
	    share->count == 0) {
		share->count = 0;
		return DANA_OK;
	}
	if (!variable("SLURM_ARRAY_TASK_MIN", &first))
		first = 0;
	if (!variable("SLURM_ARRAY_TASK_STEP", &step) || step == 0)
		step = 1;
	if (!variable("SLURM_ARRAY_TASK_MAX", &last))
		last = first + (share->count - 1) * step;
	const bool holes = last < first || last - first != (share->count - 1) * step || task < first || task > last ||
			   (task - first) % step;
	if (holes)
		return error_set(
			err, DANA_ECONFIG,
			"SLURM_ARRAY_TASK_ID is %" PRIu64 ", and the array of %" PRIu64
			" tasks has holes, so that no share of --list follows from it; expected --shard R/N, or "
			"--shard 0/1 for all",
			task, share->count);
	share->number = (task - first) / step;
	return DANA_OK;
}
