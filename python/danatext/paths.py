# SPDX-License-Identifier: MIT
"""Paths and URLs of archives, as engines are given them: patterns, folders, other file systems, parts."""

import glob
import os
import re
from typing import TYPE_CHECKING, Any, Iterable, Union

if TYPE_CHECKING:
    from danatext.scans import Scan, Split

__all__ = ["expand", "is_address", "scan_of", "splits"]

Paths = Union[str, Iterable[str]]
SPLIT_BYTES = 128 << 20

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_ARCHIVE = re.compile(r"\.(w?arc(\.gz|\.zst)?|wacz)$")
_HADOOP = ("hdfs://", "viewfs://")


def filesystem_of(path: str) -> "tuple[Any, str]":
    """The file system of a URL, and the path in it: Hadoop's own client for HDFS, fsspec for all others."""
    if path.startswith(_HADOOP):
        import pyarrow.fs

        return pyarrow.fs.FileSystem.from_uri(path)
    try:
        import fsspec.core
    except ImportError:
        raise ImportError(f"{path}: URLs are opened by fsspec, which is not installed: pip install fsspec aiohttp s3fs") from None

    return fsspec.core.url_to_fs(path)


def open_at(path: str, filesystem: Any) -> Any:
    """Open a path of a filesystem of fsspec (``open``) or pyarrow (``open_input_file``), or a URL (None)."""
    if filesystem is None:
        filesystem, path = filesystem_of(path)
    if hasattr(filesystem, "open_input_file"):
        return filesystem.open_input_file(path)
    return filesystem.open(path, "rb")


def is_address(path: Any) -> bool:
    return isinstance(path, str) and _ADDRESS.match(path) is not None


def _local(path: str) -> str:
    """Hadoop writes local paths as file:/a/b, on Windows as file:/C:/a."""
    path = re.sub(r"^file:/+", "/", path)
    return path[1:] if os.name == "nt" and re.match(r"/[A-Za-z]:", path) else path


def _expand_local(path: str) -> "list[str]":
    if os.path.isdir(path):
        names = (os.path.join(folder, name) for folder, _, files in os.walk(path) for name in files)
        return sorted(name for name in names if _ARCHIVE.search(name))
    return sorted(glob.glob(path)) if glob.has_magic(path) and not os.path.exists(path) else [path]


def _expand_address(path: str) -> "list[str]":
    if not path.startswith(_HADOOP) and not glob.has_magic(path) and _ARCHIVE.search(path):
        return [path]
    if path.startswith(_HADOOP):
        from fsspec.implementations.arrow import ArrowFSWrapper

        arrow, inside = filesystem_of(path)
        filesystem = ArrowFSWrapper(arrow)
    else:
        filesystem, inside = filesystem_of(path)
    if glob.has_magic(inside):
        found = filesystem.glob(inside)
    elif filesystem.isdir(inside):
        found = [name for name in filesystem.find(inside) if _ARCHIVE.search(name)]
    else:
        found = [inside]
    before = path[: path.index(inside)] if inside in path else ""
    return sorted(before + name for name in found)


def expand(paths: Paths) -> "list[str]":
    """The archives that paths, patterns, folders and URLs name, in order. A folder's are those called like archives.

    Raises ``FileNotFoundError`` for a pattern or a folder without archives.
    """
    every = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = _local(os.fspath(path))
        found = _expand_address(path) if _ADDRESS.match(path) else _expand_local(path)
        if not found:
            raise FileNotFoundError(f"{path}: no archives there; expected names that end in .warc, .arc, with .gz or .zst, or .wacz")
        every += found
    return every


def scan_of(split: "Split", **options: Any) -> "Scan":
    """The scan of a part of an archive, wherever that is. ``file`` of its documents is the path as given."""
    from danatext.scans import scan

    return scan(split, **options)


def splits(paths: Paths, split_bytes: "int | None" = SPLIT_BYTES) -> "list[Split]":
    """The archives of `paths` cut into parts of at most `split_bytes` (None: whole), to be read by different tasks.

    Raises ``OSError`` for an archive that does not exist.
    """
    from danatext.scans import Split

    parts: "list[Split]" = []
    for path in expand(paths):
        parts += scan_of(Split(path), split_bytes=split_bytes).splits()
    return parts
