#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Interrupts runs with ordered plugins, which keep state and write files of their own, goes on with them, and compares.

As interrupt.py: kill -9 and power cuts before calls that change a file. The files of the plugins must be those of the whole run
in the end; and at any time an index, a file of signatures or the like is either as it was before the run, or complete, and then
all outputs are: it never knows of a page whose output is not there.

A run that learns a table of boilerplate cannot be resumed: after a kill there is the whole table, or none and a message.

A call that is interrupted (EINTR) changes nothing. A journal that cannot be written (EIO, a full disk) ends the run with status 1 and a message that names plugin, file and reason."""
import errno, os, re, shutil, signal, subprocess, sys

from power import kill_at
from runs import DANA, IN_TIME, LONG, RANDOM, Case, fail, is_temporary, option, read_log, run_logged, shim_works, with_cases

ROUNDS = option("--rounds", 50 if LONG else 2)  # of each case; the long form has two cases for each plugin

PLUGINS = {
    "exact": ["dedup-exact:index=texts"],
    "lines": ["dedup-lines:index=lines,max-count=3,min-chars=5"],
    "bloom": ["dedup-lines:set=bloom,memory=1M,min-chars=5,journal=lines.journal"],
    "sign": ["dedup-near:signatures=sig"],
    "drop": ["dedup-near:drop=rows"],
    "table": ["boilerplate:table=table,min-pages=2,keep=first,journal=boilerplate.journal"],
    "streaming": ["boilerplate:streaming=1,min-pages=2,journal=boilerplate.journal"],
    "learn": ["boilerplate:learn=table"],
    "all": ["dedup-exact:index=texts,small=0", "dedup-lines:index=lines,max-count=3,min-chars=5",
            "boilerplate:streaming=1,min-pages=2,journal=boilerplate.journal", "dedup-near:signatures=sig"],
}
CASES = [("%s, %s" % (name, " ".join(options)), "jsonl", options, name) for name in PLUGINS
         for options in ((["-j", "0"], ["-j", "2", "-J", "1"]) if LONG or name in ("all", "learn") else (["-j", "0", "-J", "1"],))]


class PluginCase(Case):
    """Each run begins with the files that earlier ones have left: an index, a list of rows, a table."""

    def __init__(self, name, output, options, inputs, folder, plugins):
        more = [word for plugin in PLUGINS[plugins] for word in ("--plugin", plugin)]
        super().__init__(name, output, options, inputs, folder, more)
        self.seed, self.plugins = {}, plugins
        super().clear()
        if plugins in ("exact", "all"):
            self.dana("filter", "-q", "-m", "plain", "-o", "seed.jsonl", "--plugin", "dedup-exact:index=texts", inputs[2])
        if plugins in ("lines", "all"):
            self.dana("filter", "-q", "-m", "plain", "--force", "-o", "seed.jsonl", "--plugin", PLUGINS["lines"][0], inputs[2])
        if plugins == "drop":
            self.dana("filter", "-q", "-m", "plain", "-o", "seed.jsonl", "--plugin", PLUGINS["sign"][0], *inputs)
            self.dana("dedup", "cluster", "-o", "rows", "sig")
        if plugins == "table":
            self.dana("dedup", "learn", "--method", "plain", "-o", "table", *inputs)
        self.seed = {name: data for name, data in self.files().items() if name in ("texts", "lines", "rows", "table")}

    def dana(self, *words):
        status = subprocess.run([DANA, *words], cwd=self.folder, stderr=subprocess.DEVNULL, timeout=IN_TIME).returncode
        assert status in (0, 2), "%s: status %d" % (" ".join(words), status)

    def clear(self):
        super().clear()
        for name, data in self.seed.items():
            with open(os.path.join(self.folder, name), "wb") as f:
                f.write(data)

    def whole(self):
        super().whole()
        self.made = [n for n in self.want if n.startswith(("texts", "lines", "sig")) and self.want[n] != self.seed.get(n)]
        assert not [n for n in self.want if n.endswith(".journal")], sorted(self.want)

    def check_final(self, how):
        found = self.files()
        for name, data in found.items():
            if not is_temporary(name) and not name.endswith(".journal") and data not in (self.want.get(name), self.seed.get(name)):
                fail(self, how, "%s has its final name and other bytes" % name)
        for name in self.made:
            if found.get(name, self.seed.get(name)) == self.seed.get(name):
                continue
            missing = [n for n in self.want if n.startswith("out") and n not in found]
            if missing:
                fail(self, how, "%s is ahead of %s" % (name, ", ".join(missing)))

    def compare(self, how, status):
        """A run that was killed after its state had been removed does not know the name of the journal of signatures."""
        journals = [n for n in self.files() if n.endswith(".sig.journal")]
        for name in journals if status == 0 else ():
            os.unlink(os.path.join(self.folder, name))
        super().compare(how, status)


def interrupt_complete(case, scratch):
    """Resumed runs of which each one is killed one call later than the one before, when the outputs are complete."""
    _, log, _, _ = run_logged(case, scratch)
    last = max(i for i, (call, _, to, *_) in enumerate(read_log(log), 1) if call == "rename" and to.endswith(".state"))
    status, index = run_logged(case, scratch, FAULT_KILL=str(last + 1))[0], 0
    while status == -signal.SIGKILL:
        index += 1
        status = run_logged(case, scratch, "-q", "--resume", FAULT_KILL=str(index))[0]
        case.check_final("kill after the last checkpoint, then before call %d" % index)
    case.compare("after the last checkpoint %d times" % index, status)


def fail_journal(case, scratch, counts):
    calls = "write fsync"
    _, log, _, _ = run_logged(case, scratch, "-q", FAULT_CALLS=calls)
    seen, faults = {}, []
    for call, name, *_ in read_log(log):
        seen[call] = seen.get(call, 0) + 1
        if name.endswith(".journal"):
            faults += [(call, seen[call], name, error) for error in (errno.EIO, errno.ENOSPC)]
    for call, number, name, error in RANDOM.sample(faults, min(ROUNDS, len(faults))):
        how = "%s number %d, of %s: %s" % (call, number, name, errno.errorcode[error])
        status, log, _, text = run_logged(case, scratch, "-q", stderr=subprocess.PIPE, FAULT_CALLS=calls,
                                          FAULT_FAIL="%s:%d:%d" % (call, number, error))
        name = ([name for _, name, _, _, _, failed in read_log(log) if failed] or [""])[0]
        if not name.endswith(".journal"):
            continue  # with threads the calls come in another order
        counts["failed"] += 1
        if status != 1 or not re.search(r"plugin [a-z-]+: [^ ]*%s: %s" % (re.escape(name), os.strerror(error)), text):
            fail(case, how, "status %d, %s" % (status, text))
        case.check_final(how)
        case.go_on(how)


def interrupt_calls(case, scratch, counts):
    """EINTR of the calls of a journal or of an index that grows changes nothing at all."""
    calls = "create open write fsync ftruncate"
    _, log, _, _ = run_logged(case, scratch, "-q", FAULT_CALLS=calls)
    seen, faults = {}, {}
    for call, name, *_ in read_log(log):
        seen[call] = seen.get(call, 0) + 1
        if name.endswith((".journal", "texts.part", "lines.part", ".sig.part")):
            faults.setdefault((call, name), seen[call])
    for (call, name), number in faults.items():
        status, _, _, text = run_logged(case, scratch, "-q", stderr=subprocess.PIPE, FAULT_CALLS=calls,
                                        FAULT_FAIL="%s:%d:%d" % (call, number, errno.EINTR))
        counts["interrupted"] += 1
        if status != case.status or case.files() != case.want:
            fail(case, "EINTR of %s number %d, of %s" % (call, number, name), "status %d, %s" % (status, text))


def learn(cases, scratch):
    for case in cases:
        _, log, _, _ = run_logged(case, scratch)
        calls = list(read_log(log))
        first = max(i for i, (call, _, to, *_) in enumerate(calls) if call == "rename" and to.endswith(".jsonl"))
        for index in range(first + 1, len(calls) + 1):  # the outputs are complete, the table may not be
            if run_logged(case, scratch, FAULT_KILL=str(index))[0] != -signal.SIGKILL:
                continue
            for again in ("", ", again"):
                process = case.start("-q", "--resume", stderr=subprocess.PIPE)
                text = process.communicate(timeout=IN_TIME)[1].decode()
                made = case.files().get("table")
                refused = process.returncode in (1, 3) and "plugin boilerplate: " in text
                if made not in (None, case.want["table"]) or not (refused or (made and process.returncode in (0, case.status))):
                    fail(case, "kill before call %d%s" % (index, again), "status %d, %s" % (process.returncode, text))
        print("%s: killed before each of the last %d calls" % (case.name, len(calls) - first), flush=True)


def run(cases, scratch):
    if not shim_works(cases[0], scratch):
        return
    learn([case for case in cases if case.plugins == "learn"], scratch)
    cases = [case for case in cases if case.plugins != "learn"]
    counts = {"kills": 0, "after": 0, "failed": 0, "interrupted": 0}
    for case in cases:
        _, log, _, _ = run_logged(case, scratch)
        calls = sum(1 for _ in open(log))
        # half of them among the last calls: the plugins' files are written when the outputs are complete
        late = range(max(1, calls - 60), calls + 1)
        before, number = counts["kills"], 0
        while counts["kills"] - before < ROUNDS and number < 4 * ROUNDS:  # with threads a run may end before that call
            index = RANDOM.choice(late) if number % 2 else RANDOM.randint(1, calls)
            kill_at(case, index, scratch, RANDOM.random() < 0.5, counts)
            number += 1
        interrupt_complete(case, scratch)
        fail_journal(case, scratch, counts)
        interrupt_calls(case, scratch, counts)
        print("%s: %d calls, %d interruptions" % (case.name, calls, counts["kills"] - before), flush=True)
    print("%d interruptions, %d after a checkpoint; %d calls failed, %d were interrupted" %
          (counts["kills"], counts["after"], counts["failed"], counts["interrupted"]))
    if not counts["failed"]:
        sys.exit("no write of a journal failed")
    if counts["after"] * 3 < counts["kills"]:
        sys.exit("too few interruptions fell after a checkpoint for the test to mean much")


listed = subprocess.run([DANA, "plugins"], stdout=subprocess.PIPE, check=True).stdout.decode()
if all("\n  %s " % name in listed for name in ("dedup-exact", "dedup-lines", "dedup-near", "boilerplate")):
    with_cases(CASES, run, PluginCase)
else:
    print("without the plugins that find duplicates")
