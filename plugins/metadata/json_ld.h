/* SPDX-License-Identifier: MIT */
/* JSON-LD (schema.org) of a page. */
#ifndef DANA_METADATA_JSON_LD_H
#define DANA_METADATA_JSON_LD_H

#include "base/json_reader.h"
#include "plugins/metadata/facts.h"

enum { JSON_LD_BYTES = 256 * 1024, JSON_LD_DEPTH = 16, JSON_LD_NODES = 4096 };

/** Memory that a thread uses again for each script. Zero-initialise it; json_ld_free() frees it. */
struct json_ld {
	struct json_reader *reader;
	struct buf text, site; /* strings that had escapes */
};

/**
 * Offers the facts of the first article (or page, or posting) that the script describes. A script that is not JSON, or
 * larger than JSON_LD_BYTES, is ignored; so are deeply nested objects and objects after JSON_LD_NODES.
 */
void json_ld_read(struct json_ld *j, struct slice script, struct facts *facts);
void json_ld_free(struct json_ld *j);

#endif
