#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other programs over the same archive: peers.py INFLATE FILE ROUNDS PYTHON, and for itself: peers.py --run PEER FILE

Whichever of them PYTHON can import is timed, after its imports: FastWARC reads all responses and parses their HTTP heads, warcio
reads all records, Resiliparse and trafilatura find the main content of the first pages, which stand for all: their time is
divided by the bytes of the responses up to there, not by those of all records. They write nothing. Printed: CPU time for a decoded byte,
and as a multiple of the bare inflate loop's, which runs before each; medians.
"""
import resource, statistics, subprocess, sys, time

PAGES = {"resiliparse": 500, "trafilatura": 100}  # they take long


def html_of(record):
    return record.http_content_type == "text/html" and record.http_headers.status_code == 200


def fastwarc(file, peer):
    """CPU seconds, and the bytes of the responses up to the last page; 0: all of the archive was read."""
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
    return time.process_time() - begin, total if extract else 0


def warcio(file, peer):
    from warcio.archiveiterator import ArchiveIterator
    begin = time.process_time()
    with open(file, "rb") as f:
        for record in ArchiveIterator(f):
            record.content_stream().read()
    return time.process_time() - begin, 0


PEERS = {"fastwarc": fastwarc, "warcio": warcio, "resiliparse": fastwarc, "trafilatura": fastwarc}


def seconds_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    raw = int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, raw


def main():
    if sys.argv[1] == "--run":
        try:
            print(*PEERS[sys.argv[2]](sys.argv[3], sys.argv[2]))
        except ImportError:
            sys.exit(77)
        return
    inflate, file, rounds, python = sys.argv[1:]
    print(f"{'others, after their imports':<32} {'ns/byte':>9} {'x inflate':>10}")
    for peer in PEERS:
        results = []
        for _ in range(int(rounds)):
            least, raw = seconds_of([inflate, file])
            run = subprocess.run([python, __file__, "--run", peer, file], stdout=subprocess.PIPE, text=True)
            if run.returncode == 77:
                break
            run.check_returncode()
            seconds, total = map(float, run.stdout.split())
            results.append((seconds / (total or raw), least / raw))
        if not results:
            print(f"{peer:<32} is not installed")
            continue
        ns, times = statistics.median(r[0] * 1e9 for r in results), statistics.median(r[0] / r[1] for r in results)
        print(f"{peer:<32} {ns:9.3f} {times:10.3f}")


main()
