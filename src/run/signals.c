/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum {
	WATCHERS = 1024, /* the most that --parallel-inputs takes */
	ECHO_MS = 250,   /* timeout(1) and terminals may send one signal to the process and once more to its group */
};

static struct {
	pthread_mutex_t lock;
	int caught;
	struct watcher {
		void (*call)(void *arg);
		void *arg;
	} watchers[WATCHERS], resize;
} signals = { .lock = PTHREAD_MUTEX_INITIALIZER };

static sigset_t waited_for(void)
{
	sigset_t set;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGWINCH);
	return set;
}

static int64_t milliseconds(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void signals_on_resize(void (*resize)(void *arg), void *arg)
{
	pthread_mutex_lock(&signals.lock);
	signals.resize = (struct watcher){ resize, arg };
	pthread_mutex_unlock(&signals.lock);
}

static void *wait_for_signals(void *arg)
{
	(void)arg;
	const sigset_t set = waited_for();
	int64_t first = 0;
	for (;;) {
		int number;
		if (sigwait(&set, &number) != 0)
			continue;
		if (number == SIGWINCH) {
			pthread_mutex_lock(&signals.lock);
			if (signals.resize.call)
				signals.resize.call(signals.resize.arg);
			pthread_mutex_unlock(&signals.lock);
			continue;
		}
		if (first && milliseconds() - first < ECHO_MS)
			continue;
		if (first)
			_exit(128 + number);
		first = milliseconds();
		pthread_mutex_lock(&signals.lock);
		signals.caught = number;
		for (size_t i = 0; i < WATCHERS; i++) {
			if (signals.watchers[i].call)
				signals.watchers[i].call(signals.watchers[i].arg);
		}
		pthread_mutex_unlock(&signals.lock);
	}
	return NULL;
}

static void nothing(int number)
{
	(void)number;
}

int signals_start(void)
{
	const sigset_t set = waited_for();
	pthread_t thread;
	(void)signal(SIGWINCH, nothing); /* systems may drop a signal that is ignored, as it is by default */
	if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0 || pthread_create(&thread, NULL, wait_for_signals, NULL) != 0)
		return -1;
	(void)pthread_detach(thread);
	return 0;
}

int signals_caught(void)
{
	pthread_mutex_lock(&signals.lock);
	int caught = signals.caught;
	pthread_mutex_unlock(&signals.lock);
	return caught;
}

void signals_watch(void (*stop)(void *arg), void *arg)
{
	pthread_mutex_lock(&signals.lock);
	for (size_t i = 0; i < WATCHERS; i++) {
		if (!signals.watchers[i].call) {
			signals.watchers[i] = (struct watcher){ stop, arg };
			break;
		}
	}
	bool late = signals.caught != 0;
	pthread_mutex_unlock(&signals.lock);
	if (late)
		stop(arg);
}

void signals_unwatch(void *arg)
{
	pthread_mutex_lock(&signals.lock);
	for (size_t i = 0; i < WATCHERS; i++) {
		if (signals.watchers[i].call && signals.watchers[i].arg == arg)
			signals.watchers[i] = (struct watcher){ NULL, NULL };
	}
	pthread_mutex_unlock(&signals.lock);
}
