#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tantivy_index.py BULK INDEX QUERIES: as fts5.py, with Tantivy (pip install tantivy)."""
import json
import sys

import tantivy

bulk, folder, queries = sys.argv[1:]
schema = tantivy.SchemaBuilder()
for stored in "id", "url":
    schema.add_text_field(stored, stored=True, tokenizer_name="raw")
schema.add_text_field("title")
schema.add_text_field("text")
index = tantivy.Index(schema.build(), path=folder)
writer = index.writer(num_threads=1)
with open(bulk, encoding="utf-8") as lines:
    for action in lines:
        page = json.loads(next(lines))
        writer.add_document(tantivy.Document(id=json.loads(action)["index"]["_id"], url=page["url"],
                                             title=page["title"] or "", text=page["text"]))
writer.commit()
writer.wait_merging_threads()
index.reload()
searcher = index.searcher()
for query in open(queries, encoding="utf-8"):
    found = searcher.search(index.parse_query(query.strip(), ["text"]), 10).hits
    print(json.dumps([searcher.doc(address)["url"][0] for _, address in found]))
