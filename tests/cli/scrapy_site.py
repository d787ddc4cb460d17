# SPDX-License-Identifier: MIT
"""scrapy_site.py EXAMPLES FOLDER DANA OUT: crawls the pages of FOLDER, which a server on loopback has, by Scrapy with the
pipeline of EXAMPLES/scrapy_dana.py, and writes `{name: text}` as JSON to OUT. Status 77: there is no Scrapy."""
import functools
import http.server
import json
import os
import sys
import threading

try:
    import scrapy
    from scrapy.crawler import CrawlerProcess
except ImportError:
    sys.exit(77)

examples, folder, dana, out = sys.argv[1:]
sys.path.insert(0, examples)
texts = {}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class Keep:
    def process_item(self, item, spider):
        texts[item["url"].rsplit("/", 1)[1]] = item["text"]
        return item


class Pages(scrapy.Spider):
    name = "pages"

    def start_requests(self):
        for name in sorted(os.listdir(folder)):
            yield scrapy.Request("http://127.0.0.1:%d/%s" % (server.server_port, name))

    def parse(self, response):
        content_type = response.headers.get("Content-Type", b"").decode("latin-1")
        yield {"html": response.body, "url": response.url, "content_type": content_type}


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
process = CrawlerProcess({
    "DANA_COMMAND": [dana, "extract", "--jsonl", "-j", "0"],
    "ITEM_PIPELINES": {"scrapy_dana.MainText": 300, Keep: 400},
    "LOG_LEVEL": "ERROR",
    "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Pages)
process.start()
server.shutdown()
with open(out, "w") as f:
    json.dump(texts, f)
