#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is as .clang-format would write it. Skipped without clang-format 14, because versions differ.
set -u
cd "${srcdir:-.}" || exit 99
tool=$(command -v clang-format-14 || command -v clang-format) || exit 77
case $("$tool" --version) in *"version 14."*) ;; *) exit 77 ;; esac
[ -f .clang-format ] || exit 77
bad=0
for file in $(find src plugins tests bench \( -name '*.[ch]' -o -name '*.cc' \) ! -name entity_table.h ! -name model_data.c ! -name universal.c); do
	"$tool" "$file" | cmp -s "$file" - || { echo "$file: run clang-format -i on it"; bad=1; }
done
exit $bad
