#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hashes, signatures, buckets, pairs and clusters of texts, after doc/DEDUP.md and the specification of xxHash alone.

dedup.py make SEED COUNT      prints COUNT texts made at random, each ended by a NUL
dedup.py hashes BANDS ROWS    reads texts, prints for each what tests/support/dedup_hashes prints
dedup.py drop BANDS ROWS      reads documents as dana writes them (JSON), prints the ids of those that are not the first of their group,
                              each with that of the first
"""
import functools
import json
import random
import struct
import sys
import unicodedata

try:
    import numpy
except ImportError:
    numpy = None

M32, M64 = (1 << 32) - 1, (1 << 64) - 1

# ---- XXH3 (specification 0.2 of xxHash): plain and slow ----

PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F
PRIME64_3, PRIME64_4, PRIME64_5 = 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def u32(b, i):
    return struct.unpack_from("<I", b, i)[0]


def u64(b, i):
    return struct.unpack_from("<Q", b, i)[0]


def swap64(x):
    return int.from_bytes(x.to_bytes(8, "little"), "big")


def swap32(x):
    return int.from_bytes(x.to_bytes(4, "little"), "big")


def fold(a, b):
    p = a * b
    return (p & M64) ^ (p >> 64)


def avalanche(h):
    h ^= h >> 37
    h = h * MX1 & M64
    return h ^ h >> 32


def avalanche64(h):
    h ^= h >> 33
    h = h * PRIME64_2 & M64
    h ^= h >> 29
    h = h * PRIME64_3 & M64
    return h ^ h >> 32


def rotl(x, n, bits):
    return (x << n | x >> bits - n) & (1 << bits) - 1


def mix16(data, i, secret, seed):
    return fold(u64(data, i) ^ (u64(SECRET, secret) + seed & M64), u64(data, i + 8) ^ (u64(SECRET, secret + 8) - seed & M64))


def stripes(data, secret):
    """The accumulators after an input of more than 240 bytes."""
    acc = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    length, per_block = len(data), (len(secret) - 64) // 8

    def stripe(at, s):
        for i in range(8):
            value = u64(data, at + 8 * i)
            key = value ^ u64(secret, s + 8 * i)
            acc[i ^ 1] = acc[i ^ 1] + value & M64
            acc[i] = acc[i] + (key & M32) * (key >> 32) & M64

    count, at = (length - 1) // 64, 0
    for n in range(count):
        stripe(64 * n, 8 * (n % per_block))
        if n % per_block == per_block - 1:
            for i in range(8):
                acc[i] = (acc[i] ^ acc[i] >> 47 ^ u64(secret, len(secret) - 64 + 8 * i)) * PRIME32_1 & M64
    stripe(length - 64, len(secret) - 64 - 7)
    return acc


def merge(acc, secret, at, start):
    for i in range(4):
        start += fold(acc[2 * i] ^ u64(secret, at + 16 * i), acc[2 * i + 1] ^ u64(secret, at + 16 * i + 8))
    return avalanche(start & M64)


def xxh3_64(data, seed=0):
    n = len(data)
    if n == 0:
        return avalanche64(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))
    if n <= 3:
        value = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return avalanche64(value ^ ((u32(SECRET, 0) ^ u32(SECRET, 4)) + seed & M64))
    if n <= 8:
        seed ^= swap32(seed & M32) << 32
        value = u32(data, n - 4) + (u32(data, 0) << 32)
        h = value ^ ((u64(SECRET, 8) ^ u64(SECRET, 16)) - seed & M64)
        h ^= rotl(h, 49, 64) ^ rotl(h, 24, 64)
        h = h * MX2 & M64
        h ^= (h >> 35) + n
        h = h * MX2 & M64
        return h ^ h >> 28
    if n <= 16:
        low = u64(data, 0) ^ ((u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & M64)
        high = u64(data, n - 8) ^ ((u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & M64)
        return avalanche(n + swap64(low) + high + fold(low, high) & M64)
    if n <= 128:
        acc = n * PRIME64_1
        for i in reversed(range((n - 1) // 32 + 1)):
            acc += mix16(data, 16 * i, 32 * i, seed) + mix16(data, n - 16 * (i + 1), 32 * i + 16, seed)
        return avalanche(acc & M64)
    if n <= 240:
        acc = n * PRIME64_1
        for i in range(8):
            acc += mix16(data, 16 * i, 16 * i, seed)
        acc = avalanche(acc & M64)
        for i in range(8, n // 16):
            acc += mix16(data, 16 * i, 16 * (i - 8) + 3, seed)
        return avalanche(acc + mix16(data, n - 16, 136 - 17, seed) & M64)
    assert seed == 0
    return merge(stripes(data, SECRET), SECRET, 11, n * PRIME64_1 & M64)


def xxh3_128(data):
    """As (high, low); seed 0."""
    n = len(data)
    if n == 0:
        return avalanche64(u64(SECRET, 80) ^ u64(SECRET, 88)), avalanche64(u64(SECRET, 64) ^ u64(SECRET, 72))
    if n <= 3:
        low = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        high = rotl(swap32(low), 13, 32)
        return avalanche64(high ^ u32(SECRET, 8) ^ u32(SECRET, 12)), avalanche64(low ^ u32(SECRET, 0) ^ u32(SECRET, 4))
    if n <= 8:
        value = u32(data, 0) + (u32(data, n - 4) << 32) ^ u64(SECRET, 16) ^ u64(SECRET, 24)
        p = value * (PRIME64_1 + (n << 2) & M64)
        low, high = p & M64, p >> 64
        high = high + (low << 1) & M64
        low ^= high >> 3
        low ^= low >> 35
        low = low * MX2 & M64
        low ^= low >> 28
        return avalanche(high), low
    if n <= 16:
        a, b = u64(data, 0), u64(data, n - 8)
        p = (a ^ b ^ u64(SECRET, 32) ^ u64(SECRET, 40)) * PRIME64_1
        low, high = p & M64, p >> 64
        low = low + (n - 1 << 54) & M64
        b ^= u64(SECRET, 48) ^ u64(SECRET, 56)
        high = high + b + (b & M32) * (PRIME32_2 - 1) & M64
        low ^= swap64(high)
        p = low * PRIME64_2
        return avalanche((p >> 64) + high * PRIME64_2 & M64), avalanche(p & M64)

    def pair_step(acc, i, k, s):
        acc[0] = (acc[0] + mix16(data, i, s, 0) & M64) ^ (u64(data, k) + u64(data, k + 8) & M64)
        acc[1] = (acc[1] + mix16(data, k, s + 16, 0) & M64) ^ (u64(data, i) + u64(data, i + 8) & M64)

    if n <= 240:
        acc = [n * PRIME64_1 & M64, 0]
        if n <= 128:
            for i in reversed(range((n - 1) // 32 + 1)):
                pair_step(acc, 16 * i, n - 16 * (i + 1), 32 * i)
        else:
            for i in range(4):
                pair_step(acc, 32 * i, 32 * i + 16, 32 * i)
            acc = [avalanche(acc[0]), avalanche(acc[1])]
            for i in range(4, n // 32):
                pair_step(acc, 32 * i, 32 * i + 16, 3 + 32 * (i - 4))
            pair_step(acc, n - 16, n - 32, 136 - 17 - 16)
        low = acc[0] + acc[1] & M64
        high = acc[0] * PRIME64_1 + acc[1] * PRIME64_4 + n * PRIME64_2 & M64
        return -avalanche(high) & M64, avalanche(low)
    acc = stripes(data, SECRET)
    return (merge(acc, SECRET, len(SECRET) - 64 - 11, ~(n * PRIME64_2) & M64), merge(acc, SECRET, 11, n * PRIME64_1 & M64))


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
    if numpy:
        a, b = (numpy.array(column, dtype=numpy.uint32) for column in zip(*perms))
        with numpy.errstate(over="ignore"):
            return [int(x) for x in (a[:, None] * numpy.array(xs, dtype=numpy.uint32) + b[:, None]).min(axis=1)]
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
