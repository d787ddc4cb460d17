# SPDX-License-Identifier: MIT
"""The runs in which memory ends (memory.py): a name, the words of the command line, and files that are there before.

Inputs are as small as they can be for all kinds of work to be done, because each run is made a thousand times. What is
written to a final name goes to the current folder."""
import gzip, os, subprocess, tempfile

from runs import DANA, GOLDEN, SHIM, SOURCE, files_in

PLUGINS = ("metadata", "url", "pii", "quality", "language", "dedup-exact", "dedup-near", "dedup-lines")


def make_pages(folder):
    """A folder of gold pages, with an Arabic one that does not name its charset."""
    folder = os.path.join(folder, "gold")
    os.makedirs(folder)
    text = "هذه صفحة قصيرة عن القطط. القطط حيوانات أليفة تحب النوم في الشمس. "
    for name, page in (("a", "<p>%s</p>" % (text * 8)), ("b", "<div>%s</div>" % ("Cats sleep in the sun. " * 30))):
        with open(os.path.join(folder, name + ".html"), "wb") as f:
            f.write(("<html><head><title>t</title></head><body>%s</body></html>" % page).encode("windows-1256"))
        with open(os.path.join(folder, name + ".txt"), "w", encoding="utf-8") as f:
            f.write(text * 8 if name == "a" else "Cats sleep in the sun. " * 30)


def interrupted(words):
    """The files of a run that was killed after some checkpoints."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        env = dict(os.environ, LD_PRELOAD=SHIM, FAULT_FOLDER=folder, FAULT_CALLS=" rename ", FAULT_KILL="4",
                   ASAN_OPTIONS="verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""))
        subprocess.run([DANA] + words + ["--sandbox", "off"], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return files_in(folder)


def made_by(scratch, name, words):
    """A file that another run of dana writes."""
    path = os.path.join(scratch, name)
    subprocess.run([DANA] + words + ["-o", path], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def dedup(scratch, inputs):
    """The commands that read and write indexes of duplicates, where they are built in."""
    if "dedup-near" not in available():
        return []
    signatures = os.path.join(scratch, "signatures")
    pages = made_by(scratch, "pages.jsonl", ["filter", "-q", "-j", "0", "-m", "plain", "--plugin",
                                             "dedup-near:signatures=" + signatures] + inputs)
    rows = made_by(scratch, "drop.rows", ["dedup", "cluster", signatures])
    return [
        ("dedup-learn", ["dedup", "learn", "-j", "2", "-o", "lines.table"] + inputs),
        ("dedup-cluster", ["dedup", "cluster", "-o", "drop.rows", signatures]),
        ("dedup-apply", ["dedup", "apply", "-o", "clean.jsonl", "--rows", rows, "--rejects", pages]),
        ("dedup-info", ["dedup", "info", rows]),
        ("dedup-verify", ["dedup", "verify", signatures]),
    ]


def available():
    text = subprocess.run([DANA, "plugins"], stdout=subprocess.PIPE, text=True).stdout
    return [line.split()[0] for line in text.splitlines() if line.startswith("  ") and not line.startswith("   ")]


def plugins_of(folder):
    """Options for all plugins that there are; those that write do so into the current folder."""
    domains = os.path.join(folder, "domains.gz")
    with gzip.open(domains, "wt") as f:
        f.write("blocked.example\nother.example\n")
    settings = {"url": "url:block=" + domains, "dedup-exact": "dedup-exact:index=exact",
                "dedup-lines": "dedup-lines:index=lines", "dedup-near": "dedup-near:signatures=signatures"}
    found = available()
    return [word for name in PLUGINS if name in found for word in ("--plugin", settings.get(name, name))]


def scenarios(scratch):
    members, broken, frames, arc, plain, whole = (os.path.join(GOLDEN, name) for name in (
        "members/in.warc.gz", "broken/in.warc.gz", "frames/in.warc.zst", "arc/in.arc.gz", "any/in.warc", "whole/in.warc.gz"))
    pages, many, listed = (os.path.join(scratch, name) for name in ("pages", "many.warc.gz", "list.gz"))
    make_pages(pages)
    with open(many, "wb") as f, open(members, "rb") as once:
        f.write(once.read() * 6)
    with gzip.open(listed, "wt") as f:
        f.write("%s\n%s\n" % (members, broken))
    english = os.path.join(SOURCE, "sample/site/en.html")
    resumed = ["filter", "-q", "-m", "plain", "-j", "0", "--rejects", "--stats", "stats", "--checkpoint-bytes", "1K",
               "-o", "r.jsonl", many]
    small = ["--checkpoint-bytes", "1K"]
    found = available()
    rows = [
        ("filter", ["filter", "-j", "0", "-m", "plain", members, broken]),
        ("filter-jsonl", ["filter", "-j", "0", "-m", "danag", "--rejects", "-o", "a.jsonl"] + small + [members, arc]),
        ("filter-zst", ["filter", "-j", "2", "-m", "lqf-25", "-o", "a.jsonl.zst"] + small + [frames, plain]),
        ("filter-warc.gz", ["filter", "-j", "2", "-m", "plain", "-o", "a.warc.gz", members, whole]),
        ("filter-many", ["filter", "-J", "2", "-j", "1", "-m", "plain", "-O", "outs", "-z", "none", "--rejects", members,
                         many]),
        ("filter-learned", ["filter", "-j", "0", whole]),
        ("filter-auto", ["filter", "-j", "0", "-m", "auto", "--stats", "stats", arc, whole]),
        ("filter-plugins", ["filter", "-j", "2", "-m", "plain"] + plugins_of(scratch) + ["-o", "a.jsonl", members]),
        ("filter-lines", ["filter", "-j", "0", "-m", "plain", "--plugin", "boilerplate:streaming=1,journal=lines.journal", "-o",
                          "a.jsonl", members]),
        ("filter-list", ["filter", "-j", "0", "-m", "plain", "--list", listed, "-o", "a.warc"]),
        ("filter-config", ["filter", "--config", os.path.join(SOURCE, "conf/dana.conf"), "--print-config", "--print-limits"]),
        ("filter-resume", resumed + ["--resume"], interrupted(resumed)),
        ("extract", ["extract", english]),
        ("extract-jsonl", ["extract", "-f", "jsonl", "-m", "plain", "-j", "2"] + [os.path.join(pages, "gold", n) for n in ("a.html", "b.html")]),
        ("explain", ["explain", "-m", "danag", english]),
        ("explain-archive", ["explain", "-m", "plain", "--archive", whole]),
        ("eval", ["eval", "--paper-table", "-m", "plain", "-m", "danag", "-j", "2", pages]),
        ("methods", ["methods"]),
        ("plugins", ["plugins"]),
        ("version", ["--version"]),
    ]
    return [row for row in rows if row[0] != "filter-lines" or "boilerplate" in found] + dedup(scratch, [members, many])
