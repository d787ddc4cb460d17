/* SPDX-License-Identifier: MIT */
/* Which inputs of a run the table of --revisits resolve is made of. */
#include "run/revisits.h"

#include <inttypes.h>

#include "archive/revisit_table.h"
#include "base/diagnostics.h"
#include "run/inputs.h"
#include "run/settings.h"
#include "run/signals.h"

enum { SHOWN = 200 };

int revisits_check(const struct run_settings *s, const struct inputs *in, struct error *err)
{
	const char *why = s->inputs.watch ? "--watch does not know all inputs" : inputs_read_once(in);
	return why ? error_set(err, DANA_ECONFIG, "--revisits resolve: %s; it reads files twice", why) : DANA_OK;
}

/* Returns whether input number i can be read anywhere in a file, and where. */
static bool place_of(const struct run_settings *s, const struct inputs *in, size_t i, struct revisit_place *out)
{
	const struct source_part *part = in->parts ? in->parts[i] : NULL;
	char shown[SHOWN];
	*out = (struct revisit_place){ .name = in->names.items[i], .path = inputs_address(in, i) };
	if (part && part->fault)
		return false;
	if (part && (part->deflated || part->zip)) {
		if (!s->reports.quiet)
			notice(&s->reports.messages,
			       "--revisits resolve: %s: deflated in its zip, so revisits of its records are only "
			       "counted",
			       printable(slice_from_text(out->name), shown, sizeof(shown)));
		return false;
	}
	if (!part)
		return inputs_size(in, i, &out->size);
	out->begin = part->begin;
	out->size = part->length;
	return true;
}

int revisits_learn(struct revisit_table **out, const struct run_settings *s, const struct inputs *in, struct error *err)
{
	struct revisit_table *t = revisit_table_new(&s->limits);
	struct revisit_place place, before = { .name = "" };
	int status = t ? DANA_OK : DANA_ENOMEM;
	*out = t;
	if (t)
		signals_watch(revisit_table_stop, t);
	for (size_t i = 0; i < in->names.n && status == DANA_OK && !revisit_table_stopped(t); i++) {
		if (!place_of(s, in, i, &place))
			continue;
		/* each input once, whatever parts of it the run reads */
		if (strcmp(before.name, place.name) != 0 || before.begin != place.begin)
			status = revisit_table_add(t, &place);
		before = place;
	}
	if (t)
		signals_unwatch(t);
	if (status == DANA_OK && revisit_table_left_out(t) && !s->reports.quiet)
		notice(&s->reports.messages,
		       "--revisits resolve: %" PRIu64
		       " records have no room in the table (--max-revisits); revisits of "
		       "these are only counted",
		       revisit_table_left_out(t));
	return status < 0 ? error_no_memory(err) : DANA_OK;
}
