/* SPDX-License-Identifier: MIT */
/*
 * Readers of pages that wait for their next page, so that a page costs no set-up. A process that forks holds the lock
 * while it does, so that the child finds the pool whole; readers that other threads were using are lost to the child.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "danatext.h"

enum { IDLE = 16 }; /* readers kept */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int fault;
static struct idle {
	char *key;
	struct dana_page_reader *reader;
} idle[IDLE];
static size_t n_idle;

static void hold(void)
{
	(void)pthread_mutex_lock(&lock);
}

static void let_go(void)
{
	(void)pthread_mutex_unlock(&lock);
}

static void on_fork(void)
{
	fault = pthread_atfork(hold, let_go, let_go);
}

int danatext_pool_prepare(void)
{
	(void)pthread_once(&once, on_fork);
	if (fault)
		PyErr_NoMemory();
	return fault ? -1 : 0;
}

static struct idle remove_idle(size_t i)
{
	const struct idle taken = idle[i];
	n_idle--;
	memmove(&idle[i], &idle[i + 1], (n_idle - i) * sizeof(*idle));
	return taken;
}

/* The options as one text; to be freed. NULL: no memory. */
static char *key_of(const struct dana_page_options *options)
{
	const char *markdown = options->markdown ? options->markdown : "";
	size_t size = strlen(options->method) + strlen(markdown) + 20;
	for (size_t i = 0; i < options->n_more_methods; i++)
		size += strlen(options->more_methods[i]) + 1;
	char *key = malloc(size);
	size_t len = key ? (size_t)snprintf(key, size, "%u %s %s", options->structure, markdown, options->method) : 0;
	for (size_t i = 0; key && i < options->n_more_methods; i++)
		len += (size_t)snprintf(key + len, size - len, "\n%s", options->more_methods[i]);
	return key;
}

int danatext_pool_take(const struct dana_page_options *options, struct dana_page_reader **reader)
{
	struct idle found = { NULL, NULL };
	char *key = key_of(options);
	*reader = NULL;
	if (!key)
		return DANA_OUT_OF_MEMORY;
	hold();
	for (size_t i = n_idle; i-- > 0 && !found.reader;) {
		if (strcmp(idle[i].key, key) == 0)
			found = remove_idle(i);
	}
	let_go();
	free(found.key);
	free(key);
	*reader = found.reader;
	return found.reader ? 0 : dana_page_reader_new(reader, options);
}

void danatext_pool_give(const struct dana_page_options *options, struct dana_page_reader *reader)
{
	struct idle old = { NULL, NULL };
	char *key = key_of(options);
	if (!key) {
		dana_page_reader_free(reader);
		return;
	}
	hold();
	if (n_idle == IDLE)
		old = remove_idle(0);
	idle[n_idle++] = (struct idle){ key, reader };
	let_go();
	free(old.key);
	dana_page_reader_free(old.reader);
}
