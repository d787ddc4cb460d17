/* SPDX-License-Identifier: MIT */
/* All methods, joined from the lists of their rooms; the order is that of `dana methods`. */
#include "extract/table.h"

#include "extract/family/methods.h"
#include "extract/learned/methods.h"
#include "extract/papers/methods.h"

static const struct method *const *const families[] = { family_methods, papers_methods, learned_methods };

const struct method *method_at(size_t index)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		for (const struct method *const *m = families[i]; *m; m++) {
			if (index-- == 0)
				return *m;
		}
	}
	return NULL;
}

const struct method *method_find(struct slice spec, struct slice *keys)
{
	const uint8_t *colon = spec.len ? memchr(spec.data, ':', spec.len) : NULL;
	size_t len = colon ? (size_t)(colon - spec.data) : spec.len;
	*keys = colon ? slice_skip(spec, len + 1) : slice_of(NULL, 0);
	const struct method *m;
	for (size_t i = 0; (m = method_at(i)); i++) {
		if (slice_equal(slice_of(spec.data, len), slice_from_text(m->name)))
			return m;
	}
	return NULL;
}
