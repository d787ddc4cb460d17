# SPDX-License-Identifier: MIT
"""Documents and pages: named tuples, which can be pickled and compared."""

from typing import Any, Callable, Collection, FrozenSet, Literal, NamedTuple, Tuple, TypedDict

from danatext import _dana
from danatext.errors import OptionError

__all__ = ["Block", "Document", "Page", "Reject"]

PROBLEMS = tuple(_dana.problem_words())
_TRUNCATED = frozenset(PROBLEMS[:3])

Schema = Literal["dana", "datatrove", "dolma"]
Source = Tuple[bytes, "str | None", "str | None", "str | None"]  # the page, url, charset, content_type
FIELDS = tuple(_dana.field_names())  # of documents, in the order of JSON; Page and Document have what they declare
_VALUES = (*FIELDS, "made_id", "created", "reason", "present")  # what the extension returns
_OPTIONAL = frozenset(name for i, name in enumerate(FIELDS) if not _dana.ALWAYS >> i & 1)  # there because of the options


def _fields_of(page: "Page | Document", left_out: "Collection[str]") -> "dict[str, Any]":
    """The fields of JSON, but for these."""
    row = {name: getattr(page, name) for name in FIELDS if name != "additions" and hasattr(page, name) and name not in left_out}
    row["problems"] = [word for word in PROBLEMS if word in page.problems] if page.problems else []
    return row


SHOWN = 60  # characters of a text that repr shows


def _folded(title: "str | None", text: str) -> str:
    """A text as HTML that opens when it is clicked at."""
    from html import escape

    summary = f"{escape(title or 'page')} ({len(text)} characters)"
    return f'<details><summary>{summary}</summary><pre dir="auto" style="white-space: pre-wrap">{escape(text)}</pre></details>'


class Block(TypedDict, total=False):
    """A block of a page: a dict with the keys that its kind has (doc/MARKDOWN.md, "Blocks")."""

    t: str
    n: int
    d: int
    id: str
    lang: str
    rows: "list[list[str]]"
    url: str
    alt: str
    text: str
    p: float
    site_pages: int
    site_others: int
    p_alone: float
    start: int
    kept: bool


class _Page(NamedTuple):

    text: str
    """The main text, ``\\n`` between blocks; empty if the page has none, or cannot be read (see ``reason``)."""
    title: "str | None"
    """Text of the first ``<title>``."""
    charset: "str | None"
    """The charset by which the page was decoded."""
    method: "str | None"
    """The method that made the text; ``None``: it is text already."""
    text_chars: int
    """Code points of ``text``."""
    html_bytes: int
    """Bytes of the page."""
    problems: FrozenSet[str]
    """What is wrong with the page: words such as ``bad_charset``."""
    reason: "str | None"
    """Why there is no text, if the bytes are not an HTML page or cannot be decoded here; else ``None``."""
    markdown: "str | None"
    """The page as Markdown, if it was asked for."""
    blocks: "list[Block] | None"
    """The blocks of the page, if they were asked for."""
    texts: "dict[str, str | None] | None"
    """The texts of the methods after the first, under their names, if there were several."""

    page_kind: "str | None"
    """What kind of page it is, as the method ``learned`` finds it."""

    language: "str | None"
    """BCP 47, if a plugin was asked to find it."""
    language_score: "float | None"
    """From 0 to 1."""
    additions: "dict[str, Any] | None"
    """What plugins say of the page: an object for each, under the name that it has in JSON; ``None``: nothing."""
    asked: FrozenSet[str]
    """Keys that JSON has because of the options: ``language_score``, ``markdown``, ``blocks``, ``texts``, ``comments``."""
    comments: "str | None"
    """The text of readers' comments, with ``comments="apart"``; ``None``: the page has none."""


class Page(_Page):
    """The main text of one page, as `danatext.extract` returns it."""

    _from: "Source | None" = None  # of the page, for its metadata
    _again: "Callable[[str], str] | None" = None  # makes the page in another format

    def _as(self, name: str) -> str:
        if self._again is None:
            raise OptionError(f"the page was not kept; expected text='markdown', markdown='format={name}'")
        return self._again(name)

    def to_html(self) -> str:
        """Return the page as clean HTML: its structure, without scripts, styles and attributes other than URLs."""
        return self._as("html")

    def to_xml(self) -> str:
        """Return the page as XML in the vocabulary of trafilatura."""
        return self._as("xml")

    def to_tei(self) -> str:
        """Return the page as TEI. The page itself is kept for these three, but not by `danatext.extract_many`."""
        return self._as("tei")

    @property
    def metadata(self) -> "dict[str, Any]":
        """What the page states of itself: ``title``, ``author``, ``published`` and others, each with ``..._from``; empty
        if it states nothing. It is computed at its first use; until then the page is kept. A page of
        `danatext.extract_many` has it only with the plugin ``metadata``."""
        added: "dict[str, Any]" = self.additions or {}
        if self.reason or "metadata" in added:
            return dict(added.get("metadata", {}))
        known: "dict[str, Any] | None" = self.__dict__.get("_metadata")
        if known is None:
            if self._from is None:
                raise OptionError("the page was not kept for its metadata; expected plugins=['metadata']")
            html, *rest = self._from
            read = _dana.page_read(html, ("plain",), ("metadata",), (), *rest)
            known = self._metadata = _added(dict(zip(_VALUES, read))["additions"]).get("metadata", {})
            self._from = None
        return known

    def without_source(self) -> "Page":
        """Forget the page, of which its metadata and other formats would be made, and return itself."""
        self._from = self._again = None
        return self

    def __getstate__(self) -> "dict[str, Any]":
        if self._from is not None:
            return {"_metadata": self.metadata}
        return {name: value for name, value in self.__dict__.items() if name not in ("_from", "_again")}

    @property
    def truncated(self) -> bool:
        """Whether a part of the page or of its text is missing."""
        return not self.problems.isdisjoint(_TRUNCATED)

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= SHOWN else self.text[:SHOWN] + "..."
        why = f", reason={self.reason!r}" if self.reason else ""
        return f"Page(title={self.title!r}, text_chars={self.text_chars}, text={text!r}{why})"

    def _repr_html_(self) -> str:
        return _folded(self.title, self.text)

    def asdict(self) -> "dict[str, Any]":
        """Return the JSON object of ``dana extract -f json``; with a reason for a page that cannot be read."""
        left_out = _OPTIONAL - self.asked
        row = _fields_of(self, left_out if "language_score" in self.asked else {*left_out, "language"})
        if self.reason:
            row["text"] = None
        row.update(self.additions or {})
        if self._from is not None or "_metadata" in self.__dict__:
            row.update({"metadata": self.metadata} if self.metadata else {})
        if self.reason:
            row["reason"] = self.reason
        return row


class Document(NamedTuple):
    """A cleaned page of an archive. Offsets and lengths are in bytes of the input as it is stored."""

    text: str
    """The main text, ``\\n`` between blocks."""
    id: "str | None"
    """``WARC-Record-ID`` of the source, without ``<`` and ``>``."""
    url: "str | None"
    date: "str | None"
    """``WARC-Date`` of the source, as it has it."""
    title: "str | None"
    """Text of the first ``<title>``."""
    language: "str | None"
    """BCP 47, if a plugin was asked to find it."""
    language_score: "float | None"
    """From 0 to 1."""
    page_kind: "str | None"
    """What kind of page it is, as the method ``learned`` finds it: ``article``, ``list``, ``forum`` and others."""
    charset: "str | None"
    """The charset by which the page was decoded."""
    http_status: "int | None"
    content_type: "str | None"
    """As the server sent it."""
    method: "str | None"
    """The method that made the text; ``None``: it is text already."""
    file: str
    """The input, as it was named; ``-`` for one that has no name."""
    offset: int
    """Where in the input the member begins that holds the record's beginning; not compressed: the record."""
    length: "int | None"
    """Bytes of that member, if it holds this record and nothing else."""
    html_bytes: int
    """Bytes of the page, its content encodings undone."""
    text_chars: int
    """Code points of ``text``."""
    problems: FrozenSet[str]
    """What is wrong with the page or its record: words such as ``truncated_source``."""
    markdown: "str | None"
    """The page as Markdown, if it was asked for and no plugin has changed the text."""
    blocks: "list[Block] | None"
    """The blocks of the page, under the same conditions."""
    texts: "dict[str, str | None] | None"
    """The texts of the methods after the first, under their names, if there were several; ``None`` for one that the page
    is too much work for, and for all where a plugin has changed the text."""
    html: "str | None"
    """The page itself, if it was asked for."""
    additions: "dict[str, Any]"
    """What plugins say of the page: an object for each, under the name that it has in JSONL."""
    made_id: str
    """``id``, or if the record has none, the id of the conversion record that ``dana`` would write."""
    created: str
    """``date``, or if it cannot be read the date of that conversion record."""
    asked: FrozenSet[str]
    """Keys that JSONL has because of the options: ``language_score``, ``markdown``, ``blocks``, ``texts``, ``comments``."""
    comments: "str | None"
    """The text of readers' comments, with ``comments="apart"``, if the page has any and no plugin has changed the text."""
    resolved_from: "dict[str, Any] | None"
    """With ``revisits``, of a revisit: ``file`` and ``offset`` of the record that has its page."""

    @property
    def truncated(self) -> bool:
        """Whether a part of the page or of its text is missing."""
        return not self.problems.isdisjoint(_TRUNCATED)

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= SHOWN else self.text[:SHOWN] + "..."
        return f"Document(url={self.url!r}, title={self.title!r}, text_chars={self.text_chars}, text={text!r})"

    def _repr_html_(self) -> str:
        return _folded(self.title or self.url, self.text)

    def asdict(self, schema: Schema = "dana") -> "dict[str, Any]":
        """Return the JSON object of ``dana filter --schema SCHEMA``, with its keys in its order."""
        if schema == "dana":
            return {"text": self.text, "id": self.id, **self._metadata()}
        if schema == "datatrove":
            return {
                "text": self.text,
                "id": self.made_id,
                "metadata": {"file_path": self.file, **self._metadata()},
            }
        if schema == "dolma":
            return {
                "id": self.made_id,
                "text": self.text,
                "source": _base_name(self.file),
                "added": self.created,
                "created": self.created,
                "metadata": self._metadata(),
            }
        raise ValueError(f"schema {schema!r} is unknown; expected 'dana', 'datatrove' or 'dolma'")

    def _metadata(self) -> "dict[str, Any]":
        row = _fields_of(self, {"text", "id", "html"} | _OPTIONAL - self.asked)
        row.update(self.additions)
        return row


def _base_name(name: str) -> str:
    """What follows the last slash; of a URL without its query."""
    path = name.split("?")[0].split("#")[0] if "://" in name else name
    return path.rsplit("/", 1)[-1] or path


def parsed(json: str) -> Any:
    """The value of a text of the library's JSON."""
    from json import loads  # not at import: most programs ask for nothing that is JSON

    return loads(json)


def _blocks_of(text: "str | None") -> "list[Block] | None":
    return None if text is None else parsed(text)


def _added(additions: "str | None") -> "dict[str, Any]":
    """What plugins add, of JSON's members."""
    return parsed("{" + additions[1:] + "}") if additions else {}


_asked: "dict[int, FrozenSet[str]]" = {}


def _asked_of(present: int) -> "FrozenSet[str]":
    """The same set for all documents with the same fields; `present` has a bit for each."""
    asked = _asked.get(present)
    if asked is None:
        asked = _asked[present] = _OPTIONAL & {name for i, name in enumerate(FIELDS) if present >> i & 1}
    return asked


def _row_of(values: "tuple[Any, ...]") -> "dict[str, Any]":
    """What the extension returns, by names."""
    row = dict(zip(_VALUES, values))
    row["blocks"] = _blocks_of(row["blocks"])
    row["resolved_from"] = row["resolved_from"] and parsed(row["resolved_from"])
    row["additions"] = _added(row["additions"])
    row["asked"] = _asked_of(row["present"])
    return row


def page_of(values: "tuple[Any, ...]", source: "Source | None" = None) -> Page:
    """Make a page of what the extension returns; `source`: the page, with what is known of it."""
    row = _row_of(values)
    row["additions"] = row["additions"] or None
    page = Page._make(map(row.__getitem__, Page._fields))
    page._from = source
    return page


def document_of(values: "tuple[Any, ...]") -> Document:
    """Make a document of what the extension returns."""
    return Document._make(map(_row_of(values).__getitem__, Document._fields))


class Reject(NamedTuple):
    """A record that gave no document, as a line of ``dana filter --rejects``."""

    id: "str | None"
    url: "str | None"
    file: str
    offset: int
    reason: str
    """A word: ``status``, ``mime``, ``bad_member``, ``plugin:NAME`` and others."""
    detail: "str | None"
    """What exactly it was, for people."""
    additions: "dict[str, Any]"
    """What the plugin that dropped it reports."""


def reject_of(line: str) -> Reject:
    """Make a reject of a line of JSON."""
    row = parsed(line)
    known = [row.pop(name) for name in Reject._fields[:-1]]
    return Reject._make((*known, row))
