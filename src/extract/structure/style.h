/* SPDX-License-Identifier: MIT */
/* How a page's structure is written: the keys of --markdown. */
#ifndef DANA_STRUCTURE_STYLE_H
#define DANA_STRUCTURE_STYLE_H

#include "extract/method/method.h"

enum style_headings {
	HEADINGS_ALWAYS, /* also those directly before kept text */
	HEADINGS_CHOSEN, /* as the method chooses */
	HEADINGS_NONE,
};

struct style {
	bool links, images, emphasis, escape;
	bool rows;     /* tables as lines of text */
	bool formulas; /* as TeX; otherwise they are left out */
	bool plain;    /* no Markdown at all: the text of blocks */
	enum style_headings headings;
};

extern const struct style style_default;

/** The keys in the form of a method's, for help and checks; `set` fills a struct style. */
extern const struct method style_method;

#endif
