#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes a WACZ by zipfile.

    make_wacz.py [--deflate] [--zip64] [--stream] [--comment N] [--before N] [--after N] [--extra N] [--fields N]
                 [--flag BITS] [--method N] [--crc N] OUT NAME=FILE...
    make_wacz.py --ones [--deflate] [--bare] OUT NAME=FILE...
    make_wacz.py --damage N SEED IN OUT         N bytes changed, or the end cut off

Entries are stored unless --deflate is given. --stream writes lengths after the data, as a writer that cannot seek;
--before puts N bytes before the zip, --after behind it, --extra N other entries into it, --fields N bytes of other
fields to each entry. --flag, --method and --crc change what the directory has of each archive. --ones writes as programs
for streams do: lengths after the data, Zip64 always, and ones in all fields of the end; with --bare there is no
signature before these lengths.
"""
import argparse, io, random, struct, sys, zipfile, zlib

parser = argparse.ArgumentParser()
for flag in "deflate", "zip64", "stream", "ones", "bare":
    parser.add_argument("--" + flag, action="store_true")
for number in "comment", "before", "after", "extra", "fields", "flag", "method", "crc", "damage":
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
            info.extra = struct.pack("<HH", 0x7075, options.fields) + bytes(options.fields) if options.fields else b""
            with open(file, "rb") as data, z.open(info, "w", force_zip64=options.zip64) as to:
                to.write(data.read())
        z.writestr("datapackage.json", "{}\n")
        z.comment = b"c" * options.comment
    return bytearray(out.bytes if options.stream else out.getvalue())


def streamed(entries):
    out, directory = bytearray(), bytearray()
    for entry in entries:
        name, _, file = entry.partition("=")
        with open(file, "rb") as source:
            data = source.read()
        raw, crc, at, size, method = name.encode(), zlib.crc32(data), len(out), len(data), 8 if options.deflate else 0
        if options.deflate:
            packer = zlib.compressobj(6, zlib.DEFLATED, -15)
            data = packer.compress(data) + packer.flush()
        none = 0xFFFFFFFF
        out += struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0x808, method, 0, 33, 0, none, none, len(raw), 20) + raw
        out += struct.pack("<HHQQ", 1, 16, 0, 0) + data + b"PK\7\10" * (not options.bare) + struct.pack("<IQQ", crc, len(data), size)
        directory += struct.pack("<IHHHHHHIII", 0x02014B50, 45, 45, 0x808, method, 0, 33, crc, none, none)
        directory += struct.pack("<HHHHHII", len(raw), 28, 0, 0, 0, 0, none) + raw + struct.pack("<HHQQQ", 1, 24, size, len(data), at)
    n, at, record = len(entries), len(out), len(out) + len(directory)
    out += directory + struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, n, n, len(directory), at)
    out += struct.pack("<IIQI", 0x07064B50, 0, record, 1)
    return out + struct.pack("<IHHHHIIH", 0x06054B50, *[0xFFFF] * 4, none, none, 0)


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
    data = (streamed if options.ones else made)(entries)
    for entry in entries:
        name = entry.partition("=")[0]
        if options.flag:
            changed(data, name, 8, options.flag)
        if options.method:
            changed(data, name, 10, options.method)
        if options.crc:
            changed(data, name, 16, options.crc)
    data[:0] = b"PK\3\4" + bytes(options.before - 4) if options.before else b""
    data += bytes(options.after)
with open(target, "wb") as out:
    out.write(data)
