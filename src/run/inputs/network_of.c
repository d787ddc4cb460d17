/* SPDX-License-Identifier: MIT */
#include "run/inputs/network_of.h"

/* With --verbose each retry is reported. */
static void report_retry(void *settings, bool important, const char *line)
{
	const struct run_settings *s = settings;
	if (important || s->reports.verbose)
		s->reports.lines.line(s->reports.lines.arg, line);
}

int filter_network_new(struct network **out, struct run_settings *s, struct error *err)
{
	s->network.report = s->reports.quiet ? NULL : report_retry;
	s->network.arg = s;
	if (s->network.insecure)
		notice(&s->reports.messages,
		       "--insecure: certificates are not verified; anybody on the way can change what is read");
	*out = network_new(&s->network, err);
	return *out ? DANA_OK : (int)err->status;
}
