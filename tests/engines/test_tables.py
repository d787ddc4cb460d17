# SPDX-License-Identifier: MIT
"""Dask, DuckDB, polars: the lines of doc/SCALE.md."""

import pathlib
import re

import pyarrow.parquet
from conftest import SPLIT, Killer, digest

SCALE = pathlib.Path(__file__).resolve().parents[2] / "doc" / "SCALE.md"


def lines_of(title, archives, folder):
    """The Python under a heading of the page, over these archives, into this folder."""
    part = re.search(rf"^## {title}$(.*?)^## ", SCALE.read_text(), re.M | re.S)[1]
    code = re.search(r"```python\n(.*?)```", part, re.S)[1]
    return code.replace("/crawl/*.warc.gz", f"{archives}/*.warc.gz").replace("/clean", str(folder))


def test_dask_with_two_workers_one_of_them_killed(archives, command, tmp_path):
    from dask.distributed import Client, LocalCluster

    code = lines_of("Dask", archives, tmp_path / "out").replace("128 << 20", str(SPLIT))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        with Killer(archives) as killer:
            exec(code, {})
    assert killer.killed
    table = pyarrow.parquet.read_table(tmp_path / "out", columns=list(command[0][0]))
    assert digest(table.to_pylist()) == digest(command[0])


def test_duckdb(archives, command, tmp_path):
    exec(lines_of("DuckDB", archives, tmp_path / "out"), {})
    assert digest(pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()) == digest(command[0])


def test_polars(archives, command, tmp_path):
    names = {}
    exec(lines_of("polars", archives, tmp_path / "out"), names)
    assert digest(pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()) == digest(command[0])
    assert names["sites"].shape[0] == 50
