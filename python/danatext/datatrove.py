# SPDX-License-Identifier: MIT
"""datatrove: a reader that gives main texts in place of pages, and an extractor for pages that another reader gives.

In place of ``WarcReader`` and ``Trafilatura`` of a pipeline:

    from danatext.datatrove import DanaReader

    pipeline = [DanaReader("s3://bucket/crawl", glob_pattern="*.warc.gz"), LanguageFilter(), ..., JsonlWriter(out)]
"""

import contextlib
from typing import Any, Callable, Iterator

import datatrove.data
from datatrove.io import DataFileLike, DataFolderLike
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.readers.base import BaseDiskReader
from datatrove.pipeline.writers.disk_base import DiskWriter
from datatrove.utils.typeshelper import StatHints

import danatext
from danatext.options import Methods
from danatext.scans import Split, scan

__all__ = ["DanaExtractor", "DanaReader"]


class _Part(str):
    """A path that represents a part of its file: where datatrove hands paths around."""

    begin = 0
    end: "int | None" = None


def _part(path: str, split: Split) -> _Part:
    part = _Part(path)
    part.begin, part.end = split.begin, split.end
    return part


class DanaReader(BaseDiskReader):
    """Reads WARC, and gives the main text of each page.

    It takes the arguments of ``WarcReader``. ``metadata`` has ``url``, ``date``, ``file_path`` as there, and what else
    ``dana filter --schema datatrove`` has: ``title``, ``charset``, ``http_status``, ``offset``, ...

    Args:
        split_bytes: cut files into parts, which are shared among the tasks, so that a large file is not the work of one
            task: part k of file i is of task (i + k) modulo their number. None: files stay whole
        exclusion_writer: gets a document without text for each record that was skipped or damaged, but for records of
            another type: ``metadata`` has ``filter_reason``, ``detail``, ``url``, ``file_path``, ``offset``
        dana: options of ``danatext.open``: ``{"method": "danag", "plugins": ["language:include=fa"]}``
    """

    name = "🕸 Dana"

    def __init__(
        self,
        data_folder: DataFolderLike,
        paths_file: "DataFileLike | None" = None,
        compression: "str | None" = "infer",  # of WarcReader: here the content says what it is
        limit: int = -1,
        skip: int = 0,
        file_progress: bool = False,
        doc_progress: bool = False,
        adapter: "Callable | None" = None,
        text_key: str = "text",
        id_key: str = "id",
        default_metadata: "dict | None" = None,
        recursive: bool = True,
        glob_pattern: "str | None" = None,
        shuffle_files: bool = False,
        split_bytes: "int | None" = None,
        exclusion_writer: "DiskWriter | None" = None,
        dana: "dict[str, Any] | None" = None,
    ):
        super().__init__(
            data_folder, paths_file, limit, skip, file_progress, doc_progress, adapter, text_key, id_key, default_metadata,
            recursive, glob_pattern, shuffle_files,
        )  # fmt: skip
        self.split_bytes = split_bytes
        self.exclusion_writer = exclusion_writer
        self.dana = dict(dana or {})
        scan([], **self.dana)  # wrong options are refused before there are tasks
        self._writer: Any = None
        self._task = (0, 1)

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> "Iterator[datatrove.data.Document]":
        self._task = (rank, world_size)
        with self.exclusion_writer or contextlib.nullcontext() as self._writer:
            if self.split_bytes is None:
                yield from super().run(data, rank, world_size)
            else:
                yield from data or ()
                yield from self._run_parts(rank, world_size)

    def _run_parts(self, rank: int, world_size: int) -> "Iterator[datatrove.data.Document]":
        if self.paths_file:
            from datatrove.io import get_shard_from_paths_file

            files = list(get_shard_from_paths_file(self.paths_file, 0, 1))
        else:
            files = self.data_folder.list_files(recursive=self.recursive, glob_pattern=self.glob_pattern)
        if not files:
            raise RuntimeError(f"No files found on {self.data_folder.path}!")
        shard = []
        for i, path in enumerate(files):
            step = self.split_bytes
            parts = -(-max(self.data_folder.size(path), 1) // step)
            for k in range(parts):
                if (i + k) % world_size == rank:
                    shard.append(_part(path, Split(path, k * step, (k + 1) * step)))
        for document in self.read_files_shard(shard):
            self.update_doc_stats(document)
            yield document

    def read_file(self, filepath: str) -> "Iterator[datatrove.data.Document]":
        begin, end = getattr(filepath, "begin", 0), getattr(filepath, "end", None)
        name = self.data_folder.resolve_paths(str(filepath))
        options = {"name": name, "rejects": self.exclusion_writer is not None, **self.dana}
        with self.data_folder.open(str(filepath), "rb") as file:
            archive = danatext.open(file, begin=begin, end=end, **options)
            with archive:
                for number, document in enumerate(self._timed(archive)):
                    made = self.get_document_from_dict(document.asdict("datatrove"), filepath, number)
                    if made:
                        yield made
                    self._exclude(archive, name)
            self._exclude(archive, name)
            self._count(archive.counts)

    def _timed(self, archive: danatext.Archive) -> "Iterator[danatext.Document]":
        while True:
            with self.track_time():
                document = next(archive, None)
            if document is None:
                return
            yield document

    def _exclude(self, archive: danatext.Archive, name: str) -> None:
        if self.exclusion_writer is None:
            return
        for reject in archive.rejects:
            metadata = {
                "filter_reason": reject.reason, "detail": reject.detail, "url": reject.url, "file_path": name,
                "offset": reject.offset, **reject.additions,
            }  # fmt: skip
            document = datatrove.data.Document(text="", id=reject.id or f"{name}/{reject.offset}", metadata=metadata)
            self._writer.write(document, self._task[0])

    def _count(self, counts: "dict[str, Any]") -> None:
        for name in "records", "bytes_in", "bytes_decoded":
            self.stat_update(name, value=counts[name], unit="input_file")
        for kind in "skipped", "damaged", "problems":
            for word, count in counts[kind].items():
                self.stat_update(f"{kind}_{word}", value=count, unit="input_file")


class DanaExtractor(BaseExtractor):
    """Finds the main text of pages that ``WarcReader`` or another reader has given, in place of ``Trafilatura``.

    The work of a page is bounded by its size, so there is no child process and no timeout.

    Args:
        method: method with its keys, as ``danatext.extract`` takes it; of a list of several the first makes the text, and
            ``metadata["texts"]`` has the texts of the others by name, as the rows of ``DanaReader`` do
    """

    name = "🕸 Dana"

    def __init__(self, method: Methods = "learned", timeout: float = 1):
        super().__init__(timeout)
        self.method = method if isinstance(method, str) else list(method)
        danatext.extract("", method=self.method)  # a wrong method is refused before there are tasks

    def extract(self, text: str) -> str:
        return danatext.extract(text, method=self.method).text

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> "Iterator[datatrove.data.Document]":
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                page = danatext.extract(document.text, url=document.metadata.get("url"), method=self.method)
            if page.reason:
                self.stat_update("not_a_page")
            if not page.text:
                self.stat_update(StatHints.dropped)
                continue
            document.text = page.text
            if page.texts:
                document.metadata["texts"] = page.texts
            self.stat_update("extracted", StatHints.forwarded)
            self.update_doc_stats(document)
            yield document
