# SPDX-License-Identifier: MIT
"""Ray Data: documents of archives as a dataset, a read task for each part of a file."""

import functools
from typing import TYPE_CHECKING, Any, Iterable, Iterator

import pyarrow
import ray.data
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from danatext.options import OpenOptions
from danatext.paths import Paths, scan_of, splits
from danatext.scans import Split, scan

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["DanaDatasource", "read_warc"]

SPLIT_BYTES = 32 << 20  # Ray keeps what a task has read in memory: about five times as much


def _read(split: Split, columns: "list[str] | None", options: "dict[str, Any]") -> "Iterator[pyarrow.Table]":
    with pyarrow.RecordBatchReader.from_stream(scan_of(split, **options)) as reader:
        for batch in reader:
            table = pyarrow.Table.from_batches([batch])
            yield table if columns is None else table.select(columns)


class DanaDatasource(Datasource):
    """The parts of archives, for ``ray.data.read_datasource``; `read_warc` makes one."""

    def __init__(self, parts: "list[Split]", columns: "list[str] | None", options: "dict[str, Any]"):
        super().__init__()
        self._parts = parts
        self._columns = columns
        self._options = options
        schema = pyarrow.schema(scan([], **options))
        self._schema = schema if columns is None else pyarrow.schema([schema.field(name) for name in columns])

    def get_name(self) -> str:
        return "dana"

    def estimate_inmemory_data_size(self) -> "int | None":
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: "int | None" = None, data_context: Any = None
    ) -> "list[ReadTask]":
        """A task for each part, whatever the parallelism: it is the parts that are read again after a fault."""
        return [
            ReadTask(
                functools.partial(_read, part, self._columns, self._options),
                BlockMetadata(num_rows=None, size_bytes=None, input_files=[part.source], exec_stats=None),
                schema=self._schema,
                per_task_row_limit=per_task_row_limit,
            )
            for part in self._parts
        ]


def read_warc(
    paths: Paths,
    *,
    split_bytes: "int | None" = SPLIT_BYTES,
    columns: "Iterable[str] | None" = None,
    ray_remote_args: "dict[str, Any] | None" = None,
    concurrency: "int | None" = None,
    **options: "Unpack[OpenOptions]",
) -> ray.data.Dataset:
    """The documents of archives as a dataset: ``read_warc("/crawl/*.warc.gz").write_parquet("/clean")``.

    `paths` are paths, patterns, folders, or URLs that fsspec or Hadoop's client opens, the same for all nodes. Each
    part of at most `split_bytes` is a task. `options` are the options of `danatext.open`, the others belong to Ray's own
    readers. A task that Ray runs again gives the same rows.
    """
    parts = splits(paths, split_bytes)
    source = DanaDatasource(parts, None if columns is None else list(columns), dict(options))
    return ray.data.read_datasource(
        source, ray_remote_args=ray_remote_args, concurrency=concurrency, override_num_blocks=max(len(parts), 1)
    )
