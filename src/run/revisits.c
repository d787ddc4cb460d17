/* SPDX-License-Identifier: MIT */
/*
 * Which inputs of a run the table of --revisits resolve is made of, and how those on servers are read: by ranges, for
 * the table as for each record that a revisit refers to. A file whose server has failed for good is not asked for
 * again.
 */
#include "config.h"

#include "run/revisits.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "archive/revisit_table.h"
#include "base/diagnostics.h"
#include "io/address.h"
#include "io/remote_file.h"
#include "run/inputs.h"
#include "run/settings.h"
#include "run/signals.h"

enum { SHOWN = 200 };

/* A file on a server; its readers ask for one part at a time, each under the reader's lock. */
struct served {
	struct revisit_remote remote; /* first */
	struct revisits *owner;
	struct remote_file file;
	atomic_bool failed;
	struct served *next;
};

struct revisits {
	const struct run_settings *settings;
	struct revisit_table *table;
	struct network *network;
	struct remote_reader *reader; /* NULL: no input is on a server */
	struct served *served;        /* the last one first */
	atomic_bool failed;
};

int revisits_check(const struct run_settings *s, const struct inputs *in, struct error *err)
{
	const char *why = s->inputs.watch ? "--watch does not know all inputs" : inputs_read_once(in);
	if (why)
		return error_set(err, DANA_ECONFIG, "--revisits resolve: %s; it reads files twice", why);
	if (in->pieces && inputs_network(in))
		return error_set(err, DANA_ECONFIG,
				 "--revisits resolve: the archives that --cdx names are on a server and would be "
				 "fetched whole; give them as inputs, without --cdx");
	return DANA_OK;
}

static void tell(const struct revisits *r, const char *name, const char *why)
{
	char shown[SHOWN];
	if (!r->settings->reports.quiet)
		notice(&r->settings->reports.messages,
		       "--revisits resolve: %s: %s, so revisits of its records are only counted",
		       printable(slice_from_text(name), shown, sizeof(shown)), why);
}

/* ---- files on servers ---- */

static int64_t read_served(struct revisit_remote *self, uint64_t offset, void *to, size_t n)
{
	struct served *f = (struct served *)self;
	struct error err = { 0 };
	if (atomic_load(&f->failed))
		return -1;
	const int64_t got = remote_read(f->owner->reader, &f->file, offset, to, n, &err);
	if (got >= 0 || revisit_table_stopped(f->owner->table) || atomic_exchange(&f->failed, true))
		return got;
	atomic_store(&f->owner->failed, true);
	tell(f->owner, f->file.shown, err.text);
	return -1;
}

/* The file of an input; those that a zip has follow one another. Returns NULL if memory is exhausted. */
static struct served *served_file(struct revisits *r, const char *address, const char *shown)
{
	struct served *f = r->served;
	if (f && strcmp(f->file.address, address) == 0)
		return f;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->remote.read = read_served;
	f->owner = r;
	f->file = (struct remote_file){ .address = address, .shown = shown };
	f->next = r->served;
	r->served = f;
	return f;
}

/*
 * Fills the place of an input on a server. Nothing is fetched of a file that could not be read by ranges again. Returns
 * 1, 0 if its records are not to be found, or DANA_ENOMEM.
 */
static int find_served(struct revisits *r, const char *address, struct revisit_place *out)
{
	struct served *f = served_file(r, address, out->name);
	uint8_t byte;
	if (!f)
		return DANA_ENOMEM;
	out->remote = &f->remote;
	if (!f->file.identity.known && read_served(&f->remote, 1, &byte, 1) < 0)
		return 0;
	if (!f->file.identity.known) /* the file is empty */
		return 0;
	if (f->file.no_ranges || f->file.identity.total == UINT64_MAX) {
		tell(r, out->name, "its server does not send ranges of a file whose length it gives");
		return 0;
	}
	if (out->size == 0)
		out->size = f->file.identity.total;
	return 1;
}

/* ---- inputs ---- */

/* Fills where input number i is. Returns as find_served. */
static int find_place(struct revisits *r, const struct inputs *in, size_t i, struct revisit_place *out)
{
	const struct source_part *part = in->parts ? in->parts[i] : NULL;
	const char *address = inputs_address(in, i);
	*out = (struct revisit_place){ .name = in->names.items[i], .path = address };
	if (part && part->fault)
		return 0;
	if (part && (part->deflated || part->zip)) {
		tell(r, out->name, "deflated in its zip");
		return 0;
	}
	if (part) {
		out->begin = part->begin;
		out->size = part->length;
	}
	if (address_is_network(address))
		return find_served(r, address, out);
	return part || inputs_size(in, i, &out->size);
}

static int learn(struct revisits *r, const struct inputs *in)
{
	struct revisit_place place, before = { .name = "" };
	int status = DANA_OK;
	for (size_t i = 0; i < in->names.n && status >= 0 && !revisit_table_stopped(r->table); i++) {
		const struct source_part *part = in->parts ? in->parts[i] : NULL;
		/* each input once, whatever parts of it the run reads */
		if (strcmp(before.name, in->names.items[i]) == 0 && before.begin == (part ? part->begin : 0))
			continue;
		status = find_place(r, in, i, &place);
		if (status > 0)
			status = revisit_table_add(r->table, &place);
		before = place;
	}
	return status;
}

int revisits_learn(struct revisits **out, const struct run_settings *s, const struct inputs *in,
		   struct network *network, struct error *err)
{
	struct revisits *r = calloc(1, sizeof(*r));
	*out = r;
	if (r) {
		r->settings = s;
		r->table = revisit_table_new(&s->limits);
	}
	if (!r || !r->table)
		return error_no_memory(err);
	if (inputs_network(in) && !(r->reader = remote_reader_new(network, err)))
		return (int)err->status;
	signals_watch(revisit_table_stop, r->table);
	if (r->reader)
		signals_watch(remote_reader_stop, r->reader);
	const int status = learn(r, in);
	signals_unwatch(r->table);
	if (r->reader)
		signals_unwatch(r->reader);
	if (status >= 0 && revisit_table_left_out(r->table) && !s->reports.quiet)
		notice(&s->reports.messages,
		       "--revisits resolve: %" PRIu64
		       " records have no room in the table (--max-revisits); revisits of "
		       "these are only counted",
		       revisit_table_left_out(r->table));
	return status < 0 ? error_no_memory(err) : DANA_OK;
}

const struct revisit_source *revisits_source(const struct revisits *r)
{
	return revisit_table_source(r->table);
}

bool revisits_failed(const struct revisits *r)
{
	return r && atomic_load(&r->failed);
}

void revisits_free(struct revisits *r)
{
	if (!r)
		return;
	revisit_table_free(r->table);
	remote_reader_free(r->reader);
	for (struct served *f = r->served, *next; f; f = next) {
		next = f->next;
		free(f);
	}
	free(r);
}
