# SPDX-License-Identifier: MIT
"""The API page names everything, and the comparison prints its table."""

import importlib
import inspect
import pathlib
import re

import danatext
import pytest
from danatext import options

HERE = pathlib.Path(__file__).resolve().parents[1]


def test_the_api_page_names_everything():
    text = (HERE / "API.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text))
    public = set(danatext.__all__) - {"__version__", "Column"}
    assert not public - words
    assert not set(inspect.signature(options.settings).parameters) - words
    for each in danatext.Document, danatext.Page, danatext.Reject:
        assert not set(each._fields) - words
    for each in danatext.extract, danatext.extract_many, danatext.extract_column, danatext.open, danatext.scan, danatext.learn_site, danatext.merge_sites:
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
    assert " chars " in out.splitlines()[1]
    for name in "trafilatura", "readability-lxml", "resiliparse", "justext":
        try:
            importlib.import_module(name.partition("-")[0])
        except ImportError:  # also of what it imports
            assert name not in out
        else:
            assert name in out
    monkeypatch.setattr("sys.argv", ["compare", str(tmp_path), "--show", "1"])
    compare.main()
    assert "word and word." in capsys.readouterr().out


def test_what_users_of_other_tools_do(monkeypatch):
    page = HERE.parent / "doc" / "OTHER-TOOLS.md"
    if not page.exists():
        pytest.skip("the pages of the documentation are not here")
    monkeypatch.chdir(HERE.parent)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    names: "dict[str, object]" = {}
    for block in blocks:
        exec(block, names)
    assert len(blocks[1].splitlines()) == 11 and all("  # " in line for line in blocks[1].splitlines()[1:])
    assert names["text"] in names["plain"] or len(names["text"]) < len(names["plain"])
    assert names["xml"].startswith("<doc ") and "<TEI " in names["tei"] and names["markdown"].startswith("# ")
    assert names["fields"]["text"] == names["text"] and names["texts"] == [names["text"]] * 2
    assert len(names["precise"]) <= len(names["broad"]) and names["pruned"]
