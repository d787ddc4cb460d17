/* SPDX-License-Identifier: MIT */
/* Checks whether a file can be given to the dynamic loader, which crashes on some files that are cut off. */
#ifndef DANA_PLUGIN_ELF_CHECK_H
#define DANA_PLUGIN_ELF_CHECK_H

#include "base/status.h"

/** Returns 0 for a shared object of this machine with all of its segments, else DANA_EPLUGIN with what is wrong. */
int elf_check(const char *path, struct error *err);

#endif
