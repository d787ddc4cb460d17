# SPDX-License-Identifier: MIT
"""scrapy_site.py EXAMPLES URL DANA OUT: crawls the site at URL by Scrapy, link by link, with the pipeline of
EXAMPLES/scrapy_dana.py, and writes an object {"url", "title", "text", "problems"} a line for each HTML page with text to OUT. `html` and
`content_type` are bytes and text by turns. Status 77: there is no Scrapy."""
import itertools
import json
import sys
import warnings

try:
    import scrapy
    from scrapy.crawler import CrawlerProcess
except ImportError:
    sys.exit(77)

examples, url, dana, out = sys.argv[1:]
sys.path.insert(0, examples)
documents = []
turns = itertools.count()
warnings.filterwarnings("error", message=".*scrapy_dana|.*MainText")


class Keep:
    def process_item(self, item, spider=None):
        if item["text"]:
            documents.append(item)
        return item


class Pages(scrapy.Spider):
    name = "pages"

    start_urls = [url]

    def parse(self, response):
        sent = response.headers.get("Content-Type")
        content_type = (sent or b"").decode("latin-1")
        if not content_type.startswith(("text/html", "application/xhtml+xml")):
            return
        turn = next(turns)
        decoded = turn % 4 == 3 and isinstance(response, scrapy.http.HtmlResponse) and response.encoding == "utf-8"
        yield {"html": response.text if decoded else response.body, "url": response.url,
               "content_type": sent if turn % 2 else content_type}
        for link in response.css("a::attr(href)").getall() if isinstance(response, scrapy.http.HtmlResponse) else ():
            yield response.follow(link)


process = CrawlerProcess({
    "DANA_COMMAND": [dana, "extract", "--jsonl", "-j", "0"],
    "ITEM_PIPELINES": {"scrapy_dana.MainText": 300, Keep: 400},
    "LOG_LEVEL": "ERROR",
    "RETRY_ENABLED": False,
    "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Pages)
process.start()
with open(out, "w") as f:
    for document in documents:
        f.write(json.dumps(document) + "\n")  # as a feed of Scrapy writes it
