#!/bin/sh
# SPDX-License-Identifier: MIT
# The example of plugins/example as a newcomer builds it: against the installed header, by its own Makefile, in one file; the header
# alone in strict C99 and in C++. What it does is counted again by other means.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
command -v python3 >/dev/null || exit 77
prefix=$(setting prefix)
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s install DESTDIR="$tmp/root" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
header=$(find "$tmp/root" -name dana_plugin.h)
include=$(dirname "$(dirname "$header")")
dana=$(find "$tmp/root" -path '*/bin/dana')
[ -n "$header" ] && [ -x "$dana" ] || { echo "the header or the program is not installed"; exit 1; }
LD_LIBRARY_PATH=$(dirname "$(find "$tmp/root" -name libdana.so)")
export LD_LIBRARY_PATH

cp -R "$top/plugins/example" "$tmp/example" && chmod -R u+w "$tmp/example" && cd "$tmp/example" || exit 99
make -s CC="$cc" CPPFLAGS="-I$include" CFLAGS='-std=c99 -O2 -Wall -Wextra -Wpedantic -Werror' || wrong "the example does not build"
printf '#include <dana/dana_plugin.h>\nextern const struct dana_plugin dana_plugin;\n' >alone.c
$cc -std=c99 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Wconversion -Werror -I"$include" -c alone.c || wrong "the header is not C99"
if cxx=$(command -v c++ || command -v g++ || command -v clang++); then
	cat >plugin.cc <<'END'
#include <dana/dana_plugin.h>
static int page(void *, struct dana_page *) { return DANA_KEEP; }
static struct dana_plugin make()
{
	struct dana_plugin p = { DANA_PLUGIN_HEAD, DANA_PLUGIN_PURE, "in-c", "1", "is written in C++" };
	p.page = page;
	return p;
}
DANA_PLUGIN(in_c) = make();
END
	$cxx -std=c++11 -Wall -Wextra -pedantic -Wno-missing-field-initializers -Werror -fPIC -shared -I"$include" -o in-c.so plugin.cc ||
		wrong "the header is not C++"
	chmod 755 in-c.so
	run 0 -j 0 --plugin "$tmp/example/in-c.so" "$top/tests/golden/whole/in.warc.gz"
fi

chmod 755 words.so
for jobs in 0 2; do
	run 0 -j "$jobs" --plugin "$tmp/example/words.so:least=30,forbidden=lighthouse,Menu9" --rejects -o "$tmp/words.$jobs" --stats "$tmp/stats" \
		-f jsonl -z none "$top/tests/golden/whole/in.warc.gz"
done
cmp -s "$tmp/words.0" "$tmp/words.2" || wrong "-j 2 gives other bytes"
run 0 -j 0 -o "$tmp/plain" -f jsonl -z none "$top/tests/golden/whole/in.warc.gz"
python3 - "$tmp" <<'END' || status=1
import json, sys
def lines(name):
    return [json.loads(l) for l in open(f"{sys.argv[1]}/{name}", encoding="utf-8")]
def split(text):
    return [w for w in text.replace("\n", " ").replace("\t", " ").split(" ") if w]
want, rejected = [], []
for d in lines("plain"):
    words = split(d["text"])
    if "lighthouse" in words or "Menu9" in words:
        rejected.append((d["id"], "forbidden"))
    elif len(words) < 30:
        rejected.append((d["id"], "least"))
    else:
        want.append({**d, "words": {"words": len(words)}})
stats = json.load(open(sys.argv[1] + "/stats"))
if lines("words.0") != want or not want or len({r for i, r in rejected}) != 2:
    sys.exit("other documents than by counting")
if [(r["id"], r["detail"]) for r in lines("words.0.rejects.jsonl") if r["reason"] == "plugin:words"] != rejected:
    sys.exit("other rejects than by counting")
if stats["plugins"]["words"] != {"words": sum(d["words"]["words"] for d in want), "pages": len(want)}:
    sys.exit("other counters")
END

# Those that the document shows, each with its command.
number=0
for name in brief linked; do
	number=$((number + 1))
	mkdir "$tmp/$name" && cd "$tmp/$name" || exit 99
	awk -v number=$number '/^```/ { inside = /^```c$/; n += inside; next } inside && n == number' "$top/doc/PLUGINS.md" >"$name.c"
	command=$(sed -n "s/^    \(cc .*$name.*\)/\1/p" "$top/doc/PLUGINS.md")
	[ -n "$command" ] || wrong "the command for $name is not found in PLUGINS.md"
	C_INCLUDE_PATH=$include sh -c "$command" || wrong "$name, which PLUGINS.md shows, does not build"
	chmod 755 "$name.so"
	run 0 -j 0 --plugin "$tmp/$name/$name.so" "$top/tests/golden/whole/in.warc.gz"
done
run 0 -j 0 -f jsonl --plugin "$tmp/linked/linked.so:least=0" "$top/tests/golden/whole/in.warc.gz"
grep -q '"linked":{"links":[0-9]' "$tmp/out" || wrong "linked writes no number"
run 0 -j 0 -f jsonl --plugin "$tmp/linked/linked.so:least=1000000" --rejects -o "$tmp/few" -z none "$top/tests/golden/whole/in.warc.gz"
grep -q '"reason":"plugin:linked","detail":"links"' "$tmp/few.rejects.jsonl" || wrong "linked drops no page"

# Where plugins are looked for by name.
run_said 3 "'words' is not built in, and not in" --plugin words x.warc

# In the folder of plugins it is found by its name, and completed. What was installed stands there in a namespace of its own.
folder=$("$dana" plugins | sed -n 's/^Found in \(.*\):$/\1/p')
mkdir -p "$tmp/root$folder" && cp -p "$tmp/example/words.so" "$tmp/root$folder" || exit 99
installed() {
	unshare --mount --user --map-root-user sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$tmp/root$prefix" "$prefix" "$dana" "$@" \
		2>>"$tmp/log"
}
if [ "$prefix" != /usr ] && installed plugins >"$tmp/out"; then
	grep -q '^  words  *counts words' "$tmp/out" || wrong "dana plugins does not list the example"
	for word in w words: words:le; do
		installed complete filter --plugin "$word"
	done | cut -f 1 >"$tmp/out"
	printf '%s\n' words words:least= words:forbidden= words:least= | cmp -s - "$tmp/out" ||
		wrong "other completions of the example: $(cat "$tmp/out")"
fi
exit $status
