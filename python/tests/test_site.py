# SPDX-License-Identifier: MIT
"""Tables of sites: the files of ``dana site``, the rows of ``dana filter --site``, however archives are cut."""

import concurrent.futures
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys

import danatext
import pytest
from conftest import SlashPath, members

OFFER = "Follow our letter again"
METHOD = "learned:recall=70"


def page(host, number):
    story = "".join(
        f"<p>On day {day} of week {number} the keeper of {host} walked {day * number} steps to the lamp, lit it, and wrote down who had come.</p>"
        for day in range(1, 7)
    )
    html = f"<html><body><div class=content><h1>Week {number}</h1>{story}<div class=letter><p>{OFFER}</p></div></div></body></html>".encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{sum(host.encode()) * 100 + number:032}>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
    head += f"WARC-Target-URI: http://{host}/{number}\r\nContent-Type: text/html\r\nContent-Length: {len(html)}\r\n\r\n"
    return head.encode() + html + b"\r\n\r\n"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Two archives of five sites, whose pages are mixed, and one without a page."""
    folder = SlashPath(tmp_path_factory.mktemp("crawl"))
    hosts = ["www.harbour.example", "old.harbour.example", "127.0.0.1:8000", "lamp.co.uk", "quay.example"]
    pages = [page(host, number) for number in range(8) for host in hosts] + [page("alone.example", 1)]
    (folder / "a.warc.gz").write_bytes(members(pages[:25]))
    (folder / "b.warc").write_bytes(b"".join(pages[25:]))
    (folder / "none.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    return [str(folder / "a.warc.gz"), str(folder / "b.warc")]


@pytest.fixture(scope="module")
def table(crawl, tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "crawl.site"
    assert danatext.learn_site(crawl, path) == 41
    return path


def command(dana, *arguments):
    done = subprocess.run([dana.program, "site", *map(str, arguments)], capture_output=True, text=True, check=False)
    if "built without" in done.stderr:
        pytest.skip("the program dana was built without what finds duplicates")
    assert done.returncode == 0, done.stderr


def offers(documents):
    return sum(OFFER in document.text for document in documents)


@pytest.mark.parametrize("least", [1, 2, 5])
@pytest.mark.parametrize("jobs", [0, 2])
def test_the_table_is_that_of_the_command(dana, crawl, tmp_path, least, jobs):
    command(dana, "learn", "-o", tmp_path / "command", "--least", least, "-j", jobs, *crawl)
    danatext.learn_site(crawl, tmp_path / "here", least=least)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "command").read_bytes()
    danatext.learn_site(reversed(crawl), tmp_path / "here", least=least, memory=8192, force=True)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "command").read_bytes()


def learn_part(part, path):
    return danatext.learn_site(part, path, least=1)


@pytest.mark.parametrize("split_bytes", [700, 4000, 30000, None])
def test_parts_of_any_size_are_the_whole(dana, crawl, tmp_path, split_bytes):
    danatext.learn_site(crawl, tmp_path / "whole", least=1)
    parts = danatext.scan(crawl, split_bytes=split_bytes).splits()
    names = [tmp_path / f"{number}.site" for number in range(len(parts))]
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert sum(pool.map(learn_part, parts, names)) == 41
    danatext.merge_sites(names, tmp_path / "merged")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
    danatext.learn_site(crawl, tmp_path / "usual")
    danatext.merge_sites(str(tmp_path / "merged"), tmp_path / "one", least=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "usual").read_bytes()
    danatext.merge_sites(names, tmp_path / "two", least=2)
    assert (tmp_path / "two").read_bytes() == (tmp_path / "usual").read_bytes()
    if len(names) <= 64:
        command(dana, "merge", "-o", tmp_path / "command", *names)
        assert (tmp_path / "merged").read_bytes() == (tmp_path / "command").read_bytes()


def test_many_tables_are_merged_in_steps(crawl, tmp_path):
    danatext.learn_site(crawl, tmp_path / "one", least=1)
    danatext.learn_site(crawl * 150, tmp_path / "all", least=1)
    danatext.merge_sites([tmp_path / "one"] * 150, tmp_path / "merged")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "all").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["all", "merged", "one"]


@pytest.mark.parametrize("options", [{}, {"text": "plain,markdown,blocks", "dropped": True}, {"method": [METHOD, "danag"]}])
def test_rows_are_those_of_the_command(dana, crawl, table, options):
    given = {"method": METHOD, **options}
    words = [word for each in ([given["method"]] if isinstance(given["method"], str) else given["method"]) for word in ("-m", each)]
    words += ["--text", given["text"], "--dropped"] if "text" in given else []
    scan = danatext.scan(crawl, split_bytes=3000, site=table, **given)
    rows = [document.asdict() for document in scan]
    for jobs in 0, 1, 2:
        assert rows == dana(*words, "-j", str(jobs), "--site", str(table), *crawl)
    assert [document.asdict() for part in scan.splits() for document in scan.of(part)] == rows
    assert [document.asdict() for document in pickle.loads(pickle.dumps(scan))] == rows
    assert [document.asdict() for document in danatext.scan(crawl, site=os.fsencode(table), **given)] == rows
    assert offers(scan) == 1 and offers(danatext.scan(crawl, **given)) == 41
    if "text" in given:
        blocks = [block for row in rows for block in row["blocks"] if block.get("text") == OFFER]
        assert sorted({block.get("site_pages", 0) for block in blocks}) == [0, 7, 15]
    assert [document.asdict() for path in crawl for document in danatext.open(path, site=table, **given)] == rows


def test_columns_are_the_same(crawl, table):
    pa = pytest.importorskip("pyarrow")
    scan = danatext.scan(crawl, site=table, method=METHOD)
    assert pa.table(scan)["text"].to_pylist() == [document.text for document in scan]
    assert pa.schema(danatext.scan(crawl, site="/nowhere/at.all")) == pa.schema(danatext.scan(crawl))


def test_threads_share_the_table(crawl, table):
    want = [document.text for document in danatext.scan(crawl, site=table, method=METHOD)]

    def read(_):
        return [document.text for document in danatext.scan(crawl, site=table, method=METHOD)]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(texts == want for texts in pool.map(read, range(12)))


def test_a_table_that_is_replaced_is_read_anew(crawl, table, tmp_path):
    path = tmp_path / "now.site"
    path.write_bytes(table.read_bytes())
    archives = danatext.scan(crawl, site=path, method=METHOD)
    before = danatext.open(crawl[0], site=path, method=METHOD)
    assert offers(archives) == 1
    danatext.learn_site([], path, force=True)
    assert offers(archives) == 41
    assert offers(before) == 0  # an archive that is open keeps the table that it has
    path.unlink()
    with pytest.raises(FileNotFoundError):
        list(archives)


def test_parts_without_pages_have_tables(crawl, table, tmp_path):
    none = pathlib.Path(crawl[0]).with_name("none.warc")
    assert danatext.learn_site(none, tmp_path / "none.site") == 0
    danatext.merge_sites([tmp_path / "none.site", table], tmp_path / "merged")
    assert (tmp_path / "merged").read_bytes() == table.read_bytes()


def test_mistakes_and_damage(crawl, table, tmp_path):
    path = tmp_path / "x.site"
    with pytest.raises(FileNotFoundError):
        danatext.learn_site([crawl[0], "/nowhere/a.warc"], path)
    with pytest.raises(OSError, match="nowhere"):
        danatext.learn_site(crawl, "/nowhere/x.site")
    for wrong in {"least": 0}, {"size": 0}, {"memory": 8191}, {"least": 2**64}, {"size": 2**64}, {"memory": 2**64}:
        with pytest.raises(danatext.OptionError, match=next(iter(wrong))):
            danatext.learn_site(crawl, path, **wrong)
    with pytest.raises(danatext.Error, match="more than --size"):
        danatext.learn_site(crawl, path, size=1)
    with pytest.raises(danatext.OptionError, match="no tables"):
        danatext.merge_sites([], path)
    for least in 0, 2**64:
        with pytest.raises(danatext.OptionError, match="least"):
            danatext.merge_sites([table], path, least=least)
    assert os.listdir(tmp_path) == []
    for call in danatext.learn_site, danatext.merge_sites:
        with pytest.raises(FileExistsError, match=f"force=True.*{re.escape(repr(str(table)))}"):
            call(crawl, table)
    for word in "auto", "window", "window:64M":
        with pytest.raises(danatext.OptionError, match="learn_site"):
            danatext.scan(crawl, site=word)
    assert offers(danatext.scan(crawl, site="off", method=METHOD)) == offers(danatext.scan(crawl, site=None, method=METHOD)) == 41
    good = table.read_bytes()
    for damaged in good[:-1], good[:40] + b"\xff" + good[41:], b"", b"no table of anything " * 100:
        path.write_bytes(damaged)
        with pytest.raises(OSError, match="x.site"):
            list(danatext.scan(crawl, site=path))
        with pytest.raises(OSError, match="x.site"):
            danatext.merge_sites([table, path], tmp_path / "merged")
    assert os.listdir(tmp_path) == ["x.site"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("reads", [0, 1, 3])
def test_a_failed_pass_leaves_nothing_for_the_next(crawl, tmp_path, error, reads):
    class Breaking(io.BytesIO):
        left = reads

        def read(self, size=-1):
            self.left -= 1
            if self.left < 0:
                raise error
            return super().read(100)

    with open(crawl[1], "rb") as file, pytest.raises(error) as caught:
        danatext.learn_site(Breaking(file.read()), tmp_path / "x.site")
    assert caught.value.__traceback__  # which a notebook keeps, too
    assert os.listdir(tmp_path) == []
    assert danatext.learn_site(crawl, tmp_path / "x.site") == 41


def test_other_processes_read_the_same(dana, crawl, table):
    want = [document.asdict() for document in danatext.scan(crawl, site=table, method=METHOD)]
    program = "import sys, json, danatext; print(json.dumps([d.asdict() for d in danatext.scan(sys.argv[3:], site=sys.argv[1], method=sys.argv[2])]))"
    run = subprocess.run(
        [sys.executable, "-c", program, str(table), METHOD, *crawl],
        capture_output=True, check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert json.loads(run.stdout) == want
    if not hasattr(os, "fork"):
        return
    child = os.fork()
    if child == 0:
        os._exit([d.asdict() for d in danatext.scan(crawl, site=table, method=METHOD)] != want)
    assert os.waitpid(child, 0)[1] == 0
