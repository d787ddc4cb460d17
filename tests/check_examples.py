#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands that the pages print: check_examples.py [PAGE...], in the build folder; all of README.md, doc/*.md, python/*.md
and the EXAMPLES of the manual pages without PAGE.

Taken are the indented lines, the fenced blocks of sh, and the spans of code in rows of tables that call dana. Each is run as it is
printed, the lines of a block in one folder, with the files that the pages name (prepare), and must end with 0; with 2 where broken.warc.gz is
read. Not run is what NOT_RUN names, and
what follows the line <!-- not run: REASON --> up to the next empty line. 77: the program lacks what examples need.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("srcdir", ".")).resolve()
DANA = pathlib.Path(os.environ.get("DANA", "src/cli/dana")).resolve()
SECONDS = 60
MENTION = r"dana (dedup|stats) [a-z]+|dana [a-z]+ --[a-z-]+|dana filter --plugin [a-z-]+|dana eval [^/]*"
NOT_RUN = (
    (r"\.\.\.|\bNAME\b|\bKEY=|\bFILE@|\[OPTIONS\]|\bCOMMAND\b", "a pattern, not a command"),
    (r"https?://(?!127\.0\.0\.1|localhost)|s3://|--base |--cdx ", "needs the network"),
    (r"dana serve\b|unix:", "runs until it is stopped; tests/cli/serve.bats"),
    (r"--watch\b|mkfifo", "runs until it is stopped; tests/cli/watch.bats"),
    (r"train learned|dana train\b", "takes minutes; tests/cli/methods.bats"),
    (r"srun|sbatch|scontrol|\bspark-submit\b", "needs a cluster; tests/engines"),
    (r"\b(wget2?|scrapy|browsertrix\S*|docker|heritrix|pip|apt|apt-get|sudo|make|git|sh tools/\S+)\b", "other tests run it"),
    (r"(^|[ /])src/cli/dana|\.\./", "is run in the build folder; for developers"),
    (r"\.so\b", "has to be compiled before; tests/plugin"),
    (r"dedup rows\b", "another program makes its lines; tests/cli/dedup.bats"),
    (r"model=", "has to be trained before; tests/cli/methods.bats"),
)


def tool(arguments, folder, **more):
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False, **more)


def prepare(folder):
    """The files that the pages name, made from the sample."""
    sample = SOURCE / "sample"
    for name in ("a.warc.gz", "b.warc.gz", "crawl.warc.gz", "pages.warc.gz", "FILE.warc.gz", "crawl/a.warc.gz", "crawl/c.warc.gz",
                 "JOB/latest/warcs/d.warc.gz"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sample / "sample.warc.gz", folder / name)
    for name in ("page.html", "PAGE.html", "more/page.html", "page", "INPUT"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(sample / "site" / "en.html", folder / name)
    for corpus in ("pages", "site", "FOLDER/news", "reference/news", "DIR/news", "GOLD/news"):
        shutil.copytree(sample / "site", folder / corpus)
        for page in (folder / corpus).glob("*.html"):
            page.with_suffix(".txt").write_text(tool([DANA, "extract", page], folder).stdout)
    for name in ("LIST", "malware.txt", "ours.txt", "porn.txt", "domains.txt"):
        (folder / name).write_text("blocked.example\n")
    (folder / "sample").symlink_to(sample)
    (folder / "broken.warc.gz").write_bytes((sample / "sample.warc.gz").read_bytes()[:-100])
    for name in ("FILE", "files"):
        (folder / name).write_text("crawl.warc.gz\n")
    steps = (
        "dana filter --text plain,markdown -o all.jsonl.zst crawl.warc.gz",
        "gzip porn.txt domains.txt && mkdir stats done sig && dana filter --stats 3.json crawl.warc.gz >n.jsonl && cp 3.json stats",
        "for part in a b; do dana filter -o $part.jsonl.zst $part.warc.gz; done",
        "dana dedup learn --scope all -o all.table crawl.warc.gz && dana dedup learn -o lines.table crawl.warc.gz",
        "mkdir signatures && for input in crawl.warc.gz crawl/*.warc.gz; do"
        " dana filter --plugin dedup-near:signatures=signatures $input >n.jsonl; done",
        "cp signatures/* sig && dana dedup cluster -o drop.rows signatures",
    )
    for step in steps:
        run = tool(["sh", "-ec", step], folder)
        if run.returncode:
            print(f"{step}: {run.stderr}")
            sys.exit(77)  # built without a library or a plugin
    lines = tool(["python3", "-c", "import json; print(json.dumps({'html': open('page.html').read()}))"], folder).stdout
    for name in ("in.jsonl", "pages.jsonl"):
        (folder / name).write_text(lines)


def commands(page):
    """Yields (number of the line, whether it follows another one of its block, command) of a page."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".1":
        text = text.replace("\\-", "-").replace("\\e", "\\")
    fence, skipped, examples, previous, last = None, False, page.suffix != ".1", "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if page.suffix == ".1":
            examples = line.startswith(".SH EXAMPLES") or (examples and not line.startswith(".SH"))
            found = [line] if examples and not line.startswith(".") else []
        elif line.startswith("```"):
            fence = None if fence is not None else line[3:].strip()
            continue
        elif line.startswith("<!-- not run:"):
            skipped = True
            continue
        elif not line.strip():
            skipped, found = skipped and fence is not None, []
        elif fence is not None:
            found = [line] if fence in ("sh", "bash", "console") else []
        elif line.startswith("    "):
            found = [line[4:]]
        elif line.startswith("|"):
            found = [span.replace("\\|", "|") for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", line)]
            found = [span for span in found if re.match(r"dana [a-z]+ .", span) and not re.fullmatch(MENTION, span)]
        else:
            found = []
        for command in found:
            command = previous + command.removeprefix("$ ")
            previous = ""
            if command.endswith("\\"):
                previous = command[:-1]
            elif not skipped and re.search(r"(^|[|;&] *|env \S+ )dana [a-z]+", command):
                yield number, last == number - 1 and not line.startswith("|") and page.suffix != ".1", command
                last = number


def main():
    pages = [pathlib.Path(name) for name in sys.argv[1:]]
    pages = pages or [SOURCE / "README.md", *sorted(SOURCE.glob("doc/*.md")), *sorted(SOURCE.glob("python/*.md")), *sorted(pathlib.Path("doc").glob("*.1"))]
    n_run, left_out, failed = 0, 0, 0
    fresh = True
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        (top / "bin").mkdir()
        (top / "bin" / "dana").symlink_to(DANA)
        os.environ["PATH"] = f"{top / 'bin'}:{os.environ['PATH']}"
        ready = top / "ready"
        ready.mkdir()
        prepare(ready)
        for page in pages:
            for number, follows, command in commands(page):
                reason = next((why for pattern, why in NOT_RUN if re.search(pattern, command)), None)
                if reason:
                    left_out += 1
                    if "V" in os.environ:
                        print(f"{page.name}:{number}: not run: {reason}: {command}")
                    continue
                folder = top / "run"
                if not follows or not folder.exists():
                    shutil.rmtree(folder, ignore_errors=True)
                    shutil.copytree(ready, folder)
                    fresh = True
                for made in re.findall(r"signatures=(\S+)", command) if fresh else ():
                    shutil.rmtree(folder / made, ignore_errors=True)  # of another run of these inputs
                    fresh = False
                for output in re.findall(r" -o (\S+)", command):
                    (folder / output).unlink(missing_ok=True)
                try:
                    run = tool(["bash", "-c", command], folder, stdin=subprocess.DEVNULL)
                    wrong = run.stderr[-300:] if run.returncode else ""
                    status = run.returncode
                except subprocess.TimeoutExpired:
                    wrong, status = f"not done after {SECONDS} s", 1
                n_run += 1
                if status != (2 if re.search(r"broken| \*\.warc\.gz", command) else 0):
                    failed += 1
                    print(f"{page.name}:{number}: {command}\n    status {status}: {wrong}")
    print(f"{n_run} commands run, {left_out} left out, {failed} failed")
    return failed != 0 or n_run == 0


if __name__ == "__main__":
    sys.exit(main())
