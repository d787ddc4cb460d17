# SPDX-License-Identifier: MIT
# Lines of the files of a list, and those of them that ran, of `llvm-cov export -summary-only` on standard input; fails below 95 %.
import json
import sys

LEAST = 95
wanted = [line.strip() for line in open(sys.argv[1]) if not line.startswith("#")]
all_lines = all_run = 0
for file in json.load(sys.stdin)["data"][0]["files"]:
    if not any(file["filename"].endswith("/" + path) for path in wanted):
        continue
    lines = file["summary"]["lines"]
    all_lines += lines["count"]
    all_run += lines["covered"]
    print(f'{100 * lines["covered"] / lines["count"]:6.1f} % of {lines["count"]:4} {file["filename"].split("/../")[-1]}')
print(f"{100 * all_run / all_lines:6.2f} % of {all_lines} lines")
sys.exit(100 * all_run < LEAST * all_lines)
