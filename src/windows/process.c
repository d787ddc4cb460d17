/* SPDX-License-Identifier: MIT */
/* What a process has, gets and uses: signals, time and memory, the console, the environment. */
#include "config.h"

#include <errno.h>
#include <io.h>
#include <poll.h>
#include <psapi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <windows.h>

#include "windows/inside.h"

/* ---- signals ---- */

static HANDLE came; /* counts the signals that nobody has taken */
static atomic_uint interrupts;

/* A thread of Windows. What is not SIGINT is SIGTERM. */
static BOOL WINAPI on_event(DWORD event)
{
	if (event == CTRL_C_EVENT)
		(void)atomic_fetch_add(&interrupts, 1);
	(void)ReleaseSemaphore(came, 1, NULL);
	if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
		Sleep(INFINITE); /* the process is ended when this returns, or some seconds later */
	return TRUE;
}

int sigwait(const sigset_t *set, int *number)
{
	(void)set;
	if (!came) {
		came = CreateSemaphoreW(NULL, 0, MAXLONG, NULL);
		if (!came || !SetConsoleCtrlHandler(on_event, TRUE))
			Sleep(INFINITE);
	}
	(void)WaitForSingleObject(came, INFINITE);
	const unsigned n = atomic_load(&interrupts);
	*number = n ? SIGINT : SIGTERM;
	if (n)
		(void)atomic_fetch_sub(&interrupts, 1);
	return 0;
}

/* ---- what is used ---- */

static struct timeval seconds(FILETIME t)
{
	/* tenths of microseconds */
	const uint64_t tenths = (uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime;
	return (struct timeval){ .tv_sec = (long)(tenths / 10000000), .tv_usec = (long)(tenths % 10000000 / 10) };
}

int getrusage(int who, struct rusage *usage)
{
	FILETIME begun, ended, kernel, user;
	PROCESS_MEMORY_COUNTERS memory = { .cb = sizeof(memory) };
	(void)who;
	if (!GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &user) ||
	    !K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof(memory)))
		return windows_failed();
	*usage = (struct rusage){ seconds(user), seconds(kernel), (long long)memory.PeakWorkingSetSize };
	return 0;
}

/* ---- pipes and the console ---- */

int poll(struct pollfd *p, unsigned n, int milliseconds)
{
	enum { STEP = 10 };
	HANDLE file = (HANDLE)_get_osfhandle(p->fd);
	(void)n;
	p->revents = p->events;
	if (file == INVALID_HANDLE_VALUE)
		return -1;
	if (p->events & POLLOUT)
		return 1;
	if (GetFileType(file) != FILE_TYPE_PIPE)
		return WaitForSingleObject(file, (DWORD)milliseconds) == WAIT_TIMEOUT ? 0 : 1;
	DWORD there = 0;
	for (int waited = 0; PeekNamedPipe(file, NULL, 0, NULL, &there, NULL) && there == 0; waited += STEP) {
		if (waited >= milliseconds)
			return 0;
		Sleep(STEP);
	}
	return 1; /* also the end, and what fails: reading says which */
}

int isatty(int fd)
{
	DWORD mode;
	return GetConsoleMode((HANDLE)_get_osfhandle(fd), &mode);
}

int ioctl(int fd, unsigned long request, void *to)
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	if (request != TIOCGWINSZ) {
		errno = ENOTTY;
		return -1;
	}
	if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info))
		return windows_failed();
	*(struct winsize *)to =
		(struct winsize){ .ws_row = (unsigned short)(info.srWindow.Bottom - info.srWindow.Top + 1),
				  .ws_col = (unsigned short)(info.srWindow.Right - info.srWindow.Left + 1) };
	return 0;
}

/* ---- the environment ---- */

int setenv(const char *name, const char *value, int replace)
{
	if (!replace && getenv(name))
		return 0;
	errno = _putenv_s(name, value);
	return errno ? -1 : 0;
}
