#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_site.py PAGE: a web site for `dana serve --fetch`, on a free port of 127.0.0.1, which is printed. /to/URL
redirects there, /slow answers never, /big is larger than any limit, /404 is missing, /data is no page; all else is PAGE. The requests are
written to standard error."""
import http.server, socketserver, sys, time

PAGE = open(sys.argv[1], "rb").read()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send(self, status, body, **fields):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/to/"):
            self.send(302, b"", Location=self.path[4:])
        elif self.path == "/slow":
            time.sleep(60)
        elif self.path == "/big":
            self.send(200, b"<p>" + b"words and more words " * 100000, Content_Type="text/html")
        elif self.path == "/404":
            self.send(404, b"none")
        elif self.path == "/data":
            self.send(200, b"\x89PNG\r\n\x1a\n" + b"\0" * 600, Content_Type="image/png")
        else:
            self.send(200, PAGE, Content_Type="text/html; charset=utf-8")

    def log_message(self, form, *values):
        print(form % values, file=sys.stderr, flush=True)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
