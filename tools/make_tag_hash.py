#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_tag_hash.py TAG.H: prints src/extract/html/tag_hash.h, a perfect hash of the element names in tag.h. Run it when the table changes."""
import random
import re
import sys

names = re.findall(r"^\tX\(\w+, \"(\w+)\"", open(sys.argv[1], encoding="ascii").read(), re.M)
BITS = 10
random.seed(1)


def key(name):
    return int.from_bytes(name.encode()[:8].ljust(8, b"\0"), "little")


while True:
    multiplier = random.getrandbits(64) | 1
    slots = {}
    if all(slots.setdefault((key(n) * multiplier % 2**64) >> (64 - BITS), n) == n for n in names):
        break

print("/* SPDX-License-Identifier: MIT */")
print("/* Made by tools/make_tag_hash.py from tag.h. */")
print("/* clang-format off */")
print("#ifndef DANA_HTML_TAG_HASH_H\n#define DANA_HTML_TAG_HASH_H\n")
print("/* `first`: the name's first 8 bytes in lower case, the first one lowest, zero-padded. */")
print("static inline size_t tag_hash(uint64_t first)\n{")
print(f"\treturn (size_t)(first * 0x{multiplier:016x}U >> {64 - BITS});\n}}\n")
print("/* One tag name, packed as above; `rest` holds bytes 8 and 9. Fields read together are adjacent. */")
print("struct tag_slot {\n\tuint64_t first;\n\tuint16_t rest;\n\tuint8_t tag, properties;\n};")
print(f"extern const struct tag_slot html_tag_slots[{1 << BITS}];\n")
print("#ifdef TAG_HASH_TABLES")
print("#define SLOT(id, first, rest) { first, rest, HTML_TAG_##id, PROPERTIES_##id }")
print(f"const struct tag_slot html_tag_slots[{1 << BITS}] = {{")
for slot, name in sorted(slots.items()):
    packed = int.from_bytes(name.encode().ljust(10, b"\0"), "little")
    print(f"\t[{slot}] = SLOT({name.upper()}, 0x{packed % 2**64:x}, 0x{packed >> 64:x}),")
if 0 not in slots: # where an empty name would be found
    print("\t[0] = { 0, 0, HTML_TAG_OTHER, TAG_NAMELESS },")
print("};\n#undef SLOT\n#endif\n\n#endif")
