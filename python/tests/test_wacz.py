# SPDX-License-Identifier: MIT
"""WACZ: the same documents as `dana filter`, of a path, an address, a file system, a folder and a pattern."""

import contextlib
import functools
import gzip
import http.server
import io
import json
import os
import pathlib
import random
import struct
import threading
import zipfile
import zlib

import danatext
import pytest
from conftest import members, record
from danatext import paths

ARCHIVES = {
    "archive/a.warc.gz": members(record(i) for i in range(8)),
    "archive/b.warc": b"".join(record(i, **[{}, {"status": "404 Not Found"}][i % 2]) for i in range(10, 16)),
    "archive/c.warc.gz": gzip.compress(b"".join(record(i) for i in range(20, 24)), mtime=0),
}
OTHERS = {"pages/pages.jsonl": b"{}\n" * 99, "archive/readme.txt": b"words", "archive.warc": record(99), "datapackage.json": b"{}"}


class Pipe(io.RawIOBase):
    """What zipfile cannot seek in: lengths follow the data."""

    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.bytes += data
        return len(data)


def zipped(archives, method=zipfile.ZIP_STORED, before=b"", comment=b"", zip64=False, pipe=False):
    out = Pipe() if pipe else io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, data in [*archives.items(), *OTHERS.items()] if isinstance(archives, dict) else archives:
            with z.open(zipfile.ZipInfo(name) if method == zipfile.ZIP_STORED else name, "w", force_zip64=zip64) as to:
                to.write(data)
        z.comment = comment
    data = bytes(out.bytes) if pipe else out.getvalue()
    return before + data


FORMS = {
    "stored": {},
    "deflated": {"method": zipfile.ZIP_DEFLATED},
    "zip64": {"zip64": True},
    "piped": {"pipe": True},
    "piped, deflated": {"pipe": True, "method": zipfile.ZIP_DEFLATED},
    "commented": {"comment": b"c" * 3000},
    "prefixed": {"before": b"PK\3\4" + bytes(500)},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, data in ARCHIVES.items():
        pathlib.Path(name).parent.mkdir(exist_ok=True)
        pathlib.Path(name).write_bytes(data)
    return tmp_path


def rows(source, **options):
    with danatext.open(source, **options) as archive:
        return [document.asdict() for document in archive]


def without_file(documents):
    return [{key: value for key, value in document.items() if key != "file"} for document in documents]


@pytest.mark.parametrize("form", FORMS)
def test_documents_are_those_of_the_command(folder, dana, form):
    pathlib.Path("x.wacz").write_bytes(zipped(ARCHIVES, **FORMS[form]))
    want = dana("x.wacz")
    assert len(want) == 8 + 3 + 4
    assert rows("x.wacz") == rows(pathlib.Path("x.wacz")) == want
    assert [document.asdict() for document in danatext.scan("x.wacz")] == want
    assert without_file(want) == [row for name in ARCHIVES for row in without_file(rows(name))]
    for name in ARCHIVES:
        assert rows(f"x.wacz/{name}") == [row for row in want if row["file"] == f"x.wacz/{name}"] == dana(f"x.wacz/{name}")
    assert rows("x.wacz", name="y")[0]["file"] == "y/archive/a.warc.gz"
    assert rows("x.wacz/archive/b.warc", name="y")[0]["file"] == "y"
    os.rename("x.wacz", "other")
    assert [document.asdict() for document in danatext.scan(["other", "archive/b.warc"])] == dana("other", "archive/b.warc")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("split_bytes", [300, 1000, 1 << 30, None])
def test_parts_give_what_the_whole_gives(folder, method, split_bytes):
    pathlib.Path("x.wacz").write_bytes(zipped(ARCHIVES, method))
    scan = danatext.scan(["x.wacz", "archive/a.warc.gz"], split_bytes=split_bytes)
    parts = scan.splits()
    assert [document for part in parts for document in danatext.scan(part)] == list(scan) == list(scan)
    assert {part.source for part in parts[:-1]} >= {f"x.wacz/{name}" for name in ARCHIVES}
    assert (len(parts) > 4) == (split_bytes is not None and split_bytes < 4000)
    assert [document for part in paths.splits(["x.wacz"], split_bytes) for document in danatext.scan(part)] == rows_of("x.wacz")


def rows_of(source):
    return list(danatext.open(source))


def test_a_range_is_of_one_archive(folder, dana):
    pathlib.Path("x.wacz").write_bytes(zipped(ARCHIVES))
    with pytest.raises(ValueError, match="holds 3 archives.*x.wacz/archive/a.warc.gz"):
        danatext.open("x.wacz", end=5)
    name = "x.wacz/archive/a.warc.gz"
    assert rows(name, begin=500) == dana("--range", "500-", name)
    assert rows(name, end=500) + rows(name, begin=500) == rows(name)
    pathlib.Path("one.wacz").write_bytes(zipped({"archive/b.warc": ARCHIVES["archive/b.warc"]}))
    assert rows("one.wacz", begin=700) == dana("--range", "700-", "one.wacz")


def test_counts_rejects_and_place(folder, dana):
    pathlib.Path("x.wacz").write_bytes(zipped(ARCHIVES))
    dana("--stats", "stats", "--force", "-o", "out", "x.wacz")
    stats = json.loads(pathlib.Path("stats").read_text())
    with danatext.open("x.wacz", rejects=True) as archive:
        documents = list(archive)
        for name in "records", "documents", "skipped", "damaged", "bytes_in", "text_chars":
            assert archive.counts[name] == stats[name], name
        assert [reject.file for reject in archive.rejects] == ["x.wacz/archive/b.warc"] * 3
    assert archive.counts["documents"] == len(documents) == 15
    for taken in range(len(documents) + 1):
        with danatext.open("x.wacz") as archive:
            first = [next(archive) for _ in range(taken)]
            place = archive.place
        assert first + list(danatext.open("x.wacz", place=place)) == documents
    for place in "", "x", "9:0+0", "1:x":
        with pytest.raises(danatext.OptionError):
            danatext.open("x.wacz", place=place)


def test_arrow(folder):
    pa = pytest.importorskip("pyarrow")
    pathlib.Path("x.wacz").write_bytes(zipped(ARCHIVES))
    table = pa.table(danatext.open("x.wacz"))
    assert table == pa.table(danatext.scan("x.wacz"))
    assert table["text"].to_pylist() == [row["text"] for row in rows("x.wacz")]


def test_folders_and_patterns(folder):
    for name in "b", "a":
        pathlib.Path(f"{name}.wacz").write_bytes(zipped({f"archive/{name}.warc": record(1)}))
    for source in ".", "*.wacz", ["a.wacz", "b.wacz"]:
        files = [document.file for document in danatext.scan(source)]
        assert [os.path.normpath(name).replace(os.sep, "/") for name in files if "wacz" in name] == ["a.wacz/archive/a.warc", "b.wacz/archive/b.warc"]


def test_file_systems(folder):
    want = without_file(rows_after(folder))
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/x.wacz", pathlib.Path("x.wacz").read_bytes())
    memory.pipe("/plain.wacz", ARCHIVES["archive/b.warc"])
    scan = danatext.scan("/x.wacz", filesystem=memory, split_bytes=500)
    assert without_file(document.asdict() for document in scan) == want
    assert [document for part in scan.splits() for document in scan.of(part)] == list(scan)
    assert len(rows("memory://x.wacz")) == len(want)
    assert rows("memory://x.wacz/archive/b.warc")[0]["file"] == "memory://x.wacz/archive/b.warc"
    assert without_file(rows("memory://plain.wacz")) == without_file(rows("archive/b.warc"))
    fs = pytest.importorskip("pyarrow.fs")
    scan = danatext.scan(str(folder / "x.wacz"), filesystem=fs.LocalFileSystem(), split_bytes=500)
    assert without_file(document.asdict() for document in scan) == want
    assert len(scan.splits()) > 4


def rows_after(folder):
    (folder / "x.wacz").write_bytes(zipped(ARCHIVES))
    return rows("x.wacz")


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Sends ranges, and counts bytes; /whole/ sends none."""

    def do_GET(self, head=False):
        data = pathlib.Path(self.path.rpartition("/")[2]).read_bytes()
        wanted = None if self.path.startswith("/whole/") else self.headers.get("Range")
        first, last = 0, len(data) - 1
        if wanted:
            first, last = (int(word) if word else end for word, end in zip(wanted.partition("=")[2].split("-"), (0, last)))
            last = min(last, len(data) - 1)
        self.send_response(206 if wanted else 200)
        if not self.path.startswith("/whole/"):
            self.send_header("Accept-Ranges", "bytes")
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        if not head:
            self.server.sent += last - first + 1
            with contextlib.suppress(ConnectionError):
                self.wfile.write(data[first : last + 1])

    def do_HEAD(self):
        self.do_GET(head=True)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Ranges, directory=folder))
    server.sent = 0
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_addresses(folder, server, dana, method):
    pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    large = {"archive/large.txt": random.Random(1).randbytes(40 << 20)}
    pathlib.Path("x.wacz").write_bytes(zipped({**large, **ARCHIVES}, method))
    address = f"http://127.0.0.1:{server.server_port}/x.wacz"
    want = dana(address)
    assert len(want) == 15
    assert rows(address) == [document.asdict() for document in danatext.scan(address)] == want
    server.sent = 0
    assert rows(f"{address}/archive/b.warc") == [row for row in want if row["file"].endswith("b.warc")]
    assert server.sent < 20 << 20
    with pytest.raises(OSError, match="a WACZ needs a server that sends ranges of it"):
        danatext.open(address.replace("/x.wacz", "/whole/x.wacz"))


def changed(data, name, offset, form, value):
    """The zip with another value in its directory, where the name follows 46 bytes."""
    data = bytearray(data)
    struct.pack_into(form, data, data.rindex(name.encode()) - 46 + offset, value)
    return bytes(data)


def whole():
    return zipped(ARCHIVES)


NO_ARCHIVE = {
    "none": (lambda: zipped({}), "it holds no archive"),
    "empty": (lambda: zipped([]), "it holds no archive"),
    "encrypted": (lambda: changed(zipped([("archive/a.warc", record(1))]), "archive/a.warc", 8, "<H", 1), "it is encrypted"),
    "lzma": (lambda: zipped({"archive/a.warc": record(1)}, zipfile.ZIP_LZMA), "expected stored or deflated"),
    "cut": (lambda: whole()[:900], "it is damaged or cut off"),
    "directory": (lambda: changed(whole(), "archive/b.warc", 0, "<I", 1), "it is damaged or cut off"),
    "outside": (lambda: changed(zipped([("archive/a.warc", record(1))]), "archive/a.warc", 42, "<I", 1 << 30), ""),
    "lengths": (lambda: changed(zipped([("archive/a.warc", record(1))]), "archive/a.warc", 24, "<I", 5), "lengths contradict"),
    "long": (lambda: changed(zipped([("archive/a.warc", record(1))]), "archive/a.warc", 20, "<I", 1 << 30), ""),
    "header": (lambda: whole().replace(b"PK\3\4", b"PK\3\5", 2).replace(b"PK\3\5", b"PK\3\4", 1), "does not begin where"),
}


@pytest.mark.parametrize("kind", NO_ARCHIVE)
def test_what_cannot_be_read_is_an_exception(tmp_path, dana, kind):
    make, text = NO_ARCHIVE[kind]
    path = tmp_path / "x.wacz"
    path.write_bytes(make())
    want = dana(str(path))
    for source in danatext.open(path), danatext.scan(str(path)):
        got = []
        with pytest.raises(danatext.NotAnArchive, match=f"x.wacz.* is not an archive.*: zip: .*{text}|: zip: {text}"):
            got += source
    with danatext.open(path) as archive:
        documents = []
        for _ in range(2):  # all others, and each time
            with pytest.raises(danatext.NotAnArchive):
                for document in archive:
                    documents.append(document.asdict())
        assert documents == want
        assert archive.counts["damaged"] == {"not_an_archive": 1}


def test_a_file_object_is_not_read_as_a_zip(tmp_path):
    path = tmp_path / "x.wacz"
    path.write_bytes(whole())
    with open(path, "rb") as file:
        for source in file, io.BytesIO(whole()):
            for make in danatext.open, danatext.scan:
                with pytest.raises(danatext.NotAnArchive, match="a zip archive; a WACZ is read from a path or a URL"):
                    list(make(source))
    with pytest.raises(FileNotFoundError, match="no archive of this name"):
        danatext.open(f"{path}/archive/z.warc")
    with pytest.raises((FileNotFoundError, NotADirectoryError)):
        danatext.open(f"{__file__}/archive/z.warc")


def test_what_comes_before_damage_is_read(folder, dana):
    data = bytearray(zipped(ARCHIVES, zipfile.ZIP_DEFLATED))
    at = data.index(b"archive/b.warc")
    data[at + 200 : at + 210] = bytes(10)
    for name, damaged in ("data", data), ("sum", changed(zipped(ARCHIVES, zipfile.ZIP_DEFLATED), "archive/b.warc", 16, "<I", 1)):
        pathlib.Path("x.wacz").write_bytes(damaged)
        files = [row["file"] for row in same_as_command(dana, "x.wacz")]
        assert files.count("x.wacz/archive/a.warc.gz") == 8 and files.count("x.wacz/archive/c.warc.gz") == 4


def same_as_command(dana, source, status=2):
    """The documents, after the counters and the rejects have been compared, too."""
    import subprocess

    words = [dana.program, "filter", "-j", "0", "--force", "--rejects", "--stats", "stats", "-o", "out.jsonl", source]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == status, done.stderr
    lines = pathlib.Path("out.jsonl").read_text().splitlines()
    rejects = [json.loads(line) for line in pathlib.Path("out.jsonl.rejects.jsonl").read_text().splitlines()]
    stats = json.loads(pathlib.Path("stats").read_text())
    with danatext.open(source, rejects=True) as archive:
        documents = [document.asdict() for document in archive]
        assert documents == [json.loads(line) for line in lines]
        assert [(r.file, r.offset, r.reason, r.detail) for r in archive.rejects] == [
            (r["file"], r["offset"], r["reason"], r.get("detail")) for r in rejects
        ]
        for name in "records", "documents", "skipped", "damaged", "bytes_in":
            assert archive.counts[name] == stats[name], name
    return documents


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_stored_entry_without_its_checksum_is_damage(folder, dana, name):
    pathlib.Path("x.wacz").write_bytes(changed(zipped(ARCHIVES), name, 16, "<I", 1))
    assert len(same_as_command(dana, "x.wacz")) == 15
    with danatext.open("x.wacz", rejects=True) as archive:
        list(archive)
        assert archive.counts["damaged"] == {"bad_member": 1}
        last = [reject for reject in archive.rejects if reject.reason == "bad_member"]
    assert [(r.file, r.offset, r.detail) for r in last] == [(f"x.wacz/{name}", 0, "zip: the entry is damaged: its checksum is wrong")]
    # of a part of it the checksum is not compared
    assert rows(f"x.wacz/{name}", end=100) + rows(f"x.wacz/{name}", begin=100) == rows(f"x.wacz/{name}")


def streamed(archives, signature=True):
    """As streams are written: lengths after the data, Zip64 always, and ones in all fields of the end."""
    out, directory = bytearray(), bytearray()
    for name, data in archives.items():
        raw, crc, at = name.encode(), zlib.crc32(data), len(out)
        out += struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0x808, 0, 0, 33, 0, 0xFFFFFFFF, 0xFFFFFFFF, len(raw), 20) + raw
        out += struct.pack("<HHQQ", 1, 16, 0, 0) + data + b"PK\7\10" * signature + struct.pack("<IQQ", crc, len(data), len(data))
        directory += struct.pack("<IHHHHHHIII", 0x02014B50, 45, 45, 0x808, 0, 0, 33, crc, 0xFFFFFFFF, 0xFFFFFFFF)
        directory += struct.pack("<HHHHHII", len(raw), 28, 0, 0, 0, 0, 0xFFFFFFFF) + raw
        directory += struct.pack("<HHQQQ", 1, 24, len(data), len(data), at)
    n, at, record = len(archives), len(out), len(out) + len(directory)
    out += directory + struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, n, n, len(directory), at)
    out += struct.pack("<IIQI", 0x07064B50, 0, record, 1)
    return bytes(out + struct.pack("<IHHHHIIH", 0x06054B50, *[0xFFFF] * 4, 0xFFFFFFFF, 0xFFFFFFFF, 0))


@pytest.mark.parametrize("signature", [True, False])
def test_zips_of_streams(folder, dana, signature):
    named = {**ARCHIVES, "archive/\u00e9\u6c34.warc": record(40)}
    pathlib.Path("x.wacz").write_bytes(streamed(named, signature))
    assert len(same_as_command(dana, "x.wacz", 0)) == 16
    assert rows("x.wacz")[-1]["file"] == "x.wacz/archive/\u00e9\u6c34.warc"


def several(outer, inner, make=zipped):
    """A zip of WACZs."""
    wacz = make(ARCHIVES, inner) if make is zipped else make(ARCHIVES)
    return zipped([("a.wacz", wacz), ("datapackage.json", b"{}"), ("b/c.wacz", wacz), ("archive/d.warc", record(50))], outer)


@pytest.mark.parametrize("outer", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("inner", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_zips_in_a_zip(folder, dana, outer, inner):
    pathlib.Path("m.wacz").write_bytes(several(outer, inner))
    want = same_as_command(dana, "m.wacz", 0)
    names = [f"m.wacz/{zip_name}/{name}" for zip_name in ("a.wacz", "b/c.wacz") for name in ARCHIVES] + ["m.wacz/archive/d.warc"]
    assert list(dict.fromkeys(row["file"] for row in want)) == names
    assert without_file(want) == 2 * [row for name in ARCHIVES for row in without_file(rows(name))] + without_file(want[-1:])
    for name in *names, "m.wacz/b/c.wacz":
        assert rows(name) == [row for row in want if row["file"].startswith(name)] == dana(name)
    assert rows(names[4], end=700) + rows(names[4], begin=700) == rows(names[4])
    scan = danatext.scan("m.wacz", split_bytes=600)
    assert [document for part in scan.splits() for document in danatext.scan(part)] == list(scan) == rows_of("m.wacz")
    pathlib.Path("m.wacz").write_bytes(changed(several(outer, inner), "a.wacz", 8, "<H", 1))
    with pytest.raises(danatext.NotAnArchive, match="m.wacz/a.wacz is not an archive.*zip: it is encrypted"):
        rows("m.wacz")


def test_a_zip_in_a_zip_in_a_zip_is_said(folder, dana):
    deep = zipped([("m.wacz", several(0, 0)), ("archive/e.warc", record(60))])
    pathlib.Path("x.wacz").write_bytes(deep)
    with danatext.open("x.wacz") as archive:
        with pytest.raises(danatext.NotAnArchive, match="x.wacz/m.wacz/a.wacz is not .*: zip: it lies in a zip in a zip"):
            list(archive)
        assert archive.counts["documents"] == 2


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_damage_anywhere_is_an_exception_or_counted(tmp_path, method):
    chance = random.Random(46)
    good = zipped(ARCHIVES, method)
    path = tmp_path / "x.wacz"
    read = 0
    for _ in range(300):
        data = bytearray(good)
        for _ in range(chance.choice([1, 3, 20])):
            data[chance.randrange(chance.choice([4, good.index(b"PK\1\2")]), len(data))] = chance.choice([0, 255, chance.randrange(256)])
        path.write_bytes(data[: chance.choice([len(data), chance.randrange(4, len(data))])])
        try:
            with danatext.open(path) as archive:
                for _ in archive:
                    read += 1
        except (danatext.NotAnArchive, OSError) as error:
            assert "zip: " in str(error) or "no WARC or ARC record" in str(error)
    assert read > 300
