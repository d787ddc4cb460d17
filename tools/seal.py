#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seal.py FILE...: writes wheels and source distributions anew, so that the same contents are the same bytes: in order of names, with one
time (SOURCE_DATE_EPOCH) and no owner. A wheel gets the licences of the libraries in it, too: for each package of Debian that its list
of materials (auditwheel writes it) names, the package's file of copyright. A package without one is an error."""

import base64
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import sys
import tarfile
import time
import zipfile

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
BUNDLED = re.compile(r"pkg:deb/[a-z]+/([^@?#]+)")


def copyright_of(package: str) -> bytes:
    path = pathlib.Path("/usr/share/doc", package, "copyright")
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
    add_licences(files)
    record(files)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in name.rsplit("/", 1)[-1] else 0o644) << 16
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


for argument in sys.argv[1:]:
    (seal_wheel if argument.endswith(".whl") else seal_source)(pathlib.Path(argument))
