/* SPDX-License-Identifier: MIT */
/*
 * libcurl, loaded when its first function is needed: the libraries that it brings along (TLS, HTTP/2, LDAP, ...) take
 * longer to load than everything else that `dana extract` does with a page. No other file links to it; a function is
 * called as `curl->curl_easy_init()`. Threads: any.
 */
#ifndef DANA_IO_CURL_LIBRARY_H
#define DANA_IO_CURL_LIBRARY_H

#define CURL_DISABLE_TYPECHECK /* its checks are macros around calls by the plain name */
#include <curl/curl.h>

#include "base/status.h"

/** The functions that are in use. */
/* clang-format off */
#define CURL_FUNCTIONS(X) \
	X(curl_free) X(curl_url) X(curl_url_cleanup) X(curl_url_dup) X(curl_url_get) X(curl_url_set) X(curl_version_info)
/* clang-format on */

struct curl_library {
#define CURL_MEMBER(name) __typeof__(&(name)) name;
	CURL_FUNCTIONS(CURL_MEMBER)
#undef CURL_MEMBER
};

/**
 * Loads the library at the first call, and keeps it until the process ends. NULL when it is not there or too old: each
 * call then fails with DANA_ELIBRARY and a text in `err`.
 */
const struct curl_library *curl_library(struct error *err);

#endif
