/* SPDX-License-Identifier: MIT */
/* What `dana features` needs of the method. */
#ifndef DANA_CLI_FEATURES_H
#define DANA_CLI_FEATURES_H

#include "cli/command.h"
#include "extract/learned/classifier.h"

extern const struct option_table features_options;
int features_run(int argc, char **argv);

#endif
