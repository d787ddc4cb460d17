/* SPDX-License-Identifier: MIT */
/* The stack of open elements: a golden of what each of random tags of all names closes and opens. */
#include "extract/html/elements.h"
#include "support/golden.h"
#include "support/unit.h"

enum { TAGS = 400, PAGES = 500 };

/* Half of the tags are of names that have rules of their own, so that these meet often. */
static struct slice random_name(uint32_t *random)
{
	static const char *const shaping[] = { "p",      "li",     "ul",       "dd",     "dt",    "table",  "tbody",
					       "tr",     "td",     "th",       "h1",     "h2",    "a",      "b",
					       "button", "form",   "option",   "head",   "body",  "html",   "div",
					       "x-card", "object", "template", "Li",     "TABLE", "X-Card", "caption",
					       "hr",     "br",     "select",   "article" };
	uint32_t number = split_random(random);
	if (number % 2)
		return slice_from_text(shaping[number / 2 % (sizeof(shaping) / sizeof(*shaping))]);
	return slice_from_text(html_tag_name((enum html_tag)(1 + number / 2 % (HTML_TAGS_COUNT - 1))));
}

static void take_tags(struct element_stack *stack, uint32_t seed, struct golden *golden)
{
	uint32_t random = seed * 2654435761U | 1;
	element_stack_reset(stack);
	for (unsigned i = 0; i < TAGS; i++) {
		const struct slice name = random_name(&random);
		const struct html_tag_event event = { .tag = (uint8_t)html_tag_find(name),
						      .closing = split_random(&random) % 5 < 2,
						      .name = name };
		const struct stack_change found = element_stack_take(stack, &event);
		const uint8_t outcome[] = { (uint8_t)found.closes, (uint8_t)(found.closes >> 8), found.opens,
					    (uint8_t)stack->depth, (uint8_t)(stack->depth >> 8) };
		golden_add(golden, slice_of(outcome, sizeof(outcome)));
	}
}

TEST(test_random_tags)
{
	static const size_t limits[] = { 512, 6 };
	struct golden golden = { HASH_FNV32_START };
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct element_stack stack;
		assert_ok(element_stack_init(&stack, limits[i]));
		for (uint32_t seed = 1; seed <= PAGES; seed++)
			take_tags(&stack, seed, &golden);
		element_stack_free(&stack);
	}
	golden_check(&golden, "tags", 0x78ed4b6f);
}
