/* SPDX-License-Identifier: MIT */
/* Files have rights of other kinds here: nobody is told who owns one (sys/stat.h). */
#ifndef DANA_WINDOWS_INCLUDE_UNISTD_H
#define DANA_WINDOWS_INCLUDE_UNISTD_H

#include_next <unistd.h>

static inline unsigned geteuid(void)
{
	return 0;
}

/* That of the program, which src/windows/main.c calls. */
#ifdef main
int main(int argc, char **argv);
#endif

#endif
