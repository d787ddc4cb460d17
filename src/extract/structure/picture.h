/* SPDX-License-Identifier: MIT */
/*
 * Pictures by what their tags say: where the picture is that a script would show.
 *
 * Example: <img src=blank.gif data-src=/pier.jpg> is the picture /pier.jpg.
 */
#ifndef DANA_EXTRACT_STRUCTURE_PICTURE_H
#define DANA_EXTRACT_STRUCTURE_PICTURE_H

#include "extract/html/tokenizer.h"

/** Returns whether an address is none, or of what a page shows until a script asks for the picture. */
bool picture_is_stand_in(struct slice url);
/** Returns whether an address ends as those of pictures do. */
bool picture_is_file(struct slice url);
/** Returns the address of the largest picture of a `srcset`; empty: it has none. */
struct slice picture_of_set(struct slice set);
/** Returns the address that a tag has for scripts, or in its `srcset`; empty: it has none. */
struct slice picture_lazy(const struct html_tag_event *event);

#endif
