/* SPDX-License-Identifier: MIT */
#include "run/inputs/network_of.h"

/* With --verbose each retry is told. */
static void tell_all(void *lines, bool important, const char *line)
{
	const struct notices *to = lines;
	(void)important;
	to->line(to->arg, line);
}

static void tell_some(void *lines, bool important, const char *line)
{
	if (important)
		tell_all(lines, important, line);
}

int filter_network_new(struct network **out, struct run_settings *s, struct error *err)
{
	s->network.tell = s->reports.quiet ? NULL : s->reports.verbose ? tell_all : tell_some;
	s->network.arg = &s->reports.lines;
	if (s->network.insecure)
		notice(&s->reports.messages,
		       "--insecure: certificates are not verified; anybody on the way can change what is read");
	*out = network_new(&s->network, err);
	return *out ? DANA_OK : (int)err->status;
}
