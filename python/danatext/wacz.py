# SPDX-License-Identifier: MIT
"""WACZ: a zip with archives in its folder ``archive/``, each of which is an input by itself."""

import errno
import io
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from danatext.paths import is_address, open_at

if TYPE_CHECKING:
    import zipfile  # where a zip is read, as it imports much

__all__ = ["Entry", "Zip", "zip_at"]

_ARCHIVE = re.compile(rb"archive/.*\.w?arc(\.gz|\.zst)?", re.S)
_IN_ADDRESS = re.compile(r"(.*?\.wacz)(?:/(.+)|[?#].*)?", re.S)
_BEGINS = (b"PK\3\4", b"PK\5\6")
_LOCAL_BYTES = 30  # of a local header, without its name and its fields
_STORED, _DEFLATED = 0, 8
_UTF_8 = 0x800  # flag of an entry: its name is UTF-8


class _Part:
    """A part of a file as a file."""

    def __init__(self, file: Any, begin: int, size: int):
        self._file, self._begin, self.size, self._at = file, begin, size, 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int) -> None:
        self._at = offset

    def read(self, n: int) -> Any:
        self._file.seek(self._begin + self._at)
        data = self._file.read(max(0, min(n, self.size - self._at)))
        self._at += len(data)
        return data


class _Inflated:
    """A deflated entry as a file that cannot seek. It ends where it is damaged, and ``fault`` is why."""

    def __init__(self, deflated: _Part, size: int, crc: int):
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
            elif self._inflate.eof:
                right = self._made == self._size and self._made_crc == self._crc
                self._end(None if right else "its length or its checksum is wrong")
            elif not got and not data:
                self._end("its data is cut off")
            if given:
                return given
        return b""

    def _end(self, why: "str | None") -> None:
        self._over = True
        self.fault = f"zip: the entry is damaged: {why}" if why else None


class _Watched:
    """A file that keeps what it raised: zipfile takes some of that for damage."""

    def __init__(self, file: Any):
        self._file = file
        self.raised: "Exception | None" = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, *n: int) -> Any:
        try:
            return self._file.read(*n)
        except ValueError as error:  # of fsspec, where a server sends no ranges
            self.raised = OSError(f"a WACZ needs a server that sends ranges of it; fetch it, and give the file: {error}")
            raise self.raised from error
        except Exception as error:
            self.raised = error
            raise


class Entry(NamedTuple):
    """An archive in a zip; `size` is None where it is deflated, so that it has no parts."""

    name: str
    file: Any
    size: "int | None"
    fault: "str | None"


class Zip:
    """The archives of a zip, of which only the directory is read. `only`: the archive with this name alone.

    `fault` is why no archive was found: the zip is damaged, or holds none.
    """

    def __init__(self, file: _Watched, name: str, only: "str | None" = None):
        self.file, self.name, self.only = file, name, only
        self.fault: "str | None" = None
        self.entries: "list[Entry]" = []
        import struct
        import zipfile

        # What zipfile raises for damage, where the file itself raised nothing.
        damage = (OSError, zipfile.BadZipFile, struct.error, EOFError, IndexError, NotImplementedError, OverflowError, ValueError)
        if not file.seekable():
            raise OSError(f"{name}: a WACZ needs a server that sends ranges of it; fetch it, and give the file")
        try:
            with zipfile.ZipFile(file) as directory:
                self._take(directory)
        except damage as error:
            if file.raised is not None:
                raise file.raised from None
            self.fault = f"zip: it is damaged or cut off: {error}"
        if self.fault is None and not self.entries:
            self.fault = "zip: it holds no archive (archive/*.warc or .arc, also with .gz or .zst)"
        if self.fault is None and only is not None:
            self.entries = [entry for entry in self.entries if entry.name == only][:1]
            if not self.entries:
                raise FileNotFoundError(errno.ENOENT, "the zip holds no archive of this name", f"{name}/{only}")

    def _take(self, directory: "zipfile.ZipFile") -> None:
        size, taken = self.file.seek(0, os.SEEK_END), 0
        for info in directory.infolist():
            raw = info.orig_filename.encode("utf-8" if info.flag_bits & _UTF_8 else "cp437")
            if b"\0" in raw or not _ARCHIVE.fullmatch(raw):
                continue
            taken += info.compress_size
            if taken > size:
                raise ValueError("an entry does not lie in it")
            self.entries.append(self._entry(info, os.fsdecode(raw), size))

    def _entry(self, info: "zipfile.ZipInfo", name: str, size: int) -> Entry:
        fault = None
        if info.flag_bits & 1:
            fault = "zip: it is encrypted"
        elif info.compress_type not in (_STORED, _DEFLATED):
            fault = "zip: it is compressed in a way that is not read here; expected stored or deflated"
        elif info.compress_type == _STORED and info.compress_size != info.file_size:
            fault = "zip: its lengths contradict each other"
        if fault is not None:
            return Entry(name, None, None, fault)
        self.file.seek(info.header_offset)
        local = self.file.read(_LOCAL_BYTES)
        name_bytes, more = (int.from_bytes(local[at : at + 2], "little") for at in (26, 28))
        begin = info.header_offset + _LOCAL_BYTES + name_bytes + more
        if len(local) < _LOCAL_BYTES or not local.startswith(_BEGINS[0]) or name_bytes != len(os.fsencode(name)):
            return Entry(name, None, None, "zip: the entry does not begin where the directory has it")
        if begin + info.compress_size > size:
            return Entry(name, None, None, "zip: the entry does not lie in the zip")
        part = _Part(self.file, begin, info.compress_size)
        if info.compress_type == _STORED:
            return Entry(name, part, part.size, None)
        return Entry(name, _Inflated(part, info.file_size, info.CRC), None, None)


def _begins(path: str) -> bool:
    try:
        with open(path, "rb") as file:
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
    if os.path.exists(path):
        return (path, None) if os.path.isfile(path) and _begins(path) else None
    folder = path
    while (folder := os.path.dirname(folder)) not in ("", "/"):
        if os.path.exists(folder):
            return (folder, path[len(folder) + 1 :]) if os.path.isfile(folder) and _begins(folder) else None
    return None


def zip_at(source: Any, filesystem: Any) -> "Zip | None":
    """The zip at a path (of `filesystem`, if there is one) or an address, with or without an entry; None: it is not one."""
    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    if not isinstance(path, str):
        return None
    local = filesystem is None and not is_address(path)
    found = _cut(path, local)
    if found is None:
        return None
    where, only = found
    file = _Watched(io.FileIO(where) if local else open_at(where, filesystem))
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
