#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spark_near_duplicates.py LINES PATH...: finds near-duplicates in archives by Spark, as `dana dedup cluster` does on one
machine, and writes the lines of which `dana dedup rows` makes a list to drop.

    spark-submit examples/spark_near_duplicates.py /lines "/crawl/*.warc.gz"
    cat /lines/part-* | dana dedup rows -o drop.rows -
    dana filter --plugin dedup-near:drop=drop.rows -O clean crawl/*.warc.gz

Each document has 14 buckets (danatext.signatures). Two that share one are joined, and so are those that are joined by
others between them; the first of a group, in the order of names of files, stays. All of it is Spark's own joins: no step
needs all documents in the memory of one machine.
"""

import json
import sys

import pyarrow
import pyarrow.compute
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

import danatext
from danatext.paths import scan_of, splits
from danatext.scans import Split
from danatext.signature import BANDS, ROWS, similarity

SIGNED = "file string, part long, place long, id string, offset long, buckets array<long>, lowest binary"


def signed(batches):
    """Parts of files to documents with their signatures; `place` is their order in the part."""
    for batch in batches:
        for row in batch.to_pylist():
            place = 0
            scan = scan_of(Split(row["path"], row["first"], row["last"]))
            for documents in pyarrow.RecordBatchReader.from_stream(scan):
                n = documents.num_rows
                signature = danatext.signatures(documents["text"])
                yield pyarrow.record_batch({
                    "file": documents["file"], "part": pyarrow.array([row["first"]] * n, pyarrow.int64()),
                    "place": pyarrow.array(range(place, place + n), pyarrow.int64()),
                    "id": documents["id"], "offset": documents["offset"],
                    "buckets": pyarrow.compute.struct_field(signature, 0),
                    "lowest": pyarrow.compute.struct_field(signature, 1).cast("binary"),
                })  # fmt: skip
                place += n


def components(edges):
    """The least node of each connected component, for each node of the edges: least labels go on until none changes.

    The number of rounds is at most the longest path in a component; groups of copies have short ones.
    """
    both = edges.union(edges.select(f.col("b").alias("a"), f.col("a").alias("b"))).distinct().cache()
    labels = both.groupBy("a").agg(f.least(f.col("a"), f.min("b")).alias("label")).localCheckpoint()
    while True:
        near = both.join(labels.withColumnRenamed("a", "b"), "b").groupBy("a").agg(f.min("label").alias("near"))
        changed = (f.col("near") < f.col("label")).alias("changed")
        new = labels.join(near, "a").select("a", f.least("label", "near").alias("label"), changed).localCheckpoint()
        if not new.where("changed").limit(1).count():
            return labels
        labels = new.drop("changed")


def line_of(first, row):
    """Lines of `dana dedup rows` for one row of the result; `first` of a file has the line of its part before it."""
    lines = []
    if first:
        lines.append({"file": row["file"], "pages": row["pages"]})
    if row["kept_file"] is not None:
        kept = {"file": row["kept_file"], "offset": row["kept_offset"], "id": row["kept_id"]}
        similar = similarity(row["lowest"], row["kept_lowest"])
        lines.append({"row": row["row"], "id": row["id"], "similarity": similar, "kept": kept})
    return "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)


def main(spark, out, *paths):
    parts = [tuple(part) for part in splits(paths)]
    given = spark.createDataFrame(spark.sparkContext.parallelize(parts, len(parts)), "path string, first long, last long")
    documents = given.mapInArrow(signed, SIGNED)
    # A row is the number of a document among those of its file.
    in_file = Window.partitionBy("file").orderBy("part", "place")
    documents = documents.withColumn("row", f.row_number().over(in_file) - 1).drop("part", "place").cache()
    key = f.struct("file", "row")
    bands = documents.where("buckets is not null").select(key.alias("key"), f.posexplode("buckets").alias("band", "bucket"))
    firsts = bands.groupBy("band", "bucket").agg(f.min("key").alias("first"), f.count("*").alias("n")).where("n > 1")
    shared = bands.join(firsts, ["band", "bucket"]).where("key > first")
    edges = shared.select(f.col("key").alias("a"), f.col("first").alias("b")).distinct()
    labels = components(edges).where("a > label")
    kept = documents.select(key.alias("label"), f.col("file").alias("kept_file"), f.col("id").alias("kept_id"),
                            f.col("offset").alias("kept_offset"), f.col("lowest").alias("kept_lowest"))  # fmt: skip
    dropped = labels.join(kept, "label").select(f.col("a.file").alias("file"), f.col("a.row").alias("row"),
                                                "kept_file", "kept_id", "kept_offset", "kept_lowest")  # fmt: skip
    pages = documents.groupBy("file").agg(f.count("*").alias("pages"))
    # The first row of each file brings the line of the file, whether it is dropped or not.
    rows = documents.join(pages, "file").join(dropped, ["file", "row"], "left").where("kept_file is not null or row = 0")
    settings = json.dumps({"bands": BANDS, "rows": ROWS, "keep": "first", "similarity": 0}, separators=(",", ":"))
    ordered = rows.drop("buckets").orderBy("file", "row").rdd.map(lambda row: line_of(row["row"] == 0, row.asDict()))
    head = spark.sparkContext.parallelize([settings], 1)
    head.union(ordered).saveAsTextFile(out)


if __name__ == "__main__":
    main(SparkSession.builder.appName("near-duplicates").getOrCreate(), *sys.argv[1:])
