# SPDX-License-Identifier: MIT
"""WACZ as py-wacz makes them: the documents of `dana filter` are those of the archives, read one by one."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import zipfile

import danatext
import make_archives
import pytest

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
COUNTS = [1, 3, 50]


def deflated(source, target):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, old.read(info))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """N.wacz, with N archives, as py-wacz has written it, and N-deflated.wacz; the archives are in N/."""
    folder = tmp_path_factory.mktemp("wacz")
    for count in COUNTS:
        (folder / str(count)).mkdir()
        names = [folder / str(count) / f"crawl-{number:02}.warc.gz" for number in range(count)]
        for number, name in enumerate(names):
            make_archives.write(name, 100 * count + number, 6e5 / count)
        made = folder / f"{count}.wacz"
        subprocess.run([sys.executable, "-m", "wacz.main", "create", "-o", made, *names], check=True, capture_output=True)
        deflated(made, folder / f"{count}-deflated.wacz")
    return folder


def dana(*arguments, status=0):
    done = subprocess.run([os.environ["DANA"], "filter", "-q", *map(str, arguments)], capture_output=True, check=False)
    assert done.returncode == status, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def entries(wacz):
    with zipfile.ZipFile(wacz) as directory:
        return [info for info in directory.infolist() if info.filename.startswith("archive/")]


def wanted(folder, count, wacz):
    """The documents of the archives one by one, in the order of the zip, with the files that they are in."""
    rows = []
    for info in entries(folder / f"{count}.wacz"):
        for row in dana(folder / str(count) / info.filename.partition("/")[2]):
            rows.append({**row, "file": f"{wacz}/{info.filename}"})
    return rows


@pytest.mark.parametrize("form", ["", "-deflated"])
@pytest.mark.parametrize("count", COUNTS)
def test_documents_are_those_of_the_archives(folder, count, form):
    wacz = folder / f"{count}{form}.wacz"
    assert len(entries(wacz)) == count
    assert {info.compress_type for info in entries(wacz)} == {zipfile.ZIP_DEFLATED if form else zipfile.ZIP_STORED}
    want = wanted(folder, count, wacz)
    assert len(want) > 50 and dana(wacz) == dana("-j", 0, wacz) == want
    assert [document.asdict() for document in danatext.open(wacz)] == want
    # entries in a list, in the other order, and ranges of one
    names = [f"{wacz}/{info.filename}" for info in entries(wacz)][::-1]
    (folder / "list").write_text("".join(f"{name}\n" for name in names))
    assert dana("--list", folder / "list") == [row for name in names for row in want if row["file"] == name]
    middle = entries(wacz)[0].file_size // 2
    first = [row for row in want if row["file"] == names[-1]]
    assert [row for row in first if row["offset"] < middle] == dana("--range", f"0-{middle}", names[-1])
    assert [row for row in first if row["offset"] >= middle] == dana(f"{names[-1]}@{middle}-")


@pytest.mark.parametrize("form", ["", "-deflated"])
@pytest.mark.parametrize("count", COUNTS)
def test_a_killed_run_is_resumed(folder, tmp_path, count, form):
    wacz, out, part = folder / f"{count}{form}.wacz", tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    words = [os.environ["DANA"], "filter", "-q", "-j", "0", "--checkpoint-bytes", "4K", "--resume", "-o", out, wacz]
    kills = 0
    for size in 40_000, 150_000, 400_000:
        run = subprocess.Popen(words, env={**os.environ, "DANA_TEST_READ_SIZE": "256"})
        while run.poll() is None and not (part.exists() and part.stat().st_size > size):
            time.sleep(0)
        if run.poll() is None:
            run.send_signal(signal.SIGKILL)
            kills += 1
        run.wait()
    assert kills > 0
    dana(*words[3:])
    assert [json.loads(line) for line in out.read_text().splitlines()] == wanted(folder, count, wacz)


@pytest.mark.parametrize("form", ["", "-deflated"])
@pytest.mark.parametrize("count", COUNTS)
def test_of_a_server_only_directory_and_archives_are_read(folder, tmp_path, count, form):
    log = tmp_path / "log"
    words = [sys.executable, SUPPORT / "fault_server.py", "--log", log, folder]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        port = server.stdout.readline().split()[1]
        address = f"http://127.0.0.1:{port}/{count}{form}.wacz"
        assert dana(address) == wanted(folder, count, address)
    sent = sum(json.loads(line)["sent"] for line in log.read_text().splitlines())
    archives = sum(info.compress_size for info in entries(folder / f"{count}{form}.wacz"))
    print(f"{count}{form}: {sent} bytes, {sent - archives} more than the archives")
    assert sent - archives < 8192 + 300 * count


def test_damaged_ones_are_a_line_each(folder, tmp_path):
    chance, path = random.Random(46), tmp_path / "x.wacz"
    for number in range(60):
        data = bytearray((folder / f"{COUNTS[number % 2]}{['', '-deflated'][number // 2 % 2]}.wacz").read_bytes())
        directory = data.index(b"PK\1\2")
        kind = number % 5
        if kind == 0:
            del data[chance.randrange(4, len(data)) :]
        else:
            for _ in range(chance.choice([1, 3, 20])):
                data[chance.randrange(4 if kind == 1 else directory, len(data))] = chance.choice([0, 255, chance.randrange(256)])
        path.write_bytes(data)
        done = subprocess.run([os.environ["DANA"], "filter", "-j", "0", path], capture_output=True, check=False)
        assert done.returncode in (0, 1, 2), (number, done.returncode)
        lines = done.stderr.decode().splitlines()
        assert done.returncode == 0 or any("x.wacz" in line for line in lines), (number, lines)
        for line in done.stdout.splitlines():
            json.loads(line)
