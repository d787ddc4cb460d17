# SPDX-License-Identifier: MIT
# Charsets without the converters of iconv, and random bytes, which cannot be read.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DANA_SOURCE/tests/golden/plain/in.warc" plain.warc
	hider=${DANA%/src/cli/dana}/tests/support/.libs/no_converters.so
}

without_converters() {
	ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" LD_PRELOAD=$hider "$@"
}

@test "pages in a charset of the web are read the same without converters" {
	[ -f "$hider" ] || skip "no $hider: make check builds it"
	"$DANA" filter -q -o with.jsonl plain.warc
	[ "$(grep -c '"charset":"windows-125[16]"' with.jsonl)" -ge 2 ]
	without_converters "$DANA" filter -q -o out.jsonl plain.warc
	cmp with.jsonl out.jsonl
	printf '<meta charset=euc-kr><p>\xc7\xd1\xb1\xb9' >page.html
	[ "$(without_converters "$DANA" extract -m plain page.html)" = 한국 ]
}

@test "a charset that only iconv knows is unknown where its converter is missing" {
	[ -f "$hider" ] || skip "no $hider: make check builds it"
	printf '<p>\x82' >page.html
	[ "$("$DANA" extract -m plain --charset cp437 page.html)" = é ]
	run -3 without_converters "$DANA" extract -m plain --charset cp437 page.html
	[[ $output == *"--charset: 'cp437' is unknown; expected a charset of the web or of iconv"* ]]
}

@test "random bytes in UTF-8 are skipped as unreadable, but not with --min-chars 0" {
	python3 - >random.warc <<'END'
import random, sys
from archive import record, response
random.seed(7)
for number in range(30):
    sys.stdout.buffer.write(record(number, response(random.randbytes(1000 + 500 * number))))
END
	"$DANA" filter -q -m plain --rejects --stats stats -o none.jsonl random.warc
	[ ! -s none.jsonl ]
	grep -q '"skipped":{"unreadable":30}' stats
	[ "$(grep -c '"reason":"unreadable"' none.jsonl.rejects.jsonl)" -eq 30 ]
	"$DANA" filter -q -m plain --min-chars 0 -o all.jsonl random.warc
	[ "$(wc -l <all.jsonl)" -eq 30 ]
}
