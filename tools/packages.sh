#!/bin/sh
# SPDX-License-Identifier: MIT
# packages.sh [test]: installs what dana needs from Debian: to build and run; with `test` what the tests need too.
set -eu
run='gcc g++ make autoconf automake libtool pkg-config libuv1-dev libcurl4-openssl-dev libzstd-dev zlib1g-dev libssl-dev
libisal-dev libdeflate-dev libbrotli-dev libuchardet-dev libjansson-dev libsvm-dev libmicrohttpd-dev
libxxhash-dev libutf8proc-dev libroaring-dev libcld2-dev libfasttext-dev libpsl-dev libidn2-dev libpcre2-dev'
test='clang-format-14 libcmocka-dev bats libgumbo-dev python3 python3-lxml python3-numpy python3-pandas python3-zstandard python3-fsspec jq nginx-light openssl zstd gzip binutils zsh
parallel python3-scrapy curl wget wget2 wget2-dev fasttext'
[ "${1:-}" = test ] && run="$run $test"

missing=
for package in $run; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
root=
if [ "$(id -u)" != 0 ]; then
	root=sudo
	if ! command -v sudo >/dev/null 2>&1; then
		echo "missing packages, and neither root nor sudo to install them; as root:" >&2
		echo "apt-get install --no-install-recommends$missing"
		exit 1
	fi
fi
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -q
# shellcheck disable=SC2086 # the list is meant to be split
$root apt-get install -q -y --no-install-recommends $missing
