/* SPDX-License-Identifier: MIT */
/*
 * The stack of open elements: what each tag closes and opens, on random tags of all names, against a plain one written
 * apart.
 */
#include "extract/html/element_stack.h"
#include "oracle/oracle_stack.h"
#include "support/split_feed.h"
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

static void compare_page(struct element_stack *stack, struct oracle_stack *oracle, uint32_t seed)
{
	uint32_t random = seed * 2654435761U | 1;
	element_stack_reset(stack);
	oracle->depth = oracle->deeper = 0;
	for (unsigned i = 0; i < TAGS; i++) {
		const struct slice name = random_name(&random);
		const bool closing = split_random(&random) % 5 < 2;
		const enum html_tag tag = html_tag_find(name);
		const struct html_tag_event event = { .tag = (uint8_t)tag, .closing = closing, .name = name };
		const bool known = tag != HTML_TAG_OTHER;

		const struct oracle_change wanted =
			closing ? oracle_stack_end(oracle, name, known) : oracle_stack_start(oracle, name, known);
		const struct stack_change found = element_stack_take(stack, &event);
		if (found.closes != wanted.closes || found.opens != wanted.opens || stack->depth != oracle->depth) {
			print_error("seed %u, tag %u, <%s%.*s>: closes %zu, opens %d; expected %zu and %d\n", seed, i,
				    closing ? "/" : "", (int)name.len, (const char *)name.data, found.closes,
				    found.opens, wanted.closes, wanted.opens);
			fail();
		}
	}
}

TEST(test_random_tags)
{
	static const size_t limits[] = { ORACLE_STACK_MOST, 6 };
	static struct oracle_stack oracle;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct element_stack stack;
		oracle.max = limits[i];
		assert_int_equal(element_stack_init(&stack, limits[i]), 0);
		for (uint32_t seed = 1; seed <= PAGES; seed++)
			compare_page(&stack, &oracle, seed);
		element_stack_free(&stack);
	}
}
