# SPDX-License-Identifier: MIT
"""Tables of what the pages of a site have in common, as ``dana site learn`` and ``dana site merge`` make them."""

import contextlib
import errno
import os
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Union

from danatext import _dana
from danatext.errors import OptionError
from danatext.latest import Latest

if TYPE_CHECKING:
    from danatext.scans import Sources

__all__ = ["learn_site", "merge_sites"]

MOST = 64  # tables that one merge takes

Path = Union[str, "os.PathLike[str]"]

_tables = Latest()  # the parts of a job that one process reads have the same


def table_of(path: str) -> Any:
    """The table at a path, as the extension wants it; read anew if the file is another one."""
    status = os.stat(path)
    key = os.path.abspath(path), status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    return _tables.get(key, lambda: _dana.site_table_open(os.fsencode(path)))


def _check(name: str, value: int, lowest: int) -> None:
    if not lowest <= value < 1 << 64:
        raise OptionError(f"{name} is {value}; expected {lowest} or more, and less than 2 ** 64")


def _refuse_existing(path: Path, force: bool) -> None:
    if not force and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "the table exists; force=True overwrites it", os.fspath(path))


def learn_site(
    paths: "Sources",
    output: Path,
    *,
    least: int = 2,
    size: int = 1 << 30,
    memory: int = 256 << 20,
    force: bool = False,
    filesystem: Any = None,
) -> int:
    """Learn what the pages of a site have in common, by the method ``learned``, and write a table of that to `output`.

    The site of a page is the registrable domain of its URL. With the table, as the option ``site`` of `danatext.open` and
    `danatext.scan`, text that other pages of the site have is kept less often. The file has the bytes that ``dana site learn``
    makes of the same archives.

    `paths` are what `danatext.scan` takes: paths, file objects, splits. `least`: lines on fewer pages are left out. `size`: the
    table has at most so many bytes; the lines on the fewest pages are left out. `memory`: bytes for counting, 8192 or more; what has no room
    goes to nameless files beside `output`. `force`: a file that is there is overwritten.

    Several processes or machines can learn a part each, of files or `danatext.Split`, with ``least=1``; `merge_sites` adds
    up their tables, and the result does not depend on the parts.

    Returns the number of pages. Raises ``FileExistsError``; ``OSError`` for a path that cannot be read or written;
    `danatext.NotAnArchive`. The file appears when it is complete.
    """
    from danatext.scans import scan

    for name, value, lowest in (("least", least, 1), ("size", size, 1), ("memory", memory, 8192)):
        _check(name, value, lowest)
    _refuse_existing(output, force)
    all_of = scan(paths, filesystem=filesystem)
    # In a list, as the frames of an exception hold what it is in: a table that is not finished is removed when this ends.
    learner = [_dana.site_learner_new(os.fsencode(output), least, size, memory, force)]
    all_of._options = all_of._options._replace(site=learner)
    try:
        with contextlib.closing(all_of.archives()) as archives:
            for archive in archives:
                archive._take(_dana.archive_drain)
        _dana.site_learner_finish(learner[0])
        return _dana.site_learner_pages(learner[0])
    finally:
        learner.clear()


def merge_sites(tables: "Path | Iterable[Path]", output: Path, *, least: int = 1, force: bool = False) -> None:
    """Add up tables of `learn_site`, of different archives or parts of them, in one at `output`.

    `least`: lines on fewer pages are left out of the sum; the last merge of parts takes 2, and the table has the bytes of one
    that was learned of all. Lines that ``least`` or ``size`` have left out of a table are missing in the sum: parts are learned with ``least=1``. The
    memory does not grow with the tables. More than 64 tables are merged in steps, by way of files in a folder beside `output`.

    Raises ``FileExistsError``; ``OSError`` for a file that cannot be read or written, or is damaged; `danatext.OptionError`
    where there is none.
    """
    paths = tuple(os.fsencode(path) for path in ([tables] if isinstance(tables, (str, os.PathLike)) else tables))
    if not paths:
        raise OptionError("there are no tables to merge; expected one or more")
    _check("least", least, 1)
    _refuse_existing(output, force)
    with tempfile.TemporaryDirectory(prefix=b".site.", dir=os.path.dirname(os.fsencode(output)) or b".") as folder:
        number = 0
        while len(paths) > MOST:
            number += 1
            step = os.path.join(folder, b"%d" % number)
            _dana.site_merge(paths[:MOST], step, 1, False)
            paths = (*paths[MOST:], step)
        _dana.site_merge(paths, os.fsencode(output), least, force)
