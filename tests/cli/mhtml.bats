# SPDX-License-Identifier: MIT
# Pages as people save them: MHTML in the shapes that programs write, and compressed pages, wherever a page is read.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >shapes.py <<'END'
import base64, quopri

TEXT = "Мельница на реке была построена в тысяча восемьсот двенадцатом году двумя братьями из соседней деревни. " * 3

def html(text, charset=""):
    return ("<!DOCTYPE html><html><head>" + ('<meta charset="%s">' % charset if charset else "") + "<title>Mill</title></head>"
            "<body><ul><li><a href=/>Home</a></li></ul><article><h1>Mill</h1>\r\n" +
            "".join("<p>%s</p>\r\n" % text for _ in range(6)) + '<p><a href="x.html">a link</a></article></body></html>')

PAGE = html(TEXT)

def part(body, kind="text/html; charset=utf-8", coding="quoted-printable", more=""):
    head = "".join([kind and "Content-Type: %s\r\n" % kind, coding and "Content-Transfer-Encoding: %s\r\n" % coding, more])
    if coding == "quoted-printable":
        body = quopri.encodestring(body.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    elif coding == "base64":
        body = base64.encodebytes(body).replace(b"\n", b"\r\n")
    return head.encode() + b"\r\n" + body

MESSAGE = b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/a/b.html\r\nSubject: Mill\r\nMIME-Version: 1.0\r\n"

def message(*parts, kind='multipart/related; type="text/html"; boundary="B--x"', boundary=b"B--x", end=True, before=b""):
    body = b"".join(b"\r\n--" + boundary + b"\r\n" + p for p in parts)
    return MESSAGE + b"Content-Type: " + kind.encode() + b"\r\n\r\n" + before + body + (b"\r\n--" + boundary + b"--\r\n" if end else b"")

page = PAGE.encode()
image = part(bytes(range(256)), "image/png", "base64")
style = part(b"p { color: red }", "text/css")
related = message(part(page), style, image)
inner = message(part(b"plain", "text/plain"), part(page), kind="multipart/alternative; boundary=in", boundary=b"in")[len(MESSAGE):]
SHAPES = {
    "quoted": related,
    "base64": message(image, part(page, coding="base64")),
    "eight": message(part(page, coding="8bit")),
    "seven": message(part(page.decode().encode("ascii", "xmlcharrefreplace"), "text/html", "7bit")),
    "binary": message(part(page, coding="binary")),
    "uncoded": message(part(page, coding="")),
    "cp1251": message(part(PAGE.encode("cp1251"), "text/html; charset=windows-1251")),
    "cp1251-base64": message(part(PAGE.encode("cp1251"), 'text/html;\r\n\tcharset="windows-1251"', "base64")),
    "utf16": message(part(b"\xff\xfe" + PAGE.encode("utf-16-le"), "text/html", "base64")),
    "meta": message(part(html(TEXT, "koi8-r").encode("koi8-r"), "text/html", "8bit")),
    "start": message(part(b"<p>frame", more="Content-ID: <f>\r\n"), part(page, more="Content-ID: <r@x>\r\n"),
                     kind='multipart/related; start="<r@x>"; boundary="B--x"'),
    "start-missing": message(style, part(page), part(b"<p>frame"), kind='multipart/related; start="<n>"; boundary="B--x"'),
    "alternative": message(inner, image),
    "mixed": message(part(b"hello", "text/plain", ""), b"Content-Type: message/rfc822\r\n\r\n" + related,
                     kind='multipart/mixed; boundary="OUT"', boundary=b"OUT"),
    "no-end": message(style, part(page), end=False),
    "folded": message(part(page, 'text/html;\r\n charset="utf-8"', more="X-Long: a\r\n\tb\r\n c\r\n"),
                      kind='multipart/related;\r\n\ttype="text/html";\r\n\tboundary="B--x"'),
    "lf": related.replace(b"\r\n", b"\n"),
    "both-ends": related.replace(b"\r\n", b"\n", 9),
    "no-empty-line": message(part(page, coding="8bit")).replace(b"\r\n\r\n<!", b"\r\n<!").replace(b'"B--x"\r\n\r\n', b'"B--x"\r\n'),
    "long-boundary": message(part(page), style, kind='multipart/related; boundary="%s"' % ("B" * 5000), boundary=b"B" * 5000),
    "no-boundary": message(style, part(page), kind="multipart/related"),
    "preamble": message(part(page), before=b"A message in MIME format.\r\n--not a delimiter\r\n"),
    "one-part": MESSAGE + part(page),
    "no-type": message(part(page, "")),
}
END
	PYTHONPATH=. python3 - <<'END'
import os, shapes
os.mkdir("shapes")
for name, content in shapes.SHAPES.items():
    with open("shapes/%s.mhtml" % name, "wb") as f:
        f.write(content)
with open("page.html", "wb") as f:
    f.write(shapes.page)
END
	"$DANA" extract --url https://example.org/a/b.html page.html >expected
	"$DANA" extract --url https://example.org/a/b.html --text markdown page.html >expected.md
}

@test "MHTML of all shapes gives the text of its page" {
	local shape
	for shape in shapes/*.mhtml; do
		run -0 "$DANA" extract -o text --force "$shape"
		[ -z "$output" ] || { echo "$shape: $output"; false; }
		cmp text expected
		cat "$shape" | DANA_TEST_READ_SIZE=1 "$DANA" extract | cmp - expected
	done
	run -0 "$DANA" extract -O texts shapes
	[ "$(ls texts | wc -l)" -eq "$(ls shapes | wc -l)" ]
	cmp texts/quoted.txt expected
}

@test "links are relative to the address that the message names, unless --url says another" {
	"$DANA" extract --text markdown shapes/quoted.mhtml | cmp - expected.md
	grep -q '](https://example.org/a/x.html)' expected.md
	"$DANA" extract --text markdown --url https://other.example/ shapes/quoted.mhtml | grep -q '](https://other.example/x.html)'
}

@test "a message without a page is refused" {
	printf 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b--\n' >a.mhtml
	prints 1 'dana extract: a.mhtml: a message (MHTML) that holds no HTML page' "$DANA" extract a.mhtml
	printf 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n' >b.mhtml
	run -1 "$DANA" extract -O out a.mhtml shapes/lf.mhtml b.mhtml
	cmp out/lf.txt expected
}

@test "--jsonl reads messages as bytes and as characters" {
	python3 - >in.jsonl <<'END'
import base64, json
for name in ("quoted", "cp1251", "eight"):
    content = open("shapes/%s.mhtml" % name, "rb").read()
    print(json.dumps({"html_base64": base64.b64encode(content).decode()}))
    print(json.dumps({"html": content.decode()}))
END
	"$DANA" extract --jsonl <in.jsonl >out.jsonl
	python3 - <<'END'
import json
expected = open("expected").read().rstrip("\n")
for line in open("out.jsonl"):
    page = json.loads(line)
    assert page["text"] == expected, page
    assert page["url"] == "https://example.org/a/b.html", page
END
}

@test "the service reads messages" {
	command -v curl >/dev/null || skip "curl is not installed"
	"$DANA" serve --listen "unix:$PWD/sock" >out 2>err 3>&- &
	local service=$!
	for ((i = 0; i < 600; i++)); do
		grep -q 'listening on unix:' err && break
		sleep 0.1
	done
	for shape in quoted base64 cp1251 mixed; do
		curl -s --unix-socket sock --data-binary @shapes/$shape.mhtml -H 'Content-Type: multipart/related' http://localhost/extract >$shape.txt || :
		curl -s --unix-socket sock --data-binary @shapes/$shape.mhtml -H 'Content-Type: text/html' http://localhost/extract >$shape.html.txt || :
	done
	kill $service
	wait $service || :
	for shape in quoted base64 cp1251 mixed; do
		cmp $shape.txt expected
		cmp $shape.html.txt expected
	done
}

@test "records may hold messages" {
	PYTHONPATH=. python3 - <<'END'
import shapes
def record(kind, content_type, block, uri):
    return (("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:0b0f4b70-0000-4000-8000-%012d>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
             "WARC-Target-URI: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n") % (kind, record.n, uri, content_type, len(block))).encode() + block + b"\r\n\r\n"
record.n = 0
out = b""
for name, content in sorted(shapes.SHAPES.items()):
    for kind in ("multipart/related", "application/octet-stream"):
        record.n += 1
        out += record("response", "application/http;msgtype=response",
                      b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode() + b"\r\n\r\n" + content, "http://h/%s" % name)
    record.n += 1
    out += record("resource", "message/rfc822", content, "http://h/%s" % name)
head, body = shapes.related.split(b"\r\n\r\n", 1)
record.n += 1
out += record("response", "application/http;msgtype=response", # the boundary is in the head of HTTP
              b"HTTP/1.1 200 OK\r\nContent-Type: multipart/related; boundary=\"B--x\"\r\n\r\n" + body, "http://h/http")
open("in.warc", "wb").write(out)
record.n += 1
open("none.warc", "wb").write(record("resource", "multipart/related", b"--x\r\nContent-Type: text/plain\r\n\r\nx\r\n--x--\r\n", "http://h/none"))
open("count", "w").write(str(record.n - 1))
END
	"$DANA" filter -q -j 0 -o out.jsonl in.warc
	"$DANA" filter -q -j 2 in.warc | cmp - out.jsonl
	DANA_TEST_READ_SIZE=1 "$DANA" filter -q -j 0 in.warc | cmp - out.jsonl
	python3 - <<'END'
import json
expected = open("expected").read().rstrip("\n")
lines = [json.loads(line) for line in open("out.jsonl")]
assert len(lines) == int(open("count").read()), len(lines)
for page in lines:
    assert page["text"] == expected, page
END
	"$DANA" filter -q -j 0 --rejects -o none.jsonl none.warc
	[ ! -s none.jsonl ]
	grep -q '"reason":"mime","detail":"a message (MHTML) that holds no HTML page"' none.jsonl.rejects.jsonl
}

@test "compressed pages are read as they are" {
	"$DANA" extract page.html >plain
	gzip -k page.html
	"$DANA" extract page.html.gz | cmp - plain
	"$DANA" extract <page.html.gz | cmp - plain
	DANA_TEST_READ_SIZE=1 "$DANA" extract page.html.gz | cmp - plain
	gzip -c shapes/quoted.mhtml >page.mhtml.gz
	"$DANA" extract page.mhtml.gz | cmp - expected
	if command -v zstd >/dev/null; then
		zstd -q page.html -o page.html.zst
		"$DANA" extract page.html.zst | cmp - plain
	fi
	# in a folder by its name, and what can be read of a damaged one is
	mkdir folder
	cp page.html.gz folder
	run -0 "$DANA" extract -O texts folder
	[ "$(ls texts)" = page.txt ]
	head -c "$(($(wc -c <page.html.gz) / 2))" page.html.gz >cut.html.gz
	run -0 "$DANA" extract -f json cut.html.gz
	[[ $output == *'"problems":['*'"bad_coding"'* ]]
	printf '<p>x' | gzip >short.gz
	[ "$("$DANA" extract -m plain short.gz)" = x ]
	# a bomb is cut off
	head -c 100000000 /dev/zero | tr '\0' 'a' | gzip >bomb.html.gz
	run -0 "$DANA" extract -m plain -f json -o bomb.json bomb.html.gz
	grep -q '"problems":\[.*"truncated_limit"' bomb.json
}

@test "explain shows the page of a message" {
	run -0 "$DANA" explain -o a.html --force shapes/cp1251.mhtml
	grep -q 'Мельница на реке' a.html
}
