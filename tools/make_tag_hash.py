#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_tag_hash.py TAG.H: prints src/extract/html/tag_hash.h, a perfect hash of the element names in tag.h. Run it when the table changes."""
import random
import re
import sys
import textwrap

names = re.findall(r"^\tX\(\w+, \"(\w+)\"", open(sys.argv[1], encoding="ascii").read(), re.M)
BITS = 10
random.seed(1)


def key(name):
    return int.from_bytes(name.encode()[:8].ljust(8, b"\0"), "little")


while True:
    multiplier = random.getrandbits(64) | 1
    slots = {}
    # slot 0 is where an empty name is found
    if all(slots.setdefault((key(n) * multiplier % 2**64) >> (64 - BITS), n) == n for n in names) and 0 not in slots:
        break

rows = []
for slot, name in sorted(slots.items()):
    packed = int.from_bytes(name.encode().ljust(10, b"\0"), "little")
    rows.append(f"X({slot},{name.upper()},0x{packed % 2**64:x},0x{packed >> 64:x})")
lines = [line.replace(",", ", ") for line in textwrap.wrap(" ".join(rows), 96)]
print("/* SPDX-License-Identifier: MIT */")
print("/* Made by tools/make_tag_hash.py from tag.h. */")
print("/* clang-format off */")
print("#ifndef DANA_HTML_TAG_HASH_H\n#define DANA_HTML_TAG_HASH_H\n")
print(f"#define TAG_HASH_MULTIPLIER 0x{multiplier:016x}U")
print(f"#define TAG_HASH_BITS {BITS}\n")
print("/* X(slot, identifier, first 8 bytes of the name, bytes 8 and 9) */")
print("#define TAG_HASH_SLOTS(X) \\\n\t" + " \\\n\t".join(lines) + "\n\n#endif")
