/* SPDX-License-Identifier: MIT */
/*
 * Charsets that people name otherwise than the labels of the web: as iconv, Python or Windows do ("cp949", "macroman",
 * "cp437"). Only for names that a user gives: a page is read by the labels of the web alone, as browsers read it.
 */
#ifndef DANA_CHARSET_ICONV_NAME_H
#define DANA_CHARSET_ICONV_NAME_H

#include "archive/charset/labels.h"

/** A charset that is not one of the web; `charset` points into it. One owner. */
struct iconv_name {
	char name[LABEL_MAX]; /* as given, in lower case */
	struct charset charset;
};

/**
 * Sets *out to the charset of that name: one of the web, or n->charset. DANA_OK; DANA_ECONFIG: neither the web nor
 * iconv knows the name; DANA_EFILES or DANA_ENOMEM: iconv could not look.
 */
int iconv_name_find(struct iconv_name *n, struct slice name, const struct charset **out);

#endif
