#!/bin/sh
# large.sh [OPERATIONS...]: how cmc's time and memory grow with a kernel: generated kernels of so many region operations
# (default: 5000 10000 20000 50000), half of them reads, in functions of a thousand that are inlined. Prints, per size,
# processor seconds by stage and the largest resident memory.
set -eu
. "$(dirname "$0")/common.sh"
out=$build/bench/large
mkdir -p "$out"
[ $# -gt 0 ] || set -- 5000 10000 20000 50000

# generate OPERATIONS: each statement reads two regions, adds and writes a third.
generate() {
  awk -v operations="$1" '
    function random(below) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % below }
    BEGIN {
      seed = 1
      for (f = 0; f < 4; f++) {
        printf \
            "_GENX_ void step%d(vector<int, 64> &a, vector<int, 64> &b, vector<int, 64> &c, vector<int, 64> &d)\n{\n", f
        for (i = 0; i < 333; i++)
          printf "    %s.select<8, 1>(%d) = %s.select<8, 1>(%d) + %s.select<8, 1>(%d);\n", substr("abcd", 1 + \
              random(4), 1),
            8 * random(8), substr("abcd", 1 + random(4), 1), 8 * random(8), substr("abcd", 1 + random(4), 1), 8 * \
                random(8)
        print "}"
      }
      print \
          "extern \"C\" _GENX_MAIN_ void large(svmptr_t in [[type(\"svmptr_t\")]], svmptr_t out [[type(\"svmptr_t\")]])\n{"
      print "    vector<int, 64> v[4];\n    for (int i = 0; i < 4; i++)\n        cm_svm_block_read(in + i * 256, v[i]);"
      for (i = 0; i < operations / 1000; i++)
        printf "    step%d(v[%d], v[%d], v[%d], v[%d]);\n", i % 4, i % 4, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4
      print "    for (int i = 0; i < 4; i++)\n        cm_svm_block_write(out + i * 256, v[i]);\n}"
    }'
}

for operations; do
  generate "$operations" >"$out/large.cm"
  python3 - "$bin/cmc" "$out" "$operations" <<'PROGRAM'
import re
import resource
import subprocess
import sys

cmc, out, operations = sys.argv[1:]
run = subprocess.run([cmc, "-march=ICLLP", "--time-report", out + "/large.cm", "-o", out + "/large.bin"], text=True,
                     stderr=subprocess.PIPE, check=True)
stages = re.findall(r"^ *([0-9.]+) s  ((?:front|middle|finalizer|total).*)$", run.stderr, re.M)
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f"{operations} region operations: " + ", ".join(f"{name} {float(s):.2f} s" for s, name in stages) +
      f"; {memory} MB")
PROGRAM
done
