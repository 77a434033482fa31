#!/bin/sh
# options.sh BIN_FOLDER SOURCE WORK_FOLDER
# Checks the options of gensim --check: lists of checks, suppressions, exit status, and one clear line for each error.
set -u
bin=$1 source=$2 work=$3 device=${CMKIT_TEST_DEVICE:-icllp}
failures=0
mkdir -p "$work" && cd "$work" || exit 1
"$bin/cmc" -march=$device -g "$source" -o faults.bin || exit 1

# expect STATUS TEXT OPTION...: kernel same_place under gensim with these options exits so and prints TEXT ("": nothing)
expect() {
  status=$1 text=$2
  shift 2
  "$bin/gensim" -d $device "$@" -- "$bin/cmrun" faults.bin -k same_place -g 4 buf:256 >log 2>&1
  got=$?
  if [ $got -ne "$status" ] || { [ -n "$text" ] && ! grep -qF -e "$text" log; } ||
      { [ -z "$text" ] && [ -s log ]; }; then
    echo "FAIL $*: status $got, expected $status and '$text'"
    cat log
    failures=$((failures + 1))
  fi
}

line=$(grep -n 'write(out, 0, v); // FINDS race' "$source" | head -1 | cut -d: -f1)
echo "race same_place *faults.cm:$line # known" >known
echo 'race same_place' >short
echo 'rays same_place *' >unknown
: >empty
expect 0 '1 place in the code' --check
expect 0 '1 place in the code' --check=race
expect 3 '1 place in the code' --check=memory,race --error-exit 3
expect 0 '' --check=memory,barrier --error-exit 3
expect 0 '' --check --suppress known --error-exit 3
expect 3 '1 place in the code' --check --suppress empty --error-exit 3
expect 125 '--suppress: short:1: not '"'CHECK KERNEL SOURCE'" --check --suppress short
expect 125 "--suppress: unknown:1: there is no check 'rays'" --check --suppress unknown
expect 125 "--suppress: cannot read 'absent'" --check --suppress absent
mkdir -p folder
expect 125 "--suppress: cannot read the suppressions in 'folder': Is a directory" --check --suppress folder
echo 'race,memory same_place *' >several
expect 125 "--suppress: several:1: there is no check 'race,memory'" --check --suppress several
printf '\033[2J\001 same_place *\n' >bytes
expect 125 "--suppress: bytes:1: there is no check '?[2J?'" --check --suppress bytes
expect 125 "--check: 'values' is not a list of memory, init, race, barrier and scoreboard" --check=values
expect 125 "--check: 'race,' is not a list" --check=race,
expect 125 '--report needs --check' --report r.json
expect 125 '--gen-suppressions needs --check' --gen-suppressions s.txt
expect 125 '--error-exit needs --check' --error-exit 3

# JSON: what the text says; and the lines that are written suppress what they are about.
rm -f report.json written
expect 3 '1 place in the code' --check --report report.json --gen-suppressions written --error-exit 3
python3 - report.json "$line" <<'END' || { echo "FAIL the JSON report"; cat report.json; failures=$((failures + 1)); }
import json, sys
report = json.load(open(sys.argv[1]))
place, = report["places"]
assert report["version"] == 1 and report["findings"] >= place["count"] >= 1
assert place["check"] == "race" and len(place["sites"]) == 2 and "zeMemAllocShared" in place["address"]
for site in place["sites"]:
    assert site["kernel"] == "same_place" and site["line"] == int(sys.argv[2]) and site["did"].endswith("written")
    assert site["thread"] == 0 and site["group"][1:] == [0, 0] and "send" in site["instruction"]
assert place["sites"][0]["group"] != place["sites"][1]["group"]
END
# Two places in the code at one line of the source are one line of suppressions.
arguments=$(sed -n 's|^// RUN slm_tree_once ||p' "$source")
rm -f once
# shellcheck disable=SC2086 # words
"$bin/gensim" -d $device --check --gen-suppressions once -- "$bin/cmrun" faults.bin -k slm_tree_once $arguments \
  >log 2>&1
if ! grep -q '2 places in the code' log || [ "$(wc -l <once)" -ne 1 ] || ! grep -q 'address 0x[0-9a-f]* in shared' log
then
  echo "FAIL suppressions of one line"
  cat log once
  failures=$((failures + 1))
fi
if ! grep -q "^race same_place .*faults.cm:$line\$" written; then
  echo "FAIL written suppressions"
  failures=$((failures + 1))
fi
expect 0 '' --check --suppress written --error-exit 3
# Names of files that are no words, or look like patterns.
cp "$source" 'of [two] words#1.cm'
"$bin/cmc" -march=icllp 'of [two] words#1.cm' -o words.bin || exit 1
rm -f words
"$bin/gensim" -d icllp --check --gen-suppressions words -- "$bin/cmrun" words.bin -k same_place -g 4 buf:256 >log 2>&1
if ! "$bin/gensim" -d icllp --check --suppress words --error-exit 3 -- "$bin/cmrun" words.bin -k same_place -g 4 \
  buf:256 >log 2>&1 || [ -s log ]; then
  echo "FAIL suppressions of such names"
  cat log words
  failures=$((failures + 1))
fi

# A fault that stops the program: the findings before it are in the report.
cat >stops.cm <<'END'
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void stops(SurfaceIndex out [[type("buffer_t")]])
{
    vector<unsigned, 8> v = 1;
    write(out, 0, v);
    if (cm_group_id(0) == 3)
        cm_svm_block_write((svmptr_t)0x1000, v);
}
END
"$bin/cmc" -march=$device stops.cm -o stops.bin || exit 1
rm -f report.json
"$bin/gensim" -d $device --check --report report.json -- "$bin/cmrun" stops.bin -k stops -g 4 buf:256 >log 2>&1
got=$?
if [ $got -ne 126 ] || ! grep -q '"check": "race"' report.json; then
  echo "FAIL the report of a program with a fault: status $got"
  cat log
  failures=$((failures + 1))
fi
expect 125 "--error-exit: '0' is not a number from 1 to 255" --check --error-exit 0
[ "$failures" = 0 ]
