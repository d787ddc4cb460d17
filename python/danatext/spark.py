# SPDX-License-Identifier: MIT
"""Spark 3.3 and later: documents of archives as a DataFrame, by ``mapInArrow``.

Spark 4 has a data source of its own, which SQL, Scala and Java use as well: ``spark.read.format("dana").load(path)``,
see `pyspark_danatext`.
"""

from typing import TYPE_CHECKING, Any, Iterable, Iterator

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from danatext.options import OpenOptions
from danatext.paths import Paths, scan_of, splits
from danatext.scans import SPLIT_BYTES, Split, scan

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["documents"]


def batches(split: Split, columns: "list[str] | None", **options: Any) -> "Iterator[pyarrow.RecordBatch]":
    """The documents of a part, with only the columns that are wanted."""
    with pyarrow.RecordBatchReader.from_stream(scan_of(split, **options)) as reader:
        for batch in reader:
            yield batch if columns is None else batch.select(columns)


def documents(
    spark: SparkSession,
    paths: Paths,
    *,
    split_bytes: "int | None" = SPLIT_BYTES,
    columns: "Iterable[str] | None" = None,
    **options: "Unpack[OpenOptions]",
) -> DataFrame:
    """The documents of archives, a partition for each part of at most `split_bytes`.

    `paths` are paths, patterns, folders, or URLs that fsspec or Hadoop's client opens, the same for all workers.
    `columns` are the columns wanted, in their order. `options` are the options of `danatext.open`. A task that Spark
    runs again gives the same rows.
    """
    wanted = None if columns is None else list(columns)
    schema = pyarrow.schema(scan([], **options))
    if wanted is not None:
        schema = pyarrow.schema([schema.field(name) for name in wanted])
    parts = [tuple(part) for part in splits(paths, split_bytes)]
    rows = spark.sparkContext.parallelize(parts, max(len(parts), 1))
    frame = spark.createDataFrame(rows, "path string, first long, last long")

    def read(given: "Iterator[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
        for batch in given:
            for row in batch.to_pylist():
                yield from batches(Split(row["path"], row["first"], row["last"]), wanted, **options)

    return frame.mapInArrow(read, from_arrow_schema(schema))
