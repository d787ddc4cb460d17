/* SPDX-License-Identifier: MIT */
/* The filter of --mime: called when the first bytes of the body are known. */
#include "archive/plugin/filter/media_type.h"
#include "archive/plugin/filter/word_filter.h"

/* Suggestions for mistyped types; other types are accepted, too. */
#define COMMA ,
static const char *const common_types[] = { MEDIA_HTML(COMMA), "text/plain", "application/pdf", NULL };

static const struct dana_host *_Atomic host; /* always the same; archives in several threads set it */

static bool is_media_type(struct slice item)
{
	return item.len && media_type_of_header(item).len == item.len && !memchr(item.data, '*', item.len);
}

/* Suggests "text/html" for "html": a subtype alone means the whole type. */
static struct near_name near_type(struct slice item)
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
	return near;
}

static int load(void **shared, const struct dana_host *h, struct dana_context *c)
{
	static const struct word_filter filter = { is_media_type, near_type, "--mime", "type/subtype, or any" };
	host = h;
	return word_filter_load(&filter, shared, h, c);
}

static struct slice item(const struct dana_page *p, enum dana_text_item which)
{
	const struct dana_view v = host->text_item(p, which);
	return slice_of(v.data, v.len);
}

static int media(void *list, struct dana_page *p)
{
	if (!list)
		return DANA_KEEP;
	return word_filter_answer(
		list, media_type(item(p, DANA_CONTENT_TYPE), item(p, DANA_PAYLOAD_TYPE), item(p, DANA_BODY_START)));
}

static const struct dana_option options[] = {
	{ "take", DANA_LIST, NULL, MEDIA_HTML(","), "media types to take; any takes all", 0, 0 },
	{ .name = NULL },
};

DANA_PLUGIN(mime) = {
	DANA_PLUGIN_HEAD,
	.flags = DANA_PLUGIN_PURE,
	.name = "mime",
	.version = "1",
	.help = "takes records by their media type",
	.options = options,
	.load = load,
	.media = media,
};
