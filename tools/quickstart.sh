#!/bin/sh
# SPDX-License-Identifier: MIT
# quickstart.sh: on a fresh Debian 12 installs what dana needs, builds it in build/, and cleans the sample archive.
set -eu
cd "$(dirname "$0")/.."
sh tools/packages.sh
[ -x configure ] || autoreconf -fi
mkdir -p build
cd build
[ -f Makefile ] || ../configure
make -j"$(nproc)"
echo
echo "== sample/sample.warc.gz, each page's main content =="
src/cli/dana filter --stats - ../sample/sample.warc.gz
