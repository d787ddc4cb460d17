/* SPDX-License-Identifier: MIT */
/*
 * Parses selectors and applies them to a page as its tags come: bytes of parts that are left out do not pass.
 *
 * Each open element has two sets of bits, one for each compound of the selectors: which compounds it matches, with all
 * that has to be around it, and which of them it or an element around it matches. The next compound of a selector looks
 * at the parent's sets alone, so a tag is decided when it comes.
 *
 * Example: "ul > li a" has the compounds 0 "ul", 1 "> li" and 2 "a". In <ul><li><b><a>, <li> matches 1 because <ul>,
 * its parent, matches 0, and <a> matches 2 because an element around it matches 1.
 */
#include "extract/page_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "extract/html/attribute.h"
#include "extract/html/elements.h"
#include "extract/html/entity.h"

enum { SETS = PARTS_COMPOUNDS / 64, ATTRIBUTES_MOST = 64 };

enum condition_kind { HAS, EQUALS, BEGINS, ENDS, CONTAINS, WORD, DASH };

struct condition {
	enum condition_kind kind;
	struct slice name, value;
};

enum combinator { FIRST, CHILD, DESCENDANT };

/* What becomes of the elements that a selector names. */
enum part_action { EXCLUDE, ONLY, DROP };

static const char *const action_names[] = { "exclude", "only", "drop" };

struct compound {
	struct slice name; /* of the element; empty: any */
	struct condition *condition;
	size_t n_conditions;
	enum combinator after;
	bool ends; /* it is the last one of its selector */
	enum part_action action;
};

struct selector_list {
	struct compound *compound;
	size_t count, cap, selectors;
};

struct host_rules {
	struct slice host;
	struct selector_list list;
};

struct level {
	uint64_t self[SETS], any[SETS];
};

/* From a place of what is read on: what was left out before it. */
struct left_out {
	uint64_t at, left_out;
};

/* All words from `from` to `to` of the page are in elements that are dropped. */
struct dropped_part {
	uint64_t from, to;
};

/*
 * Finds the dropped parts. They reach over tags and signs of the line around the elements, up to the words next to
 * them: so a block whose words are all in a dropped link is in one, though its own element is not.
 */
struct drop_walk {
	size_t open;       /* number of the outermost open element that is dropped; 0: none */
	bool any;          /* a part has begun, and neither its line nor words after it have ended it */
	bool seen;         /* text of it has come */
	bool own;          /* text of it has come on this line */
	uint64_t from;     /* where it begins */
	uint64_t line;     /* where the line, or what is after its last words, begins */
	uint64_t text, to; /* the place of the text that comes outside of dropped elements, as far as it has come */
	struct buf bytes;  /* of this text, without white space, until it surely has words */
	struct buf parts;  /* struct dropped_part each */
};

struct page_parts {
	uint8_t *text; /* of all selectors, which their slices are in */
	struct selector_list always;
	struct host_rules *hosts; /* sorted by host */
	size_t n_hosts, cap_hosts;

	/* the page */
	struct compound active[PARTS_COMPOUNDS];
	size_t n_active;
	bool any_only, any_drop;
	bool drops; /* the caller asks what is dropped; otherwise it is excluded */
	struct drop_walk drop;
	struct found_parts *found; /* NULL: nothing is left out but by selectors */
	struct html_tokenizer *tokens;
	struct element_stack open;
	struct level *level; /* of each open element, from 1; level[0] is the page */
	size_t hidden,
		shown;      /* number of the outermost open element that is left out, or that alone is read; 0: none */
	uint8_t skip_tag;   /* of the skipped element that is open; 0: none */
	struct buf pending; /* bytes of a tag whose end has not come */
	uint64_t pending_at;
	bool waits;
	struct buf values; /* decoded values of attributes of a tag */
	struct buf gaps;
	uint64_t read;   /* bytes appended to `out` */
	uint64_t put_to; /* where the last bytes that are read end, in the page */
	struct buf *out;
};

/* ---- selectors ---- */

struct selector_parser {
	uint8_t *at, *end;
	struct slice whole;
	struct error *err;
	enum part_action action;
};

static int refuse(const struct selector_parser *s, const char *why)
{
	char whole[128], rest[32];
	return error_set(s->err, DANA_ECONFIG, "selector '%s': %s at '%s'", printable(s->whole, whole, sizeof(whole)),
			 why, printable(slice_of(s->at, (size_t)(s->end - s->at)), rest, sizeof(rest)));
}

static bool skip_blanks(struct selector_parser *s)
{
	const uint8_t *from = s->at;
	while (s->at < s->end && ascii_is_space(*s->at))
		s->at++;
	return s->at > from;
}

/* Reads a name; a backslash takes the next byte as it is. It is written over its source. */
static struct slice read_name(struct selector_parser *s)
{
	uint8_t *to = s->at, *const from = s->at;
	while (s->at < s->end) {
		const uint8_t c = *s->at;
		const bool escape = c == '\\' && s->at + 1 < s->end;
		if (!escape && c < 0x80 && !ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != '_')
			break;
		s->at += escape;
		*to++ = *s->at++;
	}
	return slice_of(from, (size_t)(to - from));
}

/* Reads the rest of "[name^=value]", after the bracket. */
static int read_attribute(struct selector_parser *s, struct condition *c)
{
	static const char signs[] = "=^$*~|";
	static const enum condition_kind kinds[] = { EQUALS, BEGINS, ENDS, CONTAINS, WORD, DASH };
	(void)skip_blanks(s);
	c->name = read_name(s);
	if (c->name.len == 0)
		return refuse(s, "an attribute's name is missing");
	(void)skip_blanks(s);
	const char *sign = s->at < s->end && *s->at != ']' ? strchr(signs, *s->at) : NULL;
	if (sign && *sign) {
		c->kind = kinds[sign - signs];
		s->at++;
		if (c->kind != EQUALS && (s->at == s->end || *s->at++ != '='))
			return refuse(s, "'=' is missing");
		(void)skip_blanks(s);
		const uint8_t quote = s->at < s->end ? *s->at : 0;
		if (quote == '"' || quote == '\'') {
			uint8_t *from = ++s->at;
			while (s->at < s->end && *s->at != quote)
				s->at++;
			if (s->at == s->end)
				return refuse(s, "a quotation mark is missing");
			c->value = slice_of(from, (size_t)(s->at++ - from));
		} else {
			c->value = read_name(s);
		}
		(void)skip_blanks(s);
	}
	if (s->at == s->end || *s->at++ != ']')
		return refuse(s, "']' is missing");
	return DANA_OK;
}

/* Reads a compound; `after`: how it follows the one before. */
static int read_compound(struct selector_parser *s, struct selector_list *list, enum combinator after)
{
	struct compound *more = grow_items(list->compound, list->count, &list->cap, sizeof(*more));
	if (!more)
		return error_no_memory(s->err);
	list->compound = more;
	if (list->count == PARTS_COMPOUNDS)
		return refuse(s, "there are more than 256 parts of selectors");
	struct compound *c = &list->compound[list->count++];
	*c = (struct compound){ .after = after, .action = s->action };
	const uint8_t *from = s->at;
	size_t cap = 0;
	if (s->at < s->end && *s->at == '*')
		s->at++;
	else
		c->name = read_name(s);
	while (s->at < s->end && strchr(".#[:", *s->at) && *s->at) {
		struct condition *conditions = grow_items(c->condition, c->n_conditions, &cap, sizeof(*conditions));
		if (!conditions)
			return error_no_memory(s->err);
		c->condition = conditions;
		struct condition *n = &c->condition[c->n_conditions++];
		*n = (struct condition){ .kind = HAS };
		const uint8_t sign = *s->at++;
		if (sign == ':')
			return refuse(s, "pseudo-classes are not known; expected names, .class, #id or [attribute]");
		int status = DANA_OK;
		if (sign == '[') {
			status = read_attribute(s, n);
		} else {
			n->kind = sign == '.' ? WORD : EQUALS;
			n->name = slice_from_text(sign == '.' ? "class" : "id");
			n->value = read_name(s);
			if (n->value.len == 0)
				status = refuse(s, "a name is missing");
		}
		if (status < 0)
			return status;
	}
	if (s->at == from && s->at < s->end && *s->at == '/')
		return refuse(s, "XPath is not known; expected a CSS selector");
	return s->at == from ? refuse(s, "a selector is missing") : DANA_OK;
}

/* Adds the selectors of a text, whose bytes may be changed. */
static int read_list(struct slice text, uint8_t *bytes, enum part_action action, struct selector_list *list,
		     struct error *err)
{
	struct selector_parser s = { bytes, bytes + text.len, text, err, action };
	int status = DANA_OK;
	while (status == DANA_OK) {
		(void)skip_blanks(&s);
		if (++list->selectors > PARTS_SELECTORS)
			return refuse(&s, "there are more than 64 selectors");
		enum combinator after = FIRST;
		do {
			status = read_compound(&s, list, after);
			if (status < 0)
				return status;
			after = skip_blanks(&s) ? DESCENDANT : FIRST;
			if (s.at < s.end && *s.at == '>') {
				after = CHILD;
				s.at++;
				(void)skip_blanks(&s);
			}
			if (s.at == s.end || *s.at == ',')
				after = after == CHILD ? CHILD : FIRST;
			else if (*s.at == '+' || *s.at == '~')
				return refuse(&s, "a selector cannot name elements that came before");
			else if (after == FIRST)
				return refuse(&s, "a name, '.', '#', '[', '>' or ',' is expected");
		} while (after != FIRST);
		list->compound[list->count - 1].ends = true;
		if (s.at == s.end)
			return DANA_OK;
		s.at++;
	}
	return status;
}

static int host_order(struct slice a, struct slice b)
{
	const size_t len = a.len < b.len ? a.len : b.len;
	const int order = len ? memcmp(a.data, b.data, len) : 0;
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_host(const void *a, const void *b)
{
	return host_order(((const struct host_rules *)a)->host, ((const struct host_rules *)b)->host);
}

static int refuse_line(struct error *err, size_t line, struct slice text)
{
	char shown[128];
	return error_set(err, DANA_ECONFIG,
			 "line %zu of the rules: '%s': expected HOST, a tab, exclude, only or drop, a tab, SELECTORS; "
			 "HOST is a name without scheme, port, path and '*'",
			 line, printable(text, shown, sizeof(shown)));
}

/* Takes the part of `rest` up to a tab. */
static struct slice take_field(struct slice *rest)
{
	const struct slice field = slice_first(*rest, slice_until(*rest, "\t"));
	*rest = slice_skip(*rest, field.len + (field.len < rest->len));
	return field;
}

static int read_rules(struct page_parts *p, struct slice rules, uint8_t *bytes, struct error *err)
{
	size_t line = 0;
	for (struct slice rest = rules; rest.len;) {
		struct slice text = slice_first(rest, slice_until(rest, "\n"));
		rest = slice_skip(rest, text.len + (text.len < rest.len));
		text = slice_trim(text);
		line++;
		if (text.len == 0 || text.data[0] == '#')
			continue;
		struct slice fields = text;
		const struct slice host = take_field(&fields), what = take_field(&fields);
		unsigned action = EXCLUDE;
		while (action <= DROP && !slice_is(what, action_names[action]))
			action++;
		/* what can be no host of a page would match nothing, and nobody would notice */
		const bool is_host = host.len && host.data[0] != '.' && slice_until(host, "* ") == host.len &&
				     slice_equal(url_parts(host).host, host);
		if (!is_host || fields.len == 0 || action > DROP)
			return refuse_line(err, line, text);
		struct host_rules *more = grow_items(p->hosts, p->n_hosts, &p->cap_hosts, sizeof(*more));
		if (!more)
			return error_no_memory(err);
		p->hosts = more;
		struct host_rules *rule = &p->hosts[p->n_hosts++];
		*rule = (struct host_rules){ .host = host };
		uint8_t *const copy = bytes + (fields.data - rules.data);
		struct error why = { 0 };
		if (read_list(fields, copy, (enum part_action)action, &rule->list, &why) < 0)
			return error_set(err, why.status, "line %zu of the rules: %s", line, why.text);
	}
	for (size_t i = 0; i < p->n_hosts; i++) {
		uint8_t *const host = bytes + (p->hosts[i].host.data - rules.data);
		for (size_t k = 0; k < p->hosts[i].host.len; k++)
			host[k] = ascii_lower(host[k]);
		p->hosts[i].host.data = host;
	}
	qsort(p->hosts, p->n_hosts, sizeof(*p->hosts), by_host);
	size_t count = 0;
	for (size_t i = 0; i < p->n_hosts; i++) {
		const bool same = i && slice_equal(p->hosts[i].host, p->hosts[i - 1].host);
		char shown[128];
		count = (same ? count : p->always.count) + p->hosts[i].list.count;
		if (count > PARTS_COMPOUNDS)
			return error_set(err, DANA_ECONFIG, "rules of '%s': more than 256 parts of selectors",
					 printable(p->hosts[i].host, shown, sizeof(shown)));
	}
	return DANA_OK;
}

/* ---- what is dropped ---- */

/* Of a text so many bytes, without white space, show whether it has words. */
enum { SIGNS_MOST = 64 };

bool page_parts_words(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		const uint8_t c = text.data[i];
		const bool punctuation = c == 0xE2 && text.len - i > 2 && (text.data[i + 1] & 0xFE) == 0x80;
		if (c == 0xC2 || punctuation)
			i += c == 0xC2 ? 1 : 2;
		else if (c >= 0x80 || ascii_is_alpha(c) || ascii_is_digit(c))
			return true;
	}
	return false;
}

/* What comes next, at `to`, is not of the part. */
static int drop_end(struct drop_walk *d, uint64_t to)
{
	const struct dropped_part part = { d->from, to };
	const bool any = d->any;
	d->any = false;
	return any ? buf_append(&d->parts, &part, sizeof(part)) : DANA_OK;
}

/* A tag ends the text outside of dropped elements, and maybe the line. */
static int drop_tag(struct drop_walk *d, const struct html_tag_event *event, struct buf *decoded)
{
	int status = DANA_OK;
	if (d->bytes.len) {
		buf_clear(decoded);
		status = html_entity_append(decoded, buf_slice(&d->bytes));
		if (status == DANA_OK && page_parts_words(buf_slice(decoded))) {
			status = drop_end(d, d->text);
			d->line = d->to;
		}
		buf_clear(&d->bytes);
	}
	if (status < 0 || !html_tag_is((enum html_tag)event->tag, TAG_SPLITS))
		return status;
	d->own = false;
	if (d->open && !d->seen)
		d->from = event->start; /* signs before it are another line */
	if (d->open)
		return DANA_OK;
	d->line = event->start;
	return drop_end(d, event->start);
}

/* Takes text that a reader sees, which may be a piece of it. */
static int drop_text(struct drop_walk *d, struct slice text, uint64_t offset)
{
	int status = DANA_OK;
	if (d->open) {
		d->own |= slice_trim(text).len > 0;
		d->seen |= d->own;
		return DANA_OK;
	}
	if (d->bytes.len == 0)
		d->text = offset;
	d->to = offset + text.len;
	for (size_t i = 0; i < text.len && d->bytes.len < SIGNS_MOST && status == DANA_OK; i++) {
		if (!ascii_is_space(text.data[i]))
			status = buf_append_byte(&d->bytes, text.data[i]);
	}
	return status;
}

static void drop_begin(struct drop_walk *d, size_t depth)
{
	d->open = depth;
	if (!d->any) {
		d->from = d->line;
		d->seen = d->own = false;
	}
	d->any = true;
}

/* ---- the page ---- */

/* Counts bytes that are read, which begin at `offset` of the page. */
static int count_read(struct page_parts *p, struct slice bytes, uint64_t offset)
{
	struct left_out last = { 0, 0 };
	if (p->gaps.len)
		memcpy(&last, p->gaps.data + p->gaps.len - sizeof(last), sizeof(last));
	if (offset - p->read != last.left_out) {
		last = (struct left_out){ p->read, offset - p->read };
		if (buf_append(&p->gaps, &last, sizeof(last)) < 0)
			return DANA_ENOMEM;
	}
	p->read += bytes.len;
	return DANA_OK;
}

/* Appends bytes of the page that begin at `offset`, as far as they are read. */
static int put(struct page_parts *p, struct slice bytes, uint64_t offset, bool visible)
{
	if (!visible || bytes.len == 0)
		return DANA_OK;
	p->put_to = offset + bytes.len;
	if (p->found)
		return found_parts_put(p->found, bytes, offset);
	const int status = count_read(p, bytes, offset);
	return status < 0 ? status : buf_append(p->out, bytes.data, bytes.len);
}

static bool is_visible(const struct page_parts *p)
{
	return !p->hidden && (!p->any_only || p->shown);
}

static int put_pending(struct page_parts *p, bool visible)
{
	p->waits = false;
	const int status = put(p, buf_slice(&p->pending), p->pending_at, visible);
	buf_clear(&p->pending);
	return status;
}

static int take_run(void *arg, const struct html_run *run)
{
	struct page_parts *p = arg;
	if (p->waits && (run->kind == HTML_TEXT || run->first)) { /* a declaration, which has no event */
		const int status = put_pending(p, !p->hidden);
		if (status < 0)
			return status;
	}
	if (run->kind != HTML_TEXT && (run->first || p->waits) &&
	    !(run->kind == HTML_HIDDEN && run->tag == HTML_TAG_OTHER)) {
		if (run->first) {
			p->waits = true;
			p->pending_at = run->offset;
		}
		return buf_append(&p->pending, run->bytes.data, run->bytes.len);
	}
	if (run->kind == HTML_TEXT && !run->skipped && is_visible(p)) {
		if (p->found)
			found_parts_text(p->found, run->bytes);
		const int status = p->any_drop ? drop_text(&p->drop, run->bytes, run->offset) : DANA_OK;
		if (status < 0)
			return status;
	}
	return put(p, run->bytes, run->offset, is_visible(p) || (run->tag == HTML_TAG_TITLE && !p->hidden));
}

struct attributes {
	struct html_attr attr[ATTRIBUTES_MOST];
	size_t count;
};

static bool has_word(struct slice value, struct slice word)
{
	while (value.len) {
		value = slice_trim(value);
		const struct slice first = slice_first(value, slice_until(value, " \t\n\f\r"));
		if (slice_equal(first, word))
			return word.len > 0;
		value = slice_skip(value, first.len);
	}
	return false;
}

static bool condition_holds(const struct condition *c, const struct attributes *all)
{
	struct slice v = { 0 };
	size_t i = 0;
	while (i < all->count && !slice_equal_nocase(all->attr[i].name, c->name))
		i++;
	if (i == all->count)
		return false;
	v = all->attr[i].value;
	switch (c->kind) {
	case HAS:
		return true;
	case EQUALS:
		return slice_equal(v, c->value);
	case WORD:
		return has_word(v, c->value);
	case BEGINS:
		return c->value.len && slice_equal(slice_first(v, c->value.len), c->value);
	case ENDS:
		return c->value.len && v.len >= c->value.len &&
		       slice_equal(slice_skip(v, v.len - c->value.len), c->value);
	case CONTAINS:
		while (v.len > c->value.len && memcmp(v.data, c->value.data, c->value.len) != 0)
			v = slice_skip(v, 1);
		return c->value.len && slice_equal(slice_first(v, c->value.len), c->value);
	case DASH:
		return slice_equal(slice_first(v, c->value.len), c->value) &&
		       (v.len == c->value.len || v.data[c->value.len] == '-');
	}
	return false;
}

/* Reads the attributes of a tag, with their references decoded. */
static int read_attributes(struct page_parts *p, const struct html_tag_event *event, struct attributes *all)
{
	struct html_attr_reader reader = html_attr_begin(event);
	size_t at[ATTRIBUTES_MOST];
	bool decoded[ATTRIBUTES_MOST];
	all->count = 0;
	buf_clear(&p->values);
	for (struct html_attr *a = all->attr; all->count < ATTRIBUTES_MOST && html_attr_next(&reader, a); a++) {
		at[all->count] = p->values.len;
		decoded[all->count] = a->value.len && memchr(a->value.data, '&', a->value.len);
		if (decoded[all->count++] && html_entity_append(&p->values, a->value) < 0)
			return DANA_ENOMEM;
	}
	for (size_t i = 0; i < all->count; i++) {
		const size_t end = i + 1 < all->count ? at[i + 1] : p->values.len;
		if (decoded[i])
			all->attr[i].value = slice_of(p->values.data + at[i], end - at[i]);
	}
	return DANA_OK;
}

static bool has_bit(const uint64_t set[SETS], size_t bit)
{
	return set[bit / 64] >> bit % 64 & 1;
}

/* Finds what a start tag matches below `parent`. matched: whole selectors, for each action. */
static int match(struct page_parts *p, const struct html_tag_event *event, const struct level *parent,
		 struct level *own, bool matched[DROP + 1])
{
	NOT_ZEROED struct attributes all;
	int status = read_attributes(p, event, &all);
	*own = (struct level){ 0 };
	memcpy(own->any, parent->any, sizeof(own->any));
	for (size_t i = 0; i < p->n_active && status == DANA_OK; i++) {
		const struct compound *c = &p->active[i];
		if ((c->after == CHILD && !has_bit(parent->self, i - 1)) ||
		    (c->after == DESCENDANT && !has_bit(parent->any, i - 1)) ||
		    (c->name.len && !slice_equal_nocase(c->name, event->name)))
			continue;
		size_t k = 0;
		while (k < c->n_conditions && condition_holds(&c->condition[k], &all))
			k++;
		if (k < c->n_conditions)
			continue;
		own->self[i / 64] |= (uint64_t)1 << i % 64;
		own->any[i / 64] |= (uint64_t)1 << i % 64;
		matched[c->action] |= c->ends;
	}
	return status;
}

/* Ends the elements above number `depth`. */
static void end_above(struct page_parts *p, size_t depth)
{
	p->hidden = p->hidden > depth ? 0 : p->hidden;
	p->shown = p->shown > depth ? 0 : p->shown;
	p->drop.open = p->drop.open > depth ? 0 : p->drop.open;
	if (p->found)
		found_parts_end(p->found, depth);
}

static int take_start(struct page_parts *p, const struct html_tag_event *event)
{
	static const bool of_head[HTML_TAGS_COUNT] = {
		[HTML_TAG_TITLE] = true, [HTML_TAG_BASE] = true, [HTML_TAG_META] = true, [HTML_TAG_LINK] = true,
		[HTML_TAG_HTML] = true,  [HTML_TAG_HEAD] = true, [HTML_TAG_BODY] = true
	};
	const size_t before = p->open.depth;
	const struct stack_change change = element_stack_start(&p->open, (enum html_tag)event->tag, event->name);
	const size_t parent = before - change.closes;
	struct level own;
	bool matched[DROP + 1] = { false };
	end_above(p, parent);
	int status = match(p, event, &p->level[parent], &own, matched);
	const bool hides = matched[EXCLUDE], shows = matched[ONLY];
	if (status == DANA_OK && p->found && !html_tag_is((enum html_tag)event->tag, TAG_SKIP))
		status = found_parts_start(p->found, event, change.opens ? p->open.depth : 0);
	if (status < 0)
		return status;
	const bool visible = !p->hidden && !hides && (!p->any_only || p->shown || shows || of_head[event->tag]);
	/* a slash ends an element in the tokeniser where its content is skipped; in others HTML ignores it */
	const bool empty = change.empty || (event->self_closing && html_tag_is((enum html_tag)event->tag, TAG_SKIP));
	if (change.opens) {
		p->level[p->open.depth] = own;
		if (hides && !p->hidden && !empty)
			p->hidden = p->open.depth;
		if (shows && !p->shown && !empty)
			p->shown = p->open.depth;
		if (matched[DROP] && !p->drop.open && !empty)
			drop_begin(&p->drop, p->open.depth);
	}
	return put_pending(p, visible);
}

static int take_end(struct page_parts *p, const struct html_tag_event *event)
{
	const size_t before = p->open.depth,
		     lowest = before - element_stack_end(&p->open, (enum html_tag)event->tag, event->name) + 1;
	const bool of_page = event->tag == HTML_TAG_TITLE || event->tag == HTML_TAG_HTML ||
			     event->tag == HTML_TAG_HEAD || event->tag == HTML_TAG_BODY;
	bool visible = is_visible(p) || (of_page && !p->hidden);
	if (lowest <= before) {
		/* the tag belongs to the lowest element that it ends */
		const bool hidden = p->hidden && p->hidden <= lowest, shown = p->shown && p->shown <= lowest;
		visible = !hidden && (!p->any_only || shown || of_page);
		end_above(p, lowest);
	}
	const int status = put_pending(p, visible);
	end_above(p, lowest - 1);
	return status;
}

/* Takes a tag. Where a dropped element ends that is a line, or ends with one, what comes next is another line. */
static int take_tag_dropping(struct page_parts *p, const struct html_tag_event *event)
{
	const size_t open = p->drop.open;
	int status = drop_tag(&p->drop, event, &p->values);
	if (status == DANA_OK)
		status = event->closing ? take_end(p, event) : take_start(p, event);
	if (status < 0 || !open || p->drop.open || (p->drop.own && !html_tag_is((enum html_tag)event->tag, TAG_SPLITS)))
		return status;
	p->drop.line = event->closing ? event->end : event->start;
	return drop_end(&p->drop, p->drop.line);
}

static int take_tag(void *arg, const struct html_tag_event *event)
{
	struct page_parts *p = arg;
	if (p->skip_tag && event->skipped) { /* inside of a skipped element, whose first end tag ends it */
		if (!event->closing || event->tag != p->skip_tag)
			return put_pending(p, is_visible(p));
		p->skip_tag = 0;
	} else if (p->skip_tag) { /* another tag has ended it */
		const size_t before = p->open.depth;
		end_above(p, before - element_stack_end(&p->open, (enum html_tag)p->skip_tag, slice_of(NULL, 0)));
		p->skip_tag = 0;
	} else if (event->skipped && !event->closing && !event->self_closing) {
		p->skip_tag = event->tag;
	}
	if (p->found && html_tag_is((enum html_tag)event->tag, TAG_SPLITS) && event->tag != HTML_TAG_BR)
		found_parts_split(p->found);
	if (p->any_drop)
		return take_tag_dropping(p, event);
	return event->closing ? take_end(p, event) : take_start(p, event);
}

/* ---- the object ---- */

static void list_free(struct selector_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->compound[i].condition);
	free(list->compound);
}

void page_parts_free(struct page_parts *p)
{
	if (!p)
		return;
	list_free(&p->always);
	for (size_t i = 0; i < p->n_hosts; i++)
		list_free(&p->hosts[i].list);
	free(p->hosts);
	found_parts_free(p->found);
	html_tokenizer_free(p->tokens);
	element_stack_free(&p->open);
	buf_free(&p->pending);
	buf_free(&p->values);
	buf_free(&p->gaps);
	buf_free(&p->drop.bytes);
	buf_free(&p->drop.parts);
	free(p->level);
	free(p->text);
	free(p);
}

int page_parts_new(struct page_parts **out, const struct page_options *options, bool drops, struct error *err)
{
	static const char *const names[] = { "exclude", "only", "rules" };
	const char *const given[] = { options->exclude, options->only, options->rules };
	const bool comments = options->comments != DANA_PARTS_KEEP, tables = options->tables != DANA_PARTS_KEEP;
	const bool finds = comments || tables;
	struct slice texts[3];
	size_t size = 0, trimmed = 0;
	*out = NULL;
	for (size_t i = 0; i < 3; i++) {
		texts[i] = slice_from_text(given[i] ? given[i] : "");
		size += texts[i].len;
		trimmed += slice_trim(texts[i]).len;
	}
	if (trimmed == 0 && !finds)
		return DANA_OK;
	struct page_parts *p = calloc(1, sizeof(*p));
	const struct html_handler handler = { .run = take_run, .tag = take_tag, .arg = p };
	if (!p)
		return error_no_memory(err);
	p->drops = drops;
	p->text = malloc(size + 1);
	p->found = finds ? found_parts_new(comments, tables) : NULL;
	p->tokens = html_tokenizer_new(&handler);
	p->level = calloc(STACK_DEPTH_DEFAULT + 1, sizeof(*p->level));
	int status = !p->text || !p->tokens || !p->level || (finds && !p->found) || element_stack_init(&p->open, 0) < 0
			     ? error_no_memory(err)
			     : DANA_OK;
	uint8_t *at = p->text;
	for (size_t i = 0; i < 3 && status == DANA_OK; i++) {
		struct error why = { 0 };
		if (slice_trim(texts[i]).len == 0)
			continue;
		memcpy(at, texts[i].data, texts[i].len);
		/* messages show the texts as they were given: names are written over their source */
		status = i < 2 ? read_list(texts[i], at, i == 1 ? ONLY : EXCLUDE, &p->always, &why)
			       : read_rules(p, texts[i], at, &why);
		if (status < 0)
			(void)error_set(err, why.status, "%s: %s", names[i], why.text);
		at += texts[i].len;
	}
	if (status < 0) {
		page_parts_free(p);
		return status;
	}
	*out = p;
	return DANA_OK;
}

static void activate(struct page_parts *p, const struct selector_list *list)
{
	for (size_t i = 0; i < list->count && p->n_active < PARTS_COMPOUNDS; i++) {
		struct compound *c = &p->active[p->n_active++];
		*c = list->compound[i];
		c->action = c->action == DROP && !p->drops ? EXCLUDE : c->action;
		p->any_only |= c->action == ONLY;
		p->any_drop |= c->action == DROP;
	}
}

/* Its last label is a number (WHATWG URL, "ends in a number"), so it is in no domain. */
static bool is_ipv4(struct slice host)
{
	size_t at = host.len;
	while (at && ascii_is_digit(host.data[at - 1]))
		at--;
	return at && at < host.len && host.data[at - 1] == '.';
}

void page_parts_begin(struct page_parts *p, struct slice url)
{
	uint8_t lower[256];
	const struct slice host = url_host(url);
	p->n_active = 0;
	p->any_only = p->any_drop = false;
	activate(p, &p->always);
	const size_t len = host.len <= sizeof(lower) ? host.len : 0;
	for (size_t i = 0; i < len; i++)
		lower[i] = ascii_lower(host.data[i]);
	/* the rules of the nearest of the host and the domains that it is in */
	for (struct slice s = slice_of(lower, len); s.len && p->n_hosts;) {
		size_t low = 0, high = p->n_hosts;
		while (low < high) { /* the first line of this host, or of a later one */
			const size_t middle = (low + high) / 2;
			if (host_order(p->hosts[middle].host, s) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		const size_t first = low;
		for (; low < p->n_hosts && slice_equal(p->hosts[low].host, s); low++)
			activate(p, &p->hosts[low].list);
		if (low > first || is_ipv4(s))
			break;
		const size_t label = slice_until(s, ".");
		s = slice_skip(s, label + (label < s.len));
	}
	if (p->found)
		found_parts_begin(p->found);
	html_tokenizer_reset(p->tokens);
	element_stack_reset(&p->open);
	p->level[0] = (struct level){ 0 };
	p->hidden = p->shown = 0;
	p->skip_tag = 0;
	buf_clear(&p->pending);
	buf_clear(&p->gaps);
	p->waits = false;
	p->read = p->put_to = 0;
	p->drop = (struct drop_walk){ .bytes = p->drop.bytes, .parts = p->drop.parts };
	buf_clear(&p->drop.bytes);
	buf_clear(&p->drop.parts);
}

int page_parts_take(struct page_parts *p, struct slice bytes, struct buf *out)
{
	p->out = out;
	return html_tokenizer_feed(p->tokens, bytes);
}

int page_parts_finish(struct page_parts *p, struct buf *out)
{
	p->out = out;
	int status = html_tokenizer_finish(p->tokens);
	if (status == DANA_OK && p->waits)
		status = put_pending(p, is_visible(p));
	if (p->found)
		found_parts_finish(p->found);
	const struct html_tag_event end = { .tag = HTML_TAG_DIV, .start = p->put_to };
	p->drop.open = 0;
	return status == DANA_OK && p->any_drop ? drop_tag(&p->drop, &end, &p->values) : status;
}

int page_parts_next(struct page_parts *p, enum parts_read which, size_t *at, struct slice *bytes)
{
	uint64_t place;
	if (!p->found || !found_parts_next(p->found, which, at, bytes, &place))
		return 0;
	const int status = which == PARTS_TEXT ? count_read(p, *bytes, place) : DANA_OK;
	return status < 0 ? status : 1;
}

uint64_t page_parts_place(const struct page_parts *p, uint64_t offset)
{
	size_t low = 0, high = p->gaps.len / sizeof(struct left_out);
	struct left_out gap;
	while (low < high) { /* the first gap that begins after the byte */
		const size_t middle = (low + high) / 2;
		memcpy(&gap, p->gaps.data + middle * sizeof(gap), sizeof(gap));
		if (gap.at <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return offset;
	memcpy(&gap, p->gaps.data + (low - 1) * sizeof(gap), sizeof(gap));
	return offset + gap.left_out;
}

bool page_parts_drops(const struct page_parts *p, uint64_t from, uint64_t to)
{
	size_t low = 0, high = p ? p->drop.parts.len / sizeof(struct dropped_part) : 0;
	struct dropped_part part = { 0 };
	if (high == 0)
		return false;
	from = page_parts_place(p, from);
	to = page_parts_place(p, to);
	while (low < high) { /* the first part that ends after `from` */
		const size_t middle = (low + high) / 2;
		memcpy(&part, p->drop.parts.data + middle * sizeof(part), sizeof(part));
		if (part.to <= from)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == p->drop.parts.len / sizeof(part))
		return false;
	memcpy(&part, p->drop.parts.data + low * sizeof(part), sizeof(part));
	return part.from <= from && to <= part.to;
}
