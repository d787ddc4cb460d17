# SPDX-License-Identifier: MIT
"""A Scrapy item pipeline that adds the main text of each page.

One `dana extract --jsonl` is kept as a child for the whole crawl; each page is one line to it and one line back. In the
settings of a project:

    ITEM_PIPELINES = {"scrapy_dana.MainText": 300}

The spider yields items with `html` (the bytes of the page: response.body), `url`, and `content_type` where the server sent
one. The pipeline takes `html` away, and adds what dana reports of the page: `text`, `title`, `charset`, `problems` and so on. Where
there is no text, `text` is None and `reason` has the reason. DANA_COMMAND in the settings gives the program and its options.
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

    def open_spider(self, spider):
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def process_item(self, item, spider):
        line = {"html_base64": base64.b64encode(item.pop("html")).decode(), "url": item["url"]}
        charset = http_content_type_encoding(item.get("content_type"))
        if charset:
            line["charset"] = charset
        self.child.stdin.write(json.dumps(line).encode() + b"\n")
        self.child.stdin.flush()
        result = json.loads(self.child.stdout.readline())
        item.update((key, value) for key, value in result.items() if key not in ("url", "metadata"))
        return item

    def close_spider(self, spider):
        self.child.stdin.close()
        status = self.child.wait()
        if status != 0:
            raise RuntimeError("%s ended with status %d" % (" ".join(self.command), status))
