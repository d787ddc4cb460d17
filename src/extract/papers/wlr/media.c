/* SPDX-License-Identifier: MIT */
/*
 * Attributes of the few tags that can be media are read, and an item is added if the tag says that it is large. Two
 * things are known only later: the URL of a film or sound may be in a <source> inside of it, so the last item waits for
 * it; and a <picture> offers several sources before its <img>, the widest of which is remembered until the <img> comes.
 */
#include "extract/papers/wlr/media.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "extract/html/attribute_next.h"
#include "extract/html/entity.h"
#include "extract/papers/wlr/media_size.h"

/* Strings are positions, since the buffer moves. */
struct media_item {
	const char *type;
	size_t url, url_len, alt, alt_len;
	unsigned width, height;
};

/* The attributes of one tag that matter; empty if missing. */
struct media_attrs {
	struct slice src, data, srcset, alt, label, width, height, style, view_box, href;
};

static struct media_attrs read_attrs(const struct html_tag_event *event)
{
	struct media_attrs a = { 0 };
	const struct {
		const char *name;
		struct slice *value;
	} wanted[] = {
		{ "src", &a.src },          { "data", &a.data },   { "srcset", &a.srcset }, { "alt", &a.alt },
		{ "aria-label", &a.label }, { "width", &a.width }, { "height", &a.height }, { "style", &a.style },
		{ "viewbox", &a.view_box }, { "href", &a.href },
	};
	struct html_attr_reader iter = html_attr_begin(event);
	struct html_attr attr;
	while (html_attr_next(&iter, &attr)) {
		for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
			/* the first of equal names counts (HTML, section 13.2.5.33). */
			if (wanted[i].value->len == 0 && slice_is(attr.name, wanted[i].name))
				*wanted[i].value = attr.value;
		}
	}
	return a;
}

/*
 * A reference in an attribute: without ';', '&' is literal before '=', a letter or a digit (HTML, section 13.2.5.73).
 */
static size_t decode_reference(struct slice s, uint8_t out[8], size_t *out_len)
{
	size_t taken = html_entity_decode(s, out, out_len);
	if (taken == 0 || s.data[taken - 1] == ';' || taken == s.len)
		return taken;
	uint8_t next = s.data[taken];
	return next == '=' || ascii_is_alpha(next) || ascii_is_digit(next) ? 0 : taken;
}

/* Appends a value: references decoded, white space collapsed and trimmed. */
static int append_value(struct buf *out, struct slice value)
{
	size_t start = out->len;
	int status = 0;
	value = slice_trim(value);
	for (size_t i = 0; i < value.len && status >= 0;) {
		uint8_t decoded[8] = { value.data[i] };
		size_t len = 1, taken = 0;
		if (decoded[0] == '&')
			taken = decode_reference(slice_skip(value, i), decoded, &len);
		if (taken == 0) {
			decoded[0] = value.data[i];
			len = taken = 1;
		}
		i += taken;
		bool space = len == 1 && ascii_is_space(decoded[0]);
		if (space && (out->len == start || out->data[out->len - 1] == ' '))
			continue;
		status = space ? buf_append_byte(out, ' ') : buf_append(out, decoded, len);
	}
	if (out->len > start && out->data[out->len - 1] == ' ')
		out->len--;
	return status;
}

static int add_item(struct media_list *list, const char *type, struct slice url, struct slice alt,
		    struct media_size size)
{
	if (list->items.len >= MEDIA_MOST * sizeof(struct media_item) ||
	    list->strings.len + url.len + alt.len > MEDIA_BYTES)
		return 0;
	struct media_item item = { .type = type, .url = list->strings.len, .width = size.width, .height = size.height };
	int status = append_value(&list->strings, url);
	item.url_len = list->strings.len - item.url;
	item.alt = list->strings.len;
	if (status >= 0)
		status = append_value(&list->strings, alt);
	item.alt_len = list->strings.len - item.alt;
	return status < 0 ? status : buf_append(&list->items, &item, sizeof(item));
}

/* Sets the URL of the last film or sound from its <source>. */
static int set_source(struct media_list *list, struct slice url)
{
	if (url.len == 0 || list->strings.len + url.len > MEDIA_BYTES)
		return 0;
	list->wants_source = false;
	struct media_item *item = (struct media_item *)(void *)(list->items.data + list->items.len - sizeof(*item));
	item->url = list->strings.len;
	int status = append_value(&list->strings, url);
	item->url_len = list->strings.len - item->url;
	return status;
}

/* An image without a known size counts, with `extended`, by the widest candidate of its srcset, or of its <picture>. */
static int take_img(struct media_list *list, const struct media_attrs *a, struct media_size size)
{
	if (media_size_is_large(size))
		return add_item(list, "img", a->src, a->alt.len ? a->alt : a->label, size);
	if (!list->extended)
		return 0;
	struct slice widest;
	unsigned width = media_srcset_widest(a->srcset, &widest);
	bool picture = list->in_picture && list->candidate_width > width;
	if (picture) {
		width = list->candidate_width;
		widest = buf_slice(&list->candidate);
	}
	if (width < MEDIA_SIDE)
		return 0;
	return add_item(list, list->in_picture ? "picture" : "img", widest, a->alt.len ? a->alt : a->label,
			(struct media_size){ .width = width });
}

/* Inside a film or sound it gives the URL, inside a picture a candidate. Elsewhere it is ignored. */
static int take_source(struct media_list *list, const struct media_attrs *a)
{
	struct slice widest;
	if (list->wants_source)
		return set_source(list, a->src);
	if (!list->in_picture)
		return 0;
	unsigned width = media_srcset_widest(a->srcset, &widest);
	if (width <= list->candidate_width)
		return 0;
	list->candidate_width = width;
	buf_clear(&list->candidate);
	return buf_append(&list->candidate, widest.data, widest.len);
}

static int take_film(struct media_list *list, enum html_tag tag, const struct media_attrs *a, struct media_size size)
{
	size_t before = list->items.len;
	int status = 0;
	if (tag == HTML_TAG_AUDIO || media_size_is_large(size))
		status = add_item(list, html_tag_name(tag), a->src, a->label, size);
	list->wants_source = list->items.len > before && a->src.len == 0;
	return status;
}

static int take_base(struct media_list *list, const struct media_attrs *a)
{
	if (list->has_base || a->href.len == 0)
		return 0;
	list->has_base = true;
	return append_value(&list->base, a->href);
}

static int take_start(struct media_list *list, const struct html_tag_event *event)
{
	enum html_tag tag = (enum html_tag)event->tag;
	struct media_attrs a = { 0 };
	struct media_size size = { 0 };
	switch (tag) {
	case HTML_TAG_PICTURE:
		list->in_picture = true;
		list->candidate_width = 0;
		return 0;
	case HTML_TAG_BASE:
	case HTML_TAG_SOURCE:
	case HTML_TAG_IMG:
	case HTML_TAG_VIDEO:
	case HTML_TAG_AUDIO:
	case HTML_TAG_EMBED:
	case HTML_TAG_CANVAS:
	case HTML_TAG_OBJECT:
	case HTML_TAG_SVG:
	case HTML_TAG_IFRAME:
		a = read_attrs(event);
		size = media_size_read(a.width, a.height, a.style,
				       tag == HTML_TAG_SVG ? a.view_box : (struct slice){ 0 });
		break;
	default:
		return 0;
	}

	switch (tag) {
	case HTML_TAG_BASE:
		return take_base(list, &a);
	case HTML_TAG_SOURCE:
		return take_source(list, &a);
	case HTML_TAG_IMG:
		return take_img(list, &a, size);
	case HTML_TAG_VIDEO:
	case HTML_TAG_AUDIO:
		return take_film(list, tag, &a, size);
	default:
		break;
	}
	if (!media_size_is_large(size) || (tag == HTML_TAG_IFRAME && !list->extended))
		return 0;
	return add_item(list, html_tag_name(tag), tag == HTML_TAG_OBJECT ? a.data : a.src, a.alt.len ? a.alt : a.label,
			size);
}

/* Returns whether the tag is inside a skipped element, where nothing counts. The first end tag of that name ends it. */
static bool is_inside_skipped(struct media_list *list, const struct html_tag_event *event)
{
	if (!event->skipped) {
		list->in_skipped = false;
		return false;
	}
	if (!list->in_skipped) {
		list->skip_tag = event->tag;
		list->in_skipped = !event->closing && !event->self_closing;
		return false;
	}
	if (event->closing && event->tag == list->skip_tag)
		list->in_skipped = false;
	return true;
}

int media_list_tag(struct media_list *list, const struct html_tag_event *event)
{
	if (is_inside_skipped(list, event))
		return 0;
	if (!event->closing)
		return take_start(list, event);
	if (event->tag == HTML_TAG_VIDEO || event->tag == HTML_TAG_AUDIO)
		list->wants_source = false;
	else if (event->tag == HTML_TAG_PICTURE)
		list->in_picture = false;
	return 0;
}

/* Turns positions into pointers: the strings no longer move. */
int media_list_finish(struct media_list *list)
{
	const struct media_item *items = (const struct media_item *)(const void *)list->items.data;
	const char *strings = (const char *)list->strings.data;
	int status = 0;
	for (size_t i = 0; i < list->items.len / sizeof(*items) && status >= 0; i++) {
		struct dana_media media = { .type = items[i].type,
					    .url = strings + items[i].url,
					    .url_len = items[i].url_len,
					    .alt = strings + items[i].alt,
					    .alt_len = items[i].alt_len,
					    .width = items[i].width,
					    .height = items[i].height,
					    .base = (const char *)list->base.data,
					    .base_len = list->base.len };
		status = buf_append(&list->result, &media, sizeof(media));
	}
	return status;
}

void media_list_reset(struct media_list *list)
{
	buf_clear(&list->items);
	buf_clear(&list->strings);
	buf_clear(&list->result);
	buf_clear(&list->base);
	list->has_base = list->in_picture = list->wants_source = list->in_skipped = false;
	list->candidate_width = 0;
}

void media_list_free(struct media_list *list)
{
	buf_free(&list->items);
	buf_free(&list->strings);
	buf_free(&list->result);
	buf_free(&list->base);
	buf_free(&list->candidate);
}
