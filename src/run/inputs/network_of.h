/* SPDX-License-Identifier: MIT */
/* What the options of `dana filter` say of the network. */
#ifndef DANA_RUN_INPUTS_NETWORK_OF_H
#define DANA_RUN_INPUTS_NETWORK_OF_H

#include "cli/filter_console.h"
#include "cli/options/filter_options.h"
#include "io/net/network.h"

/** Loads libcurl, and warns where certificates are not verified. 0, or a status with its text in `err`. */
int filter_network_new(struct network **out, const struct filter_settings *s, struct filter_console *console,
		       struct error *err);

#endif
