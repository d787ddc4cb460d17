/* SPDX-License-Identifier: MIT */
/*
 * Crunch (S. Gupta, G. Kaiser, D. Neistadt, P. Grimm 2003): a chain of filters over the document tree. It removes forms
 * and buttons; elements whose class or id has a word of advertising; link lists (a list item, table cell or div in
 * which more than 0.35 of the words are in links); empty tables. Scripts, styles, frames and pictures have no text here
 * anyway.
 */
#include "base/ascii.h"
#include "extract/html/attribute_next.h"
#include "extract/papers/element_filter.h"
#include "extract/papers/methods.h"

/* Compares whole words of class and id values, which are split at everything that is not a letter. */
static bool is_advertising(struct slice word)
{
	static const char *const words[] = { "ad",          "ads",           "adv",         "advert",
					     "adverts",     "advertisement", "advertising", "adsense",
					     "adbox",       "adspace",       "banner",      "banners",
					     "doubleclick", "promo",         "promotion",   "sponsor",
					     "sponsored",   "sponsors" };
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (slice_is(word, words[i]))
			return true;
	}
	return false;
}

static bool has_advertising(struct slice value)
{
	for (size_t i = 0; i < value.len;) {
		size_t from = i;
		while (i < value.len && ascii_is_alpha(value.data[i]))
			i++;
		if (i > from && is_advertising(slice_of(value.data + from, i - from)))
			return true;
		i += i == from;
	}
	return false;
}

static bool mark(const struct html_tag_event *start)
{
	struct html_attr_reader iter = html_attr_begin(start);
	struct html_attr attr;
	if (start->tag == HTML_TAG_BODY || start->tag == HTML_TAG_HTML)
		return false;
	while (html_attr_next(&iter, &attr)) {
		if ((slice_is(attr.name, "class") || slice_is(attr.name, "id")) && has_advertising(attr.value))
			return true;
	}
	return false;
}

static const char *drop_reason(const struct filtered_element *e, unsigned arg)
{
	(void)arg;
	if (e->marked)
		return "advertising";
	switch (e->tag) {
	case HTML_TAG_FORM:
	case HTML_TAG_BUTTON:
		return "form";
	case HTML_TAG_LI:
	case HTML_TAG_TD:
	case HTML_TAG_TH:
	case HTML_TAG_DIV:
		return 100 * e->link_words > 35 * e->words ? "link list" : NULL;
	case HTML_TAG_TABLE:
		return e->words ? NULL : "empty table";
	default:
		return NULL;
	}
}

static const struct element_filter_rules rules = { .drop_reason = drop_reason, .mark = mark };

static int crunch_init(void *state, const struct method_env *env)
{
	return element_filter_init(state, env, &rules, 0);
}

const struct method method_crunch = {
	.name = "crunch",
	.source = "Gupta et al. 2003",
	.memory = "stack + text",
	.summary = "drops forms, advertising and link lists",
	.state_size = sizeof(struct element_filter),
	.init = crunch_init,
	.run = token_stream_run,
	.tag = token_stream_tag,
	.finish = element_filter_finish,
	.lists_spans = true,
	.reset = element_filter_reset,
	.destroy = element_filter_destroy,
};
