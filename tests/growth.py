# SPDX-License-Identifier: MIT
"""How what a page costs grows with it: growth.py DANA [all].

Pages of one pattern, each as long as a part of it repeated makes them: at most 2.2 times the instructions (callgrind) for twice
the bytes. A pattern is an element, or two, in each other, beside each other, never ended, with many attributes; a text, of no
blanks, of one letter, of punctuation, of lines; and what is done with the page: method, format, options, plugins. MENDED are
patterns that once cost more. Without `all` a sample of some hundred patterns, the same each time. With it, each element with each
text and form, and each pair of elements in each form; pages of a megabyte are timed first, and those counted that take long.

Prints what grows faster, with the program's arguments, and how many patterns were tried.
"""
import glob
import itertools
import os
import random
import re
import resource
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "support"))
from archive import record, response  # noqa: E402

DANA, ALL = sys.argv[1], "all" in sys.argv[2:]
MOST = 2.2
SIZES = [20000 << doubled for doubled in range(4)]  # longer than what is read to find a charset
LONG = 1 << 20        # of pages that are timed
SECONDS, TIMES = 0.05, 5  # a page of that length is counted that takes so long, and so many times as long as a quarter of it
SAMPLE = 150
AT_ONCE = 8           # patterns that one process is given

with open(os.path.join(os.path.dirname(__file__), "../src/extract/html/tag.h"), encoding="ascii") as tags:
    ELEMENTS = re.findall(r'X\(\w+, "([^"]+)"', tags.read()) + ["x-own", "o:p"]

# In what follows N is the number of the repetition.
N = "\0"
TEXTS = {
    "none": "", "letter": "x", "letters": "abcdefghij" * 8, "words": "Some words, and a comma. ", "paragraph": "word " * 80,
    "numbered": "w\0 ", "cjk": "漢字かなカナ", "cjk-lines": "漢字かな<br>漢字<br>\n", "rtl": "سلام", "lines": "a<br>", "list": "\0. a<br>",
    "hash": "# a<br>", "dashes": "- ", "dots": "...", "punctuation": "*_[]`()#|~<>!", "quotes": "'\"", "back": "\\", "tick": "`", "less": "< ",
    "greater": ">", "amp": "&", "entities": "&amp;&lt;&#8212;&eacute;", "nbsp": "&nbsp;", "url": "http://a.example/b_c",
    "mail": "a@b.example", "phone": "+49 30 1234567 ", "date": "2020-01-02 ", "dollars": "$x$", "tex": "\\(a\\[", "begin": "\\begin{a}",
    "note": "[\0]", "return": "a\r", "line": "a\n", "tab": "\t", "feed": "\f", "no-utf-8": "\udcff",
}
ATTRIBUTES = [
    "", "", "", ' class="comment reply c\0" id="i\0"', ' href="#n\0"', " href=http://a.example/\0 title=x", ' id="n\0"', ' style="display:none"',
    " role=doc-footnote", ' src=a.png alt="b c" width=300', " a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8", ' itemprop="articleBody author datePublished"',
    " colspan=3 rowspan=4", " hidden", ' rel="canonical author tag" property="og:title" name=author content=x',
    ' type="application/ld+json"', ' class="MathJax_Preview math katex footnote language-c highlight"', ' href="javascript:x"',
    " start=5 value=9", " lang=de", ' href="../../a?b#c"',
]
# What stands in a page once, and what is repeated, in turns. {a} and {b} begin elements, {A} and {B} end them, {x} is text.
ALONE = {
    "open": ("", "{a}{x}"), "closed": ("", "{a}{x}{A}"), "nested": ("", "{a}{x}", "", "{A}"), "around": ("", "{a}", "", "{x}{A}"),
    "ends": ("", "{x}{A}"), "inside": ("{a}", "{x}"), "after": ("{a}y{A}", "{x}"), "attributes": ("<{name}", "{attributes} k\0=1", ">y{A}"),
}
PAIRS = {
    "in": ("", "{a}{b}{x}{B}{A}"), "crossed": ("", "{a}{b}{x}{A}{B}"), "turns": ("", "{a}{x}{b}{x}"), "closed": ("", "{a}{x}{A}{b}{x}{B}"),
    "nested": ("", "{a}{b}{x}", "", "{B}{A}"), "many-in": ("{a}", "{b}{x}{B}"), "open-in": ("{a}", "{b}{x}"), "half": ("", "{a}{x}{b}{x}{B}"),
    "half-nested": ("", "{a}{x}{b}{x}{B}", "", "{A}"), "ends": ("{a}", "{x}{B}"), "first-then": ("", "{a}{x}{A}", "", "{b}{x}{B}"),
}
# What is around all of it.
AROUND = ["", "", "", "", "<article>", "<h1>", "<ul><li>", "<table><tr><td>", "<table><tr><td>x</td><th>", "<pre>", "<blockquote>", "<p><b>", "<dl><dd>",
          "<math>", "<svg>", "<select>", "<a href=x>", "<code>", "<sup>", "<ruby>", "<details>", "</head></body></html>"]


def ways():
    """What is done with a page: the command and its options."""
    for method in ("learned", "plain"):
        extract = ["extract", "-m", method]
        for form in ("text", "jsonl", "markdown", "html", "xml", "tei"):
            yield extract + ["-f", form]
        yield extract + ["-f", "jsonl", "--text", "blocks", "--dropped"]
        yield extract + ["-f", "jsonl", "--text", "plain,markdown,blocks", "--comments", "apart"]
        yield extract + ["-f", "markdown", "--tables", "drop", "--comments", "drop"]
        yield extract + ["-f", "html", "--exclude", ".c1, nav > b, div .c3 p, [rel=author], #i5"]
        yield extract + ["-f", "xml", "--only", "article, div, p, table"]
        yield extract + ["-f", "markdown", "--markdown", "links=0,images=1,tables=rows", "--url", "http://a.example/b/c"]
        for plugin in ("metadata:links=1", "quality:annotate=1", "language:languages=3", "pii"):
            if plugin.split(":")[0] in PLUGINS:
                yield extract + ["-f", "jsonl", "--plugin", plugin]
        of_archives = ["filter", "-m", method]
        yield of_archives + ["--text", "plain,markdown,blocks"]
        yield of_archives + ["-f", "warc"]
        yield of_archives + ["--comments", "apart", "--tables", "drop", "--exclude", ".c1, nav b, [href]"]
        yield of_archives + ["--site", "window"]
        for plugin in ("dedup-lines:scope=page", "dedup-lines:scope=all", "boilerplate:streaming=1", "dedup-exact", "quality", "metadata:links=1"):
            if plugin.split(":")[0] in PLUGINS:
                yield of_archives + ["--plugin", plugin]
    for method in METHODS:
        yield ["extract", "-m", method, "-f", "text"]
    for method in ("danag", "lqf-50", "bte", "kfe"):
        yield ["extract", "-m", method, "-f", "markdown"]


def words(arguments):
    return subprocess.run([DANA] + arguments, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


PLUGINS = re.findall(r"^  ([a-z-]+)  ", words(["plugins"]), re.M)
METHODS = re.findall(r"^([a-z0-9-]+) +[.0-9]+ +[.0-9-]+ ", words(["methods"]), re.M)
WAYS = list(ways())


class Pattern:
    """A page of any length: what stands in it once, and what is repeated, in turns; what is done with it."""

    def __init__(self, name, parts, way):
        self.name, self.parts, self.way = name, parts, way

    def page(self, size):
        longest = sum(len(part.encode("utf-8", "surrogateescape")) for part in self.parts[1::2])
        times = max(1, (size - len("".join(self.parts[::2]))) // max(1, longest))
        page = "<html><head><title>t</title></head><body>"
        for at, part in enumerate(self.parts):
            pieces = part.split(N)
            if at % 2 and len(pieces) > 1:
                page += "".join(str(n).join(pieces) for n in range(times))
            else:
                page += part.replace(N, "1") * (times if at % 2 else 1)
        return page.encode("utf-8", "surrogateescape")

    def write(self, path, size):
        page = self.page(size)
        with open(path, "wb") as file:
            file.write(record(1, response(page)) if self.way[0] == "filter" else page)

    def __str__(self):
        return "%s: %r; dana %s" % (self.name, self.parts, " ".join(self.way))


def made(form, forms, names, choose, text):
    given = [choose.choice(ATTRIBUTES) for _ in names]
    values = {"x": TEXTS[text], "name": names[0], "attributes": given[0] or " k"}
    for letter, name, attributes in zip("ab", names, given):
        values[letter] = "<" + name + attributes + ">"
        values[letter.upper()] = "</" + name + ">"
    parts = [part.format_map(values) for part in forms[form]]
    parts[0] = choose.choice(AROUND) + parts[0]
    return Pattern("%s %s, text %s" % ("+".join(names), form, text), parts, choose.choice(WAYS))


# Patterns that took more than linear time, and what was done with them.
MARKDOWN = ["extract", "-m", "plain", "-f", "markdown"]
MENDED = {
    "lines without blanks": (["", "漢字かな、漢字。<br>\n"], MARKDOWN),
    "rows without blanks": (["<table><tr><td>a<td>b", "<tr><td>漢字<td>"], MARKDOWN + ["--markdown", "tables=rows"]),
    "a word without an end": (["", "<acronym>a@b.example</acronym>"], ["extract", "-m", "danag", "-f", "markdown"]),
    "code with returns": (["<pre>", "a\r"], MARKDOWN),
    "links to one place that has many": (["<p>", "<a href=#n>x</a> ", "</p><p id=n>", "<a href=#z>y</a> "], MARKDOWN),
    "dots before links to places": (["<p>", ".", "", "<a href=#n>1</a>", "</p><p id=n>b</p>"], MARKDOWN),
}


def mended():
    for name, (parts, way) in MENDED.items():
        yield Pattern(name, parts, way)


def alone(choose, texts):
    for name in ELEMENTS:
        for text in texts or [choose.choice(list(TEXTS))]:
            for form in ALONE if texts else [choose.choice(list(ALONE))]:
                yield made(form, ALONE, [name], choose, text)


def pairs(choose, times):
    """So many pairs of elements; without a number all of them, in each form."""
    two = [[choose.choice(ELEMENTS), choose.choice(ELEMENTS)] for _ in range(times)] or [[a, b] for a in ELEMENTS for b in ELEMENTS]
    for names in two:
        for form in [choose.choice(list(PAIRS))] if times else PAIRS:
            yield made(form, PAIRS, names, choose, choose.choice(list(TEXTS)))


def arguments(way, paths):
    if way[0] == "filter":
        return way + ["-q", "-j", "0", "--force", "-o", "out." + ("warc" if "warc" in way else "jsonl")] + paths
    return way + ["-j", "0", "--force"] + (["-o", "out.jsonl"] if "jsonl" in way else ["-O", "out"]) + paths


def instructions(way, paths):
    """Instructions for each of the pages: up to where the next one begins, or where the page has been written."""
    if "window" in way and len(paths) > 1:  # pages wait there for each other
        return [sum(instructions(way, [path])) for path in paths]
    for old in glob.glob("counts*"):
        os.remove(old)
    bounds = "--dump-before=single_page_begin" if way[0] == "extract" else "--dump-after=tail_take"
    with open("messages", "w+b") as messages:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=counts", bounds, DANA] + arguments(way, paths),
                              stdin=subprocess.DEVNULL, stdout=messages, stderr=messages)
        messages.seek(0)
        said = messages.read().decode("utf-8", "replace")
    counts = []
    for path in sorted(glob.glob("counts.*"), key=lambda path: int(path.split(".")[1])) + ["counts"]:
        with open(path, encoding="utf-8") as file:
            counts.append(int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M).group(1)))
    counts = counts[1:] if way[0] == "extract" else counts[:-1]
    if done.returncode not in (0, 1) or len(counts) != len(paths):
        sys.exit("%s: status %d, %d pages counted of %d\n%s" % (" ".join(way), done.returncode, len(counts), len(paths), said))
    return counts


def counted(patterns, sizes):
    """Instructions for each of the patterns, all with the same way, at each of these sizes."""
    paths = []
    for at, pattern in enumerate(patterns):
        for size in sizes:
            paths.append("%d-%d.%s" % (at, size, "warc" if pattern.way[0] == "filter" else "html"))
            pattern.write(paths[-1], size)
    counts = instructions(patterns[0].way, ["first"] + paths)[1:]
    for path in paths:
        os.remove(path)
    return [counts[at * len(sizes):(at + 1) * len(sizes)] for at in range(len(patterns))]


def steps(counts):
    return [after / before for before, after in zip(counts, counts[1:])]


def check(patterns, sizes, again=True):
    """Reports those of the patterns that grow faster at these sizes, and then at four times as much over all or at the end:
    memory that is moved, a limit that is reached, or another decision about what is kept, is one step. A step that is the last
    one there is followed by one more."""
    for pattern, own in zip(patterns, counted(patterns, sizes)):
        if max(steps(own)) <= MOST:
            continue
        if again:
            check([pattern], [4 * size for size in sizes], False)
            continue
        at, few = list(sizes), own[-1] / own[0] <= MOST ** (len(own) - 1)
        if not few or steps(own)[-1] > MOST:
            at.append(2 * at[-1])
            own = own + counted([pattern], at[-1:])[0]
            few = own[-1] / own[0] <= MOST ** (len(own) - 1)
        if few and steps(own)[-1] <= MOST:
            continue
        beyond.append(pattern)
        print("%s: %s times for twice the bytes; %s instructions for %d to %d bytes" % (
            pattern, ", ".join("%.2f" % times for times in steps(own)), ", ".join(map(str, own)), at[0], at[-1]), flush=True)


def seconds(pattern, size):
    path = "timed.warc" if pattern.way[0] == "filter" else "timed.html"
    pattern.write(path, size)
    child = os.fork()
    if child == 0:
        with open(os.devnull, "r+b") as nothing:
            for descriptor in range(3):
                os.dup2(nothing.fileno(), descriptor)
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        os.execv(DANA, [DANA] + arguments(pattern.way, [path]))
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit("%s: status %d" % (pattern, os.waitstatus_to_exitcode(status)))
    return usage.ru_utime + usage.ru_stime


def is_slow(pattern):
    taken = seconds(pattern, LONG)
    return taken > SECONDS and taken > TIMES * seconds(pattern, LONG // 4)


def main():
    choose = random.Random(1)
    os.makedirs("out", exist_ok=True)
    with open("first", "wb") as file:
        file.write(record(1, response(b"<p>a")))
    sample = list(mended()) + list(alone(choose, None)) + list(pairs(choose, SAMPLE))
    by_way = {}
    for pattern in sample:
        by_way.setdefault(tuple(pattern.way), []).append(pattern)
    for patterns in by_way.values():
        for at in range(0, len(patterns), AT_ONCE):
            check(patterns[at:at + AT_ONCE], SIZES)
    tried = len(sample)
    if ALL:
        for pattern in itertools.chain(alone(choose, list(TEXTS)), pairs(choose, 0)):
            tried += 1
            if is_slow(pattern):
                check([pattern], [LONG // 8, LONG // 4, LONG // 2, LONG], False)
    print("%d patterns, %d ways; %d grow faster" % (tried, len(WAYS), len(beyond)))
    sys.exit(1 if beyond else 0)


beyond = []
main()
