# SPDX-License-Identifier: MIT
# Digests of blocks, and checksums that come too late: what is damaged is not written without a mark.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >make.py <<'END'
import base64, gzip, hashlib
import archive

def record(number, digest):
    body = ("<html><head><title>Page %d</title></head><body><p>" % number +
            " ".join("word%d" % (number * i) for i in range(60)) + "</p></body></html>").encode()
    block, field = archive.response(body), ""
    if digest == "sha1":
        field = "WARC-Block-Digest: sha1:%s\r\n" % base64.b32encode(hashlib.sha1(block).digest()).decode()
    elif digest:
        field = "WARC-Block-Digest: %s:%s\r\n" % (digest.replace("_", "-").replace("2b", "2b512"), hashlib.new(digest, block).hexdigest())
    made = archive.record(number, block, field.encode())
    return made, made.index(b"\r\n\r\n") + 4, len(block)

def joined(digest):
    parts, places, at = [], [], 0
    for number in range(40):
        part, head, length = record(number, digest)
        parts.append(part)
        places.append((at + head, length))
        at += len(part)
    return bytearray(b"".join(parts)), places

for digest in ["sha1", "sha256", "md5", "sha384", "sha512", "sha3_256", "blake2b", ""]:
    data, places = joined(digest)
    open("good-%s.warc" % digest, "wb").write(data)
    member = bytearray(gzip.compress(bytes(data), mtime=0))
    open("good-%s.warc.gz" % digest, "wb").write(member)
    member[-8] ^= 1
    open("late-%s.warc.gz" % digest, "wb").write(member)
    for number, (start, length) in enumerate(places):  # a letter of each text
        data[start + length - 60 - number] ^= 1
    open("flipped-%s.warc" % digest, "wb").write(data)
END
	python3 make.py
}

# packed NAME COMMAND...: NAME.warc, packed record by record, on standard output
packed() {
	python3 - "$@" <<'END'
import subprocess, sys
data, command = open(sys.argv[1] + ".warc", "rb").read(), sys.argv[2:]
for part in data.split(b"WARC/1.0\r\n")[1:]:
    sys.stdout.buffer.write(subprocess.run(command, input=b"WARC/1.0\r\n" + part, stdout=subprocess.PIPE, check=True).stdout)
END
}

count() {
	grep -c "\"problems\":\[$1\]" "$2" || true
}

@test "a block that is not the one of its digest is marked, or damaged on demand" {
	for digest in sha1 sha256 md5 sha384 sha512 sha3_256 blake2b; do
		"$DANA" filter -m plain -j 0 -o good.jsonl --force good-$digest.warc
		[ "$(count '' good.jsonl)" -eq 40 ]
		for jobs in 0 3; do
			"$DANA" filter -m plain -j $jobs -o flipped.jsonl --force --stats stats flipped-$digest.warc
			[ "$(count '"bad_digest"' flipped.jsonl)" -eq 40 ]
			grep -q '"problems":{"bad_digest":40}' stats
			run -2 "$DANA" filter -q -m plain -j $jobs -o none.jsonl --rejects --force --require-digest flipped-$digest.warc
			[ ! -s none.jsonl ]
			[ "$(grep -c '"reason":"bad_digest","detail":"the block does not match' none.jsonl.rejects.jsonl)" -eq 40 ]
		done
	done
	"$DANA" filter -m plain -o flipped.jsonl --force --require-digest flipped-.warc
	[ "$(count '' flipped.jsonl)" -eq 40 ]
}

@test "a digest whose algorithm or form is not known is damage where digests are required" {
	for name in blake3 crc32; do
		sed "s/^WARC-Block-Digest: sha1:/WARC-Block-Digest: $name:/" good-sha1.warc >$name.warc
		"$DANA" filter -q -m plain -o out.jsonl --force $name.warc
		[ "$(count '' out.jsonl)" -eq 40 ]
		run -2 "$DANA" filter -q -m plain -o none.jsonl --rejects --force --require-digest $name.warc
		[ ! -s none.jsonl ]
		[ "$(grep -c '"reason":"bad_digest","detail":"WARC-Block-Digest cannot be checked' none.jsonl.rejects.jsonl)" -eq 40 ]
	done
}

@test "a digest is compared where no checksum of the compression covers the block, or on demand" {
	packed flipped-sha1 gzip -c >flipped.warc.gz
	packed flipped-sha1 zstd -qc --check >checksum.warc.zst
	packed flipped-sha1 zstd -qc --no-check >bare.warc.zst
	for jobs in 0 3; do
		for row in flipped.warc.gz:auto:0 flipped.warc.gz:always:40 checksum.warc.zst:auto:0 bare.warc.zst:auto:40 \
			bare.warc.zst:never:0 flipped-sha1.warc:auto:40 flipped-sha1.warc:never:0; do
			IFS=: read -r file check marked <<<"$row"
			DANA_TEST_READ_SIZE=$((1 + jobs * 99)) \
				"$DANA" filter -q -m plain -j $jobs -o out.jsonl --force --check-digests $check "$file"
			[ "$(wc -l <out.jsonl)" -eq 40 ]
			[ "$(count '"bad_digest"' out.jsonl)" -eq "$marked" ]
		done
		run -2 "$DANA" filter -q -m plain -j $jobs -o none.jsonl --force --require-digest flipped.warc.gz
		[ ! -s none.jsonl ]
	done
	run -3 "$DANA" filter --require-digest --check-digests never flipped.warc.gz
	[[ "$output" == *"--require-digest and --check-digests never exclude each other"* ]]
}

@test "documents of a member whose checksum is wrong are marked, unless their digest is right" {
	run -2 "$DANA" filter -q -m plain -o late.jsonl late-.warc.gz
	[ "$(count '"unverified"' late.jsonl)" -eq 39 ]
	[ "$(wc -l <late.jsonl)" -eq 39 ]
	run -2 "$DANA" filter -q -m plain -o late.jsonl --force late-sha1.warc.gz
	[ "$(count '' late.jsonl)" -eq 39 ]
	for digest in '' sha1; do
		"$DANA" filter -m plain -o good.jsonl --force good-$digest.warc.gz
		[ "$(count '' good.jsonl)" -eq 40 ]
	done
}
