# SPDX-License-Identifier: MIT
"""danatext.scan: what engines do with it."""

import io
import pathlib
import pickle

import danatext
import pytest


def test_it_can_be_read_again_and_again(sample, many):
    scan = danatext.scan([sample, many])
    assert list(scan) == list(scan) == [*danatext.open(sample), *danatext.open(many)]
    memory = danatext.scan(io.BytesIO(pathlib.Path(sample).read_bytes()))
    assert list(memory) == list(memory) != []


def test_it_can_be_pickled(sample):
    scan = danatext.scan(sample, plugins=["language"], min_chars=100)
    again = pickle.loads(pickle.dumps(scan))
    assert list(again) == list(scan)
    assert len(pickle.dumps(scan.splits()[0])) < 500
    document = next(iter(scan))
    assert pickle.loads(pickle.dumps(document)) == document
    structured = danatext.scan(sample, text="plain,markdown,blocks", dropped=True)
    assert list(pickle.loads(pickle.dumps(structured))) == list(structured)
    assert pickle.loads(pickle.dumps(list(structured))) == list(structured)
    with pytest.raises(TypeError, match="scan"):
        pickle.dumps(danatext.open(sample))


def test_rules_of_sites(sample, tmp_path):
    """Each page has the rules of its host, from a text or a file; parts of a scan, which others read, have them, too."""
    rules = "127.0.0.1\texclude\th1\n"
    (tmp_path / "rules").write_text(rules)
    plain = list(danatext.scan(sample, method="plain"))
    for given in (rules, tmp_path / "rules"):
        scan = danatext.scan(sample, method="plain", rules=given)
        ruled = list(scan)
        assert len(ruled) == len(plain) and all(after.text_chars < before.text_chars for after, before in zip(ruled, plain))
        assert ruled == list(danatext.scan(sample, method="plain", exclude="h1")) == list(pickle.loads(pickle.dumps(scan)))
        assert [document for part in scan.splits() for document in scan.of(part)] == ruled
    assert list(danatext.scan(sample, method="plain", rules="example.org\texclude\th1\n")) == plain
    with pytest.raises(ValueError, match="line 1 of the rules"):
        danatext.scan(sample, rules="example.org exclude h1\n")


@pytest.mark.parametrize("split_bytes", [1, 1000, 4000, 1 << 30, None])
def test_parts_give_what_the_whole_gives(many, sample, split_bytes):
    scan = danatext.scan([pathlib.Path(sample), many], split_bytes=split_bytes if split_bytes != 1 else 700)
    parts = scan.splits()
    assert [document for part in parts for document in danatext.scan(part)] == list(scan)
    assert [document for part in parts for document in scan.of(part)] == list(scan)
    assert list(danatext.scan(parts)) == list(scan)
    assert split_bytes is None or split_bytes > 4000 or len(parts) > 2


def test_nothing_is_opened_before_it_is_read():
    scan = danatext.scan("/nowhere/a.warc")
    with pytest.raises(FileNotFoundError):
        list(scan)
    with pytest.raises(FileNotFoundError):
        scan.splits()
    scan.__arrow_c_schema__()


def test_wrong_options(sample):
    with pytest.raises(danatext.UnknownMethod):
        danatext.scan(sample, method="klingon")
    with pytest.raises(TypeError, match="begins anew"):
        danatext.scan(sample, place="0+0")
    with pytest.raises(ValueError, match="split_bytes"):
        danatext.scan(sample, split_bytes=0)


def test_filesystems(sample):
    want = [document._replace(file="/sample.warc.gz") for document in danatext.open(sample)]
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/sample.warc.gz", pathlib.Path(sample).read_bytes())
    scan = danatext.scan("/sample.warc.gz", filesystem=memory, split_bytes=5000)
    assert list(scan) == want
    assert len(scan.splits()) == 4
    assert [document for part in scan.splits() for document in scan.of(part)] == want
    fs = pytest.importorskip("pyarrow.fs")
    scan = danatext.scan(sample, filesystem=fs.LocalFileSystem(), split_bytes=5000)
    assert list(scan) == list(danatext.open(sample))
    assert len(scan.splits()) == 4


def test_each_package_reads_the_same_rows(sample, many, tmp_path):
    pa = pytest.importorskip("pyarrow")
    scan = danatext.scan([sample, many], plugins=["metadata"])
    want = pa.table(scan)
    assert pa.table(scan) == want and want.num_rows == 207
    path = tmp_path / "x.parquet"
    assert scan.to_parquet(path) == 207
    first = path.read_bytes()
    scan.to_parquet(path)
    assert path.read_bytes() == first
    rows = want.to_pylist()
    assert pa.parquet.read_table(path).to_pylist() == rows
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(scan).to_dicts() == polars.read_parquet(path).to_dicts() == rows
    pandas = pytest.importorskip("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):  # since pandas 3
        assert pandas.DataFrame.from_arrow(scan)["text"].tolist() == pandas.read_parquet(path)["text"].tolist() == want["text"].to_pylist()
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select * from scan").to_arrow_table().to_pylist() == rows
    assert duckdb.sql(f"select count(*), sum(text_chars) from '{path}'").fetchall() == [(207, sum(r["text_chars"] for r in rows))]


def test_a_parquet_file_appears_when_it_is_complete(many, tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(OSError):
        danatext.scan([many, "/nowhere/a.warc"]).to_parquet(tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


def test_an_error_in_the_middle_is_the_streams(many):
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(OSError, match="FileNotFoundError.*nowhere"):
        pa.table(danatext.scan([many, "/nowhere/a.warc"]))


@pytest.mark.parametrize("plugins", [["dedup-exact"], ["dedup-lines:scope=all"], ["language:include=en,ru", "metadata", "dedup-exact", "pii"]])
def test_plugins_that_compare_pages_compare_those_of_all_archives(dana, sample, many, plugins):
    scan = danatext.scan([sample, many, sample], plugins=plugins)
    want = dana(*(word for plugin in plugins for word in ("--plugin", plugin)), sample, many, sample)
    assert [document.asdict() for document in scan] == want
    assert [document.asdict() for document in scan] == want  # each time anew
    assert len(want) < len(list(danatext.scan([sample, many, sample])))
    left_out = 0
    for archive in scan.archives():
        list(archive)
        left_out += archive.counts["skipped"].get("plugin:dedup-exact", 0)
    assert left_out or "dedup-exact" not in plugins


def test_plugins_that_compare_pages_read_whole_runs_and_keep_nothing(sample, tmp_path):
    for place in ({"begin": 100}, {"end": 100}, {"place": "0+1"}):
        with pytest.raises(danatext.Error, match="dedup-exact: needs all pages of a run"):
            danatext.open(sample, plugins=["dedup-exact"], **place)
    for plugin in f"dedup-exact:index={tmp_path}/a", f"dedup-near:signatures={tmp_path}/b":
        with pytest.raises(danatext.Error, match="is written by `dana filter`"):
            list(danatext.scan(sample, plugins=[plugin]))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(danatext.Error, match="or danatext.scan"):
        danatext.extract(b"<p>x", plugins=["dedup-exact"])


def test_a_shard_to_parquet_by_language_without_duplicates(sample, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    scan = danatext.scan([sample, sample], plugins=["language:include=en,ru", "dedup-exact"])
    assert scan.to_parquet(tmp_path / "a.parquet") == 2
    assert parquet.read_table(tmp_path / "a.parquet")["url"].to_pylist() == [document.url for document in scan]
