#!/bin/sh
# Runs every workload in CM and in OpenCL on simulated GPUs: `./dev bench`.
#   workloads.sh [--all] [OPTION...]   small sizes on icllp; --all: full sizes on skl, icllp and tgllp. Options of
#                                      cmbench
# Writes BUILD/bench/workloads.json and workloads.html. Workloads that a device cannot run are skipped; this alone is no
# failure here.
set -eu
. "$(dirname "$0")/common.sh"

devices=icllp size=small
if [ "${1:-}" = --all ]; then
  shift
  devices=skl,icllp,tgllp size=full
fi
mkdir -p "$build/bench"
status=0
"$bin/cmbench" --device $devices --size $size --json "$build/bench/workloads.json" \
    --html "$build/bench/workloads.html" "$@" ||
  status=$?
echo "reports: ${build#"$root"/}/bench/workloads.json, workloads.html"
[ $status = 3 ] || exit $status
