# SPDX-License-Identifier: MIT
"""Compare danatext with other packages on pages of your own: python -m danatext.compare PAGES

PAGES are HTML files, folders of them, or archives (.warc, .warc.gz, .warc.zst). Each package that is installed (pip install
danatext[compare] has them all) gets the bytes of the same pages, in one process and one thread, and is timed by CPU time, the
rounds taking turns. Speed is not all: --show prints what each of them makes of a page.
"""

import argparse
import importlib.metadata
import pathlib
import statistics
import sys
import time
from typing import Callable, Iterator, NamedTuple

import danatext

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
PAGES = (".html", ".htm", ".xhtml")


class Peer(NamedTuple):
    """A package, and how it is called for the main content of a page whose charset is not known."""

    name: str
    version: str
    extract: Callable[[bytes], str]


def resiliparse() -> Peer:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def extract(html: bytes) -> str:
        return str(extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True))

    return Peer("resiliparse", importlib.metadata.version("resiliparse"), extract)


def trafilatura() -> Peer:
    import trafilatura as package

    return Peer("trafilatura", package.__version__, lambda html: package.extract(html) or "")


def readability() -> Peer:
    from lxml.html import document_fromstring
    from readability import Document

    def extract(html: bytes) -> str:
        return document_fromstring(Document(html).summary()).text_content().strip()

    return Peer("readability-lxml", importlib.metadata.version("readability-lxml"), extract)


def justext() -> Peer:
    import justext as package

    languages = {name: package.get_stoplist(name) for name in ("English", "German", "French", "Spanish")}
    words = frozenset().union(*languages.values())  # it asks for the language, which is not known

    def extract(html: bytes) -> str:
        return "\n".join(p.text for p in package.justext(html, words) if not p.is_boilerplate)

    return Peer("justext", importlib.metadata.version("justext"), extract)


def peers(method: str) -> "list[Peer]":
    """Return danatext and what of the others can be imported."""
    found = [Peer("danatext", danatext.__version__, lambda html: danatext.extract(html, method=method).text)]
    for make in resiliparse, trafilatura, readability, justext:
        try:
            found.append(make())
        except ImportError as error:
            print(f"{make.__name__} is left out: {error}; pip install 'danatext[compare]'", file=sys.stderr)
    return found


def files_of(names: "list[str]") -> "Iterator[pathlib.Path]":
    for path in map(pathlib.Path, names):
        yield from sorted(p for p in path.rglob("*") if p.name.endswith((*PAGES, *ARCHIVES))) if path.is_dir() else [path]


def pages_of(names: "list[str]", most: int) -> "list[bytes]":
    """Read the first pages; pages of archives as UTF-8."""
    pages: "list[bytes]" = []
    for path in files_of(names):
        if path.name.endswith(ARCHIVES):
            pages += (d.html.encode() for d in danatext.open(path, html=True, method="plain", min_chars=0) if d.html)
        else:
            pages.append(path.read_bytes())
        if len(pages) >= most:
            break
    return pages[:most]


def timed(peer: Peer, pages: "list[bytes]") -> "tuple[float, list[str], int]":
    """Return CPU seconds, the texts, and how many pages raised."""
    texts, failed = [], 0
    begin = time.process_time()
    for html in pages:
        try:
            texts.append(peer.extract(html))
        except Exception:  # whatever it is, it is the peer's way to say that it has no text
            if peer.name == "danatext":  # which raises for no page: the table would be of something else
                raise
            texts.append("")
            failed += 1
    return time.process_time() - begin or 1 / 64, texts, failed  # a tick of the clock of Windows


def likeness(a: str, b: str) -> float:
    """How much of the words of two texts both have, from 0 to 1."""
    one, two = set(a.split()), set(b.split())
    return len(one & two) / len(one | two) if one or two else 1.0


def compare(pages: "list[bytes]", all_peers: "list[Peer]", rounds: int) -> None:
    """Print a table: the least CPU time of each in so many rounds."""
    size = sum(map(len, pages))
    print(f"{len(pages)} pages, {size / 1e6:.1f} MB; CPU time of one thread, the least of {rounds} rounds")
    print(f"{'package':24}{'s':>9}{'pages/s':>9}{'MB/s':>8}{'times':>8}{'chars':>10}{'failed':>8}{'like danatext':>15}")
    runs = [[timed(peer, pages) for peer in all_peers] for _ in range(rounds)]
    least = [min(run[i][0] for run in runs) for i in range(len(all_peers))]
    for i, peer in enumerate(all_peers):
        _, texts, failed = runs[0][i]
        like = statistics.mean(map(likeness, texts, runs[0][0][1]))
        print(
            f"{f'{peer.name} {peer.version}':24}{least[i]:9.2f}{len(pages) / least[i]:9.0f}{size / 1e6 / least[i]:8.1f}"
            f"{least[i] / least[0]:8.1f}{sum(map(len, texts)):10}{failed:8}{like:15.2f}"
        )


def compare_archives(names: "list[str]", method: str, rounds: int) -> None:
    """Print what whole archives take, from the file to the texts; FastWARC with Resiliparse in its place."""
    paths = [path for path in files_of(names) if path.name.endswith(ARCHIVES)]
    if not paths:
        return
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType

        extract = resiliparse().extract
    except ImportError as error:
        print(f"fastwarc is left out: {error}; pip install 'danatext[compare]'", file=sys.stderr)
        return

    def by_danatext(path: pathlib.Path) -> int:
        return sum(1 for _ in danatext.open(path, method=method))

    def by_fastwarc(path: pathlib.Path) -> int:
        n = 0
        for record in ArchiveIterator(str(path), record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers and record.http_headers.status_code == 200 and "html" in (record.http_content_type or ""):
                n += bool(extract(record.reader.read()))
        return n

    size = sum(path.stat().st_size for path in paths)
    print(f"\n{len(paths)} archives, {size / 1e6:.1f} MB as stored; from the file to the texts")
    first = 0.0
    for name, read in ("danatext", by_danatext), ("fastwarc + resiliparse", by_fastwarc):
        least, n = min(measure(read, paths) for _ in range(rounds))
        first = first or least
        print(f"{name:24}{least:9.2f} s{n:9} texts{size / 1e6 / least:8.1f} MB/s{least / first:8.1f} times")


def measure(read: "Callable[[pathlib.Path], int]", paths: "list[pathlib.Path]") -> "tuple[float, int]":
    begin = time.process_time()
    n = sum(map(read, paths))
    return time.process_time() - begin, n


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m danatext.compare", description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="+", metavar="PAGES", help="HTML files, folders of them, archives")
    parser.add_argument("--method", default="learned", help="of danatext (default: learned)")
    parser.add_argument("--most", type=int, default=300, help="pages at most (default: 300)")
    parser.add_argument("--rounds", type=int, default=3, help="the least time of so many counts (default: 3)")
    parser.add_argument("--show", type=int, metavar="N", help="print what each makes of page N, from 1, instead")
    options = parser.parse_args()
    pages = pages_of(options.pages, options.most)
    if not pages:
        parser.error(f"no pages found; expected files that end in {', '.join(PAGES + ARCHIVES)}, or folders of them")
    found = peers(options.method)
    if options.show:
        if not 1 <= options.show <= len(pages):
            parser.error(f"--show {options.show}: there are pages 1 to {len(pages)}")
        for peer in found:
            print(f"==== {peer.name} ====\n{peer.extract(pages[options.show - 1])}\n")
        return
    compare(pages, found, options.rounds)
    compare_archives(options.pages, options.method, options.rounds)


if __name__ == "__main__":
    main()
