#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the plugin quality in plain Python, by doc/QUALITY.md alone.

quality.py WORDS.tsv < DOCUMENTS.jsonl: one line a document: its id, the rule that drops it or "-", and the number of
characters of the text that is left. With `annotate` after WORDS.tsv: id and the measures as JSON.
"""
import json
import math
import re
import sys
import unicodedata
from collections import Counter, namedtuple

UNSPACED = [(0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x31F0, 0x31FF),
            (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)]
MARKS = set('.?!\u037e\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u1367\u17d4\u17d5\u203c\u2047\u2048\u2049\u3002\uff01'
            '\uff0e\uff1f\uff61')
QUOTES = set('"\'\u00bb\u2019\u201d\u300d\u300f')


def unspaced(c):
    return any(a <= ord(c) <= b for a, b in UNSPACED)


def category(c):
    return unicodedata.category(c)[0]


Word = namedtuple("Word", "text start end kind")


def words_of(text):
    """Kinds: "spaced", "unspaced", "mark"."""
    words = []

    def stretch(start, end):
        plain = [i for i in range(start, end) if category(text[i]) not in "PS"]
        first, last = (plain[0], plain[-1] + 1) if plain else (end, end)
        for a, b in ((start, first), (last, end)):
            if (a, b) == (last, end) and first < last:
                words.append(Word(text[first:last], first, last, "spaced"))
            for run in re.finditer(r"(.)\1*", text[a:b], re.S):
                words.append(Word(run.group(), a + run.start(), a + run.end(), "mark"))

    i = 0
    start = None
    while i < len(text):
        c = text[i]
        if c.isspace() or (unspaced(c) and category(c) not in "PSM"):
            if start is not None:
                stretch(start, i)
                start = None
            end = i + 1
            if not c.isspace():
                while end < len(text) and category(text[end]) == "M":
                    end += 1
                words.append(Word(text[i:end], i, end, "unspaced"))
            i = end
        else:
            start = i if start is None else start
            i += 1
    if start is not None:
        stretch(start, len(text))
    return words


def lines_of(text):
    return [line for line in text.split("\n") if line]


def again(parts):
    seen = set()
    n = chars = 0
    for part in parts:
        if part in seen:
            n += 1
            chars += len(part)
        seen.add(part)
    return n, chars


def repetition(text, words):
    m = {}
    if not text:
        return m
    total = len(text)
    paragraphs = [p for p in re.split(r"\n{2,}", text.strip("\n")) if p]
    lines = lines_of(text)
    if lines:
        n, chars = again(paragraphs)
        m["dup_paragraphs"], m["dup_paragraph_chars"] = n / len(paragraphs), chars / total
        n, chars = again(lines)
        m["dup_lines"], m["dup_line_chars"] = n / len(lines), chars / total
    for n in range(2, 5):
        counter = Counter()
        first = {}
        for i in range(len(words) - n + 1):
            key = tuple(w.text for w in words[i:i + n])
            counter[key] += 1
            first.setdefault(key, i)
        chars = 0
        if counter:
            key, count = counter.most_common(1)[0]
            chars = count * (words[first[key] + n - 1].end - words[first[key]].start)
        m["top_%d_gram" % n] = chars / total
    for n in range(5, 11):
        seen = set()
        i = chars = 0
        while i + n <= len(words):
            key = tuple(w.text for w in words[i:i + n])
            if key in seen:
                chars += sum(len(w) for w in key)
                i += n
            else:
                seen.add(key)
                i += 1
        m["dup_%d_grams" % n] = chars / total
    return m


def gopher(text, words, stops):
    m = {}
    spaced = [w.text for w in words if w.kind == "spaced"]
    single = [w.text for w in words if w.kind == "unspaced"]
    m["words"] = len(spaced) + len(single)
    if spaced and len(spaced) >= len(single):
        m["mean_word"] = sum(map(len, spaced)) / len(spaced)
    if words:
        m["hashes"] = text.count("#") / len(words)
        m["ellipses"] = (text.count("...") + text.count("\u2026")) / len(words)
    if spaced or single:
        m["alpha_words"] = sum(any(category(c) == "L" for c in w) for w in spaced + [w[0] for w in single]) / m["words"]
    lines = [line.strip(" \t") for line in lines_of(text)]
    if lines:
        m["bullet_lines"] = sum(line.startswith(("\u2022", "-")) for line in lines) / len(lines)
        m["ellipsis_lines"] = sum(line.endswith(("...", "\u2026")) for line in lines) / len(lines)
    have = {w.lower() for w in spaced + single}
    m["stop_words"] = max(len(have & s) for s in stops)
    return m


def sentences(line):
    n, mark, is_open = 0, None, False
    for c in line:
        ended = mark and (c == " " or (ord(mark) >= 0x3000 and c not in MARKS and c not in QUOTES))
        if ended and is_open:
            n, is_open = n + 1, False
        if c == " ":
            mark = None
            continue
        is_open = True
        if c in MARKS:
            mark = c
        elif c not in QUOTES and c != ")":
            mark = None
    return n + is_open


POLICY = ["terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies"]


def c4(text):
    m = {"lorem_ipsum": 0, "curly_brackets": 0, "sentences": 0}
    kept = []
    for line in lines_of(text):
        words = [w for w in re.split(r"[ \t]+", line) if w]
        if any(len(w) > 1000 for w in words) or len(words) < 3:
            continue
        line = re.sub(r"\[[0-9]*\]|\[edit\]|\[citation needed\]", "", line)
        low = line.lower()
        lorem = "lorem ipsum" in low
        m["lorem_ipsum"] += lorem
        if not lorem and "javascript" in low:
            continue
        m["curly_brackets"] += "{" in line
        if any(p in low for p in POLICY):
            continue
        m["sentences"] += sentences(line)
        kept.append(line)
    return m, "\n".join(kept)


def fineweb(text, words):
    lines = lines_of(text)
    if not lines:
        return {}
    m = {}
    plain = [w for w in words if w.kind != "mark"]
    if 2 * sum(w.kind == "unspaced" and ord(w.text[0]) < 0xF00 for w in words) <= len(plain):
        m["punct_lines"] = sum(line[-1] in MARKS or line[-1] in QUOTES for line in lines) / len(lines)
    m["short_lines"] = sum(len(line) <= 30 for line in lines) / len(lines)
    m["dup_chars"] = again(lines)[1] / sum(map(len, lines))
    if words:
        m["newlines"] = (len(lines) - 1) / len(words)
    return m


RULES = [
    ("dup_para_frac", "dup_paragraphs", "> .3"), ("dup_para_char_frac", "dup_paragraph_chars", "> .2"),
    ("dup_line_frac", "dup_lines", "> .3"), ("dup_line_char_frac", "dup_line_chars", "> .2"),
    ("top_2_gram", "top_2_gram", "> .2"), ("top_3_gram", "top_3_gram", "> .18"), ("top_4_gram", "top_4_gram", "> .16"),
    ("duplicated_5_n_grams", "dup_5_grams", "> .15"), ("duplicated_6_n_grams", "dup_6_grams", "> .14"),
    ("duplicated_7_n_grams", "dup_7_grams", "> .13"), ("duplicated_8_n_grams", "dup_8_grams", "> .12"),
    ("duplicated_9_n_grams", "dup_9_grams", "> .11"), ("duplicated_10_n_grams", "dup_10_grams", "> .1"),
    ("gopher_short_doc", "words", "< 50"), ("gopher_long_doc", "words", "> 100000"),
    ("gopher_below_avg_threshold", "mean_word", "< 3"), ("gopher_above_avg_threshold", "mean_word", "> 10"),
    ("gopher_too_many_hashes", "hashes", "> .1"), ("gopher_too_many_ellipsis", "ellipses", "> .1"),
    ("gopher_too_many_bullets", "bullet_lines", "> .9"), ("gopher_too_many_end_ellipsis", "ellipsis_lines", "> .3"),
    ("gopher_below_alpha_threshold", "alpha_words", "< .8"), ("gopher_enough_stop_words", "stop_words", "< 2"),
    ("lorem_ipsum", "lorem_ipsum", "> 0"), ("curly_bracket", "curly_brackets", "> 0"), ("too_few_sentences", "sentences", "< 5"),
    ("line_punct_ratio", "punct_lines", "<= .12"), ("short_line_ratio", "short_lines", ">= .67"),
    ("char_dup_ratio", "dup_chars", ">= .01"), ("list_ratio", "newlines", "> .3"),
]
TESTS = {"<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}


def judge(text, stops):
    """The first rule broken or None, the text left, and all measures."""
    words = words_of(text)
    m = repetition(text, words)
    m.update(gopher(text, words, stops))
    more, left = c4(text)
    m.update(more)
    m.update(fineweb(left, words if left == text else words_of(left)))
    for name, key, test in RULES:
        sign, limit = test.split()
        value = m.get(key, math.nan)
        if not math.isnan(value) and TESTS[sign](value, float(limit)):
            return name, left, m
    return None, left, m


def main():
    stops = [set(line.rstrip("\n").split("\t")[1].split()) for line in open(sys.argv[1], encoding="utf-8") if line[0] != "#"]
    for line in sys.stdin:
        doc = json.loads(line)
        rule, left, m = judge(doc["text"], stops)
        if sys.argv[2:] == ["annotate"]:
            print(doc["id"], json.dumps({k: None if math.isnan(m.get(k, math.nan)) else round(m[k], 6)
                                         for k in dict.fromkeys(key for _, key, _ in RULES)}), sep="\t")
        else:
            print(doc["id"], rule or "-", "-" if rule else len(left), sep="\t")


main()
