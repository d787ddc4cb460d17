#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Markdown of several programs beside each other: markdown_peers.py DANA PAGES SCORER [PEER...]

PAGES has index.tsv (columns corpus, id, url) and corpus/id.html beside the Markdown that the page was made from. Each peer that
is installed writes corpus/id.md for each page; SCORER DIR PAGES -q --name NAME prints a line of scores for them (a program
of one's own; README). Python's peers are those that this Python imports; Readability and turndown need node, with
@mozilla/readability, jsdom, turndown and turndown-plugin-gfm found by NODE_PATH. Printed after each line: MB of HTML for a second
of CPU time, without start-up, and how many pages failed. PEERS: their names; without them all are run.
"""
import csv, importlib, json, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
DANA, PAGES, SCORER, *CHOSEN = sys.argv[1:] if len(sys.argv) > 3 else sys.exit(__doc__)


def trafilatura(html, url):
    from trafilatura import extract
    return extract(html, url=url, output_format="markdown", include_formatting=True, include_links=True, include_tables=True,
                   include_comments=False)


def resiliparse(html, url):
    """Its main content as HTML, written by markdownify: it has no Markdown of its own."""
    from markdownify import markdownify
    from resiliparse.extract.html2text import extract_plain_text
    return markdownify(extract_plain_text(html, main_content=True, preserve_formatting="minimal_html", alt_texts=False, links=True),
                       heading_style="ATX")


def html_to_markdown(html, url):
    import html_to_markdown
    result = html_to_markdown.convert(html)
    return result if isinstance(result, str) else result.content


def markdownify(html, url):
    from markdownify import markdownify
    return markdownify(html, heading_style="ATX")


def html2text(html, url):
    from html2text import HTML2Text
    writer = HTML2Text(baseurl=url, bodywidth=0)
    return writer.handle(html)


PYTHON = {"trafilatura": (trafilatura, ["trafilatura"]), "resiliparse+markdownify": (resiliparse, ["resiliparse", "markdownify"]),
          "html-to-markdown": (html_to_markdown, ["html_to_markdown"]), "markdownify": (markdownify, ["markdownify"]),
          "html2text": (html2text, ["html2text"])}


def write(out, page, text):
    name = os.path.join(out, page["corpus"], page["id"] + ".md")
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w", encoding="utf-8", errors="replace") as f:
        f.write(text or "")


def run_python(convert, pages, out):
    convert(pages[0]["html"], pages[0]["url"])  # what is loaded at first
    failed, begin = 0, time.process_time()
    texts = []
    for page in pages:
        try:
            texts.append(convert(page["html"], page["url"]))
        except Exception:
            texts.append("")
            failed += 1
    seconds = time.process_time() - begin
    for page, text in zip(pages, texts):
        write(out, page, text)
    return seconds, failed


def run_lines(command, pages, out, key):
    """A program that reads a JSON object a line and writes one for each."""
    lines = "".join(json.dumps({"id": str(i), "html": p["html"], "url": p["url"]}) + "\n" for i, p in enumerate(pages))
    before = os.times()
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    after = os.times()
    failed = 0
    for page, line in zip(pages, done.stdout.splitlines()):
        text = json.loads(line).get(key)
        failed += text is None
        write(out, page, text)
    return after.children_user + after.children_system - before.children_user - before.children_system, failed


def is_there(modules):
    try:
        for name in modules:
            importlib.import_module(name)
    except ImportError:
        return False
    return True


def main():
    pages = []
    with open(os.path.join(PAGES, "index.tsv"), encoding="utf-8") as index:
        for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE):
            with open(os.path.join(PAGES, row["corpus"], row["id"] + ".html"), encoding="utf-8", errors="replace") as f:
                pages.append(dict(row, html=f.read()))
    size = sum(len(p["html"].encode(errors="replace")) for p in pages)
    runs = {"dana learned": lambda out: run_lines([DANA, "extract", "--jsonl", "-j", "0", "-m", "learned", "--text", "markdown"],
                                                  pages, out, "markdown")}
    for name, (convert, modules) in PYTHON.items():
        if is_there(modules):
            runs[name] = lambda out, convert=convert: run_python(convert, pages, out)
    script = os.path.join(HERE, "markdown_peers.js")
    if subprocess.run(["node", script, "--there"], stderr=subprocess.DEVNULL).returncode == 0:
        runs["readability+turndown"] = lambda out: run_lines(["node", script], pages, out, "markdown")
    print(f"{len(pages)} pages, {size / 1e6:.1f} MB of HTML")
    for name, run in runs.items():
        if CHOSEN and name not in CHOSEN:
            continue
        with tempfile.TemporaryDirectory() as out:
            seconds, failed = run(out)
            scored = subprocess.run([sys.executable, SCORER, out, PAGES, "-q", "--name", name], stdout=subprocess.PIPE, check=True)
        print(f"{scored.stdout.decode().rstrip()}  {size / 1e6 / seconds:8.2f} MB/s  {failed} failed", flush=True)


main()
