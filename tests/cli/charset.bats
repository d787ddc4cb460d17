# SPDX-License-Identifier: MIT
# Pages that cannot be read: without converters of charsets (never read as something else), and random bytes.

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DANA_SOURCE/tests/golden/plain/in.warc" plain.warc
	hider=${DANA%/src/cli/dana}/tests/support/.libs/no_converters.so
}

without_converters() {
	ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" LD_PRELOAD=$hider "$@"
}

@test "records whose charset has no converter are skipped, with the reason and what to install" {
	[ -f "$hider" ] || skip "no $hider: make check builds it"
	"$DANA" filter -o with.jsonl plain.warc
	grep -c '"charset":"\(windows-125[16]\)"' with.jsonl >count
	[ "$(cat count)" -ge 2 ]
	without_converters "$DANA" filter -j 0 --rejects --stats stats -o out0.jsonl plain.warc 2>err
	grep -v '"charset":"windows-' with.jsonl | cmp - out0.jsonl
	[ "$(grep -c '"reason":"charset"' out0.jsonl.rejects.jsonl)" -eq "$(grep -c '"charset":"windows-' with.jsonl)" ]
	grep -q '"reason":"charset","detail":"no converter for windows-1256 is installed (Debian: libc6' out0.jsonl.rejects.jsonl
	grep -q '"charset":[1-9]' stats
	# Said once, not for each of them.
	[ "$(grep -c 'charset: no converter for windows-.* is installed (Debian: libc6' err)" -eq 1 ]
	for jobs in 1 4; do
		without_converters "$DANA" filter -q -j $jobs --rejects -o out$jobs.jsonl plain.warc
		cmp out0.jsonl out$jobs.jsonl
		cmp out0.jsonl.rejects.jsonl out$jobs.jsonl.rejects.jsonl
	done
}

@test "a page whose charset has no converter is status 1" {
	[ -f "$hider" ] || skip "no $hider: make check builds it"
	printf '<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4' >page.html
	run without_converters "$DANA" extract page.html
	[ "$status" -eq 1 ]
	[[ $output == *"page.html: no converter for koi8-r is installed (Debian: libc6"* ]]
	run without_converters "$DANA" explain page.html
	[ "$status" -eq 1 ]
	[[ $output == *"is installed (Debian: libc6"* ]]
}

@test "random bytes in UTF-8 are skipped as unreadable, but not with --min-chars 0" {
	command -v python3 >/dev/null || skip "no python3"
	python3 - >random.warc <<'END'
import random, sys
random.seed(7)
for number in range(30):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + random.randbytes(1000 + 500 * number)
    head = ("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
            "WARC-Target-URI: http://example.org/%d\r\nContent-Type: application/http; msgtype=response\r\n"
            "Content-Length: %d\r\n\r\n" % (number, number, len(block)))
    sys.stdout.buffer.write(head.encode() + block + b"\r\n\r\n")
END
	"$DANA" filter -q -m plain --rejects --stats stats -o none.jsonl random.warc
	[ ! -s none.jsonl ]
	grep -q '"skipped":{"unreadable":30}' stats
	[ "$(grep -c '"reason":"unreadable"' none.jsonl.rejects.jsonl)" -eq 30 ]
	"$DANA" filter -q -m plain --min-chars 0 -o all.jsonl random.warc
	[ "$(wc -l <all.jsonl)" -eq 30 ]
}
