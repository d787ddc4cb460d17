#!/bin/sh
# SPDX-License-Identifier: MIT
# picture.sh DANA OUT.png: page.html as a browser shows it, beside the Markdown that dana makes of it. Needs chromium (Debian) and
# its fonts-dejavu-core.
set -eu
[ $# -eq 2 ] || { sed -n 's/^# //; 2p' "$0" >&2; exit 2; }
dana=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/page.html" "$work/page.html"
{
	echo '<!doctype html><meta charset="utf-8"><style>'
	echo 'body { margin: 0; display: flex; background: #fff } iframe { border: 0; width: 620px; height: 720px }'
	echo 'pre { margin: 0; padding: 12px 16px; width: 588px; height: 696px; background: #15181c; color: #e6e9ed; white-space: pre-wrap;'
	echo '  font: 13px/1.45 "DejaVu Sans Mono", monospace }'
	echo '</style><iframe src="page.html"></iframe><pre>'
	"$dana" extract -m learned --text markdown "$work/page.html" | sed 's/&/\&amp;/g; s/</\&lt;/g'
	echo '</pre>'
} >"$work/both.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=1240,720 \
	--screenshot="$work/shot.png" "file://$work/both.html" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
mv "$work/shot.png" "$out"
