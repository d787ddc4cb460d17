#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is as .clang-format would write it. Skipped without clang-format 14, because versions differ.
set -u
cd "${srcdir:-.}" || exit 99
tool=$(command -v clang-format-14 || command -v clang-format) || exit 77
case $("$tool" --version) in *"version 14."*) ;; *) exit 77 ;; esac
[ -f .clang-format ] || exit 77
complaints=$(find src plugins tests bench python/ext \( -name '*.[ch]' -o -name '*.cc' \) ! -name entity_table.h ! -name says_table.h ! -name model_data.c ! -name viewer_data.c ! -name front_data.c ! -name report_data.c ! -name universal.c ! -name indexes.c \
	-exec "$tool" --dry-run -Werror {} + 2>&1) && exit 0
printf '%s\n' "$complaints" "run $tool -i on these files"
exit 1
