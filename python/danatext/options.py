# SPDX-License-Identifier: MIT
"""The options of ``dana filter`` that archives take, as the extension wants them."""

from typing import Iterable, NamedTuple, TypedDict, Union

from danatext import _dana
from danatext.errors import OptionError, UnknownMethod

DEFAULT_METHOD = "learned"
NEEDS_LIBCURL = frozenset(["wlr-media"])

Words = Union[str, int, Iterable[Union[str, int]]]


class OpenOptions(TypedDict, total=False):
    """Options of :func:`danatext.open`, :func:`danatext.scan` and the classes behind them."""

    method: str
    type: "Words | None"
    status: "Words | None"
    mime: "Words | None"
    min_chars: int
    plugins: Iterable[str]
    require_digest: bool
    text: str
    html: bool
    rejects: bool
    name: "str | None"
    place: "str | None"
    batch_rows: int
    batch_bytes: int


def methods() -> "tuple[str, ...]":
    """Return the names of the methods, the default first among those that are meant for use."""
    return tuple(name for name in _dana.methods() if name not in NEEDS_LIBCURL)


def check_method(method: str) -> str:
    name = method.partition(":")[0]
    if name in NEEDS_LIBCURL:
        raise UnknownMethod(f"method {name!r} is not in this package: it needs libcurl; use the program dana")
    if name not in _dana.methods():
        raise UnknownMethod(f"method {name!r} is unknown; expected one of {', '.join(methods())}")
    return method


def words(value: "Words | None") -> "str | None":
    """A list as the command line has it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    return ",".join(map(str, value))


class Settings(NamedTuple):
    """Checked options; can be pickled."""

    method: str = DEFAULT_METHOD
    type: "str | None" = None
    status: "str | None" = None
    mime: "str | None" = None
    min_chars: int = 1
    plugins: "tuple[str, ...]" = ()
    require_digest: bool = False
    html: bool = False
    rejects: bool = False
    name: "str | None" = None
    place: "str | None" = None
    batch_rows: int = 1024
    batch_bytes: int = 4 << 20

    def flags(self) -> int:
        flags = _dana.WANT_HTML if self.html else 0
        flags |= _dana.REQUIRE_DIGEST if self.require_digest else 0
        flags |= _dana.KEEP_REJECTS if self.rejects else 0
        return flags | (0 if self.min_chars else _dana.TAKE_EMPTY)


def settings(
    method: str = DEFAULT_METHOD,
    type: "Words | None" = None,
    status: "Words | None" = None,
    mime: "Words | None" = None,
    min_chars: int = 1,
    plugins: Iterable[str] = (),
    require_digest: bool = False,
    text: str = "plain",
    html: bool = False,
    rejects: bool = False,
    name: "str | None" = None,
    place: "str | None" = None,
    batch_rows: int = 1024,
    batch_bytes: int = 4 << 20,
) -> Settings:
    if text != "plain":
        raise OptionError(f"text {text!r} is unknown; expected 'plain'")
    if min_chars < 0:
        raise OptionError(f"min_chars is {min_chars}; expected 0 or more")
    if batch_rows < 1 or not 1 <= batch_bytes <= 1 << 30:
        raise OptionError("expected batch_rows of 1 or more, and batch_bytes of 1 to 1 GiB")
    if isinstance(plugins, str):
        plugins = (plugins,)
    return Settings(
        check_method(method),
        words(type),
        words(status),
        words(mime),
        min_chars,
        tuple(plugins),
        require_digest,
        html,
        rejects,
        name,
        place,
        batch_rows,
        batch_bytes,
    )
