#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_run_report.py DANA [RECORDS]: what a browser makes of the report of a run over hostile titles, hosts and texts."""
import subprocess
import sys

from browser import Browser
from check_report import expect, hostile_archive

ALLOWED = """html head meta title style body main h1 h2 h3 bdi p dl div dt dd section ul li svg rect path text details summary strong code pre
    nav a table caption thead tbody tr th td span""".split()

CENSUS = """
    const bad = [];
    for (const e of document.querySelectorAll("*")) {
        if (!arguments[0].includes(e.localName))
            bad.push(e.localName);
        for (const { name, value } of e.attributes)
            if (/^on|^(src|srcset|action|formaction|srcdoc|data|ping|poster|background|style|http-equiv)$/.test(name) && !(name === "http-equiv" && e.closest("head"))
                || (name === "href" && !/^#[a-z_:-]+$/.test(value)))
                bad.push(`${e.localName} ${name}=${value}`);
    }
    return [bad, document.scripts.length, document.styleSheets.length, window.hacked === undefined, document.body.textContent]
"""

# What people reach or hear needs a name; cells and rows have what is in them.
NAMED = "link button heading image img table region navigation DisclosureTriangle summary".split()


def names(b):
    """The names of what the accessibility tree has of NAMED."""
    found = []
    for node in b.tell("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if role in NAMED and not node.get("ignored"):
            found.append((role, node.get("name", {}).get("value", "")))
    return found


def look(b, page):
    for scheme in ("light", "dark"):
        for width in (1400, 420):
            b.prefer(scheme)
            b.size(width, 1000)
            b.open(page)
            where = (scheme, width)
            wide = b.run("return [document.documentElement.scrollWidth, innerWidth]")
            expect(wide[0] <= wide[1], *where, "is wider than the window:", wide)
            colours = b.run("const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]")
            expect(colours == (["rgb(27, 31, 36)", "rgb(255, 255, 255)"] if scheme == "light" else ["rgb(230, 233, 237)", "rgb(21, 24, 28)"]), *where, colours)
            shown = b.run("return document.querySelector('.flow svg').checkVisibility()")
            expect(shown == (width == 1400), *where, "the flow is shown:", shown)
            nameless = [role for role, name in names(b) if not name.strip()]
            expect(not nameless, *where, "without a name:", nameless)
    expect(len(names(b)) > 50, "the accessibility tree is nearly empty")


def by_keys(b, page):
    """Every link and every fold is reached by Tab alone, in the order of the page, and seen to be."""
    b.prefer("light")
    b.size(1400, 1000)
    b.open(page)
    wanted = b.run("return [...document.querySelectorAll('a, summary')].filter((e) => e.checkVisibility()).map((e) => e.textContent)")
    got = []
    for _ in wanted:
        b.keys("\ue004")
        text, outline = b.run("const e = document.activeElement; return [e.textContent, getComputedStyle(e).outlineWidth]")
        got.append(text)
        expect(outline == "3px", "the focus is not seen:", text, outline)
    expect(got == wanted and len(got) > 10, got, wanted)
    opened = b.run("return document.querySelectorAll('details[open]').length")
    b.keys("\ue007")
    expect(b.run("return document.querySelectorAll('details[open]').length") == opened + 1, "Enter opens nothing")
    # a link to samples unfolds them
    b.open(page)
    b.click("a[href='#skipped:status']")
    expect(b.run("return document.getElementById('skipped:status').checkVisibility()"), "the samples stay folded")


def main():
    dana, records = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    hostile_archive("hostile.warc", 0, records)
    subprocess.run([dana, "filter", "-q", "--force", "-o", "hostile.jsonl", "--report", "hostile.html", "hostile.warc"], check=True)
    with Browser() as b:
        b.open("hostile.html")
        bad, scripts, styles, good, text = b.run(CENSUS, ALLOWED)
        expect(not bad, "elements or attributes of the archive:", bad)
        expect(scripts == 0 and styles == 1 and good, scripts, styles, good)
        expect("hacked=1" in text and f"{records:,} records came in" in text, "the page lacks what it is about")
        look(b, "hostile.html")
        by_keys(b, "hostile.html")
        asked, complaints = b.requests(), b.complaints()
        expect(not complaints, complaints)
        expect(set(asked) <= {url for url in asked if url.split("#")[0].endswith("/hostile.html")}, "something was asked for:", asked)
    print(f"{records} records")


main()
