/* SPDX-License-Identifier: MIT */
/* All methods, in the order of `dana methods`. */
#include "extract/table.h"

#include "extract/family/methods.h"
#include "extract/learned/classifier.h"
#include "extract/papers/methods.h"

#define METHOD_ROW(name) &method_##name,

static const struct method *const methods[] = { FAMILY_METHODS(METHOD_ROW) PAPERS_METHODS(METHOD_ROW) &
						method_learned };

const struct method *method_at(size_t index)
{
	return index < sizeof(methods) / sizeof(*methods) ? methods[index] : NULL;
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
