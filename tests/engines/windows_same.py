#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""windows_same.py [--methods] LIST: what danatext makes of each file that LIST names, a page (.html) or an archive, as a line with the
digest of it and the name. Run by two Pythons it shows whether their modules make the same. With --methods pages are read by each of them."""

import hashlib
import json
import os
import pathlib
import sys

import danatext

PLUGINS = ["metadata", "language", "quality:annotate=yes", "pii", "url:substring=nowhere"]
TEXTS = {"text": "plain,markdown,blocks", "plugins": PLUGINS}
ROOT = "Z:" if os.name == "nt" else ""  # where wine has the files of its host


def of_page(path: str, methods: "list[str]") -> list:
    html = pathlib.Path(ROOT + path).read_bytes()
    made = [danatext.extract(html, dropped=True, **TEXTS)] + [danatext.extract(html, method=method) for method in methods]
    return [[page.asdict(), page.reason] for page in made]


def of_archive(path: str) -> list:
    with danatext.open(ROOT + path, name=path, rejects=True, **TEXTS) as archive:
        try:
            documents = [document.asdict() for document in archive]
        except danatext.Error as error:
            documents = [type(error).__name__, str(error).replace(ROOT + path, path)]
        return [documents, archive.counts, list(archive.rejects)]


*asked, names = sys.argv[1:]
methods = list(danatext.methods()) if asked else []
for line in pathlib.Path(names).read_text(encoding="utf-8").splitlines():
    made = of_page(line, methods) if line.endswith(".html") else of_archive(line)
    text = json.dumps(made, ensure_ascii=True, sort_keys=True, default=str)
    sys.stdout.buffer.write(f"{hashlib.sha256(text.encode()).hexdigest()} {line}\n".encode())
