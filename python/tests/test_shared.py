# SPDX-License-Identifier: MIT
"""Archives and pages of others, where a folder of them is there: as `dana filter`, whole and in parts, and no page raises."""

import io
import json
import os
import types

import danatext
import pytest
from conftest import without_nulls

EVERY = int(os.environ.get("CHECK_WARCS_EVERY", "1"))
NOT_ARCHIVES = (".tsv", ".md", ".jsonl", ".json", ".txt", ".html", ".wacz")


def archives(shared):
    files = sorted(
        path
        for folder in ("warcs", "hostile")
        for path in (shared / folder).rglob("*")
        if path.is_file() and not path.name.endswith(NOT_ARCHIVES)
    )
    assert files
    return files[EVERY - 1 :: EVERY]


def rows(source, **options):
    """The documents and the counts; a file that is no archive has counts alone."""
    with danatext.open(source, **options) as archive:
        try:
            documents = [document.asdict() for document in archive]
        except danatext.NotAnArchive:
            documents = []
        return documents, archive.counts


def test_each_archive_is_read_as_the_command_reads_it(shared, dana, tmp_path):
    bad = []
    for path in archives(shared):
        want = dana("--stats", str(tmp_path / "stats"), str(path))
        stats = json.loads((tmp_path / "stats").read_text())
        got, counts = rows(path)
        if got != want:
            bad.append(path)
        elif any(counts[name] != stats[name] for name in ("records", "skipped", "damaged", "problems")):
            bad.append(f"{path}: counts")
    assert not bad


def test_each_archive_byte_by_byte(shared):
    """As a pipe gives it: in a pipe nothing can be read twice, so damage is compared by what it leaves."""
    bad = []
    for path in archives(shared):
        if path.stat().st_size > 100_000:
            continue
        pipe, single = (types.SimpleNamespace(read=io.BytesIO(path.read_bytes()).read) for _ in range(2))
        single.read = lambda size, read=single.read: read(1)
        if rows(single)[0] != rows(pipe)[0]:
            bad.append(path)
    assert not bad


def test_blocks_of_each_archive(shared, dana):
    """In documents and in batches, as the command writes them; of each tenth archive, since blocks are many."""
    pa = pytest.importorskip("pyarrow")
    bad, n = [], 0
    for path in archives(shared)[::10]:
        options = {"text": "plain,markdown,blocks", "dropped": True}
        want = dana("--text", "plain,markdown,blocks", "--dropped", str(path))
        got, counts = rows(path, **options)
        if got != want:
            bad.append(path)
        if "not_an_archive" in counts["damaged"]:
            continue
        table = pa.table(danatext.open(path, **options))
        table.validate(full=True)
        if without_nulls(table["blocks"].to_pylist()) != [row["blocks"] for row in want]:
            bad.append(f"{path}: batches")
        n += sum(len(row["blocks"]) for row in want)
    assert n and not bad


@pytest.mark.parametrize("parts", [2, 5, 50])
def test_each_archive_in_parts(shared, parts):
    bad, n = [], 0
    for path in archives(shared):
        whole, _ = rows(path)
        if len(whole) < 2:
            continue
        n += 1
        size = path.stat().st_size
        cuts = [*dict.fromkeys(size * i // parts for i in range(parts)), None]
        got = [row for begin, end in zip(cuts, cuts[1:]) for row in rows(path, begin=begin, end=end)[0]]
        if got != whole:
            bad.append(path)
    assert n and not bad


def test_no_page_raises(shared):
    pages = sorted(path for path in shared.rglob("*") if path.suffix in (".html", ".htm") and path.stat().st_size < 5_000_000)[::EVERY]
    for path in pages:
        page = danatext.extract(path.read_bytes())
        assert page.reason is None or page.text == ""
    assert pages
