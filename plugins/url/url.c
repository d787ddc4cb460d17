/* SPDX-License-Identifier: MIT */
/*
 * The plugin `url`: drops pages by their address, by lists of hosts, substrings and patterns (lists.h). The lists
 * belong to the run and are read by all threads; each thread has a matcher of its own.
 *
 * The rules, in this order: a host on an `allow` list passes; one on a `block` list is dropped; then substrings and
 * patterns. If there are no other rules, only hosts on an `allow` list pass.
 */
#include <stdlib.h>

#include "base/status.h"
#include "base/url_parts.h"
#include "dana/dana_plugin.h"
#include "plugins/url/lists.h"

enum rule { RULE_DOMAIN, RULE_SUBSTRING, RULE_PATTERN, RULE_ALLOW, RULES, STOPPED = RULES };

static const char *const rules[RULES + 2] = { "domain", "substring", "pattern", "allow", "patterns_stopped", NULL };

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

/* Shared by all threads, which do not change it. */
struct lists {
	struct domains block, allow;
	struct substrings substrings;
	struct patterns patterns;
	bool only_allowed;
};

struct url {
	const struct lists *lists;
	struct matcher *matcher;
};

/* ---- loading ---- */

static struct slice item(const struct dana_context *c, const char *option, size_t i)
{
	const struct dana_view v = host->option_item(c, option, i);
	return slice_of(v.data, v.len);
}

/* Reads the lists of an option. The name is copied, to be terminated. */
static int read_domains(struct domains *d, struct dana_context *c, const char *option, struct error *err)
{
	char name[4096];
	struct slice file;
	for (size_t i = 0; (file = item(c, option, i)).data; i++) {
		if (file.len >= sizeof(name))
			return error_set(err, DANA_ECONFIG, "%s: a file name is too long", option);
		memcpy(name, file.data, file.len);
		name[file.len] = '\0';
		int status = domains_read(d, name, err);
		if (status < 0)
			return status;
	}
	if (d->suffixes)
		host->log(c, DANA_LOG_WARNING, "%s: %llu entries are public suffixes, such as co.uk, and were left out",
			  option, (unsigned long long)d->suffixes);
	return DANA_OK;
}

static void unload(void *shared)
{
	struct lists *l = shared;
	domains_free(&l->block);
	domains_free(&l->allow);
	substrings_free(&l->substrings);
	patterns_free(&l->patterns);
	free(l);
}

static int read_all(struct lists *l, struct dana_context *c, struct error *err)
{
	int status = read_domains(&l->block, c, "block", err);
	if (status == DANA_OK)
		status = read_domains(&l->allow, c, "allow", err);
	const char *substrings = host->option_text(c, "substrings");
	struct slice substring;
	for (size_t i = 0; status == DANA_OK && (substring = item(c, "substring", i)).data; i++) {
		status = substrings_add(&l->substrings, substring);
		if (status < 0)
			(void)error_set(err, status, "substring: %s", status_text(status));
	}
	if (status == DANA_OK && substrings)
		status = substrings_read(&l->substrings, substrings, err);
	if (status == DANA_OK) {
		const char *file = host->option_text(c, "patterns"), *text = host->option_text(c, "pattern");
		status = text ? patterns_add(&l->patterns, slice_from_text(text), err) : DANA_OK;
		status = status == DANA_OK && file ? patterns_read(&l->patterns, file, err) : status;
	}
	if (status < 0)
		return status;
	const bool blocks = host->option_is_set(c, "block") || l->substrings.n || l->patterns.n;
	l->only_allowed = !blocks && host->option_is_set(c, "allow");
	if (!blocks && !l->only_allowed)
		return error_set(err, DANA_ECONFIG,
				 "no rule is set; expected block, allow, substring, substrings, pattern or patterns");
	return DANA_OK;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	struct error err = { 0 };
	host = h;
	struct lists *l = calloc(1, sizeof(*l));
	if (!l)
		return host->fail(c, "%s", status_text(DANA_ENOMEM));
	if (read_all(l, c, &err) < 0) {
		unload(l);
		return host->fail(c, "%s", err.text);
	}
	host->log(c, DANA_LOG_INFO, "%zu domains blocked, %zu allowed, %zu substrings, %zu patterns", l->block.set.n,
		  l->allow.set.n, l->substrings.n, l->patterns.n);
	*shared = l;
	return 0;
}

static int open_instance(void **instance, void *shared, const struct dana_host *h, struct dana_context *c)
{
	struct url *x = calloc(1, sizeof(*x));
	if (!x)
		return h->fail(c, "%s", status_text(DANA_ENOMEM));
	x->lists = shared;
	x->matcher = matcher_new();
	if (x->matcher) {
		*instance = x;
		return 0;
	}
	free(x);
	return h->fail(c, "%s", status_text(DANA_ENOMEM));
}

static void close_instance(void *instance)
{
	struct url *x = instance;
	matcher_free(x->matcher);
	free(x);
}

/* ---- asking ---- */

static int drop(struct dana_page *p, enum rule rule, struct slice match)
{
	const struct dana_view entry = { (const char *)match.data, match.len };
	host->count(p, rule, 1);
	if (match.len) {
		int status = host->put_text(p, "match", entry);
		if (status < 0)
			return status;
	}
	return host->drop(p, rules[rule]);
}

static int head(void *instance, struct dana_page *p)
{
	const struct url *x = instance;
	const struct lists *l = x->lists;
	const struct dana_view view = host->text_item(p, DANA_URL);
	const struct slice url = slice_of(view.data, view.len);
	char name[HOST_MOST + 1];
	struct slice match;
	uint64_t stopped = 0;
	const struct slice domain = slice_of(name, host_normal(url_host(url), name));
	if (domains_find(&l->allow, domain).len)
		return DANA_KEEP;
	if (l->only_allowed)
		return drop(p, RULE_ALLOW, domain);
	if ((match = domains_find(&l->block, domain)).len)
		return drop(p, RULE_DOMAIN, match);
	if ((match = substrings_find(&l->substrings, url)).len)
		return drop(p, RULE_SUBSTRING, match);
	match = patterns_find(&l->patterns, x->matcher, url, &stopped);
	if (stopped)
		host->count(p, STOPPED, stopped);
	return match.len ? drop(p, RULE_PATTERN, match) : DANA_KEEP;
}

static const struct dana_option options[] = {
	{ "block", DANA_LIST, "FILE,...", NULL,
	  "lists of domains, one a line, plain or gzip; drops them and the names below them", 0, 0 },
	{ "allow", DANA_LIST, "FILE,...", NULL,
	  "lists of domains that pass whatever the other rules say; without another rule only these pass", 0, 0 },
	{ "substring", DANA_LIST, "TEXT,...", NULL, "drops URLs that hold one of these, in any case of letters", 0, 0 },
	{ "substrings", DANA_FILE, "FILE", NULL, "the same, one a line", 0, 0 },
	{ "pattern", DANA_STRING, "REGEX", NULL, "drops URLs that match, as PCRE2 reads it", 0, 0 },
	{ "patterns", DANA_FILE, "FILE", NULL, "the same, one a line", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(url) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "url",
	.version = "1",
	.help = "drops records by domain, substring or pattern of their URL, before they are read",
	.options = options,
	.counters = rules,
	.load = load,
	.open = open_instance,
	.head = head,
	.close = close_instance,
	.unload = unload,
};
