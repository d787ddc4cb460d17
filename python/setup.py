# SPDX-License-Identifier: MIT
"""Builds the extension: the archive library by its own configure and make, then a little C that calls it.

The C stands beside this folder, in a checkout, or in the folder `dana` in it, in a source distribution. What it needs is
listed in tools/packages.sh. DANATEXT_CONFIGURE has more options of configure, DANATEXT_BUILD a folder that is kept.
DANATEXT_LIBS is for packages of distributions and tools/portable.sh: what is linked in place of a library that is built, as
`-ldana-archive`, with flags of the linker.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = next(folder for folder in (HERE / "dana", HERE.parent) if (folder / "configure.ac").exists())
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")  # free-threaded builds have no limited API yet
# The headers of 3.12 and later leave out what older versions need, whichever of them is named: their wheels are for what has built them.
# python3.dll of Windows has all that is called since 3.11 (PyBuffer_Release), the libraries of other systems since 3.9.
SUFFIX = os.environ.get("SETUPTOOLS_EXT_SUFFIX")  # of another system, for which this one builds
LEAST = (11 if SUFFIX == ".pyd" else 9) if sys.version_info < (3, 12) else sys.version_info.minor


def version() -> str:
    found = re.search(r"AC_INIT\(\[dana\], \[([^]]+)\]", (SOURCE / "configure.ac").read_text())
    assert found, "configure.ac has no version"
    return found[1]


def run(*command: str, cwd: pathlib.Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=sys.stderr)


class BuildExtension(build_ext):
    def library(self) -> pathlib.Path:
        """Build the library, and return the folder where it is."""
        folder = pathlib.Path(os.environ.get("DANATEXT_BUILD") or HERE / self.build_temp / "library").resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if not (SOURCE / "configure").exists():
            run("autoreconf", "-fi", cwd=SOURCE)
        if not (folder / "Makefile").exists():
            options = shlex.split(os.environ.get("DANATEXT_CONFIGURE", ""))
            run(str(SOURCE / "configure"), "-q", "--without-cli", *options, cwd=folder)
        run("make", f"-j{os.cpu_count()}", "archive-static", cwd=folder)
        return folder

    def link_own(self, ext: Extension) -> None:
        folder = self.library()
        libraries = subprocess.run(
            ["make", "-s", "--no-print-directory", "archive-static-libs"], cwd=folder, check=True, capture_output=True, text=True
        ).stdout.splitlines()[-1].split()  # before it, make may say what it brings up to date
        ext.extra_objects = [str(folder / "libdana-archive.a")]
        ext.extra_link_args += [*libraries, "-lpthread", "-s", "-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-Wl,-z,relro,-z,now"]
        ext.depends += ext.extra_objects

    def get_ext_filename(self, fullname: str) -> str:
        name = super().get_ext_filename(fullname)
        return fullname.replace(".", os.sep) + SUFFIX if SUFFIX else name  # setuptools heeds it without the limited API alone

    def build_extension(self, ext: Extension) -> None:
        if libraries := shlex.split(os.environ.get("DANATEXT_LIBS", "")):
            ext.extra_link_args += libraries
        else:
            self.link_own(ext)
        super().build_extension(ext)


setup(
    version=version(),
    ext_modules=[
        Extension(
            "danatext._dana",
            sorted(str(path.relative_to(HERE)) for path in (HERE / "ext").glob("*.c")),
            include_dirs=[os.path.relpath(SOURCE / "include", HERE)],
            depends=[*map(str, (HERE / "ext").glob("*.h")), str(SOURCE / "include/dana/archive.h")],
            define_macros=[("Py_LIMITED_API", f"0x03{LEAST:02X}0000")] if LIMITED else [],
            py_limited_api=LIMITED,
            extra_compile_args=["-std=gnu17", "-Wall", "-Wextra", "-Wconversion", "-fvisibility=hidden"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
    options={"bdist_wheel": {"py_limited_api": f"cp3{LEAST}"}} if LIMITED else {},
)
