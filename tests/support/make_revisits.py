#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_revisits.py FOLDER [COPIES]: two archives in FOLDER, one.warc.gz and two.warc.gz, with revisits as several crawlers write them,
and `want`: a line for each revisit, in their order: its address, and the address of its page, or the first words of why it has
none. `good`: the bytes of two.warc.gz before a damaged member. COPIES (1): all revisits so many times."""
import base64, gzip, hashlib, sys

FOLDER, COPIES = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
DATE = "2026-01-%02dT03:04:05Z"
PROFILE = "WARC-Profile: http://netpreserve.org/warc/%s/revisit/%s"
SAME, OLD, NEW = "identical-payload-digest", "1.0", "1.1"


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def member(kind, uri, day, name, block, *more, version="1.1"):
    lines = ["WARC/" + version, "WARC-Type: " + kind, "WARC-Target-URI: " + uri, "WARC-Date: " + DATE % day,
             "WARC-Record-ID: <urn:test:%s>" % name, "Content-Type: application/http; msgtype=response", *more,
             "Content-Length: %d" % len(block)]
    return gzip.compress("\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n", 6, mtime=0)


def body(name):
    text = "".join("<p>Keeper %s of lamp %d lit it again at dusk, and the boats went out.</p>\n" % (name, i) for i in range(6))
    return ("<html><head><title>%s</title></head><body><article>%s</article></body></html>" % (name, text)).encode()


def response(name, day, data=None, status="200 OK", mime="text/html", digest=None, more=()):
    data = data or body(name)
    head = "HTTP/1.1 %s\r\nContent-Type: %s\r\n\r\n" % (status, mime)
    return member("response", "http://example.org/" + name, day, name, head.encode() + data,
                  "WARC-Payload-Digest: " + (digest or sha1(data)), *more)


want = []


def revisit(name, page, day, *more, head="HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", uri=None):
    uri = uri or "http://example.org/" + name
    want.append("%s %s" % (uri, page))
    return member("revisit", uri, day, name, head.encode(), *more)


def refers(target, day, bracket="%s"):
    return ["WARC-Refers-To-Target-URI: " + bracket % ("http://example.org/" + target), "WARC-Refers-To-Date: " + DATE % day]


def digest_of(name):
    return "WARC-Payload-Digest: " + sha1(body(name))


one = [member("warcinfo", "", 1, "info", b"software: made\r\n")]
one += [response(name, day) for day, name in enumerate(("a", "b", "c", "d"), 2)]
one.append(response("gone", 6, status="404 Not Found"))
one.append(response("picture", 7, data=b"\x89PNG\r\n\x1a\n" + bytes(2000), mime="image/png"))
segmented = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body("parts")
one.append(member("response", "http://example.org/parts", 8, "parts", segmented[:300], digest_of("parts"),
                  "WARC-Segment-Number: 1"))
one.append(response("between", 8))
one.append(member("continuation", "http://example.org/parts", 8, "parts2", segmented[300:], "WARC-Segment-Number: 2",
                  "WARC-Segment-Origin-ID: <urn:test:parts>", "WARC-Segment-Total-Length: %d" % len(segmented)))
broken = bytearray(response("broken", 9))
broken[-30] ^= 0x55
two = [bytes(broken), response("e", 10)]
revisits = []
for n in range(COPIES):
    c = "-%d" % n if n else ""
    profile = PROFILE % (NEW, SAME)
    revisits += [
        # warcio, pywb and Browsertrix: address and date, no id
        revisit("pywb" + c, "a", 20, profile, *refers("a", 2), digest_of("a")),
        # Heritrix: the digest alone; later with address and date
        revisit("heritrix" + c, "b", 20, PROFILE % (OLD, SAME), "WARC-Truncated: length", digest_of("b")),
        # wget: id, and addresses in brackets
        revisit("wget" + c, "c", 20, PROFILE % (OLD, SAME), "WARC-Refers-To: <urn:test:c>", *refers("c", 4, "<%s>"), digest_of("c")),
        # warcprox
        revisit("warcprox" + c, "d", 20, PROFILE % (OLD, SAME), *refers("d", 5), digest_of("d").lower().replace("warc-payload-digest",
                                                                                                              "WARC-Payload-Digest")),
        revisit("not-modified" + c, "a", 20, PROFILE % (NEW, "server-not-modified"), *refers("a", 2), "WARC-Payload-Digest: " + sha1(b""),
                head="HTTP/1.1 304 Not Modified\r\n\r\n"),
        revisit("id-alone" + c, "e", 20, profile, "WARC-Refers-To: <urn:test:e>"),
        revisit("joined" + c, "parts", 20, profile, "WARC-Refers-To: <urn:test:parts>", digest_of("parts")),
        # the first that it names has another page, the next one is right
        revisit("mixed" + c, "b", 20, profile, "WARC-Refers-To: <urn:test:a>", digest_of("b")),
        # revisits of revisits
        revisit("chain" + c, "a", 20, profile, "WARC-Refers-To: <urn:test:pywb%s>" % c, digest_of("a")),
        revisit("chained" + c, "a", 20, profile, *refers("chain" + c, 20)),
        revisit("self" + c, "!it refers to a revisit", 20, profile, "WARC-Refers-To: <urn:test:self%s>" % c),
        revisit("circle" + c, "!it refers to a revisit", 20, profile, "WARC-Refers-To: <urn:test:turn%s>" % c),
        revisit("turn" + c, "!it refers to a revisit", 20, profile, "WARC-Refers-To: <urn:test:circle%s>" % c),
        revisit("elsewhere" + c, "!the record that it refers to is not in", 20, profile, "WARC-Refers-To: <urn:test:elsewhere-1>",
                *refers("nowhere", 3), "WARC-Payload-Digest: sha1:AAAA"),
        revisit("other" + c, "!the record that it refers to has another", 20, profile, *refers("a", 2), "WARC-Payload-Digest: sha1:BBBB"),
        revisit("nothing" + c, "!it names no record", 20, profile),
        revisit("to-broken" + c, "!the record that it refers to is not in", 20, profile, "WARC-Refers-To: <urn:test:broken>"),
        revisit("to-gone" + c, "!", 20, profile, *refers("gone", 6)),
        revisit("to-picture" + c, "!", 20, profile, *refers("picture", 7)),
    ]
half = len(revisits) // 2
open(FOLDER + "/one.warc.gz", "wb").write(b"".join(one + revisits[:half]))
open(FOLDER + "/two.warc.gz", "wb").write(b"".join(revisits[half:] + two[::-1]))
open(FOLDER + "/good", "w").write("%d" % len(b"".join(revisits[half:] + two[1:])))
open(FOLDER + "/want", "w").write("\n".join(want) + "\n")
