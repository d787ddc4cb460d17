# SPDX-License-Identifier: MIT
"""danatext.fetch: a page by its URL, as `dana extract URL` reads it."""

import gzip
import http.server
import json
import subprocess
import threading
import time

import danatext
import pytest
from conftest import PARAGRAPH

PAGE = f"<title>Über</title><p>{PARAGRAPH * 3}Größe. <a href='x'>A link</a> to more of it.</p>".encode("windows-1252")
LATIN = "text/html; charset=windows-1252"


class Handler(http.server.BaseHTTPRequestHandler):
    seen: list = []

    def log_message(self, *_):
        pass

    def reply(self, status=200, body=PAGE, **fields):
        self.send_response(status)
        for name, value in {"Content_Type": LATIN, "Content_Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.seen.append((self.path, self.headers))
        path = self.path.partition("?")[0]
        elsewhere = f"http://localhost:{self.server.server_address[1]}/page"
        if path == "/gzip":
            self.reply(body=gzip.compress(PAGE), Content_Encoding="gzip")
        elif path == "/bomb":
            self.reply(body=gzip.compress(b"<p>word " * (3 << 20)), Content_Encoding="gzip")
        elif path == "/moved":
            self.reply(302, b"gone", Location="/page?id=2#place")
        elif path == "/away":
            self.reply(302, b"", Location=elsewhere)
        elif path == "/around":
            self.reply(302, b"", Location=f"/around?{len(self.seen)}")
        elif path == "/file":
            self.reply(302, b"", Location="file:///etc/passwd")
        elif path == "/cookie":
            seen = "seen=1" in self.headers.get("Cookie", "")
            self.reply() if seen else self.reply(302, b"", Location="/cookie", Set_Cookie="seen=1")
        elif path == "/cut":
            self.reply(Content_Length="99999")
        elif path == "/slow":
            time.sleep(3)
        elif path == "/data":
            self.reply(body=b'{"a": 1}', Content_Type="application/json")
        elif path == "/missing":
            self.reply(404, b"not found")
        else:
            self.reply()


@pytest.fixture(scope="module")
def base():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["page", "gzip", "moved", "away", "cookie", "page?q=a b", "page#place"])
def test_a_page_is_what_the_command_reads(dana, base, path):
    fetched = danatext.fetch(f"{base}/{path}")
    page = danatext.extract(fetched, text="markdown")
    done = subprocess.run(
        [dana.program, "extract", "-f", "json", "--text", "plain,markdown", f"{base}/{path}"], capture_output=True, check=True
    )
    command = json.loads(done.stdout)
    assert "Größe" in command["text"]
    assert fetched.url == command.pop("url")
    assert danatext.extract(fetched, text="plain,markdown").asdict() == command
    assert "/x)" in page.markdown
    assert list(danatext.extract_many([fetched]))[0].text == page.text


def test_where_it_came_from(base):
    fetched = danatext.fetch(f"{base}/moved")
    assert (fetched.url, fetched.status_code, fetched.truncated) == (f"{base}/page?id=2", 200, False)
    assert fetched.headers["content-type"] == LATIN
    assert danatext.extract(danatext.fetch(f"{base}/data")).reason.startswith("the media type is application/json")


def test_a_page_that_is_too_long_is_cut(base):
    fetched = danatext.fetch(f"{base}/bomb")
    assert fetched.truncated
    assert len(fetched.content) == 16 << 20


@pytest.mark.parametrize(
    "path, why",
    [
        ("missing", "the server answers with status 404"),
        ("around", "more than 10 redirects"),
        ("file", "is not allowed"),
        ("cut", "before the page's end"),
    ],
)
def test_no_page_is_an_error_with_the_reason(base, path, why):
    with pytest.raises(OSError, match=why) as error:
        danatext.fetch(f"{base}/{path}")
    assert str(error.value).startswith(f"{base}/{path}: ")


def test_time(base):
    with pytest.raises(TimeoutError, match="no page within 0.5 seconds"):
        danatext.fetch(f"{base}/slow", timeout=0.5)


@pytest.mark.parametrize("url", ["page.html", "ftp://h/", "file:///etc/passwd", "http://", "http:///x", "http://h:x/", "http://h\\@g/", "http://" + "a" * 70])
def test_what_is_no_url_of_a_page(url):
    with pytest.raises(ValueError):
        danatext.fetch(url)


def test_what_the_server_is_told(base):
    danatext.fetch(f"{base}/page?журнал")
    path, headers = Handler.seen[-1]
    assert path == "/page?%D0%B6%D1%83%D1%80%D0%BD%D0%B0%D0%BB"
    assert headers["User-Agent"] == f"dana/{danatext.__version__}"
    danatext.fetch(base.replace("//", "//me:hid%20den@") + "/away", headers={"user-agent": "me/1", "COOKIE": "a=b", "X-A": "b"})
    (_, first), (_, second) = Handler.seen[-2:]
    assert (first["User-Agent"], first["Cookie"], first["Authorization"]) == ("me/1", "a=b", "Basic bWU6aGlkIGRlbg==")
    assert (second["X-A"], second["Cookie"], second["Authorization"]) == ("b", None, None)


def test_the_error_of_a_url_names_fetch():
    with pytest.raises(danatext.NotAPage, match=r"danatext.extract\(danatext.fetch\('https://example.org/'\)\)"):
        danatext.extract("https://example.org/")
