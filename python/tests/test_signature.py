# SPDX-License-Identifier: MIT
"""danatext.signatures: the same as the plugin dedup-near writes."""

import json
import subprocess

import danatext
import pytest
from danatext.signature import similarity

pyarrow = pytest.importorskip("pyarrow")


def test_signatures_find_the_duplicates_that_the_command_finds(many, dana, tmp_path):
    """The groups of equal buckets, and the similarity, are those of `dana dedup cluster`."""
    documents = dana("--plugin", f"dedup-near:signatures={tmp_path}/sig", many)
    for arguments in (["cluster", "-o", "rows", "sig"], ["apply", "-o", "clean.jsonl", "--rejects", "--rows", "rows", "all.jsonl"]):
        (tmp_path / "all.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
        subprocess.run([dana.program, "dedup", *arguments], cwd=tmp_path, check=True, capture_output=True)
    rejects = {r["id"]: r for r in map(json.loads, (tmp_path / "clean.jsonl.rejects.jsonl").read_text().splitlines())}
    assert rejects
    signed = danatext.signatures(pyarrow.array([d["text"] for d in documents])).to_pylist()
    number = {d["id"]: i for i, d in enumerate(documents)}
    first = {}
    for i, s in enumerate(signed):
        shared = [first[band, bucket] for band, bucket in enumerate(s["buckets"]) if (band, bucket) in first]
        assert bool(shared) == (documents[i]["id"] in rejects)
        for key in enumerate(s["buckets"]):
            first.setdefault(key, i)
    for identity, reject in rejects.items():
        a, b = signed[number[identity]]["lowest"], signed[number[reject["duplicate_of"]["id"]]]["lowest"]
        assert similarity(a, b) == pytest.approx(reject["similarity"], abs=1e-6)


def test_a_text_without_words_has_none_and_shapes_are_checked():
    signed = danatext.signatures(["one two", None, " ,. ", "one two"], bands=3, rows=2)
    assert [s.as_py() is None for s in signed] == [False, True, True, False]
    assert signed[0] == signed[3]
    assert len(signed[0]["buckets"]) == 3 and len(signed[0]["lowest"].as_py()) == 6
    assert len(danatext.signatures([])) == 0
    for bands, rows in (0, 8), (200, 1), (16, 9):
        with pytest.raises(danatext.OptionError):
            danatext.signatures(["x"], bands=bands, rows=rows)
    with pytest.raises(TypeError):
        danatext.signatures([b"bytes"])
