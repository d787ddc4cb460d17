# SPDX-License-Identifier: MIT
"""The options of pages and archives, as the extension wants them: options of a page by their names, as "exclude=nav"."""

import os
from typing import Any, Iterable, Literal, Mapping, NamedTuple, TypedDict, Union

from danatext import _dana
from danatext.errors import OptionError, UnknownMethod

DEFAULT_METHOD = "learned"
NEEDS_LIBCURL = frozenset(["wlr-media"])

Words = Union[str, int, Iterable[Union[str, int]]]
Methods = Union[str, Iterable[str]]


class PageOptions(TypedDict, total=False):
    """Options of a page, for those who check types: the library has the list (`page_options`), and takes them all."""

    text: Words
    markdown: "str | None"
    text_field: Literal["plain", "markdown"]
    dropped: bool
    exclude: "Words | None"
    only: "Words | None"
    rules: "str | os.PathLike[str] | None"
    comments: Literal["keep", "drop", "apart"]
    tables: Literal["keep", "drop"]
    recall: "int | None"
    kind: "str | None"


class OpenOptions(PageOptions, total=False):
    """Options of `danatext.open`, `danatext.scan` and the classes behind them."""

    method: Methods
    type: "Words | None"
    status: "Words | None"
    mime: "Words | None"
    min_chars: int
    plugins: Iterable[str]
    require_digest: bool
    check_digests: Literal["auto", "always", "never"]
    html: bool
    rejects: bool
    name: "str | None"
    place: "str | None"
    batch_rows: int
    batch_bytes: int
    site: "str | os.PathLike[str] | None"
    revisits: Any


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


_known = frozenset(PageOptions.__annotations__)


def page_options() -> "list[dict[str, str]]":
    """Return the library's list of the options of a page: dicts with ``name``, ``type``, ``words``, ``default``, ``help``."""
    from json import loads  # not at import: most programs give names that are known

    rows: "list[dict[str, str]]" = loads(_dana.page_options())
    return rows


def _refuse_names(call: str, given: "Iterable[str]", known: "Iterable[str]") -> None:
    """Raise for a name that is neither known nor in the library's list."""
    for name in given:
        if name in known or name in (names := [row["name"] for row in page_options()]):
            continue
        from difflib import get_close_matches  # not at import

        near = get_close_matches(name, {*known, *names}, 1)
        raise TypeError(f"{call}() has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _written(value: Any) -> str:
    """A value as the library reads it. Of a path, what is in its file."""
    if isinstance(value, os.PathLike):
        with open(value, encoding="utf-8") as file:
            return file.read()
    return str(int(value)) if isinstance(value, bool) else words(value) or ""


def named(call: str, given: "Mapping[str, Any]") -> "tuple[str, ...]":
    """Return options of a page as the extension wants them."""
    if not given:
        return ()
    if not _known.issuperset(given):
        _refuse_names(call, given, _known)
    return tuple(f"{name}={_written(value)}" for name, value in given.items() if value is not None)


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
    options: "tuple[str, ...]"  # of a page
    name: "str | None"
    place: "str | None"
    flags: int
    batch_rows: int
    batch_bytes: int
    site: Any  # the path of a table; a list of a learner of danatext.site; None
    revisits: Any  # as given; then the files in which records are looked for; None


def settings_of(call: str, options: "Mapping[str, Any]") -> "Settings":
    """Check the options of danatext.open or danatext.scan, which are named where one is unknown."""
    known = OpenOptions.__annotations__
    if not known.keys() >= options.keys():
        _refuse_names(call, options, known)
    return settings(**options)


def settings(
    method: Methods = DEFAULT_METHOD,
    type: "Words | None" = None,
    status: "Words | None" = None,
    mime: "Words | None" = None,
    min_chars: int = 1,
    plugins: Iterable[str] = (),
    require_digest: bool = False,
    check_digests: str = "auto",
    html: bool = False,
    rejects: bool = False,
    name: "str | None" = None,
    place: "str | None" = None,
    batch_rows: int = 1024,
    batch_bytes: int = 4 << 20,
    site: "str | os.PathLike[str] | None" = None,
    revisits: Any = None,
    **page: Any,
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
    options = named("open", page)
    methods = check_methods(method)
    if options:
        _dana.page_column_schema(methods, (), options)  # raises
    return Settings(
        methods,
        words(type),
        words(status),
        words(mime),
        min_chars,
        plugin_list(plugins),
        options,
        name,
        place,
        digests[check_digests] | sum(flag for flag, is_set in flags.items() if is_set),
        batch_rows,
        batch_bytes,
        site_table(site),
        revisits,
    )
