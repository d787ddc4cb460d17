#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""boilerplate.py DANA CORPUS [LIST [OPTIONS]]: F1 of words against gold texts, without the plugin boilerplate and with it.

Without LIST: 30 sites of 200 pages each, made by CORPUS (tests/support/dedup_corpus), in a template of a dozen lines; a page's gold
text is what it has besides. LIST has a line for each page, with tabs: HTML file, gold text, charset, address. Sites (the last two
labels of the host, or three) with ten pages and more count; half of a site's pages make the table that is applied to the other
half, and the other way round. OPTIONS go to the plugin, as "min-pages=3,share=0.2"."""
import collections, json, os, re, subprocess, sys, tempfile
from urllib.parse import urlsplit

DANA, CORPUS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OPTIONS = "," + sys.argv[4] if len(sys.argv) > 4 else ""
TWO = {"co", "com", "ac", "org", "gov", "net"}
WORD = re.compile(r"\w+")


def record(number, url, charset, html):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=%s\r\n\r\n%s" % (charset.encode(), html)
    return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
            b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012x>\r\nContent-Type: application/http;msgtype=response\r\n"
            b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (url.encode(), number, len(http), http))


def words(text):
    return collections.Counter(WORD.findall(text.lower()))


def made():
    """Two archives, and the gold words of each page by its number."""
    gold = {}
    with open("0.warc", "wb") as a, open("1.warc", "wb") as b:
        for site in range(30):
            first = (site * 4 + 3) * 200  # every fourth host has a template
            data = subprocess.run([CORPUS, str(first), "200", "truth"], stdout=subprocess.PIPE, check=True).stdout
            for k, part in enumerate(data.split(b"WARC/1.0\r\n")[1:]):
                (a, b)[k % 2].write(b"WARC/1.0\r\n" + part)
                # six lines of the template, the paragraphs, six lines of the template
                lines = re.findall(r"<p>(.*?)</p>", part.decode(), re.S)
                gold[first + k] = words(" ".join(lines[6:-6]))
    return gold


def listed(name):
    sites, gold = {}, {}
    for number, line in enumerate(open(name)):
        page, text, charset, url = line.rstrip("\n").split("\t")
        labels = (urlsplit(url).hostname or "").split(".")
        site = ".".join(labels[-3 if len(labels) > 2 and labels[-2] in TWO and len(labels[-1]) == 2 else -2:])
        sites.setdefault(site, []).append((number, page, text, charset, url))
    with open("0.warc", "wb") as a, open("1.warc", "wb") as b:
        for pages in (p for p in sites.values() if len(p) >= 10):
            for k, (number, page, text, charset, url) in enumerate(pages):
                (a, b)[k % 2].write(record(number, url, charset, open(page, "rb").read()))
                gold[number] = words(open(text, encoding="utf-8", errors="replace").read())
    return gold


def run(*arguments):
    status = subprocess.run([DANA, *arguments], stderr=subprocess.DEVNULL).returncode
    assert status in (0, 2), (arguments, status)


def f1(found, gold):
    both = sum(found.values()) + sum(gold.values())
    return 2 * sum((found & gold).values()) / both if both else 1


def texts(half):
    for line in open(half):
        page = json.loads(line)
        yield int(page["id"][-12:], 16), words(page["text"])


def measure(method, gold):
    without, with_plugin, changed, emptied = {}, {}, 0, 0
    for half in "01":
        table, other = half + ".table", str(1 - int(half)) + ".warc"
        run("dedup", "learn", "--force", "--method", method, "-o", table, half + ".warc")
        run("filter", "-q", "--force", "-m", method, "-o", "plain.jsonl", other)
        run("filter", "-q", "--force", "-m", method, "-o", "dropped.jsonl", "--plugin", "boilerplate:table=" + table + OPTIONS, other)
        before = dict(texts("plain.jsonl"))
        for number, found in texts("dropped.jsonl"):
            without[number] = f1(before[number], gold[number])
            with_plugin[number] = f1(found, gold[number])
            changed += found != before[number]
            emptied += without[number] > 0 and with_plugin[number] == 0
    n = len(without)
    print("%-8s %5d pages: F1 %.4f without, %.4f with (%+.4f); %d changed, %d lost all gold words"
          % (method, n, sum(without.values()) / n, sum(with_plugin.values()) / n,
             (sum(with_plugin.values()) - sum(without.values())) / n, changed, emptied), flush=True)


source = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else None
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    gold_words = listed(source) if source else made()
    for name in ("learned", "danag", "plain"):
        measure(name, gold_words)
