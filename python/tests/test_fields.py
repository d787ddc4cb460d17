# SPDX-License-Identifier: MIT
"""danatext.scan(..., fields=): the fields of `dana filter --fields`, in their order, iterated, in files and in columns."""

import gzip
import json
import pathlib
import pickle
import re

import danatext
import pytest
from danatext.fields import FACTS, OF_DOCUMENTS

NAMES = ["url", "quality.words", "text", "problems", "author", "site", "metadata.title_from", "metadata", "http_status", "truncated"]
OPTIONS = {"plugins": ["metadata", "quality:annotate=1"]}
PLUGINS = ["--plugin", "metadata", "--plugin", "quality:annotate=1"]


def test_rows_are_those_of_the_command(dana, sample, many):
    scan = danatext.scan([sample, many], fields=NAMES, **OPTIONS)
    expected = dana(*PLUGINS, "--fields", ",".join(NAMES), sample, many)
    assert list(scan) == list(scan) == expected
    assert [list(row) for row in scan] == [list(row) for row in expected]
    assert any(row["quality.words"] for row in expected) and any(row["metadata.title_from"] for row in expected)
    assert list(danatext.scan([sample, many], fields=",".join(NAMES), **OPTIONS)) == expected
    assert list(pickle.loads(pickle.dumps(scan))) == expected
    assert [row for part in scan.splits() for row in scan.of(part)] == expected
    assert isinstance(scan, danatext.Rows) and isinstance(scan, danatext.Scan)


def test_names_are_those_of_the_command(dana, sample):
    given = ["--plugin", "metadata", "--plugin", "language", "--text", "plain,markdown,blocks", "-m", "learned", "-m", "plain"]
    given += ["--comments", "apart", "--revisits", "resolve"]
    names = [name for name in (*OF_DOCUMENTS, *FACTS) if name != "html"]
    rows = danatext.scan(
        sample,
        method=["learned", "plain"],
        plugins=["metadata", "language"],
        text="plain,markdown,blocks",
        comments="apart",
        revisits="resolve",
        fields=names,
    )
    assert list(rows) == dana(*given, "--fields", ",".join(names), sample)


def test_facts_are_those_of_the_plugin():
    source = pathlib.Path(__file__).parents[2] / "plugins" / "metadata" / "scan.c"
    rows = re.search(r"fact_keys\[FACTS\] = \{(.*?)\}", source.read_text(encoding="utf-8"), re.S)
    keys = re.findall(r'"(\w+)"', rows.group(1))
    assert len(keys) > 8
    assert set(FACTS) == set(keys) - set(OF_DOCUMENTS)


def test_a_file_of_lines(dana, sample, tmp_path):
    for fields in (None, NAMES):
        scan = danatext.scan(sample, fields=fields, **OPTIONS)
        expected = dana(*PLUGINS, *(["--fields", ",".join(fields)] if fields else []), sample)
        assert scan.to_jsonl(tmp_path / "a.jsonl") == len(expected) > 0
        lines = (tmp_path / "a.jsonl").read_bytes()
        assert [json.loads(line) for line in lines.splitlines()] == expected
        assert scan.to_jsonl(tmp_path / "a.jsonl.gz") == len(expected)
        packed = (tmp_path / "a.jsonl.gz").read_bytes()
        assert gzip.decompress(packed) == lines
        scan.to_jsonl(tmp_path / "b.jsonl.gz")
        assert (tmp_path / "b.jsonl.gz").read_bytes() == packed
    with pytest.raises(FileNotFoundError):
        danatext.scan("/nowhere/a.warc").to_jsonl(tmp_path / "c.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "a.jsonl.gz", "b.jsonl.gz"]


def test_columns_are_chosen_and_in_order(sample, many, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    scan = danatext.scan([sample, many], fields=NAMES, batch_rows=3, **OPTIONS)
    table = pyarrow.table(scan)
    assert table.column_names == pyarrow.schema(scan).names == NAMES
    assert table.schema == pyarrow.schema(scan)
    rows = list(scan)
    for name in ("url", "text", "problems", "author", "site", "metadata.title_from", "http_status", "truncated"):
        assert table.column(name).to_pylist() == [row[name] for row in rows]
    whole = pyarrow.table(danatext.scan([sample, many], **OPTIONS))
    assert table.column("url").type == whole.column("url").type and table.column("metadata").equals(whole.column("metadata"))
    # what is no text under a key is its JSON
    assert [json.loads(text) for text in table.column("quality.words").to_pylist()] == [row["quality.words"] for row in rows]
    assert scan.to_parquet(tmp_path / "a.parquet") == len(rows)
    assert parquet.read_table(tmp_path / "a.parquet").equals(table)


@pytest.mark.parametrize(
    "fields, options, words",
    [
        ([], {}, "fields is empty"),
        (["url", "url"], {}, "'url' is given twice"),
        (["urll"], {}, "'urll' is unknown; .*did you mean 'url'"),
        (["quality.words"], {}, "'quality.words' is unknown"),
        (["additions"], {}, "'additions' is unknown"),
        (["author"], {}, r"'author' only with plugins=\['metadata'\]"),
        (["metadata.author"], {}, r"only with plugins=\['metadata'\]"),
        (["language"], {}, r"only with plugins=\['language'\]"),
        (["markdown"], {}, "only with text='plain,markdown'"),
        (["blocks"], {"text": "plain,markdown"}, "only with text='plain,blocks'"),
        (["comments"], {}, "only with comments='apart'"),
        (["texts"], {}, "only with several methods"),
        (["html"], {}, "only with html=True"),
        (["resolved_from"], {}, "only with revisits='resolve'"),
    ],
)
def test_wrong_names(sample, fields, options, words):
    with pytest.raises(danatext.OptionError, match=words):
        danatext.scan(sample, fields=fields, **options)
