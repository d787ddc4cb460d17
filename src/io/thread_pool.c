/* SPDX-License-Identifier: MIT */
/* The threads that are tried exist all at once, with stacks as large as those of the pool. */
#include "config.h"

#include "io/thread_pool.h"

#include <signal.h>
#include <stdlib.h>
#include <uv.h>

/* As libuv has them: threadpool.c */
enum { POOL_STANDARD = 4, POOL_MOST = 1024, POOL_STACK = 8 << 20 };

static uv_once_t once = UV_ONCE_INIT;
static int failed;

static size_t pool_size(void)
{
	const char *wanted = getenv("UV_THREADPOOL_SIZE");
	if (!wanted)
		return POOL_STANDARD;
	const long n = strtol(wanted, NULL, 10);
	return n < 1 ? 1 : n > POOL_MOST ? POOL_MOST : (size_t)n;
}

/* Ends when all have been made. */
static void wait_for_others(void *made)
{
	uv_sem_wait(made);
	uv_sem_post(made);
}

static int try_threads(size_t wanted)
{
	const uv_thread_options_t options = { .flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = POOL_STACK };
	uv_sem_t made;
	uv_thread_t threads[POOL_MOST];
	size_t n = 0;
	int error = uv_sem_init(&made, 0);
	if (error)
		return error;
	while (n < wanted && (error = uv_thread_create_ex(&threads[n], &options, wait_for_others, &made)) == 0)
		n++;
	uv_sem_post(&made);
	while (n > 0)
		(void)uv_thread_join(&threads[--n]);
	uv_sem_destroy(&made);
	return error;
}

static void nothing(uv_work_t *work)
{
	(void)work;
}

static void is_done(uv_work_t *work, int status)
{
	(void)work;
	(void)status;
}

static void start_threads(void)
{
	uv_work_t work;
	uv_loop_t loop;
	failed = -try_threads(pool_size());
	if (failed)
		return;
	failed = -uv_loop_init(&loop);
	if (failed)
		return;
	failed = -uv_queue_work(&loop, &work, nothing, is_done);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
}

/* Signals are for the thread that waits for them, also where it is made later: the threads of the pool take none. */
static void start(void)
{
	sigset_t all, before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	start_threads();
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* libuv reads the variable when the pool begins. What the user has set counts. */
void thread_pool_of_one(void)
{
	(void)setenv("UV_THREADPOOL_SIZE", "1", 0);
}

int thread_pool_start(void)
{
	uv_once(&once, start);
	return failed;
}
