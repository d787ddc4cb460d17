# SPDX-License-Identifier: MIT
"""Revisits: the same documents as of `dana filter --revisits resolve`."""

import json
import pickle
import subprocess
import sys
import zipfile

import pytest

import danatext
from conftest import SlashPath, TOP


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = SlashPath(tmp_path_factory.mktemp("revisits"))
    subprocess.run([sys.executable, TOP / "tests/support/make_revisits.py", folder], check=True)
    return [folder / "one.warc.gz", folder / "two.warc.gz"]


def test_scan(archives, dana):
    wanted = dana("--revisits", "resolve", *map(str, archives))
    scan = danatext.scan(archives, revisits="resolve")
    found = [document.asdict() for document in scan]
    assert found == wanted
    assert sum(row["resolved_from"] is not None for row in found) > 5
    assert [document.asdict() for document in pickle.loads(pickle.dumps(scan))] == wanted
    parts = danatext.scan(archives, revisits="resolve", split_bytes=2000)
    assert len(parts.splits()) > 2
    assert [document.asdict() for part in parts.splits() for document in parts.of(part)] == wanted
    table = pytest.importorskip("pyarrow").table(scan)
    assert [row and json.loads(row) for row in table["resolved_from"].to_pylist()] == [row["resolved_from"] for row in wanted]


def test_counted(archives, dana):
    wanted = dana(*map(str, archives))
    assert [document.asdict() for document in danatext.scan(archives)] == wanted
    assert [document.asdict() for document in danatext.scan(archives, revisits="count")] == wanted
    with danatext.open(archives[0]) as archive:
        assert [document.resolved_from for document in archive] == [None] * len(dana(str(archives[0])))
        assert archive.counts["skipped"]["revisit"] > 0


def test_open(archives, dana):
    """An archive by itself, and with the records of others."""
    wanted = dana("--revisits", "resolve", *map(str, archives))
    with danatext.open(archives[0], revisits="resolve") as archive:
        alone = [document.asdict() for document in archive]
    assert alone == dana("--revisits", "resolve", str(archives[0]))
    with danatext.open(archives[0], revisits=archives) as archive:
        both = [document.asdict() for document in archive]
    assert both == [row for row in wanted if row["file"] == str(archives[0])]
    with open(archives[0], "rb") as file, danatext.open(file, name=str(archives[0]), revisits=archives) as archive:
        assert [document.asdict() for document in archive] == both


def test_wacz(archives, tmp_path, dana):
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as out:
        for path in archives:
            out.write(path, f"archive/{path.name}")
    wanted = dana("--revisits", "resolve", str(tmp_path / "a.wacz"))
    assert [document.asdict() for document in danatext.scan(tmp_path / "a.wacz", revisits="resolve")] == wanted
    with zipfile.ZipFile(tmp_path / "b.wacz", "w", zipfile.ZIP_DEFLATED) as out:
        out.write(archives[0], "archive/one.warc.gz")
    with pytest.warns(UserWarning, match="deflated in its zip"):
        assert all(document.resolved_from is None for document in danatext.scan(tmp_path / "b.wacz", revisits="resolve"))


def test_refused(archives, tmp_path):
    with open(archives[0], "rb") as file:
        with pytest.raises(danatext.OptionError, match="reads archives twice, and BufferedReader is no file"):
            danatext.open(file, revisits="resolve")
    with pytest.raises(danatext.OptionError, match="'http://h/a.warc.gz' is no file on this machine"):
        danatext.open(archives[0], revisits=["http://h/a.warc.gz"])
    with pytest.raises(OSError):
        danatext.open(archives[0], revisits=tmp_path / "missing.warc.gz")
