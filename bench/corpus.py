#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes an archive of the benchmark: corpus.py SHAPE OUT.warc.gz MEGABYTES [FOLDER]

A gzip member for each record, with digests, as two writers of archives make them. `wget`: a request and a response for each
page, level 9, and in each member's head the field `sl` with its lengths. `cc`, as Common Crawl: request, response and metadata,
level 6; one capture of 20 is a PDF, one is a redirect. The pages are those of FOLDER (<corpus>/<id>.html, charsets by its
index.tsv where it has one), in an order that mixes the corpora; without FOLDER pages made here, in six scripts. The same
pages give the same bytes.
"""
import base64, csv, hashlib, os, random, struct, sys, uuid, zlib

SCRIPTS = {  # language: first and last letter, vowels are as good as others here
    "en": (0x61, 0x7A), "ru": (0x430, 0x44F), "ar": (0x627, 0x64A), "fa": (0x627, 0x64A), "el": (0x3B1, 0x3C9), "zh": (0x4E00, 0x5000),
}


def words(rng, language, count):
    first, last = SCRIPTS[language]
    longest = 2 if language == "zh" else 9
    return " ".join("".join(chr(rng.randint(first, last)) for _ in range(rng.randint(1, longest))) for _ in range(count))


def made_page(number):
    rng = random.Random(number)
    language = list(SCRIPTS)[number % len(SCRIPTS)]
    say = lambda low, high: words(rng, language, rng.randint(low, high))
    links = lambda: "".join(f'<li class="item menu-{i}"><a href="/{language}/{rng.random()}" title="{say(1, 3)}">{say(1, 3)}</a></li>\n'
                            for i in range(rng.randint(5, 60)))
    script = "".join(f"var v{i} = {rng.random()}; if (v{i} < 1 && track) {{ send('{rng.random()}'); }}\n" for i in range(rng.randint(10, 300)))
    body = "".join(f"<p>{say(20, 90)} <a href='/{i}'>{say(1, 4)}</a> {say(5, 60)}.</p>\n" for i in range(rng.randint(3, 40)))
    return (f"<!doctype html><html lang={language}><head><meta charset=utf-8><title>{say(3, 8)}</title><script>{script}</script></head>"
            f"<body><ul>{links()}</ul><div class=main><h1>{say(4, 9)}</h1>{body}</div><ul>{links()}</ul>"
            f"<footer>{say(5, 20)} &copy; &amp; &nbsp;</footer></body></html>").encode(), "utf-8"


def pages(folder):
    if not folder:
        number = 0
        while True:
            yield f"http://made.test/{number}.html", *made_page(number)
            number += 1
    charsets = {}
    if os.path.exists(os.path.join(folder, "index.tsv")):
        with open(os.path.join(folder, "index.tsv"), newline="", encoding="utf-8") as f:
            charsets = {(r["corpus"], r["id"]): r["charset"] for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
    found = [(corpus, name) for corpus in sorted(os.listdir(folder)) if os.path.isdir(os.path.join(folder, corpus))
             for name in os.listdir(os.path.join(folder, corpus)) if name.endswith(".html")]
    for corpus, name in sorted(found, key=lambda page: hashlib.sha1("/".join(page).encode()).digest()):
        with open(os.path.join(folder, corpus, name), "rb") as f:
            yield f"http://{corpus}.test/{name}", f.read(), charsets.get((corpus, name[:-5]), "")


def digest(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def packed(shape, data):
    """One gzip member. wget notes its length and that of the data in an extra field (RFC 1952, 2.3.1.1)."""
    packer = zlib.compressobj(9 if shape == "wget" else 6, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush() + struct.pack("<II", zlib.crc32(data), len(data))
    if shape != "wget":
        return b"\x1f\x8b\x08\x00\0\0\0\0\x00\x03" + body
    extra = 2 + 2 + 8
    return (b"\x1f\x8b\x08\x04\0\0\0\0\x02\x03" + struct.pack("<H2sHII", extra, b"sl", 8, 10 + 2 + extra + len(body), len(data)) + body)


def record(kind, url, content_type, block, payload=None):
    identity = uuid.uuid5(uuid.NAMESPACE_URL, kind + url)
    head = (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{identity}>\r\n"
            f"Content-Length: {len(block)}\r\nContent-Type: {content_type}\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Block-Digest: {digest(block)}\r\n")
    if payload is not None:
        head += f"WARC-Payload-Digest: {digest(payload)}\r\n"
    return head.encode() + b"\r\n" + block + b"\r\n\r\n"


def capture(shape, number, url, page, charset):
    """The records of one page; in the shape cc of a PDF or a redirect in its place, each for one page of 20."""
    status, content_type = "200 OK", "text/html; charset=" + charset if charset else "text/html"
    if shape == "cc" and number % 20 == 7:
        content_type, page = "application/pdf", b"%PDF-1.7\n" + random.Random(number).randbytes(len(page) // 2)
    elif shape == "cc" and number % 20 == 13:
        status, page = "301 Moved Permanently", b"<html><body><a href='/'>moved</a></body></html>"
    request = f"GET /{url.split('/', 3)[3]} HTTP/1.1\r\nUser-Agent: bench\r\nAccept-Encoding: br,gzip\r\nHost: {url.split('/')[2]}\r\n\r\n"
    head = (f"HTTP/1.1 {status}\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nServer: Apache\r\nVary: Accept-Encoding\r\n"
            f"Content-Length: {len(page)}\r\nContent-Type: {content_type}\r\n\r\n")
    yield record("request", url, "application/http; msgtype=request", request.encode())
    yield record("response", url, "application/http; msgtype=response", head.encode() + page, page)
    if shape == "cc":
        yield record("metadata", url, "application/warc-fields", b"fetchTimeMs: 123\r\ncharset-detected: UTF-8\r\n")


def main():
    shape, out, limit, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]) << 20, sys.argv[4] if len(sys.argv) > 4 else None
    raw = count = 0
    with open(out + ".part", "wb") as f:
        for url, page, charset in pages(folder):
            if raw >= limit:
                break
            for data in capture(shape, count, url, page, charset):
                f.write(packed(shape, data))
                raw += len(data)
            count += 1
    os.replace(out + ".part", out)
    print(f"{out}: {count} captures, {raw / 1e6:.1f} MB, {os.path.getsize(out) / 1e6:.1f} MB compressed")


main()
