// SPDX-License-Identifier: MIT
// uchardet_call where C++ has no exceptions: a failed allocation ends the program, which in WebAssembly is an instance
// of a module.
#include <uchardet/uchardet.h>

#include "archive/charset/uchardet_call.h"
#include "base/status.h"

int uchardet_call(struct uchardet **detector, const char *text, size_t len, const char **name)
{
	if (!*detector)
		*detector = uchardet_new();
	uchardet_reset(*detector);
	*name = "";
	if (uchardet_handle_data(*detector, text, len) == 0) {
		uchardet_data_end(*detector);
		*name = uchardet_get_charset(*detector);
	}
	return DANA_OK;
}

void uchardet_call_end(struct uchardet **detector)
{
	if (*detector)
		uchardet_delete(*detector);
	*detector = nullptr;
}
