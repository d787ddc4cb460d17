#!/bin/sh
# SPDX-License-Identifier: MIT
# bytes.sh HEADER NAME FILE [NAME FILE...]: prints C that defines the arrays NAME, with the bytes of FILE, and their lengths NAME_len, which
# HEADER declares.
set -eu
printf '/* SPDX-License-Identifier: MIT */\n/* Made by data/bytes.sh. */\n#include "%s"\n' "$1"
shift
while [ $# -gt 1 ]; do
	printf '\nconst uint8_t %s[] = {\n' "$1"
	od -An -v -tu1 "$2" | sed 's/  */,/g; s/^,/	/; s/$/,/'
	printf '};\nconst size_t %s_len = sizeof %s;\n' "$1" "$1"
	shift 2
done
