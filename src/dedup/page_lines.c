/* SPDX-License-Identifier: MIT */
/*
 * A text is brought into its normal form and hashed part by part, so that memory does not grow with it.
 */
#include "dedup/page_lines.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/psl_library.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "dedup/counts.h"
#include "dedup/normal_text.h"

enum { KEPT = 4 * NORMAL_PART }; /* most memory kept for the next text */

struct text_hasher {
	struct normaliser *normaliser;
	unsigned flags;
	struct buf form;
	XXH3_state_t *state;
};

struct text_hasher *text_hasher_new(unsigned flags)
{
	struct text_hasher *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->flags = flags;
	h->normaliser = normaliser_new();
	h->state = XXH3_createState();
	if (!h->normaliser || !h->state) {
		text_hasher_free(h);
		return NULL;
	}
	return h;
}

void text_hasher_free(struct text_hasher *h)
{
	if (!h)
		return;
	normaliser_free(h->normaliser);
	(void)XXH3_freeState(h->state);
	buf_free(&h->form);
	free(h);
}

int text_hash(struct text_hasher *h, struct slice text, struct hash128 *hash, bool *empty)
{
	int status = DANA_OK;
	*empty = true;
	(void)XXH3_128bits_reset(h->state);
	while (status == DANA_OK && text.len) {
		buf_clear(&h->form);
		status = normal_text(h->normaliser, normal_next_part(&text), h->flags, &h->form);
		if (status < 0 || h->form.len == 0)
			continue;
		if (!*empty)
			(void)XXH3_128bits_update(h->state, " ", 1);
		(void)XXH3_128bits_update(h->state, h->form.data, h->form.len);
		*empty = false;
	}
	XXH128_hash_t digest = XXH3_128bits_digest(h->state);
	*hash = (struct hash128){ .high = digest.high64, .low = digest.low64 };
	buf_shrink(&h->form, KEPT);
	return status;
}

int line_hash(struct text_hasher *h, struct slice line, uint64_t seed, uint64_t *hash, size_t *chars)
{
	buf_clear(&h->form);
	int status = normal_text(h->normaliser, line, h->flags, &h->form);
	*hash = XXH3_64bits_withSeed(h->form.data, h->form.len, seed);
	*chars = utf8_count(buf_slice(&h->form));
	buf_shrink(&h->form, KEPT);
	return status;
}

uint64_t line_scope(struct slice site)
{
	uint64_t hash = hash64(site);
	return hash ? hash : LINE_SCOPE_ALL;
}

uint64_t site_key(uint32_t hash, enum site_fact fact, uint64_t scope)
{
	const uint8_t bytes[] = {
		0, (uint8_t)fact, (uint8_t)hash, (uint8_t)(hash >> 8), (uint8_t)(hash >> 16), (uint8_t)(hash >> 24)
	};
	const uint64_t key = XXH3_64bits_withSeed(bytes, sizeof(bytes), scope);
	return key | (key == 0);
}

int page_lines_add(struct page_lines *lines, struct text_hasher *hasher, struct slice text, uint64_t scope)
{
	for (size_t start = 0, len; start < text.len; start += len + 1) {
		struct page_line *items = grow_items(lines->items, lines->n, &lines->cap, sizeof(*items));
		const uint8_t *end = memchr(text.data + start, '\n', text.len - start);
		uint64_t hash;
		size_t chars;
		if (!items)
			return DANA_ENOMEM;
		lines->items = items;
		len = end ? (size_t)(end - text.data) - start : text.len - start;
		int status = line_hash(hasher, slice_of(text.data + start, len), scope, &hash, &chars);
		if (status < 0)
			return status;
		items[lines->n++] = (struct page_line){ .key = chars ? hash | (hash == 0) : 0,
							.start = (uint32_t)start,
							.len = (uint32_t)len,
							.chars = (uint32_t)chars };
		lines->chars += chars;
	}
	return DANA_OK;
}

int page_lines_keys(const struct page_lines *lines, size_t min_chars, struct buf *out)
{
	size_t count = 0, once = 0;
	if (buf_reserve(out, (lines->n + 1) * sizeof(uint64_t)) < 0)
		return DANA_ENOMEM;
	uint64_t *keys = (void *)(out->data + out->len);
	for (size_t i = 0; i < lines->n; i++) {
		if (lines->items[i].key && lines->items[i].chars >= min_chars)
			keys[count++] = lines->items[i].key;
	}
	numbers_sort(keys, count);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || keys[i] != keys[i - 1])
			keys[once++] = keys[i];
	}
	out->len += once * sizeof(*keys);
	return DANA_OK;
}

void page_lines_clear(struct page_lines *lines)
{
	lines->n = 0;
	lines->chars = 0;
}

void page_lines_free(struct page_lines *lines)
{
	free(lines->items);
	*lines = (struct page_lines){ 0 };
}

int page_lines_left(const struct page_lines *lines, struct slice text, struct buf *out)
{
	bool first = true;
	for (size_t i = 0; i < lines->n; i++) {
		const struct page_line *line = &lines->items[i];
		if (line->mark)
			continue;
		if (!first)
			buf_append_byte(out, '\n');
		buf_append(out, text.data + line->start, line->len);
		first = false;
	}
	return buf_status(out);
}

/* An IPv6 address in brackets, or nothing but digits and dots. */
static bool is_address(struct slice host)
{
	for (size_t i = 0; i < host.len; i++) {
		if (!ascii_is_digit(host.data[i]) && host.data[i] != '.')
			return host.data[0] == '[';
	}
	return true;
}

int site_of_url(struct slice url, struct buf *site)
{
	struct error err = { 0 };
	const struct psl_library *psl = psl_library(&err);
	struct slice host = url_host(url);
	size_t start = site->len;
	if (!psl)
		return (int)err.status;
	for (size_t i = 0; i < host.len; i++)
		buf_append_byte(site, host.data[i] ? ascii_lower(host.data[i]) : '_');
	buf_append_byte(site, 0);
	if (buf_status(site) < 0)
		return DANA_ENOMEM;
	const char *name = (const char *)site->data + start;
	const char *registered = is_address(host) ? NULL : psl->psl_registrable_domain(psl->psl_builtin(), name);
	site->len--;      /* without the NUL */
	if (registered) { /* an end of the name */
		size_t len = strlen(registered);
		memmove(site->data + start, registered, len);
		site->len = start + len;
	}
	return DANA_OK;
}

int site_scope(struct site_scopes *s, struct slice url, uint64_t *scope)
{
	const struct slice host = url_host(url);
	const size_t slots = sizeof(s->known) / sizeof(*s->known), at = hash64(host) % slots;
	struct buf site = { 0 };
	*scope = 0;
	if (host.len == 0)
		return DANA_OK;
	if (slice_equal(host, slice_of(s->known[at].host, s->known[at].len))) {
		*scope = s->known[at].scope;
		return DANA_OK;
	}
	const int status = site_of_url(url, &site);
	if (status == DANA_OK)
		*scope = line_scope(buf_slice(&site));
	buf_free(&site);
	if (status == DANA_OK && host.len <= sizeof(s->known[at].host)) {
		s->known[at].scope = *scope;
		s->known[at].len = (uint8_t)host.len;
		memcpy(s->known[at].host, host.data, host.len);
	}
	return status;
}
