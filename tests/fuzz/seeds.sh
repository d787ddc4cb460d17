#!/bin/sh
# SPDX-License-Identifier: MIT
# Seeds of the fuzz targets: an archive for each, X.tar of fuzz_X. In a build folder:
#
#	seeds.sh unpack    unpacks all of them to tests/fuzz/X.in/, as `make check` and `make fuzz` do
#	seeds.sh pack      writes the archives anew from these folders, after a seed was added: the same bytes for the same files
set -eu
from=${srcdir:-.}/tests/fuzz
case ${1-} in
unpack)
	mkdir -p tests/fuzz
	rm -rf tests/fuzz/*.in
	for archive in "$from"/*.tar; do
		tar -xf "$archive" -C tests/fuzz
	done
	;;
pack)
	for folder in tests/fuzz/*.in; do
		name=${folder##*/}
		tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar -C tests/fuzz \
			-cf "$from/${name%.in}.tar" "$name"
	done
	;;
*)
	echo "usage: seeds.sh unpack|pack" >&2
	exit 1
	;;
esac
