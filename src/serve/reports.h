/* SPDX-License-Identifier: MIT */
/* GET /, a page where one gives a page, and POST /explain, the report of `dana explain` on it. */
#ifndef DANA_SERVE_REPORTS_H
#define DANA_SERVE_REPORTS_H

#include "serve/request.h"

extern const struct route reports_page_route, reports_route;

#endif
