/* SPDX-License-Identifier: MIT */
/* A list: a batch has pieces of few inputs that fail, and mostly of one. */
#include "io/net/piece_inputs.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

struct piece_input {
	struct piece_input *next;
	size_t input;
	bool fault; /* `text` is why it failed; else its version */
	char text[];
};

static const char *find(const struct piece_inputs *all, size_t input, bool fault)
{
	const struct piece_input *i = all->first;

	while (i && (i->input != input || i->fault != fault))
		i = i->next;
	return i ? i->text : NULL;
}

static int add(struct piece_inputs *all, size_t input, bool fault, struct slice text)
{
	if (find(all, input, fault))
		return DANA_OK;
	struct piece_input *i = malloc(sizeof(*i) + text.len + 1);
	if (!i)
		return DANA_ENOMEM;
	*i = (struct piece_input){ .next = all->first, .input = input, .fault = fault };
	if (text.len)
		memcpy(i->text, text.data, text.len);
	i->text[text.len] = '\0';
	all->first = i;
	return DANA_OK;
}

int piece_inputs_failed(struct piece_inputs *all, size_t input, const char *why)
{
	return add(all, input, true, slice_from_text(why));
}

int piece_inputs_version(struct piece_inputs *all, size_t input, struct slice version)
{
	return add(all, input, false, version);
}

const char *piece_inputs_fault(const struct piece_inputs *all, size_t input)
{
	return find(all, input, true);
}

const char *piece_inputs_known(const struct piece_inputs *all, size_t input)
{
	return find(all, input, false);
}

void piece_inputs_forget(struct piece_inputs *all, size_t kept)
{
	struct piece_input **at = &all->first;

	while (*at) {
		struct piece_input *i = *at;
		if (!i->fault && i->input == kept) {
			at = &i->next;
			continue;
		}
		*at = i->next;
		free(i);
	}
}
