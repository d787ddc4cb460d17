# SPDX-License-Identifier: MIT
"""dedup_tables.py PAGES DANA: the tables of dedup.sh, of the files that it has left in the current folder."""
import json, os, re, subprocess, sys

PAGES, DANA = int(sys.argv[1]), sys.argv[2]
KINDS = ["own", "exact", "light", "twentieth", "chain", "shared"]
HOST, TEMPLATE = 200, 12
NUMBER = re.compile(rb'"id":"urn:uuid:00000000-0000-4000-8000-([0-9a-f]{12})"')


def read(name):
    with subprocess.Popen(["zstd", "-dqc", name] if name.endswith(".zst") else ["cat", name], stdout=subprocess.PIPE) as p:
        yield from p.stdout


def on_template(n):
    return n // HOST % 4 == 3


kind, source = bytearray(PAGES), list(range(PAGES))
for line in open("none.truth"):
    words = line.split()
    n = int(words[0])
    kind[n] = KINDS.index(words[1])
    if len(words) > 2:
        source[n] = int(words[2])


def root(n):
    """The page that a page repeats, and what that repeats."""
    while source[n] != n and KINDS[kind[n]] != "shared":
        n = source[n]
    return n


def key_of(n):
    """Its kind, and whether it or the page that it repeats stands in a template: then their texts differ by that."""
    return KINDS[kind[n]] + (", template" if on_template(n) or on_template(root(n)) else "")


def rejected(name):
    """page, the page that it is said to repeat, similarity"""
    for line in read(name + ".jsonl.zst.rejects.jsonl"):
        ids = [int(i, 16) for i in NUMBER.findall(line)]
        similarity = re.search(rb'"similarity":([0-9.]+)', line)
        if len(ids) == 2:
            yield ids[0], ids[1], float(similarity.group(1)) if similarity else 1


def table(title, name, wanted):
    """By kind: pages, dropped, recall where they should be; and of all dropped the share that repeats what it is said to."""
    dropped, right = {}, {}
    for n, of, _ in rejected(name):
        key = key_of(n)
        dropped[key] = dropped.get(key, 0) + 1
        right[key] = right.get(key, 0) + (root(n) == root(of))
    total = {}
    for n in range(PAGES):
        key = key_of(n)
        total[key] = total.get(key, 0) + 1
    print("%s\n%-22s %9s %9s %8s %10s" % (title, "", "pages", "dropped", "recall", "precision"))
    for key in sorted(total, key=lambda k: (KINDS.index(k.split(",")[0]), k)):
        d, r = dropped.get(key, 0), right.get(key, 0)
        print("%-22s %9d %9d %8s %10s" % (key, total[key], d, "%.4f" % (r / total[key]) if key.split(",")[0] in wanted else "-",
                                          "%.4f" % (r / d) if d else "-"))
    d, r = sum(dropped.values()), sum(right.values())
    print("%-22s %9d %9d %8s %10s\n" % ("all", PAGES, d, "", "%.4f" % (r / d) if d else "-"))


def lines_table():
    """dedup-lines with annotate=1: of the pages that share one paragraph, on how many was it marked; own pages with a mark."""
    marked, total = {}, {}
    lines = re.compile(rb'"dedup-lines":\{"lines":\[([0-9,]*)\]')
    for line in read("lines.jsonl.zst"):
        n = int(NUMBER.search(line).group(1), 16)
        if on_template(n):
            continue
        key = KINDS[kind[n]]
        found = lines.search(line)
        total[key] = total.get(key, 0) + 1
        marked[key] = marked.get(key, 0) + bool(found)
    print("dedup-lines, pages without a template\n%-22s %9s %9s" % ("", "pages", "marked"))
    for key in KINDS:
        print("%-22s %9d %9d" % (key, total.get(key, 0), marked.get(key, 0)))
    print()


def boilerplate_table():
    dropped = re.compile(rb'"boilerplate":\{"dropped_lines":([0-9]+)')
    pages = [0, 0]
    found = [0, 0]
    for line in read("boilerplate.jsonl.zst"):
        n = int(NUMBER.search(line).group(1), 16)
        match = dropped.search(line)
        pages[on_template(n)] += 1
        found[on_template(n)] += int(match.group(1)) if match else 0
    print("boilerplate: lines of templates found %d of %d (recall %.4f); other lines dropped on %d pages without one: %d\n"
          % (min(found[1], pages[1] * TEMPLATE), pages[1] * TEMPLATE, min(1, found[1] / max(1, pages[1] * TEMPLATE)),
             pages[0], found[0]))


def stats(name):
    return json.load(open(name + ".stats"))


def size(path):
    return sum(os.path.getsize(os.path.join(path, n)) for n in os.listdir(path)) if os.path.isdir(path) else os.path.getsize(path)


def costs():
    base = stats("none")
    chars = 0
    documents = base["documents"]
    for line in read("none.jsonl.zst"):
        chars += int(re.search(rb'"text_chars":([0-9]+)', line[:4000]).group(1)) if b'"text_chars"' in line[:4000] else len(line) - 400
    print("%d documents of %d characters" % (documents, chars // documents))
    for name in ("exact", "lines", "sign", "learn", "near", "boilerplate"):
        s = stats(name)
        seconds = s["cpu_seconds"] - base["cpu_seconds"]
        print("%-12s %6.1f s of CPU more than without, %7.1f MB of text a second; %7.1f MiB of memory more"
              % (name, seconds, chars / 1e6 / seconds if seconds > 0.1 else 0, (s["peak_rss_bytes"] - base["peak_rss_bytes"]) / 2**20))
    print(open("cluster.txt").read(), end="")
    compare(base, documents, chars // documents)


UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def estimate(*told):
    """The text, and its rows: name to memory, disk, disk while it runs, each a number and its unit."""
    text = subprocess.run([DANA, "dedup", "estimate", *map(str, told)], stdout=subprocess.PIPE, check=True).stdout.decode()
    return text, {line[:34].strip(): re.findall(r"([0-9.]+) ([KMG]?i?B)\b", line[34:]) for line in text.split("\n")}


def counted(path, *names):
    """The sum of these numbers of `dana dedup info`."""
    text = subprocess.run([DANA, "dedup", "info", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    return sum(int(re.search(r"^  %s +([0-9]+)$" % name, text, re.M).group(1)) for name in names)


def compare(base, documents, chars):
    """What `estimate` says, told how many texts, lines and duplicates there are, beside what it was."""
    text, rows = estimate("--documents", documents, "--chars", chars,
                          "--lines", int(stats("lines")["plugins"]["dedup-lines"]["lines_in_memory"]),
                          "--repeated", counted("lines.table", "lines", "sites"), "--duplicates", round(100 * (1 - stats("near")["documents"] / documents)))
    print(text)
    rows["dedup-exact"] = estimate("--documents", stats("exact")["documents"], "--chars", chars)[1]["dedup-exact"]
    print("%-24s %26s %26s %8s" % ("estimate, measured", "memory, MiB", "disk, MiB", "CPU, s"))
    for row, run, path in (("dedup-exact", "exact", "texts.index"), ("dedup-lines:index=", "lines", "lines.index"),
                           ("learn", "learn", "lines.table"), ("dedup-near: signatures", "sign", "sig"),
                           ("boilerplate:table=", "boilerplate", None), ("cluster --keep first", None, "rows"), ("apply", None, None)):
        said = [float(n) * UNITS[unit] for n, unit in rows[row]]
        print("%-24s %26s %26s %8.1f" % (
            row, against(said[0], stats(run)["peak_rss_bytes"], 2**20) if run else "",
            against(said[1], size(path), 2**20) if path else "",
            stats(run)["cpu_seconds"] - base["cpu_seconds"] if run else own_seconds(row.split()[0])))


def against(said, measured, unit):
    return "%.2f %.2f (%+.1f %%)" % (said / unit, measured / unit, 100 * (measured / said - 1))


def own_seconds(verb):
    """CPU time of a verb, as the shell's `times` has it."""
    return sum(60 * float(m) + float(s) for m, s in re.findall(r"([0-9]+)m([0-9.]+)s", open(verb + ".times").read().split("\n")[1]))


table("dedup-exact", "exact", ("exact",))
table("dedup-near, 14 bands of 8", "near", ("exact", "light", "twentieth", "chain"))
lines_table()
boilerplate_table()
costs()
