/* SPDX-License-Identifier: MIT */
/* Names of hosts in the form in which they are compared. */
#ifndef DANA_PLUGINS_URL_HOST_H
#define DANA_PLUGINS_URL_HOST_H

#include "base/slice.h"
#include "base/status.h"

enum { HOST_MOST = 253 }; /* bytes of a name, RFC 1035 */

/** Loads libidn2; must be called before host_normal. Returns 0, or DANA_ELIBRARY or DANA_ENOMEM with a text. */
int host_ready(struct error *err);
/**
 * Writes the name in lower case, in the form of IDNA (xn--...) if it has letters beyond ASCII, without a dot at its
 * end, and an IPv6 address without its brackets. Returns its length; 0 if it is not a host name (too long, an empty
 * label, or a character that is not allowed).
 */
size_t host_normal(struct slice name, char out[HOST_MOST + 1]);

#endif
