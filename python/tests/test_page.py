# SPDX-License-Identifier: MIT
"""danatext.extract and extract_many: texts as `dana extract` writes them."""

import io
import json
import mmap
import pathlib
import pickle
import re
import subprocess

import danatext
import pytest
from conftest import PARAGRAPH

PAGE = f"<html><head><title>Über</title></head><body><p>{PARAGRAPH * 3}Größe.</p></body></html>"


def command(dana, html, *arguments):
    done = subprocess.run([dana.program, "extract", "-f", "json", *arguments], input=html, capture_output=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "utf-16le", "gb18030", "shift_jis"])
@pytest.mark.parametrize("named", [True, False])
def test_pages_in_any_charset(dana, charset, named):
    html = PAGE.replace("Über", "日本語" if charset in ("gb18030", "shift_jis") else "Über")
    html = html.replace("Größe", "大きさ" if charset in ("gb18030", "shift_jis") else "Größe").encode(charset, "replace")
    name = charset if named else None
    page = danatext.extract(html, charset=name)
    assert page.asdict() == command(dana, html, *(["--charset", charset] if named else []))
    if named:
        assert page.title in ("Über", "日本語")


@pytest.mark.parametrize("method", danatext.methods())
def test_each_method(dana, method):
    page = danatext.extract(PAGE.encode(), method=method)
    assert page.asdict() == command(dana, PAGE.encode(), "-m", method)
    assert page.reason is None


def test_several_methods(dana):
    several = ["danag", "plain", "danag:gap=40"]
    page = danatext.extract(PAGE.encode(), method=several)
    assert page.asdict() == command(dana, PAGE.encode(), *(word for m in several for word in ("-m", m)))
    assert page.method == "danag" and list(page.texts) == several[1:]
    for method, text in page.texts.items():
        assert text == danatext.extract(PAGE.encode(), method=method).text
    assert pickle.loads(pickle.dumps(page)) == page
    assert danatext.extract(PAGE.encode(), method=("danag",)) == danatext.extract(PAGE.encode(), method="danag")
    assert danatext.extract(PAGE.encode(), method="danag").texts is None
    assert [p.texts for p in danatext.extract_many([PAGE] * 3, method=several)] == [page.texts] * 3
    none = danatext.extract(b"\x89PNG\r\n\x1a\n" + bytes(100), method=several)
    assert none.reason and none.texts is None


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer(kind):
    assert danatext.extract(kind(PAGE.encode())) == danatext.extract(PAGE.encode())


def test_characters_are_taken_as_they_are():
    html = PAGE.replace("<head>", "<head><meta charset=shift_jis>")
    page = danatext.extract(html, charset="big5")
    assert page.title == "Über" and "Größe" in page.text
    half = danatext.extract("<p>" + PARAGRAPH * 3 + "\ud83d.")
    assert half.text.endswith("\ufffd.") and half.problems == {"bad_charset"}


def test_what_is_no_page_has_a_reason():
    page = danatext.extract(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert page.text == "" and "picture" in page.reason
    assert page.asdict()["text"] is None and page.asdict()["reason"] == page.reason
    typed = danatext.extract(PAGE.encode(), content_type="application/json")
    assert typed.text == "" and "application/json" in typed.reason
    text = danatext.extract(b"if a<b and c>d:\r\n\r\n\tcaf\xe9\n", content_type="text/plain; charset=latin1", text="plain,markdown")
    assert text.text == "if a<b and c>d:\n\n\tcaf\u00e9" and text.title is None and text.method is None and text.reason is None
    assert "\\<b" in text.markdown
    assert danatext.extract(b"# <b>\n\n- x", content_type="text/markdown", text="plain,markdown").markdown == "# <b>\n\n- x"
    empty = danatext.extract(b"")
    assert empty.text == "" and empty.reason is None


NAMES = {
    "https://example.org/": "fetch('https://example.org/')",
    " http://example.org/a?b=c#d\n": "fetch('http://example.org/a?b=c#d')",
    "HTTPS://EXAMPLE.ORG": "extract fetches none",
    "ftp://example.org/a.html": "extract fetches none",
    "s3://bucket/key": "extract fetches none",
    "file:///tmp/page.html": "extract fetches none",
    "www.example.org/index.php": "fetch('http://www.example.org/index.php')",
    "page.html": "danatext.extract(pathlib.Path('page.html').read_bytes())",
    "/nowhere/page.htm": "extract opens none",
    "my pages/A page.XHTML": "extract opens none",
    "..\\page.html": "extract opens none",
    "page.html.gz": "extract opens none",
    "paper.pdf": "extract opens none",
    "notes": "danatext.extract(pathlib.Path('notes').read_bytes())",  # which is there
    "./notes": "extract opens none",
    "crawl.warc.gz": "danatext.open('crawl.warc.gz')",
    "old.arc": "danatext.open('old.arc')",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_page_is_not_its_text(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").write_text("<p>Notes")
    calls = (
        lambda: danatext.extract(name),
        lambda: danatext.extract(name, url=name, method="plain"),
        lambda: list(danatext.extract_many([name])),
        lambda: list(danatext.extract_many([PAGE, name], threads=2)),
    )
    for call in calls:
        with pytest.raises(danatext.NotAPage, match=re.escape(NAMES[name])):
            call()


NO_NAMES = [
    "",
    " ",
    "Words",
    "A few words.",
    "See https://example.org/ for more",
    "https://example.org/ and more",
    "https://example.org/ <b>",
    "<a href='https://example.org/'>page.html</a>",
    "Read page.html first",
    "One line\npage.html",
    "a\0b",
    "notes.",
    "1 / 2",
    "note: x",
    "mail me at x@example.org",
    "html",
    "w" * 10000,
]


@pytest.mark.parametrize("words", NO_NAMES)
def test_a_short_text_is_a_page(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").write_text("<p>Notes")
    assert danatext.extract(words, method="plain") == danatext.extract(words.encode(), method="plain", charset="utf-8")


def test_what_holds_a_page_is_not_the_page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    with open(path) as text, open(path, "rb") as file:
        things = {path: "path.read_bytes", pathlib.PurePath("x"): "path.read_bytes", text: "file.read()", file: "file.read()"}
        for thing, words in {**things, io.BytesIO(b"<p>x"): "file.read()", 5: "expected its bytes", None: "NoneType"}.items():
            with pytest.raises(TypeError, match=re.escape(words)):
                danatext.extract(thing)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            assert danatext.extract(whole) == danatext.extract(path.read_bytes())
    for pages in str(path), path, path.read_bytes(), PAGE, bytearray(b"x"), memoryview(b"x"):
        with pytest.raises(TypeError, match="for one page use danatext.extract"):
            list(danatext.extract_many(pages))


def test_the_servers_charset_counts():
    html = PAGE.encode("windows-1252")
    assert danatext.extract(html, content_type="text/html; charset=windows-1252").title == "Über"


@pytest.mark.parametrize(
    "error, words, options",
    [
        (danatext.UnknownMethod, "expected one of", {"method": "klingon"}),
        (danatext.UnknownMethod, "key or value", {"method": "danag:gap=many"}),
        (danatext.UnknownMethod, "'danag:gap=many' has a key or value", {"method": ["plain", "danag:gap=many"]}),
        (danatext.UnknownMethod, "klingon", {"method": ["plain", "klingon"]}),
        (danatext.OptionError, "method", {"method": []}),
        (danatext.OptionError, "method", {"method": ["plain", "danag", "plain"]}),
        (danatext.UnknownCharset, "klingon", {"charset": "klingon"}),
        (danatext.OptionError, None, {"text": "poem"}),
        (danatext.OptionError, "^markdown: key of markdown: 'header' is unknown.*did you mean heading", {"text": "markdown", "markdown": "header=1"}),
        (danatext.OptionError, "^markdown: links of markdown: '7' is not allowed", {"text": "blocks", "markdown": "links=7"}),
        (danatext.OptionError, "^text: the method r2l has no markdown; expected one of", {"text": "markdown", "method": "r2l"}),
        (TypeError, None, {"nosuch": 1}),
    ],
)
def test_wrong_options(error, words, options):
    with pytest.raises(error, match=words):
        danatext.extract(PAGE.encode(), **options)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_keep_their_order(threads):
    pages = [f"<p>{PARAGRAPH * 3}Number {i}." for i in range(300)]
    got = list(danatext.extract_many(iter(pages), threads=threads))
    assert got == [danatext.extract(page) for page in pages]
    with pytest.raises(danatext.UnknownMethod):
        list(danatext.extract_many(pages, threads=threads, method="klingon"))


def test_many_read_ahead_only_a_little():
    taken = 0

    def pages():
        nonlocal taken
        while True:
            taken += 1
            yield "<p>" + PARAGRAPH * 3

    stream = danatext.extract_many(pages(), threads=2)
    next(stream)
    stream.close()
    assert taken <= 100


def test_pages_can_be_compared_hashed_and_taken_apart():
    page = danatext.extract(PAGE)
    text, title, *_ = page
    assert (text, title) == (page.text, page.title)
    assert len({page, danatext.extract(PAGE)}) == 1
    assert not page.truncated


STRUCTURE = "<h1>Head</h1><p>" + PARAGRAPH * 3 + "<ul><li>one <a href=/a>link</a><li>two</ul><p>" + PARAGRAPH * 3


@pytest.mark.parametrize("markdown", [None, "links=0"])
def test_markdown_is_that_of_the_command(dana, markdown):
    page = danatext.extract(STRUCTURE.encode(), text="plain,markdown", markdown=markdown)
    more = ["--markdown", markdown] if markdown else []
    assert page.asdict() == command(dana, STRUCTURE.encode(), "--text", "plain,markdown", *more)
    assert "* " in page.markdown or "- " in page.markdown
    assert danatext.extract(STRUCTURE.encode()).markdown is None
    with pytest.raises(danatext.OptionError, match="markdown needs text markdown"):
        danatext.extract(STRUCTURE, markdown="links=0")
    with pytest.raises(danatext.OptionError, match="'klingon' is not allowed"):
        danatext.extract(STRUCTURE, text="markdown", markdown="tables=klingon")


@pytest.mark.parametrize("dropped", [False, True])
@pytest.mark.parametrize("text", ["plain,blocks", "plain,markdown,blocks"])
def test_blocks_are_those_of_the_command(dana, text, dropped):
    page = danatext.extract(STRUCTURE.encode(), text=text, dropped=dropped)
    assert page.asdict() == command(dana, STRUCTURE.encode(), "--text", text, *["--dropped"] * dropped)
    assert [block["t"] for block in page.blocks if block.get("kept", True)] == ["h", "p", "li", "li", "p"]
    assert (page.markdown is None) == ("markdown" not in text)
    assert danatext.extract(STRUCTURE.encode()).blocks is None
    assert danatext.extract(b"%PDF-1.7", text=text).blocks is None
    with pytest.raises(danatext.OptionError, match="dropped needs"):
        danatext.extract(STRUCTURE, text="plain,markdown", dropped=True)
    with pytest.raises(danatext.OptionError, match="has no markdown"):
        danatext.extract(STRUCTURE, text="blocks", method="r2l")


def test_parts_of_a_page(sample):
    html = '<title>T</title><nav>menu</nav><div id=a><p class="x ad">buy</p><p>text</p></div>'
    assert danatext.extract(html, method="plain", exclude=".ad, nav").text == "text"
    assert danatext.extract(html, method="plain", exclude=[".ad", "nav"]).text == "text"
    assert danatext.extract(html, method="plain", only="#a > p").text == "buy\ntext"
    assert danatext.extract(html, method="plain").text == "menu\nbuy\ntext"  # another reader
    with pytest.raises(danatext.OptionError, match="selector"):
        danatext.extract(html, exclude="p:first-child")
    with pytest.raises(danatext.OptionError, match="pseudo-classes"):
        next(iter(danatext.open(sample, only="p:first-child")))


def test_a_page_says_what_it_is_in_a_line():
    page = danatext.extract("<title>T & U</title><p>" + "some words <b> & more " * 100)
    assert len(repr(page)) < 200 and repr(page).startswith("Page(title='T & U', text_chars=")
    assert page._repr_html_().startswith("<details><summary>T &amp; U (") and "<b>" not in page._repr_html_()


def test_the_library_lists_the_options():
    """Those who check types have the list of the library, which also takes what Python does not know yet."""
    from danatext.options import PageOptions, page_options

    rows = {row["name"]: row for row in page_options()}
    assert set(rows) - {"method", "plugins"} == set(PageOptions.__annotations__)
    assert rows["comments"]["words"] == "keep|drop|apart" and all(row["help"] for row in rows.values())
    with pytest.raises(TypeError, match="no option 'exclud'; did you mean 'exclude'"):
        danatext.extract(b"<p>a", exclud="p")


def test_rules_and_text_field(tmp_path):
    html = b"<p class=ad>advertisement<p>text <b>bold</b>"
    rules = "example.org\texclude\t.ad\n"
    (tmp_path / "rules").write_text(rules)
    for given in (rules, tmp_path / "rules"):
        assert danatext.extract(html, method="plain", url="https://example.org/", rules=given).text == "text bold"
    assert "advertisement" in danatext.extract(html, method="plain", url="https://example.com/", rules=rules).text
    page = danatext.extract(html, method="plain", text_field="markdown", exclude=".ad")
    assert page.text == "text **bold**" and page.markdown is None and "markdown" not in page.asdict()


def test_recall_and_kind_are_keys_of_learned():
    html = "<p>" + "some words of an article, which is long enough to be kept. " * 5
    assert danatext.extract(html, recall=100).text == danatext.extract(html, method="learned:recall=100").text
    assert danatext.extract(html, recall=40, kind="article") == danatext.extract(html, method="learned:recall=40,kind=article")
    with pytest.raises(danatext.OptionError, match="of the method learned"):
        danatext.extract(html, method="danag", recall=40)


def test_responses_and_elements_are_pages():
    class Response:
        content = "<p>Übung</p>".encode("cp1252")
        headers = {"content-type": "text/html; charset=windows-1252"}
        url = "https://example.org/"

    assert danatext.extract(Response(), method="plain").text == "Übung"
    etree = pytest.importorskip("lxml.html")
    assert danatext.extract(etree.fromstring("<div><p>Übung</p></div>"), method="plain").text == "Übung"
    assert danatext.extract(etree.fromstring("<div><p>a</p></div>").getroottree(), method="plain").text == "a"


def test_other_formats(dana):
    html = "<title>T & t</title><meta name=author content='Ann Lee'><p>" + PARAGRAPH * 3 + "<a href='https://e.org/?a&b'>x</a><script>y</script><ul><li>1<li>2</ul>"
    page = danatext.extract(html, url="https://e.org/", method="plain")
    for name, made in ("html", page.to_html()), ("xml", page.to_xml()), ("tei", page.to_tei()):
        asked = ["-f", name, "-m", "plain", "--url", "https://e.org/"]
        done = subprocess.run([dana.program, "extract", *asked], input=html.encode(), capture_output=True, check=True)
        assert made == done.stdout.decode().removesuffix("\n")
    assert '<meta name="author" content="Ann Lee"/>' in page.to_html()
    marked = [danatext.extract(html, method="plain", text="markdown", markdown=keys).markdown for keys in (None, "title=1", "title=1,frontmatter=1")]
    assert marked[1] == "# T & t\n\n" + marked[0], marked
    assert marked[2] == '---\ntitle: "T & t"\nauthor: "Ann Lee"\n---\n\n' + marked[1], marked
    assert '<a href="https://e.org/?a&amp;b">x</a>' in page.to_html() and "script" not in page.to_html()
    assert danatext.extract(html, method="plain", text="markdown", markdown="format=xml").markdown.startswith("<doc ")
    for other in pickle.loads(pickle.dumps(page)), next(danatext.extract_many([html], method="plain")):
        with pytest.raises(danatext.OptionError, match="format=html"):
            other.to_html()


def test_tei_is_valid():
    etree = pytest.importorskip("lxml.etree")
    schema = pytest.importorskip("trafilatura.xml").TEI_SCHEMA
    blocks = ["<h2>a</h2>", "<ol start=4><li>a<li>b<p>c</ol>", "<li>d", "<dl><dt>e<dd>f</dl>", "<dd>g", "<blockquote>h<ul>i</ul></blockquote>",
              "<table><tr><th>j<th>k<tr><td>l<td><b>m</b></table>", "<pre>n\n&lt;o</pre>", "<p>p<br>q <code>r</code><sub>s</sub></p>", "<hr>"]
    for i in range(len(blocks)):
        page = danatext.extract("".join(blocks[i:] + blocks[:i] + ["<p>end <img src=http://u/v alt='w\"'>"]), method="plain", markdown="images=1", text="plain,markdown")
        root = etree.fromstring(page.to_tei())
        dtd = etree.DTD(schema)
        assert dtd.validate(root), dtd.error_log


RICH = f"""<html lang=en><head><title>T - Site</title><meta name=author content="Ann Lee"><meta property=og:site_name content=Site>
<meta name=date content=2024-05-31><link rel=canonical href=/a></head><body><h1>The river</h1><p>{PARAGRAPH * 4}Mail a@example.com.</p></body></html>"""


def test_metadata_is_there_when_asked_for(dana):
    page = danatext.extract(RICH, url="http://example.org/x")
    assert page.additions is None
    assert page.metadata["title"] == "The river" and page.metadata["author"] == "Ann Lee"
    assert page.metadata["published"] == "2024-05-31" and page.metadata["canonical"] == "http://example.org/a"
    assert page.metadata is page.metadata
    assert page.asdict() == command(dana, RICH.encode(), "--url", "http://example.org/x")
    fresh = danatext.extract(RICH, url="http://example.org/x")
    assert pickle.loads(pickle.dumps(fresh)).metadata == page.metadata
    buffer = bytearray(RICH.encode())
    page = danatext.extract(buffer)
    buffer[:] = b"x" * len(buffer)
    assert page.metadata["author"] == "Ann Lee"
    assert danatext.extract("<p>words").metadata == {}
    assert danatext.extract(b"%PDF-1.4").metadata == {}


@pytest.mark.parametrize("threads", [1, 2])
def test_many_pages_keep_none(threads):
    (page,) = danatext.extract_many([RICH], threads=threads)
    with pytest.raises(danatext.OptionError, match="plugins"):
        page.metadata
    assert "metadata" not in page.asdict()
    (page,) = danatext.extract_many([RICH], threads=threads, plugins=["metadata"])
    assert page.metadata["author"] == "Ann Lee" == page.asdict()["metadata"]["author"]


@pytest.mark.parametrize(
    "plugins", [["language"], ["pii"], ["pii", "language", "metadata"], ["metadata:links=1"], ["quality:annotate=1"], ["quality"], ["url:substring=ample"], "language"]
)
def test_plugins_give_what_the_command_gives(dana, plugins):
    pages = [RICH, PAGE, "<p>short", "<h1>H</h1>", "", "<p>\u0642\u0627\u0645 \u0627\u0644\u0648\u0644\u062f \u0645\u0646 \u0646\u0648\u0645\u0647"]
    options = [word for name in ([plugins] if isinstance(plugins, str) else plugins) for word in ("--plugin", name)]
    for html in pages:
        page = danatext.extract(html.encode(), plugins=plugins, url="http://example.org/")
        assert page.asdict() == command(dana, html.encode(), "--url", "http://example.org/", *options)


def test_a_column_has_what_plugins_find():
    pyarrow = pytest.importorskip("pyarrow")
    pages = pyarrow.array([RICH.encode(), None, b"<p>short", b"%PDF-1.4"])
    table = pyarrow.table(pyarrow.record_batch(danatext.extract_column(pages, plugins=["language", "metadata", "pii", "quality"])))
    assert table.column_names[-8:-4] == ["language", "language_score", "page_kind", "truncated"]
    assert table.column_names[-4:] == ["languages", "metadata", "pii", "quality"]
    rows = [danatext.extract(page, plugins=["language", "metadata", "pii", "quality"]) if page else None for page in pages.to_pylist()]
    assert table["reason"].to_pylist() == [row and row.reason for row in rows]
    assert table["reason"].to_pylist()[2].startswith("plugin:quality: ")
    for name in ("language", "page_kind"):
        assert table[name].to_pylist() == [row and getattr(row, name) for row in rows]
    assert table["truncated"].to_pylist() == [row and (None if row.reason else row.truncated) for row in rows]
    for name in ("metadata", "pii"):
        assert [json.loads(value or "null") for value in table[name].to_pylist()] == [row and (row.additions or {}).get(name) for row in rows]
    plain = pyarrow.record_batch(danatext.extract_column(pages))
    assert "language" not in plain.schema.names and "metadata" not in plain.schema.names


def test_plugins_that_cannot_be():
    for plugins, words in ((["nix"], "nix"), (["quality:x=1"], "x"), (["dedup-near:signatures=/nowhere"], "dedup-near"), (["language:threshold=9"], "range")):
        with pytest.raises(danatext.Error, match=words):
            danatext.extract(RICH, plugins=plugins)
    assert danatext.extract(RICH, plugins=["language"]).language == "en"


COMMENTED = (
    b"<p>" + b"This is the text of an article, which has some words more than the least that is asked of it. " * 3 + b"</p>"
    b"<table><tr><th>cell<th>b</table><div id=comments><p>I agree</p><form>Name</form></div>"
)


def test_comments_and_tables(dana):
    options = ["-m", "plain", "--comments", "apart", "--tables", "drop"]
    page = danatext.extract(COMMENTED, method="plain", comments="apart", tables="drop")
    assert page.comments == "I agree" and "agree" not in page.text and "cell" not in page.text
    assert page.asdict() == {k: v for k, v in command(dana, COMMENTED, *options).items() if k != "metadata"}
    assert pickle.loads(pickle.dumps(page)).asdict() == page.asdict()
    kept, dropped = (danatext.extract(COMMENTED, method="plain", comments=how) for how in ("keep", "drop"))
    assert "agree" in kept.text and "agree" not in dropped.text and "cell" in dropped.text
    assert kept.comments is dropped.comments is None and "comments" not in kept.asdict()
    assert "agree" not in dropped.to_html()
    for wrong in ({"comments": "no"}, {"tables": "apart"}):
        with pytest.raises(danatext.OptionError, match="expected keep"):
            danatext.extract(COMMENTED, **wrong)


def test_comments_of_columns_and_archives(dana):
    pa = pytest.importorskip("pyarrow")
    column = pa.table(danatext.extract_column(pa.array([COMMENTED, b"<p>x", None]), method="plain", comments="apart"))
    assert column["comments"].to_pylist() == ["I agree", None, None]


def test_a_message_holds_a_page():
    message = (
        b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: text/html; charset=windows-1252\r\nContent-Transfer-Encoding: quoted-printable\r\n"
        b"Content-Location: https://example.org/a\r\n\r\n" + f"<p>{PARAGRAPH * 3}Gr=F6=DFe.</p>\r\n--b--\r\n".encode()
    )
    for html in message, message.decode():
        page = danatext.extract(html)
        assert page.text.endswith("Größe.")
