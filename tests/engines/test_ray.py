# SPDX-License-Identifier: MIT
"""Ray Data, a cluster of two nodes: danatext.ray.read_warc."""

import pyarrow.parquet
import pytest
import ray
from conftest import SPLIT, Killer, digest, parquet_digests, run_recipe
from ray.cluster_utils import Cluster

from danatext.ray import read_warc


@pytest.fixture(scope="module", autouse=True)
def cluster():
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()
    nodes.shutdown()


def test_rows_are_those_of_the_command_and_the_same_parquet_twice(archives, command, tmp_path):
    assert len(ray.nodes()) == 2
    for name in "one", "two":
        read_warc(f"{archives}/*.warc.gz", split_bytes=SPLIT).write_parquet(str(tmp_path / name))
    assert digest(pyarrow.parquet.read_table(tmp_path / "one").to_pylist()) == digest(command[0])
    assert parquet_digests(tmp_path / "one") == parquet_digests(tmp_path / "two")
    assert len(parquet_digests(tmp_path / "one")) > 20


def test_a_worker_that_is_killed_changes_nothing(archives, command):
    with Killer(archives) as killer:
        rows = read_warc(str(archives), split_bytes=SPLIT).take_all()
    assert killer.killed
    assert digest(rows) == digest(command[0])


def test_columns_and_options(archives, command):
    few = read_warc(str(archives), split_bytes=SPLIT, columns=["url", "text_chars"])
    assert few.schema().names == ["url", "text_chars"]
    assert digest(few.take_all()) == digest(command[0], ["url", "text_chars"])
    assert {row["method"] for row in read_warc(f"{archives}/crawl-01.warc.gz", method="danag").take_all()} == {"danag"}
    several = read_warc(f"{archives}/crawl-01.warc.gz", method=["learned", "danag", "plain"]).take_all()
    assert several and all(set(row["texts"]) == {"danag", "plain"} for row in several)


def test_a_missing_archive_is_named(archives):
    with pytest.raises(FileNotFoundError, match="nowhere.warc.gz"):
        read_warc(f"{archives}/nowhere.warc.gz")


def test_tables_of_sites_by_the_printed_recipe(archives, command, command_with_sites, tmp_path):
    prologue = f"import ray\nray.init(address={ray.get_runtime_context().gcs_address!r}, log_to_driver=False)\n"
    shared, clean = run_recipe("danatext.ray", archives, tmp_path, prologue)
    rows = pyarrow.parquet.read_table(clean).to_pylist()
    assert digest(rows) == digest(command_with_sites[0]) != digest(command[0])
    assert (shared / "crawl.site").read_bytes() == command_with_sites[1].read_bytes()
    assert len(list(shared.glob("*.site"))) > 20
