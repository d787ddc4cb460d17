/* SPDX-License-Identifier: MIT */
/* What the options of `dana filter` say of the network. */
#ifndef DANA_CLI_FILTER_NETWORK_H
#define DANA_CLI_FILTER_NETWORK_H

#include "cli/filter_console.h"
#include "config/filter_options.h"
#include "io/net/network.h"

/** Loads libcurl, and warns where certificates are not verified. 0, or a status with its text in `err`. */
int filter_network_new(struct network **out, const struct filter_settings *s, struct filter_console *console,
		       struct error *err);

#endif
