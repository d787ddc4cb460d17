/* SPDX-License-Identifier: MIT */
#include "base/greeting/greeting.h"

const char *greeting_text(void)
{
	return "hello\n";
}
