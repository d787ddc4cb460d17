/* SPDX-License-Identifier: MIT */
/* mkdir is that of io.h. */
#ifndef DANA_WINDOWS_INCLUDE_DIRECT_H
#define DANA_WINDOWS_INCLUDE_DIRECT_H

#define mkdir mkdir_of_mingw
#include_next <direct.h>
#undef mkdir

#endif
