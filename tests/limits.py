# SPDX-License-Identifier: MIT
"""Every limit of `dana filter` at its boundary: limits.py DANA.

For each option --max-... an archive that just keeps the limit, and one that is a little beyond it, with 0 and with 2
workers. A limit that --print-limits names and that has no case here is a failure. Prints what is wrong.
"""
import base64
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import zlib

sys.path.append(os.path.join(os.path.dirname(__file__), "support"))
from archive import record, response  # noqa: E402

DANA = sys.argv[1]
TEXT = "<p>" + "A line of text that is long enough for every method. " * 3 + "</p>"


def page(body=TEXT, fields=b""):
    return record(1, response(body.encode() if isinstance(body, str) else body, fields))


def bytes_of_head(archive):
    return archive.index(b"\r\n\r\n") + 4


def windowed(log):
    """A zstd frame whose window has 2^log bytes; the content is longer, so that the frame needs it."""
    content = page("<p>" + "".join("word%d " % (number * number) for number in range(200000)) + "</p>")
    return subprocess.run(["zstd", "-q", "-c", "--no-check", "--stream-size=0", "--zstd=wlog=%d" % log], input=content,
                          stdout=subprocess.PIPE, check=True).stdout


def sized(length):
    """HTTP's own length, which is right also where a limit of ours cuts."""
    return b"Content-Length: %04d\r\n" % length


def with_fields(fields):
    return record(1, response(TEXT.encode()), fields)


def head_of(size):
    fill = size - bytes_of_head(page())
    return with_fields(b"X: " + b"x" * (fill // 2 - 5) + b"\r\nX: " + b"x" * (fill - fill // 2 - 5) + b"\r\n")


def block_of(size):
    length = size - len(response(b"", sized(0)))
    return record(1, response(TEXT.encode().ljust(length), sized(length)))


def http_head_of(size):
    """A line counts without its CR; the empty one does not count."""
    head = len(response(b"").replace(b"\r", b"")) - 1
    return page(fields=b"X: " + b"x" * (size - head - 3) + b"\r\n")


def coded(count):
    body = TEXT.encode()
    for _ in range(count):
        body = zlib.compress(body)
    return page(body, b"Content-Encoding: " + b", ".join([b"deflate"] * count) + b"\r\n")


def expanded(rate):
    """3 MiB from coded bytes of which noise makes a tenth more, or less, than the rate 50 asks."""
    size = 3 << 20
    noise = base64.b64encode(random.Random(1).randbytes(size // 50 * (11 if rate == 50 else 9) // 10 * 98 // 100))
    body = b"<!--" + noise + b"-->" + TEXT.encode()
    return page(gzip.compress(body + b" " * (size - len(body)), mtime=0), b"Content-Encoding: gzip\r\n")


def nested(depth):
    """A division of links beside one of text, inside of `depth` others."""
    links = "<div>" + "<a href=/x>Linkword</a> " * 3 + "</div>"
    return page("<div>" * depth + links + "<div>" + TEXT + "</div>")


def heavy():
    """Each of the end tags searches down a deep stack of elements of another name."""
    return page("<p>Text of a page." + "<oa>" * 512 + "</xx>" * 20000)


# option: value, the word for a page beyond it (problem, skipped or damaged), more options, the archive for a value
CASES = {
    "head": (2048, "head_too_large", ["--max-head-line", "1024"], head_of),
    "head-line": (300, "head_cut", [], lambda size: with_fields(b"X: " + b"x" * (size - 4) + b"\r\n")),
    "head-fields": (20, "head_cut", [], lambda count: with_fields(b"X: x\r\n" * (count - 6))),
    "block": (5000, "truncated_limit", [], block_of),
    "http-head": (2048, "bad_http", [], http_head_of),
    "http-lines": (20, "bad_http", [], lambda count: page(fields=b"X: x\r\n" * (count - 2))),
    "body": (3000, "truncated_limit", [], lambda size: page(TEXT.encode().ljust(size), sized(size))),
    "codings": (3, "bad_coding", ["--min-chars", "0"], coded),
    "expansion": (50, "truncated_limit", [], expanded),
    "window": (1 << 20, "bad_member", [], lambda size: windowed(20 + size % 2)),
    "text": (4096, "truncated_text", ["-m", "plain"],
             lambda size: page("<pre>" + ("x" * 63 + "\n") * (size // 64 - 1) + "x" * (64 + size % 64) + "</pre>")),
}


def run(archive, options):
    with open("limit.in", "wb") as file:
        file.write(archive)
    command = [DANA, "filter", "-q", "--stats", "limit.stats", "-o", "limit.jsonl", "--force"] + options + ["limit.in"]
    done = subprocess.run(command, stderr=subprocess.PIPE)
    if done.returncode not in (0, 2):
        return "exit status %d: %s" % (done.returncode, done.stderr.decode().strip())
    with open("limit.stats") as file:
        stats = json.load(file)
    return " ".join(sorted({**stats["skipped"], **stats["damaged"], **stats["problems"]}))


faults = 0
for option, (value, word, more, make) in CASES.items():
    if option == "window" and not shutil.which("zstd"):
        print("zstd is missing: --max-window is not tried")
        continue
    for over in (False, True):
        for jobs in ("0", "2"):
            got = run(make(value + over), ["--max-" + option, str(value), "-j", jobs] + more)
            if word not in got.split() or "body_length" in got.split() if over else got:
                print("--max-%s %d, -j %s, %s: got %r" % (option, value, jobs, "beyond it" if over else "at it", got))
                faults += 1


def edge(low, high, right):
    """The number from which on `right` holds, with `low` wrong and `high` right."""
    assert not right(low) and right(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if right(middle) else (middle, high)
    return high


def links_stay(depth, limit, jobs):
    """True where the elements around the links are too deep to be told from their surroundings."""
    run(nested(depth), ["--max-depth", str(limit), "-j", jobs, "-m", "lqf-50"])
    with open("limit.jsonl") as file:
        return "Linkword" in file.read()


for jobs in ("0", "2"):
    edges = [edge(1, 2 * limit, lambda depth: links_stay(depth, limit, jobs)) for limit in (20, 21, 40)]
    if [number - edges[0] for number in edges] != [0, 1, 20]:
        print("--max-depth 20, 21, 40, -j %s: elements are lost from depths %s on" % (jobs, edges))
        faults += 1
works = [edge(1, 1000, lambda rate: not run(heavy(), ["--max-work", str(rate), "-j", jobs, "-m", "crunch"]))
         for jobs in ("0", "2")]
if works[0] != works[1]:
    print("--max-work: the page needs %d with -j 0, %d with -j 2" % tuple(works))
    faults += 1
CASES["depth"] = CASES["work"] = ()
CASES["in-flight"] = ()  # what is held of what passes: tests/unit/test_handoff.c
CASES["revisits"] = ()  # a table that is full: tests/cli/records.bats

limits = subprocess.run([DANA, "filter", "--print-limits"], stdout=subprocess.PIPE, check=True).stdout.decode()
for line in limits.splitlines():
    name = line.split()[0]
    if name.startswith("max-") and name[4:] not in CASES:
        print("no case for --" + name)
        faults += 1
sys.exit(1 if faults else 0)
