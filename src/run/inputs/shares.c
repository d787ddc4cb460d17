/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/inputs/shares.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/grow.h"
#include "base/printable.h"
#include "io/net/address.h"

enum { SHOWN = 200 };

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

/* A task of an array leaves out what the others take, though no option says so: that is not to be overlooked. */
static int choose(struct share *share, const struct run_settings *s, struct error *err)
{
	*share = (struct share){ 0 };
	if (s->inputs.shard)
		return share_read(s->inputs.shard, share, err);
	if (!s->inputs.list)
		return DANA_OK;
	const int status = share_of_array(share, err);
	if (status == DANA_OK && share->count)
		notice(&s->reports.messages,
		       "this task takes share %" PRIu64 " of %" PRIu64
		       " of the inputs, as SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT say; --shard 0/1 takes all",
		       share->number, share->count);
	return status;
}

int shares_take(struct filter_inputs *in, const struct run_settings *s, struct error *err)
{
	struct taking t = { .settings = s, .from = in };
	int status = choose(&t.share, s, err);
	if (status < 0 || (t.share.count == 0 && s->inputs.split_bytes == 0))
		return status;
	status = take_all(&t, err);
	name_list_free(status < 0 ? &t.to.names : &in->names);
	name_list_free(status < 0 ? &t.to.addresses : &in->addresses);
	free(status < 0 ? t.to.ranges : in->ranges);
	if (status < 0)
		return status;
	t.to.names.memory = in->names.memory;
	in->share = t.share;
	in->names = t.to.names;
	in->addresses = t.to.addresses;
	in->ranges = t.to.ranges;
	in->ranges_cap = t.to.ranges_cap;
	in->incomplete |= t.to.incomplete;
	return DANA_OK;
}
