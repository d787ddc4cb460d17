#!/bin/sh
# SPDX-License-Identifier: MIT
# What no compiler warns of and no test can show on every machine: functions of libc that write to memory which all
# threads share, pointers that are accessed as pointers of another type, lines wider than 120 columns (tables among
# them, which clang-format leaves alone), sources that a release archive would lack, and READMEs and comments that name files which do
# not exist; headers whose guard is not their path, long files that do not say what they
# are for, paragraphs of comments of 90 words and more, and structs of one name in two files.
set -u
top=${srcdir:-.}
bad=0
# forbid PATTERN WHY
forbid() {
	found=$(grep -rnE --include='*.[ch]' --include='*.cc' "$1" "$top/src" "$top/plugins" "$top/python/ext") || return 0
	printf '%s: %s\n' "$2" "$found"
	bad=1
}
word='(^|[^[:alnum:]_])'
forbid "$word(strerror|strtok|localtime|gmtime|asctime|ctime|strsignal|ttyname|getlogin|rand|tmpnam|setlocale)[[:space:]]*\\(" \
	"not safe in threads"
forbid '\(([a-z_]+ )+\*\*\) *&' "a pointer written through a pointer to another type"
wide=$(find "$top/src" "$top/plugins" "$top/include" "$top/python/ext" -name '*.[ch]' -exec python3 -c '
import sys
for path in sys.argv[1:]:
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if len(line.rstrip("\n").expandtabs(8)) > 120:
            print(f"{path}:{number}: wider than 120 columns")
' {} +)
[ -z "$wide" ] || { echo "$wide"; bad=1; }
# In a tree that is unpacked from a release the missing file is missing here, too: this is for the repository.
fragments=$(find "$top/src" "$top/plugins" "$top/tests" "$top/tools" -name include.am -exec cat {} + && cat "$top/Makefile.am")
for file in $(find "$top/src" "$top/plugins" -name '*.[ch]' -o -name '*.cc') "$top"/tests/cli/*.bats "$top"/tools/train/*.py; do
	case $fragments in
	*"/${file##*/}"*) ;;
	*) echo "$file: no include.am lists it, so that make dist leaves it out"; bad=1 ;;
	esac
done
# Names in quotation marks are includes, which the compiler checks; those in < > are of the system.
gone=$(find "$top/src" "$top/plugins" "$top/python/ext" \( -name README -o -name '*.[ch]' -o -name '*.cc' \) -exec python3 -c '
import os, re, sys
top, paths = sys.argv[1], sys.argv[2:]
there = {name for room in ("src", "plugins", "include", "python", "data", "tests", "bench") for _, _, names in os.walk(f"{top}/{room}")
         for name in names}
made = {name for room in ("src", "plugins", "data") for folder, _, names in os.walk(f"{top}/{room}") for list in names
        if list == "include.am" for name in re.findall(r"[a-z0-9_]+\.(?:c|h)\b", open(f"{folder}/{list}", encoding="utf-8").read())}
for path in paths:
    text = open(path, encoding="utf-8").read()
    if not path.endswith("README"):
        text = "\n".join(re.findall(r"/\*.*?\*/", text, re.S))
    for name in set(re.findall(r"(?<![\w./<])(?:[a-z0-9_]+/)*([a-z0-9_]+\.(?:c|h|cc))(?![\w>])", text)) - there - made - {"config.h"}:
        print(f"{path}: names {name}, which does not exist")
' "$top" {} +)
[ -z "$gone" ] || { echo "$gone"; bad=1; }
# What a reader looks for first: a header's guard is its path, and a long file begins with its purpose.
strange=$(cd "$top" && find src plugins python/ext -name '*.[ch]' -exec python3 -c '
import re, sys
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    guard = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M)
    name = "DANA_" + re.sub("[^A-Z0-9]", "_", path.removeprefix("src/").upper())
    if guard and guard[1] != name:
        print(f"{path}: its guard is {guard[1]}; expected {name}")
    if path.endswith(".c") and text.count("\n") >= 300 and not re.match(r".*\n/\*", text):
        print(f"{path}: does not begin with a comment that says what it is for")
    for comment in re.findall(r"^\t*/\*.*?\*/", text, re.M | re.S):
        for part in re.split(r"\n\t* \*(?:$| *- )", comment, flags=re.M):
            if len(re.sub(r"^\t* \*", "", part, flags=re.M).split()) >= 90:
                print(f"{path}: 90 words or more in one paragraph: {part.strip()[:60]}")
' {} +)
[ -z "$strange" ] || { echo "$strange"; bad=1; }
# One name, one struct. What is private to each implementation of one interface has one name: encoders, makers of digests, the sandbox
# and its absence.
twice=$(cd "$top" && grep -rhoE --include='*.[ch]' '^struct [a-z_0-9]+ \{' src plugins python/ext | sort | uniq -d |
	grep -vE '^struct (digest_maker|encoder_codec|sandbox) ')
[ -z "$twice" ] || { echo "defined in more than one file: $twice"; bad=1; }
exit $bad
