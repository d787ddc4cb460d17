#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the inputs of the golden runs (and the expected outputs stay with tests/golden/run.sh --write).

Only for developers: the inputs are in the repository, because compressed bytes differ between versions of zlib and zstd.
All pages are made here.
"""
import gzip
import os
import subprocess
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))

ENGLISH = ["The lighthouse keeper counted the ships that passed before noon and wrote each name into a long grey book.",
           "When the fog came in from the east he lit the lamp early, and nobody in the village complained about the horn.",
           "Years later his notes became the best record of the weather that the whole coast had ever known."]
RUSSIAN = ["Старый мост через реку построили ещё до войны, и каждую весну его осматривают инженеры.",
           "Этой осенью они нашли трещину в третьей опоре, поэтому движение грузовиков пока закрыто.",
           "Жители надеются, что ремонт закончится до первых морозов."]
PERSIAN = ["کتابخانهٔ شهر هر روز از ساعت هشت صبح تا هشت شب باز است و ورود برای همه آزاد است.",
           "در طبقهٔ دوم نسخه‌های خطی قدیمی نگهداری می‌شود که پژوهشگران می‌توانند آن‌ها را ببینند.",
           "سال گذشته بیش از سی هزار نفر از این مجموعه استفاده کردند."]
ARABIC = ["يستيقظ الصيادون قبل الفجر ويخرجون بقواربهم الصغيرة إلى البحر الهادئ.",
          "في السوق القديم يباع السمك الطازج كل صباح، ويجتمع الناس حول الباعة.",
          "وقد تعلم الأبناء هذه المهنة من آبائهم منذ مئات السنين."]
CHINESE = ["山谷里的茶园在清晨总是被薄雾笼罩，采茶的人们天不亮就出门了。", "今年春天雨水充足，新茶的味道比往年更加清香。",
           "村里的老人说，好茶需要耐心，也需要好天气。"]


def page(title, paragraphs, charset="utf-8", lang="en", extra=""):
    menu = "".join('<li><a href="/m%d">Menu %d</a></li>' % (i, i) for i in range(8))
    body = "\n".join("<p>%s</p>" % p for p in paragraphs)
    return ('<!DOCTYPE html>\n<html lang="%s"><head><meta charset="%s"><title>%s</title>'
            '<style>body { margin: 0 }</style><script>var a = "<p>no</p>";</script></head>\n'
            '<body><ul class="menu">%s</ul>\n<h1>%s</h1>\n%s\n%s<div id="foot"><a href="/">Home</a> | <a href="/c">Contact</a> '
            '&copy; 2020 &amp; later</div></body></html>\n') % (lang, charset, title, menu, title, body, extra)


def http(body, status="200 OK", headers=(("Content-Type", "text/html"),), length=True):
    lines = ["HTTP/1.1 " + status] + ["%s: %s" % h for h in headers]
    if length:
        lines.append("Content-Length: %d" % len(body))
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunked(body, size):
    out = b""
    for i in range(0, len(body), size):
        piece = body[i:i + size]
        out += b"%x\r\n%s\r\n" % (len(piece), piece)
    return out + b"0\r\n\r\n"


COUNT = [0]


def record(kind, block, uri="http://example.org/", ctype="application/http; msgtype=response", version="WARC/1.0",
           more=(), length=None, date="2020-05-17T10:20:30Z"):
    COUNT[0] += 1
    head = [version, "WARC-Type: " + kind, "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>" % COUNT[0],
            "WARC-Date: " + date]
    if uri:
        head.append("WARC-Target-URI: " + uri)
    head += ["%s: %s" % m for m in more]
    if ctype:
        head.append("Content-Type: " + ctype)
    head.append("Content-Length: %d" % (len(block) if length is None else length))
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def mixed():
    COUNT[0] = 0
    html = "text/html; charset=utf-8"
    req = b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"
    fa = page("کتابخانه", PERSIAN, "windows-1256", "fa").replace("ٔ", "").replace("ی", "ي").replace("ک", "ك")
    return [
        record("warcinfo", b"software: made by hand\r\nformat: WARC File Format 1.0\r\n", uri=None,
               ctype="application/warc-fields", date="2020-05-17T10:00:00Z"),
        record("request", req, "http://example.org/en", "application/http; msgtype=request"),
        record("response", http(page("The lighthouse", ENGLISH).encode(), headers=[("Content-Type", html)]),
               "http://example.org/en"),
        record("response", http(page("Мост", RUSSIAN, "windows-1251", "ru").encode("cp1251")), "http://example.org/ru"),
        record("response", http(fa.encode("cp1256", "replace"), headers=[("Content-Type", "text/html; charset=windows-1256")]),
               "http://example.org/fa"),
        record("response", http(chunked(page("الصيادون", ARABIC, lang="ar").encode(), 100), headers=[
            ("Content-Type", html), ("Transfer-Encoding", "chunked")], length=False), "http://example.org/ar"),
        record("response", http(gzip.compress(page("茶园", CHINESE, lang="zh").encode(), mtime=0), headers=[
            ("Content-Type", html), ("Content-Encoding", "gzip")]), "http://example.org/zh"),
        record("response", http(b"<html><title>gone</title><p>Not here", "404 Not Found"), "http://example.org/gone"),
        record("response", http(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, headers=[("Content-Type", "text/html")]),
               "http://example.org/a.png"),
        record("response", http(b"{}", headers=[("Content-Type", "application/json")]), "http://example.org/a.json"),
        record("response", http(page("No address", ENGLISH).encode()), None),
        record("revisit", http(b""), "http://example.org/en"),
        record("metadata", b"a: b\r\n", "http://example.org/en", "application/warc-fields"),
        record("resource", page("A resource", ENGLISH).encode(), "file:///page.html", "text/html"),
        record("resource", b"plain words only", "file:///a.txt", "text/css"),
        record("response", http(b"<html><head><title>Nothing</title></head><body></body></html>"), "http://example.org/empty"),
        record("response", http(page("Cut by the crawler", ENGLISH).encode()[:900], headers=[
            ("Content-Type", html)]), "http://example.org/cut", more=[("WARC-Truncated", "length")]),
        record("response", b"<html><title>No head</title><body><p>" + ENGLISH[0].encode(), "http://example.org/nohead"),
        record("response", b"dns answer\n", "dns:example.org", "text/dns"),
        record("response", http(page("Wrong length", ENGLISH).encode(), headers=[
            ("Content-Type", html), ("Content-Length", "7")], length=False), "http://example.org/len"),
        record("response", http(page("Twice \xfc bad", ENGLISH).encode("latin-1"), headers=[("Content-Type", html)]),
               "http://example.org/badutf8"),
    ]


def damaged():
    r = mixed()
    en, ru, ar = r[2], r[3], r[5]
    long = record("response", http(page("Length too long", ENGLISH).encode()), "http://example.org/long", length=5000)
    bad = b"WARC/1.0\r\nWARC-Type: response\r\nthis is no field\r\n\r\n" + b"x" * 200 + b"\r\n\r\n"
    return [r[0], en, b"something that is no record at all\r\n" * 20, ru, long, ar, bad, en, r[13][:300]]


def arc():
    COUNT[0] = 0
    out = b""
    info = b"1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n\n"
    out += b"filedesc://a.arc 0.0.0.0 20010203040506 text/plain %d\n" % len(info) + info + b"\n"
    pages = [("http://example.org/en", "text/html", http(page("The lighthouse", ENGLISH).encode())),
             ("http://example.org/ru", "text/html", http(page("Мост", RUSSIAN).encode())),
             ("http://example.org/a.gif", "image/gif", http(b"GIF89a" + b"\0" * 50, headers=[("Content-Type", "image/gif")])),
             ("dns:example.org", "text/dns", b"20010203040506\nexample.org. IN A 192.0.2.1\n")]
    for uri, kind, block in pages:
        out += ("%s 192.0.2.1 20010203040507 %s %d\n" % (uri, kind, len(block))).encode() + block + b"\n"
    return out


def gz(data):
    c = zlib.compressobj(9, zlib.DEFLATED, 31)
    return c.compress(data) + c.flush()


def zstd(data):
    return subprocess.run(["zstd", "-q", "-9", "-c", "--check"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def main():
    records = mixed()
    members = [gz(r) for r in records]
    broken = bytearray(members[3])
    broken[-6] ^= 0x55
    COUNT[0] = 0
    many = [record("response", http(page("Page %d" % i, [p + " (%d)" % i for p in (ENGLISH, RUSSIAN, PERSIAN)[i % 3]]).encode()),
                   "http://example.org/%d" % i) if i % 4 else record("request", b"GET / HTTP/1.1\r\n\r\n", "http://example.org/%d" % i)
            for i in range(160)]
    inputs = {
        "plain/in.warc": records, "any/in.warc": records, "datatrove/in.warc": records[:6], "dolma/in.warc": records[:6],
        "members/in.warc.gz": members, "warc/in.warc.gz": members, "auto/in.warc.gz": members, "texts/in.warc.gz": members,
        "whole/in.warc.gz": [gz(b"".join(records))], "frames/in.warc.zst": map(zstd, records), "damaged/in.warc": damaged(),
        "broken/in.warc.gz": [*members[:3], bytes(broken), b"junk between", *members[4:7], members[13][:400]],
        "arc/in.arc.gz": [gz(arc())], "many/in.warc.gz": map(gz, many),
    }
    for name, parts in inputs.items():
        path = os.path.join(HERE, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.writelines(parts)


if __name__ == "__main__":
    main()
