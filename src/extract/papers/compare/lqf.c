/* SPDX-License-Identifier: MIT */
/*
 * Link quota filter (C. Mantratzis et al. 2005, as in T. Gottron 2007): block elements of which more than a quota
 * (0.25, 0.5, 0.75 of the characters) is link text are removed, inner ones first, each decided by what is left inside
 * of it. An empty block is removed too; text outside of all such blocks stays.
 */
#include "extract/papers/element_filter.h"
#include "extract/papers/methods.h"

/* True for elements that are decided; all others belong to the enclosing one. */
static bool is_block(enum html_tag tag)
{
	switch (tag) {
	case HTML_TAG_TABLE:
	case HTML_TAG_TR:
	case HTML_TAG_TD:
	case HTML_TAG_TH:
	case HTML_TAG_UL:
	case HTML_TAG_OL:
	case HTML_TAG_LI:
	case HTML_TAG_DL:
	case HTML_TAG_DT:
	case HTML_TAG_DD:
	case HTML_TAG_DIV:
	case HTML_TAG_P:
	case HTML_TAG_FORM:
	case HTML_TAG_SECTION:
	case HTML_TAG_NAV:
	case HTML_TAG_ASIDE:
	case HTML_TAG_HEADER:
	case HTML_TAG_FOOTER:
	case HTML_TAG_ARTICLE:
	case HTML_TAG_BLOCKQUOTE:
		return true;
	default:
		return false;
	}
}

static const char *drop_reason(const struct filtered_element *e, unsigned hundredths)
{
	if (!is_block(e->tag))
		return NULL;
	if (e->chars == 0)
		return "empty";
	return 100 * e->link_chars > hundredths * e->chars ? "link quota" : NULL;
}

static const struct element_filter_rules rules = { .drop_reason = drop_reason };

static int lqf_25_init(void *state, const struct method_env *env)
{
	return element_filter_init(state, env, &rules, 25);
}

static int lqf_50_init(void *state, const struct method_env *env)
{
	return element_filter_init(state, env, &rules, 50);
}

static int lqf_75_init(void *state, const struct method_env *env)
{
	return element_filter_init(state, env, &rules, 75);
}

#define LQF_METHOD(id, title, what) \
	const struct method method_##id = { \
		.name = title, \
		.source = "Mantratzis et al. 2005", \
		.memory = "stack + text", \
		.summary = what, \
		.state_size = sizeof(struct element_filter), \
		.init = id##_init, \
		.run = token_stream_run, \
		.tag = token_stream_tag, \
		.finish = element_filter_finish, \
		.lists_spans = true, \
		.reset = element_filter_reset, \
		.destroy = element_filter_destroy, \
	}

LQF_METHOD(lqf_25, "lqf-25", "drops blocks with more than 25 % link text");
LQF_METHOD(lqf_50, "lqf-50", "drops blocks with more than 50 % link text");
LQF_METHOD(lqf_75, "lqf-75", "drops blocks with more than 75 % link text");
