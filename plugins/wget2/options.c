/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plugins/wget2/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "plugins/wget2/tell.h"

#define BODY_MOST ((size_t)32 << 20)

static int no_memory(void)
{
	tell("out of memory");
	return -1;
}

static int set_text(char **to, const char *name, const char *value)
{
	if (!value || !*value) {
		tell("dana.%s: expected a value", name);
		return -1;
	}
	free(*to);
	*to = strdup(value);
	return *to ? 0 : no_memory();
}

static int add_argument(struct options *o, char *argument)
{
	char **more = argument ? grow_items(o->arguments, o->n, &o->cap, sizeof(*more)) : NULL;
	if (!more) {
		free(argument);
		return no_memory();
	}
	o->arguments = more;
	o->arguments[o->n++] = argument;
	return 0;
}

static int add_option(struct options *o, const char *name, const char *value)
{
	struct buf b = { 0 };
	buf_printf(&b, "--%s%s%s", name, value ? "=" : "", value ? value : "");
	if (buf_append_byte(&b, 0) < 0)
		buf_free(&b);
	return add_argument(o, (char *)b.data);
}

/* A block is a head and a body: the limit of the child must be larger, so that it does not cut kept bodies. */
static int add_block_most(struct options *o)
{
	enum { HEAD_MOST = 1 << 20 };
	char text[32];
	if (!o->body_most) {
		o->body_most = BODY_MOST;
		return 0;
	}
	(void)snprintf(text, sizeof(text), "%zu", o->body_most + HEAD_MOST);
	return add_option(o, "max-block", text);
}

static int set_body_most(struct options *o, const char *value)
{
	char *end = NULL;
	unsigned long long n = value ? strtoull(value, &end, 10) : 0;
	const char *units = end && *end ? strchr("KMG", *end) : NULL;
	unsigned shift = !units ? 0 : *units == 'K' ? 10 : *units == 'M' ? 20 : 30;
	if (n == 0 || !end || (*end && (!units || end[1])) || n > SIZE_MAX >> shift) {
		tell("dana.max-block: expected a number of bytes such as 32M");
		return -1;
	}
	o->body_most = (size_t)n << shift;
	return 0;
}

int options_read(struct options *o, const char *name, const char *value)
{
	if (strcmp(name, "help") == 0) {
		options_help();
		return 0;
	}
	if (strcmp(name, "warc") == 0)
		return set_text(&o->warc, name, value);
	if (strcmp(name, "program") == 0)
		return set_text(&o->program, name, value);
	if (strcmp(name, "max-block") == 0)
		return set_body_most(o, value);
	if (strcmp(name, "force") == 0)
		o->force = true;
	o->jobs |= strcmp(name, "jobs") == 0 || strcmp(name, "config") == 0;
	if (strcmp(name, "output") == 0 && set_text(&o->output, name, value) < 0)
		return -1;
	return add_option(o, name, value);
}

bool options_filter(const struct options *o)
{
	return o->output != NULL;
}

/* One thread keeps up with a crawl; more threads would only cost time to wake each other. */
int options_finish(struct options *o)
{
	if (!o->jobs && add_option(o, "jobs", "0") < 0)
		return -1;
	if (add_block_most(o) < 0 || add_argument(o, strdup(o->program ? o->program : DANA_PROGRAM)) < 0 ||
	    add_argument(o, strdup("filter")) < 0)
		return -1;
	/* The last two arguments move to the front. */
	char *last[] = { o->arguments[o->n - 2], o->arguments[o->n - 1] };
	memmove(o->arguments + 2, o->arguments, (o->n - 2) * sizeof(*o->arguments));
	memcpy(o->arguments, last, sizeof(last));
	char **more = grow_items(o->arguments, o->n, &o->cap, sizeof(*more));
	if (!more)
		return no_memory();
	o->arguments = more;
	o->arguments[o->n] = NULL;
	return 0;
}

void options_help(void)
{
	(void)fputs("  --plugin-opt=dana.output=FILE    write the main text of each HTML page to FILE (JSONL, or WARC "
		    "by its name;\n"
		    "                                   - is standard output)\n"
		    "  --plugin-opt=dana.warc=FILE      write requests and responses to FILE, as WARC (.gz and .zst "
		    "compress)\n"
		    "  --plugin-opt=dana.force          overwrite files that exist\n"
		    "  --plugin-opt=dana.max-block=N    bytes of a body that are kept (32M)\n"
		    "  --plugin-opt=dana.program=FILE   the program dana, where it is not the installed one\n"
		    "  --plugin-opt=dana.NAME=VALUE     any other option of dana filter: method, min-chars, mime, "
		    "stats, plugin ...\n"
		    "  (dana help filter lists them)\n",
		    stdout);
}

void options_free(struct options *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->arguments[i]);
	free(o->arguments);
	free(o->warc);
	free(o->program);
	free(o->output);
}
