#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs on a disk that is too small, and goes on with them when it has grown (runs.py).

The outputs go to a tmpfs of its own in a mount namespace of its own, of many sizes below what they need. A run that does not
fit ends with status 1, names a file and the reason, and leaves no file of a final name that is not complete. With more room
`--resume` ends with all that a run without faults writes. Skipped where no tmpfs may be mounted."""
import os, subprocess, sys

from runs import CASES, IN_TIME, LONG, RANDOM, fail, failures, with_cases

INSIDE = "DANA_OWN_MOUNTS"
STEP = 4096
SHORT_SIZES = 2  # of each case
ENOUGH = 64 << 20
FULL = "No space left on device"
counts = {"runs": 0, "full": 0}


def mount(folder, size, *options):
    return subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(("size=%d" % size,) + options), "tmpfs", folder],
                          stderr=subprocess.DEVNULL).returncode == 0


def in_own_mounts():
    """Runs this program again where it may mount; only root may without a namespace of users."""
    if os.environ.get(INSIDE):
        return
    os.environ[INSIDE] = "1"
    for words in (["unshare", "--mount"], ["unshare", "--mount", "--user", "--map-root-user"]):
        try:
            if subprocess.run(words + ["true"], stderr=subprocess.DEVNULL).returncode == 0:
                os.execvp(words[0], words + [sys.executable] + sys.argv)
        except FileNotFoundError:
            break
    print("no namespace of mounts can be had")
    sys.exit(77)


def names_a_file(case, text):
    return any(name in text for name in [os.path.basename(n) for n in case.want] + ["stats.json", ".dana-"])


def run_on(case, size):
    how = "a disk of %d bytes" % size
    if not mount(case.folder, size):
        print("no tmpfs can be mounted")
        sys.exit(77)
    try:
        process = case.start("-q", stderr=subprocess.PIPE)
        text = process.communicate(timeout=IN_TIME)[1].decode("utf-8", "replace")
        counts["runs"] += 1
        case.check_final(how)
        if process.returncode != case.status:
            counts["full"] += 1
            if process.returncode != 1 or FULL not in text or not names_a_file(case, text):
                fail(case, how, "status %d, %s" % (process.returncode, text))
        mount(case.folder, ENOUGH, "remount")
        case.go_on(how)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        fail(case, how, "it hangs")
    finally:
        subprocess.run(["umount", case.folder], check=True)


def run(cases, scratch):
    for case in cases:
        need = sum(len(data) for data in case.want.values()) // STEP + 4
        sizes = range(1, need, 2) if LONG else RANDOM.sample(range(1, need), SHORT_SIZES)
        case.clear()
        for size in sizes:
            run_on(case, size * STEP)
        print("%s: %d sizes below %d KiB" % (case.name, len(sizes), need * STEP >> 10), flush=True)
    print("%d runs, %d times the disk was full; %d failures" % (counts["runs"], counts["full"], len(failures)))
    if counts["full"] * 2 < counts["runs"]:
        sys.exit("the disk was full too seldom for the test to mean much")


in_own_mounts()
with_cases(CASES, run)
