/* SPDX-License-Identifier: MIT */
/* What the options of `dana filter` say of the network. */
#ifndef DANA_RUN_INPUTS_NETWORK_OF_H
#define DANA_RUN_INPUTS_NETWORK_OF_H

#include "run/settings.h"

/** Loads libcurl, and warns where certificates are not verified. Returns 0, or a status with its text in `err`. */
int filter_network_new(struct network **out, struct run_settings *s, struct error *err);

#endif
