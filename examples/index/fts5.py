#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fts5.py BULK INDEX QUERIES: reads lines of `dana filter --schema bulk` into an index of SQLite FTS5, and prints the
addresses of the first ten pages for each query, one JSON array a line."""
import json
import sqlite3
import sys

bulk, index, queries = sys.argv[1:]
db = sqlite3.connect(index + "/fts5.db")
db.execute("create virtual table pages using fts5(id unindexed, url unindexed, title, text)")
with open(bulk, encoding="utf-8") as lines:
    for action in lines:
        page = json.loads(next(lines))
        db.execute("insert into pages values (?, ?, ?, ?)",
                   (json.loads(action)["index"]["_id"], page["url"], page["title"], page["text"]))
db.execute("insert into pages(pages) values ('optimize')")
db.commit()
db.execute("vacuum")
for query in open(queries, encoding="utf-8"):
    rows = db.execute("select url from pages where text match ? order by rank, id limit 10", (query.strip(),))
    print(json.dumps([url for url, in rows]))
