#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_segments.py whole|parts NUMBER [SEED]: an archive of NUMBER pages on standard output, each in one record, or in segments that
stand anywhere behind one another (WARC 1.1, section 7), each record a gzip member. Both have the same pages, so that what comes
out of them is the same but for offsets and lengths."""
import base64, gzip, hashlib, random, sys

DATE = "2026-01-02T03:04:05Z"


def member(kind, uri, number, block, *more):
    digest = base64.b32encode(hashlib.sha1(block).digest()).decode()
    lines = ["WARC/1.1", "WARC-Type: " + kind, "WARC-Target-URI: " + uri, "WARC-Date: " + DATE,
             "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>" % number, "WARC-Block-Digest: sha1:" + digest, *more,
             "Content-Length: %d" % len(block)]
    return gzip.compress("\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n", 6, mtime=0)


def page(number, rng):
    body = "".join("<p>Keeper %d of lamp %d lit it again at dusk, and the boats that had waited for %d hours went out.</p>\n"
                   % (number, i, rng.randrange(1000)) for i in range(rng.choice([3, 9, 40, 200])))
    body = ("<html><head><title>Lamp %d</title></head><body><article>%s</article></body></html>" % (number, body)).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
    if number % 3 == 1:
        body, head = gzip.compress(body, 6, mtime=0), head + "Content-Encoding: gzip\r\n"
    if number % 4 == 1:
        at = sorted(rng.sample(range(1, len(body)), 3))
        pieces = [body[a:b] for a, b in zip([0] + at, at + [len(body)])] + [b""]
        body, head = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in pieces), head + "Transfer-Encoding: chunked\r\n"
    return head.encode() + b"\r\n" + body


def main():
    kind, pages, rng = sys.argv[1], int(sys.argv[2]), random.Random(sys.argv[3] if len(sys.argv) > 3 else "1")
    waiting, number, out = [], pages, sys.stdout.buffer
    for n in range(pages):
        uri, block = "http://example.org/%d" % n, page(n, random.Random(n))
        cut = [0] + sorted(rng.sample(range(1, len(block)), rng.choice([0, 1, 1, 2, 7]))) + [len(block)]
        if kind == "whole" or len(cut) == 2:
            out.write(member("response", uri, n, block, "Content-Type: application/http; msgtype=response"))
        for i in range(len(cut) - 1 if kind == "parts" and len(cut) > 2 else 0):
            part, more = block[cut[i]:cut[i + 1]], ["WARC-Segment-Number: %d" % (i + 1)]
            if i == 0:
                out.write(member("response", uri, n, part, "Content-Type: application/http; msgtype=response", *more))
                continue
            more.append("WARC-Segment-Origin-ID: <urn:uuid:00000000-0000-4000-8000-%012d>" % n)
            if i == len(cut) - 2:
                more.append("WARC-Segment-Total-Length: %d" % len(block))
            number += 1
            waiting.append(member("continuation", uri, number, part, *more))
        while waiting and rng.random() < .7:
            out.write(waiting.pop(rng.randrange(min(4, len(waiting)))))
    out.write(b"".join(waiting))


main()
