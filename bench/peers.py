#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other programs over the same archive: peers.py INFLATE FILE PYTHON, and for itself: peers.py --run PEER FILE

Whichever of them PYTHON can import is timed, after its imports: FastWARC reads all responses and parses their HTTP heads, warcio
reads all records, Resiliparse and trafilatura find the main content of the first pages, which stand for all. They write
nothing. Printed: CPU time for a decoded byte, and as a multiple of the bare inflate loop's.
"""
import os, subprocess, sys, time

PAGES = {"resiliparse": 500, "trafilatura": 100}  # they take long


def html_of(record):
    return record.http_content_type == "text/html" and record.http_headers.status_code == 200


def fastwarc(file, peer):
    """Bytes of all records, or of those with the first pages."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    extract = None
    if peer == "resiliparse":
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding
        extract = lambda body: extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True)
    elif peer == "trafilatura":
        from trafilatura import extract
    begin, total, pages = time.process_time(), 0, 0
    for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
        body = record.reader.read()
        total += record.content_length
        if extract and html_of(record):
            extract(body)
            pages += 1
            if pages == PAGES[peer]:
                break
    return time.process_time() - begin, total


def warcio(file, peer):
    from warcio.archiveiterator import ArchiveIterator
    begin, total = time.process_time(), 0
    with open(file, "rb") as f:
        for record in ArchiveIterator(f):
            total += len(record.content_stream().read())
    return time.process_time() - begin, total


PEERS = {"fastwarc": fastwarc, "warcio": warcio, "resiliparse": fastwarc, "trafilatura": fastwarc}


def seconds_of(command):
    before = os.times()
    raw = int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, raw


def main():
    if sys.argv[1] == "--run":
        try:
            print(*PEERS[sys.argv[2]](sys.argv[3], sys.argv[2]))
        except ImportError:
            sys.exit(77)
        return
    inflate, file, python = sys.argv[1:]
    least = min(seconds_of([inflate, file]) for _ in range(3))
    for peer in PEERS:
        run = subprocess.run([python, __file__, "--run", peer, file], stdout=subprocess.PIPE, text=True)
        if run.returncode == 77:
            print(f"{peer:<32} is not installed")
            continue
        run.check_returncode()
        seconds, total = map(float, run.stdout.split())
        print(f"{peer:<32} {seconds * 1e9 / total:9.3f} {seconds / total / (least[0] / least[1]):10.3f}")


main()
