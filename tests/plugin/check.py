# SPDX-License-Identifier: MIT
# check.py FOLDER: what tests/plugin/run.sh has made there, against what plugins promise.
import json
import sys

folder = sys.argv[1]
bad = 0


def wrong(so, *what):
    global bad
    if so:
        print(*what)
        bad = 1


def lines(name):
    with open(f"{folder}/{name}", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def counts(name):
    with open(f"{folder}/{name}.counts", encoding="utf-8") as f:
        return json.loads(f.read() + "}")


def adds_up(name):
    c = counts(name)
    wrong(c["records"] != c["documents"] + sum(c["skipped"].values()) + sum(c["damaged"].values()),
          name, "the records do not add up", c)
    wrong(c["documents"] != len(lines(name + ".jsonl")), name, "documents counted and written differ")
    return c


plain = lines("plain.jsonl")
wrong(len(plain) < 8, "only", len(plain), "documents")

# What a plugin learns is what stands in the document.
for name in ("probe-learned", "probe-danag", "late-learned", "late-danag"):
    late = name.startswith("late")
    c = adds_up(name)
    documents = lines(name + ".jsonl")
    for d in documents:
        wrong(list(d)[-1] != "probe", name, "the object is not the last", list(d))
        p = d["probe"]
        for key in ("url", "date", "id", "file", "content_type", "charset", "method", "title", "offset", "html_bytes", "text_chars"):
            wrong(p[key] != d[key], name, key, p[key], d[key])
        wrong(p["length"] != (-1 if d["length"] is None else d["length"]), name, "length", p["length"], d["length"])
        wrong(p["status"] != (d["http_status"] or 0) or p["warc_date"] != d["date"] or p["nowhere"] is not None,
              name, "fields", p)
        wrong(d["http_status"] and p["http_type"] != d["content_type"], name, "HTTP field", p)
        values = (-0.25, 1e300, None, ['a"b', None], [], {"a": [1, 2, {}]})
        wrong((p["number"], p["many"], p["none"], p["list"], p["empty"], p["json"]) != values, name, "values", p)
        wrong((p["tiny"], p["whole"], p["six"]) != (0, 300, 0.123457) or not isinstance(p["whole"], int),
              name, "decimals", p)
        wrong(p["html"] == 0 or not p["is_html"] or p["type"] not in ("response", "resource"), name, "page", p)
        wrong(p["blocks"] == 0 or (p["known"] == p["blocks"]) != (name == "probe-learned") or (p["known"] and name != "probe-learned"),
              name, "blocks", p["blocks"], p["known"])
        wrong(late and list(d)[-2:] != ["order", "probe"], name, "the order of the objects", list(d))
    wrong(c["plugins"]["probe"]["pages"] != len(documents), name, "pages counted", c["plugins"], len(documents))
    wrong(not late and [{k: v for k, v in d.items() if k != "probe"} for d in lines("probe-learned.jsonl")] != plain,
          "a plugin that only looks changes the rest")

# Dropped at each place: the reason, the rule, and members beside the six of the line.
numbers = {}
for at in ("head", "http", "media", "page"):
    c = adds_up("drop-" + at)
    rejected = [r for r in lines(f"drop-{at}.jsonl.rejects.jsonl") if r["reason"] == "plugin:probe"]
    numbers[at] = len(rejected)
    wrong(not rejected or c["skipped"]["plugin:probe"] != len(rejected) or any(r["detail"] != at for r in rejected),
          "drop", at, c["skipped"], rejected[:1])
    wrong(any(("near" in r) != (at == "page") or r["file"] == 1 for r in rejected), "drop", at, "members", rejected[:1])
    wrong(at == "page" and any(r["near"] != r["id"] for r in rejected), "drop", at, rejected[:1])
    wrong(any("e" in d["url"] for d in lines(f"drop-{at}.jsonl")) and at != "http", "drop", at, "a page is left")
wrong(not numbers["head"] >= numbers["http"] >= numbers["page"], "what is asked earlier sees more", numbers)

# ORDERED: numbers in the order of the input, every third dropped, the text changed, an empty one is too short.
c = adds_up("order")
documents = lines("order.jsonl")
rejected = [r for r in lines("order.jsonl.rejects.jsonl") if r["reason"] == "plugin:order"]
n = len(plain)
wrong([d["order"]["number"] for d in documents] != [i for i in range(1, n + 1) if i % 3 and i != 2],
      "order: numbers", [d["order"]["number"] for d in documents])
wrong([r["number"] for r in rejected] != [i for i in range(1, n + 1) if i % 3 == 0] or any(r["detail"] != "third" for r in rejected),
      "order: dropped", rejected)
for d in documents:
    i = d["order"]["number"]
    wrong(d["text"] != plain[i - 1]["text"] + f"\npage {i}" or d["text_chars"] != len(d["text"]),
          "order: text", d["text"][-40:])
wrong(c["skipped"]["short"] != counts("plain")["skipped"].get("short", 0) + 1,
      "order: the empty text is not too short", c["skipped"])
wrong(c["plugins"]["order"] != {"seen": n, "half": n / 2}, "order: counters", c["plugins"])

for d in lines("two.jsonl"):
    wrong(list(d)[-2:] != ["probe", "order"], "two: the order of the objects", list(d))
sys.exit(bad)
