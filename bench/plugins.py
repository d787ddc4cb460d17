#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plugins.py DANA FILE [PAIRS [NAME...]]: what plugins cost on top of `dana filter -j 0 -m learned FILE`.

Each plugin by itself, and all of them in a chain: PAIRS (15) pairs of runs, without and with, by turns, so that other
load of the machine meets both. NAMES choose among the chains. What a plugin takes once, to load libraries and lists, is
measured with an archive of one page and taken off: a table of a million domains would otherwise count for as much as
the archive is small. Prints the median of the ratios of CPU time (user and system) with their quartiles, the nanoseconds
for each decoded byte that is the median of the differences, and the CPU time at the start."""
import gzip
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

DANA, WARC = sys.argv[1:3]
PAIRS = int(sys.argv[3]) if len(sys.argv) > 3 else 15
NAMES = sys.argv[4:]
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><h1>A page</h1>" + 9 * (
    b"<p>The people of the town were on their way to the market, and some of them had never been there before.</p>\n")
RECORD = (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://page.test/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
          b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\nContent-Type: application/http; msgtype=response\r\n"
          b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (len(PAGE), PAGE))


def run(archive, arguments):
    subprocess.run([DANA, "filter", "-q", "-j", "0", "-m", "learned", *arguments, archive], stdout=subprocess.DEVNULL, check=True)


def cpu(archive, plugins):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(archive, plugins)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pairs(archive, plugins):
    """CPU seconds without and with the plugins."""
    for i in range(PAIRS):
        pair = {}
        for with_plugins in (i % 2, 1 - i % 2):
            pair[with_plugins] = cpu(archive, plugins if with_plugins else [])
        yield pair[0], pair[1]


def measure(name, plugins, page, decoded):
    starts = list(pairs(page, plugins))
    start, start_with = (statistics.median(pair[i] for pair in starts) for i in (0, 1))
    runs = [(without - start, with_them - start_with) for without, with_them in pairs(WARC, plugins)]
    low, middle, high = statistics.quantiles([with_them / without - 1 for without, with_them in runs], n=4)
    ns = statistics.median(with_them - without for without, with_them in runs) * 1e9 / decoded
    print("%-16s %+5.1f %%  (quartiles %+.1f to %+.1f, %d pairs)  %.3f ns/byte  start %.1f ms" % (
        name, 100 * middle, 100 * low, 100 * high, PAIRS, ns, 1000 * (start_with - start)), flush=True)


def bytes_decoded(stats):
    run(WARC, ["--stats", stats])
    with open(stats) as f:
        return json.load(f)["bytes_decoded"]


def main():
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    with tempfile.TemporaryDirectory() as folder:
        million, one, page, stats = (os.path.join(folder, name) for name in ("million.txt.gz", "one.txt", "page.warc", "stats.json"))
        with gzip.open(million, "wt", compresslevel=6) as f:
            for i in range(1000000):
                f.write("%s%d.%s\n" % ("".join(rng.choices(letters, k=rng.randint(4, 14))), i % 1000, rng.choice(["com", "org", "net", "de"])))
        with open(one, "w") as f:
            f.write("x.invalid\n")
        with open(page, "wb") as f:
            f.write(RECORD)
        chain = ["--plugin", "language", "--plugin", "quality", "--plugin", "metadata"]
        chains = {"language": chain[0:2], "quality": chain[2:4], "metadata": chain[4:6],
                  "url": ["--plugin", "url:block=" + million],
                  "all": ["--plugin", "url:block=" + million, *chain],
                  "all-list-of-one": ["--plugin", "url:block=" + one, *chain]}
        decoded = bytes_decoded(stats)
        for name in NAMES or chains:
            measure(name, chains[name], page, decoded)


main()
