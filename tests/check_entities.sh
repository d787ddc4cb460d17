#!/bin/sh
# SPDX-License-Identifier: MIT
# All named character references, with and without their semicolon, against the table of Python's html module, which comes from the
# specification too. Skipped without Python.
command -v python3 >/dev/null || exit 77
exec python3 - "./src/cli/dana" <<'END'
import html, html.entities, re, subprocess, sys

names = sorted(html.entities.html5)
full = [n for n in names if n.endswith(';')]
if len(full) != 2125 or len(names) - len(full) != 106:
    print('another table than expected')
    sys.exit(77)
sources = []
for n in names:
    bare = n.rstrip(';')
    sources += [f'x&{n}y', f'x&{bare}y', f'x&{bare}', f'x&{bare}=y', f'x&{bare[:-1]};y', f'x&{bare.lower()};y', f'x&{n}{n}&{n}']
page = ''.join(f'<p>{s}</p>' for s in sources)
found = subprocess.run([sys.argv[1], 'extract', '-m', 'plain', '--charset', 'utf-8', '-'], input=page.encode(), stdout=subprocess.PIPE, check=True)
found = found.stdout.decode().rstrip('\n').split('\n')
wrong = 0
if len(found) != len(sources):
    print(len(sources), 'paragraphs in,', len(found), 'out')
    sys.exit(1)
for s, f in zip(sources, found):
    wanted = re.sub('[ \t\n\u00a0]+', ' ', html.unescape(s)).strip(' ')
    if f != wanted:
        print(ascii((s, wanted, f)))
        wrong += 1
sys.exit(wrong != 0)
END
