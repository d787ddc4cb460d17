#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Features of method `learned`, computed again from the HTML and from the definitions in doc/LEARNED.md and src/extract/learned/*.h, with trees
and plain loops and without a line of the program. Writes pages of its own making, runs `dana features` on them, and compares byte for
byte. Usage: learned_features.py DANA FOLDER

Covered are 121 of the 137 features of the first stage: all but those that need the weights of attribute tokens (HEADING_TOKENS,
SINCE_BAD, UNTIL_BAD, PAGE_TOKENS, PAGE_TOKENS_BEST, TOKENS_RELATIVE, TOKENS_OVER_MEAN, TOKENS, TOKENS_MOST, TOKENS_LEAST, TOKENS_OWN,
TOKENS_PARENT, PREV_TOKENS, NEXT_TOKENS, TOKENS_BEFORE, TOKENS_AFTER). That is what blocks are made of (UNITS, WORDS, LINKS, ...), sums
over elements (LEVEL0 to LEVEL3), path groups (PATH_*, REPEATS), the best element (BEST_*), the heading (H1_*, AFTER_H1), neighbours
(DENSITY*, LINKS*, SINCE_*, UNTIL_*, *_BEFORE), and the page (PAGE_*, DECLARES_*, DESCRIPTION_*).

Pages are well-formed: every element that has an end tag has it. What implied ends do is tested elsewhere.
"""
import html
import json
import os
import random
import re
import subprocess
import sys

NEED_TOKENS = set("""HEADING_TOKENS SINCE_BAD UNTIL_BAD PAGE_TOKENS PAGE_TOKENS_BEST TOKENS_RELATIVE TOKENS_OVER_MEAN TOKENS
TOKENS_MOST TOKENS_LEAST TOKENS_OWN TOKENS_PARENT PREV_TOKENS NEXT_TOKENS TOKENS_BEFORE TOKENS_AFTER""".split())
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# ---- pages ----

WORDS = ("harbour lamp tower storm island keeper repair visitor evening river Äpfel größer мост остров свет 灯塔 港 서울 $5 £20 42 "
         "1999 &amp; &quot;old&quot; (sic) R&amp;D naïve über").split()
DATES = ("9:05", "12:30:00", "1.2.2012", "2012-02-01", "1/2/12", "1.2.3", "123:45", "۱۲:۳۴")
TYPES = ("Recipe", "Product", "NewsArticle", "BlogPosting", "QAPage", "ItemList", "FAQPage", "Person", "RecipeLike", "Articles",
         "ATypeThatHasAVeryLongNameIndeed")
CLASSES = ("", "", ' class="menu"', ' class="post-12 wide"', ' class="post-7"', ' class="side"', ' id="x"')


class Maker:
    """Random pages."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.depth = 0

    def words(self, least, most):
        r = self.random
        out = []
        for _ in range(r.randint(least, most)):
            word = r.choice(DATES) if r.random() < 0.03 else r.choice(WORDS)
            out.append(word + (r.choice([",", ".", "!", ";", "?", "、", "。"]) if r.random() < 0.1 else ""))
        return r.choice([" ", " ", "\n"]).join(out)

    def inline(self):
        r = self.random
        out = []
        for _ in range(r.randint(1, 4)):
            text = self.words(1, 25)
            kind = r.randrange(7)
            if kind == 0:
                text = f'<a href="/{r.randrange(99)}">{self.words(1, 6)}</a>'
            elif kind == 1:
                text = f"<b>{text}</b>"
            elif kind == 2:
                text = f"<a>{text}</a>"
            elif kind == 3:
                text += r.choice(["<br>", "<br><br>", "<img src=i>", "<!-- a comment, not text -->", "<input>"])
            elif kind == 4:
                text = f"<span{r.choice(CLASSES)}>{text}</span>"
            out.append(text)
        return r.choice([" ", "", "\n"]).join(out) + r.choice(["", ".", "! ", '."'])

    def block(self):
        r = self.random
        self.depth += 1
        try:
            kind = r.randrange(14) if self.depth < 9 else 0
            extra = r.choice(CLASSES) + (r.choice([" hidden", " aria-hidden=true", ' style="display: none"'])
                                         if r.random() < 0.03 else "")
            if kind < 4:
                return f"<p{extra}>{self.inline()}</p>"
            if kind == 4:
                level = r.randint(1, 4)
                return f"<h{level}{extra}>{self.words(1, 8)}</h{level}>"
            if kind == 5:
                items = "".join(f'<li{extra}><a href="/{k}">{self.words(1, 3)}</a></li>' for k in range(r.randint(1, 6)))
                return f"<ul>{items}</ul>"
            if kind == 6:
                return r.choice(["<hr>", "<textarea></textarea>", "<button>Send</button>", "<p>&nbsp;</p>", "<p></p>",
                                 "<p>Same text as ever</p>", "<p>Storm over the harbour</p>"])
            name = r.choice(["div", "div", "div", "article", "main", "footer", "section", "blockquote"])
            inside = "".join(r.choice(["", "\n", self.words(1, 4)]) + self.block() for _ in range(r.randint(0, 5)))
            return f"<{name}{extra}>{inside}</{name}>"
        finally:
            self.depth -= 1

    def page(self):
        r = self.random
        head = r.choice(["", "<title>Storm over the harbour &amp; lamp</title>", "<title>港 of 灯塔</title>"])
        head += r.choice(["", '<meta property="og:type" content="article">', '<meta property="og:type" content="website">',
                          '<meta property="og:type" content="profile">', '<meta property="og:type" content="product.item">'])
        head += r.choice(["", '<link rel="canonical" href="https://a.example/2012/07/24/a-lamp.html?x=1">',
                          '<meta property="og:url" content="/shop/lamps/">'])
        if r.random() < 0.5:
            data = {"@context": "https://schema.org", "@type": r.choice(TYPES), "name": r.choice(["a @type", "Recipe", "[x]"]),
                    "about": [{"@type": [r.choice(TYPES), "https://schema.org/" + r.choice(TYPES)]}, {"@id": "#x"}]}
            head += f'<script type="application/ld+json">{json.dumps(data, indent=r.choice([None, 1]))}</script>'
        # words that begin like no other: the program keeps hashes of 12 bits, and two runs of words may have the same
        said = " ".join("zq" + "".join(r.choices("abcdefgh", k=5)) for _ in range(r.randint(20, 30)))
        if r.random() < 0.6:
            head += f'<meta name="description" content="{said}">'
        body = [self.block() for _ in range(r.randint(1, 9))]
        if r.random() < 0.7:
            body.insert(r.randrange(len(body) + 1), f"<p>{said}</p>")
        return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{''.join(body)}</body></html>\n"


# ---- numbers as bytes ----

def log(v):
    """8 log2(1 + v), rounded down; of 1 + v the seven highest bits count."""
    x = min(v, 2**32 - 1) + 1
    low = max(x.bit_length() - 7, 0)
    return min((((x >> low) ** 8).bit_length() - 1) + 8 * low, 255)


def share(a, b):
    return (255 if b else 0) if a >= b else 255 * a // b


# ---- the page ----

DECLARED = {"RECIPE": {"Recipe"}, "PRODUCT": {"Product"}, "ARTICLE": {"NewsArticle", "BlogPosting"}, "FORUM": {"QAPage"},
            "LIST": {"ItemList"}, "SERVICE": {"FAQPage"}}

BREAKING = set("""p div li h1 h2 h3 h4 blockquote button section article main footer ul body html head hr br title
textarea""".split())
STACKED = (BREAKING - {"hr", "br", "title", "textarea"}) | {"span"}
WIDE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
STOPS, COMMAS, CLOSERS = set(".!?。！？؟۔।…"), set(",;，、،؛；"), set("\"')]”」’）»")
DATE = re.compile(r"(?<!D)(?:D{1,2}:D{2}(?!D)|D{1,4}([./-])D{1,2}\1D{2,4}(?!D))".replace("D", "[0-9٠-٩۰-۹]"))
TOKEN = re.compile(rb"<!--.*?-->|<![^>]*>|<(/?)([a-z][a-z0-9]*)([^>]*)>", re.S)
ATTRIBUTE = re.compile(r'([a-z:-]+)(?:=(?:"([^"]*)"|([^\s>]+)))?')
WORD = re.compile(rb"[\xe3-\xed].{0,2}|[0-9A-Za-z\x80-\xe2\xee-\xff]+", re.S)


class Element:
    def __init__(self, tag, parent, attrs):
        self.tag, self.parent = tag, parent
        first = (attrs.get("class") or "").split()[:1]
        own = (tag, re.sub("[0-9]", "", first[0]) if first else None)
        self.path = parent.path + (own,) if parent else ()
        self.depth = parent.depth + 1 if parent else 0
        style = attrs.get("style") or ""
        self.hidden = bool(parent and parent.hidden or "hidden" in attrs or attrs.get("aria-hidden") == "true"
                           or style == "display: none")
        self.score = 0
        self.blocks = []  # of it and of all elements in it

    def chain(self):
        e = self
        while e:
            yield e
            e = e.parent


class Block:
    def __init__(self):
        self.raw, self.linked_raw, self.start, self.links, self.input_before = b"", [], None, 0, False
        self.pieces = []  # (bytes, in a link)


def count(block):
    units = linked = words = 0
    in_word = stopped = False
    block.stops = block.commas = block.digits = block.currency = block.exclaims = 0
    for raw, in_link in block.pieces:
        for c in html.unescape(raw.decode()):
            if c <= " " or c in "\u00a0\u200b\u3000\ufeff":
                in_word = False
                continue
            wide = bool(WIDE.match(c))
            units += 2 if wide else 1
            linked += (2 if wide else 1) if in_link else 0
            words += wide or not in_word
            in_word = not wide
            block.digits += c in "0123456789"
            block.currency += c in "$£¥€"
            block.exclaims += c == "!"
            block.stops += c in STOPS
            block.commas += c in COMMAS
            if c not in CLOSERS:
                stopped = c in STOPS
    block.units, block.linked, block.words, block.stopped = units, linked, words, stopped


class Page:
    def __init__(self, source):
        self.bytes = len(source)
        self.root = Element(None, None, {})
        self.elements, self.blocks = [self.root], []
        self.description, self.data, self.declared = [], b"", set()
        self.articles = self.images = self.textareas = self.inputs = self.kind = 0
        self.main, self.url_last, self.url_digits = False, 0, 0
        self.open, self.now, self.in_link, self.unshown = [self.root], Block(), False, None
        at = 0
        for m in TOKEN.finditer(source):
            self.text(source[at:m.start()], at)
            at = m.end()
            if m.group(2):
                attrs = {}
                for name, quoted, bare in ATTRIBUTE.findall(m.group(3).decode()):
                    attrs[name] = quoted or bare
                self.tag(m.group(2).decode(), bool(m.group(1)), attrs, m.start())
        self.text(source[at:], at)
        self.end_block(self.bytes)

    def text(self, raw, at):
        if self.unshown:
            self.data = raw
            return
        if not self.now.pieces:
            left = raw.lstrip(b" \n\t")
            at, raw = at + len(raw) - len(left), left
            if not raw:
                return
            self.now.start = at
        self.now.pieces.append((raw, self.in_link))

    def end_block(self, end):
        block = self.now
        self.now = Block()
        if not block.pieces:
            self.now.input_before = block.input_before
            return
        count(block)
        if block.units == 0:
            self.now.input_before = block.input_before
            return
        block.raw = b"".join(raw for raw, _ in block.pieces).rstrip(b" \n\t")
        block.end, block.element, block.textareas = end, self.open[-1], self.textareas
        block.tag = [e.tag for e in self.open if e.tag != "span"][-1]
        block.date = bool(DATE.search(block.raw.decode()))
        block.prose = (block.units if 10 * block.linked < 3 * block.units
                       and 200 * (block.stops + block.commas) > block.units else 0)
        block.good = block.units >= 80 and 10 * block.linked < 3 * block.units and block.stopped
        self.blocks.append(block)

    def tag(self, name, closing, attrs, at):
        if name in BREAKING:
            self.end_block(at)
        if name in ("title", "script"):
            self.unshown = None if closing else name
            if name == "script" and closing:
                self.declare(json.loads(self.data))
        elif name == "a":
            self.in_link = not closing and "href" in attrs
            self.now.links += self.in_link
        elif closing:
            if name in STACKED:
                assert self.open.pop().tag == name, "the page is not well-formed"
        else:
            self.start(name, attrs)

    def start(self, name, attrs):
        self.articles += name == "article"
        self.images += name == "img"
        self.textareas += name == "textarea"
        self.main |= name == "main"
        if name in ("input", "button"):
            self.inputs += 1
            self.now.input_before = True
        if name == "meta":
            said, content = attrs.get("name") or attrs.get("property"), attrs.get("content")
            if said == "description":
                words = self.words(html.unescape(content).encode())
                self.description = list(zip(words, words[1:], words[2:]))
            elif said == "og:type":
                self.kind = {"website": 2, "article": 3}.get(content, 4 if content.startswith("product") else 1)
            elif said == "og:url":
                self.address(content)
        elif name == "link" and attrs.get("rel") == "canonical":
            self.address(attrs["href"])
        if name in STACKED:
            self.open.append(Element(name, self.open[-1], attrs))
            self.elements.append(self.open[-1])

    def address(self, url):
        path = re.sub(r"^https?://[^/]*", "", url).split("?")[0]
        self.url_last = log(len(path.rstrip("/").split("/")[-1]))
        self.url_digits = sum(c.isdigit() for c in path)

    def declare(self, data):
        """Types anywhere in JSON-LD."""
        if isinstance(data, dict):
            types = data.get("@type", [])
            self.declared |= {t.split("/")[-1] for t in ([types] if isinstance(types, str) else types)}
            data = list(data.values())
        for part in data if isinstance(data, list) else []:
            self.declare(part)

    @staticmethod
    def words(raw):
        return [w.lower() if w[0] < 0xE3 or w[0] > 0xED else w for w in WORD.findall(raw)]


# ---- features ----

def common(a, b):
    """Lowest common ancestor."""
    around = set(b.chain())
    return next(e for e in a.chain() if e in around)


def net_score(e):
    units = sum(b.units for b in e.blocks)
    return e.score * (units - sum(b.linked for b in e.blocks)) // units if units else 0


def sum_page(page):
    for b in page.blocks:
        for e in b.element.chain():
            e.blocks.append(b)
        if b.units >= 25:
            score = (100 + 100 * b.commas + min(b.units, 300)) * (b.units - b.linked) // b.units
            for e, part in zip(list(b.element.chain())[1:], (6, 3, 2, 1)):
                e.score += score * part // 6
    page.units = sum(b.units for b in page.blocks)
    page.best = max(page.elements, key=net_score)  # the first of equals
    page.best_score = net_score(page.best)
    page.h1 = next((i for i, b in enumerate(page.blocks) if b.tag == "h1"), None)
    page.paths = {}
    for e in page.elements:
        page.paths.setdefault(e.path, []).append(e)
    page.on_path = {path: [b for b in page.blocks if b.element.path == path] for path in page.paths}
    runs = set(page.description)
    page.said = []
    for b in page.blocks:
        w = page.words(b.raw)[:64]
        page.said.append(sum(run in runs for run in zip(w, w[1:], w[2:])))
    most = max(page.said)
    page.described = page.said.index(most) if most and 4 * most >= len(page.description) else None


def repeats(page, e):
    return log(len(page.paths[e.path]) - 1)


def unit_share(page, e):
    return share(sum(b.units for b in e.blocks), page.units)


def of_levels(page, b):
    out, e = {}, b.element
    for level in range(4):
        inside = e.blocks if e else []
        units = sum(x.units for x in inside)
        marks = sum(x.stops + x.commas for x in inside)
        out[f"LEVEL{level}_UNITS"] = log(units)
        out[f"LEVEL{level}_LINKS"] = share(sum(x.linked for x in inside), units)
        out[f"LEVEL{level}_SHARE"] = share(units, page.units)
        out[f"LEVEL{level}_MARKS"] = min(1000 * marks // units, 255) if units else 0
        out[f"LEVEL{level}_PARAGRAPHS"] = share(sum(x.units for x in inside if x.tag == "p"), units)
        out[f"LEVEL{level}_SCORE"] = share(e.score, page.best_score) if e else 0
        out[f"LEVEL{level}_REPEATS"] = repeats(page, e) if e else 0
        out[f"LEVEL{level}_STAMPS"] = share(sum(x.date for x in inside), len(inside))
        e = next((x for x in e.chain() if len(x.blocks) > len(inside)), None) if e else None
    out["REPEATS_MOST"] = max(repeats(page, e) for e in b.element.chain())
    return out


def of_page(page):
    blocks = page.blocks
    linked, links = sum(b.linked for b in blocks), sum(b.links for b in blocks)
    headings = [b for b in blocks if b.tag in HEADINGS]
    return {
        "PAGE_BLOCKS": log(len(blocks)), "PAGE_LINKS": share(linked, page.units), "PAGE_ARTICLES": min(page.articles, 255),
        "PAGE_MAIN": page.main, "PAGE_IMAGES": log(page.images), "PAGE_CURRENCY": log(sum(b.currency for b in blocks)),
        "PAGE_KIND": page.kind,
        **{f"DECLARES_{k}": bool(page.declared & types) for k, types in DECLARED.items()}, "PAGE_INPUTS": log(page.inputs),
        "PAGE_LI": share(sum(b.units for b in blocks if b.tag == "li"), page.units),
        "PAGE_STOPS": share(sum(b.stopped for b in blocks), len(blocks)), "PAGE_HEADINGS": log(len(headings)),
        "PAGE_LINKED_HEADINGS": log(sum(2 * b.linked > b.units for b in headings)),
        "PAGE_URL_LAST": page.url_last, "PAGE_URL_DIGITS": page.url_digits,
        "PAGE_LINK_LENGTH": log(4 * linked // links if links else 0), "PAGE_PROSE": log(sum(b.prose for b in blocks)),
        "PAGE_STAMPS": log(sum(b.date for b in blocks)), "PAGE_EXCLAIMS": log(sum(b.exclaims > 0 for b in blocks)),
        "BEST_SCORE": log(page.best_score), "BEST_SHARE": unit_share(page, page.best),
    }


def position(at, origin):
    return 1 if at - origin < -49 else 250 if at - origin > 200 else at - origin + 50


def of_place(page, i):
    b, blocks = page.blocks[i], page.blocks
    out = {"CODE_BEFORE": log(b.start - (blocks[i - 1].end if i else 0)), "BYTE_SHARE": share(b.start, page.bytes),
           "TEXT_SHARE": share(sum(x.units for x in blocks[:i]), page.units),
           "COPIES": min(sum(x.raw == b.raw for x in blocks), 255), "TEXTAREAS_BEFORE": b.textareas,
           "TEXTAREAS_AFTER": page.textareas - b.textareas}
    part = 127 * b.start // (page.bytes + 1)
    h1 = blocks[page.h1] if page.h1 is not None else None
    out["AFTER_H1"] = position(i, page.h1) if h1 else 0
    out["BYTES_AFTER_H1"] = 128 + part - (127 * h1.start // (page.bytes + 1) if h1 else 0)
    for what, origin in (("BEST", page.best), ("H1", h1.element if h1 else None),
                         ("DESCRIPTION", blocks[page.described].element if page.described is not None else None)):
        meet = common(b.element, origin) if origin else None
        out[what + "_MEETS"] = min(b.element.depth - meet.depth, 99) if meet else 99
        out[what + "_MEETS_SHARE"] = unit_share(page, meet) if meet else 0
    chain = list(b.element.chain())
    inside = page.best in chain
    out["BEST_INSIDE"], out["BEST_STEPS"] = inside, min(chain.index(page.best), 99) if inside else 99
    out["BEST_PARENT"] = (page.best.parent or page.best) in chain
    out["AFTER_DESCRIPTION"] = position(i, page.described) if page.described is not None else 0
    n = len(page.description)
    out["DESCRIPTION_COVERED"] = share(page.said[i], n) if 4 * sum(page.said) >= n else 0
    for tag in ("article", "main", "footer"):
        out["IN_" + tag.upper()] = next((min(k + 1, 15) for k, e in enumerate(chain) if e.tag == tag), 0)
    return out


FLAGS = {
    "STOP": lambda b: b.stopped, "LINK": lambda b: share(b.linked, b.units) > 200, "INPUT": lambda b: b.input_before,
    "STAMP": lambda b: b.date, "EXCLAIM": lambda b: b.exclaims > 0, "PARAGRAPH": lambda b: b.tag == "p",
    "DIGIT": lambda b: share(b.digits, b.units) > 0, "LINKED": lambda b: 0 < share(b.linked, b.units) <= 200,
}


def of_neighbours(page, i):
    blocks, out = page.blocks, {}
    before, after = blocks[i::-1], blocks[i:]
    for flag in ("STOP", "LINK", "INPUT", "STAMP"):
        for side, found in (("SINCE", before), ("UNTIL", after)):
            out[f"{side}_{flag}"] = min(next((k for k, b in enumerate(found) if FLAGS[flag](b)), 250), 250)
    for flag in ("STAMP", "EXCLAIM", "PARAGRAPH", "DIGIT"):
        out[flag + "S_BEFORE" if flag != "DIGIT" else "DIGITS_BEFORE"] = log(sum(map(FLAGS[flag], blocks[:i])))
    out["LINKED_BEFORE"] = log(sum(map(FLAGS["LINKED"], blocks[:i])))
    out["STAMPS16"] = sum(b.date for b in blocks[max(i - 16, 0):i + 17])
    for reach in (2, 4, 8):
        near = blocks[max(i - reach, 0):i + reach + 1]
        units = sum(b.units for b in near)
        out[f"DENSITY{reach}"] = share(units, near[-1].end - near[0].start)
        out[f"LINKS{reach}"] = share(sum(b.linked for b in near), units)
    del out["DENSITY8"]
    out["UNTIL_GOOD"] = min(next((k + 1 for k, b in enumerate(blocks[i + 1:]) if b.good), 99), 99)
    back = next((k for k in range(i - 1, -1, -1) if blocks[k].tag in HEADINGS), None)
    heading = blocks[back] if back is not None else None
    out["SINCE_HEADING"] = min(i - back, 99) if heading else 99
    out["HEADING_LEVEL"] = int(heading.tag[1]) if heading else 0
    out["HEADING_DIGITS"] = min(heading.digits, 255) if heading else 0
    out["HEADING_UNITS"] = log(heading.units) if heading else 0
    good = 0
    for b in reversed(blocks[i + 1:]):
        good = (good * 179 + b.prose * 256) // 256
    out["GOOD_AFTER"] = log(good)
    return out


def of_block(page, i):
    b, e = page.blocks[i], page.blocks[i].element
    mates = page.on_path[e.path]
    units = sum(x.units for x in mates)
    prose_of = {path: sum(x.prose for x in on) for path, on in page.on_path.items()}
    return {
        "UNITS": log(b.units), "LINKS": share(b.linked, b.units), "WORDS": log(b.words), "ENDS_STOP": b.stopped,
        "HIDDEN": e.hidden, "DEPTH": min(e.depth, 255), "TAG_DIV": b.tag == "div", "PATH_BLOCKS": log(len(mates)),
        "PATH_MEAN": log(units // len(mates)), "PATH_LINKS": share(sum(x.linked for x in mates), units),
        "PATH_SHARE": share(units, page.units), "PATH_PROSE": share(prose_of[e.path], max(prose_of.values())),
        "SHARE_OF_PAGE": share(b.units, page.units), "UNITS_RELATIVE": share(b.units, max(x.units for x in page.blocks)),
        "PROSE_BEFORE": share(sum(x.prose for x in page.blocks[:i]), sum(x.prose for x in page.blocks)),
    }


def features(source):
    """Rows of features by name, one for each block."""
    page = Page(source)
    if not page.blocks:
        return []
    sum_page(page)
    whole = of_page(page)
    return [{**whole, **of_block(page, i), **of_levels(page, b), **of_place(page, i), **of_neighbours(page, i)}
            for i, b in enumerate(page.blocks)]


# ---- comparison ----

def main():
    dana, folder = sys.argv[1:]
    os.makedirs(folder + "/gold/made")
    sources = {f"{i:03}": Maker(i).page().encode() for i in range(60)}
    for name, source in sources.items():
        with open(f"{folder}/gold/made/{name}.html", "wb") as f:
            f.write(source)
        open(f"{folder}/gold/made/{name}.txt", "w").close()
    with open(folder + "/gold/index.tsv", "w") as f:
        f.write("corpus\tid\tcharset\n" + "".join(f"made\t{name}\tutf-8\n" for name in sources))
    subprocess.run([dana, "features", "-o", folder + "/out", folder + "/gold"], check=True, stdout=subprocess.DEVNULL)
    names = open(folder + "/out/stage1.names").read().split()
    data = open(folder + "/out/stage1.u8", "rb").read()
    at = wrong = compared = 0
    for line in open(folder + "/out/pages.tsv").read().splitlines():
        name, blocks = line.split("\t")[1], int(line.split("\t")[4])
        wanted = features(sources[name])
        if len(wanted) != blocks:
            print(f"page {name}: {blocks} blocks, expected {len(wanted)}")
            return 1
        for i, row in enumerate(wanted):
            missing = set(names) ^ set(row) ^ NEED_TOKENS
            if missing:
                print("features on one side only:", *sorted(missing))
                return 1
            for k, feature in enumerate(names):
                if feature in row:
                    compared += 1
                    if data[at + k] != row[feature]:
                        wrong += 1
                        if wrong <= 20:
                            print(f"page {name} block {i} {feature}: {data[at + k]}, expected {int(row[feature])}")
            at += len(names)
    if at != len(data) or compared < 100000:
        print(f"{len(data)} bytes of features for {at}; {compared} compared")
        return 1
    print(f"{compared} features of {len(data) // len(names)} blocks compared, {wrong} differ")
    return wrong != 0


sys.exit(main())
