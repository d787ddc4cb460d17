#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_archives.py DIR [MEGABYTES]: archives of generated pages, the same in each run.

crawl-00.warc.gz is four times as large as each of crawl-01 to crawl-05; damaged.warc.gz has one member that is broken.
MEGABYTES is about what the pages of crawl-01 have, decoded.
"""
import gzip
import pathlib
import random
import sys
import uuid

WORDS = ("archive page river stone letter garden winter school harbour market signal paper engine forest window music "
         "island bridge summer village doctor history kitchen mountain shadow village silver travel winter morning "
         "answer captain story colour circle journey teacher weather library problem country evening question").split()


def sentence(rng):
    words = [rng.choice(WORDS) for _ in range(rng.randint(6, 18))]
    return " ".join(words).capitalize() + "."


def page(rng, number):
    menu = "".join("<li><a href='/%s'>%s</a></li>" % (word, word) for word in WORDS[:12])
    body = "".join("<p>%s</p>" % " ".join(sentence(rng) for _ in range(rng.randint(2, 7)))
                   for _ in range(rng.randint(3, 25)))
    return ("<!DOCTYPE html><html><head><title>Page %d</title><meta charset=utf-8></head><body><nav><ul>%s</ul></nav>"
            "<main><h1>%s</h1>%s<div class=extra><p>Every evening: the stories of the village in one letter, at no price.</p></div></main>"
            "<footer>About | Contact | Imprint %d</footer></body></html>"
            % (number, menu, sentence(rng), body, number)).encode()


def record(rng, kind, url, content_type, block):
    identity = uuid.UUID(int=rng.getrandbits(128), version=4)
    head = ("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n%s"
            "Content-Type: %s\r\nContent-Length: %d\r\n\r\n"
            % (kind, identity, "WARC-Target-URI: %s\r\n" % url if url else "", content_type, len(block)))
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 1, mtime=0)


def write(path, seed, size):
    rng, done, number = random.Random(seed), 0, 0
    with open(path, "wb") as out:
        out.write(record(rng, "warcinfo", None, "application/warc-fields", b"software: tests\r\n"))
        while done < size:
            html = page(rng, number)
            url = "http://site%d.example/%d/%d" % (number % 50, seed, number)
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
            out.write(record(rng, "response", url, "application/http; msgtype=response", http))
            done, number = done + len(html), number + 1


def main(folder, megabytes=4.0):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(6):
        write(folder / ("crawl-%02d.warc.gz" % number), number, megabytes * 1e6 * (4 if number == 0 else 1))
    write(folder / "damaged.warc.gz", 99, megabytes * 1e5)
    data = bytearray((folder / "damaged.warc.gz").read_bytes())
    data[len(data) // 2] ^= 0xFF
    (folder / "damaged.warc.gz").write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
