#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples that the pages print: check_examples.py [python] [PAGE...], in the build folder; without PAGE all of README.md,
CONTRIBUTING.md, doc/*.md, python/*.md and the EXAMPLES of the manual pages.

Run is every fenced or indented block of commands, of Python and of C, and in tables each span of code that calls dana, a plugin
(`--plugin NAME`) or danatext. The lines of a block run as printed, one after the other, in a folder that holds the files which
the pages name (prepare); each must end with 0, and what a block of `console` prints must be what the page prints. The Python of a
page runs in one process, if the Python that runs this has danatext; with the word `python` nothing else runs. C is written to the
file that the next compiler's line names.

What is replaced, so that examples need no network and nothing outside of the folder: the port 8472 by a free one (where a block
talks to dana serve without starting it, one is started), https://example.org/ by a server of the sample's pages on the loopback,
and the folders of ROOTS by folders of the same names below. A command that runs until it is stopped (LASTING) gets SIGTERM as soon as
it works. Not run is what NOT_RUN names, a block after the line <!-- not run: REASON -->, and what needs a program or a module that
is not installed; V=1 lists these. 77: the program lacks what examples need.
"""

import contextlib
import doctest
import functools
import http.server
import importlib.util
import io
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import zipfile

SOURCE = pathlib.Path(os.environ.get("srcdir", ".")).resolve()
DANA = pathlib.Path(os.environ.get("DANA", "src/cli/dana")).resolve()
SECONDS = 120
# A line that begins with one of these words makes an indented block one of commands.
PROGRAMS = (
    "dana curl wget wget2 jq parallel zstd zstdcat cat cc make sh python python3 spark-submit spark-sql pip apt apt-get mkfifo tail cp squeue"
    " sbatch systemctl scrapy javac mmdebstrap train_learned.py autoreconf find"
).split()
ROOTS = "/crawl /clean /lines /shared /rejects /opt/mine /run/dana".split()
LASTING = r"^dana serve\b|--watch\b"
NOT_RUN = (
    (r"\bNAME\b|\bKEY=|\bFILE@|\[OPTIONS\]|\bCOMMAND\b|\*, |=None|\.\.\.[,)]", "a pattern, not a command"),
    (r"https?://(?!127\.0\.0\.1|localhost|example\.org/(\s|$)|example\.org/page)|s3://|--base |--cdx ", "needs the network; tests/cli/network.bats"),
    (r"127\.0\.0\.1:9200", "needs OpenSearch; tests/engines/check_index.sh"),
    (r"srun|sbatch|squeue|scontrol|share/slurm|log/merge", "needs Slurm; tests/engines/check_slurm.sh"),
    (r"\bspark-s(ubmit|ql)\b|pyspark|danatext\.spark", "needs Spark; tests/engines/test_spark.py"),
    (r"danatext\.ray", "needs Ray; tests/engines/test_ray.py"),
    (r"danatext\.datatrove|DanaReader", "needs datatrove; tests/engines/test_datatrove.py"),
    (r"--sshlogin|DANA_PARALLEL", "needs several machines; tests/engines/check_parallel.sh"),
    (r"dedup rows|/lines/part|drop=drop.rows -O", "Spark makes its lines; tests/engines/test_spark.py"),
    (r"^wget2 |^    wget2", "needs the plugin installed; tests/cli/crawl.bats"),
    (r"^scrapy |scrapy_dana", "needs a project of Scrapy; tests/cli/crawl.bats"),
    (r"^javac |heritrix_dana|JOB/text", "needs jars of others; tests/cli/serve.bats"),
    (r"^systemctl|/etc/systemd", "needs systemd"),
    (r"train mountain --site", "needs reference pages of that site; tests/cli/methods.bats"),
    (r"model=|train_learned\.py", "has to be trained before, which takes minutes; tests/check_learned.sh"),
    (r"\b(pip|apt|apt-get|sudo|autoreconf|git|mmdebstrap) |sh tools/|make [a-z-]+$|make .*=|run_bats|engines/run|\.\./configure|QEMU", "changes the machine, or builds; tools/test.sh"),
    (r"--pid=PID", "needs the number of a process; tests/cli/crawl.bats"),
    (r"danatext\.compare", "needs programs to compare with; python/tests/test_docs.py"),
)
ACCEPTED = (  # (command, status, a pattern of what it prints): ends otherwise than with 0, as its page shows
    (r"broken\.warc\.gz| \*\.warc\.gz", 2, "truncated"),
    (r"train learned -o", 1, "numpy, scipy and catboost are needed"),  # a program of others learns
    (LASTING, 143, ""),
)


def tool(arguments, folder, **more):
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False, **more)


def prepare(folder):
    """The files that the pages name, made from the sample."""
    sample = SOURCE / "sample"
    archives = "a b crawl pages FILE crawl/a crawl/c crawls/a crawl/warcs/d JOB/latest/warcs/d".split()
    for name in archives:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sample / "sample.warc.gz", folder / f"{name}.warc.gz")
        os.utime(folder / f"{name}.warc.gz", (0, 0))  # long finished, for --watch
    for name in ("page.html", "PAGE.html", "more/page.html", "page", "INPUT"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(sample / "site" / "en.html", folder / name)
    for corpus in ("pages", "site", "saved", "FOLDER/news", "reference/news", "DIR/news", "other-pages"):
        shutil.copytree(sample / "site", folder / corpus)
        for page in (folder / corpus).glob("*.html"):
            page.with_suffix(".txt").write_text(tool([DANA, "extract", page], folder).stdout)
    for name, page in (("a", "en"), ("b", "index"), ("c", "ru")):
        shutil.copy(sample / "site" / f"{page}.html", folder / f"{name}.html")
    (folder / "a.txt").write_text(tool([DANA, "extract", folder / "a.html"], folder).stdout)
    (folder / "index.tsv").write_text("corpus\tid\tcharset\turl\nmarked\ta\tutf-8\thttps://example.org/\n")
    (folder / "rules.tsv").write_text("example.org\texclude\t.promo, #newsletter\n")
    for name in ("LIST", "malware.txt", "ours.txt", "porn.txt", "domains.txt"):
        (folder / name).write_text("blocked.example\n")
    (folder / "token").write_text("a-secret-of-some-length\n")
    message = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n%s\r\n--b--\r\n"
    (folder / "page.mhtml").write_text(message % (folder / "page.html").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "token").chmod(0o600)
    with zipfile.ZipFile(folder / "page.wacz", "w") as wacz:
        wacz.write(sample / "sample.warc.gz", "archive/data.warc.gz")
    for name in ("sample", "share", "examples", "src"):
        (folder / name).symlink_to(SOURCE / name)
    broken = bytearray((sample / "sample.warc.gz").read_bytes()[:9000])
    broken[3500] ^= 0xFF
    (folder / "broken.warc.gz").write_bytes(broken)
    for name in ("FILE", "files"):
        (folder / name).write_text("crawl.warc.gz\n")
    for root in ROOTS:
        (folder / root.strip("/")).mkdir(parents=True, exist_ok=True)
    steps = (
        "dana filter --text plain,markdown -o all.jsonl.zst a.warc.gz b.warc.gz && zstd -dc all.jsonl.zst >all.jsonl",
        "dana filter -m learned -m danag -o texts.jsonl crawl.warc.gz",
        "gzip -dc crawl.warc.gz >crawl.warc && zstd -q -o crawl.warc.zst crawl.warc",
        "gzip porn.txt domains.txt && mkdir stats done && dana filter --report 3.html --stats 3.json crawl.warc.gz >n.jsonl && cp 3.json stats",
        "for part in a b; do dana filter -o $part.jsonl.zst $part.warc.gz; done",
        "dana dedup learn --scope all -o all.table crawl.warc.gz && dana dedup learn -o lines.table crawl.warc.gz",
        "dana site learn -o crawl.site crawl.warc.gz && cp crawl.site part1.site && cp crawl.site part2.site",
        "mkdir signatures && for input in a.warc.gz b.warc.gz; do"
        " dana filter --plugin dedup-near:signatures=signatures $input >n.jsonl; done",
        "dana dedup cluster -o drop.rows signatures",
        'for name in in pages; do jq -cn --rawfile html page.html "{html: \\$html}" >$name.jsonl; done; zstd -q pages.jsonl',
        f"cp {SOURCE}/plugins/example/words.c {SOURCE}/plugins/example/Makefile . && make -s && cp words.so opt/mine",
    )
    for step in steps:
        run = tool(["sh", "-ec", step], folder)
        if run.returncode:
            print(f"{step}: {run.stderr}")
            sys.exit(77)  # built without a library or a plugin


class Block:
    def __init__(self, kind, number):
        self.kind, self.number, self.lines = kind, number, []

    @functools.cached_property
    def commands(self):
        """(number, command, what the page prints of it), with lines put together that end in a backslash or within quotes."""
        found, whole = [], True
        for number, line in enumerate(self.lines, self.number):
            starts = line.startswith("$ ") or self.kind != "console"
            if not whole:
                found[-1][1] += "\n" + line
            elif starts and line.strip() and not line.startswith("#"):
                found.append([number, line.removeprefix("$ "), []])
            elif not starts:
                found[-1][2].append(line)
            if not whole or starts:
                whole = not line.endswith("\\")
                try:
                    shlex.split(found[-1][1] if found else "", comments=True)
                except ValueError:
                    whole = False
        return found

    def alone(self):
        """A block for each command."""
        for number, command, _ in self.commands:
            one = Block(self.kind, number)
            one.lines = command.split("\n")
            yield one

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def spans(line):
    """What a row of a table calls."""
    for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
        span = span.replace("\\|", "|")
        if re.fullmatch(r"--plugin [a-z].*", span):
            yield "row", f"dana filter {span} crawl.warc.gz"
        elif re.fullmatch(r"dana filter --plugin \S+", span):
            yield "row", f"{span} crawl.warc.gz"
        elif re.match(r"(dana [a-z]+|python3? -[mc]|sh|pip|apt|make) .", span) and not re.fullmatch(
            r"dana (dedup|site|stats) [a-z]+|dana [a-z]+ --[a-z-]+|dana eval [^/]*", span
        ):
            yield "row", span
        elif re.match(r"danatext\.[\w.]+\(", span):
            yield "value", span


def blocks(page):
    """Yields the blocks of a page and the spans in rows of its tables; before those that do not run the marker's reason is set."""
    text = page.read_text(encoding="utf-8")
    manual = page.suffix == ".1"
    if manual:
        text = text.replace("\\-", "-").replace("\\e", "\\")
        text = text.partition(".SH EXAMPLES\n")[2].partition("\n.SH")[0]
        text = "\n".join("    " + line for line in text.splitlines() if not line.startswith("."))
    block, fence, reason, blank = None, "", None, True
    for number, line in enumerate([*text.splitlines(), "", "end"], 1):
        mark = re.match(r"( *)```(\w*)", line)
        if block and not fence and line.strip() and (mark or not line.startswith("    ")):
            while not block.lines[-1].strip():
                block.lines.pop()
            if re.match(rf"(\w+=\S+ )*({'|'.join(PROGRAMS)})( |$)", next(each for each in block.lines if not each.startswith("#"))):
                block.kind = "sh"
            yield from ((reason, each) for each in (block.alone() if manual else [block]))
            block = reason = None
        if fence and mark:
            yield reason, block
            block, fence, reason = None, "", None
        elif fence:
            block.lines.append(line.removeprefix(fence[1:]))
        elif mark:
            block, fence = Block(mark[2], number + 1), "`" + mark[1]
        elif line.startswith("    ") and (blank or block):
            block = block or Block("indented", number)
            block.lines.append(line[4:])
        elif block:
            block.lines.append("")
        if line.startswith("<!-- not run: "):
            reason = line.removeprefix("<!-- not run: ").removesuffix(" -->")
        if line.startswith("|"):
            for kind, span in spans(line):
                block = Block(kind, number)
                block.lines.append(span)
                yield reason, block
            block = None
        blank = not line.strip() or line.startswith("<!--")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Runner:
    def __init__(self, top, site):
        self.top, self.site, self.c = top, site, None
        self.n_run = self.n_python = self.failed = 0
        self.left = []

    def leave(self, place, reason, what):
        self.left.append(f"{place}: not run: {reason}: {what.splitlines()[0]}")

    def fail(self, place, command, why):
        self.failed += 1
        print(f"{place}: {command}\n    {why}")

    def folder(self):
        folder = self.top / "run"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.top / "ready", folder, symlinks=True)
        return folder

    def local(self, text, folder, port):
        """The text with addresses and folders of this run."""
        text = re.sub(r"(127\.0\.0\.1|10\.0\.0\.5):8472", lambda m: f"127.0.0.1:{port if m[1] == '127.0.0.1' else 0}", text)
        text = re.sub(r"(?<!url )https://example\.org/", self.site, text)
        return re.sub(rf"(?<![\w./-])({'|'.join(ROOTS)})\b", rf"{folder}\1", text)

    def shell(self, page, block):
        folder, port = self.folder(), free_port()
        script, wanted = ["exec </dev/null"], []
        serving = False
        wait = "for i in $(seq 300); do {}; kill -0 $! 2>/dev/null || break; sleep 0.1; done"
        listening = wait.format("grep -q 'listening on' {} && break")
        for number, command, output in block.commands:
            place = f"{page.name}:{number}"
            reason = next((why for pattern, why in NOT_RUN if re.search(pattern, command)), None)
            missing = [word for word in re.findall(r"(?:^|[|;&]) *([a-z][\w-]*) ", command) if word in PROGRAMS and not shutil.which(word)]
            if reason or missing:
                self.leave(place, reason or f"{missing[0]} is not installed", command)
                continue
            i = len(wanted)
            local = self.local(command, folder, port)
            if i == 0 or block.kind != "console":
                made = re.findall(r" -[oO] ([\w/.-]*\w)", local if block.kind != "console" else block.text)
                script.append(f"rm -rf {' '.join(made)}")
            if self.c and (source := re.search(r"^cc .*?(\S+\.c)$", command)):
                (folder / source[1]).write_text(self.c)
            if f"127.0.0.1:{port}" in local and not serving and not re.match(r"dana serve", local):
                script.append(f"dana serve --listen 127.0.0.1:{port} >served 2>&1 & served=$!; {listening.format('served')}")
                serving = True
            if re.search(LASTING, command):
                local = local.removesuffix("&")
                if re.fullmatch(r"dana serve *", local):
                    local += f" --listen 127.0.0.1:{port}"
                serving = serving or "serve" in local
                done = f"find {output_folder(local)} -name '*.zst' -o -name '*.gz' | grep -q . && break" if "--watch" in local else ""
                script.append(f"{local} >out.{i} 2>&1 & lasting=$!; {wait.format(done) if done else listening.format(f'out.{i}')}")
                if not command.endswith("&"):
                    script.append(f"kill -TERM $lasting; wait $lasting; echo $? >status.{i}")
                    serving = False
                else:
                    script.append(f"kill -0 $lasting; echo $? >status.{i}")
            elif local.endswith("&"):
                script.append(f"{{ {local}\n}} >out.{i} 2>&1; echo $? >status.{i}; (exit $(cat status.{i}))")
            else:
                for made in re.findall(r"signatures=(\S+)", command):
                    script.append(f"[ -e fresh-{made} ] || rm -rf {made}; touch fresh-{made}")
                script.append(f"(exit ${{status:-0}})\n{{ {local}\n}} >out.{i} 2>&1; status=$?; echo $status >status.{i}")
            wanted.append((place, command, output))
        if not wanted:
            return
        script.append("kill $(jobs -p) 2>/dev/null; wait")
        try:
            run = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            self.fail(wanted[0][0], wanted[0][1], f"its block has not ended after {SECONDS} s")
            return
        for i, (place, command, output) in enumerate(wanted):
            self.n_run += 1
            got = folder / f"out.{i}"
            got = got.read_text(errors="replace") if got.exists() else ""
            status = folder / f"status.{i}"
            status = int(status.read_text() or -1) if status.exists() else -1
            accepted = next(((n, what) for pattern, n, what in ACCEPTED if re.search(pattern, command)), None)
            if status != 0 and not (accepted and status == accepted[0] and re.search(accepted[1], got)):
                self.fail(place, command, f"status {status}: {got[-300:]}{run.stderr[-300:]}")
            elif block.kind == "console" and "dana eval" in command:
                continue  # its speeds are never the same
            elif block.kind == "console" and got.split() != " ".join(output).split():
                self.fail(place, command, "prints other lines than the page:\n" + got[:1500])

    def python(self, page, found):
        """Runs the Python of a page, in one process, in its order."""
        if not found or importlib.util.find_spec("danatext") is None:
            for block in found:
                self.leave(f"{page.name}:{block.number}", "danatext is not installed; tests/check_python.sh", block.text)
            return
        folder = self.folder()
        child = os.fork()
        if not child:
            os._exit(self.python_here(page, found, folder))
        self.n_python += len(found)
        self.failed += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def python_here(self, page, found, folder):
        os.chdir(folder)
        html = pathlib.Path("page.html").read_bytes()
        names = {"html": html, "path": "crawl.warc.gz", "paths": ["crawl.warc.gz"], "a": b"12", "b": b"12", "__name__": "example"}
        failed = 0
        for block in found:
            code, out = self.local(block.text, folder, 0), io.StringIO()
            names["stream"] = open("crawl.warc.gz", "rb")  # noqa: SIM115
            try:
                with contextlib.redirect_stdout(out):
                    if ">>>" in code:
                        test = doctest.DocTestParser().get_doctest(code, names, page.name, page.name, block.number - 1)
                        failed += doctest.DocTestRunner().run(test, out=sys.stderr.write, clear_globs=False).failed != 0
                        names = test.globs
                    else:
                        exec(compile(code, f"{page.name}:{block.number}", "eval" if block.kind == "value" else "exec"), names)
            except Exception:
                failed += 1
                print(f"{page.name}:{block.number}: {code}{traceback.format_exc(limit=-2)}", flush=True)
        sys.stdout.flush()
        return failed

    def page(self, page, only_python):
        python = []
        for reason, block in blocks(page):
            what = next((each for each in block.lines if each.strip()), "")
            if block.kind in ("python", "value"):
                reason = reason or next((why for pattern, why in NOT_RUN if re.search(pattern, block.text)), None)
                code = "".join(each.source for each in doctest.DocTestParser().get_examples(block.text)) or block.text
                modules = re.findall(r"^import (.*)$|^from (\w+)", code, re.M)
                modules = {each.strip().split(".")[0] for pair in modules for each in "".join(pair).split(",")} - {"danatext"}
                missing = [each for each in sorted(modules) if not importlib.util.find_spec(each)]
                if reason or missing:
                    self.leave(f"{page.name}:{block.number}", reason or f"the module {missing[0]} is not installed; tests/engines", what)
                else:
                    python.append(block)
            elif only_python or block.kind == "indented":
                continue
            elif block.kind == "c":
                self.c = block.text
            elif block.kind not in ("sh", "console", "row"):
                if block.kind not in ("json", "text", "ini", "java", "scala", "sql", "xml", "js", "go", "nginx", "caddy"):  # tests/engines/check_java.sh, check_go.sh, tests/cli/serve_app.bats
                    self.fail(f"{page.name}:{block.number}", what, f"a block of '{block.kind}', which nothing runs")
            elif reason:
                self.leave(f"{page.name}:{block.number}", reason, what)
            else:
                self.shell(page, block)
        self.python(page, python)


def output_folder(command):
    return re.search(r" -O (\S+)", command)[1]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send_head(self):
        if not (pathlib.Path(self.directory) / self.path.lstrip("/")).is_file():
            self.path = "/en.html"
        return super().send_head()


def main():
    words = sys.argv[1:]
    os.environ |= {"CPATH": str(SOURCE / "include"), "no_proxy": "127.0.0.1"}
    only_python = words[:1] == ["python"]
    pages = [pathlib.Path(name) for name in words[only_python:]]
    pages = pages or [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted(SOURCE.glob("doc/*.md")), *sorted(SOURCE.glob("python/*.md")),
                      *sorted(pathlib.Path("doc").glob("*.1"))]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SOURCE / "sample" / "site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        (top / "bin").mkdir()
        (top / "bin" / "dana").symlink_to(DANA)
        os.environ["PATH"] = f"{top / 'bin'}:{os.environ['PATH']}"
        (top / "ready").mkdir()
        prepare(top / "ready")
        runner = Runner(top, f"http://127.0.0.1:{server.server_port}/")
        for page in pages:
            runner.page(page, only_python)
    if "V" in os.environ:
        print("\n".join(runner.left))
    print(f"{runner.n_run} commands and {runner.n_python} pieces of Python run, {len(runner.left)} left out, {runner.failed} failed")
    return runner.failed != 0 or runner.n_run + runner.n_python == 0


if __name__ == "__main__":
    sys.exit(main())
