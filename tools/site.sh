#!/bin/sh
# SPDX-License-Identifier: MIT
# site.sh: writes the documentation as static pages into build-site/site; open index.html there. DANA=PROGRAM takes the manual pages
# from a program that is built; else tools/quickstart.sh builds one. DANATEXT=FOLDER takes the page to try, try.html, from a package that
# tools/js.sh has built. Links are checked; one that leads nowhere is a failure.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${DANA-}" ]; then
	sh tools/quickstart.sh >/dev/null
	DANA=build-quick/src/cli/dana
fi
mkdir -p build-site
[ -x build-site/venv/bin/mkdocs ] || {
	python3 -m venv build-site/venv
	build-site/venv/bin/pip install -q mkdocs-material==9.8.2 'mkdocstrings[python]==1.0.8' mkdocstrings-python==2.0.11
}
rm -rf build-site/pages
mkdir build-site/pages
python3 tools/site.py . "$DANA" build-site/pages
if [ -z "${DANATEXT-}" ]; then
	sh tools/js.sh build-site/js >/dev/null
	DANATEXT=build-site/js/package
fi
node tools/try_page.mjs "$DANATEXT" build-site/pages/try.html
build-site/venv/bin/mkdocs build -q --strict --clean
echo "build-site/site/index.html"
