# SPDX-License-Identifier: MIT
"""Python calls that read several zstd frames or gzip members, and calls that stop after the first: of doc/FORMATS.md, "Readers".

Prints for each call its name, how many documents it has to find and how many it found, or "missing" without its module.
"""
import importlib
import io
import json
import sys

FIRST = int(sys.argv[1])  # documents in the first member
ALL = sum(1 for _ in open("dana.jsonl", "rb"))
ZST, GZ = "dana.jsonl.zst", "dana.jsonl.gz"
assert 0 < FIRST < ALL


def lines(data):
    return data.count(b"\n")


def raw(name):
    with open(name, "rb") as file:
        return file.read()


def rows_of_pandas(pandas, name):
    return int((pandas.read_json(name, lines=True)["text_chars"] > 0).sum())


def by_stream_reader(zstandard, file):
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return sum(1 for _ in io.TextIOWrapper(reader, encoding="utf-8"))


def by_copy_stream(zstandard, file):
    out = io.BytesIO()
    zstandard.ZstdDecompressor().copy_stream(file, out)
    return lines(out.getvalue())


def datatrove(fsspec, name):
    """What datatrove's JsonlReader does with a file and its lines, without datatrove: text, id and metadata, by fsspec."""
    found = 0
    with fsspec.open(name, "rt", compression="infer", encoding="utf-8") as file:
        for line in file:
            data = json.loads(line)
            text, identity, metadata = data.pop("text"), data.pop("id"), data.pop("metadata")
            assert isinstance(text, str) and text and isinstance(identity, str) and not data
            assert metadata["file_path"] == "many.warc.gz" and metadata["url"]
            found += 1
    return found


# name, documents to find, modules that must be there, of which the last is the argument of the call
CALLS = [
    ("gzip.open", ALL, "gzip", lambda gzip: sum(1 for _ in gzip.open(GZ))),
    ("gzip.decompress", ALL, "gzip", lambda gzip: lines(gzip.decompress(raw(GZ)))),
    ("zlib.decompress", FIRST, "zlib", lambda zlib: lines(zlib.decompress(raw(GZ), 31))),
    ("zlib.decompressobj", FIRST, "zlib", lambda zlib: lines(zlib.decompressobj(31).decompress(raw(GZ)))),
    ("zstandard.open", ALL, "zstandard", lambda zstandard: sum(1 for _ in zstandard.open(ZST, "rt", encoding="utf-8"))),
    ("zstandard.stream_reader", ALL, "zstandard", lambda zstandard: by_stream_reader(zstandard, open(ZST, "rb"))),
    ("zstandard.copy_stream", ALL, "zstandard", lambda zstandard: by_copy_stream(zstandard, open(ZST, "rb"))),
    ("zstandard.decompress", FIRST, "zstandard", lambda zstandard: lines(zstandard.ZstdDecompressor().decompress(raw(ZST)))),
    ("zstandard.decompressobj", FIRST, "zstandard",
     lambda zstandard: lines(zstandard.ZstdDecompressor().decompressobj().decompress(raw(ZST)))),
    ("zstandard.read_to_iter", FIRST, "zstandard",
     lambda zstandard: sum(map(lines, zstandard.ZstdDecompressor().read_to_iter(open(ZST, "rb"))))),
    ("pandas.read_json,gzip", ALL, "pandas", lambda pandas: rows_of_pandas(pandas, GZ)),
    ("pandas.read_json,zstd", ALL, "zstandard pandas", lambda pandas: rows_of_pandas(pandas, ZST)),
    ("datatrove,gzip", ALL, "fsspec", lambda fsspec: datatrove(fsspec, "trove.jsonl.gz")),
    ("datatrove,zstd", ALL, "zstandard fsspec", lambda fsspec: datatrove(fsspec, "trove.jsonl.zst")),
]

for name, expected, modules, call in CALLS:
    try:
        print(name, expected, call([importlib.import_module(module) for module in modules.split()][-1]))
    except ImportError:
        print(name, expected, "missing")
