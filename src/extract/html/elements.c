/* SPDX-License-Identifier: MIT */
/*
 * The stack of open elements. A search down the stack must not take time in proportion to its depth, so each element
 * keeps two things, computed when it is pushed:
 *
 *  - `below`: the next lower element in the same hash bucket. The element of a given name that is nearest to the top is
 *    found from last[bucket] without passing elements of other buckets;
 *  - `limit[scope]`: the number of the nearest element, itself included, at which a search in that scope stops. An
 *    element with a lower number is out of scope.
 *
 * Example: <ul><li><table><tr><td> are the elements 1 to 5, and now comes </ul>. The bucket of "ul" holds 1, but
 * limit[SCOPE_NORMAL] of the top is 5, since <td> is a barrier. 1 < 5, so an end tag inside a cell does not close a
 * list outside of the table.
 */
#include "extract/html/elements.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/status.h"

/* Kinds of searches, by where they stop; see ends_search. */
enum scope { SCOPE_NORMAL, SCOPE_BUTTON, SCOPE_LIST, SCOPE_TABLE, SCOPE_ITEM, SCOPE_INLINE, SCOPES };

_Static_assert((int)SCOPES <= (int)STACK_SCOPES, "room for all");

/* Elements are numbered from 1, the lowest; 0 means no element: stack[0] is the page. */
struct stack_element {
	uint16_t limit[STACK_SCOPES]; /* nearest element at or below this one that stops a search */
	uint32_t hash;                /* of the lower-case name */
	uint16_t below;               /* the next lower element of the same bucket */
	uint8_t tag;
};

void element_stack_reset(struct element_stack *o)
{
	o->depth = o->deeper = 0;
	o->steps = 0;
	memset(o->last, 0, sizeof(o->last));
}

void element_stack_free(struct element_stack *o)
{
	free(o->stack);
	o->stack = NULL;
}

/* Returns the hash of a tag's name: names that are not in the table have to be read. */
static uint32_t element_hash(const struct element_stack *o, enum html_tag tag, struct slice name)
{
	return tag == HTML_TAG_OTHER ? hash_fnv32_nocase(name, HASH_FNV32_START) : o->tag[tag].hash;
}

/* Returns whether an element stops searches of this kind. */
static bool ends_search(enum html_tag tag, enum scope scope)
{
	switch (scope) {
	case SCOPE_NORMAL:
		return html_tag_is(tag, TAG_BARRIER);
	case SCOPE_BUTTON:
		return html_tag_is(tag, TAG_BARRIER) || tag == HTML_TAG_BUTTON;
	case SCOPE_LIST:
		return html_tag_is(tag, TAG_BARRIER) || tag == HTML_TAG_OL || tag == HTML_TAG_UL;
	case SCOPE_TABLE:
		return html_tag_is(tag, TAG_TABLE_LIKE);
	case SCOPE_ITEM:
		return html_tag_is(tag, TAG_SPECIAL);
	default:
		return !html_tag_is(tag, TAG_INLINE) && tag != HTML_TAG_OTHER;
	}
}

int element_stack_init(struct element_stack *o, size_t max)
{
	*o = (struct element_stack){ .max = max == 0 ? STACK_DEPTH_DEFAULT : max > 65534 ? 65534 : max };
	for (unsigned t = 0; t < HTML_TAGS_COUNT; t++) {
		o->tag[t].hash = hash_fnv32_nocase(slice_from_text(html_tag_name((enum html_tag)t)), HASH_FNV32_START);
		for (unsigned s = 0; s < SCOPES; s++)
			o->tag[t].ends[s] = ends_search((enum html_tag)t, (enum scope)s) ? UINT16_MAX : 0;
	}
	o->stack = calloc(o->max + 1, sizeof(*o->stack));
	if (!o->stack)
		return DANA_ENOMEM;
	o->stack[0].tag = HTML_TAG_OTHER;
	return DANA_OK;
}

/* Returns the number of the topmost element of that name, or 0 if the scope has no such element. */
static size_t find(struct element_stack *o, uint32_t hash, enum scope scope)
{
	size_t n = o->last[hash % STACK_BUCKETS];
	while (n && o->stack[n].hash != hash) {
		n = o->stack[n].below;
		o->steps++;
	}
	/* equal: the wanted element is itself the one that stops the search */
	return n >= o->stack[o->depth].limit[scope] ? n : 0;
}

static void pop_to(struct element_stack *o, size_t depth)
{
	while (o->depth > depth) {
		const struct stack_element *e = &o->stack[o->depth--];
		o->last[e->hash % STACK_BUCKETS] = e->below;
	}
}

void element_stack_drop(struct element_stack *o, size_t count)
{
	pop_to(o, o->depth - count);
	o->deeper = 0;
}

/* Returns the depth after closing the topmost `tag` in the scope; `depth` itself if the scope has no such element. */
static size_t close_like(struct element_stack *o, enum html_tag tag, enum scope scope, size_t depth)
{
	size_t n = find(o, o->tag[tag].hash, scope);
	return n && n - 1 < depth ? n - 1 : depth;
}

static enum html_tag top(const struct element_stack *o)
{
	return (enum html_tag)o->stack[o->depth].tag;
}

/* Returns the number of the topmost of these elements, or 0 if the scope has no such element. */
static size_t find_any(struct element_stack *o, const enum html_tag *tags, size_t count, enum scope scope)
{
	size_t topmost = 0;
	for (size_t i = 0; i < count; i++) {
		size_t n = find(o, o->tag[tags[i]].hash, scope);
		topmost = n > topmost ? n : topmost;
	}
	return topmost;
}

/* Elements that hold only parts of a table, no content. */
static const enum html_tag holders[] = { HTML_TAG_TABLE, HTML_TAG_TBODY, HTML_TAG_THEAD, HTML_TAG_TFOOT, HTML_TAG_TR };

/*
 * Returns the depth to which the start tag of a table part (<tr>, <td>, ...) closes elements: up to the nearest element
 * that can hold such a part, so that elements which do not belong in a table are closed as well ("clear the stack back
 * to a table context", HTML, section 13.2.6.4.9). Returns 0 if no table is open: the tag is then ignored.
 */
static size_t table_depth(struct element_stack *o, enum html_tag tag)
{
	bool cell = tag == HTML_TAG_TD || tag == HTML_TAG_TH;
	size_t kinds = cell ? 5 : tag == HTML_TAG_TR ? 4 : 1;
	return find_any(o, holders, kinds, SCOPE_TABLE);
}

static bool needs_table(enum html_tag tag)
{
	return tag == HTML_TAG_CAPTION || tag == HTML_TAG_TBODY || tag == HTML_TAG_THEAD || tag == HTML_TAG_TFOOT ||
	       tag == HTML_TAG_TR || tag == HTML_TAG_TD || tag == HTML_TAG_TH;
}

/* Returns the depth after closing what a start tag closes by implication, before its own element is pushed. */
static size_t implied_depth(struct element_stack *o, enum html_tag tag)
{
	size_t depth = o->depth;
	if (top(o) == HTML_TAG_HEAD && !html_tag_is(tag, TAG_HEAD_PART))
		return needs_table(tag) && table_depth(o, tag) == 0 ? 0 : depth - 1;

	if (needs_table(tag))
		return table_depth(o, tag);
	switch (tag) {
	case HTML_TAG_P:
		return close_like(o, tag, SCOPE_BUTTON, depth);
	case HTML_TAG_LI:
		return close_like(o, tag, SCOPE_ITEM, depth);
	case HTML_TAG_DD:
	case HTML_TAG_DT:
		depth = close_like(o, HTML_TAG_DD, SCOPE_ITEM, depth);
		return close_like(o, HTML_TAG_DT, SCOPE_ITEM, depth);
	case HTML_TAG_OPTION:
	case HTML_TAG_OPTGROUP:
		return top(o) == HTML_TAG_OPTION ? depth - 1 : depth;
	case HTML_TAG_BUTTON:
		return close_like(o, tag, SCOPE_NORMAL, depth);
	case HTML_TAG_A:
		return close_like(o, tag, SCOPE_INLINE, depth);
	default:
		break;
	}
	if (!html_tag_is(tag, TAG_CLOSES_P))
		return depth;
	depth = close_like(o, HTML_TAG_P, SCOPE_BUTTON, depth);
	if (html_tag_is(tag, TAG_HEADING) && depth && html_tag_is((enum html_tag)o->stack[depth].tag, TAG_HEADING))
		depth--;
	return depth;
}

struct stack_change element_stack_start(struct element_stack *o, enum html_tag tag, struct slice name)
{
	struct stack_change change = { 0 };
	for (size_t i = 0; tag == HTML_TAG_FORM && i < sizeof(holders) / sizeof(*holders); i++) {
		if (top(o) == holders[i])
			return change; /* a form among the parts of a table is empty (section 13.2.6.4.9) */
	}
	/* a form cannot hold a form (section 13.2.6.4.7) */
	const bool once = tag == HTML_TAG_FORM || (o->depth && (tag == HTML_TAG_HTML || tag == HTML_TAG_BODY));
	if (once && find(o, o->tag[tag].hash, SCOPE_TABLE))
		return change;
	size_t depth = implied_depth(o, tag);
	if (depth == 0 && needs_table(tag))
		return change;
	change.closes = o->depth - depth;
	if (change.closes)
		o->deeper = 0;
	pop_to(o, depth);
	change.empty = html_tag_is(tag, TAG_VOID);
	if (change.empty)
		return change;
	if (o->depth == o->max) {
		o->deeper++;
		return change;
	}
	const uint32_t hash = element_hash(o, tag, name);
	const struct stack_element *under = &o->stack[o->depth++];
	struct stack_element *e = &o->stack[o->depth];
	const uint64_t depths = o->depth * UINT64_C(0x0001000100010001);
	e->hash = hash;
	e->tag = (uint8_t)tag;
	e->below = o->last[hash % STACK_BUCKETS];
	o->last[hash % STACK_BUCKETS] = (uint16_t)o->depth;
	/* the element's own number where it stops searches, else the limit of the element under it: four at once */
	for (unsigned s = 0; s < STACK_SCOPES; s += 4) {
		uint64_t limit, ends;
		memcpy(&limit, under->limit + s, sizeof(limit));
		memcpy(&ends, o->tag[tag].ends + s, sizeof(ends));
		limit = (limit & ~ends) | (depths & ends);
		memcpy(e->limit + s, &limit, sizeof(limit));
	}
	change.opens = true;
	return change;
}

size_t element_stack_end(struct element_stack *o, enum html_tag tag, struct slice name)
{
	static const enum html_tag headings[] = { HTML_TAG_H1, HTML_TAG_H2, HTML_TAG_H3,
						  HTML_TAG_H4, HTML_TAG_H5, HTML_TAG_H6 };
	if (tag == HTML_TAG_HTML || tag == HTML_TAG_BODY || html_tag_is(tag, TAG_VOID))
		return 0;
	if (o->deeper) {
		o->deeper--;
		return 0;
	}
	enum scope scope = html_tag_is(tag, TAG_INLINE) || tag == HTML_TAG_OTHER ? SCOPE_INLINE : SCOPE_NORMAL;
	if (tag == HTML_TAG_P)
		scope = SCOPE_BUTTON;
	else if (tag == HTML_TAG_LI)
		scope = SCOPE_LIST;
	else if (tag == HTML_TAG_TABLE || needs_table(tag))
		scope = SCOPE_TABLE;
	/* the end tag of any heading closes the open one, whatever its level: </h2> closes <h1> */
	size_t n = html_tag_is(tag, TAG_HEADING)
			   ? find_any(o, headings, sizeof(headings) / sizeof(*headings), SCOPE_NORMAL)
			   : find(o, element_hash(o, tag, name), scope);
	if (n == 0)
		return 0;
	const size_t closes = o->depth - (n - 1);
	pop_to(o, n - 1);
	return closes;
}

/*
 * Builds the array of elements. An element's words and leaves are differences of counters: when it begins it stores
 * their values, and when it ends these are subtracted from the current ones. So a word costs the same at any depth.
 *
 * Example: "<div>one <b>two</b> three</div>". <b> begins after 1 word and ends after 2: first_word = 1, words = 1.
 * <div> begins at 0 and ends at 3.
 */
_Static_assert(sizeof(struct element) == 32, "an element takes 32 bytes");

/* Elements whose memory is kept for the next page. */
enum { ELEMENTS_KEPT = 8 << 10 };

/* Begins an element inside path[depth - 1]. Beyond the limit its parent takes its place in the path. */
static int begin(struct element_tree *tree, enum html_tag tag, size_t text)
{
	uint32_t parent = tree->depth ? tree->path[tree->depth - 1] : 0;
	if (tree->count >= tree->max_elements) {
		tree->path[tree->depth++] = parent;
		return DANA_OK;
	}
	if (tree->count == tree->cap) {
		size_t cap = tree->cap ? tree->cap * 2 : 256;
		struct element *elements = realloc(tree->elements, cap * sizeof(*elements));
		if (!elements)
			return DANA_ENOMEM;
		tree->elements = elements;
		tree->cap = cap;
	}
	tree->elements[tree->count] = (struct element){ .parent = parent,
							.first_word = tree->words,
							.leaves = tree->leaves,
							.text_start = (uint32_t)text,
							.depth = (uint16_t)tree->depth,
							.tag = (uint8_t)tag };
	tree->path[tree->depth++] = (uint32_t)tree->count++;
	return DANA_OK;
}

/* Ends the innermost element. Until now its `leaves` was the number of leaves before it. */
static void end(struct element_tree *tree, size_t text)
{
	uint32_t index = tree->path[--tree->depth];
	struct element *e = &tree->elements[index];
	if (tree->with_word > tree->depth)
		tree->with_word = tree->depth;
	/* beyond the limit the parent is in the path twice: it stays open */
	if (tree->depth && tree->path[tree->depth - 1] == index)
		return;
	e->end = (uint32_t)tree->count;
	e->words = tree->words - e->first_word;
	e->leaves = tree->leaves - e->leaves + (e->words && e->continues_leaf ? 1 : 0);
	e->text_end = (uint32_t)text;
}

int element_tree_init(struct element_tree *tree, size_t max_elements, size_t max_depth)
{
	*tree = (struct element_tree){ .max_elements = max_elements ? max_elements : ELEMENTS_DEFAULT };
	int status = element_stack_init(&tree->open, max_depth);
	if (status < 0)
		return status;
	tree->path = calloc(tree->open.max + 1, sizeof(*tree->path));
	if (!tree->path)
		return DANA_ENOMEM;
	return begin(tree, HTML_TAG_OTHER, 0);
}

void element_tree_reset(struct element_tree *tree)
{
	if (tree->cap > ELEMENTS_KEPT) {
		struct element *fewer = realloc(tree->elements, ELEMENTS_KEPT * sizeof(*fewer));
		tree->elements = fewer ? fewer : tree->elements;
		tree->cap = fewer ? ELEMENTS_KEPT : tree->cap;
	}
	element_stack_reset(&tree->open);
	tree->count = tree->depth = tree->with_word = 0;
	tree->words = tree->leaves = 0;
	/* cannot fail: element_tree_init made room for the page's own element */
	(void)begin(tree, HTML_TAG_OTHER, 0);
}

int element_tree_tag(struct element_tree *tree, const struct html_tag_event *event, size_t text)
{
	struct stack_change change = element_stack_take(&tree->open, event);
	for (size_t i = 0; i < change.closes; i++)
		end(tree, text);
	return change.opens ? begin(tree, (enum html_tag)event->tag, text) : DANA_OK;
}

void element_tree_word(struct element_tree *tree, bool breaks)
{
	bool new_leaf = breaks || tree->leaves == 0;
	for (; tree->with_word < tree->depth; tree->with_word++) {
		struct element *e = &tree->elements[tree->path[tree->with_word]];
		/* an element that is in the path more than once keeps the value from its own first word */
		if (e->first_word == tree->words)
			e->continues_leaf = !new_leaf;
	}
	tree->leaves += new_leaf;
	tree->words++;
}

void element_tree_finish(struct element_tree *tree, size_t text)
{
	while (tree->depth)
		end(tree, text);
}

void element_tree_free(struct element_tree *tree)
{
	element_stack_free(&tree->open);
	free(tree->elements);
	free(tree->path);
	tree->elements = NULL;
	tree->path = NULL;
}
