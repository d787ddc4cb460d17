# SPDX-License-Identifier: MIT
"""crawl.py DANA PLUGIN [PAGES [ROUNDS [SECONDS]]]: what the text costs beside a crawler, over the site of the tests (crawl_site.py).

DANA is the program, PLUGIN the libdana.so of wget2. Prints for each way the milliseconds of CPU time and the bytes of output a
page, medians of the rounds; and the clock time of a crawl by wget2 with the plugin against one without, in pairs, where
each round begins with the other one of the two. SECONDS: what the site takes for each page. Needs wget2 and wget.
"""
import base64
import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "support")
dana, plugin = (os.path.abspath(name) for name in sys.argv[1:3])
pages = int(sys.argv[3]) if len(sys.argv) > 3 else 500
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 11
seconds_a_page = sys.argv[5] if len(sys.argv) > 5 else "0"
environment = dict(os.environ, no_proxy="127.0.0.1")


def run(command, stdin=None, stdout=None):
    """Clock seconds, and seconds of CPU of the command and its children."""
    before = os.times()
    begin = time.monotonic()
    with open(stdin or os.devnull, "rb") as source, open(stdout or os.devnull, "wb") as sink:
        status = subprocess.run(command, stdin=source, stdout=sink, stderr=subprocess.DEVNULL, env=environment).returncode
    clock = time.monotonic() - begin
    after = os.times()
    if status not in (0, 8):  # 8: some pages of the site are errors
        sys.exit("%s: status %d" % (" ".join(command), status))
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return clock, cpu


def tell(what, seconds, size, documents):
    print("%-44s %8.3f ms a page %8.0f bytes a page" % (what, 1000 * statistics.median(seconds) / documents, size / documents))


def measure(what, command, documents, stdin=None):
    """The command writes its output to the file `out`, or to standard output."""
    seconds = []
    for _ in range(rounds):
        if os.path.exists("out"):
            os.remove("out")
        seconds.append(run(command, stdin, None if "out" in command else "out")[1])
    tell(what, seconds, os.path.getsize("out"), documents)


def crawl(options):
    for name in os.listdir("."):
        if name == "mirror" or name.startswith("docs.") or name.startswith("crawl."):
            (shutil.rmtree if os.path.isdir(name) else os.remove)(name)
    os.sync()
    return run(["wget2", "--no-config", "-q", "-r", "-l", "inf", "--no-robots", "-P", "mirror"] + options + [url])


def compare(what, options, output):
    load = ["--local-plugin=" + plugin, "--plugin-opt=dana.program=" + dana]
    pairs = []
    for i in range(rounds):
        pair = {}
        for with_plugin in (i % 2, 1 - i % 2):
            pair[with_plugin] = crawl(load + ["--plugin-opt=dana." + o for o in options] if with_plugin else [])
            if with_plugin:
                size = os.path.getsize(output)
        pairs.append(pair)
    tell(what, [p[1][1] - p[0][1] for p in pairs], size, pages)
    ratios = sorted(p[1][0] / p[0][0] for p in pairs)
    print("    clock: %.2f s instead of %.2f s; of the pairs %+.1f %% (quartiles %+.1f, %+.1f)" % (
        statistics.median(p[1][0] for p in pairs), statistics.median(p[0][0] for p in pairs),
        100 * (statistics.median(ratios) - 1), 100 * (ratios[len(ratios) // 4] - 1), 100 * (ratios[-1 - len(ratios) // 4] - 1)))


def measure_service():
    """Each page is a request to `dana serve`; its CPU time is what /metrics tells."""
    service = subprocess.Popen([dana, "serve", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    connection = http.client.HTTPConnection(re.search(r"//(.*)/$", service.stderr.readline().strip()).group(1))

    def ask(method, path, body=None):
        connection.request(method, path, body, {"Accept": "application/json"})
        return connection.getresponse().read()

    def cpu():
        return float(re.search(rb"\nprocess_cpu_seconds_total (.*)", ask("GET", "/metrics")).group(1))

    with open("pages") as lines:
        bodies = [json.loads(line) for line in lines]
    bodies = [base64.b64decode(b["html_base64"]) if "html_base64" in b else b["html"].encode() for b in bodies]
    seconds = []
    for _ in range(rounds):
        before = cpu()
        size = sum(len(ask("POST", "/extract", body)) for body in bodies)
        seconds.append(cpu() - before)
    service.terminate()
    service.wait()
    tell("POST /extract (Heritrix, StormCrawler)", seconds, size, len(bodies))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    environment["HOME"] = folder  # wget2 keeps files there
    site = subprocess.Popen([sys.executable, os.path.join(SUPPORT, "crawl_site.py"), ".", str(pages), seconds_a_page], stdin=subprocess.PIPE)
    while not os.path.exists("port") and site.poll() is None:
        time.sleep(0.05)
    url = "http://127.0.0.1:%s/" % open("port").read()
    try:
        compare("wget2, dana.output", ["output=docs.jsonl"], "docs.jsonl")
        compare("wget2, dana.output=FILE.zst", ["output=docs.jsonl.zst"], "docs.jsonl.zst")
        compare("wget2, dana.warc=FILE.gz", ["warc=crawl.warc.gz"], "crawl.warc.gz")
        run(["wget", "--no-config", "-q", "-r", "-l", "inf", "-e", "robots=off", "-P", "mirror", "--warc-file=archive", url])
        documents = subprocess.run([dana, "filter", "-q", "archive.warc.gz"], stdout=subprocess.PIPE).stdout.count(b"\n")
        command = [dana, "filter", "-q", "-j", "0", "-o", "out", "archive.warc.gz", "-z"]
        measure("filter of an archive (wget, --watch)", command + ["none"], documents)
        measure("the same, compressed by zstd", command + ["zstd"], documents)
        measure("lines (Scrapy, parallel)", [dana, "extract", "--jsonl", "-j", "0"], pages, "pages")
        measure_service()
        with open("page.html", "wb") as page:
            page.write(b"<!doctype html><title>Page</title><p>" + b"Some words of a page. " * 300)
        seconds = [run([dana, "extract", "page.html"]) for _ in range(20 * rounds)]
        print("%-44s %8.3f ms a page, by the clock %.3f" % (
            "a program for each page (Nutch, Norconex)", 1000 * statistics.median(s[1] for s in seconds),
            1000 * statistics.median(s[0] for s in seconds)))
    finally:
        site.stdin.close()
        site.wait()
        os.chdir("/")
