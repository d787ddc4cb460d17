#!/bin/sh
# SPDX-License-Identifier: MIT
# Shared objects that must not be loaded: each is refused with status 3 and one line that names the file and the reason, before
# the input is looked at, which does not exist.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
cases=0

# refused FILE REASON
refused() {
	cases=$((cases + 1))
	run 3 --plugin "$1" /nowhere/input.warc
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || wrong "$1: not one line: $(cat "$tmp/err")"
	grep -qF "$1" "$tmp/err" || wrong "$1: the message does not name it: $(cat "$tmp/err")"
	said "$2"
}

# made WORD REASON: tests/plugin/bad.c with this word
made() {
	build bad bad -D"$1" -Wno-unused-function
	refused "$tmp/bad.so" "$2"
}

build bad bad
run 1 --plugin "$tmp/bad.so" /nowhere/input.warc
said /nowhere/input.warc

made OLD_INTERFACE 'is built for interface 0 of plugins; this dana has interface 1'
made OTHER_SIZE 'its struct dana_plugin has'
made NO_PLUGIN 'has no symbol dana_plugin'
made MISSING_SYMBOL 'undefined symbol: dana_test_nowhere'
made OTHER_NAME "is the plugin 'good'"
made NO_NAME 'has a name that is not'
made NO_KIND 'must have one of the flags PURE and ORDERED'
made NEW_FLAG 'has unknown flags: made for a newer dana?'
made NO_FUNCTIONS 'has no function'
made ORDERED_HEAD 'is ORDERED'
made BAD_DEFAULT "option 'least': its default is not one of its values"
made TWO_OPTIONS "option 'least': it is in the table twice"
made NO_HELP "option 'least': it has no help"
made 'OBJECT="a\"b"' 'has an object whose name is not of'

# Objects that would be called like a key of a document: every key that any layout has.
for schema in dana datatrove dolma; do
	"$dana" filter -q -m wlr-media --schema "$schema" "$top/sample/sample.warc.gz"
done | python3 -c '
import json, re, sys
keys = {key for line in sys.stdin for d in [json.loads(line)] for key in [*d, *d.get("metadata", ())]}
print("\n".join(sorted(key for key in keys if re.fullmatch("[a-z0-9-]+", key))))' >"$tmp/keys" || exit 99
[ "$(wc -l <"$tmp/keys")" -ge 18 ] || wrong "too few keys: $(cat "$tmp/keys")"
while read -r key; do
	made "OBJECT=\"$key\"" 'has an object that is called like a key of documents'
done <"$tmp/keys"
build bad bad '-DOBJECT="mine"'
build bad good -DOTHER_NAME '-DOBJECT="mine"'
run_said 3 "--plugin: good and bad both write an object 'mine' into documents; give one of them" --plugin "$tmp/good.so" --plugin "$tmp/bad.so" x.warc

build bad bad
mkdir "$tmp/kept" && cp "$tmp/bad.so" "$tmp/kept/bad.so"
good=$tmp/kept/bad.so bad=$tmp/bad.so

: >"$bad"
refused "$bad" 'is not a shared object'
echo 'int main;' >"$bad"
refused "$bad" 'is not a shared object'
head -c 1000 "$good" >"$bad"
refused "$bad" 'is cut off'
head -c "$(($(wc -c <"$good") / 2))" "$good" >"$bad"
refused "$bad" 'is cut off'
cp "$good" "$bad"
printf '\377\377' | dd of="$bad" bs=1 seek=18 conv=notrunc 2>/dev/null # e_machine
refused "$bad" 'is made for another machine'
cp "$good" "$bad"
printf '\003' | dd of="$bad" bs=1 seek=4 conv=notrunc 2>/dev/null # EI_CLASS
refused "$bad" 'is made for another machine'
cp "$dana" "$bad" 2>/dev/null
chmod 755 "$bad"
refused "$bad" "$bad"
rm -f "$bad"
refused "$bad" 'No such file'
mkdir "$bad"
refused "$bad" 'is not a regular file'
rmdir "$bad"
cp "$good" "$bad"
chmod 777 "$bad"
refused "$bad" 'can be written by group or others'
chmod 775 "$bad"
refused "$bad" 'can be written by group or others'
chmod 755 "$bad"
chmod 777 "$tmp"
refused "$bad" 'can be written by group or others'
chmod 1777 "$tmp"
refused "$bad" 'can be written by group or others'
chmod 755 "$tmp"
mkdir "$tmp/open" "$tmp/open/inner" && cp "$good" "$tmp/open/inner/bad.so" && chmod 777 "$tmp/open"
refused "$tmp/open/inner/bad.so" 'can be written by group or others'
if [ "$(id -u)" = 0 ]; then
	chown 65534 "$bad"
	refused "$bad" 'belongs to another user'
	chown 0 "$bad"
	chown 65534 "$tmp/kept"
	refused "$good" 'belongs to another user'
	chown 0 "$tmp/kept"
fi

# Paths that are none of a plugin.
cases=$((cases + 4))
(cd "$tmp/kept" && run 3 --plugin ./bad.so x.warc && said 'expected an absolute path' && exit "$status") || status=1
mv "$good" "$tmp/kept/bad"
run_said 3 'expected a file NAME.so' --plugin "$tmp/kept/bad" x.warc
run_said 3 "'nowhere' is not built in, and not in" --plugin nowhere x.warc
run_said 3 'the filter status is always on; --status is its option' --plugin status x.warc
echo "$cases files and names refused"
[ "$cases" -ge 12 ] || wrong "only $cases"
exit $status
