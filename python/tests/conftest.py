# SPDX-License-Identifier: MIT
"""What the tests share: the sample, the command to compare with, archives that are made here, and those of others."""

import gzip
import json
import os
import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
PARAGRAPH = "This paragraph says something at some length, so that its text outweighs the markup around it by far. "


class SlashPath(type(pathlib.Path())):
    """A path with slashes, as the program has names of files on Windows, too."""

    def __str__(self):
        return self.as_posix()

    def as_posix(self):
        return super().__str__().replace(os.sep, "/")


if os.name == "nt":

    @pytest.fixture
    def tmp_path(tmp_path):
        return SlashPath(tmp_path)


@pytest.fixture(scope="session")
def sample():
    return (TOP / "sample" / "sample.warc.gz").as_posix()


@pytest.fixture(scope="session")
def dana():
    """Runs `dana filter`, and returns its documents."""
    program = os.environ.get("DANA", str(TOP / "build" / "src" / "cli" / "dana"))
    if not os.access(program, os.X_OK):
        pytest.skip("the program dana is not built; DANA names it")

    def run(*arguments, **options):
        done = subprocess.run([program, "filter", "-q", "-j", "0", *arguments], capture_output=True, check=False, **options)
        assert done.returncode in (0, 2), done.stderr.decode()
        return [json.loads(line) for line in done.stdout.splitlines()]

    run.program = program
    return run


def record(number, kind="response", body=None, status="200 OK", identified=True, date="2024-05-01T10:00:00Z", media="text/html"):
    if body is None:
        body = f"<html><head><title>Page {number}</title></head><body><p>{PARAGRAPH * 3}Number {number}.</body></html>".encode()
    block = f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\n\r\n".encode() + body
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\n"
    if identified:
        head += f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
    head += f"WARC-Date: {date}\r\nWARC-Target-URI: http://example.org/{number}\r\n"
    head += f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def without_nulls(value):
    """A row of Arrow as JSON has it: without what is not there."""
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


def members(records):
    """An archive in gzip, a member for each record."""
    return b"".join(gzip.compress(r, mtime=0) for r in records)


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """An archive of 300 records, of which 200 are documents."""
    path = tmp_path_factory.mktemp("many") / "many.warc.gz"
    kinds = [{}, {"status": "404 Not Found"}, {}]
    path.write_bytes(members(record(i, **kinds[i % 3]) for i in range(300)))
    return path.as_posix()


@pytest.fixture(scope="session")
def shared():
    """A folder of archives of others, which is not part of the project."""
    folder = pathlib.Path(os.environ.get("DANA_SHARED", TOP.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("no folder of foreign archives; DANA_SHARED names it")
    return folder
