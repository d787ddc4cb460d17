# SPDX-License-Identifier: MIT
"""Archives whose pages repeat others: as they are, with a word changed, and in chains of small changes."""

import gzip
import re


def make_copies(archive, folder):
    """Three archives of the pages of one: the first half, all, and all with words changed. Returns their paths."""
    records = re.split(rb"(?=WARC/1\.0\r\n)", gzip.open(archive).read())[1:]
    pages = [r for r in records if b"WARC-Type: response" in r[:100]][:120]
    changed = [re.sub(rb"(river|stone)", lambda m: m[0][::-1], page) for page in pages]
    paths = []
    for number, some in enumerate((pages[:60], pages, changed)):
        path = folder / f"copies-{number}.warc.gz"
        with open(path, "wb") as out:
            for i, record in enumerate(some):
                # Another id for each record, of the same length.
                own = re.sub(rb"(urn:uuid:.{24}).{12}", rb"\g<1>%012d" % (number * 1000 + i), record, count=1)
                out.write(gzip.compress(own, 1, mtime=0))
        paths.append(path)
    return paths
