/* SPDX-License-Identifier: MIT */
/* The detectors are linked into this plugin: nothing has to be loaded. */
#include "plugins/language/detector.h"

int detectors_load(struct error *err)
{
	(void)err;
	return DANA_OK;
}
