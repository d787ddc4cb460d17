#!/bin/sh
# SPDX-License-Identifier: MIT
# dana filter --sandbox: what a run does not need is denied to all threads, what it needs still works, and what a system lacks is
# told. A plugin stands for a page that has taken over the program.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
if grep -q '^DANA_LDFLAGS = .*-fsanitize' Makefile; then
	echo "sanitizers need what the sandbox denies"
	exit 77
fi
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
case $("$dana" --version | sed -n 's/^sandbox *//p') in
*"Landlock ABI"*", seccomp "[0-9]*) ;;
*) echo "this system, or this build, lacks Landlock or seccomp"; exit 77 ;;
esac
build takeover takeover
cd "$tmp" && cp "$top/tests/golden/whole/in.warc.gz" whole.warc.gz && cp "$top/tests/golden/damaged/in.warc" damaged.warc || exit 99

# ---- closed ----
for jobs in 0 2; do
	for mode in auto require; do
		rm -f planted
		run 0 -j $jobs --sandbox $mode --plugin "$tmp/takeover.so" whole.warc.gz
		for result in 'execve EPERM' 'fork EPERM' 'socket EPERM' 'read EACCES' 'write EACCES'; do
			grep -q "\"text\":\"[^\"]*$result" "$tmp/out" || wrong "-j $jobs, $mode: not $result: $(head -c 200 "$tmp/out")"
		done
		[ ! -e planted ] || wrong "-j $jobs, $mode: a file was made"
	done
done

# ---- everything else goes on: each charset, each way to write, lists, models, checkpoints ----
PYTHONPATH=$top/tests/support PYTHONDONTWRITEBYTECODE=1 python3 - >charsets.warc <<'END'
import sys
from archive import record
names = """utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10
iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252
windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp
iso-2022-jp shift_jis euc-kr utf-16be utf-16le x-user-defined""".split()
for number, name in enumerate(names):
    body = b"<p>" + bytes(range(0xA1, 0xFF)) * 3 + b"</p>"
    if name == "utf-8" or name.startswith("utf-16"):
        body = ("<p>" + "".join(map(chr, range(0x400, 0x500))) + "</p>").encode(name)
    elif name in ("iso-2022-jp", "euc-jp"):
        body = "<p>\u65e5\u672c\u8a9e\u306e\u6587</p>".encode(name)
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=" + name.encode() + b"\r\n\r\n" + body
    sys.stdout.buffer.write(record(number, block))
END
for jobs in 0 2; do
	for mode in off require; do
		run 0 -j $jobs --sandbox $mode -m plain --min-chars 0 charsets.warc
		sort "$tmp/out" >"charsets.$mode"
	done
	[ "$(sed 's/.*"charset":"\([^"]*\)".*/\1/' charsets.require | sort -u | wc -l)" -eq 39 ] || wrong "not all charsets"
	cmp charsets.off charsets.require || wrong "a charset is decoded in another way, -j $jobs"
done

mkdir files && printf 'whole.warc.gz\ncharsets.warc\n' >list
run 2 --sandbox require -J 2 -O files --rejects --stats stats --list list --checkpoint-bytes 1K damaged.warc
[ "$(find files -name '*.jsonl.zst' | wc -l)" -eq 3 ] || wrong "not all outputs"
run 0 --sandbox require -J 2 -O files --rejects --list list --resume damaged.warc
run 0 --sandbox require -o one.warc.gz whole.warc.gz
run 0 --sandbox require -o one.warc.gz --force whole.warc.gz
run 0 --sandbox require -m wlr-media whole.warc.gz

# Plugins that write: each file or folder that their options name, and no other.
has() { "$dana" plugins | grep -q "^  $1 "; }
if has dedup-exact; then
	run 0 --sandbox require -o e.jsonl --plugin dedup-exact:index=pages.index whole.warc.gz
	run 0 --sandbox require -o l.jsonl --plugin dedup-lines:index=lines.index whole.warc.gz
	run 0 --sandbox require -o n.jsonl --plugin dedup-near:signatures=signatures whole.warc.gz
	run 0 --sandbox require -o b.jsonl --plugin boilerplate:learn=lines.table whole.warc.gz
	run 0 --sandbox require -o b2.jsonl --plugin boilerplate:table=lines.table whole.warc.gz
	for made in pages.index lines.index lines.table signatures/*; do
		[ -s "$made" ] || wrong "$made was not made"
	done
fi
has url && {
	printf 'example.org\n' >words
	run 0 --sandbox require -o u.jsonl --plugin url:substrings=words whole.warc.gz
}

# Lists are read before; the pool of threads that reads inputs starts after.
printf 'whole.warc.gz\n' >one
run 0 --sandbox require -v --list one
[ ! -s "$tmp/err" ] || ! grep -q 'thread runs' "$tmp/err" || wrong "a thread runs before: $(cat "$tmp/err")"

# Addresses: sockets, and nothing else, are open as well.
python3 -u -c 'import functools, http.server, os
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
print(server.server_address[1], flush=True)
server.serve_forever()' >port &
server=$!
trap 'kill $server; rm -rf "$tmp"' EXIT
until [ -s port ]; do kill -0 $server || exit 99; done
for jobs in 0 2; do
	run 0 -j $jobs --sandbox require "http://localhost:$(cat port)/whole.warc.gz"
	sed 's|"file":"[^"]*"||' "$tmp/out" >fetched
	run 0 -j $jobs --sandbox require whole.warc.gz
	sed 's|"file":"[^"]*"||' "$tmp/out" | cmp fetched - || wrong "an address gives other text, -j $jobs"
done
run 0 --sandbox require --plugin "$tmp/takeover.so" "http://localhost:$(cat port)/whole.warc.gz"
for result in 'execve EPERM' 'fork EPERM' 'socket done' 'read EACCES' 'write EACCES'; do
	grep -q "\"text\":\"[^\"]*$result" "$tmp/out" || wrong "an address: not $result: $(head -c 200 "$tmp/out")"
done
"$dana" filter --sandbox require - <whole.warc.gz | cat >through.jsonl
cat whole.warc.gz | "$dana" filter --sandbox require -o /dev/stdout -f jsonl /dev/stdin | cat >devices.jsonl
sed 's|"file":"/dev/stdin"|"file":"-"|' devices.jsonl | cmp through.jsonl - || wrong "devices"
mkfifo pipe && { cat whole.warc.gz >pipe & }
writer=$!
run 0 --sandbox require pipe
wait $writer
run 1 --sandbox require 'not there.warc' whole.warc.gz
grep -q 'not there.warc: No such file' "$tmp/err" || wrong "a missing input is told otherwise: $(cat "$tmp/err")"

# A folder that is watched: what is in it, and where links lead that were there before.
mkdir watched texts
cp whole.warc.gz apart.warc.gz && cp whole.warc.gz later.warc.gz && cp whole.warc.gz watched/inside.warc.gz
touch -d '1 hour ago' apart.warc.gz later.warc.gz watched/inside.warc.gz
ln -s ../apart.warc.gz watched/early.warc.gz
"$dana" filter --sandbox require -v --watch watched -O texts 2>watch.err &
watch=$!
waits() {
	tries=0
	until [ -e "$1" ] || grep -q "$2" watch.err; do
		kill -0 $watch && [ $((tries += 1)) -lt 600 ] || return
		sleep 0.1
	done
}
waits texts/inside.jsonl.zst nothing
waits texts/early.jsonl.zst nothing
ln -s inside.warc.gz watched/link.warc.gz
ln -s ../later.warc.gz watched/late.warc.gz
waits texts/link.jsonl.zst nothing
waits texts/late.jsonl.zst 'late.warc.gz is left alone: a link that leads out of the folder; expected'
kill -TERM $watch
wait $watch
[ "$(ls texts)" = "$(printf '%s\n' early.jsonl.zst inside.jsonl.zst link.jsonl.zst)" ] || wrong "watched: $(ls texts) $(cat watch.err)"

# ---- what a system lacks ----
run 0 --sandbox require -v -o v.jsonl whole.warc.gz
grep -q "^dana filter: --sandbox: in force: $("$dana" --version | sed -n 's/^sandbox *//p')\$" "$tmp/err" || wrong "-v: $(cat "$tmp/err")"
if command -v strace >/dev/null && strace -qq -f -o /dev/null -e inject=landlock_create_ruleset:error=ENOSYS true 2>/dev/null; then
	lacking() {
		calls=$1
		shift
		strace -qq -f -o /dev/null -e trace="$calls" -e inject="$calls:error=ENOSYS" "$dana" filter "$@" whole.warc.gz >out.lacking 2>err.lacking
	}
	"$dana" filter whole.warc.gz >right.jsonl
	lacking landlock_create_ruleset --sandbox require
	got=$?
	[ $got -eq 3 ] || wrong "without Landlock, require: status $got"
	grep -q '^dana filter: --sandbox require: the kernel has no Landlock' err.lacking || wrong "without Landlock: $(cat err.lacking)"
	[ ! -s out.lacking ] || wrong "without Landlock, require: something was written"
	lacking landlock_create_ruleset --sandbox auto
	cmp out.lacking right.jsonl || wrong "without Landlock, auto"
	[ "$(wc -l <err.lacking)" -eq 1 ] && grep -q '^dana filter: --sandbox auto: the kernel has no Landlock.*; in force: no Landlock, seccomp ' err.lacking ||
		wrong "without Landlock, auto: $(cat err.lacking)"
	lacking seccomp --sandbox auto
	cmp out.lacking right.jsonl || wrong "without seccomp, auto"
	[ "$(wc -l <err.lacking)" -eq 1 ] && grep -q '^dana filter: --sandbox auto: seccomp: .*; in force: Landlock ABI .*, no seccomp$' err.lacking ||
		wrong "without seccomp, auto: $(cat err.lacking)"
	lacking landlock_create_ruleset,seccomp --sandbox auto
	[ "$(wc -l <err.lacking)" -eq 1 ] && grep -q 'no Landlock.*; seccomp: .*; in force: no Landlock, no seccomp$' err.lacking ||
		wrong "without both, auto: $(cat err.lacking)"
	lacking landlock_create_ruleset,seccomp -q
	[ ! -s err.lacking ] || wrong "without both, -q: $(cat err.lacking)"
	strace -qq -o /dev/null -e trace=seccomp -e inject=seccomp:error=ENOSYS "$dana" --version | grep -q '^sandbox .*no seccomp$' ||
		wrong "--version without seccomp"
else
	echo "strace is missing: systems without Landlock are not tried"
fi
exit $status
