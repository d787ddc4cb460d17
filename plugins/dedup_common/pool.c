/* SPDX-License-Identifier: MIT */
#include "plugins/dedup_common/pool.h"

#include "base/grow.h"

void pool_init(struct pool *p, void *(*make)(const void *arg), void (*destroy)(void *object), const void *arg)
{
	*p = (struct pool){ .make = make, .free = destroy, .arg = arg };
	(void)pthread_mutex_init(&p->lock, NULL);
}

void *pool_take(struct pool *p)
{
	void *object = NULL;

	pthread_mutex_lock(&p->lock);
	if (p->n)
		object = p->idle[--p->n];
	pthread_mutex_unlock(&p->lock);
	return object ? object : p->make(p->arg);
}

void pool_give(struct pool *p, void *object)
{
	pthread_mutex_lock(&p->lock);
	void **idle = grow_items(p->idle, p->n, &p->cap, sizeof(*idle));
	if (idle) {
		p->idle = idle;
		idle[p->n++] = object;
		object = NULL;
	}
	pthread_mutex_unlock(&p->lock);
	if (object)
		p->free(object);
}

void pool_free(struct pool *p)
{
	while (p->n)
		p->free(p->idle[--p->n]);
	free(p->idle);
	(void)pthread_mutex_destroy(&p->lock);
}
