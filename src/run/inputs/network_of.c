/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/inputs/network_of.h"

#include <stddef.h>

#include "cli/command.h"

/* With --verbose each retry is told. */
static void tell_all(void *console, bool important, const char *line)
{
	(void)important;
	filter_console_line(console, line);
}

static void tell_some(void *console, bool important, const char *line)
{
	if (important)
		filter_console_line(console, line);
}

int filter_network_new(struct network **out, const struct filter_settings *s, struct filter_console *console,
		       struct error *err)
{
	const struct network_config config = {
		.connections = s->connections,
		.retry_seconds = s->retry_time,
		.user_agent = s->user_agent,
		.ca_file = s->ca_file,
		.proxy = s->proxy,
		.insecure = s->insecure,
		.tell = s->quiet     ? NULL
			: s->verbose ? tell_all
				     : tell_some,
		.arg = console,
	};

	if (s->insecure)
		command_message(
			"filter",
			"--insecure: certificates are not verified; anybody on the way can change what is read");
	*out = network_new(&config, err);
	return *out ? DANA_OK : (int)err->status;
}
