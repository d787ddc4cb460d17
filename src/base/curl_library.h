/* SPDX-License-Identifier: MIT */
/*
 * libcurl, loaded when its first function is needed: the libraries that it brings along (TLS, HTTP/2, LDAP, ...) take
 * longer to load than everything else that `dana extract` does with a page. No other file links to it; a function is
 * called as `curl->curl_easy_init()`. Threads: any.
 */
#ifndef DANA_BASE_CURL_LIBRARY_H
#define DANA_BASE_CURL_LIBRARY_H

#define CURL_DISABLE_TYPECHECK /* its checks are macros around calls by the plain name */
#include <curl/curl.h>

#include "base/library.h"
#include "base/status.h"

/** The functions that are in use. */
/* clang-format off */
#define CURL_FUNCTIONS(X) \
	X(curl_easy_cleanup) X(curl_easy_getinfo) X(curl_easy_init) X(curl_easy_pause) X(curl_easy_perform) \
	X(curl_easy_setopt) X(curl_easy_strerror) X(curl_free) X(curl_global_init) X(curl_multi_add_handle) \
	X(curl_multi_assign) X(curl_multi_cleanup) X(curl_multi_info_read) X(curl_multi_init) \
	X(curl_multi_remove_handle) X(curl_multi_setopt) X(curl_multi_socket_action) X(curl_slist_append) \
	X(curl_slist_free_all) X(curl_url) X(curl_url_cleanup) X(curl_url_dup) X(curl_url_get) X(curl_url_set) \
	X(curl_version_info)
/* clang-format on */

struct curl_library {
	CURL_FUNCTIONS(LIBRARY_MEMBER)
};

/**
 * Loads the library at the first call, and keeps it until the process ends. NULL: DANA_ELIBRARY (it is missing or
 * too old) or DANA_ENOMEM, with a text in `err`, which may be NULL.
 */
const struct curl_library *curl_library(struct error *err);

#endif
