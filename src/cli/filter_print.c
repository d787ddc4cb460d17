/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/filter_print.h"

#include "base/arena.h"
#include "cli/command.h"
#include "cli/options/config_file.h"
#include "io/address.h"

static int hide(const char **address, struct arena *memory)
{
	struct buf text = { 0 };
	if (!*address)
		return DANA_OK;
	int status = address_without_secrets(*address, &text);
	*address = status == DANA_OK ? (const char *)arena_copy(memory, buf_slice(&text)).data : NULL;
	buf_free(&text);
	return *address ? DANA_OK : DANA_ENOMEM;
}

static int hide_all(struct filter_settings *s, struct arena *memory)
{
	const char **addresses[] = { &s->run.inputs.list, &s->run.inputs.base, &s->run.network.proxy };
	int status = memory ? DANA_OK : DANA_ENOMEM;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]) && status == DANA_OK; i++)
		status = hide(addresses[i], memory);
	for (unsigned i = 0; i < s->run.inputs.cdx.n && status == DANA_OK; i++)
		status = hide(&s->run.inputs.cdx.at[i], memory);
	return status;
}

int filter_print(struct filter_settings *s)
{
	struct arena *memory = arena_new();
	struct buf out = { 0 };
	int status = hide_all(s, memory);
	if (status == DANA_OK && s->print_config)
		status = config_file_write(&filter_options, s, &out);
	if (status == DANA_OK && s->print_limits)
		status = filter_print_limits(s, &out);
	int code = command_print_made("filter", status, &out);
	arena_free(memory);
	return code;
}
