/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/near_name.h"
#include "base/printable.h"

const struct command *command_table;

const struct command *command_find(const char *name)
{
	for (const struct command *c = command_table; c->name; c++) {
		if (strcmp(name, c->name) == 0)
			return c;
	}
	return NULL;
}

int command_unknown(const char *name)
{
	char shown[64];
	struct near_name near = near_name_of(slice_from_text(name));
	bool option = name[0] == '-';

	for (const struct command *c = command_table; c->name && !option; c++) {
		if (!c->hidden)
			near_name_offer(&near, c->name);
	}
	printable(slice_from_text(name), shown, sizeof(shown));
	if (near.best.len)
		command_message(NULL, "unknown command '%s'; did you mean '%.*s'?", shown, (int)near.best.len,
				(const char *)near.best.data);
	else
		command_message(NULL, "unknown %s '%s'; dana --help lists the commands", option ? "option" : "command",
				shown);
	return EXIT_USAGE;
}
