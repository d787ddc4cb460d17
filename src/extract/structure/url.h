/* SPDX-License-Identifier: MIT */
/* Relative references to addresses (RFC 3986, section 5), for the links that are written. */
#ifndef DANA_STRUCTURE_URL_H
#define DANA_STRUCTURE_URL_H

#include "base/buf.h"

/** The address that references are relative to, taken apart once. Zeroed it is empty. */
struct link_base {
	struct buf address;
	struct buf folder;         /* scheme, host and folder of the path, without dots and its last slash */
	size_t scheme, root;       /* lengths of the scheme with its ':', 0 if it is not absolute; with the host */
	size_t path_end, fragment; /* places of query and fragment */
};

/** Sets the address, which may be empty. */
int link_base_set(struct link_base *base, struct slice address);
void link_base_free(struct link_base *base);
/**
 * Appends `reference` made absolute by `base`, or as it is if `base` is empty or not absolute. Returns 0 or
 * DANA_ENOMEM. Example: base "https://h/a/b.html" and "../c?d" give "https://h/c?d".
 */
int url_append(struct buf *out, const struct link_base *base, struct slice reference);
/**
 * Returns whether a cleaned reference leads to a page, a file, a mailbox or a telephone, by its scheme, or by the
 * scheme of the base where it has none: not into the page itself, to a script, to data, or to what another program
 * opens.
 */
bool url_leads_elsewhere(const struct link_base *base, struct slice reference);
/** Returns whether a byte may stand before the '@' of a mailbox. */
bool url_is_mailbox_byte(uint8_t c);
/** Returns whether text is a mailbox as CommonMark takes it between angle brackets. */
bool url_is_mailbox(struct slice text);

#endif
