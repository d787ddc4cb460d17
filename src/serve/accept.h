/* SPDX-License-Identifier: MIT */
/* What a client would like to get (RFC 9110, section 12.5.1). Pure. */
#ifndef DANA_SERVE_ACCEPT_H
#define DANA_SERVE_ACCEPT_H

#include "base/slice.h"

/** Returns whether the value of an Accept field asks for JSON rather than for text; false without a preference. */
bool accept_json(struct slice accept);
/**
 * Returns whether this is the Host of a request that reached this machine by its loopback interface, with or without a
 * port.
 */
bool accept_loopback_host(struct slice host);

#endif
