/* SPDX-License-Identifier: MIT */
/*
 * A free place goes to the first of the queue, who is woken and finds it reserved: without that, whoever has just given
 * it back would have it again before the woken thread runs.
 */
#include "config.h"

#include <stdlib.h>
#include <uv.h>

#include "io/transfer.h"

enum place_state {
	PLACE_FREE,
	PLACE_RESERVED, /* for a user that was woken */
	PLACE_BUSY,
	PLACE_IDLE, /* kept */
};

struct host {
	struct host_gate *gate;
	struct host *next; /* in the list of hosts */
	struct place {
		enum place_state state;
		struct host_user *user;
	} places[HOST_PLACES_MOST];
	struct host_user *first; /* of the queue */
	uint64_t last;           /* attempt, or failure of one */
	uint64_t good;           /* the last good answer; before there is one, the first attempt */
	unsigned given_up;       /* inputs, since then */
	bool attempted, answered, failing, broken;
	uint32_t errors; /* a bit for each of the last HOST_ANSWERS */
	size_t name_len;
	uint8_t name[];
};

struct host_gate {
	uv_mutex_t lock;
	unsigned places;
	struct host *hosts;
};

struct host_gate *host_gate_new(unsigned places)
{
	struct host_gate *g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	if (uv_mutex_init(&g->lock) != 0) {
		free(g);
		return NULL;
	}
	g->places = places;
	return g;
}

struct host *host_gate_find(struct host_gate *g, struct slice name)
{
	uv_mutex_lock(&g->lock);
	struct host *h = g->hosts;
	while (h && !slice_equal(slice_of(h->name, h->name_len), name))
		h = h->next;
	if (!h && (h = calloc(1, sizeof(*h) + name.len))) {
		h->gate = g;
		h->next = g->hosts;
		h->name_len = name.len;
		memcpy(h->name, name.data, name.len);
		g->hosts = h;
	}
	uv_mutex_unlock(&g->lock);
	return h;
}

static struct place *place_of(struct host *h, const struct host_user *user, enum place_state state)
{
	for (unsigned i = 0; i < h->gate->places; i++) {
		struct place *p = &h->places[i];
		if (p->state == state && (state == PLACE_FREE || p->user == user))
			return p;
	}
	return NULL;
}

static struct place *place_for(struct host *h, const struct host_user *user)
{
	static const enum place_state states[] = { PLACE_RESERVED, PLACE_IDLE, PLACE_FREE };
	struct place *p = NULL;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states) && !p; i++)
		p = place_of(h, user, states[i]);
	return p;
}

/* From the queue of this host, where it must be. */
static void dequeue(struct host *h, struct host_user *user)
{
	struct host_user **at = &h->first;
	while (*at != user)
		at = &(*at)->after;
	*at = user->after;
	user->queued = false;
	user->after = NULL;
}

static void place_free(struct host *h, struct place *p)
{
	struct host_user *first = h->first;
	*p = (struct place){ PLACE_FREE, NULL };
	if (!first)
		return;
	dequeue(h, first);
	*p = (struct place){ PLACE_RESERVED, first };
	first->wake(first->arg);
}

static uint64_t wait_of(const struct host *h, uint64_t now)
{
	uint64_t apart = h->broken ? HOST_BREAK_MS : h->failing ? HOST_FAILING_MS : 0;
	return h->attempted && now < h->last + apart ? h->last + apart - now : 0;
}

static bool is_dead(const struct host *h, uint64_t now)
{
	return h->given_up >= HOST_GIVEN_UP_MOST && now < h->last + HOST_BREAK_MS;
}

static int64_t ask(struct host *h, struct host_user *user, uint64_t now)
{
	struct place *p = user->beside ? NULL : place_for(h, user);
	if (!p && !user->beside) {
		struct host_user **end = &h->first;
		if (!user->queued) {
			while (*end)
				end = &(*end)->after;
			*end = user;
			user->queued = true;
			user->after = NULL;
		}
		/* The idle places of others are asked for by waking who keeps them. */
		for (unsigned i = 0; i < h->gate->places; i++) {
			const struct place *other = &h->places[i];
			if (other->state == PLACE_IDLE)
				other->user->wake(other->user->arg);
		}
		return HOST_QUEUED;
	}
	const uint64_t wait = wait_of(h, now);
	if (wait > 0 || is_dead(h, now)) {
		if (p && p->state == PLACE_RESERVED)
			place_free(h, p);
		return is_dead(h, now) ? HOST_DEAD : (int64_t)wait;
	}
	if (p)
		*p = (struct place){ PLACE_BUSY, user };
	if (!h->attempted)
		h->good = now;
	h->attempted = true;
	h->last = now;
	return 0;
}

int64_t host_ask(struct host *h, struct host_user *user, uint64_t now)
{
	uv_mutex_lock(&h->gate->lock);
	int64_t result = ask(h, user, now);
	uv_mutex_unlock(&h->gate->lock);
	return result;
}

static bool answered(struct host *h, enum host_answer answer, uint64_t now)
{
	h->answered = true;
	h->failing = answer != HOST_GOOD;
	if (h->failing)
		h->last = now; /* when a busy machine sent the request is not known */
	if (answer == HOST_BROKE)
		return false;
	h->errors = h->errors << 1 | (answer == HOST_ERROR);
	if (answer == HOST_GOOD) {
		h->good = now;
		h->given_up = 0;
		if (h->broken)
			h->errors = 0;
		h->broken = false;
		return false;
	}
	if (h->broken || ((unsigned)__builtin_popcount(h->errors & ((1U << HOST_ANSWERS) - 1))) <= HOST_ANSWERS / 2)
		return false;
	h->broken = true;
	return true;
}

bool host_answered(struct host *h, enum host_answer answer, uint64_t now)
{
	uv_mutex_lock(&h->gate->lock);
	bool opened = answered(h, answer, now);
	uv_mutex_unlock(&h->gate->lock);
	return opened;
}

uint64_t host_wait(struct host *h, uint64_t now)
{
	uv_mutex_lock(&h->gate->lock);
	uint64_t wait = wait_of(h, now);
	uv_mutex_unlock(&h->gate->lock);
	return wait;
}

bool host_is_well(struct host *h)
{
	uv_mutex_lock(&h->gate->lock);
	bool well = h->answered && !h->failing;
	uv_mutex_unlock(&h->gate->lock);
	return well;
}

void host_give_up(struct host *h, uint64_t silence, uint64_t now)
{
	uv_mutex_lock(&h->gate->lock);
	h->given_up += h->attempted && now - h->good >= silence;
	uv_mutex_unlock(&h->gate->lock);
}

unsigned host_given_up(struct host *h)
{
	uv_mutex_lock(&h->gate->lock);
	unsigned given_up = h->given_up;
	uv_mutex_unlock(&h->gate->lock);
	return given_up;
}

unsigned host_dead(struct host *h, uint64_t now)
{
	uv_mutex_lock(&h->gate->lock);
	unsigned given_up = is_dead(h, now) ? h->given_up : 0;
	uv_mutex_unlock(&h->gate->lock);
	return given_up;
}

void host_rest(struct host *h, struct host_user *user)
{
	uv_mutex_lock(&h->gate->lock);
	struct place *p = place_of(h, user, PLACE_BUSY);
	if (p)
		p->state = PLACE_IDLE;
	if (p && h->first)
		user->wake(user->arg);
	uv_mutex_unlock(&h->gate->lock);
}

void host_leave(struct host *h, struct host_user *user)
{
	uv_mutex_lock(&h->gate->lock);
	if (user->queued)
		dequeue(h, user);
	for (unsigned i = 0; i < h->gate->places; i++) {
		struct place *p = &h->places[i];
		if (p->state != PLACE_FREE && p->user == user)
			place_free(h, p);
	}
	uv_mutex_unlock(&h->gate->lock);
}

bool host_wanted(struct host *h, const struct host_user *user)
{
	uv_mutex_lock(&h->gate->lock);
	bool wanted = h->first && place_of(h, user, PLACE_IDLE);
	uv_mutex_unlock(&h->gate->lock);
	return wanted;
}

void host_gate_free(struct host_gate *g)
{
	if (!g)
		return;
	for (struct host *h = g->hosts, *next; h; h = next) {
		next = h->next;
		free(h);
	}
	uv_mutex_destroy(&g->lock);
	free(g);
}
