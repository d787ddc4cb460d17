/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: lists of domains and substrings of the plugin url. The input is lines: entries up to an empty line, then
 * URLs. Oracles: a host is on the list exactly when one of its parents is an entry, as a search through all of them
 * says; a substring that is found stands in the URL, and one that stands there is found.
 */
#include "config.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/url_parts.h"
#include "plugins/url/lists.h"
#include "support/split_feed.h"

enum { ENTRIES = 256 };

struct lists {
	struct domains domains;
	struct substrings substrings;
	struct slice text[ENTRIES]; /* as they stand in the input */
	char name[ENTRIES][HOST_MOST + 1];
	size_t n;
};

static void add(struct lists *l, struct slice line)
{
	const uint64_t before = l->domains.suffixes;
	must(substrings_add(&l->substrings, line) == DANA_OK);
	l->text[l->n] = line;
	l->name[l->n][0] = '\0';
	must(domains_ready(&l->domains, NULL) == DANA_OK);
	int status = domains_add(&l->domains, line);
	must(status == DANA_OK || status == DANA_ECONFIG);
	must(domains_settle(&l->domains) == DANA_OK);
	if (status == DANA_OK && l->domains.suffixes == before) {
		struct slice name = line;
		if (name.len >= 2 && memcmp(name.data, "*.", 2) == 0)
			name = slice_skip(name, 2);
		else if (name.data[0] == '.')
			name = slice_skip(name, 1);
		must(host_normal(name, l->name[l->n]) > 0);
	}
	l->n++;
}

static bool ends_with_name(struct slice host, const char *name)
{
	const size_t len = strlen(name);
	return len && host.len >= len && memcmp(host.data + host.len - len, name, len) == 0 &&
	       (host.len == len || host.data[host.len - len - 1] == '.');
}

static bool stands_in(struct slice url, struct slice text)
{
	for (size_t i = 0; i + text.len <= url.len; i++) {
		if (slice_equal_nocase(slice_of(url.data + i, text.len), text))
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct lists l;
	struct slice rest = slice_of(data, size), line;
	l = (struct lists){ .n = 0 };
	while (rest.len && (line = split_line(&rest)).len && l.n < ENTRIES)
		add(&l, line);
	while (rest.len) {
		const struct slice url = split_line(&rest);
		char normal[HOST_MOST + 1];
		const struct slice raw = url_host(url);
		must(raw.len == 0 || (raw.data >= url.data && raw.data + raw.len <= url.data + url.len));
		const struct slice host = slice_of(normal, host_normal(raw, normal));
		const struct slice found = domains_find(&l.domains, host), text = substrings_find(&l.substrings, url);
		bool listed = false, stands = false;
		for (size_t i = 0; i < l.n; i++) {
			listed |= ends_with_name(host, l.name[i]);
			stands |= stands_in(url, l.text[i]);
		}
		/* not the other way: longer public suffixes are entries, and not found */
		must(found.len == 0 || listed);
		must(stands == (text.len > 0));
		must(text.len == 0 || stands_in(url, text));
	}
	domains_free(&l.domains);
	substrings_free(&l.substrings);
	return 0;
}
