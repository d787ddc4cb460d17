# SPDX-License-Identifier: MIT
"""crawl_site.py FOLDER PAGES [SECONDS]: a site on loopback for tests of crawlers, which takes SECONDS for each page. Writes

FOLDER/port      the port, when the server listens
FOLDER/pages     JSON, an object a line for each HTML page that can be reached: {"title", "url", "html_base64", "charset"?},
                 as `dana extract --jsonl` takes it, where charset is what the server says

The pages have charsets, codings, redirects and names that go wrong easily; beside them are errors and files that are no
HTML. Ends when its standard input does.
"""
import base64, gzip, http.server, json, os, sys, threading, time, urllib.parse

WORDS = {
    "utf-8": "crawl archive page content forest river mountain letter window garden winter paper".split(),
    "windows-1256": "سلام كتاب مدينة نهر جبل باب شتاء ورق حديقة رسالة".split(),
    "koi8-r": "письмо река лес гора окно зима бумага сад книга дом".split(),
    "shift_jis": "森林の中に 長い川が 流れている 山の上に 白い雲が 浮かぶ 冬の朝は 静かである".split(),
}
NAMES = (
    "plain-%d.html", "with space %d.html", "100%%-%d", "ünïcödé-%d.html", "query.html?id=%d&x=~1", "-dash-%d.html",
    "..two-dots-%d.html", "semi;colon-%d.html", "long-" + "x" * 180 + "-%d.html", "quote'\"%d.html",
    "tab\tline\n%d.html", ".hidden-%d.html", "folder%d/", "page%d.warc.gz", "<b>&amp;-%d", "script%d.php",
)
CHARSETS = ("utf-8", "windows-1256", "koi8-r", "shift_jis")


def text(number, charset):
    words = WORDS[charset]
    state = number * 2654435761 % 2**32
    paragraphs = []
    for p in range(6 + number % 20):
        sentence = []
        for w in range(30 + (number + p) % 40):
            state = (state * 1103515245 + 12345) % 2**31
            sentence.append(words[(state >> 16) % len(words)])
        paragraphs.append("<p>%d.%d %s.</p>" % (number, p, " ".join(sentence)))
    return "\n".join(paragraphs)


def page(number, count):
    """Its bytes, and the charset that the server names; None: it names none."""
    charset = CHARSETS[number // 3 % len(CHARSETS)]
    named = number % 2 == 0
    menu = "".join('<li><a href="/r/%d">Menu %d</a></li>' % ((number * 7 + i) % count, i) for i in range(12))
    meta = "" if named else '<meta charset="%s">' % charset
    html = "<!doctype html><html><head>%s<title>Page %d</title></head><body><ul>%s</ul>\n%s\n" % (meta, number, menu, text(number, charset))
    html += "<div><a href=\"/style.css\">Style</a> <a href=\"/e/404-%d\">gone</a></div></body></html>" % number
    return html.encode(charset), charset if named else None


def path(number):
    """As in a URL that is right."""
    return "/p/" + urllib.parse.quote(NAMES[number % len(NAMES)] % number, safe="/;?=&~")


class Site:
    def __init__(self, count):
        self.count = count
        self.pages = {urllib.parse.unquote(path(i)): i for i in range(count)}
        self.files = {
            "/": ("text/html; charset=utf-8", self.index()), "/empty.html": ("text/html", b""),
            "/style.css": ("text/css", b"p { color: black }"), "/code.js": ("text/javascript", b"var page = '<p>no page';"),
            "/data.json": ("application/json", b'{"html": "<p>no page"}'),
            "/picture.png": ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
        }

    def index(self):
        links = "".join('<a href="%s">%d</a> ' % (path(i), i) for i in range(self.count))
        extra = "".join('<a href="/e/%d-%d">e</a> ' % (code, i) for code in (404, 410, 500) for i in range(3))
        extra += '<img src="/picture.png"><script src="/code.js"></script><link rel="stylesheet" href="/style.css">'
        extra += '<a href="/data.json">j</a> <a href="/empty.html">0</a>'
        return ("<!doctype html><title>Index</title><p>%s</p>%s" % (links, extra)).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def answer(self, status, content_type, body, chunked=False, headers=()):
        self.send_response(status)
        if content_type:
            self.send_header("Content-Type", content_type)
        for name, value in headers:
            self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if not chunked:
            self.wfile.write(body)
            return
        for i in range(0, len(body), 1000):
            piece = body[i:i + 1000]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def page(self, number):
        time.sleep(delay)
        body, charset = page(number, site.count)
        content_type = "text/html" if number % 5 else "application/xhtml+xml"
        if charset:
            content_type += "; charset=" + charset
        headers = [("X-Number", str(number))]
        if number % 3 == 1 and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, mtime=0)
            headers.append(("Content-Encoding", "gzip"))
        self.answer(200, content_type, body, number % 4 == 3, headers)

    def do_GET(self):
        name = urllib.parse.unquote(self.path)
        if name in site.pages:
            self.page(site.pages[name])
        elif name in site.files:
            self.answer(200, *site.files[name])
        elif name.startswith("/r/"):
            self.answer(302, "text/html", b"<p>moved", headers=[("Location", path(int(name[3:])))])
        elif name.startswith("/e/"):
            self.answer(int(name[3:6]), "text/html", b"<p>This page is an error, and no document of a crawl.")
        else:
            self.answer(404, "text/plain", b"nothing here")

    do_HEAD = do_GET


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


folder = sys.argv[1]
site = Site(int(sys.argv[2]))
delay = float(sys.argv[3]) if len(sys.argv) > 3 else 0
server = Server(("127.0.0.1", 0), Handler)
with open(os.path.join(folder, "pages"), "w") as out:
    for i in range(site.count):
        body, charset = page(i, site.count)
        line = {"title": "Page %d" % i, "url": "http://127.0.0.1:%d%s" % (server.server_port, path(i))}
        line["html_base64"] = base64.b64encode(body).decode()
        if charset:
            line["charset"] = charset
        out.write(json.dumps(line) + "\n")
with open(os.path.join(folder, "port.new"), "w") as out:
    out.write(str(server.server_port))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
