#!/bin/sh
# SPDX-License-Identifier: MIT
# pythons.sh: prints the pythons of 3.9 or later that are at hand, one of each version, the oldest first.
set -u
for each in python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
	"$each" - 2>/dev/null <<-'PYTHON'
		import sys
		if sys.version_info >= (3, 9):
		    print(sys.version.split()[0], sys.executable)
	PYTHON
done | sort -u -V -k1,1 | cut -d' ' -f2
