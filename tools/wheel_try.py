#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wheel_try.py SAMPLE PAGE [SELF]: tries the wheel that this Python has installed, with sample/sample.warc.gz, a page of sample/site and,
for a machine that is emulated, the program that runs others of its kind: the module with plugins, and where the wheel brought the
program, that as users call it, with plugins, and serving a page."""

import pathlib
import socket
import subprocess
import sys
import tempfile
import urllib.parse

import danatext

PLUGINS = ["url:substring=nowhere", "language", "metadata", "pii", "quality:annotate=yes"]
sample, page, *emulator = sys.argv[1:]


def served(program: list[str]) -> bytes:
    """What the program answers to one page, sent over a socket of its own."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        with subprocess.Popen([*program, "serve", "-j1", f"-lunix:{address}"], stderr=subprocess.PIPE) as server:
            try:
                server.stderr.readline()  # the address, when it listens
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(address)
                    body = pathlib.Path(page).read_bytes()
                    head = f"POST /extract?url={urllib.parse.quote('http://a.test/', '')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                    return connection.makefile("rb").read()
            finally:
                server.terminate()


n = [len(list(danatext.open(sample, plugins=asked))) for asked in ([], PLUGINS)]
assert n == [7, 7], n
text = danatext.extract(pathlib.Path(page).read_bytes()).text
assert len(text) > 500, text
tried = "the module"
command = pathlib.Path(sys.executable).with_name("dana")
if command.exists():
    program = [*emulator, str(command)]
    for options in ([], [f"--plugin={each}" for each in PLUGINS]):
        lines = subprocess.run([*program, "filter", "-q", *options, sample], check=True, stdout=subprocess.PIPE).stdout.splitlines()
        assert len(lines) == 7, lines
    assert subprocess.run([*program, "extract", page], check=True, stdout=subprocess.PIPE).stdout.decode().strip() == text.strip()
    answer = served(program)
    assert answer.startswith(b"HTTP/1.1 200 ") and text.strip().encode() in answer, answer
    tried = "the module and the program"
print(f"python {sys.version.split()[0]}: {tried}, with plugins, read the sample")
