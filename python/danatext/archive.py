# SPDX-License-Identifier: MIT
"""One archive: documents, one after the other, or as a stream of Arrow."""

import collections
import io
import os
import threading
from typing import TYPE_CHECKING, Any, Deque, Iterator

from danatext import _dana
from danatext.document import Document, Reject, document_of, parsed, reject_of
from danatext.errors import NotAnArchive, OptionError
from danatext.options import OpenOptions, Settings, settings_of
from danatext.paths import is_address, open_at
from danatext.report import add, counters
from danatext.revisits import archives_of
from danatext.revisits import table_of as revisits_table
from danatext.site import table_of
from danatext.source import Reader, Source, is_path
from danatext.wacz import Zip, zip_at

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["Archive", "open"]


def what_else(reader: Reader) -> str:
    """What an input is that is no archive, and what reads it."""
    from danatext.page import extract

    name = reader.name.decode("utf-8", "replace")
    shown = "the source" if name == "-" else name
    if isinstance(reader.file, _Unread):
        return f"{shown} is not an archive, and has no WARC or ARC record: {reader.file.why}"
    if reader.first.startswith(b"PK\3\4"):
        return (
            f"{shown} is not an archive, and has no WARC or ARC record: it is a zip archive; "
            "a WACZ is read from a path or a URL, not from a file object: danatext.open('x.wacz')"
        )
    reason = extract(bytes(reader.first), method="plain").reason
    page = reason is None and (b"<" in reader.first or bytes(reader.first).startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")))
    bytes_of = f"pathlib.Path({name!r}).read_bytes()" if reader.owned else "what it reads"
    if page:
        what = f"it looks like an HTML page: danatext.extract({bytes_of}) gives its text"
    else:
        what = f"it is {reason}" if reason else "it is text without markup"
    return f"{shown} is not an archive, and has no WARC or ARC record: {what}"


class _Unread(io.BytesIO):
    """In place of a zip, or of an entry, that cannot be read."""

    def __init__(self, why: str):
        super().__init__(b"PK\3\4")
        self.why = why


def _readers_of(zipped: Zip, name: "str | None") -> "list[Reader]":
    shown = zipped.name if name is None else name
    if zipped.fault is not None:
        return [Reader(_Unread(zipped.fault), shown)]
    inside = "" if zipped.only and name is not None else "/"
    return [
        Reader(entry.file or _Unread(entry.fault or ""), shown + (inside and inside + entry.name)) for entry in zipped.entries
    ]


class Archive:
    """An archive that is read once, from its beginning to its end. Make one by `danatext.open`.

    It is an iterator of documents, a context manager, and a stream of Arrow for whatever takes one. Documents are taken
    by whoever asks first: what the iterator gave is not in the stream.

    It is used by one thread at a time: a second thread gets ``RuntimeError``. It cannot be pickled, and not be used in
    a child after a fork: a `danatext.scan` can.
    """

    def __init__(self, source: "Source | Zip", begin: int, end: "int | None", options: Settings, before: "Archive | None" = None):
        """`before`: the archive of the same run that was read before this one, not closed yet: its plugins continue here."""
        self._handle: Any = None
        self._rejects: "Deque[str]" = collections.deque()
        self._options = options
        self._lock = threading.Lock()
        self._last: "tuple[str, str] | None" = None
        self._wrong: "tuple[type[Exception], str] | None" = None
        self._zip = source if isinstance(source, Zip) else None
        self._before: "list[str]" = []  # counts of the archives of a zip that are over
        self._number = 0  # of the archive in the zip
        self._readers = collections.deque([Reader(source)] if not isinstance(source, Zip) else _readers_of(source, options.name))
        if len(self._readers) > 1 and (begin or end is not None):
            first = self._readers[0].name.decode("utf-8", "replace")
            raise ValueError(f"the WACZ holds {len(self._readers)} archives, and a range is of one; expected open({first!r}, ...)")
        if self._zip and options.place is not None:
            number, _, place = options.place.rpartition(":")
            self._number = int(number) if number.isdecimal() else 0
            self._options = options._replace(place=place)
            if self._number >= len(self._readers):
                raise OptionError(f"place: the WACZ holds {len(self._readers)} archives; expected a position in one")
            for _ in range(self._number):
                self._readers.popleft()
        self._reader = self._readers.popleft()
        try:
            self._handle = self._open(begin, end, before and before._handle)
        except BaseException:
            self._close_files()
            raise

    def _open(self, begin: int, end: "int | None", before: Any) -> Any:
        o = self._options
        if begin < 0 or (end is not None and end <= begin):
            raise ValueError(f"the range from {begin} to {end} is empty; expected 0 <= begin < end")
        name = self._reader.name if o.name is None or self._zip else o.name.encode("utf-8", "surrogateescape")
        given = o._asdict()
        given.update(name=name, begin=begin, end=end or 0, size=self._reader.size, continues=before)
        given["site"] = table_of(o.site) if isinstance(o.site, str) else o.site and o.site[0]
        given["revisits"] = None if o.revisits is None else revisits_table(o.revisits)
        return _dana.archive_new(**given)

    def __repr__(self) -> str:
        name = self._reader.name.decode("utf-8", "replace") if self._options.name is None else self._options.name
        state = "closed" if self._last is not None else "open"
        return f"<danatext.Archive {name!r}, {state}, {self.counts['documents']} documents so far, by {self._options.methods[0]!r}>"

    # ---- documents ----

    def __iter__(self) -> "Archive":
        return self

    def __next__(self) -> Document:
        answer = self._take(_dana.archive_next)
        if answer is None:
            raise StopIteration
        return document_of(answer)

    def _take(self, call: Any) -> Any:
        """What `call` gives when it is given the input that it asks for; None at the end."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("the archive is in use by another thread; open one for each thread")
        try:
            while True:
                answer = call(self._handle)
                if not isinstance(answer, int):
                    return answer
                if answer == _dana.OVER:
                    if self._begin_next():
                        continue
                    self._close_files()
                    if self._wrong:
                        raise self._wrong[0](self._wrong[1])
                    return None
                if answer != _dana.PAUSED:
                    self._feed(answer)
        finally:
            self._lock.release()

    def _feed(self, answer: int) -> None:
        if answer == _dana.SEEK:
            self._reader.seek(_dana.archive_seek_to(self._handle))
        data = self._reader.read()
        if len(data):
            _dana.archive_push(self._handle, data)
        elif fault := self._zip and getattr(self._reader.file, "fault", None):
            _dana.archive_damaged(self._handle, fault)
        else:
            _dana.archive_end(self._handle)

    def _begin_next(self) -> bool:
        """The archive that was read is over: begin the next one of a WACZ. False: it has no more.

        Where the whole input has no record, what the library counts as damage is a mistake of the caller's.
        """
        counts = _dana.archive_counts(self._handle)
        if self._wrong is None and "not_an_archive" in parsed(counts)["damaged"]:
            self._wrong = NotAnArchive, what_else(self._reader)
        if not self._readers:
            return False
        if self._options.flags & _dana.KEEP_REJECTS:
            self._collect()
        before = self._handle
        self._reader = self._readers.popleft()
        self._number += 1
        self._options = self._options._replace(place=None)
        self._handle = self._open(0, None, before)
        self._before.append(_dana.archive_counts(before))  # without what the next one took over for a report
        _dana.archive_close(before)
        return True

    # ---- what it says ----

    @property
    def counts(self) -> "dict[str, Any]":
        """The counters of ``dana filter --stats`` so far, but for times: ``records``, ``documents``, ``skipped`` ..."""
        return self._sums()[0]

    def _sums(self) -> "tuple[dict[str, Any], Any]":
        """The counters, and what a report needs besides."""
        counts, report = counters(self._counts_and_place()[0])
        for each in self._before:
            add(counts, counters(each)[0])
        return counts, report

    @property
    def place(self) -> str:
        """A word for its position: ``open(..., place=...)`` resumes after the document or batch taken last."""
        return self._counts_and_place()[1]

    def _counts_and_place(self) -> "tuple[str, str]":
        if self._last:
            return self._last
        place = _dana.archive_place(self._handle)
        return _dana.archive_counts(self._handle), f"{self._number}:{place}" if self._zip else place

    @property
    def rejects(self) -> "Iterator[Reject]":
        """The records since this was asked last that gave no document, but for those passed over for their type.

        Only with ``rejects=True``. They are kept until they are taken: take them now and then in long archives.
        """
        if not self._options.flags & _dana.KEEP_REJECTS:
            raise ValueError("rejects are off; open the archive with rejects=True")
        self._collect()
        return (reject_of(self._rejects.popleft()) for _ in range(len(self._rejects)))

    def _collect(self) -> None:
        if self._last is None:
            self._rejects.extend(_dana.archive_rejects(self._handle).splitlines())

    # ---- life ----

    def close(self) -> None:
        """Free the memory, and close a file that was opened from a path. Counters, place and rejects stay."""
        if self._last is None:
            last = self._counts_and_place()  # as texts: Python may be ending, and have no modules left that read them
            if self._options.flags & _dana.KEEP_REJECTS:
                self._collect()
            _dana.archive_close(self._handle)
            self._last = last
        self._close_files()

    def _close_files(self) -> None:
        self._reader.close()
        if self._zip:
            self._zip.file.close()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("an archive that is being read cannot be pickled; use danatext.scan, which can")

    # ---- Arrow ----

    def __arrow_c_schema__(self) -> Any:
        """The schema, as Arrow's PyCapsule interface has it; takes no document."""
        return _dana.archive_schema(self._handle)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The documents not taken yet, as batches; `requested_schema` changes nothing, as the interface allows."""
        return _dana.stream_of(_Batches(self))


class _Batches:
    """The iterator behind a stream."""

    def __init__(self, archive: Archive):
        self._archive = archive

    def schema(self) -> Any:
        return self._archive.__arrow_c_schema__()

    def __iter__(self) -> "_Batches":
        return self

    def __next__(self) -> Any:
        batch = self._archive._take(_dana.archive_batch)
        if batch is None:
            raise StopIteration
        return batch


def open_source(
    source: Any, filesystem: Any, begin: int, end: "int | None", options: Settings, before: "Archive | None" = None
) -> Archive:
    """Open a source; a path by `filesystem`, if there is one."""
    zipped = zip_at(source, filesystem)
    if zipped is None and is_path(source) and (filesystem is not None or is_address(source)):
        name = os.fspath(source)
        options = options._replace(name=name if options.name is None else options.name)
        source = open_at(name, filesystem)
    return Archive(zipped or source, begin, end, options, before)


def open(
    source: Source, *, begin: int = 0, end: "int | None" = None, **options: "Unpack[OpenOptions]"
) -> Archive:
    """Open an archive: WARC 0.17 to 1.1 or ARC, uncompressed, in gzip or zstd, recognised by content.

    A WACZ, as a path or a URL, is read archive by archive, in the order of its directory: documents have the file
    ``x.wacz/archive/data.warc.gz``, which can be opened, too. WACZs in the zip are read, too:
    ``x.wacz/inner.wacz/archive/data.warc.gz``. Of a URL only the directory and the archives are read.

    `source` is a path, a URL (``https://``, ``s3://``), which fsspec opens, or an object with ``read`` or ``readinto`` that
    gives bytes: an open file, ``BytesIO``, what
    fsspec, pyarrow and gzip open. One that can seek is read from its current position.

    Only the records are read whose member (not compressed: whose first byte) lies in the bytes from `begin` to `end` of
    the input: all ranges of an input together give what the whole gives.

    Options have the names and defaults of ``dana filter``:

    * ``method``: ``"learned"``, or another of `danatext.methods`, with its keys: ``"danag:gap=40"``
    * ``recall``, ``kind``: of the method ``learned``: how much to keep, 0 to 100; the kind of all pages
    * ``type``, ``status``, ``mime``: what records to take: ``"response,resource"``, ``[200, 203]``, ``"any"``
    * ``min_chars``: documents with fewer characters of text are skipped; 0 takes empty ones, too
    * ``plugins``: ``["language:include=fa", "quality"]``, of `url`, `language`, `quality`, `metadata`, `pii`;
      and `dedup-exact`, `dedup-lines`, `dedup-near:drop=`, `boilerplate`, which compare pages across the archives of a scan
    * ``require_digest``: a record that does not match its digest counts as damaged
    * ``text``: ``"plain"``, ``"plain,markdown"``, ``"plain,blocks"``: documents have ``markdown`` or ``blocks``, too,
      with the structure of the page
    * ``markdown``: how they are written: ``"images=1,links=0"``
    * ``exclude``, ``only``: parts of pages that are left out, or that alone are read, as a comma list of CSS selectors (or a
      list of them): ``"nav, div.ad > p, [role=note]"``
    * ``comments``: readers' comments of articles: ``"keep"``, ``"drop"``, or ``"apart"``: documents have ``comments``
    * ``tables``: tables of data: ``"keep"``, ``"drop"``
    * ``rules``: parts of pages by site, as lines of a host, a tab, ``exclude``, ``only`` or ``drop``, a tab, and selectors; or a
      `pathlib.Path` of a file with them
    * ``text_field``: what ``text`` holds: ``"plain"``, ``"markdown"``
    * ``dropped``: ``blocks`` has those that the method does not keep, too, with ``"kept": False``
    * ``check_digests``: ``"auto"``, ``"always"``, ``"never"``
    * ``site``: the path of a table of `danatext.learn_site`: the method ``learned`` believes less in text that other pages of
      the page's site have. Each process reads it once, whole, into memory, as many bytes as the file has
    * ``revisits``: ``"count"``, or ``"resolve"``: a revisit gives the page of the record that it refers to, from the same
      archive (`danatext.scan`: from any of the scan's), or from the archives that are named instead: a path or a list of paths;
      documents then have ``resolved_from``. Files are read twice

    and besides:

    * ``html``: documents have the page itself, too
    * ``rejects``: :attr:`Archive.rejects` has what was skipped or damaged
    * ``name``: the ``file`` of documents, in place of the path
    * ``place``: resume from `Archive.place` of an earlier run with the same options
    * ``batch_rows``, ``batch_bytes``: where batches of Arrow close, 1024 rows and 4 MiB

    Raises ``OSError`` for a path that cannot be opened, and for a table of sites that is damaged; `danatext.OptionError` and
    `danatext.UnknownMethod` for options, `danatext.PluginError` for plugins. What the file object raises
    while it is read comes through. Damage in the archive raises nothing: see :attr:`Archive.counts`; so does an entry of a zip without its checksum. An input without any
    record, as a page or a PDF, raises `danatext.NotAnArchive` at its end; so do, after the other archives, a zip or
    an entry of it that cannot be read, and a file object that is a zip.
    """
    settings = settings_of("open", options)
    if isinstance(source, (str, os.PathLike)) and os.path.isdir(source):
        raise IsADirectoryError(f"{os.fspath(source)} is a folder; its archives: danatext.scan({os.fspath(source)!r})")
    settings = settings._replace(revisits=archives_of(settings.revisits, [source]))
    return open_source(source, None, begin, end, settings)
