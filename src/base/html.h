/* SPDX-License-Identifier: MIT */
/* Writes HTML files that load nothing: text, the digests of a policy, and templates with places to fill. */
#ifndef DANA_BASE_HTML_H
#define DANA_BASE_HTML_H

#include "base/buf.h"

/** Appends any bytes as text of HTML or as the value of a quoted attribute: always well-formed, never markup. */
void html_put_text(struct buf *out, struct slice text);
/** Appends what is HTML already. */
void html_put_markup(struct buf *out, struct slice markup);
/** Appends "sha256-BASE64" of a style or script (Content Security Policy, level 3, section 2.3.1). */
void html_put_digest(struct buf *out, struct slice text);

/** A place of a template, such as "{{title}}", and what is written there. */
struct html_place {
	const char *name;
	void (*put)(struct buf *out, struct slice text);
	struct slice text;
};

/** Appends the template with `n` places filled. */
void html_fill(struct buf *out, struct slice template, const struct html_place *places, size_t n);

#endif
