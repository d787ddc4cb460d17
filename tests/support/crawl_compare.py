# SPDX-License-Identifier: MIT
"""crawl_compare.py EXPECTED DOCUMENTS [LEAST]: are the documents of a crawl those that dana extract makes of the same pages?

EXPECTED: lines of `dana extract --jsonl` over the pages of crawl_site.py. DOCUMENTS: lines of the schema `dana`. Each page
must be there with its text, title, charset and URL, and nothing else but the index of the site; twice where the crawler
came to it twice (by a redirection). LEAST: the crawl was broken off, and so many pages are enough. Then the last page of each
connection may be cut if it came in chunks (every fourth does), because wget2 does not say that the last chunk is missing."""
import json, sys, urllib.parse


def lines(name):
    with open(name) as f:
        return [json.loads(line) for line in f]


CONNECTIONS = 5  # of wget2

expected = {page["title"]: page for page in lines(sys.argv[1])}
seen = set()
cut = set()
wrong = 0


def tell(what, document):
    global wrong
    wrong += 1
    print(what, document["title"], document["url"])


for document in lines(sys.argv[2]):
    page = expected.get(document["title"])
    if page is None:
        if document["title"] != "Index":
            tell("unknown:", document)
        continue
    seen.add(document["title"])
    differ = [key for key in ("text", "charset", "html_bytes", "text_chars", "problems") if document[key] != page[key]]
    if urllib.parse.unquote(document["url"]) != urllib.parse.unquote(page["url"]):
        differ.append("url")
    if len(sys.argv) > 3 and document["html_bytes"] < page["html_bytes"] and int(document["title"].split()[1]) % 4 == 3:
        cut.add(document["title"])
    elif differ:
        tell("differs in %s:" % ", ".join(differ), document)
if len(sys.argv) > 3:
    if len(seen) < int(sys.argv[3]):
        print("only %d pages" % len(seen))
        wrong += 1
    if len(cut) > CONNECTIONS:
        print("%d pages are cut" % len(cut))
        wrong += 1
else:
    for title in expected.keys() - seen:
        tell("missing:", expected[title])
sys.exit(1 if wrong else 0)
