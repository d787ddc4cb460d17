/* SPDX-License-Identifier: MIT */
/* Stands for train_mountain.c in builds without libsvm. */
#include "base/status.h"
#include "lab/train.h"

const bool train_mountain_built_in = false;

int train_mountain(const struct train_ridges *ridges, const uint8_t *use, bool by_site, struct mountain_model *model,
		   struct train_result *result)
{
	(void)ridges;
	(void)use;
	(void)by_site;
	(void)model;
	(void)result;
	return DANA_ESTATE;
}

int train_mountain_site(const struct train_ridges *sets, size_t n, const uint8_t *use, struct mountain_model *model,
			struct train_result *result)
{
	(void)sets;
	(void)n;
	(void)use;
	(void)model;
	(void)result;
	return DANA_ESTATE;
}
