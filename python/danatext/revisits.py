# SPDX-License-Identifier: MIT
"""Revisits: the table in which the records are found that they refer to, as ``dana filter --revisits resolve`` makes it."""

import os
import warnings
from typing import Any, Iterable, Union

from danatext import _dana
from danatext.errors import OptionError
from danatext.latest import Latest
from danatext.paths import expand, is_address
from danatext.source import bytes_of
from danatext.wacz import zip_at

Revisits = Union[str, "os.PathLike[str]", "Iterable[str | os.PathLike[str]]"]

_tables = Latest()  # the archives of a scan have the same


def archives_of(revisits: "Revisits | None", sources: "Iterable[Any] | None") -> "tuple[str, ...] | None":
    """Return the files in which records are looked for; None: revisits are counted. `sources`: what is read itself."""
    if revisits is None or revisits == "count":
        return None
    looked_in = sources if revisits == "resolve" else [revisits] if isinstance(revisits, (str, os.PathLike)) else revisits
    if looked_in is None:
        raise OptionError("revisits='resolve' needs to know the archives; expected their paths, or danatext.scan")
    found: "list[str]" = []
    for source in looked_in:
        name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
        if not isinstance(name, str) or is_address(name):
            what = type(source).__name__ if name is None else repr(name)
            raise OptionError(f"revisits reads archives twice, and {what} is no file on this machine; fetch it, and give the file")
        found += expand(name) if not os.path.isfile(name) else [name]
    return tuple(dict.fromkeys(found))


def _add(table: Any, path: str) -> None:
    zipped = zip_at(path, None)
    if zipped is None:
        _dana.revisits_add(table, os.fsencode(path), bytes_of(path), 0, 0)
        return
    try:
        for entry in zipped.entries:
            if entry.size is None:
                warnings.warn(f"{zipped.name}/{entry.name}: deflated in its zip, so revisits of its records are only counted", stacklevel=2)
            elif entry.size:
                name = bytes_of(f"{zipped.name}/{entry.name}")
                _dana.revisits_add(table, os.fsencode(zipped.name), name, entry.file.begin, entry.size)
    finally:
        zipped.file.close()


def _table(paths: "tuple[str, ...]") -> Any:
    table = _dana.revisits_new(0)
    for path in paths:
        _add(table, path)
    if left_out := _dana.revisits_left_out(table):
        warnings.warn(f"{left_out} records have no room in the table of revisits; revisits of these are only counted", stacklevel=2)
    return table


def table_of(paths: "tuple[str, ...]") -> Any:
    """The table of these archives, as the extension wants it; made anew if a file is another one."""
    files = [os.stat(path) if os.path.isfile(path) else None for path in paths]
    key = paths, tuple(s and (s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns) for s in files)
    return _tables.get(key, lambda: _table(paths))
