#!/bin/sh
# SPDX-License-Identifier: MIT
# Each source file names the licence in its first line (after a "#!" in its second), dana.pc and the README name it, and COPYING is its
# text. The README tells where data of others comes from.
set -u
cd "${srcdir:-.}" || exit 99

# In a checkout the files that git knows; in a release archive, which has no other, all there are.
list()
{
	if [ -e .git ] && command -v git >/dev/null; then
		git -c safe.directory='*' ls-files
	else
		find .ci Makefile.am configure.ac m4/dana_*.m4 bench conf data doc examples plugins sample share src tests tools -type f 2>/dev/null
	fi | grep -E '\.(c|cc|h|sh|py|bats|am|awk|js|go)$|^configure\.ac$|^m4/dana_.*\.m4$|^\.ci/run$' | grep -v '\.in/'
}

files=$(list)
[ "$(printf '%s\n' "$files" | wc -l)" -gt 600 ] || { echo "sources not found"; exit 99; }
# shellcheck disable=SC2086 # names of sources have no spaces
bad=$(awk 'FNR == 1 { line = 1 }
	FNR == 1 && /^#!/ { line = 2 }
	FNR == line { if ($0 !~ /^(\/\*|#|\/\/|dnl) SPDX-License-Identifier: MIT( \*\/)?$/) print FILENAME; nextfile }' $files)
[ -z "$bad" ] || { printf 'without "SPDX-License-Identifier: MIT" in front:\n%s\n' "$bad"; exit 1; }
grep -qx 'License: MIT' dana.pc.in || { echo "dana.pc.in: no licence"; exit 1; }
grep -q '^MIT licence (\[COPYING\](COPYING)' README && grep -q 'Third-party data: ' README ||
	{ echo "README names neither the licence nor where data of others comes from"; exit 1; }
grep -q '^MIT License$' COPYING && grep -q '^Permission is hereby granted, free of charge' COPYING ||
	{ echo "COPYING is not the MIT licence"; exit 1; }
