/* SPDX-License-Identifier: MIT */
/*
 * `dana serve`: the extraction as a service over HTTP. One thread runs the loop: the gate (connections) and the routes;
 * pages, archives and reports are the work of child processes, which can be ended.
 */
#ifndef DANA_SERVE_SERVE_H
#define DANA_SERVE_SERVE_H

#include <stddef.h>
#include <stdint.h>

#include "archive/plugin/plugins.h"
#include "archive/texts.h"
#include "base/slice.h"
#include "base/status.h"

/** All borrowed. */
struct serve_config {
	const char *listen; /* addresses, joined by commas; NULL: the sockets that were inherited */
	unsigned inherited; /* sockets from a supervisor, from descriptor 3 on */
	const char *method;
	struct texts texts;                /* of /extract, as are the next */
	const struct plugin_rows *plugins; /* those that are loaded, besides metadata */
	unsigned jobs;                     /* pages at once, at least 1 */
	struct slice token;                /* empty: none */
	const struct text_list *hosts;     /* names besides those of this machine */
	const struct text_list *origins;   /* of pages whose scripts may send requests */
	bool fetch;                        /* GET /extract?url= */
	bool report;                       /* GET /report has something to show */
	struct slice settings;             /* lines, for the report */
	char **fetcher;                    /* as `worker`, of a process that runs serve_fetcher */
	const char *program;               /* of children: this one */
	char **worker;                     /* of a process that runs serve_worker with this config; NULL ended */
	size_t body_most, memory_most, connections_most, peer_most, requests_most, children_most;
	unsigned head_seconds, idle_seconds, drain_seconds, page_seconds;
	int (*read_file)(void *read_arg, const char *name, char **data,
			 size_t *len); /* as dana_options.read_file; any thread */
	void *read_arg;
	void (*line)(const char *text); /* prints a line for people */
	void (*watch)(void (*stop)(void *arg),
		      void *arg); /* `stop` is called, on any thread, when the service shall end */
	void (*unwatch)(void *arg);
};

/** Makes the texts of the pages that the service writes to standard input, until that ends. Returns 0, or an error. */
int serve_worker(const struct serve_config *config, struct error *err);
/**
 * Reads a URL from standard input, fetches its page from a public address, and writes it to standard output. Returns as
 * serve_worker.
 */
int serve_fetcher(const struct serve_config *config, struct error *err);
/** Runs until it is stopped and has drained. Returns 0, or the error that kept it from beginning. */
int serve_run(const struct serve_config *config, struct error *err);

#endif
