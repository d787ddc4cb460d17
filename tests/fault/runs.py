# SPDX-License-Identifier: MIT
"""Runs of `dana filter` that can be gone on with, for the tests of this folder: their inputs, how they are started with
faults (shim.c), and the comparison with the same run without faults.

Command line of a test: DANA FOLDER [--long] [--seed N] [--rounds N] [--times N], which makes inputs that many times as large; FOLDER holds the libraries that are preloaded."""
import gzip, json, os, random, re, shutil, signal, subprocess, sys, tempfile

DANA = os.path.abspath(sys.argv[1])
SHIM = os.path.join(os.path.abspath(sys.argv[2]), "shim.so")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
GOLDEN = os.path.join(SOURCE, "tests/golden")
CHANGES = "write fsync rename ftruncate unlink create"  # calls that change what is on the disk
IN_TIME = 60  # seconds, for a run of a fraction of one


def option(name, standard):
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else standard


LONG = "--long" in sys.argv
RANDOM = random.Random(option("--seed", 1))

# name, output, options; with -J: -O and all inputs
CASES = [(name + mode, name, options) for name in ("jsonl", "jsonl.zst", "warc.gz")
         for mode, options in ((" -j 0", ["-j", "0"]), (" -j 2", ["-j", "2"]), (" -J 2", ["-J", "2", "-j", "1"]))]
CASES.append(("jsonl -j 2 --revisits resolve", "jsonl", ["-j", "2", "--revisits", "resolve"]))


def make_inputs(folder, times=1):
    """Two archives of records in members of their own, with damage and segmented records, and one that is not compressed."""
    members = open(GOLDEN + "/many/in.warc.gz", "rb").read()
    records = gzip.decompress(members)
    broken = open(GOLDEN + "/broken/in.warc.gz", "rb").read()
    plain = open(GOLDEN + "/plain/in.warc", "rb").read()
    segments = subprocess.run([sys.executable, SOURCE + "/tests/support/make_segments.py", "parts", "30"],
                              stdout=subprocess.PIPE, check=True).stdout
    made = os.path.join(folder, "revisits")
    os.mkdir(made)
    subprocess.run([sys.executable, SOURCE + "/tests/support/make_revisits.py", made], check=True)
    revisits = b"".join(open(made + "/" + name, "rb").read() for name in ("one.warc.gz", "two.warc.gz"))
    shutil.rmtree(made)
    out = []
    for number, data in enumerate(((members * 8 + segments + revisits + broken) * times + members * 8, plain * 3 + records * 6 * times,
                                   members * 5 * times + broken)):
        name = os.path.join(folder, "in%d.warc%s" % (number, "" if number == 1 else ".gz"))
        with open(name, "wb") as f:
            f.write(data)
        out.append(name)
    return out


def is_temporary(name):
    return name.endswith((".part", ".state", ".new"))


def clear_folder(folder):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def files_in(folder):
    paths = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(path, folder): open(path, "rb").read() for path in paths}


def environment_of(folder, faults):
    env = dict(os.environ)
    env.setdefault("DANA_TEST_SPAN_SIZE", "3000")  # workers read ahead in small inputs too
    if faults:
        calls = faults.get("FAULT_CALLS", CHANGES)
        env.update({"LD_PRELOAD": SHIM, "FAULT_FOLDER": folder}, **faults)
        env.update(FAULT_CALLS=" %s " % calls, ASAN_OPTIONS="verify_asan_link_order=0:" + env.get("ASAN_OPTIONS", ""))
    return env


class Case:
    def __init__(self, name, output, options, inputs, folder, more=()):
        self.name, self.folder, self.said = name, folder, folder + ".said"
        self.many = "-J" in options
        kind, _, compress = output.partition(".")
        words = ["-O", "out", "-f", kind, "-z", {"": "none", "zst": "zstd", "gz": "gzip"}[compress]] if self.many \
            else ["-o", "out." + output]
        self.command = [DANA, "filter", "-m", "plain", "--rejects", "--stats", "stats.json",
                        "--checkpoint-bytes", "4K"] + words + options + list(more) + (inputs if self.many else inputs[:2])

    def clear(self):
        clear_folder(self.folder)

    def start(self, *options, stderr=subprocess.DEVNULL, **faults):
        return subprocess.Popen(self.command + list(options), cwd=self.folder, env=environment_of(self.folder, faults),
                                stderr=stderr)

    def files(self):
        return {name: data for name, data in files_in(self.folder).items() if name != "stats.json"}

    def counters(self):
        counters = json.load(open(os.path.join(self.folder, "stats.json")))
        for name in ("seconds", "cpu_seconds", "peak_rss_bytes"):
            del counters[name]
        return counters

    def whole(self):
        """The run without faults, with which others are compared."""
        self.clear()
        self.status = self.start().wait(IN_TIME)
        self.want, self.want_counters = self.files(), self.counters()
        assert self.status == 2, "the whole run ends with %d" % self.status
        assert not [n for n in self.want if is_temporary(n)], sorted(self.want)

    def after_checkpoint(self):
        """Does a state speak of finished members? Final outputs count too."""
        return any(name in self.want or (name.endswith(".state") and re.search(rb"\ndocuments \d+:[1-9]", data))
                   for name, data in self.files().items())

    def check_final(self, how):
        """A file of a final name is complete at any time."""
        for name, data in self.files().items():
            if not is_temporary(name) and data != self.want.get(name):
                fail(self, how, "%s has its final name and other bytes" % name)

    def go_on(self, how, interrupt_again=0):
        """Goes on until the run ends, and compares."""
        for _ in range(20):
            with open(self.said, "wb") as said:
                process = self.start("-q", "--resume", stderr=said)
            if interrupt_again and RANDOM.random() < interrupt_again:
                try:
                    process.wait(RANDOM.random() * 0.15)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    self.check_final(how + ", again")
                    continue
            return self.compare(how, process.wait(IN_TIME))
        return self.go_on(how)

    def compare(self, how, status):
        """The outputs must be those of the whole run. Its status may be 0: a run that was killed after its very last output
        has nothing left to tell; its counters are then known unless all was removed."""
        done = self.files()
        if status not in (self.status, 0) or done != self.want:
            different = sorted(n for n in set(done) | set(self.want) if done.get(n) != self.want.get(n))
            last = open(self.said, "rb").read().decode("utf-8", "replace").strip().split("\n")[-1]
            fail(self, how, "status %d (%s), different: %s" % (status, last, ", ".join(different)))
        elif status == self.status and self.counters() != self.want_counters:
            fail(self, how, "counters %s instead of %s" % (self.counters(), self.want_counters))


failures = []


def fail(case, how, what):
    kept = tempfile.mkdtemp(prefix="fault-failed.", dir=".")
    shutil.copytree(case.folder, kept, dirs_exist_ok=True)
    failures.append("%s, %s: %s (%s)" % (case.name, how, what, os.path.abspath(kept)))
    print("FAIL", failures[-1], flush=True)


def read_log(name):
    """call, name of the file, of the second one, number, path, failed"""
    for line in open(name, encoding="utf-8", errors="surrogateescape"):
        call, path, to, number, failed = line.rstrip("\n").split("\t")
        yield call, os.path.basename(path), os.path.basename(to), int(number), path, failed == "failed"


def run_logged(case, scratch, *options, stderr=subprocess.DEVNULL, keeps=False, **faults):
    """status, log, folder of what renames and unlinks took away (with `keeps`), standard error; begins anew without --resume"""
    if "--resume" not in options:
        case.clear()
    keep, log = os.path.join(scratch, "keep"), os.path.join(scratch, "log")
    shutil.rmtree(keep, ignore_errors=True)
    os.mkdir(keep)
    if os.path.exists(log):
        os.unlink(log)
    if keeps:  # links into a folder that the sandbox does not open
        faults["FAULT_KEEP"] = keep
        options += ("--sandbox", "off")
    process = case.start(*options, stderr=stderr, FAULT_LOG=log, **faults)
    text = process.communicate(timeout=IN_TIME)[1]
    return process.returncode, log, keep, (text or b"").decode("utf-8", "replace")


def shim_works(case, scratch):
    if os.path.exists(SHIM):
        status, log, _, _ = run_logged(case, scratch)
        if status == case.status and os.path.exists(log) and os.path.getsize(log) > 0:
            return True
    print("the library of faults cannot be loaded into this program")
    return False


def with_cases(chosen, run, kind=Case):
    """Calls run(cases, scratch) with cases whose whole run is known; ends the program with what has failed."""
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="fault."))
    folder = os.path.join(scratch, "run")
    os.mkdir(folder)
    inputs = make_inputs(scratch, option("--times", 1))
    cases = [kind(name, output, options, inputs, folder, *more) for name, output, options, *more in chosen]
    try:
        for case in cases:
            case.whole()
        run(cases, scratch)
    finally:
        shutil.rmtree(scratch)
    if failures:
        sys.exit("%d failures" % len(failures))
