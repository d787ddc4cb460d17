/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_stack.h"

#include <stdio.h>

#include "base/ascii.h"

/* Lists of names; each name stands between spaces. */
static const char voids[] = " area base basefont br col embed frame hr img input link meta param source track wbr ";
static const char inlines[] = " a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr "
			      "q rp rt ruby s samp small span strike strong sub sup time tt u var wbr ";
static const char headings[] = " h1 h2 h3 h4 h5 h6 ";
static const char table_parts[] = " caption tbody thead tfoot tr td th ";
static const char in_head[] = " base basefont link meta noscript script style template title ";

/* Start tags that close a <p> in button scope (HTML, section 13.2.6.4.7). */
static const char closes_p[] =
	" p address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "
	"h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol pre section summary table ul xmp ";

/* Elements at which a search stops (HTML, section 13.2.4.2). */
static const char scope[] = " caption html object table td th template ";
static const char button_scope[] = " caption html object table td th template button ";
static const char list_scope[] = " caption html object table td th template ol ul ";
static const char table_scope[] = " html table template ";
/* "Special" elements that can be open, but for address, div and p, at which the search for <li>, <dd> or <dt> stops. */
static const char special[] = " article aside blockquote body button caption center dd details dir dl dt fieldset "
			      "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html li main menu "
			      "nav object ol pre section summary table tbody td template tfoot th thead tr ul xmp ";
/* Stands for all elements of HTML that are not inline. */
static const char blocks[] = "";

static bool among(const char *name, const char *list)
{
	char wanted[80];
	(void)snprintf(wanted, sizeof(wanted), " %s ", name);
	return strstr(list, wanted) != NULL;
}

static bool stops(const struct oracle_open *e, const char *list)
{
	return list == blocks ? e->known && !among(e->name, inlines) : among(e->name, list);
}

static struct oracle_open element(struct slice name, bool known)
{
	struct oracle_open e = { .known = known };
	for (size_t i = 0; i < name.len && i + 1 < sizeof(e.name); i++)
		e.name[i] = (char)ascii_lower(name.data[i]);
	return e;
}

/*
 * How many elements stay below the topmost one of `names` that is reached before, or at, one that stops; SIZE_MAX:
 * none is.
 */
static size_t below(const struct oracle_stack *s, const char *names, const char *stop)
{
	for (size_t i = s->depth; i-- > 0;) {
		if (among(s->open[i].name, names))
			return i;
		if (stops(&s->open[i], stop))
			break;
	}
	return SIZE_MAX;
}

static void close_to(struct oracle_stack *s, size_t depth)
{
	if (depth < s->depth)
		s->depth = depth;
}

/* A tag that has no effect at all where it stands. */
static bool is_ignored(const struct oracle_stack *s, const char *name)
{
	char list[80];
	(void)snprintf(list, sizeof(list), " %s ", name);
	if (among(name, " html body ") && below(s, list, table_scope) != SIZE_MAX)
		return true;
	if (among(name, " form ")) {
		bool in_table = s->depth && among(s->open[s->depth - 1].name, " table tbody thead tfoot tr ");
		return in_table || below(s, list, table_scope) != SIZE_MAX;
	}
	return among(name, table_parts) && below(s, " table ", table_scope) == SIZE_MAX;
}

/* Clears the stack back to what may hold the part. */
static void close_for_table_part(struct oracle_stack *s, const char *name)
{
	const char *holders = among(name, " td th ") ? " table tbody thead tfoot tr "
			      : among(name, " tr ")  ? " table tbody thead tfoot "
						     : " table ";
	close_to(s, below(s, holders, table_scope) + 1);
}

static void imply_end_tags(struct oracle_stack *s, const char *name)
{
	const char *top = s->depth ? s->open[s->depth - 1].name : "";
	if (among(top, " head ") && !among(name, in_head)) {
		s->depth--;
		return;
	}
	if (among(name, " li "))
		close_to(s, below(s, " li ", special));
	if (among(name, " dd dt "))
		close_to(s, below(s, " dd dt ", special));
	if (among(name, " option optgroup ") && among(top, " option "))
		s->depth--;
	if (among(name, " button "))
		close_to(s, below(s, " button ", scope));
	if (among(name, " a "))
		close_to(s, below(s, " a ", blocks));
	if (among(name, table_parts))
		close_for_table_part(s, name);
	if (among(name, closes_p))
		close_to(s, below(s, " p ", button_scope));
	if (among(name, headings) && s->depth && among(s->open[s->depth - 1].name, headings))
		s->depth--;
}

struct oracle_change oracle_stack_start(struct oracle_stack *s, struct slice name, bool known)
{
	const struct oracle_open e = element(name, known);
	struct oracle_change change = { 0 };
	size_t before = s->depth;
	if (is_ignored(s, e.name))
		return change;

	imply_end_tags(s, e.name);
	change.closes = before - s->depth;
	if (change.closes)
		s->deeper = 0;

	if (among(e.name, voids))
		return change;
	if (s->depth == s->max) {
		s->deeper++;
		return change;
	}
	s->open[s->depth++] = e;
	change.opens = true;
	return change;
}

struct oracle_change oracle_stack_end(struct oracle_stack *s, struct slice name, bool known)
{
	const struct oracle_open e = element(name, known);
	struct oracle_change change = { 0 };
	char list[80];
	size_t before = s->depth;
	if (among(e.name, " html body ") || among(e.name, voids))
		return change;
	if (s->deeper) {
		s->deeper--;
		return change;
	}

	(void)snprintf(list, sizeof(list), " %s ", e.name);
	if (among(e.name, headings))
		close_to(s, below(s, headings, scope));
	else if (among(e.name, " p "))
		close_to(s, below(s, list, button_scope));
	else if (among(e.name, " li "))
		close_to(s, below(s, list, list_scope));
	else if (among(e.name, " table ") || among(e.name, table_parts))
		close_to(s, below(s, list, table_scope));
	else
		close_to(s, below(s, list, known && !among(e.name, inlines) ? scope : blocks));
	change.closes = before - s->depth;
	return change;
}
