# SPDX-License-Identifier: MIT
# windows_command.sh DANA.EXE: the program for Windows, run by wine, against $DANA: the same bytes, messages and exit statuses; what
# it refuses; names, patterns and backslashes; two writers; Ctrl-C; kills at random moments (KILLS, default: 12) and full disks, after
# which --resume gives the bytes of a whole run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exe=$(realpath "$1")
. "$here/common.sh"
source=$(cd "$here/../.." && pwd)
export WINEPREFIX="$tmp/wine" WINEDEBUG=-all LC_ALL=C.UTF-8
at_end "wineserver -k || :"
wineboot -i >"$tmp/log" 2>&1
printf '#!/bin/sh\nexec wine "%s" "$@"\n' "$exe" >"$tmp/dana"
chmod +x "$tmp/dana"
cp -R "$source/sample" "$tmp/sample"
first=$(head -n 1 "$tmp/list")

# told: messages without what is true of this system alone
told() { grep -v -e '--sandbox auto' "$1" || :; }
# both ARGUMENT...: both programs write the same to standard output and standard error, and into the folder `out`, with the same status
both() {
	for each in linux windows; do
		dana=$DANA
		[ $each = linux ] || dana=$tmp/dana
		rm -rf out "$tmp/$each" && mkdir out
		mkdir "$tmp/$each"
		"$dana" "$@" >"$tmp/$each/output" 2>"$tmp/$each/errors" </dev/null && echo 0 >"$tmp/$each/status" || echo $? >"$tmp/$each/status"
		told "$tmp/$each/errors" >"$tmp/$each/told"
		rm "$tmp/$each/errors"
		mv out "$tmp/$each/"
	done
	diff -r "$tmp/linux" "$tmp/windows" || { echo "of: dana $*"; exit 1; }
	[ "$(find "$tmp/linux" -type f -exec cat {} + | wc -c)" -gt "${LEAST:-300}" ] || { echo "too little: dana $*"; exit 1; }
}
# refused STATUS TEXT ARGUMENT...
refused() {
	status=$1 text=$2
	shift 2
	"$tmp/dana" "$@" >"$tmp/log" 2>&1 </dev/null && got=0 || got=$?
	[ "$got" = "$status" ] && grep -q -e "$text" "$tmp/log" || { echo "dana $*: status $got"; cat "$tmp/log"; exit 1; }
}
mkdir "$tmp/work"
cd "$tmp/work"

say "the same as on Linux"
for workers in 0 2; do
	# shellcheck disable=SC2046 # a list
	both filter -j $workers -f jsonl -z none --rejects -O out $(cat "$tmp/list")
done
# shellcheck disable=SC2046 # a list
both filter -J 2 -f warc -O out $(cat "$tmp/list")
both filter -f jsonl --plugin dedup-exact --plugin metadata --plugin language --plugin quality "$first" "$first"
both site learn -o out/table "$first"
mv "$tmp/windows/out/table" "$tmp/table"
both filter -f tsv -o - --site "$tmp/table" "$first"
both extract -O out "$tmp/sample/site"
both extract -f jsonl --text plain,markdown --plugin metadata "$tmp/sample/site"
both explain -o - "$tmp/sample/site/en.html"
both compare "$tmp/sample/site/en.html" -m learned -m danag
both methods
# all but the speed
"$DANA" eval --per corpus -f tsv "$source/tests/data/gold" | cut -f 1-7 >"$tmp/wanted"
"$tmp/dana" eval --per corpus -f tsv "$source/tests/data/gold" | cut -f 1-7 >"$tmp/got"
[ -s "$tmp/wanted" ] && diff "$tmp/wanted" "$tmp/got"
# counts of a run, without times and memory
"$DANA" filter -q -f jsonl -z none --stats "$tmp/linux.stats" -o /dev/null "$first"
"$tmp/dana" filter -q -f jsonl -z none --stats "$tmp/windows.stats" -o NUL "$first"
same_counts "$tmp/linux.stats" "$tmp/windows.stats"
both stats merge "$tmp/linux.stats"

say "what it refuses"
refused 3 'not on Windows; run dana serve in WSL' serve --listen 127.0.0.1:1
refused 3 'not on Windows; run dana in WSL' filter --watch . -O out
refused 3 'no sandbox' filter --sandbox require -o p.jsonl "$first"
refused 3 'loads no plugins' filter --plugin /tmp/words.so -o p.jsonl "$first"
refused 3 'loads none from files' filter --plugin words -o p.jsonl "$first"
refused 3 'site auto: not on this system' filter --site auto -o p.jsonl "$first"
refused 1 'Invalid argument' filter -o 'a<b.jsonl' "$first"
[ -z "$(ls -A)" ] || { ls -A; exit 1; }

say "names, patterns, backslashes"
mkdir -p 'in/a b' 'in/журнал'
cp "$source/sample/sample.warc.gz" 'in/a b/日本.warc.gz'
cp "$source/sample/sample.warc.gz" 'in/журнал/😀.warc.gz'
cp "$source/sample/sample.warc.gz" 'in/журнал/Ж.warc.gz'
mkdir out
"$tmp/dana" filter -q -f jsonl -z none -O 'out\new' 'in\журнал\*.WARC.gz' 'in\a b\日本.warc.gz'
[ "$(ls out/new)" = "$(printf '%s\n' Ж.jsonl 日本.jsonl 😀.jsonl)" ] || { ls out/new; exit 1; }
printf 'a b\\日本.warc.gz\r\nжурнал\\Ж.warc.gz\r\n' >in/list
"$tmp/dana" filter -q -f jsonl -z none -O out/list --list 'in\list' --base in
[ "$(ls out/list)" = "$(printf '%s\n' Ж.jsonl 日本.jsonl)" ] || { ls out/list; exit 1; }
cp 'in/журнал/Ж.warc.gz' 'in/ж.warc.gz'
refused 3 'would both be written' filter -O out/same in/ж.warc.gz 'in/журнал/Ж.warc.gz'

say "two writers"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat "$tmp/list"; done >"$tmp/long"
"$tmp/dana" filter -q -j 0 -o two.jsonl --list "$tmp/long" &
writer=$!
while [ ! -e two.jsonl.part ] && kill -0 $writer; do sleep 0.1; done
refused 1 'another process is writing it' filter -o two.jsonl "$first"
refused 1 'another process is writing it' filter --force -o two.jsonl "$first"
kill -9 $writer
refused 3 '--resume continues it, --force starts over' filter -o two.jsonl "$first"

# Of wine's host it takes no pipes, but of programs of Windows.
say "a pipe"
cp "$exe" dana.exe
cp "$first" in.warc.gz
wine cmd /c "dana.exe filter -q -f warc -o - in.warc.gz | dana.exe filter -q -f tsv -z none -o pipe.tsv -" 2>"$tmp/log"
"$DANA" filter -q -f warc -o - in.warc.gz | "$DANA" filter -q -f tsv -z none -o linux.tsv -
[ -s pipe.tsv ] && cmp linux.tsv pipe.tsv

say "Ctrl-C"
python3 - "$tmp/dana" "$tmp" <<'END'
import os, pty, subprocess, sys, time
dana, tmp = sys.argv[1:]
terminal, inner = pty.openpty()
def preexec():
    os.setsid()
    os.close(os.open(os.ttyname(0), os.O_RDWR))
words = [dana, "filter", "-q", "-j", "2", "--checkpoint-bytes", "4K", "-o", "c.jsonl", "--list", tmp + "/long"]
process = subprocess.Popen(words, stdin=inner, stdout=inner, stderr=inner, preexec_fn=preexec)
while not os.path.exists("c.jsonl.state"):
    time.sleep(0.01)
os.write(terminal, b"\x03")
assert process.wait(60) == 130, process.returncode
assert os.path.exists("c.jsonl.part") and os.path.exists("c.jsonl.state")
words.append("--resume")
first = subprocess.run(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
words[-1] = "--force"
done = open("c.jsonl", "rb").read()
again = subprocess.run(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
assert first == again and done == open("c.jsonl", "rb").read(), (first, again)
END

say "kills at random moments"
mkdir "$tmp/faults"
python3 "$source/tests/fault/interrupt.py" "$tmp/dana" "$tmp/faults" --kills --times 30 --rounds "${KILLS:-12}"

# In a namespace of mounts, which needs a server of wine in it.
say "full disks"
wineserver -k
python3 "$source/tests/fault/disk_full.py" "$tmp/dana" "$tmp/faults" || [ $? = 77 ]
