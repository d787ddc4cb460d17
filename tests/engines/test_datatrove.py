# SPDX-License-Identifier: MIT
"""datatrove: DanaReader and DanaExtractor, by its local executor, with a kill, by that of Ray, and on Slurm where a cluster is up."""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import time

import pytest
from conftest import SPLIT, Killer, digest, run_recipe

HERE = pathlib.Path(__file__).resolve().parent
RUN = HERE / "run_datatrove.py"


def lines(folder):
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl.gz")) for line in gzip.open(path)]


def run(*arguments, **options):
    return subprocess.run([sys.executable, RUN, *map(str, arguments)], capture_output=True, text=True, **options)


def rows(documents):
    """As the rows of the command: datatrove's layout without what it adds."""
    return [{"text": d["text"], "id": d["id"], **{k: v for k, v in d["metadata"].items() if k != "file_path"}} for d in documents]


@pytest.mark.parametrize("how, split", [("local", 0), ("local", SPLIT), ("ray", SPLIT)])
def test_documents_are_those_of_the_command(archives, command, tmp_path, how, split):
    done = run(how, archives, tmp_path, split)
    assert done.returncode == 0, done.stderr
    assert digest(rows(lines(tmp_path / "docs"))) == digest(command[0])
    (reject,) = lines(tmp_path / "rejects")
    assert reject["metadata"]["filter_reason"] == "bad_member"
    assert reject["metadata"]["file_path"].endswith("damaged.warc.gz")
    stats = json.loads((tmp_path / "logs" / "stats.json").read_text())[0]["stats"]
    count = lambda name: stats[name]["total"] if isinstance(stats[name], dict) else stats[name]  # noqa: E731
    assert count("records") == command[1]["records"]
    assert count("damaged_bad_member") == 1
    assert count("skipped_type") == command[1]["skipped"]["type"]


def test_the_same_bytes_twice_and_after_a_kill(archives, tmp_path):
    assert run("local", archives, tmp_path / "one", SPLIT).returncode == 0
    command = [sys.executable, RUN, "local", archives, tmp_path / "two", str(SPLIT)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    with Killer(archives) as killer:
        while killer.is_alive() and process.poll() is None:
            time.sleep(0.01)
    os.killpg(process.pid, 9)  # its pool waits for the worker for ever
    process.wait()
    assert killer.killed
    assert not (tmp_path / "two" / "logs" / "stats.json").exists()
    assert run("local", archives, tmp_path / "two", SPLIT).returncode == 0
    for kind in "docs", "rejects":
        assert lines(tmp_path / "one" / kind) == lines(tmp_path / "two" / kind)


@pytest.mark.parametrize("how, others", [("extract", set()), ("several", {"danag", "plain"})])
def test_the_extractor_finds_the_texts_of_the_reader(archives, command, tmp_path, how, others):
    done = run(how, archives, tmp_path, 0)
    assert done.returncode == 0, done.stderr
    found = lines(tmp_path / "docs")
    assert {d["metadata"]["url"]: d["text"] for d in found} == {row["url"]: row["text"] for row in command[0]}
    assert all(set(d["metadata"].get("texts", ())) == others for d in found)
    assert all(len(d["metadata"]["texts"]["plain"]) >= len(d["text"]) for d in found if others)


def test_a_missing_folder_is_a_fault(tmp_path):
    done = run("local", tmp_path / "nowhere", tmp_path / "out", 0)
    assert done.returncode != 0
    assert "No files found" in done.stderr


@pytest.mark.skipif("SLURM_CONF" not in os.environ, reason="no Slurm is up; check_datatrove.sh starts one")
def test_slurm(archives, command, tmp_path):
    done = run("slurm", archives, tmp_path, SPLIT)
    assert done.returncode == 0, done.stderr
    for _ in range(600):
        if (tmp_path / "logs" / "stats.json").exists():
            break
        time.sleep(0.2)
    assert digest(rows(lines(tmp_path / "docs"))) == digest(command[0])


def test_tables_of_sites_by_the_printed_recipe(archives, command, command_with_sites, tmp_path):
    shared, clean = run_recipe("danatext.datatrove", archives, tmp_path)
    assert digest(rows(lines(clean))) == digest(command_with_sites[0]) != digest(command[0])
    assert (shared / "crawl.site").read_bytes() == command_with_sites[1].read_bytes()
    assert len(list(shared.glob("*.site"))) > 4
