/* SPDX-License-Identifier: MIT */
/* Messages on standard error. Not by wget2's log, which says nothing of errors with --quiet. */
#ifndef DANA_WGET2_TELL_H
#define DANA_WGET2_TELL_H

/** One line, "dana: " before it. Any thread. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
