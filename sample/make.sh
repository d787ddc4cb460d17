#!/bin/sh
# SPDX-License-Identifier: MIT
# make.sh: crawls site/ from a server on this machine into sample.warc.gz, as any crawl is made. Needs python3 and wget.
set -eu
cd "$(dirname "$0")"
port=${1:-8123}
python3 -m http.server -d site --bind 127.0.0.1 "$port" 2>/dev/null &
server=$!
trap 'kill $server' EXIT
sleep 1
pages=$(mktemp -d)
here=$PWD
cd "$pages"
for page in en ar fa ur ps ru zh; do
	echo "http://127.0.0.1:$port/$page.html"
done | wget -q --warc-file=sample --no-warc-keep-log -i - || true
cd "$here"
mv "$pages/sample.warc.gz" .
rm -r "$pages"
ls -l sample.warc.gz
