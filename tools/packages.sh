#!/bin/sh
# SPDX-License-Identifier: MIT
# packages.sh [test|engines|long]: installs what dana needs from Debian: to build and run; with `test` or `long` what the tests need
# too, with `engines` what those of engines need besides.
set -eu
run='gcc g++ make autoconf automake libtool pkg-config libuv1-dev libcurl4-openssl-dev libzstd-dev zlib1g-dev libssl-dev
libdeflate-dev libbrotli-dev libuchardet-dev libsimdjson-dev libseccomp-dev libsvm-dev
libxxhash-dev libutf8proc-dev libroaring-dev libcld2-dev libfasttext-dev libpsl-dev libidn2-dev libpcre2-dev python3-dev
python3-venv jq'
test='clang-format-14 libcmocka-dev bats libjansson-dev python3 python3-lxml python3-numpy python3-pandas python3-zstandard python3-fsspec nginx-light openssl zstd gzip binutils zsh
parallel cmark-gfm python3-scrapy curl wget wget2 wget2-dev fasttext
valgrind clang libclang-rt-14-dev'
# Each of these serves a test that is skipped without it: where they cannot be had, the others still run.
more='openjdk-17-jdk-headless libbsh-java abigail-tools chromium chromium-driver'
case ${1:-} in
test | long) run="$run $test" ;;
engines)
	run="$run $test slurm-wlm munge openjdk-17-jdk-headless maven python3-venv"
	[ "$(uname -m)" != x86_64 ] || run="$run wine wine64"
	command -v npm >/dev/null || run="$run nodejs npm"
	;;
*) more= ;;
esac

# absent PACKAGE...: those that are not installed
absent() {
	for package; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf ' %s' "$package"
	done
}

# shellcheck disable=SC2086 # the lists are meant to be split
missing=$(absent $run) more=$(absent $more)
[ -n "$missing$more" ] || exit 0
root=
if [ "$(id -u)" != 0 ]; then
	root=sudo
	if ! command -v sudo >/dev/null 2>&1; then
		[ -n "$missing" ] || exit 0
		echo "missing packages, and neither root nor sudo to install them; as root:" >&2
		echo "apt-get install --no-install-recommends$missing$more"
		exit 1
	fi
fi
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -q || [ -z "$missing" ]
# shellcheck disable=SC2086
[ -z "$missing" ] || $root apt-get install -q -y --no-install-recommends $missing
# shellcheck disable=SC2086
[ -z "$more" ] || $root apt-get install -q -y --no-install-recommends $more || echo "not installed:$more; what needs them is skipped"
