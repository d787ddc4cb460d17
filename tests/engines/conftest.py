# SPDX-License-Identifier: MIT
"""What the tests of engines in Python share: archives, the rows of the command, and how rows are compared."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import pytest

HERE = pathlib.Path(__file__).resolve().parent
SPLIT = 250_000


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """A folder: six archives, one of them four times as large as the others, and one that is damaged."""
    folder = tmp_path_factory.mktemp("archives")
    subprocess.run([sys.executable, HERE / "make_archives.py", folder, "2"], check=True)
    return folder


def dana(*arguments):
    return subprocess.run([os.environ["DANA"], *map(str, arguments)], check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def command(archives):
    """The rows, and the counters, of `dana filter` over all archives."""
    stats = archives.parent / "stats.json"
    out = dana("filter", "-q", "--damaged-ok", "--stats", stats, *sorted(archives.glob("*.warc.gz")))
    return [json.loads(line) for line in out.splitlines()], json.loads(stats.read_text())


def _value(value):
    return list(value) if isinstance(value, tuple) or hasattr(value, "tolist") else value


def digest(rows, columns=None):
    """A hash over the sorted rows, and their number; only of some columns where they are named."""
    lines = sorted(
        json.dumps({name: _value(row[name]) for name in (columns or row)}, sort_keys=True, ensure_ascii=False) for row in rows
    )
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


def parquet_digests(folder):
    """Of all files of a folder of Parquet: names differ from run to run."""
    return sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(folder).rglob("*.parquet"))


def run_recipe(word, archives, folder, prologue=""):
    """Runs the code below "Tables of sites" of doc/SCALE.md that has this word, with folders of ours. Returns its /shared and /clean."""
    page = (HERE.parents[1] / "doc" / "SCALE.md").read_text()
    blocks = page.split("\n## Tables of sites\n")[1].split("\n## ")[0].split("```python\n")[1:]
    (code,) = (block.split("```")[0] for block in blocks if word in block)
    shared, clean = folder / "shared", folder / "clean"
    shared.mkdir()
    for path, own in ("/crawl", archives), ("/shared", shared), ("/clean", clean):
        code = code.replace(f'"{path}', f'"{own}')
    code = re.sub(r"(splits\(\"[^\"]*\")(, 32 << 20)?\)", rf"\1, {SPLIT})", code)  # the archives are small
    program = folder / "recipe.py"
    program.write_text(prologue + code)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return shared, clean


@pytest.fixture(scope="session")
def command_with_sites(archives):
    """The rows of `dana filter --site`, and the table."""
    paths = sorted(archives.glob("*.warc.gz"))
    table = archives.parent / "command.site"
    subprocess.run([os.environ["DANA"], "site", "learn", "-o", table, *paths], check=False)
    out = dana("filter", "-q", "--damaged-ok", "--site", table, *paths)
    return [json.loads(line) for line in out.splitlines()], table


def readers_of(folder):
    """The processes, but for this one, that have a file of the folder open."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            files = [os.readlink(fd) for fd in (process / "fd").iterdir()]
        except OSError:
            continue
        if any(name.startswith(str(folder)) for name in files):
            found.append(int(process.name))
    return found


class Killer(threading.Thread):
    """Kills (-9) the first process that has an archive open; `killed` is its number."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.killed, self.over = folder, None, False

    def run(self):
        while not self.over and self.killed is None:
            for process in readers_of(self.folder):
                os.kill(process, 9)
                self.killed = process
                return
            time.sleep(0.002)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.over = True
        self.join()
