# SPDX-License-Identifier: MIT
"""Single pages: one, many by several threads, a column of Arrow."""

import codecs
import collections
import itertools
import os
import re
from typing import TYPE_CHECKING, Any, Deque, Iterable, Iterator, Protocol, Union

from danatext import _dana
from danatext.document import Page, page_of
from danatext.errors import NotAPage
from danatext.options import DEFAULT_METHOD, Methods, PageOptions, check_methods, named, plugin_list

if TYPE_CHECKING:
    from concurrent.futures import Future

    from typing_extensions import Unpack

__all__ = ["Column", "extract", "extract_column", "extract_many"]


class Response(Protocol):
    """What requests, httpx and others return."""

    @property
    def content(self) -> bytes: ...
    @property
    def headers(self) -> Any: ...


class Element(Protocol):
    """An element or a tree of lxml."""

    def xpath(self, path: Any, /) -> Any: ...


Html = Union[bytes, bytearray, memoryview, str, Response, Element]

CHUNK = 16  # pages that a thread takes at once
_checked: "dict[str, tuple[str, ...]]" = {}  # methods that were found good


def _half_pair(error: UnicodeError) -> "tuple[bytes, int]":
    """Half of a pair of surrogates is not a character: it becomes a byte that UTF-8 does not have."""
    assert isinstance(error, UnicodeEncodeError)
    return b"\xff" * (error.end - error.start), error.end


codecs.register_error("danatext.half_pair", _half_pair)


def _methods(method: Methods) -> "tuple[str, ...]":
    known = _checked.get(method) if isinstance(method, str) else None
    if known is None:
        known = check_methods(method)
        if isinstance(method, str) and len(_checked) < 1000:
            _checked[method] = known
    return known


_SEPARATOR = f"[{re.escape(os.sep + (os.altsep or ''))}]"
LONGEST_NAME = 4096  # characters of the name of a page
_ADDRESS = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*://|www\.)\S+\s*", re.I)
_FILE = re.compile(r".*\.(?:html?|xhtml|shtml|mhtml?|pdf|(?P<archive>warc|arc|wacz))(?:\.(?:gz|zst|bz2|xz))?\s*", re.I)


def _is_file(name: str) -> bool:
    if os.name == "nt" and re.match(r"\s*[\\/]{2}|.*[. ]\Z", name, re.S):
        return False  # Windows would ask the machine that is named, or leave out the end, with which no name ends
    try:
        return os.path.isfile(name) or (bool(re.search(_SEPARATOR, name)) and os.path.exists(name))
    except ValueError:  # a NUL in it
        return False


def _refuse_name(text: str) -> None:
    """Raise if a text without markup is the name of a page. Other words are a page, if a short one."""
    file = _FILE.fullmatch(text)
    if _ADDRESS.fullmatch(text):
        address = text.strip() if "://" in text else f"http://{text.strip()}"
        call = f"danatext.extract(danatext.fetch({address!r}))"
        if not address.lower().startswith(("http://", "https://")):
            call = "read it, and pass its bytes"
        raise NotAPage(f"html is a URL, and extract fetches none: {call}")
    if file and file["archive"]:
        raise NotAPage(f"html is the name of an archive, not a page; its pages: danatext.open({text!r})")
    if file or _is_file(text):
        call = f"danatext.extract(pathlib.Path({text!r}).read_bytes())"
        raise NotAPage(f"html is the name of a file, and extract opens none; read it, and pass its bytes: {call}")


def _must_be_buffer(html: Any) -> None:
    try:
        memoryview(html)
    except TypeError:
        kind = type(html).__name__
        advice = "expected its bytes or its characters"
        if isinstance(html, os.PathLike):
            advice = "extract opens no file; read it, and pass its bytes: danatext.extract(path.read_bytes())"
        elif hasattr(html, "read"):
            advice = "read it, and pass its bytes: danatext.extract(file.read())"
        raise TypeError(f"{kind} is not a page; {advice}") from None


def _of_others(html: Any, charset: "str | None", content_type: "str | None", url: "str | None") -> "tuple[Any, ...]":
    """The bytes of a response of requests or httpx, with its headers, or of an element of lxml."""
    if hasattr(html, "headers") and isinstance(getattr(html, "content", None), bytes):
        content_type = content_type or html.headers.get("content-type")
        return html.content, charset, content_type, url or (str(html.url) if getattr(html, "url", None) else None)
    if hasattr(html, "getroottree") or type(html).__module__.startswith("lxml."):
        from lxml import etree

        return etree.tostring(html, method="html", encoding="utf-8"), "utf-8", content_type, url
    _must_be_buffer(html)
    return html, charset, content_type, url


def extract(
    html: Html,
    *,
    url: "str | None" = None,
    charset: "str | None" = None,
    content_type: "str | None" = None,
    method: Methods = DEFAULT_METHOD,
    plugins: "str | Iterable[str]" = (),
    **options: "Unpack[PageOptions]",
) -> Page:
    """Return the main text of a page.

    `html` is the page as the server sent it, in any charset, as an object with a buffer, or as a response of `fetch`, requests or
    httpx, whose header counts; or a ``str`` or an element of lxml, whose characters are known already. It is never opened or fetched: a URL or the name of a file is `danatext.NotAPage`.
    `charset` is never doubted; without it `content_type` (as the server sent it, and doubted where the bytes contradict it), the
    page's own `<meta>` and its bytes decide. A `content_type` of `text/plain` or
    `text/markdown` makes it plain text, another one that is not of HTML no page. With the option `text`
    ``"plain,markdown"`` the page has ``markdown``, too, and the option of that name sets how it is written; with
    ``"plain,blocks"`` it has ``blocks``, of which `dropped` lists those, too, that the method does not keep. `method` may
    be a list: the page is read once, ``texts`` has the text of each method after the first, and all else is from the first method.
    `exclude` and `only` are parts of the page that are left out, or that alone are read: comma lists of CSS selectors, as
    ``"nav, div.ad > p"``, or lists of them. `comments` (``"keep"``, ``"drop"``, ``"apart"``) and `tables` (``"keep"``,
    ``"drop"``) are for readers' comments of an article and for tables of data: with ``"apart"`` the page has ``comments``.
    `recall` (0 to 100: how much to keep) and `kind` (of the page, as ``"article"``) are keys of the method ``learned``. `plugins` are named as in `dana filter`, such as
    ``["language", "pii"]``, but for those that compare pages: what they find is in ``additions``, and a page that one
    drops has an empty text and a ``reason``. ``metadata`` of the page is there without one.

    What a page holds raises nothing: a picture has an empty text and a ``reason``. Raises
    `danatext.UnknownMethod`, `danatext.UnknownCharset`. Any thread may call this; other threads run
    meanwhile.
    """
    if isinstance(html, str):
        if len(html) <= LONGEST_NAME and "<" not in html:
            _refuse_name(html)
        html, charset = html.encode("utf-8", "danatext.half_pair"), "utf-8"
    elif not isinstance(html, bytes):
        html, charset, content_type, url = _of_others(html, charset, content_type, url)
    kept: bytes = html if isinstance(html, bytes) else bytes(memoryview(html))  # type: ignore[arg-type]
    methods = _methods(method)
    given = url, charset, content_type
    read = _dana.page_read(kept, methods, plugin_list(plugins), named("extract", options), *given)
    page = page_of(read, (kept, *given))

    def again(name: str) -> str:
        before = options.get("markdown")
        keys = f"{before},format={name}" if before else f"format={name}"
        other = {**options, "text": "markdown", "markdown": keys, "text_field": "plain", "dropped": False}
        made = _dana.page_read(kept, methods[:1], ("metadata",), named("extract", other), *given)
        return page_of(made).markdown or ""

    page._again = again
    return page


def _chunks(pages: "Iterable[Html]") -> "Iterator[list[Html]]":
    """Lists of some pages."""
    rest = iter(pages)
    while chunk := list(itertools.islice(rest, CHUNK)):
        yield chunk


def extract_many(pages: "Iterable[Html]", *, threads: int = 1, **options: Any) -> "Iterator[Page]":
    """Yield the main text of each page, in order; `options` are the options of `extract`.

    Their ``metadata`` is there only with the plugin of that name, because no page is kept. With several `threads` pages are worked on at the same time, and up to 32 pages for each thread are read ahead.
    """
    if threads < 1:
        raise ValueError(f"threads is {threads}; expected 1 or more")
    if isinstance(pages, (str, bytes, bytearray, memoryview, os.PathLike)):
        raise TypeError(f"{type(pages).__name__} is not an iterable of pages; for one page use danatext.extract")
    if threads == 1:
        for page in pages:
            yield extract(page, **options).without_source()
        return
    from concurrent.futures import ThreadPoolExecutor  # not at import: it takes longer than all the rest

    waiting: "Deque[Future[list[Page]]]" = collections.deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="danatext") as pool:
        for chunk in _chunks(pages):
            waiting.append(pool.submit(lambda c: [extract(page, **options).without_source() for page in c], chunk))
            if len(waiting) >= 2 * threads:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


class Column:
    """The texts of a column of pages. Each time that it is used, it is made anew from the pages."""

    def __init__(self, pages: Any, reader: "tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]", source: "tuple[str | None, str | None]"):
        self._pages = pages
        self._reader = reader
        self._source = source

    def _of(self, schema: Any, array: Any) -> Any:
        return _dana.page_column(schema, array, *self._reader, *self._source)

    def __arrow_c_schema__(self) -> Any:
        """The schema: columns ``text``, ``title``, ``charset`` and others."""
        return _dana.page_column_schema(*self._reader)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A batch for each chunk of the pages."""
        return _dana.stream_of(_Chunks(self, self._pages))


class ArrayColumn(Column):
    """The same for pages that are one array."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """All rows at once."""
        schema, array = self._pages.__arrow_c_array__()
        return self.__arrow_c_schema__(), self._of(schema, array)


class _Chunks:
    """The iterator behind a stream."""

    def __init__(self, column: Column, pages: Any):
        self.schema = column.__arrow_c_schema__
        self._column = column
        if hasattr(pages, "__arrow_c_stream__"):
            stream = pages.__arrow_c_stream__()
            self._schema, self._arrays = _dana.stream_schema(stream), iter(lambda: _dana.stream_next(stream), None)
        else:
            self._schema, array = pages.__arrow_c_array__()
            self._arrays = iter([array])

    def __iter__(self) -> "_Chunks":
        return self

    def __next__(self) -> Any:
        return self._column._of(self._schema, next(self._arrays))


def extract_column(
    pages: Any,
    *,
    method: Methods = DEFAULT_METHOD,
    charset: "str | None" = None,
    content_type: "str | None" = None,
    plugins: "str | Iterable[str]" = (),
    **options: "Unpack[PageOptions]",
) -> Column:
    """Return the main text of each page of a column, row for row.

    `pages` is whatever gives Arrow arrays or streams (``__arrow_c_array__``, ``__arrow_c_stream__``): of pyarrow, polars,
    pandas, DuckDB and others, of type binary or utf8. So is what comes back, a table with the columns ``text``,
    ``title``, ``charset``, ``method``, ``text_chars``, ``html_bytes``, ``problems``, ``reason`` and, where `text` asks for
    them, ``markdown`` and ``blocks``, and with several methods the struct ``texts``; then a column for each of the `plugins` (of
    ``language`` also ``language_score``), as text of JSON. ``text`` is null, and ``reason`` has the reason, where the bytes are not a page, or a
    string has the form of a URL or of the name of a file, which `extract` refuses; nothing is opened or
    fetched. All are null where the page is null.
    """
    if not hasattr(pages, "__arrow_c_array__") and not hasattr(pages, "__arrow_c_stream__"):
        raise TypeError(f"{type(pages).__name__} gives no Arrow array; expected one of pyarrow, polars or the like")
    column = ArrayColumn if hasattr(pages, "__arrow_c_array__") else Column
    reader = check_methods(method), plugin_list(plugins), named("extract_column", options)
    if options:
        _dana.page_column_schema(*reader)  # raises
    return column(pages, reader, (charset, content_type))
