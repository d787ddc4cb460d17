#!/usr/bin/env python3
"""make_mountain_table.py MODEL: prints src/extract/mountain/universal.c, the model of conf/mountain.model as a table in C.
Run it when the model changes."""
import sys

numbers = {}
vectors = []
for line in open(sys.argv[1], encoding="ascii"):
    words = line.split()
    if not words or words[0] == "#" or words[0] == "dana-mountain-model":
        continue
    if words[0] == "vector":
        vectors.append(words[1:])
    else:
        numbers[words[0]] = words[1]

print("/* Made by tools/make_mountain_table.py from conf/mountain.model. */")
print('#include "extract/mountain/model.h"\n')
print(f"static const struct model_vector vectors[{len(vectors)}] = {{")
row = "\t"
for weight, *at in vectors:
    cell = f"{{ {weight}, {{ {', '.join(at)} }} }}, "
    if len(row) + len(cell) > 110:
        print(row.rstrip())
        row = "\t"
    row += cell
print(row.rstrip())
print("};\n")
print("const struct mountain_model mountain_universal = {")
print(f"\t.gamma = {numbers['gamma']}, .bias = {numbers['bias']}, .vectors = vectors,")
print("\t.count = sizeof vectors / sizeof *vectors,\n};")
