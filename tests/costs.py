# SPDX-License-Identifier: MIT
"""What hostile input costs: costs.py DANA [FOLDER...].

Archives that are made to take much memory or time, and all files of the folders, go through `dana filter`: no signal, at
most 3 seconds of processor time, resident memory below 128 MiB with -j 0 and below the sum of --print-limits with -j 2.
Then pages of one pattern, and of four times as much of it: less than six times the time. COSTS_METHODS names other
methods than the default one, CHECK_WARCS_EVERY=8 takes every eighth file of the folders. Prints what is beyond that, and the
largest of all. With COSTS_REPORTS, the exit status of a program that was built with sanitizers and reports something, only reports
and signals count.
"""
import base64
import gzip
import os
import random
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "support"))
from archive import record, response  # noqa: E402

DANA, FOLDERS = sys.argv[1], sys.argv[2:]
METHODS = os.environ.get("COSTS_METHODS", "learned").split()
MIB = 1 << 20
EVERY = int(os.environ.get("CHECK_WARCS_EVERY", "1"))
REPORTS = int(os.environ.get("COSTS_REPORTS", "0"))
SECONDS, RESIDENT = (3, 128 * MIB) if not REPORTS else (3600, 1 << 60)

REPEATED = {
    "p": "<p>a", "words": "a ", "div": "<div>", "closed": "<div>a</div>", "bold": "<b>x", "link": "<a href=x>a</a> ",
    "list": "<li>x", "table": "<tr><td>a", "option": "<option>a", "reference": "&amp;", "break": "a<br>",
    "image": "<img src=a width=300 height=300>x", "lines": "a\n", "less": "<", "end": "</p>", "quote": "<a b='",
    "cdata": "<![CDATA[", "bad": "\\xff", "svg": "<svg>",
    "noscript": "<noscript>a</noscript>", "meta": "<meta name=a content=b>", "bold-p": "<p><b>", "nested": "<ul><li>",
}
OPENED = {"attributes": ("<p ", "a=b "), "attribute": ("<a href='", "x"), "title": ("<title>", "a "), "comment": ("<!--", "x-"),
          "script": ("<script>", "x<"), "pre": ("<pre>", "a\n"), "textarea": ("<textarea>", "</"), "entity": ("<p>&", "a")}
OPENED.update({name: ("", unit) for name, unit in REPEATED.items()})


def page(before, unit, size):
    unit = unit.encode().replace(b"\\xff", b"\xff")
    body = before.encode() + unit * (size // len(unit) + 1)
    return record(0, response(body[:size]))


def zstd(content):
    return subprocess.run(["zstd", "-q", "-c", "-1", "--stream-size=0", "--zstd=wlog=23"], input=content,
                          stdout=subprocess.PIPE, check=True).stdout


def hardly_compressed_text():
    noise = base64.b85encode(random.Random(3).randbytes(8 * MIB)).decode()
    for plain, escaped in (("<", '"'), (">", "\\"), ("&", '"')):
        noise = noise.replace(plain, escaped)
    return ("<html><body><pre>" + " ".join(noise[at:at + 7] for at in range(0, 9 * MIB, 7))).encode()


def make_archives():
    """Files that hold as much of each kind as the limits allow, and several kinds at once."""
    text = hardly_compressed_text()
    inner = (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:9>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
             b"WARC-Target-URI: http://example.org/9\r\nContent-Type: text/html\r\nContent-Length: 9\r\n")
    small = response(b"<p>" + b"hello " * 200)
    fields = b"a:\n" * ((8 * MIB - 1000) // 3)
    many = [record(number, small) for number in range(2, 6000)]
    yield "fields", b"".join(record(number, small, fields) for number in range(3))
    yield "head-lines", b"".join(record(number, small, (b"a: " + b"x" * 65000 + b"\r\n") * 120) for number in range(3))
    yield "text", record(1, response(text))
    yield "text-in-one-member", gzip.compress(b"".join(record(number, response(text)) for number in range(2)), 1)
    yield "blocks", b"".join(record(number, response(b"<p>" + b"%d " % number * (15 * MIB))) for number in range(4))
    yield "wrong-length", record(1, small, length=17 * MIB) + b"".join(many)
    yield "wrong-length-in-members", b"".join(gzip.compress(one, 1) for one in [record(1, small, length=17 * MIB)] + many)
    if shutil.which("zstd"):
        coded = text
        for _ in range(4):
            coded = zstd(coded)
        coding = b"Content-Encoding: zstd, zstd, zstd, zstd\r\n"
        wrong = response(coded, coding + inner)
        all_at_once = record(1, response(coded, coding)) + record(2, wrong, length=len(wrong) - 7) + record(3, small)
        yield "codings", record(1, response(coded, coding))
        yield "at-once", all_at_once
        yield "at-once-in-a-frame", zstd(all_at_once)
    for name, (before, unit) in OPENED.items():
        yield "page-" + name, page(before, unit, 16 * MIB)


# Linux counts what a process held before exec as memory of the new program, too: so a small process starts it.
START = """
import os, sys
child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
os.write(1, b"%d %f %d" % (os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss))
"""


def cost(options, path):
    """Exit status, seconds of processor time, bytes of memory."""
    with open("messages", "wb") as messages, open("cost", "wb") as out:
        subprocess.run([sys.executable, "-S", "-E", "-c", START, DANA, "filter", "-q"] + options + [path],
                       stdin=subprocess.DEVNULL, stdout=out, stderr=messages, check=True)
    with open("cost", encoding="ascii") as figures:
        status, seconds, kib = figures.read().split()
    return int(status), float(seconds), int(kib) * 1024


def sum_of_limits(options):
    done = subprocess.run([DANA, "filter", "--print-limits"] + options, stdout=subprocess.PIPE, check=True)
    return int(done.stdout.decode().splitlines()[-1].split()[1].rstrip("M")) * MIB


def try_file(path, method):
    for jobs in ("0", "2"):
        options = ["-j", jobs, "-m", method]
        status, seconds, resident = cost(options, path)
        most = RESIDENT if REPORTS else min(RESIDENT, sum_of[jobs]) if jobs == "0" else sum_of[jobs]
        largest[jobs] = max(largest[jobs], (resident, path))
        slowest[0] = max(slowest[0], (seconds, path))
        if status not in (0, 1, 2) or seconds >= SECONDS or resident >= most:
            beyond.append("%s -j %s -m %s: status %d, %.2f s, %d MiB"
                          % (path, jobs, method, status, seconds, resident // MIB))
            if REPORTS:
                beyond.append(open("messages", errors="replace").read()[:4000])


def growth(name, method):
    """How many times longer 16 MiB take than 4 MiB, without the time for nothing."""
    times = []
    for size in (0, 4 * MIB, 16 * MIB):
        with open("pattern.warc", "wb") as file:
            file.write(page(*OPENED[name], size) if size else b"")
        times.append(min(cost(["-j", "0", "-m", method], "pattern.warc")[1] for _ in range(3)))
    return (times[2] - times[0]) / max(times[1] - times[0], 0.01)


beyond = []
largest, slowest = {"0": (0, ""), "2": (0, "")}, [(0, "")]
sum_of = {jobs: sum_of_limits(["-j", jobs]) for jobs in largest}
tried = 0
for name, content in make_archives():
    with open(name + ".warc", "wb") as file:
        file.write(content)
    del content
    for method in METHODS:
        try_file(name + ".warc", method)
        tried += 1
    os.remove(name + ".warc")
files = sorted(os.path.join(where, name) for folder in FOLDERS for where, _, names in os.walk(folder) for name in names)
for path in files[::EVERY]:
    try_file(path, METHODS[0])
    tried += 1
for name in OPENED if not REPORTS else ():
    for method in METHODS:
        times = growth(name, method)
        if times >= 6:  # what else the machine did may have fallen on the larger page
            times = min(times, growth(name, method))
        if times >= 6:
            beyond.append("page-%s -m %s: four times as much takes %.1f times as long" % (name, method, times))
for text in beyond:
    print(text)
print("%d files; at most %d MiB of %d with -j 0 (%s), %d of %d with -j 2 (%s), %.2f s (%s)" % (
    tried, largest["0"][0] // MIB, sum_of["0"] // MIB, largest["0"][1], largest["2"][0] // MIB, sum_of["2"] // MIB,
    largest["2"][1], *slowest[0]))
sys.exit(1 if beyond else 0)
