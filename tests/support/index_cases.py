#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Indexes whose offsets and lengths are wrong in every way, for archives of five kinds: gzip, zstd and plain WARC, gzip and plain ARC.

    index_cases.py DANA [SEED]

Each line must cost itself only: a document comes out where a record begins at the offset and the length does not end inside of
it, and damage that names the line where offset or length are wrong. From files and from a server, with workers and without, and
read in small pieces the result is the same.
"""
import gzip, json, os, random, subprocess, sys

DANA = sys.argv[1]
RANDOM = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
RECORDS = 14


def page(number):
    text = b"text number %d of a page with some words. " % number * RANDOM.randint(2, 40)
    return (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><title>t</title><body><p>%s</p></body></html>" % text)


def warc(number):
    block = page(number)
    return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"
            b"WARC-Target-URI: http://h.example/%d\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
            % (number, number, len(block), block))


def arc(number):
    block = page(number)
    return b"http://h.example/%d 127.0.0.1 20260101000000 text/html %d\n%s\n" % (number, len(block), block)


ARC_BLOCK = b"1 0 x\nURL IP-address Archive-date Content-type Archive-length\n"
ARC_HEAD = b"filedesc://x.arc 0.0.0.0 20260101000000 text/plain %d\n%s\n" % (len(ARC_BLOCK), ARC_BLOCK)


def gzipped(data):
    return gzip.compress(data, mtime=0)


def zstd(data):
    return subprocess.run(["zstd", "-qc"], input=data, stdout=subprocess.PIPE, check=True).stdout


class Archive:
    def __init__(self, name, record, compress, head=b"", after=0):
        """`after`: bytes of a record that a length may leave out, line ends at its end."""
        self.name, self.after, self.table = name, after, {}
        data = compress(head) if head else b""
        for number in range(RECORDS):
            member = compress(record(number))
            self.table[len(data)] = (number, len(member))
            data += member
        self.size = len(data)
        self.offsets = sorted(self.table)
        with open(name, "wb") as f:
            f.write(data)

    def expect(self, offset, length):
        """number of the document or None, reason or None ("*": any)"""
        if offset >= self.size:
            return None, "truncated"
        if offset not in self.table:
            return None, "*"
        number, size = self.table[offset]
        if length == 0 or size - self.after <= length <= size:
            return number, None
        if length < 24:  # too short to show what begins
            return None, "*"
        return (number, "bad_length") if length > size else (None, "bad_length")

    def cases(self):
        o, last = self.offsets[3], self.offsets[-1]
        size, next_size = self.table[o][1], self.table[self.offsets[4]][1]
        yield from ((at, self.table[at][1]) for at in reversed(self.offsets))
        yield from ((at, 0) for at in self.offsets)
        yield from [(o, size)] * 3
        yield from ((o, size + more) for more in (1, 2, 3, 5, 10, 17, 18, 19, 100, next_size, next_size + 1))
        yield from ((o, size - less) for less in (5, 6, 7, 8, 9, 12, 20, 50, 100))
        yield from ((o, length) for length in (1, 2, 3, 4, 10, 18, 20, 10**9, 2**62))
        yield from ((last, self.table[last][1] + more) for more in (1, 10, 10**12))
        yield from ((at, length) for at in (self.size, self.size + 1, 2**60) for length in (0, 1, 10))
        yield from ((o + into, length) for into in (1, 2, 3, 10, 11, 50, size // 2, size - 9) for length in (0, size, 10**9))
        yield self.size - 1, 1
        for _ in range(60):
            at = RANDOM.choice((RANDOM.choice(self.offsets), RANDOM.randrange(self.size + 100)))
            if any(at + n in self.table for n in range(1, 5)):
                continue  # line ends between records may stand before one
            length = self.table.get(at, (0, 50))[1]
            yield at, max(0, RANDOM.choice((0, 1, length, length + RANDOM.randint(-30, 3000), RANDOM.randrange(self.size))))


def run(base, jobs, read_size):
    status = subprocess.run([DANA, "filter", "-q", "-m", "plain", "--force", "--rejects", "--stats", "stats", "-j", jobs, "-o", "out",
                             "--base", base, "--cdx", "cases.cdxj"], stderr=subprocess.DEVNULL, timeout=120,
                            env=dict(os.environ, **({"DANA_TEST_READ_SIZE": read_size} if read_size else {}))).returncode
    documents = [(d["url"], d["offset"], d["text"]) for d in map(json.loads, open("out"))]
    rejects = [(r["offset"], r["reason"], r["detail"]) for r in map(json.loads, open("out.rejects.jsonl"))]
    counts = json.load(open("stats"))
    assert counts["records"] == counts["documents"] + sum(counts["damaged"].values()), counts
    return status, documents, rejects


def check(cases, base):
    """The lines for which something is wrong."""
    with open("cases.cdxj", "w") as f:
        for archive, offset, length in cases:
            f.write('k 2026 {"filename":"%s","offset":%d,"length":"%d"}\n' % (archive.name, offset, length))
    result = run("./", "0", None)
    for other in (("./", "2", "7"), (base, "0", None), (base, "2", "7")):
        if run(*other) != result:
            yield "%s: other results from %s with %s workers" % (cases[0][0].name, *other[:2])
    status, documents, rejects = result
    wanted = [archive.expect(offset, length) for archive, offset, length in cases]
    if [d[0] for d in documents] != ["http://h.example/%d" % n for n, _ in wanted if n is not None]:
        yield "%s: other documents" % cases[0][0].name
    if status != (1 if any(reason == "truncated" for _, reason in wanted) else 2):
        yield "%s: status %d" % (cases[0][0].name, status)
    for line, ((_, reason), (archive, offset, length)) in enumerate(zip(wanted, cases), 1):
        told = [r for r in rejects if r[2].startswith("cases.cdxj, line %d: " % line)]
        if len(told) != (reason is not None) or (told and reason not in ("*", told[0][1])):
            yield "%s, offset %d, length %d: %s instead of %s" % (archive.name, offset, length, told, reason)


def main():
    archives = [Archive("gzip.warc.gz", warc, gzipped), Archive("zstd.warc.zst", warc, zstd),
                Archive("plain.warc", warc, bytes, after=4), Archive("gzip.arc.gz", arc, gzipped, ARC_HEAD),
                Archive("plain.arc", arc, bytes, ARC_HEAD, after=1)]
    server = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "fault_server.py"), "."],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    base = "http://127.0.0.1:%d/" % int(server.stdout.readline().split()[1])
    lists = [[(archive, *case) for case in archive.cases()] for archive in archives]
    lists.append(RANDOM.sample(sum(lists, []), 100))
    wrong = [fault for cases in lists for fault in check(cases, base)]
    server.stdin.close()
    print("\n".join(wrong[:20]))
    print("%d lines, %d faults" % (sum(map(len, lists)), len(wrong)))
    sys.exit(1 if wrong else 0)


main()
