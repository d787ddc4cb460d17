# SPDX-License-Identifier: MIT
"""The classes of what Markdown, read back, and plain text of a page may differ in, because they mean to.

Each is what the page itself shows of it: the texts of its elements, found by Python's parser, or signs. Nothing of the
program is used. Of rows of tables and blocks of code, which are kept or dropped as wholes, Markdown may have more or less
than the text: each difference must be a part of one."""
import difflib
import html.parser
import re

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
ANCHOR = set("anchor anchor-link anchorjs-link hanchor hash-link header-anchor headerlink heading-anchor heading-link "
             "headline-hash markdownit-anchor permalink toc-anchor".split())
READER = {"screen-reader-text", "sr-only", "visually-hidden", "visuallyhidden"}
NUMBERS = set("blob-num code-line-number crayon-nums gutter hljs-ln-numbers line-number line-numbers-rows "
              "line-numbers-wrapper lineno linenodiv linenos linenumber linenumbers ln lnt rouge-gutter".split())
TOOLS = set("btn-copy clipboard-copy code-block-title code-copy code-header code-lang copy copy-btn copy-code-button "
            "copybtn lang line-numbers toolbar zeroclipboard-container".split())
SHOWN = re.compile(r"MathJax|katex-html|mjx-math")
TURNS = 20  # of "ab" and "axyb" the insertion is "xy", of "abe" and "abexyze" "exyz" or "xyze"
APART = 12  # letters that are in both and part two differences
HIDDEN = "text that the page hides"  # other classes hold some of it
NOTES = "links to notes and back"
ROWS, CODE = "rows of tables", "blocks of code"
CELLS = ("td", "th", "caption")
MATHEMATICS = re.compile(r"<math|mathjax|katex|arithmatex|type=.?math/tex|<mjx-", re.I)


def class_of(tag, attrs, in_heading):
    """The class of what an element holds; None if it is text like any other."""
    words = set((attrs.get("class") or "").lower().split())
    if tag == "a" and words & ANCHOR:
        return "links of headings to themselves"
    if tag == "pre":
        return CODE
    if tag == "a" and (attrs.get("href") or "").startswith("#") and not in_heading:
        return NOTES
    if "hidden" in attrs or re.search(r"display\s*:\s*none", attrs.get("style") or "") or (tag == "span" and words & READER):
        return HIDDEN
    if words & NUMBERS:
        return "numbers of lines of code"
    if tag == "button" or words & TOOLS:
        return "labels and buttons of code"
    if SHOWN.search(attrs.get("class") or ""):
        return "formulas"
    if tag == "a" and in_heading:
        return "links of headings without a letter"
    return None


class Parts(html.parser.HTMLParser):
    """Finds the texts of each class, and which elements the page has."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.tags, self.cells = [], {}, set(), []

    def close(self):
        super().close()
        self.pop(0)

    def pop(self, depth):
        while len(self.open) > depth:
            name, kind, parts = self.open.pop()
            if name in CELLS:
                self.cells.append("".join(parts))
            if kind:
                self.texts.setdefault(kind, set()).add("".join(parts))

    def end(self, tags, within=()):
        """Ends the innermost element of these, if no element of `within` is nearer."""
        for depth in reversed(range(len(self.open))):
            if self.open[depth][0] in tags:
                self.pop(depth)
            if self.open[depth:] == [] or self.open[depth][0] in within:
                break

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        if tag == "img" and attrs.get("alt"):
            self.texts.setdefault("pictures that are characters", set()).add(attrs["alt"])
        if tag in CELLS:
            self.end(CELLS, ("table",))
        if tag not in VOID and not (tag == "pre" and tag in (name for name, _, _ in self.open)):
            in_heading = any(re.fullmatch("h[1-6]", name) for name, _, _ in self.open)
            self.open.append((tag, class_of(tag, attrs, in_heading), []))

    def handle_endtag(self, tag):
        self.end((tag,))

    def handle_data(self, data):
        for _, _, parts in self.open:
            parts.append(data)


def without(pattern):
    return lambda text: re.sub(pattern, "", text)


def parts_of(source):
    parts = Parts()
    parts.feed(source)
    parts.close()
    return parts


def of_page(parts, source, letters):
    """Yields names of classes that the page has, and what takes their letters out of a text."""
    done = [letters]
    for name in sorted(set(parts.texts) - {CODE}, key=lambda name: (name != HIDDEN, name)):
        texts = set(parts.texts[name])
        for leave_out in done:  # what is left of them
            texts = {leave_out(text) for text in texts} - {""}
        if name == "links of headings without a letter":
            texts = {text for text in texts if not re.search(r"\w", text)}
        if texts:
            done.append(without("|".join(map(re.escape, sorted(texts, key=len, reverse=True)))))
            yield name, done[-1]
    if MATHEMATICS.search(source):
        yield "signs of formulas", without(r"\\[()\[\]]|[$*_]|\\(?=[!-/:-@\[-`{-~])")
    if "dd" in parts.tags:
        yield "signs of definitions", without(":")
    if NOTES in parts.texts:
        yield "signs of notes", without(r"\[\^[\w-]*\]:?|\[\]")


def without_notes(markdown):
    """Markdown whose notes are paragraphs: cmark-gfm would read what is indented in them as code."""
    return re.sub(r"(?m)^ {4}", "", markdown) if re.search(r"(?m)^\[\^[\w-]+\]: ", markdown) else markdown


def made_of(cells, piece):
    """Whether a piece is the texts of some cells in their order, but for the beginning of the first and the end of the last."""
    for first, cell in enumerate(cells):
        for at in range(len(cell)):
            if not (piece.startswith(cell[at:]) or cell[at:].startswith(piece)):
                continue
            rest = piece[len(cell) - at:]
            for other in cells[first + 1:]:
                if other.startswith(rest):
                    return True
                rest = rest[len(other):] if rest.startswith(other) else rest
            if not rest:
                return True
    return False


def wholes(parts, reduce, got, want):
    """The names of the classes of wholes of which all differences are parts; nothing if one is of none.

    `reduce`: what was done to both texts."""
    start = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), 0)
    end = next((i for i, (a, b) in enumerate(zip(got[:start:-1], want[:start:-1])) if a != b), 0)
    got, want = got[start:len(got) - end], want[start:len(want) - end]
    found, pieces = set(), [["", ""]]  # what text and Markdown have up to the next long part of both
    for kind, a, b, c, d in difflib.SequenceMatcher(None, want, got, autojunk=False).get_opcodes():
        if kind == "equal" and b - a >= APART:
            pieces.append(["", ""])
        elif kind != "equal" or pieces[-1] != ["", ""]:
            pieces[-1][0] += want[a:b]
            pieces[-1][1] += got[c:d]
    code, cells = ([reduce(text) for text in texts] for texts in (parts.texts.get(CODE, ()), parts.cells))
    for piece in (piece for text, markdown in pieces for piece in (text, markdown) if text != markdown and piece):
        if any(piece in text for text in code):
            found.add(CODE)
        elif any(made_of(cells, piece[at:] + piece[:at]) for at in range(min(len(piece), TURNS))):
            found.add(ROWS)
        else:
            return []
    return sorted(found)
