/* SPDX-License-Identifier: MIT */
/*
 * libmicrohttpd, loaded when the service begins: it brings GnuTLS along, which takes longer to load than other commands
 * take for a page. No file links to it; a function is called as `http_library.MHD_run(daemon)`.
 */
#ifndef DANA_SERVE_HTTP_LIBRARY_H
#define DANA_SERVE_HTTP_LIBRARY_H

#include <microhttpd.h>

#include "base/ondemand/library.h"
#include "base/status.h"

/** The functions that are in use. */
/* clang-format off */
#define HTTP_FUNCTIONS(X) \
	X(MHD_add_connection) X(MHD_add_response_header) X(MHD_basic_auth_get_username_password) \
	X(MHD_create_post_processor) X(MHD_create_response_from_buffer) X(MHD_destroy_post_processor) \
	X(MHD_destroy_response) X(MHD_free) X(MHD_get_connection_info) X(MHD_get_connection_values) \
	X(MHD_get_daemon_info) X(MHD_get_timeout) X(MHD_get_version) X(MHD_lookup_connection_value) \
	X(MHD_post_process) X(MHD_queue_response) X(MHD_resume_connection) X(MHD_run) X(MHD_start_daemon) \
	X(MHD_stop_daemon) X(MHD_suspend_connection)
/* clang-format on */

struct http_library {
	HTTP_FUNCTIONS(LIBRARY_MEMBER)
};

/** All NULL until http_library_load has returned 0. */
extern struct http_library http_library;

/**
 * Loads it, and keeps it until the process ends. Returns 0, or DANA_ELIBRARY (it is missing or too old) or DANA_ENOMEM.
 */
int http_library_load(struct error *err);

#endif
