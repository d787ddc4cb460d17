#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes a WACZ by zipfile.

    make_wacz.py [--deflate] [--zip64] [--stream] [--comment N] [--before N] [--extra N] [--flag BITS] [--method N]
                 OUT NAME=FILE...
    make_wacz.py --damage N SEED IN OUT         N bytes changed, or the end cut off

Entries are stored unless --deflate is given. --stream writes lengths after the data, as a writer that cannot seek;
--before puts N bytes before the zip, --extra N other entries into it. --flag and --method change what the directory
has of each archive.
"""
import argparse, io, random, struct, sys, zipfile

parser = argparse.ArgumentParser()
for flag in "deflate", "zip64", "stream":
    parser.add_argument("--" + flag, action="store_true")
for number in "comment", "before", "extra", "flag", "method", "damage":
    parser.add_argument("--" + number, type=int, default=0)
parser.add_argument("rest", nargs="+")
options = parser.parse_args()


class Stream(io.RawIOBase):
    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.bytes += data
        return len(data)


def made(entries):
    out = Stream() if options.stream else io.BytesIO()
    method = zipfile.ZIP_DEFLATED if options.deflate else zipfile.ZIP_STORED
    if options.zip64:
        zipfile.ZIP64_LIMIT = 10
        zipfile.ZIP_FILECOUNT_LIMIT = 0
    with zipfile.ZipFile(out, "w", method, allowZip64=True) as z:
        for i in range(options.extra):
            z.writestr(f"pages/{i}.jsonl", "{}\n")
        for entry in entries:
            name, _, file = entry.partition("=")
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with open(file, "rb") as data, z.open(info, "w", force_zip64=options.zip64) as to:
                to.write(data.read())
        z.writestr("datapackage.json", "{}\n")
        z.comment = b"c" * options.comment
    return bytearray(out.bytes if options.stream else out.getvalue())


def changed(data, name, offset, value):
    """The directory comes last: there the name follows 46 bytes."""
    at = data.rindex(name.encode()) - 46
    assert data[at : at + 4] == b"PK\1\2"
    struct.pack_into("<H", data, at + offset, value)


if options.damage:
    seed, source, target = options.rest
    chance = random.Random(int(seed))
    data = bytearray(open(source, "rb").read())
    kind = chance.randrange(4)
    if kind == 0:
        del data[chance.randrange(1, len(data)) :]
    else:  # anywhere, or where the directory is
        first = 0 if kind == 1 else max(0, data.index(b"PK\1\2"))
        for _ in range(chance.choice((1, 2, options.damage))):
            data[chance.randrange(first, len(data))] = chance.choice((0, 0xFF, chance.randrange(256)))
else:
    target, *entries = options.rest
    data = made(entries)
    for entry in entries:
        name = entry.partition("=")[0]
        if options.flag:
            changed(data, name, 8, options.flag)
        if options.method:
            changed(data, name, 10, options.method)
    data[:0] = b"PK\3\4" + bytes(options.before - 4) if options.before else b""
with open(target, "wb") as out:
    out.write(data)
