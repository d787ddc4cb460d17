#!/bin/sh
# SPDX-License-Identifier: MIT
# What no compiler warns of and no test can show on every machine: functions of libc that write to memory which all threads share,
# pointers that are accessed as pointers of another type, and sources that a release archive would lack.
set -u
top=${srcdir:-.}
bad=0
# forbid PATTERN WHY
forbid() {
	found=$(grep -rnE --include='*.[ch]' --include='*.cc' "$1" "$top/src" "$top/plugins") || return 0
	printf '%s: %s\n' "$2" "$found"
	bad=1
}
word='(^|[^[:alnum:]_])'
forbid "$word(strerror|strtok|localtime|gmtime|asctime|ctime|strsignal|ttyname|getlogin|rand|tmpnam|setlocale)[[:space:]]*\\(" \
	"not safe in threads"
forbid '\(([a-z_]+ )+\*\*\) *&' "a pointer written through a pointer to another type"
# In a tree that is unpacked from a release the missing file is missing here, too: this is for the repository.
fragments=$(find "$top/src" "$top/plugins" "$top/tests" -name include.am -exec cat {} + && cat "$top/Makefile.am")
for file in $(find "$top/src" "$top/plugins" -name '*.[ch]' -o -name '*.cc'); do
	case $fragments in
	*"/${file##*/}"*) ;;
	*) echo "$file: no include.am lists it, so that make dist leaves it out"; bad=1 ;;
	esac
done
exit $bad
