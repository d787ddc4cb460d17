# SPDX-License-Identifier: MIT
"""WACZ: a zip with archives in its folder ``archive/``, or with WACZs; each archive is an input by itself."""

import errno
import io
import os
import re
from typing import Any, NamedTuple

from danatext import _dana
from danatext.paths import is_address, open_at
from danatext.source import openable

__all__ = ["Entry", "Zip", "zip_at"]

_IN_ADDRESS = re.compile(r"(.*?\.(?:wacz|zip))(?:/(.+)|[?#].*)?", re.S)
_BEGINS = (b"PK\3\4", b"PK\5\6")
_CUT_OFF = "zip: the entry is damaged: its data is cut off"
_WRONG = "zip: the entry is damaged: its checksum is wrong"


class _Part:
    """A part of a file as a file."""

    def __init__(self, file: Any, begin: int, size: int):
        self._file, self.begin, self.size, self._at = file, begin, size, 0
        self.fault: "str | None" = None

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int) -> None:
        self._at = offset

    def read(self, n: int) -> Any:
        self._file.seek(self.begin + self._at)
        data = self._file.read(max(0, min(n, self.size - self._at)))
        self._at += len(data)
        return data


class _Stored(_Part):
    """A stored entry. Where all of it is read, ``fault`` is whether it has its checksum."""

    def __init__(self, file: Any, begin: int, size: int, crc: int):
        super().__init__(file, begin, size)
        import zlib

        self._crc32, self._crc = zlib.crc32, crc
        self._summed = self._sum = 0

    def read(self, n: int) -> Any:
        before = self._at
        data = super().read(n)
        if before <= self._summed < self._at:
            self._sum = self._crc32(memoryview(data)[self._summed - before :], self._sum)
            self._summed = self._at
        if not data and n and self._at < self.size:
            self.fault = _CUT_OFF
        elif self._summed == self.size:
            self.fault = None if self._sum == self._crc else _WRONG
        return data


class _Inflated:
    """A deflated entry as a file that cannot seek. It ends where it is damaged, and ``fault`` is why."""

    def __init__(self, deflated: Any, size: int, crc: int):
        import zlib

        self._in, self._size, self._crc = deflated, size, crc
        self._crc32, self._error = zlib.crc32, zlib.error
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        self._made = self._made_crc = 0
        self._over = False
        self.fault: "str | None" = None

    def read(self, n: int) -> bytes:
        while not self._over:
            try:
                got = self._inflate.unconsumed_tail or self._in.read(n)
                data = self._inflate.decompress(got, n)
            except self._error:
                self._end("its data is not deflated")
                break
            given = data[: self._size - self._made]
            self._made += len(given)
            self._made_crc = self._crc32(given, self._made_crc)
            if len(given) < len(data):
                self._end("it is longer than its directory has it")
            elif self._inflate.eof and self._made < self._size:
                self._end("it is shorter than its directory has it")
            elif self._inflate.eof:
                self._end(None if self._made_crc == self._crc else "its checksum is wrong")
            elif not got and not data:
                self._end("its data is cut off")
            if given:
                return given
        return b""

    def _end(self, why: "str | None") -> None:
        self._over = True
        self.fault = self._in.fault or f"zip: the entry is damaged: {why}" if why else None


class _InflatedZip:
    """A deflated zip in the zip, from its beginning. Its archives, one after the other, are read in one pass."""

    def __init__(self, file: Any, begin: int, length: int, size: int, crc: int):
        self._file, self._begin, self._length, self._size, self._crc = file, begin, length, size, crc
        self._open()

    def _open(self) -> None:
        self._zip = _Inflated(_Part(self._file, self._begin, self._length), self._size, self._crc)
        self._at, self._rest = 0, b""

    @property
    def fault(self) -> "str | None":
        return self._zip.fault

    def read_at(self, offset: int, n: int) -> bytes:
        if offset < self._at:
            self._open()
        while True:
            passed = min(offset - self._at, len(self._rest))
            self._at, self._rest = self._at + passed, self._rest[passed:]
            if self._rest:
                break
            self._rest = self._zip.read(1 << 20)
            if not self._rest:
                return b""
        data, self._rest = self._rest[:n], self._rest[n:]
        self._at += len(data)
        return data


class _InZip:
    """An entry of a deflated zip, as a file that cannot seek."""

    def __init__(self, inflated: _InflatedZip, begin: int, size: int, crc: "int | None"):
        import zlib

        self._zip, self._begin, self._size, self._crc = inflated, begin, size, crc
        self._crc32 = zlib.crc32
        self._at = self._sum = 0
        self.fault: "str | None" = None

    def read(self, n: int) -> bytes:
        data = self._zip.read_at(self._begin + self._at, min(n, self._size - self._at)) if self._at < self._size else b""
        self._at += len(data)
        if self._crc is not None:
            self._sum = self._crc32(data, self._sum)
        if not data and self._at < self._size:
            self.fault = self._zip.fault or _CUT_OFF
        elif self._at == self._size and self._crc not in (None, self._sum):
            self.fault = _WRONG
        return data


class _Watched:
    """A file with a message of its own where a server sends no ranges."""

    def __init__(self, file: Any):
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, *n: int) -> Any:
        try:
            return self._file.read(*n)
        except ValueError as error:  # of fsspec, where a server sends no ranges
            raise OSError(f"a WACZ needs a server that sends ranges of it; fetch it, and give the file: {error}") from error


class Entry(NamedTuple):
    """An archive in a zip; `size` is None where something is deflated, so that it has no parts."""

    name: str
    file: Any
    size: "int | None"
    fault: "str | None"


class Zip:
    """The archives of a zip, of which only the directories are read. `only`: the archive with this name alone, or what the
    WACZ in it with this name holds.

    `fault` is why no archive was found: the zip is damaged, or holds none.
    """

    def __init__(self, file: _Watched, name: str, only: "str | None" = None):
        self.file, self.name, self.only = file, name, only
        self.fault: "str | None" = None
        self.entries: "list[Entry]" = []
        self._inflated: "dict[Any, _InflatedZip]" = {}
        if not file.seekable():
            raise OSError(f"{name}: a WACZ needs a server that sends ranges of it; fetch it, and give the file")
        found = _dana.zip_entries(file, file.seek(0, os.SEEK_END))
        if isinstance(found, list):
            self.entries = [self._entry(*entry) for entry in found]
        else:
            self.fault = found or "zip: it does not begin as a zip does"
        if self.fault is None and only is not None:
            named = [entry for entry in self.entries if entry.name == only][:1]
            self.entries = named or [entry for entry in self.entries if entry.name.startswith(f"{only}/")]
            if not self.entries:
                raise FileNotFoundError(errno.ENOENT, "the zip holds no archive of this name", f"{name}/{only}")
            if not named:  # names are told after that of the zip
                self.entries = [entry._replace(name=entry.name[len(only) + 1 :]) for entry in self.entries]
                self.name, self.only = f"{name}/{only}", None

    def _entry(
        self, name: bytes, begin: int, length: int, deflated: bool, size: int, crc: int, inside: Any, fault: "str | None"
    ) -> Entry:
        shown = name.decode("utf-8", "surrogateescape")
        if fault is not None:
            return Entry(shown, None, None, fault)
        if inside is None and not deflated:
            return Entry(shown, _Stored(self.file, begin, length, crc), length, None)
        if inside is None:
            return Entry(shown, _Inflated(_Part(self.file, begin, length), size, crc), None, None)
        if inside not in self._inflated:
            _, zip_begin, zip_length, _, zip_size, zip_crc, _, _ = inside
            self._inflated[inside] = _InflatedZip(self.file, zip_begin, zip_length, zip_size, zip_crc)
        part = _InZip(self._inflated[inside], begin, length, None if deflated else crc)
        return Entry(shown, _Inflated(part, size, crc) if deflated else part, None, None)


def _begins(path: str) -> bool:
    try:
        with open(openable(path), "rb") as file:
            return file.read(4) in _BEGINS
    except OSError:
        return False


def _cut(path: str, local: bool) -> "tuple[str, str | None] | None":
    """The path of a zip, and the name of the entry that follows it, if any; None: it is not a zip.

    A file is known by its first bytes, what is elsewhere by its name.
    """
    if not local:
        found = _IN_ADDRESS.fullmatch(path)
        return (found[1] if found[2] else path, found[2]) if found else None
    if os.path.exists(openable(path)):
        return (path, None) if os.path.isfile(openable(path)) and _begins(path) else None
    folder, before = os.path.dirname(path), path
    while folder not in ("", before):  # which the root of a file system is
        if os.path.exists(folder):
            entry = path[len(folder) + 1 :].replace(os.sep, "/")
            return (folder, entry) if os.path.isfile(folder) and _begins(folder) else None
        folder, before = os.path.dirname(folder), folder
    return None


def zip_at(source: Any, filesystem: Any) -> "Zip | None":
    """The zip at a path (of `filesystem`, if there is one) or a URL, with or without an entry; None: it is not one."""
    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    if not isinstance(path, str):
        return None
    local = filesystem is None and not is_address(path)
    found = _cut(path, local)
    if found is None:
        return None
    where, only = found
    file = _Watched(io.FileIO(openable(where)) if local else open_at(where, filesystem))
    try:
        if not local and file.seekable():
            if file.read(4) not in _BEGINS:  # it is named like a zip, but has other content
                file.close()
                return None
            file.seek(0)
        return Zip(file, where, only)
    except BaseException:
        file.close()
        raise
