#!/bin/sh
# SPDX-License-Identifier: MIT
# test_datatrove.py, with a cluster of Slurm for one of its tests.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/slurm_cluster.sh"
slurm_start "$tmp/slurm"
at_end slurm_stop
"$VENV/bin/python" -m pytest -q -p no:cacheprovider "$here/test_datatrove.py"
