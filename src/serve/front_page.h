/* SPDX-License-Identifier: MIT */
/* What GET / shows. */
#ifndef DANA_SERVE_FRONT_PAGE_H
#define DANA_SERVE_FRONT_PAGE_H

#include "base/buf.h"

/** Appends the page; `method` is chosen at first. Returns 0 or DANA_ENOMEM. */
int front_page_write(const char *method, struct buf *out);

#endif
