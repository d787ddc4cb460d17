/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "archive/codec/inflate.h"

const struct inflate_ops *const inflate_built_in[] = {
#ifdef HAVE_ISAL
	&inflate_isal,
#endif
	&inflate_zlib,
	NULL,
};
