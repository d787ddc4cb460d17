#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
An object store on loopback that has one file under every key.

    store_server.py CERT LOG FILE

Prints "port P" when it listens, and ends when its standard input is closed. It is also a proxy for https: whatever host is asked for,
it is that host, with the certificate of CERT. LOG gets a JSON object for each request: path and fields.
"""
import http.server, json, os, ssl, sys, threading

cert, log, file = sys.argv[1], open(sys.argv[2], "a", buffering=1), sys.argv[3]
content = open(file, "rb").read()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(cert)


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)

    def do_GET(self):
        # Not self.path, which http.server shortens where it begins with "//".
        path = self.requestline.split(" ")[1]
        log.write(json.dumps({"path": path, "fields": {name.lower(): value for name, value in self.headers.items()}}) + "\n")
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("port", server.server_address[1], flush=True)
sys.stdin.buffer.read()
os._exit(0)
