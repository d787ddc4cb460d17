/* SPDX-License-Identifier: MIT */
/*
 * The method `wlr`: finds the main element of a page by words and leaves (D. Insa, J. Silva, S. Tamarit 2013, as
 * restated by A. Bhardwaj and V. Mangat 2014, equations 4 to 9). The ratio of an element is its words divided by its
 * leaves (texts).
 *
 * Relevance of an element is its ratio, times the larger of its weight and the sum of the relevances of its children;
 * on deep pages this product leaves the range of a double, so logarithms are added instead of numbers multiplied.
 * Example: 2^a + 2^b with a = 1000 and b = 990 is computed as 1000 + log2(1 + 2^-10).
 */
#include "extract/papers/wlr.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "dana/dana.h"
#include "extract/html/attribute.h"
#include "extract/html/elements.h"
#include "extract/html/entity.h"
#include "extract/method.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"
#include "extract/text_writer.h"

/* Bounds over all nodes with words, and over the initial set of equation 5. */
struct relevance_bounds {
	double max_ratio, min_ratio, root_ratio;
	uint32_t kept;           /* nodes with words */
	uint32_t min_id, max_id; /* of the initial set */
};

struct relevance {
	size_t root, best; /* indexes */
	struct relevance_bounds bounds;
	double log_relevance; /* log2 R of the best one */
};

static double ratio(const struct element *e)
{
	return (double)e->words / (double)e->leaves;
}

static bool is_initial(const struct relevance_bounds *b, double r)
{
	/* Equation 5, squared. */
	return r * r >= b->max_ratio * b->root_ratio;
}

/* log2(2^a + 2^b) */
static double log_add(double a, double b)
{
	double high = fmax(a, b), low = fmin(a, b);
	return isinf(low) ? high : high + log1p(exp2(low - high)) / 0.69314718055994530942;
}

/* `scratch` holds 8 bytes for each element. Returns 1 if the page has no word. */
static int relevance_find(const struct element_tree *tree, struct buf *scratch, struct relevance *result)
{
	const struct element *all = tree->elements;
	size_t root = 0; /* the body if it has words, otherwise the page */
	while (root < tree->count && all[root].tag != HTML_TAG_BODY)
		root++;
	root = root < tree->count && all[root].words ? root : 0;
	const size_t end = all[root].end;
	if (all[root].words == 0)
		return 1;
	buf_clear(scratch);
	int status = buf_reserve(scratch, end * sizeof(double));
	if (status < 0)
		return status;
	double *sums = (double *)(void *)scratch->data; /* log2 of the sum over the children */
	for (size_t i = root; i < end; i++)
		sums[i] = -HUGE_VAL;
	struct relevance_bounds b = { .root_ratio = ratio(&all[root]), .min_ratio = HUGE_VAL };
	for (size_t i = root; i < all[root].end; i++) {
		if (all[i].words == 0)
			continue;
		b.max_ratio = fmax(b.max_ratio, ratio(&all[i]));
		b.min_ratio = fmin(b.min_ratio, ratio(&all[i]));
	}
	b.min_id = UINT32_MAX;
	for (size_t i = root; i < all[root].end; i++) {
		if (all[i].words == 0)
			continue;
		if (is_initial(&b, ratio(&all[i]))) {
			b.min_id = b.kept < b.min_id ? b.kept : b.min_id;
			b.max_id = b.kept;
		}
		b.kept++;
	}
	*result = (struct relevance){ .root = root, .best = root, .bounds = b, .log_relevance = -HUGE_VAL };
	uint32_t id = b.kept;
	/* children have higher indexes than parents: in descending order sums are ready; of equals the lowest wins */
	for (size_t i = end; i-- > root;) {
		if (all[i].words == 0)
			continue;
		double r = ratio(&all[i]);
		/* log2 of w(n), equations 7 to 9; minus infinity for 0. A quotient whose range is empty is 1. */
		double position = 1, share = 1;
		id--;
		if (b.max_id > b.min_id)
			position = 1 - (double)(id - b.min_id) / (double)(b.max_id - b.min_id);
		if (b.max_ratio > b.min_ratio)
			share = (r - b.min_ratio) / (b.max_ratio - b.min_ratio);
		double weight = is_initial(&b, r) ? log2(position * share) : -HUGE_VAL;
		double relevance = log2(r) + fmax(weight, sums[i]);
		if (relevance >= result->log_relevance) {
			result->log_relevance = relevance;
			result->best = i;
		}
		if (i > root)
			sums[all[i].parent] = log_add(sums[all[i].parent], relevance);
	}
	return 0;
}

/*
 * Sizes in pixels from what authors write: width="640", "640px", style="width: 640px", viewBox="0 0 640 480". A size in
 * other units is not known (0). Example of a srcset: "a.jpg 320w, b.jpg 640w" gives b.jpg and 640; candidates by
 * density ("2x") have no width.
 */

enum { PIXELS_MOST = 1000000, MEDIA_AREA = 120000, MEDIA_SIDE = 400 };

/* Reads the digits at the front and skips a fraction; *rest is what follows. */
static unsigned read_number(struct slice s, struct slice *rest)
{
	uint64_t value;
	size_t i = decimal_prefix(s, &value);
	if (i && i < s.len && s.data[i] == '.') {
		i++;
		while (i < s.len && ascii_is_digit(s.data[i]))
			i++;
	}
	*rest = slice_skip(s, i);
	return value > PIXELS_MOST ? PIXELS_MOST : (unsigned)value;
}

/* Reads "640" or "640px". */
static unsigned read_pixels(struct slice s)
{
	struct slice rest;
	unsigned value = read_number(slice_trim(s), &rest);
	return rest.len == 0 || slice_is(rest, "px") ? value : 0;
}

/* Returns the part of `s` before `separator`; *rest is what follows it. */
static struct slice split(struct slice s, uint8_t separator, struct slice *rest)
{
	size_t i = 0;
	while (i < s.len && s.data[i] != separator)
		i++;
	*rest = slice_skip(s, i + 1);
	return slice_of(s.data, i);
}

struct media_size media_size_read(struct slice width, struct slice height, struct slice style, struct slice view_box)
{
	struct media_size size = { read_pixels(width), read_pixels(height) };
	if (size.width == 0 || size.height == 0) {
		while (style.len) {
			struct slice value, declaration = split(style, ';', &style);
			struct slice name = slice_trim(split(declaration, ':', &value));
			if (size.width == 0 && slice_is(name, "width"))
				size.width = read_pixels(value);
			else if (size.height == 0 && slice_is(name, "height"))
				size.height = read_pixels(value);
		}
	}
	if (size.width == 0 && size.height == 0) {
		/* read "min-x min-y width height" */
		struct slice box = view_box;
		unsigned numbers[4] = { 0 };
		for (unsigned i = 0; i < 4; i++) {
			while (box.len && (ascii_is_space(box.data[0]) || box.data[0] == ',' || box.data[0] == '-'))
				box = slice_skip(box, 1);
			numbers[i] = read_number(box, &box);
		}
		size = (struct media_size){ numbers[2], numbers[3] };
	}
	return size;
}

bool media_size_is_large(struct media_size size)
{
	if (size.width && size.height)
		return (uint64_t)size.width * size.height > MEDIA_AREA;
	return size.width >= MEDIA_SIDE || size.height >= MEDIA_SIDE;
}

unsigned media_srcset_widest(struct slice srcset, struct slice *url)
{
	unsigned widest = 0;
	*url = (struct slice){ 0 };
	while (srcset.len) {
		/* a comma ends a candidate only if white space follows: URLs may contain commas */
		size_t end = 0;
		while (end < srcset.len &&
		       !(srcset.data[end] == ',' && (end + 1 == srcset.len || ascii_is_space(srcset.data[end + 1]))))
			end++;
		struct slice candidate = slice_trim(slice_of(srcset.data, end)), rest;
		srcset = slice_skip(srcset, end + 1);
		size_t gap = candidate.len;
		while (gap && !ascii_is_space(candidate.data[gap - 1]))
			gap--;
		unsigned width = read_number(slice_skip(candidate, gap), &rest);
		if (gap && slice_is(rest, "w") && width > widest) {
			widest = width;
			*url = slice_trim(slice_of(candidate.data, gap));
		}
	}
	return widest;
}

/*
 * Pictures, films and sounds of a page that are large enough to be content (A. Bhardwaj, V. Mangat 2014): more than
 * 120,000 square pixels by attributes, inline style or, for svg, view box; with one known dimension, 400 pixels; sound
 * always.
 *
 * With `extended` also iframe, picture, and srcset (a candidate of at least 400 pixels' width), which the paper does
 * not name. Only these tags' attributes are read. Strings belong to the list. Limits: MEDIA_MOST items, MEDIA_BYTES of
 * strings; further ones are left out.
 *
 * Attributes of the few tags that can be media are read, and an item is added if the tag says that it is large. Two
 * things are known only later: the URL of a film or sound may be in a <source> inside of it, so the last item waits for
 * it; and a <picture> offers several sources before its <img>, the widest of which is remembered until the <img> comes.
 */

enum { MEDIA_MOST = 4096, MEDIA_BYTES = 1 << 20 };

struct media_list {
	bool extended;
	struct buf items; /* of struct media_item */
	struct buf strings;
	struct buf result; /* of struct dana_media */
	struct buf base;   /* href of the first <base> */
	bool has_base;
	struct buf address;   /* of an item, while it is cleaned */
	struct buf candidate; /* picture: the widest candidate of its sources */
	unsigned candidate_width;
	bool in_picture;
	bool wants_source; /* the last item is a film or sound without URL */
	bool in_skipped;   /* inside of a skipped element */
	uint8_t skip_tag;  /* the tag of that element */
};

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

/* Appends a value with references decoded; white space is collapsed and trimmed if `collapses`. */
static int append_value(struct buf *out, struct slice value, bool collapses)
{
	size_t start = out->len;
	int status = 0;
	for (size_t i = 0; i < value.len && status >= 0;) {
		uint8_t decoded[8] = { value.data[i] };
		size_t len = 1, taken = 0;
		if (decoded[0] == '&')
			taken = html_entity_decode(slice_skip(value, i), decoded, &len);
		/* without ';', '&' is literal before '=', a letter or a digit (HTML, section 13.2.5.73) */
		const uint8_t next = taken && i + taken < value.len ? value.data[i + taken] : ' ';
		if (taken && value.data[i + taken - 1] != ';' &&
		    (next == '=' || ascii_is_alpha(next) || ascii_is_digit(next)))
			taken = 0;
		if (taken == 0) {
			decoded[0] = value.data[i];
			len = taken = 1;
		}
		i += taken;
		bool space = collapses && len == 1 && ascii_is_space(decoded[0]);
		if (space && (out->len == start || out->data[out->len - 1] == ' '))
			continue;
		status = space ? buf_append_byte(out, ' ') : buf_append(out, decoded, len);
	}
	if (collapses && out->len > start && out->data[out->len - 1] == ' ')
		out->len--;
	return status;
}

/* Appends an address as browsers take it. */
static int append_address(struct media_list *list, struct slice value)
{
	buf_clear(&list->address);
	int status = append_value(&list->address, value, false);
	const struct slice url = url_clean(&list->address);
	return status < 0 ? status : buf_append(&list->strings, url.data, url.len);
}

static int add_item(struct media_list *list, const char *type, struct slice url, struct slice alt,
		    struct media_size size)
{
	if (list->items.len >= MEDIA_MOST * sizeof(struct media_item) ||
	    list->strings.len + url.len + alt.len > MEDIA_BYTES)
		return 0;
	struct media_item item = { .type = type, .url = list->strings.len, .width = size.width, .height = size.height };
	int status = append_address(list, url);
	item.url_len = list->strings.len - item.url;
	item.alt = list->strings.len;
	if (status >= 0)
		status = append_value(&list->strings, alt, true);
	item.alt_len = list->strings.len - item.alt;
	return status < 0 ? status : buf_append(&list->items, &item, sizeof(item));
}

static int take_start(struct media_list *list, const struct html_tag_event *event)
{
	static const bool is_media[HTML_TAGS_COUNT] = {
		[HTML_TAG_BASE] = true,  [HTML_TAG_SOURCE] = true, [HTML_TAG_IMG] = true,    [HTML_TAG_VIDEO] = true,
		[HTML_TAG_AUDIO] = true, [HTML_TAG_EMBED] = true,  [HTML_TAG_CANVAS] = true, [HTML_TAG_OBJECT] = true,
		[HTML_TAG_SVG] = true,   [HTML_TAG_IFRAME] = true,
	};
	const enum html_tag tag = (enum html_tag)event->tag;
	if (tag == HTML_TAG_PICTURE) {
		list->in_picture = true;
		list->candidate_width = 0;
	}
	if (!is_media[tag])
		return 0;
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
	const struct slice alt = a.alt.len ? a.alt : a.label;
	const struct media_size size =
		media_size_read(a.width, a.height, a.style, tag == HTML_TAG_SVG ? a.view_box : (struct slice){ 0 });
	size_t before;
	int status = DANA_OK;
	switch (tag) {
	case HTML_TAG_BASE:
		if (list->has_base || a.href.len == 0)
			return 0;
		list->has_base = true;
		status = append_value(&list->base, a.href, false);
		const struct slice href = url_clean(&list->base);
		list->base.len = href.len;
		return status;
	case HTML_TAG_SOURCE: {
		/* inside a film or sound it gives the URL, inside a picture a candidate. Elsewhere it is ignored. */
		struct slice widest;
		if (list->wants_source) {
			if (a.src.len == 0 || list->strings.len + a.src.len > MEDIA_BYTES)
				return 0;
			list->wants_source = false;
			struct media_item *item =
				(struct media_item *)(void *)(list->items.data + list->items.len - sizeof(*item));
			item->url = list->strings.len;
			status = append_address(list, a.src);
			item->url_len = list->strings.len - item->url;
			return status;
		}
		if (!list->in_picture)
			return 0;
		unsigned width = media_srcset_widest(a.srcset, &widest);
		if (width <= list->candidate_width)
			return 0;
		list->candidate_width = width;
		buf_clear(&list->candidate);
		return buf_append(&list->candidate, widest.data, widest.len);
	}
	case HTML_TAG_IMG:
		/* an image without a known size counts, with `extended`, by the widest candidate of its srcset, or of
		 * its <picture> */
		if (media_size_is_large(size))
			return add_item(list, "img", a.src, alt, size);
		if (!list->extended)
			return 0;
		struct slice widest;
		unsigned width = media_srcset_widest(a.srcset, &widest);
		bool picture = list->in_picture && list->candidate_width > width;
		if (picture) {
			width = list->candidate_width;
			widest = buf_slice(&list->candidate);
		}
		if (width < MEDIA_SIDE)
			return 0;
		return add_item(list, list->in_picture ? "picture" : "img", widest, alt,
				(struct media_size){ .width = width });
	case HTML_TAG_VIDEO:
	case HTML_TAG_AUDIO:
		before = list->items.len;
		if (tag == HTML_TAG_AUDIO || media_size_is_large(size))
			status = add_item(list, html_tag_name(tag), a.src, a.label, size);
		list->wants_source = list->items.len > before && a.src.len == 0;
		return status;
	default:
		if (!media_size_is_large(size) || (tag == HTML_TAG_IFRAME && !list->extended))
			return 0;
		return add_item(list, html_tag_name(tag), tag == HTML_TAG_OBJECT ? a.data : a.src, alt, size);
	}
}

static int media_list_tag(struct media_list *list, const struct html_tag_event *event)
{
	/* nothing counts inside of a skipped element, which its first end tag ends, but the sources of a film */
	if (event->skipped && list->in_skipped) {
		const bool ends = event->closing && event->tag == list->skip_tag;
		const bool film = list->skip_tag == HTML_TAG_VIDEO || list->skip_tag == HTML_TAG_AUDIO;
		list->in_skipped = !ends;
		if (!film || !(ends || event->tag == HTML_TAG_SOURCE))
			return 0;
	} else {
		list->in_skipped = event->skipped && !event->closing && !event->self_closing;
		list->skip_tag = event->tag;
	}
	if (!event->closing)
		return take_start(list, event);
	if (event->tag == HTML_TAG_VIDEO || event->tag == HTML_TAG_AUDIO)
		list->wants_source = false;
	else if (event->tag == HTML_TAG_PICTURE)
		list->in_picture = false;
	return 0;
}

/*
 * Words to leaves ratio (D. Insa, J. Silva, S. Tamarit 2013), and with media (A. Bhardwaj, V. Mangat 2014). The element
 * with the highest relevance is the main one and its text, a slice of the page's text, the result. Words are counted in
 * whole subtrees. `wlr-media` also lists large media; its key `extended=1` adds kinds that the paper does not name.
 *
 * Memory: the text, 40 bytes for each element (at most 256 Ki elements; further ones are part of their parent), the
 * media.
 */

struct wlr {
	struct paper page;
	struct element_tree tree;
	struct buf scratch;
	bool with_media;
	struct media_list media;
};

static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct wlr *s = (struct wlr *)t;
	element_tree_word(&s->tree, word->breaks);
	return page_text_add(&s->page.text, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct wlr *s = (struct wlr *)t;
	size_t before = s->tree.open.steps;
	int status = element_tree_tag(&s->tree, tag->event, s->page.text.buf.len);
	if (status >= 0)
		status = work_add(s->page.work, s->tree.open.steps - before, tag->event->end);
	return status >= 0 && s->with_media ? media_list_tag(&s->media, tag->event) : status;
}

static int take_skipped_tag(struct token_stream *t, const struct html_tag_event *event)
{
	struct wlr *s = (struct wlr *)t;
	return s->with_media ? media_list_tag(&s->media, event) : 0;
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag, .skipped_tag = take_skipped_tag };

static void wlr_reset(void *state)
{
	struct wlr *s = state;
	paper_reset(&s->page);
	buf_shrink(&s->scratch, PAGE_KEEPS);
	element_tree_reset(&s->tree);
	struct media_list *list = &s->media;
	buf_clear(&list->items);
	buf_clear(&list->strings);
	buf_clear(&list->result);
	buf_clear(&list->base);
	list->has_base = list->in_picture = list->wants_source = list->in_skipped = false;
	list->candidate_width = 0;
}

static int wlr_init(void *state, const struct method_env *env)
{
	struct wlr *s = state;
	int status = paper_init(&s->page, env, &ops);
	return status < 0 ? status : element_tree_init(&s->tree, 0, env->max_depth);
}

static int wlr_media_init(void *state, const struct method_env *env)
{
	struct wlr *s = state;
	s->with_media = true;
	return wlr_init(state, env);
}

static const struct method_key media_keys[] = {
	{ .name = "extended", .words = "0|1", .standard = "0", .help = "1: more kinds of media" },
	{ .name = NULL },
};

static int wlr_media_set(void *state, const struct method_setting *setting)
{
	struct wlr *s = state;
	s->media.extended = setting->number == 1;
	return DANA_OK;
}

static int wlr_finish(void *state, struct text_writer *out)
{
	struct wlr *s = state;
	struct relevance r;
	int status = token_stream_finish(&s->page.stream);
	if (status >= 0 && s->with_media) {
		/* positions become pointers: the strings no longer move */
		struct media_list *list = &s->media;
		const struct media_item *items = (const struct media_item *)(const void *)list->items.data;
		const char *strings = (const char *)list->strings.data;
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
	}
	if (status < 0)
		return status;
	element_tree_finish(&s->tree, s->page.text.buf.len);
	status = relevance_find(&s->tree, &s->scratch, &r);
	if (status < 0)
		return status;
	if (status > 0)
		return METHOD_NO_REGION;
	const struct element *best = &s->tree.elements[r.best];
	paper_number(&s->page, "highest words per leaf", r.bounds.max_ratio);
	paper_number(&s->page, "words per leaf of the page", r.bounds.root_ratio);
	paper_number(&s->page, "log2 of the best relevance", r.log_relevance);
	for (size_t i = r.root; s->page.trace && i < s->tree.elements[r.root].end; i++) {
		const struct element *e = &s->tree.elements[i];
		bool kept = i >= r.best && i < best->end;
		if (e->words && e->leaves == 1 && s->tree.elements[e->parent].leaves != 1)
			paper_tell(&s->page, e->text_start, e->text_end, kept, (double)e->words / (double)e->leaves,
				   kept ? "inside the best element" : "outside");
	}
	return page_text_write(&s->page.text, best->text_start, best->text_end, out);
}

static void wlr_destroy(void *state)
{
	struct wlr *s = state;
	paper_free(s);
	element_tree_free(&s->tree);
	buf_free(&s->scratch);
	struct media_list *list = &s->media;
	buf_free(&list->items);
	buf_free(&list->strings);
	buf_free(&list->result);
	buf_free(&list->base);
	buf_free(&list->address);
	buf_free(&list->candidate);
}

static const struct dana_media *wlr_media(const void *state, size_t *count)
{
	const struct wlr *s = state;
	*count = s->media.result.len / sizeof(struct dana_media);
	return (const struct dana_media *)(const void *)s->media.result.data;
}

const struct method method_wlr = {
	.name = "wlr",
	.source = "Insa, Silva, Tamarit 2013",
	.memory = "text + 40 B an element",
	.summary = "the element with most words for each line",
	PAPER_FUNCTIONS(wlr, wlr),
	.destroy = wlr_destroy,
};

const struct method method_wlr_media = {
	.name = "wlr-media",
	.source = "Bhardwaj, Mangat 2014",
	.memory = "text + 40 B an element + media",
	.summary = "wlr with the page's large pictures and films",
	.keys = media_keys,
	.set = wlr_media_set,
	PAPER_FUNCTIONS(wlr, wlr_media),
	.destroy = wlr_destroy,
	.media = wlr_media,
};
