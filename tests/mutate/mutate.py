#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes the source on purpose, one small change at a time, and counts the changes that no test notices.

A changed program is a mutant. A mutant that makes a test fail is killed; one that passes all tests survives: either a test is
missing, or the change makes no difference (the mutant is equivalent). survivors.txt, beside this script, tells of each survivor
of the fixed seed which of the two it is, and why.

    make mutate                                   60 mutants over all rooms of src/
    make mutate MUTATE='--seed 7 --room warc'     others
    make mutate MUTATE='--again FILE'             the mutants of FILE (in the form of survivors.txt) once more

Mutants are built in a scratch copy of the source, without optimizing much, each by changing one line of one file. Those that
do not compile are passed over, and so are those whose object files are the same as without the change. The tests of the
changed room run first, then the other unit tests whose program changed. The mutants that pass those are run through the
scripts that are named after the command or room, then the golden runs and other scripts, and last the other tests of the
command line. The first failure ends it. A test that takes ten times its usual time fails. Mutants are judged side by side,
each in a scratch copy of its own (--jobs). The exit status is 0 when at least 95 percent of the mutants that are not listed
as equivalent are killed.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

SEED, COUNT, GOAL = 1, 60, 0.95
# Tests of the source's form, and tests that need what only some machines have, tell nothing about a mutant.
NOT_RUN = {"check_includes.sh", "check_format.sh", "check_libraries.sh", "check_recipes.sh",
           "check_warcs.sh", "check_hostile.sh"}
BATS = "tests/cli/run_bats.sh"  # its files run one by one
PROGRAMS_AT_ONCE = 8  # are linked before the first of them runs
SKIPPED_FILES = {"entity_table.h", "says_table.h"}
TYPES = (
    "static|const|typedef|enum|struct|union|unsigned|signed|int|long|short|char|bool|float|double|void|size_t|ssize_t|FILE|"
    r"u?int\d+_t|uintptr_t|time_t|return|case|default|goto|else|do|extern|inline|_Static_assert"
)

# Only the sanitizers' build sees what is not released.
RELEASES = r"(free|close|destroy|unref|Free|Delete)\w*\("


class Mutant(collections.namedtuple("Mutant", "path number old new kind")):
    def key(self):
        return (self.path, self.old.strip(), self.new.strip())

    def text(self):
        return f"{self.path}\n- {self.old.strip()}\n+ {self.new.strip()}\n"


# ---- where the source can be changed ----

def masked(text):
    """The source with comments, strings, characters and directives blanked out, byte for byte as long."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


SWAPS = [
    ("boundary", r" (<) ", "<="), ("boundary", r" (<=) ", "<"), ("boundary", r" (>) ", ">="), ("boundary", r" (>=) ", ">"),
    ("equality", r" (==) ", "!="), ("equality", r" (!=) ", "=="),
    ("logic", r" (&&) ", "||"), ("logic", r" (\|\|) ", "&&"),
    ("arithmetic", r"[\w\])] (\+) ", "-"), ("arithmetic", r"[\w\])] (-) ", "+"),
    ("arithmetic", r" (\+=) ", "-="), ("arithmetic", r" (-=) ", "+="),
    ("arithmetic", r"[\w\])] (\*) [\w(]", "/"), ("arithmetic", r"[\w\])] (/) ", "*"),
    ("arithmetic", r"(\+\+)", "--"), ("arithmetic", r"(--)", "++"),
    ("bits", r"[\w\])] (&) [\w(~]", "|"), ("bits", r"[\w\])] (\|) [\w(~]", "&"), ("bits", r" (\|=) ", "="),
    ("bits", r" (<<) ", ">>"), ("bits", r" (>>) ", "<<"),
    ("negation", r"(!)[\w(]", ""),
]


def closing(line, at):
    """Where the parenthesis that opens at `at` closes; -1 when not in this line."""
    depth = 0
    for i in range(at, len(line)):
        depth += {"(": 1, ")": -1}.get(line[i], 0)
        if depth == 0:
            return i
    return -1


def changed_return(value):
    if value in ("true", "false"):
        return {"true": "false", "false": "true"}[value]
    if re.fullmatch(r"-?\d+", value):
        return str(int(value) + 1)
    if re.search(r"==|!=|&&|\|\||[<>] |^!", value):
        return f"!({value})"
    return "1" if value in ("DANA_OK", "NULL") else "0"


def line_changes(line, mask, before):
    """All changes of a line: (kind, new line). `before` is the masked line before it."""
    for kind, pattern, to in SWAPS:
        for m in re.finditer(pattern, mask):
            yield kind, line[:m.start(1)] + to + line[m.end(1):]
    for m in re.finditer(r"(?<![\w.])(\d+)(?=[uUlL]*\b)(?![\w.]*\.)(?!x)", mask):
        yield "constant", line[:m.start(1)] + str(int(m.group(1)) + 1) + line[m.end(1):]
        if int(m.group(1)) > 0:
            yield "constant", line[:m.start(1)] + str(int(m.group(1)) - 1) + line[m.end(1):]
    for m in re.finditer(r"\b(?:if|while) (\()", mask):
        end = closing(mask, m.start(1))
        if end > 0:
            yield "condition", line[:m.start(1)] + "(!" + line[m.start(1):end + 1] + ")" + line[end + 1:]
    m = re.fullmatch(r"(\t+return )([^;]+)(;\s*)", mask)
    if m and m.group(2).strip() and mask.count("(") == mask.count(")"):
        value = line[m.start(2):m.end(2)]
        yield "return", line[:m.start(2)] + changed_return(value) + line[m.end(2):]
    m = re.fullmatch(r"(\t+)([^;{}]+);\s*", mask)
    whole = m and mask.count("(") == mask.count(")") and re.search(r"(^|[;{}:)]|\belse)$", before.rstrip())
    declares = m and (re.match(rf"({TYPES})\b", m.group(2)) or re.match(r"\w+ \**\w+( =|,|\[|$)", m.group(2)))
    if whole and not declares and not re.search(RELEASES, m.group(2)):
        yield "removed", m.group(1) + ";"


def file_changes(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    lines, masks = text.split("\n"), masked(text).split("\n")
    depth, found = 0, []
    for i, (line, mask) in enumerate(zip(lines, masks)):
        before = next((masks[j] for j in range(i - 1, -1, -1) if masks[j].strip()), "")
        inside = depth > 0 or "enum {" in mask
        depth += mask.count("{") - mask.count("}")
        if not inside or re.fullmatch(r"[\s\d.,{}xXa-fA-FuUlL+-]*", mask) or "_Static_assert" in mask:
            continue  # declarations, and rows of numbers, which have tables of their own to agree with
        changes = [Mutant(path, i, line, new, kind) for kind, new in line_changes(line, mask, before)]
        if changes:
            found.append(changes)
    return found


def rooms_of(root):
    rooms = {}
    for folder, _, files in sorted(os.walk(os.path.join(root, "src"))):
        for name in sorted(files):
            if name.endswith((".c", ".h")) and name not in SKIPPED_FILES:
                path = os.path.relpath(os.path.join(folder, name), root)
                rooms.setdefault(path.split(os.sep)[1], []).append(path)
    return rooms


class Chooser:
    """The mutants of a room in the order of the seed: a line at random, then one of the kinds of change that fit it."""

    def __init__(self, root, room, paths, seed):
        self.random = random.Random(f"{seed} {room}")
        self.lines = [line for path in paths for line in file_changes(root, path)]
        self.weight = len(self.lines)
        self.random.shuffle(self.lines)

    def next(self):
        if not self.lines:
            return None
        changes = self.lines.pop()
        kind = self.random.choice(sorted({m.kind for m in changes}))
        return self.random.choice([m for m in changes if m.kind == kind])


def quotas(choosers, count):
    """At least one for each room, the rest by the number of lines that can change."""
    rooms = sorted(r for r in choosers if choosers[r].weight)
    total = sum(choosers[r].weight for r in rooms)
    quota = {r: 1 for r in rooms}
    rest = max(count - len(rooms), 0)
    share = {r: rest * choosers[r].weight / total for r in rooms}
    for r in rooms:
        quota[r] += int(share[r])
    for r in sorted(rooms, key=lambda r: int(share[r]) - share[r])[:max(count - sum(quota.values()), 0)]:
        quota[r] += 1
    return quota


# ---- the scratch build ----

class Scratch:
    def __init__(self, source, folder, cores):
        self.source, self.cores = source, cores
        self.root, self.build = os.path.join(folder, "source"), os.path.join(folder, "build")
        self.env = dict(os.environ, srcdir=self.root, FUZZ_ROUNDS="300", LC_ALL="C.UTF-8", DANA_SOURCE=self.root)
        for name in ("DANA_SHARED", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CFLAGS"):
            self.env.pop(name, None)
        self.env["DANA"] = os.path.join(self.build, "src", "cli", "dana")
        self.copy()
        os.makedirs(self.build, exist_ok=True)
        if not os.path.exists(os.path.join(self.build, "config.status")):
            self.run([os.path.join(self.root, "configure"), "-q", "--disable-shared", "CFLAGS=-O1 -g0"], 1200, True)

    def copy(self):
        """Brings the copy up to date; a file that is the same keeps its time, so that little is built anew."""
        wanted = set()
        for folder, dirs, files in os.walk(self.source):
            dirs[:] = [d for d in dirs if d not in (".git", "autom4te.cache", "mutate-scratch") and
                       not os.path.exists(os.path.join(folder, d, "config.status"))]
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), self.source)
                wanted.add(path)
                self.copy_file(path)
        for folder, _, files in os.walk(self.root):
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), self.root)
                if path not in wanted and path.startswith(("src/", "tests/")):
                    os.remove(os.path.join(self.root, path))

    def copy_file(self, path):
        source, to = os.path.join(self.source, path), os.path.join(self.root, path)
        if not os.path.isfile(source):
            return
        with open(source, "rb") as f:
            content = f.read()
        if os.path.exists(to):
            with open(to, "rb") as f:
                if f.read() == content:
                    return
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy2(source, to) if path.startswith(("configure", "aclocal")) else shutil.copy(source, to)
        os.chmod(to, os.stat(to).st_mode | 0o200)

    def run(self, command, limit, must=False, log=None):
        """The exit status; "timeout" after `limit` seconds, with all that the command started ended."""
        with open(log or os.devnull, "w", encoding="utf-8", errors="replace") as out:
            p = subprocess.Popen(command, cwd=self.build, env=self.env, stdin=subprocess.DEVNULL,
                                 stdout=sys.stderr if must else out, stderr=sys.stderr if must else out, start_new_session=True)
            try:
                status = p.wait(limit)
            except subprocess.TimeoutExpired:
                status = "timeout"
            except BaseException:
                os.killpg(p.pid, signal.SIGKILL)
                raise
            if status == "timeout":
                os.killpg(p.pid, signal.SIGKILL)
                p.wait()
        if must and status != 0:
            sys.exit(f"mutate: {' '.join(command)}: {status}")
        return status

    def make(self, *targets, must=False):
        return self.run(["make", "-s", f"-j{self.cores}", *targets], 1800, must)

    def digest(self, path):
        with open(os.path.join(self.build, path), "rb") as f:
            return hashlib.sha256(f.read()).digest()

    def objects(self):
        found = {}
        for folder, _, files in os.walk(os.path.join(self.build, "src")):
            for path in (os.path.relpath(os.path.join(folder, name), self.build) for name in files if name.endswith(".o")):
                found[path] = self.digest(path)
        return found

    def listed(self, variable):
        """What a variable of the makefile holds."""
        with open(os.path.join(self.build, "mutate.mk"), "w", encoding="utf-8") as f:
            f.write(f"include Makefile\nmutate-list:\n\t@echo $({variable})\n")
        return subprocess.run(["make", "-s", "-f", "mutate.mk", "mutate-list"], cwd=self.build, env=self.env, check=True,
                              capture_output=True, text=True).stdout.split()

    def command(self, test):
        runner = {".sh": ["sh"], ".py": ["python3"], ".bats": ["bats"]}.get(os.path.splitext(test)[1])
        return [*runner, os.path.join(self.root, test)] if runner else ["./" + test]


class Judge:
    def __init__(self, scratch):
        self.scratch = scratch
        scratch.make("all", must=True)
        tests = [t for t in scratch.listed("TESTS") if os.path.basename(t) not in NOT_RUN]
        self.programs = [t for t in tests if not t.endswith((".sh", ".py"))]
        self.scripts = [t for t in tests if t.endswith((".sh", ".py")) and t != BATS]
        cli = os.path.dirname(BATS)
        self.bats = [os.path.join(cli, t) for t in sorted(os.listdir(os.path.join(scratch.root, cli))) if t.endswith(".bats")]
        if BATS not in tests or not shutil.which("bats"):
            self.bats = []
        self.fuzzers = [t for t in scratch.listed("check_PROGRAMS") if "/fuzz/" in t]
        scratch.make(*scratch.listed("check_PROGRAMS"), must=True)
        self.objects, self.binaries = scratch.objects(), {t: scratch.digest(t) for t in self.programs}
        self.seconds = {}

    def measure(self, test):
        """How long it takes; it has to pass without a change."""
        start = time.monotonic()
        status = self.scratch.run(self.scratch.command(test), 1800)
        if status not in (0, 77):
            sys.exit(f"mutate: {test} fails without any change: {status}")
        return time.monotonic() - start

    def order(self, seconds):
        self.seconds.update(seconds)
        for tests in (self.programs, self.scripts, self.bats):
            tests.sort(key=lambda t: self.seconds.get(t, 0))

    def room_tests(self, room):
        with open(os.path.join(self.scratch.root, "src", room, "include.am"), encoding="utf-8") as f:
            text = f.read()
        return [t for t in self.programs if t in text]

    def changed(self, test):
        return test not in self.binaries or self.scratch.digest(test) != self.binaries[test]

    def nearest(self, path):
        """The scripts and the tests of the command line, first those that are named after the command or room of the file."""
        words = set(re.split(r"\W|_", path))
        return sorted(self.scripts + self.bats,
                      key=lambda t: not words & set(re.split(r"[._]", os.path.basename(t).removeprefix("check_"))[:-1]))

    def fails(self, tests):
        """The first of the tests that fails, and how; programs that the change is not in are passed over."""
        for test in tests:
            if self.changed(test):
                status = self.scratch.run(self.scratch.command(test), 10 * self.seconds[test] + 20)
                if status not in (0, 77):
                    return f"{test} ({status})"
        return ""

    def built_fails(self, tests):
        if not tests:
            return ""
        return self.fails(tests) if self.scratch.make(*tests) == 0 else "make"

    def objects_of(self, mutant):
        """The object files that a change of this file is in; of a header all."""
        stem = os.path.splitext(os.path.basename(mutant.path))[0]
        return [o for o in self.objects if mutant.path.endswith(".h") or
                os.path.dirname(o) == os.path.dirname(mutant.path) and re.fullmatch(rf"(.*-)?{re.escape(stem)}\.o", os.path.basename(o))]

    def by_programs(self, mutant):
        objects = self.objects_of(mutant)
        libtool = [o[:-2] + ".lo" for o in objects]
        targets = [lo if os.path.exists(os.path.join(self.scratch.build, lo)) else lo[:-3] + ".o" for lo in libtool]
        if not targets or self.scratch.make(*targets) != 0:
            return "not built", ""
        if all(self.scratch.digest(o) == self.objects[o] for o in objects):
            return "same code", ""
        first = self.room_tests(mutant.path.split(os.sep)[1])
        others = [t for t in self.programs if t not in first]
        test = self.built_fails(first)
        for at in range(0, len(others), PROGRAMS_AT_ONCE):
            test = test or self.built_fails(others[at:at + PROGRAMS_AT_ONCE])
        return ("killed", test) if test else ("survived", "")

    def by_scripts(self, mutant):
        built = self.scratch.make("all", *self.fuzzers) == 0
        test = self.fails(self.nearest(mutant.path)) if built else "make"
        return ("killed", test) if test else ("survived", "")

    def judge(self, mutant, verdict):
        """What `verdict`, one of the two above, says of the source with the change in it."""
        path = os.path.join(self.scratch.root, mutant.path)
        with open(path, encoding="utf-8") as f:
            original = f.read()
        lines = original.split("\n")
        lines[mutant.number] = mutant.new
        try:
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(lines))
            return verdict(mutant)
        finally:
            with open(path, "w", encoding="utf-8") as f:
                f.write(original)


# ---- the list of survivors ----

def read_survivors(path):
    """{key: word and reason}: blocks of file, "- old", "+ new", "equivalent: ..." or "open: ...", parted by blank lines."""
    found = {}
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as f:
        blocks = re.split(r"\n\s*\n", f.read())
    for block in blocks:
        lines = [line for line in block.strip().split("\n") if not line.startswith("#")]
        if len(lines) >= 3 and lines[1].startswith("- ") and lines[2].startswith("+ "):
            found[(lines[0].strip(), lines[1][2:].strip(), lines[2][2:].strip())] = " ".join(lines[3:])
    return found


def listed(root, path):
    """The mutants of such a file, found again in the source."""
    for (name, old, new) in read_survivors(path):
        with open(os.path.join(root, name), encoding="utf-8") as f:
            lines = f.read().split("\n")
        number = next((i for i, line in enumerate(lines) if line.strip() == old), None)
        if number is None:
            print(f"gone       {name}: {old}")
        else:
            yield Mutant(name, number, lines[number], new, "listed")


class Report:
    """The verdicts so far; several threads add to it."""

    def __init__(self, known, log):
        self.known, self.log, self.results, self.lock = known, log, {}, threading.Lock()
        self.left = []  # passed the unit tests

    def judge_programs(self, judge, mutant):
        """False when the mutant does not count."""
        start = time.monotonic()
        verdict, test = judge.judge(mutant, judge.by_programs)
        if verdict == "survived":
            self.left.append(mutant)
            return True
        return self.add(mutant, verdict, test, time.monotonic() - start)

    def judge_room(self, judge, chooser, quota):
        while quota > 0 and (mutant := chooser.next()):
            quota -= self.judge_programs(judge, mutant)

    def judge_scripts(self, judge, mutant):
        start = time.monotonic()
        self.add(mutant, *judge.judge(mutant, judge.by_scripts), time.monotonic() - start)

    def add(self, mutant, verdict, test, seconds):
        with self.lock:
            if verdict in ("not built", "same code"):
                self.results["passed over"] = self.results.get("passed over", 0) + 1
                return False
            known = self.known.get(mutant.key(), "")
            if verdict == "survived" and known.startswith("equivalent"):
                verdict = "equivalent"
            room = mutant.path.split(os.sep)[1]
            self.results.setdefault(room, {}).setdefault(verdict, []).append(mutant)
            place = f"{mutant.path}:{mutant.number + 1} {mutant.kind}"
            print(f"{seconds:5.0f} s {verdict:10} {place}: {test or mutant.new.strip()}", flush=True)
            if verdict != "killed":
                self.log.write(f"{mutant.text()}{known or 'open:'}\n\n")
                self.log.flush()
            return True


class Bench:
    """Judges that work side by side."""

    def __init__(self, root, folder, jobs):
        cores = max((os.cpu_count() or 1) // jobs, 1)
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.free = queue.SimpleQueue()
        folders = [os.path.join(folder, str(n)) for n in range(jobs)]
        self.judges = list(self.pool.map(lambda f: Judge(Scratch(root, f, cores)), folders))
        for judge in self.judges:
            self.free.put(judge)

    def measure(self, tests):
        seconds = dict(zip(tests, self.each(lambda judge, test: judge.measure(test), tests)))
        for judge in self.judges:
            judge.order(seconds)

    def each(self, work, things):
        """work(judge, thing) of each thing, in order; a judge has one thing at a time."""
        def one(thing):
            judge = self.free.get()
            try:
                return work(judge, thing)
            finally:
                self.free.put(judge)
        return list(self.pool.map(one, things))


def table(results):
    words, total = ("killed", "equivalent", "survived"), {}
    over = results.pop("passed over", 0)
    print(f"\n{'room':12}" + "".join(f"{w:>12}" for w in words))
    for room in sorted(results):
        for w in words:
            total[w] = total.get(w, 0) + len(results[room].get(w, ()))
        print(f"{room:12}" + "".join(f"{len(results[room].get(w, ())):12}" for w in words))
    print(f"{'all':12}" + "".join(f"{total.get(w, 0):12}" for w in words))
    judged = total.get("killed", 0) + total.get("survived", 0)
    share = total.get("killed", 0) / judged if judged else 1
    print(f"{100 * share:.1f} percent of those that are not equivalent are killed; {over} passed over")
    return share


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--room", action="append", help="this folder of src/ only; may be told several times")
    parser.add_argument("--again", metavar="FILE", help="the mutants of FILE instead")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="mutants side by side")
    parser.add_argument("--source", default=os.path.join(here, "..", ".."))
    parser.add_argument("--scratch", default="mutate-scratch", help="folder for the copy of the source and its build")
    args = parser.parse_args()
    root = os.path.abspath(args.source)
    folder = os.path.abspath(args.scratch)
    bench = Bench(root, folder, args.jobs)
    bench.measure(bench.judges[0].programs)
    with open(os.path.join(folder, "survived.txt"), "w", encoding="utf-8") as log:
        report = Report(read_survivors(os.path.join(here, "survivors.txt")), log)
        if args.again:
            bench.each(report.judge_programs, list(listed(root, args.again)))
        else:
            choosers = {room: Chooser(root, room, paths, args.seed) for room, paths in rooms_of(root).items()
                        if not args.room or room in args.room}
            quota = quotas(choosers, args.count)
            rooms = sorted(quota, key=quota.get, reverse=True)
            bench.each(lambda judge, room: report.judge_room(judge, choosers[room], quota[room]), rooms)
        if report.left:
            bench.measure(bench.judges[0].scripts + bench.judges[0].bats)
            bench.each(report.judge_scripts, report.left)
    return 0 if table(report.results) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
