#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Writes an index of gzip archives, for tests: a line for each response record, with --revisits also for each revisit.

    make_cdx.py cdxj|cdx11|cdx9 [--revisits] [--sort key|place] [--every N] [--from K] NAME=FILE...

NAME is the name of the file in the index. --sort key: by SURT key, as indexes are sorted; else by place. --every N takes
every Nth line, from the Kth on.
"""
import argparse, json, sys, urllib.parse, zlib

parser = argparse.ArgumentParser()
parser.add_argument("form", choices=["cdxj", "cdx11", "cdx9"])
parser.add_argument("--sort", choices=["key", "place"], default="place")
parser.add_argument("--revisits", action="store_true")
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--from", dest="start", type=int, default=0)
parser.add_argument("files", nargs="+")
options = parser.parse_args()


def members(data):
    """Offset, length and content of each gzip member."""
    at = 0
    while at < len(data):
        decoder = zlib.decompressobj(31)
        content = decoder.decompress(data[at:])
        length = len(data) - at - len(decoder.unused_data)
        yield at, length, content
        at += length


def key_of(url):
    parts = urllib.parse.urlsplit(url)
    return ",".join(reversed(parts.hostname.split("."))) + ")" + (parts.path or "/").lower()


lines = []
for argument in options.files:
    name, _, path = argument.partition("=")
    for offset, length, content in members(open(path, "rb").read()):
        head, _, block = content.partition(b"\r\n\r\n")
        fields = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in head.decode().split("\r\n"))}
        if fields.get("warc-type") not in ("response", "revisit" if options.revisits else "response"):
            continue
        url, date = fields["warc-target-uri"], "".join(c for c in fields["warc-date"] if c.isdigit())[:14]
        http = block.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        status = http[0].split(" ")[1]
        mime = next((l.partition(":")[2].split(";")[0].strip() for l in http if l.lower().startswith("content-type:")), "-")
        key = key_of(url)
        if options.form == "cdxj":
            line = "%s %s %s" % (key, date, json.dumps({"url": url, "mime": mime, "status": status, "length": str(length),
                                                        "offset": str(offset), "filename": name, "languages": "eng"}))
        elif options.form == "cdx11":
            line = "%s %s %s %s %s - - - %d %d %s" % (key, date, url, mime, status, length, offset, name)
        else:
            line = "%s %s %s %s %s - - %d %s" % (key, date, url, mime, status, offset, name)
        lines.append(((key, date) if options.sort == "key" else (len(lines),), line))
if options.sort == "key":
    lines.sort()
if options.form != "cdxj":
    print(" CDX N b a m s k r M S V g" if options.form == "cdx11" else " CDX N b a m s k r V g")
for _, line in lines[options.start::options.every]:
    print(line)
