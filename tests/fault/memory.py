#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets allocations of memory fail, one in each run or all from one on, and looks at what the run does (memory.c).

The scenarios are small runs of several commands (memory_scenarios.py). In each, an allocation of the program or of its
libraries fails, once or with all that come after it. What is taken first are the first and the last allocation of each
way to come to one (as the stack of calls tells), then others by chance. After each run
  * nothing has crashed, hung, or, where the program was built with sanitizers, leaked;
  * the run has done all that it does with enough memory, or it ended with status 1 and a message that says what was missing;
  * a file of a final name is complete, and a run that left a .part can be gone on with.
Usage as runs.py; --only NAME takes the scenarios whose name has that, --jobs N runs so many scenarios at a time,
--rounds N takes so many allocations of each (0: all)."""
import array, json, multiprocessing, os, re, shutil, subprocess, sys, tempfile

from memory_scenarios import scenarios
from runs import DANA, LONG, RANDOM, clear_folder, fail, failures, files_in, is_temporary, option

PROGRAM = DANA + "_memory"  # beside it, where its modules are looked for
ROUNDS = option("--rounds", 1500 if LONG else 12)
JOBS = option("--jobs", 1)
ONLY = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
GONE_ON = 0.2  # share of the runs that can be gone on with
SANITIZED = 99
TOLD = ("memory", "cannot start the thread")
CLOCKS = ("seconds", "cpu_seconds", "peak_rss_bytes")
# Libraries that crash or abort where memory ends; README tells why it is not ours to mend.
LIBC_ABORTS = re.compile(r"^(cannot allocate memory for thread-local data: ABORT|out of memory)$", re.M)
THAT_CRASH = ("libroaring.so", "libsimdjson.so")
# Where memory ends in one of these, libcrypto loses what it has of its tables of algorithms.
THAT_LEAK = ("EVP_MD_fetch", "OPENSSL_init_crypto", "OSSL_LIB_CTX_get0_global_default")
# gcc's address sanitizer ends the process itself when it cannot learn where a new thread's stack is.
SANITIZER_ABORTS = "sanitizer_linux_libcdep.cpp"


class Scenario:
    def __init__(self, name, words, folder, kept={}):
        self.name, self.words, self.folder, self.kept = name, words, folder, kept
        self.resumable = words[0] == "filter" and ("-o" in words or "-O" in words)
        self.counts = {"injected": 0, "told": 0, "of libraries": 0, "gone on with": 0}

    def prepare(self):
        clear_folder(self.folder)
        for name, data in self.kept.items():
            with open(os.path.join(self.folder, name), "wb") as f:
                f.write(data)

    def serve(self):
        """The process that begins runs: orders go to its descriptor, what became of them comes from it."""
        orders, results = os.pipe(), os.pipe()
        self.stacks = self.folder + ".stacks"
        env = dict(os.environ, FAULT_SERVER="%d:%d" % (orders[0], results[1]), FAULT_STACKS=self.stacks)
        env["ASAN_OPTIONS"] = "exitcode=%d:handle_abort=1:fast_unwind_on_malloc=0:%s" % (SANITIZED, env.get("ASAN_OPTIONS", ""))
        env["LSAN_OPTIONS"] = "exitcode=%d:print_suppressions=0:suppressions=%s" % (SANITIZED, self.suppressions())
        self.process = subprocess.Popen([PROGRAM] + self.words, cwd=self.folder, env=env, pass_fds=(orders[0], results[1]),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(orders[0])
        os.close(results[1])
        self.orders, self.results = open(orders[1], "w"), open(results[0])

    def suppressions(self):
        name = self.folder + ".leaks"
        with open(name, "w") as f:
            f.writelines("leak:%s\n" % function for function in THAT_LEAK)
        return name

    def end(self):
        self.orders.close()
        self.results.close()
        self.process.wait()

    def run(self, number, stays=False):
        """status as of subprocess, allocations"""
        self.prepare()
        self.orders.write("%d%s\n" % (number, " on" * stays))
        self.orders.flush()
        status, allocations = self.results.readline().split()
        return os.waitstatus_to_exitcode(int(status)), int(allocations)

    def files(self):
        found = files_in(self.folder)
        if "stats" in found:
            found["stats"] = without_clocks(found["stats"])
        if "out" in found and self.name == "eval":
            found["out"] = re.sub(rb" *\d+\.\d\d\b", b"", found["out"])  # speeds
        self.messages = found.pop("err", b"").decode("utf-8", "replace")
        return found

    def choose(self, allocations):
        """(number, whether all after it fail too): the first and the last of each stack, and others by chance."""
        stacks = array.array("I", open(self.stacks, "rb").read(4 * allocations))
        first, last = {}, {}
        for number, stack in enumerate(stacks, 1):
            first.setdefault(stack, number)
            last[stack] = number
        every = [(n, stays) for n in range(1, allocations + 1) for stays in (False, True)]
        if ROUNDS == 0 or len(every) <= ROUNDS:
            return every
        ends = {(n, stays) for n in set(first.values()) | set(last.values()) for stays in (False, True)}
        chosen = RANDOM.sample(sorted(ends), min(ROUNDS, len(ends)))
        return chosen + RANDOM.sample([one for one in every if one not in ends], ROUNDS - len(chosen))


def without_clocks(data):
    try:
        return {name: value for name, value in json.loads(data).items() if name not in CLOCKS}
    except ValueError:
        return data


def crashed_in_library(text):
    """Was it in a library that is known for it? Crash reports name the library of each call, the innermost first."""
    calls = re.findall(r"\((/[^()]*)\+0x", text)
    calls = [name for name in calls if not re.search(r"/(libc|libasan|ld-linux[^/]*)\.so", name)]
    return bool(calls) and any(known in calls[0] for known in THAT_CRASH)


def try_number(scenario, number, stays):
    how = "allocation %d%s" % (number, " and all after it" * stays)
    status, seen = scenario.run(number, stays)
    if seen < number:
        return None  # with threads there may be fewer
    scenario.counts["injected"] += 1
    files = scenario.files()
    text = scenario.messages
    if SANITIZER_ABORTS in text or status not in (0, 1, 2, 3) and (LIBC_ABORTS.search(text) or crashed_in_library(text)):
        scenario.counts["of libraries"] += 1
    elif status < 0 or status == SANITIZED or "Sanitizer" in text:
        return fail(scenario, how, "status %d: %s" % (status, text[:4000]))
    elif status == scenario.status and files == scenario.want:
        return None
    elif status == 0 and scenario.name == "version" and b"cannot be loaded" in files["out"]:
        scenario.counts["told"] += 1
    elif status != 1 or not any(word in text for word in TOLD):
        different = sorted(n for n in set(files) | set(scenario.want) if files.get(n) != scenario.want.get(n))
        return fail(scenario, how, "status %d, different: %s: %s" % (status, " ".join(different), text[-400:]))
    else:
        scenario.counts["told"] += 1
    check_final(scenario, how, files)
    if scenario.resumable and RANDOM.random() < GONE_ON:
        go_on(scenario, how)
    return None


def check_final(scenario, how, files):
    """A file of a final name is complete. The statistics tell what the run has done, and that there was an error."""
    for name, data in files.items():
        if scenario.resumable and not is_temporary(name) and not name.endswith(".journal") and name not in ("out", "stats") and data != scenario.want.get(name):
            fail(scenario, how, "%s has its final name and other bytes" % name)


def go_on(scenario, how):
    words = [DANA] + scenario.words + ([] if "--resume" in scenario.words else ["--resume"])
    done = subprocess.run(words, cwd=scenario.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    files, want = scenario.files(), dict(scenario.want)
    for one in (files, want):
        one.pop("out", None)
        if done.returncode != scenario.status:  # nothing was left to do: counters of documents are known, problems are not
            one.pop("stats", None)
    scenario.counts["gone on with"] += 1
    if done.returncode not in (0, scenario.status) or files != want:
        different = sorted(n for n in set(files) | set(want) if files.get(n) != want.get(n))
        fail(scenario, how + ", gone on with", "status %d, different: %s: %s" %
             (done.returncode, " ".join(different), done.stderr.decode("utf-8", "replace")[-400:]))


def try_all(scenario):
    scenario.serve()
    try:
        scenario.status, allocations = scenario.run(0)
        scenario.want = scenario.files()
        if scenario.status not in (0, 2):
            fail(scenario, "without a fault", "status %d: %s" % (scenario.status, scenario.messages))
            return 0
        for number, stays in scenario.choose(allocations):
            try_number(scenario, number, stays)
        return allocations
    finally:
        scenario.end()


def work(scenario):
    os.mkdir(scenario.folder)
    RANDOM.seed("%d %s" % (option("--seed", 1), scenario.name))
    del failures[:]
    allocations = try_all(scenario)
    print("%s: %d allocations; %s; %d failures" % (
        scenario.name, allocations, ", ".join("%d %s" % (n, what) for what, n in scenario.counts.items()), len(failures)), flush=True)
    shutil.rmtree(scenario.folder)
    os.unlink(scenario.stacks)
    os.unlink(scenario.folder + ".leaks")
    return scenario.counts, len(failures)


def main():
    if not os.path.exists(PROGRAM):
        sys.exit("the program whose allocations fail is not built")
    if b"__tsan_init" in open(PROGRAM, "rb").read():
        print("memory: ThreadSanitizer hides which library crashed, so runs with it are not judged")
        sys.exit(77)
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="fault."))
    try:
        rows = [Scenario(row[0], row[1], os.path.join(scratch, "run%d" % i), *row[2:])
                for i, row in enumerate(scenarios(scratch)) if ONLY in row[0]]
        with multiprocessing.Pool(JOBS) as pool:
            results = list(pool.imap(work, rows, 1))
    finally:
        shutil.rmtree(scratch)
    total = {name: sum(counts[name] for counts, _ in results) for name in results[0][0]}
    bad = sum(n for _, n in results)
    print("%s; %d failures" % (", ".join("%d %s" % (n, what) for what, n in total.items()), bad))
    if bad:
        sys.exit(1)


main()
