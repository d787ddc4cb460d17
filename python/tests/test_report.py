# SPDX-License-Identifier: MIT
"""Scan.report: the page of dana filter --report."""

import json
import pickle
import re
import subprocess
import zipfile

import danatext
import pytest
from conftest import members, record


def without(page, *sections):
    """The page without some of its sections, and without the links to them."""
    for name in sections:
        page = re.sub(rf'<li><a href="#{name}">[^<]*</a>', "", page)
        page = re.sub(rf'<section aria-labelledby="{name}">.*?</section>\n', "", page, flags=re.S)
    return re.sub(r"<div><dt>bytes written.*\n", "", page)


@pytest.fixture
def of_dana(dana, tmp_path):
    """The page that `dana filter --report` makes."""

    def run(*arguments):
        page = tmp_path / "dana.html"
        subprocess.run([dana.program, "filter", "-q", "-o", str(tmp_path / "out.jsonl"), "--force", "--report", str(page), *map(str, arguments)], check=False)
        return page.read_text(encoding="utf-8")

    return run


def test_it_is_the_page_of_the_command(sample, many, of_dana):
    scan = danatext.scan([sample, many])
    page = scan.report().html
    assert "records came in" in page and "<script" not in page
    assert without(page, "settings") == without(of_dana(sample, many), "time", "settings")


@pytest.mark.parametrize("plugins", [["quality"], ["quality", "dedup-exact"]])
def test_what_plugins_drop_is_in_it(sample, many, of_dana, plugins):
    page = danatext.scan([sample, many, sample], plugins=plugins).report().html
    named = [word for plugin in plugins for word in ("--plugin", plugin)]
    assert without(page, "settings") == without(of_dana(*named, sample, many, sample), "time", "settings")
    assert "plugin quality" in page and "method learned" in page


def test_it_is_of_the_last_pass(sample, many):
    scan = danatext.scan([sample, many], report=True)
    whole = danatext.scan([sample, many]).report().html
    assert scan.report().html == whole  # nothing was read yet: now it is
    iterator = iter(scan)
    next(iterator)
    assert "1 of these were written" in scan.report().html
    n = 1 + sum(1 for _ in iterator)
    assert scan.report().html == whole and f"{n:,} of these were written" in whole
    assert pickle.loads(pickle.dumps(scan)).report().html == whole
    assert len(list(scan)) == n
    assert "report" not in next(scan.archives()).counts


def test_parts_of_files_are_the_whole(sample, many):
    scan = danatext.scan([sample, many], split_bytes=3000)
    parts = scan.splits()
    assert len(parts) > 2
    assert without(danatext.scan(parts).report().html) == without(scan.report().html)


def test_a_notebook_and_a_file_have_it(sample, tmp_path):
    report = danatext.scan(sample).report()
    shown = report._repr_html_()
    assert shown.startswith("<iframe sandbox ") and shown.count("<") == 2
    report.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == report.html
    assert "save" in repr(report)


def test_nothing_has_a_report_too():
    assert "0 records came in" in danatext.scan([]).report().html


def test_the_archives_of_a_wacz_are_one_run(of_dana, tmp_path):
    wacz = tmp_path / "pages.wacz"
    with zipfile.ZipFile(wacz, "w") as z:
        for i in range(3):
            z.writestr(f"archive/{i}.warc.gz", members(record(n) for n in range(10 * i, 10 * i + 5 + i)))
    scan = danatext.scan(wacz, report=True)
    assert len(list(scan)) == 18
    assert without(scan.report().html, "settings") == without(of_dana(str(wacz)), "time", "settings")


def test_counters_without_a_report_are_refused():
    from danatext import _dana

    for counts in ("{}", "[]", "nothing", json.dumps({"records": 1, "report": []})):
        with pytest.raises(danatext.Error):
            _dana.report_page(counts)
