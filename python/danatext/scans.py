# SPDX-License-Identifier: MIT
"""Many archives, read as often as one likes: for engines, which pickle, split and try again."""

import contextlib
import os
from typing import TYPE_CHECKING, Any, Generator, Iterable, Iterator, NamedTuple, Union, overload

from danatext import _dana
from danatext.archive import Archive, _Batches, open_source
from danatext.document import Document
from danatext.fields import batch_of, fields_of, row_of, schema_of
from danatext.options import OpenOptions, Settings, settings_of
from danatext.paths import SPLIT_BYTES, expand, filesystem_of, is_address
from danatext.report import Report, report_of
from danatext.revisits import archives_of
from danatext.source import Source, is_path, size_of
from danatext.wacz import zip_at

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["Rows", "Scan", "Split", "scan"]


class Split(NamedTuple):
    """A part of an input: the records whose member begins in the bytes from `begin` to `end` (None: to its end)."""

    source: Any
    begin: int = 0
    end: "int | None" = None


Sources = Union[Source, Split, Iterable[Union[Source, Split]]]


def _list(sources: Sources) -> "tuple[Split, ...]":
    if isinstance(sources, Split) or is_path(sources) or hasattr(sources, "read") or hasattr(sources, "readinto"):
        sources = [sources]  # type: ignore[list-item]
    return tuple(s if isinstance(s, Split) else Split(s) for s in sources)  # type: ignore[union-attr]


def _expanded(sources: "tuple[Split, ...]") -> "tuple[Split, ...]":
    """The same with the archives that patterns and folders name."""
    found: "list[Split]" = []
    for split in sources:
        names = [split.source]
        if isinstance(split.source, (str, os.PathLike)) and split.begin == 0 and split.end is None:
            name = os.fspath(split.source)
            names = expand(name) if isinstance(name, str) and not os.path.isfile(name) else names
        found += [split] if names == [split.source] else [Split(name) for name in names]
    return tuple(found)


class Scan:
    """The documents of some archives, in order. Make one by `danatext.scan`.

    Nothing is opened before it is iterated, or read as a stream of Arrow, which begins anew each time: DuckDB, polars,
    pandas and pyarrow take it as they take a table. It can be pickled if its sources can; paths can.
    """

    def __init__(
        self,
        sources: "tuple[Split, ...]",
        split_bytes: "int | None",
        filesystem: Any,
        options: Settings,
        progress: bool = False,
    ):
        self._sources = sources
        self._split_bytes = split_bytes
        self._filesystem = filesystem
        self._options = options
        self._progress = progress
        self._read: "list[Archive]" = []  # by the last pass, where it is for a report

    def __getstate__(self) -> "dict[str, Any]":
        return {**self.__dict__, "_read": []}

    def __repr__(self) -> str:
        names = [split.source if is_path(split.source) else type(split.source).__name__ for split in self._sources]
        more = ", ..." if len(names) > 2 else ""
        count = f"{len(names)} archive{'' if len(names) == 1 else 's'}"
        return f"<danatext.Scan of {count} ({', '.join(map(repr, names[:2]))}{more}) by {self._options.methods[0]!r}>"

    def _open(self, split: Split, before: "Archive | None") -> Archive:
        if hasattr(split.source, "seek"):  # a file object that was read before begins anew
            split.source.seek(0)
        return open_source(split.source, self._filesystem, split.begin, split.end, self._options, before)

    def archives(self) -> "Generator[Archive, None, None]":
        """Open one source after the other; each is closed when the next is opened."""
        archive: "Archive | None" = None
        read: "list[Archive]" = []
        if self._options.flags & _dana.KEEP_REPORT:
            self._read = read
        try:
            for split in self._sources:
                before, archive = archive, None
                try:
                    archive = self._open(split, before)
                finally:
                    if before is not None:
                        before.close()
                if read is self._read:
                    read.append(archive)
                yield archive
        finally:
            if archive is not None:
                archive.close()

    def __iter__(self) -> "Iterator[Document]":
        return self._shown(document for archive in self.archives() for document in archive)

    def _shown(self, documents: "Iterator[Any]") -> "Iterator[Any]":
        """The same, with a bar where `progress` is set."""
        if not self._progress:
            return documents
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError("progress=True needs tqdm, which is not installed: pip install tqdm") from None
        return iter(tqdm(documents, unit=" pages"))

    def report(self) -> Report:
        """Return the page of ``dana filter --report``: what came in, what came out, why not, and samples.

        Of a scan with ``report=True`` it is of the last pass over it, as far as that has come: an iteration, a stream of Arrow,
        a file of Parquet. Otherwise, and before the first pass, the archives are read for it.
        """
        if not self._options.flags & _dana.KEEP_REPORT:
            flags = self._options.flags | _dana.KEEP_REPORT
            return Scan(self._sources, self._split_bytes, self._filesystem, self._options._replace(flags=flags)).report()
        if not self._read:
            for archive in self.archives():
                archive._take(_dana.archive_drain)
        return report_of(self._read or [Archive(_Nothing(), 0, None, self._options)])

    # ---- parts ----

    def splits(self) -> "list[Split]":
        """Cut the sources into parts of at most ``split_bytes``, to be scanned by different processes.

        What the parts give, in order, is what the whole gives. A part is small when it is pickled; ``scan(part,
        **options)`` reads it. The size of each file is read.
        """
        return [part for split in self._sources for part in self._parts(split)]

    def _parts(self, split: Split) -> "Iterator[Split]":
        zipped = zip_at(split.source, self._filesystem) if split.end is None else None
        if zipped is None:
            yield from self._cut(split, self._size_of(split))
            return
        with contextlib.closing(zipped.file):
            names = [f"{zipped.name}/{entry.name}" for entry in zipped.entries]
            # One of several archives can be read alone if its name is its own.
            if zipped.fault is not None or len(set(names)) < len(names):
                yield split
                return
            for name, entry in zip(names, zipped.entries):
                yield from self._cut(Split(name, split.begin), entry.size)

    def _size_of(self, split: Split) -> "int | None":
        if self._split_bytes is None or split.end is not None:
            return split.end
        source, filesystem = split.source, self._filesystem
        if is_address(source) and filesystem is None:
            filesystem, source = filesystem_of(source)
        return size_of(source, filesystem)

    def _cut(self, split: Split, end: "int | None") -> "Iterator[Split]":
        step = self._split_bytes
        if step is None or end is None or end - split.begin <= step:
            yield split
            return
        n = -(-(end - split.begin) // step)
        cuts = [split.begin + (end - split.begin) * i // n for i in range(n)]
        for begin, stop in zip(cuts, [*cuts[1:], split.end]):
            yield Split(split.source, begin, stop)

    def of(self, sources: Sources) -> "Scan":
        """Return the scan of other sources, or of some of the parts, with the same options."""
        return Scan(_list(sources), self._split_bytes, self._filesystem, self._options, self._progress)

    # ---- files ----

    def _objects(self) -> "Iterator[dict[str, Any]]":
        return (document.asdict() for document in self)

    def to_jsonl(self, path: "str | os.PathLike[str]") -> int:
        """Write an object of JSON a line, as ``dana filter`` does; a name that ends in ``.gz`` is compressed.

        Returns the number of lines. The same input gives the same bytes. The file appears when it is complete.
        """
        import gzip
        import io
        from json import dumps

        part = f"{os.fspath(path)}.part"
        rows = 0
        try:
            with open(part, "wb") as file:
                packed = gzip.GzipFile("", "wb", 6, file, 0) if os.fspath(path).endswith(".gz") else None
                with io.TextIOWrapper(packed or file, encoding="utf-8", newline="\n") as lines:
                    for each in self._objects():
                        lines.write(dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n")
                        rows += 1
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.unlink(part)
            raise
        return rows

    # ---- Arrow ----

    def __arrow_c_schema__(self) -> Any:
        """The schema, as Arrow's PyCapsule interface has it; opens nothing."""
        return Archive(_Nothing(), 0, None, self._options._replace(site=None)).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """All documents, from the beginning, as batches; `requested_schema` changes nothing, as the interface allows."""
        return _dana.stream_of(_ScanBatches(self))

    def to_pandas(self) -> Any:
        """Return the documents as a ``pandas.DataFrame`` with the columns of the schema, by pyarrow."""
        return _pyarrow("to_pandas").table(self).to_pandas()

    def to_parquet(self, path: "str | os.PathLike[str]", *, compression: str = "zstd", **options: Any) -> int:
        """Write the documents to a Parquet file, by pyarrow, batch by batch. Returns the number of rows.

        `options` are the options of ``pyarrow.parquet.ParquetWriter``. The same input gives the same bytes. The file appears
        when it is complete.
        """
        _pyarrow("to_parquet")
        import pyarrow
        import pyarrow.parquet

        part = f"{os.fspath(path)}.part"
        rows = 0
        try:
            with pyarrow.RecordBatchReader.from_stream(self) as reader:
                with pyarrow.parquet.ParquetWriter(part, reader.schema, compression=compression, **options) as writer:
                    for batch in reader:
                        writer.write_batch(batch)
                        rows += batch.num_rows
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.unlink(part)
            raise
        return rows


class Rows(Scan):
    """A scan with chosen fields, which `danatext.scan` makes of ``fields``: dicts and columns in their order."""

    def __init__(self, fields: "tuple[str, ...]", *rest: Any):
        super().__init__(*rest)
        self._fields = fields

    def __iter__(self) -> "Iterator[dict[str, Any]]":  # type: ignore[override]
        documents = (document for archive in self.archives() for document in archive)
        return self._shown(row_of(document, self._fields) for document in documents)

    def _objects(self) -> "Iterator[dict[str, Any]]":
        return iter(self)

    def _all(self) -> Scan:
        """The scan of all fields."""
        return Scan(self._sources, self._split_bytes, self._filesystem, self._options)

    def of(self, sources: Sources) -> "Rows":
        """Return the scan of other sources, or of some of the parts, with the same options."""
        return Rows(self._fields, _list(sources), self._split_bytes, self._filesystem, self._options, self._progress)

    def _schema(self) -> Any:
        pyarrow = _pyarrow("a stream of chosen fields")
        return schema_of(pyarrow.schema(self._all()), self._fields)

    def __arrow_c_schema__(self) -> Any:
        """The schema of the columns, as Arrow's PyCapsule interface has it, by pyarrow; opens nothing."""
        return self._schema().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The columns, from the beginning, as batches, by pyarrow. What a plugin adds under a key is a text."""
        schema, reader = self._schema(), _pyarrow("a stream of chosen fields").RecordBatchReader
        batches = (batch_of(batch, self._fields, schema) for batch in reader.from_stream(self._all()))
        return reader.from_batches(schema, batches).__arrow_c_stream__(requested_schema)


def _pyarrow(method: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f"{method} needs pyarrow, which is not installed: pip install 'danatext[parquet]'") from None
    return pyarrow


class _Nothing:
    def read(self, size: int) -> bytes:
        return b""


class _ScanBatches:
    """The iterator behind a stream."""

    def __init__(self, scan: Scan):
        self._scan = scan
        self._archives = scan.archives()
        self._batches: "Iterator[Any]" = iter(())

    def schema(self) -> Any:
        return self._scan.__arrow_c_schema__()

    def __iter__(self) -> "_ScanBatches":
        return self

    def __next__(self) -> Any:
        while True:
            for batch in self._batches:
                return batch
            self._batches = _Batches(next(self._archives))


@overload
def scan(
    sources: Sources,
    *,
    split_bytes: "int | None" = ...,
    filesystem: Any = ...,
    progress: bool = ...,
    fields: None = ...,
    **options: "Unpack[OpenOptions]",
) -> Scan: ...


@overload
def scan(
    sources: Sources,
    *,
    split_bytes: "int | None" = ...,
    filesystem: Any = ...,
    progress: bool = ...,
    fields: "str | Iterable[str]",
    **options: "Unpack[OpenOptions]",
) -> Rows: ...


def scan(
    sources: Sources,
    *,
    split_bytes: "int | None" = SPLIT_BYTES,
    filesystem: Any = None,
    progress: bool = False,
    report: bool = False,
    fields: "str | Iterable[str] | None" = None,
    **options: "Unpack[OpenOptions]",
) -> Scan:
    """Describe the reading of one archive or of several, in order.

    `sources` is a path, a file object, a `Split`, or an iterable of these. A path may be a pattern or a folder, for the
    archives in it, a WACZ, for those in it, and a URL (``https://``, ``s3://``), which fsspec opens. With a `filesystem` of fsspec or
    pyarrow paths are opened by it, as they are. With `progress` a bar of tqdm is shown while documents are taken. With `report`
    each pass collects what `Scan.report` shows. `options` are the options of `danatext.open`. `split_bytes` is the most that
    `Scan.splits` puts into a part; None: files stay whole.

    With `fields`, as ``["url", "title", "quality.words"]``, the names of ``dana filter --fields``, the scan gives these alone, in
    this order: iterated dicts, and columns of Arrow, Parquet and JSONL. What a plugin adds under a key is a text in a column
    of Arrow: the JSON of what is no text.
    """
    if split_bytes is not None and split_bytes < 1:
        raise ValueError(f"split_bytes is {split_bytes}; expected 1 or more, or None")
    if options.get("place") is not None:
        raise TypeError("a scan begins anew each time; use danatext.open to continue from an offset")
    splits = _list(sources) if filesystem is not None else _expanded(_list(sources))
    settings = settings_of("scan", options)
    settings = settings._replace(
        revisits=archives_of(settings.revisits, [split.source for split in splits]),
        flags=settings.flags | (_dana.KEEP_REPORT if report else 0),
    )
    if fields is not None:
        return Rows(fields_of(fields, settings), splits, split_bytes, filesystem, settings, progress)
    return Scan(splits, split_bytes, filesystem, settings, progress)
