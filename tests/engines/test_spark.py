# SPDX-License-Identifier: MIT
"""Spark, a cluster of two workers: the data source `dana`, danatext.spark, and the command in RDD.pipe.

With DANA_JARS, which names jars of java/ joined by commas, the source is theirs, and only what all sources have in common is tested."""

import json
import os
import pathlib
import sys

import pyarrow.parquet
import pytest
from conftest import SPLIT, Killer, dana, digest, run_recipe
from pyspark.sql import SparkSession

from danatext.spark import documents

JARS = os.environ.get("DANA_JARS", "")
# By its class, because the name alone may be either.
FORMAT = "danatext.spark.DanaSource" if JARS else "dana"
python_only = pytest.mark.skipif(bool(JARS), reason="in Python")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.jars", JARS)
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.local.dir", str(tmp_path_factory.mktemp("spark")))
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def source(spark, archives):
    return spark.read.format(FORMAT).option("split_bytes", SPLIT)


def rows(frame):
    return [row.asDict() for row in frame.toLocalIterator()]


def test_rows_are_those_of_the_command_and_the_same_parquet_twice(spark, source, archives, command, tmp_path):
    for name in "one", "two":
        source.load(f"{archives}/*.warc.gz").write.parquet(str(tmp_path / name))
    assert digest(rows(spark.read.parquet(str(tmp_path / "one")))) == digest(command[0])
    one, two = (sorted((tmp_path / name).glob("*.parquet")) for name in ("one", "two"))
    assert len(one) == len(two) > 20
    for a, b in zip(one, two):
        # All bytes but for the order of a set in the footer, the encodings of a column, which each JVM has in another order.
        assert sorted(a.read_bytes()) == sorted(b.read_bytes())
        assert pyarrow.parquet.read_table(a).equals(pyarrow.parquet.read_table(b))


def test_a_worker_that_is_killed_changes_nothing(source, archives, command, tmp_path, spark):
    with Killer(archives) as killer:
        source.load(str(archives)).write.parquet(str(tmp_path / "out"))
    assert killer.killed
    assert digest(rows(spark.read.parquet(str(tmp_path / "out")))) == digest(command[0])


def test_counts_are_those_of_the_command(source, archives, command):
    counts = rows(source.option("rows", "counts").load(str(archives)))
    stats = command[1]
    for name in "records", "documents", "text_chars", "bytes_decoded", "bytes_in":
        assert sum(row[name] for row in counts) == stats[name]
    for name in "skipped", "damaged":
        assert {word: n for row in counts for word, n in row[name].items()}.keys() == stats[name].keys()
    assert sum(sum(row["damaged"].values()) for row in counts) == 1
    assert len(counts) > 20


def test_sql_and_columns(spark, source, archives, command):
    spark.sql(f"create or replace temporary view docs using {FORMAT} options (path '{archives}', split_bytes '{SPLIT}')")
    found = spark.sql("select count(*) as n, sum(text_chars) as chars from docs").first()
    assert (found.n, found.chars) == (command[1]["documents"], command[1]["text_chars"])
    want = digest(command[0], ["url", "text_chars"])
    assert digest(rows(source.option("columns", "url, text_chars").load(str(archives)))) == want
    assert digest(rows(source.schema("url string, text_chars long").load(str(archives)))) == want


def test_options_are_those_of_open(spark, source, archives):
    danag = rows(source.option("method", "danag").option("min_chars", "6000").load(f"{archives}/crawl-01.warc.gz"))
    assert {row["method"] for row in danag} == {"danag"}
    assert min(row["text_chars"] for row in danag) >= 6000
    several = spark.read.format(FORMAT).option("method", "learned,danag:gap=40,unit=chars,plain").option("min_chars", "6000")
    found = rows(several.load(f"{archives}/crawl-01.warc.gz"))
    assert found and {row["method"] for row in found} == {"learned"}
    for row in found:
        texts = row["texts"].asDict()
        assert set(texts) == {"danag:gap=40,unit=chars", "plain"} and len(texts["plain"]) >= row["text_chars"]
    # The library of a jar is one file, which has no part for `language` beside it.
    plugins, columns = ('["metadata"]', {"metadata"}) if JARS else ('["language", "metadata"]', {"language_score", "metadata"})
    both = spark.read.format(FORMAT).option("plugins", plugins).load(f"{archives}/crawl-01.warc.gz")
    assert columns <= set(both.columns)
    for options, words in ({"metod": "danag"}, "'metod' is unknown"), ({"rows": "pages"}, "expected documents or counts"):
        with pytest.raises(Exception, match=words):
            spark.read.format(FORMAT).options(**options).load(str(archives)).count()


def test_a_missing_archive_is_named(source, archives):
    with pytest.raises(Exception, match="nowhere.warc.gz"):
        source.load(f"{archives}/nowhere.warc.gz").count()


@python_only
def test_documents_by_map_in_arrow(spark, archives, command):
    frame = documents(spark, f"{archives}/*.warc.gz", split_bytes=SPLIT)
    assert frame.rdd.getNumPartitions() > 20
    assert digest(rows(frame)) == digest(command[0])
    some = documents(spark, str(archives), split_bytes=None, columns=["url", "text"])
    assert some.columns == ["url", "text"]
    assert digest(rows(some)) == digest(command[0], ["url", "text"])


@python_only
def test_the_command_in_a_pipe_with_check_code(spark, archives, command):
    paths = spark.sparkContext.parallelize(sorted(map(str, archives.glob("*.warc.gz"))), 3)
    line = f"{os.environ['DANA']} filter --list - -q -j 0 --damaged-ok"
    piped = paths.pipe(line, checkCode=True)
    assert digest(json.loads(row) for row in piped.collect()) == digest(command[0])
    with Killer(archives) as killer:
        again = piped.collect()
    assert killer.killed
    assert digest(json.loads(row) for row in again) == digest(command[0])


def test_paths_of_fsspec(spark, archives):
    path = pathlib.Path(archives) / "crawl-01.warc.gz"
    one = spark.read.format(FORMAT).load(f"file:{path}").count()
    assert one == spark.read.format(FORMAT).load(f"file://{path}").count() > 100


@python_only
def test_near_duplicates_are_those_of_dedup_cluster(spark, archives, tmp_path):
    """The example's lines make a list by which the same rows go, in favour of the same documents."""
    example = pathlib.Path(__file__).resolve().parents[2] / "examples" / "spark_near_duplicates.py"
    spark.sparkContext.addPyFile(str(example))
    sys.path.insert(0, str(example.parent))
    import spark_near_duplicates
    from make_copies import make_copies

    paths = make_copies(archives / "crawl-01.warc.gz", tmp_path)
    rows_of_all = tmp_path / "all.jsonl"
    with rows_of_all.open("wb") as out:
        for path in paths:
            out.write(dana("filter", "-q", "--plugin", f"dedup-near:signatures={tmp_path}/sig", path))
    dana("dedup", "cluster", "-o", tmp_path / "want.rows", tmp_path / "sig")
    spark_near_duplicates.main(spark, str(tmp_path / "lines"), *map(str, paths))
    lines = b"".join(path.read_bytes() for path in sorted((tmp_path / "lines").glob("part-*")))
    (tmp_path / "lines.jsonl").write_bytes(lines)
    dana("dedup", "rows", "-o", tmp_path / "got.rows", tmp_path / "lines.jsonl")
    for name in "want", "got":
        dana("dedup", "apply", "--rejects", "--rows", tmp_path / f"{name}.rows", "-o", tmp_path / f"{name}.jsonl", rows_of_all)
    for suffix in ".jsonl", ".jsonl.rejects.jsonl":
        assert (tmp_path / f"got{suffix}").read_bytes() == (tmp_path / f"want{suffix}").read_bytes()
    assert len((tmp_path / "want.jsonl.rejects.jsonl").read_bytes().splitlines()) > 100


def test_tables_of_sites_by_the_printed_recipe(archives, command, command_with_sites, tmp_path):
    prologue = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.master('local[2]').config('spark.ui.enabled', 'false').getOrCreate()\n"
    shared, clean = run_recipe("danatext.spark", archives, tmp_path, prologue)
    rows = pyarrow.parquet.read_table(clean).to_pylist()
    assert digest(rows) == digest(command_with_sites[0]) != digest(command[0])
    assert (shared / "crawl.site").read_bytes() == command_with_sites[1].read_bytes()
    assert len(list(shared.glob("*.site"))) > 20
