#!/bin/sh
# harness.sh WORK_FOLDER: checks that run.sh finds differences. Fake compilers and simulators "compute" a file's number
# of lines, and a wrong number on the GPU if a line requests it: only seed 7 must be found, kept and reduced. Also
# checks that modules are verified after every pass, and that IR that cmc cannot print for IGC counts as our fault.
set -u
work=$1 here=$(dirname "$0")
rm -rf "$work"
mkdir -p "$work/bin" || exit 2

cat >"$work/bin/generate" <<'END'
#!/bin/sh
echo "// generate $1"
echo 'extern "C" _GENX_MAIN_ void fuzz(svmptr_t in, svmptr_t out)'
echo "{"
[ "$1" != 7 ] || echo "    wrong();"
for i in 1 2 3; do echo "    right($i);"; done
echo "}"
END
cat >"$work/bin/cmc" <<'END'
#!/bin/sh
case "$*" in
*-verify-each*) ;;
*) exit 1 ;;
esac
case "$*" in *-emit-spirv*) exit 1 ;; esac
while [ $# -gt 0 ]; do
  case $1 in
  -o) output=$2; shift ;;
  *.cm) input=$1 ;;
  esac
  shift
done
cp "$input" "$output"
END
cat >"$work/bin/gensim" <<'END'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
ON_GPU=yes "$@"
END
cat >"$work/bin/launch" <<'END'
#!/bin/sh
program=$1 prefix=$2; shift 2
for kernel; do
  if [ "${ON_GPU:-}" ] && grep -q wrong "$program"; then echo wrong; else echo right; fi >"$prefix.$kernel.out"
done
END
chmod +x "$work"/bin/*

"$here/run.sh" "$work/bin" "$work/run" 1 30 >"$work/log" && { echo "error: all programs agreed"; exit 1; }
cat "$work/log"
grep -q '^seed 7: differs \(skl\|icllp\|tgllp\)-O2' "$work/log" \
    || { echo "error: seed 7 was not found"; exit 1; }
grep -qx '29 programs agree, 1 do not' "$work/log" || { echo "error: others were found too"; exit 1; }
grep -q 'wrong();' "$work/run/7.reduced.cm" || { echo "error: what is wrong was removed"; exit 1; }
! grep -q 'right(' "$work/run/7.reduced.cm" || { echo "error: not reduced"; exit 1; }
"$here/run.sh" "$work/bin" "$work/good" 11 40 >"$work/log" || { cat "$work/log"; exit 1; }
# Three batches of 25, of which parts take one or two; a part without a batch has nothing to do.
for part in 1/2:50 2/2:25 3/3:25 9/9:0; do
  "$here/run.sh" --shard ${part%:*} "$work/bin" "$work/part" 101 175 >"$work/log" || { cat "$work/log"; exit 1; }
  grep -qx "${part#*:} programs agree, 0 do not" "$work/log" ||
    { cat "$work/log"; echo "error: part ${part%:*} has not ${part#*:} programs"; exit 1; }
done
for part in 3/2 0/2 x 1/ ''; do
  "$here/run.sh" --shard "$part" "$work/bin" "$work/part" 1 2 2>"$work/log" && { echo "error: part '$part'"; exit 1; }
  grep -qx "run.sh: error: --shard: '$part' is no part like 2/8" "$work/log" || { cat "$work/log"; exit 1; }
done
"$here/check.sh" "$work/bin" "$work/vc" "$work/run/7.reduced.cm" skl-peer >"$work/log"
grep -qx 'refused skl-vc' "$work/log" || { cat "$work/log"; echo "error: what cmc does not print was not found"; exit \
    1; }
