# SPDX-License-Identifier: MIT
# skip_host WHY: where all crawlers are to be tested (DANA_CRAWLERS=required, in CI), one that is missing is a failure.
skip_host() {
	[ "${DANA_CRAWLERS:-}" != required ] || { echo "$1"; return 1; }
	skip "$1"
}
