#!/bin/sh
# SPDX-License-Identifier: MIT
# learned_bytes.sh FILE: prints src/extract/learned/model_data.c, the bytes of the model as a C array.
set -eu
printf '/* SPDX-License-Identifier: MIT */\n/* Made from data/learned.model. */\n#include "extract/learned/model.h"\n\nconst uint8_t model_data[] = {\n'
od -An -v -tu1 "$1" | sed 's/  */,/g; s/^,/	/; s/$/,/'
printf '};\nconst size_t model_data_len = sizeof model_data;\n'
