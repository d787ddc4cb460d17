#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plugins.py DANA FILE [PAIRS [NAME...]]: what plugins cost on top of `dana filter -j 0 -m learned FILE`.

Each plugin by itself, and all of them in a chain: PAIRS (15) pairs of runs, without and with, by turns, so that other
load of the machine meets both. NAMES choose among the chains. Prints the median of the ratios of CPU time (user and system),
and their quartiles. Makes the list of a million domains that `url` reads; a second chain has a list of one domain."""
import gzip
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


def cpu(plugins):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([DANA, "filter", "-q", "-j", "0", "-m", "learned", *plugins, WARC], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, plugins):
    ratios = []
    for i in range(PAIRS):
        pair = {}
        for with_plugins in (i % 2, 1 - i % 2):
            pair[with_plugins] = cpu(plugins if with_plugins else [])
        ratios.append(pair[1] / pair[0] - 1)
    low, middle, high = statistics.quantiles(ratios, n=4)
    print("%-16s %+5.1f %%  (quartiles %+.1f to %+.1f, %d pairs)" % (name, 100 * middle, 100 * low, 100 * high, PAIRS), flush=True)


def main():
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    with tempfile.TemporaryDirectory() as folder:
        million, one = os.path.join(folder, "million.txt.gz"), os.path.join(folder, "one.txt")
        with gzip.open(million, "wt", compresslevel=6) as f:
            for i in range(1000000):
                f.write("%s%d.%s\n" % ("".join(rng.choices(letters, k=rng.randint(4, 14))), i % 1000, rng.choice(["com", "org", "net", "de"])))
        with open(one, "w") as f:
            f.write("x.invalid\n")
        chain = ["--plugin", "language", "--plugin", "quality", "--plugin", "metadata"]
        chains = {"language": chain[0:2], "quality": chain[2:4], "metadata": chain[4:6],
                  "url": ["--plugin", "url:block=" + million],
                  "all": ["--plugin", "url:block=" + million, *chain],
                  "all-list-of-one": ["--plugin", "url:block=" + one, *chain]}
        for name in NAMES or chains:
            measure(name, chains[name])


main()
