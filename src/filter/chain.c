/* SPDX-License-Identifier: MIT */
/*
 * Lists are kept as the words that the user wrote, "response,resource", checked once at the start and compared word by
 * word for each record: they are short.
 */
#include "filter/chain.h"

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/near_name.h"
#include "filter/media_type.h"

#define ANY "any"

/* What is suggested for a mistyped word; others are taken all the same. */
#define COMMON_STATUSES "200|206|301|302|304|403|404|410|500|503"
static const char *const common_types[] = { "text/html", "application/xhtml+xml", "text/plain", "application/pdf",
					    NULL };

enum { STATUS_DIGITS = 3 };

/* Takes the next item off a list; empty at its end. */
static struct slice next_item(const char **list)
{
	struct slice item = slice_of(*list, strcspn(*list, ","));
	*list += item.len + ((*list)[item.len] == ',');
	return slice_trim(item);
}

static bool list_has(const char *list, struct slice wanted)
{
	while (*list) {
		if (slice_equal_nocase(next_item(&list), wanted))
			return true;
	}
	return false;
}

static bool takes_all(const char *list)
{
	return list_has(list, slice_from_text(ANY));
}

/* A type of the standard, or one of an extension, as "x-crawl-log". */
static bool is_type(struct slice item)
{
	if (item.len > 2 && slice_equal_nocase(slice_of(item.data, 2), slice_from_text("x-")))
		return true;
	for (int type = 0; type < RECORD_OTHER; type++) {
		if (slice_is(item, record_type_name((enum record_type)type)))
			return true;
	}
	return false;
}

static int check_types(const char *list, struct error *err)
{
	while (*list) {
		struct slice item = next_item(&list);
		if (is_type(item))
			continue;
		struct near_name near = near_name_of(item);
		for (int type = 0; type < RECORD_OTHER; type++)
			near_name_offer(&near, record_type_name((enum record_type)type));
		near_name_offer(&near, ANY);
		return near_name_refuse(&near, "--type", "a record type of WARC, one that begins with x-, or any", err);
	}
	return DANA_OK;
}

/* 100 to 999, as an index into the set; 0: the item is no HTTP status. */
static unsigned status_of(struct slice item)
{
	uint64_t n;

	if (item.len != STATUS_DIGITS || !decimal_number(item, UINT64_MAX, &n))
		return 0;
	return n >= FILTER_STATUS_LEAST ? (unsigned)n : 0;
}

static int unknown_status(struct slice item, struct error *err)
{
	struct near_name near = near_name_of(item);

	if (item.len == STATUS_DIGITS)
		near_name_offer_words(&near, COMMON_STATUSES "|" ANY);
	return near_name_refuse(&near, "--status", "100 to 999, or any", err);
}

static int read_statuses(struct filter_chain *f, const char *list, struct error *err)
{
	while (*list) {
		struct slice item = next_item(&list);
		unsigned n = status_of(item);
		if (!n)
			return unknown_status(item, err);
		f->statuses[n / 64] |= (uint64_t)1 << (n % 64);
	}
	return DANA_OK;
}

/* "html" is meant to be "text/html": the subtype stands for the whole. */
static int unknown_mime(struct slice item, struct error *err)
{
	struct near_name near = near_name_of(item);

	for (const char *const *type = common_types; *type; type++) {
		struct near_name subtype = near_name_of(item);
		near_name_offer(&near, *type);
		near_name_offer(&subtype, strchr(*type, '/') + 1);
		if (subtype.best.len && (!near.best.len || subtype.distance < near.distance)) {
			near.best = slice_from_text(*type);
			near.distance = subtype.distance;
		}
	}
	return near_name_refuse(&near, "--mime", "type/subtype, or any", err);
}

static int check_mimes(const char *list, struct error *err)
{
	while (*list) {
		struct slice item = next_item(&list);
		if (item.len == 0 || media_type_of_header(item).len != item.len || memchr(item.data, '*', item.len))
			return unknown_mime(item, err);
	}
	return DANA_OK;
}

int filter_chain_init(struct filter_chain *f, const char *types, const char *statuses, const char *mimes,
		      uint64_t min_chars, struct error *err)
{
	*f = (struct filter_chain){ .min_chars = min_chars };
	f->types = takes_all(types) ? NULL : types;
	f->mimes = takes_all(mimes) ? NULL : mimes;
	f->any_status = takes_all(statuses);
	int status = f->types ? check_types(f->types, err) : DANA_OK;
	if (status == DANA_OK && !f->any_status)
		status = read_statuses(f, statuses, err);
	return status == DANA_OK && f->mimes ? check_mimes(f->mimes, err) : status;
}

bool filter_type(const struct filter_chain *f, const struct record *rec)
{
	if (!f->types)
		return true;
	return list_has(f->types,
			rec->type < RECORD_OTHER ? slice_from_text(record_type_name(rec->type)) : rec->type_name);
}

bool filter_uri(const struct filter_chain *f, const struct record *rec)
{
	return rec->target_uri.len || (rec->target_uri.data && !f->needs_uri);
}

bool filter_status(const struct filter_chain *f, int status)
{
	if (f->any_status || status == 0)
		return true;
	if (status < FILTER_STATUS_LEAST || status > FILTER_STATUS_MOST)
		return false;
	return f->statuses[status / 64] >> (status % 64) & 1;
}

bool filter_mime(const struct filter_chain *f, struct slice head_type, struct slice payload_type, struct slice first)
{
	return !f->mimes || list_has(f->mimes, media_type(head_type, payload_type, first));
}

bool filter_length(const struct filter_chain *f, uint64_t text_chars)
{
	return text_chars >= f->min_chars;
}
