# SPDX-License-Identifier: MIT
from typing import Any

HUNGRY: int
SEEK: int
OVER: int
PAUSED: int
WANT_HTML: int
REQUIRE_DIGEST: int
TAKE_EMPTY: int
KEEP_REJECTS: int
CHECK_DIGESTS: int
NO_DIGEST: int
MARKDOWN: int
BLOCKS: int
DROPPED: int
COMMENTS_DROP: int
COMMENTS_APART: int
TABLES_DROP: int
VERSION: str

def archive_new(
    name: bytes,
    methods: "tuple[str, ...]",
    type: "str | None",
    status: "str | None",
    mime: "str | None",
    plugins: "tuple[str, ...]",
    place: "str | None",
    structure: int,
    markdown: "str | None",
    exclude: "str | None",
    only: "str | None",
    min_chars: int,
    begin: int,
    end: int,
    size: int,
    flags: int,
    batch_rows: int,
    batch_bytes: int,
    site: Any,
    /,
) -> Any: ...
def archive_push(archive: Any, data: Any, /) -> None: ...
def archive_end(archive: Any, /) -> None: ...
def archive_damaged(archive: Any, why: str, /) -> None: ...
def archive_next(archive: Any, /) -> Any: ...
def archive_batch(archive: Any, /) -> Any: ...
def archive_schema(archive: Any, /) -> Any: ...
def archive_seek_to(archive: Any, /) -> int: ...
def archive_counts(archive: Any, /) -> str: ...
def archive_rejects(archive: Any, /) -> str: ...
def archive_place(archive: Any, /) -> str: ...
def archive_close(archive: Any, /) -> None: ...
def archive_drain(archive: Any, /) -> int: ...
def zip_entries(file: Any, size: int, /) -> "list[tuple[Any, ...]] | str | None": ...
def site_table_open(path: bytes, /) -> Any: ...
def site_learner_new(path: bytes, least: int, size: int, memory: int, force: bool, /) -> Any: ...
def site_learner_pages(learner: Any, /) -> int: ...
def site_learner_finish(learner: Any, /) -> None: ...
def site_merge(tables: "tuple[bytes, ...]", path: bytes, least: int, force: bool, /) -> None: ...
def page_read(
    html: Any,
    methods: "tuple[str, ...]",
    plugins: "tuple[str, ...]",
    structure: int,
    markdown: "str | None",
    exclude: "str | None",
    only: "str | None",
    url: "str | None",
    charset: "str | None",
    content_type: "str | None",
    /,
) -> "tuple[Any, ...]": ...
def page_column(
    schema: Any,
    array: Any,
    methods: "tuple[str, ...]",
    plugins: "tuple[str, ...]",
    structure: int,
    markdown: "str | None",
    exclude: "str | None",
    only: "str | None",
    charset: "str | None",
    content_type: "str | None",
    /,
) -> Any: ...
def page_column_schema(
    methods: "tuple[str, ...]",
    plugins: "tuple[str, ...]",
    structure: int,
    markdown: "str | None",
    exclude: "str | None",
    only: "str | None",
    /,
) -> Any: ...
def methods() -> "tuple[str, ...]": ...
def problem_words() -> "list[str]": ...
def field_names() -> "list[str]": ...
def stream_of(source: Any, /) -> Any: ...
def stream_schema(stream: Any, /) -> Any: ...
def stream_next(stream: Any, /) -> Any: ...
def sign(texts: Any, bands: int, rows: int, /) -> "tuple[bytes, bytes, bytes]": ...
