#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""site.py DIR: a crawl of one site, DIR/site.warc.gz, with what is true of it, DIR/truth.json.

500 pages: 400 articles, and of 50 of them a print version (one sentence less) and a copy under another address. Each page
has the menu of all subjects, teasers of other articles and a footer. An article is about one of 40 subjects; about some
of them there are two articles, about others twenty.
"""
import gzip
import json
import pathlib
import random
import sys
import uuid

SUBJECTS = ("astronomy ballet beekeeping bicycles bridges castles ceramics chess cinema clocks coffee comets coral "
            "dinosaurs earthquakes embroidery falcons fountains glaciers gliders harpsichords lighthouses mosaics "
            "mushrooms observatories orchids origami parachutes pottery railways sailing sculpture sundials telescopes "
            "tides trams typography volcanoes windmills zeppelins").split()
WORDS = ("about after almost always among ancient another around autumn because become before began believe between body "
         "bring build called carry centre century change children city clear close cold common country course cover "
         "early earth enough every example family famous field figure first follow force form found garden general "
         "great group half hand happen heard heavy high history hour house human hundred idea important inside island "
         "keep kind known land large later learn leave left less letter light line little long machine made many "
         "matter measure meet metal middle mind money morning mountain move music name nature near never night north "
         "nothing number often open order other outside paper part people perhaps piece place plain plant point "
         "power present problem produce public quiet reach remember rest river road room round same school science "
         "second seem several shape short show side simple since sound south space special stand start state still "
         "stone story street strong study summer surface system table taken thing think thought thousand through "
         "together town travel tree turn under until usual valley value village voice walk wall war watch water "
         "weather week white whole wind winter without woman wood word work world write year young").split()
FOOTER = ("Subscribe to our newsletter and never miss a story. By using this site you accept our cookies and our privacy "
          "policy. Shipping and returns are free within the country. Contact the editors, read about careers at the "
          "magazine, or advertise with us. All rights reserved.")


def sentence(rng, subject):
    words = [rng.choice(WORDS) for _ in range(rng.randint(8, 20))]
    if rng.random() < 0.5:
        words[rng.randrange(len(words))] = subject
    return " ".join(words).capitalize() + "."


def article(rng, subject):
    title = "The %s of %s %s" % (rng.choice(WORDS), subject, rng.choice(WORDS))
    return title, [[sentence(rng, subject) for _ in range(rng.randint(3, 6))] for _ in range(rng.randint(4, 9))]


def html(title, paragraphs, teasers):
    menu = "".join('<li><a href="/%s/">%s</a></li>' % (s, s.capitalize()) for s in SUBJECTS)
    boxes = "".join('<div class="teaser"><a href="/"><h4>%s</h4></a><p>%s</p><a href="/">Read more</a></div>' % t for t in teasers)
    body = "".join("<p>%s</p>" % " ".join(p) for p in paragraphs)
    return ('<!DOCTYPE html><html><head><meta charset="utf-8"><title>%s - The Magazine</title></head><body>'
            '<header><a href="/">The Magazine</a><nav><ul>%s</ul></nav></header><main><article><h1>%s</h1>%s</article></main>'
            '<aside><h3>More stories</h3>%s</aside><footer><p>%s</p></footer></body></html>'
            % (title, menu, title, body, boxes, FOOTER)).encode()


def record(number, url, page):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
    head = ("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
            "WARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
            % (uuid.uuid5(uuid.NAMESPACE_URL, "%d" % number), url, len(block)))
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0)


def main(folder):
    rng = random.Random(500)
    shares = [rng.choice((1, 2, 3, 5, 8, 10)) for _ in SUBJECTS]
    articles = [(s, *article(rng, s)) for s in SUBJECTS for _ in range(2)]
    articles += [(s, *article(rng, s)) for s in rng.choices(SUBJECTS, shares, k=400 - len(articles))]
    pages = []
    for number, (subject, title, paragraphs) in enumerate(articles):
        url = "https://magazine.example/%s/%d" % (subject, number)
        pages.append((url, number, title, paragraphs))
        if number % 8 == 0:
            cut = paragraphs[:-1] + [paragraphs[-1][:-1] or paragraphs[-1]]
            pages.append((url + "?print=1", number, title, cut))
            pages.append((url + "?from=home", number, title, paragraphs))
    rng.shuffle(pages)
    truth = {}
    with open(pathlib.Path(folder) / "site.warc.gz", "wb") as out:
        for number, (url, group, title, paragraphs) in enumerate(pages):
            others = rng.sample(articles, 4)
            teasers = [(t, p[0][0]) for _, t, p in others]
            out.write(record(number, url, html(title, paragraphs, teasers)))
            words = " ".join([title] + [s for p in paragraphs for s in p]).lower().replace(".", "").split()
            truth[url] = {"article": group, "subjects": sorted(set(words) & set(SUBJECTS))}
    truth = {"queries": SUBJECTS, "pages": truth}
    (pathlib.Path(folder) / "truth.json").write_text(json.dumps(truth))


main(sys.argv[1])
