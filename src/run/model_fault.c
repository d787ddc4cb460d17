/* SPDX-License-Identifier: MIT */
#include "run/model_fault.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/learned/model.h"
#include "extract/papers/mountain/ridge_model.h"

/* How a model of `learned` begins: its name, the number of the format, then a hash of the features that it uses. */
enum { NAME_END = 13, FEATURES_END = 20 };

/* The model built in begins as every model for this program must. */
static bool begins_as_built_in(struct slice file, size_t len)
{
	return file.len >= len && memcmp(file.data, model_data, len) == 0;
}

static const char *learned_fault(struct slice file)
{
	if (!begins_as_built_in(file, NAME_END))
		return "not a model of learned; dana train learned makes one";
	if (!begins_as_built_in(file, FEATURES_END))
		return "a model for another version of dana; train it anew with dana train learned of this one";
	return "a damaged model; copy it again, or train it anew with dana train learned";
}

const char *model_fault(struct slice method, struct slice file)
{
	if (!slice_is(method, "mountain"))
		return learned_fault(file);
	struct mountain_model model = { 0 };
	int status = mountain_model_read(&model, file);
	mountain_model_free(&model);
	if (status != DANA_EFORMAT)
		return NULL;
	if (!mountain_model_begins(file))
		return "not a model of mountain; dana train mountain makes one";
	return "a damaged model; copy it again, or train it anew with dana train mountain";
}
