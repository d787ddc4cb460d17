/* SPDX-License-Identifier: MIT */
/*
 * simdjson finds the parts of a JSON text (base/json.h), some gigabytes of it in a second, and checks its UTF-8.
 * It is C++, whose run-time library is large: the program loads it as a module, with the first text. Any thread, one at
 * a time for each state.
 */
#ifndef DANA_BASE_SIMDJSON_CALL_H
#define DANA_BASE_SIMDJSON_CALL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The module shows them. */
#pragma GCC visibility push(default)

/** As json_find. 0, DANA_EFORMAT, DANA_ENOMEM, or DANA_ELIBRARY (it cannot be loaded). */
int simdjson_find(void **state, const uint8_t *text, size_t len, const uint32_t **parts, size_t *n);
void simdjson_end(void **state);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/** Members of a struct json_rules. */
#ifdef HAVE_SIMDJSON
#define JSON_BY_SIMDJSON .find = simdjson_find, .end = simdjson_end
#else
#define JSON_BY_SIMDJSON .find = NULL
#endif

#endif
