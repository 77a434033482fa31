#!/bin/sh
# The CM kernels on their tiny inputs against benchmarks/baseline.json: `./dev bench gate`.
#   gate.sh [--update]    --update: write the baseline instead
# Counts may not grow, cycles of the timing model by 2 % at most. Exit status: that of `cmbench compare`.
set -eu
. "$(dirname "$0")/common.sh"

baseline=$root/benchmarks/baseline.json out=$build/bench/gate
devices=skl,icllp,tgllp
gates=instructions=0%,messages=0%,bytes_read=0%,bytes_written=0%,cycles=2%,spills=0
case ${1-} in
'' | --update) ;;
*) die "unknown argument '$1' (gate.sh [--update])" ;;
esac
mkdir -p "$out"

# 3: a device without what a workload needs
"$bin/cmbench" -d $devices --size tiny --variant cm --timing --json "$out/all.json" >"$out/cmbench.log" 2>&1 ||
  [ $? = 3 ] || { cat "$out/cmbench.log" >&2; die "cmbench failed"; }
# What a machine has installed is an input that no other machine has.
awk '/"input": "debian-installed"/ { next }
     { gsub(/"drawn_ns": \[[^]]*\], /, ""); sub(/,$/, "") }
     $0 == "[" { print; next }
     $0 == "]" { print row; print; next }
     { if (row) print row ","; row = $0 }' "$out/all.json" >"$out/new.json"
if [ "${1-}" = --update ]; then
  cp "$out/new.json" "$baseline.new"
  mv "$baseline.new" "$baseline"
  exit
fi
"$bin/cmbench" compare "$baseline" "$out/new.json" --gate $gates && status=0 || status=$?
[ $status != 1 ] || echo "if that is meant: ./dev bench gate --update, and commit the new baseline with the reason" >&2
exit $status
