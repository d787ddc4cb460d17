/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/inputs/shares.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "base/grow.h"
#include "base/printable.h"
#include "io/net/address.h"

enum { SHOWN = 200 };

/* ---- which share ---- */

static bool variable(const char *name, uint64_t *number)
{
	const char *text = getenv(name);
	return text && decimal_number(slice_from_text(text), UINT64_MAX, number);
}

/* Share `number` of `count`; count 0: all is one share. */
struct share {
	uint64_t number, count;
};

/*
 * Without a count of the user's, the tasks of the array are the shares: then it must have no holes, because a task that
 * is submitted again by itself would be the only one.
 */
static int share_of_array(uint64_t task, struct share *share, struct error *err)
{
	uint64_t first, last, tasks;
	if (share->count) {
		share->number = task;
		return DANA_OK;
	}
	if (!variable("SLURM_ARRAY_TASK_MIN", &first) || !variable("SLURM_ARRAY_TASK_MAX", &last) ||
	    !variable("SLURM_ARRAY_TASK_COUNT", &tasks) || last - first + 1 != tasks)
		return error_set(err, DANA_ECONFIG,
				 "--shard auto: the array has other tasks than from its first to its last; expected "
				 "auto/N, with N tasks from 0 in the whole array");
	*share = (struct share){ task - first, tasks };
	return DANA_OK;
}

static int share_of_environment(struct share *share, struct error *err)
{
	uint64_t task, job;
	const bool slurm = variable("SLURM_ARRAY_TASK_ID", &task), parallel = variable("PARALLEL_SEQ", &job);
	if (slurm && parallel)
		return error_set(
			err, DANA_ECONFIG,
			"--shard auto: this is a task of a Slurm array and a job of GNU parallel; expected R/N");
	if (slurm)
		return share_of_array(task, share, err);
	if (!parallel || job == 0 || share->count == 0)
		return error_set(err, DANA_ECONFIG, "--shard auto: %s",
				 parallel ? "GNU parallel does not say how many jobs there are; expected auto/N"
					  : "SLURM_ARRAY_TASK_ID and PARALLEL_SEQ are not set; expected R/N");
	share->number = job - 1;
	return DANA_OK;
}

/*
 * Reads what --shard says: "R/N", or "auto" or "auto/N", which take the number from the environment that a job array of
 * Slurm, or GNU parallel, gives its tasks. Returns 0 or DANA_ECONFIG.
 */
static int read_share(const char *text, struct share *share, struct error *err)
{
	const char *slash = strchr(text, '/');
	const struct slice number = slice_of(text, slash ? (size_t)(slash - text) : strlen(text));
	const bool automatic = number.len == 4 && memcmp(number.data, "auto", 4) == 0;
	int status = DANA_OK;
	*share = (struct share){ 0 };
	bool good = slash ? decimal_number(slice_from_text(slash + 1), UINT32_MAX, &share->count) && share->count
			  : automatic;
	if (automatic && good)
		status = share_of_environment(share, err);
	else
		good = good && decimal_number(number, UINT32_MAX, &share->number);
	if (status < 0)
		return status;
	if (!good || share->number >= share->count)
		return error_set(err, DANA_ECONFIG,
				 "--shard: '%s' is not a share; expected R/N with R from 0 to N - 1, auto, or auto/N",
				 text);
	return DANA_OK;
}

/* ---- what is in it ---- */

struct taking {
	const struct run_settings *settings;
	struct share share;
	const struct filter_inputs *from;
	struct filter_inputs to; /* shares the texts of `from` */
};

/* Appends the text itself, not a copy. Returns false if memory is exhausted. */
static bool append(struct name_list *list, const char *text)
{
	const char **items = grow_items(list->items, list->n, &list->cap, sizeof(*items));
	if (!items)
		return false;
	list->items = items;
	items[list->n++] = text;
	return true;
}

/* If no address differs from its name, they are not listed. */
static int keep(struct taking *t, size_t i, struct input_range range, struct error *err)
{
	struct filter_inputs *to = &t->to;
	const char *const *addresses = t->from->addresses.n ? t->from->addresses.items : NULL;
	struct input_range *ranges = grow_items(to->ranges, to->names.n, &to->ranges_cap, sizeof(*ranges));
	if (!ranges)
		return error_no_memory(err);
	to->ranges = ranges;
	ranges[to->names.n] = range;
	if (!append(&to->names, t->from->names.items[i]) || (addresses && !append(&to->addresses, addresses[i])))
		return error_no_memory(err);
	return DANA_OK;
}

static bool is_own(const struct taking *t, uint64_t i, uint64_t part)
{
	return t->share.count == 0 || (i + part) % t->share.count == t->share.number;
}

/*
 * Each part ends where the next one would begin, also the last: of a file that still grows, tasks that see it at
 * different times have no record twice.
 */
static int take_parts(struct taking *t, size_t i, struct input_range range, uint64_t size, struct error *err)
{
	const uint64_t step = t->settings->inputs.split_bytes;
	const uint64_t end = range.end && range.end < size ? range.end : size;
	int status = DANA_OK;
	if (end <= range.begin || end - range.begin <= step)
		return is_own(t, i, 0) ? keep(t, i, range, err) : DANA_OK;
	for (uint64_t part = 0; range.begin < end && status == DANA_OK; part++) {
		const uint64_t next = range.begin + step;
		const bool cut = range.end && range.end < next;
		if (is_own(t, i, part))
			status = keep(t, i, (struct input_range){ range.begin, cut ? range.end : next }, err);
		range.begin = next;
	}
	return status;
}

/* Of a file that is not there nobody knows the parts: no share has it, and each says so. */
static int take_split(struct taking *t, size_t i, struct error *err)
{
	const char *name = t->from->names.items[i];
	char shown[SHOWN];
	struct stat st;
	(void)printable(slice_from_text(name), shown, sizeof(shown));
	const bool local = strcmp(name, "-") != 0 && !address_is_network(name);
	if (local && stat(name, &st) < 0) {
		notice(&t->settings->reports.messages, "--split-bytes: %s: %s; no task takes a part of it", shown,
		       system_text(errno));
		t->to.incomplete = true;
		return DANA_OK;
	}
	if (!local || !S_ISREG(st.st_mode))
		return error_set(err, DANA_ECONFIG,
				 "--split-bytes: the size of %s is not known; expected files, or parts named as "
				 "FILE@BEGIN-END in --list",
				 shown);
	return take_parts(t, i, t->from->ranges[i], (uint64_t)st.st_size, err);
}

static int take_all(struct taking *t, struct error *err)
{
	int status = DANA_OK;
	for (size_t i = 0; i < t->from->names.n && status == DANA_OK; i++) {
		if (t->settings->inputs.split_bytes)
			status = take_split(t, i, err);
		else if (is_own(t, i, 0))
			status = keep(t, i, t->from->ranges[i], err);
	}
	return status;
}

int shares_take(struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	struct taking t = { .settings = s, .from = in };
	int status = s->inputs.shard ? read_share(s->inputs.shard, &t.share, err) : DANA_OK;
	if (status == DANA_OK)
		status = take_all(&t, err);
	name_list_free(status < 0 ? &t.to.names : &in->names);
	name_list_free(status < 0 ? &t.to.addresses : &in->addresses);
	free(status < 0 ? t.to.ranges : in->ranges);
	if (status < 0)
		return status;
	t.to.names.memory = in->names.memory;
	in->names = t.to.names;
	in->addresses = t.to.addresses;
	in->ranges = t.to.ranges;
	in->ranges_cap = t.to.ranges_cap;
	in->incomplete |= t.to.incomplete;
	return DANA_OK;
}
