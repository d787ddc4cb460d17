# SPDX-License-Identifier: MIT
"""Every limit of `dana filter` at its boundary: limits.py DANA.

For each option --max-... an archive that just keeps the limit, and one that is a little beyond it, with 0 and with 2
workers. A limit that --print-limits names and that has no case here is a failure. Prints what is wrong.
"""
import base64
import gzip
import json
import random
import shutil
import subprocess
import sys
import zlib

DANA = sys.argv[1]
TEXT = "<p>" + "A line of text that is long enough for every method. " * 3 + "</p>"


def record(block, fields=b"", number=1, content_type=b"application/http; msgtype=response"):
    return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
            b"WARC-Target-URI: http://example.org/%d\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n"
            % (number, number, content_type, len(block), fields)) + block + b"\r\n\r\n"


def response(body, fields=b""):
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" + fields + b"\r\n" + body


def page(body=TEXT, fields=b""):
    return record(response(body.encode() if isinstance(body, str) else body, fields))


def bytes_of_head(archive):
    return archive.index(b"\r\n\r\n") + 4


def windowed(log):
    """A zstd frame whose window has 2^log bytes; the content is longer, so that the frame needs it."""
    content = page("<p>" + "".join("word%d " % (number * number) for number in range(200000)) + "</p>")
    return subprocess.run(["zstd", "-q", "-c", "--no-check", "--stream-size=0", "--zstd=wlog=%d" % log], input=content,
                          stdout=subprocess.PIPE, check=True).stdout


def case_head(size, over):
    plain = page()
    fill = size - bytes_of_head(plain) + (1 if over else 0)
    return record(response(TEXT.encode()), b"X: " + b"x" * (fill // 2 - 5) + b"\r\nX: " + b"x" * (fill - fill // 2 - 5) +
                  b"\r\n")


def case_head_line(size, over):
    return record(response(TEXT.encode()), b"X: " + b"x" * (size - 4 + (1 if over else 0)) + b"\r\n")


def case_head_fields(count, over):
    return record(response(TEXT.encode()), b"X: x\r\n" * (count - 6 + (1 if over else 0)))


def sized(length):
    """HTTP's own length, which is right also where a limit of ours cuts."""
    return b"Content-Length: %04d\r\n" % length


def case_block(size, over):
    length = size - len(response(b"", sized(0))) + (1 if over else 0)
    return record(response(TEXT.encode().ljust(length), sized(length)))


def case_http_head(size, over):
    """A line counts without its CR; the empty one does not count."""
    head = len(response(b"").replace(b"\r", b"")) - 1
    return record(response(TEXT.encode(), b"X: " + b"x" * (size - head - 3 + (1 if over else 0)) + b"\r\n"))


def case_http_lines(count, over):
    return record(response(TEXT.encode(), b"X: x\r\n" * (count - 2 + (1 if over else 0))))


def case_body(size, over):
    length = size + (1 if over else 0)
    return page(TEXT.encode().ljust(length), sized(length))


def case_codings(count, over):
    count += 1 if over else 0
    body = TEXT.encode()
    for _ in range(count):
        body = zlib.compress(body)
    return page(body, b"Content-Encoding: " + b", ".join([b"deflate"] * count) + b"\r\n")


def case_expansion(rate, over):
    """3 MiB from coded bytes of which noise makes a tenth more, or less, than the rate asks."""
    size = 3 << 20
    coded = size // rate * (9 if over else 11) // 10
    noise = base64.b64encode(random.Random(1).randbytes(coded * 98 // 100))
    body = b"<!--" + noise + b"-->" + TEXT.encode()
    return page(gzip.compress(body + b" " * (size - len(body)), mtime=0), b"Content-Encoding: gzip\r\n")


def case_window(size, over):
    return windowed(size.bit_length() - 1 + (1 if over else 0))


def case_text(size, over):
    return page("<pre>" + ("x" * 63 + "\n") * (size // 64 - 1) + "x" * (65 if over else 64) + "</pre>")


def nested(depth):
    """A division of links beside one of text, inside of `depth` others."""
    links = "<div>" + "<a href=/x>Linkword</a> " * 3 + "</div>"
    return page("<div>" * depth + links + "<div>" + TEXT + "</div>")


def heavy():
    """Each of the end tags searches down a deep stack of elements of another name."""
    return page("<p>Text of a page." + "<oa>" * 512 + "</xx>" * 20000)


# option: value, the words of a page beyond it (problem, skipped or damaged), more options
CASES = {
    "head": (2048, "head_too_large", ["--max-head-line", "1024"]),
    "head-line": (300, "head_cut", []),
    "head-fields": (20, "head_cut", []),
    "block": (5000, "truncated_limit", []),
    "http-head": (2048, "bad_http", []),
    "http-lines": (20, "bad_http", []),
    "body": (3000, "truncated_limit", []),
    "codings": (3, "bad_coding", ["--min-chars", "0"]),
    "expansion": (50, "truncated_limit", []),
    "window": (1 << 20, "bad_member", []),
    "text": (4096, "truncated_text", ["-m", "plain"]),
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
for option, (value, word, more) in CASES.items():
    if option == "window" and not shutil.which("zstd"):
        print("zstd is missing: --max-window is not tried")
        continue
    make = globals()["case_" + option.replace("-", "_")]
    for over in (False, True):
        for jobs in ("0", "2"):
            got = run(make(value, over), ["--max-" + option, str(value), "-j", jobs] + more)
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

limits = subprocess.run([DANA, "filter", "--print-limits"], stdout=subprocess.PIPE, check=True).stdout.decode()
for line in limits.splitlines():
    name = line.split()[0]
    if name.startswith("max-") and name[4:] not in CASES:
        print("no case for --" + name)
        faults += 1
sys.exit(1 if faults else 0)
