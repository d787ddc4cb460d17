#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Readers of standard output that are slow, stop for a while, or go away (runs.py).

What they get must be what a run writes into a file, or the beginning of it; the run ends by itself, is quiet about a reader that
has gone, and its memory stays below the sum of --print-limits however long the reader takes."""
import fcntl, os, subprocess, time

from runs import DANA, IN_TIME, LONG, RANDOM, CASES, fail, failures, with_cases

ROUNDS = 40 if LONG else 2  # of each way, case and kind of reader
SMALLEST_PIPE = 4096
PAUSE = 0.002  # at most, between two reads of a slow reader


def command(case):
    """The case's command with standard output instead of files, and the format of the case."""
    kind, _, compress = case.name.split()[0].partition(".")
    words = [DANA, "filter", "-q", "-m", "plain", "-f", kind, "-z", {"": "none", "zst": "zstd", "gz": "gzip"}[compress]]
    return words + case.name.split()[1:] + case.command[-2:]


def sum_of_limits(case):
    done = subprocess.run(command(case)[:-2] + ["--print-limits"], stdout=subprocess.PIPE, check=True)
    return int(done.stdout.decode().splitlines()[-1].split()[1].rstrip("M")) << 20


def processor_time(process):
    with open("/proc/%d/stat" % process.pid) as file:
        return file.read().rsplit(")", 1)[1].split()[11:13]


def wait_until_idle(process):
    """The run waits for its reader: it takes no time any more."""
    last, since = None, time.monotonic()
    while time.monotonic() - since < 0.2:
        now = processor_time(process)
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.01)


def start(case):
    """The run, and the end of the pipe from which it is read; the other end sometimes does not block, as a terminal's may not."""
    end, its_end = os.pipe()
    fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, SMALLEST_PIPE)
    os.set_blocking(its_end, RANDOM.random() < 0.5)
    process = subprocess.Popen(command(case), stdout=its_end, stderr=subprocess.PIPE, cwd=case.folder)
    os.close(its_end)
    return process, end


def read_some(end, data):
    data += os.read(end, RANDOM.randint(1, 2 * SMALLEST_PIPE))


def read_slowly(case, process, end, data):
    """All of it, by small pieces; once the reader waits until the run waits for it."""
    stop = RANDOM.randrange(len(case.expected))
    before = -1
    while len(data) != before:
        before = len(data)
        if stop is not None and len(data) >= stop:
            stop = None
            wait_until_idle(process)
        if RANDOM.random() < 0.3:
            time.sleep(RANDOM.random() * PAUSE)
        read_some(end, data)


def go_away(case, process, end, data):
    stop = RANDOM.randrange(len(case.expected))
    while len(data) < stop:
        read_some(end, data)


def try_reader(case, reader):
    data = bytearray()
    process, end = start(case)
    try:
        reader(case, process, end, data)
        os.close(end)
        text = process.stderr.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    except BaseException:
        process.kill()
        raise
    how = reader.__name__
    if not case.expected.startswith(data) or (reader is read_slowly and data != case.expected):
        fail(case, how, "%d bytes, which are not those of a file" % len(data))
    if process.returncode not in ((case.status,) if reader is read_slowly else (case.status, 0)):
        fail(case, how, "status %d, %s" % (process.returncode, text))
    if usage.ru_maxrss << 10 > case.most:
        fail(case, how, "%d KiB of memory" % usage.ru_maxrss)


def run(cases, scratch):
    for case in cases:
        case.clear()
        case.expected = subprocess.run(command(case), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=IN_TIME).stdout
        case.most = sum_of_limits(case)
        for _ in range(ROUNDS):
            try_reader(case, read_slowly)
            try_reader(case, go_away)
        print("%s: %d bytes, %d rounds" % (case.name, len(case.expected), ROUNDS), flush=True)
    print("%d failures" % len(failures))


with_cases([case for case in CASES if "-J" not in case[2]], run)
