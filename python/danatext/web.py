# SPDX-License-Identifier: MIT
"""A page of the web by its URL, as `dana extract URL` fetches it: `fetch`."""

import http.client
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from base64 import b64encode
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, Any, NamedTuple

from danatext._dana import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from email.message import Message

BYTES_MOST = 16 << 20  # of a body, after its encodings: what `dana` reads of a page
REDIRECTS_MOST = 10
ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
SECRET = ("authorization", "cookie")  # headers that go to no other host
STEP = 1 << 16


class Fetched(NamedTuple):
    """A page as its server sent it, which `extract` and `extract_many` take as they do a response of requests."""

    content: bytes
    url: str
    """After redirects, without user, password and fragment."""
    status_code: int
    headers: "Message"
    truncated: bool
    """Whether the page is longer than 16 MiB: the rest is not fetched."""


def _ascii(url: str) -> "tuple[str, str | None]":
    """The URL as it is sent, and user and password for a header."""
    try:
        parts = urllib.parse.urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        name = host if host is None or ":" in host else host.encode("idna").decode("ascii")
    except ValueError as error:
        raise ValueError(f"{url!r} is not the URL of a page: {error}") from None
    if parts.scheme not in ("http", "https") or not name or "\\" in parts.netloc:
        raise ValueError(f"{url!r} is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH")
    place = (f"[{name}]" if ":" in name else name) + (f":{port}" if port else "")
    path = urllib.parse.quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = urllib.parse.quote(parts.query, safe="/%:@!$&'()*+,;=~-._?[]")
    secret = None
    if parts.username is not None:
        pair = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        secret = "Basic " + b64encode(pair.encode()).decode("ascii")
    return urllib.parse.urlunsplit((parts.scheme, place, path, query, "")), secret


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Never from https to http, nor to what is not HTTP; what is secret stays with its host."""

    max_redirections = REDIRECTS_MOST

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        target = urllib.parse.urlsplit(newurl)
        if target.scheme != "https" and (target.scheme != "http" or req.type == "https"):
            raise OSError(f"a redirect to what is not fetched: {target.scheme}")
        again = super().redirect_request(req, fp, code, msg, headers, _ascii(newurl)[0])
        if again and target.netloc != urllib.parse.urlsplit(req.full_url).netloc:
            again.headers = {name: value for name, value in again.headers.items() if name.lower() not in SECRET}
        return again


def _decoders(encodings: str) -> "list[Any]":
    """What undoes the content encodings, the last one first."""
    made = []
    for name in reversed([word.strip().lower() for word in encodings.split(",")]):
        if name in ("gzip", "x-gzip"):
            made.append(zlib.decompressobj(wbits=16 + zlib.MAX_WBITS))
        elif name not in ("", "identity"):
            raise OSError(f"the content encoding {name!r}, which was not asked for")
    return made


def _body(reply: Any, end: float) -> "tuple[bytes, bool]":
    """All of the body, up to BYTES_MOST bytes without its encodings; and whether there is more."""
    decoders = _decoders(",".join(reply.headers.get_all("content-encoding") or ()))
    body = bytearray()
    while len(body) <= BYTES_MOST:
        if time.monotonic() > end:
            raise TimeoutError("it has not come in time")
        piece = reply.read1(STEP)
        if not piece:
            if reply.length:  # what Content-Length promised
                raise OSError(f"the connection ended {reply.length} bytes before the page's end")
            break
        for decoder in decoders:
            piece = decoder.decompress(piece, BYTES_MOST + 1 - len(body))
        body += piece
    return bytes(body[:BYTES_MOST]), len(body) > BYTES_MOST


def fetch(url: str, *, headers: "Mapping[str, str] | None" = None, timeout: float = 60) -> Fetched:
    """Return the page at a URL of http or https, for `extract`: ``extract(fetch(url))``.

    Redirects are followed, content encodings undone. The certificates and the proxy are the system's, and those that the
    environment names (``SSL_CERT_FILE``, ``https_proxy``). `headers` are sent besides, or in place of, the usual ones, of
    which ``User-Agent`` has the program's name; ``Authorization`` and ``Cookie`` stay with the first host. After `timeout`
    seconds a page is given up. Scripts are not run, robots.txt is not asked, and no cookie is kept.

    Raises ``OSError`` with the URL and the reason where there is no page: also for a status other than 2xx; ``ValueError`` if
    `url` is no such URL. Any thread may call this.
    """
    clean, secret = _ascii(url)
    fields = {"Accept": ACCEPT, "Accept-Encoding": "gzip", "User-Agent": f"dana/{VERSION}"}
    if secret:
        fields["Authorization"] = secret
    fields.update({name.title(): value for name, value in (headers or {}).items()})
    end = time.monotonic() + timeout
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPCookieProcessor(CookieJar()),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    try:
        with opener.open(urllib.request.Request(clean, headers=fields), timeout=min(timeout, 20)) as reply:
            body, truncated = _body(reply, end)
            reached = urllib.parse.urldefrag(reply.url).url
            return Fetched(body, reached, reply.status, reply.headers, truncated)
    except urllib.error.HTTPError as error:
        error.close()
        loop = "inf" in str(error.msg) and "loop" in str(error.msg)
        why = f"more than {REDIRECTS_MOST} redirects" if loop else f"the server answers with status {error.code} ({error.reason})"
        raise OSError(f"{clean}: {why}") from None
    except (socket.timeout, TimeoutError):
        raise TimeoutError(f"{clean}: no page within {timeout:g} seconds") from None
    except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
        raise OSError(f"{clean}: {getattr(error, 'reason', None) or error or type(error).__name__}") from error
