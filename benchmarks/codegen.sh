#!/bin/sh
# Compares cmc's code with that of IGC's vector back end: `./dev bench codegen`.
#   codegen.sh [--json FILE] [--against vc|vc-unoptimised] [-d PLATFORM]... [KERNEL.cm]...
# Without kernels: all kernels of test/kernels and benchmarks (and benchmarks/corpus) that say how they are launched.
# --against vc-unoptimised gives the peer the module of cmc -O0: IGC's own passes do the work of the shared first half.
# Both compile each kernel from the same IR with the same finalizer options (docs/compiler/peer.md). gensim runs both
# with the same input, and the results are compared. A kernel says how it is launched in lines of two forms:
#   // RUN-KERNEL: NAME groups=4 local=2 in=1024 out=512     two pointers; in is filled with random bytes; kernels with
#                                                          other arguments (arguments=...) are left out
#   // RUN-PEER: NAME CMRUN-ARGUMENT...                      %o: the folder for results
#   codegen.sh --corpus FOLDER [-d PLATFORM]... [--half look|measure] [--json FILE]
# All kernels of another folder, compiled by both and counted; nothing runs: hunt/corpus.py.
set -eu
for word; do
  [ "$word" != --corpus ] || exec python3 "$(dirname "$0")/hunt/corpus.py" "$@"
done
. "$(dirname "$0")/common.sh"

json= platforms= kernels= level=
while [ $# -gt 0 ]; do
  case $1 in
  --json) [ $# -ge 2 ] || die "--json needs a file"; json=$2; shift ;;
  -d) [ $# -ge 2 ] || die "-d needs a platform"; platforms="$platforms $2"; shift ;;
  --against)
    case ${2-} in
    vc) level= ;;
    vc-unoptimised) level=--unoptimised ;;
    *) die "--against needs vc or vc-unoptimised" ;;
    esac
    shift ;;
  *.cm) [ -r "$1" ] || die "cannot read $1"; kernels="$kernels $1" ;;
  *) die "unknown argument '$1' (codegen.sh [--json FILE] [--against vc|vc-unoptimised] [-d PLATFORM]... [KERNEL.cm]...)" ;;
  esac
  shift
done
: "${platforms:=skl icllp tgllp}"
: "${kernels:=$(ls "$root"/test/kernels/*/*.cm "$root"/benchmarks/*/*.cm)}"
out=$build/bench/codegen
rm -rf "$out"
mkdir -p "$out"

# launches KERNEL.cm: prints a line for each kernel that is launched on all GPUs: its name and cmrun's arguments.
launches() {
  grep '^// NOT-ON:' "$1" | grep -qv '^// NOT-ON: cpu\( (.*\)*$' && return 0
  sed -n -e '/^\/\/ RUN-KERNEL:.* arguments=/d' \
      -e \
      's,^// RUN-KERNEL: \([^ ]*\) groups=\([0-9]*\) local=\([0-9]*\) in=\([0-9]*\) out=\([0-9]*\).*,\1 -k \1 -g \2 -l \3 buf:\4:random-u8=1 buf:\5@w=%o/out,p' \
    -e 's,^// RUN-PEER: \([^ ]*\) \(.*\),\1 -k \1 \2,p' "$1"
}

# measure PLATFORM KERNEL.cm NAME ARGUMENTS: prints one row of the results:
#   NAME PLATFORM equal|differ|failed {static executed movs registers spilled nanoseconds} of cmc, then of the peer
measure() {
  folder=$out/$3
  equal=failed
  if "$bin/peer" $level -d "$1" -o "$folder" --run "$4" "$2" >"$folder.$1.log" 2>&1; then
    equal=equal
  elif grep -q 'results differ' "$folder.$1.log"; then
    equal=differ
  fi
  [ -e "$folder/$1/peer/stats.json" ] || equal=failed
  echo "$3 $1 $equal $(side "$folder/$1/cmc" "$3") $(side "$folder/$1/peer" "$3")"
}

side() {
  [ -e "$1/stats.json" ] && [ -e "$1/counts" ] || { echo 0 0 0 0 0 0; return; }
  executed=$(sed -n 's/.*"kernel": "'"$2"'",.*"instructions": \([0-9]*\), "channels.*/\1/p' "$1/stats.json" | head -n 1)
  awk -v name="$2" -v executed="${executed:-0}" -v time="$(cat "$1/nanoseconds")" \
    '$1 == name { print $2, executed, $3, $5, $6, time }' "$1/counts"
}

for kernel in $kernels; do
  launches "$kernel" | while read -r name arguments; do
    for platform in $platforms; do
      measure "$platform" "$kernel" "$name" "$arguments" </dev/null
    done
  done
done >"$out/rows"

# Prints the table, worst first, and for each platform the geometric mean.
printf '%-26s %-6s %-7s %9s %9s %6s  %11s  %9s  %9s  %9s  %11s\n' kernel on results executed peer ratio static 'mov %' \
    registers \
  spilled seconds
sort "$out/rows" | awk '$5 && $11 { print $5 / $11, $0 }' | sort -rn | awk '{
  printf "%-26s %-6s %-7s %9d %9d %6.3f  %5d %5d  %4d %4d  %4d %4d  %4d %4d  %5.2f %5.2f\n", $2, $3, $4, $6, $12, $1, \
      $5, $11,
         100 * $7 / $5, 100 * $13 / $11, $8, $14, $9, $15, $10 / 1e9, $16 / 1e9
  sum[$3] += log($1); n[$3]++
  if ($1 > 1.05) over[$3]++
  if ($9 > 0 && $15 == 0) spills[$3]++
}
END {
  for (p in n)
    printf "%s: %d kernels, executed instructions %.3f of the peer'\''s (geometric mean), %d over 1.05, %d spill " \
        "where the peer does not\n", p, n[p], exp(sum[p] / n[p]), over[p], spills[p]
}'
awk '$3 != "equal" { print "codegen.sh: error: " $1 " on " $2 ": " \
  ($3 == "differ" ? "results differ" : "failed, see the log in bench/codegen") > "/dev/stderr"; bad = 1 }
     END { exit bad }' "$out/rows" || status=1

if [ -n "$json" ]; then
  awk '
    function put(at) {
      return \
          sprintf("{\"static\": %d, \"executed\": %d, \"movs\": %d, \"registers\": %d, \"spills\": %d, \"seconds\": %.3f}",
                     $at, $(at + 1), $(at + 2), $(at + 3), $(at + 4), $(at + 5) / 1e9)
    }
    BEGIN { printf "[" }
    { printf "%s\n  {\"kernel\": \"%s\", \"platform\": \"%s\", \"equal\": %s, \"ours\": %s, \"peer\": %s}", (NR == 1 ? \
        "" : ","), $1, $2,
             ($3 == "equal" ? "true" : "false"), put(4), put(10) }
    END { print "\n]" }' "$out/rows" >"$json.new" && mv "$json.new" "$json" || die "cannot write $json"
fi
exit ${status:-0}
