/* SPDX-License-Identifier: MIT */
/* Whether a file can be given to the dynamic loader, which crashes on some files that are cut off. */
#ifndef DANA_PLUGIN_ELF_CHECK_H
#define DANA_PLUGIN_ELF_CHECK_H

#include "base/status.h"

/** A shared object of this machine, all of whose segments are in the file. 0, or DANA_EPLUGIN with what is wrong. */
int elf_check(const char *path, struct error *err);

#endif
