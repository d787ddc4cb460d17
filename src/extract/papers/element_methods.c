/* SPDX-License-Identifier: MIT */
/*
 * A stack of open elements, each with the characters and words inside of it so far. At an element's end its rule
 * decides: either its text, which is the end of the page's text so far, is cut off, or its numbers are added to those
 * of its parent. Example: in <div><ul> links </ul><p> text </p></div> the list is dropped first, so the div is decided
 * by the paragraph alone.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/attribute.h"
#include "extract/html/elements.h"
#include "extract/method.h"
#include "extract/papers/methods.h"
#include "extract/papers/page_text.h"
#include "extract/text_writer.h"

/** The content of an element so far. */
struct filtered_element {
	uint64_t chars, link_chars, words, link_words;
	size_t start; /* length of the text at its beginning */
	enum html_tag tag;
	bool marked; /* by `mark` at its start tag */
};

struct element_filter_rules {
	/** Returns the reason why the element is removed, or NULL if it stays. `arg` is the filter's `rules_arg`. */
	const char *(*drop_reason)(const struct filtered_element *e, unsigned arg);
	/** Optional: returns what drop_reason must know about the start tag. */
	bool (*mark)(const struct html_tag_event *start);
};

struct element_filter {
	struct paper page;
	const struct element_filter_rules *rules;
	unsigned rules_arg;
	struct element_stack open;
	struct filtered_element *elements; /* [0]: the page; [n]: open element n */
	size_t depth;
};

/* Ends the innermost element. */
static void close_element(struct element_filter *f)
{
	struct filtered_element *e = &f->elements[f->depth--], *parent = &f->elements[f->depth];
	const char *reason = f->rules->drop_reason(e, f->rules_arg);
	if (reason || !html_tag_is(e->tag, TAG_INLINE)) {
		/* inline elements that stay are not traced: their text is traced with the enclosing
		 * block */
		if (e->chars)
			paper_tell(&f->page, e->start, f->page.text.buf.len, !reason,
				   (double)e->link_chars / (double)e->chars, reason ? reason : "stays");
	}
	if (reason) {
		page_text_cut(&f->page.text, e->start);
		return;
	}
	parent->chars += e->chars;
	parent->link_chars += e->link_chars;
	parent->words += e->words;
	parent->link_words += e->link_words;
}

/* Each word counts in the innermost element only; outer ones get it when the inner one ends. */
static int take_word(struct token_stream *t, const struct token_word *word)
{
	struct element_filter *f = (struct element_filter *)t;
	struct filtered_element *e = &f->elements[f->depth];
	e->chars += word->chars;
	e->words++;
	if (word->link) {
		e->link_chars += word->chars;
		e->link_words++;
	}
	return page_text_add(&f->page.text, word);
}

static int take_tag(struct token_stream *t, const struct token_tag *tag)
{
	struct element_filter *f = (struct element_filter *)t;
	size_t before = f->open.steps;
	struct stack_change change = element_stack_take(&f->open, tag->event);
	for (size_t i = 0; i < change.closes; i++)
		close_element(f);
	if (change.opens)
		f->elements[++f->depth] =
			(struct filtered_element){ .start = f->page.text.buf.len,
						   .tag = (enum html_tag)tag->event->tag,
						   .marked = f->rules->mark && f->rules->mark(tag->event) };
	return work_add(f->page.work, f->open.steps - before, tag->event->end);
}

static const struct token_stream_ops ops = { .word = take_word, .tag = take_tag };

static void element_filter_reset(void *state)
{
	struct element_filter *f = state;
	paper_reset(&f->page);
	element_stack_reset(&f->open);
	f->depth = 0;
	f->elements[0] = (struct filtered_element){ 0 };
}

static int element_filter_init(struct element_filter *f, const struct method_env *env,
			       const struct element_filter_rules *rules, unsigned rules_arg)
{
	int status = paper_init(&f->page, env, &ops);
	if (status == DANA_OK)
		status = element_stack_init(&f->open, env->max_depth);
	if (status < 0)
		return status;
	f->elements = calloc(f->open.max + 1, sizeof(*f->elements));
	if (!f->elements)
		return DANA_ENOMEM;
	f->rules = rules;
	f->rules_arg = rules_arg;
	element_filter_reset(f);
	return 0;
}

static int element_filter_finish(void *state, struct text_writer *out)
{
	struct element_filter *f = state;
	int status = token_stream_finish(&f->page.stream);
	if (status < 0)
		return status;
	while (f->depth)
		close_element(f);
	return f->page.text.buf.len ? page_text_write(&f->page.text, 0, f->page.text.buf.len, out) : METHOD_NO_REGION;
}

static void element_filter_destroy(void *state)
{
	struct element_filter *f = state;
	paper_free(f);
	element_stack_free(&f->open);
	free(f->elements);
}

/*
 * Link quota filter (C. Mantratzis et al. 2005, as in T. Gottron 2007): block elements of which more than a quota
 * (0.25, 0.5, 0.75 of the characters) is link text are removed, inner ones first, each decided by what is left inside
 * of it. An empty block is removed too; text outside of all such blocks stays.
 */

/* Elements that are decided; all others belong to the enclosing one. */
static const bool is_block[HTML_TAGS_COUNT] = {
	[HTML_TAG_TABLE] = true,  [HTML_TAG_TR] = true,      [HTML_TAG_TD] = true,      [HTML_TAG_TH] = true,
	[HTML_TAG_UL] = true,     [HTML_TAG_OL] = true,      [HTML_TAG_LI] = true,      [HTML_TAG_DL] = true,
	[HTML_TAG_DT] = true,     [HTML_TAG_DD] = true,      [HTML_TAG_DIV] = true,     [HTML_TAG_P] = true,
	[HTML_TAG_FORM] = true,   [HTML_TAG_SECTION] = true, [HTML_TAG_NAV] = true,     [HTML_TAG_ASIDE] = true,
	[HTML_TAG_HEADER] = true, [HTML_TAG_FOOTER] = true,  [HTML_TAG_ARTICLE] = true, [HTML_TAG_BLOCKQUOTE] = true,
};

static const char *drop_reason(const struct filtered_element *e, unsigned hundredths)
{
	if (!is_block[e->tag])
		return NULL;
	if (e->chars == 0)
		return "empty";
	return 100 * e->link_chars > hundredths * e->chars ? "link quota" : NULL;
}

static const struct element_filter_rules rules = { .drop_reason = drop_reason };

#define LQF_METHOD(id, title, hundredths, what) \
	static int id##_init(void *state, const struct method_env *env) \
	{ \
		return element_filter_init(state, env, &rules, hundredths); \
	} \
	const struct method method_##id = { \
		.name = title, \
		.source = "Mantratzis et al. 2005", \
		.memory = "stack + text", \
		.summary = what, \
		PAPER_FUNCTIONS(element_filter, id), \
		.destroy = element_filter_destroy, \
	}

LQF_METHOD(lqf_25, "lqf-25", 25, "drops blocks with more than 25 % link text");
LQF_METHOD(lqf_50, "lqf-50", 50, "drops blocks with more than 50 % link text");
LQF_METHOD(lqf_75, "lqf-75", 75, "drops blocks with more than 75 % link text");

/*
 * Crunch (S. Gupta, G. Kaiser, D. Neistadt, P. Grimm 2003): a chain of filters over the document tree. It removes forms
 * and buttons; elements whose class or id has a word of advertising; link lists (a list item, table cell or div in
 * which more than 0.35 of the words are in links); empty tables. Scripts, styles, frames and pictures have no text here
 * anyway.
 */

static bool mark(const struct html_tag_event *start)
{
	struct html_attr_reader iter = html_attr_begin(start);
	struct html_attr attr;
	if (start->tag == HTML_TAG_BODY || start->tag == HTML_TAG_HTML)
		return false;
	while (html_attr_next(&iter, &attr)) {
		static const char *const words[] = { "ad",          "ads",           "adv",         "advert",
						     "adverts",     "advertisement", "advertising", "adsense",
						     "adbox",       "adspace",       "banner",      "banners",
						     "doubleclick", "promo",         "promotion",   "sponsor",
						     "sponsored",   "sponsors" };
		const struct slice value = attr.value;
		if (!slice_is(attr.name, "class") && !slice_is(attr.name, "id"))
			continue;
		/* whole words, which are split at everything that is not a letter */
		for (size_t i = 0; i < value.len;) {
			size_t from = i;
			while (i < value.len && ascii_is_alpha(value.data[i]))
				i++;
			for (size_t k = 0; i > from && k < sizeof(words) / sizeof(*words); k++) {
				if (slice_is(slice_of(value.data + from, i - from), words[k]))
					return true;
			}
			i += i == from;
		}
	}
	return false;
}

static const char *crunch_drop_reason(const struct filtered_element *e, unsigned arg)
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

static const struct element_filter_rules crunch_rules = { .drop_reason = crunch_drop_reason, .mark = mark };

static int crunch_init(void *state, const struct method_env *env)
{
	return element_filter_init(state, env, &crunch_rules, 0);
}

const struct method method_crunch = {
	.name = "crunch",
	.source = "Gupta et al. 2003",
	.memory = "stack + text",
	.summary = "drops forms, advertising and link lists",
	PAPER_FUNCTIONS(element_filter, crunch),
	.destroy = element_filter_destroy,
};
