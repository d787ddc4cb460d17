/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "serve/child_route.h"

#include <stdlib.h>

#include "serve/server.h"

void *child_route_begin(struct request *r, size_t size, const char *command, const char *too_many)
{
	const struct serve_config *config = r->server->config;
	struct child_route *c = calloc(1, size);
	r->state = c;
	if (!c || r->server->children >= config->children_most) {
		request_reply_reason(r, MHD_HTTP_SERVICE_UNAVAILABLE, too_many);
		return NULL;
	}
	c->request = r;
	arguments_add(&c->arguments, config->program, NULL);
	arguments_add(&c->arguments, command, NULL);
	return c;
}

bool child_route_start(struct child_route *c, void (*output)(void *c, struct slice bytes), void (*hungry)(void *c),
		       void (*ended)(void *c, int status, const char *error))
{
	struct server *s = c->request->server;
	const struct process_config config = { s->loop, c->arguments.items, output, hungry, ended, c };
	c->process = c->arguments.failed ? NULL : process_start(&config);
	s->children += c->process != NULL;
	if (!c->process)
		request_reply_reason(c->request, MHD_HTTP_SERVICE_UNAVAILABLE, "no process can be started; try again");
	return c->process != NULL;
}

const char *child_route_error(const struct child_route *c, const char *error)
{
	const char *const parts[] = { "dana ", c->arguments.items[1], ": " };
	const char *rest = error;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (strncmp(rest, parts[i], strlen(parts[i])) != 0)
			return error;
		rest += strlen(parts[i]);
	}
	return rest;
}

static void drop(struct child_route *c)
{
	if (!c->process)
		return;
	c->request->server->children--;
	process_drop(c->process);
	c->process = NULL;
}

void child_route_gone(struct request *r)
{
	if (r->state)
		drop(r->state);
	request_leave(r);
}

void child_route_over(struct request *r)
{
	struct child_route *c = r->state;
	if (!c)
		return;
	drop(c);
	arguments_free(&c->arguments);
	free(c);
}
