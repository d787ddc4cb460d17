#include "filter/chain.h"

#include "base/ascii.h"
#include "base/printable.h"
#include "filter/media_type.h"

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
	return list_has(list, slice_from_text("any"));
}

static int read_statuses(struct filter_chain *f, const char *list, struct error *err)
{
	while (*list) {
		struct slice item = next_item(&list);
		unsigned n = 0;
		for (size_t i = 0; i < item.len && i < 4; i++)
			n = ascii_is_digit(item.data[i]) ? 10 * n + (item.data[i] - (unsigned)'0')
							 : FILTER_STATUS_MOST + 1;
		if (item.len != 3 || n < FILTER_STATUS_LEAST || n > FILTER_STATUS_MOST) {
			char shown[40];
			return error_set(err, DANA_ECONFIG,
					 "--status: '%s' is no HTTP status; right is 100 to 999, or any",
					 printable(item, shown, sizeof(shown)));
		}
		f->statuses[n / 64] |= (uint64_t)1 << (n % 64);
	}
	return DANA_OK;
}

static int check_mimes(const char *list, struct error *err)
{
	while (*list) {
		struct slice item = next_item(&list);
		if (item.len && media_type_of_header(item).len == item.len && !memchr(item.data, '*', item.len))
			continue;
		char shown[64];
		return error_set(err, DANA_ECONFIG, "--mime: '%s' is no media type; right is type/subtype, or any",
				 printable(item, shown, sizeof(shown)));
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
	int status = f->any_status ? DANA_OK : read_statuses(f, statuses, err);
	return status == DANA_OK && f->mimes ? check_mimes(f->mimes, err) : status;
}

bool filter_type(const struct filter_chain *f, const struct record *rec)
{
	static const char *const names[RECORD_OTHER] = {
		[RECORD_WARCINFO] = "warcinfo",     [RECORD_RESPONSE] = "response",
		[RECORD_RESOURCE] = "resource",     [RECORD_REQUEST] = "request",
		[RECORD_METADATA] = "metadata",     [RECORD_REVISIT] = "revisit",
		[RECORD_CONVERSION] = "conversion", [RECORD_CONTINUATION] = "continuation",
	};
	if (!f->types)
		return true;
	return list_has(f->types, rec->type < RECORD_OTHER ? slice_from_text(names[rec->type]) : rec->type_name);
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

/* Some type on the list is neither HTML nor text: a body's binary format may be what is wanted. */
static bool takes_binary(const char *list)
{
	while (*list) {
		struct slice item = next_item(&list);
		if (item.len < 5 || !slice_is(slice_of(item.data, 5), "text/"))
			if (!slice_is(item, "application/xhtml+xml"))
				return true;
	}
	return false;
}

enum filter_answer filter_mime_head(const struct filter_chain *f, struct slice head_type)
{
	if (!f->mimes)
		return FILTER_PASS;
	if (media_type_is_vague(head_type) || takes_binary(f->mimes) ||
	    list_has(f->mimes, media_type_of_header(head_type)))
		return FILTER_NEEDS_BODY;
	return FILTER_DROP;
}

bool filter_mime(const struct filter_chain *f, struct slice head_type, struct slice payload_type, struct slice first)
{
	return !f->mimes || list_has(f->mimes, media_type(head_type, payload_type, first));
}

bool filter_length(const struct filter_chain *f, uint64_t text_chars)
{
	return text_chars >= f->min_chars;
}
