/* SPDX-License-Identifier: MIT */
/* POST /filter: an archive in, documents out while it comes in; the work of a `dana filter` of its own. */
#ifndef DANA_SERVE_STREAMS_H
#define DANA_SERVE_STREAMS_H

#include "serve/request.h"

extern const struct route streams_route;

/** Its client has taken what waited for it. */
void streams_writable(struct request *r);

#endif
