#!/bin/sh
# SPDX-License-Identifier: MIT
# How the program and the shared library were compiled and linked, by what readelf sees: position independent, no writable tables
# for the linker after the start, no executable stack, canaries, checked functions of libc, landing pads where the machine has them.
set -u
[ -f Makefile ] && [ -f src/cli/dana ] || { echo "not in a build folder with a program"; exit 99; }
setting() { sed -n "s/^$1 = *//p" Makefile; }
case $(setting DANA_LDFLAGS) in *-fsanitize*) echo "built with sanitizers"; exit 77 ;; esac
readelf=${READELF:-$(command -v readelf)} && [ -n "$readelf" ] || { echo "readelf is missing"; exit 77; }
flags=" $(setting DANA_CFLAGS) "
bad=0
wrong() { echo "$*"; bad=1; }

# looks FILE: what holds for programs and libraries
looks() {
	"$readelf" -hldnW "$1" >"$tmp/all" 2>/dev/null && "$readelf" --dyn-syms -W "$1" >"$tmp/names" || { wrong "$1 is no ELF file"; return; }
	grep -q '^ *GNU_RELRO' "$tmp/all" || wrong "$1: no RELRO"
	grep -Eq 'BIND_NOW|FLAGS_1.*NOW' "$tmp/all" || wrong "$1: its tables stay writable (no -z now)"
	grep -Eq '^ *GNU_STACK.* RW +0x' "$tmp/all" || wrong "$1: its stack can be executed"
	! grep -q TEXTREL "$tmp/all" || wrong "$1: relocations in its code"
	! grep -Eq '(RPATH|RUNPATH)' "$tmp/all" || wrong "$1: a path of libraries is built in"
	case $flags in *' -fstack-protector-strong '*) grep -q '__stack_chk_fail' "$tmp/names" || wrong "$1: no canaries" ;; esac
	# All calls of the detectors write to places whose size the compiler knows to be enough, so none needs a check.
	case $1 in */detectors.so) ;; *) grep -Eq '__[a-z_]+_chk(@|$)' "$tmp/names" || wrong "$1: no checked functions of libc (FORTIFY)" ;; esac
}

tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
looks src/cli/dana
grep -Eq '^ *Type: *DYN' "$tmp/all" && grep -q 'FLAGS_1.*PIE' "$tmp/all" || wrong "src/cli/dana: not position independent"
for library in .libs/libdana.so plugins/*/.libs/*.so; do
	[ ! -f "$library" ] || looks "$library"
done

# The marks of landing pads are looked for in our objects: a program keeps them only where the system's start files have them.
case $flags in *' -fcf-protection=full '*)
	find src plugins -name '*.o' -exec "$readelf" -nW {} + | awk '/^File: / { if (file) print file; file = $2 } /IBT, SHSTK/ { file = "" }
		END { if (file) print file }' >"$tmp/pads"
	[ -n "$(find src -name '*.o' | head -n 1)" ] || wrong "no objects"
	[ ! -s "$tmp/pads" ] || wrong "no landing pads (-fcf-protection): $(cat "$tmp/pads")" ;;
esac

# The check sees what is missing.
printf 'int main(void) { return 0; }\n' >"$tmp/plain.c"
if $(setting CC) -no-pie -Wl,-z,norelro -Wl,-z,lazy -fno-stack-protector -o "$tmp/plain" "$tmp/plain.c" 2>/dev/null; then
	before=$bad
	[ "$(looks "$tmp/plain" | grep -c "$tmp/plain")" -ge 3 ] || { echo "the check sees nothing"; before=1; }
	bad=$before
fi
exit $bad
