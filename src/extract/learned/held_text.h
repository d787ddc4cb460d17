/* SPDX-License-Identifier: MIT */
/*
 * Text that scripts hold: templates of HTML, and `articleBody` of JSON-LD. A page that shows it is built by scripts in
 * the browser, so it is kept until the page's end and read only if the page itself shows hardly any text. Bounded by
 * HELD_MOST bytes of each.
 *
 * Example: a page of nothing but <script type="text/template"><p>The old lamp ...</p></script>.
 */
#ifndef DANA_LEARNED_HELD_TEXT_H
#define DANA_LEARNED_HELD_TEXT_H

#include "base/buf.h"
#include "extract/learned/declared.h"

enum { HELD_MOST = 1 << 18, HELD_ROOM = 1 << 14 };

struct held_text {
	struct buf templates; /* HTML, one after the other */
	struct buf data;      /* JSON, one after the other */
	size_t last;          /* where the last template begins */
};

void held_text_reset(struct held_text *h);
void held_text_free(struct held_text *h);
/** Adds bytes of a script's content; `first`: it begins with them. Returns 0 or DANA_ENOMEM. */
int held_text_add(struct held_text *h, enum script_kind kind, struct slice bytes, bool first);
/** Returns the templates without those that wait for values, {{such}} or <%such%>: they are no text. */
struct slice held_text_templates(struct held_text *h);
/** Appends each articleBody as HTML, a paragraph for each of its lines. Returns 0 or DANA_ENOMEM. */
int held_text_bodies(const struct held_text *h, struct buf *html);

#endif
