#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_report.py recall|view|many|fits|shares|kinds|marks|ruled|compare|served|hostile|hostile_compare|archive DANA [FILE...]: what a browser makes of the reports of dana explain."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

from archive import record
from browser import Browser


def run(*words, stdin=None):
    return subprocess.run(words, input=stdin, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def explain(dana, *words, out="report.html"):
    run(dana, "explain", "--force", "-o", out, *words)
    return out


def data_of(path):
    text = open(path, encoding="utf-8").read()
    return json.loads(re.search(r'<script id="data" type="application/json">(.*)</script>\n', text).group(1))


def expect(good, *told):
    if not good:
        sys.exit("check_report.py: " + " ".join(str(t) for t in told))


def squeezed(text):
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())


# ---- recall: the viewer decides as the program does ----

MOVE = """
    const form = document.querySelector("form");
    form.recall.value = arguments[0];
    form.dispatchEvent(new Event("input"));
    const blocks = [...document.querySelectorAll(".block")].map((b) => [b.classList.contains("kept"), [...b.querySelectorAll(".text p")].map((p) => p.textContent).join("\\n"),
        b.querySelector(".why").textContent.split(".")[0]]);
    return [blocks, document.querySelector(".result").textContent, document.querySelectorAll("td.yes").length, document.querySelectorAll("path.bar.chosen").length]
"""


def recall(dana, *pages):
    changed = copies = 0
    with Browser() as b:
        for page in pages:
            for keys in ("", ",heading=0", ",kind=forum", ",kind=list,heading=0"):
                data = data_of(explain(dana, "-m", "learned:recall=50" + keys, page))
                b.open("report.html")
                for value in (0, 7, 20, 37, 50, 62, 63, 75, 88, 100):
                    blocks, told, rows, _ = b.run(MOVE, value)
                    wanted = data_of(explain(dana, "-m", f"learned:recall={value}{keys}", page, out="wanted.html"))["methods"][0]
                    kept = [block["kept"] for block in wanted["blocks"]]
                    expect([block[0] for block in blocks] == kept, page, keys, value, "other blocks are kept")
                    expect([block[2].lower() for block in blocks] == [block["reason"].lower() for block in wanted["blocks"]], page, value, "other reasons")
                    expect(rows == sum(kept), page, value, rows, "rows of the table are kept")
                    numbers = dict(wanted["numbers"])
                    expect(f"threshold {numbers['threshold']:.2f}" in told and f"F1 {numbers['expected F1']:.2f}" in told, page, value, told, numbers)
                    text = squeezed("\n".join(block[1] for block in blocks if block[0]))
                    extracted = squeezed(run(dana, "extract", "-m", f"learned:recall={value}{keys}", page))
                    expect(text == extracted, page, value, text, "extract prints", extracted)
                    changed += kept != [block["kept"] for block in data["methods"][0]["blocks"]]
                    copies += sum(block[2].lower() == "its words are kept before" for block in blocks)
        expect(not b.complaints(), "the browser complained")
    print(f"{len(pages)} pages, {changed} decisions that differ from recall 50, {copies} copies")


# ---- view: clicks, keys, filters, light and dark, paper, and no script at all ----

COLOURS = """
    const found = (what, name) => { const e = document.querySelector(what);
        return e && e.getBoundingClientRect().width > 0 ? getComputedStyle(e)[name] : null; };
    return [found("body", "backgroundColor"), found("path.content", "fill"), found("path.code", "stroke"), found("path.box.chosen", "fill")]
"""


def rgb(text):
    return "rgb({}, {}, {})".format(*bytes.fromhex(text))


def view(dana, page, other):
    explain(dana, page)
    with Browser() as b:
        b.open("report.html")
        total = b.run("return document.querySelectorAll('.block').length")
        count = lambda: b.run("return [...document.querySelectorAll('.block')].filter((e) => e.checkVisibility()).map((e) => e.className.replace(' lead', ''))")

        # the list begins at the first kept block; the menu before it is folded; the controls stay in view
        lead = b.run("return [...document.querySelectorAll('.block')].findIndex((e) => e.classList.contains('kept'))")
        expect(0 < lead < total and len(count()) == total - lead and count()[0] == "block kept", lead, count())
        b.click(".unfold")
        expect(len(count()) == total > 5, "not all blocks are shown")
        b.run("[...document.querySelectorAll('.block')].at(-1).scrollIntoView()")
        expect(0 <= b.run("return document.querySelector('.controls').getBoundingClientRect().top") < 1, "the controls are out of view")
        b.run("scrollTo(0, 0)")

        # a click, and Enter, open what is known of a block; another one closes it
        opened = "return [...document.querySelectorAll('.features')].filter((e) => !e.hidden).map((e) => e.textContent)"
        b.click(".block.kept button")
        features = b.run(opened)
        expect(len(features) == 1, features)
        for part in ("Stage 1", "Stage 2", "for +", "against −", "log odds", "alike", "with the blocks like it: this decides", "words"):
            expect(part in features[0], part, "is not among the features", features)
        b.click(".block.kept .text")
        expect(not b.run(opened), "a second click does not close it")
        b.run("document.activeElement.blur()")
        focus = "return document.activeElement.closest('.block').id"
        b.keys("j")
        expect(b.run(focus) == "m1b1", "j")
        b.keys("jjk")
        expect(b.run(focus) == "m1b2", "jjk")
        b.keys("\ue007")
        expect(len(b.run(opened)) == 1, "Enter opens nothing")
        b.keys("\ue007")
        expect(not b.run(opened), "Enter closes nothing")

        # the filter and its key; the address names what is shown
        b.keys("f")
        expect(set(count()) == {"block kept"} and b.run("return location.hash") == "#show=kept", count())
        b.keys("f")
        expect(set(count()) == {"block dropped"}, count())
        b.keys("f")
        expect(count() == [], count())
        b.keys("ff")
        expect(len(count()) == total and b.run("return location.hash") == "", "f shows all again")
        b.keys("m")
        expect(not b.run("return document.querySelector('.markdown').checkVisibility()"), "m hides the Markdown")
        b.keys("m")
        expect(b.run("const m = document.querySelector('.markdown').getBoundingClientRect(), l = document.querySelector('.list');"
                     "return m.left >= l.getBoundingClientRect().right"), "the Markdown is not beside the page")
        b.keys("r\ue012\ue012")
        expect(b.run("return document.querySelector('output').textContent") == "48", "arrows do not move recall")
        b.open("report.html", "#recall=0&show=changed&open=all")
        shown = count()
        expect(shown and set(shown) == {"block dropped changed"}, shown)
        expect(len(b.run("return [...document.querySelectorAll('.features')].filter((e) => !e.hidden)")) == total, "open=all")

        # a link to a block that is filtered away shows it
        b.open("report.html", "#show=kept")
        b.run("location.hash = '#m1b1'")
        expect(len(count()) == total, "a link to a hidden block")
        ids = b.run("return [...document.querySelectorAll('[id]')].map((e) => e.id)")
        expect(len(set(ids)) == len(ids), "an id is there twice")
        targets = b.run("return [...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))")
        expect(len(targets) > total and all(t[:1] == "#" and t[1:] in ids for t in targets), "a link leads nowhere")

        # two methods, light and dark, narrow and wide, on paper
        explain(dana, "-m", "danag,dana", other)
        b.open("report.html")
        expect(b.run("return document.querySelectorAll('figure svg[role=img]').length") == 6, "6 pictures")
        for width in (420, 1600):
            b.size(width)
            for scheme, colours in (("light", "ffffff 1a5fb4 a04100 1c7c3c"), ("dark", "15181c 74b0ff ffab6b 6fd58d")):
                b.prefer(scheme)
                expect(b.run(COLOURS) == [rgb(c) for c in colours.split()], width, scheme, b.run(COLOURS))
        b.prefer("dark", "print")
        expect(b.run(COLOURS)[0] == rgb("ffffff"), "paper is white")
        expect(not b.run("return document.querySelector('.controls').checkVisibility()"), "controls on paper")
        b.prefer()

        # without scripts the text and the decisions are a table
        explain(dana, page)
        b.scripts(False)
        b.open("report.html")
        b.scripts(True)
        rows = b.run("return [...document.querySelectorAll('#plain tbody tr')].map((r) => [...r.cells].map((c) => c.textContent.trim()))")
        expect(len(rows) == total, len(rows), "rows")
        text = "\n".join(row[4] for row in rows if row[1] == "✓ kept")
        expect(squeezed(text) == squeezed(run(dana, "extract", page)), text)
        expect(all(row[2] and row[3] for row in rows), "a row without reason or numbers")
        expect(not b.complaints(), "the browser complained")


LINKS = "return [...document.querySelectorAll('a')].map((a) => a.getAttribute('href')).filter((h) => !document.getElementById(h.slice(1)))"


def many(dana, page):
    """Of thousands of blocks, narrow neighbours of one outcome share a bar, and each block leads to its own."""
    explain(dana, "-m", "learned", page)
    with Browser() as b:
        for fragment in ("", "#recall=0", "#recall=100"):
            b.open("report.html", fragment)
            blocks, bars, kept = b.run("return ['.block', '.frame .bar', '.block.kept'].map((what) => document.querySelectorAll(what).length)")
            expect(blocks > 2500 and 10 < bars <= 1400, fragment, blocks, "blocks in", bars, "bars")
            expect(not b.run(LINKS), "links lead nowhere", b.run(LINKS)[:3])
            widths = b.run("return [...document.querySelectorAll('.frame .bar')].map((p) => [p.classList.contains('chosen'), p.getBBox().width])")
            words = b.run("const sum = (list) => list.reduce((n, b) => n + b, 0), data = JSON.parse(document.getElementById('data').textContent);"
                          "const all = data.methods[0].blocks, now = [...document.querySelectorAll('.block')].map((b) => b.classList.contains('kept'));"
                          "return sum(all.map((b, i) => now[i] ? b.words : 0)) / sum(all.map((b) => b.words))")
            share = sum(width for chosen, width in widths if chosen) / sum(width for _, width in widths)
            expect(abs(share - words) < 0.02, fragment, "bars of kept blocks have", share, "of the width, of the words it is", words)
        # what can be saved is in view at once, by key and by click, though most blocks are not drawn before
        for lead in (lambda: b.keys("s"), lambda: b.click(".save")):
            b.open("report.html")
            lead()
            time.sleep(2)
            seen = b.run("const r = document.activeElement.getBoundingClientRect(); return [document.activeElement.name, r.top >= 0 && r.bottom <= innerHeight]")
            expect(seen == ["save-text", True], seen, "is not in view")


# ---- fits: nothing is wider than the window, cut off, or a line that is too long to read ----


def fits(dana, *words):
    script = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "measure_report.js"), encoding="utf-8").read()
    explain(dana, *words)
    with Browser() as b:
        for width in (400, 1600):
            b.size(width)
            b.open("report.html", "#open=all")
            b.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            told = b.run(script)
            expect(told == "fits", width, told)
        expect(not b.complaints(), "the browser complained")


def shares(_, report, overview):
    """Of a page whose text only scripts hold: no share above 100 %, and a sentence that says why."""
    with Browser() as b:
        b.open(report)
        text = b.run("return document.querySelector('.method .facts').innerText")
        expect("100.0 %" in text and "Text that only scripts or noscript hold is kept" in text, text)
        b.open(overview)
        expect(b.run("return document.body.innerText").count("100.0 %") == 5, "an overview of one page")


def kinds(_, report):
    """The kind of the page and what it changes are there in words; a kept block has the evidence for it and against it; numbers have separators."""
    data = data_of(report)["methods"][0]
    names = {name: value for name, value in data["numbers"]}
    taken = next(name for name in names if name.startswith("kind: "))
    with Browser() as b:
        b.open(report, "#open=all")
        kind = b.run("return document.querySelector('.kind').innerText")
        expect(f"{taken[6:]} ({names[taken] * 100:.0f} %" in kind, kind, names)
        expect(f"A block is kept from a probability of {names['threshold']:.2f} on." in kind, kind)
        for why in b.run("return [...document.querySelectorAll('.block.kept .why')].map((p) => p.textContent)"):
            expect(". Evidence for: " in why and ". Evidence against: " in why, why)
        text = b.run("return document.body.innerText")
        expect(not re.search(r"(?<![\w.,/-])[0-9]{5,}(?![\w.])", text), re.findall(r"(?<![\w.,/-])[0-9]{5,}(?![\w.])", text))
        expect(not b.complaints(), "the browser complained")


# ---- marks: several pages, what is marked on them, and what is saved ----


def nameless(b):
    """Controls that the accessibility tree has without a name."""
    roles = {"button", "link", "textbox", "slider", "radio", "checkbox", "combobox", "listbox", "option", "DisclosureTriangle"}
    nodes = b.tell("Accessibility.getFullAXTree")["nodes"]
    found = [n for n in nodes if not n["ignored"] and n["role"]["value"] in roles]
    expect(len(found) > 20, "only", len(found), "controls")
    return [n["role"]["value"] for n in found if not n.get("name", {}).get("value", "").strip()]


def saved(b, name, file):
    """What the browser saves at a click on a button of this name."""
    folder = tempfile.mkdtemp(dir=".")
    b.tell("Browser.setDownloadBehavior", behavior="allow", downloadPath=os.path.abspath(folder))
    b.click(f"[name={name}]")
    end, path = time.monotonic() + 120, os.path.join(folder, file)
    while not (os.path.exists(path) and os.path.getsize(path)):
        expect(time.monotonic() < end, name, "saves nothing named", file, os.listdir(folder))
        time.sleep(0.05)
    return open(path, encoding="utf-8").read()


def marks(dana, *pages):
    """Pages of a site, whose box of class "promo" stays in each, with another text: marked on the first, all are gone by the rule."""
    url = "https://www.one.example/"
    data = data_of(explain(dana, "--url", url, *pages))["reports"]
    boxes = [[i for i, block in enumerate(p["methods"][0]["blocks"]) if "offer" in block["text"]] for p in data]
    blocks = [p["methods"][0]["blocks"] for p in data]
    expect(len(data) == len(pages) > 2 and all(len(box) == 2 and all(blocks[p][i]["kept"] for i in box) for p, box in enumerate(boxes)), boxes)
    with Browser() as b:
        b.open("report.html")
        ids = lambda what: b.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.id)", what)
        told = lambda what: b.run("return document.querySelector(arguments[0]).innerText", what)
        # by keys alone: to the box, a mark, and one from there on
        b.keys("j")
        while b.run("return document.activeElement.closest('.block').id") != f"q1m1b{boxes[0][0] + 1}":
            b.keys("j")
        b.keys("xjX")
        expect(ids(".block.marked") == [f"q1m1b{i + 1}" for i in boxes[0]] == ids(".block.hit"), ids(".block.marked"), ids(".block.hit"))
        expect(told(".saving .result").startswith("Marked on 1 page: 2 wrong."), told(".saving .result"))
        expect(not b.run("return document.querySelector('.otherwise').checkVisibility()"), "advice where there is a rule")
        line = "one.example\tdrop\t.promo\n"
        expect(b.run("return document.querySelector('[name=rules]').value") == line, b.run("return document.querySelector('[name=rules]').value"))
        expect(f"; the text of {len(pages)} pages of {len(pages)} changes. Only these and the blocks listed above go." in told(".effect"), told(".effect"))
        others = b.run("return [...document.querySelectorAll('.other a')].map((a) => a.getAttribute('href'))")
        expect(others == [f"#q{p + 1}m1b{i + 1}" for p, box in enumerate(boxes) for i in box if p], others)
        expect(told(".beyond").startswith("The line takes 4 blocks, ") and "on 2 pages that you have not marked: of one page 1" in told(".beyond"), told(".beyond"))
        expect(b.run("return document.querySelector('.other').compareDocumentPosition(document.querySelector('[name=rules]')) === 4"), "the list is below the line")
        # s leads to what can be saved
        b.keys("s")
        expect(b.run("return document.activeElement.name") == "save-rules" and b.run("return document.activeElement.getBoundingClientRect().top < innerHeight"), "s")
        # a link leads to the block on the other page, again and again, where c protects it: then no selector is left that takes nothing right
        for _ in range(2):
            b.click(".other a")
            expect(b.run("return '#' + document.activeElement.closest('.block').id") == others[0], "the block has no focus")
            b.keys("p")
        b.click(".other a")
        expect(told(".chooser").count("2 of") and b.run("return document.querySelector('select').value") == "1", told(".chooser"))
        b.keys("c")
        expect(".promo" not in b.run("return document.querySelector('[name=rules]').value"), "a block that is right is taken")
        expect(not ids(f"{others[0]}.hit"), "a right block is hit")
        expect(told(".marks") == "marked on this page: 1 right" and told(".saving .result").startswith("Marked on 2 pages: 2 wrong, 1 right."), told(".marks"), told(".saving .result"))
        expect(b.run("return [...document.querySelectorAll('.missed a')].some((a) => a.getAttribute('href') === arguments[0])", others[0]), told(".missed"))
        expect(b.run("return document.querySelector('.missed').compareDocumentPosition(document.querySelector('.otherwise')) === 4"), "advice before the list")
        b.keys("u")
        expect(b.run("return document.querySelector('[name=rules]').value") == line, "u undoes nothing")
        # n and p lead through the pages; the address names one
        b.keys("np")
        expect(b.run("return document.querySelector('select').value") == "1", "n and p")
        b.open("report.html", "#page=3&show=kept")
        expect(b.run("return document.querySelector('select').value") == "2", "page=3")
        # the browser has kept the marks
        b.open("report.html")
        expect(ids(".block.marked") == [f"q1m1b{i + 1}" for i in boxes[0]], "the marks are lost")
        # what is saved works
        expect(saved(b, "save-rules", "rules.tsv") == line, "other rules are saved")
        text = saved(b, "save-text", os.path.basename(pages[0]).replace(".html", ".txt"))
        wanted = [line for line in run(dana, "extract", pages[0]).splitlines() if "offer" not in line]
        expect(text.splitlines() == wanted and len(wanted) > 3, text, wanted)
        name = os.path.basename(pages[0]).replace(".html", "")
        rows = saved(b, "save-index", "index.tsv")
        expect(rows == f"corpus\tid\tcharset\turl\nmarked\t{name}\tutf-8\t{url}\n", rows)
        os.makedirs("gold/marked", exist_ok=True)
        for path, content in (("gold/index.tsv", rows), (f"gold/marked/{name}.txt", text), (f"gold/marked/{name}.html", open(pages[0], encoding="utf-8").read()),
                              ("rules.tsv", line)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        scores = json.loads(run(dana, "eval", "-m", "learned", "-f", "json", "gold"))
        expect('"pages": 1' in json.dumps(scores), scores)
        for page in pages:
            text = run(dana, "extract", "--url", url, "--rules", "rules.tsv", page)
            expect("offer" not in text and text.splitlines() == [line for line in run(dana, "extract", page).splitlines() if "offer" not in line], text)
        for width in (400, 1600):
            b.size(width)
            for scheme in ("light", "dark"):
                b.prefer(scheme)
                b.open("report.html", "#open=all")
                expect(not nameless(b), "controls without a name", nameless(b))
                expect(b.run("return document.documentElement.scrollWidth <= innerWidth"), width, "is too narrow")
        b.size(1400)
        b.click("[name=clear]")
        expect(not ids(".block.marked") and told(".saving .result").startswith("Nothing is marked yet."), told(".effect"))
        expect(not b.complaints(), "the browser complained", b.complaints())
    # of a page without text there is nothing to mark or save
    with open("empty.html", "w", encoding="utf-8") as file:
        file.write("<!doctype html><title>x</title>")
    explain(dana, "empty.html")
    with Browser() as b:
        b.open("report.html")
        text = b.run("return document.body.innerText")
        expect("This page has no text." in text and "Save" not in text and "Text of the page" not in text, text)
        expect(not b.complaints(), "the browser complained", b.complaints())
    # where only the name of a text would do, that is said
    with open("post.html", "w", encoding="utf-8") as file:
        file.write(open(pages[0], encoding="utf-8").read().replace("box promo", "post"))
    blocks = data_of(explain(dana, "--url", url, "post.html"))["methods"][0]["blocks"]
    expect([i for i, block in enumerate(blocks) if block["kept"] and "offer" in block["text"]] == boxes[0], "another text is kept")
    with Browser() as b:
        b.open("report.html", f"#m1b{boxes[0][0] + 1}")
        for i in boxes[0]:
            b.click(f"#m1b{i + 1} .mark")
        doubts = b.run("return document.querySelector('.doubts').innerText")
        expect(doubts.startswith(".post: that is what the text of a page is called") and "Look at more pages" in doubts, doubts)
    # the same rule, tried by the program
    explain(dana, "--url", url, "--rules", "rules.tsv", *pages)
    ruled(dana, *[",".join(str(i) for i in box) for box in boxes])


def ruled(_, *boxes):
    """report.html marks these blocks of each page as taken by the rules, and shows them alone. A block that is not drawn yet has no innerText."""
    with Browser() as b:
        for page, box in enumerate(boxes):
            b.open("report.html", f"#page={page + 1}&show=ruled")
            found = b.run("return [...document.querySelectorAll('.block')].filter((e) => e.checkVisibility()).map((e) => [e.id, e.querySelector('.ruled').textContent])")
            expect(found == [[f"q{page + 1}m1b{int(i) + 1}", "the rules take it"] for i in box.split(",")], page, found)
            expect("characters kept with the rules" in b.run("return document.querySelector('.method .facts').innerText"), "facts")


# ---- compare ----


def compare(dana):
    """Pages of hostile texts; of page i the second setting leaves out a box with i more words than that of page i - 1."""
    rng, names = random.Random(62), []
    for i, kind in enumerate(KINDS):
        names.append(f"{i:03}.html")
        as_text = kind.replace("&", "&amp;").replace("<", "&lt;")
        with open(names[-1], "w", encoding="utf-8", newline="") as file:
            file.write(f"<p>Before {as_text}</p><p class=box>{'x ' * (i + 1)}{as_text}</p><p>After {varied(rng, as_text)}</p>")
    run(dana, "compare", "-m", "plain", "--against", "--exclude .box", "-o", "compare.html", *names)
    data = data_of("compare.html")["differences"]
    expect(len(data) == len(KINDS) and [d["only_a"] for d in data] == sorted((d["only_a"] for d in data), reverse=True), "not the largest first")
    with Browser() as b:
        for scripts in (True, False):
            text, _ = harmless(b, "compare.html", scripts, "compare.html")
            expect(all(d["page"] in text for d in data), "a page is missing")
        b.open("compare.html")
        at = lambda: int(b.run("return document.querySelector('select').value"))
        for i, d in enumerate(data):
            expect(at() == i, i, at())
            shown = b.run("return [...document.querySelectorAll('.differences .block')].map((e) => [e.className, e.querySelector('p').textContent])")
            expect(shown and all(name == "block only-a" for name, _ in shown), shown)
            expect(refused("".join(text for _, text in shown)) == refused("".join(row[1] for row in d["rows"] if row[0] == 1)), d["page"])
            b.keys("n")
        b.keys("p")
        expect(at() == len(data) - 2 and b.run("return location.hash") == f"#page={len(data) - 1}", at())
        b.keys("j")
        expect(b.run("return document.activeElement.className") == "block only-a", "j")
        b.click(".chooser button")
        expect(at() == len(data) - 3, "a click on previous page")
        b.open("compare.html", "#page=3")
        expect(at() == 2, "page=3")
        for width in (400, 1600):
            b.size(width)
            for scheme in ("light", "dark"):
                b.prefer(scheme)
                b.open("compare.html")
                expect(not nameless(b), "controls without a name", nameless(b))
                expect(b.run("return document.documentElement.scrollWidth <= innerWidth"), width, "is too narrow")
        expect(not b.complaints(), "the browser complained")


def served(_, url, page):
    """The form of the service leads to a report that is drawn."""
    with Browser() as b:
        b.call("POST", f"/{b.session}/url", {"url": url})
        b.run("document.querySelector('textarea').value = arguments[0]", open(page, encoding="utf-8").read())
        b.click("#explain")
        end = time.monotonic() + 30
        while b.run("return document.querySelectorAll('.block').length") != 20:
            expect(time.monotonic() < end, "the report is not drawn")
            time.sleep(0.05)
        expect(not b.complaints(), "the browser complained")


# ---- hostile: nothing of a page runs, is loaded or becomes an element ----

RUN = "window.hacked=1"
CALL = "http://127.0.0.1:9/"
KINDS = [
    "<script>%s</script>" % RUN, "</script><script>%s</script>" % RUN, "<!--<script>%s" % RUN, "<!--<script>-->%s</script>" % RUN,
    "--><script>%s</script>" % RUN, "]]><script>%s</script>" % RUN, "</SCRIPT ><script>%s//" % RUN, "</script/><svg onload=%s>" % RUN,
    "</script\t><img src=x onerror=%s>" % RUN, "\\u003c/script>\\u003cscript>%s" % RUN, "\\x3cscript\\x3e%s" % RUN, "\\\"};%s;//" % RUN,
    "\\\\\"};%s;//" % RUN, "'};%s;//" % RUN, "`;%s;`" % RUN, "${%s}" % RUN, "{{script}}", "{{data}}", "{{plain}}", "{{style}}", "{{digest of script}}",
    "\u2028%s\u2029" % RUN, "</style><script>%s</script>" % RUN, "</title><script>%s</script>" % RUN, "</textarea><script>%s</script>" % RUN,
    "</noscript><script>%s</script>" % RUN, "</template><script>%s</script>" % RUN, "</table></div></main><script>%s</script>" % RUN,
    "</td></tr></table><img src=%sa>" % CALL, "<img src=x onerror=%s>" % RUN, "<img src=%simg>" % CALL, "<img srcset='%sb 2x'>" % CALL,
    "<svg/onload=%s>" % RUN, "<svg><script>%s</script></svg>" % RUN, "<svg><style><img src=x onerror=%s></style></svg>" % RUN,
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=%s&gt;'>" % RUN,
    "<iframe src=javascript:%s></iframe>" % RUN, "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>", "<object data=%so></object>" % CALL,
    "<embed src=%se>" % CALL, "<link rel=stylesheet href=%sl>" % CALL, "<link rel=preload as=image href=%sp>" % CALL, "<meta http-equiv=refresh content='0;%sm'>" % CALL,
    "<base href=%s>" % CALL, "<form action=%sf><button autofocus>" % CALL, "<body onload=%s>" % RUN, "<input autofocus onfocus=%s>" % RUN,
    "<details open ontoggle=%s>" % RUN, "<video src=%sv onerror=%s>" % (CALL, RUN), "<audio src=%sa>" % CALL, "<a href=javascript:%s>go</a>" % RUN,
    "[go](javascript:%s)" % RUN, "![x](%sx)" % CALL, "<style>@import '%sc';</style>" % CALL, "<div style=\"background:url(%sd)\">" % CALL,
    "@import url(%si);" % CALL, "</style><style>*{display:none}", "\" onmouseover=\"%s\" x=\"" % RUN, "' onfocus='%s' autofocus x='" % RUN,
    "\"><img src=x onerror=%s>" % RUN, "'><svg onload=%s>" % RUN, "javascript:%s" % RUN, "data:text/html,<script>%s</script>" % RUN,
    "&lt;script&gt;%s&lt;/script&gt;" % RUN, "&amp;lt;script&amp;gt;%s&amp;lt;/script&amp;gt;" % RUN, "&#60;img src=x onerror=%s&#62;" % RUN,
    "\x00<script>%s</script>" % RUN, "<scr\x00ipt>%s</script>" % RUN, "\ufeff<script>%s</script>" % RUN, "\u202e<script>%s</script>" % RUN,
    "\x1b]0;x\x07<script>%s</script>" % RUN, "\r\n</script>\r\n<script>%s</script>" % RUN, "=cmd|' /C calc'!A0", "__proto__", "constructor", "m1b1", "data", "plain", "#m1b1",
    "<template><script>%s</script></template>" % RUN, "<slot name=x>", "<custom-element onclick=%s>" % RUN, "<bdo dir=rtl>", "<plaintext>", "<xmp><script>%s</script></xmp>" % RUN,
]
ALLOWED = set("""html head meta title style body main h1 h2 h3 h4 bdi p b dl div dt dd small section article ul li svg defs pattern path g a figure figcaption span form label input
    output fieldset legend kbd button select option textarea table thead tbody tr th td details summary pre script template""".split())
CENSUS = """
    const bad = [];
    for (const e of document.querySelectorAll("*")) {
        const tag = e.localName;
        if (!arguments[0].includes(tag) && !(tag === "title" && e.closest("svg")))
            bad.push(tag);
        for (const { name, value } of e.attributes)
            if (/^on|^(src|srcset|action|formaction|srcdoc|data|ping|poster|background|style|http-equiv)$/.test(name) && !(name === "http-equiv" && e.closest("head"))
                && !(name === "style" && /^(left|width): [0-9.]+%;$/.test(value)) || (name === "href" && !/^#m?[a-z]*[0-9]/.test(value)))
                bad.push(`${tag} ${name}=${value}`);
    }
    return [bad, document.scripts.length, document.styleSheets.length, window.hacked === undefined,
        (document.querySelector("#plain") || document.querySelector(".methods") || document.body).textContent, [...document.querySelectorAll(".list, .differences")].map((e) => e.textContent).join("\\n")]
"""


def refused(text):
    """What HTML does not allow becomes U+FFFD in the report, or in the method's text."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\ufffd\s]+", "", text)


def hostile_page(rng, kind):
    as_text = kind.replace("&", "&amp;").replace("<", "&lt;")
    quoted = kind.replace("&", "&amp;").replace('"', "&quot;")
    prose = "The keeper of the old lighthouse told the visitors that the lamp was lit on every evening of the year, and that it never failed."
    places = [
        f"<p>{prose} {as_text} {prose}</p>", f"<p>{prose} {kind} {prose}</p>", f"<p class=\"{quoted}\" id=\"{quoted}\" title=\"{quoted}\">{prose}</p>",
        f"<h1>{as_text}</h1>", f"<h2>{as_text} and more</h2>", f"<pre><code>{as_text}\n  {as_text}</code></pre>", f"<p><a href=\"{quoted}\">{as_text}</a> {prose}</p>",
        f"<ul><li>{as_text}</li><li>{prose}</li></ul>", f"<table><tr><td>{as_text}<td>1</table>", f"<p><img alt=\"{quoted}\" src=\"{quoted}\"> {prose}</p>",
        f"<nav><a href='/'>{as_text}</a></nav>", f"<footer>{as_text}</footer>", f"<blockquote>{as_text} {prose}</blockquote>",
    ]
    rng.shuffle(places)
    middle = "\n".join(places)
    return f"<!doctype html><html lang=\"{quoted}\"><head><title>{as_text}</title><meta name=description content=\"{quoted}\"><link rel=canonical href=\"https://one.example/{quoted}\"></head><body><p>{as_text} {prose}</p>\n{middle}</body></html>"


def varied(rng, kind):
    """Another case, white space or repetition, by chance."""
    way = rng.randrange(6)
    if way == 1:
        kind = re.sub(r"</?[a-z]+", lambda m: "".join(rng.choice((c.upper(), c)) for c in m.group()), kind)
    elif way == 2:
        kind = re.sub(r" (?=on|src)", rng.choice(("/", "\t", "\n")), kind)
    elif way == 3:
        kind += rng.choice(KINDS)
    elif way == 4:
        kind = rng.choice(("\"", "'", ">", "-->", "\\", "]]>", "*/", "\n")) + kind
    elif way == 5:
        kind = kind + "\u0627\u0644\u0639\u0631\u0628\u064a\u0629"
    return kind


# The census of each page of a report, one after the other, as a reader would choose them. What is beside the pages is told once.
WALK = """
    const ALLOWED = arguments[0], select = document.querySelector(".chooser select"), all = [];
    for (const option of select ? select.options : [null]) {
        if (option) {
            select.value = option.value;
            select.dispatchEvent(new Event("change"));
        }
        const one = (() => { %s })();
        all.push(all.length ? [...one.slice(0, 4), "", one[5]] : one);
    }
    return all
""".replace("%s", CENSUS.replace("arguments[0]", "ALLOWED"))


def harmless(b, report, scripts, *where):
    """
    Opens it with or without scripts: no foreign element or request, no complaint. The text of the table, and for each page of the
    report that of its blocks, or of all that is shown.
    """
    b.scripts(scripts)
    b.open(report, "#open=all")
    b.scripts(True)
    where = (*where, "with scripts" if scripts else "without")
    shown = b.run(WALK if scripts else f"return [(() => {{ {CENSUS} }})()]", sorted(ALLOWED))
    for page, (bad, n_scripts, styles, good, text, blocks) in enumerate(shown):
        expect(not bad, *where, page, "elements or attributes of the page:", bad)
        expect(n_scripts == 2 and styles == 1 and good, *where, page, n_scripts, styles, good)
    asked, complaints = b.requests(), b.complaints()
    expect(len(asked) == 1 and asked[0].startswith("file://"), *where, "requests", asked)
    expect(not complaints, *where, complaints)
    expect(b.run("return window.hacked === undefined"), *where, "a script has run")
    return shown[0][4], [blocks or text for _, _, _, _, text, blocks in shown]


def kind_of(rng, i):
    return KINDS[i] if i < len(KINDS) else varied(rng, rng.choice(KINDS))


def hostile(dana, pages):
    """Reports of one page and of many, in turn."""
    rng, pages, done, reports = random.Random(44), int(pages), 0, 0
    with Browser() as b, tempfile.TemporaryDirectory() as folder:
        while done < pages:
            names, kind = [], kind_of(rng, done)
            for i in range(done, min(done + (59 if reports % 2 else 1), pages)):
                kind = kind_of(rng, i)
                names.append(os.path.join(folder, f"{i:05}" + re.sub(r"[\x00/]", "_", kind)[:60] + ".html"))
                with open(names[-1], "w", encoding="utf-8", newline="") as file:
                    file.write(hostile_page(rng, kind))
            methods = ("learned", "plain,learned", "danag", "mountain", "wlr,danag")[reports // 2 % 5]
            report = explain(dana, "-m", methods, "--url", "https://one.example/" + urllib.parse.quote(kind), *names)
            data = data_of(report)
            texts = [[refused(block["text"]) for m in page["methods"] for block in m["blocks"]] for page in data.get("reports", [data])]
            expect(len(texts) == len(names), done, "pages are missing")
            for scripts in (True, False):
                plain, blocks = harmless(b, report, scripts, done, repr(kind))
                expect(not scripts or len(blocks) == len(texts), done, len(blocks), "pages are shown")
                for page, wanted in enumerate(texts):
                    seen = refused(blocks[page] if scripts else plain)
                    for one in wanted:
                        expect(one in seen, done + page, repr(kind), scripts, "the report lacks", repr(one))
            for name in names:
                os.unlink(name)
            done += len(names)
            reports += 1
    print(f"{done} pages of {len(KINDS)} kinds in {reports} reports")


def hostile_archive(path, first, records, statuses=("200 OK", "200 OK", "404 No"), types=("text/html", "text/html", "image/png")):
    """Records whose hosts, addresses, titles and texts are hostile."""
    rng = random.Random(62 + first)
    with open(path, "wb") as file:
        for i in range(first, first + records):
            kind = kind_of(rng, i)
            # a field of a header is one line, and a host has no slash
            one_line = re.sub(r"[\x00-\x20\x7f]", "+", kind)
            uri = f"http://{one_line.replace('/', '_')}.example/{i}/{one_line}"
            page = hostile_page(rng, kind).encode()
            head = f"HTTP/1.1 {rng.choice(statuses)}\r\nContent-Type: {rng.choice(types)}\r\nContent-Length: {len(page)}\r\n\r\n".encode()
            file.write(record(i, head + page, url=uri.encode()))


def hostile_compare(dana, pages):
    """Comparisons of archives. The address follows each page that is chosen, which Chromium allows 200 times in ten seconds."""
    pages, shown, most = int(pages), 0, 150
    with Browser() as b:
        for first in range(0, pages, most):
            hostile_archive("hostile.warc", first, min(most, pages - first), ("200 OK",), ("text/html",))
            run(dana, "compare", "-m", "plain", "--against", "--exclude p,nav,footer", "--force", "-o", "compare.html", "hostile.warc")
            data = data_of("compare.html")["differences"]
            for scripts in (True, False):
                plain, all_shown = harmless(b, "compare.html", scripts, first)
                expect(not scripts or len(all_shown) == len(data), first, len(all_shown), "pages are shown")
                for page, d in enumerate(data):
                    if not scripts:
                        expect(refused(d["url"]) in refused(plain), first, page, "the table lacks", d["url"])
                        continue
                    seen = refused(all_shown[page])
                    expect(all(refused(row[1]) in seen for row in d["rows"] if row[0] < 3), first, page, "a line is missing")
            shown += len(data)
    expect(shown > pages * .9, "few pages differ:", shown)
    print(f"{shown} of {pages} pages differ")


def archive(dana, pages):
    """An overview of an archive whose addresses, types and charsets are hostile."""
    rng = random.Random(46)
    with open("hostile.warc", "wb") as file:
        for i in range(int(pages)):
            kind = re.sub(r"[\x00-\x20\x7f]", "+", KINDS[i % len(KINDS)])
            body = hostile_page(rng, KINDS[i % len(KINDS)])
            # what is in the head of HTTP ends with a line
            message = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=\"utf-8\"; x={kind}\r\n\r\n{body}".encode()
            file.write(record(i, message, url=f"http://h{i % 60}.example/{kind}".encode()))
    with Browser() as b:
        for method in ("learned", "danag"):
            explain(dana, "-m", method, "--archive", "hostile.warc")
            data = data_of("report.html")
            for scripts in (True, False):
                text, _ = harmless(b, "report.html", scripts)
                expect(all(p["url"] in text for p in data["pages"] if "shown" in p), "an address is missing")
            ids = b.run("return [...document.querySelectorAll('[id]')].map((e) => e.id)")
            expect(len(set(ids)) == len(ids), "an id is there twice")
        b.open("report.html")
        expect(b.run("return document.querySelectorAll('section figure').length") >= 20, "pictures")
        targets = b.run("return [...document.querySelectorAll('a')].map((a) => !!document.getElementById(a.getAttribute('href').slice(1)))")
        expect(len(targets) == 40 and all(targets), "a link leads nowhere", targets)
        expect("10 more with fewer pages are not shown" in b.run("return document.body.textContent"), "the 50 largest groups")
    print(f"{pages} pages")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
