# SPDX-License-Identifier: MIT
"""The options of ``dana filter`` that archives take, as the extension wants them."""

import os
from typing import Any, Iterable, Literal, Mapping, NamedTuple, TypedDict, Union

from danatext import _dana
from danatext.errors import OptionError, UnknownMethod

DEFAULT_METHOD = "learned"
NEEDS_LIBCURL = frozenset(["wlr-media"])

Words = Union[str, int, Iterable[Union[str, int]]]
Methods = Union[str, Iterable[str]]


class OpenOptions(TypedDict, total=False):
    """Options of `danatext.open`, `danatext.scan` and the classes behind them."""

    method: Methods
    recall: "int | None"
    kind: "str | None"
    type: "Words | None"
    status: "Words | None"
    mime: "Words | None"
    min_chars: int
    plugins: Iterable[str]
    require_digest: bool
    check_digests: Literal["auto", "always", "never"]
    text: Words
    markdown: "str | None"
    dropped: bool
    exclude: "Words | None"
    only: "Words | None"
    comments: Literal["keep", "drop", "apart"]
    tables: Literal["keep", "drop"]
    html: bool
    rejects: bool
    name: "str | None"
    place: "str | None"
    batch_rows: int
    batch_bytes: int
    site: "str | os.PathLike[str] | None"


def methods() -> "tuple[str, ...]":
    """Return the names of the methods."""
    return tuple(name for name in _dana.methods() if name not in NEEDS_LIBCURL)


def _check_method(method: str) -> None:
    name = method.partition(":")[0]
    if name in NEEDS_LIBCURL:
        raise UnknownMethod(f"method {name!r} is not in this package: it needs libcurl; use the program dana")
    if name not in _dana.methods():
        raise UnknownMethod(f"method {name!r} is unknown; expected one of {', '.join(methods())}")


def check_methods(method: Methods) -> "tuple[str, ...]":
    """Return the methods, with their keys, if each exists, and occurs once."""
    all_of = (method,) if isinstance(method, str) else tuple(method)
    if not all_of:
        raise OptionError("method is empty; expected one or more methods")
    for i, each in enumerate(all_of):
        _check_method(each)
        if each in all_of[:i]:
            raise OptionError(f"method {each!r} is given twice; expected each once, or with other keys")
    return all_of


def with_keys(method: Methods, recall: "int | None", kind: "str | None") -> Methods:
    """Return the methods, the first with these keys."""
    keys = [f"{key}={value}" for key, value in (("recall", recall), ("kind", kind)) if value is not None]
    if not keys:
        return method
    first, *more = (method,) if isinstance(method, str) else tuple(method)
    if first.partition(":")[0] != "learned":
        raise OptionError(f"recall and kind are keys of the method learned, not of {first!r}")
    return (first + (":" if ":" not in first else ",") + ",".join(keys), *more)


def plugin_list(plugins: "str | Iterable[str]") -> "tuple[str, ...]":
    """Return the plugins as the extension wants them."""
    return (plugins,) if isinstance(plugins, str) else tuple(plugins)


def words(value: "Words | None") -> "str | None":
    """Return a list as the command line has it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    return ",".join(map(str, value))


def structure(text: Words, markdown: "str | None", dropped: bool) -> int:
    """Return the set of texts that are wanted besides the plain text."""
    sets = {"plain": 0, "markdown": _dana.MARKDOWN, "blocks": _dana.BLOCKS}
    asked = 0
    for word in (words(text) or "").split(","):
        if word not in sets:
            raise OptionError(f"text {word!r} is unknown; expected some of 'plain,markdown,blocks'")
        asked |= sets[word]
    if markdown is not None and not asked:
        raise OptionError("markdown needs the text markdown or blocks; expected text='plain,markdown'")
    if dropped and not asked & _dana.BLOCKS:
        raise OptionError("dropped needs the text blocks; expected text='plain,blocks'")
    return asked | (_dana.DROPPED if dropped else 0)


def parts(comments: str, tables: str) -> int:
    """Return what becomes of readers' comments and of tables, as bits beside the bits of `structure`."""
    of_comments = {"keep": 0, "drop": _dana.COMMENTS_DROP, "apart": _dana.COMMENTS_APART}
    of_tables = {"keep": 0, "drop": _dana.TABLES_DROP}
    if comments not in of_comments:
        raise OptionError(f"comments {comments!r} is unknown; expected 'keep', 'drop' or 'apart'")
    if tables not in of_tables:
        raise OptionError(f"tables {tables!r} is unknown; expected 'keep' or 'drop'")
    return of_comments[comments] | of_tables[tables]


def site_table(site: "str | os.PathLike[str] | None") -> "str | None":
    """Return the path of a table of sites; None: pages are judged alone."""
    path = None if site is None else os.fsdecode(site)
    if path in ("auto", "window") or (path or "").startswith("window:"):
        raise OptionError(f"site {path!r} is not in this package; make a table with danatext.learn_site, and give its path")
    return None if path == "off" else path


class Settings(NamedTuple):
    """Checked options; can be pickled."""

    methods: "tuple[str, ...]"
    type: "str | None"
    status: "str | None"
    mime: "str | None"
    min_chars: int
    plugins: "tuple[str, ...]"
    structure: int
    markdown: "str | None"
    exclude: "str | None"
    only: "str | None"
    name: "str | None"
    place: "str | None"
    flags: int
    batch_rows: int
    batch_bytes: int
    site: Any  # the path of a table; a list of a learner of danatext.site; None


def settings_of(call: str, options: "Mapping[str, Any]") -> "Settings":
    """Check the options of danatext.open or danatext.scan, which are named where one is unknown."""
    known = OpenOptions.__annotations__
    for name in options:
        if name not in known:
            from difflib import get_close_matches  # not at import

            near = get_close_matches(name, known, 1)
            raise TypeError(f"{call}() has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return settings(**options)


def settings(
    method: Methods = DEFAULT_METHOD,
    recall: "int | None" = None,
    kind: "str | None" = None,
    type: "Words | None" = None,
    status: "Words | None" = None,
    mime: "Words | None" = None,
    min_chars: int = 1,
    plugins: Iterable[str] = (),
    require_digest: bool = False,
    check_digests: str = "auto",
    text: Words = "plain",
    markdown: "str | None" = None,
    dropped: bool = False,
    exclude: "Words | None" = None,
    only: "Words | None" = None,
    comments: str = "keep",
    tables: str = "keep",
    html: bool = False,
    rejects: bool = False,
    name: "str | None" = None,
    place: "str | None" = None,
    batch_rows: int = 1024,
    batch_bytes: int = 4 << 20,
    site: "str | os.PathLike[str] | None" = None,
) -> Settings:
    """Check the options of danatext.open."""
    digests = {"auto": 0, "always": _dana.CHECK_DIGESTS, "never": _dana.NO_DIGEST}
    if check_digests not in digests:
        raise OptionError(f"check_digests {check_digests!r} is unknown; expected 'auto', 'always' or 'never'")
    if min_chars < 0:
        raise OptionError(f"min_chars is {min_chars}; expected 0 or more")
    if batch_rows < 1 or not 1 <= batch_bytes <= 1 << 30:
        raise OptionError("expected batch_rows of 1 or more, and batch_bytes of 1 to 1 GiB")
    flags = {
        _dana.WANT_HTML: html,
        _dana.REQUIRE_DIGEST: require_digest,
        _dana.KEEP_REJECTS: rejects,
        _dana.TAKE_EMPTY: min_chars == 0,
    }
    return Settings(
        check_methods(with_keys(method, recall, kind)),
        words(type),
        words(status),
        words(mime),
        min_chars,
        plugin_list(plugins),
        structure(text, markdown, dropped) | parts(comments, tables),
        markdown,
        words(exclude),
        words(only),
        name,
        place,
        digests[check_digests] | sum(flag for flag, is_set in flags.items() if is_set),
        batch_rows,
        batch_bytes,
        site_table(site),
    )
