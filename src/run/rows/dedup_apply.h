/* SPDX-License-Identifier: MIT */
/* The work of `dana dedup apply`. */
#ifndef DANA_RUN_DEDUP_APPLY_H
#define DANA_RUN_DEDUP_APPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct apply_settings {
	const char *const *inputs;
	size_t n;
	const char *output, *rows;
	bool force, rejects;
};

struct apply_counts {
	uint64_t documents, dropped;
};

/**
 * Writes the documents of the inputs without the rows of the list. Returns 0, or a negative status with its text in
 * `err`.
 */
int apply_run(const struct apply_settings *s, struct apply_counts *counts, struct error *err);

#endif
