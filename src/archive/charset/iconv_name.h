/* SPDX-License-Identifier: MIT */
/*
 * Charsets by other names than the labels of the web: those of iconv, Python or Windows ("cp949", "macroman", "cp437").
 * Only for names from a user: in pages only the labels of the web count, as in browsers.
 */
#ifndef DANA_CHARSET_ICONV_NAME_H
#define DANA_CHARSET_ICONV_NAME_H

#include "archive/charset/indexes.h"
#include "archive/charset/labels.h"

/** A charset that is not one of the web; `charset` points into this struct. One owner. */
struct iconv_name {
	char name[LABEL_MAX]; /* as given, in lower case */
	uint16_t upper[INDEX_SINGLE_SIZE];
	struct charset charset;
};

/**
 * Sets *out to the charset of that name: one of the web, or n->charset. Returns DANA_OK; DANA_ECONFIG if neither the
 * web nor iconv knows the name; DANA_EFILES or DANA_ENOMEM if iconv could not look it up.
 */
int iconv_name_find(struct iconv_name *n, struct slice name, const struct charset **out);

#endif
