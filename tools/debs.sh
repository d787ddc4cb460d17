#!/bin/sh
# SPDX-License-Identifier: MIT
# debs.sh TARBALL DIR [PREVIOUS]: the packages of Debian from a release archive and debian/, in DIR. They are built in a root of Debian 12
# that has nothing but Build-Depends, and once more elsewhere, at another time, with another locale, umask and number of jobs: the same
# bytes. lintian finds no error and no warning, and the tests of debian/tests pass in a third root. In a fourth the packages are
# installed and purged: no file stays; where PREVIOUS, a folder of the packages of the version before, is given, these are upgraded.
# Ends with a line for each check. As root, with mmdebstrap.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
tarball=$(realpath "$1")
mkdir -p "$2"
debs=$(cd "$2" && pwd)
previous=${3:+$(realpath "$3")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tools/root.sh"
version=$(basename "$tarball" .tar.xz)
version=${version#dana-}

passed() { echo "PASS: $*"; }
failed() { echo "FAIL: $*"; exit 1; }

# source_in ROOT FOLDER: the unpacked archive with debian/ in it
source_in() {
	mkdir -p "$work/$1$2"
	cp "$tarball" "$work/$1$2/dana_$version.orig.tar.xz"
	tar -xf "$tarball" -C "$work/$1$2"
	cp -R "$top/debian" "$work/$1$2/dana-$version/"
	in_root "$1" sh -c "apt-get update && apt-get build-dep -y --no-install-recommends $2/dana-$version" >"$work/log" 2>&1 ||
		{ tail -n 30 "$work/log" >&2; failed "Build-Depends can be installed"; }
}
# build ROOT FOLDER KIND JOBS SETTING...: KIND is full, or binary: without the source package. The patches are applied first, since
# dpkg-source cannot work with them under faketime, which refuses to set the time of a file to now.
build() {
	root=$1 folder=$2 kind=$3 jobs=$4
	shift 4
	in_root "$root" sh -c "cd $folder/dana-$version && dpkg-source --no-unapply-patches --before-build . &&
		$* dpkg-buildpackage -us -uc --build=$kind -j$jobs" >"$work/log" 2>&1 ||
		{ tail -n 30 "$work/log" | cut -c 1-200 >&2; failed "the packages are built with nothing but Build-Depends"; }
}

root_image base --variant=buildd
root_make one base
source_in one /build
build one /build full 1
find "$work/one/build" -maxdepth 1 -type f -exec cp {} "$debs" \;
passed "the packages are built with nothing but Build-Depends"

if [ -z "${ONCE:-}" ]; then
	root_make two base
	in_root two sh -c 'apt-get update && apt-get install -y --no-install-recommends faketime locales &&
		localedef -i de_DE -f UTF-8 de_DE.UTF-8' >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
	source_in two /home/someone/else
	build two /home/someone/else binary 3 "umask 002 &&
		LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo HOME=/nowhere DEB_BUILD_OPTIONS=nocheck faketime '+400 days'"
	for deb in "$debs"/*.deb; do
		cmp "$deb" "$work/two/home/someone/else/$(basename "$deb")" ||
			{ cp -R "$work/two/home/someone/else" "$debs/differ"; failed "two builds give the same packages"; }
	done
	rm -rf "$work/two"
	passed "two builds give the same packages"
fi
rm -rf "$work/one"

root_make tests base
mkdir "$work/tests/debs"
find "$debs" -maxdepth 1 -type f -exec cp {} "$work/tests/debs" \;
in_root tests sh -c 'apt-get update && apt-get install -y --no-install-recommends lintian autopkgtest dpkg-dev' >"$work/log" 2>&1 ||
	{ tail -n 30 "$work/log" >&2; exit 1; }
in_root tests sh -c 'lintian --allow-root -EviIL +pedantic /debs/*.changes' >"$work/lintian" 2>&1 || true
grep -E '^[EW]:' "$work/lintian" && failed "lintian has no error and no warning"
passed "lintian has no error and no warning ($(grep -cE '^[IP]:' "$work/lintian" || true) remarks)"
cp "$work/lintian" "$debs/lintian.txt"
in_root tests sh -c 'cd /debs && autopkgtest ./*.deb ./*.dsc -- null' >"$debs/autopkgtest.txt" 2>&1 ||
	{ tail -n 60 "$debs/autopkgtest.txt" >&2; failed "autopkgtest"; }
sed -n '/ summary$/,$s,^\([^ ]*\)  *PASS$,PASS: autopkgtest of \1,p' "$debs/autopkgtest.txt"
rm -rf "$work/tests"

root_image bare --variant=apt
root_make plain bare
mkdir "$work/plain/debs"
cp "$debs"/*.deb "$work/plain/debs"
[ -z "$previous" ] || { mkdir "$work/plain/previous" && cp "$previous"/*.deb "$work/plain/previous"; }
cp "$top/sample/sample.warc.gz" "$work/plain/debs"
cat >"$work/plain/debs/try" <<'END'
set -eu
files() { find / -xdev \( -path /proc -o -path /dev -o -path /tmp -o -path /debs -o -path /previous -o -path /var/cache -o -path /var/log \
	-o -path /var/lib/apt -o -path /var/lib/dpkg -o -name __pycache__ \) -prune -o -print | sort; }
ours=$(cd /debs && ls ./*.deb | grep -v dbgsym)
names=$(echo "$ours" | sed 's,^\./,,; s,_.*,,')
apt-get update
# What the packages need stays, so that nothing but their own files is compared.
cd /debs
apt-get install -y --no-install-recommends $ours
apt-get remove -y --purge $names
files >/tmp/before
if [ -d /previous ]; then
	cd /previous
	apt-get install -y --no-install-recommends $(ls ./*.deb | grep -v dbgsym)
	dana --version | head -n 1
fi
cd /debs
apt-get install -y --no-install-recommends --allow-downgrades $ours
dana --version | head -n 1
dana filter -q sample.warc.gz | wc -l | grep -qx 7
apt-get purge -y $names
files >/tmp/after
diff /tmp/before /tmp/after
END
what="installed${previous:+, upgraded} and purged, the packages leave no file"
in_root plain sh /debs/try >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; failed "$what"; }
passed "$what"
# In a root where nothing else is: the two packages that a first user installs.
root_make first bare
mkdir "$work/first/debs"
cp "$debs"/dana_*.deb "$debs"/libdana1_*.deb "$top/sample/sample.warc.gz" "$work/first/debs"
in_root first sh -c 'cd /debs && apt-get update && apt-get install -y --no-install-recommends ./dana_*.deb ./libdana1_*.deb &&
	dana filter sample.warc.gz >out && wc -l <out | grep -qx 7' >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; failed "a bare root"; }
passed "in a bare root: apt-get install ./dana_*.deb ./libdana1_*.deb, then dana filter"
