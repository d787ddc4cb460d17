# SPDX-License-Identifier: MIT
"""Streams of Arrow: the same rows by each package that reads them, and errors as texts."""

import json

import danatext
import pytest
from conftest import PARAGRAPH, record, without_nulls
from test_page import NAMES, NO_NAMES

pa = pytest.importorskip("pyarrow")


def of_table(table):
    """Rows of a table as the command writes them."""
    return table.to_pylist()


def test_rows_are_those_of_the_command(sample, many, dana):
    for path in sample, many:
        table = pa.table(danatext.open(path))
        table.validate(full=True)
        assert of_table(table) == dana(path)
        assert table.column_names == list(dana(path)[0])


def test_objects_of_plugins_are_columns(sample, dana):
    plugins = ["language", "metadata", "url:substring=nowhere", "quality:annotate=yes"]
    table = pa.table(danatext.open(sample, plugins=plugins))
    table.validate(full=True)
    want = dana(*[word for plugin in plugins for word in ("--plugin", plugin)], sample)
    rows = of_table(table)
    assert len(rows) == len(want)
    for row, document in zip(rows, want):
        for name in "languages", "metadata", "quality":
            assert (json.loads(row.pop(name)) if row[name] else row.pop(name)) == document.pop(name, None)
        assert row == document


def test_markdown_is_a_column_where_it_is_asked_for(many, dana):
    table = pa.table(danatext.open(many, text="plain,markdown"))
    table.validate(full=True)
    assert of_table(table) == dana("--text", "plain,markdown", many)
    pages = danatext.extract_column(pa.array([b"<h1>A</h1><p>" + b"word and word. " * 30]), text="plain,markdown")
    assert pa.table(pages)["markdown"][0].as_py() == danatext.extract(b"<h1>A</h1><p>" + b"word and word. " * 30, text="markdown").markdown


# Each kind of block, and a part that no method keeps.
KINDS = f"""<nav><ul><li><a href=/>Home</a><li><a href=/b>About us</a><li><a href=/c>Contact</a></ul></nav><h1>Head &amp; "tail"</h1><p>{PARAGRAPH * 3}<ol start=3><li>three<li>four<ul><li>inner</ul></ol>
<pre><code class=language-python>a = "b"\n\tc</code></pre><blockquote>Nobody in the harbour had seen the lamp burn so late in the year, he wrote, and nobody asked him why it did.</blockquote><hr>
<table><tr><th>a<th>b<tr><td>1<td>"\u00fc"<tr><td><td>\\</table><dl><dt>term<dd>meaning</dl>
<p><img src=/a.png alt="A picture"><p>{PARAGRAPH * 3}<footer><a href=/>All rights reserved</a> <a href=/d>Terms</a></footer>"""


@pytest.mark.parametrize("dropped", [False, True])
def test_blocks_are_a_column_where_they_are_asked_for(tmp_path, many, dana, dropped):
    kinds = tmp_path / "kinds.warc"
    kinds.write_bytes(record(1, body=KINDS.encode()) + record(2) + record(3, body=b"<p>" + PARAGRAPH.encode() * 4 + b"a@b.org"))
    options = {"text": "plain,blocks", "markdown": "images=1", "dropped": dropped}
    arguments = ["--text", "plain,blocks", "--markdown", "images=1", *["--dropped"] * dropped]
    for path, plugins in (str(kinds), []), (str(kinds), ["pii"]), (many, []):
        table = pa.table(danatext.open(path, plugins=plugins, **options))
        table.validate(full=True)
        want = dana(*arguments, *[word for plugin in plugins for word in ("--plugin", plugin)], path)
        assert without_nulls(table["blocks"].to_pylist()) == [row["blocks"] for row in want]
        assert [name for name in table.column_names if name in want[0]] == list(want[0])
    pages = danatext.extract_column(pa.array([KINDS.encode(), None, b"%PDF-1.7"]), **options)
    table = pa.table(pages)
    table.validate(full=True)
    page = danatext.extract(KINDS.encode(), **options)
    assert without_nulls(table["blocks"].to_pylist()) == [page.blocks, None, None]
    assert {block["t"] for block in page.blocks} >= {"h", "p", "li", "code", "quote", "hr", "table", "dt", "dd", "img"}
    assert any(block.get("kept") is False for block in page.blocks) == dropped
    assert not any("blocks" in t.column_names for t in (pa.table(danatext.open(many)), pa.table(danatext.open(many, text="markdown"))))


def test_blocks_are_read_by_each_package(many, tmp_path):
    scan = danatext.scan(many, text="plain,blocks")
    want = [[block["text"] for block in document.blocks] for document in scan]
    scan.to_parquet(tmp_path / "blocks.parquet")
    parquet = pytest.importorskip("pyarrow.parquet")
    assert [[b["text"] for b in row] for row in parquet.read_table(tmp_path / "blocks.parquet")["blocks"].to_pylist()] == want
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(scan)
    assert frame["blocks"].explode().struct.field("text").to_list() == sum(want, [])
    duckdb = pytest.importorskip("duckdb")
    n = duckdb.sql("select count(*) from (select unnest(blocks) as b from scan) where b.t = 'p' and b.p > 0.5").fetchall()[0][0]
    assert n == sum(block["t"] == "p" and block["p"] > 0.5 for document in scan for block in document.blocks)


def test_texts_of_several_methods_are_a_struct(many, tmp_path):
    scan = danatext.scan(many, method=["learned", "danag", "danag:gap=40"])
    want = [document.texts for document in scan]
    table = pa.table(scan)
    table.validate(full=True)
    assert list(want[0]) == ["danag", "danag:gap=40"] and table["texts"].to_pylist() == want
    assert table.column_names[table.column_names.index("truncated") - 1] == "texts"
    scan.to_parquet(tmp_path / "texts.parquet")
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(tmp_path / "texts.parquet")["texts"].to_pylist() == want
    pages = pa.table(danatext.extract_column(pa.array([KINDS.encode(), None, b"%PDF-1.7"]), method=["plain", "danag"]))
    pages.validate(full=True)
    assert pages["texts"].to_pylist() == [danatext.extract(KINDS, method=["plain", "danag"]).texts, *[{"danag": None}] * 2]
    assert "texts" not in pa.table(danatext.open(many)).column_names
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(scan)["texts"].struct.field("danag").to_list() == [texts["danag"] for texts in want]
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select count(*) from scan where texts.danag = text").fetchall()[0][0] == sum(
        document.text == document.texts["danag"] for document in scan
    )


def test_html_is_a_column_where_it_is_asked_for(many):
    assert "html" not in pa.table(danatext.open(many)).column_names
    table = pa.table(danatext.open(many, html=True))
    assert table["html"].to_pylist() == [document.html for document in danatext.open(many, html=True)]


@pytest.mark.parametrize("limits", [{"batch_rows": 1}, {"batch_rows": 7}, {"batch_bytes": 1}, {"batch_bytes": 1000}])
def test_batches_of_any_size_have_the_same_rows(many, limits):
    whole = pa.table(danatext.open(many))
    reader = pa.RecordBatchReader.from_stream(danatext.open(many, **limits))
    batches = list(reader)
    assert pa.Table.from_batches(batches) == whole
    if "batch_rows" in limits:
        assert {batch.num_rows for batch in batches[:-1]} == {limits["batch_rows"]}
    assert len(batches) > 1


def test_the_iterator_and_the_stream_share_the_documents(many):
    archive = danatext.open(many)
    first = [next(archive) for _ in range(3)]
    assert len(first) + pa.table(archive).num_rows == 200


def test_a_batch_has_a_place_after_it(many):
    archive = danatext.open(many, batch_rows=30)
    reader = pa.RecordBatchReader.from_stream(archive)
    reader.read_next_batch()
    rest = pa.table(danatext.open(many, place=archive.place))
    assert rest.num_rows == 170


def test_an_empty_archive_is_an_empty_table(tmp_path):
    (tmp_path / "empty.warc").write_bytes(b"")
    table = pa.table(danatext.open(tmp_path / "empty.warc"))
    table.validate(full=True)
    assert table.num_rows == 0 and "text" in table.column_names


def test_a_failing_reader_is_the_streams_error():
    class Broken:
        def read(self, size):
            raise ConnectionError("the line is dead")

    with pytest.raises(OSError, match="ConnectionError: the line is dead"):
        pa.table(danatext.open(Broken()))
    archive = danatext.open(Broken())
    reader = pa.RecordBatchReader.from_stream(archive)
    for _ in range(2):  # it stays failed
        with pytest.raises(OSError, match="dead"):
            reader.read_next_batch()


def test_a_stream_outlives_the_archive_and_batches_the_stream(many):
    batch = next(iter(pa.RecordBatchReader.from_stream(danatext.open(many, batch_rows=2))))
    assert batch.column(0)[0].as_py().startswith(PARAGRAPH[:20])


def test_a_stream_of_a_closed_archive_is_an_error(many):
    archive = danatext.open(many)
    reader = pa.RecordBatchReader.from_stream(archive)
    archive.close()
    with pytest.raises(OSError, match="closed"):
        reader.read_next_batch()


# ---- columns of pages ----

PAGES = [f"<title>A</title><p>{PARAGRAPH * 3}".encode(), None, b"\x89PNG\r\n\x1a\n", b"", "<p>Größe".encode("latin-1")]


def check(table):
    rows = pa.table(table).to_pylist()
    assert len(rows) == len(PAGES)
    for row, html in zip(rows, PAGES):
        page = danatext.extract(html) if html is not None else None
        assert row["text"] == (page.text if page and not page.reason else None)
        assert row["reason"] == (page.reason if page else None)
        assert row["title"] == (page.title if page else None)
        assert row["problems"] == (page.asdict()["problems"] if page and not page.reason else None)


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view"])
def test_a_column_in_any_layout(kind):
    column = pa.array(PAGES, getattr(pa, kind)())
    check(pa.record_batch(danatext.extract_column(column)))
    check(pa.table(danatext.extract_column(column)))
    cut = pa.array([b"x", *PAGES, b"y"], getattr(pa, kind)())[1:-1]  # an offset in the array
    check(danatext.extract_column(cut))
    check(danatext.extract_column(pa.chunked_array([column[:2], column[2:]])))


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_texts_are_characters_already(kind):
    html = "<head><meta charset=shift_jis><title>Über</title>"
    table = pa.table(danatext.extract_column(pa.array([html], getattr(pa, kind)())))
    assert table["title"].to_pylist() == ["Über"]


def test_the_name_of_a_page_in_a_column_has_a_reason():
    form = [name for name in NAMES if not name.endswith("notes")]  # not whether there is such a file
    for kind in "string", "large_string", "string_view":
        column = pa.array([*form, None, *NO_NAMES, "<p>" + form[0]], getattr(pa, kind)())
        table = pa.table(danatext.extract_column(column, method="plain"))
        reasons = table["reason"].to_pylist()
        for name, text, reason in zip(form, table["text"].to_pylist(), reasons):
            assert text is None
            kinds = {"danatext.open": "an archive", "fetch(": "a URL", "fetches none": "a URL"}
            kind_of = [kinds[words] for words in kinds if words in NAMES[name]] or ["a file"]
            assert kind_of[0] in reason
        assert reasons[len(form) :] == [None] * (len(NO_NAMES) + 2)
        assert table["text"].to_pylist()[-1] == form[0]
    # Bytes are taken as they are.
    table = pa.table(danatext.extract_column(pa.array([b"page.html"]), method="plain"))
    assert table["text"].to_pylist() == ["page.html"] and table["reason"].to_pylist() == [None]


def test_columns_that_hold_something_else():
    for column in pa.array([1]), pa.array([b"x"]).dictionary_encode():
        with pytest.raises(danatext.OptionError, match="binary or utf8"):
            pa.array(danatext.extract_column(column))
    with pytest.raises(TypeError, match="pyarrow"):
        danatext.extract_column([b"x"])
    with pytest.raises(danatext.UnknownMethod):
        danatext.extract_column(pa.array([b"x"]), method="klingon")


def test_columns_of_polars():
    pl = pytest.importorskip("polars")
    for column in pl.Series(PAGES), pl.Series([PAGES[0].decode()]):
        frame = pl.DataFrame(danatext.extract_column(column))
        assert frame["title"][0] == "A"
    check(danatext.extract_column(pl.Series(PAGES)))
