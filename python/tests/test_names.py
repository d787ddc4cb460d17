# SPDX-License-Identifier: MIT
"""Archives under more than 200 odd names: blank and long ones, letters of many scripts, what looks like something else."""

import itertools
import os
import sys

import danatext
import pytest
from conftest import members, record
from danatext.source import bytes_of, openable

WORDS = [
    "a b", " begins with a blank", "-o", "--", "#", "%41", "100%", "$HOME", "~", "a;b", "a,b", "a=b", "[a]", "a[0-9]", "{a}",
    "a'b", "(a)", "&", "!", "@", "+", "^", "`", "file", "http", "warc", "wacz", "archive", "x.wacz", "x.zip", "..a", "...a",
    "cafe\u0301", "caf\u00e9", "\u00df\u0130\u0131", "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1", "\u0440\u0443\u0441\u0441\u043a\u0438\u0439",
    "\u05e2\u05d1\u05e8\u05d9\u05ea", "\u0641\u0627\u0631\u0633\u06cc", "\u0939\u093f\u0928\u094d\u0926\u0940", "\u0e44\u0e17\u0e22",
    "\u4e2d\u6587", "\u65e5\u672c\u8a9e", "\ud55c\uad6d\uc5b4", "\u10e5\u10d0\u10e0\u10d7", "\u0561\u0575\u0562", "\u1200\u121b",
    "\U0001f4da\U0001f9d1\u200d\U0001f4bb", "\U00020bb7\u91ce", "\u200e\u200f", "\u00a0", "\u3000", "\ufeff", "\ufffd", "n" * 200,
]  # fmt: skip
ON_POSIX = ["con", "ends.", "a:b", "C:", "a\\b", "a*b", "a?b", "a<b>", "a|b", 'a"b', "a\nb", "a\tb", "\x01", "\x7f", "\udce9\udcff", "ends with a blank "]
OF_WINDOWS = ["\ud83d", "\udcda\ud83d"]  # halves of pairs
LONG = "/".join(["folder" * 12] * 5)  # 364 characters


def names():
    """Each word as a name, in a folder, as a folder, and behind a long path."""
    words = WORDS + (OF_WINDOWS if os.name == "nt" else ON_POSIX if sys.platform == "linux" else [])
    forms = itertools.product(["{}.warc.gz", "{}", "in {}/{}.warc", f"{LONG}/{{}}.warc.gz"], words)
    return [form.format(word, word) for form, word in forms]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """An archive under each name, relative and absolute by turns."""
    monkeypatch.chdir(tmp_path)
    content = members([record(1), record(2)])
    found = []
    for i, name in enumerate(names()):
        path = os.path.join(tmp_path, *name.split("/"))
        try:
            os.makedirs(openable(os.path.dirname(path)), exist_ok=True)
            with open(openable(path), "wb") as file:
                file.write(content)
        except FileNotFoundError:  # wine has no names with half of a pair
            assert any(half in name for half in OF_WINDOWS)
            continue
        found.append(path if i % 2 else os.path.relpath(path))
    assert len(found) > 200
    return found


def test_archives(made):
    for path in made:
        documents = list(danatext.open(path))
        assert [document.file for document in documents] == [bytes_of(path).decode("utf-8", "replace")] * 2, ascii(path)
        assert documents == list(danatext.scan([path])), ascii(path)


def test_what_the_library_opens(made):
    """Tables of sites are read and written by the extension itself, and archives in which revisits look for records."""
    for path in made:
        assert danatext.learn_site([path], f"{path}.site", least=1) == 2, ascii(path)
        assert len(list(danatext.open(path, site=f"{path}.site"))) == 2, ascii(path)
        assert len(list(danatext.open(path, revisits="resolve"))) == 2, ascii(path)
