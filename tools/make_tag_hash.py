#!/usr/bin/env python3
"""make_tag_hash.py TAG.H: prints src/html/tag_hash.h, a perfect hash of the element names in tag.h. Run it when the table changes."""
import random
import re
import sys

names = re.findall(r"^\tX\(\w+, \"(\w+)\"", open(sys.argv[1], encoding="ascii").read(), re.M)
BITS = 10
random.seed(1)


def key(name):
    return int.from_bytes(name.encode()[:8].ljust(8, b"\0"), "little") + len(name)


while True:
    multiplier = random.getrandbits(64) | 1
    slots = {}
    if all(slots.setdefault((key(n) * multiplier % 2**64) >> (64 - BITS), n) == n for n in names):
        break

print("/* Made by tools/make_tag_hash.py from tag.h. */")
print("#ifndef DANA_HTML_TAG_HASH_H\n#define DANA_HTML_TAG_HASH_H\n")
print("/* `name` is zero-padded to at least 8 bytes, in lower case. */")
print("static inline size_t tag_hash(const char *name, size_t len)\n{")
print("\tuint64_t key = 0;")
print("\tfor (size_t i = 0; i < 8; i++)\n\t\tkey |= (uint64_t)(uint8_t)name[i] << (8 * i);")
print(f"\treturn (size_t)((key + len) * 0x{multiplier:016x}U >> {64 - BITS});\n}}\n")
print(f"static const uint8_t tag_slots[{1 << BITS}] = {{")
for slot, name in sorted(slots.items()):
    print(f"\t[{slot}] = HTML_TAG_{name.upper()},")
print("};\n\n#endif")
