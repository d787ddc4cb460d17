# SPDX-License-Identifier: MIT
"""danatext.open: the same documents as `dana filter`, from whatever can be read, whole and in parts."""

import array
import bz2
import gzip
import io
import json
import os
import pathlib
import re
import threading

import danatext
import pytest
from conftest import PARAGRAPH, members, record


def rows(source, **options):
    with danatext.open(source, **options) as archive:
        return [document.asdict() for document in archive]


def test_three_lines_give_the_articles_of_the_sample(sample):
    documents = list(danatext.open(sample))
    assert len(documents) == 7
    assert documents[0].url.endswith("/en.html")


@pytest.mark.parametrize(
    "arguments, options",
    [
        ([], {}),
        (["-m", "danag:gap=30"], {"method": "danag:gap=30"}),
        (["-m", "learned", "-m", "danag", "-m", "auto"], {"method": ["learned", "danag", "auto"]}),
        (["-m", "learned", "-m", "danag:gap=30", "--text", "plain,markdown,blocks", "--plugin", "pii"],
         {"method": ("learned", "danag:gap=30"), "text": "plain,markdown,blocks", "plugins": "pii"}),
        (["--type", "any", "--status", "any", "--mime", "any", "--min-chars", "0"],
         {"type": "any", "status": "any", "mime": "any", "min_chars": 0}),
        (["--status", "200,404"], {"status": [200, 404]}),
        (["--min-chars", "800"], {"min_chars": 800}),
        (["--require-digest"], {"require_digest": True}),
        (["--plugin", "language", "--plugin", "quality:annotate=yes", "--plugin", "metadata", "--plugin", "pii"],
         {"plugins": ["language", "quality:annotate=yes", "metadata", "pii"]}),
        (["--plugin", "language:include=fa"], {"plugins": "language:include=fa"}),
        (["--text", "plain,markdown"], {"text": ["plain", "markdown"]}),
        (["--text", "plain,markdown", "--markdown", "links=0", "--plugin", "pii"],
         {"text": "plain,markdown", "markdown": "links=0", "plugins": ["pii"]}),
        (["--text", "plain,blocks"], {"text": "plain,blocks"}),
        (["--text", "plain,markdown,blocks", "--dropped", "--markdown", "images=1"],
         {"text": "plain,markdown,blocks", "dropped": True, "markdown": "images=1"}),
        (["--text", "plain,blocks", "--plugin", "pii"], {"text": "plain,blocks", "plugins": "pii"}),
        (["--check-digests", "always"], {"check_digests": "always"}),
        (["--check-digests", "never"], {"check_digests": "never"}),
    ],
)  # fmt: skip
def test_documents_are_those_of_the_command(sample, many, dana, arguments, options):
    for path in sample, many:
        want = dana(*arguments, path)
        got = rows(path, **options)
        assert got == want
        assert [list(row) for row in got] == [list(row) for row in want]


@pytest.mark.parametrize("schema", ["dana", "datatrove", "dolma"])
def test_layouts_are_those_of_the_command(tmp_path, dana, sample, schema):
    odd = tmp_path / "odd.warc"
    odd.write_bytes(record(1) + record(2, identified=False) + record(3, date="yesterday") + record(4, identified=False, date="?"))
    for path in sample, str(odd):
        want = dana("--schema", schema, path)
        got = [document.asdict(schema) for document in danatext.open(path)]
        assert got == want
        assert [list(row) for row in got] == [list(row) for row in want]
    with pytest.raises(ValueError, match="datatrove"):
        next(danatext.open(sample)).asdict("parquet")


class OneByte:
    """Only the least that is asked of a source."""

    def __init__(self, data):
        self.read = lambda size, file=io.BytesIO(data): file.read(1)


class Into:
    def __init__(self, data):
        self.readinto = io.BytesIO(data).readinto


def test_any_source_gives_the_same(sample, tmp_path):
    data = pathlib.Path(sample).read_bytes()
    want = rows(sample, name="x")
    sources = {
        "path": pathlib.Path(sample),
        "bytes": sample.encode(),
        "buffered": open(sample, "rb"),
        "raw": open(sample, "rb", buffering=0),
        "memory": io.BytesIO(data),
        "one byte": OneByte(data),
        "into": Into(data),
    }
    for what, source in sources.items():
        assert rows(source, name="x") == want, what
    plain = gzip.decompress(data)
    with gzip.open(sample) as file:
        assert rows(file, name="x") == rows(io.BytesIO(plain), name="x")


def test_sources_of_other_packages(sample):
    fsspec = pytest.importorskip("fsspec")
    want = rows(sample, name="x")
    memory = fsspec.filesystem("memory")
    memory.pipe("/sample.warc.gz", pathlib.Path(sample).read_bytes())
    for filesystem, path in (memory, "/sample.warc.gz"), (fsspec.filesystem("file"), sample):
        with filesystem.open(path, "rb") as file:
            assert rows(file, name="x") == want
    fs = pytest.importorskip("pyarrow.fs")
    with fs.LocalFileSystem().open_input_file(sample) as file:
        assert rows(file, name="x") == want
    with fs.LocalFileSystem().open_input_stream(sample) as file:
        assert rows(file, name="x") == rows(gzip.open(sample), name="x")


def test_an_open_file_is_read_from_where_it_stands(many, tmp_path):
    behind = tmp_path / "behind.warc.gz"
    behind.write_bytes(b"nothing" * 1000 + pathlib.Path(many).read_bytes())
    with open(behind, "rb") as file:
        file.seek(7000)
        assert rows(file, name="x") == rows(many, name="x")


@pytest.mark.parametrize("parts", [2, 5, 50])
def test_ranges_give_what_the_whole_gives(many, sample, parts):
    for path in many, sample:
        size = pathlib.Path(path).stat().st_size
        cuts = [size * i // parts for i in range(parts)] + [None]
        got = [row for begin, end in zip(cuts, cuts[1:]) for row in rows(path, begin=begin, end=end)]
        assert got == rows(path)


def test_ranges_that_are_none(sample):
    for begin, end in (-1, 5), (5, 5), (5, 4):
        with pytest.raises(ValueError, match="begin < end"):
            danatext.open(sample, begin=begin, end=end)


def test_counts_add_up_and_are_those_of_the_command(many, dana, tmp_path):
    with danatext.open(many) as archive:
        assert archive.counts["records"] == 0
        n = sum(1 for _ in archive)
        counts = archive.counts
    assert archive.counts == counts
    assert n == counts["documents"] == 200 and counts["skipped"] == {"status": 100}
    dana("--stats", str(tmp_path / "stats"), many)
    stats = json.loads((tmp_path / "stats").read_text())
    for name in counts.keys() - {"bytes_out"}:
        assert counts[name] == stats[name]


def test_dates_that_cannot_be_read_are_counted(tmp_path, dana):
    path = tmp_path / "dates.warc"
    path.write_bytes(record(1) + record(2, date="yesterday"))
    archive = danatext.open(path)
    assert [document.problems for document in archive] == [frozenset(), {"bad_date"}]
    assert archive.counts["problems"] == {"bad_date": 1}


def test_rejects_are_those_of_the_command(tmp_path, dana):
    path = tmp_path / "some.warc.gz"
    data = members([record(1), record(2, status="404 No"), record(3, kind="request"), record(4, media="image/png")])
    path.write_bytes(data + b"garbage" * 100 + members([record(5)]))
    dana("--rejects", "-o", str(tmp_path / "out.jsonl"), str(path))
    want = [json.loads(line) for line in (tmp_path / "out.jsonl.rejects.jsonl").read_text().splitlines()]
    with danatext.open(path, rejects=True) as archive:
        got = []
        for _ in archive:
            got += archive.rejects
        got += archive.rejects
    assert [{**reject._asdict(), **reject.additions} for reject in got] == [{**row, "additions": {}} for row in want]
    assert {reject.reason for reject in got} >= {"status", "mime", "garbage"} or len(got) >= 3
    with pytest.raises(ValueError, match="rejects=True"):
        danatext.open(path).rejects


@pytest.mark.parametrize("whole", [False, True])
def test_a_place_goes_on(many, tmp_path, whole):
    path = many
    if whole:  # all records in one member
        path = tmp_path / "whole.warc.gz"
        path.write_bytes(gzip.compress(gzip.decompress(pathlib.Path(many).read_bytes()), mtime=0))
    want = list(danatext.open(path))
    archive = danatext.open(path)
    place = archive.place
    for n in range(0, 200, 7 if not whole else 90):
        with danatext.open(path, place=place) as later:
            assert later.place == place
            assert list(later) == want[n:]
        for _ in range(7 if not whole else 90):
            next(archive, None)
        place = archive.place
    archive.close()
    assert archive.place == place
    with pytest.raises(danatext.OptionError, match="place"):
        danatext.open(path, place="here")


def test_records_of_wrong_length_are_documents(tmp_path, dana):
    wrong = [0, -1, 5, 0, -40, 1000, 99999, 17, 0, -2]
    records = []
    for number, more in enumerate(wrong):
        head, block = record(number).split(b"\r\n\r\n", 1)
        length = int(head.rsplit(b" ", 1)[1])
        records.append(head.rsplit(b" ", 1)[0] + b" %d\r\n\r\n" % (length + more) + block)
    right = list(danatext.open(io.BytesIO(b"".join(record(number) for number in range(len(wrong))))))
    for name, data in ("wrong.warc", b"".join(records)), ("wrong.warc.gz", members(records)):
        path = tmp_path / name
        path.write_bytes(data)
        archive = danatext.open(path)
        documents = list(archive)
        assert [document.text for document in documents] == [document.text for document in right]
        assert [document.problems for document in documents] == [{"bad_length"} if more else set() for more in wrong]
        assert archive.counts["problems"] == {"bad_length": 7} and archive.counts["damaged"] == {}
        assert [document.asdict() for document in documents] == dana(path)


def test_exceptions_of_a_source_come_through(sample):
    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise ConnectionError("the line is dead")

    with pytest.raises(ConnectionError, match="the line is dead"):
        next(danatext.open(Broken()))
    with pytest.raises(FileNotFoundError) as error:
        danatext.open("/nowhere/a.warc")
    assert error.value.filename == "/nowhere/a.warc"
    with pytest.raises(IsADirectoryError):
        danatext.open("/")
    with pytest.raises(TypeError, match="binary"):
        next(danatext.open(io.StringIO("WARC")))
    with pytest.raises(TypeError, match="expected a path"):
        danatext.open(3.5)


class Gives:
    """A source whose reads, by the function of that name, give one thing after the other."""

    def __init__(self, name, *answers):
        self.answers = list(answers)
        setattr(self, name, self._next)

    def _next(self, _):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(
    "name, answer, error, text",
    [
        ("readinto", None, BlockingIOError, "no bytes at the moment"),
        ("readinto", -1, OSError, "readinto returned -1; expected 0 to"),
        ("readinto", -(1 << 70), OSError, "expected 0 to"),
        ("readinto", (256 << 10) + 1, OSError, "readinto returned 262145"),
        ("readinto", 1 << 70, OSError, "expected 0 to"),
        ("readinto", "WARC/1.0", TypeError, "readinto returned str; expected the number of bytes"),
        ("readinto", b"WARC/1.0", TypeError, "readinto returned bytes"),
        ("readinto", 1.5, TypeError, "readinto returned float"),
        ("readinto", True, TypeError, "readinto returned bool"),
        ("readinto", [], TypeError, "readinto returned list"),
        ("readinto", ConnectionError("dead"), ConnectionError, "dead"),
        ("readinto", EOFError("short"), EOFError, "short"),
        ("read", None, BlockingIOError, "no bytes at the moment"),
        ("read", -1, TypeError, "read returned int; expected bytes"),
        ("read", 0, TypeError, "read returned int"),
        ("read", "WARC/1.0", TypeError, "open it in binary mode"),
        ("read", "", TypeError, "open it in binary mode"),
        ("read", 1.5, TypeError, "read returned float"),
        ("read", False, TypeError, "read returned bool"),
        ("read", [b"WARC"], TypeError, "read returned list"),
        ("read", (), TypeError, "read returned tuple"),
        ("read", object(), TypeError, "read returned object"),
        ("read", memoryview(bytes(8))[::2], TypeError, "read returned memoryview"),
        ("read", TimeoutError("slow"), TimeoutError, "slow"),
    ],
)
def test_reads_that_return_nonsense_are_exceptions(name, answer, error, text):
    for before in [], [7 if name == "readinto" else b"WARC/1.0\r\n"]:
        for make in (danatext.open, danatext.scan):
            with pytest.raises(error, match=text):
                list(make(Gives(name, *before, answer)))


def test_a_read_may_return_any_buffer_of_any_length(sample):
    data = gzip.decompress(pathlib.Path(sample).read_bytes())
    want = rows(io.BytesIO(data), name="x")
    for kind in bytes, bytearray, memoryview, lambda b: memoryview(bytearray(b)).cast("b"):
        assert rows(Gives("read", kind(data), b""), name="x") == want  # more than was asked for: nothing is lost
    numbers = array.array("I", data + bytes(-len(data) % 4))
    assert rows(Gives("read", numbers, b""), name="x")[:1] == want[:1]


NO_ARCHIVES = {
    "page": (b"<!doctype html><title>x</title><p>A page.", "HTML page: danatext.extract"),
    "fragment": (b"  <p>A piece of a page", "HTML page: danatext.extract"),
    "utf-16": ("<html><p>A page".encode("utf-16"), "HTML page: danatext.extract"),
    "words": (b"Only words,\nin two lines.\n", "text without markup"),
    "list": (b'{"url":"http://example.org/"}\n' * 5, "it is JSON, not an HTML page"),
    "PDF": (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "a PDF"),
    "zip": (b"PK\3\4\x14\0\0\0\x08\0" + bytes(50), "zip"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "a picture"),
    "photograph": (b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(100), "a picture"),
    "packed page": (gzip.compress(b"<p>A page" * 100), "HTML page: danatext.extract"),
    "bzip2": (bz2.compress(b"<p>A page" * 100), "bzip2 -dc"),
    "noise": (bytes(range(256)) * 40, "a binary file"),
    "tar": (bytes(257) + b"ustar" + bytes(300), "a tar archive"),
}


@pytest.mark.parametrize("kind", NO_ARCHIVES)
def test_what_is_no_archive_is_an_exception_with_what_to_call(tmp_path, kind):
    data, text = NO_ARCHIVES[kind]
    path = tmp_path / "input"
    path.write_bytes(data)
    for make in danatext.open, danatext.scan:
        for source in path, str(path), io.BytesIO(data), Gives("read", data, b""), OneByte(data):
            with pytest.raises(danatext.NotAnArchive, match="no WARC or ARC record: .*" + re.escape(text)):
                list(make(source))
    with pytest.raises(ValueError, match=re.escape(repr(str(path)) if "HTML page: " in text else text)):
        next(danatext.open(path))
    archive = danatext.open(path)
    for _ in range(2):  # each time
        with pytest.raises(danatext.NotAnArchive):
            list(archive)
    assert archive.counts["damaged"] == {"not_an_archive": 1}
    archive.close()
    # All parts together say what the whole does, and the next of several sources can be read.
    failed = 0
    for split in danatext.scan(path, split_bytes=max(1, len(data) // 3)).splits():
        try:
            assert not list(danatext.scan(split))
        except danatext.NotAnArchive:
            failed += 1
    assert failed == 1
    seen = []
    for archive in danatext.scan([path, io.BytesIO(members([record(1)]))]).archives():
        try:
            seen += list(archive)
        except danatext.NotAnArchive:
            seen.append(None)
    assert len(seen) == 2 and seen[0] is None and seen[1].text


def test_a_stream_of_no_archive_fails(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    (tmp_path / "page.html").write_text("<p>A page.")
    with pytest.raises(Exception, match="NotAnArchive: .*page.html.*danatext.extract"):
        pyarrow.RecordBatchReader.from_stream(danatext.scan(tmp_path / "page.html")).read_all()


def test_damaged_and_empty_archives_are_archives():
    whole = members([record(1), record(2)])
    for data in b"", gzip.compress(b""), whole[:100], whole[: len(whole) - 9], b"junk" * 99 + whole, record(1)[:50]:
        archive = danatext.open(io.BytesIO(data))
        list(archive)
        assert "not_an_archive" not in archive.counts["damaged"]


@pytest.mark.parametrize(
    "error, text, options",
    [
        (danatext.UnknownMethod, "learned", {"method": "klingon"}),
        (danatext.OptionError, None, {"method": "danag:gap=many"}),
        (danatext.UnknownMethod, "libcurl", {"method": "wlr-media"}),
        (danatext.OptionError, "nosuch", {"plugins": ["nosuch"]}),
        (danatext.OptionError, "plain", {"text": "poem"}),
        (danatext.OptionError, None, {"min_chars": -1}),
        (danatext.OptionError, None, {"batch_rows": 0}),
        (TypeError, None, {"nosuch": 1}),
    ],
)
def test_options_that_are_wrong(sample, error, text, options):
    with pytest.raises(error, match=text):
        danatext.open(sample, **options)


def test_damage_is_counted(tmp_path):
    path = tmp_path / "cut.warc.gz"
    data = members(record(i) for i in range(5))
    path.write_bytes(data[: len(data) - 20])
    archive = danatext.open(path)
    assert len(list(archive)) == 4
    assert archive.counts["damaged"] == {"truncated": 1}


def test_a_closed_archive_says_so(sample):
    with danatext.open(sample) as archive:
        next(archive)
    archive.close()
    assert archive.counts["documents"] == 1
    for use in (lambda: next(archive), archive.__arrow_c_schema__):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_files_that_were_opened_here_are_closed_at_their_end(sample):
    archive = danatext.open(sample)
    list(archive)
    assert archive._reader.file.closed
    assert list(archive) == []
    with open(sample, "rb") as file, danatext.open(file) as archive:
        list(archive)
        assert not file.closed


def test_html_is_there_where_it_is_asked_for(many):
    assert next(danatext.open(many)).html is None
    assert PARAGRAPH in next(danatext.open(many, html=True)).html


def test_two_threads_in_one_archive_get_an_error_and_no_nonsense(many):
    archive = danatext.open(many)
    want = list(danatext.open(many))
    got, errors = [], []

    def work():
        while True:
            try:
                got.append(next(archive))
            except StopIteration:
                return
            except (RuntimeError, ValueError) as error:
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("another thread" in str(error) for error in errors)
    assert sorted(document.url for document in got) == sorted(document.url for document in want)


def test_scans_take_folders_patterns_and_addresses(sample, tmp_path):
    folder = tmp_path / "crawl" / "inner"
    folder.mkdir(parents=True)
    for name in ("b.warc.gz", "a.warc.gz", "c.txt"):
        (folder / name).write_bytes(pathlib.Path(sample).read_bytes())

    def names(path):
        return [document.file.replace(os.sep, "/") for document in danatext.scan(path)]

    files = names(str(tmp_path / "crawl"))
    assert files == [str(folder / "a.warc.gz")] * 7 + [str(folder / "b.warc.gz")] * 7
    assert names(f"{folder}/*.warc.gz") == files
    assert len(danatext.scan(str(tmp_path / "crawl"), split_bytes=10000).splits()) > 2
    with pytest.raises(FileNotFoundError, match="no archives there"):
        danatext.scan(f"{folder}/*.nothing")
    with pytest.raises(IsADirectoryError, match="danatext.scan"):
        danatext.open(folder)
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe("/x.warc.gz", pathlib.Path(sample).read_bytes())
    assert {d.file for d in danatext.scan("memory://x.warc.gz")} == {"memory://x.warc.gz"}
    with danatext.open("memory://x.warc.gz") as archive:
        assert len(list(archive)) == 7 and archive.counts["damaged"] == {}


def test_scans_and_archives_say_what_they_are(sample):
    assert repr(danatext.scan([sample] * 3)) == f"<danatext.Scan of 3 archives ({sample!r}, {sample!r}, ...) by 'learned'>"
    archive = danatext.open(sample, method="danag")
    next(archive)
    assert repr(archive) == f"<danatext.Archive {sample!r}, open, 1 documents so far, by 'danag'>"
    archive.close()
    assert "closed" in repr(archive)


def test_unknown_options_name_the_call(sample):
    with pytest.raises(TypeError, match=r"scan\(\) has no option 'min_char'; did you mean 'min_chars'"):
        danatext.scan(sample, min_char=3)
    with pytest.raises(TypeError, match=r"open\(\) has no option 'zzz'$"):
        danatext.open(sample, zzz=3)


def test_recall_and_kind_of_archives(sample):
    wanted = [d.text for d in danatext.scan(sample, method="learned:recall=100,kind=article")]
    assert [d.text for d in danatext.scan(sample, recall=100, kind="article")] == wanted
