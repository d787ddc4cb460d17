#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seal.py [--program FILE --materials FILE --licences DIR --tag TAG] FILE...: writes wheels and source distributions anew, so that the same contents are the same bytes: in order of names, with one
time (SOURCE_DATE_EPOCH) and no owner. A wheel gets the licences of the libraries in it, too: for each package of Debian that its list
of materials (auditwheel writes it) names, the package's file of copyright. A package without one is an error. A wheel of
tools/portable.sh gets the program, which pip puts beside python, its list of materials, the licences of its parts, and its platform."""

import argparse
import base64
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import stat
import sys
import tarfile
import time
import zipfile

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
BUNDLED = re.compile(r"pkg:deb/[a-z]+/([^@?#]+)")


def copyright_of(package: str) -> bytes:
    path = pathlib.Path(given.licences, package) if given.licences else pathlib.Path("/usr/share/doc", package, "copyright")
    if not path.exists():
        sys.exit(f"seal.py: {path} does not exist: the licence of {package}, which the wheel bundles, is not known")
    return path.read_bytes()


def add_licences(files: dict[str, bytes]) -> None:
    info = next(name.split("/")[0] for name in files if name.endswith(".dist-info/METADATA"))
    materials = json.loads(files[f"{info}/sboms/auditwheel.cdx.json"])
    packages = sorted({found[1] for each in materials["components"] if (found := BUNDLED.match(each["purl"]))})
    bundled = [name for name in files if ".libs/" in name]
    if bundled and not packages:
        sys.exit(f"seal.py: the wheel bundles {bundled}, and its list of materials names no package")
    named = [f"bundled/{package.replace('%2B', '+')}/copyright" for package in packages]
    for package, name in zip(packages, named, strict=True):
        files[f"{info}/licenses/{name}"] = copyright_of(package.replace("%2B", "+"))
    head, end, body = files[f"{info}/METADATA"].decode().partition("\n\n")
    head += "".join(f"\nLicense-File: {name}" for name in named)
    files[f"{info}/METADATA"] = (head + end + body).encode()


def add_program(files: dict[str, bytes]) -> None:
    info = next(name.split("/")[0] for name in files if name.endswith(".dist-info/METADATA"))
    program = pathlib.Path(given.program)
    files[f"{info.removesuffix('.dist-info')}.data/scripts/{program.name}"] = program.read_bytes()
    files[f"{info}/sboms/auditwheel.cdx.json"] = pathlib.Path(given.materials).read_bytes()


def add_platform(path: pathlib.Path, files: dict[str, bytes]) -> pathlib.Path:
    """Other tags of the platform in place of those of the machine that built it; returns the new name."""
    parts = path.stem.split("-")
    of_python = "-".join(parts[2:4])
    name = next(name for name in files if name.endswith(".dist-info/WHEEL"))
    lines = [line for line in files[name].decode().splitlines() if line and not line.startswith("Tag: ")]
    files[name] = "\n".join([*lines, *(f"Tag: {of_python}-{each}" for each in given.tag.split(".")), ""]).encode()
    return path.with_name("-".join([*parts[:-1], given.tag]) + ".whl")


def record(files: dict[str, bytes]) -> None:
    name = next(name for name in files if name.endswith(".dist-info/RECORD"))
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    for each in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[each]).digest()).rstrip(b"=").decode()
        writer.writerow([each, "", ""] if each == name else [each, f"sha256={digest}", len(files[each])])
    files[name] = rows.getvalue().encode()


def seal_wheel(path: pathlib.Path) -> None:
    with zipfile.ZipFile(path) as archive:
        files = {each.filename: archive.read(each) for each in archive.infolist() if not each.is_dir()}
    if given.program:
        add_program(files)
    add_licences(files)
    if given.tag:
        path.unlink()
        path = add_platform(path, files)
    record(files)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if ".so" in name.rsplit("/", 1)[-1] or ".data/scripts/" in name else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16  # pip lets only regular files be run
            archive.writestr(entry, files[name])


def seal_source(path: pathlib.Path) -> None:
    with tarfile.open(path) as archive:
        entries = sorted(((each, each.isfile() and archive.extractfile(each).read()) for each in archive), key=lambda pair: pair[0].name)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for entry, content in entries:
            plain = tarfile.TarInfo(entry.name)
            plain.type, plain.linkname, plain.size, plain.mtime = entry.type, entry.linkname, entry.size, EPOCH
            plain.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            archive.addfile(plain, io.BytesIO(content) if content else None)
    path.write_bytes(gzip.compress(packed.getvalue(), compresslevel=9, mtime=EPOCH))


parser = argparse.ArgumentParser(description="Wheels and source distributions whose bytes are the same each time.")
for option in "--program", "--materials", "--licences", "--tag":
    parser.add_argument(option)
parser.add_argument("files", nargs="+")
given = parser.parse_args()
for argument in given.files:
    (seal_wheel if argument.endswith(".whl") else seal_source)(pathlib.Path(argument))
