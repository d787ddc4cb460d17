#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Interrupts runs, goes on with them, and compares what comes out with a run that was not interrupted (runs.py).

Four kinds of interruption, in every output format and with one thread, workers, and several inputs at once:
  * kill -9 before each call that changes a file (write, fsync, rename, ftruncate, unlink, creation), by the library shim.c;
  * the same as a power cut: what was not synced is undone, torn or kept at random, names as well as bytes;
  * SIGTERM before the second and the third read of each input: a checkpoint between two inputs;
  * kill -9, SIGTERM or SIGINT at random times.
After each the run is gone on with, sometimes to be interrupted again, until it ends. Then all outputs, rejects and
counters must be those of the whole run; a file of a final name must be so at any time. Before that, the order of the
calls of a whole run is checked: nothing is named before it is on the disk, and no state speaks of bytes that are not;
that check must notice when fsync of files or of folders is left out."""
import os, re, signal, subprocess, sys, time

from power import kill_at
from runs import CASES, IN_TIME, LONG, RANDOM, fail, failures, option, read_log, run_logged, shim_works, with_cases

ROUNDS = option("--rounds", 1000 if LONG else 18)
# --kills: programs of Windows, which wine runs, get no other
SIGNALS = [signal.SIGKILL] * 2 + [signal.SIGTERM, signal.SIGINT] * ("--kills" not in sys.argv)
SHORT_INDEXES = 6  # of each case in the short form
counts = {"kills": 0, "after": 0}


# ---- the order of calls ----

def order_faults(log, keep):
    """What is wrong with the order of the calls of a run: a list of texts."""
    written, synced, unnamed, faults = {}, {}, [], []
    for index, (call, path, to, number, full, _) in enumerate(read_log(log), 1):
        if call == "write":
            written[path] = written.get(path, 0) + number
        elif call == "create":
            written[path] = synced[path] = 0
        elif call == "ftruncate":
            written[path] = number
        elif call == "fsync" and os.path.isdir(full):
            unnamed.clear()
        elif call == "fsync":
            synced[path] = written.get(path, 0)
        elif call == "rename":
            if synced.get(path, -1) != written.get(path, 0):
                faults.append("%d: %s becomes %s before it is synced" % (index, path, to))
            if to.endswith(".state"):
                faults += state_faults(index, "%s/%d.new" % (keep, index), to[:-len(".state")], synced)
            written[to], synced[to] = written.pop(path, 0), synced.pop(path, 0)
            unnamed.append(to)
        elif call == "unlink":
            output = path[:-len(".state")]
            if path.endswith(".state") and output in unnamed:
                faults.append("%d: %s goes before the name of its output is synced" % (index, path))
    if unnamed:
        faults.append("at the end the names of %s are not synced" % ", ".join(unnamed))
    return faults


def state_faults(index, name, output, synced):
    state = open(name, "rb").read()
    faults = []
    for word, part in ((b"documents", output + ".part"), (b"rejects", output + ".rejects.jsonl.part")):
        match = re.search(rb"\n%s \d+:(\d+)\n" % word, state)
        if match and int(match.group(1)) > synced.get(part, 0):
            faults.append("%d: the state of %s speaks of %d bytes, and %d are synced"
                          % (index, part, int(match.group(1)), synced.get(part, 0)))
    return faults


def check_order(case, scratch):
    """The number of calls."""
    _, log, keep, _ = run_logged(case, scratch, keeps=True)
    calls = sum(1 for _ in open(log))
    for text in order_faults(log, keep):
        fail(case, "order of calls", text)
    for drop in ("file", "folder"):  # the check itself: it must notice when they are left out
        _, log, keep, _ = run_logged(case, scratch, keeps=True, FAULT_DROP=drop)
        if not order_faults(log, keep):
            fail(case, "order of calls", "a missing fsync of the %s was not noticed" % drop)
    return calls


# ---- kills ----

def count(case):
    counts["kills"] += 1
    counts["after"] += case.after_checkpoint()


def stop_at_inputs(case, scratch):
    calls = {"FAULT_FOLDER": scratch, "FAULT_CALLS": "read"}
    _, log, _, _ = run_logged(case, scratch, **calls)
    paths = [path for _, _, _, _, path, _ in read_log(log)]
    for path in sorted(set(paths)):
        # The first read of a file, which tells a zip from an archive, is before the run and its handlers of signals begin.
        for index in [i for i, p in enumerate(paths, 1) if p == path][1:3]:
            how = "SIGTERM before read %d, of %s" % (index, path)
            status, *_ = run_logged(case, scratch, FAULT_KILL="%d:%d" % (index, signal.SIGTERM), **calls)
            if status not in (128 + signal.SIGTERM, case.status):
                fail(case, how, "status %d" % status)
            case.check_final(how)
            count(case)
            case.go_on(how)


def kill_at_calls(cases, scratch):
    for case in cases:
        calls = check_order(case, scratch)
        for index in range(1, calls + 50) if LONG else sorted(RANDOM.sample(range(1, calls + 1), min(SHORT_INDEXES, calls))):
            if kill_at(case, index, scratch, False, counts):
                kill_at(case, index, scratch, True, counts)
        stop_at_inputs(case, scratch)
        print("%s: %d calls, %d interruptions so far" % (case.name, calls, counts["kills"]), flush=True)


def stop_once(case, how, number_of_signal, seconds):
    case.clear()
    process = case.start()
    try:
        process.wait(RANDOM.random() * seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(number_of_signal)
        begin = time.monotonic()
        status = process.wait(IN_TIME)
        counts["slowest"] = max(counts.get("slowest", 0), time.monotonic() - begin)
        if number_of_signal != signal.SIGKILL and status not in (128 + number_of_signal, -number_of_signal, case.status):
            fail(case, how, "status %d" % status)
        count(case)
    case.check_final(how)
    case.go_on(how, 0.3)


def kill_at_random_times(cases, rounds):
    """Until so many have been interrupted; one that ends before is none."""
    seconds = {}
    for case in cases:
        begin = time.monotonic()
        case.clear()
        case.start().wait(IN_TIME)
        seconds[case] = time.monotonic() - begin
    number, last = 0, counts["kills"] + rounds
    while counts["kills"] < last:
        case = cases[number % len(cases)]
        number_of_signal = RANDOM.choice(SIGNALS)
        stop_once(case, "signal %d at a random time, round %d" % (number_of_signal, number), number_of_signal, seconds[case])
        number += 1


def run(cases, scratch):
    if shim_works(cases[0], scratch):  # else at random times only
        kill_at_calls(cases, scratch)
    at_calls = counts["kills"]
    kill_at_random_times(cases, ROUNDS)
    print("%d interruptions at calls, %d at random times (the slowest ended after %.2f s); %d of all after a checkpoint; "
          "%d failures" % (at_calls, counts["kills"] - at_calls, counts["slowest"], counts["after"], len(failures)))
    if counts["after"] * 2 < counts["kills"]:
        sys.exit("too few interruptions fell after a checkpoint for the test to mean much")


with_cases(CASES, run)
