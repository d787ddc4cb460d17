/* SPDX-License-Identifier: MIT */
/* Where a room that knows no command line says what is wrong: the command hands it in. */
#ifndef DANA_BASE_NOTICE_H
#define DANA_BASE_NOTICE_H

enum { NOTICE_MOST = 2048 }; /* bytes of a line; more is cut off */

struct notices {
	void (*line)(void *arg, const char *text); /* on any thread; without a line feed */
	void *arg;
};

void notice(const struct notices *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
