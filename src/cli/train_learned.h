/* SPDX-License-Identifier: MIT */
/* `dana train learned`: hands over to the trainer, which is a Python program. */
#ifndef DANA_CLI_TRAIN_LEARNED_H
#define DANA_CLI_TRAIN_LEARNED_H

/**
 * Becomes the trainer; returns (an exit status) only when that fails. `output`: folder for model and report; may be
 * NULL.
 */
int train_learned(const char *output, const char *pages);

#endif
