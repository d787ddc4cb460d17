/* SPDX-License-Identifier: MIT */
/* Ctrl-C is SIGINT; Ctrl-Break, a console that closes, and the end of the session are SIGTERM. Others never come. */
#ifndef DANA_WINDOWS_INCLUDE_SIGNAL_H
#define DANA_WINDOWS_INCLUDE_SIGNAL_H

#define signal signal_of_mingw
#include_next <signal.h>
#undef signal

#define SIGPIPE 13
#define SIGXFSZ 25
#define SIGWINCH 28
#define SIG_SETMASK 2
#define SIG_BLOCK 0

typedef unsigned sigset_t;

static inline int sigemptyset(sigset_t *set)
{
	*set = 0;
	return 0;
}

static inline int sigfillset(sigset_t *set)
{
	*set = ~0U;
	return 0;
}

static inline int sigaddset(sigset_t *set, int number)
{
	*set |= 1U << number;
	return 0;
}

/* No thread but the one that waits for them gets any. */
#undef pthread_sigmask
static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	(void)how;
	if (before)
		*before = *set;
	return 0;
}

/** Once it was called, the process does not end by itself any more. One thread. */
int sigwait(const sigset_t *set, int *number);

/* Nothing has to be ignored. */
static inline void signal(int number, void (*handler)(int number))
{
	(void)number;
	(void)handler;
}

#endif
