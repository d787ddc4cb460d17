# SPDX-License-Identifier: MIT
"""Python calls that read several zstd frames or gzip members, and calls that stop after the first: of doc/FORMATS.md, "Readers".

Prints for each call its name, how many documents it has to find and how many it found, or "missing" without its module.
"""
import gzip
import io
import json
import sys
import zlib

FIRST = int(sys.argv[1])  # documents in the first member
ALL = sum(1 for _ in open("dana.jsonl", "rb"))
ZST, GZ = "dana.jsonl.zst", "dana.jsonl.gz"
assert 0 < FIRST < ALL


def lines(data):
    return data.count(b"\n")


def raw(name):
    with open(name, "rb") as file:
        return file.read()


def zstandard_open():
    import zstandard
    with zstandard.open(ZST, "rt", encoding="utf-8") as file:
        return sum(1 for _ in file)


def zstandard_stream_reader():
    import zstandard
    with open(ZST, "rb") as file:
        reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        return sum(1 for _ in io.TextIOWrapper(reader, encoding="utf-8"))


def zstandard_copy_stream():
    import zstandard
    out = io.BytesIO()
    with open(ZST, "rb") as file:
        zstandard.ZstdDecompressor().copy_stream(file, out)
    return lines(out.getvalue())


def zstandard_decompress():
    import zstandard
    return lines(zstandard.ZstdDecompressor().decompress(raw(ZST)))


def zstandard_decompressobj():
    import zstandard
    return lines(zstandard.ZstdDecompressor().decompressobj().decompress(raw(ZST)))


def zstandard_read_to_iter():
    import zstandard
    with open(ZST, "rb") as file:
        return sum(lines(chunk) for chunk in zstandard.ZstdDecompressor().read_to_iter(file))


def pandas(name):
    import pandas
    return int((pandas.read_json(name, lines=True)["text_chars"] > 0).sum())


def pandas_zstd():
    import zstandard  # noqa: F401, which pandas needs for it
    return pandas(ZST)


def datatrove(name):
    """What datatrove's JsonlReader does with a file and its lines, without datatrove: text, id and metadata, by fsspec."""
    import fsspec
    found = 0
    with fsspec.open(name, "rt", compression="infer", encoding="utf-8") as file:
        for line in file:
            data = json.loads(line)
            text, identity, metadata = data.pop("text"), data.pop("id"), data.pop("metadata")
            assert isinstance(text, str) and text and isinstance(identity, str) and not data
            assert metadata["file_path"] == "many.warc.gz" and metadata["url"]
            found += 1
    return found


def datatrove_zstd():
    import zstandard  # noqa: F401, which fsspec needs for it
    return datatrove("trove.jsonl.zst")


CALLS = [
    ("gzip.open", ALL, lambda: sum(1 for _ in gzip.open(GZ))),
    ("gzip.decompress", ALL, lambda: lines(gzip.decompress(raw(GZ)))),
    ("zlib.decompress", FIRST, lambda: lines(zlib.decompress(raw(GZ), 31))),
    ("zlib.decompressobj", FIRST, lambda: lines(zlib.decompressobj(31).decompress(raw(GZ)))),
    ("zstandard.open", ALL, zstandard_open),
    ("zstandard.stream_reader", ALL, zstandard_stream_reader),
    ("zstandard.copy_stream", ALL, zstandard_copy_stream),
    ("zstandard.decompress", FIRST, zstandard_decompress),
    ("zstandard.decompressobj", FIRST, zstandard_decompressobj),
    ("zstandard.read_to_iter", FIRST, zstandard_read_to_iter),
    ("pandas.read_json,gzip", ALL, lambda: pandas(GZ)),
    ("pandas.read_json,zstd", ALL, pandas_zstd),
    ("datatrove,gzip", ALL, lambda: datatrove("trove.jsonl.gz")),
    ("datatrove,zstd", ALL, datatrove_zstd),
]

for name, expected, call in CALLS:
    try:
        print(name, expected, call())
    except ImportError:
        print(name, expected, "missing")
