# SPDX-License-Identifier: MIT
# What the tests of plugins share: a folder, the plugins of this folder built into it, and words to check with.
src=${srcdir:-.}
[ -f Makefile ] && [ -x src/cli/dana ] || { echo "not in the build folder"; exit 99; }
setting() { sed -n "s/^$1 = *//p" Makefile; }
[ "$(setting build)" = "$(setting host)" ] || { echo "built for another machine"; exit 77; }
cc=$(setting CC)
dana=$PWD/src/cli/dana
top=$(cd "$src" && pwd)
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
chmod 755 "$tmp"
status=0
wrong() { echo "$*"; status=1; }

# build NAME FILE [FLAG...]: FILE.so of tests/plugin/NAME.c
build() {
	name=$1 file=$2
	shift 2
	$cc -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -fPIC -shared -fvisibility=hidden -I"$top/include" "$@" -o "$tmp/$file.so" \
		"$top/tests/plugin/$name.c" || { echo "$name does not build"; exit 99; }
	chmod 755 "$tmp/$file.so"
}

# run STATUS ARGUMENTS...: of dana filter; standard output in out, standard error in err
run() {
	want=$1
	shift
	"$dana" filter "$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ "$got" = "$want" ] || wrong "status $got instead of $want: $*: $(head -c 300 "$tmp/err")"
}

# said TEXT: in one line on standard error, which is all that is there
said() {
	grep -qF -- "$1" "$tmp/err" || wrong "not said: $1; but: $(head -c 300 "$tmp/err")"
}

# run_said STATUS TEXT ARGUMENTS...: both
run_said() {
	text=$2
	want=$1
	shift 2
	run "$want" "$@"
	said "$text"
}
