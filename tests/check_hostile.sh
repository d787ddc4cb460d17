#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts on a folder of hostile WARC files with known answers, which is no part of this project: $DANA_SHARED, or `shared`
# beside the source. Each file must give exactly the response records and the damages that its answer names; a record that
# is delivered although its length is wrong counts as the damage that it is there.
set -u
shared=${DANA_SHARED:-${srcdir:-.}/../shared}
answers=$shared/hostile/crafted.jsonl
list=tests/support/warc_list
[ -r "$answers" ] && [ -x "$list" ] && command -v python3 >/dev/null || exit 77
exec python3 - "$answers" "$shared/hostile" "$list" <<'PYTHON'
import json, os, subprocess, sys

answers, folder, program = sys.argv[1:]
right = wrong = 0
for line in open(answers):
    answer = json.loads(line)
    good, bad = answer["responses_good"], answer["bad_regions"]
    if good is None or bad is None:
        continue
    for options in (["-s"], ["-r", "4096"]):
        run = subprocess.run([program, "-c", *options, os.path.join(folder, answer["path"])], capture_output=True, text=True)
        fields = run.stdout.split("\t")
        mended = int(fields[7]) if run.returncode == 0 else 0
        got = (int(fields[2]) - mended, int(fields[3]) + mended) if run.returncode == 0 else run.stderr.strip()[-200:]
        if got != (good, bad):
            print(answer["path"], " ".join(options), "got", got, "expected", (good, bad), answer["odd"])
            wrong += 1
            break
    else:
        right += 1
        if mended:
            print(answer["path"], "delivers", mended, "with bad_length:", answer["odd"])
print(right, "right,", wrong, "wrong")
sys.exit(1 if wrong else 0)
PYTHON
