#!/bin/sh
# SPDX-License-Identifier: MIT
# What no compiler warns of and no test can show on every machine: functions of libc that write to memory which all threads share,
# and pointers that are accessed as pointers of another type.
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
exit $bad
