#!/bin/sh
# SPDX-License-Identifier: MIT
# dana-parallel.sh N LIST OUT [OPTION...]: N tasks (task.sh beside this folder) by GNU parallel, then their counters are
# added up. The same command again does what is missing.
#
# DANA_PARALLEL holds options of parallel: "-j 16", or "--sshloginfile FILE --workdir ." for several machines that all
# see LIST and OUT. DANA and DANA_SPREAD are as in task.sh.
set -eu
[ $# -ge 3 ] || { echo "usage: dana-parallel.sh N LIST OUT [OPTION...]" >&2; exit 3; }
shares=$1 list=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out/done" "$out/log"
# The status of parallel is the number of tasks that failed; merge.sh names them.
# shellcheck disable=SC2086 # the options are meant to be split
seq 0 $((shares - 1)) | parallel --will-cite --quote --retries 3 --joblog "$out/log/joblog" ${DANA_PARALLEL:-} \
	env DANA="${DANA:-dana}" DANA_SPREAD="${DANA_SPREAD:-0}" \
	sh "$here/task.sh" '{}' "$shares" "$list" "$out" "$@" || true
exec sh "$here/merge.sh" "$shares" "$out"
