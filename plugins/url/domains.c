/* SPDX-License-Identifier: MIT */
/*
 * "a.b.example.com" is looked up as itself, "b.example.com" and "example.com": one memory access each, all started
 * before the first is waited for. An entry that is a public suffix would match names of many owners, and is nearly
 * always a mistake in the list. Asking libpsl about each of millions of entries would take longer than all else, so
 * short entries are checked when they are read, and longer ones only when they are found.
 */
#include "plugins/url/domains.h"

#include <xxhash.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/ondemand/psl_library.h"
#include "base/printable.h"
#include "plugins/url/host.h"
#include "plugins/url/list_file.h"

enum { SHORT = 8, LABELS = 16 /* labels that are looked up together */ };

/*
 * Returns whether ICANN's section of the list has the name. Suffixes of companies, such as github.io, have an owner;
 * those of an intranet are not listed.
 */
static bool is_public_suffix(const struct psl_library *psl, const char *name)
{
	return psl->psl_is_public_suffix2(psl->psl_builtin(), name, PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE);
}

int domains_ready(struct domains *d, struct error *err)
{
	d->psl = psl_library(err);
	return d->psl ? host_ready(err) : (int)err->status;
}

int domains_settle(struct domains *d)
{
	int status = hash_set_add(&d->set, d->waiting, d->n_waiting);
	free(d->waiting);
	d->waiting = NULL;
	d->n_waiting = d->waiting_cap = 0;
	return status;
}

static int add_later(struct domains *d, uint64_t hash)
{
	uint64_t *more = grow_items(d->waiting, d->n_waiting, &d->waiting_cap, sizeof(*more));
	if (!more)
		return DANA_ENOMEM;
	d->waiting = more;
	d->waiting[d->n_waiting++] = hash;
	return DANA_OK;
}

int domains_add(struct domains *d, struct slice name)
{
	char normal[HOST_MOST + 1];
	if (name.len >= 2 && memcmp(name.data, "*.", 2) == 0)
		name = slice_skip(name, 2);
	else if (name.len && name.data[0] == '.')
		name = slice_skip(name, 1);
	const size_t len = host_normal(name, normal);
	if (len == 0)
		return DANA_ECONFIG;
	if (len <= SHORT && is_public_suffix(d->psl, normal)) {
		d->suffixes++;
		return DANA_OK;
	}
	d->single |= !memchr(normal, '.', len);
	return add_later(d, XXH3_64bits(normal, len));
}

/* Returns the name on a line of a hosts file; other lines as they are. */
static struct slice name_on_line(struct slice line)
{
	size_t i = 0;
	while (i < line.len && (ascii_is_digit(line.data[i]) || line.data[i] == '.' || line.data[i] == ':'))
		i++;
	return i && i < line.len && ascii_is_space(line.data[i]) ? slice_trim(slice_skip(line, i)) : line;
}

static int add_line(void *arg, struct slice text, const struct list_place *place, struct error *err)
{
	char shown[64];
	int status = domains_add(arg, name_on_line(text));
	if (status == DANA_ECONFIG)
		return error_set(err, status, "%s:%lu: '%s' is not a domain", place->file, place->line,
				 printable(text, shown, sizeof(shown)));
	return status < 0 ? error_set(err, status, "%s", status_text(status)) : DANA_OK;
}

int domains_read(struct domains *d, const char *file, struct error *err)
{
	int status = domains_ready(d, err);
	if (status == DANA_OK)
		status = list_file_read(file, add_line, d, err);
	if (status == DANA_OK && domains_settle(d) < 0)
		status = error_no_memory(err);
	return status;
}

/* Returns the parent domain: the name without its first label. */
static struct slice above(struct slice host)
{
	const uint8_t *dot = memchr(host.data, '.', host.len);
	return dot ? slice_skip(host, (size_t)(dot - host.data) + 1) : slice_of(NULL, 0);
}

/* Takes up to LABELS names from *host upwards, with their hashes; moves *host to the first one not taken. */
static size_t take_names(const struct domains *d, struct slice *host, struct slice name[LABELS], uint64_t hash[LABELS])
{
	size_t n = 0;
	while (n < LABELS && host->len) {
		const struct slice next = above(*host);
		if (next.len || d->single) {
			name[n] = *host;
			hash[n] = XXH3_64bits(host->data, host->len);
			hash_set_expect(&d->set, hash[n++]);
		}
		*host = next;
	}
	return n;
}

struct slice domains_find(const struct domains *d, struct slice host)
{
	struct slice name[LABELS];
	uint64_t hash[LABELS];
	while (d->set.n && host.len) {
		const size_t n = take_names(d, &host, name, hash);
		for (size_t i = 0; i < n; i++) {
			if (hash_set_has(&d->set, hash[i]) && !is_public_suffix(d->psl, (const char *)name[i].data))
				return name[i];
		}
	}
	return slice_of(NULL, 0);
}

void domains_free(struct domains *d)
{
	free(d->waiting);
	hash_set_free(&d->set);
}
