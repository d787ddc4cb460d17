#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets calls to the system fail, one in each run, and looks at what the run does (runs.py, shim.c).

Every call of a run fails once with each error that it may have: reads, writes, opens, fsync, rename, locks of the outputs,
the inputs and their folders. Then
  * nothing crashes or hangs, and a file of a final name is complete;
  * EINTR and calls that do half of the work change nothing at all;
  * any other error is either without effect, or the run ends with status 1 and a message with the name of the file; the
    run that goes on without faults ends with all that a run without faults writes.
Errors of the disk also come to stay: all further calls of that name fail. At last a process may have fewer threads than a
run wants: it says so, or does with them."""
import errno, os, signal, subprocess, sys

from runs import CASES, LONG, RANDOM, fail, failures, option, read_log, run_logged, shim_works, with_cases

SHORT = 0
ERRORS = {
    "read": (errno.EIO, errno.EINTR, errno.EAGAIN, SHORT),
    "write": (errno.EIO, errno.ENOSPC, errno.EINTR, errno.EAGAIN, SHORT),
    "fsync": (errno.EIO, errno.ENOSPC, errno.EINTR),
    "create": (errno.EMFILE, errno.ENOSPC, errno.EINTR),
    "open": (errno.EMFILE, errno.EIO, errno.EINTR),
    "rename": (errno.EIO, errno.ENOSPC),
    "unlink": (errno.EIO,),
    "ftruncate": (errno.EIO, errno.EINTR),
    "lseek": (errno.EIO,),
    "fstat": (errno.EIO,),
    "close": (errno.EIO, errno.ENOSPC),
    "mkdir": (errno.EIO, errno.ENOSPC),
    "opendir": (errno.EMFILE,),
}
HARMLESS = (SHORT, errno.EINTR)
STAYING = (errno.EIO, errno.ENOSPC, errno.EMFILE)
ROUNDS = option("--rounds", 0 if LONG else 5)  # of each case; 0: all
counts = {"runs": 0, "told": 0, "gone on": 0}


def plan(case, scratch):
    """All faults of this case: (name, number, error, whether it stays); first the one that the sandbox meets at an input."""
    _, log, _, _ = run_logged(case, scratch, "-q", FAULT_CALLS=" ".join(ERRORS), FAULT_FOLDER=scratch)
    entries = list(read_log(log))
    calls = [call for call, *_ in entries]
    opened = [path for call, _, _, _, path, _ in entries if call == "open"]
    faults = [("open", opened.index(case.command[-1]) + 1, errno.EIO, False)]
    for name, errors in ERRORS.items():
        for number in range(1, calls.count(name) + 1):
            faults += [(name, number, error, stays) for error in errors for stays in (False, True)
                       if not stays or error in STAYING]
    return faults


def words_for(path):
    """A message names the file by one of these: the output for what belongs to it."""
    name = os.path.basename(path)
    for suffix in (".new", ".state", ".part", ".rejects.jsonl"):
        name = name[:-len(suffix)] if name.endswith(suffix) else name
    return name


def names_file(case, text, path):
    if os.path.isdir(path):
        return any(words_for(n) in text for n in case.want)
    return words_for(path) in text


def run_with(case, scratch, fault):
    name, number, error, stays = fault
    how = "%s number %d: %s%s" % (name, number, errno.errorcode.get(error, "half of the bytes"), ", from then on" * stays)
    try:
        status, log, _, text = run_logged(case, scratch, "-q", stderr=subprocess.PIPE, FAULT_FOLDER=scratch,
                                          FAULT_CALLS=" ".join(ERRORS),
                                          FAULT_FAIL="%s:%d:%d%s" % (name, number, error, ":on" * stays))
    except subprocess.TimeoutExpired:
        return fail(case, how, "it hangs")
    paths = [path for _, _, _, _, path, failed in read_log(log) if failed]
    if not paths:
        return None  # with threads there may be fewer calls
    counts["runs"] += 1
    how += ", " + paths[0]
    case.check_final(how)
    if status == case.status:
        if case.files() != case.want:
            fail(case, how, "the fault is not told, and the files differ: %s" % ", ".join(sorted(case.files())))
        return None
    if error in HARMLESS or status != 1:
        return fail(case, how, "status %d, %s" % (status, text))
    counts["told"] += 1
    if not any(names_file(case, text, path) for path in paths):
        fail(case, how, "the message does not name the file: " + text)
    counts["gone on"] += 1
    return case.go_on(how)


def run_with_threads(case, scratch, most):
    """True: they were enough."""
    how = "at most %d threads" % most
    try:
        status, _, _, text = run_logged(case, scratch, "-q", stderr=subprocess.PIPE, FAULT_THREADS=str(most))
    except subprocess.TimeoutExpired:
        return fail(case, how, "it hangs")
    case.check_final(how)
    if status not in (1, case.status) or (status == 1 and "cannot start a thread" not in text):
        fail(case, how, "status %d, %s" % (status, text))
    case.go_on(how)
    return status == case.status


def limit_threads(case, scratch):
    most = 0
    while not run_with_threads(case, scratch, most) and most < 20:
        most += 1
    if most not in range(5, 20):  # libuv's pool alone has four
        fail(case, "few threads", "%d are enough" % most)


def run(cases, scratch):
    if not shim_works(cases[0], scratch):
        sys.exit(77)
    for case in cases:
        faults = plan(case, scratch)
        chosen = faults[:1] + RANDOM.sample(faults, min(ROUNDS, len(faults))) if ROUNDS else faults
        for fault in chosen:
            run_with(case, scratch, fault)
        if LONG or case is cases[-1]:
            limit_threads(case, scratch)
        print("%s: %d of %d faults" % (case.name, len(chosen), len(faults)), flush=True)
    print("%d calls failed, %d times it was told; %d failures" % (counts["runs"], counts["told"], len(failures)))


with_cases(CASES, run)
