# SPDX-License-Identifier: MIT
"""A Scrapy item pipeline that adds the main text of each page.

One `dana extract --jsonl` is kept as a child for the whole crawl; each page is one line to it and one line back. In the
settings of a project:

    ITEM_PIPELINES = {"scrapy_dana.MainText": 300}

The spider yields items with `html` (response.body, or response.text: what is decoded already needs no charset), `url`, and
`content_type` where the server sent one (response.headers.get("Content-Type"), bytes or text). The pipeline takes both away, and
adds what dana reports of the page: `text`, `title`, `charset`, `problems` and so on. Where there is no text, `text` is None and
`reason` has the reason. DANA_COMMAND in the settings gives the program and its options.

Scrapy before 2.13 hands the spider to the methods, later versions do so only where a method demands it.
"""
import base64
import json
import subprocess

from w3lib.encoding import http_content_type_encoding


class MainText:
    def __init__(self, command):
        self.command = command
        self.child = None

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings.getlist("DANA_COMMAND") or ["dana", "extract", "--jsonl", "-j", "0"])

    def open_spider(self, spider=None):
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def process_item(self, item, spider=None):
        html, content_type = item.pop("html"), item.pop("content_type", None) or ""
        line = {"url": item["url"]}
        if isinstance(html, str):
            line["html"] = html
        else:
            line["html_base64"] = base64.b64encode(html).decode()
            if isinstance(content_type, bytes):
                content_type = content_type.decode("latin-1")
            charset = http_content_type_encoding(content_type)
            if charset:
                line["charset"] = charset
        self.child.stdin.write(json.dumps(line).encode() + b"\n")
        self.child.stdin.flush()
        result = json.loads(self.child.stdout.readline())
        item.update((key, value) for key, value in result.items() if key not in ("url", "metadata"))
        return item

    def close_spider(self, spider=None):
        self.child.stdin.close()
        status = self.child.wait()
        if status != 0:
            raise RuntimeError("%s ended with status %d" % (" ".join(self.command), status))
