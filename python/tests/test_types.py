# SPDX-License-Identifier: MIT
"""What a type checker says of the package, and of programs that use it."""

import pathlib
import sys

import danatext
import pytest

api = pytest.importorskip("mypy.api")
pytestmark = pytest.mark.skipif(sys.version_info < (3, 10), reason="the package is typed as Python 3.10 writes unions")

PROGRAM = """
import io
import pathlib
import danatext

page = danatext.extract(b"", url="http://h/", text="plain,markdown")
reveal_type(page.text)
reveal_type(page.title)
with danatext.open("a.warc", status=[200], plugins=["language"], rejects=True) as archive:
    for document in archive:
        reveal_type(document)
        reveal_type(document.http_status)
    for reject in archive.rejects:
        reveal_type(reject.reason)
danatext.open(io.BytesIO(), begin=1, end=2)
for part in danatext.scan(["a.warc", "b.warc"], min_chars=5).splits():
    reveal_type(part.begin)
reveal_type(danatext.learn_site("a.warc", pathlib.Path("b.site"), least=1))
danatext.merge_sites(["b.site"], "c.site", force=True)
danatext.scan("a.warc", site=pathlib.Path("c.site"))
danatext.open("a.warc", nosuch=1)
danatext.extract(5)
"""


def check(*arguments, tmp_path):
    return api.run(["--strict", "--cache-dir", str(tmp_path / "cache"), "--python-executable", sys.executable, *arguments])


def test_programs_are_told_of_types_and_mistakes(tmp_path, monkeypatch):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.setenv("MYPYPATH", str(pathlib.Path(danatext.__file__).parents[1]) if "site-packages" not in danatext.__file__ else "")
    out, _, status = check(str(program), tmp_path=tmp_path)
    told = [line.split('"')[1].removeprefix("builtins.") for line in out.splitlines() if "Revealed type" in line]
    assert [name.replace("builtins.", "") for name in told][:3] == ["str", "str | None", told[2]]
    assert "Document" in told[2] and told[3].replace("builtins.", "") == "int | None" and told[4] == "str" and told[5:] == ["int", "int"]
    errors = [line for line in out.splitlines() if ": error:" in line]
    assert status == 1 and len(errors) == 2, out
    assert "nosuch" in errors[0] and "extract" in errors[1]


def test_the_package_is_typed_strictly(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("", ".archive", ".document", ".errors", ".options", ".page", ".scans", ".site", ".source")
    modules = [word for name in names for word in ("-m", f"danatext{name}")]
    if "site-packages" not in danatext.__file__:
        monkeypatch.setenv("MYPYPATH", str(pathlib.Path(danatext.__file__).parents[1]))
    out, _, status = check("--ignore-missing-imports", *modules, tmp_path=tmp_path)
    assert status == 0, out
    assert f"{len(names)} source files" in out
