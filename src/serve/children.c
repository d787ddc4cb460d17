/* SPDX-License-Identifier: MIT */
#include "serve/children.h"

#include "serve/server.h"

struct process *children_start(struct server *s, const struct process_config *config)
{
	struct process *p = process_start(config);
	if (p)
		s->children++;
	return p;
}

void children_drop(struct server *s, struct process **process)
{
	if (!*process)
		return;
	s->children--;
	process_drop(*process);
	*process = NULL;
}
