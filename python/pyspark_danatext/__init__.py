# SPDX-License-Identifier: MIT
"""The data source ``dana`` of Spark 4: WARC in, documents as rows out.

Spark finds it by the name of this package, on the driver and on each worker, so that it needs no registration:

    spark.read.format("dana").option("split_bytes", "134217728").load("/crawl/*.warc.gz").write.parquet("/clean")

    CREATE TEMPORARY VIEW docs USING dana OPTIONS (path '/crawl', method 'learned');

A partition is a part of a file. Options, besides the options of `danatext.open` (as text; ``plugins`` is one plugin, or a
JSON array of several, ``method`` one method, or several joined by commas):

``path``          an archive, a pattern, a folder, or an address
``split_bytes``   most bytes of a part (134217728); 0: files stay whole
``columns``       the columns wanted, joined by commas: Spark does not tell sources in Python which ones a query uses
``rows``          ``documents``, or ``counts``: a row for each part with what became of its records
"""

import json
import re
from typing import Any, Iterator

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from danatext.options import page_options
from danatext.paths import scan_of, splits
from danatext.scans import SPLIT_BYTES, Split, scan
from danatext.spark import batches

__all__ = ["DefaultSource"]

_NUMBERS = ("min_chars", "batch_rows", "batch_bytes")
_OF_PAGES = {row["name"]: row["type"] for row in page_options()}  # method and plugins among them
_FLAGS = ("require_digest", "html", *(name for name, kind in _OF_PAGES.items() if kind == "flag"))
_WORDS = ("type", "status", "mime", "check_digests", *(name for name in _OF_PAGES if name not in (*_FLAGS, "method", "plugins")))
_OWN = ("path", "paths", "split_bytes", "columns", "rows")

_COUNTERS = ("bytes_in", "bytes_decoded", "records", "documents", "text_chars")
_COUNTS = pyarrow.schema(
    [("file", pyarrow.string()), ("begin", pyarrow.int64()), ("end", pyarrow.int64())]
    + [(name, pyarrow.int64()) for name in _COUNTERS]
    + [(name, pyarrow.map_(pyarrow.string(), pyarrow.int64())) for name in ("skipped", "damaged", "problems")]
)


def _flag(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise ValueError(f"option {name} is {value!r}; expected true or false")
    return value.lower() == "true"


class _Options:
    """The options of the source: Spark gives text, and takes small letters and capitals for the same."""

    def __init__(self, given: "dict[str, str]"):
        given = {name.lower(): value for name, value in given.items()}
        known = (*_OWN, *_NUMBERS, *_FLAGS, *_WORDS, "method", "plugins")
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise ValueError(f"option {unknown[0]!r} is unknown; expected one of {', '.join(sorted(known))}")
        self.paths: "list[str]" = json.loads(given["paths"]) if "paths" in given else [given["path"]] if "path" in given else []
        self.split_bytes = int(given.get("split_bytes", SPLIT_BYTES)) or None
        self.columns = [name.strip() for name in given["columns"].split(",")] if "columns" in given else None
        self.counts = given.get("rows", "documents") == "counts"
        if given.get("rows", "documents") not in ("documents", "counts"):
            raise ValueError(f"option rows is {given['rows']!r}; expected documents or counts")
        self.open: "dict[str, Any]" = {name: int(given[name]) for name in _NUMBERS if name in given}
        self.open |= {name: _flag(name, given[name]) for name in _FLAGS if name in given}
        self.open |= {name: given[name] for name in _WORDS if name in given}
        if "method" in given:
            # "danag:gap=40,unit=chars,learned" are two methods: what has "=" before any ":" is a key of the one before
            self.open["method"] = re.split(r",(?![^,:=]*=)", given["method"])
        if "plugins" in given:
            text = given["plugins"]
            self.open["plugins"] = json.loads(text) if text.startswith("[") else [text]


class _Part(InputPartition):
    def __init__(self, split: Split):
        self.split = split


def _map(counts: "dict[str, int]") -> "list[tuple[str, int]]":
    return sorted(counts.items())


class _Reader(DataSourceReader):
    def __init__(self, options: _Options, schema: StructType):
        self._options = options
        self._columns = list(schema.names)
        self._schema = schema

    def partitions(self) -> "list[_Part]":
        if not self._options.paths:
            raise ValueError("which archives? expected load(PATH), or the option path")
        return [_Part(split) for split in splits(self._options.paths, self._options.split_bytes)]

    def read(self, partition: InputPartition) -> "Iterator[pyarrow.RecordBatch]":
        assert isinstance(partition, _Part)
        schema = to_arrow_schema(self._schema)  # which may say that a column has nulls where Arrow says that it has none
        if self._options.counts:
            yield self._counts(partition.split).cast(schema)
            return
        for batch in batches(partition.split, self._columns, **self._options.open):
            yield batch.cast(schema)

    def _counts(self, split: Split) -> pyarrow.RecordBatch:
        row: "dict[str, Any]" = {"file": split.source, "begin": split.begin, "end": split.end}
        for archive in scan_of(split, **self._options.open).archives():
            with pyarrow.RecordBatchReader.from_stream(archive) as reader:
                for _ in reader:
                    pass
            counts = archive.counts
            row |= {name: counts[name] for name in _COUNTERS}
            row |= {name: _map(counts[name]) for name in ("skipped", "damaged", "problems")}
        return pyarrow.RecordBatch.from_pylist([row], schema=_COUNTS).select(self._columns)


class DefaultSource(DataSource):
    """What Spark looks for in a package whose name begins with pyspark_."""

    @classmethod
    def name(cls) -> str:
        return "dana"

    def schema(self) -> StructType:
        options = _Options(dict(self.options))
        schema = _COUNTS if options.counts else pyarrow.schema(scan([], **options.open))
        if options.columns is not None:
            schema = pyarrow.schema([schema.field(name) for name in options.columns])
        return from_arrow_schema(schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(_Options(dict(self.options)), schema)
