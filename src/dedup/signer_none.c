/* SPDX-License-Identifier: MIT */
/* The calls of dana/signature.h in a build without xxHash or utf8proc: no signer is ever made. */
#include <stddef.h>

#include "dana/signature.h"

int dana_signer_new(struct dana_signer **signer, unsigned bands, unsigned rows)
{
	(void)bands;
	(void)rows;
	*signer = NULL;
	return DANA_NO_LIBRARY;
}

int dana_signer_text(struct dana_signer *signer, const char *text, size_t len, struct dana_signature *signature)
{
	(void)signer;
	(void)text;
	(void)len;
	(void)signature;
	return DANA_NO_LIBRARY;
}

void dana_signer_free(struct dana_signer *signer)
{
	(void)signer;
}
