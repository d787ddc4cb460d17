/* SPDX-License-Identifier: MIT */
#include "greeting/greeting.h"

const char *greeting_text(void)
{
	return "hello\n";
}
