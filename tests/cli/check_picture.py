#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_picture.py FILE.png BACKGROUND COLOUR...: the upper left corner has the background's colour, and each colour is there.

Colours are six hexadecimal digits. Reads PNG of 8 bits, with or without alpha, as browsers write it.
"""
import struct
import sys
import zlib


def read_png(path):
    data = open(path, "rb").read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"{path}: no PNG")
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    pixel = {2: 3, 6: 4}[colour]
    if depth != 8:
        sys.exit(f"{path}: {depth} bits")
    return width, height, pixel, zlib.decompress(packed)


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def rows(width, height, pixel, raw):
    stride = width * pixel
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        if kind == 2:
            row = bytearray((x + b) & 255 for x, b in zip(row, above))
        elif kind:
            for i in range(stride):
                left = row[i - pixel] if i >= pixel else 0
                corner = above[i - pixel] if i >= pixel else 0
                row[i] = (row[i] + (left if kind == 1 else (left + above[i]) // 2 if kind == 3 else paeth(left, above[i], corner))) & 255
        yield row
        above = row


def main():
    path, background, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    width, height, pixel, raw = read_png(path)
    seen, corner = set(), None
    for row in rows(width, height, pixel, raw):
        if corner is None:
            corner = bytes(row[:3]).hex()
        seen.update(bytes(row[i : i + 3]).hex() for i in range(0, len(row), pixel))
    if corner != background:
        sys.exit(f"{path}: the background is {corner}, not {background}")
    for colour in wanted:
        if colour not in seen:
            sys.exit(f"{path}: no pixel has the colour {colour}")


main()
