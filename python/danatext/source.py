# SPDX-License-Identifier: MIT
"""Where the bytes of an archive come from: paths, and whatever can be read."""

import io
import os
from typing import Any, BinaryIO, Protocol, Union

__all__ = ["Readable", "Source"]

READ_BYTES = 256 << 10
FIRST_BYTES = 64 << 10  # kept of the input, to say what it is where it is no archive


NOTHING_NOW = "the source has no bytes at the moment; expected one that waits for them"


class Readable(Protocol):
    """A file object for bytes. One that has ``readinto`` in place of ``read`` will do as well."""

    def read(self, size: int, /) -> bytes: ...


Source = Union[str, "os.PathLike[str]", BinaryIO, Readable]


LONG = 247  # characters of a path that Windows takes as it is


def openable(path: Any) -> Any:
    """The path as it is opened: on Windows a long one has a prefix, without which it needs a setting of the system."""
    path = os.fspath(path)
    if os.name != "nt" or len(path) <= LONG:
        return path
    full = os.path.abspath(os.fsdecode(path))
    if full.startswith("\\\\?\\"):
        return full
    return "\\\\?\\UNC" + full[1:] if full.startswith("\\\\") else "\\\\?\\" + full


def bytes_of(name: "str | bytes | os.PathLike[str]") -> bytes:
    """A name as documents have it. One in a zip may have bytes that are not UTF-8; one of Windows half of a pair."""
    name = os.fspath(name)
    if isinstance(name, bytes):
        return name
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return os.fsencode(name)


def is_path(source: Any) -> bool:
    return isinstance(source, (str, bytes, os.PathLike))


def _size(file: Any) -> "int | None":
    """The size of a file object if it is known without reading: of a decompressor's, seeking to the end would read all."""
    if isinstance(file, io.FileIO):
        return os.fstat(file.fileno()).st_size
    if isinstance(file, (io.BufferedReader, io.BufferedRandom)):
        return _size(file.raw)
    if isinstance(file, io.BytesIO):
        return file.getbuffer().nbytes
    size = getattr(file, "size", None)  # fsspec has a number, pyarrow a method
    if callable(size):
        size = size()
    return size if isinstance(size, int) else None


class Reader:
    """Reads a source from its current position, and seeks in it if it can. Offsets count from there."""

    def __init__(self, source: Source, name: "str | None" = None):
        self.owned = is_path(source)
        self.file: Any = io.FileIO(openable(source)) if self.owned else source  # type: ignore[arg-type]
        self.name = self._name(source) if name is None else bytes_of(name)
        if not hasattr(self.file, "read") and not hasattr(self.file, "readinto"):
            raise TypeError(f"{type(source).__name__} is not a source; expected a path, or an object with read or readinto")
        self.base, self.size = self._extent()
        self.first = bytearray()
        self._room = FIRST_BYTES  # in `first`

    def _name(self, source: Source) -> bytes:
        name = source if self.owned else getattr(source, "name", None)
        return bytes_of(name) if isinstance(name, (str, bytes, os.PathLike)) else b"-"

    def _extent(self) -> "tuple[int, int]":
        """Its position, and how many bytes there are from there; 0: it cannot seek, or does not know."""
        seekable = getattr(self.file, "seekable", None)
        if seekable is None or not seekable():
            return 0, 0
        size = _size(self.file)
        if not size:
            return 0, 0
        base = self.file.tell()
        return base, max(size - base, 0)

    def read(self) -> Any:
        """The next bytes, as an object with a buffer; none at the end."""
        data = self._read() if hasattr(self.file, "read") else self._read_into()
        if self._room:
            self.first += memoryview(data)[: self._room]
            self._room = FIRST_BYTES - len(self.first) if len(data) else 0
        return data

    def _read(self) -> Any:
        data = self.file.read(READ_BYTES)
        if isinstance(data, bytes):
            return data
        if isinstance(data, str):
            raise TypeError("the source gives text; open it in binary mode")
        if data is None:
            raise BlockingIOError(NOTHING_NOW)
        try:
            return memoryview(data).cast("B")
        except TypeError:
            raise TypeError(f"the source's read returned {type(data).__name__}; expected bytes") from None

    def _read_into(self) -> bytes:
        buffer = bytearray(READ_BYTES)
        n = self.file.readinto(buffer)
        if n is None:
            raise BlockingIOError(NOTHING_NOW)
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise TypeError(f"the source's readinto returned {type(n).__name__}; expected the number of bytes that it read")
        if not 0 <= n <= READ_BYTES:
            raise OSError(f"the source's readinto returned {n}; expected 0 to {READ_BYTES}, the number of bytes that it read")
        return bytes(memoryview(buffer)[:n])

    def seek(self, offset: int) -> None:
        self._room = 0
        self.file.seek(self.base + offset)

    def close(self) -> None:
        if self.owned:
            self.file.close()


def size_of(source: Any, filesystem: Any) -> "int | None":
    """The size of a source that can be cut into parts; None: it is not known, or it cannot seek."""
    if not is_path(source):
        return _size(source) if getattr(source, "seekable", bool)() else None
    if filesystem is None:
        return os.stat(openable(source)).st_size
    if hasattr(filesystem, "get_file_info"):
        size = filesystem.get_file_info(os.fspath(source)).size
    else:
        size = filesystem.size(os.fspath(source))
    return size if isinstance(size, int) else None
