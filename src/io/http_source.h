/* SPDX-License-Identifier: MIT */
/* A file on a server as a source. It is seekable, as a file is, where the server gives its length. */
#ifndef DANA_IO_HTTP_SOURCE_H
#define DANA_IO_HTTP_SOURCE_H

#include "io/source.h"

struct network_session;

/** Opens an address (address.h), and returns as source_open. `shown`: the address in messages. */
int http_source_open(struct source **out, struct network_session *s, const char *address, const char *shown,
		     uint64_t offset, const struct source_events *events, struct error *err);

#endif
