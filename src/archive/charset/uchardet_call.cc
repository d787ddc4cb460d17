/* SPDX-License-Identifier: MIT */
/* Catches what uchardet throws, which only C++ can. */
#include "archive/charset/uchardet_call.h"

#include <errno.h>
#include <uchardet/uchardet.h>

#include "base/can_throw.h"
#include "base/status.h"

namespace
{

const char *ask(struct uchardet *detector, const char *text, size_t len)
{
	uchardet_reset(detector);
	if (uchardet_handle_data(detector, text, len) != 0)
		return "";
	uchardet_data_end(detector);
	return uchardet_get_charset(detector);
}

} // namespace

int uchardet_call(struct uchardet **detector, const char *text, size_t len, const char **name)
try {
	if (!can_throw())
		return DANA_ENOMEM;
	if (!*detector)
		*detector = uchardet_new();
	/* uchardet takes work space by malloc, too. Where that fails it does not throw but guesses by other bytes. */
	errno = 0;
	*name = ask(*detector, text, len);
	return errno == ENOMEM ? DANA_ENOMEM : DANA_OK;
} catch (...) { /* only std::bad_alloc is known; nothing may reach C */
	uchardet_call_end(detector);
	return DANA_ENOMEM;
}

void uchardet_call_end(struct uchardet **detector)
{
	if (*detector)
		uchardet_delete(*detector);
	*detector = nullptr;
}
