#!/bin/sh
# SPDX-License-Identifier: MIT
# release.sh [DIR [PREVIOUS]]: all that a release of the commit that is checked out consists of, in DIR (default: release), each thing
# made twice and compared: the release archive, packages of Debian with their tests, the wheels, static programs and source distribution
# of tools/wheel.sh for all targets of tools/portable.sh, the jars as a repository of Maven, the package of npm, lists of materials, checksums. PREVIOUS is a
# folder of the packages of the version before, from which an upgrade is tried. As root, with mmdebstrap and faketime; takes an hour or
# more. ONCE=1: nothing is made a second time. A line for each check, last "N passed, M failed".
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-release}"
release=$(cd "${1:-release}" && pwd)
previous=${2:+$(realpath "$2")}
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
trap 'exit 99' HUP INT TERM
targets=$(sed -n '/^# Libraries are kept/q; s/^#   //p' "$top/tools/portable.sh")
passed=0 failed=0
# check WHAT COMMAND...: its output is shown where it fails.
check() {
	what=$1
	shift
	if "$@" >"$again/log" 2>&1; then
		echo "PASS: $what"
		passed=$((passed + 1))
	else
		tail -n 40 "$again/log" | cut -c 1-200
		echo "FAIL: $what"
		failed=$((failed + 1))
	fi
}
# twice WHAT COMMAND...: a check of what is made a second time
twice() { [ -n "${ONCE:-}" ] || check "$@"; }
# elsewhere COMMAND...: in another checkout, at another time, with another locale and umask
elsewhere() (
	umask 002
	cd "$again/elsewhere" && TMPDIR=$again/tmp LC_ALL=C.UTF-8 TZ=Asia/Tokyo faketime '+2 days' "$@"
)
same() { for each in "$1"/$3; do cmp "$each" "$2/$(basename "$each")" || return 1; done; }
clean() { [ -z "$(git -C "$top" status --porcelain)" ] || { git -C "$top" status --short; return 1; }; }
copy() { mkdir -p "$again/tmp" && git clone -q "$top" "$again/elsewhere" && git -C "$again/elsewhere" checkout -q "$(git -C "$top" rev-parse HEAD)"; }
packages() {
	sh "$top/tools/debs.sh" "$release"/dana-*.tar.xz "$release/debian" $previous >"$again/debs" 2>&1
	status=$?
	sed -n 's/^PASS: //p' "$again/debs" >"$release/debian/checks.txt"
	return "$status"
}
# They have the libraries that wheel.sh has made, or those in the folder $DANA_NATIVES.
same_jars() { diff -r "$release/maven" "$again/jars/maven" && same "$release" "$again/jars" 'dana-nutch-*'; }
# npm_package WORK TO: in the folder TO
npm_package() { sh "$top/tools/js.sh" "$1" && mkdir -p "$2" && cp "$1"/danatext-*.tgz "$2/" && cp "$1"/dana-try-*.html "$release/"; }
# what packages has found, which runs beside other checks
found() { wait "$packages" || { cat "$again/debs"; return 1; }; }
materials() {
	python3 -m venv "$again/venv" && "$again/venv/bin/pip" install -q 'cyclonedx-python-lib[json-validation]' &&
		"$again/venv/bin/python" "$top/tools/check_sbom.py" "$release/materials" "$release"/debian/*_*.deb "$release"/*.whl
}

check "everything is committed" clean
twice "another checkout" copy
check "the release archive" sh "$top/tools/tarball.sh" "$release"
twice "the release archive, elsewhere" elsewhere sh tools/tarball.sh "$again/tarball"
twice "both are the same bytes" same "$release" "$again/tarball" '*.tar.xz'
packages & # one job builds them first: there is time for more
packages=$!
# shellcheck disable=SC2086 # a list
check "wheels, static programs, source distribution" sh "$top/tools/wheel.sh" "$release" $targets
# shellcheck disable=SC2086
twice "wheels, static programs, source distribution, elsewhere" elsewhere sh tools/wheel.sh "$again/wheel" $targets
twice "both are the same bytes" same "$release" "$again/wheel" 'danatext-*'
twice "both static programs are the same bytes" same "$release" "$again/wheel" 'dana-*-linux-*'
check "both are installed in bare roots" sh "$top/tools/wheel_roots.sh" "$release"
check "the jars as a repository of Maven" sh "$top/tools/jars.sh" "$release" "${DANA_NATIVES:-$release/natives}"
twice "the jars, elsewhere" elsewhere sh tools/jars.sh "$again/jars" "${DANA_NATIVES:-$release/natives}"
twice "both are the same bytes" same_jars
check "the package of npm" npm_package "$again/js" "$release/npm"
twice "the package of npm, elsewhere" elsewhere sh tools/js.sh "$again/js-elsewhere"
twice "both are the same bytes" same "$release/npm" "$again/js-elsewhere" 'danatext-*.tgz'
twice "both pages that show it are, too" same "$release" "$again/js-elsewhere" 'dana-try-*.html'
check "the module of Go" env "DANATEXT=$again/js/package" sh "$top/tools/go.sh" "$again/go"
twice "the module of Go, elsewhere" elsewhere env "DANATEXT=$again/js-elsewhere/package" sh tools/go.sh "$again/go-elsewhere"
twice "both are the same bytes" same "$again/go" "$again/go-elsewhere" 'danatext-go-*.tar.gz'
check "it is in the release" cp "$again"/go/danatext-go-*.tar.gz "$release/"
check "packages of Debian" found
sed 's/^/  /' "$release/debian/checks.txt"
check "lists of materials, by their schema" materials
(cd "$release" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
cat <<END
In $release: $(cd "$release" && find . -type f | wc -l) files and their SHA256SUMS. Who releases adds the signatures:
  gpg --armor --detach-sign SHA256SUMS
  debsign debian/*.changes
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
