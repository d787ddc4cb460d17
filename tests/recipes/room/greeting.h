/* SPDX-License-Identifier: MIT */
/* The words with which `dana hello` greets. */
#ifndef DANA_GREETING_GREETING_H
#define DANA_GREETING_GREETING_H

/** A line; static memory. */
const char *greeting_text(void);

#endif
