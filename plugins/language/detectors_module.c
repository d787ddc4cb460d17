/* SPDX-License-Identifier: MIT */
/*
 * Loads the detectors from a module of their own: they are C++, whose run time takes longer to load than `dana` itself,
 * and CLD2 is large.
 */
#include "config.h"

#include "base/library.h"
#include "plugins/language/detector.h"

#ifdef HAVE_FASTTEXT
#define FUNCTIONS(X) X(cld2_detect) X(language_model_open) X(language_model_detect) X(language_model_free)
#else
#define FUNCTIONS(X) X(cld2_detect)
#endif
#define ROW(name) LIBRARY_ROW(table, name)

static struct table {
	FUNCTIONS(LIBRARY_MEMBER)
} table;

static const struct library_function functions[] = { FUNCTIONS(ROW) };
static struct library library = { .file = "detectors.so",
				  .title = "CLD2 or fastText",
				  .package = "libcld2-0, libfasttext0",
				  .module = true,
				  LIBRARY_TABLE(functions, table) };

int detectors_load(struct error *err)
{
	return library_load(&library, err);
}

int cld2_detect(const char *text, size_t len, struct language_answer *answer)
{
	return table.cld2_detect(text, len, answer);
}

#ifdef HAVE_FASTTEXT
struct language_model *language_model_open(const char *file, char why[200])
{
	return table.language_model_open(file, why);
}

int language_model_detect(const struct language_model *model, const char *text, size_t len,
			  struct language_answer *answer)
{
	return table.language_model_detect(model, text, len, answer);
}

void language_model_free(struct language_model *model)
{
	if (model)
		table.language_model_free(model);
}
#endif
