/* SPDX-License-Identifier: MIT */
/* The form as a browser reads it, which data/bytes.sh makes of front.html. */
#ifndef DANA_SERVE_FRONT_H
#define DANA_SERVE_FRONT_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t front_html[];
extern const size_t front_html_len;

#endif
