#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hashes, signatures, buckets, pairs and clusters of texts, after doc/DEDUP.md, with xxHash from its shared library.

dedup.py make SEED COUNT      prints COUNT texts made at random, each ended by a NUL
dedup.py hashes BANDS ROWS    reads texts, prints for each what tests/support/dedup_hashes prints
dedup.py drop BANDS ROWS      reads documents as dana writes them (JSON), prints the ids of those that are not the first of their group,
                              each with that of the first
"""
import ctypes
import functools
import json
import random
import struct
import sys
import unicodedata

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
xxhash = ctypes.CDLL("libxxhash.so.0")


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


xxhash.XXH3_64bits_withSeed.restype, xxhash.XXH3_128bits.restype = ctypes.c_uint64, Hash128


def xxh3_64(data, seed=0):
    return xxhash.XXH3_64bits_withSeed(data, ctypes.c_size_t(len(data)), ctypes.c_uint64(seed))


def xxh3_128(data):
    """As (high, low)."""
    found = xxhash.XXH3_128bits(data, ctypes.c_size_t(len(data)))
    return found.high, found.low


# ---- the normal form ----

SPACE = set("\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}
INVISIBLE = {0xAD, 0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
ALONE = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x31F0, 0x31FF),
         (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


def alone(c):
    return any(first <= ord(c) <= last for first, last in ALONE)


def normal(text, small=False, words=False):
    text = unicodedata.normalize("NFC", "".join(c for c in text if ord(c) not in INVISIBLE))
    if words:
        text = "".join(" " if unicodedata.category(c)[0] == "P" else " " + c + " " if alone(c) else c for c in text)
    if small:
        text = "".join(c.lower()[0] for c in text)
    return " ".join(word for word in "".join(" " if c in SPACE else c for c in text).split(" ") if word)


# ---- signatures ----

def splitmix64():
    state = 0
    while True:
        state = state + 0x9E3779B97F4A7C15 & M64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        yield z ^ z >> 31


def permutations(n):
    numbers = splitmix64()
    return [(next(numbers) & M32 | 1, next(numbers) & M32) for _ in range(n)]


@functools.lru_cache(1 << 18)
def word_hash(word):
    return xxh3_64(word.encode())


def shingles(text):
    words = [word_hash(word) for word in normal(text, True, True).split(" ") if word]
    size = min(5, len(words))
    return [xxh3_64(struct.pack("<%dQ" % size, *words[i:i + size])) & M32 for i in range(len(words) - size + 1)] if words else []


def signature(xs, perms):
    if not xs:
        return [M32] * len(perms)
    return [min((a * x + b) & M32 for x in xs) for a, b in perms]


def buckets(numbers, bands, rows):
    return [xxh3_64(struct.pack("<%dI" % rows, *numbers[i * rows:(i + 1) * rows]), i) for i in range(bands)]


def groups(texts, bands, rows):
    """For each text the number of the first one of its group."""
    first, seen, perms = list(range(len(texts))), {}, permutations(bands * rows)

    def find(i):
        while first[i] != i:
            i = first[i]
        return i

    for i, text in enumerate(texts):
        xs = shingles(text)
        for bucket in buckets(signature(xs, perms), bands, rows) if xs else []:
            a, b = find(seen.setdefault(bucket, i)), find(i)
            first[max(a, b)] = min(a, b)
    return [find(i) for i in range(len(texts))]


# ---- texts ----

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "abcdefghijklm.,;-'\"", "àéîöüßñçÀÉÎÖÜ", "абвгдежзийклмнопрстуфхцчшщыэюяЙЁё",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويأإؤئءآ", "अआइईउऊकखगघचछजझटठडढतथदधनपफबभमयरलवशषसहािीुूृेैोौ्ं", "ไทยภาษากขคงจฉชซุูึืีำ้่๊", "漢字仮名交文日本語中国話電脳",
    "かきくけこがぎぐげご\u3099カキクケコ\u309a", "가각갂한국어말ᄀ\u1161\u11a8\u1112\u1175", "e\u0301a\u0300o\u0308\u0323u\u0308\u0304c\u0327",
    "ΑΒΓΔαβγδςσΣ\u037e\u0387ΰώ", "\u200b\u00ad\ufeffab\u2060", "\u1e9b\u0323\u212b\u2126K\u0958\u0915\u093c\ufb1d\u05b4\u05e9\u05c1", "İIıi\U0001f600\U0001d15e")
GAPS = (" ", "  ", "\n", "\t \r\n", "\u3000", "\u2003", "\xa0", ". ", ", ", "\u2000 ")


def make_text(rng):
    words = []
    for _ in range(rng.choice((0, 1, 3, 5, 20, 100, 400))):
        letters = ALPHABETS[0] if rng.random() < 0.5 else rng.choice(ALPHABETS)
        length = rng.randrange(1, 12) if rng.random() < 0.99 else rng.randrange(60, 600)
        words.append("".join(rng.choice(letters) for _ in range(length)) + rng.choice(GAPS))
    if rng.random() < 0.1:
        words.insert(0, rng.choice(GAPS))
    return "".join(words)


def read_texts():
    return [t.decode() for t in sys.stdin.buffer.read().split(b"\0")[:-1]]


def main(argv):
    if argv[0] == "make":
        rng = random.Random(int(argv[1]))
        for _ in range(int(argv[2])):
            sys.stdout.buffer.write(make_text(rng).encode() + b"\0")
    elif argv[0] == "hashes":
        bands, rows = int(argv[1]), int(argv[2])
        perms = permutations(bands * rows)
        for text in read_texts():
            fields = []
            for small in False, True:
                form = normal(text, small)
                fields.append("%016x%016x" % xxh3_128(form.encode()) + ("" if form else "-"))
            xs = shingles(text)
            numbers = signature(xs, perms)
            fields += [str(len(xs))] + [str(x) for x in numbers] + ["%016x" % x for x in buckets(numbers, bands, rows)]
            print(" ".join(fields))
    elif argv[0] == "drop":
        documents = [json.loads(line) for line in sys.stdin]
        for i, first in enumerate(groups([d["text"] for d in documents], int(argv[1]), int(argv[2]))):
            if first != i:
                print(documents[i]["id"], documents[first]["id"])


main(sys.argv[1:])
