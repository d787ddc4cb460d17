/* SPDX-License-Identifier: MIT */
/*
 * Objects that any thread may borrow, for functions that several threads call at the same time. As many are made as are
 * in use at once.
 */
#ifndef DANA_PLUGINS_DEDUP_COMMON_POOL_H
#define DANA_PLUGINS_DEDUP_COMMON_POOL_H

#include <pthread.h>
#include <stddef.h>

struct pool {
	void *(*make)(const void *arg); /* NULL when memory is exhausted */
	void (*free)(void *object);
	const void *arg;
	pthread_mutex_t lock; /* guards what follows */
	void **idle;
	size_t n, cap;
};

void pool_init(struct pool *p, void *(*make)(const void *arg), void (*destroy)(void *object), const void *arg);
/** Returns an object that no other thread uses; NULL if memory is exhausted. */
void *pool_take(struct pool *p);
void pool_give(struct pool *p, void *object);
/** All objects must have been given back. */
void pool_free(struct pool *p);

#endif
