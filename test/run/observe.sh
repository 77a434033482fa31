#!/bin/sh
# observe.sh DEVICE GENSIM CMRUN IGA64 BINARY: compares --stats and --trace of observed.cl with iga64's disassembly.
device=$1 gensim=$2 cmrun=$3 iga64=$4 binary=$5
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0
check() { # check WHAT GOT WANTED
  [ "$2" = "$3" ] || { echo "FAILED: $1: $2, expected $3"; failures=$((failures + 1)); }
}

table=$(dirname "$0")/../../tables/platforms.def
platform=$(sed -n "/\.ocloc = \"$device\"/,/\.assembler/s/.*\.assembler = \"\([^\"]*\)\".*/\1/p" "$table")
set -- $(readelf -SW "$binary" 2>/dev/null |
  sed -n 's/.*\.text\.observed *PROGBITS *[0-9a-f]* *\([0-9a-f]*\) *\([0-9a-f]*\).*/\1 \2/p')
[ $# = 2 ] || { echo "no kernel in $binary"; exit 1; }
tail -c +$((0x$1 + 1)) "$binary" | head -c $((0x$2)) >"$folder/code"
"$iga64" -d "-p=$platform" "$folder/code" 2>/dev/null | sed '/^L[0-9]*:/d; /EOT/q' >"$folder/asm"
static=$(grep -c . "$folder/asm")
reads=$(grep -c 'untyped surface read' "$folder/asm")
writes=$(grep -c 'untyped surface wri' "$folder/asm")
[ "$static" -gt 10 ] && [ "$reads" -ge 2 ] && [ "$writes" -ge 1 ] || { cat "$folder/asm"; exit 1; }

# Three groups of 64 work-items; threads of SIMD16 or SIMD32, as the compiler chose.
run() { # run THREADS OPTION...
  threads=$1; shift
  "$gensim" -d $device --threads $threads "$@" -- "$cmrun" "$binary" -k observed -g 3 -l 64 buf:768:iota-f32 \
    buf:768:f32=0.5 buf:768 || exit 1
}
run 1 --stats "$folder/1.json"
run 3 --stats "$folder/3.json"
sed 's/"kernel_address": "[^"]*", //' "$folder/1.json" >"$folder/1"
sed 's/"kernel_address": "[^"]*", //' "$folder/3.json" | cmp -s - "$folder/1"
check "several host threads count the same" $? 0

field() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$folder/kernel"; }
# The lines of the kernel's entry; the driver launches no other here.
sed -n '/"kernels"/,/\],/p' "$folder/1.json" | sed '1d;$d' >"$folder/kernel"
simd=$(field simd)
gpu_threads=$((192 / simd))
check name "$(sed -n 's/.*"kernel": "\([^"]*\)".*/\1/p' "$folder/kernel")" observed
check launches "$(field launches)" 1
check threads "$(field threads)" $gpu_threads
check instructions "$(sed -n 's/.*"threads": [0-9]*, "instructions": \([0-9]*\), "channels".*/\1/p' "$folder/kernel")" \
  $((gpu_threads * static))
check reads "$(field 'hdc1 untyped surface read')" $((gpu_threads * reads))
check writes "$(field 'hdc1 untyped surface write')" $((gpu_threads * writes))
check ends "$(field 'thread spawner end of thread')" $gpu_threads
check surfaces "$(grep -o '"surfaces".*' "$folder/kernel")" \
    '"surfaces": {"0": {"read": 768, "written": 0}, "1": {"read": 768, "written": 0}, "2": {"read": 0, "written": 768}}}'
# class NAME PATTERN: instructions and channels of a class are those of the lines with PATTERN
class() {
  wanted=$(grep -E "$2" "$folder/asm" | sed 's/[^(]*\((W) *\)*[a-z.0-9]* *(\([0-9]*\)|.*/\2/' |
    awk -v t=$gpu_threads '{ n++; c += $1 } END { printf "{\"instructions\": %d, \"channels\": %d}", n * t, c * t }')
  check "$1" "$(grep -o "\"$1\": {[^}]*}" "$folder/kernel" | sed 's/^[^:]*: //')" "$wanted"
}
class 'move' '^(\(W\))? *mov '
class 'logic and shift' '^(\(W\))? *(or|and|shl) '
class 'integer' '^(\(W\))? *(add|mul|mach) .*<1>:d'
class 'floating point' '^(\(W\))? *add .*<1>:f'
class 'message' '^(\(W\))? *sends?[ .]'

# One thread's trace: every instruction once, with the values that it must have.
hash=$(sed -n 's/.*"kernel_hash": "\([0-9a-f]*\)".*/\1/p' "$folder/kernel")
run 3 --trace "$(echo $hash | cut -c 1-6):1:1" --trace-file "$folder/trace"
check "traced instructions" "$(grep -c "^kernel $hash group 1,0,0 thread 1 0x" "$folder/trace")" "$static"
check "other threads" "$(grep '^kernel' "$folder/trace" | grep -vc 'group 1,0,0 thread 1 ')" 0
run 3 --trace observed:1:1 --trace-file "$folder/by-name"
# Registers hold addresses that differ from run to run; the instructions are the same.
grep '^kernel' "$folder/trace" >"$folder/instructions"
grep '^kernel' "$folder/by-name" | cmp -s - "$folder/instructions"
check "the kernel's name does for its hash" $? 0
first=$((64 + simd)) # work-item of the thread's first channel
sum=$(grep -A 5 'add (16|M0).*<1>:f' "$folder/trace" | sed -n 's/^    after  :f  //p' | head -n 1)
check sum "$sum" "$(seq -f %g -s ' ' $first.5 1 $((first + 15)).5)"
sed -n '/add (16|M0).*<1>:f/,/after/p' "$folder/trace" | grep -q "^    source 0 :f  $first $((first + 1)) "
check "first source" $? 0
"$gensim" -d $device --trace 0123456789abcdef --trace-file "$folder/none" -- "$cmrun" "$binary" -k observed -g 3 -l 64 \
  buf:768 buf:768 buf:768 2>"$folder/words" || exit 1
check "word about a kernel that is not there" \
  "$(grep -c "nothing was traced: no kernel '0123456789abcdef'" "$folder/words")" 1
check "trace of a kernel that is not there" "$(wc -c <"$folder/none")" 0

run 3 --trace '*:0:0' --trace-file /dev/full 2>"$folder/words"
check "trace to a full disk" "$(grep -c 'cannot write the trace to /dev/full' "$folder/words")" 1

# --fidelity: what was executed, and how often; not what could have been.
exact() { sed -n "s/^gensim: fidelity: exact  *$1 (\([0-9]*\))\$/\1/p" "$folder/fidelity" \
    | awk '{ n += $1 } END { print n + 0 }'; }
run 3 --fidelity 2>"$folder/fidelity"
check "executed reads" "$(exact 'message: hdc1 untyped surface read')" $((gpu_threads * reads))
check "all that was executed" "$(exact '.*')" $((gpu_threads * static))
seldom() { # seldom WANTED: the kernel's lines that are not exact
  "$gensim" -d $device --fidelity -- "$cmrun" "$binary" -k seldom -g 3 -l 64 buf:768:iota-f32 i32:$1 2>&1 |
    sed -n 's/^gensim: fidelity: //p' | grep -v '^exact' | sed 's/ (.*//'
}
check "branch that is not taken" "$(seldom 0)" ""
check "branch that is taken" "$(seldom 1)" "approximate math.sin f <- f"
[ "$failures" = 0 ]
