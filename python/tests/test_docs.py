# SPDX-License-Identifier: MIT
"""The examples of README and tutorial run, and the API page names everything."""

import doctest
import inspect
import pathlib
import re
import shutil

import danatext
import pytest
from danatext import options

HERE = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture
def crawl(tmp_path, monkeypatch, sample):
    shutil.copy(sample, tmp_path / "crawl.warc.gz")
    monkeypatch.chdir(tmp_path)


def test_the_readme_runs(crawl, capsys):
    pytest.importorskip("pyarrow")
    blocks = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.S)
    assert len(blocks) == 1 and len(blocks[0].strip().splitlines()) <= 10
    exec(blocks[0], {})
    assert "en.html" in capsys.readouterr().out
    assert pathlib.Path("clean.parquet").stat().st_size > 1000


def test_the_tutorial_runs(crawl):
    for package in "pyarrow", "polars", "duckdb":
        pytest.importorskip(package)
    text = (HERE / "TUTORIAL.md").read_text()
    result = doctest.testfile(str(HERE / "TUTORIAL.md"), module_relative=False, encoding="utf-8")
    assert result.attempted >= 25 and result.failed == 0
    assert len(re.findall(r"^## \d", text, re.M)) == 5


def test_the_api_page_names_everything():
    text = (HERE / "API.md").read_text()
    words = set(re.findall(r"\w+", text))
    public = set(danatext.__all__) - {"__version__", "Column"}
    assert not public - words
    assert not set(inspect.signature(options.settings).parameters) - words
    for each in danatext.Document, danatext.Page, danatext.Reject:
        assert not set(each._fields) - words
    for each in danatext.extract, danatext.extract_many, danatext.extract_column, danatext.open, danatext.scan:
        assert not set(inspect.signature(each).parameters) - words
        assert each.__doc__
    for each in danatext.Archive, danatext.Scan:
        assert not {name for name in vars(each) if not name.startswith("_")} - words


def test_compare_prints_a_table(sample, tmp_path, capsys, monkeypatch):
    from danatext import compare

    (tmp_path / "a.html").write_text("<p>" + "word and word. " * 100)
    monkeypatch.setattr("sys.argv", ["compare", str(tmp_path), sample, "--rounds", "1"])
    compare.main()
    out = capsys.readouterr().out
    assert "8 pages" in out and re.search(r"danatext \d.* 1\.00", out)
    monkeypatch.setattr("sys.argv", ["compare", str(tmp_path), "--show", "1"])
    compare.main()
    assert "word and word." in capsys.readouterr().out
