#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random hostile pages as Markdown, read by cmark-gfm without extensions and with all of them, and as HTML, XML and TEI.

usage: markdown_attacks.py [--dana PROGRAM] [--seed N] [--count N] [--nests N] [--style KEYS] [--show N]

Each page is made of text that Markdown would read as something else, of emphasis, code, links, pictures, formulas, tables, lists and
notes, in all kinds of neighbourhood. What the reader finds must be on the page: no raw HTML, no link, picture or code beside those of
the page, and all links and code that the page has. Front matter, of a style with frontmatter=1, is YAML of strings. Besides come pages of each block in each other block, two deep: --nests N reads each
Nth of them (0: none). --style: how Markdown is written, for --markdown of dana. A bare address of the text may be a link by GFM if it is exactly that. Ends with 1
and shows the pages where something else was found.
"""
import argparse
import collections
import ctypes
import html
import json
import random
import re
import subprocess
import sys
from xml.etree import ElementTree

try:
    import yaml
except ImportError:  # front matter is still read line by line, by the rules of JSON
    yaml = None

BASE = "https://e.org/"
EXTENSIONS = ("table", "strikethrough", "autolink", "tasklist", "footnotes")
ATTRIBUTES = {"href", "src", "alt", "start", "class", "role", "charset", "name", "property", "content"}
SCHEMES = ("http", "https", "mailto", "ftp", "tel")
TEXT = """ [ ] ]( ](javascript:alert(1)) [x] [x]: [x]:\x20http://d/ [^1] [^1]: [^ ][ )( ( ) : ! ![ ![a](b) [a](b) <b <script> <img\x20src=x> <!-- -->
<?php <![CDATA[ </p> <a@b.c> <http://l/> < > <3 ` `` ``` ~ ~~ ~~~ * ** *** _ __ \\ \\\\ \\` \\[ \\] \\( \\) $ $$ $a$ \\begin{x} \\end{x}
& &lt; &#96; &copy &amp; | || |- --- === - + # ## > 1. 2) = ^ ^1 a b c1 word word word \xe9 \u6f22 \u3002 \u200b http://x/ http://x/a_b_
https://y.net/(c) HTTP://z/ ftp://f/ www.w.org www.w.org/* http://user@h/ ://h p://q a@b.c m.n@o.org mailto:a@b.c xmpp:a@b.c javascript:alert(1)
[ ]\x20 "t" 't' (t) {} { } , . ; / ? % %60 http:// www. ''""".replace("\n", " ").split(" ")
TEXT = [t.replace("\x20", " ") for t in TEXT if t] + [" "] * 30 + ["\n", "\u00a0", "&lt;script>", "<script src=//x>", "[x] ", "[ ] "]
ADDRESS = ["http://x/", "https://y.net/a", "HTTP://Z/", "mailto:a@b.c", "mailto:script", "mailto:a", "ftp://f/g", "tel:+1", "r", "r/s", "/t", "?q=",
           "#f", "//h/i", "javascript:alert(1)", "JavaScript:alert(1)", "https:javascript:alert(1)", "http:/javascript:x", "//javascript:x", "https:x", "http://[x", "http://u:p@h:8/",
           "http://[::1]:8/", "http://h:99999/", "data:text/html,<script>", "vbscript:x", "about:blank", "blob:x",
           "file:///etc", "x-y:z", "view-source:http://x/", "", "java script:x", "jav%61script:x"]
IN_ADDRESS = ["(", ")", "<", ">", " ", "\\", "`", "&lt;", "&amp;", "*", "_", "[", "]", "](x)", "\"", "'", "|", "\t", "\n", "\x01", ";", "&", "$", "~", "x",
              "\x7f", "\u6f22"]


def collapse(text):
    """White space as dana and browsers see it, and no control characters."""
    text = re.sub(r"[\t\n\v\f\r \xa0]+", " ", text)
    return re.sub(r"[\x00-\x1f\x7f]", "", text).strip(" ")


def clean(address):
    """The address of a link in Markdown; None if it is none that is written. Addresses of the generator have no dots."""
    address = re.sub(r"[\t\n\r]", "", address.strip("".join(map(chr, range(33)))))
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
    return address, scheme.group(1).lower() if scheme else None


def is_whole(address):
    """Whether browsers find a host in it, where its scheme has one, and a port that is one."""
    found = re.match(r"(?i)(?:(?:https?|ftp):(?://[/\\\\]*)?|//[/\\\\]*)([^/\\\\?#]*)", address)
    if not found:
        return True
    host = re.fullmatch(r"(?:.*@)?(\[[^][<>^|\x00-\x20\x7f]+\]|[^][<>^|:\x00-\x20\x7f]*[^][<>^|:.\x00-\x20\x7f]\.*)(?::(\d*))?", found[1], re.S)
    return "//" in found[0][:found.start(1)] and found[1][:1] > " " and host is not None and int(host[2] or 0) < 1 << 16


class Page:
    def __init__(self, rng):
        self.rng = rng
        self.pieces = []  # text, and whether it is that of a picture
        self.links, self.codes, self.pictures, self.sure_links = set(), set(), set(), set()
        self.blocks = self.notes = 0
        self.raised = collections.Counter()
        self.heading = False
        self.base = rng.choice([None] * 12 + ["javascript:alert(1)//", "data:text/html,", "java\tscript:x/", "foo:bar/", "https://b.org/d/", "ftp://b.org/", "mailto:a@b.c", "https:javascript:alert(1)"])
        self.math = rng.random() < .3
        head = "<script src='https://cdn.x/MathJax.js'></script>" if self.math else ""
        if self.base is not None:
            head += "<base href='%s'>" % self.reference(self.base)
        self.source = head + "".join(self.block() for _ in range(rng.randint(1, 4))) + self.note_section()
        facts = ["<title>%s</title>" % self.escaped()] + ["<meta name=%s content='%s'>" % (name, self.reference(self.words()))
                                                          for name in ("author", "description", "keywords")]
        self.source = "".join(fact for fact in facts if rng.random() < .5) + self.source

    def absolute(self, value):
        address, scheme = clean(value)
        if not address or address.startswith("#") or not is_whole(address):
            return None
        if scheme is None:
            base, base_scheme = clean(self.base) if self.base is not None else (BASE, "https")
            if base_scheme in ("javascript", "data") or not is_whole(base):
                base, base_scheme = BASE, "https"
            if base_scheme not in ("http", "https", "ftp"):
                return None
            root = re.match(r"[a-z]+://[^/]*", base).group()
            if address.startswith("//"):
                address = base_scheme + ":" + address
            elif address.startswith("/"):
                address = root + address
            elif address.startswith("?"):
                address = base + address
            else:
                address = base[:base.rindex("/") + 1] + address
        elif scheme not in SCHEMES:
            return None
        return re.sub("[\x00-\x20<>\\\\`\x7f]", lambda c: "%%%02X" % ord(c.group()), address)

    def reference(self, text):
        """Source of an attribute's value: some characters as references, those that must be in any case."""
        out = ""
        for c in text:
            if c in "&<>'\"" or ord(c) < 32 or self.rng.random() < .05:
                out += self.rng.choice(["&#%d;" % ord(c), "&#x%x;" % ord(c)])
            else:
                out += c
        return out

    def words(self, most=6):
        text = "".join(self.rng.choice(TEXT) for _ in range(self.rng.randint(1, most)))
        self.add(text)
        return text

    def add(self, text):
        self.pieces.append((text, False))

    def escaped(self, most=6):
        return html.escape(self.words(most), False)

    def address(self):
        rng = self.rng
        address = rng.choice(ADDRESS)
        for _ in range(rng.choice([0, 0, 1, 2, 5])):
            at = rng.choice([0, len(address), rng.randint(0, len(address))])
            address = address[:at] + rng.choice(IN_ADDRESS) + address[at:]
        return "(" * 40 + address if rng.random() < .005 else address

    def code(self, where):
        text = "".join(self.rng.choice(TEXT) for _ in range(self.rng.randint(1, 4)))
        self.add(text)
        self.codes |= {collapse(text)} - {""}
        return "<%s>%s</%s>" % (where, html.escape(text, False), where)

    def link(self, depth):
        rng = self.rng
        address = self.address()
        if rng.random() < .15 and not self.heading:
            inner = address if rng.random() < .7 else address.split(":", 1)[-1]
            self.add(inner)
            sure, inner = bool(re.search("[A-Za-z]", inner)), html.escape(inner, False)
        else:
            inner = self.inline(depth + 1, True)
            sure = self.heading or rng.random() < .5  # links without letters vanish in headings
            if sure:
                inner += "word"
                self.add("word")
        found = self.absolute(address)
        if found is not None:
            self.links.add(found)
            if sure:
                self.sure_links.add(found)
        return "<a href='%s'>%s</a>" % (self.reference(address), inner)

    def picture(self):
        address, alt = self.address(), "".join(self.rng.choice(TEXT) for _ in range(self.rng.randint(1, 4)))
        found = self.absolute(address)
        if found is not None:
            self.pictures.add(found)
        source = self.reference(address)
        if source.strip(" \t\n") and not source.strip(" \t\n").lower().startswith("data:"):  # else it is a stand-in
            self.pieces.append((alt, True))
        return "<img src='%s' alt='%s'>" % (source, self.reference(alt))

    def formula(self):
        tex = self.words(5)
        if not collapse(tex):
            self.add("x")
        display = " display=block" if self.rng.random() < .5 else ""
        return "<math%s alttext='%s'><mi>x</mi></math>" % (display, self.reference(tex))

    def inline(self, depth=0, in_link=False):
        rng, out = self.rng, ""
        for _ in range(rng.randint(1, 5)):
            kind = rng.random()
            if kind < .5 or depth > 3:
                out += self.escaped()
            elif kind < .65:
                tag = rng.choice(["b", "i", "em", "strong", "del", "s", "u", "span"])
                out += "<%s>%s</%s>" % (tag, self.inline(depth + 1, in_link), tag)
            elif kind < .75:
                out += self.code(rng.choice(["code", "tt", "samp"]))
            elif kind < .87 and not in_link:
                out += self.link(depth)
            elif kind < .9:
                out += self.picture()
            elif kind < .94:
                out += self.formula()
            elif kind < .955:
                tag, text = rng.choice(["sup", "sub"]), self.words(3)
                self.raised[tag] += 1
                text = html.escape(text, False)
                out += "<%s>%s</%s>" % (tag, "<b>%s</b>" % text if rng.random() < .2 else text, tag)
            elif kind < .975 and not in_link:
                self.notes = 1
                out += "<sup><a href='#fn1' class='footnote-ref'>1</a></sup>"
            elif not (self.heading and in_link):
                out += "<br>"
                self.add(" ")
        return out

    def note_section(self):
        if not self.notes:
            return ""
        return "<section class=footnotes><ol><li id=fn1>%s</li></ol></section>" % self.inline()

    def block(self):
        rng = self.rng
        self.add("\n")
        kind = rng.random()
        if kind < .5:
            return "<p>%s</p>" % self.inline()
        if kind < .6:
            return "<ul>" + "".join("<li>%s</li>" % self.inline() for _ in range(rng.randint(1, 3))) + "</ul>"
        if kind < .66:
            self.heading = True
            source = "<h2>%s word</h2>" % self.inline()
            self.heading = False
            return source
        if kind < .76:
            rows = ["".join("<td>%s</td>" % self.inline() for _ in range(2)) for _ in range(rng.randint(2, 3))]
            return "<table><tr>" + "<tr>".join(rows) + "</table>"
        if kind < .84:
            return "<blockquote>%s</blockquote>" % self.inline()
        if kind < .9:
            return "<dl><dt>%s<dd>%s</dl>" % (self.inline(), self.inline())
        if kind < .95:
            self.blocks += 1
            return "<pre>%s\n%s</pre>" % (self.escaped(), self.escaped())
        return "<div>%s<p>%s</div>" % (self.inline(), self.inline())


# Blocks that hold blocks, at the hole. A word is before and after it where a term or a row would miss it.
AROUND = {
    "dd": "<dl><dt>Term<dd>%s</dl>",
    "second dd": "<dl><dt>Term<dd>meaning<dd>%s<dd>meaning</dl>",
    "dd alone": "<dl><dd>%s</dl>",
    "dt": "<dl><dt>%s<dd>meaning</dl>",
    "li": "<ul><li>%s<li>item</ul>",
    "second li": "<ol start=98><li>item<li>item<li>%s</ol>",
    "numbered li": "<ol start=-1><li>item<li>%s<li>item</ol>",
    "li below 0": "<ol start=-1><li>%s<li>item<li>item</ol>",
    "task": "<ul><li><input type=checkbox disabled>%s<li><input type=checkbox disabled checked>item</ul>",
    "td": "<table><tr><td>%s<td>cell<tr><td>cell<td>cell</table>",
    "last td": "<table><tr><th>head<th>head<tr><td>cell<td>%s</table>",
    "th": "<table><tr><th>%s<th>head<tr><td>cell<td>cell</table>",
    "layout": "<table role=presentation><tr><td>%s<td>cell</table>",
    "caption": "<table><caption>%s</caption><tr><td>cell<td>cell<tr><td>cell<td>cell</table>",
    "blockquote": "<blockquote>%s</blockquote>",
    "figure": "<figure>%s<figcaption>words</figcaption></figure>",
    "figcaption": "<figure><img src=p.png alt=word><figcaption>%s</figcaption></figure>",
    "details": "<details open><summary>words</summary>%s</details>",
    "summary": "<details open><summary>%s</summary>words</details>",
    "heading": "<h3>%s</h3>",
    "div": "<div>%s</div>",
    "p": "<p>%s</p>",
    "a": "<a href='https://e.org/link'>%s</a>",
    "b": "<b>%s</b>",
    "note": "<p>words<sup><a href='#fn1' class='footnote-ref'>1</a></sup></p><section class=footnotes><ol><li id=fn1>%s</li></ol></section>",
}
CODE = ["<script>alert(1)</script>", "```\n<img src=x onerror=alert(1)>\n```", "    [a](javascript:alert(1))\n\n<b>\n\n    <i>", "~~~\n# <b>", "> <b>\n- <b>",
        "  ````\n</code></pre><script>", "[a]: javascript:alert(1)\n\n[^1]: <b>"]
WORDS = ["<script>alert(1)</script>", "<b onclick=x>", "```", "~~~", "    <b>", "[a](javascript:alert(1))", "![a](//x)", "# word", "- word", "1. word", "> <b>",
         "***", "---", "===", "| a | <b> |", "| --- | --- |", "[a]: javascript:x", "[^1]: word", "<!--", "-->", ": word", "<https://x/>", "`<b>`", "$$", "</p>"]
LINES = ["<br>", "<br><br>", "<hr>", "<p>", "<div>", "</div>"]


class Nest:
    """A page of one thing in a block in a block: first in each, in the middle or last."""

    def __init__(self, number):
        rng = random.Random(number)
        kinds = list(AROUND)
        number, inner = divmod(number, len(kinds))
        number, outer = divmod(number, len(kinds))
        number, inside = divmod(number, 3)
        number, outside = divmod(number, 3)
        kind = number % len(self.THINGS)
        self.pieces, self.links, self.codes, self.pictures, self.sure_links = [], {"https://e.org/link"}, set(), {"https://e.org/p.png"}, set()
        self.notes, self.raised, self.code = "note" in (kinds[inner], kinds[outer]), collections.Counter(), []
        source = self.place(kinds[inner], self.THINGS[kind](self, rng), inside, rng)
        self.source = "<p>Words before.</p>%s<p>Words after.</p>" % self.place(kinds[outer], source, outside, rng)
        self.pieces.append((html.unescape(re.sub("<[^>]*>", "", self.source)), False))
        self.blocks = len(self.code)

    def place(self, around, inside, position, rng):
        beside = rng.choice(["<p>beside</p>", "beside<br>", "<p>beside</p><p>beside</p>"])
        return AROUND[around] % ["%s" + beside, beside + "%s" + beside, beside + "%s"][position] % inside

    def words(self, rng):
        return html.escape(rng.choice(WORDS) + rng.choice(["", " word", rng.choice(WORDS)]), False)

    def paragraph(self, rng):
        return "<p>%s</p>" % self.words(rng)

    def lines(self, rng):
        return rng.choice(LINES).join(self.words(rng) for _ in range(3))

    def pre(self, rng):
        text = rng.choice(CODE)
        self.code.append(text)
        return "<pre>\n%s</pre>" % html.escape(text, False)

    def two(self, rng):
        return self.pre(rng) + self.words(rng) + rng.choice(LINES) + self.pre(rng)

    def rule(self, rng):
        return "<hr>" + self.words(rng) + "<hr>"

    def listed(self, rng):
        return rng.choice(["<ul><li>%s<li>%s</ul>", "<ol><li>%s<li>%s</ol>", "<dl><dt>%s<dd>%s</dl>", "<dl><dt>word<dd>%s<dt>word<dd>%s</dl>"]) % (
            rng.choice([self.words, self.pre])(rng), rng.choice([self.words, self.pre])(rng))

    def heading(self, rng):
        return "<h2>%s</h2>%s" % (self.words(rng), self.words(rng))

    def table(self, rng):
        return "<table><tr><td>%s<td>%s<tr><td>%s<td>%s</table>" % tuple(self.words(rng) for _ in range(4))

    def formula(self, rng):
        return "<math display=block alttext='%s'><mi>x</mi></math>" % self.words(rng).replace("'", "&#39;")

    def quote(self, rng):
        return "<blockquote>%s<p>%s</blockquote>" % (self.words(rng), self.words(rng))

    THINGS = (paragraph, lines, pre, two, rule, listed, heading, table, formula, quote)
    COUNT = len(AROUND) ** 2 * 9 * len(THINGS)


class Reader:
    """cmark-gfm's library, which reads each page as a document of its own."""

    def __init__(self):
        program = subprocess.run(["sh", "-c", "ldd \"$(command -v cmark-gfm)\""], capture_output=True, text=True, check=True).stdout
        paths = re.findall(r"=> (\S*libcmark-gfm\S*)", program)
        core = [p for p in paths if "extensions" not in p]
        more = [p for p in paths if "extensions" in p]
        self.core = ctypes.CDLL(core[0], ctypes.RTLD_GLOBAL)
        ctypes.CDLL(more[0]).cmark_gfm_core_extensions_ensure_registered()
        c = self.core
        c.cmark_parser_new.restype = c.cmark_find_syntax_extension.restype = c.cmark_parser_finish.restype = ctypes.c_void_p
        c.cmark_render_xml.restype = ctypes.c_void_p
        c.cmark_parser_feed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        c.cmark_parser_attach_syntax_extension.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        c.cmark_render_xml.argtypes = [ctypes.c_void_p, ctypes.c_int]
        for free in (c.cmark_node_free, c.cmark_parser_free, c.cmark_parser_finish):
            free.argtypes = [ctypes.c_void_p]
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def read(self, markdown, extensions):
        c, data = self.core, markdown.encode()
        parser = c.cmark_parser_new(1 << 17 | (1 << 13 if "footnotes" in extensions else 0))
        for name in extensions:
            extension = c.cmark_find_syntax_extension(name.encode())
            if extension:
                c.cmark_parser_attach_syntax_extension(parser, extension)
        c.cmark_parser_feed(parser, data, len(data))
        root = c.cmark_parser_finish(parser)
        text = c.cmark_render_xml(root, 1 << 17)
        xml = ctypes.string_at(text).decode()
        self.free(text)
        c.cmark_node_free(root)
        c.cmark_parser_free(parser)
        return xml


def is_bare(address, texts):
    """Whether GFM made the link of an address that stands in the text."""
    return any(address.startswith(p) and address[len(p):] in t for p in ("", "http://", "mailto:") for t in texts)


def without_blanks(text):
    return re.sub(r"[\x00- \x7f\xa0]", "", text)


def differences(page, xml, extended):
    found = []
    raw = [html.unescape(t) for _, t in re.findall(r"<(html_inline|html_block) [^>]*>([^<]*)<", xml)]
    tags = collections.Counter(t for t in raw if re.fullmatch("</?su[bp]>", t))
    found += ["raw HTML: " + t for t in raw if t.strip() != "<!-- -->" and t not in tags]
    found += ["tags of " + tag for tag in ("sup", "sub")
              if tags["<%s>" % tag] != tags["</%s>" % tag] or tags["<%s>" % tag] > page.raised[tag]]
    texts = [without_blanks("".join(t for t, alt in page.pieces if all_of_it or not alt)) for all_of_it in (True, False)]
    links = [html.unescape(a) for a in re.findall(r"<link destination=\"([^\"]*)\"", xml)]
    for a in links:
        if a not in page.links and not (extended and is_bare(a, texts)):
            found.append("link: " + a)
    pictures = [html.unescape(a) for a in re.findall(r"<image destination=\"([^\"]*)\"", xml)]
    found += ["picture: " + a for a in pictures if a not in page.pictures]
    codes = [html.unescape(t) for t in re.findall(r"<code [^>]*>([^<]*)<", xml)]
    # without tables their bars keep the backslash
    codes = [t if extended or t in page.codes else t.replace("\\|", "|") for t in codes]
    found += ["code: " + t for t in codes if t not in page.codes]
    if page.notes and not extended:  # without footnotes their later paragraphs are code
        return found
    if len(re.findall("<code_block ", xml)) > page.blocks:
        found.append("block of code")
    if isinstance(page, Nest):
        blocks = [html.unescape(t) for t in re.findall("<code_block [^>]*>([^<]*)<", xml)]
        found += ["lost block: " + t for t in page.code if t + "\n" not in blocks]
    found += ["lost link: " + a for a in page.sure_links if a not in links]
    found += ["lost code: " + t for t in page.codes if t not in codes]
    return found


def faults_of_front(markdown, xml):
    """What is wrong with front matter: for readers of YAML, and for readers of Markdown that do not know it."""
    if not markdown:
        return []
    front = re.match(r"---\n((?:[a-z]+: .*\n)+)---\n\n", markdown)
    if not front:
        return ["no front matter"]
    try:
        facts = {line.split(": ", 1)[0]: json.loads(line.split(": ", 1)[1]) for line in front[1].splitlines()}
        if yaml and yaml.safe_load(front[1]) != facts:
            return ["front matter: YAML is not as JSON"]
    except (ValueError, *([yaml.YAMLError] if yaml else [])) as error:
        return ["front matter: %s" % error]
    if not all(isinstance(v, list if k == "tags" else str) for k, v in facts.items()):
        return ["front matter: not strings"]
    kinds = "html_inline", "html_block", "image", "code", "code_block"
    return ["front matter: " + kind for kind in kinds if "<" + kind + " " in xml]


def faults_of_elements(dana, pages):
    """The pages that are not well-formed as HTML, XML or TEI, or that have an address or an attribute that they must not have."""
    faults = []
    lines = "".join(json.dumps({"html": p.source, "url": BASE}) + "\n" for p in pages)
    for name in "html", "xml", "tei":
        asked = ["--text", "markdown", "--markdown", "images=1,format=" + name]
        run = subprocess.run([dana, "extract", "--jsonl", "-m", "plain", *asked], input=lines, capture_output=True, text=True, check=False)
        results = run.stdout.splitlines()
        if len(results) != len(pages):
            sys.exit("%d of %d lines as %s, status %d: %s" % (len(results), len(pages), name, run.returncode, run.stderr))
        for page, line in zip(pages, results):
            made = json.loads(line)["markdown"]
            try:
                root = ElementTree.fromstring(made.replace("<!DOCTYPE html>", "", 1))
            except ElementTree.ParseError as error:
                faults.append("%s: %s\n%s\n%s" % (name, error, page.source, made))
                continue
            for element in root.iter():
                for key in "href", "src":
                    if not re.match("(?i)https?://|mailto:", element.get(key, "http://")) or not is_whole(element.get(key, "")):
                        faults.append("%s: %s\n%s" % (name, element.get(key), page.source))
                if name == "html" and (element.tag in ("script", "style") or not set(element.keys()) <= ATTRIBUTES):
                    faults.append("%s: %s %s\n%s" % (name, element.tag, element.keys(), page.source))
    return faults


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--dana", default="src/cli/dana")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=2000)
    arguments.add_argument("--nests", type=int, default=0)
    arguments.add_argument("--style", default="images=1")
    arguments.add_argument("--show", type=int, default=10)
    options = arguments.parse_args()
    reader, bad, kinds = Reader(), 0, collections.Counter()
    numbers = [(Page, random.Random((options.seed << 32) + n)) for n in range(options.count)]
    if options.nests:
        numbers += [(Nest, n) for n in range(options.seed % options.nests, Nest.COUNT, options.nests)]
    for first in range(0, len(numbers), 2000):
        pages = [kind(argument) for kind, argument in numbers[first : first + 2000]]
        lines = "".join(json.dumps({"html": p.source, "url": BASE}) + "\n" for p in pages)
        run = subprocess.run([options.dana, "extract", "--jsonl", "-m", "plain", "--text", "markdown", "--markdown", options.style],
                             input=lines, capture_output=True, text=True, check=False)
        results = run.stdout.splitlines()
        if len(results) != len(pages):
            sys.exit("%d of %d lines, status %d: %s" % (len(results), len(pages), run.returncode, run.stderr))
        for n, (page, line) in enumerate(zip(pages, results), first):
            markdown = json.loads(line)["markdown"] or ""
            text = re.sub(r"\A---\n.*?\n---\n\n", "", markdown, flags=re.S)
            for extensions in ((), EXTENSIONS):
                found = differences(page, reader.read(text, extensions), bool(extensions))
                if "frontmatter=1" in options.style:
                    found += faults_of_front(markdown, reader.read(markdown[: len(markdown) - len(text)], extensions))
                kinds.update(f.split(":")[0] for f in found)
                bad += bool(found)
                if found and bad <= options.show:
                    print("page %d, %s\n%s\n%s\n%s\n" % (n, "extended" if extensions else "plain", page.source, markdown, found))
        faults = faults_of_elements(options.dana, pages)
        bad += len(faults)
        print("".join(fault + "\n" for fault in faults[: options.show]), end="")
    print("%d pages of seed %d: %d differ %s" % (len(numbers), options.seed, bad, dict(kinds) or ""))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
