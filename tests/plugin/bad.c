/* SPDX-License-Identifier: MIT */
/* A plugin that must be refused: the test builds it with one of the words below defined. */
#include "dana/dana_plugin.h"

static int page(void *instance, struct dana_page *p)
{
	(void)instance;
	(void)p;
	return DANA_KEEP;
}

#ifdef MISSING_SYMBOL /* a function that no library has */
int dana_test_nowhere(void);
static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	(void)shared;
	(void)h;
	(void)c;
	return dana_test_nowhere();
}
#endif

static const struct dana_option options[] = {
#ifdef BAD_DEFAULT
	{ "least", DANA_INTEGER, 0, "many", "a number", 0, 0 },
#elif defined(TWO_OPTIONS)
	{ "least", DANA_INTEGER, 0, "1", "a number", 0, 0 },
	{ "least", DANA_INTEGER, 0, "1", "a number", 0, 0 },
#elif defined(NO_HELP)
	{ "least", DANA_INTEGER, 0, "1", 0, 0, 0 },
#endif
	{ .name = 0 },
};

#ifdef NO_PLUGIN
const int something_else = 1;
#else
DANA_PLUGIN(bad) = {
#ifdef OLD_INTERFACE
	.abi = DANA_PLUGIN_ABI - 1,
	.size = sizeof(struct dana_plugin),
#elif defined(OTHER_SIZE)
	.abi = DANA_PLUGIN_ABI,
	.size = sizeof(struct dana_plugin) - 8,
#else
	DANA_PLUGIN_HEAD,
#endif
#ifdef NO_KIND
	.flags = 0,
#elif defined(NEW_FLAG)
	.flags = DANA_PLUGIN_PURE | 1 << 20,
#elif defined(ORDERED_HEAD)
	.flags = DANA_PLUGIN_ORDERED,
	.head = page,
#else
	.flags = DANA_PLUGIN_PURE,
#endif
#ifdef OTHER_NAME
	.name = "good",
#elif !defined(NO_NAME)
	.name = "bad",
#endif
#ifdef OBJECT
	.object = OBJECT,
#endif
	.version = "1",
	.help = "is refused",
	.options = options,
#ifdef MISSING_SYMBOL
	.load = load,
#endif
#ifndef NO_FUNCTIONS
	.page = page,
#endif
};
#endif

#ifdef NO_PLUGIN
int unused(void);
int unused(void)
{
	return options[0].name != 0 && page(0, 0);
}
#endif
