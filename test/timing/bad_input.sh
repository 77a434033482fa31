#!/bin/sh
# bad_input.sh GENSIM: checks that what cannot be timed is refused with one line and status 125.
set -eu
gensim=$1

refuse() {
  wanted=$1; shift
  if said=$("$gensim" "$@" -- true 2>&1); then
    echo "accepted: $*" >&2
    exit 1
  else
    status=$?
  fi
  [ $status = 125 ] || { echo "status $status: $*" >&2; exit 1; }
  [ "$(echo "$said" | wc -l)" = 1 ] || { echo "more than one line: $said" >&2; exit 1; }
  echo "$said" | grep -qF -- "$wanted" || { echo "$* said: $said" >&2; exit 1; }
}

refuse "--timing-set: 'no_such=1' names no constant" -d skl --timing --timing-set no_such=1
refuse "--timing-set: 'alu_latency' is not NAME=VALUE" -d skl --timing --timing-set alu_latency
refuse "--timing-set: 'alu_latency=fast' has no number" -d skl --timing --timing-set alu_latency=fast
refuse "--timing-set: 'alu_latency=-1' has no number" -d skl --timing --timing-set alu_latency=-1
refuse "--timing-set: 'alu_latency=nan' has no number" -d skl --timing --timing-set alu_latency=nan
refuse "--timing-set needs --timing" -d skl --timing-set alu_latency=8
refuse "--timing-draws needs --timing" -d skl --timing-draws 4
refuse "--timing-draws: '0' is not N or N:SEED" -d skl --timing --timing-draws 0
refuse "--timing-draws: '4:x' is not N or N:SEED" -d skl --timing --timing-draws 4:x
refuse "there are no timing data for dg2" -d dg2 --timing
refuse "there are no timing data for dg2" -d dg2 --show-timing
refuse "skl has no machine 'iris-xe-96eu'" -d skl --timing --timing-machine iris-xe-96eu
refuse "no timing data for the topology 1x5x8 of skl" -d skl --timing --topology 1x5x8
refuse "--execute none" -d skl --timing --execute none
"$gensim" -d icllp --show-timing | grep -q '^l3_latency .* clk .*Source: '
"$gensim" -d icllp --show-timing --timing-set l3_latency=999 | grep -q '^l3_latency *999 '
