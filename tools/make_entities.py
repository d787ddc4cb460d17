#!/usr/bin/env python3
"""make_entities.py: prints src/html/entity_table.h from Python's copy of the HTML standard's named character references."""
from html.entities import html5

full = sorted((n[:-1], v) for n, v in html5.items() if n.endswith(";"))
short = {n for n in html5 if not n.endswith(";")}
text, rows = "", []
for name, value in full:
    points = [ord(c) for c in value] + [0]
    rows.append((len(text), len(name), int(name in short), points[0], points[1]))
    text += name
print("/* Made by tools/make_entities.py: the named character references of HTML (section 13.5), sorted by name. */")
print("#ifndef DANA_HTML_ENTITY_TABLE_H\n#define DANA_HTML_ENTITY_TABLE_H\n")
print("/* One row: where its name lies in entity_names, whether it may stand without a semicolon, and its characters. */")
print("struct entity {\n\tuint16_t at;\n\tuint8_t len;\n\tuint8_t bare;\n\tuint32_t first, second;\n};\n")
print("static const char entity_names[] =")
for i in range(0, len(text), 100):
    print(f'\t"{text[i:i + 100]}"')
print("\t;\n")
print("static const struct entity entity_table[] = {")
for at, size, bare, first, second in rows:
    print(f"\t{{ {at}, {size}, {bare}, 0x{first:x}, 0x{second:x} }},")
print("};\n\n#endif")
