# SPDX-License-Identifier: MIT
"""scrapy_site.py EXAMPLES URL DANA OUT: crawls the site at URL by Scrapy, link by link, with the pipeline of
EXAMPLES/scrapy_dana.py, and writes an object {"url", "title", "text", "problems"} a line for each HTML page with text to OUT. Status 77:
there is no Scrapy."""
import json
import sys

try:
    import scrapy
    from scrapy.crawler import CrawlerProcess
except ImportError:
    sys.exit(77)

examples, url, dana, out = sys.argv[1:]
sys.path.insert(0, examples)
documents = []


class Keep:
    def process_item(self, item, spider):
        if item["text"]:
            documents.append(item)
        return item


class Pages(scrapy.Spider):
    name = "pages"

    start_urls = [url]

    def parse(self, response):
        content_type = response.headers.get("Content-Type", b"").decode("latin-1")
        if not content_type.startswith(("text/html", "application/xhtml+xml")):
            return
        yield {"html": response.body, "url": response.url, "content_type": content_type}
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
        f.write(json.dumps(document) + "\n")
