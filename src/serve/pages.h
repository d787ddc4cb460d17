/* SPDX-License-Identifier: MIT */
/* POST /extract: the text of one page, made by libuv's pool of threads. */
#ifndef DANA_SERVE_PAGES_H
#define DANA_SERVE_PAGES_H

#include "serve/request.h"

struct pages;

/** Returns NULL with a text in `err` if memory is exhausted or the method is wrong. */
struct pages *pages_new(const struct server *s, struct error *err);
/** No request may be under way. NULL allowed. */
void pages_free(struct pages *p);

extern const struct route pages_route;

#endif
