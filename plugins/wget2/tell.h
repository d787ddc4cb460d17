/* SPDX-License-Identifier: MIT */
/* Messages on standard error. wget2's log is not used, because with --quiet it shows no errors. */
#ifndef DANA_WGET2_TELL_H
#define DANA_WGET2_TELL_H

/** Prints one line that begins with "dana: ". Any thread. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
