/* SPDX-License-Identifier: MIT */
/*
 * Lists of words as a user writes them, "response,resource", in any case of letters; the word `any` takes all. Example:
 * of --status 200,404 the entries 200 and 404 of `status` are set.
 */
#include "archive/plugin/filters.h"

#include "archive/http/media_type.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/diagnostics.h"

#define ROW(reason, name, option, help) { name, option, help },
const struct filter_row filter_table[] = { FILTER_LIST(ROW){ .name = NULL } };

const struct filter_row *filter_find(struct slice name)
{
	for (const struct filter_row *row = filter_table; row->name; row++) {
		if (slice_equal(slice_from_text(row->name), name))
			return row;
	}
	return NULL;
}

/* Takes the next item off a list, without white space at its ends. Returns an empty slice at the end. */
static struct slice next_item(const char **list)
{
	struct slice item = slice_of(*list, strcspn(*list, ","));
	*list += item.len + ((*list)[item.len] == ',');
	return slice_trim(item);
}

static bool has(const char *list, struct slice wanted)
{
	while (*list) {
		if (slice_equal_nocase(next_item(&list), wanted))
			return true;
	}
	return false;
}

/* ---- words, and suggestions for mistyped ones ---- */

/* Returns whether it is a type of the standard, or of an extension, such as "x-crawl-log". */
static bool is_type(struct slice item)
{
	bool known = item.len > 2 && slice_is(slice_first(item, 2), "x-");
	for (int type = 0; type < RECORD_OTHER; type++)
		known |= slice_is(item, record_type_name((enum record_type)type));
	return known;
}

static struct near_name near_type(struct slice item)
{
	struct near_name near = near_name_of(item);
	for (int type = 0; type < RECORD_OTHER; type++)
		near_name_offer(&near, record_type_name((enum record_type)type));
	near_name_offer(&near, "any");
	return near;
}

static int number_of(struct slice item)
{
	return (item.data[0] - '0') * 100 + (item.data[1] - '0') * 10 + item.data[2] - '0';
}

static bool is_status(struct slice item)
{
	return item.len == 3 && ascii_is_digit(item.data[0]) && ascii_is_digit(item.data[1]) &&
	       ascii_is_digit(item.data[2]) && number_of(item) >= STATUS_LEAST;
}

static struct near_name near_status(struct slice item)
{
	struct near_name near = near_name_of(item);
	if (item.len == 3)
		near_name_offer_words(&near, "200|206|301|302|304|403|404|410|500|503|any");
	return near;
}

static bool is_mime(struct slice item)
{
	return item.len && media_type_of_header(item).len == item.len && !memchr(item.data, '*', item.len);
}

/* Suggests "text/html" for "html": a subtype alone means the whole type. */
static struct near_name near_mime(struct slice item)
{
#define COMMA ,
	static const char *const common[] = { MEDIA_HTML(COMMA), "text/plain", "application/pdf" };
	struct near_name near = near_name_of(item);
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
		struct near_name subtype = near_name_of(item);
		near_name_offer(&near, common[i]);
		near_name_offer(&subtype, strchr(common[i], '/') + 1);
		if (subtype.best.len && (!near.best.len || subtype.distance < near.distance)) {
			near.best = slice_from_text(common[i]);
			near.distance = subtype.distance;
		}
	}
	return near;
}

static const struct words {
	const char *name, *option, *standard, *expected;
	bool (*is_word)(struct slice item);
	struct near_name (*near)(struct slice item);
} types = { "type",  "--type", "response,resource", "a record type of WARC, one that begins with x-, or any",
	    is_type, near_type },
  statuses = { "status", "--status", "200", "100 to 999, or any", is_status, near_status },
  mimes = { "mime", "--mime", MEDIA_HTML(","), "type/subtype, or any", is_mime, near_mime };

/* Checks `list`, or the default if it is NULL. *kept is a copy of it, *any whether it takes all. */
static int read_list(const struct words *words, const char *list, struct arena *memory, const char **kept, bool *any,
		     struct error *err)
{
	list = list ? list : words->standard;
	const struct slice all = slice_from_text(list), copy = arena_copy(memory, all);
	char shown[64];
	if (!copy.data)
		return error_no_memory(err);
	if (all.len == 0 || list[0] == ',' || list[all.len - 1] == ',' || strstr(list, ",,"))
		return error_set(err, DANA_ECONFIG,
				 "plugin %s: take: %s%s%s is wrong; expected item,item,... without empty items",
				 words->name, all.len ? "'" : "",
				 all.len ? printable(all, shown, sizeof(shown)) : "the empty value",
				 all.len ? "'" : "");
	*kept = (const char *)copy.data;
	*any = has(list, slice_from_text("any"));
	while (*list && !*any) {
		const struct slice item = next_item(&list);
		if (words->is_word(item))
			continue;
		const struct near_name near = words->near(item);
		return near_name_refuse(&near, words->option, words->expected, err);
	}
	return DANA_OK;
}

int filters_read(struct filters *f, const struct plugins_choice *choice, struct arena *memory, struct error *err)
{
	const char *list;
	*f = (struct filters){ .min_chars = choice->min_chars };
	int status = read_list(&types, choice->types, memory, &f->types, &f->any_type, err);
	for (int type = 0; type < RECORD_OTHER && status == DANA_OK; type++)
		f->type[type] = has(f->types, slice_from_text(record_type_name((enum record_type)type)));
	if (status == DANA_OK)
		status = read_list(&statuses, choice->statuses, memory, &list, &f->any_status, err);
	while (status == DANA_OK && !f->any_status && *list)
		f->status[number_of(next_item(&list))] = true;
	return status == DANA_OK ? read_list(&mimes, choice->mimes, memory, &f->mimes, &f->any_mime, err) : status;
}

bool filters_take_type(const struct filters *f, const struct record *rec)
{
	return f->any_type || (rec->type < RECORD_OTHER ? f->type[rec->type] : has(f->types, rec->type_name));
}

bool filters_take_status(const struct filters *f, int status)
{
	return f->any_status || status == 0 || (status >= STATUS_LEAST && status <= STATUS_MOST && f->status[status]);
}

bool filters_take_mime(const struct filters *f, struct slice type)
{
	return f->any_mime || has(f->mimes, type);
}
