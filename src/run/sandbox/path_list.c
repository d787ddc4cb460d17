/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/grow.h"
#include "run/sandbox/sandbox_private.h"

int sandbox_path(struct sandbox *s, const char *path, enum sandbox_use use)
{
	struct sandbox_rule *rules = grow_items(s->rules, s->n, &s->cap, sizeof(*rules));
	if (!rules)
		return DANA_ENOMEM;
	s->rules = rules;
	struct slice copy = arena_copy(s->texts, slice_from_text(path));
	if (!copy.data)
		return DANA_ENOMEM;
	s->rules[s->n++] = (struct sandbox_rule){ (const char *)copy.data, use == SANDBOX_WRITE };
	return DANA_OK;
}
